# SPDX-License-Identifier: MIT
# Large reports in a browser, as in browser.t: one of an invented program, and one of a run of perlcritic.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Browser qw(large look perlcritic require_browser usual);

require_browser();
my $dir = tempdir(CLEANUP => 1);
my %large = (isLarge => \1, index => 7_000_000, paint => 300, ready => 2500, nodes => 3200, heap => 120,
    times => { draw => 60, zoom => 16, sort => 300, filter => 300, find => 300 });

look($dir, 'large', large($dir, 10_000, 100_000, 300_000), \%large, 'too many links to follow here: xt/large.t does');
my $perlcritic = perlcritic($dir);
SKIP: {
    skip 'SKIPPED: no perlcritic to profile', 1 if !$perlcritic;
    look($dir, 'perlcritic', $perlcritic, { usual(), single => "$dir/single.html" });
}
done_testing;
