#!/usr/bin/perl
# A program that uses Moose as programs do: roles, attributes of all kinds, modifiers, delegation, type constraints.
package Shape;
use Moose::Role;
requires 'area';
has name => (is => 'ro', isa => 'Str', required => 1);
sub describe { my ($self) = @_; return sprintf '%s %.2f', $self->name, $self->area }

package Square;
use Moose;
use Moose::Util::TypeConstraints;
subtype 'Length', as 'Num', where { $_ > 0 };
coerce 'Length', from 'Str', via { length };
has side => (is => 'rw', isa => 'Length', coerce => 1, trigger => sub { $_[0]->clear_area });
has area => (is => 'ro', lazy => 1, builder => '_build_area', clearer => 'clear_area');
with 'Shape';
sub _build_area { return $_[0]->side**2 }
around describe => sub { my ($orig, $self) = @_; return '[' . $self->$orig . ']' };
before describe => sub { $_[0]->side };
__PACKAGE__->meta->make_immutable;

package Circle;
use Moose;
has radius => (is => 'ro', isa => 'Num', default => 1);
sub area { my ($self) = @_; return 3.14159 * $self->radius**2 }
with 'Shape';
sub DEMOLISH { my ($self) = @_; $Circle::gone++ }

package Drawing;
use Moose;
has shapes => (is => 'ro', isa => 'ArrayRef[Shape]', default => sub { [] }, traits => ['Array'],
    handles => { add => 'push', all => 'elements', sorted => [ sort => sub { $_[0]->area <=> $_[1]->area } ] });
has frame => (is => 'ro', isa => 'Square', handles => { frame_area => 'area' });

package main;
use strict;
use warnings;

my $drawing = Drawing->new(frame => Square->new(name => 'frame', side => 10));
for my $i (1 .. 50) {
    my $square = Square->new(name => "square $i", side => $i);
    $drawing->add($i % 2 ? $square : Circle->new(name => "circle $i", radius => $i));
}
$_->isa('Square') && $_->side('four') for $drawing->all;
print "$_\n" for map { $_->describe } $drawing->sorted;
eval { Square->new(name => 'none', side => -1); 1 } or print substr($@, 0, 40), "\n";
eval { Circle->new; 1 } or print substr($@, 0, 40), "\n";
print $drawing->frame_area, ' ', join(' ', map { $_->name } Drawing->meta->get_all_attributes), "\n";
