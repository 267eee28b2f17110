# SPDX-License-Identifier: MIT
package Firefox;

# Reads what `nytprof firefox` writes, as its viewer does.

use strict;
use warnings;

use Exporter 'import';
use JSON::PP;
use List::Util qw(sum0);

use Tree qw(slurp);

our @EXPORT_OK = qw(firefox firefox_total);

# { threads => [ { name, pid, start, samples => [ { path => [ [ name, file, line, category ], ... the outermost first ],
# time, ns, cpu => CPU time in ns, or undef } ] } ], sources => { file => text }, subs => { name => ns }, total => ns,
# meta }. Dies of tables with columns of different lengths and of numbers that lead nowhere.
sub firefox {
    my ($file) = @_;
    my $profile = JSON::PP->new->utf8->decode(slurp($file));
    my ($shared, $meta) = @{$profile}{qw(shared meta)};
    my @strings = @{ $shared->{stringArray} };
    my %tables = map { ($_ => table($_, $shared->{$_})) } grep { $_ ne 'stringArray' } keys %$shared;
    my @sources = map { [ at(\@strings, $_->{filename}), $_->{content} ] } @{ $tables{sources} };
    my @functions = map { [ at(\@strings, $_->{name}), defined $_->{source} ? at(\@sources, $_->{source})->[0] : '' ] }
        @{ $tables{funcTable} };
    my @frames = map { [ @{ at(\@functions, $_->{func}) }, $_->{line}, $meta->{categories}[ $_->{category} ]{name} ] }
        @{ $tables{frameTable} };
    my @paths;
    for my $stack (@{ $tables{stackTable} }) {
        my $ahead = $stack->{prefixOffset};
        push @paths, [ $ahead ? @{ at(\@paths, @paths - $ahead) } : (), at(\@frames, $stack->{frame}) ];
    }
    my @threads = map { thread($_, \@paths) } @{ $profile->{threads} };
    my %subs;
    $subs{ $_->{path}[-1][0] } += $_->{ns} for map { @{ $_->{samples} } } @threads;
    return { threads => \@threads, meta => $meta, subs => \%subs, total => sum0(values %subs),
        sources => { map { ($_->[0] => $_->[1]) } @sources } };
}

# Rows of a table.
sub table {
    my ($name, $table) = @_;
    my @columns = sort grep { ref $table->{$_} } keys %$table;
    for (@columns) { @{ $table->{$_} } == $table->{length} or die "$name: $_ has another length\n" }
    return [ map { my $i = $_; +{ map { ($_ => $table->{$_}[$i]) } @columns } } 0 .. $table->{length} - 1 ];
}

sub at {
    my ($list, $i) = @_;
    $i >= 0 && $i < @$list or die "$i is not among ", scalar(@$list), "\n";
    return $list->[$i];
}

sub thread {
    my ($thread, $paths) = @_;
    $thread->{samples}{weightType} eq 'tracing-ms' or die "weights are $thread->{samples}{weightType}\n";
    my @rows    = @{ table('samples', $thread->{samples}) };
    my @samples = map { +{ path => at($paths, $_->{stack}), time => $_->{time}, ns => nanoseconds($_->{weight}) } }
        grep { defined $_->{stack} } @rows;
    @samples == @rows or @samples == $#rows && !defined $rows[-1]{stack} or die "a sample has no stack\n";
    $samples[ $_ - 1 ]{cpu} = $rows[$_]{threadCPUDelta} for 1 .. $#rows;
    $samples[$_]{time} >= $samples[ $_ - 1 ]{time} or die "sample $_ is earlier than the one before\n"
        for 1 .. $#samples;
    table('markers', $thread->{markers});
    return { name => $thread->{name}, pid => $thread->{pid}, start => $thread->{processStartupTime},
        samples => \@samples };
}

sub nanoseconds { my ($ms) = @_; return sprintf '%.0f', $ms * 1e6 }

# The total alone, of large files, too.
sub firefox_total {
    my ($file) = @_;
    my $text = slurp($file);
    return sum0(map { nanoseconds($_) } map { split /,/ } $text =~ /"weight":\[([^\]]*)\]/g);
}

1;
