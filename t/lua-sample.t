# SPDX-License-Identifier: MIT
# Option sample of Lua: where the CPU time goes, in functions, coroutines and code in C; nothing is counted, and the
# program does what it does without.
use strict;
use warnings;

use FindBin;
use List::Util qw(sum);
use POSIX qw(uname);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(imbalances records);
use Lua qw(bare_lua host lua luas);
use Profiled qw($TOP);
use Run qw(captures_in run);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my $MACHINE = (uname())[4];

# Phases of about the same length, of which the program measures the shares: a loop, code in C, short calls, and a
# coroutine in a coroutine, one by wrap and one by resume.
my $PHASES = <<'END';
-- line 1 is the main program's
local function loop(n)
  local s = 0
  for i = 1, n do
    s = s + i % 7
  end
  return s
end
local function in_c(n)
  for i = 1, n do
    string.rep("x", 20000)
  end
end
local function leaf(x) return x + 1 end
local function calls(n)
  local s = 0
  for i = 1, n do
    s = leaf(s)
  end
  return s
end
local body = coroutine.wrap(function()
  local inner = coroutine.create(function()
    for i = 1, 1e9 do
      local x = i % 3
      if i % 30000 == 0 then coroutine.yield(i) end
    end
  end)
  while true do
    coroutine.resume(inner)
    coroutine.yield()
  end
end)
local function in_coroutine(n) for i = 1, n do body() end end
local phases = { loop = { loop, 1500000 }, in_c = { in_c, 200 }, calls = { calls, 300000 },
  in_coroutine = { in_coroutine, 40 } }
local names = { "loop", "in_c", "calls", "in_coroutine" }
local used = {}
repeat
  local all = 0
  for _, name in ipairs(names) do
    local from = os.clock()
    phases[name][1](phases[name][2])
    used[name] = (used[name] or 0) + os.clock() - from
    all = all + used[name]
  end
until all > 2
for _, name in ipairs(names) do print(name, used[name]) end
END

# Waiting that is charged to places with a line, in nanoseconds.
sub waiting_in_lines {
    my ($file) = @_;
    my ($waiting) = map { $_->{id} } grep { $_->{kind} eq 'metric' && $_->{name} eq 'waiting' } records($file);
    return sum(0, map { $_->{value} }
        grep { $_->{kind} eq 'values' && $_->{of} == 1 && $_->{id} && $_->{metric} == $waiting } records($file));
}

