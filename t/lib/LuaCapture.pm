# SPDX-License-Identifier: MIT
package LuaCapture;

# A capture of a Lua program, made from xs/capture/FORMAT, for tests of reports without a Lua.

use strict;
use warnings;

use Capture qw(chunk i record text u);
use Exporter 'import';

our @EXPORT_OK = qw(lua_capture metric numbers texts values_of);

my $SOURCE = <<'END';
local function inner(n) return n > 0 and inner(n - 1) end
local function outer() string.rep('x', 2) return inner(1) end


outer() load("return 1", "=made")()
END

sub numbers { return join '', map { u($_) } @_ }
sub triples { return join '', map { u($_->[0]), i($_->[1]), i($_->[2]) } @_ }
sub texts   { return join '', map { Capture::s($_) } @_ }

# /app/prog.lua calls outer at line 5, which calls inner at line 2 twice, and string.rep; inner calls itself once. Line
# 5 also runs a chunk made by load. memory => 1: each run of line 1 has 3 allocations of 100 bytes in all, of line 2 one
# of 50 bytes, and of line 5, which counts for the host, 7 of 1000 bytes; memory => 'old' has them in the records of
# older captures. more => [...] are further records. Other elements of %with are passed to chunk.
sub lua_capture {
    my (%with) = @_;
    my $memory = delete $with{memory};
    my @more   = @{ delete $with{more} || [] };
    my $start = numbers(1, 0, 1_700_000_000 * 10**9) . i(0) . numbers(1_000_000_000, 1) . i(1001);
    my @records = (
        record(1,  $start, texts('fake', 'prog.lua', 'Lua 5.4')),
        record(7,  numbers(1, 0, 0, 0, 0, 0),   texts('/app/prog.lua')),
        record(7,  numbers(2, 256, 1, 5, 0, 0), texts('=made')),
        record(8,  numbers(1, 1), texts($SOURCE)),
        record(8,  numbers(2, 1), texts("return 1\n")),
        record(10, numbers(1, 0, 1, 1, 1, 1), texts('inner', '')),
        record(10, numbers(2, 0, 1, 2, 2, 1), texts('outer', '')),
        record(10, numbers(3, 1, 0, 0, 0, 1), texts('string.rep', '')),
        record(11, numbers(1, 1, 1, 1, 1, 2, 1, 2, 2, 2, 3, 1, 5, 5, 5, 4, 2, 1, 1, 1)),
        record(12, numbers(1, 0, 3, 2, 2, 1, 2, 1, 3, 2, 1, 1, 4, 1, 2, 3)),
        record(13, triples([ 1, 3, 30 ], [ 2, 1, 20 ], [ 3, 1, 40 ], [ 4, 1, 10 ])),
        record(14, triples([ 0, 0, 50 ], [ 1, 1, 15 ], [ 2, 2, 20 ], [ 3, 1, 10 ], [ 4, 1, 5 ])),
        !$memory ? () : $memory eq 'old' ? old_memory() : memory(), @more,
        record(15, map { i(0) } 1 .. 6),
        record(24, numbers(0, 1)),
    );
    return text(program => 'prog.lua') . chunk(join('', @records), front_end => 2, %with);
}

my @BY_PLACE = ([ 1, 9, 300 ], [ 2, 1, 50 ], [ 3, 7, 1000 ]);
my @BY_NODE  = ([ 0, 7, 1000 ], [ 1, 1, 50 ], [ 2, 6, 200 ], [ 3, 3, 100 ]);

sub old_memory { return record(25, triples(@BY_PLACE)), record(26, triples(@BY_NODE)) }

sub memory {
    my @values = map { my $metric = $_;
        ((map { [ $metric, 1, $_->[0], $_->[$metric] ] } @BY_PLACE),
         (map { [ $metric, 2, $_->[0], $_->[$metric] ] } @BY_NODE)) } 1, 2;
    return metric(1, 3, 0, 'allocations', '', 'Allocations'), metric(2, 3, 0, 'bytes', 'B', 'Bytes allocated'),
        values_of(@values);
}

# The definition of a metric: id, of, adds; name, unit, title.
sub metric { return record(35, numbers(@_[ 0 .. 2 ]), texts(@_[ 3 .. 5 ])) }

# A record of values, in sets of metric, of, id, value.
sub values_of {
    my @before = (0) x 3;
    my $fields = '';
    for my $set (@_) {
        $fields .= join '', map { Capture::d($set->[$_], $before[$_]) } 0 .. 2;
        $fields .= i($set->[3]);
        @before = @$set;
    }
    return record(36, $fields);
}

1;
