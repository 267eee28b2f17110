# SPDX-License-Identifier: MIT
# lcov and genhtml read `nytprof lcov`: the summary and the pages have its figures.
use strict;
use warnings;

use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../t/lib";
use Exports qw(capture captures export scratch wants works);
use Pages qw(run);
use Tree qw(slurp);

wants('lcov', 'genhtml');
my %is_absent = map { ($_ => 1) } qw(calls hostile zero five);    # their files are not on this disk, or may not be
for my $name (captures()) {
    my $file = export('lcov', capture($name));
    my $text = slurp($file);
    my %sum  = map { my $key = $_; ($key => sum0($text =~ /^$key:(\d+)$/mg)) } qw(LF LH FNF FNH);
    if (!$sum{LF}) {
        is $text, '', "$name: nothing at all";
        next;
    }
    my ($status, $said, $err) = run('lcov', '--summary', $file);
    is $status, 0, "$name: lcov reads it" or diag $err;
    like $said . $err, qr/lines\.+: [\d.]+% \($sum{LH} of $sum{LF} lines?\)/, 'and counts the same lines';
    like $said . $err, qr/functions\.+: (?:[\d.]+% \($sum{FNH} of $sum{FNF} functions?\)|no data)/, 'and functions';
    my $out     = scratch() . "/$name.genhtml";
    my @ignores = $is_absent{$name} ? ('--ignore-errors', 'source') : ();
    ($status, $said, $err) = run('genhtml', @ignores, '-o', $out, $file);
    is $status, 0, 'genhtml draws it' or diag $err;
    is join('', grep { !/ignore|cannot read|uncertain|^\s*$/ } split /^/, $err), '', 'without a complaint' if !@ignores;
    like $said, qr/lines\.+: [\d.]+% \($sum{LH} of $sum{LF} lines?\)/, 'with the same figures';
}

# A page beside the counts that it shows.
my $file   = export('lcov', capture('perl'));
my ($path, $record) = slurp($file) =~ m{^SF:(\S+/program\.pl)\n(.*?)^end_of_record}ms;
my %count  = $record =~ /^DA:(\d+),(\d+)$/mg;
my ($page) = split /\n/, works('find', scratch() . '/perl.genhtml', '-name', 'program.pl.gcov.html');
my $shown  = slurp($page) =~ s/<[^>]*>//gr;
my %shown  = $shown =~ /^ *(\d+) +(?: {11,}|[^:]*?)(\d+) :/mg;
is_deeply \%shown, \%count, "genhtml's page of a program shows each line's count";
done_testing;
