#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Runs `nytprof flamegraph`, under the name and with the options that users of flame graphs know.
use strict;
use warnings;

use FindBin;
use Getopt::Long;

do "$FindBin::RealBin/lib/command.pl" || die $@ || "command.pl: $!\n";

my $USAGE = <<"END";
usage: $0 [options] [FILE...] > picture.svg
 --title TEXT       above the picture [default: Flame Graph]
 --width N          of the picture, in pixels [default: 1200]
 --height N         of a frame [default: 16]
 --minwidth N       leave out narrower frames [default: 0.1]
 --fonttype NAME    [default: Verdana]
 --fontsize N       [default: 12]
 --fontwidth N      of an average letter, as a share of the size [default: 0.59]
 --countname TEXT   what is counted [default: samples]
 --nametype TEXT    before a frame's name [default: Function:]
 --colors NAME      hot, mem, io, java, js, red, green, blue, yellow, purple, aqua or orange [default: hot]
 --nameattr FILE    lines "NAME<tab>href=PAGE<tab>title=TEXT": links of frames
 --total N          value of the whole width, if more than the sum
 --factor N         multiply the values shown by N
 --reverse          read paths from their ends
 --inverted         the root is on top
 --negate           exchange the colours of a difference
 --hash, --cp, --encoding NAME   accepted
 --help             print this
END

my @passed = qw(
    title=s width=s height=s minwidth=s fonttype=s fontsize=s fontwidth=s countname=s nametype=s colors=s nameattr=s
    total=s factor=s reverse inverted negate
);
my %opt;
my $understood = GetOptions(\%opt, @passed, qw(hash cp encoding=s help));
if (!$understood || $opt{help}) {
    print {*STDERR} $USAGE;
    exit 255;
}

my @command = (nytprof(), 'flamegraph');
for my $option (@passed) {
    my ($name, $takes) = $option =~ /^(\w+)(=s)?$/;
    push @command, $takes ? "--$name=$opt{$name}" : "--$name" if defined $opt{$name};
}
# Files that cannot be read are left out, where the command would stop, and what goes wrong is 2.
my @lines = grep { $_ eq '-' || open(my $in, '<', $_) || !warn "$0: $_: $!\n" } @ARGV;
@lines = '/dev/null' if @ARGV && !@lines;
my $status = system { $command[0] } @command, '--', @lines;
die "$0: cannot run $command[0]: $!\n" if $status == -1;
exit($status ? 2 : 0);

__END__

=head1 NAME

flamegraph.pl - draw call paths as a flame graph

=head1 SYNOPSIS

 nytprofcalls nytprof.out | flamegraph.pl --countname=ticks > calls.svg

=head1 DESCRIPTION

Reads lines of a call path, a blank and a number, from any program that writes them:

 main::run;main::parse;List::Util::first 4711

and writes a picture in SVG. A frame stands for a sub: its width is the sub's share of the sum, and it stands on the
frame of its caller. Colours have no meaning; a name has the same colour in every picture. Lines with two numbers
compare two measurements: the second number is the width of the frame, which is red if this number is the larger one and
blue if it is the smaller one.

The picture is one file and needs no other. In a browser a click on a frame makes it as wide as the picture, and the
button I<Reset zoom> or the escape key undoes this. I<Search> (or the key C</>) marks the frames whose names match a
regular expression and shows their share of the whole. The address of the page contains both, so that a view can be sent
to others. A click with the control key follows the link that C<--nameattr> gives to a frame.

C<nytprof flamegraph> draws the same picture.

=head1 OPTIONS

=over 4

=item B<--title> I<TEXT>, B<--countname> I<TEXT>, B<--nametype> I<TEXT>

The title above the picture, the name of what is counted (C<samples>), and the text before a name in the line of details
(C<Function:>).

=item B<--width> I<N>, B<--height> I<N>, B<--minwidth> I<N>

The width of the picture (1200), the height of a frame (16), and the least width of a frame that is drawn (0.1), in
pixels.

=item B<--fonttype> I<NAME>, B<--fontsize> I<N>, B<--fontwidth> I<N>

The font (Verdana), its size (12), and the width of an average letter as a share of the size (0.59).

=item B<--colors> I<NAME>

One of hot (the default), mem, io, red, green, blue, yellow, purple, aqua and orange; or java or js, which choose the
colour of a frame by the kind of function that its name suggests.

=item B<--nameattr> I<FILE>

A file of lines with fields between tabs: the name of a sub, C<href=PAGE>, the page that its frames lead to, and
optionally C<title=TEXT>, their tooltip. Links to other things than pages are ignored.

=item B<--total> I<N>

The value of the whole width. A value below the sum of the lines is ignored.

=item B<--factor> I<N>

Multiply the values that are shown by N.

=item B<--reverse>

Read paths from their ends: the subs that spent the time stand at the bottom, and their callers on them.

=item B<--inverted>

Draw the root at the top, and callees below their callers.

=item B<--negate>

Exchange the two colours of a comparison.

=item B<--hash>, B<--cp>, B<--encoding> I<NAME>

Accepted, without effect: colours always depend on names, so no file of colours is needed, and pictures are in UTF-8.

=item B<--help>

Print a summary of the options.

=back

=head1 EXIT STATUS

0 when a picture was drawn; 2 when there was nothing to draw, which the picture then says, or something went wrong; 255
for help and wrong options.

=cut
