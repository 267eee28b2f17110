# SPDX-License-Identifier: MIT
package Terminal;

# Runs commands on a pseudo terminal of 24 lines and 80 columns.
use strict;
use warnings;

use Exporter 'import';
use Fcntl qw(O_NOCTTY O_RDWR);

our @EXPORT_OK = qw(has_terminals on_terminal);

my ($LINES, $COLUMNS) = (24, 80);
my ($UNLOCK, $ASK, $RESIZE) = (0x40045431, 0x80045430, 0x5414);    # TIOCSPTLCK, TIOCGPTN, TIOCSWINSZ

sub has_terminals { return -e '/dev/pts/ptmx' }

# The text on the terminal, with newlines as they were printed, and the exit status.
sub on_terminal {
    my @command = @_;
    my $number = pack 'i', 0;
    sysopen my $master, '/dev/ptmx', O_RDWR | O_NOCTTY or die "/dev/ptmx: $!\n";
    ioctl $master, $UNLOCK, $number or die "unlocking: $!\n";
    ioctl $master, $ASK, $number or die "asking: $!\n";
    my $name = '/dev/pts/' . unpack 'i', $number;
    sysopen my $terminal, $name, O_RDWR | O_NOCTTY or die "$name: $!\n";
    ioctl $terminal, $RESIZE, pack 'S4', $LINES, $COLUMNS, 0, 0 or die "resizing: $!\n";
    my $child = fork // die "fork: $!\n";
    if (!$child) {
        open STDIN,  '<',  '/dev/null' or die "/dev/null: $!\n";
        open STDOUT, '>&', $terminal or die "$name: $!\n";
        open STDERR, '>&', $terminal or die "$name: $!\n";
        close $terminal or die "$name: $!\n";
        exec @command or die "@command: $!\n";
    }
    close $terminal or die "$name: $!\n";
    my $said = '';
    1 while sysread $master, $said, 10_000, length $said;    # until all processes have closed the terminal: an error
    waitpid $child, 0;
    return ($said =~ s/\r\n/\n/gr, $? >> 8);
}

1;
