# SPDX-License-Identifier: MIT
# A build that is stopped: its shell sees the same stops, of the same processes, as without us, and it goes on likewise.
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/lib";
use Build qw($NYTPROF $WRAPPER clean recorded);
use Terminal qw(has_terminals with_keys);
use Tree qw(slurp spew which);

plan skip_all => 'records builds on Linux only' if $^O ne 'linux';
plan skip_all => 'make is not installed' if !which('make');
clean();

my $dir = tempdir(CLEANUP => 1);
chdir $dir or die "$dir: $!\n";

# A shell with job control for one job, which is in the foreground of the terminal. When the job is stopped the shell
# prints the signal, waits until all processes of the job are, prints that, makes the file "go", and continues the job:
# by its group, or by its first process only. As the parent of others it looks at its child, not at what is below it.
spew('shell.c', <<'END');
#define _GNU_SOURCE
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
static int running(pid_t group) {
    glob_t found;
    int n = 0;
    glob("/proc/[0-9]*/stat", 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char text[512] = "", state = 0, *end;
        int parent, its = 0;
        FILE *in = fopen(found.gl_pathv[i], "r");
        if (!in) continue;
        end = fgets(text, sizeof text, in) ? strrchr(text, ')') : NULL;
        if (end) sscanf(end, ") %c %d %d", &state, &parent, &its);
        fclose(in);
        n += its == group && (state == 'R' || state == 'S'); /* not in the middle of a vfork */
    }
    globfree(&found);
    return n;
}
int main(int argc, char **argv) {
    int status = 0;
    if (argc < 3) return 2;
    signal(SIGTTOU, SIG_IGN);
    setsid();
    if (ioctl(0, TIOCSCTTY, 0)) return 3;
    pid_t job = fork();
    setpgid(job, job);
    tcsetpgrp(0, job ? job : getpid());
    if (!job) {
        signal(SIGTTOU, SIG_DFL);
        execvp(argv[2], argv + 2);
        _exit(99);
    }
    while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
        int tries = 0;
        while (running(job) && ++tries < 250) usleep(20000);
        printf("stopped by %d: %s\n", WSTOPSIG(status), tries < 250 ? "all" : "not all");
        fflush(stdout);
        close(open("go", O_CREAT | O_WRONLY, 0600));
        kill(*argv[1] == 'g' ? -job : job, SIGCONT);
    }
    printf("ended: %d\n", status);
    return 0;
}
END
system("$Config{cc} -o shell shell.c") == 0 or BAIL_OUT('the compiler does not work');

# It starts no process: one that is stopped between vfork and exec keeps its parent from being stopped.
spew('await.pl', <<'END');
use Time::HiRes qw(sleep);
$| = 1;
print "ready\n";
for (1 .. 400) { last if -e 'go'; sleep 0.05 }
print "on\n";
exit 3;
END
my $await = "$^X await.pl";
spew('stop.mk', "all:\n\t\@exec $await\n");
my @make    = ('make', '-f', 'stop.mk');
my @profile = ($NYTPROF, 'make', '-o', 'x.build');

# What the terminal shows, without our own line.
sub shown {
    my ($how, $steps, @command) = @_;
    unlink 'go';
    my @said = with_keys($steps, './shell', $how, @command);
    pop @said;
    return join('', @said) =~ s/\r//gr =~ s{nytprof: make: .*\n}{}r;
}

SKIP: {
    skip 'no pseudo terminals', 10 if !has_terminals();
    my @stop = [ qr/ready/, "\cZ" ];
    my $bare = shown('group', \@stop, @make);
    like $bare, qr/^\^Zstopped by 20: all\non\n.*^ended: 512\n\z/ms, 'Ctrl-Z stops a build';
    for my $method (qw(preload shell)) {
        is shown('group', \@stop, @profile, '--method', $method, '--', @make), $bare,
            "$method: as it does under us, and it goes on";
        my ($recipe) = grep { $_->{parent} } values %{ recorded('x.build') };
        is $recipe->{status}, 3, 'and the capture has its end';
    }
    for my $signal (qw(STOP TSTP TTIN)) {
        my @itself = ('sh', '-c', "kill -$signal \$\$; echo on; exit 4");
        my $alone = shown('first', [], @itself);
        like $alone, qr/^stopped by \d+: all\non\nended: 1024\n\z/, "a command that stops itself by $signal";
        is shown('first', [], @profile, '--', @itself), $alone, 'is a stopped job under us, too';
    }
    my @handles = ($^X, '-e', '$SIG{TSTP} = sub { open F, ">", "go" }; do "./await.pl"');
    is shown('group', \@stop, @profile, @handles), shown('group', \@stop, @handles),
        'one that handles Ctrl-Z is not stopped';
    is shown('group', \@stop, $NYTPROF, 'run', '-o', 'x.out', '--', split ' ', $await),
        shown('group', \@stop, split ' ', $await), 'nytprof run does the same';
}

# --- by other processes, where no shell looks at jobs -----------------------------------------------------------------

# The process of a command that does not lead its group, whose leader says when it has ended. The group is not that of
# this test, which may have lost its shell: such groups are not stopped by TSTP.
sub background {
    my (@command) = @_;
    unlink 'go', 'pid', 'started', 'ended';
    my $leader = fork // die "fork: $!\n";
    if (!$leader) {
        setpgrp;
        my $pid = fork // die "fork: $!\n";
        if (!$pid) {
            open STDOUT, '>', 'said' or die;
            open STDERR, '>', 'told' or die;
            exec @command or die;
        }
        spew('started', "$pid\n");
        waitpid $pid, 0;
        spew('ended', $?);
        POSIX::_exit(0);
    }
    await(sub { -s 'started' });
    chomp(my $pid = slurp('started'));
    return ($leader, $pid);
}

# Waits for half a minute at most.
sub await {
    my ($is_so) = @_;
    for (1 .. 600) { return 1 if $is_so->(); sleep 0.05 }
    return 0;
}

sub is_stopped {
    my ($pid) = @_;
    open my $in, '<', "/proc/$pid/stat" or return 0;
    return scalar(<$in>) =~ /\) T/;
}

for my $case ([ 'nytprof make', @profile, '--', '/bin/sh' ], [ 'the program in place of sh', $WRAPPER ]) {
    my ($name, @command) = @$case;
    local $ENV{NYTPROF_BUILD} = '1:' . '0123456789abcdef' x 2 . ":0:0:$dir/y.build";
    spew('y.build', '');
    my ($leader, $pid) = background(@command, '-c', "echo \$\$ > pid.new; mv pid.new pid; exec $await");
    ok await(sub { -s 'pid' }), "$name runs";
    my ($its) = slurp('pid') =~ /(\d+)/;
    kill TSTP => $pid;
    ok await(sub { is_stopped($pid) && is_stopped($its) }), 'TSTP to it alone stops the command and itself';
    kill CONT => $pid;
    ok await(sub { !is_stopped($pid) && !is_stopped($its) }), 'CONT continues both';
    kill STOP => $its;
    ok await(sub { is_stopped($its) }), 'STOP of the command alone';
    sleep 0.3;
    ok !is_stopped($pid), 'is that of no other process';
    spew('go', '');
    kill CONT => $its;
    await(sub { -e 'ended' }) or kill KILL => $its, $pid;
    waitpid $leader, 0;
    is_deeply [ slurp('ended'), slurp('said') ], [ 3 << 8, "ready\non\n" ], 'so that CONT of the command lets both end';
}

done_testing;
