# SPDX-License-Identifier: MIT
# Option waiting of Lua programs: how long functions in C have waited, and for what kind of thing. What they wait for
# has known lengths.
use strict;
use warnings;

use FindBin;
use JSON::PP qw(decode_json);
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Lua qw(bare_lua interpreter lua luas);
use Run qw(capture_of);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;
plan skip_all => 'the system does not tell how long a thread was ready' unless -r '/proc/thread-self/schedstat';

my $MS = 1_000_000; # ns

# Kinds that files, pipes and children make; those of LuaSocket's functions; and all.
my @OWN    = qw(child disk c lock pipe other);
my @SOCKET = qw(client select sleep socket);

my $FILES = <<'END';
local function calls() os.execute("sleep 0.1") end
local function lines()
  local f = io.popen("for i in 1 2 3; do sleep 0.05; echo x; done")
  for line in f:lines() do local x = line end
  f:close()
end
local function reads()
  local f = io.popen("sleep 0.1; echo x")
  io.input(f)
  local s = io.read("a")
  f:close()
end
local function closes()
  local f = io.popen("cat >/dev/null; sleep 0.1", "w")
  f:write("x")
  f:close()
end
local function fails()
  local f = io.popen("sleep 0.1; echo x")
  local ok = pcall(function() string.gsub("x", ".", function() f:read("a") error("x") end) end)
  f:close()
end
local function works()
  local t = {}
  for i = 1, 50000 do t[i] = math.random() end
  table.sort(t)
end
works() calls() lines() reads() closes() fails() works()
local co = coroutine.wrap(function() calls() coroutine.yield() calls() end)
co() co()
END

my $PAUSED = <<'END';
local p = require "nytprof"
os.execute("sleep 0.05")
p.pause()
os.execute("sleep 0.2")
p.resume()
os.execute("sleep 0.05")
END

# A server and a client: each waits for the other.
my $SOCKETS = <<'END';
local socket = require "socket"
for i = 1, 5 do socket.sleep(0.02) end
local server = socket.bind("127.0.0.1", 0)
local _, port = server:getsockname()
local client = io.popen("PERL -MIO::Socket::INET -e '$| = 1; sub nap { select undef, undef, undef, 0.2 } nap(); " ..
  "$s = IO::Socket::INET->new(\"127.0.0.1:" .. port .. "\") or die; nap(); print $s \"one\n\"; nap(); " ..
  "print $s \"two\n\"; <$s>'", "w")
local connection
local function serves() connection = server:accept() end
local function selects() socket.select({ connection }, nil, 5) end
local function receives() local one = connection:receive() local two = connection:receive() end
serves() selects() receives()
connection:send("end\n")
connection:close()
client:close()
END
$SOCKETS =~ s/PERL/$^X/;

# A parent reads what its child writes, polls for more, and waits for its end.
my $POSIX = <<'END';
local unistd, time = require "posix.unistd", require "posix.time"
local function nap() time.nanosleep{ tv_sec = 0, tv_nsec = 200000000 } end
local r, w = unistd.pipe()
local pid = unistd.fork()
if pid == 0 then nap() unistd.write(w, "x") nap() unistd.write(w, "y") nap() os.exit(0) end
local one = unistd.read(r, 1)
require "posix.poll".rpoll(r, 5000)
require "posix.sys.wait".wait(pid)
nap()
END

