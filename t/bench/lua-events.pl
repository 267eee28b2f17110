# SPDX-License-Identifier: MIT
# What does each kind of event of Lua cost, and how much is subtracted for it? perl t/bench/lua-events.pl [OPTIONS]
# [PATTERN]
#
# As t/bench/events.pl, for Lua: each row is a function that repeats one operation and times itself, bare and profiled.
# The difference (adds) is compared with the cost that the profile subtracts (off). The rest is the error: an error
# above 0 is the profiler's work that appears as the program's. Figures are nanoseconds an event, medians of N
# interleaved runs. PATTERN selects rows by name. Cold rows, which make a new place, function or context each time, have
# no goal. The last row is the least time of a line in all rows, which must not be further below zero than the goal.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(min);

use lib "$FindBin::Bin/../lib";
use Dump qw(of records);
use Facts ();
use Goals qw(goal);
use Lua qw(interpreter lua_command);
use Profiled qw(median);
use Tree qw(spew);

my $GOAL = 5;

# name => [copies of the part in {{ }} in a round, rounds, events in that part, body, code before the function]
my @ROWS = (
    'line x = i' => [
        10, 30_000, 1,
        'local x for i = 1, ROUNDS do {{x = i}} end',
    ],
    'line, mixed' => [
        4, 20_000, 3,
        "local t, x = { a = 0 } for i = 1, ROUNDS do {{t.a = t.a + i\nx = i .. ''\nx = x .. 'b'}} end",
    ],
    'line of a table' => [
        8, 20_000, 1,
        'local t for i = 1, ROUNDS do {{t = { i, i + 1 }}} end',
    ],
    'for round' => [
        1, 200_000, 1,
        'local x = 0 for i = 1, ROUNDS do {{x = x + i}} end',
    ],
    'for round in one line' => [
        1, 200_000, 1,
        '{{local x = 0 for i = 1, ROUNDS do x = x + i end}}',
    ],
    'while round' => [
        1, 150_000, 1,
        'local i = 0 while i < ROUNDS do {{i = i + 1}} end',
    ],
    'if and else' => [
        1, 150_000, 1,
        "local x = 0 for i = 1, ROUNDS do {{if i % 2 == 0 then\nx = x + i\nelse\nx = x - i\nend}} end",
    ],
    'line in a long function' => [
        100, 3_000, 1,
        'local x for i = 1, ROUNDS do {{x = i}} end',
    ],
    'call, one line' => [
        5, 20_000, 1,
        'for i = 1, ROUNDS do {{one(i)}} end',
        'local function one(n) return n end',
    ],
    'call, three arguments, two lines' => [
        5, 20_000, 1,
        'for i = 1, ROUNDS do {{three(i, 2, 3)}} end',
        "local function three(a, b, c)\nlocal d = a + b\nreturn d + c\nend",
    ],
    'call, eight lines' => [
        2, 20_000, 1,
        'for i = 1, ROUNDS do {{eight(i)}} end',
        'local function eight(n)' . "\nn = n + 1" x 7 . "\nreturn n\nend",
    ],
    'call without a return' => [
        5, 20_000, 1,
        'for i = 1, ROUNDS do {{nop()}} end',
        "local function nop()\nend",
    ],
    'calls in one line' => [
        1, 20_000, 5,
        'local x for i = 1, ROUNDS do {{x = two(i) + two(i) + two(i) + two(i) + two(i)}} end',
        "local function two(n)\nreturn n\nend",
    ],
    'variable arguments' => [
        5, 20_000, 1,
        'local x for i = 1, ROUNDS do {{x = variable(i, 2, 3)}} end',
        "local function variable(...)\nlocal a, b = ...\nreturn a\nend",
    ],
    'method' => [
        5, 20_000, 1,
        'local o = setmetatable({ v = 1 }, Class) local x for i = 1, ROUNDS do {{x = o:get()}} end',
        "local Class = {} Class.__index = Class\nfunction Class:get()\nreturn self.v\nend",
    ],
    'method, inherited' => [
        5, 20_000, 1,
        'local o = setmetatable({ v = 1 }, Derived) local x for i = 1, ROUNDS do {{x = o:get()}} end',
        "local Base = {} Base.__index = Base\nfunction Base:get()\nreturn self.v\nend "
            . 'local Derived = setmetatable({}, Base) Derived.__index = Derived',
    ],
    'calls within a method' => [
        3, 20_000, 1,
        'local o = setmetatable({ v = 1 }, Nested) local x for i = 1, ROUNDS do {{x = o:take(0)}} end',
        "local Nested = {} Nested.__index = Nested\nfunction Nested:get()\nreturn self.v\nend\n"
            . "function Nested:take(n)\nif self:get() < n then\nreturn false\nend\n"
            . "self.v = self.v - n\nreturn true\nend",
    ],
    'two methods in turns' => [
        1, 40_000, 3,
        "local o = setmetatable({ v = 1, n = 0 }, Turns) for i = 1, ROUNDS do {{o:put(10)\no:take(5)}} end",
        "local Turns = {} Turns.__index = Turns\nfunction Turns:put(n)\nself.v = self.v + n\nself.n = self.n + 1\nend\n"
            . "function Turns:get()\nreturn self.v\nend\nfunction Turns:take(n)\nif self:get() < n then\n"
            . "return false\nend\nself.v = self.v - n\nreturn true\nend",
    ],
    'fields' => [
        5, 20_000, 2,
        "local o = { v = 1, n = 2 } for i = 1, ROUNDS do {{o.v = o.v + i\no.n = o.n + 1}} end",
    ],
    'handlers' => [
        1, 20_000, 6,
        'local l = { function(x) n = n + x end, function(x) n = n + 1 end } for i = 1, ROUNDS do {{emit(l, i)}} end',
        "local n = 0 local function emit(l, ...)\nfor _, f in ipairs(l) do\nf(...)\nend\nend",
    ],
    'closure' => [
        5, 20_000, 1,
        'local c = counter() for i = 1, ROUNDS do {{c()}} end',
        "local function counter() local n = 0 return function()\nn = n + 1\nreturn n\nend end",
    ],
    'one of two functions' => [
        4, 20_000, 1,
        'local f = { odd, even } for i = 1, ROUNDS do {{f[i % 2 + 1](i)}} end',
        "local function odd(n)\nreturn n\nend local function even(n)\nreturn n\nend",
    ],
    'tail call' => [
        5, 20_000, 1,
        'for i = 1, ROUNDS do {{tail(i)}} end',
        "local function target(n)\nreturn n\nend local function tail(n)\nreturn target(n)\nend",
    ],
    'tail calls in a row' => [
        1, 2_000, 50,
        'for i = 1, ROUNDS do {{count_down(50)}} end',
        "local function count_down(n)\nif n == 0 then return n end\nreturn count_down(n - 1)\nend",
    ],
    'tail call of C' => [
        5, 20_000, 1,
        'for i = 1, ROUNDS do {{tail_c(i)}} end',
        "local function tail_c(n)\nreturn math_abs(n)\nend",
    ],
    'C call' => [
        5, 20_000, 1,
        'local x for i = 1, ROUNDS do {{x = math_abs(i)}} end',
    ],
    'C calls in one line' => [
        1, 20_000, 5,
        'local x for i = 1, ROUNDS do {{x = math_abs(i) + math_abs(i) + math_abs(i) + math_abs(i) + math_abs(i)}} end',
    ],
    'one of two C functions' => [
        4, 20_000, 1,
        'local f, x = { math_abs, math.floor } for i = 1, ROUNDS do {{x = f[i % 2 + 1](i)}} end',
    ],
    'two C functions in one line' => [
        4, 20_000, 2,
        'local floor, x = math.floor for i = 1, ROUNDS do {{x = math_abs(i) + floor(i)}} end',
    ],
    'C call, string.format' => [
        3, 10_000, 1,
        'local x for i = 1, ROUNDS do {{x = string.format("%d %s", i, "x")}} end',
    ],
    'C method' => [
        5, 10_000, 1,
        'local s, x = "abc" for i = 1, ROUNDS do {{x = s:upper()}} end',
    ],
    '__index' => [
        5, 20_000, 1,
        'local t, x = setmetatable({}, Index) for i = 1, ROUNDS do {{x = t.y}} end',
        "local Index = { __index = function(t, k)\nreturn k\nend }",
    ],
    '__add' => [
        5, 20_000, 1,
        'local t, x = setmetatable({}, Add) for i = 1, ROUNDS do {{x = t + i}} end',
        "local Add = { __add = function(t, n)\nreturn n\nend }",
    ],
    'pcall' => [
        5, 10_000, 1,
        'for i = 1, ROUNDS do {{pcall(safe, i)}} end',
        "local function safe(n)\nreturn n\nend",
    ],
    'pcall and error' => [
        2, 10_000, 1,
        'for i = 1, ROUNDS do {{pcall(error, 1)}} end',
    ],
    'error through a call' => [
        2, 10_000, 1,
        'for i = 1, ROUNDS do {{pcall(fails, 1)}} end',
        "local function fails(n)\nerror(n)\nend",
    ],
    'sort with a function' => [
        1, 40, 1400,
        'local l = {} for i = 1, ROUNDS do for j = 1, 200 do l[j] = j * 7919 % 503 end {{table.sort(l, less)}} end',
        "local function less(a, b)\nreturn a < b\nend",
    ],
    'gsub with a function' => [
        1, 500, 100,
        'local s = string.rep("ab ", 100) for i = 1, ROUNDS do {{s:gsub("%w+", word)}} end',
        "local function word(w)\nreturn w\nend",
    ],
    'ipairs' => [
        1, 1_000, 100,
        'local t, x = {} for i = 1, 100 do t[i] = i end '
            . "for i = 1, ROUNDS do {{for _, v in ipairs(t) do\nx = v\nend}} end",
    ],
    'pairs' => [
        1, 1_000, 100,
        q(local t, x = {} for i = 1, 100 do t['k' .. i] = i end )
            . "for i = 1, ROUNDS do {{for _, v in pairs(t) do\nx = v\nend}} end",
    ],
    'iterator in Lua' => [
        1, 1_000, 100,
        "local x for i = 1, ROUNDS do {{for v in up_to(100) do\nx = v\nend}} end",
        "local function up_to(n) local i = 0 return function()\ni = i + 1\nif i <= n then return i end\nend end",
    ],
    'recursion, 50 deep' => [
        1, 1_000, 50,
        'for i = 1, ROUNDS do {{deep(50)}} end',
        "local function deep(n)\nif n > 1 then\ndeep(n - 1)\nend\nend",
    ],
    'fib' => [
        1, 5, 10_946,
        'for i = 1, ROUNDS do {{fib(19)}} end',
        "local function fib(n)\nif n < 2 then\nreturn n\nend\nreturn fib(n - 1) + fib(n - 2)\nend",
    ],
    'fib in one line' => [
        1, 20, 3193,
        'for i = 1, ROUNDS do {{fib_in_line(16)}} end',
        'local function fib_in_line(n) return n < 2 and n or fib_in_line(n - 1) + fib_in_line(n - 2) end',
    ],
    'calls within a tail call' => [
        1, 20_000, 4,
        'for i = 1, ROUNDS do {{within(i)}} end',
        "local function same(n) return n end\nlocal function within(n) return same(same(n) + same(n)) end",
    ],
    'hanoi of 12 discs' => [
        1, 5, 8191,
        'for i = 1, ROUNDS do {{hanoi(12, 1, 2, 3)}} end',
        "local function hanoi(n, p, q, r)\nif n == 0 then return end\nhanoi(n - 1, p, r, q)\n"
            . "hanoi(n - 1, r, q, p)\nend",
    ],
    'resume and yield' => [
        2, 20_000, 1,
        'local c = coroutine.create(echo) for i = 1, ROUNDS do {{coroutine.resume(c, i)}} end',
        "local function echo(x)\nwhile true do\nx = coroutine.yield(x)\nend\nend",
    ],
    'generator' => [
        1, 300, 100,
        "local x for i = 1, ROUNDS do {{for v in coroutine.wrap(generate) do\nx = v\nend}} end",
        "local function generate()\nfor i = 1, 100 do\ncoroutine.yield(i)\nend\nend",
    ],
    'coroutine, short' => [
        2, 5_000, 1,
        'for i = 1, ROUNDS do {{coroutine.wrap(short)(i)}} end',
        "local function short(x)\nreturn x\nend",
    ],
    'load (cold)' => [
        1, 3_000, 1,
        'local x for i = 1, ROUNDS do {{x = load("return " .. i)()}} end',
    ],
);

