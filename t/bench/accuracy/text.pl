# Phases of a program with strings and modules written in C. Phases.pm runs it.
use strict;
use warnings;

use B ();
use Data::Dumper ();
use Digest::MD5 ();
use Encode ();
use FindBin;
use JSON::PP ();
use List::Util ();
use MIME::Base64 ();
use POSIX ();
use Scalar::Util ();
use Storable ();

use lib $FindBin::Bin;
use Phases;

my @WORDS = map { join '', map { chr 97 + $_ % 26 } $_ * 7, $_ * 11 + 3, $_ * 5 >> 2, ($_ & 3) x ($_ % 5) } 1 .. 400;
my $TEXT = join ' ', map { $_ . ($_ gt 'p' ? ',' : '') } (@WORDS) x 10;

# --- split

sub ph_split {
    my %seen;
    for my $round (1 .. 12) {
        for my $word (split /,? /, $TEXT) {
            $seen{ substr $word, 0, 2 }++;
        }
    }
    return scalar(keys %seen) . ' ' . List::Util::max(values %seen);
}

# --- scanner

sub ph_scanner {
    my ($count, $digits) = (0, 0);
    my $text = "alpha = 12 + beta * (7 - 'text here') ; # comment\n" x 140;
    for (1 .. 22) {
        pos($text) = 0;
        while (1) {
            if    ($text =~ /\G\s+/gc)           { next }
            elsif ($text =~ /\G[a-z]\w*/gc)      { $count++ }
            elsif ($text =~ /\G(\d+)/gc)         { $digits += $1 }
            elsif ($text =~ /\G'[^']*'/gc)       { $count += 2 }
            elsif ($text =~ /\G#.*/gc)           { next }
            elsif ($text =~ /\G[-=+*\/();]/gc)   { $count++ }
            else                                 { last }
        }
    }
    return "$count $digits";
}

# --- searches

sub ph_searches {
    my $found = 0;
    for my $round (1 .. 40) {
        $found += () = $TEXT =~ /\b(\w)\w*\1\b/g;
        $found += () = $TEXT =~ /a.c|q[^aeiou ]+,/g;
    }
    return $found;
}

# --- substitutions

sub ph_substitutions {
    my $changed = 0;
    for my $word ((@WORDS) x 90) {
        my $copy = $word;
        $changed++ if $copy =~ s/^([aeiou])//;
        $changed += $copy =~ s/(.)\1/$1/g;
        $changed += $copy =~ tr/a-m/A-M/;
    }
    return $changed;
}

# --- formatting

sub padded { my ($text, $width) = @_; return $text . ' ' x ($width - length $text) }

sub ph_formatting {
    my $length = 0;
    for my $i (1 .. 12_000) {
        my $line = sprintf '%05d %-12s %8.3f %x', $i, $WORDS[ $i % 400 ], $i / 7, $i;
        $line .= padded($i, 9) . join '|', $i, ucfirst $WORDS[ $i % 7 ], reverse split //, $i;
        $length += length $line;
    }
    return $length;
}

# --- concatenation

sub ph_concatenation {
    my $sum = 0;
    for my $round (1 .. 15) {
        my $text = '';
        for my $i (1 .. 6000) {
            $text .= $i;
            $text .= ',' if $i % 4;
            substr($text, 0, 1) = 'x' if length $text > 9000;
        }
        $sum += length $text;
        $sum += index $text, '77,' . $round;
    }
    return $sum;
}

# --- distance

sub distance {
    my ($from, $to) = @_;
    my @from = split //, $from;
    my @row  = (0 .. length $to);
    for my $i (1 .. @from) {
        my @next = ($i);
        for my $j (1 .. length $to) {
            my $cost = $row[ $j - 1 ] + ($from[ $i - 1 ] eq substr($to, $j - 1, 1) ? 0 : 1);
            $cost = $row[$j] + 1       if $row[$j] + 1 < $cost;
            $cost = $next[ $j - 1 ] + 1 if $next[ $j - 1 ] + 1 < $cost;
            push @next, $cost;
        }
        @row = @next;
    }
    return $row[-1];
}

sub ph_distance {
    my $sum = 0;
    for my $round (1 .. 4) {
        $sum += distance($WORDS[$_], $WORDS[ $_ * 3 % 400 ] . 'tail' x $round) for 1 .. 399;
    }
    return $sum;
}

# --- packing

sub ph_packing {
    my $sum = 0;
    for my $i (1 .. 22_000) {
        my $packed = pack 'NnCa4w', $i, $i & 0xffff, $i & 0xff, 'abcd', $i;
        my ($long, $short, $byte, undef, $compressed) = unpack 'NnCa4w', $packed;
        $sum += $long - $short + $byte + vec($packed, 3, 8);
    }
    return $sum;
}

# --- small_xsubs

sub ph_small_xsubs {
    my $thing = bless { name => 'thing' }, 'Thing';
    my ($sum, $weak) = (0, 0);
    for my $i (1 .. 60_000) {
        $sum += Scalar::Util::looks_like_number($i) ? 1 : 0;
        $sum++ if Scalar::Util::blessed($thing);
        $sum += List::Util::max($i & 7, 3, 5);
    }
    return $sum;
}

# --- digests

sub ph_digests {
    my $digest = 'start';
    $digest = Digest::MD5::md5_hex($digest . $_) for 1 .. 30_000;
    my $large = Digest::MD5->new;
    $large->add($TEXT) for 1 .. 100;
    return $digest . $large->hexdigest;
}

# --- base64

sub ph_base64 {
    my $sum = 0;
    for my $i (1 .. 20_000) {
        my $encoded = MIME::Base64::encode_base64($WORDS[ $i % 400 ] x 8, '');
        $sum += length MIME::Base64::decode_base64($encoded);
    }
    return $sum;
}

# --- posix

sub ph_posix {
    my $sum = 0;
    for my $i (1 .. 12_000) {
        $sum += POSIX::floor($i / 3) + POSIX::fmod($i, 7);
        $sum += POSIX::strtol("7$i", 10);
        $sum += length POSIX::strftime('%Y-%m-%d', 0, 0, 0, $i % 28, $i % 12, 100) if $i % 8 == 0;
    }
    return $sum;
}

# --- json (elsewhere)

sub ph_json {
    my $json = JSON::PP->new->canonical;
    my $data = { list => [ 1 .. 20 ], words => [ @WORDS[ 1 .. 12 ] ], nested => { yes => undef, no => "a\"b\n" } };
    my $sum  = 0;
    for my $round (1 .. 260) {
        my $text = $json->encode($data);
        $data = $json->decode($text);
        $sum += length $text;
    }
    return $sum;
}

# --- encodings (elsewhere)

sub ph_encodings {
    my $sum = 0;
    for my $i (1 .. 4000) {
        my $bytes = Encode::encode('UTF-8', "\x{263a} $i \x{e9}");
        $sum += length $bytes;
        $sum += length Encode::decode('UTF-8', $bytes);
        $sum += length Encode::encode('iso-8859-1', "caf\x{e9}") if $i % 4 == 0;
    }
    return $sum;
}

# --- freezing (elsewhere)

sub ph_freezing {
    my $data = { map { $_ => [ 1 .. 5, { word => $_ } ] } @WORDS[ 0 .. 30 ] };
    my $sum  = 0;
    for my $round (1 .. 350) {
        $sum += keys %{ Storable::dclone($data) };
        $sum += keys %{ Storable::thaw(Storable::nfreeze($data)) };
    }
    return $sum;
}

# --- dumping (elsewhere)

sub ph_dumping {
    my $data = { numbers => [ 1 .. 15 ], words => { map { $_ => 1 } @WORDS[ 0 .. 9 ] } };
    my $sum  = 0;
    for my $round (1 .. 550) {
        my $dumper = Data::Dumper->new([$data])->Indent(1)->Sortkeys(1);
        $dumper->Useperl(1) if $round % 11 == 0;
        $sum += length $dumper->Dump;
    }
    return $sum;
}

Phases::run(__FILE__);
