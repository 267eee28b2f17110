# SPDX-License-Identifier: MIT
# Servers with Lua in them under the profiler, with requests over HTTP: answers are correct, and each server leaves a
# whole capture with the calls that the requests make. Wants Debian's packages lighttpd, lighttpd-modules-lua and
# prosody (which has coroutines, timers, and calls of debug.sethook).
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Dump qw(of records);
use Profiled qw($TOP);
use Run qw(facts);
use Server qw(ask free_port start stop);
use Tree qw(slurp);

my $CLIENTS = "$TOP/xt/clients";
my %FIB     = (1 => 1, 2 => 1, 5 => 5, 10 => 55);      # the servers' answers
my %CALLS   = (1 => 1, 2 => 1, 5 => 9, 10 => 109);     # and the calls that each takes
my $ROUNDS  = 50;

# Each server's command goes behind nytprof run; lighttpd uses Lua's shared library.
my @RUN = ("$TOP/build/nytprof", 'run', '-o', 'capture');
my %server = (
    lighttpd => [ '/', [ @RUN, '--preload' ], qw(/usr/sbin/lighttpd -D -f), "$CLIENTS/lighttpd.conf" ],
    prosody  => [ '/fib/', \@RUN, qw(prosody -F --config), "$CLIENTS/prosody.cfg.lua" ],
);

for my $name (sort keys %server) {
    my ($path, $run, @command) = @{ $server{$name} };
    my $bare = serve($name, $path, @command);
    my $ours = serve($name, $path, @$run, '--', @command);
    is $ours->{status}, $bare->{status}, "$name ends as without the profiler";
    my $checked = serve($name, $path, @$run, '--options', 'selfcheck=1:log=check.log', '--', @command);
    like slurp("$checked->{dir}/check.log"), qr/\ANYTProf: selfcheck: [1-9]\d{2,} events, 0 wrong\n\z/,
        'at every event the calls we think are running are those that run';

    my $capture = "$ours->{dir}/capture";
    my ($last) = reverse grep { $_->{kind} ne 'chunk' } records($capture);
    is $last->{kind}, 'end', 'its capture is complete';
    my $facts = facts($ours, $capture);
    is $facts->{sub}{fib}{calls}, $ROUNDS * sum0(values %CALLS), 'with every call';
    my ($process) = of('process_start', @{ $facts->{records} });
    like $process->{program}, qr/$name/, 'and the name of the program';
}

done_testing;

# Starts a server, sends it requests, and ends it.
sub serve {
    my ($name, $path, @command) = @_;
    my ($dir, $port) = (tempdir(CLEANUP => 1), free_port());
    local @ENV{qw(DIR PORT CLIENTS)} = ($dir, $port, $CLIENTS);
    my $server = start($dir, $port, @command);
    for my $n (sort { $a <=> $b } keys %FIB) {
        is_deeply [ map { ask($server, "$path$n") } 1 .. $ROUNDS ], [ ("$FIB{$n}\n") x $ROUNDS ], "$name: fib($n)";
    }
    like ask($server, "${path}none"), qr/^404 /, "$name: not found";
    $server->{status} = stop($server, 'TERM');
    return $server;
}
