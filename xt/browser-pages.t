# SPDX-License-Identifier: MIT
# Pages of source in use in a browser: addresses of lines, keys, levels, heat, print, pages without scripts;
# the index with metrics; and stretches of time.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Browser qw(capture large require_browser script);
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

# A stretch of time: where the time of lines is told in it, and where it is not.
spew("$dir/waits.pl", <<'END');
use Time::HiRes qw(sleep time);
sub nap  { return sleep 0.04 }
sub work { my ($end, $x) = (time + 0.04, 0); while (time < $end) { $x++ } return $x }
nap() for 1 .. 10;
work() for 1 .. 10;
END
for my $of ([ waiting => { waiting => 1 } ], [ seen => { sample => 500 } ]) {
    my ($name, $options) = @$of;
    capture($dir, $name, $options, "$dir/waits.pl");
    ($status, undef, $err) = run("$FindBin::Bin/../build/nytprof", 'html', '-o', "$dir/$name", "$dir/$name.out");
    is "$status$err", '0', "there is one of option $name";
}
cmp_ok script('stretches', 'stretches.mjs', "$dir/waiting", "$dir/seen"), '>', 5, 'which were looked at';

done_testing;
