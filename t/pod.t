# SPDX-License-Identifier: MIT
# Documentation is well-formed POD, and whatever is installed has some.
use strict;
use warnings;

use FindBin;
use Pod::Checker;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(files slurp);

my $TOP = "$FindBin::Bin/..";

for my $file (files($TOP, qr{^(?:lib/.*\.(?:pm|pod)|bin/[^/]+|xs/.*\.pod)$})) {
    next if slurp("$TOP/$file") =~ m{\A#!/bin/sh};
    my $checker = Pod::Checker->new(-warnings => 1);
    my $says    = '';
    open my $out, '>', \$says or die $!;
    $checker->parse_from_file("$TOP/$file", $out);
    is $checker->num_errors, 0, "$file has POD, without errors" or diag $says;
}

done_testing;
