# SPDX-License-Identifier: MIT
# What is done to programs, whether they run as without the profiler, and what is left of the profile:
#
#     perl xt/survives.pl [--peer DIR] [--only REGEX] [--verbose]
#
# Prints the table of Devel::NYTProf::Differences, "What it survives". Each program of xt/lib/Faults.pm runs bare, under
# this profiler and under its peer: the Devel::NYTProf that the system's perl finds, or that of a Debian package which
# was unpacked in DIR (dpkg -x). Without a peer its column is empty. Run it as root for all of its rows.
use strict;
use warnings;

use FindBin;
use Getopt::Long;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Survival qw(peer_in table);

GetOptions('peer=s' => \my $peer, 'only=s' => \(my $only = '.'), 'verbose' => \my $verbose)
    or die "usage: perl xt/survives.pl [--peer DIR] [--only REGEX] [--verbose]\n";
local $| = 1;
print map {"$_\n"} table(peer_in($peer), qr/$only/, $verbose);
