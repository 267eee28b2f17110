# SPDX-License-Identifier: MIT
package Devel::NYTProf::SubInfo;

use strict;
use warnings;

use Devel::NYTProf::Constants qw(
    NYTP_SIi_FID NYTP_SIi_FIRST_LINE NYTP_SIi_LAST_LINE NYTP_SIi_CALL_COUNT NYTP_SIi_INCL_RTIME NYTP_SIi_EXCL_RTIME
    NYTP_SIi_SUB_NAME NYTP_SIi_PROFILE NYTP_SIi_REC_DEPTH NYTP_SIi_RECI_RTIME NYTP_SIi_CALLED_BY NYTP_SIi_elements
    NYTP_SCi_CALLING_SUB
);
use Devel::NYTProf::SubCallInfo;
use Devel::NYTProf::Util qw(_normalized);
use List::Util qw(max min sum0);
use Scalar::Util qw(weaken);

our $VERSION = $Devel::NYTProf::Core::VERSION;

# Elements of our own, behind those that the profile has.
use constant { META => NYTP_SIi_elements + 1, CACHE => NYTP_SIi_elements + 2 };

sub fid             { return shift->[NYTP_SIi_FID] || 0 }
sub first_line      { return shift->[NYTP_SIi_FIRST_LINE] }
sub last_line       { return shift->[NYTP_SIi_LAST_LINE] }
sub calls           { return shift->[NYTP_SIi_CALL_COUNT] }
sub incl_time       { return shift->[NYTP_SIi_INCL_RTIME] }
sub excl_time       { return shift->[NYTP_SIi_EXCL_RTIME] }
sub subname         { return shift->[NYTP_SIi_SUB_NAME] }
sub profile         { return shift->[NYTP_SIi_PROFILE] }
sub recur_max_depth { return shift->[NYTP_SIi_REC_DEPTH] }
sub recur_incl_time { return shift->[NYTP_SIi_RECI_RTIME] }
sub meta            { return shift->[META]  ||= {} }
sub cache           { return shift->[CACHE] ||= {} }
sub fileinfo        { my ($self) = @_; return $self->profile->fileinfo_of($self->fid) }

# --- its name -------------------------------------------------------------------------------------------------------

