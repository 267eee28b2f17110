# SPDX-License-Identifier: MIT
package Devel::NYTProf::Data;

use strict;
use warnings;

use Carp qw(carp cluck confess croak);
use Devel::NYTProf::Constants qw(NYTP_FIDi_PROFILE NYTP_SIi_PROFILE);
use Devel::NYTProf::Dump;
use Devel::NYTProf::Evals;
use Devel::NYTProf::FileInfo;
use Devel::NYTProf::SubInfo;
use Devel::NYTProf::Util qw(_dumper);
use Hash::Util::FieldHash qw(fieldhash);
use Scalar::Util qw(blessed weaken);

our $VERSION = $Devel::NYTProf::Core::VERSION;

# Of each profile, kept apart, so that a profile has the documented keys only.
fieldhash my %fids_by_name;
fieldhash my %reads_sources;

# --- from a file to an object ---------------------------------------------------------------------------------------

sub new {
    my ($class, $args) = @_;
    my $file = $args->{filename} // 'nytprof.out';
    -e $file or croak "Devel::NYTProf::new() could not locate file for processing: '$file'";
    print "Reading $file\n" if !$args->{quiet};
    my $self = load_profile_data_from_file($file, $args->{callback}, $args->{every_event} ? 1 : 0);
    return undef if $args->{callback};    ## no critic (ProhibitExplicitReturnUndef)

    print "Processing $file data\n" if !$args->{quiet};
    bless $self, $class;
    $reads_sources{$self} = delete($self->{is_own}) || $args->{read_sources};
    $self->connect;
    $self->expand_lines if Devel::NYTProf::Util::_expand();
    if (!$args->{skip_collapse_evals}) {
        $self->collapse_evals_in($_) for $self->noneval_fileinfos;
    }
    $self->do_onload if $ENV{NYTPROF_ONLOAD};
    return $self;
}

