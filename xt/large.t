# SPDX-License-Identifier: MIT
# Reports on a program of ten thousand files, a hundred thousand subs and three hundred thousand calling contexts take
# at most thirty seconds of CPU, a gigabyte of memory and three hundred megabytes of pages, without broken links; a
# report on perlcritic, a program of usual size, at most a second and fifteen megabytes of pages.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Browser qw(large perlcritic);
use Pages qw(run);
use Profiled qw(cpu_seconds $TOP);
use Tree qw(slurp spew);

my ($SECONDS, $KILOBYTES, $BYTES, $PAGE_BYTES) = (30, 1 << 20, 300e6, 4e6);

my $dir = tempdir(CLEANUP => 1);
my $capture = large($dir, 10_000, 100_000, 300_000);

in_time($SECONDS, $KILOBYTES, 'html', '-o', "$dir/report", $capture);
in_time($SECONDS, $KILOBYTES, 'csv', '-o', "$dir/csv", $capture);
my @csv = glob "$dir/csv/*-line.csv";
cmp_ok scalar @csv, '==', 10_000, 'a CSV file for each file';

spew("$dir/one.html", 'was here before');
my ($status, undef, $err) = run(within($KILOBYTES, 'html', '--single', '-o', "$dir/one.html", $capture));
like "$status $err", qr/^1 nytprof: the report is larger than 64 MB/, 'a report too large for one file says so';
is slurp("$dir/one.html") . join(' ', glob "$dir/one.html?*"), 'was here before', 'and leaves nothing';

opendir my $in, "$dir/report" or die "no report: $!\n";
my %size = map { ($_ => -s "$dir/report/$_") } grep {/^[^.]/} readdir $in;
my $total = 0;
$total += $_ for values %size;
cmp_ok scalar(grep {/-line\.html$/} keys %size), '==', 10_000, 'a page for each file, in a gigabyte of memory';
cmp_ok $total, '<=', $BYTES, "$total bytes of it";
is_deeply [ grep { $size{$_} > $PAGE_BYTES } sort keys %size ], [], 'no page is too large to look at';

my (%broken, $links);
for my $page (grep {/\.html$/} keys %size) {
    for my $to (slurp("$dir/report/$page") =~ /\shref="?([^\s">#]+)/g) {
        $links++;
        $broken{$to}++ if !$size{$to};
    }
}
is_deeply [ sort keys %broken ], [], "$links links lead to pages that are there";

SKIP: {
    my $perlcritic = perlcritic($dir);
    skip 'SKIPPED: no perlcritic to profile', 1 if !$perlcritic;
    in_time(1, 150 << 10, 'html', '-o', "$dir/critic", $perlcritic);
    my $all = 0;
    $all += -s for glob "$dir/critic/*";
    cmp_ok $all, '<=', 15e6, "$all bytes of perlcritic's report";
    in_time(1, 150 << 10, 'csv', '-o', "$dir/critic-csv", $perlcritic);
}
done_testing;

# Runs the command with limited address space.
sub within {
    my ($kilobytes, @arguments) = @_;
    return ('bash', '-c', "ulimit -v $kilobytes; exec \"\$@\"", 'bash', "$TOP/build/nytprof", @arguments);
}

sub in_time {
    my ($most, $kilobytes, @arguments) = @_;
    my $seconds = cpu_seconds(within($kilobytes, @arguments));
    my $is_whole = -s "$arguments[2]/.nytprof-pages";
    ok $is_whole && $seconds <= $most, "$arguments[0] in $seconds s, $most s and $kilobytes kB at most";
    return;
}
