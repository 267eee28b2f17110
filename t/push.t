# SPDX-License-Identifier: MIT
# nytprof push: what servers of profiles get adds up to the profile, whole or in deltas while the program runs, also
# where a server is ill for a while; and the program does not notice.
use strict;
use warnings;

use Compress::Zlib qw(memGunzip);
use Config;
use FindBin;
use File::Temp qw(tempdir);
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Pages qw(fixtures);
use Pprof qw(pprof);
use Profiled qw($TOP);
use Receiver qw(parts_of receiver requests stop_receiver);
use Run qw(under_profiler);
use Tree qw(slurp spew);

my $dir   = tempdir(CLEANUP => 1);
my $calls = fixtures() . '/calls.out';
my $port  = qr/http:\/\/127\.0\.0\.1:\d+/;

# --- a whole profile, to each kind ------------------------------------------------------------------------------------

nytprof('pprof', '-o', "$dir/whole.pb.gz", $calls);
my $whole = pprof("$dir/whole.pb.gz");
my %KIND  = (
    pyroscope => '/ingest', 'pyroscope-push' => '/push.v1.PusherService/Push', parca => '/profiles/writeraw',
    datadog => '/profiling/v1/input',
);
my $all = receiver('ok');
for my $kind (sort keys %KIND) {
    my ($out, $err, $exit) = nytprof('push', $calls, "$all->{url}$KIND{$kind}");
    like $out, qr/^Sent a profile of \d\.\d\d s to $port\Q$KIND{$kind}\E$/, "$kind: it says what it did";
    is "$exit $err", '0 ', 'and nothing else';
    my $request = (requests($all))[-1];
    like $request->{target}, qr/^\Q$KIND{$kind}\E(?:\?|$)/, 'the path of the request is that of the URL';
    is $request->{head}{'content-length'}, length $request->{body}, 'the body is complete';
    my $parts = parts_of($request);
    is_deeply received($parts), $whole, 'the profile is that of nytprof pprof';
    is $parts->{service_name} // $parts->{service}, 'main.pl', 'by the name of the program';
}
my @whole = requests($all);
my ($from) = map { parts_of($_) } grep { $_->{target} =~ /ingest/ } @whole;
is_deeply [ @{$from}{qw(from until)} ], [ 1700000000, 1700000001 ], 'pyroscope: with its time in seconds';
my ($nested, $series) = map { parts_of($_) } grep { $_->{target} =~ /Push|writeraw/ } @whole;
like $series->{id}, qr/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'pyroscope-push: with an id';
is $_->{__name__}, 'wall', 'with the kind of profile' for $series, $nested;
my ($event) = map { parts_of($_) } grep { $_->{target} =~ /input/ } @whole;
is_deeply [ @{$event}{qw(version family start)} ], [ 4, 'perl', '2023-11-14T22:13:20.000Z' ], 'datadog: with its event';

# A sampled one, to each kind; another reader of protocol buffers agrees on its values.
nytprof('pprof', '-o', "$dir/sampled.pb.gz", fixtures() . '/sampled.out');
my $sampled = pprof("$dir/sampled.pb.gz");
is $sampled->{types}[0], 'samples/count', 'a sampled profile begins with samples';
for my $kind (sort keys %KIND) {
    nytprof('push', fixtures() . '/sampled.out', "$all->{url}$KIND{$kind}");
    my $parts = parts_of((requests($all))[-1]);
    is_deeply received($parts), $sampled, "$kind: a sampled profile";
    is $parts->{__name__}, 'process_cpu', 'is one of CPU time' if $parts->{__name__};
    is_deeply decoded($parts), [ 180, 1_600_000_000, 1_800_000_000, 200_000_000 ], 'protoc adds up the same values'
        if has_protoc();
}
my ($rated) = grep { $_->{target} =~ /sampleRate/ } requests($all);
like $rated->{target}, qr/&sampleRate=100$/, 'pyroscope: with its rate';
my $config = parts_of($rated)->{types};
my %unit = map { ("$_/$config->{$_}{units}" => 1) } keys %$config;
is_deeply [ sort keys %unit ], [ sort map {s{^samples/count$}{samples/samples}r} @{ $sampled->{types} } ],
    'and the unit of each type of values';
is_deeply [ map {"$_->{aggregation} $_->{cumulative}"} @{$config}{qw(wall cpu waiting)} ], [ ('sum 0') x 3 ],
    'of which deltas add up';

nytprof('push', '--to', 'parca', '--service', 'shop "7"', '--label', 'env=a\:b,{c}:region=eu:host=me', '--header',
    'X-Scope-OrgID: team', $calls, $all->{url});
