# SPDX-License-Identifier: MIT
# The options of pages, and what becomes of a report that cannot be finished, or of a program that still runs.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i record text u);
use Pages qw(broken_links fixtures pages run text_of);
use Profiled qw(command);
use Terminal qw(has_terminals on_terminal);
use Tree qw(slurp spew);

my $NYTPROF  = "$FindBin::Bin/../build/nytprof";
my $HTML     = "$FindBin::Bin/../bin/nytprofhtml";
my $captures = fixtures();
my $dir      = tempdir(CLEANUP => 1);
my $MAIN     = 'app-main-pl-1-line.html';

# --- options ---

my $pages = report('--min-time', '0.00001');
is_deeply [ grep {/-line\.html$/} sort keys %$pages ], [ 'Foo-Bar-pm-2-line.html', $MAIN ],
    '--min-time: no page for files that took less';
is_deeply [ broken_links($pages) ], [], 'and no link to one';
like text_of($pages->{'index.html'}), qr{ 1 8\.00 µs .* /app/gone/nowhere\.pl }, 'they still have their row';
like text_of($pages->{$MAIN}), qr{in 4 statements of 2 string evals like \(eval 1\)}, 'and are told of';

$pages = report('--editor-url', 'edit://open?file=%f&line=%l&x=%%"<');
like $pages->{$MAIN}, qr{<a href="edit://open\?file=/app/main\.pl&amp;line=1&amp;x=%%&quot;&lt;">/app/main\.pl</a>},
    '--editor-url: a file leads to the editor';
like $pages->{$MAIN}, qr{main::recurs</a> .*<a href="edit://open\?file=/app/main\.pl&amp;line=3&[^"]*">edit</a>},
    'and so does a sub';

$pages = report('--compat-pages');
is_deeply [ map { my $level = $_; scalar grep {/-$level\.html$/} keys %$pages } qw(line block sub) ], [ 5, 5, 5 ],
    '--compat-pages: each file under all three names that it used to have';
like $pages->{'app-main-pl-1-block.html'}, qr{http-equiv="refresh" content="0; url=\Q$MAIN\E">}, 'which lead on';
is_deeply [ broken_links($pages) ], [], 'to pages that are there';
is_deeply [ grep {/-block\.html$/} keys %{ report() } ], [], 'not without the option';

my ($status, undef, $err) = run($NYTPROF, 'html', '--min-time', '1x', "$captures/calls.out");
is "$status $err", "2 nytprof: html: --min-time: expected a number of seconds, got '1x' (see `nytprof help html`)\n",
    'no number of seconds';
run($^X, $HTML, '-f', "$captures/calls.out", '-o', "$dir/tool", '--min-time', '0.00001', '--compat-pages',
    '--editor-url', 'edit:%f');
like join(' ', sort keys %{ pages("$dir/tool") }), qr{app-main-pl-1-block\.html.*$MAIN}, 'nytprofhtml has them, too';
unlike join(' ', keys %{ pages("$dir/tool") }), qr{nowhere}, 'all of them';

# --- a disk that is full ---

my $start = record(1, (map { u($_) } 1, 0), u(10**18), i(0), (map { u($_) } 1000, 1), i(1001),
    map { Capture::s($_) } qw(fake x.pl perl));

sub file {
    my ($id, $name, $ticks, $text) = @_;
    return record(7, (map { u($_) } $id, 0, 0, 0, 0, 0), Capture::s($name)) . record(8, u($id), u(1), Capture::s($text))
        . record(11, (map { u($_) } $id, $id, 1, 1, 1)) . record(13, u($id), i(1), i($ticks));
}

my $window = record(14, u(0), i(0), i(100)) . record(15, (map { i($_) } 0, 0, 0, 0), u(0));
spew("$dir/big.out", text() . chunk($start . file(1, '/big.pl', 9, '#' x 4e6 . "\n") . file(2, '/hot.pl', 90, "1;\n")
    . file(3, '/cold.pl', 1, "1;\n") . $window));
($status, undef, $err) = run('/bin/sh', '-c', 'ulimit -f 2000; trap "" XFSZ; exec "$@"', 'sh', $NYTPROF, 'html', '-o',
    "$dir/full", "$dir/big.out");
like "$status $err", qr{^1 nytprof: cannot write \S+/big-pl-1-line\.html: File too large\n\z}, 'a page has no room';
$pages = pages("$dir/full");
is_deeply [ map { length($pages->{$_} // '') > 0 } qw(index.html style.css source.js data.js hot-pl-2-line.html) ],
    [ (1) x 5 ], 'the index and the pages that matter more are there';
($status, undef, $err) = run($NYTPROF, 'html', '-d', '-o', "$dir/full", "$dir/big.out");
is "$status$err", '0', 'once there is room';
is_deeply [ broken_links(pages("$dir/full")) ], [], 'there is all of it';

# --- progress ---

my @files = map { file($_, "/$_.pl", 1, "1;\n") } 1 .. 40;
spew("$dir/many.out", text() . chunk(join('', $start, @files) . record(14, u(0), i(0), i(40))
    . record(15, (map { i($_) } 0, 0, 0, 0), u(0)), end => 40));
is +(run($NYTPROF, 'html', '-o', "$dir/many", "$dir/many.out"))[2], '', 'progress is not for files';
SKIP: {
    skip 'there are no pseudo terminals: progress on one is NOT checked', 1 if !has_terminals();
    my $late = "(head -c 30 $dir/many.out; sleep 1.2; tail -c +31 $dir/many.out)";
    like +(on_terminal('/bin/sh', '-c', "$late | $NYTPROF html -o $dir/many -"))[0],
        qr{\r\e\[K *\d+ % [#.]{30} of pages written.*\r\e\[KThe report is in}s,
        'a terminal shows a bar when it takes longer than a second';
}

# --- a program that still runs ---

my $work = 'sub work { my $n = 0; $n += $_ for 1 .. 100; return $n }';
spew("$dir/runs.pl", "alarm 120;\n$work\nwork() until -e '$dir/stop';\n");
my $pid = fork // die "fork: $!\n";
if (!$pid) {
    my @command = command('ours', { file => "$dir/runs.out" }, "$dir/runs.pl");
    exec @command or die "@command: $!\n";
}
for (1 .. 600) {
    ($status) = -s "$dir/runs.out" ? run($NYTPROF, 'html', '-o', "$dir/runs", "$dir/runs.out") : 1;
    last if $status == 0 && text_of(slurp("$dir/runs/index.html")) =~ / main::work /;
    sleep 0.1;
}
like text_of(slurp("$dir/runs/index.html")), qr{ main::work }, 'of a program that runs there is a report up to now';
is waitpid($pid, 1), 0, 'while it runs';
like text_of(slurp("$dir/runs/index.html")), qr{Process $pid is still running: the last data is from}, 'which says so';
is_deeply [ broken_links(pages("$dir/runs")) ], [], 'and is whole';
spew("$dir/stop", '');
waitpid $pid, 0;

done_testing;

sub report {
    my (@options) = @_;
    my ($exit, undef, $error) = run($NYTPROF, 'html', '-d', '-o', "$dir/calls", @options, "$captures/calls.out");
    is "$exit$error", '0', "@options";
    return pages("$dir/calls");
}
