# SPDX-License-Identifier: MIT
# How the profiler finds out which function is called: by Lua's own records where they look as expected, else by asking
# Lua. What it finds is the same.
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Lua qw(lua luas);
use Profiled qw($TOP);
use Run qw(facts);
use Tree qw(slurp);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my $shim = tempdir(CLEANUP => 1) . '/unlike.so';
system($Config{cc}, qw(-O2 -shared -fPIC -o), $shim, "$TOP/t/lua/unlike.c", '-ldl') == 0
    or BAIL_OUT('the shim does not compile');
my %preload = (LD_PRELOAD => join ':', grep {defined} $ENV{LD_PRELOAD}, $shim);

for my $version (@$luas) {
    for my $program (qw(calls coroutines errors)) {
        my %is = map { ($_ => of($version, $program, $_)) } qw(like closed changing);
        like $is{like}{err}, qr/ \d+ events, 0 wrong\n\z/, "lua $version, $program: records are read";
        for my $unlike (qw(closed changing)) {
            like $is{$unlike}{err}, qr/ \d+ events, 0 wrong; Lua was asked for every function\n\z/,
                "$unlike: Lua is asked";
            is_deeply $is{$unlike}{found}, $is{like}{found}, 'and the same is found';
        }
    }
}
done_testing;

sub of {
    my ($version, $program, $how) = @_;
    my $run = lua($version, slurp("$TOP/t/lua/$program.lua"), options => { selfcheck => 1 },
        env => { UNLIKE => $how, %preload });
    my $facts = facts($run);
    return { err => $run->{err}, found => { map { ($_ => $facts->{$_}) } qw(line edge) } };
}
