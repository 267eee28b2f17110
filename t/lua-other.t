# SPDX-License-Identifier: MIT
# A Lua that cannot be profiled, or that is not there, is named: by the command, by the module, by what is preloaded.
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Lua qw(host interpreter lua luas);
use Profiled qw($TOP);
use Run qw(captures_in run);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

sub nytprof_run { my (@command) = @_; return run(undef, command => [ "$TOP/build/nytprof", 'run', @command ]) }

# --- the module in another Lua ----------------------------------------------------------------------------------------

for my $module (@$luas) {
    for my $here (grep { $_ ne $module && interpreter($_) } qw(5.1 5.2 5.3 5.4)) {
        my $path = "$TOP/build/lua$module/?.so";
        my $run = lua($here, 'print 1', env => { LUA_CPATH => $path, "LUA_CPATH_" . ($here =~ tr/./_/r) => $path });
        like $run->{err}, qr/NYTProf: this module is for Lua \Q$module\E, not for Lua \Q$here\E\b/,
            "Lua $here with the module for $module";
        is $run->{exit}, 1, 'does not start';
    }
}

# --- a Lua that does not read its environment -------------------------------------------------------------------------

my $lua = "lua$luas->[0]";
for my $switches (['-E'], [qw(-i -E x.lua)], [qw(-e x=1 -E x.lua)]) {
    my $run = nytprof_run($lua, @$switches);
    like $run->{err}, qr/\Anytprof: run: $lua -E cannot be profiled: [^\n]+\n\z/, "@$switches: says why not";
    is "$run->{exit} @{[ captures_in($run->{dir}) ]}", '1 ', 'nothing is run, and nothing written';
}
is nytprof_run($lua, '-e', 'print(...)', '-', '-E')->{exit}, 0, 'an argument that looks like it';

# --- programs with a Lua in them --------------------------------------------------------------------------------------

my $dir = tempdir(CLEANUP => 1);
my @cc  = ($Config{cc}, '-w', '-o');
my @library = (qw(-DLIBRARY -shared -fPIC), '-Wl,-soname,liblua5.2.so.0');
system(@cc, "$dir/liblua5.2.so.0", @library, "$TOP/t/lua/other.c") == 0
    && system(@cc, "$dir/other", "$TOP/t/lua/other.c", "$dir/liblua5.2.so.0", "-Wl,-rpath,$dir") == 0
    or BAIL_OUT('the other Lua does not compile');

my $run = nytprof_run("$dir/other", 'x');
is $run->{err}, "nytprof: run: $dir/other has Lua 5.2 in it, which cannot be profiled, expected Lua 5.4 or 5.3\n",
    'one that cannot be profiled';
is $run->{exit}, 0, 'runs all the same';
is nytprof_run("$dir/other", 'y')->{exit}, 1, 'and its exit status is what comes of it';
$run = nytprof_run('--preload', "$dir/other", 'x');
is $run->{err}, "NYTProf: this program is not profiled: it has Lua 5.2 in it, expected Lua 5.4 or 5.3\n",
    'with --preload it is said once';
$run = nytprof_run('--preload', "$dir/other");
is $run->{err}, "NYTProf: there is no profile: no Lua 5.4 or 5.3 has run\n", 'a program in which no Lua ran';
is nytprof_run('--preload', 'sh', '-c', "$dir/other; :")->{err}, '', 'nothing about those that a program starts';

my $plain = host($luas->[0], 'plain');
like nytprof_run($plain)->{err}, qr/\Anytprof: run: \S+ has Lua [\d.]+ in it, which is profiled with --preload\n\z/,
    'one that could be profiled';
is nytprof_run('--preload', $plain)->{err}, '', 'and is';
my $static = host($luas->[0], 'plain', '-Wl,--as-needed', "-l:liblua$luas->[0].a", qw(-lm -ldl));
like nytprof_run('--preload', $static)->{err}, qr/ has Lua [\d.]+ in it, which can be profiled only by itself, /,
    'one with a Lua built in'
    if $static;
is nytprof_run('sh', '-c', ':')->{err}, '', 'one without Lua is nothing to speak of';

done_testing;
