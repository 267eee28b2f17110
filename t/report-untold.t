# SPDX-License-Identifier: MIT
# What profiling costs is an estimate, so a time that is smaller than the estimate's error cannot be told from nothing:
# every view shows one sign for it, whether it came out above zero or below. Where numbers are wanted they are kept, but
# none is negative.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk d i nytprof record text u);
use PageData qw(page_data);
use Tree qw(slurp);

my $dir = tempdir(CLEANUP => 1);

# A tick is a nanosecond. A statement costs 10, give or take 2; to enter a C function 4, give or take 1.
my ($STATEMENT, $LEAF) = (0, 4);
my @lines = ([ 1000, 12_000 ], [ 1000, 9_000 ], [ 1000, 12_001 ], [ 1, 100_010 ]); # statements, raw ticks
my @subs = (['main::near', 2], ['main::far', 2], ['main::wrap', 0]); # 2: in C
my @nodes = ( # parent, line, sub, calls, raw ticks, of these in C
    [ 0, 4, 1, 1000, 4_900, 1000 ], [ 0, 4, 2, 1000, 5_001, 1000 ], [ 0, 4, 3, 1, 50, 0 ],
    [ 3, 5, 1, 2000, 9_000, 2000 ],
);

sub report {
    my ($spread) = @_;
    my $start = join '', map({ u($_) } 1, 0, 17e17), i(0), u(1_000_000_000), u(1), i(1001),
        map { Capture::s($_) } qw(fake x.pl perl);
    my @records = (
        record(1, $start), record(7, (map { u($_) } 1, 0, 0, 0, 0, 0), Capture::s('/x.pl')),
        record(8, u(1), u(1), Capture::s("f();\n" x 5)),
        (map { record(10, (map { u($_) } $_, $subs[ $_ - 1 ][1], $subs[ $_ - 1 ][1] ? 0 : 1, 5, 5, 1),
            Capture::s($subs[ $_ - 1 ][0]), Capture::s('')) } 1 .. @subs),
        (map { record(11, map { u($_) } $_, 1, ($_) x 3) } 1 .. 5),
        (map { record(12, map { u($_) } $_, @{ $nodes[ $_ - 1 ] }[ 0 .. 2 ]) } 1 .. @nodes),
        record(30, u($STATEMENT), i(10), u(2 * $spread), u(9)), record(30, u($LEAF), i(4), u($spread), u(9)),
        (map { record(31, d($_, 0), map { i($_) } @{ $lines[ $_ - 1 ] }, (0) x 4) } 1 .. @lines),
        (map { record(32, d($_, 0), map { i($_) } @{ $nodes[ $_ - 1 ] }[ 3, 4 ], (0) x 4, $nodes[ $_ - 1 ][5], 0) }
            1 .. @nodes),
        record(32, d(0, 0), map { i($_) } 0, 200_000, (0) x 6),
    );
    my $capture = text(program => 'x.pl') . chunk(join '', @records);
    my (undef, $said, $exit) = nytprof('html', '-o', "$dir/$spread", \$capture);
    is "$exit$said", '0', 'there is a report';
    nytprof('csv', '-o', "$dir/$spread", \$capture);
    return { map { (/([^\/]+)$/ => slurp($_)) } glob "$dir/$spread/*" };
}

# What is shown of a line of source, and of a sub on the index page.
sub line_of {
    my ($report, $line) = @_;
    my ($page) = grep {/-line\.html$/} sort keys %$report;
    my ($row) = $report->{$page} =~ /<td id=$line>(.*?)(?=<tr|<\/table|<\/tbody)/s or return;
    my (undef, $time) = $row =~ /<td[^>]*>([^<]*)<td[^>]*>([^<]*)/ or return;
    return $time;
}

sub row_of {
    my ($report, $name) = @_;
    my ($row) = grep {/\b$name\b/} $report->{'index.html'} =~ /<tr>(.*?)<\/tr>/sg;
    my (undef, undef, undef, $exclusive, $share, $inclusive, $each) = $row =~ /<td[^>]*>([^<]*)/g;
    return "$exclusive, $share, $inclusive, $each";
}

my $report = report(1);
is line_of($report, 1), '~0 s',       'a line whose time is within its error of zero';
is line_of($report, 2), '~0 s',       'one that came out below zero';
is line_of($report, 3), "2.00 \xC2\xB5s", 'a line with a time larger than its error';
is row_of($report, 'main::near'), '~0 s, 0.00 %, ~0 s, ~0 s', 'likewise a sub, its share, the time of a call';
like row_of($report, 'main::far'), qr/^1\.00 \xC2\xB5s, 0\.\d+ %, 1\.00 \xC2\xB5s, 1 ns$/, 'and one that is above';
like row_of($report, 'main::wrap'), qr/^50 ns, 0\.\d+ %, ~0 s, ~0 s$/, 'errors of what a sub calls add to its own';

my ($page) = grep {/-line\.html$/} sort keys %$report;
like $report->{$page}, qr{<b>~0 s</b> <i></i> <i>1,000 calls</i> <i>~0 s each</i> <span>to .*?main::</small>near},
    'below a line, what it called';
like $report->{$page}, qr{<b>~0 s</b> <i>50 ns self</i> <i>1 call</i> <i></i> <span>to .*?main::</small>wrap},
    'and that with its own part';
like $report->{$page}, qr/main::near.*?<b>~0 s<\/b> self .*?<b>~0 s<\/b> total/s,
    'above a sub, what it took';

my $data = page_data($report->{'data.js'});
my %flags = map { ($_->{name} => $_->{flags}) } @{ $data->{subs} };
is_deeply [ map { $flags{"main::$_"} & ~3 } qw(near far wrap) ], [ 16 + 32, 0, 32 ], 'data.js tells the script of subs';
my %node = map { ("$data->{subs}[ $_->[1] ]{name} $_->[2]" => $_->[7]) } @{ $data->{tree} };
is_deeply [ @node{ map {"main::$_"} 'near 1000', 'near 2000', 'far 1000', 'wrap 1' } ], [ 3, 3, 0, 2 ],
    'and of calls in the tree: 1 of self, 2 of total';

my ($csv) = map { $report->{$_} } grep {/\.csv$/} sort keys %$report;
my @times = $csv =~ /^(-?[\d.]+),\d/mg;
is_deeply [ grep { $_ < 0 } @times ], [], 'no number in csv is negative';
is $times[0], '0.000002', 'and none is less than it came out';

my $exact = report(0);
is line_of($exact, 1), "2.00 \xC2\xB5s", 'where prices are exact, so are times';
is line_of($exact, 2), '~0 s', 'but for those below zero';
like row_of($exact, 'main::near'), qr/^1\.90 \xC2\xB5s, /, 'of subs, too';

done_testing;
