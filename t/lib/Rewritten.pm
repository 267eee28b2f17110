# SPDX-License-Identifier: MIT
package Rewritten;

# Captures with other strings, and their numbers as they were: by the table in xs/capture/FORMAT.
use strict;
use warnings;

use Capture qw(chunk record table);
use Compress::Zlib qw(uncompress);
use Exporter 'import';

our @EXPORT_OK = qw(rewritten);

my $HEAD = 84;    # of a chunk, ahead of its payload
my @HEAD = qw(stored raw version deflated front_end run process_start pid thread zero number start end);
my %ROW  = map { ($_->{kind} => $_) } table();

# Keys by which readers find something.
my %IS_KEY = map { ($_ => 1) } qw(attribute.key option.key property.key text.key stored.key);

# A capture whose strings are those that $text returns for the table's "record.field" and the string.
sub rewritten {
    my ($bytes, $text) = @_;
    $bytes =~ s/\A(NYTProf capture 1\n(?::.*\n)*)// or die "no capture\n";
    my $out = $1;
    while (length $bytes) {
        my %head;
        @head{@HEAD} = unpack 'V V C C v a16 Q< V V V Q< q< q<', substr $bytes, 12, $HEAD - 12;
        my $payload = substr $bytes, $HEAD, $head{stored};
        $payload = uncompress($payload) if $head{deflated};
        $out .= chunk(records($payload, $text), %head);
        substr $bytes, 0, $HEAD + $head{stored}, '';
    }
    return $out;
}

sub records {
    my ($payload, $text) = @_;
    my $out = '';
    while (length $payload) {
        my $kind   = number(\$payload);
        my $fields = string(\$payload);
        $out .= record($kind, $ROW{$kind} ? fields($ROW{$kind}, $fields, $text) : $fields);
    }
    return $out;
}

# Varints are copied as they are.
sub fields {
    my ($row, $in, $text) = @_;
    my $out = '';
    while (length $in) {
        for my $field (map { [ $_->[0], "$row->{name}.$_->[1]" ] } @{ $row->{fields} }) {
            my ($type, $name) = @$field;
            if ($type ne 's') { $out .= $1 if $in =~ s/\A([\x80-\xFF]*[\0-\x7F])// }
            else {
                my $string = string(\$in);
                $out .= Capture::s($IS_KEY{$name} ? $string : $text->($name, $string));
            }
        }
    }
    return $out;
}

sub number {
    my ($in) = @_;
    $$in =~ s/\A([\x80-\xFF]*[\0-\x7F])// or die "no number\n";
    my $n = 0;
    $n = $n << 7 | (ord($_) & 0x7F) for reverse split //, $1;
    return $n;
}

sub string { my ($in) = @_; return substr $$in, 0, number($in), '' }

1;
