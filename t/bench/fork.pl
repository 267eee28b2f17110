# SPDX-License-Identifier: MIT
# The cost of profiling many processes: perl t/bench/fork.pl [--rounds N] [--top DIR] [--no-peer]
#
# A program with some modules forks a hundred children that end at once, and waits for each. It runs bare, under the
# peer and under this profiler, in turns: milliseconds a child by the program's own clock (median of rounds), and bytes
# of the child's file. Then `prove` runs 17 tests with these modules and some larger ones, with the profiler in
# PERL5OPT: CPU milliseconds of all processes (median), and bytes of all files; also with the source in each file.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(sum0);

use lib "$FindBin::Bin/../lib";
use Goals qw(goal);
use Profiled qw(command has_peer median use_tree used);
use Tree qw(spew);

my ($ROUNDS, $CHILDREN, $TESTS) = (5, 100, 17);
my $TEST = <<'END';
use Test::More;
use Getopt::Long; use File::Temp; use Pod::Man; use Encode; use CPAN::Meta; use HTTP::Tiny; use Text::Balanced;
eval { require Moose };
ok 1;
done_testing;
END
my $PROGRAM = <<'END';
use POSIX (); use Getopt::Long; use File::Temp; use Time::HiRes qw(time);
my ($children, $begin) = (shift, time);
for (1 .. $children) {
    my $pid = fork;
    POSIX::_exit(0) if !$pid;
    waitpid $pid, 0;
}
print 1e3 * (time - $begin) / $children, "\n";
END

GetOptions('rounds=i' => \$ROUNDS, 'top=s' => \my $top, 'peer!' => \(my $with_peer = 1))
    or die "usage: perl t/bench/fork.pl [--rounds N] [--top DIR] [--no-peer]\n";
use_tree(abs_path($top)) if $top;
my $dir = tempdir(CLEANUP => 1);
my @who = ('bare', 'ours', $with_peer && has_peer() ? 'peer' : ());
my (%took, %bytes, %cpu, %job_bytes);
for (1 .. $ROUNDS) {
    measure($_) for @who;
}
my %tests = map { ("test$_.t" => $TEST) } 1 .. $TESTS;
my %how = (bare => ['bare'], ours => ['ours'], embedded => [ 'ours', savesrc => 2 ], peer => [ 'peer', addpid => 1 ]);
my @hows = grep { "@who" =~ /$how{$_}[0]/ } qw(bare ours embedded peer);
for (1 .. $ROUNDS) {
    measure_job($_) for @hows;
}
my %median = map { ($_ => median(@{ $took{$_} })) } @who;
printf "%-5s %6.2f ms a child, %8d bytes\n", $_, $median{$_}, $bytes{$_} for @who;
goal('child that ends at once, more than bare', $median{ours} - $median{bare}, 1, 'ms');
goal('its file', $bytes{ours}, 4096, 'bytes');
printf "%-8s %8.0f ms for %d tests, %9d bytes\n", $_, median(@{ $cpu{$_} }), $TESTS, $job_bytes{$_} for @hows;
goal("$TESTS tests, bytes over those with all source", $job_bytes{ours} / $job_bytes{embedded}, 0.5, '');

sub measure {
    my ($who) = @_;
    unlink glob "$dir/*";
    my @command = command($who, { file => "$dir/out" }, '-e', $PROGRAM, $CHILDREN);
    open my $told, '-|', @command or die "$command[0]: $!\n";
    my $ms = <$told>;
    close $told;
    push @{ $took{$who} }, $ms;
    $bytes{$who} = sum0(map { -s } glob "$dir/out.*") / $CHILDREN;
    return;
}

# Runs the tests. The switches of a perl command are the value of PERL5OPT.
sub measure_job {
    my ($how) = @_;
    my ($who, %options) = @{ $how{$how} };
    unlink glob "$dir/*";
    spew("$dir/$_", $tests{$_}) for keys %tests;
    my @switches = grep {/^-[Id]/} command($who, {}, '-e1');
    my $nytprof = join ':', map {"$_=$options{$_}"} sort keys %options;
    my @environment = ("PERL5OPT=@switches", "NYTPROF=file=$dir/job.out" . ($nytprof && ":$nytprof"));
    my @command = ('env', '-u', 'PERL5LIB', @environment, 'prove', sort map {"$dir/$_"} keys %tests);
    my ($cpu) = used('', @command);
    push @{ $cpu{$how} }, $cpu;
    $job_bytes{$how} = sum0(map { -s } glob "$dir/job.out*");
    return;
}
