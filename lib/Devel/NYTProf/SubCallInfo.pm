# SPDX-License-Identifier: MIT
package Devel::NYTProf::SubCallInfo;

use strict;
use warnings;

use Devel::NYTProf::Constants qw(
    NYTP_SCi_CALL_COUNT NYTP_SCi_INCL_RTIME NYTP_SCi_EXCL_RTIME NYTP_SCi_RECI_RTIME NYTP_SCi_REC_DEPTH
    NYTP_SCi_CALLING_SUB
);
use Devel::NYTProf::Util qw(_normalized);
use List::Util qw(max);

our $VERSION = $Devel::NYTProf::Core::VERSION;

sub calls           { return shift->[NYTP_SCi_CALL_COUNT] }
sub incl_time       { return shift->[NYTP_SCi_INCL_RTIME] }
sub excl_time       { return shift->[NYTP_SCi_EXCL_RTIME] }
sub recur_max_depth { return shift->[NYTP_SCi_REC_DEPTH] }
sub recur_incl_time { return shift->[NYTP_SCi_RECI_RTIME] }

# The rest is about the arrays, since nothing blesses them: Devel::NYTProf's own modules call these as functions.

sub copy {
    my ($call) = @_;
    my @copy = @$call;
    $copy[NYTP_SCi_CALLING_SUB] = { %{ $call->[NYTP_SCi_CALLING_SUB] } };
    return \@copy;
}

# Adds the second's sums to the first.
sub add {
    my ($to, $from) = @_;
    $to->[$_] += $from->[$_] for NYTP_SCi_CALL_COUNT, NYTP_SCi_INCL_RTIME, NYTP_SCi_EXCL_RTIME, NYTP_SCi_RECI_RTIME;
    $to->[NYTP_SCi_REC_DEPTH] = max($to->[NYTP_SCi_REC_DEPTH], $from->[NYTP_SCi_REC_DEPTH]);
    $to->[NYTP_SCi_CALLING_SUB]{$_} = undef for keys %{ $from->[NYTP_SCi_CALLING_SUB] };
    return;
}

# Adds a call to what a hash has under that key.
sub add_under {
    my ($hash, $key, $call) = @_;
    if   ($hash->{$key}) { add($hash->{$key}, $call) }
    else                 { $hash->{$key} = copy($call) }
    return;
}

# Clears values that differ between two runs of a program.
sub normalize {
    my ($call) = @_;
    $call->[$_] = 0 for NYTP_SCi_INCL_RTIME, NYTP_SCi_EXCL_RTIME, NYTP_SCi_RECI_RTIME;
    my $callers = $call->[NYTP_SCi_CALLING_SUB];
    %$callers = map { (_normalized($_) => undef) } keys %$callers;
    return;
}

# The text in dumps.
sub text {
    my ($call) = @_;
    my $callers = join '|', sort keys %{ $call->[NYTP_SCi_CALLING_SUB] };
    return sprintf '[ %s %s ]', join(' ', map { $_ // 'undef' } @{$call}[ 0 .. NYTP_SCi_CALLING_SUB - 1 ]), $callers;
}

1;

__END__

=head1 NAME

Devel::NYTProf::SubCallInfo - all calls of one sub from one line

=head1 DESCRIPTION

A profile contains arrays of this form, which are not blessed, in two places: with the called sub
(L<Devel::NYTProf::SubInfo/caller_places>) and with the calling file (L<Devel::NYTProf::FileInfo/sub_call_lines>).
L<Devel::NYTProf::Constants> names their elements.

=head1 METHODS

C<calls>, C<incl_time>, C<excl_time>, C<recur_max_depth> and C<recur_incl_time> are methods of an array that is blessed
into this class, or functions of an array. Times are in seconds; the inclusive time is that of outermost calls, the
recursive inclusive time that of nested calls.

=head1 SEE ALSO

L<Devel::NYTProf::Data>

=cut
