# SPDX-License-Identifier: MIT
package Devel::NYTProf::FileInfo;

use strict;
use warnings;

use Devel::NYTProf::Constants qw(
    NYTP_FIDf_HAS_SRC NYTP_FIDf_SAVE_SRC NYTP_FIDf_IS_FAKE NYTP_FIDf_IS_PMC NYTP_FIDf_IS_EVAL
    NYTP_FIDi_FILENAME NYTP_FIDi_EVAL_FID NYTP_FIDi_EVAL_LINE NYTP_FIDi_FID NYTP_FIDi_FLAGS NYTP_FIDi_FILESIZE
    NYTP_FIDi_FILEMTIME NYTP_FIDi_PROFILE NYTP_FIDi_EVAL_FI NYTP_FIDi_HAS_EVALS NYTP_FIDi_SUBS_DEFINED
    NYTP_FIDi_SUBS_CALLED NYTP_FIDi_elements
);
use Devel::NYTProf::SubCallInfo;
use Devel::NYTProf::Util qw(strip_prefix_from_paths _normalized);
use Digest::MD5 qw(md5_hex);
use List::Util qw(sum0);

our $VERSION = $Devel::NYTProf::Core::VERSION;

# Elements of our own, behind those that the profile has.
use constant { META => NYTP_FIDi_elements + 1, CACHE => NYTP_FIDi_elements + 2 };

sub filename  { return shift->[NYTP_FIDi_FILENAME] }
sub eval_fid  { return shift->[NYTP_FIDi_EVAL_FID] }
sub eval_line { return shift->[NYTP_FIDi_EVAL_LINE] }
sub fid       { return shift->[NYTP_FIDi_FID] }
sub flags     { return shift->[NYTP_FIDi_FLAGS] }
sub size      { return shift->[NYTP_FIDi_FILESIZE] }
sub mtime     { return shift->[NYTP_FIDi_FILEMTIME] }
sub profile   { return shift->[NYTP_FIDi_PROFILE] }
sub eval_fi   { return shift->[NYTP_FIDi_EVAL_FI] }
sub meta      { return shift->[META]  ||= {} }
sub cache     { return shift->[CACHE] ||= {} }

sub is_eval { return shift->eval_fi ? 1 : 0 }
sub is_fake { return shift->flags & NYTP_FIDf_IS_FAKE }
sub is_pmc  { return shift->flags & NYTP_FIDf_IS_PMC }

sub is_file {
    my ($self) = @_;
    return !($self->is_fake || $self->is_eval || $self->flags & NYTP_FIDf_IS_EVAL);
}

sub summary { my ($self) = @_; return sprintf 'fid%d: %s', $self->fid, $self->filename_without_inc }

# --- its string evals ----------------------------------------------------------------------------------------

sub has_evals {
    my ($self, $nested) = @_;
    my @evals = @{ $self->[NYTP_FIDi_HAS_EVALS] || [] };
    return @evals if !$nested;
    my @all;
    while (my $eval = shift @evals) {
        push @all, $eval;
        unshift @evals, $eval->has_evals;
    }
    return @all;
}

sub sibling_evals {
    my ($self) = @_;
    my $parent = $self->eval_fi or return;
    return grep { $_->eval_line == $self->eval_line } $parent->has_evals;
}

sub evals_by_line {
    my ($self) = @_;
    my %by_line;
    $by_line{ $_->eval_line }{ $_->fid } = $_ for $self->has_evals;
    return \%by_line;
}

# The file and line that ran this eval; with $recurse those outside of all evals.
sub outer {
    my ($self, $recurse) = @_;
    my ($outer, $line) = ($self->eval_fi, $self->eval_line);
    return if !$outer;
    ($outer, $line) = ($outer->eval_fi, $outer->eval_line) while $recurse && $outer->eval_fi;
    return wantarray ? ($outer, $line) : $outer;
}

# --- its subs -------------------------------------------------------------------------------------------------------

sub subs_defined {
    my ($self, $incl_nested) = @_;
    return map { values %{ $_->[NYTP_FIDi_SUBS_DEFINED] } } $self, $incl_nested ? $self->has_evals(1) : ();
}

sub subs_defined_sorted {
    my ($self, $incl_nested) = @_;
    my @sorted = sort { $a->subname cmp $b->subname } $self->subs_defined($incl_nested);
    return @sorted;
}

sub sub_call_lines { return shift->[NYTP_FIDi_SUBS_CALLED] }

# --- its statements -------------------------------------------------------------------------------------------------

sub line_time_data {
    my ($self, $levels) = @_;
    for my $level (@{ $levels || ['line'] }) {
        my $by_fid = $self->profile->get_fid_line_data($level);
        my $lines  = $by_fid && $by_fid->[ $self->fid ];
        return $lines if $lines;
    }
    return undef;    ## no critic (ProhibitExplicitReturnUndef)
}

