# SPDX-License-Identifier: MIT
package Devel::NYTProf::Report::Slowest;
use strict;
use warnings;

sub api     { return 1 }
sub summary { return 'prints the subs with the most time of their own' }

sub report {
    my ($class, $profile, $out, $most) = @_;
    my @subs = sort { $b->excl_time <=> $a->excl_time || $a->subname cmp $b->subname }
        grep { $_->calls } values %{ $profile->subname_subinfo_map };
    printf {$out} "%9.6f %s\n", $_->excl_time, $_->subname for grep {defined} @subs[ 0 .. ($most || 10) - 1 ];
    return;
}
1;
