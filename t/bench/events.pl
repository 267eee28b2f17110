# SPDX-License-Identifier: MIT
# What does each kind of event cost, and how much is subtracted for it? perl t/bench/events.pl [OPTIONS] [PATTERN]
#
# Each row is a sub that repeats one operation. The sub times itself, bare and profiled: the difference (adds) is the
# true cost of the profiler. It is compared with the cost that the profile subtracts (off). The rest is the error: an
# error above 0 is the profiler's work that appears as the program's. Figures are nanoseconds an event, medians of N
# interleaved rounds. The bare and the profiled run of a round have the same environment and allocate a block of the
# same size first, another one in each round, because the addresses of code and data move a row by some nanoseconds.
# Noise is the distance within which the error's median is that of very many rounds, with 95 % certainty. A row misses
# the goal if it does so by more than its noise. PATTERN selects rows by name. Cold rows make a new place, sub or
# context each time.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(max);
use POSIX qw(floor);
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/../lib";
use Goals qw(goal);
use Profiled qw(command median read_profile);
use Tree qw(spew);

my $GOAL  = 5;
my $PAUSE = 0.1;    # seconds between runs, in which other processes can have the core

# name => [copies of the part in {{ }} in a round, rounds, events in that part, body, code before the sub]
my @ROWS = (
    'statement $x = 1' => [
        10, 40_000, 1,
        'my $x; for (1 .. ROUNDS) { {{$x = 1;}} }',
    ],
    'statement, mixed' => [
        4, 30_000, 3,
        'my (%h, $x); for my $i (1 .. ROUNDS) { {{$h{a} += $i; $x = "$i"; $x .= "b";}} }',
    ],
    'call, 0 args, 2 statements' => [
        5, 20_000, 1,
        'for (1 .. ROUNDS) { {{f2();}} }',
        'sub f2 { my $x = 1; return $x }',
    ],
    'call, 1 statement' => [
        5, 20_000, 1,
        'for (1 .. ROUNDS) { {{f1(1);}} }',
        'sub f1 { return $_[0] + 1 }',
    ],
    'call, 3 args' => [
        5, 20_000, 1,
        'for (1 .. ROUNDS) { {{f3(1, 2, 3);}} }',
        'sub f3 { my ($p, $q, $r) = @_; return $p + $q + $r }',
    ],
    'method' => [
        5, 20_000, 1,
        'my $o = bless { v => 1 }; my $x; for (1 .. ROUNDS) { {{$x = $o->get;}} }',
        'sub get { my $self = shift; return $self->{v} }',
    ],
    'closure' => [
        5, 20_000, 1,
        'my $c = counter(); for (1 .. ROUNDS) { {{$c->();}} }',
        'sub counter { my $n = 0; return sub { return ++$n } }',
    ],
    'XSUB' => [
        5, 20_000, 1,
        'my $x; for (1 .. ROUNDS) { {{$x = Scalar::Util::blessed($_);}} }',
    ],
    'slow op (match)' => [
        5, 20_000, 1,
        'my $x; for (1 .. ROUNDS) { {{$x = "abc$_" =~ /9$/;}} }',
    ],
    'print' => [
        5, 20_000, 1,
        'open my $out, ">", "/dev/null"; for (1 .. ROUNDS) { {{print {$out} "hello\n";}} }',
    ],
    'foreach round' => [
        1, 200_000, 1,
        'my $x = 0; for my $i (1 .. ROUNDS) { {{$x += $i;}} }',
    ],
    'for modifier' => [
        1, 200_000, 1,
        'my $x = 0; {{$x += $_}} for 1 .. ROUNDS;',
    ],
    'while round' => [
        1, 200_000, 1,
        'my $i = 0; while ($i < ROUNDS) { {{$i++;}} }',
    ],
    'C-style for' => [
        1, 150_000, 1,
        'my $x = 0; for (my $i = 0; $i < ROUNDS; $i++) { {{$x += $i;}} }',
    ],
    'if and else' => [
        1, 150_000, 1,
        'my $x = 0; for my $i (1 .. ROUNDS) { {{if ($i & 1) { $x += $i } else { $x -= $i } }} }',
    ],
    'eval block' => [
        5, 20_000, 1,
        'my $x; for (1 .. ROUNDS) { {{eval { $x = 1; 1 };}} }',
    ],
    'die and eval' => [
        2, 20_000, 1,
        'for (1 .. ROUNDS) { {{eval { die "x\n" };}} }',
    ],
    'die through a call' => [
        2, 20_000, 1,
        'for (1 .. ROUNDS) { {{eval { dies() };}} }',
        'sub dies { die "x\n" }',
    ],
    'sort {1 expression}' => [
        1, 300, 200,
        'my @l = map { $_ * 7919 % 503 } 1 .. 200; my @s; for (1 .. ROUNDS) { {{@s = sort { $a->[0] '
            . '<=> $b->[0] } map { [$_] } @l;}} }',
    ],
    'sort {2 statements}' => [
        1, 100, 1400,
        'my @l = map { $_ * 7919 % 503 } 1 .. 200; my @s; for (1 .. ROUNDS) { {{@s = sort { my $x = '
            . '$a; $x <=> $b } @l;}} }',
    ],
    'map {2 statements}' => [
        1, 500, 200,
        'my @l = 1 .. 200; my @s; for (1 .. ROUNDS) { {{@s = map { my $y = $_; $y + 1 } @l;}} }',
    ],
    'grep { f() }' => [
        1, 500, 200,
        'my @l = 1 .. 200; my @s; for (1 .. ROUNDS) { {{@s = grep { g1($_) } @l;}} }',
        'sub g1 { return $_[0] & 1 }',
    ],
    'DESTROY' => [
        2, 20_000, 1,
        'for (1 .. ROUNDS) { {{bless [], "Dies";}} }',
        'sub Dies::DESTROY { return }',
    ],
    'tie FETCH' => [
        5, 10_000, 1,
        'tie my $t, "Tied"; my $x; for (1 .. ROUNDS) { {{$x = $t;}} }',
        'sub Tied::TIESCALAR { return bless [], "Tied" } sub Tied::FETCH { return 1 }',
    ],
    'overload' => [
        5, 10_000, 1,
        'my $o = bless [], "Sum"; my $x; for (1 .. ROUNDS) { {{$x = $o + 1;}} }',
        'package Sum { use overload "+" => sub { return 1 } }',
    ],
    'recursion, 50 deep' => [
        1, 1_000, 50,
        'for (1 .. ROUNDS) { {{deep(50);}} }',
        'sub deep { my $n = shift; deep($n - 1) if $n > 1; return }',
    ],
    'recursion, 500 deep' => [
        1, 100, 500,
        'no warnings; for (1 .. ROUNDS) { {{deeper(500);}} }',
        'no warnings "recursion"; sub deeper { my $n = shift; deeper($n - 1) if $n > 1; return }',
    ],
    q(&{'name'}()) => [
        5, 10_000, 1,
        q(no strict 'refs'; for (1 .. ROUNDS) { {{&{'named'}();}} }),
        'sub named { return 1 }',
    ],
    'hanoi of 12 discs' => [
        1, 10, 8191,
        'for (1 .. ROUNDS) { {{hanoi(12, 1, 2, 3);}} }',
        'sub hanoi { my ($n, $p, $q, $r) = @_; return if !$n; hanoi($n - 1, $p, $r, $q); hanoi($n - '
            . '1, $r, $q, $p); return }',
    ],
    'readline' => [
        1, 20_000, 1,
        'open my $out, "+>", undef; print {$out} "$_\n" for 1 .. ROUNDS; seek $out, 0, 0; while (my $line = <$out>) '
            . '{ {{1;}} }',
    ],
    'sysread' => [
        5, 10_000, 1,
        'open my $in, "<", "/dev/zero"; my $b; for (1 .. ROUNDS) { {{sysread $in, $b, 64;}} }',
    ],
    'string eval (cold)' => [
        1, 5_000, 1,
        'my $x; for my $i (1 .. ROUNDS) { {{$x = eval "\$i + 1";}} }',
    ],
);

