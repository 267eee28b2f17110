# SPDX-License-Identifier: MIT
# Hosts that load Lua with a plug-in, as servers do with their modules: what is preloaded finds it there, whether the
# plug-in's names are for all or for itself.
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(of);
use Lua qw(luas);
use Profiled qw(instructions $TOP);
use Run qw(facts run);
use Tree qw(slurp spew);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my $SCRIPT = <<'END';
local function double(n)
  return 2 * n
end
local sum = 0
for i = 1, 6 do
  sum = sum + double(i)
end
return sum
END

my $dir    = tempdir(CLEANUP => 1);
my @source = ("$TOP/t/lua/plugin.c", qw(-O2 -Wall -Werror));
is system($Config{cc}, '-o', "$dir/host", @source, '-ldl'), 0, 'a host without Lua compiles';

for my $version (@$luas) {
    my ($include) = slurp("$TOP/Makefile") =~ m{-isystem (\S+lua$version)\s};
    my $plugin    = "$dir/plugin-$version.so";
    my @with_lua  = ('-DWITH_LUA', $include ? "-I$include" : ());
    is system($Config{cc}, qw(-shared -fPIC -o), $plugin, @source, @with_lua, "-llua$version"), 0,
        "Lua $version: the plug-in compiles"
        or next;
    for my $names (qw(local global again)) {
        my @host = ("$dir/host", $plugin, $names, 'script.lua');
        my @ours = ("$TOP/build/nytprof", qw(run --preload -o plugin.out), @host);
        my ($bare, $run) = map { run($SCRIPT, name => 'script.lua', command => $_) } \@host, \@ours;
        is $bare->{out}, "42\n42\n", "loaded ($names): runs a script twice";
        is_deeply [ @{$run}{qw(out err exit)} ], [ @{$bare}{qw(out err exit)} ], 'and does the same when profiled';
        my $facts = eval { facts($run, "$run->{dir}/plugin.out") } or fail 'there is a profile' or diag $@ or next;
        is $facts->{sub}{double}{calls}, 12, 'with all calls';
        is $facts->{line}{'script.lua:6'}, 12, 'and lines';
        is scalar(of('end', @{ $facts->{records} })), 2, 'of two Luas; both profiles are complete';
    }
}

# --- a plug-in with a Lua in it that cannot be profiled ---------------------------------------------------------------

my $other = "$dir/other.so";
is system($Config{cc}, qw(-w -O2 -shared -fPIC -DLIBRARY -o), $other, "$TOP/t/lua/other.c"), 0, 'another Lua compiles';
for my $names (qw(local global)) {
    my $run = run(undef, command => [ "$TOP/build/nytprof", qw(run --preload), "$dir/host", $other, $names, 'yes' ]);
    is "$run->{out}$run->{exit}", "1\n1\n0", "another Lua with its names $names: the program does what it does";
    is $run->{err}, "NYTProf: this program is not profiled: it has Lua 5.2 in it, expected Lua 5.4 or 5.3\n",
        'and is not profiled, which is said once';
}
# --- what a text costs that is loaded again and again, as by a server for each request --------------------------------

my $LIMIT   = 12_000;    # instructions of a load and two calls more than bare; they are about 10,000
my @preload = map {"$TOP/build/lua$_/nytprof-preload.so"} @$luas;
SKIP: {
    skip 'valgrind is not installed: the cost of a load is NOT checked', 1
        if system 'valgrind --version >/dev/null 2>&1';
    skip 'a build with sanitizers or without optimiser has other costs', 1
        if slurp("$TOP/Makefile") !~ /^OPTIMIZE = (?!.*-fsanitize).*-O[23]\b/m;
    for my $version (grep { -e "$dir/plugin-$_.so" } @$luas) {
        my $bare = of_load($version);
        for my $libraries (@$luas > 1 ? ([@preload], [ reverse @preload ]) : [@preload]) {
            my $cost = of_load($version, @$libraries) - $bare;
            cmp_ok $cost, '<', $LIMIT, "Lua $version: a load costs less than $LIMIT instructions more than bare";
        }
    }
}
done_testing;

# The script is run twice.
sub of_load {
    my ($version, @libraries) = @_;
    my @counts = map { of_loads($version, $_, @libraries) } 500, 1_500;
    return ($counts[1] - $counts[0]) / 2_000;
}

sub of_loads {
    my ($version, $loads, @libraries) = @_;
    spew("$dir/loads.lua", <<"END");
for i = 1, $loads do
  load('local f = ... return function(n) return (f(n)) end')(math.abs)(i)
end
return 1
END
    return instructions('env', 'LD_PRELOAD=' . join(':', @libraries), "NYTPROF=file=$dir/out:overhead=raw:compress=0",
        "$dir/host", "$dir/plugin-$version.so", 'global', "$dir/loads.lua");
}
