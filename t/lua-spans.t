# SPDX-License-Identifier: MIT
# Marks, counts and spans of Lua programs: nytprof.mark, count and span, with and without a profile.
use strict;
use warnings;

use FindBin;
use JSON::PP qw(decode_json);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Lua qw(bare_lua lua luas);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my $PROGRAM = <<'END';
local p = require "nytprof"
p.mark "begin"
for i = 1, 1000 do local s = p.span("quick"); p.count("rows", i); s:finish(); s:finish() end
local outer = p.span("outer")
local c = coroutine.wrap(function() local s = p.span(17); coroutine.yield(); s:finish() end)
c(); c()
local from = os.clock()
repeat local x = 0; for i = 1, 1000 do x = x + i end until os.clock() - from > 0.05
outer:finish()
p.span("never")
p.count("minus", -5); p.count("once"); p.count("odd", "abc"); p.count({}, 2); p.count()
p.mark(("\xff\x1b<b>" .. ("x"):rep(500)))
print(select("#", p.mark("end")), pcall(outer.finish, 5), getmetatable(outer).__close == outer.finish)
END
my $CLOSED = 'local p = require "nytprof" do local s <close> = p.span("closed") end pcall(function()
    local s <close> = p.span("closed") error("x") end)';
my $PAUSED = 'local p = require "nytprof" p.pause() p.count("paused") local s = p.span("begun in it") p.resume()
    s:finish() p.count("resumed") local t = p.span("ends in it") p.pause() t:finish() p.stop() p.count("stopped")
    p.start{file="second.out"} p.count("second") t:finish()';

for my $version (@$luas) {
    my $bare = bare_lua($version, $PROGRAM);
    is "$bare->{out}$bare->{err}", "0\ttrue\ttrue\n", "lua $version: without a profile they do nothing";
    my $run = lua($version, $PROGRAM);
    is "$run->{out}$run->{err}$run->{exit}", "$bare->{out}0", 'the same output with one';
    my $found = found($run, 'nytprof.out');
    is_deeply counted($found->{spans}), { quick => 1000, outer => 1, 17 => 1 }, 'spans, each once';
    my ($outer) = grep { $_->{name} eq 'outer' } @{ $found->{spans} };
    cmp_ok $outer->{longest}, '>=', 45_000_000, 'their time';
    is_deeply { map { ($_->{name} => "$_->{count} $_->{sum}") } @{ $found->{counts} } },
        { rows => '1000 500500', minus => '1 -5', once => '1 1', odd => '1 0', table => '1 2', nil => '1 1' }, 'counts';
    is join(' ', map { length $_->{name} } @{ $found->{marks} }), '5 203 3', 'marks in their order, names cut';
    like((nytprof('spans', "$run->{dir}/nytprof.out"))[0], qr/^ +1,000 +\S+ \S+s .* \d\d:\d\d:\d\d\.\d{3}  quick$/m,
        'nytprof spans');
    is_deeply counted(found(lua($version, $CLOSED), 'nytprof.out')->{spans}), { closed => 2 }, 'a variable that closes'
        if $version ge '5.4';
    my $paused = lua($version, $PAUSED);
    is $paused->{err}, '', 'pauses';
    my $first = found($paused, 'nytprof.out');
    is_deeply [ map { $_->{name} } @{ $first->{counts} }, @{ $first->{spans} } ], ['resumed'], 'nothing is recorded';
    my $second = found($paused, 'second.out');
    is_deeply [ map { $_->{name} } @{ $second->{counts} }, @{ $second->{spans} } ], ['second'], 'nor of another';
}
done_testing;

sub found { my ($run, $file) = @_; return decode_json((nytprof('json', "$run->{dir}/$file"))[0]) }

sub counted { my ($spans) = @_; return { map { ($_->{name} => $_->{count}) } @$spans } }
