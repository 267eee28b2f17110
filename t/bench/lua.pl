#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# The cost of profiling Lua programs: CPU time over that of the bare program, beside the time with a hook for lines,
# calls and returns that only reads the clock (t/bench/floor.c), the least cost of such a profiler. The shortest of some
# runs counts.
#
#     perl t/bench/lua.pl [PROGRAM ...]     after make; PROGRAM is one of t/bench/*.lua
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;

use lib "$FindBin::Bin/../lib";
use Profiled qw(cpu_seconds $TOP);

my $RUNS    = 7;
my $VERSION = '5.4';
my $dir     = tempdir(CLEANUP => 1);
my ($include) = grep { -e "$_/lua.h" } "/usr/include/lua$VERSION", "/usr/local/include/lua$VERSION", '/usr/include';

my @compiler = ($Config{cc}, qw(-O2 -shared -fPIC), "-I$include", "-I$TOP/xs");
system(@compiler, '-o', "$dir/floor.so", "$FindBin::Bin/floor.c") == 0
    or die "the floor does not compile\n";

my @programs = @ARGV ? @ARGV : map {m{([^/]+)\.lua$}} sort glob "$FindBin::Bin/*.lua";
my %how = (
    bare      => [],
    floor     => ['-lfloor'],
    full      => ['-lnytprof'],
    functions => ['-lnytprof'],
    duty      => ['-lnytprof'],
);
my @columns = qw(bare floor full functions duty);
my @ratios  = ([qw(full floor)], [qw(duty functions)]);
printf "%-12s %8s  %s\n", 'program', 'bare, s', join '  ', map { sprintf '%9s', $_ } @columns[ 1 .. $#columns ],
    map {"$_->[0]/$_->[1]"} @ratios;
for my $program (@programs) {
    my %seconds;
    for (1 .. $RUNS) {
        for my $column (@columns) {
            my $taken = cpu_seconds(command($column, $program));
            $seconds{$column} = $taken if !defined $seconds{$column} || $taken < $seconds{$column};
        }
    }
    printf "%-12s %8.3f  %s\n", $program, $seconds{bare}, join '  ', map { sprintf '%9.2f', $_ }
        (map { $seconds{$_} / $seconds{bare} } @columns[ 1 .. $#columns ]),
        map { $seconds{ $_->[0] } / $seconds{ $_->[1] } } @ratios;
}

sub command {
    my ($column, $program) = @_;
    my %more = (functions => ':stmts=0', duty => ':duty=10');
    my $options = "file=$dir/out" . ($more{$column} // '');
    return ('env', "LUA_CPATH=$TOP/build/lua$VERSION/?.so;$dir/?.so", "NYTPROF=$options", "lua$VERSION",
        @{ $how{$column} }, "$FindBin::Bin/$program.lua");
}
