# SPDX-License-Identifier: MIT
# Servers under load, bare and profiled at the same time, in short rounds by turns:
#
#     perl xt/soak.pl [--requests N] [--minutes N] [--kind plain|eval|sampled] [--option NAME=VALUE]... [SERVER...]
#
# Each server answers N requests (1,000,000) bare and as many profiled, and once more with a string eval that makes an
# anonymous sub in each request (a load, in Lua), or as many as fit in so many minutes (10) each. Kind sampled, of
# prefork and starman, has Devel::NYTProf::Sample, which counts no calls. All answers have to be right, every call has
# to be in the profiles, and in the second half memory, descriptors and profiles must not grow. Of memory those
# processes count that did a third of their work before it: Apache gives some their first work late. The 99th
# percentile of the times of answers is at most 1.3 times that of the bare server: the median of the rounds' ratios, in
# which the noise of other programs cancels, unless there are less than 100,000 requests. The exit code is 1 if anything
# is not so.
use strict;
use warnings;

use FindBin;
use Getopt::Long;
use List::Util qw(min sum0);
use POSIX qw(ceil);
use Time::HiRes qw(sleep time);

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Profiled qw(median);
use Soak qw(calls finish launch loader servers usage);

my ($LATER, $GROWTH, $WEEK, $RATIO) = (30, 1024, 100e6, 1.3);    # seconds, kB a process, bytes a process, of p99
my $FREE   = 1.2e6;      # bytes of a profile, which may come at once: it grows by the week beyond them
my $ENOUGH = 100_000;    # requests; before them p99 is that of other programs, and not all evals are known
my %FIB = (1 => 1, 2 => 1, 5 => 5, 10 => 55);

my ($requests, $minutes, @kinds, @options) = (1_000_000, 10);
GetOptions('requests=i' => \$requests, 'minutes=f' => \$minutes, 'kind=s' => \@kinds, 'option=s' => \@options)
    or die 'usage: perl xt/soak.pl [--requests N] [--minutes N] [--kind plain|eval|sampled] [--option NAME=VALUE]... '
    . "[SERVER...]\n";
local $| = 1;
my $load   = loader();
my $failed = 0;
for my $name (@ARGV ? @ARGV : servers()) {
    for my $kind (@kinds ? @kinds : qw(plain eval)) {
        my @wrong = soak($name, $kind);
        print map {"    WRONG: $_\n"} @wrong;
        $failed ||= @wrong > 0;
    }
}
exit $failed;

# Prints a report and returns what is wrong.
sub soak {
    my ($name, $kind) = @_;
    my %is = map { ($_ => { server => launch($name, $kind, $_ eq 'profiled', @options), rounds => [] }) }
        qw(bare profiled);
    my $size = 4 * ceil(min($requests / 40, 5000) / 4);
    my $end  = time + 60 * $minutes;
    for (my $done = 0; $done < $requests && time < $end; $done += $size) {
        push @{ $is{$_}{rounds} }, ask($is{$_}{server}, $size) for qw(bare profiled);
    }
    $_->{status} = finish($_->{server}) for values %is;
    my $rounds = @{ $is{bare}{rounds} };
    my $calls = $kind eq 'sampled' ? 0 : $size * $rounds / keys(%FIB) * sum0(values %{ $is{profiled}{server}{calls} });
    printf "%s, %s: %d requests each\n", $name, $kind, $size * $rounds;
    print_used($_, @{ $is{$_}{rounds} }) for qw(bare profiled);
    my @wrong = (wrong_answers(\%is), wrong_profile($is{profiled}, $calls), grown(\%is), slow(\%is));
    for my $who (sort keys %is) {
        push @wrong, "the $who server ends with status $is{$who}{status}" if $is{$who}{status};
    }
    return @wrong;
}

# A round of requests.
sub ask {
    my ($server, $count) = @_;
    my @paths = map {"$server->{prefix}$_=$FIB{$_}\n"} sort { $a <=> $b } keys %FIB;
    open my $in, '-|', $load, $server->{port}, $count, $server->{connections}, @paths or die "load: $!\n";
    my $said = <$in> // die "$server->{name} does not answer\n";
    close $in;
    sleep 0.02;    # in which the server closes the connections, too
    return { $said =~ /(\w+)=([\d.]+)/g, %{ usage($server) }, time => time };
}

