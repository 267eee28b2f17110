# SPDX-License-Identifier: MIT
# A sampled profile has times, and no counts: reports show what is not known as nothing, not as 0, and how far numbers
# of samples are to be trusted.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP qw(decode_json);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Firefox qw(firefox);
use PageData qw(page_data);
use Pages qw(fixtures pages text_of);
use Pprof qw(pprof);
use Terminal qw(has_terminals on_terminal);
use Tree qw(slurp);

my $dir     = tempdir(CLEANUP => 1);
my $NYTPROF = "$FindBin::Bin/../build/nytprof";
my $sampled = fixtures() . '/sampled.out';
my $NOTE    = 'The program was sampled 180 times, and its calls and statements were not counted.'
    . ' A share of 10 % is right within 2.2 points.';

# sqrt(0.1 * 0.9 / 180) is 0.0224.
for my $report (qw(flat graph hot annotate)) {
    my ($out, $err, $exit) = nytprof($report, $sampled);
    is "$exit $err", "0 nytprof: $NOTE\n", "$report says that nothing was counted";
    unlike $out, qr/\b0 (?:times|calls?)\b|never called|earlier/, 'and shows no count';
}
like +(nytprof('flat', $sampled))[0], qr/^ 66\.67 1\.2\d+ 1\.2\d+ +A::inner$/m, 'flat: times, and no number of calls';

# sqrt(2/3 * 1/3 / 180) is 0.0351, and sqrt(1/6 * 5/6 / 180) 0.0278.
like +(nytprof('hot', $sampled))[0], qr{^/app/lib/A\.pm:11: 66\.7 % \xC2\xB13\.5 1\.20 s, in A::inner$}m,
    'hot: the line, and the error of its share';
unlike $_, qr/\xC2\xB1/, 'where times are measured there is none'
    for map { (nytprof($_, fixtures() . '/calls.out'))[0] } qw(hot json top);
