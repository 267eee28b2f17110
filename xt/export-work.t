# SPDX-License-Identifier: MIT
# The work of a report grows as the capture does, and not with the square: instructions for captures of awkward shapes,
# and for the same ones four times as long.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Capture qw(chunk i nytprof record text);
use LuaCapture qw(numbers texts);
use Profiled qw(instructions $TOP);
use Tree qw(spew);

my ($LENGTH, $FACTOR, $MOST) = (400, 4, 6);    # the square of 4 is 16
my $MAIN = "$FindBin::Bin/export-work.t";      # a file that is there
my $dir = tempdir(CLEANUP => 1);

# A sub with N lines, each called from another sub's one context.
sub long_sub {
    my ($n) = @_;
    my @records = definition(2, 1, $n, 'big');
    push @records, record(11, numbers($_, 1, $_, 1, 1)), record(13, numbers($_), i(1), i(1000)) for 1 .. $n;
    for my $k (1 .. $n) {
        my ($sub, $outer, $inner) = (2 + $k, 2 * $k - 1, 2 * $k);
        push @records, definition($sub, $n + 2 * $k, $n + 2 * $k + 1, "g$k");
        push @records, record(12, numbers($outer, 0, 1, $sub)), record(14, numbers($outer), i(1), i(10));
        push @records, record(12, numbers($inner, $outer, $k, 2)), record(14, numbers($inner), i(1), i(990));
    }
    return @records;
}

# N subs that were never called, each in the one before.
sub nested_subs {
    my ($n) = @_;
    return (record(8, numbers(1, 1), texts("\$x = 1;\n" x $n)), record(11, numbers(1, 1, 1, 1, 1)),
        record(13, numbers(1), i(1), i(1000)), map { definition(1 + $_, $_, $n, "g$_") } 1 .. $n);
}

sub definition {
    my ($sub, $first, $last, $name) = @_;
    return record(10, numbers($sub, 0, 1, $first, $last, 1), texts("main::$name", ''));
}

sub capture {
    my ($shape, $n) = @_;
    my $clock = numbers(1, 0, 17e17) . i(0) . numbers(1_000_000_000, 1) . i(1001);
    my @records = (record(1, $clock, texts('fake', $MAIN, 'perl')), record(7, numbers(1, 0, 0, 0, 0, 0), texts($MAIN)));
    my $name = "$dir/$n.out";
    spew($name, text() . chunk(join('', @records, $shape->($n)), end => 1e9));
    return $name;
}

my %shape = ('a long sub called from everywhere' => \&long_sub, 'subs in subs, never called' => \&nested_subs);
my @exports = qw(callgrind chrome cpuprofile csv dot firefox folded json lcov pprof speedscope syscap);
for my $shape (sort keys %shape) {
    my ($short, $long) = map { capture($shape{$shape}, $_) } $LENGTH, $LENGTH * $FACTOR;
    my ($said, $err, $exit) = nytprof('info', $long);
    is "$exit$err", '0', "a capture of $shape";
    for my $export (@exports) {
        my ($less, $more) = map { instructions("$TOP/build/nytprof", $export, '-o', "$dir/$export", $_) } $short, $long;
        cmp_ok $more, '<', $MOST * $less, "$export: $less instructions, and $more for $FACTOR times as many";
    }
}
done_testing;
