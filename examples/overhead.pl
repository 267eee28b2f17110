# SPDX-License-Identifier: MIT
# overhead.pl - what does the profiler cost, and does it say so? f(7) calls f(6) seven times, and so on: 13,700 calls, 8
# levels deep. There are twenty rounds, so f is called 274,000 times, from main 20 times. The profile is exact in this,
# and has the time of the program, not that of the profiler. overhead.lua is the same program.
#
#     nytprof run --compare 5 examples/overhead.pl -- nytprof run -o overhead.out examples/overhead.pl
#     nytprof graph overhead.out
use strict;
use warnings;

sub f {
    my ($depth) = @_;
    for (1 .. $depth) {
        f($depth - 1);
    }
    return;
}

for (1 .. 20) {
    f(7);
}
