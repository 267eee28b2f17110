# SPDX-License-Identifier: MIT
# debug.sethook and debug.gethook of a program work as if there were no profiler: a coverage tool, a debugger, counters.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Lua qw(bare_lua lua luas);
use Run qw(facts);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

# A coverage tool counts lines of the main program and of a coroutine; a debugger steps, stops at a line and reads and
# sets a local variable; then hooks of calls, returns and instructions, and one that fails.
my $PROGRAM = <<'END';
local covered = {}
local function cover(_, line) covered[line] = (covered[line] or 0) + 1 end
debug.sethook(cover, "l")
for i = 1, 10 do
  local x = i
end
print(debug.gethook() == cover, select(2, debug.gethook()))
local body = coroutine.create(function()
  for i = 1, 5 do
    coroutine.yield(i)
  end
end)
debug.sethook(body, cover, "l")
while coroutine.status(body) ~= "dead" do coroutine.resume(body) end
debug.sethook()
print(debug.gethook())
for line = 1, 20 do print(line, covered[line]) end

local function broken(a)
  local b = a * 2
  return b
end
local seen = {}
debug.sethook(function(event, line)
  local info = debug.getinfo(2, "Snl")
  if info.short_src:match("prog") and line == info.linedefined + 2 then
    seen[#seen + 1] = info.name .. " " .. select(2, debug.getlocal(2, 2))
    debug.setlocal(2, 2, 42)
  end
end, "l")
print(broken(4))
debug.sethook()
print(table.concat(seen, ","))

local events = {}
debug.sethook(function(event) events[event] = (events[event] or 0) + 1 end, "cr")
broken(1) broken(2)
debug.sethook()
print(events.call, events["return"])
local n = 0
debug.sethook(function() n = n + 1 end, "", 100)
for i = 1, 1000 do local y = i * 2 end
debug.sethook()
print(n > 5)
print(pcall(function()
  debug.sethook(function(_, line) debug.sethook() error("stopped at " .. line, 0) end, "l")
  local z = 1
end))
END

# Lua 5.4 has the functions of hooks in a table of the registry. Code without debug information has no lines.
my $DETAILS = <<'END';
local function f() end
local body = coroutine.create(f)
debug.sethook(f, "l")
debug.sethook(body, f, "c")
local hooks = debug.getregistry()._HOOKKEY or setmetatable({}, {})
print(getmetatable(hooks).__mode, getmetatable(hooks) == hooks, hooks[coroutine.running()] == f, hooks[body] == f)
debug.sethook()
print(hooks[coroutine.running()])
local stripped = load(string.dump(function() local a = 1 return a end, true))
local lines = {}
debug.sethook(function(_, line) lines[#lines + 1] = tostring(line) end, "l")
stripped()
debug.sethook()
print(table.concat(lines, " "))
END

for my $version (@$luas) {
    my ($bare_details, $our_details) = map { $_->($version, $DETAILS) } \&bare_lua, \&lua;
    is "$our_details->{out}$our_details->{err}", $bare_details->{out},
        "lua $version: the registry has the same functions, stripped code no lines";

    my $bare = bare_lua($version, $PROGRAM);
    is $bare->{err}, '', "lua $version: the program itself";
    my $ours = lua($version, $PROGRAM);
    is "$ours->{out}$ours->{err}", $bare->{out}, 'says the same under the profiler';
    my $line = facts($ours)->{line};
    is_deeply [ @{$line}{ map {"prog.lua:$_"} 4, 5, 9, 10 } ], [ 11, 10, 6, 5 ], 'which counts the lines as well';

    my $around = lua($version, <<'END');
local n = 0
debug.sethook(function() n = n + 1 end, "l")
local p = require "nytprof"
p.stop()
p.start{}
local a = 1
p.pause()
local b = 2
p.resume()
local c = 3
p.stop()
local d = 4
debug.sethook()
print(n, debug.gethook())
END
    is $around->{out}, "11\tnil" . ($version eq '5.3' ? "\t\t0" : '') . "\n",
        'a hook stays through start, pause, resume and stop';

    my $within = lua($version, <<'END');
local p = require "nytprof"
p.stop()
debug.sethook(function() debug.sethook() p.start{} end, "l")
local a = 1
for i = 1, 3 do
  a = a + 1
end
print(a)
END
    is "$within->{out}$within->{err}$within->{exit}", "4\n0", 'started within a hook: a line is what comes first';
    is facts($within)->{line}{'prog.lua:6'}, 3, 'and all lines from then on';
}
done_testing;