GetOptions('rounds=i' => \(my $rounds = 9), 'clock=s' => \my $clock, 'overhead=s' => \my $overhead,
    'version=s' => \(my $version = '5.4'))
    or die "usage: perl t/bench/lua-events.pl [--rounds N] [--clock NAME] [--overhead raw] [--version V] [PATTERN]\n";
my $pattern = shift // '';
interpreter($version) or die "no lua$version here\n";

my (@names, %row);
while (my ($name, $row) = splice @ROWS, 0, 2) {
    next if $name !~ /$pattern/;
    push @names, $name;
    $row{$name} = $row;
}
my $dir = tempdir(CLEANUP => 1);
spew("$dir/events.lua", program());
my %options = (file => "$dir/out", $clock ? (clock => $clock) : (), $overhead ? (overhead => $overhead) : ());

my (%took, @least);    # who => name => [ns]; ns of the line with the least time
for my $round (1 .. $rounds) {
    keep('bare', run_as('bare'));
    keep('ours', run_as('ours'));
    my @records = records("$dir/out");
    keep('said', said(@records));
    push @least, least_line(@records);
}

printf "%-34s %8s %8s %8s %8s\n", 'event, ns', qw(bare adds off error);
my %error;
for my $i (0 .. $#names) {
    my ($bare, $ours, $said) = map { median(@{ $took{$_}{$i} }) / events($row{ $names[$i] }) } qw(bare ours said);
    printf "%-34s %8.1f %8.1f %8.1f %8.1f\n", $names[$i], $bare, $ours - $bare, $ours - $said, $said - $bare;
    $error{ $names[$i] } = abs($said - $bare);
}
print "\n";
my $with = join '', ", Lua $version", map {", $_=$options{$_}"} grep { $_ ne 'file' } sort keys %options;
goal("$_, error$with", $error{$_}, $GOAL, 'ns') for grep { !/cold/ } @names;
goal("least time of a line$with", median(@least), ">= -$GOAL", 'ns');

