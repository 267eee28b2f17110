# SPDX-License-Identifier: MIT
package V5;

# Reads a file of format 5, without the library, as far as it goes: a file whose writer was killed has no end.

use strict;
use warnings;

use Compress::Zlib qw(inflateInit);
use Exporter 'import';
use Tree qw(slurp);

our @EXPORT_OK = qw(events facts_of_events);

# The fields behind a record's tag: u32, i32, double, string; lines of text have a reader of their own.
my %FIELDS = (
    'P' => 'uud', 'p' => 'ud', '@' => 'uuuuuus', '+' => 'iuu', '*' => 'iuuuu', '-' => '', '>' => 'uu', '<' => 'udds',
    's' => 'usuu', 'c' => 'uusudddus', 'S' => 'uus',
);

# [tag, fields in the file's order] of each record. Strings that are tagged as UTF-8 are decoded.
sub events {
    my ($file) = @_;
    my $bytes = slurp($file);
    my @events;
    while ($bytes =~ /\G(NYTProf \d+ \d+|[:!#].*)\n/gc) { push @events, [ split //, $1, 2 ] }
    my $rest = substr $bytes, pos $bytes // 0;
    if ($rest =~ s/\Az//) {
        push @events, ['z'];
        $rest = inflated($rest);
    }
    push @events, records($rest);
    return @events;
}

sub inflated {
    my ($deflated) = @_;
    my ($stream) = inflateInit();
    my ($text) = $stream->inflate($deflated);
    return $text;
}

sub records {
    my ($bytes) = @_;
    my @records;
    my $at = 0;
    while ($at < length $bytes) {
        my $tag = substr $bytes, $at++, 1;
        if ($tag =~ /[:!#]/) {
            my $end = index $bytes, "\n", $at;
            push @records, [ $tag, substr $bytes, $at, $end - $at ];
            $at = $end + 1;
            next;
        }
        defined $FIELDS{$tag} or die sprintf "no record begins with %02X, at byte %d\n", ord $tag, $at;
        my @fields = eval {
            map { field($_, \$bytes, \$at) } split //, $FIELDS{$tag}
        } or $FIELDS{$tag} eq '' or last;
        push @records, [ $tag, @fields ];
    }
    return @records;
}

# Dies where the bytes end.
sub field {
    my ($type, $bytes, $at) = @_;
    if ($type eq 'd') {
        my $double = unpack 'd', piece($bytes, $at, 8);
        return $double;
    }
    if ($type eq 's') {
        my $is_utf8 = piece($bytes, $at, 1) eq '"';
        my $string = piece($bytes, $at, field('u', $bytes, $at));
        utf8::decode($string) if $is_utf8;
        return $string;
    }
    my $first = ord piece($bytes, $at, 1);
    my $more = $first < 0x80 ? 0 : $first < 0xC0 ? 1 : $first < 0xE0 ? 2 : $first < 0xFF ? 3 : 4;
    my $value = $first & (0x7F, 0x3F, 0x1F, 0x0F, 0)[$more];
    $value = $value << 8 | ord piece($bytes, $at, 1) for 1 .. $more;
    return $type eq 'i' && $value >= 2**31 ? $value - 2**32 : $value;
}

sub piece {
    my ($bytes, $at, $n) = @_;
    $$at + $n <= length $$bytes or die "cut\n";
    my $piece = substr $$bytes, $$at, $n;
    $$at += $n;
    return $piece;
}

# The sums of the events: { line => {"FILE:LINE"}, ticks => {"FILE:LINE"}, edge => {"FILE:LINE CALLER > SUB"},
# sub => { NAME => "FILE:FIRST-LAST" }, attribute, option, started => [pid], ended => [pid], source => {FILE} }.
sub facts_of_events {
    my %facts = map { $_ => {} } qw(line ticks edge sub attribute option source);
    my (@name, $discount);
    for my $event (@_) {
        my ($tag, @field) = @$event;
        if ($tag =~ /[:!]/) {
            my ($key, $value) = split /=/, $field[0], 2;
            $facts{ $tag eq ':' ? 'attribute' : 'option' }{$key} = $value;
        }
        push @{ $facts{ $tag eq 'P' ? 'started' : 'ended' } }, $field[0] if $tag =~ /[Pp]/;
        $name[ $field[0] ] = $field[6] if $tag eq '@';
        $discount = 1 if $tag eq '-';
        if ($tag =~ /[+*]/) {
            $facts{line}{"$name[$field[1]]:$field[2]"} += !$discount;
            $facts{ticks}{"$name[$field[1]]:$field[2]"} += $field[0];
            $discount = 0;
        }
        $facts{sub}{ $field[1] } = "$name[$field[0]]:$field[2]-$field[3]" if $tag eq 's';
        $facts{edge}{"$name[$field[0]]:$field[1] $field[2] > $field[8]"} += $field[3] if $tag eq 'c' && $field[0];
        $facts{source}{ $name[ $field[0] ] }[ $field[1] ] = $field[2] if $tag eq 'S';
    }
    return \%facts;
}

1;
