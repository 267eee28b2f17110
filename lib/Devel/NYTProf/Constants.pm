# SPDX-License-Identifier: MIT
package Devel::NYTProf::Constants;

use strict;
use warnings;

use Devel::NYTProf::Core;
use Exporter 'import';

our $VERSION = $Devel::NYTProf::Core::VERSION;

# The C part that reads profiles; it defines the constants. Every module that reads profiles loads this one.
Devel::NYTProf::Core::_boot_data('Devel::NYTProf::Data', $VERSION);

our @EXPORT_OK = ('const_bits2names', sort grep {/\ANYTP_/} keys %Devel::NYTProf::Constants::);

# Each name of the group whose value is one of the bits, lowest first.
sub const_bits2names {
    my ($group, $bits) = @_;
    my %name_of = map { (__PACKAGE__->can($_)->() => $_) } grep {/\A\Q$group\E_[A-Z]/} @EXPORT_OK;
    %name_of or return;
    my @names = map { $name_of{$_} // () } grep { $bits & $_ } map { 1 << $_ } 0 .. 31;
    return wantarray ? @names : join ' | ', @names;
}

1;

__END__

=head1 NAME

Devel::NYTProf::Constants - the numbers of Devel::NYTProf's arrays and flags

=head1 SYNOPSIS

    use Devel::NYTProf::Constants qw(NYTP_FIDi_FILENAME NYTP_FIDf_IS_EVAL const_bits2names);

    print $fileinfo->[NYTP_FIDi_FILENAME], ' ', scalar const_bits2names('NYTP_FIDf', $fileinfo->flags), "\n";

=head1 DESCRIPTION

The objects of a profile are arrays. Code that must be fast, or needs an element without a method, uses these names for
the elements. All names can be imported; none is by default.

=head2 NYTP_FIDf_...

Flags of a file: C<IS_PMC> (compiled from a F<.pmc>), C<VIA_STMT> and C<VIA_SUB> (first met by a statement or by a sub),
C<IS_AUTOSPLIT>, C<HAS_SRC> (perl had its text), C<SAVE_SRC> (the text is stored in the profile), C<IS_ALIAS>,
C<IS_FAKE> (stands for something that is not a file), C<IS_EVAL>.

=head2 NYTP_FIDi_...

Elements of a L<Devel::NYTProf::FileInfo>: C<FILENAME>, C<EVAL_FID>, C<EVAL_LINE>, C<FID>, C<FLAGS>, C<FILESIZE>,
C<FILEMTIME>, C<PROFILE>, C<EVAL_FI>, C<HAS_EVALS>, C<SUBS_DEFINED>, C<SUBS_CALLED>; C<elements> is their number.

=head2 NYTP_SIi_...

Elements of a L<Devel::NYTProf::SubInfo>: C<FID>, C<FIRST_LINE>, C<LAST_LINE>, C<CALL_COUNT>, C<INCL_RTIME>,
C<EXCL_RTIME>, C<SUB_NAME>, C<PROFILE>, C<REC_DEPTH>, C<RECI_RTIME>, C<CALLED_BY>; C<elements>.

=head2 NYTP_SCi_...

Elements of the array that describes the calls of one sub from one line (L<Devel::NYTProf::SubCallInfo>):
C<CALL_COUNT>, C<INCL_RTIME>, C<EXCL_RTIME>, C<INCL_TICKS>, C<EXCL_TICKS>, C<RECI_RTIME>, C<REC_DEPTH>,
C<CALLING_SUB>; C<elements>. Times are in seconds; the two counts of ticks are always 0 in a profile that was read.

=head2 Others

C<NYTP_DEFAULT_COMPRESSION> is zlib's level for L<Devel::NYTProf::FileHandle>, 0 without zlib, and C<NYTP_ZLIB_VERSION>
zlib's version as a string, C<"0"> without zlib. C<NYTP_FILE_MAJOR_VERSION> and C<NYTP_FILE_MINOR_VERSION> are the
version of the format that FileHandle writes.

=head1 FUNCTIONS

=head2 const_bits2names

    const_bits2names('NYTP_FIDf', $bits)

Returns the names of the set bits, lowest first: a list, or in scalar context a string with C<' | '> between the names.
A group that does not exist has no names.

=head1 SEE ALSO

L<Devel::NYTProf::Data>

=cut
