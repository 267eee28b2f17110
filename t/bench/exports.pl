# SPDX-License-Identifier: MIT
# The cost of exports: perl t/bench/exports.pl [--rounds N] [--command NYTPROF] [--skip-large] [CAPTURE]
#
# CPU time and memory of every export of a capture, by default of a run of perlcritic, and of an invented program with a
# million calling contexts (xt/large.c). The median of the rounds counts. --command measures the nytprof of another
# build.
use strict;
use warnings;

use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../xt/lib";
use Browser qw(large perlcritic);
use Goals qw(goal);
use Profiled qw(median used $TOP);

my $nytprof = "$TOP/build/nytprof";
GetOptions('rounds=i' => \(my $rounds = 3), 'command=s' => \$nytprof, 'skip-large' => \my $without_large)
    or die "usage: perl t/bench/exports.pl [--rounds N] [--command NYTPROF] [--skip-large] [CAPTURE]\n";

# In a file system in memory, if there is one, so that the disk's adds no time to the exports'.
my $dir = tempdir(CLEANUP => 1, -w '/dev/shm' ? (DIR => '/dev/shm') : (TMPDIR => 1));
my ($exports) = qx{'$nytprof' list} =~ /^Export:\n((?:  .*\n)+)/m or die "$nytprof does not list exports\n";
my @exports = grep { $_ ne 'flamegraph' } $exports =~ /^  (\w+)/mg;

my $capture = shift // perlcritic($dir) // die "perlcritic is not installed; give the capture of another program\n";
measure('of perlcritic', $capture, 0.5, 100);
measure('of 1000000 contexts', large($dir, 10_000, 200_000, 1_000_000), 5) if !$without_large;

sub measure {
    my ($what, $capture, $seconds, $megabytes) = @_;
    for my $export (@exports) {
        my @runs = map { [ run_once($export, $capture) ] } 1 .. $rounds;
        my ($ms, $kb) = map { my $i = $_; median(map { $_->[$i] } @runs) } 0, 1;
        goal("$export $what, CPU time", $ms / 1000, $seconds,   's');
        goal("$export $what, memory",   $kb / 1024, $megabytes, 'MB');
    }
    return;
}

# Milliseconds and kilobytes. The output directory is empty, as replacing files would take time of the kernel.
sub run_once {
    my ($export, $capture) = @_;
    my $new  = tempdir(DIR => $dir);
    my @used = used('', $nytprof, $export, '-o', "$new/out", $capture);
    remove_tree($new);
    return @used;
}
