# SPDX-License-Identifier: MIT
package Syscap;

# Reads a capture of Sysprof, whose own reader crashes where a frame's length is no multiple of eight.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(sum0);

use Tree qw(slurp);

our @EXPORT_OK = qw(syscap text_of_syscap);

# { head => { time, start, end }, frames => { type => n }, quantum => ns, processes => { pid => name }, marks =>
# [ [ pid, group, name, duration, message ] ], counters => { name => [ first value, last value ] }, samples =>
# [ { pid, time, path => [ names, the outermost first ] } ], subs => { name => ns }, total => ns }.
sub syscap {
    my ($file) = @_;
    my $bytes = slurp($file);
    my ($magic, $version, $time, $start, $end) = unpack 'V V Z64 q< q<', $bytes;
    $magic == 0xFDCA975E && $version == 0x101 && length $bytes >= 256 or die "$file: not a capture of Sysprof\n";
    my %all = (head => { time => $time, start => $start, end => $end }, frames => {}, marks => [], samples => [],
        processes => {}, counters => {}, names => {}, ids => {});
    for (my $at = 256; $at < length $bytes;) {
        my ($length, $cpu, $pid, $when, $type) = unpack 'v s< l< q< V', substr $bytes, $at, 24;
        $length % 8 == 0 && $length >= 24 && $length <= 65_528 && $at + $length <= length $bytes
            or die "$file: a frame of $length bytes at byte $at\n";
        $when >= $start && $when <= $end or die "$file: a frame at $when, outside $start to $end\n";
        $all{frames}{$type}++;
        frame(\%all, $type, $pid, $when, substr $bytes, $at + 24, $length - 24);
        $at += $length;
    }
    my %subs;
    for my $sample (@{ $all{samples} }) {
        $_ = $all{names}{$_} // die "$file: an address without a name\n" for @{ $sample->{path} };
        $subs{ $sample->{path}[-1] } += $all{quantum};
    }
    return { %all, subs => \%subs, total => sum0(values %subs) };
}

sub frame {
    my ($all, $type, $pid, $when, $body) = @_;
    if ($type == 2) {
        my ($n, $tid, @addresses) = unpack 'v x2 l< Q<*', $body;
        $n == @addresses or die "a sample of $n addresses has ", scalar(@addresses), "\n";
        push @{ $all->{samples} }, { pid => $pid, time => $when, path => [ reverse @addresses ] };
    }
    elsif ($type == 4) { $all->{processes}{$pid} = unpack 'Z*', $body }
    elsif ($type == 7) {
        my ($n, @names) = unpack 'V/(Q< Z*)', $body;
        my %name = unpack 'V/(Q< Z*)', $body;
        $all->{names}{$_} = $name{$_} for keys %name;
    }
    elsif ($type == 8) {
        my ($n, $counters) = unpack 'v x6 a*', $body;
        for (1 .. $n) {
            (undef, my ($name, undef, $id, $value)) = unpack 'Z32 Z32 Z52 V q<', substr $counters, 0, 128, '';
            $all->{ids}{ $id & 0xFFFFFF } = $name;
            $all->{counters}{$name} = [$value];
        }
    }
    elsif ($type == 9) {
        my ($n, @set) = unpack 'v x6 (V8 q<8)*', $body;
        for (1 .. $n) {
            my @ids = splice @set, 0, 8;
            my @values = splice @set, 0, 8;
            $_ and push @{ $all->{counters}{ $all->{ids}{$_} } }, shift @values for @ids;
        }
    }
    elsif ($type == 10) {
        my ($duration, $group, $name, $message) = unpack 'q< Z24 Z40 Z*', $body;
        push @{ $all->{marks} }, [ $pid, $group, $name, $duration, $message ];
        $all->{quantum} = $1 if $message =~ /^a sample is (\d+) ns$/;
    }
    return;
}

# The same as text, with the number of equal samples in front.
sub text_of_syscap {
    my ($file) = @_;
    my $all = syscap($file);
    my @lines = ("start $all->{head}{time} $all->{head}{start} end $all->{head}{end}",
        map({"frames of type $_: $all->{frames}{$_}"} sort { $a <=> $b } keys %{ $all->{frames} }),
        map({"process $_ $all->{processes}{$_}"} sort keys %{ $all->{processes} }),
        map({"mark @$_"} @{ $all->{marks} }));
    my ($n, $last) = (0, '');
    for my $sample (@{ $all->{samples} }, undef) {
        my $path = $sample ? join ' ', "[$sample->{pid}]", @{ $sample->{path} } : '';
        push @lines, "$n $last" if $n && $path ne $last;
        $n = 0 if $path ne $last;
        ($n, $last) = ($n + 1, $path);
    }
    return join '', map {"$_\n"} @lines;
}

1;
