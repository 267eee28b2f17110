# SPDX-License-Identifier: MIT
# Measures programs bare, under the peer and under this profiler: perl t/bench/run.pl [--rounds N] [PROGRAM...]
#
# Runs are interleaved, so that a busy machine disturbs all alike, and CPU time counts, not wall time. For each program
# the output has the median, the best run and its factor over the best bare run, and the size of the profile; then the
# speed of reading profiles, the cost of starting, and instructions an event, which do not depend on the load.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(min sum0);

use lib "$FindBin::Bin/../lib";
use Goals qw(goal);
use Profiled qw(command cpu_seconds has_peer median unit_instructions $TOP);
use Tree qw(which);

my $STARTS = 40;

# Goals: the most CPU time over the bare run's, the most instructions an event, and the least number of statements, in
# millions, that are read in a second.
my %MOST = (perlcritic => 1.25, perltidy => 1.18, fib => 1.35, loop => 1.12);
my %MOST_INSTRUCTIONS = (statement => 44, call => 330, xsub => 180, slowop => 165);
my $LEAST_READ = 38;

GetOptions('rounds=i' => \my $rounds) or die "usage: perl t/bench/run.pl [--rounds N] [PROGRAM...]\n";
$rounds //= 5;

my $dir  = tempdir(CLEANUP => 1);
my $peer = has_peer();
my @who  = ('bare', $peer ? 'peer' : (), 'ours');
print $peer ? "The peer is Devel::NYTProf $peer.\n\n" : "No other Devel::NYTProf is installed: no peer.\n\n";

my %program = programs();
my @chosen  = @ARGV ? @ARGV : sort keys %program;
for my $name (@chosen) {
    die "no program '$name'; there are: @{[ sort keys %program ]}\n" if !$program{$name};
}

print "CPU seconds of $rounds interleaved runs, factor of the best over the best bare run, bytes of data\n\n";
printf "%-10s %-5s %8s %8s %8s %10s\n", qw(program run median best factor bytes);
measure($_, @{ $program{$_} }) for @chosen;
exit if @ARGV;

print "\nReading: statements and CPU seconds\n\n";
if ($peer) {
    for ([ 'reading format 5', 6 ], [ 'reading format 5, not compressed', 0 ]) {
        my ($what, $compress) = @$_;
        goal($what, reading_rate($compress), ">= $LEAST_READ", 'million a second');
    }
}
else {
    print "no peer to make a profile\n";
}

print "\nCPU milliseconds to start and end, average of $STARTS\n\n";
printf "%-10s %8.1f\n", $_, start_milliseconds($_) for @who;

print "\nInstructions over bare\n\n";
my %cost = map { ($_ => unit_costs($_)) } @who;
for my $unit (qw(statement call xsub slowop)) {
    goal("$unit, peer", $cost{peer}{$unit}, undef, 'instructions') if $peer;
    goal($unit, $cost{ours}{$unit}, $MOST_INSTRUCTIONS{$unit}, 'instructions');
}

# name => [arguments of perl]; without those of the two large programs that are not installed.
sub programs {
    my %found = map { ($_ => ["$FindBin::Bin/$_.pl"]) } qw(fib loop text oo evals);
    my ($aligner) = grep { -e } map {"$_/Perl/Tidy/VerticalAligner.pm"} @INC;
    my ($policies) = grep { -e } map {"$_/Perl/Critic/Policy/ValuesAndExpressions"} @INC;
    my ($tidy, $critic) = map { which($_) // '' } qw(perltidy perlcritic);
    $found{perltidy} = [ $tidy, '-npro', '-o', '/dev/null', $aligner ] if $aligner && $tidy;
    $found{perlcritic} = [ $critic, '--profile', '', '-1', sort glob "$policies/*.pm" ] if $policies && $critic;
    for my $name (grep { !$found{$_} } qw(perltidy perlcritic)) {
        print "$name is not installed: not measured.\n\n";
    }
    return %found;
}

sub measure {
    my ($name, @program) = @_;
    my %times = times_of($rounds, @program);
    my $bare  = min @{ $times{bare} };
    for my $who (@who) {
        my $best = min @{ $times{$who} };
        printf "%-10s %-5s %8.3f %8.3f %8.2f %10s\n", $name, $who, median(@{ $times{$who} }), $best, $best / $bare,
            $who eq 'bare' ? '' : sum0(map { -s } glob "$dir/$who.out*");
    }
    goal("$name, CPU time over bare", min(@{ $times{ours} }) / $bare, $MOST{$name}, '') if $MOST{$name};
    print "\n";
    return;
}

sub times_of {
    my ($count, @program) = @_;
    my %times;
    for (1 .. $count) {
        push @{ $times{$_} }, time_of($_, @program) for @who;
    }
    return %times;
}

# An exit code does not tell whether a program failed (perlcritic's tells of violations), but the size of its data does.
sub time_of {
    my ($who, @program) = @_;
    unlink glob "$dir/$who.out*";
    my $seconds = cpu_seconds(command($who, { file => "$dir/$who.out" }, @program));
    die "$who has not profiled @program\n" if $who ne 'bare' && !-s "$dir/$who.out";
    return $seconds;
}

# Reads a profile of the peer and writes CSV of its one file.
sub reading_rate {
    my ($compress) = @_;
    my $file = "$dir/v5.out";
    cpu_seconds(command('peer', { file => $file, compress => $compress }, "$FindBin::Bin/loop.pl"));
    my ($statements, $resumed) = qx{$TOP/build/nytprof info $file} =~ /statements (\d+), resumed (\d+)/
        or die "nytprof info $file fails\n";
    my $best = min map { cpu_seconds("$TOP/build/nytprof", 'csv', '-f', $file, '-o', "$dir/csv") } 1 .. $rounds;
    return ($statements + $resumed) / 1e6 / $best;
}

# The average of several starts, as a start takes a few milliseconds and the clock has whole ones.
sub start_milliseconds {
    my ($who) = @_;
    my @command = command($who, { file => "$dir/$who.out" }, '-e', 1);
    return 1000 / $STARTS * cpu_seconds('sh', '-c', "for i in \$(seq $STARTS); do \"\$@\"; done", 'sh', @command);
}

# Instructions a unit over the bare run. A call into C and a slow built-in count without the statement around them.
sub unit_costs {
    my ($who) = @_;
    my %cost;
    $cost{$_} = unit_instructions($who, $_) - unit_instructions('bare', $_) for qw(statement call xsub slowop);
    $cost{$_} -= $cost{statement} for qw(xsub slowop);
    return \%cost;
}