for my $version (@$luas) {
    my $json = of_run($version, $FILES, waiting => 1);
    waited(of_sub($json, 'os.execute'), 300, "lua $version: os.execute waits for its child, in a coroutine, too");
    waited(of_sub($json, 'for iterator'), 150, 'a line of a pipe is waited for');
    waited(of_sub($json, 'io.read'), 100, 'so is all of it, by io.read');
    waited(of_sub($json, 'read'), 100, 'and in a callback that fails');
    within(of_sub($json, 'string.gsub'), 0, 5 * $MS, 'not by the function that calls it back');
    waited(of_sub($json, 'close'), 100, 'close waits for the child behind a pipe');
    within(of_sub($json, 'table.sort'), 0, 5 * $MS, 'what works does not wait');
    waited(total($json, 'wait-child'), 400, 'kind: child');
    waited(total($json, 'wait-pipe'), 350, 'kind: pipe');
    adds_up($json, @OWN);
    my ($flame) = nytprof('folded', '--metric=waiting', $json->{file});
    like $flame, qr/;calls;os\.execute \d+$/m, 'call paths have what they waited';
    like +(nytprof('flat', '--metric=waiting', $json->{file}))[0], qr/^ +\S+ m?s  Waiting: child processes$/m,
        'a table has the kinds';

    my $both = of_run($version, $FILES, waiting => 1, latency => 1, memory => 1);
    waited(of_sub($both, 'os.execute'), 300, 'with latency and memory, too');
    cmp_ok total($both, 'bytes'), '>', 1_000_000, 'all of which are there';
    is + (grep { $_->{name} eq 'os.execute' } @{ $both->{subs} })[0]{latency}{calls}, 3, 'as lengths are';

    my $off = of_run($version, 'os.execute("sleep 0.01")');
    is_deeply $off->{meta}{metrics}, [], 'without the option there is none of this';
    waited(total(of_run($version, $PAUSED, waiting => 1), 'waiting'), 100, 'a pause is none of the program');

SKIP: {
        skip 'there is no taskset', 2 if system 'taskset -c 0 true 2>/dev/null';
        my $busy = fork;
        if (!$busy) { exec 'taskset', '-c', 0, $^X, '-e', 'alarm 60; 1 while 1' or exit 1 }
        my $text = 'for n = 1, 5 do local t = {} for i = 1, 30000 do t[i] = math.random() end table.sort(t) end';
        my $pinned = of_run($version, $text, [ 'taskset', '-c', 0, interpreter($version) ], waiting => 1);
        kill KILL => $busy;
        waitpid $busy, 0;
        within(total($pinned, 'waiting'), 0, 10 * $MS, 'time without a CPU is not waiting');
        within(total($pinned, 'no-cpu'), 30 * $MS, 60_000 * $MS, 'and is told');
    }
SKIP: {
        skip 'LuaSocket is not installed', 9 if bare_lua($version, 'require "socket"')->{exit};
        my $talk = of_run($version, $SOCKETS, waiting => 1);
        waited(total($talk, 'wait-sleep'), 100, 'kind: sleep');
        waited(total($talk, "wait-$_"), 100, "kind: $_") for qw(client select socket);
        adds_up($talk, @OWN, @SOCKET);
    }
SKIP: {
        skip 'luaposix is not installed', 8 if bare_lua($version, 'require "posix.unistd"')->{exit};
        my $run = lua($version, $POSIX, options => { waiting => 1 });
        my ($parent, $child) = map { decode_json((nytprof('json', $_))[0]) } sort glob "$run->{dir}/nytprof.out*";
        waited(total($parent, "wait-$_"), 100, "kind: $_") for qw(pipe select child sleep);
        adds_up($parent, @OWN, @SOCKET);
        waited(total($child, 'wait-sleep'), 300, 'a child has its own');
    }
}
done_testing;

# The JSON of a run, with the name of its file.
sub of_run {
    my ($version, $text, @options) = @_;
    my %command = ref $options[0] ? (command => [ @{ shift @options }, '-lnytprof', 'prog.lua' ]) : ();
    my $run = lua($version, $text, options => {@options}, %command);
    is $run->{exit}, 0, 'the program ends well' or diag $run->{err};
    return { %{ decode_json((nytprof('json', capture_of($run)))[0]) }, file => capture_of($run) };
}

# The value of that metric in a row of values.
sub of {
    my ($json, $metric, $row) = @_;
    my @metrics = @{ $json->{meta}{metrics} };
    my ($i) = grep { $metrics[$_]{name} eq $metric } 0 .. $#metrics;
    return defined $i && $row ? $row->[$i] // 0 : 0;
}

sub total { my ($json, $metric) = @_; return of($json, $metric, $json->{meta}{totals}{values}) }

sub of_sub {
    my ($json, $name) = @_;
    return sum0 map { of($json, 'waiting', $_->{values}) } grep { $_->{name} eq $name } @{ $json->{subs} };
}

sub within {
    my ($got, $least, $most, $what) = @_;
    ok $got >= $least && $got <= $most, $what or diag "got $got, not $least to $most";
    return;
}

# A busy machine makes waits longer; another process may be ahead when the wait for it begins.
sub waited { my ($got, $ms, $what) = @_; return within($got, 0.5 * $ms * $MS, (10 * $ms + 1000) * $MS, $what) }

# What lines, functions and kinds have waited is the same, and no function more than its time.
sub adds_up {
    my ($json, @kinds) = @_;
    my $subs = sum0 map { of($json, 'waiting', $_->{values}) } @{ $json->{subs} };
    is $subs, total($json, 'waiting'), 'functions have waited as long as lines';
    is total($json, 'waiting'), sum0(map { total($json, "wait-$_") } @kinds), 'and kinds of things, too';
    my @more = grep { of($json, 'waiting', $_->{values}) > $_->{exclusive} + $MS } @{ $json->{subs} };
    is_deeply [ map { $_->{name} } @more ], [], 'no function has waited longer than it took';
    return;
}
