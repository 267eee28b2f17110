# SPDX-License-Identifier: MIT
# Every report of a capture with option sample: times of subs are those of its calls, the times of lines add up to them,
# and the number of a line's statements is shown as nothing, not as 0.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP qw(decode_json);
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture  qw(nytprof);
use Exported qw(formats total);
use PageData qw(page_data);
use Pages    qw(pages text_of);
use Pprof    qw(pprof);
use Run      qw(capture_of run);
use Tree     qw(slurp);

my $dir = tempdir(CLEANUP => 1);

my $PROGRAM = <<'END';
sub burn {
    my $n = 0;
    $n++ for 1 .. 3_000_000;
    return $n;
}
sub many { return $_[0] + 1 }
burn() for 1 .. 2;
my $n = 0;
$n = many($n) for 1 .. 50_000;
$n++ for 1 .. 3_000_000;
eval 'my $m = 0; $m++ for 1 .. 1_500_000';
END
my $seen  = capture_of(run($PROGRAM, options => { sample => 1000 }));
my $exact = capture_of(run($PROGRAM));
my $NOTE  = qr/Statements were not counted, but seen in (\d+) samples \(option sample\): [^\n]*/;

# Runs a report, which says with which error lines are to be read.
sub report {
    my ($name, @arguments) = @_;
    my ($out, $err, $exit) = nytprof($name, @arguments);
    is $exit, 0, "$name: exit status";
    like $err, qr/^nytprof: (?:\S+: )?$NOTE$/m, "$name says that lines are estimates";
    return $out;
}

sub json {
    my (@arguments) = @_;
    my (undef, $err, $exit) = nytprof('json', '-o', "$dir/json", @arguments);
    is $exit, 0, "json @arguments[0 .. $#arguments - 1]" or diag $err;
    return decode_json(slurp("$dir/json"));
}

sub subs_of    { my ($data) = @_; return sum0(map { $_->{exclusive} } @{ $data->{subs} }) }
sub lines_of   { my ($data) = @_; return sum0(@{ $data->{lines}{time} }) }
sub outside_of { my ($data) = @_; return sum0(map { $_->{outside} } @{ $data->{meta}{processes} }) }

sub adds_up {
    my ($data, $what) = @_;
    is lines_of($data) + outside_of($data), subs_of($data), "$what: lines have the time of subs, to the nanosecond";
}

my $data = json($seen);
my $sum  = subs_of($data);
cmp_ok $sum, '>', 1e7, 'there is a profile';
adds_up($data, 'json');
like $data->{meta}{estimate}, qr/^$NOTE$/, 'json: its lines are estimates';
my ($samples) = $data->{meta}{estimate} =~ $NOTE;
my %calls = map { ($_->{name} => $_->{calls}) } @{ $data->{subs} };
is_deeply [ @calls{qw(main::burn main::many)} ], [ 2, 50_000 ], 'json: calls';

# --- exports ---

my %ROUNDED = (firefox => 1e6, syscap => 1e5);    # ns in all: formats with times of their own

for my $format (formats()) {
    my (undef, $err, $exit) = nytprof($format, '-o', "$dir/export", $seen);
    is $exit, 0, $format or diag $err;
    cmp_ok abs(total($format, "$dir/export") - $sum), '<=', $ROUNDED{$format} // 1000, "$format: the sum";
}
nytprof('pprof', '-o', "$dir/pprof", $seen);
my $pprof = pprof("$dir/pprof");
my ($column) = grep { $pprof->{types}[$_] =~ m{^calls/} } 0 .. $#{ $pprof->{types} };
my $pprof_calls = sum0(map { $_->{values}[$column] } grep { $_->{path}[-1][0] eq 'main::many' } @{ $pprof->{samples} });
is $pprof_calls, 50_000, 'pprof: calls';
report('callgrind', '-o', "$dir/callgrind", $seen);
unlike slurp("$dir/callgrind"), qr/stmts/, 'callgrind: no statements';
is +(nytprof('lcov', '-o', "$dir/lcov", $seen))[2], 1, 'lcov is refused';

# --- at the terminal ---

my $flat = report('flat', $seen);
like $flat, qr/^ *[\d.]+ +[\d.]+ +[\d.]+ +50000 .* main::many$/m, 'flat: calls';
like report('hot', $seen), qr/^\S+prog\.pl:3: [\d.]+ % \xC2\xB1[\d.]+ [\d.]+ m?s, in main::burn$/m, 'hot: no count';
like report('annotate', $seen), qr/^ +[\d.]+ m?s +\xC2\xB1[\d.]+ \S+ +3  /m, 'annotate: no count';
my ($info) = nytprof('info', $seen);
like $info, qr/^counted +calls \d+; statements were seen in $samples samples$/m, 'info';
my ($top) = nytprof('top', '--once', '--view', 'lines', $seen);
like $top, qr/^ +[\d.]+ +\S+prog\.pl:3$/m, 'top: a line without runs';
($top) = nytprof('top', '--once', $seen);
like $top, qr/^ +[\d.]+ +[\d.]+ +[\d,]+ +main::many$/m, 'top: calls';

