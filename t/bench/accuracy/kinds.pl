# Phases with one kind of event each. Phases.pm runs them.
use strict;
use warnings;

use FindBin;
use List::Util   ();
use Scalar::Util ();

use lib $FindBin::Bin;
use Phases;

my $thing = Thing->new;
my $words = join ' ', map { 'w' . ($_ * 37 % 1000) } 1 .. 3000;
my @big   = map { $_ * 7919 % 5003 } 1 .. 5000;

# --- xsub

sub ph_xsub {
    my $class;
    for (1 .. 600_000) { $class = Scalar::Util::blessed($thing) }
    return $class;
}

# --- method

package Thing;
sub new    { return bless { value => 7 }, shift }
sub getter { return $_[0]{value} }

package main;

sub ph_method {
    my $sum = 0;
    for (1 .. 400_000) { $sum += $thing->getter }
    return $sum;
}

# --- tiny

sub tiny { return $_[0] }

sub ph_tiny {
    for (1 .. 400_000) { tiny($_) }
    return 1;
}

# --- medium

sub eight_statements {
    my ($p, $q) = @_;
    my $r = $p + $q;
    my $s = $r * 2;
    $r -= $p;
    $s -= $r;
    $p = $s;
    $q = $p + 1;
    return $q;
}

sub ph_medium {
    my $sum = 0;
    for (1 .. 120_000) { $sum += eight_statements($_, 3) }
    return $sum;
}

# --- recursion

sub fib {
    my $n = shift;
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}

sub ph_recursion {
    my $sum = 0;
    $sum += fib(23) for 1 .. 2;
    return $sum;
}

# --- regex

sub count_matches {
    my $count = () = $words =~ /\bw\d+5\b/g;
    return $count;
}

sub ph_regex {
    my $count = 0;
    for (1 .. 150) { $count += count_matches() }
    return $count;
}

# --- sort

sub sorted {
    my @sorted = sort { $a <=> $b } @big;
    return $sorted[0];
}

sub ph_sort {
    my $sum = 0;
    for (1 .. 150) { $sum += sorted() }
    return $sum;
}

# --- sum

sub ph_sum {
    my $sum;
    for (1 .. 1500) { $sum = List::Util::sum(@big) }
    return $sum;
}

# --- match

sub ph_match {
    my $count = 0;
    for my $i (1 .. 400_000) { $count++ if "abc$i" =~ /9$/ }
    return $count;
}

# --- while

sub counted_loop {
    my ($i, $s) = (0, 0);
    while ($i < 60_000) {
        $s += $i;
        $i++;
    }
    return $s;
}

sub ph_while {
    my $sum = 0;
    $sum += counted_loop() for 1 .. 20;
    return $sum;
}

# --- hash

sub ph_hash {
    my %count;
    for my $value ((@big) x 8) {
        for my $digit (split //, $value) {
            $count{$digit}++;
            $count{all} += $digit;
        }
    }
    return $count{all};
}

# --- strings

sub ph_strings {
    my $length = 0;
    for my $round (1 .. 40) {
        my $text = '';
        for my $value (@big) {
            $text .= $value;
            $text .= ',';
            $length += length $text;
        }
    }
    return $length;
}

Phases::run(__FILE__);
