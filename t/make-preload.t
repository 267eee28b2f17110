# SPDX-License-Identifier: MIT
# The library in make and ninja: processes that are started in other ways than make's today, a jobserver, other tools.
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Build qw($LIBRARY $NYTPROF $WRAPPER clean in recorded records);
use Tree qw(spew which);

plan skip_all => 'records builds on Linux only' if $^O ne 'linux';
clean();

my $dir = tempdir(CLEANUP => 1);

# A tool that starts its children as its arguments say, and prints errno and what it gets.
spew("$dir/tool.c", <<'END');
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv) {
    char *run[] = {"sh", "-c", "exit 9", NULL}, how = argv[1][0];
    struct rusage used;
    pid_t pid = -1, got;
    int status = -1;
    if (argc > 2 && !getenv("AGAIN")) setenv("AGAIN", "1", 1), execv("/proc/self/exe", argv);
    errno = 77;
    if (how == 'v' || how == 'f') {
        pid = how == 'v' ? vfork() : fork();
        if (pid == 0) execvp("sh", run), _exit(99);
    }
    if (how == 'e' && (pid = vfork()) == 0) execve("/bin/sh", run, environ), _exit(99);
    if (how == 's' && posix_spawn(&pid, "/bin/sh", NULL, NULL, run, environ)) return 98;
    if (how == 'p' && posix_spawnp(&pid, "sh", NULL, NULL, run, environ)) return 98;
    if (how == 'n' && posix_spawn(NULL, "/bin/sh", NULL, NULL, run, environ)) return 98;
    if (how == 'x') printf("missing %d\n", posix_spawn(&pid, "/none", NULL, NULL, run, environ));
    printf("errno %d\n", errno);
    got = how == 'v' ? wait(&status) : how == 'f' ? wait3(&status, 0, &used) : waitpid(-1, &status, 0);
    printf("same %d status %d\n", how == 'n' ? got > 0 : got == pid, status);
    errno = 0;
    got = waitpid(-1, NULL, WNOHANG);
    printf("none %d %s\n", (int)got, strerror(errno));
    return 0;
}
END
system("$Config{cc} -o $dir/make $dir/tool.c") == 0 or BAIL_OUT('the compiler does not work');
system('cp', "$dir/make", "$dir/other") == 0 or die;

my %HOW = (v => 'vfork, execvp and wait', f => 'fork, execvp and wait3', e => 'vfork and execve', s => 'posix_spawn',
    p => 'posix_spawnp', n => 'posix_spawn without a pid', x => 'a program that is not there',
    's again' => 'after an exec');
for my $how (sort keys %HOW) {
    my $bare = in($dir, "$dir/make", split ' ', $how);
    my $run = in($dir, $NYTPROF, 'make', '-o', "$dir/x.build", "$dir/make", split ' ', $how);
    is_deeply [ @$run{qw(out status)} ], [ @$bare{qw(out status)} ], "$HOW{$how}: the tool gets what it gets bare";
    my @processes = sort { $a->{start} <=> $b->{start} } values %{ recorded("$dir/x.build") };
    my @wanted = ([ "$dir/make", 0 ], $how eq 'x' ? () : [ 'sh', 9 ]);
    is_deeply [ map { [ $_->{argv}[0], $_->{status} ] } @processes ], \@wanted, 'and both are recorded' if $how ne 'x';
    is scalar @processes, @wanted, 'and nothing else';
}
in($dir, $NYTPROF, 'make', '-o', "$dir/x.build", "$dir/other", 's');
is scalar(keys %{ recorded("$dir/x.build") }), 1, 'the processes of another program are none of the build';

# --- make -------------------------------------------------------------------------------------------------------------

