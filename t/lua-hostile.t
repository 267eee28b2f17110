# SPDX-License-Identifier: MIT
# What users do to a Lua: programs that end in odd ways, take their libraries away, overflow, set hooks in hooks; code
# from a pipe; options that make no sense; files that cannot be written. What a program says and how it ends is as
# without the profiler, and its capture can be read; a profile that cannot be made is told in a line.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Lua qw(bare_lua interpreter lua luas);
use Profiled qw($TOP);
use Run qw(capture_of facts run);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

# --- programs ---------------------------------------------------------------------------------------------------------

my %program = (
    'a finalizer at the end' =>
        'setmetatable({}, {__gc = function() print(pcall(error, 1)) coroutine.wrap(print)(2) end})',
    'a finalizer that fails' => 'setmetatable({}, {__gc = function() error("in gc") end}) print(pcall(collectgarbage))',
    'exit in a coroutine'    => 'coroutine.wrap(function() pcall(function() os.exit(7) end) end)()',
    'exit with closing' => <<'PROGRAM',
coroutine.wrap(function()
  setmetatable({}, {__gc = function() print(9) end})
  os.exit(7, true)
end)()
PROGRAM
    'an error that is a table'     => 'error({})',
    'an error that is nil'         => 'error(nil)',
    'an error that is a number'    => 'error(3)',
    'an error that is an object'   => 'error(setmetatable({}, {__tostring = function() return "object" end}))',
    'a hook that fails'            => 'debug.sethook(function() error("boom") end, "", 100) for i = 1, 1e4 do end',
    'hooks in hooks' => <<'PROGRAM',
local n = 0
local function hook() n = n + 1 if n < 5 then debug.sethook(hook, "crl") elseif n == 7 then debug.sethook() end end
debug.sethook(hook, "l")
for i = 1, 5 do
  local x = i
end
print(n, debug.gethook())
PROGRAM
    'a yield in a hook' => <<'PROGRAM',
coroutine.wrap(function()
  debug.sethook(function() print(pcall(coroutine.yield)) end, "l")
  local x = 1
  debug.sethook()
end)()
PROGRAM
    'recursion through C' => 'local function f(s) return (s:gsub(".", f)) end print(pcall(f, "x"))',
    'recursion through coroutines' => 'local function f() return coroutine.wrap(f)() end print(pcall(f))',
    'an overflow with a handler' =>
        'local function f() return 1 + f() end print(xpcall(f, function() return "handled" end))',
    'stripped chunks' => <<'PROGRAM',
print(load(string.dump(function(a) local b = a + 1 for i = 1, 3 do b = b + i end return b end, true))(1))
print(pcall(load(string.dump(function(a) return a.b.c end, true)), 1))
PROGRAM
    'many coroutines' => <<'PROGRAM',
local t, sum = {}, 0
for i = 1, 100000 do
  t[i] = coroutine.wrap(function(a) return (coroutine.yield(a)) end)
  t[i](i)
end
for i = 1, #t do sum = sum + t[i](i) end
print(sum)
PROGRAM
    'no globals'   => 'local p, g = print, _G for k in pairs(g) do g[k] = nil end p(1) local function f() p(2) end f()',
    'no libraries' => 'for k in pairs(package.loaded) do package.loaded[k] = nil end debug = nil print(1)',
    'no environment' => '_ENV = nil',
    'an environment of its own' => <<'PROGRAM',
local env = setmetatable({}, {__index = _G})
print(load("x = 1 print(x, y) return _ENV", "=e", "t", env)() == env, env.x, x)
PROGRAM
    'names of chunks' => <<'PROGRAM',
local names = {"=" .. ("a"):rep(5000), "@a\0b", "@/dev/zero", "@", "", "=", "@" .. ("b/"):rep(5000), "=LUA_INIT"}
for _, name in ipairs(names) do
  load("local function f() end f()", name)()
end
print(1)
PROGRAM
    'a long name'     =>
        'local n = ("a"):rep(5000) load("local t = {} function t." .. n .. "() end t." .. n .. "()")() print(1)',
    'closed files'    => 'io.stderr:close() io.stdout:close()',
    'other processes' => 'os.execute("exit 3") print(io.popen("echo 2"):read("a")) os.exit(3)',
    'a syntax error'  => 'x =',
);
for my $version (@$luas) {
    for my $name (sort keys %program) {
        my $bare = bare_lua($version, $program{$name});
        my $ours = lua($version, $program{$name});
        s/\b0x[0-9a-f]+/ADDRESS/g for map { @{$_}{qw(out err)} } $bare, $ours;
        is_deeply [ @{$ours}{qw(out err exit signal)} ], [ @{$bare}{qw(out err exit signal)} ], "lua $version: $name";
        ok eval { facts($ours); 1 }, 'and a capture that adds up' or diag $@;
        my (undef, $said, $exit) = nytprof('html', '-o', "$ours->{dir}/report", capture_of($ours));
        is "$exit$said", '0', 'of which there is a report';
    }
}

