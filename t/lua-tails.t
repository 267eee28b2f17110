# SPDX-License-Identifier: MIT
# Tail calls are marked in the capture, also where the same line calls the same function in the ordinary way, and in the
# reports' lists of callers and callees; loops of tail calls make no more contexts than they have functions.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Lua qw(lua luas);
use Pages qw(pages text_of);
use Run qw(capture_of facts);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my $PROGRAM = <<'END';
local function target(n) return n end
local function both(n) local m = target(n) return target(m) end
local function to_c(s) return string.rep(s, 2) end
local even, odd
function even(n) if n == 0 then return true end return odd(n - 1) end
function odd(n) return n ~= 0 and even(n - 1) end
local function loop(n) if n > 0 then return loop(n - 1) end end
for i = 1, 10 do
  both(i)
  to_c("x")
end
print(even(100000), (loop(100000)))
local function last(n) return error("over") end
local ok = pcall(function() return last(1) end)
print(ok)
local function middle(n)
  target(n)
end
local function top(n) return middle(n) end
top(1)
END

# {"LINE CALLER > CALLEE"} => [ordinary calls, tail calls]
sub calls_of {
    my ($facts) = @_;
    my %by_id = map { my $kind = $_; $kind => { map { ($_->{id} => $_) } of($kind, @{ $facts->{records} }) } }
        qw(place sub node);
    my %is_tail = map { ($_->{node} => 1) } of('tail', @{ $facts->{records} });
    my %calls;
    for my $delta (of('node_delta', @{ $facts->{records} })) {
        my $node   = $by_id{node}{ $delta->{id} }     or next;
        my $parent = $by_id{node}{ $node->{parent} };
        my $caller = $parent ? $by_id{sub}{ $parent->{sub} }{name} : '';
        my $line   = $node->{place} ? $by_id{place}{ $node->{place} }{line} : 0;
        my $edge   = "$line $caller > $by_id{sub}{ $node->{sub} }{name}";
        ($calls{$edge} //= [ 0, 0 ])->[ $is_tail{ $node->{id} } ? 1 : 0 ] += $delta->{count};
    }
    return \%calls;
}

for my $version (@$luas) {
    my $run = lua($version, $PROGRAM);
    is $run->{out}, "true\tnil\nfalse\n", "lua $version: the program runs";
    my $facts = facts($run);
    my $calls = calls_of($facts);
    is_deeply $calls->{'2 both > target'}, [ 10, 10 ], 'calls and tail calls of one line and function are told apart';
    is_deeply $calls->{'3 to_c > string.rep'}, [ 10, 0 ], 'Lua calls functions in C in the ordinary way';
    is_deeply $calls->{'9 <prog.lua> > both'}, [ 10, 0 ], 'an ordinary call has no mark';
    is_deeply [ @{$calls}{ '5 even > <prog.lua:6>', '6 <prog.lua:6> > even', '7 loop > loop' } ],
        [ [ 0, 50_000 ], [ 50_000, 0 ], [ 0, 100_000 ] ], 'in loops every tail call is marked';
    is_deeply $calls->{'14 <prog.lua:14> > <prog.lua:13>'}, [ 0, 1 ], 'also where an error ends it';
    cmp_ok scalar(of('node', @{ $facts->{records} })), '<', 40, 'a loop of them makes few contexts';

    my $functions = calls_of(facts(lua($version, $PROGRAM, options => { stmts => 0 })));
    is_deeply $functions->{'2 both > target'}, [ 10, 10 ], 'stmts=0 marks them as well';
    is_deeply $functions->{'5 even > <prog.lua:6>'}, [ 0, 50_000 ], 'at the first line of the function that makes them';

    is_deeply $functions->{'16 <prog.lua:16> > target'}, [ 1, 0 ], 'and what is tail-called calls from its own line';

    my (undef, $err, $exit) = nytprof('html', '-o', "$run->{dir}/html", capture_of($run));
    is "$exit $err", '0 ', 'html runs';
    my ($page) = map { pages("$run->{dir}/html")->{$_} } grep {/prog-lua/} keys %{ pages("$run->{dir}/html") };
    like $page, qr{<abbr title="The caller did not wait for it: the call took its place">10 tail calls</abbr>},
        'a page says so';
    my $text = text_of($page);
    like $text, qr/ 10 calls \S+ \S+ each by both, line 2/, 'the list of callers has the ordinary calls';
    like $text, qr/ 10 tail calls \S+ \S+ each by both, line 2/, 'and the tail calls';
    like $text, qr/ 10 tail calls \S+ \S+ each to target/, 'and so has that of callees';
    like $text, qr/10 calls by .*?, line 10/, 'where there are none, it does not';

    my $of_old = lua($version, $PROGRAM, options => { format => 5 });
    my ($csv, undef, $failed) = nytprof('info', capture_of($of_old));
    is $failed, 0, 'format 5 has them as calls';
}
done_testing;
