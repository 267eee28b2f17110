# A program that knows where its time goes: phases of very different kinds, each a sub ph_*, timed by the program
# itself. Prints "PHASE SECONDS" for each, in CPU time of the process. accuracy.pl compares that with a profiler's.
use strict;
use warnings;

use List::Util  ();
use Scalar::Util ();
use Time::HiRes qw(clock_gettime CLOCK_PROCESS_CPUTIME_ID);

package Thing;
sub new    { return bless { value => 7 }, shift }
sub getter { return $_[0]{value} }

package main;

my $thing = Thing->new;
my $words = join ' ', map { 'w' . ($_ * 37 % 1000) } 1 .. 3000;
my @big   = map { $_ * 7919 % 5003 } 1 .. 5000;
my ($x, $n) = (0, 0);

# Leaves: calls into C, a method, an empty sub, a sub of short statements.

sub ph_xsub {
    for (1 .. 900_000) { $x = Scalar::Util::blessed($thing) }
    return;
}

sub ph_method {
    for (1 .. 500_000) { $x = $thing->getter }
    return;
}

sub tiny { return $_[0] }

sub ph_tiny {
    for (1 .. 400_000) { tiny($_) }
    return;
}

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
    for (1 .. 120_000) { eight_statements($_, 3) }
    return;
}

# Recursion.

sub fib {
    my $n = shift;
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}

sub ph_recursion {
    fib(23) for 1 .. 2;
    return;
}

# Few heavy operations, in and outside of subs.

sub count_matches {
    my $count = () = $words =~ /\bw\d+5\b/g;
    return $count;
}

sub ph_regex {
    for (1 .. 350) { count_matches() }
    return;
}

sub sorted {
    my @sorted = sort { $a <=> $b } @big;
    return $sorted[0];
}

sub ph_sort {
    for (1 .. 300) { sorted() }
    return;
}

sub ph_sum {
    for (1 .. 1500) { $x = List::Util::sum(@big) }
    return;
}

# Many small slow built-ins.

sub ph_match {
    for my $i (1 .. 600_000) { $n++ if "abc$i" =~ /9$/ }
    return;
}

# Plain statements: a loop with a condition, hash and array work, strings.

sub counted_loop {
    my ($i, $s) = (0, 0);
    while ($i < 60_000) {
        $s += $i;
        $i++;
    }
    return $s;
}

sub ph_while {
    counted_loop() for 1 .. 20;
    return;
}

sub ph_hash {
    my %count;
    for my $value ((@big) x 8) {
        for my $digit (split //, $value) {
            $count{$digit}++;
            $count{all} += $digit;
        }
    }
    return;
}

sub ph_strings {
    for my $round (1 .. 40) {
        my $text = '';
        for my $value (@big) {
            $text .= $value;
            $text .= ',';
            $n += length $text;
        }
    }
    return;
}

for my $phase (qw(xsub method tiny medium recursion regex sort sum match while hash strings)) {
    my $run   = \&{"ph_$phase"};
    my $begin = clock_gettime(CLOCK_PROCESS_CPUTIME_ID);
    $run->();
    printf "%s %.6f\n", $phase, clock_gettime(CLOCK_PROCESS_CPUTIME_ID) - $begin;
}
