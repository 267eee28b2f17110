# How true are the times? perl t/bench/accuracy.pl [--rounds N]
#
# phases.pl measures its own phases when nothing profiles it: that is the truth. The same phases' inclusive times as
# this profiler and its peer report them are set against it. Runs are interleaved, and medians are compared.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(sum);

use lib "$FindBin::Bin/../lib";
use Facts qw(from_capture from_peer);
use Profiled qw(command has_peer median);

my $SHARE_GOAL = 10;    # points: the sum over phases of |reported share - true share|
my $TOTAL_GOAL = 10;    # per cent: how far the total may be from the bare program's

GetOptions('rounds=i' => \my $rounds) or die "usage: perl t/bench/accuracy.pl [--rounds N]\n";
$rounds //= 5;

my $dir = tempdir(CLEANUP => 1);
my %times_of = (bare => \&own_times, ours => sub { reported_times('ours', \&from_capture) },
    peer => sub { reported_times('peer', \&from_peer) });
my @who = ('bare', has_peer() ? 'peer' : (), 'ours');

my %runs;
for (1 .. $rounds) {
    for my $who (@who) {
        my %seconds = $times_of{$who}->();
        push @{ $runs{$who}{$_} }, $seconds{$_} for keys %seconds;
    }
}

my %typical = map { my $of = $runs{$_}; ($_ => { map { ($_ => median(@{ $of->{$_} })) } keys %$of }) } @who;
my $truth = $typical{bare};
printf "%-10s %9s  %s\n", 'phase', 'truth s', join ' ', map { sprintf '%8s', $_ } @who[ 1 .. $#who ];
for my $phase (sort { $truth->{$b} <=> $truth->{$a} } keys %$truth) {
    printf "%-10s %9.4f  %s\n", $phase, $truth->{$phase},
        join ' ', map { sprintf '%8.2f', $typical{$_}{$phase} / $truth->{$phase} } @who[ 1 .. $#who ];
}
for my $who (@who[ 1 .. $#who ]) {
    my $points = share_error($truth, $typical{$who});
    my $total  = 100 * sum(values %{ $typical{$who} }) / sum(values %$truth) - 100;
    printf "\n%s: shares are wrong by %.1f points together, the total by %+.1f %%\n", $who, $points, $total;
    next if $who ne 'ours';
    printf "goals: %d points (%s), %d %% (%s)\n", $SHARE_GOAL, $points <= $SHARE_GOAL ? 'held' : 'MISSED', $TOTAL_GOAL,
        abs $total <= $TOTAL_GOAL ? 'held' : 'MISSED';
}

# phase => seconds, as the program itself prints them.
sub own_times {
    open my $out, '-|', command('bare', {}, "$FindBin::Bin/phases.pl") or die "perl: $!\n";
    my %seconds = map { split ' ' } <$out>;
    close $out or die "phases.pl fails\n";
    return %seconds;
}

sub reported_times {
    my ($who, $reader) = @_;
    my $file = "$dir/$who.out";
    open my $out, '-|', command($who, { file => $file }, "$FindBin::Bin/phases.pl") or die "perl: $!\n";
    my @phases = map { (split ' ')[0] } <$out>;
    close $out or die "phases.pl fails under $who\n";
    my $sub = $reader->($file)->{sub};
    return map { ($_ => $sub->{"main::ph_$_"}{inclusive}) } @phases;
}

sub share_error {
    my ($true, $reported) = @_;
    my ($all_true, $all_reported) = map { sum(values %$_) } $true, $reported;
    return sum(map { abs 100 * $true->{$_} / $all_true - 100 * $reported->{$_} / $all_reported } keys %$true);
}
