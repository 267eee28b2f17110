# SPDX-License-Identifier: MIT
# Pages of source in use in a browser: addresses of lines, keys, levels, heat, print, pages without scripts.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Browser qw(large require_browser script);
use Pages qw(run);

require_browser();
my $dir = tempdir(CLEANUP => 1);
my $capture = large($dir, 2, 400, 2000);
my ($status, undef, $err) = run("$FindBin::Bin/../build/nytprof", 'html', '-o', "$dir/report", $capture);
is "$status$err", '0', 'there is a report';
cmp_ok script('pages', 'pages.mjs', "$dir/report"), '>', 30, 'which was looked at';

done_testing;
