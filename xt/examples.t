# SPDX-License-Identifier: MIT
# The times of the 1000 equal subs of examples/equal.pl are alike: the twentieth from above is less than three times the
# twentieth from below. A machine that does other things spoils a run, so the best of five counts.
use strict;
use warnings;

use FindBin;
use List::Util qw(min);
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Run qw(facts run);

my $program = qx{$^X "$FindBin::Bin/../examples/equal.pl"};
my $ratio   = min(map { ratio() } 1 .. 5);
cmp_ok $ratio, '<', 3, 'p95/p5 of 1000 equal subs';
diag sprintf 'p95/p5 is %.2f', $ratio;

done_testing;

sub ratio {
    my $subs  = facts(run($program))->{sub};
    my @times = sort { $a <=> $b } map { $subs->{"main::s$_"}{exclusive} } 1 .. 1000;
    return $times[950] / $times[49];
}
