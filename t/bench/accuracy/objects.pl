# Phases of a program with objects. Phases.pm runs it.
use strict;
use warnings;

use FindBin;
use Scalar::Util ();

use lib $FindBin::Bin;
use Phases;

# --- accessors

package Person;
for my $field (qw(first last born)) {
    no strict 'refs';
    *{$field} = sub {
        my $self = shift;
        $self->{$field} = shift if @_;
        return $self->{$field};
    };
}
sub new { my ($class, %fields) = @_; return bless {%fields}, $class }
sub name { my ($self) = @_; return $self->first . ' ' . $self->last }

package main;

sub ph_accessors {
    my $length = 0;
    for my $i (1 .. 12_000) {
        my $person = Person->new(first => "f$i", last => 'l', born => 1900 + $i % 100);
        $person->born($person->born + 1);
        $person->last($person->first . 'son');
        $length += length $person->name;
    }
    return $length;
}

# --- inheritance

package Shape;
sub new  { my ($class, %arg) = @_; my $self = bless {}, $class; $self->init(%arg); return $self }
sub init { my ($self, %arg) = @_; $self->{name} = $arg{name} // 'shape'; return }
sub area { return 0 }

package Shape::Box;
our @ISA = ('Shape');

sub init {
    my ($self, %arg) = @_;
    $self->SUPER::init(%arg);
    @{$self}{qw(width height)} = @arg{qw(width height)};
    return;
}
sub area { my ($self) = @_; return $self->SUPER::area + $self->{width} * $self->{height} }

package Shape::Square;
our @ISA = ('Shape::Box');
sub init { my ($self, %arg) = @_; return $self->SUPER::init(%arg, width => $arg{side}, height => $arg{side}) }

package main;

sub ph_inheritance {
    my $area = 0;
    for my $i (1 .. 6000) {
        $area += Shape::Square->new(name => "s$i", side => $i % 17)->area;
        $area += Shape::Box->new(width => 2, height => $i % 5)->area;
    }
    return $area;
}

# --- autoload

package Record;
our $AUTOLOAD;

sub AUTOLOAD {
    my ($self) = @_;
    my ($verb, $field) = $AUTOLOAD =~ /::(get|add)_(\w+)$/ or return;
    return $verb eq 'get' ? $self->{$field} : ($self->{$field} += $_[1]);
}

package main;

sub ph_autoload {
    my $record = bless { count => 0, weight => 0 }, 'Record';
    for my $i (1 .. 10_000) {
        $record->add_count(1);
        $record->add_weight($i & 7) if $record->get_count % 2;
    }
    return $record->{count} + $record->{weight};
}

# --- overload

package Complex;
use overload
    '+'   => sub { my ($p, $q) = @_; return Complex->new($p->[0] + $q->[0], $p->[1] + $q->[1]) },
    '*'   => \&times,
    'abs' => sub { my ($p) = @_; return $p->[0]**2 + $p->[1]**2 },
    '""'  => sub { my ($p) = @_; return "$p->[0]+$p->[1]i" };
sub new { my $class = shift; return bless [@_], $class }

sub times {
    my ($p, $q) = @_;
    return Complex->new($p->[0] * $q->[0] - $p->[1] * $q->[1], $p->[0] * $q->[1] + $p->[1] * $q->[0]);
}

package main;

sub ph_overload {
    my $steps = 0;
    for my $x (0 .. 31) {
        for my $y (0 .. 23) {
            my $c = Complex->new($x / 16 - 1.5, $y / 12 - 1);
            my $z = Complex->new(0, 0);
            for (1 .. 12) {
                $z = $z * $z + $c;
                last if abs($z) > 4;
                $steps++;
            }
            $steps += length("$c") > 2;
        }
    }
    return $steps;
}

# --- tied

package Tally;
sub TIEHASH { my ($class) = @_; return bless { of => {}, reads => 0 }, $class }
sub FETCH   { my ($self, $key) = @_; $self->{reads}++; return $self->{of}{ lc $key } // 0 }
sub STORE   { my ($self, $key, $value) = @_; return $self->{of}{ lc $key } = $value }
sub EXISTS  { my ($self, $key) = @_; return exists $self->{of}{ lc $key } }

package main;

sub ph_tied {
    my $tally = tie my %count, 'Tally';
    for my $i (1 .. 9000) {
        my $word = $i & 1 ? 'Odd' : 'eveN';
        $count{$word} += 1 if $i < 3 || exists $count{$word};
    }
    return $count{ODD} + $count{EVEN} + $tally->{reads};
}

# --- destructors

package Guard;
sub new { my ($class, $then) = @_; return bless { then => $then }, $class }
sub DESTROY { my ($self) = @_; $self->{then}->(); return }

package main;

sub guarded {
    my ($counter) = @_;
    my $guard = Guard->new(sub { $$counter-- });
    $$counter++;
    return $$counter;
}

sub ph_destructors {
    my ($counter, $sum) = (0, 0);
    $sum += guarded(\$counter) for 1 .. 14_000;
    return $sum + $counter;
}

# --- visitor

package Node::Number;
sub accept { my ($self, $visitor) = @_; return $visitor->number($self) }

package Node::Pair;
sub accept { my ($self, $visitor) = @_; return $visitor->pair($self) }

package Node::Negated;
sub accept { my ($self, $visitor) = @_; return $visitor->negated($self) }

package Evaluate;
sub number  { my ($self, $node) = @_; return $node->{value} }
sub pair    { my ($self, $node) = @_; return $node->{left}->accept($self) + $node->{right}->accept($self) }
sub negated { my ($self, $node) = @_; return -$node->{of}->accept($self) }

package Count;
sub number  { my ($self) = @_; return ++$self->{numbers} }
sub pair    { my ($self, $node) = @_; $_->accept($self) for $node->{left}, $node->{right}; return 0 }
sub negated { my ($self, $node) = @_; return $node->{of}->accept($self) }

package main;

sub expression {
    my ($depth, $value) = @_;
    return bless { value => $value }, 'Node::Number' if $depth == 0;
    return bless { of => expression($depth - 1, $value) }, 'Node::Negated' if $depth % 4 == 0;
    return bless { left => expression($depth - 1, $value), right => expression($depth - 1, $value + 1) }, 'Node::Pair';
}

sub ph_visitor {
    my $tree = expression(11, 3);
    my $sum  = 0;
    for my $visitor ((bless {}, 'Evaluate'), (bless { numbers => 0 }, 'Count')) {
        $sum += $tree->accept($visitor) for 1 .. 60;
        $sum += $visitor->{numbers} // 0;
    }
    return $sum;
}

# --- closures_as_objects

sub account {
    my ($balance) = @_;
    my %method = (
        deposit  => sub { $balance += $_[0]; return $balance },
        withdraw => sub { return $balance < $_[0] ? undef : ($balance -= $_[0]) },
        balance  => sub { return $balance },
    );
    return sub { my $name = shift; return $method{$name}->(@_) };
}

sub ph_closures_as_objects {
    my @accounts = map { account($_ * 10) } 1 .. 20;
    for my $i (1 .. 20_000) {
        my ($from, $to) = @accounts[ $i % 20, ($i * 7) % 20 ];
        $to->('deposit', 3) if defined $from->('withdraw', 3);
    }
    my $sum = 0;
    $sum += $_->('balance') for @accounts;
    return $sum;
}

# --- questions

package Animal;
sub new { return bless {}, shift }
package Bird;
our @ISA = ('Animal');
sub fly { return 1 }
package Penguin;
our @ISA = ('Bird');

package main;

sub ph_questions {
    my @zoo = map { $_->new } qw(Animal Bird Penguin Bird);
    my $score = 0;
    for my $i (1 .. 60_000) {
        my $animal = $zoo[ $i & 3 ];
        $score++ if $animal->isa('Bird');
        $score += 2 if $animal->can('fly');
        $score += 3 if ref $animal eq 'Penguin' && Scalar::Util::reftype($animal) eq 'HASH';
    }
    return $score;
}

# --- queue

package Queue;
sub new { return bless { heap => [] }, shift }

sub push {
    my ($self, $value) = @_;
    my $heap = $self->{heap};
    my $at   = @$heap;
    $heap->[$at] = $value;
    while ($at > 0) {
        my $parent = ($at - 1) >> 1;
        last if $heap->[$parent] <= $heap->[$at];
        @{$heap}[ $parent, $at ] = @{$heap}[ $at, $parent ];
        $at = $parent;
    }
    return;
}

sub pop {
    my ($self) = @_;
    my $heap = $self->{heap};
    my $top  = $heap->[0];
    my $last = pop @$heap;
    return $top if !@$heap;
    my $at = 0;
    while ((my $child = 2 * $at + 1) < @$heap) {
        $child++ if $child + 1 < @$heap && $heap->[ $child + 1 ] < $heap->[$child];
        last if $last <= $heap->[$child];
        $heap->[$at] = $heap->[$child];
        $at = $child;
    }
    $heap->[$at] = $last;
    return $top;
}

package main;

sub ph_queue {
    my $queue = Queue->new;
    $queue->push($_ * 7919 % 10_007) for 1 .. 6000;
    my ($sum, $weight) = (0, 0);
    $sum += $queue->pop * (++$weight % 3) for 1 .. 6000;
    return $sum;
}

# --- cache

package Cache;

sub new {
    my ($class, $most) = @_;
    my $self = bless { most => $most, of => {}, hits => 0 }, $class;
    my $ring = $self->{ring} = {};
    $ring->{next} = $ring;
    $ring->{prev} = $ring;
    return $self;
}

sub get {
    my ($self, $key, $make) = @_;
    my $entry = $self->{of}{$key};
    if ($entry) {
        $self->{hits}++;
        $entry->{prev}{next} = $entry->{next};
        $entry->{next}{prev} = $entry->{prev};
    }
    else {
        $entry = $self->{of}{$key} = { key => $key, value => $make->($key) };
        $self->forget if keys %{ $self->{of} } > $self->{most};
    }
    my $ring = $self->{ring};
    @{$entry}{qw(next prev)} = ($ring->{next}, $ring);
    $ring->{next}{prev} = $entry;
    $ring->{next} = $entry;
    return $entry->{value};
}

sub forget {
    my ($self) = @_;
    my $oldest = $self->{ring}{prev};
    $self->{ring}{prev} = $oldest->{prev};
    $oldest->{prev}{next} = $self->{ring};
    delete $self->{of}{ $oldest->{key} };
    delete @{$oldest}{qw(next prev)};
    return;
}

sub DESTROY {
    my ($self) = @_;
    delete @{$_}{qw(next prev)} for values %{ $self->{of} }, $self->{ring};
    return;
}

package main;

sub ph_cache {
    my $cache = Cache->new(50);
    my $sum   = 0;
    for my $i (1 .. 40_000) {
        $sum += $cache->get(($i * $i) % 83, sub { return $_[0] * 3 });
    }
    return $sum + $cache->{hits};
}

# --- matrices

package Matrix;
sub new { my ($class, @rows) = @_; return bless [@rows], $class }
sub of_size { my ($class, $n) = @_; return $class->new(map { my $i = $_; [ map { $i * $_ % 7 } 1 .. $n ] } 1 .. $n) }

sub times {
    my ($p, $q) = @_;
    my @rows;
    for my $row (@$p) {
        my @sums = (0) x @$q;
        for my $k (0 .. $#$row) {
            my ($factor, $other) = ($row->[$k], $q->[$k]);
            $sums[$_] += $factor * $other->[$_] for 0 .. $#$other;
        }
        push @rows, [ map { $_ % 1009 } @sums ];
    }
    return Matrix->new(@rows);
}

package main;

sub ph_matrices {
    my $matrix = Matrix->of_size(36);
    $matrix = $matrix->times($matrix) for 1 .. 18;
    my $sum = 0;
    $sum += $_->[3] for @$matrix;
    return $sum;
}

Phases::run(__FILE__);
