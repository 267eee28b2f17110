# SPDX-License-Identifier: MIT
# The text of whole builds, `nytprof build`: CPU time for 24,000 processes, and memory for a million records, the median
# of N runs each: perl t/bench/build-text.pl [--rounds N]
#
# The builds are made up (t/lib/Builds.pm), which takes some ten seconds.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;

use lib "$FindBin::Bin/../lib";
use Builds qw(many);
use Goals qw(goal);
use Profiled qw(median used $TOP);

GetOptions('rounds=i' => \(my $rounds = 3)) or die "usage: perl t/bench/build-text.pl [--rounds N]\n";
my $dir = tempdir(CLEANUP => 1, -w '/dev/shm' ? (DIR => '/dev/shm') : (TMPDIR => 1));

# Processes, and the most seconds and megabytes.
for my $row ([ 24_000, 2, 64 ], [ 500_000, undef, 64 ]) {
    my ($processes, $seconds, $megabytes) = @$row;
    open my $out, '>:raw', "$dir/build" or die "$dir/build: $!\n";
    many($out, $processes, 8);
    close $out or die "$dir/build: $!\n";
    for my $options ([], [qw(--histogram 20)]) {
        my $what = join ' ', "build of $processes processes", @$options;
        my @runs = map { [ used('', "$TOP/build/nytprof", 'build', @$options, "$dir/build") ] } 1 .. $rounds;
        my ($ms, $kb) = map { my $i = $_; median(map { $_->[$i] } @runs) } 0, 1;
        goal("$what, CPU time", $ms / 1000, $seconds, 's');
        goal("$what, memory", $kb / 1024, $megabytes, 'MB');
    }
}
