# SPDX-License-Identifier: MIT
# `nytprof attach` on 200 processes one after the other, 10 to 1000 times a second: none is disturbed, each capture is
# whole, and hardly a sample is lost. `:: N` takes N instead. Wants libperl-critic-perl, apache2 and
# libapache2-mod-perl2; three minutes on an idle core.
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;
use POSIX qw(_exit);
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/../t/lib";
use Capture qw(nytprof);
use Server qw(ask free_port start stop);
use Tree qw(slurp spew);

my $WANTED  = shift // 200;
my $NYTPROF = "$FindBin::Bin/../build/nytprof";
my @HZ      = (100, 1000, 10, 250);
my $dir     = tempdir(CLEANUP => 1);

my $WORK = <<'END';
$| = 1;
sub work { my $s = 0; $s += $_ % 7 for 1 .. $_[0]; return $s }
sub sorted { my @s = sort { $a <=> $b } map { $_ * 7 % 1000 } 1 .. $_[0]; return $s[-1] }
END
my %program = (
    ends   => 'print work(3_000_000), sorted(100_000), "\n"; exit 3;',
    dies   => 'print work(3_000_000), "\n"; die "over\n";',
    killed => 'print work(3_000_000), "\n"; kill TERM => $$; sleep 9;',
    evals  => 'my $s = 0; $s += eval "sub e$_ { \$_[0] * 2 } e$_($_)" for 1 .. 6000; print "$s\n";',
    execs  => 'print work(2_000_000), "\n"; exec "sh", "-c", "echo another; exit 5";',
    waits  => '$SIG{ALRM} = sub { print "alarm\n" }; alarm 1; my $n = sleep 3; print work(300_000), "\n";',
    forks  => <<'END',
my @pids = map { my $pid = fork; if (!$pid) { work(1_500_000); exit $_ } $pid } 1 .. 3;
print join(' ', map { waitpid $_, 0; $? >> 8 } @pids), "\n";
END
    ($Config{usethreads} ? (threads => <<'END') : ()),
use threads;
my @threads = map { threads->create(sub { work($_[0]) }, $_ * 300_000) } 1 .. 3;
print work(900_000), join(' ', '', map { $_->join } @threads), "\n";
END
    (-x '/usr/bin/perlcritic' ? (critic => undef) : ()),
);
spew("$dir/$_.pl", $WORK . $program{$_}) for grep { $program{$_} } keys %program;
my %command = map { ($_ => [ $^X, "$dir/$_.pl" ]) } keys %program;
$command{critic} = [ '/usr/bin/perlcritic', '--gentle', '--quiet', "$FindBin::Bin/../t/lib/Tree.pm" ];

my %bare = map { ($_ => outcome($_)) } sort keys %program;
my ($done, $samples, $lost, @wrong, @broken) = (0, 0, 0);
while ($done < $WANTED) {
    for my $name (sort keys %program) {
        last if $done >= $WANTED;
        next if $name eq 'critic' && $done % 5;
        my @captures;
        my $got = outcome($name, $HZ[ $done % @HZ ], \@captures);
        push @wrong, "$name: $got" if $got ne $bare{$name};
        push @broken, grep { !/^whole +yes$/m } map { join "$name: ", nytprof('info', $_) } @captures;
        unlink @captures;
        $done += @captures;
    }
}
diag "$_" for @wrong;
is_deeply \@wrong,  [], 'no process is disturbed: output, errors and exit status';
is_deeply \@broken, [], 'each capture is whole';
cmp_ok $lost, '<=', $samples / 100, "of $samples samples of $done processes $lost were lost";
SKIP: {
    skip 'no apache2 with mod_perl here', 4 if !-e '/usr/lib/apache2/modules/mod_perl.so' || $>;
    mod_perl($_) for qw(prefork);
}
done_testing;

# What a program does, bare or while it is sampled so often. It waits until it is, or has ended.
sub outcome {
    my ($name, $hz, $captures) = @_;
    pipe my $from, my $to or die "pipe: $!\n";
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        delete @ENV{qw(PERL5OPT PERL5DB NYTPROF)};
        open STDOUT, '>', "$dir/stdout" or _exit(127);
        open STDERR, '>', "$dir/stderr" or _exit(127);
        close $from or _exit(127);
        exec @{ $command{$name} } or _exit(127);
    }
    close $to or die "pipe: $!\n";
    readline $from;    # until exec has closed it
    my $sampler = $hz && sample($pid, $hz);
    waitpid $pid, 0;
    my $status = $?;
    take($pid, $sampler, $captures) if $sampler;
    return join '|', $status, slurp("$dir/stdout"), slurp("$dir/stderr");
}

sub sample {
    my ($pid, $hz) = @_;
    sleep 0.1;    # perl begins
    my $sampler = fork // die "fork: $!\n";
    if (!$sampler) {
        my @children = split ' ', eval { slurp("/proc/$pid/task/$pid/children") } // '';
        open STDERR, '>', "$dir/said" or _exit(127);
        exec $NYTPROF, 'attach', '--hz', $hz, '-o', "$dir/out", $pid, @children or _exit(127);
    }
    return $sampler;
}

# Only what ended before it was looked at, or ran the shell, has no capture.
sub take {
    my ($pid, $sampler, $captures) = @_;
    waitpid $sampler, 0;
    for (split /\n/, slurp("$dir/said")) {
        if (/^nytprof: (\d+) samples of process (\d+)\S* .*?(\d+) lost: /) {
            $samples += $1;
            $lost    += $3;
            push @$captures, "$dir/out.$2" if $1;
        }
        elsif (!/^nytprof: (?:attached to|there is no|perl has not begun yet in|there is no perl in) process \d+/
            && !/^nytprof: process \d+ runs no program: it has ended/) {
            push @wrong, $_;
        }
    }
    return;
}

# The children of a web server, with requests and without.
sub mod_perl {
    my ($mpm) = @_;
    my $clients = "$FindBin::Bin/clients";
    my $home    = tempdir(CLEANUP => 1);
    my $port    = free_port();
    chmod 0755, $home or die "$home: $!\n";
    local @ENV{qw(DIR PORT PERL_SWITCHES MPM)} = ($home, $port, "-I$clients/lib", $mpm);
    my $server   = start($home, $port, '/usr/sbin/apache2', qw(-DFOREGROUND -DBARE -f), "$clients/apache.conf");
    is ask($server, '/5'), "5\n", "Apache, $mpm, begins";
    my @children = split ' ', slurp("/proc/$server->{pid}/task/$server->{pid}/children");
    my $asking   = fork // die "fork: $!\n";
    if (!$asking) {
        my $end = time + 4;
        ask($server, '/18') while time < $end;
        _exit(0);
    }
    my ($text, $err, $exit) = nytprof('attach', '--for', 3, '-o', "$home/out", '--flat=-', @children);
    waitpid $asking, 0;
    is $exit, 0, "children of Apache, $mpm" or diag $err;
    like $text, qr/ Work::fib$/m, 'have the subs of their requests';
    is ask($server, '/10'), "55\n", 'and go on';
    stop($server, 'TERM');
    return;
}
