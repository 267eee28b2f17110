# SPDX-License-Identifier: MIT
# A capture that many write at once, on a full disk, and a program in place of a shell that has the rights of another.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Build qw($NYTPROF $WRAPPER clean in recorded);
use Tree qw(slurp spew which);

plan skip_all => 'records builds on Linux only' if $^O ne 'linux';
clean();
my $dir = tempdir(CLEANUP => 1);
my $RUN = '0123456789abcdef' x 2;

# --- many writers -----------------------------------------------------------------------------------------------------

# Each runs the program in place of sh fifty times, with arguments of as many bytes as a record has.
spew("$dir/many.build", '');
my @writers;
for my $writer (1 .. 8) {
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        local $ENV{NYTPROF_BUILD} = "1:$RUN:0:0:$dir/many.build";
        system $WRAPPER, '-c', ": writer $writer run $_ " . 'x' x 20_000 for 1 .. 50;
        exec 'true';
    }
    push @writers, $pid;
}
waitpid $_, 0 for @writers;
my @all = values %{ recorded("$dir/many.build") };
my %seen = map { (($_->{argv}[-1] =~ /^: (writer \d run \d+) x/)[0] // 'torn' => 1) } @all;
is_deeply [ scalar @all, scalar keys %seen ], [ 400, 400 ], 'eight that write at once leave all records of each';
is scalar(grep { !defined $_->{status} } @all), 0, 'with their ends';
like in($dir, $NYTPROF, 'dump', "$dir/many.build")->{out} =~ /^damage /m ? 'damage' : 'whole', qr/whole/,
    'and nothing is damaged';

# --- a full disk ------------------------------------------------------------------------------------------------------

SKIP: {
    skip 'make is not installed', 4 if !which('make');
    mkdir "$dir/small" or die;
    spew("$dir/full.mk", 'all: ' . join(' ', map {"r$_"} 1 .. 100) . "\nr%: ; \@: " . 'x' x 3000 . "; exit 0\n"
        . "last: all; \@echo last; exit 3\n");
    my $mounted = "mount -t tmpfs -o size=64k none $dir/small 2>/dev/null || { echo none; exit 0; };";
    my $make = "$NYTPROF make -o $dir/small/x.build make -sf $dir/full.mk last; echo status \$?;";
    my $run = in($dir, qw(unshare -Urm sh -c), "$mounted $make $NYTPROF info $dir/small/x.build");
    skip 'no disk can be mounted here', 4 if $run->{out} !~ /^last$/m;
    like $run->{out}, qr/^last\nstatus 2$/m, 'a build whose disk is full goes on, and has its own status';
    like $run->{err}, qr{: records are missing in \Q$dir\E/small/x\.build: No space left on device$}m, 'a line tells';
    unlike $run->{err} =~ s/^nytprof: .*$//gmr, qr/space/, 'and nothing else does';
    like $run->{out}, qr/^build +processes \d+/m, 'what fits is there';
}

# --- rights of another user -------------------------------------------------------------------------------------------

SKIP: {
    skip 'only root can become another user', 2 if $> != 0 || !which('setpriv');
    my $own = tempdir(CLEANUP => 1);
    chmod 0755, $own or die;
    system('cp', $WRAPPER, "$own/sh") == 0 or die;
    chmod 04755, "$own/sh" or die;
    spew("$own/secure.build", '');
    my @other = qw(setpriv --reuid=65534 --regid=65534 --clear-groups);
    local $ENV{NYTPROF_BUILD} = "1:$RUN:0:0:$own/secure.build";
    my $run = in($own, @other, "$own/sh", '-c', 'echo ran; exit 5');
    is_deeply [ @$run{qw(out status)} ], [ "ran\n", 5 << 8 ], 'a program in place of sh that is set-user-ID runs it';
    is slurp("$own/secure.build"), '', 'and writes nothing, with the rights that it has got';
}

done_testing;
