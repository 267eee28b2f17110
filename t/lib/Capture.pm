# SPDX-License-Identifier: MIT
package Capture;

# Captures made from xs/capture/FORMAT alone, so that tests with them also show that FORMAT is right.

use strict;
use warnings;

use Compress::Zlib qw(compress crc32);
use Exporter 'import';
use File::Temp qw(tempdir);
use FindBin;

our @EXPORT_OK = qw(u i s d record chunk text nytprof has_zlib table);

my $TOP = "$FindBin::Bin/..";

# Numbers and strings, section 1.
sub u {
    my ($n) = @_;
    my $bytes = '';
    while ($n >= 0x80) {
        $bytes .= chr($n & 0x7F | 0x80);
        $n >>= 7;
    }
    return $bytes . chr $n;
}

sub i { my ($n) = @_; return u($n < 0 ? -2 * $n - 1 : 2 * $n) }
sub d { my ($n, $before) = @_; return i($n - $before) }
sub s { my ($text) = @_; return u(length $text) . $text }

# Section 4: record(KIND, FIELDS as bytes).
sub record { my ($kind, @fields) = @_; return u($kind) . Capture::s(join '', @fields) }

# Section 3: chunk(PAYLOAD, number => 2, pid => 7, ...).
sub chunk {
    my ($payload, %with) = @_;
    my %head = (version => 1, deflated => 0, front_end => 1, run => 'R' x 16, process_start => 17e17, pid => 4711,
        thread => 0, number => 1, start => 0, end => 100, %with);
    my $stored = $head{deflated} ? compress($payload) : $payload;
    my $summed = pack('V V C C v a16 Q< V V V Q< q< q<', length $stored, length $payload,
        @head{qw(version deflated front_end run process_start pid thread)}, 0, @head{qw(number start end)}) . $stored;
    return "\xF1NYTP\r\n\x1A" . pack('V', crc32($summed)) . $summed;
}

# Section 2.
sub text { my %line = @_; return join '', "NYTProf capture 1\n", map {":$_=$line{$_}\n"} sort keys %line }

# Section 5 as a list of { kind, name, repeats, fields => [[type, name], ...] }.
sub table {
    open my $in, '<', "$TOP/xs/capture/FORMAT" or die "FORMAT: $!\n";
    my @rows;
    while (<$in>) {
        if (/^ {2,3}(\d+)  (\w+)(, repeats)?: /) {
            push @rows, { kind => $1, name => $2, repeats => !!$3, fields => [] };
        }
        elsif (@rows && /^ {8}([uisd])  (\w+)/) {
            push @{ $rows[-1]{fields} }, [ $1, $2 ];
        }
    }
    return @rows;
}

# Whether this build can compress.
sub has_zlib {
    my (undef, $said) = nytprof('dump', \(text() . chunk(record(4000, ' ' x 999), deflated => 1)));
    return $said !~ /without zlib/;
}

# nytprof(VERB, ARGUMENTS..., \INPUT) returns standard output, standard error and exit code. INPUT is written to a file,
# and its name appended to the arguments.
my $dir = tempdir(CLEANUP => 1);

sub nytprof {
    my @arguments = @_;
    if (@arguments && ref $arguments[-1]) {
        open my $out, '>:raw', "$dir/capture" or die "capture: $!\n";
        print {$out} ${ $arguments[-1] };
        close $out or die "capture: $!\n";
        $arguments[-1] = "$dir/capture";
    }
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        open STDOUT, '>', "$dir/out" or die;
        open STDERR, '>', "$dir/err" or die;
        exec { "$TOP/build/nytprof" } 'nytprof', @arguments or die "build/nytprof: $!\n";
    }
    waitpid $pid, 0;
    my $exit = $? >> 8 || $? & 0x7F;
    my @said = map { open my $in, '<:raw', "$dir/$_" or die; local $/; scalar <$in> } qw(out err);
    s/\Q$dir\E\/// for @said;
    return (@said, $exit);
}

1;
