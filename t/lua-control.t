# SPDX-License-Identifier: MIT
# Where profiling begins and ends: -l, LUA_INIT, require, start, stop, pause, resume, the ways a program ends, options.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Lua qw(bare_lua lua luas);
use Run qw(captures_in facts);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

# Two coroutines are older than the profile. What belongs to it is marked with the number of times that it counts.
my $PARTS = <<'END';
local function early() for i = 1, 3 do coroutine.yield(i) end end --2
local c1, c2 = coroutine.create(early), coroutine.wrap(early)
coroutine.resume(c1)
c2()
local p = require "nytprof"
local function part(n)
  for i = 1, n do --16
    local x = i --13
  end
end --3
part(5)
p.start{file = "p.out"}
part(10) --1
coroutine.resume(c1) --1
c2() --1
p.pause() --1
part(100)
p.resume()
part(1) --1
p.stop() --1
part(1000)
p.start{file = "p.out"}
part(2) --1
END
my $line = 0;
my %marked = map { $line++; /--(\d+)/ ? ("prog.lua:$line" => $1) : () } split /\n/, $PARTS;

for my $version (@$luas) {
    my $run = bare_lua($version, $PARTS);
    is "$run->{err}$run->{exit}", '0', "lua $version: a program that starts and stops";
    is_deeply [ captures_in($run->{dir}) ], [], 'what it did not start is not recorded';
    is_deeply facts($run, "$run->{dir}/p.out")->{line}, \%marked, 'lines between start and pause, resume and stop';

    my %end = (
        'the end'      => [ 0, '' ],
        'os.exit'      => [ 3, 'os.exit(3)' ],
        'closing'      => [ 4, 'os.exit(4, true)' ],
        'an error'     => [ 1, 'error("no more", 0)' ],
        'a coroutine'  => [ 5, 'coroutine.wrap(function() os.exit(5) end)()' ],
    );
    for my $how (sort keys %end) {
        my ($exit, $text) = @{ $end{$how} };
        my $ended = lua($version, "local x = 1\n$text");
        is $ended->{exit}, $exit, "ended by $how: the exit status";
        my $facts = facts($ended);
        is $facts->{line}{'prog.lua:1'}, 1, 'the lines';
        is scalar(grep { $_->{kind} eq 'end' } @{ $facts->{records} }), 1, 'and a whole capture';
    }

    my $init = bare_lua($version, "local x = 1\n", env => { LUA_INIT => q{require "nytprof"} });
    is facts($init)->{line}{'prog.lua:1'}, 1, 'LUA_INIT';

    my $renamed = lua($version, "local x = 1\n", options => { file => 'other:name.out' });
    is facts($renamed, "$renamed->{dir}/other:name.out")->{line}{'prog.lua:1'}, 1, 'NYTPROF is read';

    my $functions = lua($version, "local function f()\n  return 1\nend\nf() f()\n", options => { stmts => 0 });
    my $facts = facts($functions);
    is_deeply $facts->{line}, {}, 'stmts=0: no lines';
    is_deeply $facts->{edge}, { 'prog.lua:1 <prog.lua> > f' => 2, ':0 main::RUNTIME > <prog.lua>' => 1 }, 'but calls';

    for my $case (
        [ 'start=never', 'option start cannot be \'never\', expected begin, init, end or no' ],
        [ 'file',        'invalid option \'file\', expected NAME=VALUE' ],
        [ 'file=/no/such/dir/out', '/no/such/dir/out: cannot be created: No such file or directory' ],
    ) {
        my $bad = lua($version, "print 'runs'\n", env => { NYTPROF => $case->[0] });
        like $bad->{err}, qr/NYTProf: \Q$case->[1]\E/, "NYTPROF=$case->[0]: says what is wrong";
    }
    my $unknown = lua($version, "print 'runs'\n", env => { NYTPROF => 'nonsense=1:sigexit=1:slowops=0' });
    is "$unknown->{err}$unknown->{out}", "Unknown NYTProf option: 'nonsense'\nruns\n", 'an unknown option is named';

    my $wrong = lua($version, <<'END');
local start = require "nytprof".start
print(select(2, pcall(start, {nonsense = 1})))
print(select(2, pcall(start, {file = {}})))
print(select(2, pcall(start, {[1] = 2})))
print((select(2, pcall(start, 5)):gsub("'.*'", "'start'")))
print(select(2, pcall(require "nytprof".resume)))
require "nytprof".stop()
print(select(2, pcall(require "nytprof".resume)))
END
    is $wrong->{out}, <<'END', 'wrong arguments are errors that say what was expected';
NYTProf: there is no option 'nonsense'
NYTProf: option file cannot be a table, expected a string, a number or a boolean
NYTProf: an option's name is a string, not a number
bad argument #1 to 'start' (table expected, got number)

NYTProf: resume without an earlier start
END
}
done_testing;
