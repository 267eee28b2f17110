# SPDX-License-Identifier: MIT
# How accurate are the times of a profile?
#
#     perl t/bench/accuracy.pl [--rounds N] [--clock C] [--overhead O] [--top DIR] [--no-peer] [PROGRAM...]
#
# The programs in t/bench/accuracy measure the time of their own phases when they run bare. The report of this profiler,
# and that of its peer, on the same phases is compared with these true times, at two levels:
#
#     subs     the inclusive time of a phase's sub
#     lines    the sum of the times of all lines of its section, with callees and string evals; not for phases that run
#              code of other files
#
# The error is the sum over phases of |reported share - true share|, in points. A typical run consists of the middle
# times of each phase (t/lib/Shares.pm). The errors of single runs, also of bare ones, show the noise of the machine,
# and "noise of the truth" is the error that results from this noise alone. Runs are interleaved, all on the core on
# which this program was started. Nothing else should run there: taskset -c 1 chrt -f 10 perl t/bench/accuracy.pl.
# --clock and --overhead are options of this profiler; --top measures the build in another directory.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(sum);
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/accuracy";
use Phases;
use Profiled qw(command has_peer read_profile use_tree);
use Shares qw(print_shares);

my $PAUSE = 0.1;    # seconds between runs, in which other processes can have the core

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
    print_shares($program, \@phases, \@who, $runs, \%options);
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

# The times of one run, and the results of its phases.
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
