# SPDX-License-Identifier: MIT
# Calls and little else: the naive Fibonacci numbers. Argument: which one (25).
use strict;
use warnings;

my $n = shift // 25;

sub fib {
    my $n = shift;
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}

print fib($n), "\n";
