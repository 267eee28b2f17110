# SPDX-License-Identifier: MIT
package Dump;

# The output of `nytprof dump` as data, and the identities that hold in every capture (xs/capture/FORMAT, section 5).

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(sum);
use POSIX qw(floor);
use Profiled qw($TOP);

our @EXPORT_OK = qw(records of events_of ticks_of imbalances);

my @KINDS = qw(statements switches enters exits leaf_enters leaf_exits);

# A hash for each record, in the order of the file: its fields, its kind, and the number of its stream. Strings are
# unescaped, and ticks corrected, as in reports.
sub records {
    my ($capture) = @_;
    my (@records, $stream);
    open my $dump, '-|', "$TOP/build/nytprof", 'dump', '--corrected', $capture or die "nytprof dump: $!\n";
    while (my $line = <$dump>) {
        my ($kind) = $line =~ /^(\w+)/;
        my %record = (kind => $kind);
        while ($line =~ / (\w+)=(?:"(.*?)(?<!\\)"|(\S+))/g) {    # a backslash that is meant comes as \x5C
            $record{$1} = defined $2 ? unescaped($2) : $3;
        }
        $stream = $record{stream} if $kind eq 'chunk';
        push @records, { stream => $stream, %record };
    }
    close $dump or die "nytprof dump $capture fails\n";
    return @records;
}

sub unescaped {
    my ($text) = @_;
    $text =~ s/\\(?:x(..)|(.))/defined $1 ? chr hex $1 : $2/ge;
    return $text;
}

# of($kind, @records): the records of a kind, or of the kinds that a pattern matches.
sub of {
    my ($kind, @records) = @_;
    return grep { ref $kind ? $_->{kind} =~ $kind : $_->{kind} eq $kind } @records;
}

# The numbers of events of each kind in a place_delta or node_delta, in the order of the prices.
sub events_of {
    my ($delta) = @_;
    return @$delta{ $delta->{kind} eq 'node_delta' ? @KINDS : qw(count switches enters exits leaf_calls leaf_calls) };
}

# The price in a price record, with its 256ths of a tick, which captures of older profilers lack.
sub ticks_of { my ($price) = @_; return $price->{ticks} + ($price->{parts} // 0) / 256 }

# Broken identities, in words. In every chunk with a window, the ticks of places, with those subtracted and left out,
# add up to the window's length, and so do the ticks of nodes, with those waited in no call, too. The subtracted ticks
# are the price of the window's events, of which places and nodes have equal numbers. The windows of a stream follow one
# another; of a ring those before the latest are missing, and its definitions come first.
sub imbalances {
    my (@records) = @_;
    my %is_ring = map { ($_->{stream} => 1) } grep { $_->{key} eq 'ring' } of('property', @records);
    my (@found, %end_of, @chunk);
    my %price = map { ("$_->{stream} $_->{event}" => ticks_of($_)) } of('price', @records);    # the last one counts
    for my $record (@records, { kind => 'chunk' }) {
        if ($record->{kind} eq 'chunk') {
            push @found, imbalances_of_chunk(\%price, @chunk) if @chunk;
            @chunk = ();
            next if !defined $record->{stream} || ($is_ring{ $record->{stream} } && $record->{start} == $record->{end});
            my $before = $end_of{ $record->{stream} } // $record->{start};
            push @found, "chunk $record->{n} starts at $record->{start}, the one before ends at $before"
                if $is_ring{ $record->{stream} } ? $before > $record->{start} : $before != $record->{start};
            $end_of{ $record->{stream} } = $record->{end};
        }
        push @chunk, $record;
    }
    return @found;
}

sub imbalances_of_chunk {
    my ($price, $chunk, @records) = @_;
    my ($window) = of('window', @records) or return;
    my $length  = $chunk->{end} - $chunk->{start};
    my $besides = $window->{subtracted} + $window->{flush} + $window->{off} + ($window->{cold} // 0);
    my %sum     = (subtracted => 0, map { $_ => $besides } qw(place_delta node_delta));
    my %events  = (place => [ (0) x @KINDS ], node => [ (0) x @KINDS ]);
    $sum{node_delta} += $window->{waited};
    for my $record (@records) {
        $sum{ $record->{kind} } += $record->{ticks} if $record->{kind} =~ /^(?:place|node)_delta$/;
        $sum{subtracted} += $record->{count} * $record->{cost} if $record->{kind} eq 'cost';
        next if $record->{kind} !~ /^(place|node)_delta$/;
        my @of = events_of($record);
        $events{$1}[$_] += $of[$_] for 0 .. $#KINDS;
    }
    $sum{subtracted}
        += floor(sum(map { $events{node}[$_] * ($price->{"$chunk->{stream} $_"} // 0) } 0 .. $#KINDS));
    my $has_raw = grep {$_} @{ $events{node} };
    return map {"chunk $chunk->{n}: $_"} (
        (map {"$_ $sum{$_}, window $length"} grep { $sum{$_} != $length } qw(place_delta node_delta)),
        $sum{subtracted} == $window->{subtracted} ? () : "costs $sum{subtracted}, subtracted $window->{subtracted}",
        $has_raw && "@{ $events{place} }" ne "@{ $events{node} }"
        ? "events at places @{ $events{place} }, at nodes @{ $events{node} }" : (),
    );
}

1;
