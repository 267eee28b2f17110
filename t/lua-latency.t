# SPDX-License-Identifier: MIT
# Option latency of Lua programs: how long single calls took. With the fake clock, which goes on by ten with every event
# (a thousand nanoseconds), all lengths are known.
use strict;
use warnings;

use FindBin;
use JSON::PP qw(decode_json);
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Lua qw(lua luas);
use Run qw(capture_of);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my $EVENT = 1000;
my @FAKE  = (clock => 'fake', overhead => 'raw');

my $CALLS = <<'END';
local function leaf(n) return n end
local function uneven(n)
  for i = 1, n do leaf(i) end
end
local function fact(n)
  if n == 0 then return 1 end
  local m = fact(n - 1)
  return n * m
end
local function fails(n)
  leaf(n)
  error("x")
end
local function middle(n) local m = fails(n) return m end
local function catches(n) local ok = pcall(middle, n) return ok end
local function last(n) leaf(n) leaf(n) return 1 end
local function jumps(n) leaf(n) return last(n) end
local function loop(n) return n > 0 and loop(n - 1) end
local function again(n)
  if n == 0 then return 0 end
  return again(n - 1)
end
local function sorts() table.sort({ 3, 2, 1 }, function(a, b) return a < b end) end
for i = 1, 10 do
  uneven(i == 10 and 100 or 10)
  fact(5)
  catches(1)
  jumps(1)
  sorts()
end
again(1000)
END

# Generators and workers are resumed where they were begun, and where they were not; fails is left by an error.
my $COROUTINES = <<'END';
local function leaf(n) return n end
local function each(n) for i = 1, n do coroutine.yield(leaf(i)) end end
local function sums(n)
  local s = 0
  for i in coroutine.wrap(each), n do s = s + i end
  return s
end
local function inner() leaf(1) coroutine.yield() leaf(1) end
local function outer()
  local co = coroutine.create(inner)
  for i = 1, 2 do
    coroutine.resume(co)
    coroutine.yield()
  end
end
local function fails() leaf(1) coroutine.yield() leaf(1) local x = nil + 1 end
local function tries()
  local co = coroutine.create(fails)
  for i = 1, 2 do coroutine.resume(co) end
end
local function worker(n) leaf(n) coroutine.yield() leaf(n) leaf(n) coroutine.yield() leaf(n) end
local function spawn(f) local co = coroutine.create(f) coroutine.resume(co) return co end
local function schedule(all)
  for i = 1, 3 do
    for j = 1, #all do coroutine.resume(all[j]) end
  end
end
for i = 1, 10 do
  sums(i)
  tries()
  schedule{ (spawn(worker)), (spawn(worker)), (spawn(outer)) }
end
local waits = spawn(worker)
END

my $PAUSED = <<'END';
local p = require "nytprof"
local function leaf(n) return n end
local function across() leaf(1) p.pause() p.resume() leaf(2) end
local function ends() leaf(1) p.pause() end
across()
ends()
p.resume()
leaf(3)
local function quits() leaf(4) os.exit(0) end
quits()
END

