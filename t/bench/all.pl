# SPDX-License-Identifier: MIT
# Measures every figure that has a goal: perl t/bench/all.pl [--rounds N] [BENCHMARK...]
#
# Runs each benchmark and shows its output. A table at the end has each figure, its goal, whether it is held, and the
# command that measures it again. This takes half an hour, best on a core of its own:
# taskset -c 1 chrt -f 10 perl t/bench/all.pl
use strict;
use warnings;

use FindBin;
use Getopt::Long;
use List::Util qw(max);

use lib "$FindBin::Bin/../lib";
use Goals qw(goals_in);

# name => [program, its arguments]
my @BENCHMARKS = (
    [ events             => 'events.pl' ],
    [ events_monotonic   => 'events.pl', qw(--clock monotonic) ],
    [ accuracy           => 'accuracy.pl' ],
    [ accuracy_monotonic => 'accuracy.pl', qw(--clock monotonic --no-peer) ],
    [ lua_events         => 'lua-events.pl' ],
    [ lua_accuracy       => 'lua-accuracy.pl' ],
    [ lua_monotonic      => 'lua-accuracy.pl', qw(--clock monotonic) ],
    [ start              => 'start.pl' ],
    [ run                => 'run.pl' ],
    [ fork               => 'fork.pl' ],
    [ large              => 'large.pl' ],
    [ exports            => 'exports.pl' ],
    [ build_text         => 'build-text.pl' ],
    [ make               => 'make.pl' ],
    [ diff               => 'diff.pl', qw(--pairs 3) ],
    [ measures           => 'measures.pl' ],
);

GetOptions('rounds=i' => \my $rounds) or die "usage: perl t/bench/all.pl [--rounds N] [BENCHMARK...]\n";
my %wanted = map { $_ => 1 } @ARGV;
delete @wanted{ map { $_->[0] } @BENCHMARKS };
die "no benchmark '$_'; there are: @{[ map { $_->[0] } @BENCHMARKS ]}\n" for sort keys %wanted;

$| = 1;
my @rows = ([ 'figure', 'measured', 'goal', '', 'by perl t/bench/' ]);
for my $benchmark (@BENCHMARKS) {
    my ($name, $program, @arguments) = @$benchmark;
    next if @ARGV && !grep { $_ eq $name } @ARGV;
    push @rows, map { [ @$_, join ' ', $program, @arguments ] } goals_in(shown($program, @arguments));
}
print "\n", table(@rows);
exit(scalar(grep { $_->[3] eq 'MISSED' } @rows) ? 1 : 0);

# The output of the program, printed while it runs.
sub shown {
    my ($program, @arguments) = @_;
    print "\n=== $program @arguments\n\n";
    open my $out, '-|', $^X, "$FindBin::Bin/$program", $rounds ? ('--rounds', $rounds) : (), @arguments
        or die "$program: $!\n";
    my $text = '';
    while (my $line = <$out>) {
        print $line;
        $text .= $line;
    }
    close $out or die "$program fails\n";
    return $text;
}

sub table {
    my (@rows) = @_;
    my @format = map { my $i = $_; '%-' . max(map { length $_->[$i] } @rows) . 's' } 0 .. 3;
    return map { sprintf "@format %s\n", @$_ } @rows;
}
