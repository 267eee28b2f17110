# A report on a program of ten thousand files, a hundred thousand subs and three hundred thousand calling contexts:
# thirty seconds of CPU, a gigabyte of memory and three hundred megabytes of pages at most, every link to one of them.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Browser qw(large);
use Pages qw(run);
use Profiled qw(cpu_seconds $TOP);
use Tree qw(slurp);

my ($SECONDS, $KILOBYTES, $BYTES, $PAGE_BYTES) = (30, 1 << 20, 300e6, 4e6);

my $dir = tempdir(CLEANUP => 1);
my $capture = large($dir, 10_000, 100_000, 300_000);

my @report = ('bash', '-c', "ulimit -v $KILOBYTES; exec \"\$@\"", 'bash', "$TOP/build/nytprof", 'html');
my $seconds = cpu_seconds(@report, '-o', "$dir/report", $capture);
cmp_ok $seconds, '<=', $SECONDS, "a report in $seconds s";
my ($status, undef, $err) = run("$TOP/build/nytprof", 'csv', '-o', "$dir/csv", $capture);
is "$status$err", '0', 'and CSV files';

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

done_testing;
