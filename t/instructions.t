# SPDX-License-Identifier: MIT
# What an event costs, in instructions over the bare program, without windows and calibration, which come as time
# passes. The counts repeat on one machine and move little between compilers: a goal missed by more than 5 % and one
# instruction is a change of the hot path, not noise. There are two goals, one with the time-stamp counter and one where
# the kernel does not vouch for it: then the C library reads the clock.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Profiled qw(unit_instructions $TOP);
use Tree qw(slurp);

plan skip_all => 'valgrind is not installed: the cost of events is NOT checked'
    if system 'valgrind --version >/dev/null 2>&1';
plan skip_all => 'a build with sanitizers or without optimiser has other costs'
    if slurp("$TOP/Makefile") !~ /^OPTIMIZE = (?!.*-fsanitize).*-O[23]\b/m;

my $HAS_TSC = qx{$TOP/build/nytprof clocks} =~ /^default: tsc/m;

my %bare;
my $statement;    # the cost of the first unit, taken off where statements are part of a unit
goal('a statement',                                 statement => 0, 36, 93);
goal('a statement after one with a temporary',      temporary => 0, 52, 93);
goal('a round of a foreach, without its statement', round     => 1, 2,  2);
goal('a round that ends with a block, without its two statements', branch => 2, 52, 52);
goal('a round of an expression with for',             modifier => 0, 2,   2);
goal('a round of a C-style loop of one statement',    cstyle   => 0, 2,   2);
goal('a call of an empty sub and its two statements', call     => 0, 310, 490);
goal('a call of a sub in itself and its three statements', recursion => 0, 335, 570);
goal('a call into C, without its statement',   xsub   => 1, 180, 240);
goal('a slow built-in, without its statement', slowop => 1, 165, 228);

# With clock=tick a reading is a load, on any machine: 43 and 333. The rest is of the thread, which ticks by time.
goal('a statement with clock=tick',                   statement => 0, 47,  47,  clock => 'tick');
goal('a call and its two statements with clock=tick', call      => 0, 340, 340, clock => 'tick');

done_testing;

# The unit less so many statements. What other programs do to the count is to add to it, as the run takes longer and
# has more windows: the least of three counts.
sub goal {
    my ($what, $unit, $statements, $by_tsc, $by_call, %options) = @_;
    my $goal = $HAS_TSC ? $by_tsc : $by_call;
    my ($most, $cost) = $goal * 1.05 + 1;
    for (1 .. 3) {
        my $count = over_bare($unit, %options) - $statements * ($statement // 0);
        $cost = $count if !defined $cost || $count < $cost;
        last if $cost <= $most;
    }
    $statement //= $cost;
    cmp_ok $cost, '<=', $most, sprintf '%s costs %.0f instructions, the goal is %d', $what, $cost, $goal;
    return;
}

# Bare programs have the same count each time.
sub over_bare {
    my ($unit, %options) = @_;
    $bare{$unit} //= unit_instructions('bare', $unit);
    return unit_instructions('ours', $unit, %options) - $bare{$unit};
}
