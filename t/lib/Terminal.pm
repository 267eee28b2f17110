# SPDX-License-Identifier: MIT
package Terminal;

# Runs commands on a pseudo terminal, of 24 lines and 80 columns unless set_size gives another size.
use strict;
use warnings;

use Exporter 'import';
use Fcntl qw(O_NOCTTY O_RDWR);

our @EXPORT_OK = qw(has_terminals on_terminal set_size with_keys);

my ($LINES, $COLUMNS) = (24, 80);
my ($UNLOCK, $ASK, $RESIZE) = (0x40045431, 0x80045430, 0x5414);    # TIOCSPTLCK, TIOCGPTN, TIOCSWINSZ

sub set_size { ($LINES, $COLUMNS) = @_; return }

sub has_terminals { return -e '/dev/pts/ptmx' }

sub open_terminal {
    my $number = pack 'i', 0;
    sysopen my $master, '/dev/ptmx', O_RDWR | O_NOCTTY or die "/dev/ptmx: $!\n";
    ioctl $master, $UNLOCK, $number or die "unlocking: $!\n";
    ioctl $master, $ASK, $number or die "asking: $!\n";
    my $name = '/dev/pts/' . unpack 'i', $number;
    sysopen my $terminal, $name, O_RDWR | O_NOCTTY or die "$name: $!\n";
    ioctl $terminal, $RESIZE, pack 'S4', $LINES, $COLUMNS, 0, 0 or die "resizing: $!\n";
    return ($master, $terminal);
}

# The command's process, with the terminal as its output.
sub start {
    my ($terminal, $input, @command) = @_;
    my $child = fork // die "fork: $!\n";
    return $child if $child;
    open STDIN,  '<&', $input or die "input: $!\n";
    open STDOUT, '>&', $terminal or die "terminal: $!\n";
    open STDERR, '>&', $terminal or die "terminal: $!\n";
    close $terminal or die "terminal: $!\n";
    exec @command or die "@command: $!\n";
}

# The text on the terminal, with newlines as they were printed, and the exit status.
sub on_terminal {
    my @command = @_;
    my ($master, $terminal) = open_terminal();
    open my $nothing, '<', '/dev/null' or die "/dev/null: $!\n";
    my $child = start($terminal, $nothing, @command);
    close $terminal or die "terminal: $!\n";
    my $said = '';
    1 while sysread $master, $said, 10_000, length $said;    # until all processes have closed the terminal: an error
    waitpid $child, 0;
    return ($said =~ s/\r\n/\n/gr, $? >> 8);
}

# The same for a command that takes keys: each step has an expression for text to wait for, up to ten seconds, and the
# keys that follow, or a function that returns them. Returns the text that came for each step, the rest, and the exit
# status. A command that goes on for a minute more is killed.
sub with_keys {
    my ($steps, @command) = @_;
    my ($master, $terminal) = open_terminal();
    my $child = start($terminal, $terminal, @command);
    close $terminal or die "terminal: $!\n";
    my ($said, $ready, $end, @pieces) = ('', '', 0);
    vec($ready, fileno $master, 1) = 1;
    for my $step (@$steps) {
        my ($awaited, $keys) = @$step;
        $end = time + 10;
        while ($said !~ $awaited && time < $end) {
            next if !select my $can_read = $ready, undef, undef, 1;
            sysread $master, $said, 10_000, length $said or last;
        }
        push @pieces, $said;
        $said = '';
        syswrite $master, ref $keys ? $keys->() : $keys;
    }
    $end = time + 60;
    while (time < $end) {
        next if !select my $can_read = $ready, undef, undef, 1;
        sysread $master, $said, 10_000, length $said or last;
    }
    kill KILL => $child if time >= $end;
    close $master or die "terminal: $!\n";
    waitpid $child, 0;
    return (@pieces, $said, $? >> 8);
}

1;