sub print_used {
    my ($who, @rounds) = @_;
    my ($first, $half, $last) = @rounds[ 0, $#rounds / 2, -1 ];
    printf "    %-8s p50 %4.0f us, p99 %5.0f us, CPU %4.0f us; %d processes with %d descriptors and %d kB (second half "
        . "%+d, %+d a process that had work before); %d bytes of profiles (%+d)\n", $who,
        (map { median_of($_, @rounds) } qw(p50 p99)),
        1e6 * ($last->{cpu} - $first->{cpu}) / sum0(1, map { $_->{good} } @rounds[ 1 .. $#rounds ]),
        @{$last}{qw(processes descriptors rss)}, $last->{rss} - $half->{rss}, growth($half->{by}, $last->{by}),
        $last->{bytes}, $last->{bytes} - $half->{bytes};
    return;
}

# Kilobytes by which a process has grown between two times, of those that did a third of their work before.
sub growth {
    my ($before, $after) = @_;
    my @worked = grep { $before->{$_} && $before->{$_}{cpu} >= $after->{$_}{cpu} / 3 } keys %$after;
    return sum0(map { $after->{$_}{rss} - $before->{$_}{rss} } @worked) / (@worked || 1);
}

sub median_of {
    my ($what, @rounds) = @_;
    return median(map { $_->{$what} } @rounds);
}

# --- what may be wrong: each returns sentences ------------------------------------------------------------------------

sub wrong_answers {
    my ($is) = @_;
    my @bad = map { sum0(map { $_->{bad} } @{ $is->{$_}{rounds} }) } qw(bare profiled);
    return $bad[0] || $bad[1] ? "wrong answers: $bad[0] bare, $bad[1] profiled" : ();
}

sub wrong_profile {
    my ($is, $expected) = @_;
    my ($calls, @broken) = calls($is->{server});
    return ((map {"the profile $_ is not whole"} @broken),
        $calls == $expected ? () : "the profiles have $calls calls of $expected");
}

# Memory and descriptors are compared with the bare server's, as some servers grow by themselves. A connection may be
# open for a while, and the number of processes changes: the fewest descriptors of a process in the third and in the
# last quarter count, and less than one more is not growth.
sub grown {
    my ($is) = @_;
    my %by;
    for my $who (qw(bare profiled)) {
        my @rounds = @{ $is->{$who}{rounds} };
        my ($half, $last) = @rounds[ $#rounds / 2, -1 ];
        $by{$who} = { map { ($_ => ($last->{$_} - $half->{$_}) / $last->{processes}) } qw(bytes time) };
        $by{$who}{rss} = growth($half->{by}, $last->{by});
        my @fewest = map { min(map { $_->{descriptors} / $_->{processes} } @$_) }
            [ @rounds[ $#rounds / 2 .. $#rounds * 3 / 4 ] ], [ @rounds[ $#rounds * 3 / 4 .. $#rounds ] ];
        $by{$who}{descriptors} = $fewest[1] - $fewest[0];
    }
    my $by  = $by{profiled};
    my $kB  = $by->{rss} - $by{bare}{rss};
    my $fds = $by->{descriptors} - $by{bare}{descriptors};
    my $end     = $is->{profiled}{rounds}[-1];
    my $seconds = $by->{time} * $end->{processes};
    my $week    = $by->{bytes} / ($seconds || 1) * 7 * 24 * 3600;
    my $is_free = $end->{bytes} <= $FREE * $end->{processes};
    return ($kB <= $GROWTH || $requests < $ENOUGH
        ? ()
        : sprintf('memory grows by %.0f kB a process more than bare', $kB),
        $fds < 1 ? () : sprintf('descriptors grow by %.1f a process', $fds),
        $seconds < $LATER || $is_free || $week <= $WEEK
        ? ()
        : sprintf('a profile grows by %.0f MB a week', $week / 1e6));
}

sub slow {
    my ($is) = @_;
    my ($bare, $profiled) = map { $_->{rounds} } @{$is}{qw(bare profiled)};
    my %ratio;
    for my $p (qw(p50 p99)) {
        $ratio{$p} = median(map { $profiled->[$_]{$p} / $bare->[$_]{$p} } 0 .. $#$bare);
    }
    printf "    p50 is %.2f, p99 %.2f times that of the bare server\n", @ratio{qw(p50 p99)};
    return $ratio{p99} <= $RATIO || $requests < $ENOUGH ? () : sprintf 'p99 is more than %.1f times as long', $RATIO;
}
