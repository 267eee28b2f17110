# SPDX-License-Identifier: MIT
# Chunks that a program loads: each text is a file of its own, with its source, at the place where it was loaded; the
# same text is one, past a limit all texts of a place are one, and Lua's using addresses again confuses nobody.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(of);
use Lua qw(lua luas);
use Run qw(facts);
use Tree qw(slurp);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my $PROGRAM = <<'END';
local long = "local x = 1 -- a text that is too long to be kept once by Lua\nreturn x"
for i = 1, 3 do load(long)() end
load("local y = 2\nlocal z = 3", "=named")()
load("return 'as a file'", "@no-such-file.lua")()
local parts = {"local a = 1\n", "local b = 2\n"}
load(function() return table.remove(parts, 1) end, "=parts")()
print(load("syntax error here"))
local f = load(string.dump(load("return function()\n  return 1\nend"))) ()
f()
dofile("other.lua")
require "module"
END

for my $version (@$luas) {
    my $run = lua($version, $PROGRAM, env => { LUA_PATH => '?.lua' },
        files => { 'other.lua' => "local o = 1\n", 'module.lua' => "local m = 1\nreturn m\n" });
    is "$run->{err}$run->{exit}", '0', "lua $version: chunks";
    my $facts = facts($run);
    my %file  = map { ($_->{name} => $_) } of('file', @{ $facts->{records} });
    my ($text) = grep {/^\[string "local x/} keys %file;
    is "$file{$text}{flags} $file{$text}{parent_line}", '306 2', 'a text is an eval of the line that loads it';
    is $facts->{line}{"$text:1"}, 3, 'loaded again it is the same';
    like join('', grep {defined} @{ $facts->{source}{$text} }), qr/\Alocal x = 1 -- .*\nreturn x\z/, 'with its source';
    is "$facts->{line}{'=named:2'} $file{'=named'}{parent_line}", '1 3', 'one with a name';
    is $facts->{source}{'=named'}[2], 'local z = 3', 'has its source, too';
    is $facts->{line}{'no-such-file.lua:1'}, 1, 'and one that pretends to be a file';
    is_deeply [ grep {defined} @{ $facts->{source}{"$run->{dir}/no-such-file.lua"} } ], [q{return 'as a file'}],
        'is shown as such';
    is $facts->{line}{'=parts:2'}, 1, 'a text that comes in parts';
    is $facts->{line}{'other.lua:1'}, 1, 'dofile';
    my $gone = lua($version, "local x = 1\nos.remove(arg[0])\n");
    is_deeply [ grep {defined} @{ facts($gone)->{source}{"$gone->{dir}/prog.lua"} } ],
        [ "local x = 1\n", "os.remove(arg[0])\n" ], 'a file that the program removes has its source';
    is $facts->{source}{"$run->{dir}/module.lua"}[1], "local m = 1\n", 'require, with the source';

    my $many = lua($version, <<'END', options => { maxsiteevals => 5 });
for i = 1, 3000 do
  local text = "local a = " .. i .. " -- every text another one, and long enough to live alone\n"
  local f = load(text .. "return function()\n  return 1\nend")()
  f()
  if i % 50 == 0 then collectgarbage() end
end
END
    $facts = facts($many);
    my @texts = grep { $_->{parent} } of('file', @{ $facts->{records} });
    is scalar @texts, 6, 'past maxsiteevals the rest are one';
    my %sum;
    for my $at (grep {/string/} keys %{ $facts->{line} }) { $sum{ ($at =~ /:(\d+)$/)[0] } += $facts->{line}{$at} }
    is_deeply \%sum, { 1 => 3000, 3 => 3000, 4 => 3000 }, 'and every line is counted';
    is $facts->{sub}{load}{calls}, 3000, 'and every load';

    # A sanitizer is not to keep what is freed.
    my %sanitizer = (ASAN_OPTIONS => join ':', $ENV{ASAN_OPTIONS} // (), 'quarantine_size_mb=0');
    my $kB = lua($version, <<'END', options => { maxsiteevals => 5 }, env => \%sanitizer);
local function memory()
  collectgarbage()
  local file = io.open("/proc/self/status")
  local kB = tonumber(file:read("a"):match("VmRSS:%s*(%d+)"))
  file:close()
  return kB
end
local before
for i = 1, 150000 do
  load("-- " .. i .. "\nreturn function() return 1 end")()()
  if i == 10000 then before = memory() end
end
print(memory() - before)
END
    is $kB->{exit}, 0, 'texts for weeks';
    cmp_ok $kB->{out}, '<', $version eq '5.4' ? 3000 : 6000, 'take no memory each';
}
done_testing;
