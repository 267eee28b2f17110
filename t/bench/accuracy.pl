# How true are the times?
#
#     perl t/bench/accuracy.pl [--rounds N] [--clock C] [--overhead O] [--top DIR] [--no-peer] [PROGRAM...]
#
# The programs of t/bench/accuracy know where their time goes: each measures its own phases when nothing profiles it.
# That is the truth, and what this profiler and its peer report of the same phases is set against it, at two levels:
#
#     subs     the inclusive time of a phase's sub
#     lines    the sum of the times of all lines of its section, callees and string evals included; only for phases
#              that do not work elsewhere
#
# The error is the sum over phases of |reported share - true share|, in points. A typical run is made of the shortest
# run of each phase, so it is free of most of the machine's noise; single runs, bare ones among them, show how much
# noise there is. Runs are interleaved, all on the core that this program was started on: for figures that mean
# something let nothing else run there (taskset -c 1 chrt -f 10 perl t/bench/accuracy.pl). --clock and --overhead are
# options of ours; --top measures another tree that is built.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(max min sum);
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/accuracy";
use Goals qw(goal);
use Phases;
use Profiled qw(command has_peer median read_profile use_tree);

my $PAUSE  = 0.1;    # seconds between runs, for what else wants the core: it would have them during one
my @LEVELS = qw(subs lines);

my ($rounds, $with_peer, %options) = (9, 1);
GetOptions('rounds=i' => \$rounds, 'top=s' => \my $top, 'peer!' => \$with_peer,
    map { ("$_=s" => sub { my ($name, $value) = @_; $options{$name} = "$value" }) } qw(clock overhead))
    or die "usage: perl t/bench/accuracy.pl [--rounds N] [--clock C] [--overhead O] [--top DIR] [--no-peer] "
    . "[PROGRAM...]\n";
use_tree(abs_path($top)) if $top;

my $dir = tempdir(CLEANUP => 1);
my @who = ('bare', $with_peer && has_peer() ? 'peer' : (), 'ours');

for my $program (@ARGV ? @ARGV : qw(kinds objects functions text io)) {
    my @phases = Phases::sections("$FindBin::Bin/accuracy/$program.pl");
    my $runs   = runs_of($program, \@phases);
    report($program, \@phases, $runs);
}

# who => [ { subs => { phase => seconds }, lines => { phase => seconds } } ]
sub runs_of {
    my ($program, $phases) = @_;
    my (%runs, %result);
    for my $round (1 .. $rounds) {
        for my $who (@who) {
            my ($seconds, $results) = run_of($who, $program, $phases);
            $result{$who} = $results;
            die "$program does not the same under $who: $results\n" if $results ne $result{bare};
            push @{ $runs{$who} }, { subs => $seconds->{subs}, lines => of_lines($phases, $seconds->{lines}) };
        }
    }
    return \%runs;
}

# One run's times, and what its phases had as results.
sub run_of {
    my ($who, $program, $phases) = @_;
    sleep $PAUSE;
    my $file = "$dir/$who.out";
    unlink glob "$file*";
    open my $out, '-|', command($who, { %{ $who eq 'ours' ? \%options : {} }, file => $file },
        "$FindBin::Bin/accuracy/$program.pl") or die "perl: $!\n";
    my @rows = map { chomp; [ split ' ', $_, 3 ] } <$out>;
    close $out or die "$program fails under $who\n";
    my $results = join '; ', map {"$_->[0] $_->[2]"} @rows;
    my %own = map { ($_->[0] => $_->[1]) } @rows;
    return ($who eq 'bare' ? { subs => \%own, lines => \%own } : reported($who, $file, $program, $phases), $results);
}

sub reported {
    my ($who, $file, $program, $phases) = @_;
    my $profile = read_profile($who, $file, "$program.pl");
    my (%subs, %lines);
    for my $phase (@$phases) {
        $subs{ $phase->{name} }  = $profile->{sub}{"main::ph_$phase->{name}"};
        $lines{ $phase->{name} } = sum(0, grep {defined} @{ $profile->{line} }[ $phase->{first} .. $phase->{last} ]);
    }
    return { subs => \%subs, lines => \%lines };
}

sub of_lines {
    my ($phases, $seconds) = @_;
    return { map { ($_->{name} => $seconds->{ $_->{name} }) } grep { !$_->{elsewhere} } @$phases };
}

sub report {
    my ($program, $phases, $runs) = @_;
    my %typical;
    for my $level (@LEVELS) {
        $typical{$_}{$level} = typical(map { $_->{$level} } @{ $runs->{$_} }) for @who;
    }
    print_phases($program, $phases, \%typical);
    for my $who (@who) {
        print_errors($program, $who, $_, \%typical, $runs) for @LEVELS[ 0 .. ($who eq 'bare' ? 0 : 1) ];
    }
    print "\n";
    return;
}

# The shortest run of each phase.
sub typical {
    my (@runs) = @_;
    return { map { my $phase = $_; ($phase => min(map { $_->{$phase} } @runs)) } keys %{ $runs[0] } };
}

sub print_phases {
    my ($program, $phases, $typical) = @_;
    my @columns = map { my $who = $_; map { [ $who, $_ ] } @LEVELS } grep { $_ ne 'bare' } @who;
    printf "%-24s %8s  %s\n", "$program, phase", 'truth ms', join ' ', map { sprintf '%11s', "@$_" } @columns;
    for my $name (map { $_->{name} } @$phases) {
        my $truth = $typical->{bare}{subs}{$name};
        printf "%-24s %8.2f  %s\n", $name, 1000 * $truth, join ' ', map {
            my $seconds = $typical->{ $_->[0] }{ $_->[1] }{$name};
            defined $seconds ? sprintf '%11.3f', $seconds / $truth : sprintf '%11s', '-'
        } @columns;
    }
    print "\n";
    return;
}

sub print_errors {
    my ($program, $who, $level, $typical, $runs) = @_;
    my $truth   = $typical->{bare}{$level};
    my $error   = share_error($truth, $typical->{$who}{$level});
    my @singles = map { share_error($truth, $_->{$level}) } @{ $runs->{$who} };
    my $what    = join ' ', $program, $who, $who eq 'bare' ? () : $level, map {"$_=$options{$_}"} sort keys %options;
    my $goals   = $who eq 'ours' && !$options{overhead};
    goal("$what, typical run", $error, $goals ? $options{clock} ? 5 : 3 : undef, 'points') if $who ne 'bare';
    goal("$what, single runs, median", median(@singles), $goals ? 5 : undef, 'points');
    printf "%s, single runs, from %.1f to %.1f points\n", $what, min(@singles), max(@singles);
    return if $who eq 'bare';
    printf "%s, total %+.1f %%\n", $what, 100 * sum(values %{ $typical->{$who}{$level} }) / sum(values %$truth) - 100;
    return;
}

sub share_error {
    my ($true, $reported) = @_;
    my ($all_true, $all_reported) = map { sum(values %$_) } $true, $reported;
    return sum(map { abs 100 * $true->{$_} / $all_true - 100 * $reported->{$_} / $all_reported } keys %$true);
}
