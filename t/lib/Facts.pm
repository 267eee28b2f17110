# SPDX-License-Identifier: MIT
package Facts;

# The results of three profilers for a run, in one form:
#
#     line    {"FILE:LINE"}               statements executed in the line
#     call    {"FILE:LINE SUB"}           calls of SUB from the line
#     edge    {"FILE:LINE CALLER > SUB"}  calls by caller: a sub, or main::RUNTIME
#     sub     {SUB}                       { calls, inclusive, exclusive }, times in seconds
#     source  {FILE}                      its lines, from line 1; of this profiler only
#
# The three are this profiler (by `nytprof dump`), its peer (by the peer's own Perl API) and Devel::LineCounter, which
# has no callers.

use strict;
use warnings;

use Dump qw(records);
use Exporter 'import';

our @EXPORT_OK = qw(from_capture from_records from_counter from_peer);

# --- this profiler: counts are sums of deltas, inclusive times are sums over the tree of calling contexts -------------

sub from_capture {
    my ($capture) = @_;
    return from_records(records($capture));
}

sub from_records {
    my %records = by_id(@_);
    my %facts   = (line => {}, call => {}, edge => {}, sub => {}, source => {});
    $facts{source}{ $_->{name} } = $_->{source} for values %{ $records{file} };
    for my $place (grep { $_->{file} } values %{ $records{place} }) {    # place 0 is before the first statement
        $place->{where} = "$records{file}{$place->{file}}{name}:$place->{line}";
        $facts{line}{ $place->{where} } += $place->{count} if $place->{count};
    }
    for my $node (grep { $_->{sub} } values %{ $records{node} }) {
        my $name  = $records{sub}{ $node->{sub} }{name};
        my $where = $records{place}{ $node->{place} }{where} // ':0';
        add_call(\%facts, $where, caller_of($node, \%records), $name, $node->{count}) if $node->{count};
        $facts{sub}{$name}{calls}     += $node->{count};
        $facts{sub}{$name}{exclusive} += $node->{ticks} / $node->{rate};
    }
    add_inclusive(\%facts, \%records);
    return \%facts;
}

sub caller_of {
    my ($node, $records) = @_;
    my $parent = $records->{node}{ $node->{parent} };
    return $parent && $parent->{sub} ? $records->{sub}{ $parent->{sub} }{name} : 'main::RUNTIME';
}

sub add_call {
    my ($facts, $where, $caller, $sub, $count) = @_;
    $facts->{call}{"$where $sub"} += $count;
    $facts->{edge}{"$where $caller > $sub"} += $count if defined $caller;
    return;
}

# kind => { id => record }. Each id has the number of its stream before it, as streams have ids of their own.
sub by_id {
    my (@dumped) = @_;
    my %id_field = map { $_ => 1 } qw(id file parent place sub);
    my (%records, %rate);
    for my $dumped (@dumped) {
        my %field = %$dumped;
        my ($kind, $stream) = delete @field{qw(kind stream)};
        $rate{$stream} = $field{ticks_per_second} if $kind eq 'process_start';
        add_source($records{file}{"$stream.$field{file}"}{source} //= [], \%field) if $kind eq 'source';
        my ($noun, $delta) = $kind =~ /^(file|sub|place|node)(_delta)?$/ or next;
        for my $name (grep { $id_field{$_} && $field{$_} } keys %field) {
            $field{$name} = "$stream.$field{$name}";
        }
        my $record = $records{$noun}{ $field{id} } //= { count => 0, ticks => 0 };
        if   ($delta) { $record->{$_} += $field{$_} for qw(count ticks) }
        else          { @{$record}{ keys %field } = values %field }
        $record->{rate} = $rate{$stream};
    }
    return %records;
}

sub add_source {
    my ($source, $field) = @_;
    my @lines = split /^/, $field->{text};
    @{$source}[ $field->{first_line} .. $field->{first_line} + $#lines ] = @lines;
    return;
}

# Inclusive times without calls inside a call of the same sub, whose time is part of the outer call's.
sub add_inclusive {
    my ($facts, $records) = @_;
    my $nodes = $records->{node};
    for my $node (values %$nodes) {
        my %seen;
        for (my $at = $node; $at && $at->{sub}; $at = $nodes->{ $at->{parent} }) {
            my $name = $records->{sub}{ $at->{sub} }{name};
            $facts->{sub}{$name}{inclusive} += $node->{ticks} / $node->{rate} if !$seen{$name}++;
        }
    }
    return;
}

# --- the peer: read by a perl of its own, which finds the peer's modules instead of ours ------------------------------

# Lines and subs are from the peer's model, and calls from the file's records, as the model merges the callers of a
# line.
my $PEER_READER = <<'END';
use Devel::NYTProf::Data;
use Devel::NYTProf::ReadStream qw(for_chunks);
my ($file) = @ARGV;
my $profile = Devel::NYTProf::Data->new({ filename => $file, quiet => 1, skip_collapse_evals => 1 });
my %name = map { $_->fid => $_->filename } grep { $_ } $profile->all_fileinfos;
my $lines = $profile->get_fid_line_data('line');
for my $fid (grep { $lines->[$_] } 1 .. $#$lines) {
    my $of = $lines->[$fid];
    print "line\t$of->[$_][1]\t$_\t$name{$fid}\n" for grep { $of->[$_] && $of->[$_][1] } 0 .. $#$of;
}
for my $sub (values %{ $profile->subname_subinfo_map }) {
    print join("\t", 'sub', $sub->calls, $sub->incl_time, $sub->excl_time, $sub->subname), "\n" if $sub->calls;
}
for_chunks {
    my ($tag, $fid, $line, $count, undef, undef, undef, undef, $called, $caller) = @_;
    print "call\t$count\t$line\t$called\t$name{$fid}\t$caller\n" if $tag eq 'SUB_CALLERS' && $count;
} filename => $file;
END

sub from_peer {
    my ($data) = @_;
    open my $in, '-|', 'env', '-u', 'PERL5LIB', '-u', 'NYTPROF', $^X, '-e', $PEER_READER, $data or die "perl: $!\n";
    my $facts = read_lines($in);
    close $in or die "the peer cannot read $data\n";
    return $facts;
}

# --- Devel::LineCounter -----------------------------------------------------------------------------------------------

sub from_counter {
    my ($counts) = @_;
    open my $in, '<', $counts or die "$counts: $!\n";
    return read_lines($in);
}

sub read_lines {
    my ($in) = @_;
    my %facts = (line => {}, call => {}, edge => {}, sub => {});
    while (my $line = <$in>) {
        chomp $line;
        my ($kind, $count, @rest) = split /\t/, $line;
        if    ($kind eq 'line') { $facts{line}{"$rest[1]:$rest[0]"} += $count }
        elsif ($kind eq 'call') { add_call(\%facts, "$rest[2]:$rest[0]", @rest[ 3, 1 ], $count) }
        elsif ($kind eq 'sub') {
            $facts{sub}{ $rest[2] } = { calls => $count, inclusive => $rest[0], exclusive => $rest[1] };
        }
    }
    return \%facts;
}

1;
