# SPDX-License-Identifier: MIT
# nytprof push --follow of a server whose processes come and go: each capture FILE.PID is found and sent, all add up to
# what they have, and captures of earlier runs are left alone. nytprof run --push does it beside a program.
use strict;
use warnings;

use Config;
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use Time::HiRes qw(sleep time);

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Pages qw(fixtures);
use Pprof qw(pprof);
use Profiled qw($TOP);
use Receiver qw(parts_of receiver requests stop_receiver);
use Run qw(under_profiler);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);

# A parent that does next to nothing, and children, three at a time, of which each ends after a while.
spew("$dir/prefork.pl", <<'END');
use Time::HiRes qw(sleep time);
$| = 1;
sub busy { my $x = 0; $x += $_ for 1 .. 200; return $x }
sub serve { my $end = time + shift; while (time < $end) { busy() for 1 .. 50; sleep 0.002 } return }
my $end = time + $ARGV[0];
my %child;
while (time < $end) {
    while (keys %child < 3) { my $pid = fork // die; $pid or do { serve(0.2 + rand 0.5); exit 0 }; $child{$pid} = 1 }
    my $gone = waitpid -1, 1;
    delete $child{$gone} if $gone > 0;
    sleep 0.02;
}
waitpid $_, 0 for keys %child;
print "done\n";
END

my %EXACT = (overhead => 'raw', clock => 'monotonic', savesrc => 0, compress => 0);

for my $case ([ 'FILE and FILE.PID', {} ], [ 'FILE.PID only', { addpid => 1 } ],
    [ 'an ill server', {}, qw(ok ill hang ok) ])
{
    my ($name, $more, @does) = @$case;
    subtest $name => sub {
        my $file = tempdir(CLEANUP => 1) . '/p.out';
        copy(fixtures() . '/calls.out', "$file.3999999") or die "$!\n";
        sleep 0.05;
        my $server = receiver(@does ? @does : 'ok');
        my $pusher = pusher($file, $server, '--timeout', 0.3);
        my $program = program($file, { %EXACT, %$more }, 2);
        sleep 0.5;
        spew("$file.3999998", "no capture\n");
        waitpid $program, 0;
        is "$? " . slurp("$file.said"), "0 done\n", 'the program runs as ever';
        waitpid $pusher, 0;
        is $? >> 8, 0, 'the pusher ends well, when all have ended';
        stop_receiver($server);
        my @got = grep { $_->{does} eq 'ok' } requests($server);
        unlink "$file.3999999", "$file.3999998" or die "$!\n";
        my @files = grep {/\.out(?:\.\d+)?\z/} glob "$file*";
        cmp_ok scalar @files, '>=', 6, 'there were a parent and several children';
        my %expected = sums(map { [ whole($_) ] } @files);
        my %sum = sums(map { [ received($_) ] } @got);
        is_deeply \%sum, \%expected, scalar(@got) . ' deltas add up to ' . @files . ' captures, process by process';
        is_deeply [ grep { parts_of($_)->{service_name} ne 'prefork.pl' } @got ], [], 'each by its name';
        my $said = slurp("$file.pushed");
        like $said, qr/p\.out\.3999998: .*; it is left out\n/, 'a file that is no capture is named';
        like $said, qr/^Sent \d+ profiles to /m, 'and the others are sent';
    };
}

# Captures of programs that are started one after the other, with a time without any: --while says that there may be
# more. Each has the name of its own program. The clock is set meanwhile.
subtest '--while' => sub {
    my $shim = "$dir/steps.so";
    system($Config{cc}, qw(-O2 -shared -fPIC -o), $shim, "$FindBin::Bin/perl/steps.c", '-ldl') == 0
        or BAIL_OUT('the shim does not compile');
    my $file = "$dir/while.out";
    spew("$dir/one.pl", 'sub one { 1 for 1 .. 1000 } one() for 1 .. 100');
    spew("$dir/two.pl", 'sub two { 1 for 1 .. 1000 } two() for 1 .. 100');
    my $shell = fork // die "fork: $!\n";
    if (!$shell) {
        local $ENV{NYTPROF} = "file=$file:addpid=1";
        my $perl = join ' ', map {"'$_'"} $^X, under_profiler();
        exec 'sh', '-c', "sleep 0.3; $perl '$dir/one.pl'; sleep 2; $perl '$dir/two.pl'; exec sleep 0.1" or die "$!\n";
    }
    my $server = receiver('ok');
    my $pusher = do {
        local $ENV{LD_PRELOAD} = join ':', grep {defined} $ENV{LD_PRELOAD}, $shim;
        pusher($file, $server, '--while', $shell);
    };
    waitpid $shell, 0;
    my $end = time;
    waitpid $pusher, 0;
    is $? >> 8, 0, 'it ends well';
    cmp_ok time - $end, '<', 10, 'soon behind the process';
    stop_receiver($server);
    my %name = map { (parts_of($_)->{service_name} => 1) } requests($server);
    is_deeply [ sort keys %name ], [qw(one.pl two.pl)], 'and has sent all, by their names';
};

my (undef, $none, $exit) = do {
    my $gone = fork // die "fork: $!\n";
    $gone or exit 0;
    waitpid $gone, 0;
    nytprof('push', '--follow', '--while', $gone, "$dir/none.out", 'http://127.0.0.1:9/ingest');
};
is "$exit $none", '0 ', 'a process that has ended without a capture is not waited for';

# --- nytprof run --push -----------------------------------------------------------------------------------------------

# What the program sees of itself: its children, its session, its descriptors, its signals, its CPU time of children.
my $SEES = <<'END';
use POSIX qw(getpgrp);
sub look {
    my ($status) = do { open my $in, '<', '/proc/self/status' or die; join '', <$in> };
    my @signals = $status =~ /^(?:Sig(?!Q)|Shd)\w+:\s*(\S+)/mg;
    my @open = map { "$_ " . (readlink "/proc/self/fd/$_" // '') =~ s/\[\d+\]//r } grep { $_ < 10 }
        map {m{(\d+)$}} glob '/proc/self/fd/*';
    return join ' ', "@signals,", "@open,", wait, getpgrp() == $$ ? 1 : 0, $ENV{NYTPROF} // '', (times)[2, 3];
}
print look(), "\n";
sub busy { my $x = 0; $x += $_ for 1 .. 200; return $x }
my $end = time + 2;
while (time < $end) { busy() for 1 .. 50; select undef, undef, undef, 0.002 }
print look(), "\n";
END
spew("$dir/sees.pl", $SEES);

subtest 'run --push' => sub {
    my $server = receiver('ok');
    my $file   = "$dir/sent.out";
    my @run = ('run', '--options', join(':', map {"$_=$EXACT{$_}"} sort keys %EXACT), '-o', $file);
    my ($bare) = nytprof(@run, "$dir/sees.pl");
    copy(fixtures() . '/calls.out', "$file") or die "$!\n";
    sleep 0.3;
    my ($out, $err, $exit) = nytprof(@run, '--push', "$server->{url}/ingest", '--service', 'shop', '--label', 'env=x',
        "$dir/sees.pl");
    is "$exit $out$err", "0 $bare", 'the program runs as ever: no child, no descriptor, no signal';
    is_deeply [ left_after(15, $file) ], [], 'the pusher ends behind it';
    stop_receiver($server);
    my @got = requests($server);
    cmp_ok scalar @got, '>=', 1, 'the profile has been sent';
    is_deeply { sums(map { [ received($_) ] } @got) }, { sums([ whole($file) ]) }, 'all of it, and of no other run';
    is_deeply [ @{ parts_of($got[0]) }{qw(service_name env)} ], [qw(shop x)], 'by its name and labels';
    like slurp("$dir/push.sent.out.log"), qr/\ASent \d+ profiles to \S+\n\z/, 'push.FILE.log says so';
};

# The pipe of the program's output ends with the program, whatever the server does.
subtest 'run --push, no server' => sub {
    my $server = receiver('ok');
    stop_receiver($server);
    my $file = "$dir/unsent.out";
    my $begin = time;
    my ($out, $err, $exit) = nytprof('run', '--always-on', '-o', $file, '--push', "$server->{url}/ingest",
        $^X, '-e', '$SIG{CHLD} = sub { print "child\n" }; select undef, undef, undef, 1.5; print "done\n"; exit 3');
    is "$exit $out$err", "3 done\n", 'the program runs as ever';
    cmp_ok time - $begin, '<', 6, 'and ends';
    is_deeply [ left_after(30, $file) ], [], 'the pusher ends after three more tries';
    like slurp("$dir/push.unsent.out.log"), qr/^nytprof: push: the last \d\.\d\d s were not sent to /m, 'and says so';
};

# Process 1 of a container would get the pusher as a child.
subtest 'run --push by a process that adopts orphans' => sub {
    my $adopts = "$dir/adopts";
    spew("$adopts.c", "#include <sys/prctl.h>\n#include <unistd.h>\nint main(int argc, char **argv) { (void)argc; "
        . "prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); return execv(argv[1], argv + 1); }\n");
    system("$Config{cc} -o '$adopts' '$adopts.c'") == 0 or BAIL_OUT('no compiler works');
    my $said = qx{'$adopts' '$TOP/build/nytprof' run --push http://127.0.0.1:9/ingest -o '$dir/x.out' true 2>&1};
    like $said, qr/^nytprof: run: --push: orphans become children of this process, .* expected an init as its parent/,
        'is refused';
};

for my $case (
    [ 'x', [], qr/--push: expected http:\/\/HOST:PORT\/PATH, got 'x'/ ],
    [ 'http://x/y', [], qr/--push: http:\/\/x\/y tells no server that is taken here/ ],
    [ 'http://x/ingest', ['--label', 'x'], qr/--label: expected NAME=VALUE/ ],
    [ 'http://x/ingest', ['--compare', 1], qr/expected --compare or --push, got both/ ],
    [ undef, ['--label', 'a=b'], qr/expected --push with --label/ ],
    [ undef, ['--service', 'a'], qr/expected --push with --service/ ],
) {
    my ($url, $more, $says) = @$case;
    my ($out, $err, $exit) = nytprof('run', $url ? ('--push', $url) : (), @$more, 'true', '--', 'true');
    like "$exit $out$err", qr/\A2 nytprof: run: $says.*\n\z/, "refused: @$more";
}

done_testing;

# Pushers of that file that still run after so many seconds.
sub left_after {
    my ($seconds, $file) = @_;
    my $end = time + $seconds;
    my @left;
    do {
        @left = grep { (eval { slurp("/proc/$_/cmdline") } // '') =~ /\0push\0.*\Q$file\E/s }
            map {m{(\d+)$}} glob '/proc/[0-9]*';
        sleep 0.2;
    } while (@left && time < $end);
    return @left;
}

sub pusher {
    my ($file, $server, @more) = @_;
    my $pid = fork // die "fork: $!\n";
    return $pid if $pid;
    alarm 60;
    open STDOUT, '>', "$file.pushed" or die "$!\n";
    open STDERR, '>&', \*STDOUT or die "$!\n";
    exec "$TOP/build/nytprof", 'push', '--follow', '--every', 0.1, @more, $file, "$server->{url}/ingest"
        or die "exec: $!\n";
}

sub program {
    my ($file, $options, $seconds) = @_;
    my $pid = fork // die "fork: $!\n";
    return $pid if $pid;
    alarm 60;
    local $ENV{NYTPROF} = join ':', "file=$file", map {"$_=$options->{$_}"} sort keys %$options;
    open STDOUT, '>', "$file.said" or die "$!\n";
    exec $^X, under_profiler(), "$dir/prefork.pl", $seconds or die "exec: $!\n";
}

sub whole {
    my ($file) = @_;
    nytprof('pprof', '-o', "$dir/whole.pb.gz", $file);
    return pprof("$dir/whole.pb.gz");
}

sub received {
    my ($request) = @_;
    spew("$dir/got.pb.gz", parts_of($request)->{profile});
    return pprof("$dir/got.pb.gz");
}

# Calls and time of each sub of each process.
sub sums {
    my (@lists) = @_;
    my %sum;
    for my $sample (map { @{ $_->{samples} } } map {@$_} @lists) {
        my $sub = $sample->{path}[-1][0] =~ s/^compiling .*/main::RUNTIME/r;
        $sum{"$sample->{labels}{pid} $sub"}[$_] += $sample->{values}[$_] for 0, 1;
    }
    return %sum;
}
