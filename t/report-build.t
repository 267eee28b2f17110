# SPDX-License-Identifier: MIT
# `nytprof build`: the tables of builds whose every number is known, classes by rules, and captures that are not whole.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record u);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);
$ENV{TZ} = 'UTC';

my $EPOCH = 1_400_000_000; # seconds when the clock was 0

sub s8 { return Capture::s($_[0]) }

# A stream of that host: process_start, host.
sub stream {
    my ($host, $recorder) = @_;
    return record(1, u(1), u(0), u($EPOCH * 1e9 + 5), i(5), u(1e9), u(1), i(1), s8('monotonic'), s8('make'),
        s8("$recorder 7.00")) . record(5, s8('host'), s8($host));
}

# began(START in seconds, pid, parent's start, command, directory, target), and ended(END, pid, start, user, system,
# status).
sub ns { return u(sprintf '%.0f', 1e9 * $_[0]) }

sub began {
    my ($start, $pid, $parent, $command, $directory, $target) = @_;
    my @argv = ref $command ? @$command : ('/bin/sh', '-c', $command);
    return record(38, u($pid), ns($start), ns($parent), u(1), u(scalar @argv), u(0), s8($directory // '/src'),
        s8($target // ''), s8(join '', map {"$_\0"} @argv));
}

sub ended {
    my ($end, $pid, $start, $user, $system, $status) = @_;
    return record(39, u($pid), ns($start), ns($end), u($status // 0), u(sprintf '%.0f', 1e6 * $user),
        u(sprintf '%.0f', 1e6 * $system), u(0), u(0), u(0), u(0), u(0), u(0), u(0));
}

sub capture { my $n = 0; return join '', "NYTProf capture 1\n", map { chunk($_, front_end => 5, number => ++$n) } @_ }

# The text of a report between two lines, the second not included.
sub between {
    my ($text, $from, $to) = @_;
    return $text =~ /^(\Q$from\E.*?)(?=^\Q$to\E)/ms ? $1 : "no '$from' to '$to' in:\n$text";
}

# --- all numbers ------------------------------------------------------------------------------------------------------

my $small = capture(
    stream('one', 'launcher') . began(10, 100, 0, [qw(make -j2)]),
    stream('one', 'preload') . began(15, 101, 10, 'gcc -c a.c', '/src/a', 'a.o'),
    began(20, 102, 10, 'gcc -c b.c', '/src/a/', 'b.o'), ended(30, 101, 15, 8, 1),
    began(30, 103, 10, 'cd x && TZ=1 ld -o x', '/', 'x'), ended(60, 102, 20, 24, 0.005),
    ended(110, 103, 30, 0, 0, 256 + 9),
    ended(110, 100, 10, 40, 2.005, 2),
);
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

FAILED, the first ones first (2):

    80.000 s      0.000 s CPU  signal   9  x: cd x && TZ=1 ld -o x
   100.000 s     42.005 s CPU  status   2  make -j2

MUCH TIME, LITTLE CPU: waited for something, or left children to themselves (1):

    80.000 s      0.000 s CPU  signal   9  x: cd x && TZ=1 ld -o x

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
gcc                2 (50%)    33.005 (78%)     9.000    16.502    24.005
ld                 1 (25%)     0     (0%)      0         0         0    $
TOTAL              4 (100%)   42.005 (100%)    0        10.501    24.005

Real time per process:

                   n           total         minimum      mean   maximum
make               1 (25%)   100.000 (42%)   100.000   100.000   100.000
gcc                2 (50%)    55.000 (23%)    15.000    27.500    40.000
ld                 1 (25%)    80.000 (34%)    80.000    80.000    80.000
TOTAL              4 (100%)  235.000 (100%)   15.000    58.750   100.000

END
like $out, qr/STATISTICS BY WORKING DIRECTORY\n.*^src  .*^a  .*^\/  .*^TOTAL/ms,
    'and by the last part of the directory';
like $out, qr/\n={78}\nEND\n\z/, 'with an end';
is [ nytprof('build', '--sort', $_, \$small) ]->[0] =~ /^User.*?\n\n.*?\n(\w+) .*?\n(\w+) .*?\n(\w+) /ms && "$1 $2 $3",
    { first => 'make gcc ld', total => 'make gcc ld', mean => 'make gcc ld', max => 'make gcc ld', n => 'gcc make ld' }
    ->{$_}, "--sort $_" for qw(first total mean max n);

# --- the timeline -----------------------------------------------------------------------------------------------------

# Recipes at the same time, below one another, over a minute's and a day's end; a host with a long name, one pid three
# times, and processes that have not ended.
sub timeline { return [ nytprof('build', @_) ]->[0] =~ /\A=+\n.*?\n=+\n\n(.*?)\n?(?:^=+$|\z)/ms ? $1 : '' }

is timeline(\$small), <<'END', 'two recipes at a time, and one behind them';
*2014*
 May13
 16:53
:30.00 >=100:0
       | one
       | m
:35.00 +-<=101:0
       | | one
:40.00 +---------------<=102:0
:50.00 | | gcc         | one
       | | 8.0000u     | g
       | | 1.0000s     | c
       | \=15.000r     | c
       +-<=103:0       |
 16:54 | | one         |
:20.00 | | l           | gcc
 16:55 | | d           | 24.000u
:10.00 | | ld          | 0.0050000s
       | | 0.0000u     \=40.000r
       | | 0.0000s
       | \=80.000r
       | make
       | 40.000u
       | 2.0050s
       \=100.00r
END
my $third = capture(stream('a-very-long-host-name', 'preload')
    . join '', map { began($_, 41, 0, "x$_") . ended($_ + 1, 41, $_, 0.021, 0.006) } 1, 3, 5);
like timeline(\$third), qr/>=41:0\n +\| a-very-long-\n.*>=41:1\n.*>=41:2\n/s, 'a pid that is used again has a serial';
like timeline(\$third), qr/^ +\| 0[.]021000u\n +\| 0[.]0060000s\n +\\=1[.]0000r$/m, 'numbers of five digits';
is timeline('--width', 20, \$third) =~ /^.{21}/m, '', '--width';
like timeline('--width', 20, \$third), qr/^ {7}\| 0[.]021000u>?$/m, 'cuts longer lines';
my $midnight = capture(stream('h', 'preload') . began(25_000, 1, 0, 'x') . began(26_000, 2, 25_000, 'y'));
is timeline(\$midnight), <<'END', 'a build that was interrupted, over midnight';
*2014*
 May13
 23:50
:00.00 >=1:0
 May14 | h
 00:06 | x
:40.00 +-<=2:0
       | | h
       ****************
       * interrupted! *
       ****************
       | \>=0.0000r
       \>=1000.0r
END
is [ nytprof('build', '-t', \$third) ]->[0] =~ />=41/, '', '-t: no timeline';

# No two blocks in one place: each process's head and foot can be read from its column.
my ($random, @ends) = ('', ());
srand 7;
for my $pid (1 .. 300) {
    my $start = 1 + $pid / 10 + rand(0.05);
    push @ends, [ $start + rand(4), $pid, $start ];
    $random .= began($start, $pid, 0, "p$pid");
    for (grep { $_->[0] < $start } @ends) { $random .= ended(@$_, 0, 0) }
    @ends = grep { $_->[0] >= $start } @ends;
}
$random .= ended(@$_, 0, 0) for sort { $a->[0] <=> $b->[0] } @ends;
my $busy = capture(stream('h', 'preload') . $random);
my (@column, %read);
for my $line (split /\n/, timeline(\$busy)) {
    $column[ $-[0] ] = $1 while $line =~ />=(\d+):0/g;
    $read{ $column[ $-[0] ] } .= $1 while $line =~ /[|] (p\d+)/g;
}
is_deeply [ grep { ($read{$_} // '') ne "p$_" } 1 .. 300 ], [], 'each foot is below its head';

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
for my $case (
    [ "schema A\n class x command ~ '('\n", qr/:2: .*'\('/ ],
    [ "class x\n", qr/:1: expected 'schema', got 'class'/ ],
    [ "schema A\nfoo\n", qr/:2: expected schema, class or default, got 'foo'/ ],
    [ "schema A\n\nschema A\n", qr/:3: a schema of this name is there already: 'A'/ ],
    [ "schema A where B = x\n", qr/:1: no schema before this one has the name 'B'/ ],
    [ "schema A\n class x nothing ~ 'x'\n", qr/:2: expected command, .* got 'nothing'/ ],
    [ "schema A\n class x command ~ 'x\n", qr/:2: a quote without its end/ ],
    [ "schema A\n default x y\n", qr/:2: expected the end of the line, got 'y'/ ],
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
            . ended(50, 8, 100, 1, 0)), qr/^x +\|$/m ],
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
my $none = capture(stream('h', 'launcher'));
($out, $err, $exit) = nytprof('build', \$none);
is_deeply [ $out, $err, $exit ],
    [ '', "nytprof: capture: no processes of a build, expected a capture of `nytprof make`\n", 1 ], 'no process at all';

# --- reports of profiles ----------------------------------------------------------------------------------------------

spew("$dir/a.build", $small);
($out, $err, $exit) = nytprof('flat', "$dir/a.build");
is "$out$exit", '2', 'a report that has nothing about builds prints nothing';
like $err, qr/^nytprof: flat: \Q$dir\E\/a\.build is the capture of a build, which is for .*build.* and dump .*\n\z/,
    'and names the verbs that have';

# --- memory -----------------------------------------------------------------------------------------------------------

my $many = "$dir/many.build";
open my $log, '>:raw', $many or die "$many: $!\n";
print {$log} capture(stream('h', 'preload') . began(1, 1, 0, 'make'));
my $n = 1;
for my $hundred (1 .. 1000) {
    my $records = '';
    for my $k (1 .. 100) {
        my $at = 2 + $hundred + $k / 1000;
        $records .= began($at, 1000 + $k, 1, "gcc -c file$k.c -o file$k.o", "/src/d$k", "file$k.o")
            . ended($at + 0.01, 1000 + $k, $at, 0.01, 0);
    }
    print {$log} chunk($records, front_end => 5, number => ++$n);
}
close $log or die "$many: $!\n";
my $limit = slurp("$FindBin::Bin/../build/core.flags") =~ /-fsanitize/ ? '' : 'ulimit -v 65536;';
$out = qx{bash -c '$limit exec "$FindBin::Bin/../build/nytprof" build "$many"' 2>&1};
like $out, qr/^gcc +100000 \(100%\)/m, '200,000 records take less than 64 MB';

done_testing;
