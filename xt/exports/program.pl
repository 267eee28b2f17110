# SPDX-License-Identifier: MIT
# What exports have to cope with: `perl program.pl [PART...]` runs these parts, or all but `processes`.
use strict;
use warnings;

use List::Util qw(sum);

package Animal;
sub new { my ($class, %with) = @_; return bless {%with}, $class }
sub name { my ($self) = @_; return $self->{name} =~ s/(\w+)/\u$1/r }
sub speak { my ($self) = @_; return join ' ', $self->name, 'says', $self->sound }

package Cow;
our @ISA = ('Animal');
sub sound { return 'moo' x List::Util::sum(1 .. 3) }

package main;

my %part = (
    classes   => sub { Cow->new(name => "bessie $_")->speak for 1 .. 300 },
    evals     => sub { eval "sub twice_$_ { return 2 * shift } twice_$_($_) for 1 .. $_; 1" or die $@ for 1 .. 40 },
    recursion => sub { fib(12); even(30); deep(300) },
    sorting   => sub { my @sorted = sort { by_square($a, $b) } map { $_ * 7919 % 101 } 1 .. 100; sum(@sorted) },
    processes => sub { fork_some(3) },
);
my @parts = @ARGV ? @ARGV : grep { $_ ne 'processes' } sort keys %part;
$part{$_}->() for @parts;

sub fib  { my ($n) = @_; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
sub even { my ($n) = @_; return $n ? odd($n - 1) : 1 }
sub odd  { my ($n) = @_; return $n ? even($n - 1) : 0 }
sub deep { my ($n) = @_; no warnings 'recursion'; return $n && 1 + deep($n - 1) }

sub by_square { my ($x, $y) = @_; return $x * $x <=> $y * $y }

# The second child has a child itself.
sub fork_some {
    my ($n) = @_;
    for my $i (1 .. $n) {
        next if fork;
        fib(8 + $i);
        fork_some(1) if $i == 2 && $n > 1;
        exit 0;
    }
    1 while wait != -1;
    return;
}
