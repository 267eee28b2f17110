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

done_testing;
