# SPDX-License-Identifier: MIT
# `nytprof build`: the timeline, line by line, and what any timeline has.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds qw(began capture ended small stream);
use Capture qw(nytprof);

$ENV{TZ} = 'UTC';

my $small = small();

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
# Times of all kinds, and clocks that are not what they should be. Times are seconds after 2014-05-13 16:53:20 UTC.
sub margins { return [ map { /^([*: ]\S+) ?/ ? $1 =~ s/ //r : () } split /\n/, timeline(@_) ] }
my $new_year = 232 * 86_400 + 7 * 3600 + 6 * 60 + 40; # its end
my $years = capture(stream('h', 'preload') . join '', map { began($_, 7, 0, 'x') . ended($_ + 0.5, 7, $_, 0, 0) }
    $new_year - 1, $new_year);
is_deeply margins(\$years), [ qw(*2014* Dec31 23:59 :59.00 :59.50 *2015* Jan01 00:00 :00.00 :00.50) ], 'a new year';
{
    local $ENV{TZ} = 'CET-1CEST,M3.5.0,M10.5.0/3';
    my $summer_end = 165 * 86_400 + 8 * 3600 + 6 * 60 + 40;
    my $hour = capture(stream('h', 'preload') . join '', map { began($_, 7, 0, 'x') . ended($_ + 0.5, 7, $_, 0, 0) }
        $summer_end - 1, $summer_end);
    is_deeply margins(\$hour), [ qw(*2014* Oct26 02:59 :59.00 :59.50 02:00 :00.00 :00.50) ], 'the end of summer time';
}
my $back = capture(stream('h', 'preload') . began(1, 7, 0, 'make') . began(100, 8, 1, 'x')
    . join('', map { began(101, 9, 1, 'y') . ended(102, 9, 101, 1, 0) } 1 .. 600) . ended(50, 8, 100, 1, 0));
like timeline(\$back), qr/^ +\| \\=-50\.000r\? /m, 'an end before its begin has a question mark';
my $step = capture(stream('h', 'preload') . began(1, 7, 0, 'make'),
    stream('h', 'wrapper', 1_400_003_600) . began(2, 8, 1, 'x') . ended(3, 8, 2, 1, 1) . ended(4, 7, 1, 1, 1));
is_deeply margins(\$step), [ qw(*2014* May13 16:53 :21.00 :22.00 :23.00 :24.00) ], 'set clocks change nothing';

my $foreign = capture(stream('h', 'preload') . began(1, 7, 0, "\xC3\xA4x") . began(30, 8, 0, 'x')
    . ended(40, 8, 30, 1, 0) . ended(70, 7, 1, 1, 0));
like timeline(\$foreign), qr/[|] [?] .*\n.*[|] x .*\n.*[|] [?]x /, 'a character has one column, or line';
like [ nytprof('build', '-t', \$foreign) ]->[0], qr/^[?]x {10}[|]/m, 'and in tables';

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

# --- any timeline -----------------------------------------------------------------------------------------------------

# Up to 200 processes at a time, each below any that runs; a parent may end before its children. Returns the capture,
# and [ begin, end, pid, parent's pid or 0 ] of each.
sub random_build {
    my ($seed) = @_;
    srand $seed;
    my ($records, $now, @running, @all) = ('', 1);
    for my $pid (1 .. 500) {
        my $limit = 20 + $pid % 181;
        while (@running >= $limit || @running && rand() < 0.05) {
            my $ends = splice @running, rand @running, 1;
            $records .= ended($ends->[1] = $now += 0.001 + rand(0.2), @$ends[ 2, 0 ], rand, rand);
        }
        my $parent = @running && rand() < 0.9 ? $running[ rand @running ] : undef;
        push @running, [ $now += 0.001 + rand(0.2), 1e9, $pid, $parent ? $parent->[2] : 0 ];
        push @all, $running[-1];
        $records .= began($now, $pid, $parent ? $parent->[0] : 0, "c$pid");
    }
    return (capture(stream('h', 'preload') . $records), @all);
}

for my $seed (1 .. 3) {
    my ($bytes, @all) = random_build($seed);
    my @lines = split /\n/, timeline(\$bytes);
    my (%column, @wrong);
    for my $line (@lines) { $column{$1} = $-[0] while $line =~ /[<>]=(\d+):0/g }
    is scalar keys %column, 500, "seed $seed: each process has a head";
    for my $i (0 .. $#all) {
        my ($begin, undef, $pid, $parent) = @{ $all[$i] };
        push @wrong, "$pid is not right of $parent" if $parent && $column{$pid} <= $column{$parent};
        my ($is_above, $up) = ({}, $all[$i]);
        $is_above->{ $up->[2] } = 1 while $up = $up->[3] && $all[ $up->[3] - 1 ]; # pids are in order
        for my $other (grep { $_->[1] > $begin && !$is_above->{ $_->[2] } } @all[ 0 .. $i - 1 ]) {
            push @wrong, "$pid is over $other->[2]" if abs($column{$pid} - $column{ $other->[2] }) < 14;
        }
    }
    is_deeply \@wrong, [], 'no block is over one that runs, and children are right of their parents';
    for my $width (40, 41, 80, 400) {
        my @cut = map { length > $width ? substr($_, 0, $width - 1) . '>' : $_ } @lines;
        is join("\n", split /\n/, timeline('--width', $width, \$bytes)), join("\n", @cut), "--width $width";
    }
}

done_testing;