my $request = (requests($all))[-1];
my $parts   = parts_of($request);
is $request->{target}, '/profiles/writeraw', 'a URL without a path gets that of its kind';
is_deeply [ @{$parts}{qw(service_name env region host)} ], [ 'shop "7"', 'a:b,{c}', 'eu', 'me' ], 'labels are sent';
is $request->{head}{'x-scope-orgid'}, 'team', 'and a header';
nytprof('push', '--to', 'pyroscope', '--label', 'env=a&b\,{c}', $calls, "$all->{url}/x/y?tenant=1#here");
$request = (requests($all))[-1];
like $request->{target}, qr{^/x/y\?tenant=1&name=main\.pl%7B}, 'a path and a query stay';
is $request->{head}{'x-scope-orgid'}, undef, 'no header is made up';
stop_receiver($all);

# --- messages ---------------------------------------------------------------------------------------------------------

my $gone = receiver('gone');
is said($calls, "$gone->{url}/ingest"), "1 nytprof: URL/ingest: 404 Not Found: no such door\n", 'a server may refuse';
is scalar requests($gone), 1, 'and is not asked again';
stop_receiver($gone);
my $moved = receiver('works', 'moved');
is said($calls, "$moved->{url}/ingest"), '0 ', 'it may say first that it is at work';
is said($calls, "$moved->{url}/ingest"),
    "1 nytprof: URL/ingest: 301 Moved Permanently, it is at https://else.where/x\n", 'or elsewhere';
stop_receiver($moved);
is said('--every', 0.1, $calls, "$gone->{url}/ingest") =~ s/: [^:]+\n/\n/r, "1 nytprof: URL\n", 'it may be away';
my $http = 'expected http://HOST:PORT/PATH, got';
my $help = "(see `nytprof help push`)\n";
for my $url ('x', 'ftp://x/ingest', map {"http://$_"} '', '/ingest', '[::1/ingest', 'a b/ingest', 'x:y/ingest',
    'x:0/ingest', 'x:65536/ingest', 'me@x/ingest', '[::1]x/ingest') {
    is said($calls, $url), "2 nytprof: push: $http '$url' $help", "no URL: $url";
}
like said($calls, 'https://x/ingest'), qr/^2 .*there is no TLS here: send to a collector on this host, or a file of/,
    'TLS is not there';
like said($calls, 'http://x/y'), qr/^2 nytprof: push: \S+ does not tell what the server is, expected --to with one of/,
    'a path tells nothing';
for my $label ('', 'x', '=y', '1=2', 'a-b=c', '__name__=x', 'a=', 'a=b:') {
    is said('--label', $label, $calls, 'http://x/ingest'),
        "2 nytprof: push: --label: expected NAME=VALUE[:NAME=VALUE...], got '$label' $help", "no label: '$label'";
}
for my $label ('a=b:a=c', 'service=x', 'host=x:host=y') {
    like said('--label', $label, $calls, 'http://x/ingest'), qr/^2 .*: there is a label \w+ already /, "twice: $label";
}
like said('--header', $_, $calls, 'http://x/ingest'), qr/^2 nytprof: push: --header: expected NAME: VALUE/, 'no header'
    for 'x', ': y', "a: b\nc: d", 'a b: c';
is said($calls), "2 nytprof: push: expected FILE... URL $help", 'both are wanted';
is said("$dir/none", 'http://127.0.0.1:1/ingest'), "1 nytprof: $dir/none: No such file or directory\n", 'a profile is';

# --- a growing profile ------------------------------------------------------------------------------------------------

# With raw times of a clock of nanoseconds deltas add up exactly. Many subs and the small maxsize have drafts from early
# on.
my $PROGRAM = join('', map {"sub f$_ { my \$x = shift; \$x += $_; \$x }\n"} 1 .. 150) . <<'END';
use Time::HiRes qw(sleep time);
sub busy { my $x = 0; $x += $_ for 1 .. 50; return $x }
sub rare { busy(); for my $f (1 .. 150) { no strict 'refs'; &{"f$f"}($f) } }
my $end = time + $ARGV[0];
while (time < $end) { busy() for 1 .. 100; rare(); sleep 0.001 }
print "done\n";
END
spew("$dir/prog.pl", $PROGRAM);
my %EXACT = (overhead => 'raw', clock => 'monotonic', maxsize => '64k', savesrc => 0, compress => 0);

