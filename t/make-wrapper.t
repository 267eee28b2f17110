# SPDX-License-Identifier: MIT
# The program in place of a shell: a script cannot tell it from the shell, and an end is the shell's own.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/lib";
use Build qw($NYTPROF $WRAPPER clean in recorded records);
use Tree qw(slurp spew);

plan skip_all => 'records builds on Linux only' if $^O ne 'linux';
clean();

my $dir     = tempdir(CLEANUP => 1);
my $capture = "$dir/x.build";
my $RUN     = '0123456789abcdef' x 2;

# Each in a build and outside, by the wrapper, and by the shell itself.
sub three {
    my ($name, @arguments) = @_;
    my %run = map { ($_ => run($_, @arguments)) } qw(bare outside build);
    is_deeply $run{outside}, $run{bare}, "$name: outside of a build";
    is_deeply $run{build},   $run{bare}, "$name: in a build";
    return $run{build};
}

sub run {
    my ($where, @arguments) = @_;
    local $ENV{NYTPROF_BUILD} = "1:$RUN:0:0:$capture";
    delete $ENV{NYTPROF_BUILD} if $where ne 'build';
    spew($capture, '');
    return in($dir, $where eq 'bare' ? '/bin/sh' : $WRAPPER, @arguments);
}

three("exit status $_", '-c', "exit $_") for 0, 1, 2, 127, 255;
three("signal $_",      '-c', "kill -$_ \$\$")
    for qw(HUP INT KILL TERM), ($ENV{LD_PRELOAD} // '') =~ /asan/ ? () : 'SEGV';    # which it handles
is three('$0', '-c', 'echo "$0"')->{out}, "/bin/sh\n", 'which is that of the shell';
three('a name for $0', '-c', 'echo "$0" "$@"', 'its name', 'a b', '');
three('an error of the shell', '-c', 'no_such_command');
three('a missing script',      "$dir/none.sh");
three('set -e',                '-ec', 'false; echo on');
three('umask and limits',      '-c', 'umask; ulimit -a');
three('the directory',         '-c', 'pwd');
three('a long argument', '-c', 'echo ${#1}', 'sh', 'x' x 120_000);
three('every byte', '-c', 'printf %s "$1"', 'sh', join '', map {chr} 1 .. 255);
spew("$dir/script.sh", "echo in a script; exit 3\n");
three('a script', "$dir/script.sh");
three('arguments of sh', '-x', '-c', 'true');

# Descriptors: those of a jobserver are inherited by number.
{
    open my $held, '<', "$dir/script.sh" or die;
    require Fcntl;
    fcntl $held, Fcntl::F_SETFD(), 0 or die;
    three('descriptors', '-c', 'ls /proc/self/fd; cat /proc/self/fd/' . fileno $held);
}

# Signals that are ignored stay ignored, also that of a child's end.
for my $signal (qw(INT HUP TERM)) {
    local $SIG{$signal} = 'IGNORE';
    three("an ignored $signal", '-c', "kill -$signal \$\$; echo on");
}
{
    my @told = map {
        local $SIG{CHLD} = 'IGNORE';
        local $ENV{NYTPROF_BUILD} = "1:$RUN:0:0:$capture";
        qx{$_ -c 'grep SigIgn /proc/self/status; exit 3' > "$dir/ignored"};
        slurp("$dir/ignored");
    } '/bin/sh', $WRAPPER;
    is $told[1], $told[0], 'an ignored CHLD is ignored in the shell';
}

# --- what is recorded -------------------------------------------------------------------------------------------------

run('build', '-c', 'exit 7');
my ($process) = values %{ recorded($capture) };
is_deeply [ @$process{qw(status words)}, $process->{argv} ], [ 7, 3, [ '/bin/sh', '-c', 'exit 7' ] ],
    'status and command';
run('build', '-c', ': ' . 'x' x 50_000);
($process) = values %{ recorded($capture) };
is length($process->{command}) + $process->{cut}, length("/bin/sh\0-c\0: ") + 50_000 + 1,
    'of a long command it is known how much is missing';
run('build', '-c', 'printf %s "$1"', 'sh', join '', map {chr} 1 .. 255);
is +(values %{ recorded($capture) })[0]{argv}[-1], join('', map {chr} 1 .. 255),
    'every byte of an argument is recorded';
run('build', '-c', "$WRAPPER -c 'true; $WRAPPER -c true; true'; true");
my @chain = sort { $a->{start} <=> $b->{start} } values %{ recorded($capture) };
is_deeply [ map { $_->{parent} } @chain ], [ 0, map { $chain[$_]{start} } 0, 1 ], 'each is below the one that ran it';

run('build', '-c', "mkdir gone && cd gone && rmdir ../gone && $WRAPPER -c 'exit 5'");
my ($there, $gone) = sort { $a->{start} <=> $b->{start} } values %{ recorded($capture) };
is_deeply [ $there->{directory}, @$gone{qw(directory status)} ], [ $dir, '', 5 ], 'a directory that is gone';

# A makefile may name the program itself.
spew("$dir/Makefile", "SHELL = $WRAPPER\nall: ; exit 0 # of all\n");
is run('build', '-c', 'make')->{status}, 0, 'SHELL = in a makefile';
is scalar(grep { $_->{argv}[-1] eq 'exit 0 # of all' } values %{ recorded($capture) }), 1, 'its recipe is seen';

my $burn = q{$t = times; 1 while times() - $t < 0.3};
run('build', '-c',
    "($^X -e '$burn; open F, q(>done)' &) ; while [ ! -e done ]; do sleep 0.1; done; sleep 0.1");
cmp_ok +(values %{ recorded($capture) })[0]{user_us}, '>', 250_000, "an orphan's time counts";

SKIP: {
    skip 'the kernel lists no children', 1 if !-e "/proc/$$/task/$$/children";
    is run('build', '-c', '(true &); (true &); sleep 0.3; wc -w < /proc/$PPID/task/$PPID/children')->{out}, "1\n",
        'an orphan that has ended does not wait for the end of the shell';
}

for my $junk ('', '1', '1:', "1:$RUN:0:0:relative", "2:$RUN:0:0:$capture", "1:xx:0:0:$capture", "1:$RUN:-1:0:$capture",
    "1:$RUN:99999999999999999999999:0:$capture", ':' x 50, "1:$RUN:0:0:$dir", "1:$RUN:0:0:$dir/none/x", '1:' x 9999,
    "1:$RUN:123456:0:/dev/full", "1:$RUN:0:0:/" . 'x' x 5000, "\x{ff}" x 40) {
    local $ENV{NYTPROF_BUILD} = $junk;
    is_deeply in($dir, $WRAPPER, '-c', 'echo $1; exit 5', 'sh', 'a'), { out => "a\n", err => '', status => 5 << 8 },
        'junk in the variable: ' . substr $junk =~ s/[^ -~]/?/gr, 0, 60;
}
symlink $capture, "$dir/link" or die;
spew($capture, '');
{
    local $ENV{NYTPROF_BUILD} = "1:$RUN:0:0:$dir/link";
    in($dir, $WRAPPER, '-c', 'true');
}
is slurp($capture), '', 'nothing is written through a symbolic link';

# A signal from another process reaches the shell, which may handle it.
for my $case ([ 'trap "echo got; exit 4" TERM; echo > ready; while :; do sleep 0.05; done', 4 << 8, "got\n" ],
    [ 'echo > ready; exec sleep 60', 15, '' ]) {
    my ($script, $status, $says) = @$case;
    unlink "$dir/ready";
    spew($capture, '');
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        chdir $dir;
        $ENV{NYTPROF_BUILD} = "1:$RUN:0:0:$capture";
        open STDOUT, '>', "$dir/said" or die;
        exec $WRAPPER, '-c', $script or die;
    }
    for (1 .. 400) { last if -e "$dir/ready"; sleep 0.05 }
    kill TERM => $pid;
    waitpid $pid, 0;
    is_deeply [ $?, slurp("$dir/said") ], [ $status, $says ], 'TERM is passed on: ' . ($says ? 'to a trap' : 'the end');
    is +(values %{ recorded($capture) })[0]{status}, $says ? 4 : 256 + 15, 'and recorded';
}

