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
use Profiled qw($TOP);
use Run qw(facts run);
use Tree qw(slurp);

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
done_testing;
