# SPDX-License-Identifier: MIT
# What `make install` puts where for Lua, and that it is enough: no Perl is needed to profile and to report.
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Lua qw(interpreter luas);
use Profiled qw($TOP);
use Run qw(facts run);
use Tree qw(slurp);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my $root = tempdir(CLEANUP => 1);
installed('as it comes');
my ($nytprof) = glob "$root/usr/local/bin/nytprof";
ok $nytprof && -x $nytprof, 'the command';

for my $version (@$luas) {
    my $there = "$root/usr/local/lib/lua/$version";
    ok -e "$there/nytprof.so" && -e "$there/nytprof-preload.so", "Lua $version: the module and the library to preload";

    my $path = tempdir(CLEANUP => 1);
    symlink interpreter($version), "$path/lua$version" or die "symlink: $!\n";
    my %alone = (text => "local function f() end\nfor i = 1, 3 do f() end\n", env => { PATH => $path });
    my $run = run($alone{text}, name => 'prog.lua', env => $alone{env}, command => [ $nytprof, 'run', 'prog.lua' ]);
    is "$run->{out}$run->{err}$run->{exit}", '0', 'nytprof run, where there is nothing else';
    is facts($run)->{sub}{f}{calls}, 3, 'profiles the program';
    my $html = run(undef, dir => $run->{dir}, env => $alone{env}, command => [ $nytprof, 'html' ]);
    is $html->{exit}, 0, 'nytprof html';
    like slurp("$run->{dir}/nytprof/index.html"), qr/prog\.lua/, 'reports on it';

    my ($include) = slurp("$TOP/Makefile") =~ m{(-isystem \S+lua$version)\s};
    my $check = "echo '#include <nytprof.h>' | $Config{cc} -Wall -Werror -x c -fsyntax-only";
    is qx{$check -I$root/usr/local/include @{[ $include // '' ]} - 2>&1}, '', 'nytprof.h compiles where it is';
}

my ($number) = map { tr/.//dr } my $version = $luas->[0];
installed('where the user says', "LUA${number}_CDIR=/there/lua", 'LUA_INCDIR=/there/include');
ok -e "$root/there/$_", "$_ is where the user says" for qw(lua/nytprof.so include/nytprof.h);

my $log = qx{cd "$TOP" && env -u MAKEFLAGS make -s pure_install "DESTDIR=$root" PREFIX=/opt/x 2>&1};
like $log, qr{^Lua \Q$version\E finds it with LUA_CPATH='/opt/x/lib/lua/\Q$version\E/\?[.]so;;'$}m,
    'make install PREFIX=: is told how Lua finds the module';
ok -e "$root/opt/x/$_", "$_ is below the prefix" for "lib/lua/$version/nytprof.so", qw(include/nytprof.h bin/nytprof);

# What perl Makefile.PL INSTALL_BASE=/opt/base writes into the Makefile: that name, and no prefix of sites.
my $base = qx{cd "$TOP" && env -u MAKEFLAGS make -n pure_install SITEPREFIX= INSTALL_BASE=/opt/base 2>&1};
like $base, qr{ "/opt/base/lib/lua/\Q$version\E"$}m, 'INSTALL_BASE is where the modules for Lua go, too';
unlike $base, qr{ "/(?:lib|include)\b}, 'and nothing goes to the root';

my ($spec) = glob "$TOP/nytprof-*.rockspec";
my ($module_version) = slurp("$TOP/lib/Devel/NYTProf/Core.pm") =~ /VERSION = '([\d.]+)'/;
like $spec, qr/nytprof-\Q$module_version\E-1\.rockspec\z/, 'the rockspec is of this version';
like slurp($spec), qr/^version = "\Q$module_version\E-1"$/m, 'and says so';

done_testing;

# make install, without the manual pages and whatever else takes long.
sub installed {
    my ($how, @variables) = @_;
    my $where = 'SITEPREFIX=/usr/local INSTALLSITESCRIPT=/usr/local/bin INSTALLSITEBIN=/usr/local/bin';
    my $log = qx{cd "$TOP" && env -u MAKEFLAGS make -s pure_install "DESTDIR=$root" $where @variables 2>&1};
    is $?, 0, "make install, $how" or diag $log;
    return;
}