# --- a part, two captures ---

my @parts = map { json('--time', $_, $seen) } qw(0..50% 50%..);
adds_up($parts[$_], "part $_") for 0, 1;
# Times are in whole nanoseconds in each.
my $apart = abs(subs_of($parts[0]) + subs_of($parts[1]) - $sum);
cmp_ok $apart, '<=', scalar @{ json($seen)->{subs} }, 'both parts have the whole';

my (undef, $merge_error, $merged) = nytprof('merge', '-o', "$dir/merged", $seen, $exact);
is $merged, 0, 'merge' or diag $merge_error;
my ($both, $alone) = (json("$dir/merged"), json($exact));
adds_up($both, 'merged with a profile of statements');
# Each process has an estimate of the rate of the time-stamp counter.
my $off = abs(subs_of($both) - $sum - subs_of($alone));
cmp_ok $off, '<=', 1e-5 * $sum, 'merged: the sum';
is sum0(@{ $both->{lines}{statements} }), sum0(@{ $alone->{lines}{statements} }), 'merged: the known statements';

my ($diff) = nytprof('diff', $exact, $seen);
unlike $diff, qr/^statements/m, 'diff compares no statements';
like $diff, qr/^calls +([\d,]+) +\1 +0 /m, 'diff: calls are the same';
for my $new ($exact, $seen) {
    nytprof('diff', '--format', 'html', '-o', "$dir/diff.html", $exact, $new);
    my $has = slurp("$dir/diff.html") =~ />\s*statements\b/;
    is !!$has, $new eq $exact, 'its page does for two profiles with statements, and not for this one';
}

# --- errors: of lines, by the samples of their sub ---

my ($share, $points) = report('hot', $seen) =~ /prog\.pl:3: ([\d.]+) % \xC2\xB1([\d.]+) /;
ok $share && $points && $points < $share / 2, 'hot: the share of a line has an error' or diag $points;
unlike +(nytprof('hot', $exact))[0], qr/\xC2\xB1/, 'where statements are counted there is none';
unlike +(report('hot', '--by', 'sub', $seen))[0], qr/\xC2\xB1/, 'nor of subs, whose times are exact';
my $annotated = report('annotate', $seen);
like $annotated, qr/^count +time +\xC2\xB1 line  source$/m, 'annotate: a column of errors ...';
like $annotated, qr/^ +\d\S+ m?s +\xC2\xB1\d\S+ [mu\xC2\xB5]*s +3      \$n\+\+ for/m, '... of times';
unlike +(nytprof('annotate', $exact))[0], qr/\xC2\xB1/, 'where statements are counted there is none';

# --- pages and tables ---

nytprof('csv', '-o', "$dir/csv", $seen);
my ($csv) = map { slurp($_) } glob "$dir/csv/*prog-pl*-line.csv";
like $csv, qr/^# $NOTE$/m, 'csv: the note';
like $csv, qr/^# Format: time,calls,time\/call,samples,code$/m, 'a column of samples';
my ($of_line) = $csv =~ /^[\d.]+,0,0\.0+,(\d+),\$n\+\+ for 1 \.\. 3_000_000;$/m;
cmp_ok $of_line, '>', 0, 'and those of a line';

nytprof('html', '-o', "$dir/html", $seen);
my $pages = pages("$dir/html");
my $index = text_of($pages->{'index.html'});
like $index,   qr/$NOTE/,                           'html: the note';
like $index,   qr/ticks a second\) at every call;/, 'where times are from';
like $index,   qr/\b$samples \xC2\xB1\d+ Samples/,  'how many samples';
unlike $index, qr/\b0 statements\b/,                'no count';
my ($source) = map { text_of($pages->{$_}) } grep {/prog-pl-\d+-line/} keys %$pages;
like $source,   qr/$NOTE/,                        'a page of source: the note';
like join('', map { $pages->{$_} } grep {/prog-pl-\d+-line/} keys %$pages), qr/title="[^"]* % \xC2\xB1[\d.]+"/,
    'and the error of the share of a hot line';
like $source,   qr/Line\s+Statements\s+Time.*\bSamples\b/s, 'a column says samples';
unlike $source, qr/\b0 statements\b|lines not run/, 'and no count';
is page_data($pages->{'data.js'})->{estimated}, 5, 'data.js: estimates, and statements are not known';

done_testing;
