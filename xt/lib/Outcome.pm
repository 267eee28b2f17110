# SPDX-License-Identifier: MIT
package Outcome;

# Outcomes of test files that print TAP, and how two of them differ.
#
# An outcome is { status => 'status 0', plan => 3, 1 => 'ok', '2.1' => 'ok # SKIP' }: how the file ended, its plans and
# its tests. The tests of a subtest have the number of the test that it becomes before their own.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(assertions changes differences expected outcome);

# outcome(OUT, COMMAND, ...): runs the command with standard output to the file OUT, in a process group of its own that
# is killed when the time is over, and deletes that file. Further arguments: env => { NAME => TEXT or undef }, seconds,
# names => 1 for an outcome that has the tests' names.
sub outcome {
    my ($out, $command, %with) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        my $env = $with{env} // {};
        defined $env->{$_} ? ($ENV{$_} = $env->{$_}) : delete $ENV{$_} for keys %$env;
        setpgrp;
        open STDIN,  '<', '/dev/null' or die;
        open STDOUT, '>', $out        or die;
        open STDERR, '>', '/dev/null' or die;
        exec @$command or die "@$command: $!\n";
    }
    local $SIG{ALRM} = sub { kill KILL => -$pid };
    alarm($with{seconds} // 900);
    waitpid $pid, 0;
    alarm 0;
    my %of = (status => $? & 127 ? 'signal ' . ($? & 127) : 'status ' . ($? >> 8));
    read_results($out, \%of, $with{names});
    unlink $out;
    return \%of;
}

sub read_results {
    my ($out, $of, $named) = @_;
    open my $in, '<:raw', $out or die "$out: $!\n";
    my @last = (0);    # the last test's number at each depth of subtests
    my @indents = (0);
    while (my $line = <$in>) {
        my ($indent, $plan, $not, $n, $rest) = $line =~ /^(\s*)(?:1\.\.(\d+)|(not )?ok\b(?: +(\d+))?(.*))/ or next;
        while (@indents > 1 && $indents[-1] > length $indent) { pop @indents; pop @last }
        if (length $indent > $indents[-1]) { push @indents, length $indent; push @last, 0 }
        my $outer = join '', map { $_ + 1 . '.' } @last[ 0 .. $#last - 1 ];
        if (defined $plan) { $of->{"${outer}plan"} = $plan; next }
        $last[-1] = $n // $last[-1] + 1;
        my $key = $outer . $last[-1];
        $key .= q(') while exists $of->{$key};
        $of->{$key} = result($not, $rest, $named);
    }
    return;
}

sub result {
    my ($not, $rest, $named) = @_;
    my $directive = $rest =~ /^[^#]*# *(skip|todo)\b/i ? ' # ' . uc $1 : '';
    return ($not // '') . "ok$directive" if !$named;
    $rest =~ s/\b0x[0-9a-f]+/ADDRESS/g;
    return ($not // '') . "ok$directive$rest";
}

sub assertions {
    my ($of) = @_;
    return scalar grep { /^\d/ && !/plan/ } keys %$of;
}

# The keys that differ, but for tests of threads and processes that only come in another order, if they have names, in
# which numbers may differ.
sub changes {
    my ($one, $other) = @_;
    my %all = (%$one, %$other);
    my @keys = grep { ($one->{$_} // 'none') ne ($other->{$_} // 'none') } keys %all;
    my @results = map { my $of = $_; join "\n", sort map { $of->{$_} // 'none' } @keys } $one, $other;
    s/\d+/N/g for @results;
    return $results[0] eq $results[1] && $results[0] !~ /ok(?: # [A-Z]+)?$/m ? () : @keys;
}

# "plan 3->4", "status 0->2", "12-14", "17", "18.1", without the keys of %$without.
sub differences {
    my ($bare, $profiled, $without) = @_;
    my @names = grep { !$without->{$_} } changes($bare, $profiled);
    my @words = map { "$_ " . ($bare->{$_} // 'none') . '->' . ($profiled->{$_} // 'none') } sort grep {/[a-z]/} @names;
    my @nested = sort grep { /\D/ && !/[a-z]/ } @names;
    return @words, ranges(sort { $a <=> $b } grep { !/\D/ } @names), @nested;
}

sub ranges {
    my @ranges;
    for my $n (@_) {
        if (@ranges && $ranges[-1][1] == $n - 1) { $ranges[-1][1] = $n }
        else                                     { push @ranges, [ $n, $n ] }
    }
    return map { $_->[0] == $_->[1] ? $_->[0] : "$_->[0]-$_->[1]" } @ranges;
}

# { FILE => { TESTS => REASON } } from lines "FILE TESTS: REASON", which go on where they are indented.
sub expected {
    my ($name) = @_;
    open my $in, '<', $name or die "$name: $!\n";
    my $text = do { local $/ = undef; <$in> };
    $text =~ s/^#.*\n//mg;
    $text =~ s/\n\s+/ /g;
    my %is;
    $is{$1}{$2} = $3 while $text =~ /^(\S+) (.+?): (.*)$/mg;
    return %is;
}

1;