# The last :: before a file name, which may contain :: as well.
sub split_name { my ($self) = @_; return $self->subname =~ /\A([^\[]*)::(.*)\z/s ? ($1, $2) : ('', $self->subname) }

sub package                 { return (shift->split_name)[0] }    ## no critic (ProhibitBuiltinHomonyms)
sub subname_without_package { return (shift->split_name)[1] }
sub is_anon                 { return shift->subname =~ /::__ANON__\b/ }

sub is_xsub {
    my ($self) = @_;
    my $first = $self->first_line;
    return undef if !defined $first;    ## no critic (ProhibitExplicitReturnUndef)
    return $first == 0 && $self->last_line == 0 ? 1 : 0;
}

sub is_opcode {
    my ($self) = @_;
    return 0 if $self->first_line || $self->last_line;
    return $self->subname =~ /(?:\A|::)CORE::?\w+\z/ ? 1 : 0;
}

sub kind { my ($self) = @_; return $self->is_opcode ? 'opcode' : $self->is_xsub ? 'xsub' : 'perl' }

# --- its callers ----------------------------------------------------------------------------------------------------

# The key 0 only marks a sub that is not Perl.
sub caller_fid_line_places {
    my ($self) = @_;
    my %places = %{ $self->[NYTP_SIi_CALLED_BY] || {} };
    delete $places{0};
    return \%places;
}

sub caller_places {
    my ($self) = @_;
    my $places = $self->caller_fid_line_places;
    my @found;
    for my $fid (sort { $a <=> $b } keys %$places) {
        push @found, map { [ $fid, $_, $places->{$fid}{$_} ] } sort { $a <=> $b } keys %{ $places->{$fid} };
    }
    return @found;
}

sub caller_fids {
    my ($self) = @_;
    my @fids = sort { $a <=> $b } keys %{ $self->caller_fid_line_places };
    return @fids;
}

sub caller_count { my ($self) = @_; return sum0 map { scalar keys %$_ } values %{ $self->caller_fid_line_places } }

sub called_by_subnames {
    my ($self) = @_;
    return { map { %{ $_->[2][NYTP_SCi_CALLING_SUB] } } $self->caller_places };
}

# --- merging two subs ------------------------------------------------------------------------------------

sub clone {
    my ($self) = @_;
    my $clone = bless [ @{$self}[ 0 .. NYTP_SIi_elements - 1 ] ], ref $self;
    weaken $clone->[NYTP_SIi_PROFILE];
    $clone->[META] = copy_of($self->[META]) if $self->[META];
    $clone->[NYTP_SIi_CALLED_BY] = {};
    add_callers($clone, $self);
    return $clone;
}

# Lists in the notes are copied, as each sub extends its own.
sub copy_of {
    my ($notes) = @_;
    return { map { ($_ => ref $notes->{$_} eq 'ARRAY' ? [ @{ $notes->{$_} } ] : $notes->{$_}) } keys %$notes };
}

sub add_callers {
    my ($self, $from) = @_;
    my $by_fid = $from->[NYTP_SIi_CALLED_BY] || {};
    for my $fid (keys %$by_fid) {
        my $lines = $self->[NYTP_SIi_CALLED_BY]{$fid} ||= {};
        Devel::NYTProf::SubCallInfo::add_under($lines, $_, $by_fid->{$fid}{$_}) for keys %{ $by_fid->{$fid} };
    }
    return;
}

# Adds the sums of a donor; the donor stays as it is.
sub merge_in {
    my ($self, $donor) = @_;
    $self->[$_] += $donor->[$_] for NYTP_SIi_CALL_COUNT, NYTP_SIi_INCL_RTIME, NYTP_SIi_EXCL_RTIME, NYTP_SIi_RECI_RTIME;
    $self->[NYTP_SIi_REC_DEPTH] = max($self->[NYTP_SIi_REC_DEPTH], $donor->[NYTP_SIi_REC_DEPTH]);
    if ($self->fid == $donor->fid) {
        $self->[NYTP_SIi_FIRST_LINE] = pick(\&min, $self->first_line, $donor->first_line);
        $self->[NYTP_SIi_LAST_LINE]  = pick(\&max, $self->last_line,  $donor->last_line);
    }
    add_callers($self, $donor);
    push @{ $self->meta->{merged_sub_names} }, $donor->subname, @{ $donor->meta->{merged_sub_names} || [] };
    return;
}

sub pick { my ($choice, @lines) = @_; return $choice->(grep { defined } @lines) }

# Moves the calls of one file to another.
sub move_callers {
    my ($self, $from_fid, $to_fid) = @_;
    my $moved = delete $self->[NYTP_SIi_CALLED_BY]{$from_fid} or return;
    my $lines = $self->[NYTP_SIi_CALLED_BY]{$to_fid} ||= {};
    Devel::NYTProf::SubCallInfo::add_under($lines, $_, $moved->{$_}) for keys %$moved;
    return;
}

# --- for tests and dumps --------------------------------------------------------------------------------------------

sub normalize_for_test {
    my ($self) = @_;
    $self->[$_] = 0 for NYTP_SIi_INCL_RTIME, NYTP_SIi_EXCL_RTIME, NYTP_SIi_RECI_RTIME;
    $self->[NYTP_SIi_SUB_NAME] = _normalized($self->subname);
    Devel::NYTProf::SubCallInfo::normalize($_->[2]) for $self->caller_places;
    for my $fid (grep { is_unsteady($self->profile->fileinfo_of($_)) } $self->caller_fids) {
        number_lines($self->[NYTP_SIi_CALLED_BY]{$fid});
    }
    $self->[CACHE] = {};
    return;
}

# Between versions of perl these subs differ in the lines of their calls only.
sub is_unsteady { my ($file) = @_; return $file && $file->filename =~ m{(?:\A|/)(?:AutoLoader|Exporter)\.pm\z} }

sub number_lines {
    my ($calls) = @_;
    my @in_order = map { $calls->{$_} } sort { $a <=> $b } keys %$calls;
    %$calls = map { ($_ + 1 => $in_order[$_]) } 0 .. $#in_order;
    return;
}

sub line_range { my ($self) = @_; return join '-', map { $_ // 'undef' } $self->first_line, $self->last_line }

# Prints one line for the sub, for each call site and for each sub that was merged into it.
sub dump {    ## no critic (ProhibitBuiltinHomonyms)
    my ($self, $separator, $fh, $path, $prefix) = @_;
    my @numbers = map { $self->[$_] // 'undef' } NYTP_SIi_INCL_RTIME, NYTP_SIi_EXCL_RTIME, NYTP_SIi_REC_DEPTH,
        NYTP_SIi_RECI_RTIME;
    my $head = sprintf '[ %s:%s calls %s times %s ]', map { $_ // 'undef' } $self->fid, $self->line_range, $self->calls,
        join ' ', @numbers;
    my @lines = ($head);
    push @lines, map { join $separator, 'called_by', "$_->[0]:$_->[1]", Devel::NYTProf::SubCallInfo::text($_->[2]) }
        $self->caller_places;
    push @lines, map { join $separator, 'merge_donor', $_ } sort @{ $self->meta->{merged_sub_names} || [] };
    print {$fh} map {"$prefix$path$separator$_\n"} @lines;
    return;
}

1;

__END__

=head1 NAME

Devel::NYTProf::SubInfo - a sub of a profile

=head1 SYNOPSIS

    my $sub = $profile->subinfo_of('main::foo');
    printf "%s: %d calls, %g s, %g s of its own\n", $sub->subname, $sub->calls, $sub->incl_time, $sub->excl_time;
    for my $place ($sub->caller_places) {
        my ($fid, $line, $call) = @$place;
        ...
    }

=head1 DESCRIPTION

The data of a sub: one written in Perl or C, or a slow built-in. Several subs of one name are one sub. All times are in
seconds.

=head1 METHODS

=over 4

=item subname, package, subname_without_package

The name of the sub, the part of it before the last C<::>, and the rest.

=item fid, fileinfo, first_line, last_line

The place where the sub is written. Lines are 0 for a sub that is not written in Perl, and undef for a sub whose place
the profile does not have; the file then is one that belongs to the package.

=item calls, incl_time, excl_time, recur_incl_time, recur_max_depth

The number of calls; the time of outermost calls with all their callees; the sub's own time; the time of its recursive
calls; and the depth of these, 0 without recursion.

=item kind

C<perl>, C<xsub> (written in C) or C<opcode> (a slow built-in). C<is_xsub>, C<is_opcode> and C<is_anon> test for a kind;
C<is_xsub> is undef if the profile does not have the sub's lines.

=item caller_places

A list of C<[$fid, $line, $call]>, in order. C<$call> is described in L<Devel::NYTProf::SubCallInfo>.

=item caller_fid_line_places

The same as C<{ $fid =E<gt> { $line =E<gt> $call } }>; the inner hashes are those of the profile.

=item caller_fids, caller_count, called_by_subnames

The numbers of the files of these places, or how many there are in scalar context; the number of places; and a hash with
the names of the calling subs as keys.

=item meta, cache

Hashes for notes of programs. C<< meta->{merged_sub_names} >> lists the subs that were merged into this one. Entries of
the cache may disappear.

=item profile

The L<Devel::NYTProf::Data> to which the sub belongs.

=item clone

An independent copy.

=item merge_in($donor)

Adds another sub's calls and times to this one's.

=item normalize_for_test, dump($separator, $fh, $path, $prefix)

The parts of C<normalize_variables> and C<dump_profile_data> in L<Devel::NYTProf::Data> that are about one sub.

=back

=head1 SEE ALSO

L<Devel::NYTProf::Data>, L<Devel::NYTProf::Constants>

=cut
