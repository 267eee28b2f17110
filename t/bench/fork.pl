# What a child costs that ends at once: perl t/bench/fork.pl [--rounds N] [--top DIR] [--no-peer]
#
# A program with some modules forks a hundred times and waits for each child, bare, under the peer and under this
# profiler, in turns. Milliseconds a child, by the program's own clock (median of rounds), and bytes of its file.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(sum0);

use lib "$FindBin::Bin/../lib";
use Goals qw(goal);
use Profiled qw(command has_peer median use_tree);

my ($ROUNDS, $CHILDREN) = (5, 100);
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
my (%took, %bytes);
for (1 .. $ROUNDS) {
    measure($_) for @who;
}
my %median = map { ($_ => median(@{ $took{$_} })) } @who;
printf "%-5s %6.2f ms a child, %8d bytes\n", $_, $median{$_}, $bytes{$_} for @who;
goal('child that ends at once, more than bare', $median{ours} - $median{bare}, 1, 'ms');
goal('its file', $bytes{ours}, 4096, 'bytes');

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
