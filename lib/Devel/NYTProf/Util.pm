# SPDX-License-Identifier: MIT
package Devel::NYTProf::Util;

use strict;
use warnings;

use Carp qw(croak);
use Cwd qw(getcwd);
use Devel::NYTProf::Core;
use Exporter 'import';
use List::Util qw(sum0);

our $VERSION   = $Devel::NYTProf::Core::VERSION;
our @EXPORT_OK = qw(
    fmt_float fmt_time fmt_incl_excl_time
    get_alternation_regex get_abs_paths_alternation_regex make_path_strip_editor strip_prefix_from_paths
    calculate_median_absolute_deviation html_safe_filename trace_level _dumper _normalized _without_eval_numbers
);

my $MICRO = "\xC2\xB5";    # the sign for a millionth, as the bytes of its UTF-8

# --- numbers and times as text --------------------------------------------------------------------------------------

sub fmt_float {
    my ($value, $precision) = @_;
    $precision ||= 5;
    if ($value > 0 && $value < 10**-($precision - 1)) {
        my $digits = $precision > 4 ? $precision - 4 : 0;
        return sprintf("%.${digits}e", $value) =~ s/e([-+])0+(?=\d)/e$1/r;
    }
    return $value == int $value ? $value : sprintf "%.${precision}f", $value;
}

# Three significant digits.
sub three_digits { my ($value) = @_; return $value < 10 ? '.2f' : $value < 100 ? '.1f' : '.0f' }

sub fmt_time {
    my ($seconds, $width) = @_;
    $width //= '';
    return undef if !defined $seconds;    ## no critic (ProhibitExplicitReturnUndef)
    return '-' . fmt_time(-$seconds, $width) if $seconds < 0;
    return sprintf $ENV{NYTPROF_FMT_TIME}, $seconds if $ENV{NYTPROF_FMT_TIME};
    return sprintf "%${width}ss", 0 if $seconds == 0;
    return sprintf "%${width}.0fns",       $seconds * 1e9 if $seconds < 1e-6;
    return sprintf "%${width}.0f${MICRO}s", $seconds * 1e6 if $seconds < 1e-3;
    return sprintf '%' . $width . three_digits($seconds * 1e3) . 'ms', $seconds * 1e3 if $seconds < 1;
    return sprintf '%' . $width . three_digits($seconds) . 's', $seconds;
}

# "I (E+D)": exclusive time and the rest of the inclusive time, each with its unit where that is not I's.
sub fmt_incl_excl_time {
    my ($inclusive, $exclusive) = @_;
    my $all = fmt_time($inclusive);
    return $all if $inclusive == $exclusive;
    my ($unit) = $all =~ /(\D+)\z/;
    my @parts = map { fmt_time($_) } $exclusive, $inclusive - $exclusive;
    s/(?<=\d)\Q$unit\E\z// for @parts;
    return "$all ($parts[0]+$parts[1])";
}

# --- paths ----------------------------------------------------------------------------------------------------------

sub get_alternation_regex {
    my ($strings, $suffix) = @_;
    $suffix //= '';
    my $any = join '|', map { quotemeta($_) . $suffix } sort { length $b <=> length $a } @$strings;
    return qr/(?:$any)/;
}

# The directories of @INC as regex; those that are relative are below $cwd.
sub get_abs_paths_alternation_regex {
    my ($inc, $cwd) = @_;
    @$inc or croak 'No paths';
    $cwd //= getcwd();
    my @absolute = map { absolute($_, $cwd) } @$inc;
    return get_alternation_regex(\@absolute, '/?');
}

# As the profiler names files: a leading ./ goes, nothing else is tidied up.
sub absolute {
    my ($path, $cwd) = @_;
    return $path if $path =~ m{\A/};
    return $cwd  if $path eq '.';
    return "$cwd/" . $path =~ s{\A\./}{}r;
}

sub make_path_strip_editor {
    my ($inc, $anchor, $replacement) = @_;
    $anchor      //= '^';
    $replacement //= '';
    my $paths = get_abs_paths_alternation_regex($inc);
    return sub { return $_[0] =~ s/($anchor)$paths/$1$replacement/ };    # edits its argument
}

