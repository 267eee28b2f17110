# SPDX-License-Identifier: MIT
package Devel::NYTProf::ReadStream;

use strict;
use warnings;

use Carp qw(croak);
use Devel::NYTProf::Data;
use Exporter 'import';

our $VERSION   = $Devel::NYTProf::Core::VERSION;
our @EXPORT_OK = qw(for_chunks);

sub for_chunks (&%) {    ## no critic (ProhibitSubroutinePrototypes)
    my ($callback, %options) = @_;
    ref $callback or croak 'for_chunks needs a block';
    Devel::NYTProf::Data->new({ %options, callback => $callback });
    return;
}

1;

__END__

=head1 NAME

Devel::NYTProf::ReadStream - a profile event by event

=head1 SYNOPSIS

    use Devel::NYTProf::ReadStream qw(for_chunks);

    for_chunks {
        my ($tag, @arguments) = @_;
        print "$.: $tag @arguments\n";
    } filename => 'nytprof.out', quiet => 1;

=head1 DESCRIPTION

Calls a block for each event of a profile, without keeping any, however long it is. C<$.> is the number of the event,
and 0 for the first, which is the version.

A profile of today holds counts and sums, not events. It is told as the events that would make them: as many
C<TIME_LINE> as there were statements, each with its share of the time, and as many C<SUB_RETURN> as calls, in an order
that makes sense. So there may be many more of them than the file has bytes; one that claims more
than 2^33 is refused. Only a profile with calls=2 has the order in which all that happened.

=head1 FUNCTIONS

=head2 for_chunks { ... } filename => $file

Exported if asked for. Further arguments are those of L<Devel::NYTProf::Data/new>, C<quiet> among them. The arguments of
the block are used again for the next call: copy what you keep. An exception in the block ends the reading; C<last> and
C<next> cannot leave it for a loop outside, but C<return> ends the call.

=head1 EVENTS

=over 4

=item VERSION $major, $minor

=item ATTRIBUTE $key, $value; OPTION $key, $value

=item COMMENT $text

With its newline.

=item START_DEFLATE

What follows is compressed in the file.

=item PID_START $pid, $parent_pid, $time; PID_END $pid, $time

=item NEW_FID $fid, $eval_fid, $eval_line, $flags, $size, $mtime, $name

=item TIME_LINE $ticks, $fid, $line

The time of a statement. How many ticks a second has is the attribute C<ticks_per_sec>.

=item TIME_BLOCK $ticks, $fid, $line, $block_line, $sub_line

The same of a profile with blocks=1.

=item DISCOUNT

The next time belongs to a statement that has been counted: it goes on after a call. In a profile of today that is not
told, since its counts leave such times out, but where a statement is longer than a window, and with calls=2.

=item SUB_ENTRY $fid, $line; SUB_RETURN $depth, $inclusive_ticks, $exclusive_ticks, $name

A call, with the site it was made from; and its end, a depth of 1 being a call from outside any sub. Entries are there
with calls=2.

=item SUB_INFO $fid, $first_line, $last_line, $name

=item SUB_CALLERS $fid, $line, $count, $inclusive, $exclusive, $recursive, $depth, $called, $caller

All calls of one sub from one line by one sub, in seconds.

=item SRC_LINE $fid, $line, $text

=back

=head1 SEE ALSO

L<Devel::NYTProf::Data>

=cut
