# SPDX-License-Identifier: MIT
# command.pl - the function by which a tool of bin/ finds the command nytprof. Installed tools contain this function
# (whole.pl), so that they run without PERL5LIB.
use strict;
use warnings;

use FindBin;

# The nytprof beside this script, installed or built, or else that in PATH.
sub nytprof {
    my @places = map {"$FindBin::RealBin/$_/nytprof"} qw(. ../blib/script ../build);
    my ($found) = grep { -x $_ && !-d _ } @places;
    return $found // 'nytprof';
}
1;
