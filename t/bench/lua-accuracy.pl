# SPDX-License-Identifier: MIT
# How accurate are the times of Lua programs in a profile?
#
#     perl t/bench/lua-accuracy.pl [--rounds N] [--clock C] [--overhead O] [--version V] [PROGRAM...]
#
# As t/bench/accuracy.pl, for the programs in Lua: each measures the time of its own phases when it runs bare, and the
# report on the same phases is compared with these true times, at two levels:
#
#     subs     the inclusive time of a phase's function
#     lines    the sum of the times of all lines of its section
#
# "Noise of the truth" is the error that results from the noise of the machine alone. The noise of the profiler shows in
# the price of a line, which each run calibrates anew: in a program that takes ten times as long when it is profiled, an
# error of the price is ten times as large in the result.
#
# Runs are interleaved. Nothing else should run on the core: taskset -c 1 chrt -f 10 perl t/bench/lua-accuracy.pl. Linux
# takes the core from real-time programs for 50 ms of each second, unless they leave it for as long. So runs take 0.7 s
# at most, with pauses between them. A single run with such 50 ms would be off by some 40 points; a typical run is not.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(max min sum);
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/accuracy";
use Dump qw(of records ticks_of);
use Facts ();
use Lua qw(lua_command);
use Phases;
use Profiled qw(median);
use Shares qw(print_shares);

my $PAUSE = 0.3;    # seconds before each run and after it

my ($rounds, $version, %options) = (9, '5.4');
GetOptions('rounds=i' => \$rounds, 'version=s' => \$version,
    map { ("$_=s" => sub { my ($name, $value) = @_; $options{$name} = "$value" }) } qw(clock overhead))
    or die "usage: perl t/bench/lua-accuracy.pl [--rounds N] [--clock C] [--overhead O] [--version V] [PROGRAM...]\n";

my $dir = tempdir(CLEANUP => 1);
for my $program (@ARGV ? @ARGV : qw(kinds objects text)) {
    my @phases = Phases::sections("$FindBin::Bin/accuracy/$program.lua");
    my (%runs, $results, @prices);
    for my $round (1 .. $rounds) {
        for my $who (qw(bare ours)) {
            my ($times, $now) = run_of($who, $program, \@phases);
            $results //= $now;
            die "$program does not the same under $who: $now\n" if $now ne $results;
            push @{ $runs{$who} }, $times;
            push @prices, grep {defined} $times->{price};
        }
    }
    print_shares("Lua $version, $program", \@phases, [qw(bare ours)], \%runs, \%options);
    printf "%s, a line's price in single runs: from %.1f to %.1f, median %.1f ns\n\n", "Lua $version, $program",
        min(@prices), max(@prices), median(@prices)
        if @prices;
}

# The times of one run, and the results of its phases.
sub run_of {
    my ($who, $program, $phases) = @_;
    sleep $PAUSE;
    my %with = (%options, file => "$dir/out");
    my @programs = map {"$FindBin::Bin/accuracy/$_.lua"} 'phases', $program;
    open my $out, '-|', lua_command($version, $who eq 'ours' ? \%with : undef, @programs) or die "lua: $!\n";
    my @rows = map { chomp; [ split ' ', $_, 3 ] } <$out>;
    close $out or die "$program fails under $who\n";
    sleep $PAUSE;
    my %own = map { ($_->[0] => $_->[1]) } @rows;
    my $times = $who eq 'bare' ? { subs => \%own, lines => \%own } : reported("$dir/out", $phases);
    return ($times, join '; ', map {"$_->[0] $_->[2]"} @rows);
}

sub reported {
    my ($capture, $phases) = @_;
    my @records = records($capture);
    my $sub     = Facts::from_records(@records)->{sub};
    my $line    = lines_of(@records);
    my (%subs, %lines);
    for my $phase (@$phases) {
        $subs{ $phase->{name} }  = $sub->{"ph_$phase->{name}"}{inclusive};
        $lines{ $phase->{name} } = sum(0, grep {defined} @$line[ $phase->{first} .. $phase->{last} ]);
    }
    return { subs => \%subs, lines => \%lines, price => price_of_line(@records) };
}

# The calibrated price of a line, in nanoseconds; nothing with overhead=raw.
sub price_of_line {
    my (@records) = @_;
    my ($start) = of('process_start', @records);
    my ($latest) = reverse grep { $_->{event} == 0 } of('price', @records);
    return $latest && 1e9 * ticks_of($latest) / $start->{ticks_per_second};
}

# Seconds of each line of the program, with their signs.
sub lines_of {
    my (@records) = @_;
    my ($start) = of('process_start', @records);
    my %name  = map { ($_->{id} => $_->{name}) } of('file', @records);
    my %place = map { ($_->{id} => $_) } grep { $name{ $_->{file} } !~ /phases\.lua$/ } of('place', @records);
    my @seconds;
    for my $delta (grep { $place{ $_->{id} } } of('place_delta', @records)) {
        $seconds[ $place{ $delta->{id} }{line} ] += $delta->{ticks} / $start->{ticks_per_second};
    }
    return \@seconds;
}
