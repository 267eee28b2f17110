# SPDX-License-Identifier: MIT
# A program that ends while its profile is read: what it wrote at its end is read, too, or it is said to run. The reader
# looks into /proc for the process; in this test it sends the program a signal there, and waits until it has ended.
use strict;
use warnings;

use Config;
use FindBin;
use File::Temp qw(tempdir);
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Run qw(under_profiler);
use Tree qw(spew);

plan skip_all => 'the state of other processes is in /proc on Linux only' if $^O ne 'linux';

my $dir = tempdir(CLEANUP => 1);
spew("$dir/signal.c", <<'END');
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
typedef FILE *opener(const char *path, const char *mode);
static int has_ended(opener *real, const char *path) {
    char text[1024] = "";
    FILE *in = real(path, "r");
    if (!in) return 1;
    size_t n = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    return !n || strstr(text, ") Z ") != NULL;
}
FILE *fopen(const char *path, const char *mode) {
    static int is_sent;
    opener *real = (opener *)dlsym(RTLD_NEXT, "fopen");
    char stat[64];
    snprintf(stat, sizeof stat, "/proc/%s/stat", getenv("TO_BE_ENDED"));
    if (strcmp(path, stat) == 0 && !is_sent) {
        is_sent = 1;
        kill(atoi(getenv("TO_BE_ENDED")), SIGUSR1);
        for (int i = 0; i < 5000 && !has_ended(real, path); i++) usleep(2000);
    }
    return real(path, mode);
}
END
system("$Config{cc} -shared -fPIC -o '$dir/signal.so' '$dir/signal.c' -ldl") == 0 or BAIL_OUT('no compiler works');

# Many subs and the small maxsize have the last window written over others.
spew("$dir/prog.pl", join('', map {"sub f$_ { my \$x = shift; \$x += $_; \$x }\n"} 1 .. 150) . <<'END');
use Time::HiRes 'sleep';
my $is_over = 0;
local $SIG{USR1} = sub { $is_over = 1 };
sub last_words { my $x = 0; $x += $_ for 1 .. 500; return $x }
for my $i (1 .. 3000) {
    for my $f (1 .. 150) { no strict 'refs'; &{"f$f"}($f) }
    sleep 0.01;
    syswrite STDOUT, 'x' if $i == 50;
    last if $is_over;
}
last_words();
END

# What --once shows of `last` seconds goes on until now.
my %VERBS = (
    info  => ['info'],
    json  => [ 'json', '-o', '-' ],
    flat  => ['flat'],
    top   => [ 'top', '--once', '--last', 0, '--top', 200 ],
);
for my $verb (sort keys %VERBS) {
    my ($file, $pid, $from) = started($verb);
    my @meanwhile = do {
        local $ENV{TO_BE_ENDED} = $pid;
        local $ENV{LD_PRELOAD}   = "$dir/signal.so";
        local $ENV{ASAN_OPTIONS} = join ':', $ENV{ASAN_OPTIONS} // (), 'verify_asan_link_order=0';
        nytprof(@{ $VERBS{$verb} }, $file);
    };
    is waitpid($pid, 0) . " $?", "$pid 0", "$verb: the program ends";
    my @later = nytprof(@{ $VERBS{$verb} }, $file);
    is "@meanwhile", "@later", 'it is as told as later';
    unlike "@later", qr/did not end cleanly|is running/, 'with its end';
    like "@later", qr/last_words|whole +yes/, 'and what came last';
}
done_testing;

# Starts the program under the profiler, and waits until it has worked for a while. Returns its file, its process, and
# its output, whose end would be waited for.
sub started {
    my ($name) = @_;
    my $file = "$dir/$name.out";
    local $ENV{NYTPROF} = "file=$file:overhead=raw:clock=monotonic:maxsize=64k:savesrc=0:compress=0";
    my $pid = open my $from, '-|', $^X, under_profiler(), "$dir/prog.pl" or die "perl: $!\n";
    sysread $from, my $ready, 1;
    return ($file, $pid, $from);
}
