#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Keeps the name and the options that users of flame graphs know; the work is done by `nytprof flamegraph`.
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

and writes a picture in which every sub is as wide as its share of the sum, standing on the sub that called it. Colours
only tell subs apart: a name has the same one in every picture. Lines with two numbers are two measurements: frames are
as wide as the second says, red where that is more than the first and blue where it is less.

The picture needs nothing but itself. In a browser a click on a frame makes it as wide as the picture, the button
I<Reset zoom> or the escape key undoes that, I<Search> (or the key C</>) marks the frames whose names match a regular
expression and says what share of the whole they are, and the address names what is shown. Control and a click
follow the link that C<--nameattr> gives to a frame.

The same picture is drawn by C<nytprof flamegraph>.

=head1 OPTIONS

=over 4

=item B<--title> I<TEXT>, B<--countname> I<TEXT>, B<--nametype> I<TEXT>

What stands above the picture, what is counted, and what stands before a name in the line of details.

=item B<--width> I<N>, B<--height> I<N>, B<--minwidth> I<N>

The picture's width, the height of a frame, and the width below which one is left out, in pixels.

=item B<--fonttype> I<NAME>, B<--fontsize> I<N>, B<--fontwidth> I<N>

The font, its size, and how wide an average letter is as a share of that.

=item B<--colors> I<NAME>

One of hot, mem, io, red, green, blue, yellow, purple, aqua and orange; or java or js, which colour frames by what they
seem to be.

=item B<--nameattr> I<FILE>

Lines of fields with tabs between: a name, then C<href=PAGE> and perhaps C<title=TEXT>, its tooltip. Links other than to
pages are ignored.

=item B<--total> I<N>

The value of the whole width. Less than the sum of the lines is ignored.

=item B<--factor> I<N>

Values are multiplied by this where they are shown.

=item B<--reverse>

Read paths from their ends: the subs in which time was spent stand at the bottom, their callers on them.

=item B<--inverted>

Draw the root on top and what it calls below.

=item B<--negate>

Swap the colours of a difference.

=item B<--hash>, B<--cp>, B<--encoding> I<NAME>

Accepted, without effect: colours depend on names anyway, so there is no file of them to keep, and pictures are UTF-8.

=item B<--help>

Print a summary of the options.

=back

=head1 EXIT STATUS

0 when a picture was drawn; 2 when there was nothing to draw, which the picture then says, or something went wrong; 255
for help and wrong options.

=cut