GetOptions('rounds=i' => \(my $rounds = 15), 'clock=s' => \my $clock, 'overhead=s' => \my $overhead)
    or die "usage: perl t/bench/events.pl [--rounds N] [--clock NAME] [--overhead raw] [PATTERN]\n";
my $pattern = shift // '';

my (@names, %row);
while (my ($name, $row) = splice @ROWS, 0, 2) {
    next if $name !~ /$pattern/;
    push @names, $name;
    $row{$name} = $row;
}
my $dir = tempdir(CLEANUP => 1);
spew("$dir/events.pl", program());
my %options = (file => "$dir/out", $clock ? (clock => $clock) : (), $overhead ? (overhead => $overhead) : ());

my @rounds;    # { who => { number of the row => ns an event } }
for my $round (1 .. $rounds) {
    my %ns = map { ($_ => run_as($_, $round)) } qw(bare ours);
    my $sub = read_profile('ours', "$dir/out", 'events.pl')->{sub};
    $ns{said} = { map { ($_ => 1e9 * $sub->{"main::row_$_"}) } 0 .. $#names };
    push @rounds, { map { ($_ => for_each_event($ns{$_})) } keys %ns };
}

printf "%-28s %8s %8s %8s %8s %8s\n", 'event, ns', qw(bare adds off error noise);
my (%error, %noise);
for my $i (0 .. $#names) {
    my $name = $names[$i];
    my @errors = differences($i, qw(said bare));
    ($error{$name}, $noise{$name}) = (median(@errors), noise(@errors));
    my @columns = (median(map { $_->{bare}{$i} } @rounds), median(differences($i, qw(ours bare))),
        median(differences($i, qw(ours said))), $error{$name}, $noise{$name});
    printf "%-28s %8.1f %8.1f %8.1f %8.1f %8.1f\n", $name, @columns;
}
print "\n";
my $with = join '', map {", $_=$options{$_}"} grep { $_ ne 'file' } sort keys %options;
for my $name (grep { !/cold/ } @names) {
    my $limit = sprintf '%.1f', $GOAL + $noise{$name};
    goal("$name, error$with (goal $GOAL, and its noise)", abs $error{$name}, $limit, 'ns');
}

sub differences {
    my ($row, $more, $less) = @_;
    return map { $_->{$more}{$row} - $_->{$less}{$row} } @rounds;
}

# Half of the interval that contains the true median with 95 % certainty, for values of any distribution.
sub noise {
    my @sorted = sort { $a <=> $b } @_;
    my $low = max(0, floor(@sorted / 2 - sqrt @sorted));
    return ($sorted[ -1 - $low ] - $sorted[$low]) / 2;
}

sub for_each_event {
    my ($ns) = @_;
    return { map { ($_ => $ns->{$_} / events($row{ $names[$_] })) } keys %$ns };
}

sub events { my ($row) = @_; return $row->[0] * $row->[1] * $row->[2] }

# Each sub runs once before the run that is timed.
sub program {
    my $text = "BEGIN { our \$before = 'x' x \$ARGV[0] }\nuse strict; use warnings; use Scalar::Util ();\n"
        . "use Time::HiRes qw(clock_gettime CLOCK_PROCESS_CPUTIME_ID);\n";
    for my $i (0 .. $#names) {
        my ($times, $rounds, undef, $body, $before) = @{ $row{ $names[$i] } };
        my $part = $body =~ s/\{\{(.*)\}\}/PART/s ? "$1\n" x $times : die;
        $body =~ s/PART/$part/;
        my $warm = $body =~ s/ROUNDS/3/gr;
        $body =~ s/ROUNDS/$rounds/g;
        $text .= ($before // '') . "\nsub warm_$i { $warm }\nsub row_$i { $body return }\n";
    }
    my $last = $#names;
    return $text . <<"END";
no strict 'refs';
for my \$i (0 .. $last) {
    &{"warm_\$i"}();
    my \$begin = clock_gettime(CLOCK_PROCESS_CPUTIME_ID);
    &{"row_\$i"}();
    printf "%d %.0f\\n", \$i, 1e9 * (clock_gettime(CLOCK_PROCESS_CPUTIME_ID) - \$begin);
}
END
}

sub run_as {
    my ($who, $round) = @_;
    sleep $PAUSE;
    local $ENV{EVENTS_PL} = 'x' x (208 * $round % 4096);
    open my $out, '-|', command($who, \%options, "$dir/events.pl", 1360 * $round % 16384) or die "perl: $!\n";
    my %ns = map {split} <$out>;
    close $out or die "the program fails\n";
    return \%ns;
}