# line => nanoseconds of CPU time
sub by_line {
    my ($file) = @_;
    my (%place, %sum, $cpu);
    for my $r (records($file)) {
        $place{ $r->{id} } = $r->{line} if $r->{kind} eq 'place';
        $cpu = $r->{id} if $r->{kind} eq 'metric' && $r->{name} eq 'cpu';
        $sum{ $place{ $r->{id} } // 0 } += $r->{value}
            if $r->{kind} eq 'values' && $r->{of} == 1 && $r->{metric} == $cpu;
    }
    return %sum;
}

# first line of a function => nanoseconds of CPU time in it and in what it called, by records of the capture
sub by_first_line {
    my ($file) = @_;
    my (%sub, %node, %sum, $cpu);
    for my $r (records($file)) {
        $sub{ $r->{id} }  = $r        if $r->{kind} eq 'sub';
        $node{ $r->{id} } = $r        if $r->{kind} eq 'node';
        $cpu              = $r->{id}  if $r->{kind} eq 'metric' && $r->{name} eq 'cpu';
        next                          if $r->{kind} ne 'values' || $r->{of} != 2 || $r->{metric} != $cpu;
        my %on_path;
        for (my $at = $r->{id}; $at; $at = $node{$at}{parent}) {
            my $sub = $sub{ $node{$at}{sub} };
            my $key = $sub->{first_line} || $sub->{name};
            $sum{$key} += $r->{value} if !$on_path{$key}++;
        }
    }
    return %sum;
}

sub properties { return map { $_->{key} => $_->{value} } grep { $_->{kind} eq 'property' } records($_[0]) }

# Three statements without a call or a jump between them, of which the second does four times as much, and one that does
# as much as the first in a function. Lua notices a hook at the end of the loop only.
my $LINES = <<'END';
local function same(x) return x % 7 + x // 3 end
local function all(n)
  local a, b, c, d = 0, 0, 0, 0
  for i = 1, n do
    a = a + i % 7 + i // 3
    b = b + i % 7 + i // 3 + i % 7 + i // 3 + i % 7 + i // 3 + i % 7 + i // 3
    c = c + i % 7 + i // 3
    d = d + same(i)
  end
end
local from = os.clock()
while os.clock() - from < 2 do all(10000) end
END

# What a program prints and how it ends is the same as without samples.
my %PROGRAMS = (errors => <<'END', exit => <<'END', 'exit that closes' => <<'END', coroutines => <<'END',
print(pcall(error, {}) and 1 or 2)
print(pcall(function() local x = nil; x() end))
print(xpcall(function() error("a") end, function(m) return m .. "!" end))
error("end")
END
local s = 0
for i = 1, 2e7 do s = s + i end
print(s)
os.exit(7)
END
setmetatable({}, { __gc = function() print("closed") end })
for i = 1, 2e7 do end
os.exit(true, true)
END
for i = 1, 2e5 do
  local c = coroutine.wrap(function(a) coroutine.yield(a) error("x") end)
  c(i)
  local ok, e = pcall(c)
  if i % 1e5 == 0 then print(i, ok, e) end
end
END
    'deep recursion' => <<'END', 'loaded texts' => <<'END', 'hooks of its own' => <<'END', finalizers => <<'END',
local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end
for i = 1, 20 do f(150000) end
print(f(150000))
local function g() return 1 + g() end
print(select(2, pcall(g)):match("stack overflow"))
END
local n = 0
for i = 1, 1e5 do n = n + load("local x = " .. i .. " return x % 3")() end
print(n)
END
local n = 0
print(debug.gethook())
debug.sethook(function() n = n + 1 end, "l")
for i = 1, 1e6 do
  local x = i
end
debug.sethook()
print(n)
print(debug.gethook())
END
local n = 0
for i = 1, 1e5 do setmetatable({}, { __gc = function() for j = 1, 100 do n = n + 1 end end }) end
collectgarbage()
print(n)
END
    sorting => <<'END', waiting => <<'END');
local t = {}
for i = 1, 3e5 do t[i] = i * 7919 % 300007 end
table.sort(t, function(a, b) return a < b end)
print(t[1], t[1000])
END
os.execute("sleep 0.3")
print(io.popen("sleep 0.2; echo x"):read("l"))
END

for my $version (@$luas) {
    my $run = lua($version, $PHASES, options => { sample => 200 });
    is "$run->{exit} $run->{err}", '0 ', "Lua $version: runs";
    my $file = "$run->{dir}/nytprof.out";
    my %true = $run->{out} =~ /^(\w+)\t(\S+)$/mg;
    my $all  = sum(values %true);
    my %got  = by_first_line($file);
    my %line = (loop => 2, in_c => 9, calls => 15, in_coroutine => 34);
    for my $name (sort keys %line) {
        my ($is, $was) = (100 * ($got{ $line{$name} } // 0) / 1e9 / $all, 100 * $true{$name} / $all);
        cmp_ok abs($is - $was), '<=', 8, sprintf 'share of %s: %.1f of %.1f points', $name, $is, $was;
    }
    cmp_ok $got{23} // 0, '>', 0.9 * $got{34}, 'the innermost coroutine has the time of the two around it';
    cmp_ok $got{'string.rep'} // 0, '>', 0.7 * $got{9}, 'code in C has its own';
    my %property = properties($file);
    is_deeply [ @property{qw(sampling sample_hz samples_lost)} ], [ 'timer', 200, 0 ], 'the capture says how';
    my @counted = grep { $_->{kind} eq 'values' && $_->{of} == 2 && $_->{metric} == 1 } records($file);
    cmp_ok sum(map { $_->{value} } @counted), '>', 80, 'and how many there were';
    is_deeply [ imbalances(records($file)) ], [], 'all windows add up';
    is_deeply [ grep { ($_->{calls} // 0) || ($_->{statements} // 0) } records($file) ], [], 'nothing is counted';

    # --- lines

    my $lines = lua($version, $LINES, options => { sample => 250 });
    my %at    = by_line("$lines->{dir}/nytprof.out");
    my $got   = sum(map { $_ // 0 } @at{ 5 .. 7 });
    my %share = (5 => 100 / 6, 6 => 400 / 6, 7 => 100 / 6);
    for my $line (sort keys %share) {
        last if $version > 5.3 && $MACHINE !~ /^(?:x86_64|aarch64)$/;
        my $is = 100 * ($at{$line} // 0) / $got;
        cmp_ok abs($is - $share{$line}), '<=', 12, sprintf 'share of line %d: %.1f of %.1f', $line, $is, $share{$line};
    }
    cmp_ok $at{1}, '>', 0, 'and the function has its line';

    # --- reports

    for my $verb (qw(flat graph hot annotate folded json callgrind pprof speedscope)) {
        my @to = $verb =~ /^(?:callgrind|pprof|speedscope)$/ ? ('-o', "$run->{dir}/$verb") : ();
        my (undef, $err, $exit) = nytprof($verb, @to, $file);
        is $exit, 0, "nytprof $verb" or diag $err;
    }
    is((nytprof('html', '-o', "$run->{dir}/html", $file))[2], 0, 'nytprof html');

    # --- by nytprof run

    my $by_run = run($PHASES, name => 'prog.lua', env => { PATH => "$ENV{PATH}" },
        command => [ "$TOP/build/nytprof", 'run', '--sample=150', "lua$version", 'prog.lua' ]);
    is "$by_run->{exit} $by_run->{err}", '0 ', 'nytprof run --sample';
    is { properties("$by_run->{dir}/nytprof.out") }->{sample_hz}, 150, 'as many as it was told';

    # --- the program

    for my $name (sort keys %PROGRAMS) {
        my $text = $PROGRAMS{$name};
        my ($bare, $ours) = (bare_lua($version, $text), lua($version, $text, options => { sample => 1000 }));
        is_deeply [ @{$ours}{qw(out err exit signal)} ], [ @{$bare}{qw(out err exit signal)} ], "$name: as bare";
        my ($out) = nytprof('info', "$ours->{dir}/nytprof.out");
        like $out, qr/^whole +yes$/m, 'and the capture is whole';
    }

    # --- waiting is no line's

    my $waits = lua($version, "local t = os.clock()\nos.execute('sleep 1')\nwhile os.clock() - t < 0.3 do end\n",
        options => { sample => 200 });
    cmp_ok waiting_in_lines("$waits->{dir}/nytprof.out"), '<', 0.5e9, 'a second of waiting is charged to no line';

    # --- start, stop, pause

    my $controlled = lua($version, <<'END', options => { sample => 500, start => 'no' });
local nytprof = require "nytprof"
local function busy(s) local t = os.clock() while os.clock() - t < s do end end
local function before() busy(0.2) end
local function during() busy(0.2) end
local function after() busy(0.2) end
before() nytprof.resume() during() nytprof.pause() after()
nytprof.resume() during() nytprof.stop() after()
END
    is "$controlled->{exit} $controlled->{err}", '0 ', 'pause, resume and stop';
    my %first = by_first_line("$controlled->{dir}/nytprof.out");
    cmp_ok $first{4}, '>', 0.25e9, 'what runs while it is on has its time';
    ok !$first{3} && !$first{5}, 'what runs before and after has none';

    # --- ended by a signal

    my $ended = lua($version, 'local t = os.clock() while os.clock() - t < 1 do end os.execute("kill " .. arg[1])'
            . ' while true do end', options => { sample => 200, sigexit => 'TERM' },
        before => [ 'sh', '-c', 'exec "$@" $$', 'sh' ]);
    is $ended->{signal}, 15, 'sigexit: the program ends by the signal';
    like +(nytprof('info', "$ended->{dir}/nytprof.out"))[0], qr/^whole +yes$/m, 'with a whole capture';

    # --- what is not possible

    my $log = lua($version, 'print(1)', options => { sample => 100, duty => 10, memory => 1 });
    like $log->{err}, qr/^NYTProf: sample=100: options memory and duty are for counting, and ignored\n\z/,
        'duty and memory';
    my $v5 = lua($version, 'print(1)', options => { sample => 100, format => 5 });
    like $v5->{err}, qr/NYTProf: sample=100 needs format=1/, 'format=5';
    is $v5->{exit}, 1, 'is an error';

    # --- a host that forks

    my $host = host($version, 'forks', qw(-l:nytprof.so)) or next;
    my $forks = run(undef, command => [$host], options => { sample => 1000 });
    is "$forks->{out}$forks->{err}$forks->{exit}", '0', 'a host that forks';
    my @files = captures_in($forks->{dir});
    is scalar @files, 3, 'each process has its capture';
    is_deeply [ grep { { properties("$forks->{dir}/$_") }->{sampling} ne 'timer' } @files ], [], 'of samples';
}

done_testing;
