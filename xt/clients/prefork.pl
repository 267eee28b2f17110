# SPDX-License-Identifier: MIT
# A server in plain Perl: PORT WORKERS. Workers accept connections by turns, and each keeps its connection until the
# client closes it. TERM ends the parent after its workers.
use strict;
use warnings;

use IO::Socket::INET;
use Work;

my ($port, $workers) = @ARGV;
my $socket = IO::Socket::INET->new(LocalAddr => "127.0.0.1:$port", Listen => 64, ReuseAddr => 1)
    or die "port $port: $!\n";
my @workers;
for (1 .. $workers) {
    my $pid = fork // die "fork: $!\n";
    work() if !$pid;
    push @workers, $pid;
}
local $SIG{TERM} = sub { kill TERM => @workers };
1 while wait > 0;

sub work {
    local $SIG{TERM} = sub { exit 0 };
    while (1) {
        accept my $client, $socket or next;
        serve($client);
    }
}

sub serve {
    my ($client) = @_;
    my $request = '';
    while (sysread $client, $request, 4096, length $request) {
        while ($request =~ s{\AGET (\S+) HTTP/1\.1\r\n.*?\r\n\r\n}{}s) {
            my $answer = Work::answer($1);
            my $status = defined $answer ? '200 OK' : '404 Not Found';
            syswrite $client, "HTTP/1.1 $status\r\nContent-Length: " . length($answer // '') . "\r\n\r\n"
                . ($answer // '');
        }
    }
    return;
}
