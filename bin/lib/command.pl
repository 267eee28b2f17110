# SPDX-License-Identifier: MIT
# command.pl - how a tool of bin/ finds the command that does its work. An installed tool has this function in it
# (whole.pl), so that it runs without PERL5LIB.
use strict;
use warnings;

use FindBin;

# The nytprof beside this script where both are installed or built, else wherever PATH has it.
sub nytprof {
    my @places = map {"$FindBin::RealBin/$_/nytprof"} qw(. ../blib/script ../build);
    my ($found) = grep { -x $_ && !-d _ } @places;
    return $found // 'nytprof';
}
1;
