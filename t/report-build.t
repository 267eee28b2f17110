# SPDX-License-Identifier: MIT
# `nytprof build`: the tables of builds whose every number is known, classes by rules, and captures that are not whole.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds qw(began between capture ended small stream);
use Capture qw(chunk nytprof);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);
$ENV{TZ} = 'UTC';

# --- all numbers ------------------------------------------------------------------------------------------------------

my $small = small();
my ($out, $err, $exit) = nytprof('build', '--no-timeline', \$small);
is "$err$exit", '0', 'it is printed';
is between($out, '=' x 78, 'STATISTICS BY CATEGORY'), <<"END" =~ s/^\|//gmr, 'the head, what failed and what waited';
${\ ('=' x 78) }
NYTPROF @{[ $out =~ /^NYTPROF (\S+)/m ]} BUILD REPORT
${\ ('=' x 78) }

command      make -j2
started      2014-05-13 16:53:30 +0000
duration     100.000 s
processes    4, failed 1, killed 1
seen by      1 make or ninja, 0 wrappers
at a time    1.35 on average, at most 2

AT A TIME: so many recipes ran, for such a part of the time:

   0    5.0%  ==
   1   55.0%  ===========================
   2   40.0%  ====================

WITH -jN at least, a bound: each recipe takes as long as it did, and there is more to run only
while the most ran:

   140.000 s  -j1
   100.000 s  -j2
    80.000 s  -j4

FAILED, the first ones first (2):

    80.000 s      0.000 s CPU  signal   9  x: cd x && TZ=1 ld -o x  in /
   100.000 s     42.005 s CPU  status   2  make -j2  in /src

MUCH TIME, LITTLE CPU: waited for something, or left children to themselves (1):

    80.000 s      0.000 s CPU  signal   9  x: cd x && TZ=1 ld -o x  in /

SLOWEST, recipes without another below them (3):

    80.000 s      0.000 s CPU    1 line   x: cd x && TZ=1 ld -o x  in /
    40.000 s     24.005 s CPU    1 line   b.o: gcc -c b.c  in /src/a/
    15.000 s      9.000 s CPU    1 line   a.o: gcc -c a.c  in /src/a

END
is between($out, 'STATISTICS BY CATEGORY', 'STATISTICS BY WORKING'), <<'END' =~ s/\$$//gmr, 'tables by command';
STATISTICS BY CATEGORY

Overall real time (start of first to end of last):

make        |---------------------100 s----------------------|
gcc           |--------45 s---------|
ld                   |-----------------80 s------------------|
TOTAL       |=====================100 s======================|

User CPU time per process, including children:

                   n           total         minimum      mean   maximum
make               1 (25%)    40.000 (55%)    40.000    40.000    40.000
gcc                2 (50%)    32.000 (44%)     8.000    16.000    24.000
ld                 1 (25%)     0     (0%)      0         0         0    $
TOTAL              4 (100%)   72.000 (100%)    0        18.000    40.000

System CPU time per process, including children:

                   n           total         minimum      mean   maximum
make               1 (25%)     2.005 (66%)     2.005     2.005     2.005
gcc                2 (50%)     1.005 (33%)  5.00e-03     0.502     1.000
ld                 1 (25%)     0     (0%)      0         0         0    $
TOTAL              4 (100%)    3.010 (100%)    0         0.752     2.005

CPU time per process, without children:

                   n           total         minimum      mean   maximum
make               1 (25%)     9.000 (21%)     9.000     9.000     9.000
gcc                2 (50%)    33.005 (79%)     9.000    16.502    24.005
ld                 1 (25%)     0     (0%)      0         0         0    $
TOTAL              4 (100%)   42.005 (100%)    0        10.501    24.005

Real time per process:

                   n           total         minimum      mean   maximum
make               1 (25%)   100.000 (42%)   100.000   100.000   100.000
gcc                2 (50%)    55.000 (23%)    15.000    27.500    40.000
ld                 1 (25%)    80.000 (34%)    80.000    80.000    80.000
TOTAL              4 (100%)  235.000 (100%)   15.000    58.750   100.000

Memory of the largest process, and totals, including children:

                    MB   blocks in  blocks out page faults    switches forced ones