SKIP: {
    skip 'make is not installed', 10 if !which('make');
    my ($first, $second) = map { my $letter = $_; join ' ', map {"$letter$_"} 1 .. 40 } qw(r m);
    spew("$dir/Makefile", "all: $first\n\t\@\$(MAKE) -s more\nmore: $second\n"
        . "r%: ; \@true; sleep 0.01\nm%: ; \@true; sleep 0.01\n");
    my $run = in($dir, $NYTPROF, 'make', '-o', "$dir/j.build", which('make'), '-j4');
    is_deeply [ @$run{qw(out err status)} ], [ '', '', 0 ], 'a jobserver reaches all makes';
    my @processes = sort { $a->{start} <=> $b->{start} } values %{ recorded("$dir/j.build") };
    is scalar(grep { ($_->{target} // '') =~ /^[rm]\d+$/ } @processes), 80, 'each recipe is recorded once';
    is scalar(grep { !defined $_->{end} } @processes), 0, 'with its end';
    my ($running, $most) = (0, 0);
    for my $event (sort { $a->[0] <=> $b->[0] } map { ([ $_->{start}, 1 ], [ $_->{end}, -1 ]) }
        grep { $_->{target} =~ /^r/ } @processes) {
        $running += $event->[1];
        $most = $running if $running > $most;
    }
    is $most, 4, 'and four run at a time';

    spew("$dir/some.mk", "all: ; \@true; \$(MAKE) -s nothing; \$(MAKE) -s some\n"
        . "nothing:\nsome: ; \@true; exit 0\n");
    $run = in($dir, $NYTPROF, 'make', '-o', "$dir/some.build", which('make'), '-sf', 'some.mk', 'MAKE=make -f some.mk');
    is_deeply [ in($dir, $NYTPROF, 'build', '-t', "$dir/some.build")->{out} =~ /^(?:not seen|seen by) +(.*)$/mg ],
        ['3 make or ninja, 0 wrappers'], 'makes with and without processes of their own are known to have been seen';
    spew("$dir/none.mk", "all: ; \@env -i \$(MAKE) -sf \$(firstword \$(MAKEFILE_LIST)) some\nsome: ; \@true; exit 0\n");
    $run = in($dir, $NYTPROF, 'make', '-o', "$dir/none.build", which('make'), '-sf', 'none.mk');
    like in($dir, $NYTPROF, 'build', '-t', "$dir/none.build")->{out},
        qr/^not seen +what 1 of make or ninja have started, if anything$/m, 'and one that was not is told';

    spew("$dir/again.mk", "include made.mk\nall: ; \@echo \$(MADE)\nmade.mk: ; \@echo MADE = yes > made.mk\n");
    $run = in($dir, $NYTPROF, 'make', '-o', "$dir/again.build", which('make'), '-f', 'again.mk');
    is $run->{out}, "yes\n", 'a make that begins again';
    is_deeply [ map { $_->{target} } sort { $a->{start} <=> $b->{start} } values %{ recorded("$dir/again.build") } ],
        [ '', 'made.mk', 'all' ], 'stays one process of the build';
    like in($dir, $NYTPROF, 'info', "$dir/again.build")->{out}, qr/^whole +yes$/m, 'and nothing is missing';
    local $ENV{MAKEFLAGS} = 'k X=1';
    spew("$dir/flags.mk", "all: ; \@echo \$(X) \$(filter k,\$(MAKEFLAGS)); exit 1\nmore: ; \@true\n");
    like in($dir, $NYTPROF, 'make', '-o', "$dir/flags.build", which('make'), '-f', 'flags.mk', 'all', 'more')->{out},
        qr/^1 k/, 'flags in MAKEFLAGS keep their effect';
}
# --- what each program of a build pays --------------------------------------------------------------------------------

SKIP: {
    skip 'readelf is not installed', 2 if !which('readelf');
    my %said = map { ($_ => in($dir, 'readelf', $_, $LIBRARY)->{out}) } qw(-lW -rW);
    my ($addresses) = $said{-rW} =~ /'\.rel\w*\.dyn' .* contains (\d+) entr/;
    cmp_ok $addresses // 0, '<', 10, 'ld.so has next to no addresses to write into the library';
    my ($size) = $said{-lW} =~ /^ +LOAD(?: +\S+){4} +(\S+) +RW/m;
    cmp_ok hex($size // 'ffff'), '<', 4096, 'whose data is less than a page';
}

# --- jobservers -------------------------------------------------------------------------------------------------------

# What owns a jobserver, by a fifo as make 4.4 or by descriptors; what is below it takes and returns a token.
spew("$dir/server.c", <<'END');
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv) {
    char flags[4096], *run[] = {"sh", "-c", argv[3], NULL};
    const char *inherited = getenv("MAKEFLAGS");
    int ends[2], status = -1, is_fifo = argc > 1 && strcmp(argv[1], "fifo") == 0;
    pid_t pid;
    inherited = inherited ? inherited : "";
    if (is_fifo) {
        if (mkfifo("tokens", 0600) || (ends[0] = ends[1] = open("tokens", O_RDWR | O_CLOEXEC)) < 0) return 97;
        snprintf(flags, sizeof flags, " -j3 --jobserver-auth=fifo:tokens -- %s", inherited);
    } else {
        if (pipe(ends) || dup2(ends[0], 30) < 0 || dup2(ends[1], 31) < 0) return 96;
        close(ends[0]), close(ends[1]);
        ends[1] = 31;
        snprintf(flags, sizeof flags, " -j3 --jobserver-auth=30,31 -- %s", inherited);
    }
    if (write(ends[1], "++", 2) != 2) return 95;
    setenv("MAKEFLAGS", flags, 1);
    if (posix_spawn(&pid, argv[2], NULL, NULL, run, environ) || waitpid(pid, &status, 0) != pid) return 94;
    char left[8];
    printf("left %d\n", (int)read(is_fifo ? ends[0] : 30, left, sizeof left));
    if (is_fifo) unlink("tokens");
    return status >> 8;
}
END
mkdir "$dir/server" or die;
system("$Config{cc} -o $dir/server/make $dir/server.c") == 0 or BAIL_OUT('the compiler does not work');
my %TAKES = (fifo => 'head -c 1 tokens; printf + > tokens', pipe => 'head -c 1 /dev/fd/30; printf + > /dev/fd/31');
for my $kind (sort keys %TAKES) {
    my $script = "echo \"\$MAKEFLAGS\"; ls /proc/self/fd; $TAKES{$kind}; exit 3";
    my $bare = in($dir, "$dir/server/make", $kind, '/bin/sh', $script);
    like $bare->{out}, qr/^ -j3 --jobserver-auth=\S+ -- \n.*^\+left 2$/ms, "a jobserver by a $kind";
    for my $case ([ 'preload', '/bin/sh' ], [ 'shell', $WRAPPER ]) {
        my ($method, $shell) = @$case;
        my $run = in($dir, $NYTPROF, 'make', '--method', $method, '-o', "$dir/server.build", '--', "$dir/server/make",
            $kind, $shell, $script);
        (my $out = $run->{out}) =~ s/^( .* -- )NYTPROF_TARGET=[\$]{2}[@](?: SHELL=\Q$WRAPPER\E)?$/$1/m;
        is_deeply [ $out, @$run{qw(err status)} ], [ @$bare{qw(out err status)} ], "$method: is as it is bare";
        my ($recipe) = grep { $_->{parent} } values %{ recorded("$dir/server.build") };
        is $recipe->{status}, 3, 'and what has a token is recorded';
    }
    # A build that is itself part of one, and inherits the flags and the descriptors.
    local $ENV{MAKEFLAGS} = ' -j3 --jobserver-auth=fifo:/none -- X=1';
    like in($dir, $NYTPROF, 'make', '-o', "$dir/server.build", 'sh', '-c', 'echo "$MAKEFLAGS"')->{out},
        qr/^ -j3 --jobserver-auth=fifo:\/none -- X=1 NYTPROF_TARGET=[\$]{2}[@]$/, 'flags of a make above stay';
}

# --- other tools ------------------------------------------------------------------------------------------------------

SKIP: {
    my $ninja = which('ninja');
    skip 'ninja is not installed', 2 if !$ninja;
    spew("$dir/build.ninja", "rule r\n  command = echo \$out > \$out\n" . join '', map {"build o$_: r\n"} 1 .. 20);
    my $run = in($dir, $NYTPROF, 'make', '-o', "$dir/n.build", $ninja);
    is $run->{status}, 0, 'ninja';
    is scalar(grep { $_->{argv}[-1] =~ /^echo o\d+ > o\d+$/ && defined $_->{end} && $_->{status} == 0 }
            values %{ recorded("$dir/n.build") }), 20, 'each of its commands is recorded';
}

done_testing;
