# SPDX-License-Identifier: MIT
# What an event costs, in instructions over the bare program. The counts repeat on one machine and move little between
# compilers: a goal missed by more than 5 % is a change of the hot path, not noise. Windows are written as time passes,
# which under valgrind is fifty times slower: without compression they hardly show in the count. Nor is calibration to
# show, which is repeated as time passes; with overhead=raw the hooks are the same and there is none.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Profiled qw(command instructions $TOP);
use Tree qw(slurp);

plan skip_all => 'valgrind is not installed: the cost of events is NOT checked'
    if system 'valgrind --version >/dev/null 2>&1';
plan skip_all => 'a build with sanitizers or without optimiser has other costs'
    if slurp("$TOP/Makefile") !~ /^OPTIMIZE = (?!.*-fsanitize).*-O[23]\b/m;

my $SLACK = 1.05;
my $dir   = tempdir(CLEANUP => 1);

my @UNITS     = qw(statement temporary round branch modifier cstyle call recursion xsub slowop);
my %over_bare = map { ($_ => per_unit('ours', $_) - per_unit('bare', $_)) } @UNITS;
goal('a statement',                                  $over_bare{statement},                     36);
goal('a statement after one with a temporary',         $over_bare{temporary},                     52);
goal('a round of a foreach, without its statement',   $over_bare{round} - $over_bare{statement},  2);
goal('a round that ends with a block, without its two statements',
    $over_bare{branch} - 2 * $over_bare{statement}, 52);
goal('a round of an expression with for',             $over_bare{modifier},                       2);
goal('a round of a C-style loop of one statement',    $over_bare{cstyle},                         2);
goal('a call of an empty sub and its two statements', $over_bare{call},                          310);
goal('a call of a sub in itself and its three statements', $over_bare{recursion},                   335);
goal('a call into C, without its statement',          $over_bare{xsub} - $over_bare{statement},   180);
goal('a slow built-in, without its statement',        $over_bare{slowop} - $over_bare{statement}, 165);

done_testing;

sub goal {
    my ($what, $cost, $goal) = @_;
    cmp_ok $cost, '<=', $goal * $SLACK, sprintf '%s costs %.0f instructions, the goal is %d', $what, $cost, $goal;
    return;
}

# Two lengths of run: starting and ending are in both and fall out of the difference.
sub per_unit {
    my ($who, $unit) = @_;
    my %options = (compress => 0, overhead => 'raw', file => "$dir/$who.out");
    my ($short, $long) = map {
        instructions(command($who, \%options, "$TOP/t/bench/units.pl", $unit, $_))
    } 500, 4_500;
    return ($long - $short) / 40_000;
}
