# SPDX-License-Identifier: MIT
# The rockspec makes a rock of a copy of the distribution, and the rock's module profiles. Wants Debian's luarocks. What
# is compiled in this tree of the same sources with the same flags is not compiled again, but the module for Lua.
use strict;
use warnings;

use ExtUtils::Manifest qw(maniread manicopy);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Lua qw(bare_lua);
use Profiled qw($TOP);
use Run qw(facts run);

my $copy = tempdir(CLEANUP => 1);
my $tree = tempdir(CLEANUP => 1);
chdir $TOP or die "$TOP: $!\n";
$ExtUtils::Manifest::Quiet = 1;
manicopy(maniread(), $copy, 'cp');
my $compiled = 'build/*/*.[od] build/*.[od] build/*.flags build/ppport.h';
system("cp -a --parents $compiled '$copy' && rm -r '$copy'/build/lua*") == 0 or die "$compiled cannot be copied\n";
chdir $copy or die "$copy: $!\n";
my $log = qx{luarocks --lua-version=5.4 --tree "$tree" make nytprof-*.rockspec 2>&1};
is $?, 0, 'luarocks makes it' or diag $log;

my $run = bare_lua('5.4', "local function f() end\nfor i = 1, 3 do f() end\n", more => ['-lnytprof'],
    env => { LUA_CPATH_5_4 => "$tree/lib/lua/5.4/?.so" });
is "$run->{out}$run->{err}$run->{exit}", '0', 'a program runs with the module';
is facts($run)->{sub}{f}{calls}, 3, 'and is profiled';
my $info = run(undef, dir => $run->{dir}, command => [ "$tree/bin/nytprof", 'info', 'nytprof.out' ]);
like $info->{out}, qr/^interpreter  Lua 5\.4$/m, 'the command is there, too';

done_testing;
