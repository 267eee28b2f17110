# SPDX-License-Identifier: MIT
# `nytprof graph` of all kinds of captures: what programs read that draw gprof's call graph. None of these is packaged,
# so the reader is our own (t/lib/Gprof.pm).
use strict;
use warnings;

use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../t/lib";
use Exports qw(capture captures export nanoseconds);
use Gprof qw(faults read_graph);
use Tree qw(slurp);

for my $name (captures()) {
    my @files   = capture($name);
    my @entries = read_graph(slurp(export('graph', @files)));
    my $rounded = $name eq 'five' ? 10_000 : 0;    # format 5 rounds each caller's time by itself
    is_deeply [ faults($rounded, @entries) ], [], "$name: " . @entries . ' entries, whose calls and times add up';
    my $own = sum0(map { $_->{self} } grep { !$_->{is_cycle} } @entries);
    my ($flat) = slurp(export('flat', '-b', @files)) =~ /.*^ *[\d.]+ +(\d+\.\d+) /ms;
    is $own, sprintf('%.0f', 1e9 * ($flat // 0)), 'their own times are the sum of `nytprof flat`';
    is $own, nanoseconds(@files), 'and of the call paths';
}

done_testing;
