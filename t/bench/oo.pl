# SPDX-License-Identifier: MIT
# Method calls: accessors, overriding, SUPER::, and the calls into C that such programs make. Argument: rounds (600).
use strict;
use warnings;

package Shape;

sub new {
    my ($class, %field) = @_;
    return bless {%field}, $class;
}

sub x {
    my $self = shift;
    $self->{x} = shift if @_;
    return $self->{x};
}

sub y {
    my $self = shift;
    $self->{y} = shift if @_;
    return $self->{y};
}

sub move {
    my ($self, $dx, $dy) = @_;
    $self->x($self->x + $dx);
    $self->y($self->y + $dy);
    return $self;
}

package Circle;
our @ISA = 'Shape';

sub area {
    my $self = shift;
    return 3.14159265 * $self->{r}**2;
}

package Rect;
our @ISA = 'Shape';

sub area {
    my $self = shift;
    return $self->{w} * $self->{h};
}

sub move {
    my ($self, @by) = @_;
    return $self->SUPER::move(@by);
}

package main;

use List::Util qw(sum);
use Scalar::Util qw(blessed);

my $rounds = shift // 600;
my @shapes = map {
    $_ % 2
        ? Circle->new(x => $_, y => 0, r => 1 + $_ % 7)
        : Rect->new(x => $_, y => 1, w => 2, h => 1 + $_ % 5)
} 1 .. 200;

my ($area, $circles, $sum) = (0, 0, 0);
for my $round (1 .. $rounds) {
    for my $shape (@shapes) {
        $shape->move(1, -1);
        $area += $shape->area;
        $circles++ if blessed($shape) && $shape->isa('Circle');
    }
    $sum += sum(map { $_->x } @shapes);
}

printf "%.3f %d %d\n", $area, $circles, $sum;