subtest 'deltas' => sub {
    my ($server, $run) = followed('deltas', 1.5, ['ok'], \%EXACT);
    my @got = requests($server);
    cmp_ok scalar @got, '>=', 3, 'there are several';
    adds_up($run, @got);
    ok slurp($run->{file}) =~ /NYTProf capture drafts /, 'the file has drafts';
    my @parts = map { parts_of($_) } @got;
    is_deeply [ grep { $parts[$_]{from} < $parts[ $_ - 1 ]{until} - 1 } 1 .. $#parts ], [],
        'each begins where the one before has ended';
    is "$run->{exit} $run->{out}", "0 done\n", 'the program runs as ever';
    like $run->{said}, qr/^Sent @{[ scalar @got ]} profiles to $port\S+\n\z/, 'the pusher ends when it does, and tells';
    is $run->{status}, 0, 'with exit status 0';
};

subtest 'an ill server' => sub {
    my @ill = qw(ill hang close junk half busy);
    my ($server, $run) = followed('ill', 3, [ map({ ($_, 'ok') } @ill) ], \%EXACT, '--timeout', 0.2);
    my @got = requests($server);
    is_deeply [ grep { $_ ne 'ok' } map { $_->{does} } @got ], \@ill, 'it was tried again';
    adds_up($run, grep { $_->{does} eq 'ok' } @got);
    like $run->{said}, qr/: 500 Internal Server Error: it hurts; the next profile has the time of this one, too\n/,
        'why';
    like $run->{said}, qr/: no reply in time; /, 'a server may be slow';
    like $run->{said}, qr/: the server has closed the connection without a reply; /, 'or go';
    like $run->{said}, qr/: the reply is no HTTP: "SSH-2\.0-OpenSSH\?\[31m"; /, 'or no server of profiles';
    is scalar(() = $run->{said} =~ / takes profiles again\n/g), @ill, 'and be well again';
    is $run->{status}, 0, 'then all is well';
};

# The pusher reads the file and then asks whether the program runs: here it ends between the two.
subtest 'a program that ends meanwhile' => sub {
    plan skip_all => 'slows the pusher down on Linux only' if $^O ne 'linux';
    spew("$dir/slow.c", <<'END');
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
FILE *fopen(const char *path, const char *mode) {
    if (strncmp(path, "/proc/", 6) == 0) usleep(80000);
    return ((FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen"))(path, mode);
}
END
    system("$Config{cc} -shared -fPIC -o '$dir/slow.so' '$dir/slow.c' -ldl") == 0 or BAIL_OUT('no compiler works');
    for my $n (0 .. 4) {
        my ($server, $run) = followed("meanwhile$n", 0.3 + 0.04 * $n, ['ok'], \%EXACT, { LD_PRELOAD => "$dir/slow.so",
            ASAN_OPTIONS => join ':', $ENV{ASAN_OPTIONS} // (), 'verify_asan_link_order=0' });
        adds_up($run, requests($server));
    }
};

# While a request waits for its reply: the next round is the last one, and begins when that is given up.
subtest 'a signal' => sub {
    my $program = fork // die "fork: $!\n";
    if (!$program) {
        local $ENV{NYTPROF} = "file=$dir/signal.out";
        open STDOUT, '>', '/dev/null' or die "$!\n";
        exec $^X, under_profiler(), "$dir/prog.pl", 20 or die "exec: $!\n";
    }
    my $server = receiver(qw(hang ok));
    my $pusher = waiting_pusher($server, '--timeout', 2);
    kill TERM => $pusher;
    waitpid $pusher, 0;
    is $?, 0, 'what is left is sent, and the pusher ends';
    like slurp("$dir/signal.said"), qr/no reply in time.*\nSent 1 profiles to /s, 'at once';
    my $deaf = receiver('hang');
    $pusher = waiting_pusher($deaf, '--timeout', 20);
    kill INT => $pusher;
    sleep 0.3;
    kill TERM => $pusher;
    waitpid $pusher, 0;
    is $?, 15, 'the second one ends it, if it is another one, too';
    kill KILL => $program;
    waitpid $program, 0;
    stop_receiver($_) for $server, $deaf;
};

subtest 'a server that refuses' => sub {
    my ($server, $run) = followed('refused', 0.8, [qw(ok gone gone ok)], \%EXACT);
    like $run->{said}, qr/404 Not Found: no such door; what it refuses is not sent again\n/, 'it says so';
    is scalar(() = $run->{said} =~ /no such door/g), 1, 'once';
    like $run->{said}, qr/has refused 2 profiles, of \d\.\d\d s\n/, 'with what is lost';
    is $run->{status}, 1, 'which is a failure';
};

subtest 'a server that is not there' => sub {
    my ($server, $run) = followed('away', 0.4, undef, \%EXACT);
    is "$run->{exit} $run->{out}", "0 done\n", 'the program runs as ever';
    like $run->{said}, qr/^nytprof: push: the last \d\.\d\d s were not sent to $port\S+$/m, 'what is left is told';
    is scalar(() = $run->{said} =~ /refused/g), 1, 'and why, once';
    is $run->{status}, 1, 'which is a failure';
};

done_testing;

# The exit status and the message, in which the server's address is URL.
sub said {
    my (undef, $err, $exit) = nytprof('push', @_);
    return "$exit $err" =~ s/$port/URL/gr;
}

# What pprof reads.
sub received {
    my ($parts) = @_;
    spew("$dir/got.pb.gz", $parts->{profile});
    return pprof("$dir/got.pb.gz");
}

sub has_protoc { return scalar grep { -x "$_/protoc" } split /:/, $ENV{PATH} // '' }

# Sums of the four values of all samples, as protoc reads them.
sub decoded {
    my ($parts) = @_;
    spew("$dir/got.pb", memGunzip($parts->{profile}));
    spew("$dir/values.proto", <<'END');
syntax = "proto3";
message Sample { repeated int64 value = 2; }
message Profile { repeated Sample sample = 2; }
END
    my $text = qx{protoc --decode=Profile --proto_path='$dir' '$dir/values.proto' < '$dir/got.pb'};
    my @sum;
    for my $sample (split /^sample \{\n/m, $text) {
        my @values = $sample =~ /^  value: (\d+)$/mg;
        $sum[$_] += $values[$_] for 0 .. $#values;
    }
    return \@sum;
}

# Runs the program for so many seconds beside a pusher, which begins first. undef: no server. More options of the pusher
# may begin with variables of its environment.
sub followed {
    my ($name, $seconds, $does, $options, @more) = @_;
    my $env = ref $more[0] ? shift @more : {};
    my $server = receiver(@{ $does // ['ok'] });
    stop_receiver($server) if !$does;
    my $file = "$dir/$name.out";
    my $pusher = fork // die "fork: $!\n";
    if (!$pusher) {
        local @ENV{ keys %$env } = values %$env;
        alarm 60;
        open STDOUT, '>', "$dir/$name.said" or die "$!\n";
        open STDERR, '>&', \*STDOUT or die "$!\n";
        exec "$TOP/build/nytprof", 'push', '--follow', '--every', 0.1, @more, $file, "$server->{url}/ingest"
            or die "exec: $!\n";
    }
    local $ENV{NYTPROF} = join ':', map({"$_=$options->{$_}"} sort keys %$options), "file=$file";
    my @command = map {"'$_'"} $^X, under_profiler(), "$dir/prog.pl", $seconds;
    my $out = qx{@command};
    my $exit = $?;
    waitpid $pusher, 0;
    my $status = $? >> 8;
    stop_receiver($server) if $does;
    my $said = slurp("$dir/$name.said");
    return ($server, { file => $file, out => $out, exit => $exit, status => $status, said => $said });
}

# The number of a pusher whose first request has no reply yet.
sub waiting_pusher {
    my ($server, @options) = @_;
    my $pusher = fork // die "fork: $!\n";
    if (!$pusher) {
        alarm 30;
        open STDOUT, '>', "$dir/signal.said" or die "$!\n";
        open STDERR, '>&', \*STDOUT or die "$!\n";
        exec "$TOP/build/nytprof", qw(push --follow --every 60), @options, "$dir/signal.out", "$server->{url}/ingest"
            or die "exec: $!\n";
    }
    my $end = time + 10;
    sleep 0.05 while !requests($server) && time < $end;
    return $pusher;
}

# Calls and time of each sub in the deltas are those of the whole, to the nanosecond. What passed outside statements is
# the main program's where it is less than a thousandth, which it may be of a delta and not of the whole.
sub adds_up {
    my ($run, @requests) = @_;
    nytprof('pprof', '-o', "$dir/all.pb.gz", $run->{file});
    my $expected = sums(pprof("$dir/all.pb.gz"));
    my $got      = sums(map { received(parts_of($_)) } @requests);
    is_deeply $got, $expected, scalar(@requests) . ' deltas add up to the whole';
    cmp_ok $expected->{'main::rare'}[0], '>', 5, 'which has calls';
    return;
}

sub sums {
    my (@profiles) = @_;
    my %sum;
    for my $sample (map { @{ $_->{samples} } } @profiles) {
        my $sub = $sample->{path}[-1][0] =~ s/^compiling .*/main::RUNTIME/r;
        $sum{$sub}[$_] += $sample->{values}[$_] for 0, 1;
    }
    return \%sum;
}
