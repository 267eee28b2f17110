# SPDX-License-Identifier: MIT
# nytprofhtml: options, messages, exit codes, and the files that other programs look for.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Pages qw(broken_links fixtures pages run text_of);
use Tree qw(slurp spew);

my @HTML     = ($^X, "$FindBin::Bin/../bin/nytprofhtml");
my $captures = fixtures();
my $dir      = tempdir(CLEANUP => 1);
my @FLAME    = qw(all_stacks_by_time.calls all_stacks_by_time.svg flamegraph_subattr.txt);
my @GRAPHS   = qw(packages-callgraph.dot subs-callgraph.dot);

# --- files ---

my $pages = report('calls', 'calls');
is_deeply [ grep { !$pages->{$_} } 'index.html', 'index-subs-excl.html', 'style.css', @FLAME, @GRAPHS ], [],
    'the files that people look for';
is_deeply [ broken_links($pages) ], [], 'every link of a page leads somewhere';
like $pages->{'all_stacks_by_time.calls'}, qr/^main::RUNTIME;Foo::Bar::new;Foo::Bar::xs 4000$/m, 'paths in 100 ns';
like $pages->{'all_stacks_by_time.svg'}, qr{<title>Foo::Bar::xs \(0\.4 ms, 45\.74%\)},
    'the flame graph is of them';
my %lead = $pages->{'flamegraph_subattr.txt'} =~ /^([^\t\n]+)\thref=(\S+)$/mg;
is $lead{'Foo::Bar::new'}, 'Foo-Bar-pm-2-line.html#3', 'where frames lead to';
is_deeply [ broken_links({ %$pages, 'x.html' => join '', map {qq{<a href="$_">}} values %lead }) ], [],
    'all of which is there';
my @drawn = $pages->{'all_stacks_by_time.svg'} =~ / href="([^"]+)"/g;
is_deeply [ grep { my $to = $_; !grep { $_ eq $to } values %lead } @drawn ], [], 'and so is what they lead to';
like $pages->{'index.html'}, qr{href="all_stacks_by_time\.svg"}, 'the index leads to it';

like $pages->{'index.html'}, qr{href="$_"}, "and to $_" for @GRAPHS;
is_deeply [ arcs($pages->{'subs-callgraph.dot'}) ],
    [   'Foo::Bar::new Foo::Bar::xs 1', 'main::RUNTIME Foo::Bar::new 1', 'main::RUNTIME List::Util::sum 1',
        'main::RUNTIME main::CORE:print 1', 'main::RUNTIME main::__ANON__[(eval 1)[/app/main.pl:9]:1] 2',
        'main::RUNTIME main::ping 1', 'main::RUNTIME main::recurs 1', 'main::ping main::pong 2',
        'main::pong main::ping 1', 'main::recurs main::recurs 2'
    ],
    'who calls whom, how often';
is_deeply [ arcs($pages->{'packages-callgraph.dot'}) ],
    [ 'Foo::Bar Foo::Bar 1', 'main Foo::Bar 1', 'main List::Util 1', 'main main 10' ], 'and so by package';
