# SPDX-License-Identifier: MIT
package Receiver;

# A server of profiles on a port of 127.0.0.1, in a process of its own: it keeps each request in a file, and behaves in
# turns as it is told.

use strict;
use warnings;

use Exporter 'import';
use File::Temp qw(tempdir);
use IO::Socket::INET;
use JSON::PP qw(decode_json);
use MIME::Base64 qw(decode_base64);
use POSIX ();

use Tree qw(slurp spew);

our @EXPORT_OK = qw(receiver requests parts_of stop_receiver);

# What it does with a request: replies, or not.
my %DOES = (
    ok    => sub { reply($_[0], '200 OK', '{}') },
    taken => sub { reply($_[0], '202 Accepted', '') },
    gone  => sub { reply($_[0], '404 Not Found', "no such door\nat all\n") },
    ill   => sub { reply($_[0], '500 Internal Server Error', 'it hurts') },
    busy  => sub { reply($_[0], '429 Too Many Requests', '') },
    works => sub { $_[0]->print("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Working\r\n\r\n"); reply(@_, '200 OK', '') },
    moved => sub { reply($_[0], "301 Moved Permanently\r\nDate: x\r\nlocation:  https://else.where/x", '<html>') },
    close => sub { },
    half  => sub { $_[0]->print("HTTP/1.1 2") },
    junk  => sub { $_[0]->print("SSH-2.0-OpenSSH\e[31m\r\n") },
    hang  => sub { fork or do { POSIX::close($_) for 0 .. 2; sleep 5; POSIX::_exit(0) } },
);

sub reply {
    my ($client, $status, $body) = @_;
    $client->print("HTTP/1.1 $status\r\nContent-Length: ", length $body, "\r\nConnection: close\r\n\r\n$body");
    return;
}

# receiver(WORDS...): the behaviours, of which the last one stays. Returns { url, dir, pid }; the process ends with the
# test, or after two minutes.
sub receiver {
    my @does   = @_;
    my $dir    = tempdir(CLEANUP => 1);
    my $socket = IO::Socket::INET->new(Listen => 9, LocalAddr => '127.0.0.1') or die "no port: $!\n";
    my $url    = 'http://127.0.0.1:' . $socket->sockport;
    my $pid = fork // die "fork: $!\n";
    return { url => $url, dir => $dir, pid => $pid } if $pid;
    alarm 120;
    local $SIG{PIPE} = 'IGNORE';
    for (my $n = 1; ; $n++) {
        my $client = $socket->accept or next;
        my $does = @does > 1 ? shift @does : $does[0];
        my $request = take($client);
        spew("$dir/new", "$does\n$request");
        rename "$dir/new", sprintf "$dir/%04d", $n or POSIX::_exit(1);
        $DOES{$does}->($client);
        close $client;
    }
}

# The head, and as much of the body as it says.
sub take {
    my ($client) = @_;
    my $text = '';
    while ($text !~ /\r\n\r\n/ && sysread $client, my $more, 65536) { $text .= $more }
    my ($length) = $text =~ /^Content-Length: (\d+)\r$/m;
    my $all = index($text, "\r\n\r\n") + 4 + ($length // 0);
    while (length $text < $all && sysread $client, my $more, 65536) { $text .= $more }
    return $text;
}

sub stop_receiver {
    my ($receiver) = @_;
    kill KILL => $receiver->{pid};
    waitpid $receiver->{pid}, 0;
    return;
}

# [ { does, target, head => { lower case name => value }, body } ] of the requests up to now, in their order.
sub requests {
    my ($receiver) = @_;
    my @requests;
    for my $file (sort glob "$receiver->{dir}/0*") {
        my ($does, $rest) = split /\n/, slurp($file), 2;
        my ($head, $body) = split /\r\n\r\n/, $rest, 2;
        my ($first, @lines) = split /\r\n/, $head;
        my ($target) = $first =~ m{^POST (\S+) HTTP/1\.1$} or die "the request begins $first\n";
        push @requests, { does => $does, target => $target, body => $body,
            head => { map { my ($name, $value) = split /: /, $_, 2; (lc $name => $value) } @lines } };
    }
    return @requests;
}

# What a request has, by the kind of its server: { profile => pprof's bytes, labels => { name => value } or more }.
sub parts_of {
    my ($request) = @_;
    my ($target, $body) = @{$request}{qw(target body)};
    if ($target =~ m{/ingest\?name=(.*?)&from=(\d+)&until=(\d+)&format=pprof&}) {
        my ($name, $from, $until) = ($1, $2, $3);
        $name =~ s/%([0-9A-F]{2})/chr hex $1/ge;
        my ($service, $labels) = $name =~ /^([^{}]*)\{([^{}]*)\}$/ or die "the name is $name\n";
        my $part = multipart($body, $request->{head}{'content-type'});
        return { profile => $part->{profile}, types => decode_json($part->{sample_type_config}), from => $from,
            until => $until, service_name => $service,
            map { split /=/, $_, 2 } split /,/, $labels };
    }
    return datadog($body, $request->{head}{'content-type'}) if $target =~ m{/profiling/v1/input$};
    my $series = decode_json($body)->{series};
    my $labels = $target =~ /writeraw/ ? $series->[0]{labels}{labels} : $series->[0]{labels};
    @$series == 1 && @{ $series->[0]{samples} } == 1 or die "several profiles\n";
    my $sample = $series->[0]{samples}[0];
    return { profile => decode_base64($sample->{rawProfile}), id => $sample->{ID},
        map { ($_->{name} => $_->{value}) } @$labels };
}

# { name => bytes } of the parts of a form.
sub multipart {
    my ($body, $type) = @_;
    my ($boundary) = $type =~ m{^multipart/form-data; boundary=(\S+)$} or die "the type is $type\n";
    my (undef, @parts) = split /(?:\A|\r\n)--\Q$boundary\E/, $body;
    pop @parts eq "--\r\n" or die "the last part has no end\n";
    my $head = qr/\A\r\nContent-Disposition: form-data; name="(.*?)"; filename="\1(?:\.\w+)?"\r\n.*?\r\n\r\n/s;
    return { map {/$head(.*)/s} @parts };
}

sub datadog {
    my $part  = multipart(@_);
    my $event = decode_json($part->{event});
    return { profile => $part->{ $event->{attachments}[0] }, %$event,
        map { split /:/, $_, 2 } split /,/, $event->{tags_profiler} };
}

1;
