# SPDX-License-Identifier: MIT
package Survival;

# Runs the programs of Faults bare, under this profiler and under its peer, and makes a table of what was seen.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min sum0 uniq);

use Faults qw(groups);
use Profiled qw(has_peer);
use Run qw(run under_profiler);

our @EXPORT_OK = qw(peer_in rows table);

my $WIDTH = 56;

# Perl's switches for the peer, none if there is no peer.
sub peer_in {
    my ($dir) = @_;
    if (!defined $dir) { return has_peer() ? ['-d:NYTProf'] : undef }
    my ($found) = glob "$dir/usr/lib/*/perl5/*/Devel/NYTProf.pm";
    $found or die "$dir: no Devel::NYTProf is unpacked there\n";
    return [ '-I' . $found =~ s{/Devel/NYTProf\.pm$}{}r, '-d:NYTProf' ];
}

# The lines of the table.
sub table {
    my ($peer, $only, $verbose) = @_;
    my @lines = (line('', 'this one', $peer ? 'Devel::NYTProf 6' : ''));
    for my $group (groups()) {
        my ($title, @faults) = @$group;
        my @rows = rows($peer, $verbose, grep { $_->{name} =~ $only } @faults) or next;
        push @lines, '', "  $title", map { line(@$_) } @rows;
    }
    return @lines;
}

sub line {
    my ($name, @cells) = @_;
    return sprintf("    %-*s  %-19s  %s", $WIDTH - 4, $name, @cells) =~ s/\s+$//r;
}

# [name, ours, peer's] for each fault.
sub rows {
    my ($peer, $verbose, @faults) = @_;
    my @rows;
    for my $fault (@faults) {
        my @results = map { results($_, $peer, $verbose) } @{ $fault->{programs} };
        my @cells = map { my $who = $_; cell(map { $_->{$who} } @results) } 'ours', $peer ? 'peer' : ();
        push @rows, [ $fault->{name}, @cells, $peer ? () : '' ];
        print {*STDERR} line(@{ $rows[-1] }), "\n" if $verbose;
    }
    return @rows;
}

# How a program went, by profiler: { like => 'same', ..., kept => percent }.
sub results {
    my ($program, $peer, $verbose) = @_;
    my @bare = ((grep {/^-I/} under_profiler()));
    my $bare = run_with($program, @bare);
    my %switches = (ours => [ under_profiler() ], $peer ? (peer => $peer) : ());
    my %result;
    for my $who (sort keys %switches) {
        my $run = run_with($program, @{ $switches{$who} });
        my $kept = 100 * calls($run, $switches{$who}) / $program->{calls};
        $result{$who} = { like => likeness($bare, $run), kept => $kept };
        print {*STDERR} describe($who, $program, $bare, $run, $result{$who}) if $verbose;
    }
    return \%result;
}

sub run_with {
    my ($program, @switches) = @_;
    my %with = %{ $program->{with} };
    push @switches, @{ delete $with{more} // [] };
    return run($program->{text}, %with, switches => \@switches, env => { SWITCHES => "@switches" });
}

# A message is a line on standard error that the program does not print itself. A profiler that cannot open its file
# lets no program start.
sub likeness {
    my ($bare, $run) = @_;
    return 'does not start' if $run->{exit} && $run->{err} =~ /failed to open.*^BEGIN failed--/ms;
    my ($then, $now) = map { my $of = $_; +{ map { ($_ => $of->{$_} =~ s/0x\K[0-9a-f]+//gr) } keys %$of } } $bare, $run;
    my @differ = grep { $then->{$_} ne $now->{$_} } qw(out err exit signal);
    return @differ == 0 ? 'same' : "@differ" eq 'err' ? 'a message' : 'differs';
}

# The sum of the calls of main::counted in all profiles that can be read.
my $READER = <<'PERL';
use Devel::NYTProf::Data;
open STDERR, '>', '/dev/null';
for my $file (@ARGV) {
    my $subs = eval { Devel::NYTProf::Data->new({ filename => $file, quiet => 1 })->subname_subinfo_map };
    my $sub = $subs && $subs->{'main::counted'};
    $calls += $sub->calls if $sub;
}
print $calls // 0;
PERL

sub calls {
    my ($run, $switches) = @_;
    my @files = grep {-f} glob("$run->{dir}/nytprof.out*"), glob "$run->{dir}/sub/nytprof.out*";
    my $calls = @files ? read_calls($switches, @files) : 0;
    return $calls if defined $calls;
    return sum0(map { read_calls($switches, $_) // 0 } @files);    # without one that kills its reader
}

sub read_calls {
    my ($switches, @files) = @_;
    open my $in, '-|', 'env', '-u', 'PERL5LIB', '-u', 'NYTPROF', $^X, (grep {/^-I/} @$switches), '-e', $READER, @files
        or die "perl: $!\n";
    my $calls = <$in>;
    return close $in ? $calls : undef;
}

# What is true of all results: "same, 86-100 %".
sub cell {
    my @results = @_;
    my @like = uniq map { $_->{like} } @results;
    my $other = grep { $_->{like} !~ /same|message/ } @results;
    my $like = @like == 1 ? $like[0] : $other ? "$other of ${\scalar @results} differ" : 'a message';
    my ($least, $most) = map {int} min(map { $_->{kept} } @results), max(map { $_->{kept} } @results);
    return $like eq 'does not start' ? $like : "$like, " . ($least == $most ? "$least %" : "$least-$most %");
}

sub describe {
    my ($who, $program, $bare, $run, $result) = @_;
    return '' if $result->{like} eq 'same' && $result->{kept} == 100;
    my $said = sub { my ($of) = @_; join ' ', map { "$_=" . substr $of->{$_}, 0, 200 } qw(exit signal out err) };
    return "--- $who: $result->{like}, $result->{kept} % of " . substr($program->{text}, 57, 150) . "\n    bare: "
        . $said->($bare) . "\n    $who: " . $said->($run) . "\n";
}

1;