# kill -9 of the wrapper is one of the shell: what would go on writing into the pipe ends.
{
    local $ENV{NYTPROF_BUILD} = "1:$RUN:0:0:$capture";
    my $alive = 'i=0; while [ $i -lt 60 ]; do sleep 0.05; i=$((i + 1)); done; echo alive';
    open my $said, '-|', $WRAPPER, '-c', "echo \$PPID; $alive" or die;
    kill KILL => scalar(<$said>) =~ /(\d+)/;
    is_deeply [ <$said> ], [], 'kill -9 of the program in place of a shell';
    close $said;
    is $?, 9, 'ends the shell, too';
}

# --- other names ------------------------------------------------------------------------------------------------------

mkdir "$dir/$_" or die for qw(one two real);
spew("$dir/real/tool", "#!/bin/sh\necho \"real \$0 \$*\"; exit 6\n");
chmod 0755, "$dir/real/tool" or die;
symlink $WRAPPER, "$dir/one/tool" or die;
system('cp', $WRAPPER, "$dir/two/tool") == 0 or die;
for my $path ("$dir/one:$dir/real", "$dir/one:$dir/two:$dir/real", "$dir/two:$dir/one:$dir/real") {
    local $ENV{PATH} = "$path:$ENV{PATH}";
    spew($capture, '');
    my $outside = in($dir, 'tool', 'a b');
    local $ENV{NYTPROF_BUILD} = "1:$RUN:0:0:$capture";
    is_deeply [ @{ in($dir, 'tool', 'a b') }{qw(out status)} ], [ "real $dir/real/tool a b\n", 6 << 8 ],
        'a link of another name is the program of this name in PATH: ' . $path =~ s/\Q$dir\///gr;
    is $outside->{status}, 6 << 8, 'also outside of a build';
    is +(sort { $b->{start} <=> $a->{start} } values %{ recorded($capture) })[0]{status}, 6, 'and recorded';
}
{
    local $ENV{PATH} = "$dir/one:$dir/two";
    my $none = in($dir, 'tool');
    is_deeply [ @$none{qw(status err)} ], [ 127 << 8, "tool: not found behind this program in PATH\n" ],
        'it never runs itself, or a copy in turns with itself';
}

done_testing;
