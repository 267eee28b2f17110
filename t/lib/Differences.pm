# SPDX-License-Identifier: MIT
package Differences;

# The known differences in the counts of this profiler and its peer, and their reasons. Each kind of difference has a
# program in t/perl/peer.txt that shows it alone.

use strict;
use warnings;

use Exporter 'import';
use File::Temp qw(tempdir);

use Facts qw(from_capture from_peer);
use Profiled qw(command);

our @EXPORT_OK = qw(class_of classes differences facts_of);

# [name, kind of its rows, reason of the difference, predicate of a row]. A row is in the first class that matches.
my @CLASSES = (
    [ 'loop condition', 'edge', 'the peer takes calls in a loop\'s condition for calls from the body\'s last line',
        sub { $_[0]{same_in_file} && $_[0]{more_only_at_loops} } ],
    [ 'temporaries', 'edge', 'a statement\'s temporary objects are destroyed by it; the peer names the statement after',
        sub { $_[0]{sub} =~ /::DESTROY$/ && $_[0]{same_in_all} && !$_[0]{same_at_line} } ],
    [ 'switches', 'edge', 'what -M calls comes from line 1, like its statement; the peer says 0',
        sub { $_[0]{line} < 2 && $_[0]{same_in_file} } ],
    [ 'formats', 'edge', 'a format is part of what writes it; the peer makes it a caller, but only outside of subs',
        sub { $_[0]{format_runs} && $_[0]{same_at_line} } ],
    [ 'error at the end', 'edge', 'what the last $@ held goes before the END blocks; the peer names a caller of BEGIN',
        sub { $_[0]{sub} =~ /::DESTROY$/ && $_[0]{line} == 0 && $_[0]{same_at_line} } ],
    [ 'last statement', 'line', 'the peer counts a statement when it is over, and so never the one a program dies in',
        sub { $_[0]{only_line} && $_[0]{ours} == $_[0]{peer} + 1 } ],
);

# Facts of a run of @program, perl's arguments, in the current directory by $who ("ours" or "peer").
sub facts_of {
    my ($who, $options, @program) = @_;
    my $file    = tempdir(CLEANUP => 1) . "/$who.out";
    my @command = command($who, { file => $file, %$options }, @program);
    system 'sh', '-c', '"$@" >/dev/null 2>&1', 'sh', @command;
    -s $file or die "$who has not profiled @program\n";
    return $who eq 'ours' ? from_capture($file) : from_peer($file);
}

sub classes { return @CLASSES }

# The name of the first class that matches the row, or undef.
sub class_of {
    my ($row) = @_;
    for my $class (@CLASSES) {
        my ($name, $kind, undef, $knows) = @$class;
        return $name if $row->{kind} eq $kind && $knows->($row);
    }
    return;
}

# The rows in which two Facts differ: statements of a line (kind "line"), calls by caller, line and callee ("edge").
# Each has kind, file, line, caller, sub, ours, peer; and, for the predicates, facts about the rows around it:
#
#   same_at_line        the sums of calls of the sub from this line, by all callers, are equal
#   same_in_file        the sums of calls of the sub from this file by this caller are equal
#   same_in_all         the sums of all calls of the sub are equal
#   more_only_at_loops  of the calls of same_in_file, ours has more only at lines with a loop
#   format_runs         one of the calls from this line is part of running a format
#   only_line           statements differ nowhere else
sub differences {
    my ($ours, $peer) = @_;
    my @rows = map { differing($ours, $peer, $_) } qw(line edge);
    my (%balance, %more_elsewhere, %format_runs);
    for my $row (@rows) {
        my ($at_line, $in_file, $in_all) = scopes($row);
        $balance{$_} += $row->{ours} - $row->{peer} for $at_line, $in_file, $in_all;
        $more_elsewhere{$in_file} ||= $row->{ours} > $row->{peer} && !has_loop($ours, $row);
        $format_runs{"$row->{file}:$row->{line}"} ||= $row->{sub} =~ /CORE:formline$/;
    }
    my $lines = grep { $_->{kind} eq 'line' } @rows;
    for my $row (@rows) {
        my ($at_line, $in_file, $in_all) = scopes($row);
        $row->{only_line} = $lines == 1;
        @{$row}{qw(same_at_line same_in_file same_in_all)} = map { !$balance{$_} } $at_line, $in_file, $in_all;
        $row->{more_only_at_loops} = !$more_elsewhere{$in_file};
        $row->{format_runs}        = $format_runs{"$row->{file}:$row->{line}"};
    }
    return @rows;
}

sub differing {
    my ($ours, $peer, $kind) = @_;
    my %all = (%{ $ours->{$kind} }, %{ $peer->{$kind} });
    my @rows;
    for my $key (sort keys %all) {
        my ($n, $m) = map { $_->{$kind}{$key} // 0 } $ours, $peer;
        next if $n == $m;
        my ($file, $line, $caller, $sub) = $key =~ /^(.*?):(\d+)(?: (.*) > (.*))?$/s;
        push @rows, { kind => $kind, file => $file, line => $line, caller => $caller // '', sub => $sub // '',
            ours => $n, peer => $m };
    }
    return @rows;
}

sub scopes {
    my ($row) = @_;
    my ($kind, $file, $line, $caller, $sub) = @{$row}{qw(kind file line caller sub)};
    return map { join "\0", $kind, @$_ } [ 'at line', $file, $line, $sub ], [ 'in file', $file, $caller, $sub ],
        [ 'in all', $sub ];
}

# The loop that -n and -p put around a program is on its line 1.
sub has_loop {
    my ($ours, $row) = @_;
    return 1 if $row->{line} < 2 && $row->{sub} =~ /CORE:readline$/;
    return ($ours->{source}{ $row->{file} }[ $row->{line} ] // '') =~ /\b(?:while|until|for|foreach)\b/;
}

1;
