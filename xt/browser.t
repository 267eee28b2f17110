# Reports as a browser shows them: within budgets of bytes, elements and time, without a word in the console, a dialog
# or a request, without a violation axe can see, as valid HTML, with links that lead somewhere. Chromium and npm's
# packages do the looking; these come into a cache of the user's, ${XDG_CACHE_HOME:-$HOME/.cache}/nytprof-browser.
use strict;
use warnings;

use Cwd qw(abs_path);
use Encode qw(decode FB_CROAK LEAVE_SRC);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Pages qw(broken_links pages run);
use Run ();
use Tree qw(slurp spew);

my $TOP  = abs_path("$FindBin::Bin/..");
my $HERE = "$TOP/xt/browser";

sub program {
    my @found = grep { -x && !-d } map { my $name = $_; map {"$_/$name"} split /:/, $ENV{PATH} } @_;
    return $found[0];
}

my ($chromium, $node, $npm) = (program(qw(chromium chromium-browser google-chrome)), program('node'), program('npm'));
plan skip_all => 'SKIPPED: chromium, node and npm are needed to look at reports; NOTHING was looked at'
    if !$chromium || !$node || !$npm;
my $cache = ($ENV{XDG_CACHE_HOME} || "$ENV{HOME}/.cache") . '/nytprof-browser';
plan skip_all => "SKIPPED: npm cannot get the packages of xt/browser/package.json; NOTHING was looked at"
    if !fill_cache();

my $dir = tempdir(CLEANUP => 1);
my %times = (draw => 33, zoom => 8, sort => 50, filter => 50, find => 50);
my %usual = (index => 400_000, paint => 250, ready => 400, nodes => 3000, heap => 20, times => \%times);
my %large = (index => 7_000_000, paint => 300, ready => 2500, nodes => 3000, heap => 120,
    times => { draw => 60, zoom => 16, sort => 300, filter => 300, find => 300 });

look('hostile', hostile(), { %usual, all => \1 });
look('large', large(), \%large, 'too many links to follow here: xt/large.t does');
my $perlcritic = program('perlcritic');
SKIP: {
    skip 'SKIPPED: no perlcritic to profile', 1 if !$perlcritic;
    look('perlcritic', perlcritic(), { %usual, single => "$dir/single.html" });
}
done_testing;

# The packages, got once a week at most.
sub fill_cache {
    make_path($cache);
    my $have = "$cache/node_modules/.package-lock.json";
    my $wanted = slurp("$HERE/package.json");
    return 1 if -e $have && -M _ < 7 && -e "$cache/package.json" && slurp("$cache/package.json") eq $wanted;
    copy("$HERE/package.json", "$cache/package.json") or die "$cache/package.json: $!\n";
    my ($status, $out, $err) = run('timeout', '180', $npm, 'install', '--prefix', $cache, '--no-audit', '--no-fund');
    diag $out, $err if $status;
    return !$status;
}

# --- what is looked at -----------------------------------------------------------------------------------------------

sub capture {
    my ($name, @perl) = @_;
    my %env = (NYTPROF => "file=$dir/$name.out");
    my $run = Run::run(undef, dir => $dir, env => \%env, command => [ $^X, Run::under_profiler(), @perl ]);
    -s "$dir/$name.out" or die "no capture of @perl: $run->{err}";
    return "$dir/$name.out";
}

sub hostile {
    my $program = 'x"><img src=x onerror=alert(1)>&amp;#1?.pl';
    copy("$HERE/hostile.pl", "$dir/$program") or die "$program: $!\n";
    return capture('hostile', $program);
}

sub large {
    my @cc = (qw(cc -std=c11 -O1 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE), "-I$TOP/xs", "-I$TOP/t/c");
    system(@cc, '-o', "$dir/large", "$TOP/xt/large.c", "$TOP/build/libnytprof.a", qw(-lz -pthread)) == 0
        or die "xt/large.c does not compile\n";
    system("$dir/large", "$dir/large.out", 10_000, 100_000, 300_000) == 0 or die "xt/large.c fails\n";
    return "$dir/large.out";
}

# At least ten million statements.
sub perlcritic {
    my @modules = grep { -s > 1e4 && -s _ < 2e5 } map { glob "$_/Perl/Critic/*.pm $_/PPI/*.pm $_/PPI/*/*.pm" } @INC;
    my $out = capture('perlcritic', $perlcritic, '--noprofile', @modules);
    my ($status, $info) = run("$TOP/build/nytprof", 'info', $out);
    my ($statements) = $info =~ /^counted +statements (\d+)/m;
    cmp_ok $statements, '>=', 10_000_000, "perlcritic: $statements statements";
    return $out;
}

# --- looking at it ---------------------------------------------------------------------------------------------------

sub look {
    my ($name, $capture, $budget, $no_links) = @_;
    my $report = "$dir/$name.d";
    my ($status, undef, $err) = run("$TOP/build/nytprof", 'html', '-o', $report, $capture);
    is "$status$err", '0', "$name: there is a report";
    if ($budget->{single}) {
        ($status, undef, $err) = run("$TOP/build/nytprof", 'html', '--single', '-o', $budget->{single}, $capture);
        is "$status$err", '0', "$name: there is one of one file";
    }
    local $ENV{NYTPROF_BROWSER} = $cache;
    local $ENV{CHROMIUM} = $chromium;
    my (undef, $said, $trouble) = run('timeout', '400', $node, "$HERE/check.mjs", $report, json($budget));
    my $looks = 0;
    for my $line (split /\n/, $said) {
        if ($line =~ /^(not )?ok - (.*)/) {
            ok !$1, "$name: $2";
            $looks++;
        } else { diag "$name $line" }
    }
    is $trouble, '', "$name: the browser came to the end";
    cmp_ok $looks, '>', 40, "$name: after a good look";
    return if $no_links;
    my $pages = pages($report);
    is_deeply [ grep { !is_folded($pages, $_) } broken_links($pages) ], [], "$name: every link leads somewhere";
    my @html = grep {/\.(?:html|svg)$/} sort keys %$pages;
    my @other = grep { !eval { decode('UTF-8', $pages->{$_}, FB_CROAK | LEAVE_SRC) } } @html;
    is_deeply \@other, [], "$name: all is UTF-8";
    return;
}

# Lines that did not run are lists or folded up; the script finds them: "page: page#line" of one that is in there.
sub is_folded {
    my ($pages, $link) = @_;
    my ($from, $to, $line) = $link =~ /^(.*): ([^#]*)#(\d+)$/ or return 0;
    my $html = $pages->{ $to eq '' ? $from : $to } // return 0;
    while ($html =~ m{<summary id=(\d+)>([\d,]+) |<ol start=(\d+)>(.*?)</ol>}gs) {
        my ($first, $n, $list_first, $list) = ($1, $2, $3, $4);
        if (defined $first) { $n =~ tr/,//d }
        else {
            $first = $list_first;
            $n = () = $list =~ /<li/g;
        }
        return 1 if $line >= $first && $line < $first + $n;
    }
    return 0;
}

sub json {
    my ($value) = @_;
    return $value =~ /\A\d+\z/ ? $value : qq("$value") if !ref $value;
    return 'true' if ref $value eq 'SCALAR';
    return '{' . join(',', map { qq("$_":) . json($value->{$_}) } sort keys %$value) . '}';
}
