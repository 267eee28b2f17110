# SPDX-License-Identifier: MIT
# What nytprof diff finds: perl t/bench/diff.pl [--rounds N] [--percent N] [--pairs N] [--busy N]
#
# perlcritic of a directory with one of its 1,500 subs slowed by 3 % of the run, against itself, N captures a side
# (5), made in turns: the sub is to be listed. Then pairs (20) of N captures of a smaller run, of which nothing differs,
# beside busy loops (2): a sub is to be listed in one pair at most. Ten minutes.
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Path qw(mkpath);
use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use JSON::PP qw(decode_json);
use List::Util qw(max min sum0);
use Time::HiRes qw(time);

use lib "$FindBin::Bin/../lib";
use Goals qw(goal);
use Profiled qw(command cpu_seconds $TOP);
use Tree qw(slurp spew which);

# The sub that is slowed, its file in @INC, and how its code begins there.
my ($SUB, $FILE, $BEGIN) = ('PPI::Tokenizer::_process_next_char', 'PPI/Tokenizer.pm', 'sub _process_next_char {');

my ($rounds, $percent, $pairs, $busy) = (5, 3, 20, 2);
GetOptions('rounds=i' => \$rounds, 'percent=f' => \$percent, 'pairs=i' => \$pairs, 'busy=i' => \$busy)
    or die "usage: perl t/bench/diff.pl [--rounds N] [--percent N] [--pairs N] [--busy N]\n";

my $critic = which('perlcritic') // die "perlcritic is not installed\n";
my ($library) = grep { -e "$_/$FILE" } @INC;
my @policies = sort glob "$library/Perl/Critic/Policy/ValuesAndExpressions/*.pm";
my $dir = tempdir(CLEANUP => 1, -d '/dev/shm' ? (DIR => '/dev/shm') : ());
my $captures = 0;

with_a_slow_sub();
against_itself() if $pairs;

sub with_a_slow_sub {
    my $code = slurp("$library/$FILE");
    my $at = index $code, $BEGIN;
    die "$library/$FILE has no '$BEGIN'\n" if $at < 0;
    mkpath("$dir/$_/" . dirname($FILE)) for qw(old new);
    spew("$dir/old/$FILE", $code);
    my $name = capture('old', @policies);
    my $itself = compared([$name], [$name]);
    my ($run, $calls) = ($itself->{old}[0]{profiled_ns} / 1e9, row_of($itself)->{old}{calls}[0]);
    my $loops = int $run * $percent / 100 / $calls / seconds_of_a_loop();
    substr $code, $at + length $BEGIN, 0, " for (1 .. $loops) { }";
    spew("$dir/new/$FILE", $code);

    my (@old, @new);
    for (1 .. $rounds) {
        push @old, capture('old', @policies);
        push @new, capture('new', @policies);
    }
    my $diff = compared(\@old, \@new);
    my $row = row_of($diff);
    my @listed = map { $_->{name} } grep { $_->{time_changed} } @{ $diff->{rows} };
    my ($was, $is) = map { mean(@{ $row->{$_}{exclusive_ns} }) / 1e6 } qw(old new);
    my $all = mean(map { $_->{profiled_ns} } @{ $diff->{old} }) / 1e6;
    printf "%s, one of %d subs, %d calls: %.1f ms more, %.1f %% of %.0f ms\n", $SUB, $diff->{all}, $calls,
        $is - $was, 100 * ($is - $was) / $all, $all;
    print "listed: $_\n" for map { ranges($_) } grep { $_->{time_changed} } @{ $diff->{rows} };
    goal('slowed sub listed', (grep { $_ eq $SUB } @listed) ? 1 : 0, '>= 1', '');
    goal('others listed', scalar(grep { $_ ne $SUB } @listed), 1, '');
    return;
}

sub against_itself {
    my @children = map { busy_loop() } 1 .. $busy;
    my $with_changes = 0;
    for my $pair (1 .. $pairs) {
        my (@old, @new);
        for (1 .. $rounds) {
            push @old, capture('old', $policies[0]);
            push @new, capture('old', $policies[0]);
        }
        my @listed = map { ranges($_) } grep { $_->{time_changed} } @{ compared(\@old, \@new)->{rows} };
        print "pair $pair: $_\n" for @listed;
        $with_changes++ if @listed;
        unlink map {"$dir/$_"} @old, @new;
    }
    kill 'KILL', @children;
    waitpid $_, 0 for @children;
    goal("of $pairs pairs with nothing changed, with a sub listed", $with_changes, 1, '');
    return;
}

# Ends with this program.
sub busy_loop {
    my $parent = $$;
    my $child = fork // die "fork: $!\n";
    return $child if $child;
    while (getppid == $parent) { for (1 .. 1e6) { } }
    exit;
}

# Runs perlcritic of the files, with a side's copy of the file; returns the name of its capture.
sub capture {
    my ($side, @files) = @_;
    my $name = sprintf '%03d', $captures++;
    my %options = (file => "$dir/$name", maxevals => 100_000, maxsiteevals => 100_000);
    cpu_seconds(command('ours', \%options, "-I$dir/$side", $critic, '--profile', '', '-1', @files));
    die "perlcritic was not profiled\n" if !-s "$dir/$name";
    return $name;
}

sub compared {
    my ($old, $new) = @_;
    open my $out, '-|', "$TOP/build/nytprof", 'diff', '--format', 'json', (map {"$dir/$_"} @$old), '--',
        map {"$dir/$_"} @$new
        or die "nytprof diff: $!\n";
    my $text = do { local $/; <$out> };
    close $out or die "nytprof diff fails\n";
    return decode_json($text);
}

sub row_of {
    my ($diff) = @_;
    my ($row) = grep { $_->{name} eq $SUB } @{ $diff->{rows} };
    return $row // die "$SUB was not called\n";
}

sub seconds_of_a_loop {
    my $began = time;
    for (1 .. 1e7) { }
    return (time - $began) / 1e7;
}

# A row as text: the name, and the least and most milliseconds of each side.
sub ranges {
    my ($row) = @_;
    my @times = map { $row->{$_}{exclusive_ns} } qw(old new);
    my @sides = map { sprintf '%.2f to %.2f', min(@$_) / 1e6, max(@$_) / 1e6 } @times;
    return "$row->{name}, $sides[0] ms, then $sides[1]";
}

sub mean { return sum0(@_) / (@_ || 1) }