make             204.8         101          22           1         900          17
gcc              204.8         101          22           1           8           6
ld                 0.0           0           0           0           0           0
TOTAL            204.8         202          44           2         908          23

END
like $out, qr/STATISTICS BY WORKING DIRECTORY\n.*^src  .*^a  .*^\/  .*^TOTAL/ms,
    'and by the last part of the directory';
like $out, qr/\n={78}\nEND\n\z/, 'with an end';
is [ nytprof('build', '--sort', $_, \$small) ]->[0] =~ /^User.*?\n\n.*?\n(\w+) .*?\n(\w+) .*?\n(\w+) /ms && "$1 $2 $3",
    { first => 'make gcc ld', total => 'make gcc ld', mean => 'make gcc ld', max => 'make gcc ld', n => 'gcc make ld' }
    ->{$_}, "--sort $_" for qw(first total mean max n);

# --- parts of a whole ------------------------------------------------------------------------------------------------

# In three classes that used the same a second counts once, and nothing is lost by rounding.
my $thirds = capture(stream('h', 'preload') . began(1, 1, 0, 'make')
    . join('', map { began(1 + $_, 1 + $_, 1, "x$_") . ended(2 + $_, 1 + $_, 1 + $_, 0.5, 0.5) } 1 .. 7)
    . ended(9, 1, 1, 3.5, 3.5));
sub percentages { return [ between(@_) =~ /^\w+ +\d+ \(\d+%\) +\S+ +\((\d+)%\)/mg ] }
$out = (nytprof('build', '-t', \$thirds))[0];
is_deeply percentages($out, 'CPU time per', 'Real'), [ 0, 15, 15, 14, 14, 14, 14, 14, 100 ], 'whole percentages of 100';
is_deeply percentages($out, 'User', 'System'), [ 50, (7) x 7, 100 ], 'of the sum of all levels';
$out = (nytprof('build', '-t', '--percent', 'once', \$thirds))[0];
is_deeply percentages($out, 'User', 'System'), [ 50, (7) x 7, 100 ], '--percent=once: user time';
is_deeply percentages($out, 'System', 'CPU time'), [ 50, (7) x 7, 100 ], 'system time, too';
unlike $out, qr/used more than/, 'none of it twice';

# Times since the epoch have more digits than a double.
my $moment = capture(stream('h', 'preload') . began(1, 1, 0, 'make') . began(1, 2, 1, 'x')
    . ended(1 + 64e-9, 2, 1, 0, 0) . ended(1 + 64e-9, 1, 1, 0, 0));
like +(nytprof('build', '-t', \$moment))[0], qr/^   1  100\.0%  ={50}\n/m, 'a build of 64 ns';

# --- distributions ----------------------------------------------------------------------------------------------------

# A hundred processes of 1 to 100 ms in the first second, and one of 10 s behind a pause of 10 s.
my $spread = capture(stream('h', 'preload') . began(1, 1, 0, 'make')
    . join('', map { began(1 + $_ / 100, 1 + $_, 1, 'x') . ended(1 + $_ / 99, 1 + $_, 1 + $_ / 100, $_ / 1000, 0) }
        1 .. 100) . began(12, 200, 1, 'x') . ended(22, 200, 12, 10, 0) . ended(22, 1, 1, 15.05, 0));
$out = (nytprof('build', '-t', '-H', 20, \$spread))[0];
my $cpu = between($out, 'User', 'System');
like $cpu, qr/^ +n +total +minimum +mean +maximum +median +95 % +logarithmic$/m, '-H: more columns';
my ($median, $p95, $histogram) = $cpu =~ /^x .* 10\.000 +(\S+) +(\S+)  (.*)$/m;
cmp_ok abs($median - 0.051), '<', 0.002, 'the median';
cmp_ok abs($p95 - 0.096), '<', 0.003, 'and what 95 % are below';
is $histogram, '......::+#         .', 'values by their logarithm';
like $cpu, qr/  \|$/m, 'one value is a line';
like $out, qr/^x +\|[+]: {20,}#{20,}\|  21 s$/m, 'the bar shows when they ran';
$cpu = between((nytprof('build', '-t', '-H', 20, '-i', \$spread))[0], 'User', 'System');
like $cpu, qr/^x .*  #                  \.$/m, '-i: linear';
is [ nytprof('build', '-H', 20, '-i', '-l', \$spread) ]->[2], 2, 'it is one of both';

