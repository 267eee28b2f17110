# SPDX-License-Identifier: MIT
package Exported;

# Reads what any export of subs writes, by a small reader of each format.

use strict;
use warnings;

use Exporter 'import';
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(sum0);
use Test::More;

use Capture qw(nytprof);
use Firefox qw(firefox firefox_total);
use Pprof qw(pprof);
use Syscap qw(syscap);
use Tree qw(slurp);

our @EXPORT_OK = qw(export formats own_times total);

my %reader = (
    callgrind  => \&callgrind,
    cpuprofile => \&cpuprofile,
    flat       => \&flat,
    firefox    => sub { firefox($_[0])->{subs} },
    folded     => \&folded,
    json       => \&json,
    pprof      => sub { pprof($_[0])->{subs} },
    speedscope => \&speedscope,
    syscap     => sub { syscap($_[0])->{subs} },
);

my $dir = tempdir(CLEANUP => 1);

# export(FORMAT, OPTIONS..., CAPTURE) is the file that `nytprof FORMAT` writes. A message fails a test.
sub export {
    my ($format, @arguments) = @_;
    my (undef, $err, $exit) = nytprof($format, '-o', "$dir/$format", @arguments);
    is "$exit$err", '0', "nytprof $format @arguments" =~ s/\S+\///gr;
    return "$dir/$format";
}

sub formats { my @formats = sort keys %reader; return @formats }

# own_times(FORMAT, FILE) is { name => ns }: each sub's own time, of those with any. Names are characters, not bytes.
sub own_times {
    my ($format, $file) = @_;
    my $times = $reader{$format}->($file);
    my %found;
    for my $name (keys %$times) {
        my $decoded = $name;
        utf8::decode($decoded) if !utf8::is_utf8($decoded);
        $found{$decoded} += $times->{$name} if $times->{$name};
    }
    return \%found;
}

# Of a large file, too, in a moment.
sub total {
    my ($format, $file) = @_;
    return firefox_total($file) if $format eq 'firefox';
    return sum0(values %{ $reader{$format}->($file) });
}

sub decoded { my ($file) = @_; return JSON::PP->new->utf8->decode(slurp($file)) }

sub folded {
    my ($file) = @_;
    my %own;
    for (split /\n/, slurp($file)) {
        my ($path, $ns) = /^(.+) (\d+)$/ or die "$file: $_\n";
        $own{ (split /;/, $path)[-1] } += $ns;
    }
    return \%own;
}

# Rows of seconds with nine decimals, cumulative and own, and of names in their column, up to an empty line.
sub flat {
    my ($file) = @_;
    my ($head, $rows) = slurp($file) =~ /^( *time +seconds [^\n]*)name\n(.*?)^$/ms or die "$file: no flat profile\n";
    my @own;
    for (split /\n/, $rows) {
        my ($seconds) = /^ *[\d.]+ +[\d.]+ +([\d.]+)/ or die "$file: $_\n";
        push @own, substr($_, length $head), sprintf '%.0f', $seconds * 1e9;
    }
    return by_name(@own);
}

# The line behind calls= has the time of callees.
sub callgrind {
    my ($file) = @_;
    my (%name, %own, $fn, $is_call);
    for (split /\n/, slurp($file)) {
        if (/^(c?)fn=\((\d+)\)(?: (.*))?$/) {
            $name{$2} = $3 if defined $3;
            $fn = $2 if !$1;
        }
        elsif (/^calls=\d+ \d+$/) { $is_call = 1 }
        elsif (/^\d+ (\d+)/) {
            $own{$fn} += $1 if !$is_call;
            $is_call = 0;
        }
        elsif (!/^$|^#|^[\w ]+:|^(?:c?f[lie])=\(\d+\)/) { die "$file: $_\n" }
    }
    return by_name(map { ($name{$_}, $own{$_}) } keys %own);
}

# Several subs may have one name.
sub by_name {
    my %own;
    while (my ($name, $ns) = splice @_, 0, 2) { $own{$name} += $ns }
    return \%own;
}

sub cpuprofile {
    my ($file) = @_;
    return by_name(map { ($_->{callFrame}{functionName}, $_->{hitCount}) } @{ decoded($file)->{nodes} });
}

sub json {
    my ($file) = @_;
    return by_name(map { @{$_}{qw(name exclusive)} } @{ decoded($file)->{subs} });
}

sub speedscope {
    my ($file) = @_;
    my $data = decoded($file);
    my @names = map { $_->{name} } @{ $data->{shared}{frames} };
    my @own;
    for my $profile (grep { $_->{unit} eq 'nanoseconds' } @{ $data->{profiles} }) {
        push @own, map { ($names[ $profile->{samples}[$_][-1] ], $profile->{weights}[$_]) }
            0 .. $#{ $profile->{samples} };
    }
    return by_name(@own);
}

1;