my %line; # of the functions of the latest program
for my $version (@$luas) {
    my $json = of_run($version, $CALLS, latency => 1, @FAKE);
    is_whole($json, $_, "lua $version")
        for qw(leaf uneven fails middle catches pcall error last jumps sorts table.sort);
    my $uneven = latency_of($json, 'uneven');
    cmp_ok abs($uneven->{longest} - 402 * $EVENT), '<=', 2 * $EVENT, 'the longest call is that of a hundred rounds';
    cmp_ok abs($uneven->{p50} - 42 * $EVENT), '<=', 3 * $EVENT, 'half of them have ten';
    my $fact = sub_of($json, 'fact');
    is $fact->{latency}{calls}, 60, 'each call of a recursion has a length';
    is 10 * $fact->{latency}{longest}, $fact->{inclusive}, 'of which the outermost is the longest';
    my @callee = @{ $json->{calls}{callee} };
    my %ended = map { ($_ => 0) } 0 .. $#{ $json->{subs} };
    $ended{ $callee[$_] } += $json->{calls}{ended}[$_] for 0 .. $#callee;
    is_deeply [ map { $ended{$_} } sort { $a <=> $b } keys %ended ],
        [ map { $_->{latency}{calls} // 0 } @{ $json->{subs} } ], 'call sites have the calls of their functions';
    my @folded = grep { $callee[$_] == $json->{calls}{caller}[$_] && $json->{calls}{calls}[$_] == 50 } 0 .. $#callee;
    is_deeply [ map { $json->{calls}{ended}[$_] } @folded ], [50], 'those of a recursion are at its own';
    is latency_of($json, 'fails')->{calls}, 10, 'calls left by an error have theirs';
    cmp_ok latency_of($json, 'jumps')->{longest}, '>', latency_of($json, 'last')->{longest},
        'a tail call is part of the call that it replaces';
    my $again = latency_of($json, 'again');
    is $again->{calls}, 1001, 'in a loop of tail calls each has a length';
    is $again->{longest}, sub_of($json, 'again')->{inclusive}, 'the first one that of the loop';
    cmp_ok $again->{p50}, '<', 5 * $EVENT, 'and most their own';

    $json = of_run($version, $COROUTINES, latency => 1, @FAKE);
    is_whole($json, $_, "lua $version")
        for qw(leaf each sums inner fails tries worker schedule coroutine.yield);
    my ($inner, $outer) = map { sub_of($json, $_) } qw(inner outer); # of a coroutine in another one: a folded recursion
    cmp_ok $outer->{latency}{total}, '>=', $outer->{inclusive} + $inner->{inclusive},
        'a call has what the coroutines take that it resumes';
    is latency_of($json, 'worker')->{calls}, 21, 'a call that is suspended at the end has its length';
    cmp_ok latency_of($json, 'spawn')->{total}, '<', 0.6 * sub_of($json, 'spawn')->{inclusive},
        'a call that began a coroutine has not what that does later';

    $json = of_run($version, $PAUSED, latency => 1, @FAKE);
    is latency_of($json, $_)->{calls}, undef, "lua $version: $_: a call across a pause has no length"
        for qw(across ends);
    is latency_of($json, 'leaf')->{calls}, 5, 'others have';
    is latency_of($json, $_)->{calls}, 1, "$_: a call left by os.exit has a length" for qw(quits os.exit);

    # What events cost is taken off, as from the times of functions.
    my $text = 'local function f() end local function g() for i = 1, 20000 do f() math.abs(i) end end
        for i = 1, 5 do g() end';
    my ($real, $raw) = map { sub_of(of_run($version, $text, latency => 1, overhead => $_), 'g') } qw(corrected raw);
    cmp_ok abs($real->{latency}{total} - $real->{inclusive}), '<=', 0.03 * $raw->{inclusive}, 'the cost is subtracted'
        or diag "$real->{latency}{total} $real->{inclusive}";

    my $run = lua($version, $CALLS, options => { latency => 1 });
    like +(nytprof('flat', '--style=latency', capture_of($run)))[0], qr/^ +10 +.*\d \S*s  uneven$/m,
        'nytprof flat has them';
    my $off = of_run($version, $CALLS, latency => 0);
    is scalar(grep { $_->{latency} } @{ $off->{subs} }), 0, 'without the option there are none';
    my $functions = of_run($version, $CALLS, latency => 1, stmts => 0, @FAKE);
    is_whole($functions, $_, 'stmts=0') for qw(leaf uneven jumps);
    my $none = of_run($version, 'for i = 1, 1e6 do local x = i end', latency => 1, sample => 1);
    like "@{ $none->{meta}{notes} }", qr/Options latency and waiting are for calls/, 'samples have none';
    my $duty = lua($version, $CALLS, options => { latency => 1, duty => 10 });
    like $duty->{err}, qr/option duty goes neither with latency=1 nor with waiting=1; all/, 'duty goes not with it';
}
done_testing;

sub of_run {
    my ($version, $text, %options) = @_;
    my ($at, @lines) = (0, split /\n/, $text);
    %line = ();
    for my $line (@lines) { $at++; $line{$1} = $at if $line =~ /function (\w+)/ }
    return decode_json((nytprof('json', capture_of(lua($version, $text, options => \%options))))[0]);
}

# The function of that name; a function in C calls some, which have the name of their line.
sub subs_of {
    my ($json, $name) = @_;
    my $of_line = '<prog.lua:' . ($line{$name} // 0) . '>';
    return grep { $_->{name} eq $name || $_->{name} eq $of_line } @{ $json->{subs} };
}

sub sub_of { return (subs_of(@_))[0] // {} }

sub latency_of { return sub_of(@_)->{latency} // {} }

sub is_whole {
    my ($json, $name, $what) = @_;
    my @own = subs_of($json, $name);
    my $calls = sum0 map { $_->{calls} } @own;
    cmp_ok $calls, '>', 0, "$what: $name: is called";
    is sum0(map { $_->{latency}{calls} // 0 } @own), $calls, 'each call has a length';
    is sum0(map { $_->{latency}{total} // 0 } @own), sum0(map { $_->{inclusive} } @own),
        'and they add up to the inclusive time';
    return;
}
