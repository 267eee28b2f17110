# What a report on a very large program costs: perl t/bench/large.pl [--rounds N]
#
# The capture has a million places and a million calling contexts in ten thousand files; xt/large.c makes it up. The
# median of the rounds counts.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../xt/lib";
use Browser qw(large);
use Goals qw(goal);
use Profiled qw(median used $TOP);

my ($FILES, $SUBS, $NODES) = (10_000, 200_000, 1_000_000);
my ($MOST_SECONDS, $MOST_MB) = (8, 600);

GetOptions('rounds=i' => \(my $rounds = 3)) or die "usage: perl t/bench/large.pl [--rounds N]\n";
my $dir = tempdir(CLEANUP => 1);
my $capture = large($dir, $FILES, $SUBS, $NODES);
for my $verb (qw(info csv html)) {
    my @command = ("$TOP/build/nytprof", $verb, $verb eq 'info' ? () : ('-o', "$dir/$verb", '-f'), $capture);
    my @runs    = map { [ used('', @command) ] } 1 .. $rounds;
    my ($ms, $kb) = map { my $i = $_; median(map { $_->[$i] } @runs) } 0, 1;
    my ($seconds, $mb) = $verb eq 'html' ? ($MOST_SECONDS, $MOST_MB) : ();
    goal("$verb of $NODES places, CPU time", $ms / 1000, $seconds, 's');
    goal("$verb of $NODES places, memory",   $kb / 1024, $mb,      'MB');
}
