# SPDX-License-Identifier: MIT
# A small program that loads a large library: Moose, a role, three classes, a few thousand objects.
use strict;
use warnings;

package Shape;
use Moose::Role;
requires 'area';
has name => (is => 'ro', isa => 'Str', default => 'shape');
sub label { my ($self) = @_; return $self->name . ' of ' . $self->area }

package Circle;
use Moose;
with 'Shape';
has radius => (is => 'rw', isa => 'Num', required => 1);
sub area { my ($self) = @_; return 3 * $self->radius ** 2 }

package Square;
use Moose;
has side => (is => 'rw', isa => 'Num', lazy => 1, builder => '_build_side');
with 'Shape';
sub _build_side { return 2 }
sub area { my ($self) = @_; return $self->side ** 2 }
around label => sub { my ($next, $self) = @_; return 'square ' . $self->$next };

package Cube;
use Moose;
extends 'Square';
override area => sub { return 6 * super() };
__PACKAGE__->meta->make_immutable;

package main;

my $length = 0;
for my $i (1 .. 300) {
    $length += length $_->label for Circle->new(radius => $i), Square->new, Cube->new(side => $i);
}
print "$length\n";
