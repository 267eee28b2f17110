# SPDX-License-Identifier: MIT
# Pages of builds in a browser: one of 24,000 processes within budgets of bytes, elements and time, with pointer and
# keys; one whose names are markup; without messages in the console, dialogs, requests or violations that axe finds.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Browser qw(require_browser script);
use Builds qw(began capture ended many stream);
use Calls qw(calls_capture);
use Pages qw(run);
use Tree qw(spew);

require_browser();
my $dir = tempdir(CLEANUP => 1);

open my $out, '>:raw', "$dir/large.build" or die "$dir/large.build: $!\n";
many($out, 24_000, 8);
close $out or die "$dir/large.build: $!\n";

my ($markup, $bytes) = ('</script><img src=x onerror=alert(1)>&amp;"\'', join '', map {chr} 1 .. 255);
my @names = ($markup, $bytes, 'x' x 5000, "\xE2\x80\xAE.c");
my $records = began(1, 1, 0, [ 'make', '-j2', $markup ], $markup);
for my $k (0 .. 40) {
    my $name = $names[ $k % @names ];
    $records .= began(2 + $k, 2 + $k, 1, [ $name, $name ], "/$name", $name)
        . ended(3.5 + $k, 2 + $k, 2 + $k, 1, 0.1, $k % 7 == 6, 5000 + $k);
}
spew("$dir/hostile.build", capture(stream($markup, 'preload') . $records));

for my $name (qw(large hostile)) {
    my ($status, undef, $err) = run("$FindBin::Bin/../build/nytprof", 'html', '--single', '-o', "$dir/$name.html",
        "$dir/$name.build");
    is "$status$err", '0', "$name: there is a page";
}
my ($status, undef, $err) = run("$FindBin::Bin/../build/nytprof", qw(diff --format html -o), "$dir/changes.html",
    "$dir/hostile.build", "$dir/large.build");
is "$status$err", '0', 'there is a page of what differs between the two';
# Two profiles, with names that are markup.
my $sub = 'main::' . $markup =~ tr/ /~/r . ':1';
spew("$dir/$_.out", calls_capture([ '', 0, 1000 ], [ $sub, $_, $_ * 1e6 ], [ "main::only$_:2", 1, 1e6 ])) for 1, 2;
($status, undef, $err) = run("$FindBin::Bin/../build/nytprof", qw(diff --format html -o), "$dir/compared.html",
    "$dir/1.out", "$dir/2.out");
is $status, 0, 'there is a page of what differs between two profiles';
cmp_ok script('build', 'build.mjs', map {"$dir/$_.html"} qw(large hostile changes compared)), '>', 70,
    'all of which was looked at';

done_testing;