SKIP: {
    skip 'no terminal', 7 if !has_terminals();
    local @ENV{qw(TERM PAGER)} = ('dumb', '');
    my ($flat) = on_terminal($NYTPROF, 'flat', '--color=never', $sampled);
    like $flat, qr/^ 66\.67 +\xC2\xB13\.5 +1200\.000 +1200\.000 +A::inner\r?$/m,
        'flat: a column of errors on a terminal';
    like $flat, qr/^ \xC2\xB1 points +standard deviation/m, 'of which the legend says what they are';
    unlike +(on_terminal($NYTPROF, 'flat', '--color=always', $sampled))[0], qr/\033\[2m/, 'none of which is grey';
    my ($graph) = on_terminal($NYTPROF, 'graph', '--color=never', $sampled);
    like $graph, qr/^index % time +\xC2\xB1 +self children/m, 'graph: such a column, too';
    like $graph, qr/^\[2\] +88\.9   \xC2\xB12\.3 +300\.000 1300\.000 +A::work \[2\]\r?$/m, 'of the share of an entry';
    like $graph, qr/^ {19,}\d+\.\d+ +\d+\.\d+ +A::work \[2\]\r?$/m, 'which callers have not';
    like $graph, qr/^ \xC2\xB1 +standard deviation/m, 'and a legend';
}

# Where a layout has no column for it, and programs read it.
my $worth = qr/^Times are of 180 samples: a share of 10 % is \xC2\xB12\.2 points\.$/m;
like +(nytprof(@$_, $sampled))[0], $worth, "@$_: the head says what shares are worth"
    for [qw(flat)], [qw(flat --style=oprofile)], [qw(graph)];
unlike +(nytprof(qw(graph), fixtures() . '/calls.out'))[0], qr/samples: a share/, 'but not where times are measured';
like +(nytprof('callers', 'A::inner', $sampled))[0], qr/^ +1\.000000000 1\.000000000 +A::work at A\.pm:5$/m, 'callers';
like +(nytprof('graph', $sampled))[0], qr/^ +1\.0+ 0\.0+ +A::work \[2\]$/m, 'graph';
like +(nytprof('info', $sampled))[0], qr/samples: 180 \xC2\xB113 /, 'info: samples with their standard deviation';
my ($out, $err, $exit) = nytprof('lcov', '-o', "$dir/lcov", $sampled);
is "$exit $out$err", "1 nytprof: $sampled: statements were sampled, so nothing is known of lines that did not run;"
    . " expected a profile with counts\n", 'lcov, which tells of lines that never ran, is not made';
ok !-e "$dir/lcov", 'nor begun';
nytprof('json', '-o', "$dir/json", $sampled);
is decode_json(slurp("$dir/json"))->{meta}{estimate}, $NOTE, 'json: counts are no counts';
is decode_json(slurp("$dir/json"))->{meta}{samples}, 180, 'json: the number of samples';

# --- exports ---

# The values of each sub, as servers of profiles expect them: samples, CPU time and time in nanoseconds.
nytprof('pprof', '-o', "$dir/pb", $sampled);
my $pprof = pprof("$dir/pb");
is_deeply $pprof->{types}, [qw(samples/count cpu/nanoseconds wall/nanoseconds waiting/nanoseconds)],
    'pprof: types of values, without calls';
is_deeply [ @{$pprof}{qw(default period)} ], [ 'cpu', '10000000 cpu/nanoseconds' ], 'pprof: the period of 100 a second';
my %values;
for my $sample (@{ $pprof->{samples} }) {
    my $of = $values{ $sample->{path}[-1][0] } //= [];
    $of->[$_] += $sample->{values}[$_] for 0 .. 3;
}
is_deeply \%values, { 'A::work' => [ 30, 1e8, 3e8, 2e8 ], 'A::inner' => [ 120, 12e8, 12e8, 0 ],
    'List::Util::sum' => [ 30, 3e8, 3e8, 0 ] }, 'pprof: values';
my %of_line = map { ("$_->{path}[-1][0]:$_->{path}[-1][2]" => $_->{values}) } @{ $pprof->{samples} };
is_deeply [ @of_line{qw(A::work:5 A::work:6)} ], [ [ 20, 0, 2e8, 2e8 ], [ 10, 1e8, 1e8, 0 ] ],
    'pprof: values of lines, one of which waits';
nytprof('pprof', '-o', "$dir/pb", '--metric', 'waiting', $sampled);
is_deeply [ @{ pprof("$dir/pb") }{qw(types default)} ], [ $pprof->{types}, 'waiting' ], 'pprof: another one ranks';
nytprof('speedscope', '-o', "$dir/speedscope", $sampled);
is_deeply [ map {"$_->{name} $_->{unit} $_->{endValue}"} @{ decode_json(slurp("$dir/speedscope"))->{profiles} } ],
    [ 'time nanoseconds 1800000000', 'samples none 180', 'cpu nanoseconds 1600000000',
    'waiting nanoseconds 200000000' ], 'speedscope: units, and no calls';
for my $metric (qw(cpu waiting)) {
    my $sum = 0;
    $sum += (split / /)[-1] for split /\n/, (nytprof('folded', '--metric', $metric, $sampled))[0];
    is $sum, $metric eq 'cpu' ? 16e8 : 2e8, "folded: by $metric";
}

nytprof('firefox', '-o', "$dir/firefox", $sampled);
my %cpu;
for my $sample (@{ firefox("$dir/firefox")->{threads}[0]{samples} }) {
    my ($name, undef, $line) = @{ $sample->{path}[-1] };
    my $of = $cpu{ "$name:" . ($line // '-') } //= [ 0, 0 ];
    $of->[0] += $sample->{ns};
    $of->[1] += $sample->{cpu};
}
is_deeply \%cpu, { 'A::work:5' => [ 2e8, 0 ], 'A::work:6' => [ 1e8, 1e8 ], 'A::inner:11' => [ 12e8, 12e8 ],
    'List::Util::sum:-' => [ 3e8, 3e8 ] }, 'firefox: how much of the time is CPU time';

# --- pages ---

nytprof('html', '-o', "$dir/html", $sampled);
my $pages = pages("$dir/html");
my $index = text_of($pages->{'index.html'});
like $index,   qr/\Q$NOTE\E/,                                        'html: the note';
like $index,   qr/\b180 \xC2\xB113 samples/,                           'the number of samples, and its error';
like $index,   qr/66\.7 % \xC2\xB13\.5.*16\.7 % \xC2\xB12\.8/s,        'shares, and their errors';
like $index,   qr/waiting: 200 ms self, 200 ms total/,            'waiting';
like $index,   qr/at every sample;/,                                 'where times are from';
unlike $index, qr/\b0 (?:calls|statements)\b|called earlier/,        'no count';
my $source = text_of($pages->{'A-pm-2-line.html'});
like $source,   qr/300 ms self \S+ 1\.60 s total \S+ by main::RUNTIME, main\.pl:6/, 'a sub, and its caller';
like $source,   qr/1\.00 s to A::inner/,                                            'a callee';
unlike $source, qr/\b0 calls|earlier call|never called|not run/,                    'and no count';
my $data = page_data($pages->{'data.js'});
like join(' ', values %$pages), qr/\bCPU\b/, 'the heading of CPU time is one';
unlike $_, qr/\bCpu\b/, 'and no other' for values %$pages;
is $data->{estimated} // 'none', 3, 'data.js: counts are not known';
is $data->{samples}, 180, 'data.js: the number of samples';

done_testing;
