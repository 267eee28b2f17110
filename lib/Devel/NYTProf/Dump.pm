# SPDX-License-Identifier: MIT
package Devel::NYTProf::Dump;

# A profile as text, and the normalisation by which two such texts can be compared.

use strict;
use warnings;

use Devel::NYTProf::Constants qw(NYTP_FIDi_SUBS_DEFINED);
use Devel::NYTProf::Util qw(_normalized);

our $VERSION = $Devel::NYTProf::Core::VERSION;

my $INDENT = ' ' x 4;

my %dump_of = (
    fid_fileinfo => \&dump_files,
    sub_subinfo  => \&dump_subs,
    map { ("fid_${_}_time" => \&dump_lines) } qw(line block sub),
);

sub write_to {
    my ($profile, %args) = @_;
    my %to = (
        fh         => $args{filehandle} || \*STDOUT,
        separator  => $args{separator} // '',
        is_library => $args{skip_fileinfo_hook} || sub {0},
        is_picked  => !!$args{skip_fileinfo_hook},
    );
    for my $key (sort grep { $_ ne 'fid_srclines' } keys %$profile) {
        my $dump = $dump_of{$key} || \&dump_pairs;
        $dump->(\%to, $profile, $key, $profile->{$key});
    }
    return 1;
}

# --- the two layouts: every line complete, or blocks within blocks --------------------------------------------------

sub is_flat { my ($to) = @_; return $to->{separator} ne '' }

# One line: path and value. An item of a list ends in a colon, one of a hash in an arrow.
sub put {
    my ($to, $path, $sign, $text) = @_;
    my ($outer, @inner) = @$path;
    my $line = is_flat($to) ? join $to->{separator}, @$path, $text : $INDENT x @inner . "$inner[-1]$sign $text";
    print { $to->{fh} } "$line\n";
    return;
}

sub block {
    my ($to, $path, $brackets, $contents) = @_;
    my ($open, $close) = split //, $brackets;
    my $indent = $INDENT x $#$path;
    print { $to->{fh} } "$indent$path->[-1] $open\n" if !is_flat($to);
    $contents->();
    print { $to->{fh} } "$indent$close\n" if !is_flat($to);
    return;
}

# Prefix of the lines that a file or a sub prints of itself.
sub start_of {
    my ($to, $key, $item, $sign) = @_;
    return is_flat($to) ? ($to->{separator}, "$key$to->{separator}$item", '') : (' ', "$item$sign", $INDENT);
}

# --- the parts ------------------------------------------------------------------------------------------------------

sub dump_pairs {
    my ($to, undef, $key, $pairs) = @_;
    block($to, [$key], '{}', sub {
        put($to, [ $key, $_ ], ' =>', $pairs->{$_}) for grep { defined $pairs->{$_} } sort keys %$pairs;
    });
    return;
}

# With skip_fileinfo_hook, evals that became part of others are left out.
sub is_left_out {
    my ($to, $file) = @_;
    return $to->{is_picked} if !$file || !defined $file->fid;
    return $to->{is_library}->($file);
}

sub dump_lines {
    my ($to, $profile, $key, $by_fid) = @_;
    block($to, [$key], '[]', sub {
        for my $fid (grep { @{ $by_fid->[$_] || [] } } 0 .. $#$by_fid) {
            next if is_left_out($to, $profile->{fid_fileinfo}[$fid]);
            my $lines = $by_fid->[$fid];
            block($to, [ $key, $fid ], '[]', sub {
                put($to, [ $key, $fid, $_ ], ':', "[ @{ $lines->[$_] }[0, 1] ]")
                    for grep { @{ $lines->[$_] || [] } } 0 .. $#$lines;
            });
        }
    });
    return;
}

sub dump_files {
    my ($to, $profile, $key) = @_;
    my $counts = Devel::NYTProf::FileInfo::nested_counts($profile);
    block($to, [$key], '[]', sub {
        for my $file ($profile->all_fileinfos) {
            my ($separator, $path, $indent) = start_of($to, $key, $file->fid, ':');
            $file->dump($separator, $to->{fh}, $path, $indent, $to->{is_library}->($file), $counts);
        }
    });
    return;
}

sub dump_subs {
    my ($to, $profile, $key, $subs) = @_;
    block($to, [$key], '{}', sub {
        for my $name (sort keys %$subs) {
            my $file = $subs->{$name}->fid && $profile->{fid_fileinfo}[ $subs->{$name}->fid ];
            next if $file && $to->{is_library}->($file);
            my ($separator, $path, $indent) = start_of($to, $key, $name, ' =>');
            $subs->{$name}->dump($separator, $to->{fh}, $path, $indent);
        }
    });
    return;
}

# --- making dumps comparable ----------------------------------------------------------------------------------------

my $ZERO = qr/\A(?:basetime|xs_version|perl_version|clock_id|ticks_per_sec|nv_size|sawampersand_line)\z
              |\A(?:profiler|total)_/x;

sub normalize {
    my ($profile, $also_options) = @_;
    my $attributes = $profile->attributes;
    delete @{$attributes}{qw(PL_perldb cumulative_overhead_ticks)};
    $attributes->{$_} = 0 for grep {/$ZERO/} keys %$attributes;
    %{ $profile->options } = () if $also_options;
    for my $level (qw(line block sub)) {
        zero_times($_) for grep { $_ } @{ $profile->get_fid_line_data($level) || [] };
    }
    $_->normalize_for_test for $profile->all_fileinfos, values %{ $profile->{sub_subinfo} };
    rename_subs($profile->{sub_subinfo});
    rename_subs($_->[NYTP_FIDi_SUBS_DEFINED]) for $profile->all_fileinfos;
    return 1;
}

sub zero_times {
    my ($lines) = @_;
    $_->[0] = 0 for grep { @{ $_ || [] } } @$lines;
    return;
}

# Under their new names. Of two with the same new name the last is shown.
sub rename_subs {
    my ($subs) = @_;
    %$subs = map { (_normalized($_) => $subs->{$_}) } sort keys %$subs;
    return;
}

1;

__END__

=head1 NAME

Devel::NYTProf::Dump - a profile as text

=head1 DESCRIPTION

A part of L<Devel::NYTProf::Data>, which documents it under C<dump_profile_data> and C<normalize_variables>, without
functions for other programs.

=cut
