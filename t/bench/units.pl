# SPDX-License-Identifier: MIT
# Repeats one unit very often, for counting its instructions. Arguments: the unit, and a number of rounds of ten units.
#
#   statement  a simple assignment            call    a call of an empty sub, with its two statements
#   xsub       a call into C                  slowop  a match
#   recursion  a call of a sub in itself, ten deep, with three statements
#   round      of a foreach, with a statement  modifier  a statement with one, "for": a round of it
#   branch     a round that ends with the block of an else: two statements
#   cstyle     a round of a C-style loop, whose body is one statement
#   temporary  a statement that has a temporary for the next one to free
#
# The units are written out, not generated: each is a place of its own.
use strict;
use warnings;

use Scalar::Util ();

my ($unit, $rounds) = @ARGV;
my ($x, $r, $text) = (0, [], 'abcdef');

sub f { }
sub deep { my $n = shift; deep($n - 1) if $n > 1; return }

my %run = (
    statement => sub {
        for (1 .. $rounds) {
            $x = 1;
            $x = 2;
            $x = 3;
            $x = 4;
            $x = 5;
            $x = 6;
            $x = 7;
            $x = 8;
            $x = 9;
            $x = 10;
        }
    },
    temporary => sub {
        for (1 .. $rounds) {
            $r = \$x;
            $r = \$x;
            $r = \$x;
            $r = \$x;
            $r = \$x;
            $r = \$x;
            $r = \$x;
            $r = \$x;
            $r = \$x;
            $r = \$x;
        }
    },
    call => sub {
        for (1 .. $rounds) {
            f();
            f();
            f();
            f();
            f();
            f();
            f();
            f();
            f();
            f();
        }
    },
    round => sub {
        for my $i (1 .. 10 * $rounds) { $x = $i }
    },
    branch => sub {
        for my $i (1 .. 10 * $rounds) {
            if ($i < 0) { $x = 1 }
            else        { $x = $i }
        }
    },
    modifier => sub {
        $x = $_ for 1 .. 10 * $rounds;
    },
    cstyle => sub {
        for (my $i = 0; $i < 10 * $rounds; $i++) { $x = $i }
    },
    recursion => sub {
        for (1 .. $rounds) {
            deep(10);
        }
    },
    xsub => sub {
        for (1 .. $rounds) {
            Scalar::Util::blessed($r);
            Scalar::Util::blessed($r);
            Scalar::Util::blessed($r);
            Scalar::Util::blessed($r);
            Scalar::Util::blessed($r);
            Scalar::Util::blessed($r);
            Scalar::Util::blessed($r);
            Scalar::Util::blessed($r);
            Scalar::Util::blessed($r);
            Scalar::Util::blessed($r);
        }
    },
    slowop => sub {
        for (1 .. $rounds) {
            $text =~ /c/;
            $text =~ /c/;
            $text =~ /c/;
            $text =~ /c/;
            $text =~ /c/;
            $text =~ /c/;
            $text =~ /c/;
            $text =~ /c/;
            $text =~ /c/;
            $text =~ /c/;
        }
    },
);

$run{$unit}->();