sub excl_time {
    my ($self) = @_;
    my $lines = $self->line_time_data([qw(sub block line)]);
    return $lines && sum0 map { $_ && $_->[0] || 0 } @$lines;
}

sub sum_of_stmts_count { my ($self, $incl_nested) = @_; return $self->sum_of_lines(1, $incl_nested) }
sub sum_of_stmts_time  { my ($self, $incl_nested) = @_; return $self->sum_of_lines(0, $incl_nested) }

sub sum_of_lines {
    my ($self, $element, $incl_nested) = @_;
    my $own = $self->cache->{"sum$element"} //= sum0 map { $_ && $_->[$element] || 0 } @{ $self->line_time_data || [] };
    return sum0 $own, $incl_nested ? map { $_->sum_of_lines($element, 1) } $self->has_evals : ();
}

# --- its name and text ----------------------------------------------------------------------------------------------

sub filename_without_inc {
    my ($self) = @_;
    my $name = [ $self->filename ];
    strip_prefix_from_paths([ $self->profile->inc ], $name, qr/(?:^|\[| defined at )/);
    return $name->[0];
}

sub abs_filename {
    my ($self) = @_;
    my $name = $self->filename =~ s/ \(autosplit into .*//sr;
    $name .= 'c' if $self->is_pmc;
    return $name if $name =~ m{\A/} || $self->is_eval;
    my ($found) = grep { -f } map {"$_/$name"} grep { !ref } $self->profile->inc;
    return $found // $name;
}

sub has_savesrc { my ($self) = @_; return $self->profile->{fid_srclines}[ $self->fid ] }

# The first line is the first element. Source that is not in the profile is read from the file as it is today, if the
# profile is the user's own.
sub srclines_array {
    my ($self) = @_;
    if (my $saved = $self->has_savesrc) {
        return [ map { $_ // '' } @{$saved}[ 1 .. $#$saved ] ];
    }
    return undef if $self->is_eval || !$self->profile->reads_sources;    ## no critic (ProhibitExplicitReturnUndef)
    my $file = $self->abs_filename;
    return -f $file ? lines_of($file) : undef;
}

sub lines_of {
    my ($file) = @_;
    open my $in, '<', $file or return undef;    ## no critic (ProhibitExplicitReturnUndef)
    my @lines = <$in>;
    close $in or return undef;                  ## no critic (ProhibitExplicitReturnUndef)
    return \@lines;
}

# The same for the same text only; '' without text.
sub src_digest {
    my ($self) = @_;
    return $self->cache->{src_digest} //= do {
        my $lines = $self->srclines_array || [];
        my $text = join '', @$lines;
        utf8::encode($text) if utf8::is_utf8($text);
        @$lines ? sprintf '%d,%d,%s', scalar @$lines, length $text, md5_hex($text) : '';
    };
}

# --- for tests and dumps --------------------------------------------------------------------------------------------

sub collapse_sibling_evals {
    my ($survivor, @donors) = @_;
    require Devel::NYTProf::Evals;
    return Devel::NYTProf::Evals::join_siblings($survivor, @donors);
}

sub normalize_for_test {
    my ($self) = @_;
    $self->[NYTP_FIDi_FILENAME] = _normalized($self->filename);
    $self->[NYTP_FIDi_FLAGS] &= ~(NYTP_FIDf_HAS_SRC | NYTP_FIDf_SAVE_SRC);
    $self->[$_] = 0 for NYTP_FIDi_FILESIZE, NYTP_FIDi_FILEMTIME;
    my $called = $self->sub_call_lines;
    for my $subs (values %$called) {
        %$subs = map { (_normalized($_) => $subs->{$_}) } sort keys %$subs;
        Devel::NYTProf::SubCallInfo::normalize($_) for values %$subs;
    }
    $self->[CACHE] = {};
    return;
}

# Prints one line for the file and, unless it is a library's, for each of its subs, call sites and evals.
sub dump {    ## no critic (ProhibitBuiltinHomonyms)
    my ($self, $separator, $fh, $path, $prefix, $is_library, $counts) = @_;
    my $version = $self->profile->attributes->{perl_version};
    my $name    = $self->filename_without_inc;
    $name =~ s{\A\Q$version\E/}{} if defined $version;
    my @lines = [ sprintf '[ %s ]', join ' ', map { $_ // 'undef' } $name,
        @{$self}[ NYTP_FIDi_EVAL_FID .. NYTP_FIDi_FILEMTIME ] ];
    push @lines, $self->dump_subs, $self->dump_calls, $self->dump_evals($counts) if !$is_library;
    print {$fh} map { $prefix . join($separator, $path, @$_) . "\n" } @lines;
    return;
}

sub dump_subs {
    my ($self) = @_;
    my $subs = $self->[NYTP_FIDi_SUBS_DEFINED];
    return map { [ 'sub', $_, $subs->{$_}->line_range ] } sort keys %$subs;
}

sub dump_calls {
    my ($self) = @_;
    my $called = $self->sub_call_lines;
    my @lines;
    for my $line (sort { $a <=> $b } keys %$called) {
        my $subs = $called->{$line};
        push @lines, map { [ 'call', $line, $_, Devel::NYTProf::SubCallInfo::text($subs->{$_}) ] } sort keys %$subs;
    }
    return @lines;
}

# The number of evals in each eval, at any depth, by fid: of all files at once, as evals may be in evals in evals.
sub nested_counts {
    my ($profile) = @_;
    my %counts;
    for my $outermost (grep { !$_->is_eval } $profile->all_fileinfos) {
        $counts{ $_->eval_fid } += 1 + ($counts{ $_->fid } || 0) for reverse $outermost->has_evals(1);
    }
    return \%counts;
}

sub dump_evals {
    my ($self, $counts) = @_;
    $counts ||= nested_counts($self->profile);
    my $by_line = $self->evals_by_line;
    my @lines;
    for my $line (sort { $a <=> $b } keys %$by_line) {
        my @evals  = values %{ $by_line->{$line} };
        my $nested = sum0 map { $counts->{ $_->fid } || 0 } @evals;
        my $merged = sum0 map { scalar @{ $_->meta->{merged_fids} || [] } } @evals;
        push @lines, [ 'eval', $line, sprintf '[ count %d nested %d merged %d ]', scalar @evals, $nested, $merged ];
    }
    return @lines;
}

1;

__END__

=head1 NAME

Devel::NYTProf::FileInfo - a source file or string eval of a profile

=head1 SYNOPSIS

    for my $file ($profile->noneval_fileinfos) {
        printf "%s: %d statements, %g s\n", $file->filename_without_inc, $file->sum_of_stmts_count,
            $file->sum_of_stmts_time;
    }

=head1 DESCRIPTION

A string eval is a file of its own, with a reference to the file that ran it.

=head1 METHODS

=over 4

=item filename, filename_without_inc, abs_filename

The name in the profile; the name without the directory of C<@INC>; and the name with the first directory of C<@INC>
that has such a file.

=item fid, flags, size, mtime, profile

The number of the file; its flags (see L<Devel::NYTProf::Constants/NYTP_FIDf_...>); its size and time, which are always
0; and the L<Devel::NYTProf::Data> to which it belongs.

=item is_eval, is_fake, is_pmc, is_file

Whether this is a string eval, an entry that is not a file, compiled from a F<.pmc>, a plain file.

=item eval_fid, eval_line, eval_fi

The number of the file and the line that ran this eval, and that file itself. C<''> and undef if this is not an eval.

=item outer($recurse)

The file that ran this eval, in list context with the line. With C<$recurse> the file outside all evals, and the line
there. Returns nothing if this is not an eval.

=item has_evals($nested), evals_by_line, sibling_evals

The evals that this file ran, with C<$nested> also those that the evals ran; the same evals as
C<{ $line =E<gt> { $fid =E<gt> $file } }>; and the evals of the line that ran this eval, this one included.

=item subs_defined($incl_nested), subs_defined_sorted($incl_nested)

The L<subs|Devel::NYTProf::SubInfo> defined in this file, the second list sorted by name. With C<$incl_nested> those of
its evals, too.

=item sub_call_lines

The calls from this file: C<{ $line =E<gt> { $subname =E<gt> $call } }>, see L<Devel::NYTProf::SubCallInfo>.

=item line_time_data(\@levels)

C<[$seconds, $count]> by line, of the first of these levels that the profile has for this file; C<line> by default.

=item excl_time

Seconds spent in the statements of this file, undef if there were none.

=item sum_of_stmts_count($incl_nested), sum_of_stmts_time($incl_nested)

The number of statements executed in this file, and the seconds spent in them.

=item srclines_array, has_savesrc, src_digest

The lines of the file, the first one at index 0, from the profile or else, if it is the user's own, recorded on this
host, or made with C<< read_sources => 1 >>, from the disk; the lines stored in the
profile, by their numbers; and a digest of the lines.

=item meta, cache

Hashes for notes of programs. C<< meta->{merged_fids} >> lists the evals that were merged into this one, and
C<< meta->{merged_fids_src_varied} >> is the number of those with another text. Entries of the cache may disappear.

=item summary

A short description: C<fid3: Foo.pm>.

=item collapse_sibling_evals($survivor, @donors)

Merges the donors into the survivor; the donors become empty.

=item normalize_for_test, dump($separator, $fh, $path, $prefix, $is_library)

The parts of C<normalize_variables> and C<dump_profile_data> in L<Devel::NYTProf::Data> that are about one file.

=back

=head1 SEE ALSO

L<Devel::NYTProf::Data>, L<Devel::NYTProf::Constants>

=cut
