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

Devel::NYTProf::ReadStream - read a profile event by event

=head1 SYNOPSIS

    use Devel::NYTProf::ReadStream qw(for_chunks);

    for_chunks {
        my ($tag, @arguments) = @_;
        print "$.: $tag @arguments\n";
    } filename => 'nytprof.out', quiet => 1;

=head1 DESCRIPTION

Calls a block for each event of a profile. Events are not kept in memory, so a profile of any length can be read. C<$.>
is the number of the event; event 0 is the version.

A file in format 5 is a list of events. A capture of this profiler contains counts and sums, and is read as events that
have these sums: as many C<TIME_LINE> as there were statements, each with its share of the time, and as many
C<SUB_RETURN> as calls, in a plausible order. So there may be many more events than the file has bytes. A profile of
another user or host may claim any number of them: it is refused if it has more than a million, and 16 for each of its
bytes, unless C<< every_event => 1 >> is among the arguments. A file of format 5 does not say where it was made: 64 for
each byte are the limit if the file is the user's. A capture with more than 2^33 is refused in any case. Only a capture
made with C<calls=2> has the true order of events.

=head1 FUNCTIONS

=head2 for_chunks { ... } filename => $file

Can be imported, and is not by default. Further arguments are those of L<Devel::NYTProf::Data/new>, such as C<quiet>.
The array of arguments is reused for the next call of the block, so copy values that you keep. An exception in the block
ends the reading. C<return> leaves the block; C<last> and C<next> cannot leave it for a loop outside.

=head1 EVENTS

=over 4

=item VERSION $major, $minor

=item ATTRIBUTE $key, $value; OPTION $key, $value

=item COMMENT $text

The text includes its newline.

=item START_DEFLATE

The rest of the file is compressed.

=item PID_START $pid, $parent_pid, $time; PID_END $pid, $time

=item NEW_FID $fid, $eval_fid, $eval_line, $flags, $size, $mtime, $name

=item TIME_LINE $ticks, $fid, $line

The time of a statement, in ticks; the attribute C<ticks_per_sec> is the number of ticks in a second.

=item TIME_BLOCK $ticks, $fid, $line, $block_line, $sub_line

The time of a statement in a profile made with C<blocks=1>.

=item DISCOUNT

The next time belongs to a statement that has already been counted and goes on after a call. Captures have this event
only for a statement that is longer than a window, and with C<calls=2>; otherwise their times include the time after a
call.

=item SUB_ENTRY $fid, $line; SUB_RETURN $depth, $inclusive_ticks, $exclusive_ticks, $name

A call, with the file and line that make it; and its return. A call from outside any sub has depth 1. C<SUB_ENTRY> needs
C<calls=2>.

=item SUB_INFO $fid, $first_line, $last_line, $name

=item SUB_CALLERS $fid, $line, $count, $inclusive, $exclusive, $recursive, $depth, $called, $caller

All calls of one sub from one line by one sub, in seconds.

=item SRC_LINE $fid, $line, $text

=back

=head1 SEE ALSO

L<Devel::NYTProf::Data>

=cut
