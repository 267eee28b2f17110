# SPDX-License-Identifier: MIT
# Speedscope's page reads what `nytprof cpuprofile` writes as a profile of V8.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Exports qw(capture captures export nanoseconds);
use Pages qw(fixtures);
use Speedscope qw(looks own_times);

my @names = captures();
my @seen  = looks(export('cpuprofile', fixtures() . '/sample.out'), map { export('cpuprofile', capture($_)) } @names);
my $sample = shift @seen;
is_deeply $sample->{trouble}, [], 'speedscope shows the sample';
my $own = own_times($sample->{saved}, 0);
is_deeply { map { ($_ => sprintf '%.3f', $own->{$_}) } keys %$own },
    { 'main::RUNTIME' => '1.000', 'A::work' => '2.000', 'A::inner' => '3.700', 'List::Util::sum' => '0.500' },
    'with its times, in microseconds';
my ($inner) = grep { $_->{name} eq 'A::inner' } @{ $sample->{saved}{shared}{frames} };
is "$inner->{file}:$inner->{line}", 'file:///app/lib/A.pm:10', 'and places of subs';
for my $i (0 .. $#names) {
    is_deeply $seen[$i]{trouble}, [], "$names[$i]: speedscope shows it";
    my $ns = 1000 * $seen[$i]{saved}{profiles}[0]{endValue};
    is sprintf('%.0f', $ns), nanoseconds(capture($names[$i])), 'with all the time of the run';
}
done_testing;
