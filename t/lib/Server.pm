# SPDX-License-Identifier: MIT
package Server;

# Starts a server in a directory of its own, sends it requests, and ends it by a signal.

use strict;
use warnings;

use Exporter 'import';
use HTTP::Tiny;
use IO::Socket::INET;
use Time::HiRes qw(sleep);

use Tree qw(slurp);

our @EXPORT_OK = qw(free_port start ask stop);

my $SECONDS = 120;    # to come up, to answer, and to end

sub free_port {
    my $socket = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or die "no port: $!\n";
    return $socket->sockport;
}

# start(DIR, PORT, COMMAND...) returns when the server takes connections to that port of 127.0.0.1. Its output goes to
# DIR/server.log. The server has the caller's environment, and a process group of its own, as Apache ends its group.
sub start {
    my ($dir, $port, @command) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        setpgrp 0, 0;
        chdir $dir or die "$dir: $!\n";
        open STDIN,  '<', '/dev/null'  or die "stdin: $!\n";
        open STDOUT, '>', 'server.log' or die "stdout: $!\n";
        open STDERR, '>&', \*STDOUT or die "stderr: $!\n";
        exec @command or die "@command: $!\n";
    }
    my $server = { pid => $pid, dir => $dir, port => $port };
    for (1 .. $SECONDS * 10) {
        return $server if IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port");
        waitpid($pid, 1) and die "@command:\n", slurp("$dir/server.log");
        sleep 0.1;
    }
    kill KILL => $pid;
    die "@command does not listen to port $port\n";
}

# The body of the server's answer to a GET, over a new connection, or the status if it is not 200.
sub ask {
    my ($server, $path) = @_;
    my $answer = HTTP::Tiny->new(timeout => $SECONDS, keep_alive => 0)
        ->get("http://127.0.0.1:$server->{port}$path");
    return $answer->{status} == 200 ? $answer->{content} : "$answer->{status} $answer->{content}";
}

# Sends the signal and waits. Returns the wait status.
sub stop {
    my ($server, $signal) = @_;
    kill $signal => $server->{pid};
    local $SIG{ALRM} = sub { kill KILL => $server->{pid} };
    alarm $SECONDS;
    waitpid $server->{pid}, 0;
    my $status = $?;
    alarm 0;
    return $status;
}

1;
