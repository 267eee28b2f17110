# SPDX-License-Identifier: MIT
package Pprof;

# Reads what `nytprof pprof` writes, from its fields' numbers alone.

use strict;
use warnings;

use Compress::Zlib qw(memGunzip);
use Encode qw(decode FB_CROAK);
use Exporter 'import';
use List::Util qw(sum0);

use Tree qw(slurp);

our @EXPORT_OK = qw(fields pprof text_of_pprof);

# [number, value] of each field of a message: a number, or bytes.
sub fields {
    my ($bytes) = @_;
    my ($at, @fields) = (0);
    my $varint = sub {
        my ($value, $shift, $byte) = (0, 0, 0x80);
        while ($byte & 0x80) {
            $at < length $bytes or die "a message ends within a number\n";
            $byte = ord substr $bytes, $at++, 1;
            $value |= ($byte & 0x7F) << $shift;
            $shift += 7;
        }
        return $value;
    };
    while ($at < length $bytes) {
        my $key   = $varint->();
        my $value = $varint->();
        if (($key & 7) == 2) {
            $at + $value <= length $bytes or die "a message ends within a field\n";
            ($value, $at) = (substr($bytes, $at, $value), $at + $value);
        }
        elsif ($key & 7) { die "wire type " . ($key & 7) . "\n" }
        push @fields, [ $key >> 3, $value ];
    }
    return @fields;
}

# All values of a field, or the one of a field that is not repeated.
sub all { my ($number, @fields) = @_; return map { $_->[1] } grep { $_->[0] == $number } @fields }
sub one { my ($number, @fields) = @_; return (all($number, @fields))[0] // 0 }

sub packed { my ($bytes) = @_; return unpack 'w*', join '', map { reverse_varint($_) } varints($bytes) }
sub varints { my ($bytes) = @_; return $bytes =~ /([\x80-\xFF]*[\x00-\x7F])/gs }

# From the lowest seven bits first to the highest first.
sub reverse_varint {
    my ($bytes) = @_;
    my @low = map { $_ & 0x7F } reverse unpack 'C*', $bytes;
    return pack 'C*', map({ $_ | 0x80 } @low[ 0 .. $#low - 1 ]), $low[-1];
}

# { types => [ "wall/nanoseconds" ], default, program, duration, comment, samples => [ { path => [ [ name, file, line ],
# ... the outermost first ], values => [], labels => { pid => 1 } } ], total => nanoseconds, period =>
# "1 wall/nanoseconds", subs => { name => ns } }. Dies of what readers refuse.
sub pprof {
    my ($file) = @_;
    my $bytes = slurp($file);
    $bytes = memGunzip($bytes) // die "$file: not a gzip file\n" if $bytes =~ /^\x1F\x8B/;
    my @fields = fields($bytes);
    my @text = map { my $text = $_; decode('UTF-8', $text, FB_CROAK) } all(6, @fields);
    ($text[0] // 'missing') eq '' or die "the first string is $text[0]\n";
    my ($functions, $locations) = (table(5, @fields), table(4, @fields));
    my %place = map { ($_ => place($locations->{$_}, $functions, \@text)) } keys %$locations;
    my @types = map { my @of = fields($_); $text[ one(1, @of) ] . '/' . $text[ one(2, @of) ] } all(1, @fields);
    my @samples = map { sample($_, \%place, \@text, scalar @types) } all(2, @fields);
    my ($wall) = grep { $types[$_] eq 'wall/nanoseconds' } 0 .. $#types;
    my %subs;
    $subs{ $_->{path}[-1][0] } += $_->{values}[$wall] for @samples;
    my @mapping = fields(one(3, @fields));
    return {
        types => \@types, default => $text[ one(14, @fields) ], samples => \@samples, subs => \%subs,
        program => $text[ one(5, @mapping) ], duration => one(10, @fields), comment => $text[ one(13, @fields) ],
        total => sum0(values %subs),
        period => one(12, @fields) . ' ' . join('/', map { $text[$_] } map { (one(1, @$_), one(2, @$_)) }
            [ fields(one(11, @fields)) ]),
    };
}

# The messages of a repeated field, as lists of fields, by their ids.
sub table {
    my ($number, @fields) = @_;
    my %table;
    for my $message (all($number, @fields)) {
        my @of = fields($message);
        my $id = one(1, @of);
        $id && !$table{$id} or die "field $number: id $id\n";
        $table{$id} = \@of;
    }
    return \%table;
}

sub place {
    my ($location, $functions, $text) = @_;
    my @line = fields(one(4, @$location));
    my $function = $functions->{ one(1, @line) } or die "a line without function\n";
    return [ map({ $text->[ one($_, @$function) ] } 2, 4), one(2, @line) ];
}

sub sample {
    my ($message, $place, $text, $types) = @_;
    my @fields = fields($message);
    my @values = packed(one(2, @fields));
    @values == $types or die scalar(@values), " values, of $types types\n";
    my @path = map { $place->{$_} // die "no location $_\n" } reverse packed(one(1, @fields));
    my %labels = map { my @of = fields($_); ($text->[ one(1, @of) ] => $text->[ one(2, @of) ] || one(3, @of)) }
        all(3, @fields);
    return { path => \@path, values => \@values, labels => \%labels };
}

# The same as text, a line a sample.
sub text_of_pprof {
    my ($file) = @_;
    my $profile = pprof($file);
    my @lines = ("types @{ $profile->{types} } default $profile->{default}",
        map({"$_ $profile->{$_}"} qw(program duration comment)));
    for my $sample (@{ $profile->{samples} }) {
        my $labels = join ' ', map {"$_=$sample->{labels}{$_}"} sort keys %{ $sample->{labels} };
        push @lines, join ' ', @{ $sample->{values} }, "[$labels]",
            map { my ($name, $file, $line) = @$_; $file ne '' ? "$name($file:$line)" : $name } @{ $sample->{path} };
    }
    my $text = join '', map {"$_\n"} @lines;
    utf8::encode($text);
    return $text;
}

1;
