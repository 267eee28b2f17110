# SPDX-License-Identifier: MIT
package Speedscope;

# What speedscope's own page makes of files.

use strict;
use warnings;

use Exporter 'import';
use JSON::PP ();

use Exports qw(node_script);

our @EXPORT_OK = qw(looks own_times);

# For each file what the page says: { title, trouble => [...], saved => the profiles, as it has read them }.
sub looks {
    my (@files) = @_;
    my $json = JSON::PP->new->utf8;
    return map { $json->decode($_) } split /\n/, node_script('speedscope.mjs', @files);
}

# { name of frame => own value } of a saved profile, whose frames are opened and closed at values.
sub own_times {
    my ($saved, $i) = @_;
    my ($profile, $at) = ($saved->{profiles}[$i], 0);
    my (%own, @open);
    for my $event (@{ $profile->{events} }) {
        $own{ $saved->{shared}{frames}[ $open[-1] ]{name} } += $event->{at} - $at if @open && $event->{at} > $at;
        $at = $event->{at};
        if   ($event->{type} eq 'O') { push @open, $event->{frame} }
        else                         { pop @open }
    }
    return \%own;
}

1;
