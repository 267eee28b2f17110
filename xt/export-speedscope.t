# SPDX-License-Identifier: MIT
# Speedscope's schema, by ajv, and its page in a browser without a window take what `nytprof speedscope` writes.
use strict;
use warnings;

use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Builds qw(small);
use Exports qw(capture captures export nanoseconds node_packages node_script scratch);
use Pages qw(fixtures);
use Speedscope qw(looks own_times);
use Tree qw(slurp spew);

my $schema = node_packages() . '/node_modules/speedscope/dist/release/file-format-schema.json';
my $sample = export('speedscope', fixtures() . '/sample.out');
is node_script('ajv.mjs', $schema, $sample), '', 'the sample is as the schema says';
spew(scratch() . '/breach.json', slurp($sample) =~ s/"nanoseconds"/"minutes"/r);
isnt node_script('ajv.mjs', $schema, scratch() . '/breach.json'), '', 'planted: an unknown unit';

my ($seen) = looks($sample);
is_deeply [ @{$seen}{qw(title trouble)} ], [ '/app/main.pl - speedscope', [] ], 'speedscope shows the sample';
is_deeply own_times($seen->{saved}, 0),
    { 'main::RUNTIME' => 1000, 'A::work' => 2000, 'A::inner' => 3700, 'List::Util::sum' => 500 }, 'with its times';
is_deeply own_times($seen->{saved}, 1), { 'A::work' => 2, 'A::inner' => 4, 'List::Util::sum' => 4 }, 'and calls';

my @names = captures();
my %file  = map { ($_ => export('speedscope', capture($_))) } @names;
is node_script('ajv.mjs', $schema, values %file), '', 'all captures are as the schema says';
my @seen = looks(@file{@names});
for my $i (0 .. $#names) {
    is_deeply $seen[$i]{trouble}, [], "$names[$i]: speedscope shows it";
    my @times = grep { $_->{name} =~ /\btime$/ } @{ $seen[$i]{saved}{profiles} };
    is sum0(map { $_->{endValue} } @times), nanoseconds(capture($names[$i])), 'with all the time of the run';
}

# --- a build ----------------------------------------------------------------------------------------------------------

spew(scratch() . '/small.build', small());
my $build = export('speedscope', scratch() . '/small.build');
is node_script('ajv.mjs', $schema, $build), '', 'a build is as the schema says';
($seen) = looks($build);
is_deeply $seen->{trouble}, [], 'speedscope shows it';
is_deeply [ map { own_times($seen->{saved}, $_)->{gcc} } 0 .. 2 ], [ 33_005_000_000, 55_000_000_000, 2 ],
    'with its CPU time, its real time and its processes';
done_testing;
