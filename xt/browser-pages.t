# SPDX-License-Identifier: MIT
# Pages of source in use in a browser: addresses of lines, keys, levels, heat, print, pages without scripts;
# and the index with metrics.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Browser qw(large require_browser script);
use LuaCapture qw(lua_capture);
use Pages qw(run);
use Tree qw(spew);

require_browser();
my $dir = tempdir(CLEANUP => 1);
my $capture = large($dir, 2, 400, 2000);
my ($status, undef, $err) = run("$FindBin::Bin/../build/nytprof", 'html', '-o', "$dir/report", $capture);
is "$status$err", '0', 'there is a report';
cmp_ok script('pages', 'pages.mjs', "$dir/report"), '>', 30, 'which was looked at';

spew("$dir/lua.out", lua_capture(memory => 1));
($status, undef, $err) = run("$FindBin::Bin/../build/nytprof", 'html', '--metric', 'bytes,allocations', '-o',
    "$dir/metrics", "$dir/lua.out");
is "$status$err", '0', 'there is one with metrics';
cmp_ok script('metrics', 'metrics.mjs', "$dir/metrics"), '>', 10, 'which was looked at';

done_testing;
