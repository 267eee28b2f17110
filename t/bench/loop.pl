# SPDX-License-Identifier: MIT
# Statements and little else: a linear congruential generator that feeds a sum. Argument: iterations (2,000,000).
use strict;
use warnings;

my $iterations = shift // 2_000_000;
my ($x, $s) = (1, 0);

for my $i (1 .. $iterations) {
    $x = ($x * 1103515245 + 12345) & 0x7fffffff;
    if ($x & 1) {
        $s += $x;
    }
    else {
        $s ^= $i;
    }
}

print "$s\n";