# --- code from standard input -----------------------------------------------------------------------------------------

for my $version (@$luas) {
    for my $args ([ '-i' ], [ '-', 'a' ], []) {
        my %with = (stdin => "x = 1\nprint(x, ...)\nfunction f() print(2) end\nf()\nerror({})\n", files => {});
        my $bare = bare_lua($version, undef, %with, command => [ interpreter($version), @$args ]);
        my $ours = bare_lua($version, undef, %with, command => [ interpreter($version), '-lnytprof', @$args ]);
        is_deeply [ @{$ours}{qw(out err exit)} ], [ @{$bare}{qw(out err exit)} ], "lua $version @$args: from a pipe";
        is facts($ours)->{sub}{f}{calls}, 1, 'and is profiled';
    }
}

# --- a profile that cannot be made ------------------------------------------------------------------------------------

my %refused = (
    'file=/dev/full'      => qr/No space left on device/,
    'file=/nowhere/x'     => qr/cannot be created: No such file/,
    'compress=99'         => qr/compression level 99/,
    'clock=sundial'       => qr/clock 'sundial'/,
    'format=9'            => qr/option format cannot be '9'/,
    'file='               => qr/invalid option 'file='/,
    'file'                => qr/invalid option 'file'/,
);
for my $version (@$luas) {
    for my $options (sort keys %refused) {
        my $run = lua($version, 'print(1)', env => { NYTPROF => $options });
        is "$run->{signal} $run->{exit} $run->{out}", '0 1 ', "lua $version, $options: does not start";
        like $run->{err}, qr/\A\S+: NYTProf: .*$refused{$options}/, 'and says why';
        $run = lua($version, <<'PROGRAM', env => { NYTPROF => 'start=no' }, args => [$options]);
local p = require "nytprof"
local name, value = arg[1]:match("^(%w+)=?(.*)$")
print(pcall(p.start, {[name] = value}))
print(pcall(p.start, {file = "second.out"}))
PROGRAM
        like "$run->{signal} $run->{exit} $run->{out}", qr/\A0 0 .*\ntrue\n\z/s, 'a program may try something else';
    }
    for my $options ('unknown=1', ':::', 'stmts=x', 'maxnodes=1', 'maxevals=0', 'log=/nowhere/x', 'file=/dev/null') {
        my $run = lua($version, 'print(1)', env => { NYTPROF => $options });
        is "$run->{signal} $run->{exit} $run->{out}", "0 0 1\n", "lua $version, $options: runs";
    }
}
my $lost = run(undef, command => [ "$TOP/build/nytprof", qw(run -o /nowhere/x sh -c), "lua$luas->[0] -v" ]);
is $lost->{exit}, 1, 'nytprof run with a command: without a file for the profile Lua does not start';
like $lost->{err}, qr{^nytprof: run: cannot write /nowhere/x: No such file}, 'and says why';

# --- code in LUA_INIT -------------------------------------------------------------------------------------------------

my %init = (nothing => [ '', '' ], lines => [ "x = 1\nfunction init() y = 2 end\ninit() init()\n", 'init 2' ],
    'a tail call' => [ "function init() y = 2 end return init()", 'init 1' ]);
for my $version (@$luas) {
    for my $name (sort keys %init) {
        my ($code, $calls) = @{ $init{$name} };
        my $run = run("print(x, y)\n", name => 'prog.lua', env => { LUA_INIT => $code, NYTPROF => 'selfcheck=1' },
            command => [ "$TOP/build/nytprof", 'run', interpreter($version), 'prog.lua' ]);
        like $run->{err}, qr/ events, 0 wrong\n\z/, "lua $version: nytprof run, LUA_INIT with $name";
        my $facts = facts($run);
        is join(' ', map {"$_ $facts->{sub}{$_}{calls}"} grep {/^init/} keys %{ $facts->{sub} }), $calls,
            'what it calls';
        is_deeply [ grep {/LUA_INIT\w*>/} keys %{ $facts->{sub} } ], [], 'but the code itself is not in the profile';
        is_deeply [ grep {/LUA_INIT/} keys %{ $facts->{line} } ], [], 'nor is there a file of it' if $name eq 'nothing';
    }
}

done_testing;
