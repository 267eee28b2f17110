# SPDX-License-Identifier: MIT
# read.pl - whose is the time that a loop waits for its input? That of the line with while, not of the last line of the
# loop's body, which ran before.
#
#     (echo one; sleep 0.3; echo two) | nytprof run --annotate examples/read.pl
use strict;
use warnings;

my $bytes = 0;
while (my $line = <STDIN>) {
    $bytes += length $line;
    1;
}
print "$bytes bytes\n";
