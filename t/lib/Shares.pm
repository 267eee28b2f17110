# SPDX-License-Identifier: MIT
package Shares;

# The shares that the phases of a program have of its time in profiles, beside the true shares. %$runs are
# who => [ { subs => { phase => seconds }, lines => { phase => seconds } } ]; bare runs have the true times.
#
# The error is the sum over phases of |reported share - true share|, in points. A typical run consists of each phase's
# mean over the middle half of the runs. Some phases take a tenth longer in every second or third process, by the
# addresses of its memory, so a median would have one of two values; and the shortest profiled run of a phase would be
# the one from which most was subtracted. Single runs, also bare ones, show the noise. The distance between the typical
# runs of the two halves of bare runs is the least error that can be expected of a profiler.

use strict;
use warnings;

use Exporter 'import';
use Goals qw(goal);
use List::Util qw(max min sum);
use Profiled qw(median);

our @EXPORT_OK = qw(print_shares);

my @LEVELS = qw(subs lines);

# Prints the shares of a program's phases, in the order of [{ name }]. @$who includes bare and ours, and %$options are
# the options of ours.
sub print_shares {
    my ($program, $phases, $who, $runs, $options) = @_;
    my %typical;
    for my $level (@LEVELS) {
        $typical{$_}{$level} = typical(map { $_->{$level} } @{ $runs->{$_} }) for @$who;
    }
    print_phases($program, $phases, [ grep { $_ ne 'bare' } @$who ], \%typical);
    print_noise($program, map { $_->{subs} } @{ $runs->{bare} });
    for my $one (@$who) {
        print_errors($program, $one, $_, \%typical, $runs, $options) for @LEVELS[ 0 .. ($one eq 'bare' ? 0 : 1) ];
    }
    print "\n";
    return;
}

sub typical {
    my (@runs) = @_;
    return { map { my $phase = $_; ($phase => middle(map { $_->{$phase} } @runs)) } keys %{ $runs[0] } };
}

# The mean without the lowest and the highest quarter.
sub middle {
    my @sorted  = sort { $a <=> $b } @_;
    my $quarter = int(@sorted / 4);
    my @middle  = @sorted[ $quarter .. $#sorted - $quarter ];
    return sum(@middle) / @middle;
}

sub print_phases {
    my ($program, $phases, $who, $typical) = @_;
    my @columns = map { my $one = $_; map { [ $one, $_ ] } @LEVELS } @$who;
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
    my ($program, $who, $level, $typical, $runs, $options) = @_;
    my $truth   = $typical->{bare}{$level};
    my $error   = share_error($truth, $typical->{$who}{$level});
    my @singles = map { share_error($truth, $_->{$level}) } @{ $runs->{$who} };
    my $what    = join ' ', $program, $who, $who eq 'bare' ? () : $level, map {"$_=$options->{$_}"} sort keys %$options;
    my $goals   = $who eq 'ours' && !$options->{overhead};
    goal("$what, typical run", $error, $goals ? $options->{clock} ? 5 : 3 : undef, 'points') if $who ne 'bare';
    goal("$what, single runs, median", median(@singles), $goals ? 5 : undef, 'points');
    printf "%s, single runs, from %.1f to %.1f points\n", $what, min(@singles), max(@singles);
    return if $who eq 'bare';
    printf "%s, total %+.1f %%\n", $what, 100 * sum(values %{ $typical->{$who}{$level} }) / sum(values %$truth) - 100;
    return;
}

# The noise of the true times: that of a typical run of half as many runs is larger.
sub print_noise {
    my ($program, @bare) = @_;
    return if @bare < 2;
    my @halves = map { my $odd = $_; [ @bare[ grep { $_ % 2 == $odd } 0 .. $#bare ] ] } 0, 1;
    goal("$program bare, noise of the truth", share_error(map { typical(@$_) } @halves), undef, 'points');
    return;
}

sub share_error {
    my ($true, $reported) = @_;
    my ($all_true, $all_reported) = map { sum(values %$_) } $true, $reported;
    return sum(map { abs 100 * $true->{$_} / $all_true - 100 * $reported->{$_} / $all_reported } keys %$true);
}

1;
