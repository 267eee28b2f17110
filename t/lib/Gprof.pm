# SPDX-License-Identifier: MIT
package Gprof;

# A reader of gprof's call graph, as programs have it that draw such text: what does not fit is fatal.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(sum0);

our @EXPORT_OK = qw(read_graph faults);

my $NAME = qr/(?<name>\S.*?)(?: <cycle (?<cycle>\d+)>)? (?:\[(?<index>\d+)\]|\((?<hidden>\d+)\))/;
my $WHOLE = qr/<cycle (?<whole>\d+) as a whole> \[\d+\]/;
my $TIMES = qr/(?<self>\d+\.\d+) +(?<children>\d+\.\d+)/;

# The entries, as { name, index, self, children, called, nested, cycle, is_cycle, callers => [...], callees => [...] }
# with times in nanoseconds, and callers and callees as { name, index or hidden, cycle, self, children, called, total }.
# A callee of a cycle as a whole is a member.
sub read_graph {
    my ($text) = @_;
    my ($head, $rest) = split /^index +% time +self +children +called +name *\n/m, $text, 2;
    defined $rest or die "no heading of a call graph\n";
    my ($graph, $index) = split /^\f\n/m, $rest, 2;
    defined $index or die "no form feed ends the call graph\n";
    my (@entries, @lines);
    for my $line (split /\n/, $graph) {
        last if $line eq '' && !@lines;    # the legend
        if ($line =~ /^--+$/) { push @entries, entry(splice @lines) }
        else                  { push @lines,   $line }
    }
    @lines == 0 or die "an entry without end: $lines[0]\n";
    return @entries;
}

sub nanoseconds { my ($seconds) = @_; return defined $seconds ? int 1e9 * $seconds + 0.5 : undef }

sub entry {
    my @lines = @_;
    my ($at) = grep { $lines[$_] =~ /^\[/ } 0 .. $#lines;
    defined $at or die "an entry without a line of its own: $lines[0]\n";
    $lines[$at] =~ /^\[(?<own>\d+)\] +\d+\.\d +$TIMES(?: +(?<called>\d+)(?:\+(?<nested>\d+))?)? +(?:$WHOLE|$NAME)$/
        or die "not an entry: $lines[$at]\n";
    my ($own, $whole) = @+{qw(own whole)};
    my %entry = map { ($_ => $+{$_}) } qw(name cycle index called nested self children);
    $_ = nanoseconds($_) for @entry{qw(self children)};
    @entry{qw(name cycle is_cycle index)} = ("cycle $whole", $whole, 1, $own) if $whole;
    $entry{index} == $own or die "two numbers: $lines[$at]\n";
    $entry{callers} = [ map { relative($_) } grep { !/^ +<spontaneous>$/ } @lines[ 0 .. $at - 1 ] ];
    $entry{callees} = [ map { relative($_) } @lines[ $at + 1 .. $#lines ] ];
    return \%entry;
}

sub relative {
    my ($line) = @_;
    $line =~ m{^ +(?:$TIMES +)?(?<called>\d+)(?:/(?<total>\d+))? +$NAME$}
        or die "neither caller nor callee: $line\n";
    my %relative = map { ($_ => $+{$_}) } qw(name cycle index hidden called total self children);
    $_ = nanoseconds($_) for @relative{qw(self children)};
    return \%relative;
}

# What does not add up in a graph that is printed whole: a sub's time is that of its callers and its callees, and so are
# its calls. Times may differ by a nanosecond a line, which rounding loses, and so many more.
sub faults {
    my ($more, @entries) = @_;
    my @faults;
    for my $e (@entries) {
        my @callees = grep { defined $_->{self} } @{ $e->{callees} };
        my @callers = grep { defined $_->{self} } @{ $e->{callers} };
        push @faults, "$e->{name}: callees" if !$e->{is_cycle} && differ($more, $e->{children}, @callees);
        next if $e->{cycle} || !@callers;
        push @faults, "$e->{name}: callers" if differ($more, $e->{self} + $e->{children}, @callers);
        push @faults, "$e->{name}: own time" if differ($more, $e->{self}, map { { %$_, children => 0 } } @callers);
        push @faults, "$e->{name}: calls" if $e->{called} != sum0(map { $_->{called} } @callers);
        push @faults, "$e->{name}: total" if grep { $_->{total} != $e->{called} } @callers;
    }
    return @faults;
}

sub differ {
    my ($more, $whole, @parts) = @_;
    $whole -= $_->{self} + $_->{children} for @parts;
    return abs $whole > 1 + @parts + $more;
}

1;
