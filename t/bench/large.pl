# SPDX-License-Identifier: MIT
# The cost of reports on a very large program: perl t/bench/large.pl [--rounds N] [--command NYTPROF]
#
# xt/large.c writes the capture, which has a million places and a million calling contexts in ten thousand files. The
# median of the rounds counts. --command measures the nytprof of another build.
use strict;
use warnings;

use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../xt/lib";
use Browser qw(large);
use Goals qw(goal);
use Profiled qw(median used $TOP);

my ($FILES, $SUBS, $NODES) = (10_000, 200_000, 1_000_000);
my $MOST_MB = 600;

# The output of each verb, and its goal in seconds.
my @commands = (
    [ info       => undef ],
    [ dump       => undef ],
    [ csv        => 'csv' ],
    [ callgrind  => 'callgrind' ],
    [ dot        => 'dot' ],
    [ folded     => 'folded' ],
    [ json       => 'json', 5 ],
    [ speedscope => 'speedscope.json', 5 ],
    [ cpuprofile => 'cpuprofile', 5 ],
    [ merge      => 'merged' ],
    [ html       => 'html', 8 ],
);

my $nytprof = "$TOP/build/nytprof";
GetOptions('rounds=i' => \(my $rounds = 3), 'command=s' => \$nytprof)
    or die "usage: perl t/bench/large.pl [--rounds N] [--command NYTPROF]\n";
# In a file system in memory, if there is one, so that the disk's adds no time to the reports'.
my $dir = tempdir(CLEANUP => 1, -w '/dev/shm' ? (DIR => '/dev/shm') : (TMPDIR => 1));
my $capture = large($dir, $FILES, $SUBS, $NODES);
for my $row (@commands) {
    my ($verb, $output, $seconds) = @$row;
    my @runs = map { [ run_once($verb, $output) ] } 1 .. $rounds;
    my ($ms, $kb) = map { my $i = $_; median(map { $_->[$i] } @runs) } 0, 1;
    goal("$verb of $NODES places, CPU time", $ms / 1000, $seconds, 's');
    goal("$verb of $NODES places, memory",   $kb / 1024, $MOST_MB, 'MB');
}

# Milliseconds and kilobytes. The output directory is empty, as replacing files would take time of the kernel.
sub run_once {
    my ($verb, $output) = @_;
    my $new  = tempdir(DIR => $dir);
    my @used = used('', $nytprof, $verb, defined $output ? ('-o', "$new/$output") : (), $capture);
    remove_tree($new);
    return @used;
}
