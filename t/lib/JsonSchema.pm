# SPDX-License-Identifier: MIT
package JsonSchema;

# Checks data against a JSON Schema, as far as ours needs it. Members that the schema does not describe are errors here:
# what we write is described.

use strict;
use warnings;

use Exporter 'import';
use JSON::PP ();

our @EXPORT_OK = qw(mismatches);

my %is = (
    object  => sub { ref $_[0] eq 'HASH' },
    array   => sub { ref $_[0] eq 'ARRAY' },
    boolean => sub { JSON::PP::is_bool($_[0]) },
    null    => sub { !defined $_[0] },
    integer => sub { my ($it) = @_; return defined $it && !ref $it && is_number($it) && $it =~ /^-?\d+\z/ },
    string  => sub { defined $_[0] && !ref $_[0] && !is_number($_[0]) },
);

# mismatches(DATA, SCHEMA) is a list of sentences; empty: the data is as the schema wants.
sub mismatches {
    my ($data, $schema) = @_;
    my @found;
    check($data, $schema, $schema, '', \@found);
    return @found;
}

# Before perl 5.36 a number that is used as a string becomes one, so only copies are.
sub is_number { my ($it) = @_; return JSON::PP->new->allow_nonref->encode($it) !~ /^"/ }

sub check {
    my ($data, $schema, $root, $where, $found) = @_;
    if (my ($name) = ($schema->{'$ref'} // '') =~ m{^#/definitions/(\w+)$}) { $schema = $root->{definitions}{$name} }
    my @types = ref $schema->{type} ? @{ $schema->{type} } : grep {defined} $schema->{type};
    my $said  = $data // 'null';
    if (@types && !grep { $is{$_}->($data) } @types) {
        push @$found, "$where: $said is no @types";
        return;
    }
    my @words = exists $schema->{enum} ? @{ $schema->{enum} } : exists $schema->{const} ? $schema->{const} : ();
    push @$found, "$where: $said is none of @words" if @words && !grep { $_ eq $said } @words;
    my ($least, $most) = @$schema{qw(minimum maximum)};
    push @$found, "$where: $said is too small" if defined $data && defined $least && $data < $least;
    push @$found, "$where: $said is too large" if defined $data && defined $most && $data > $most;
    if (ref $data eq 'HASH') { check_members($data, $schema, $root, $where, $found) }
    elsif (ref $data eq 'ARRAY') {
        push @$found, "$where: too few" if @$data < ($schema->{minItems} // 0);
        check($data->[$_], $schema->{items}, $root, "$where/$_", $found) for 0 .. $#$data;
    }
    return;
}

sub check_members {
    my ($data, $schema, $root, $where, $found) = @_;
    my $properties = $schema->{properties};
    push @$found, map {"$where/$_ is missing"} grep { !exists $data->{$_} } @{ $schema->{required} };
    push @$found, map {"$where/$_ is not described"} grep { !$properties->{$_} } sort keys %$data;
    check($data->{$_}, $properties->{$_}, $root, "$where/$_", $found) for grep { $properties->{$_} } sort keys %$data;
    return;
}

1;