# --- the same command again -------------------------------------------------------------------------------------------

my $again = capture(stream('h', 'preload')
        . join '', map { began(@$_) . ended($_->[0] + $_->[1], $_->[1], $_->[0], 0, 0) }
    [ 1, 1, 0, 'x' ], [ 3, 2, 0, 'y' ], [ 6, 3, 0, 'x' ], [ 10, 4, 0, 'x', '/other' ], [ 20, 5, 0, 'y', '/src', 'all' ],
    [ 30, 6, 0, 'x' ]);
is between((nytprof('build', '-t', \$again))[0], 'MORE THAN ONCE', 'STAT'), <<'END', 'what ran more than once';
MORE THAN ONCE, the same command in the same directory (2):

     9.000 s behind the first of 3  x  in /src
     5.000 s behind the first of 2  all: y  in /src

END

# --- recipes of several lines -----------------------------------------------------------------------------------------

# Two makes have a target of that name; a line that starts make again has its own time below it.
my $lines = capture(stream('h', 'preload')
        . began(1, 1, 0, 'make') . began(2, 2, 1, 'gcc', '/a', 'x.o') . ended(5, 2, 2, 1, 1)
        . began(5, 3, 1, 'mv', '/a', 'x.o') . ended(6, 3, 5, 1, 0) . began(6, 4, 1, 'make -C s', '/a', 'x.o')
        . began(7, 5, 6, 'gcc', '/s', 'x.o') . ended(10.5, 5, 7, 2, 0) . ended(11, 4, 6, 2, 0)
        . join('', map { began($_, 9, 1, 'gen', '/a') . ended($_ + 1, 9, $_, 0, 0) } 11 .. 19)
        . ended(20, 1, 1, 9, 9));
($out) = nytprof('build', '-t', \$lines);
is between($out, 'SLOWEST', 'MORE'), <<'END', 'the lines of a target are one recipe';
SLOWEST, recipes without another below them (11):

     4.000 s      3.000 s CPU    2 lines  x.o: gcc  in /a
     3.500 s      2.000 s CPU    1 line   x.o: gcc  in /s
     1.000 s      0.000 s CPU    1 line   gen  in /a
     1.000 s      0.000 s CPU    1 line   gen  in /a
     1.000 s      0.000 s CPU    1 line   gen  in /a
     1.000 s      0.000 s CPU    1 line   gen  in /a
     1.000 s      0.000 s CPU    1 line   gen  in /a
     1.000 s      0.000 s CPU    1 line   gen  in /a
     1.000 s      0.000 s CPU    1 line   gen  in /a
     1.000 s      0.000 s CPU    1 line   gen  in /a
           ... and 1 more

END
my $sequence = capture(stream('h', 'preload') . began(0.9, 1, 0, 'make')
        . join('', map { began($_, 10 + $_, 0.9, 'cc', '/', 'slow') . ended($_ + 1, 10 + $_, $_, 0, 0) } 1 .. 8)
        . join('', map { began($_ + 0.5, 30 + $_, 0.9, 'cc', '/', $_) . ended($_ + 1, 30 + $_, $_ + 0.5, 0, 0) } 1 .. 8)
        . ended(9, 1, 0.9, 0, 0));
like +(nytprof('build', '-t', \$sequence))[0], qr/^     8\.100 s  -j2\n     8\.000 s  -j4\n/m,
    'whose lines take their time one behind the other, whatever the -j';

# --- numbers as tables have them --------------------------------------------------------------------------------------

for my $case ([ 18_200, '1.82E+04' ], [ 2210.419, '2210.419' ], [ 0.001, '1.00e-03' ], [ 0, '   0    ' ],
    [ 9999.999, '9999.999' ], [ 0.0091, '   0.009' ]) {
    my ($seconds, $text) = @$case;
    my $one = capture(stream('h', 'preload') . began(1, 7, 0, 'x') . ended(2, 7, 1, $seconds, 0));
    like [ nytprof('build', \$one) ]->[0], qr/^x +1 \(100%\) \Q$text\E /m, "$seconds seconds: $text";
}