# Gives each part a reference to the profile; files last, since merging evals frees files, and perl removes the newest
# weak references fastest.
sub connect {    ## no critic (ProhibitBuiltinHomonyms)
    my ($self) = @_;
    for my $sub (values %{ $self->{sub_subinfo} }) {
        bless $sub, 'Devel::NYTProf::SubInfo';
        weaken($sub->[NYTP_SIi_PROFILE] = $self);
    }
    weaken($_->[NYTP_FIDi_PROFILE] = $self) for grep { $_ } @{ $self->{fid_fileinfo} };
    no warnings 'numeric';    # a damaged file may have any attributes
    my $attribute = $self->{attribute};
    my $rate      = 0 + ($attribute->{ticks_per_sec} // 0);
    my $overhead  = $rate ? ($attribute->{cumulative_overhead_ticks} // 0) / $rate : 0;
    $attribute->{profiler_active} = ($attribute->{profiler_duration} // 0) - $overhead;
    return;
}

# Option expand of NYTPROF: each line's record has its file and line.
sub expand_lines {
    my ($self) = @_;
    for my $by_fid (grep { $_ } map { $self->get_fid_line_data($_) } qw(line block sub)) {
        for my $fid (grep { $by_fid->[$_] } 0 .. $#$by_fid) {
            my $lines = $by_fid->[$fid];
            @{ $lines->[$_] }[ 3, 4 ] = ($fid, $_) for grep { $lines->[$_] } 0 .. $#$lines;
        }
    }
    return;
}

sub do_onload {
    my ($self) = @_;
    my %wish = map { split /=/, $_, 2 } split /:/, $ENV{NYTPROF_ONLOAD};
    warn _dumper($self) if $wish{dump};
    exit $wish{exit} if defined $wish{exit};
    return;
}

sub collapse_evals_in { my ($self, $file) = @_; return Devel::NYTProf::Evals::collapse_in($file) }

# Whether source that is not in the profile is read from the files that it names.
sub reads_sources { my ($self) = @_; return $reads_sources{$self} }

# --- contents --------------------------------------------------------------------------------------------------

sub attributes         { return shift->{attribute} || {} }
sub options            { return shift->{option}    || {} }
sub metrics            { return @{ shift->{metrics} || [] } }
sub get_profile_levels { return shift->{profile_modes} }
sub inc                { return @INC }

sub get_fid_line_data { my ($self, $level) = @_; return $self->{ 'fid_' . ($level || 'line') . '_time' } }

sub all_fileinfos     { my ($self) = @_; return grep { $_ && defined $_->fid } @{ $self->{fid_fileinfo} } }
sub eval_fileinfos    { my ($self) = @_; return grep { $_->eval_line } $self->all_fileinfos }
sub noneval_fileinfos { my ($self) = @_; return grep { !$_->eval_line } $self->all_fileinfos }

sub subname_subinfo_map { my ($self) = @_; return { %{ $self->{sub_subinfo} } } }

# Subs by package, { 'A::B::' => [...] } or { A => { B => { '' => [...] } } }. $merge$merge makes one sub of all subs of
# a package.
sub package_subinfo_map {
    my ($self, $merge, $nested) = @_;
    my %subs_of;
    for my $name (sort keys %{ $self->{sub_subinfo} }) {
        my $sub = $self->{sub_subinfo}{$name};
        push @{ $subs_of{ $sub->package } }, $sub;
    }
    if ($merge) { $_ = [ merged(@$_) ] for values %subs_of }
    return { map { ("${_}::" => $subs_of{$_}) } keys %subs_of } if !$nested;

    my %tree;
    for my $package (keys %subs_of) {
        my $at = \%tree;
        $at = $at->{$_} ||= {} for split /::/, $package;
        $at->{''} = $subs_of{$package};
    }
    return \%tree;
}

sub merged {
    my ($first, @others) = @_;
    my $sum = $first->clone;
    $sum->meta;
    $sum->merge_in($_) for @others;
    return $sum;
}

# --- finding files and subs -----------------------------------------------------------------------------------------

sub fileinfo_of {
    my ($self, $wanted, $silent) = @_;
    if (!defined $wanted) {
        carp q{Can't resolve fid of undef value} if !$silent;
        return undef;    ## no critic (ProhibitExplicitReturnUndef)
    }
    return $wanted if blessed $wanted && $wanted->isa('Devel::NYTProf::FileInfo');
    my $fid  = ref $wanted  ? undef                        : $self->resolve_fid($wanted);
    my $file = defined $fid ? $self->{fid_fileinfo}[$fid] : undef;
    return $file if $file && defined $file->fid;
    carp qq{Can't resolve fid of '$wanted'};
    return undef;    ## no critic (ProhibitExplicitReturnUndef)
}

sub subinfo_of {
    my ($self, $name) = @_;
    my $found = defined $name && $self->{sub_subinfo}{$name};
    return $found if $found;
    cluck q{Can't resolve subinfo of } . (defined $name ? "'$name'" : 'undef value');
    return undef;    ## no critic (ProhibitExplicitReturnUndef)
}

# A file's number by its name, or by an unambiguous end of its name.
sub resolve_fid {
    my ($self, $file) = @_;
    confess 'No file specified' if !defined $file;
    my $by_name = $fids_by_name{$self} ||= { map { ($_->filename => $_->fid) } reverse $self->all_fileinfos };
    return $by_name->{$file} if exists $by_name->{$file};
    return $file             if $file =~ /\A[0-9]+\z/;
    if ($file =~ /\.pmc\z/) {
        my $fid = $self->resolve_fid($file =~ s/c\z//r);
        return $fid if defined $fid;
    }
    my @matches = $file eq '' || $file =~ m{\A/} ? () : grep {m{/\Q$file\E\z}} sort keys %$by_name;
    carp "Can't resolve '$file' to a unique file id (matches @matches)" if @matches > 1;
    return @matches == 1 ? $by_name->{ $matches[0] } : undef;
}

sub subs_defined_in_file {
    my ($self, $file, $incl_lines) = @_;
    croak 'incl_lines is deprecated in subs_defined_in_file, use subs_defined_in_file_by_line instead' if $incl_lines;
    my $info = $self->fileinfo_of($file) or return;
    return $info->cache->{subs_defined} ||= { map { ($_->subname => $_) } $info->subs_defined };
}

sub subs_defined_in_file_by_line {
    my ($self, $file) = @_;
    my %by_line;
    my $subs = $self->subs_defined_in_file($file) || {};
    push @{ $by_line{ $subs->{$_}->first_line || 0 } }, $subs->{$_} for sort keys %$subs;
    return \%by_line;
}

sub file_line_range_of_sub {
    my ($self, $name) = @_;
    my $sub  = $self->subinfo_of($name) or return;
    my $file = $sub->fid ? $self->fileinfo_of($sub->fid) : undef;
    return if !$file;
    return ($file->filename, $file->fid, $sub->first_line, $sub->last_line, $file);
}

# --- dumps ----------------------------------------------------------------------------------------------------------

sub dump_profile_data { my ($self, $args) = @_; return Devel::NYTProf::Dump::write_to($self, %{ $args || {} }) }

sub normalize_variables {
    my ($self, $also_options) = @_;
    delete $fids_by_name{$self};
    return Devel::NYTProf::Dump::normalize($self, $also_options);
}

1;

__END__

=head1 NAME

Devel::NYTProf::Data - read a profile in a Perl program

=head1 SYNOPSIS

    use Devel::NYTProf::Data;

    my $profile = Devel::NYTProf::Data->new({ filename => 'nytprof.out', quiet => 1 });
    for my $file ($profile->noneval_fileinfos) {
        printf "%9.6f %s\n", $file->sum_of_stmts_time(1), $file->filename;
    }

=head1 DESCRIPTION

Reads a profile and gives access to its data. A L<Devel::NYTProf::FileInfo> describes a file or string eval, a
L<Devel::NYTProf::SubInfo> a sub. Several subs of one name are one sub here. Times are in seconds.

Loading this module does not start profiling. It reads profiles of Perl, Lua and Ruby programs, and those of
Devel::NYTProf 6.

The interface is that of Devel::NYTProf 6, and L</metrics>. A capture has more: paths of calls, the processes of a run,
how far times may be off. Programs in Perl find that in the output of C<nytprof json>, programs in C with libnytprof(3).

=head1 METHODS

=head2 new

    Devel::NYTProf::Data->new({ filename => $file, quiet => 1 })

Reads a profile, F<nytprof.out> by default, and dies if it cannot be read. Without C<quiet> it prints the names of the
files that it reads on standard output. String evals of one line with the same text are merged, and so are all evals of
a line with more than 200 different texts (the environment variable C<NYTPROF_MAX_EVAL_SIBLINGS> sets another number);
C<< skip_collapse_evals => 1 >> keeps them apart.

Source that is not in the profile is read from the files that it names if they are the user's own: the file belongs to
the user, not everybody can write it, and the program ran on this host. C<< read_sources => 1 >> reads those of any
profile, which may name any file.

If the program was killed or the file is damaged, a message about the missing data goes to the profiler's log: standard
error, or the file of the option C<log> in C<NYTPROF>. A damaged file of format 5 raises an exception.

With C<callback>, a function or a hash of functions by tag, no data is kept: the functions are called with every event
as L<Devel::NYTProf::ReadStream> describes, and C<new> returns undef.

=head2 The profile

=over 4

=item attributes, options

Hashes with facts about the run, and with the options of C<NYTPROF> that were in force. Some attributes are sums over
the profile: C<total_stmts_duration>, C<total_stmts_measured>, C<total_stmts_discounted> (how many of those measured
were returns to a statement and not executions), C<total_sub_calls>, C<profiler_duration>, C<profiler_active> (without
the profiler's own time), C<complete>.

=item get_profile_levels

C<{ fid_line_time =E<gt> 'line' }>; a profile made with C<blocks=1> also has C<block> and C<sub>.

=item get_fid_line_data($level)

C<[$seconds, $count]> by fid (the number of a file) and line. The level is C<line> by default. With C<expand=1> in
C<NYTPROF> element 3 is the fid, and element 4 the line.

=item metrics

Other counters than executions and time, a hash for each:

 { name => 'bytes', title => 'Bytes allocated', unit => 'B', adds => 'sum', total => 1350,
   lines => { $fid => { $line => 300 } }, subs => { $name => [$own, $with_callees] } }

The unit is C<B>, C<ns>, empty for a plain count, or another word. C<adds> says how two values combine: to their C<sum>,
or to the larger one, C<max>. Lines and subs without a value are missing. Lines of evals are those of the evals as
recorded, before they are merged.

=item inc

The directories of C<@INC>.

=back

=head2 Files

=over 4

=item all_fileinfos, eval_fileinfos, noneval_fileinfos

Lists of L<files|Devel::NYTProf::FileInfo>.

=item fileinfo_of($file, $silent)

The file with this name or number. Warns and returns undef if there is none; with C<$silent> an undefined C<$file> gives
no warning.

=item resolve_fid($file)

The number of the file with this name, or with F<.pm> for F<.pmc>, or with a name that ends in C</$file>. A number is
returned unchanged. Returns undef if there is no such file, and also, with a warning, if there are several.

=item subs_defined_in_file($file), subs_defined_in_file_by_line($file)

C<{ $name =E<gt> $sub }> and C<{ $first_line =E<gt> [$sub, ...] }>; subs without lines are under 0.

=back

=head2 Subs

=over 4

=item subinfo_of($name)

The L<sub|Devel::NYTProf::SubInfo> with this name. Warns and returns undef if there is none.

=item subname_subinfo_map

C<{ $name =E<gt> $sub }>.

=item package_subinfo_map($merge, $nested)

C<< { 'Foo::Bar::' => [$sub, ...] } >>, or nested C<< { Foo => { '' => [...], Bar => { '' => [...] } } } >>. With
C<$merge> there is one object for each package, the sum of its subs.

=item file_line_range_of_sub($name)

C<($filename, $fid, $first_line, $last_line, $fileinfo)>, or an empty list if the profile does not have the sub's lines.

=back

=head2 Others

=over 4

=item collapse_evals_in($fileinfo)

Merges evals as C<new> does.

=item dump_profile_data({ filehandle => $fh, separator => $s, skip_fileinfo_hook => $code })

Prints the profile to C<$fh>, or to standard output. With a separator each line is a complete record, for programs;
without a separator the layout is for people. Files for which the hook returns true are named without details.

=item normalize_variables($also_options)

Sets times, and all other values that differ between two runs of one program, to zero or removes them, so that dumps can
be compared.

=back

=head1 FUNCTIONS

=head2 load_profile_data_from_file($file, $callback)

Reads a profile as C<new> does, and returns a plain hash.

=head1 ENVIRONMENT

C<NYTPROF_ONLOAD> holds C<name=value> pairs with colons between them: C<dump=1> prints each profile that is read to
standard error, and C<exit=N> ends the program after that.

=cut
