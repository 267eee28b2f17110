# SPDX-License-Identifier: MIT
# Option memory: allocations for each line and function are what Lua itself says it has got.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Lua qw(bare_lua lua luas);
use Run qw(capture_of facts);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

# Nothing is freed, so what is in use grows by what is asked for.
my $PROGRAM = <<'END';
collectgarbage("stop")
local function make(n)
  return {n, n, n}
end
local before = collectgarbage("count")
for i = 1, 1000 do
  make(i)
  local s = "a string " .. i
end
local after = collectgarbage("count")
io.write(string.format("%d", (after - before) * 1024))
local big = string.rep("x", 1000000)
END

for my $version (@$luas) {
    my $run     = lua($version, $PROGRAM, options => { memory => 1 });
    my $facts   = facts($run);
    my @records = @{ $facts->{records} };
    my %line_of = map { ($_->{id} => $_->{line}) } of('place', @records);
    my (%bytes, %count, %of_sub);
    my %metric = map { ($_->{id} => $_->{name}) } of('metric', @records);
    for my $value (grep { $_->{of} == 1 } of('values', @records)) {
        my $to = $metric{ $value->{metric} } eq 'bytes' ? \%bytes : \%count;
        $to->{ $line_of{ $value->{id} } } += $value->{value};
    }
    my $in_loop = $bytes{3} + $bytes{8};
    is $in_loop, $run->{out}, "lua $version: the lines between have what is in use more";
    is $count{3}, 2000, 'two allocations for each table';
    cmp_ok $bytes{12}, '>=', 1_000_000, 'a C function allocates for the line that calls it';
    my %name = map { ($_->{id} => $_->{name}) } of('sub', @records);
    my %sub  = map { ($_->{id} => $name{ $_->{sub} }) } of('node', @records);
    for my $value (grep { $_->{of} == 2 && $metric{ $_->{metric} } eq 'bytes' } of('values', @records)) {
        $of_sub{ $sub{ $value->{id} } // '' } += $value->{value};
    }
    is $of_sub{make}, $bytes{3}, 'a function has what its lines have';
    cmp_ok $of_sub{'string.rep'}, '>=', 1_000_000, 'and C functions have their own';
    my ($rows) = nytprof('callgrind', '-o', '-', capture_of($run));
    like $rows, qr/^events: .*alloc/mi, 'reports show it';
    my @unasked = of(qr/metric|values/, @{ facts(lua($version, $PROGRAM))->{records} });
    is scalar(@unasked), 0, 'nothing of it unless asked for';
}
done_testing;
