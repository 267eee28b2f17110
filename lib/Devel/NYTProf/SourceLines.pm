# SPDX-License-Identifier: MIT
package Devel::NYTProf::SourceLines;

# The rows of a file that a report shows.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(first max);

our $VERSION   = $Devel::NYTProf::Core::VERSION;
our @EXPORT_OK = qw(lines_of_file);

my $NO_SOURCE = '(the source is neither in the capture nor can it be read)';
my $NO_LINE   = q(Profile data that couldn't be associated with a specific line:);

# [number, text] of each row, up to the last line with source or figures; figures of line 0 have a row in front. In a
# run of blank lines without figures the second to the last become one row, '- -'; without source there is one row for
# the run.
sub lines_of_file {
    my ($file, $level, $stats) = @_;
    my $source = $file->srclines_array;
    my @text   = map {s/\n\z//r} @{ $source || [] };
    warn_of_directives($file, @text) if $level eq 'line';
    my $last = max scalar @text, keys %$stats;
    my @rows = $source ? () : [ 0, $NO_SOURCE ];
    push @rows, [ 0, $NO_LINE ] if $stats->{0};
    for (my $number = 1; $number <= $last; $number++) {
        push @rows, [ $number, $text[ $number - 1 ] // '' ];
        my $run = $stats->{$number} ? 1 : blank_run(\@text, $number, $last, $stats);
        next if $run < 2;
        $number += $run - 1;
        push @rows, [ $run > 2 ? '- -' : $number, '' ] if $source;
    }
    return @rows;
}

# How many lines from that number on are blank.
sub blank_run {
    my ($text, $number, $last, $stats) = @_;
    my $end = $number;
    $end++ while $end <= $last && !$stats->{$end} && ($text->[ $end - 1 ] // '') eq '';
    return $end - $number;
}

# After a #line directive perl counts from its number, so figures are not beside the lines that ran.
sub warn_of_directives {
    my ($file, @text) = @_;
    my $first = first { $text[$_] =~ /\A#\s*line\s+\d+\b/ } 0 .. $#text;
    return if !defined $first;
    warn sprintf "Ignoring '%s' directive at line %d - profile data for %s will be out of sync with source\n",
        $text[$first], $first + 1, $file->filename;
    return;
}

1;

__END__

=head1 NAME

Devel::NYTProf::SourceLines - the lines of a file that a report shows

=head1 DESCRIPTION

A part of L<Devel::NYTProf::Reader>, which documents how blank lines are shown, without functions for other programs.

=cut
