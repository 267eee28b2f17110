# SPDX-License-Identifier: MIT
# Functions that begin and end in the same lines are told apart, as in tables of metamethods or minified code; the same
# text loaded again is the same functions; and endless new texts under one name do not become endless functions.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Lua qw(lua luas);
use Run qw(capture_of facts);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my $PROGRAM = <<'END';
local o = setmetatable({}, {__index = function(_, k) return k end, __call = function(_, n) return n * 2 end})
for i = 1, 10 do local x = o["k" .. i] end
o(1)
f = {function(x) return x + 1 end, function(x) return x - 1 end, function(x) return x.a end, function() return x end}
for i = 1, 5 do f[1](i) f[2](i) f[2](i) f[3]({}) f[3]({}) f[3]({}) f[4]{} end
local list = {3, 1, 2}
local up, down = function(a, b) return a < b end, function(a, b) return a > b end
table.sort(list, up)
for i = 1, 20 do down(1, 2) end
local nested = function(a) return function(b) return function(c) return a + b + c end end end
for i = 1, 4 do local two = nested(i) for j = 1, 3 do local three = two(j) for k = 1, 2 do three(k) end end end
END

# {LINE} => the numbers of calls of the functions that begin there, sorted
sub calls_by_line {
    my ($facts, $file) = @_;
    my %calls;
    for my $sub (grep { $_->{kind} eq 'sub' && $_->{file} } @{ $facts->{records} }) {
        my $calls = $facts->{sub}{ $sub->{name} }{calls} or next;
        push @{ $calls{ $sub->{first_line} } }, $calls if $sub->{name} !~ /^<[^:]+>$/;
    }
    @$_ = sort { $a <=> $b } @$_ for values %calls;
    return \%calls;
}

for my $version (@$luas) {
    my $run = lua($version, $PROGRAM, options => { selfcheck => 1 });
    like $run->{err}, qr/ [1-9]\d+ events, 0 wrong\n\z/, "lua $version: nothing is mistaken for something else";
    my $facts = facts($run);
    my $calls = calls_by_line($facts);
    is_deeply [ @{$calls}{1, 4, 10} ], [ [ 1, 10 ], [ 5, 5, 10, 15 ], [ 4, 12, 24 ] ],
        'metamethods of a line, functions that differ in an operator or a name, and functions within functions';
    is scalar @{ $calls->{7} }, 2, 'what sorts up and what sorts down';
    my ($callgrind) = nytprof('callgrind', '-o', '-', capture_of($run));
    like $callgrind, qr/^cfn=\(\d+\) <prog\.lua:4#$_>$/m, "number $_ of a line is called that" for 2 .. 4;

    my $again = lua($version, <<'END', options => { selfcheck => 1 });
local text = "local a, b = function(x) return x.a end, function(x) return x.b end for i = 1, 2 do a{} b{} b{} end"
for i = 1, 200 do load(text, "=text")() collectgarbage() end
END
    is_deeply calls_by_line(facts($again)), { 1 => [ 400, 800 ] }, 'the same text loaded again: the same functions';
    like $again->{err}, qr/ 0 wrong\n\z/, 'wherever Lua puts them';

    my $endless = lua($version, <<'END', options => { selfcheck => 1 });
for i = 1, 3000 do load("return function() return " .. i .. " end", "=template")()() end
END
    my @made = grep { $_->{name} =~ /template/ } grep { $_->{kind} eq 'sub' } @{ facts($endless)->{records} };
    cmp_ok scalar @made, '<=', 3, 'new texts under one name share their functions';
    like $endless->{err}, qr/ 0 wrong\n\z/, 'which is no mistake';
}
done_testing;
