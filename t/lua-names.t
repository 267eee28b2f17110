# SPDX-License-Identifier: MIT
# Names of Lua's functions where neither a module's field nor the call tells them.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Lua qw(lua luas);
use Run qw(facts);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my $PROGRAM = <<'END';
package.path = "./?.lua"
pcall(require, "nosuch")
local steps = {function(x) return x + 1 end, key = function(x) return -x end}
local key = "key"
for i = 1, 3 do steps[1](i) steps[key](i) end
local file = io.open(arg[0])
pcall(file.read, file)
package.loaded.tables = {deep = {[7] = string.upper, lower = string.lower}}
pcall(io.lines(arg[0]))
large = {}
for i = 1, 100000 do large[i] = {i} end
pcall(io.lines(arg[0]))
END

for my $version (@$luas) {
    my $run   = lua($version, $PROGRAM);
    my $names = facts($run)->{sub};
    is "$run->{err}$run->{exit}", '0', "lua $version";
    my %calls = map { ($_ => $names->{$_}{calls}) } grep { $names->{$_}{calls} } keys %$names;
    is $calls{"package.searchers[$_]"}, 1, "what require calls from C: searcher $_" for 1 .. 4;
    is $calls{'FILE*.read'}, 1, 'a method of an object that C code made';
    is_deeply [ @calls{ '<prog.lua:3>', '<prog.lua:3#2>' } ], [ 3, 3 ], 'functions called by their number or key';
    is_deeply [ grep {/[?]|integer index/} keys %calls ], [], 'have no name that is none';
    ok $calls{'<C>'}, 'and what is in no table is <C>, also if there are many tables';
}
done_testing;
