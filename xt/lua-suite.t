# SPDX-License-Identifier: MIT
# Lua's official test files under the profiler: output and exit status are those of a bare run. They are no part of this
# distribution:
#
#   NYTPROF_LUA_TESTS=DIRECTORY:DIRECTORY prove -b xt/lua-suite.t
#
# A DIRECTORY is an unpacked archive of https://www.lua.org/tests/ for a version of the installed interpreters, as
# lua-5.4.4-tests. heavy.lua, which wants all memory that there is, is left out, and the numbers in lines that depend on
# times, memory and chance are not compared, nor dots for cycles of the garbage collector.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Lua qw(lua_command luas);
use Run qw(run);
use Tree qw(slurp);

my @suites = grep { length } split /:/, $ENV{NYTPROF_LUA_TESTS} // '';
plan skip_all => "SKIPPED: NYTPROF_LUA_TESTS names no directory with Lua's test files; NOTHING was tried" if !@suites;
my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my %modes = (
    lines     => { selfcheck => 1 },
    functions => { stmts => 0 },
    memory    => { memory => 1 },
);

# Lua reserves 20 slots of its stack for the call of any hook, which are five or six calls of the overflowing function.
my $OVERFLOW = qr/^testing stack overflow in message handling\nfinal count: \t\K(\d+)/m;

for my $suite (@suites) {
    my ($version) = slurp("$suite/all.lua") =~ /^local version = "Lua (5\.\d)"/m;
    ok scalar(grep { $_ eq ($version // '') } @$luas), "$suite is for an interpreter that is here" or next;
    opendir my $in, $suite or die "$suite: $!\n";
    for my $file (sort grep { /\.lua$/ && $_ ne 'heavy.lua' } readdir $in) {
        my $bare = outcome($version, $suite, $file, undef);
        for my $mode (sort keys %modes) {
            my $ours = outcome($version, $suite, $file, $modes{$mode});
            $ours->{levels} = $bare->{levels} if abs($ours->{levels} - $bare->{levels}) < 10;
            is_deeply $ours, $bare, "lua $version $file, $mode: says and ends the same";
        }
    }
}
done_testing;

# A run in a fresh copy of the files, as they write some.
sub outcome {
    my ($version, $suite, $file, $options) = @_;
    my $dir = tempdir(CLEANUP => 1);
    system('cp', '-r', "$suite/.", $dir) == 0 or die "cannot copy $suite\n";
    my @command = lua_command($version, $options && { %$options, file => "$dir/nytprof.out" }, '-e',
        '_port=true _soft=true', $file);
    my $done = run(undef, dir => $dir, command => \@command);
    my $check = $done->{err} =~ s/NYTProf: selfcheck: \d+ events, (\d+) wrong\n//m ? $1 : 0;
    my $levels = $done->{out} =~ s/$OVERFLOW/N/ ? $1 : 0;
    s/\.{2,}/./g, s/(?=.*(?:msec|random|memory|time|done on|optimizations \())(.*)/$1 =~ s{[-+]?\d[\d.]*[KM]?}{N}gr/gem
        for @{$done}{qw(out err)};
    return { wrong => $check, levels => $levels, map { $_ => $done->{$_} } qw(out err exit signal) };
}