# --- classes by rules -------------------------------------------------------------------------------------------------

my $fonts = capture(stream('h', 'preload') . join '', map {
        my ($n, $command, $user) = @$_;
        began($n, $n, 0, $command) . ended($n + 1, $n, $n, $user, 0)
} [ 1, 'MT1 mpost jieub-1', 3 ], [ 2, 'MT1 mpost bll-1', 1 ], [ 3, 'fontforge x', 5 ], [ 4, 'MT1 mpost jieub-2', 3 ]);
spew("$dir/my.conf", <<'END');
# fonts
schema CATEGORY
  class mt1   command ~ 'MT1.*mpost'
  class $1    program ~ '([^/]+)$'   # anything else
schema "FAMILY (MT1)" where CATEGORY = mt1
  class $1    command ~ 'mpost +([a-z]+)-'
  default IGNORE
END
($out, $err, $exit) = nytprof('build', '--classes', "$dir/my.conf", \$fonts);
is "$err$exit", '0', 'rules of a file';
is_deeply [ between($out, 'User CPU', 'System CPU') =~ /^(\w+) +(\d+)/mg ], [ mt1 => 3, fontforge => 1, TOTAL => 4 ],
    'the first rule that matches counts';
my $family = between($out =~ s/\A.*FAMILY//sr, 'User CPU', 'System CPU');
is_deeply [ $family =~ /^(\w+) +(\d+) \((\d+)%\) +(\S+) \((\d+)/mg ],
    [ jieub => 2, 66, '6.000', 85, bll => 1, 33, '1.000', 14, TOTAL => 3, 100, '7.000', 100 ],
    'a schema of one class of another, with classes by a group';
spew("$dir/none.conf", "schema A\n  class x command = y\n  default IGNORE\nschema B\n  default all\n");
$out = (nytprof('build', '--classes', "$dir/none.conf", \$fonts))[0];
is_deeply [ $out =~ /^STATISTICS BY (.*)/mg ], ['B'], 'a schema that no process is in has no tables';
for my $case (
    [ "schema A\n class x command ~ '('\n", qr/:2: .*'\('/ ],
    [ "class x\n", qr/:1: expected 'schema', got 'class'/ ],
    [ "schema A\nfoo\n", qr/:2: expected schema, class or default, got 'foo'/ ],
    [ "schema A\n\nschema A\n", qr/:3: a schema of this name is there already: 'A'/ ],
    [ "schema A where B = x\n", qr/:1: no schema before this one has the name 'B'/ ],
    [ "schema A\n class x nothing ~ 'x'\n", qr/:2: expected command, .* or depth, got 'nothing'/ ],
    [ "schema A\n class x command ~ 'x\n", qr/:2: a quote without its end/ ],
    [ "schema A\n class x command ~ '((a{99}){99}){99}'\n", qr/:2: expected an expression with at most 1000 / ],
    [ "schema A\n default x y\n", qr/:2: expected the end of the line, got 'y'/ ],
    [ "schema A\n class x command ~ '(|\\<a)+'\n", qr/:2: expected an expression with no repetition of what may / ],
    [ "schema A\n class x command\n", qr/:2: expected '~' or '=', got ''/ ],
) {
    my ($rules, $message) = @$case;
    spew("$dir/bad.conf", $rules);
    ($out, $err, $exit) = nytprof('build', '--classes', "$dir/bad.conf", \$fonts);
    is_deeply [ $out, $exit ], [ '', 2 ], 'rules with an error print nothing';
    like $err, qr/^nytprof: build: \Q$dir\E\/bad.conf$message/, 'and name the line';
}
spew("$dir/empty.conf", "# nothing\n");
is [ nytprof('build', '--classes', "$dir/empty.conf", \$small) ]->[0], [ nytprof('build', \$small) ]->[0],
    'without rules it is the usual ones';

# --- captures that are not whole --------------------------------------------------------------------------------------

my %odd = (
    'an interrupted build' => [ capture(stream('h', 'preload') . began(1, 7, 0, 'make') . began(2, 8, 1, 'x')
            . ended(3, 8, 2, 1, 1)), qr/^processes +2, failed 0, killed 0, without an end 1$/m ],
    'an end without a begin' => [ capture(stream('h', 'preload') . began(1, 7, 0, 'x') . ended(3, 9, 2, 1, 1)
            . ended(4, 7, 1, 1, 1)), qr/^missing +1 processes, whose begin was not seen$/m ],
    'a parent that is gone' => [ capture(stream('h', 'preload') . began(2, 7, 1, 'x') . ended(4, 7, 2, 1, 1)),
        qr/^missing +the parents of 1 processes$/m ],
    'children that used more' => [ capture(stream('h', 'preload') . began(1, 7, 0, 'x') . began(2, 8, 1, 'y')
            . ended(3, 8, 2, 5, 0) . ended(4, 7, 1, 1, 0)), qr/^Of 1 processes the children have used more/m ],
    'no time at all' => [ capture(stream('h', 'preload') . began(1, 7, 0, 'x') . ended(1, 7, 1, 0, 0)),
        qr/^TOTAL +\|$/m ],
    'an end ahead of its begin' => [ capture(stream('h', 'preload') . ended(4, 7, 2, 1, 0), began(2, 7, 0, 'x')),
        qr/^processes +1, failed 0, killed 0$/m ],
    'an end that is older than its begin' => [ capture(stream('h', 'preload') . began(1, 7, 0, 'make')
            . began(100, 8, 1, 'x') . join('', map { began(101, 9, 1, 'y') . ended(102, 9, 101, 1, 0) } 1 .. 600)
            . ended(50, 8, 100, 1, 0)), qr/^doubtful +1 processes ended .*\n(?s:.*)^x +\|$/m ],
    'a pid used again' => [ capture(stream('h', 'preload') . began(1, 7, 0, 'x') . ended(2, 7, 0, 1, 0)
            . began(3, 7, 0, 'y') . ended(4, 7, 0, 2, 0)), qr/^y +1 \(50%\) +2\.000 /m ],
    'one pid on two hosts' => [ capture(stream('h', 'preload') . began(1, 7, 0, 'x')) . chunk(stream('i', 'preload')
            . began(1, 7, 0, 'y') . ended(3, 7, 0, 4, 0), front_end => 5, run => 'S' x 16),
        qr/^y +1 \(\d+%\) +4\.000 /m ],
    'every byte in a command' => [ capture(stream('h', 'preload')
            . began(1, 7, 0, join('', map {chr} 1 .. 255), join('', map {chr} 1 .. 255)) . ended(2, 7, 1, 1, 0, 3)),
        qr/\A[\n -~]+\z/ ],
);
for my $name (sort keys %odd) {
    my ($bytes, $like) = @{ $odd{$name} };
    ($out, $err, $exit) = nytprof('build', \$bytes);
    is "$err$exit", '0', "$name is no error";
    like $out, $like, "$name is told";
}
for my $cut (map { 37 * $_ } 1 .. length($small) / 37) {
    my $part = substr $small, 0, $cut;
    (undef, $err, $exit) = nytprof('build', \$part);
    fail "cut after $cut bytes: $exit $err" if $exit > 1;
}
my $banner = ('=' x 78 . "\n") . ($out =~ /^(NYTPROF .*\n)/m)[0] . ('=' x 78 . "\n");
my $none = capture(stream('h', 'launcher'));
($out, $err, $exit) = nytprof('build', \$none);
is_deeply [ $out, $err, $exit ],
    [ "$banner\nno records\n", "nytprof: capture: no processes of a build, expected a capture of `nytprof make`\n", 1 ],
    'no process at all';
my $program = capture(stream('h', 'perl'));
is_deeply [ (nytprof('build', \$program))[ 0, 2 ] ], [ '', 1 ], 'nor any build';

# --- reports of profiles ----------------------------------------------------------------------------------------------

spew("$dir/a.build", $small);
($out, $err, $exit) = nytprof('flat', "$dir/a.build");
is "$out$exit", '2', 'a report that has nothing about builds prints nothing';
like $err, qr/^nytprof: flat: \Q$dir\E\/a\.build is the capture of a build, which is for .*build.* and dump .*\n\z/,
    'and names the verbs that have';

done_testing;
