# What was allocated, by line and by function: in every report that has columns, and in none where it was not counted.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text u);
use Pages qw(pages);
use Tree qw(slurp);

my $dir = tempdir(CLEANUP => 1);

sub numbers { return join '', map { u($_) } @_ }
sub triples { return join '', map { u($_->[0]), i($_->[1]), i($_->[2]) } @_ }

# main calls outer at line 5, which calls inner at line 2 twice; inner (line 1) calls itself once, at line 1. With
# memory: each statement of inner allocates 3 times and 100 bytes, line 2 once and 50, and the main program 7 and 1000.
sub capture {
    my ($with_memory) = @_;
    my $start = join '', u(1), u(0), u(1_700_000_000 * 10**9), i(0), u(1_000_000_000), u(1), i(1001),
        map { Capture::s($_) } 'fake', 'prog', 'Lua 5.4';
    my $source = "local function inner(n) return n > 0 and inner(n - 1) end\nlocal function outer() end\n\n\nouter()\n";
    my @records = (
        record(1,  $start),
        record(7,  numbers(1, 0, 0, 0, 0, 0), Capture::s('/app/prog.lua')),
        record(8,  numbers(1, 1), Capture::s($source)),
        record(10, numbers(1, 0, 1, 1, 1, 1), Capture::s('inner'), Capture::s('')),
        record(10, numbers(2, 0, 1, 2, 2, 1), Capture::s('outer'), Capture::s('')),
        record(11, numbers(1, 1, 1, 1, 1, 2, 1, 2, 2, 2, 3, 1, 5, 5, 5)),
        record(12, numbers(1, 0, 3, 2, 2, 1, 2, 1, 3, 2, 1, 1)),
        record(13, triples([ 1, 3, 30 ], [ 2, 1, 20 ], [ 3, 1, 50 ])),
        record(14, triples([ 0, 0, 50 ], [ 1, 1, 20 ], [ 2, 2, 20 ], [ 3, 1, 10 ])),
        $with_memory
        ? ( record(25, triples([ 1, 9, 300 ], [ 2, 1, 50 ], [ 3, 7, 1000 ])),
            record(26, triples([ 0, 7, 1000 ], [ 1, 1, 50 ], [ 2, 6, 200 ], [ 3, 3, 100 ])) )
        : (),
        record(15, map { i(0) } 1 .. 6),
        record(24, numbers(0, 1)),
    );
    return text(program => 'prog') . chunk(join('', @records), front_end => 2, pid => 4711 + $with_memory);
}

sub rows {
    my ($capture) = @_;
    my (undef, $err, $exit) = nytprof('csv', '-d', '-o', "$dir/csv", \$capture);
    is "$exit $err", '0 ', 'csv runs';
    return grep { !/^# [VM]/ } split /\n/, slurp("$dir/csv/app-prog-lua-1-line.csv");
}

my @rows = rows(capture(1));
is $rows[1], '# Format: time,calls,time/call,allocations,bytes,code', 'csv: the head names the columns';
like $rows[2], qr/^0\.000000,3,0\.000000,9,300,local function inner/, 'a line with its allocations and bytes';
like $rows[3], qr/,1,0\.000000,1,50,/, 'the next one';
like $rows[-1], qr/,7,1000,outer\(\)$/, 'and the last';
@rows = rows(capture(0));
is $rows[1], '# Format: time,calls,time/call,code', 'csv: no columns where it was not counted';
like $rows[2], qr/^0\.000000,3,0\.000000,local function inner/, 'nor numbers';

sub callgrind { my ($capture) = @_; return (nytprof('callgrind', '-o', '-', \$capture))[0] }

my $callgrind = callgrind(capture(1));
like $callgrind, qr/^events: ns allocations bytes\nsummary: 100 17 1350\n/m, 'callgrind: events and their sums';
like $callgrind, qr/^fn=\(\d+\) inner\n1 30 9 300\n/m,    'what a function allocated itself';
like $callgrind, qr/^cfn=\(\d+\) outer\ncalls=1 2\n5 50 10 350\n/m, 'what a call did, with all that it called';
like $callgrind, qr/^cfn=\(\d+\)(?: inner)?\ncalls=2 1\n2 30 9 300\n/m, 'the recursion in it counts';
like $callgrind, qr/^cfn=\(\d+\)(?: inner)?\ncalls=1 1\n1 0 0 0\n/m, 'but not twice';
like $callgrind, qr/^totals: 100 17 1350$/m, 'and the totals';
unlike callgrind(capture(0)), qr/alloc/, 'callgrind: nothing of it where it was not counted';
like callgrind(capture(1) . capture(0)), qr/^summary: 200 17 1350$/m, 'a process without is one that adds nothing';

my ($dump) = nytprof('dump', \capture(1));
like $dump, qr/^place_memory id=1 count=9 bytes=300$/m, 'dump shows the records';

done_testing;
