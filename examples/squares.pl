# SPDX-License-Identifier: MIT
# squares.pl - which sub is expensive? main calls find_many_square_roots and find_many_squares three times each; both
# run their loop's statement 5000 times a call, and the roots take most of the time. squares.lua and squares.rb are the
# same program.
#
#     nytprof run --flat examples/squares.pl
#     nytprof annotate --filter find_many_square_roots
#     nytprof run --options calls=2 examples/squares.pl
#     nytprof trace --style secusec --from main::main
use strict;
use warnings;

# By Newton's method, which takes 20 steps here.
sub find_many_square_roots {
    my $root;
    for my $number (1 .. 5000) {
        $root = $number; $root = ($root + $number / $root) / 2 for 1 .. 20;
    }
    return $root;
}

sub find_many_squares {
    my $square;
    for my $number (1 .. 5000) {
        $square = $number * $number;
    }
    return $square;
}

sub main {
    for (1 .. 3) {
        find_many_square_roots();
        find_many_squares();
    }
    return;
}

main();