sub events { my ($row) = @_; return $row->[0] * $row->[1] * $row->[2] }

# Each function runs once before the run that is timed.
sub program {
    my $text = "local math_abs = math.abs\n";
    for my $i (0 .. $#names) {
        my ($times, $rounds, undef, $body, $before) = @{ $row{ $names[$i] } };
        my $part = $body =~ s/\{\{(.*)\}\}/PART/s ? "\n$1" x $times . "\n" : die;
        $body =~ s/PART/$part/;
        my $warm = $body =~ s/ROUNDS/3/gr;
        $body =~ s/ROUNDS/$rounds/g;
        $text .= "do\n" . ($before // '') . "\nlocal function warm_$i() $warm end\n"
            . "local function row_$i()\n$body\nend\nwarm_$i() collectgarbage()\nlocal begin = os.clock()\nrow_$i()\n"
            . "print($i, math.floor(1e9 * (os.clock() - begin)))\nend\n";
    }
    return $text;
}

sub run_as {
    my ($who) = @_;
    open my $out, '-|', lua_command($version, $who eq 'ours' ? \%options : undef, "$dir/events.lua") or die "lua: $!\n";
    my %ns = map {split} <$out>;
    close $out or die "the program fails\n";
    return %ns;
}

# The inclusive time of each row's function, with its sign, which reports do not show.
sub said {
    my (@records) = @_;
    my $of = Facts::from_records(@records)->{sub};
    return map { ($_ => 1e9 * $of->{"row_$_"}{inclusive}) } 0 .. $#names;
}

# Nanoseconds an execution of the line that takes least, of those that ran a thousand times.
sub least_line {
    my (@records) = @_;
    my ($start) = of('process_start', @records);
    my (%ticks, %count);
    for my $delta (grep { $_->{id} } of('place_delta', @records)) {
        $ticks{ $delta->{id} } += $delta->{ticks};
        $count{ $delta->{id} } += $delta->{count};
    }
    my $least = min(map { $ticks{$_} / $count{$_} } grep { $count{$_} >= 1000 } keys %count);
    return 1e9 * $least / $start->{ticks_per_second};
}

sub keep {
    my ($who, %ns) = @_;
    push @{ $took{$who}{$_} }, $ns{$_} for keys %ns;
    return;
}
