# SPDX-License-Identifier: MIT
# A report on several processes, or on several threads of one: what the clock on the wall showed is told apart from what
# adds up, and CPU time is each one's own.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text u);
use Pages qw(broken_links pages text_of);
use Tree qw(spew);

my $dir = tempdir(CLEANUP => 1);

# Three processes of a tree; the clock ticks in microseconds. The first waits while the others run beside each other.
my $index = report('tree', stream(pid => 10, at => 0, took => 500_000, cpu => [ 1000, 2000 ], rss => 3000),
    stream(pid => 11, at => 40_000_000, took => 400_000, cpu => [ 350_000, 10_000 ], rss => 9000),
    stream(pid => 12, at => 95_600_000, took => 454_400, cpu => [ 300_000, 20_000 ], rss => 5000));
like $index, qr/ · 3 processes · perl /, 'the header has no process of its own but says how many there are';
like $index, qr/ 1\.35 s profiled, added up 550 ms from start to end 683 ms CPU /, 'the wall clock, and sums';
like $index, qr/ From the first start to the last end 550 ms passed, and 1\.35 s in the 3 processes together\./,
    'which of the two is which is said';
like $index, qr/ CPU time of the processes: 651 ms user, 32\.0 ms system; memory of the largest: 9\.22 MB at most\./,
    'so is what they used';
like $index, qr/ 10 1 0 \+0\.0 ms 500 ms 3\.00 ms 1\.00 ms 2\.00 ms 3\.07 MB finished x\.pl /, 'the parent';
like $index, qr/ 11 1 0 \+40\.0 ms 400 ms 360 ms 350 ms 10\.0 ms 9\.22 MB finished x\.pl /, 'a child, when it began';
like $index, qr/ 12 1 0 \+95\.6 ms 454 ms /, 'and another, to the tenth of a millisecond';

# Three streams of a process, whose CPU time and memory each of them has told.
$index = report('threads', map { stream(pid => 10, thread => $_, at => 0, took => 100_000,
    cpu => [ 30_000 + $_, 0 ], own => 10_000 * $_, rss => 7000) } 0 .. 2);
like $index, qr/ · 3 threads · perl /, 'threads are no processes';
like $index, qr/ 30\.0 ms CPU /, 'and what their process used counts once';
like $index, qr/ 10 1 1 \+0\.0 ms 100 ms 10\.0 ms finished x\.pl 10 1 2 \+0\.0 ms 100 ms 20\.0 ms finished /,
    'each thread has its own CPU time, and no memory';
like $index, qr/ 10 1 0 \+0\.0 ms 100 ms finished x\.pl /, 'or none, where that is not known';

$index = report('one', stream(pid => 10, at => 0, took => 500_000, cpu => [ 1000, 2000 ], rss => 3000));
like $index, qr/ · process 10 · .* 500 ms profiled 500 ms from start to end 3\.00 ms CPU /, 'one process is named';
unlike $index =~ s{For other programs.*}{}sr, qr/(?<!other )processes|threads|added up/, 'and has no table';

# Two programs, a quarter of an hour apart: as two captures, or as one that nytprof merge made.
my @runs = (stream(run => 'a' x 16, pid => 10, at => 0, took => 500_000, cpu => [ 1000, 2000 ], rss => 3000),
    stream(run => 'b' x 16, pid => 20, at => 900e9, took => 400_000, cpu => [ 1000, 2000 ], rss => 3000));
$index = report('runs', @runs);
like $index, qr/ 900 ms in runs from start to end /, 'runs one after the other are added up';
like $index, qr/ In 2 runs, one after the other, 900 ms passed, and 900 ms in the 2 processes together\./,
    'which is said';
spew("$dir/$_.out", $runs[$_]) for 0, 1;
is +(nytprof('merge', '-o', "$dir/merged.out", map {"$dir/$_.out"} 0, 1))[2], 0, 'merge';
my $line = qr/^2 runs took 900 ms in 2 processes, 900 ms profiled in all\.\nCPU time: 2\.00 ms/m;
like +(nytprof('flat', @$_))[0], $line, scalar(@$_) . ' file' for [ map {"$dir/$_.out"} 0, 1 ], ["$dir/merged.out"];
my @same = (run => 'a' x 16, took => 100_000, cpu => [ 0, 0 ], rss => 0);
like report('gap', stream(@same, pid => 10, at => 0), stream(@same, pid => 11, at => 2e9)),
    qr/From the first start to the last end 2\.10 s passed/, 'a program that forked is one run';

done_testing;

sub stream {
    my (%of) = @_;
    my $start = join '', map({ u($_) } 1, 0, 17e17 + $of{at}), i(0), u(1_000_000), u(1), i(1001),
        map { Capture::s($_) } 'fake', 'x.pl', 'perl 5';
    my $end = join '', u(17e17 + $of{at} + 1000 * $of{took}), i($of{took}), map { u($_) } @{ $of{cpu} }, $of{rss},
        (0) x 6, $of{own} // 0;
    my $records = join '', record(1, $start), record(7, (map { u($_) } 1, 0, 0, 0, 0, 0), Capture::s('/x.pl')),
        record(11, map { u($_) } (1) x 5), record(13, u(1), i(1), i($of{took})), record(14, u(0), i(0), i($of{took})),
        record(15, (map { i(0) } 1 .. 4), u(0), i(0));
    my %head = (($of{run} ? (run => $of{run}) : ()), pid => $of{pid},
        thread => $of{thread} // 0, process_start => 17e17 + $of{at});
    return chunk($records, %head, end => $of{took}) . chunk(record(2, $end) . record(24, u(0), u(2)), %head,
        number => 2, start => $of{took}, end => $of{took});
}

sub report {
    my ($name, @chunks) = @_;
    my (undef, $said, $exit) = nytprof('html', '-o', "$dir/$name", \(text(program => 'x.pl') . join '', @chunks));
    my $pages = pages("$dir/$name");
    is join(' ', $exit, $said, broken_links($pages)), '0 ', "$name: there is a report";
    return text_of($pages->{'index.html'});
}