my @subs = split /^/, (nytprof('dot', "$captures/calls.out"))[0];
is_deeply \@subs, [ split /^/, $pages->{'subs-callgraph.dot'} =~ s/ URL="[^"]*",//gr ], 'nytprof dot: without links';
is +(nytprof('dot', '--packages', "$captures/calls.out"))[0], $pages->{'packages-callgraph.dot'}, 'and of packages';
is scalar(grep {/ \[label="\D/} split /^/, (nytprof('dot', '--nodes', 3, "$captures/calls.out"))[0]), 4,
    'and of no more nodes than it is told, and the others';
my $hostile = report('hostile', 'hostile');
SKIP: {
    skip 'graphviz is not installed', 2 * @GRAPHS if !grep { -x "$_/dot" } split /:/, $ENV{PATH};
    for my $report ($pages, $hostile) {
        for my $graph (@GRAPHS) {
            spew("$dir/graph.dot", $report->{$graph});
            is +(run('dot', '-Tcanon', "-o$dir/canon", "$dir/graph.dot"))[2], '', "$graph: dot finds no fault";
        }
    }
}
is scalar(arcs($hostile->{'subs-callgraph.dot'})), 12, 'no name is lost';

# --- options ---

is_deeply [ grep { report('flame', 'calls', '--no-flame')->{$_} } @FLAME ], [], '--no-flame: none';
unlike slurp("$dir/flame/index.html"), qr/all_stacks/, 'and nothing that leads to it';
is_deeply [ grep { report("graph$_", 'calls', $_)->{ $GRAPHS[0] } } '-m', '--minimal' ], [],
    '--minimal: no graphs';
unlike slurp("$dir/graph-m/index.html"), qr/callgraph/, 'and nothing that leads to them';
like report('width', 'calls', '--flamewidth', 700)->{'all_stacks_by_time.svg'}, qr/<svg [^>]*width="700"/,
    '--flamewidth';
ok report('evals', 'calls', '--no-mergeevals')->{'eval-2-app-main-pl-9-4-line.html'}, '--no-mergeevals';
my $listed = slurp("$dir/evals/.nytprof-pages");
report('evals', 'calls', '--no-mergeevals');
is slurp("$dir/evals/.nytprof-pages"), $listed, 'a report that is written again names its pages once';
spew("$dir/evals/mine.txt", 'mine');
$pages = report('evals', 'zero', '-d');
is_deeply [ grep {/eval|mine/} sort keys %$pages ], ['mine.txt'], '--delete: an earlier report goes, nothing else';
is_deeply [ (tool('-o', "$dir/more", '--profself', '--lib', $dir))[ 0, 2 ] ], [ 0, '' ], '--profself, --lib';
my ($status, $out, $err) = tool('-o', "$dir/more", '-l', "$dir/nosuch");
ok $status == 0 && $err =~ /^\S+: --lib directory '\S+nosuch' does not exist$/, 'a missing --lib is a warning';
($status, $out, $err) = tool('-o', "$dir/more", '--debug');
like $out, qr/^\S*nytprof html --file /m, '--debug says what is run';
spew("$dir/browser", "#!/bin/sh\necho \"\$1\" >$dir/opened\n");
chmod 0755, "$dir/browser";
{
    local $ENV{BROWSER} = "$dir/browser";
    chdir $dir or die "$dir: $!\n";
    tool('-o', 'a b$(touch pwned)', '--open');
}
is slurp("$dir/opened"), "a b\$(touch pwned)/index.html\n", '--open: in a browser, without a shell';
{
    local $ENV{BROWSER} = "/no/such/browser:$dir/browser of %s too";
    tool('-o', "$dir/more", '--open');
    is slurp("$dir/opened"), "of\n", 'the first of several browsers that there is, with its arguments';
    local $ENV{BROWSER} = '/no/such/browser';
    local $ENV{PATH} = $dir;
    my ($shown, undef, $complaint) = tool('-o', "$dir/more", '--open');
    is $shown, 0, 'no browser: there is a report';
    like $complaint, qr{^nytprof: no browser could be started .* the report is in \S+more/index\.html\n\z},
        'and a line that says where';
}
ok !-e "$dir/pwned", 'whatever the directory is called';

# --- messages and exit codes ---

($status, $out) = tool('-o', "$dir/more");
like $out, qr{\AReading \S+calls\.out\nProcessing \S+calls\.out data\n}, 'says what it reads';
my ($usage) = (run(@HTML, '--help'))[1];
for my $option ('--help', '-h', '--nosuch') {
    ($status, $out) = run(@HTML, $option);
    ok $status == 0 && $out eq $usage && $usage =~ /^usage: .*nytprofhtml/,
        "$option: usage on stdout, exit code 0";
}
($status, $out, $err) = tool('-f', "$dir/nosuch");
ok $status && $err =~ /Unable to access \S+nosuch/, 'no profile: a message, not 0';
($status, $out, $err) = tool('-o', "$dir/browser");
ok $status && $err =~ /is a file/, 'a file in place of the directory likewise';
is +(tool('-o', "$dir/more", '--flamewidth', $_))[0], 2, "a width that is none is refused: $_" for 1, 4294967396;

done_testing;

sub tool { my (@arguments) = @_; return run(@HTML, '-f', "$captures/calls.out", @arguments) }

sub report {
    my ($to, $capture, @options) = @_;
    my ($exit, undef, $error) = run(@HTML, '-f', "$captures/$capture.out", '-o', "$dir/$to", @options);
    "$exit$error" eq '0' or die "nytprofhtml @options: $error";
    return pages("$dir/$to");
}

# "FROM TO COUNT" of a graph, sorted.
sub arcs {
    my ($dot) = @_;
    my %name = $dot =~ /^(n\d+) \[label="((?:[^"\\]|\\[^n])*)\\n/mg;
    my @found;
    push @found, "$name{$1} $name{$2} $3" while $dot =~ /^(n\d+) -> (n\d+) \[label="(\d+)"/mg;
    @found = sort @found;
    return @found;
}
