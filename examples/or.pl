# SPDX-License-Identifier: MIT
# or.pl - whose is the time behind a call? When has_directory has returned, the rest of the expression runs, mkdir and
# a wait of 0.2 s. That is the time of the line with ||. With leave=0 it would be that of the line that ran last, the
# return of has_directory.
#
#     nytprof run --annotate examples/or.pl
#     nytprof run --annotate --options leave=0 examples/or.pl
use strict;
use warnings;

use File::Temp qw(tempdir);
use Time::HiRes qw(sleep);

sub has_directory {
    my ($name) = @_;
    return -d $name;
}

my $name = tempdir(CLEANUP => 1) . '/new';
has_directory($name) || mkdir($name) && sleep 0.2;
