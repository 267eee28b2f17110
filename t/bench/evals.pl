# SPDX-License-Identifier: MIT
# String evals: one defines a sub, which is called, one has another text each time. Argument: iterations (6,000).
use strict;
use warnings;

my $iterations = shift // 6_000;
my $sum = 0;

for my $i (1 .. $iterations) {
    my $code = eval q{
        sub {
            my ($n) = @_;
            $n *= 2;
            return $n;
        }
    };
    $sum += $code->($_) for 1 .. 5;
    eval "
        my \$n = $i;
        \$n += 1;
        \$sum += \$n;
    ";
}

print "$sum\n";
