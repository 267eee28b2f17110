# SPDX-License-Identifier: MIT
# The scripts of pages, as far as they need none: t/js/*.mjs are tests of html/app/ and html/build/ that node runs.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds qw(small);
use PageData qw(page_data);
use Pages qw(fixtures run);
use Tree qw(slurp spew);

my $TOP = "$FindBin::Bin/..";
my ($node) = grep { -x } map {"$_/node"} split /:/, $ENV{PATH};
plan skip_all => 'no node to run scripts with' if !$node;

my $dir = tempdir(CLEANUP => 1);
run("$TOP/build/nytprof", 'html', '-o', "$dir/report", fixtures() . '/calls.out');
spew("$dir/a.build", small());
run("$TOP/build/nytprof", 'html', '--single', '-o', "$dir/build.html", "$dir/a.build");
for my $test (grep { !/tap\.mjs\z/ } glob "$TOP/t/js/*.mjs") {
    my ($name) = $test =~ m{([^/]+)\z};
    my $of = $name eq 'build.mjs' ? 'build.html' : 'report/data.js';
    my ($status, $out, $err) = run($node, '--no-warnings', $test, "$dir/$of");
    my @rows = $out =~ /^(not ok|ok) - (.*)$/mg;
    ok scalar @rows, "$name: has tests";
    while (my ($said, $what) = splice @rows, 0, 2) { ok $said eq 'ok', "$name: $what" }
    is "$status$err", '0', "$name: ends well" or diag $out;
}

# Scripts are embedded without blanks, line ends and semicolons that they do not need.
for my $script (grep { !/data\.js\z/ } glob "$dir/report/*.js") {
    my ($status, undef, $err) = run($node, '--check', $script);
    is $status, 0, ($script =~ m{([^/]+)\z})[0] . ' is a script' or diag $err;
}

# Both readers of data.js, that of these tests and that of the page, say the same.
my $data = page_data(slurp("$dir/report/data.js"));
my ($status, $out) = run($node, '--no-warnings', "$TOP/t/js/profile.mjs", "$dir/report/data.js", 'tell');
my @subs = map { join "\t", @{$_}{qw(name exclusive inclusive calls)}, $_->{flags} & 8 ? '' : $_->{link} }
    @{ $data->{subs} };
is_deeply [ split /\n/, $out ], \@subs, 'the script reads what is written';

done_testing;
