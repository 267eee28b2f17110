# SPDX-License-Identifier: MIT
# What the reports add up to is what was counted: the statements and calls of all pages and of all CSV files against
# those of `nytprof dump`, for programs with evals, with modules and with subs that call themselves.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(of records);
use Pages qw(pages run text_of);
use Profiled qw(command $TOP);

my $NYTPROF  = "$TOP/build/nytprof";
my $pod2text = (grep {-x} map {"$_/pod2text"} split /:/, $ENV{PATH})[0];
my %program  = (
    fib      => ["$TOP/t/bench/fib.pl", 10],
    evals    => ["$TOP/t/bench/evals.pl", 30],
    oo       => ["$TOP/t/bench/oo.pl", 2],
    text     => ["$TOP/t/bench/text.pl", 1],
    pod2text => [ $pod2text, $pod2text ],
);
my $dir = tempdir(CLEANUP => 1);
for my $name (sort keys %program) {
    subtest $name => sub { check("$dir/$name", @{ $program{$name} }) };
}

my $pages = pages("$dir/evals.html");
my ($one) = sort grep {/^eval-/} keys %$pages;
isnt statements_of({ %$pages, $one => '' }), statements_of($pages), 'planted: a page without its statements';
done_testing;

sub check {
    my ($path, @program) = @_;
    is +(run(command('ours', { file => "$path.out" }, @program)))[0], 0, 'it runs';
    is +(run($NYTPROF, $_, '-o', "$path.$_", "$path.out"))[0], 0, "nytprof $_" for qw(html csv);

    my @records = records("$path.out");
    my ($statements, $calls) = map { sum0(map { $_->{count} } of($_, @records)) } qw(place_delta node_delta);
    cmp_ok $_, '>', 0, 'something was counted' for $statements, $calls;

    my $html = pages("$path.html");
    is statements_of($html), $statements, 'the source pages have all statements';
    is calls_on_pages($html), $calls, 'and all calls';
    my ($says) = text_of($html->{'index.html'}) =~ /profiled.*? ([\d,]+ statements [\d,]+ sub calls)/;
    is $says =~ tr/,//dr, "$statements statements $calls sub calls", 'the index says so';
    is calls_by_package($html->{'subs-xs.html'}), $calls, 'the list of packages has all calls';

    my $csv = pages("$path.csv");
    my @rows = map { split /\n/ } map { $csv->{$_} } grep {/-line\.csv$/} keys %$csv;
    is sum0(map { (split /,/)[1] } grep {/^-?\d/} @rows), $statements, 'the CSV files have all statements';
    return;
}

# The column of statements, on every page of source: where it has several levels, that of lines.
sub statements_of {
    my ($pages) = @_;
    my $row = qr{<tr[^>]*><td(?: id=\d+>|>\d+)<td>(?:<i>)?([\d,]+)};
    return sum0(map { tr/,//dr } map { $pages->{$_} =~ /$row/g } grep {/-line\.html$/} keys %$pages);
}

# What stands above each sub that was called, or, of a sub without a heading, below its line.
sub calls_on_pages {
    my ($pages) = @_;
    my $said = qr{total \xC2\xB7 ([\d,]+) calls?\b|>([\d,]+) calls?</i> <i>[^<]*</i> <span>to (?!<a )};
    return sum0(map { tr/,//dr } grep {defined} map { $_ =~ /$said/g } values %$pages);
}

sub calls_by_package {
    my ($page) = @_;
    return sum0(map {tr/,//dr} $page =~ /^<tr><td>[\d,]+<td>([\d,]+)</mg);
}