sub strip_prefix_from_paths {
    my ($inc, $paths, $anchor, $replacement) = @_;
    ref $inc eq 'ARRAY' or croak 'strip_prefix_from_paths() first argument must be array ref';
    return if !defined $paths;
    ref $paths eq 'ARRAY' or croak 'strip_prefix_from_paths() second argument must be array ref';
    return if !@$inc;
    strip_each(make_path_strip_editor($inc, $anchor, $replacement), $paths);
    return;
}

sub strip_each {
    my ($editor, $paths) = @_;
    for my $path (grep { defined } @$paths) {
        if   (ref $path) { strip_each($editor, $path) }
        else             { $editor->($path) }
    }
    return;
}

sub html_safe_filename {
    my ($name) = @_;
    $name =~ s{[-/\\:*?"'<>|.]+}{-}g;
    $name =~ s/\A-//;
    $name =~ s/-\z//;
    return $name;
}

# --- statistics and debugging ---------------------------------------------------------------------------------------

sub upper_median { my @sorted = sort { $a <=> $b } @_; return $sorted[ @sorted / 2 ] }

sub calculate_median_absolute_deviation {
    my ($values, $ignore_zeros) = @_;
    ref $values eq 'ARRAY' or croak 'No array ref given';
    my @values = $ignore_zeros ? grep { $_ } @$values : @$values;
    return [ 0, 0 ] if !@values;
    my $median = upper_median(@values);
    return [ upper_median(map { abs($_ - $median) } @values), $median ];
}

sub _dumper {
    my (@things) = @_;
    require Data::Dumper;
    return Data::Dumper->new(\@things)->Sortkeys(1)->Indent(1)->Dump;
}

# Numbers of string evals differ between two runs, and between two rounds of a loop.
sub _without_eval_numbers { my ($name) = @_; return $name =~ s/\((?:re_)?eval \K\d+(?=\))/0/gr }

# The name as dumps that are to be compared have it.
sub _normalized { my ($name) = @_; return $ENV{NYTPROF_TEST_SKIP_EVAL_NORM} ? $name : _without_eval_numbers($name) }

1;

__END__

=head1 NAME

Devel::NYTProf::Util - small functions for reports on profiles

=head1 SYNOPSIS

    use Devel::NYTProf::Util qw(fmt_time strip_prefix_from_paths);

    print fmt_time(0.0123456), "\n";                  # 12.3ms
    strip_prefix_from_paths([ $profile->inc ], \@paths);

=head1 FUNCTIONS

All functions can be imported; none is by default.

=head2 Text

=over 4

=item fmt_float($value, $precision = 5)

Returns an integer unchanged, and other numbers with C<$precision> digits after the point. A number too small for these
digits has an exponent: C<4.0e-5>.

=item fmt_time($seconds, $width = '')

Returns a time with three significant digits and a unit from C<ns> to C<s>; the number is padded on the left to
C<$width>. Undef stays undef. The environment variable C<NYTPROF_FMT_TIME> may contain another format, one of printf.

=item fmt_incl_excl_time($inclusive, $exclusive)

Returns both times as C<10.0ms (4.00+6.00)>: inclusive, exclusive, and the difference.

=item html_safe_filename($name)

Returns the name with C<-> for each character that is special in file systems or URLs.

=back

=head2 Paths

=over 4

=item get_alternation_regex(\@strings, $suffix = '')

Returns a regex that matches any of the strings, the longest first; the suffix is a regex that follows each.

=item get_abs_paths_alternation_regex(\@paths, $cwd)

Returns such a regex for directories, including a C</> behind them. Relative paths are below C<$cwd>, the current
directory by default. Dies if there are no paths.

=item make_path_strip_editor(\@paths, $anchor = '^', $replacement = '')

Returns a function that removes such a prefix from its argument, in place, and returns whether there was one. C<$anchor>
is a regex for text before the prefix, which stays; C<$replacement> replaces the prefix.

=item strip_prefix_from_paths(\@inc, \@paths, $anchor, $replacement)

Removes the prefixes from all of C<@paths>, in place, also in arrays that C<@paths> refers to. Returns nothing.

=back

=head2 Others

=over 4

=item calculate_median_absolute_deviation(\@values, $ignore_zeros)

Returns C<[$deviation, $median]>: the median of the values, and the median of their distances from it. C<[0, 0]> if
there are no values.

=item trace_level()

Returns the value of the option C<trace> in C<NYTPROF>.

=back

=head1 SEE ALSO

L<Devel::NYTProf::Data>

=cut
