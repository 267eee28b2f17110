# SPDX-License-Identifier: MIT
# Exports of the captures of builds: goldens of a small one (perl t/export-build.t --write writes t/golden/builds.txt),
# one sum in all formats, lanes, odd captures, and options.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP ();
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds qw(began capture ended many small stream);
use Capture qw(nytprof);
use JsonSchema qw(mismatches);
use Tree qw(slurp spew);

my $TOP    = "$FindBin::Bin/..";
my $dir    = tempdir(CLEANUP => 1);
my $golden = "$TOP/t/golden/builds.txt";
my $json   = JSON::PP->new->utf8;
local $ENV{TZ} = 'UTC';

my $schema = $json->decode((nytprof('json', '--build-schema'))[0]);
is_deeply $schema, $json->decode(slurp("$TOP/lib/Devel/NYTProf/nytprof-build-json-1.schema.json")),
    'nytprof json --build-schema prints the file';

# What a report makes of a file.
sub export {
    my ($report, @arguments) = @_;
    my $out = "$dir/out." . ($report eq 'csv' ? 'd' : 'file');
    my (undef, $err, $exit) = nytprof($report, '-o', $out, @arguments);
    is "$err$exit", '0', "$report @arguments" =~ s/\S+\///gr;
    return slurp($report eq 'csv' ? "$out/processes.csv" : $out);
}

# --- goldens ----------------------------------------------------------------------------------------------------------

my $small = "$dir/small.build";
spew($small, small());
my $all = '';
for my $call ([qw(folded)], [qw(folded --real)], [qw(folded --calls --stable)], [qw(folded --rate 1000)],
    [qw(chrome)], [qw(speedscope)], [qw(csv)], [qw(json)]) {
    my $text = export(@$call, $small);
    $all .= "== @$call\n" . $text =~ s/\Q$dir\E\///gr =~ s/NYTProf \d+\.\d+/NYTProf VERSION/gr;
}
spew($golden, $all) if "@ARGV" eq '--write';
is_deeply [ split /\n/, $all ], [ split /\n/, slurp($golden) ], 'all of it is as in t/golden/builds.txt';

# --- sums -------------------------------------------------------------------------------------------------------------

sub folded_sum { return sum0(map {/ (\d+)$/} split /\n/, export('folded', @_)) }

# Reads rows with quoted texts.
sub rows {
    my ($titles, @lines) = split /\n/, export('csv', @_);
    my @names = split /,/, $titles;
    my @rows;
    for my $line (@lines) {
        my @cells = map { s/\A"(.*)"\z/$1/sr =~ s/""/"/gr } $line =~ /("(?:[^"]|"")*"|[^,]*)(?:,|\z)/g;
        my %row;
        @row{@names} = @cells;
        push @rows, \%row;
    }
    return @rows;
}

# CPU in us, real time in ns with and without processes below, number of processes: all formats have the same ones.
sub check_sums {
    my ($name, $file) = @_;
    my $data = $json->decode(export('json', $file));
    is_deeply [ mismatches($data, $schema) ], [], "$name: JSON is as its schema says";
    my @processes = @{ $data->{processes} };
    my $cpu  = sum0(map { $_->{own_user_us} + $_->{own_system_us} } @processes);
    my $real = sum0(map { $_->{real_ns} } @processes);
    my $own  = sum0(map { $_->{own_real_ns} } @processes);
    is $data->{meta}{own_user_us} + $data->{meta}{own_system_us}, $cpu, 'the whole is the sum of the processes';
    is folded_sum($file), 1000 * $cpu, 'folded: CPU time';
    is folded_sum('--real', $file), $own, 'real time';
    is folded_sum('--calls', $file), scalar @processes, 'processes';
    my $scope = $json->decode(export('speedscope', $file));
    is_deeply [ map { $_->{endValue} } @{ $scope->{profiles} } ], [ 1000 * $cpu, $own, scalar @processes ],
        'speedscope has the same';
    is_deeply [ map { sum0(@{ $_->{weights} }) } @{ $scope->{profiles} } ], [ 1000 * $cpu, $own, scalar @processes ],
        'in its samples';
    my @rows = rows($file);
    is sum0(map { $_->{own_user_us} + $_->{own_system_us} } @rows), $cpu, 'so has csv';
    is sum0(map { $_->{own_real_ns} } @rows), $own, 'of real time';
    my @spans = grep { $_->{ph} eq 'X' } @{ $json->decode(export('chrome', $file))->{traceEvents} };
    is sprintf('%.0f', sum0(map { 1000 * $_->{dur} } @spans)), $real, 'lengths of events are those of the processes';
    is sum0(map { sprintf '%.0f', 1000 * $_->{ts} } @spans), sum0(map { $_->{began_ns} } @processes), 'and begins';
    return ($data, \@spans);
}

my ($data, $spans) = check_sums('small', $small);
is_deeply [ map { $_->{own_real_ns} / 1e9 } @{ $data->{processes} } ], [ 5, 15, 40, 80 ],
    "a process's own real time is that of no process below it";
is_deeply [ map { [ @$_{qw(status signal parent)} ] } @{ $data->{processes} } ],
    [ [ 2, 0, undef ], [ 0, 0, 0 ], [ 0, 0, 0 ], [ 0, 9, 0 ] ], 'status, signal and process above';
open my $out, '>:raw', "$dir/many.build" or die;
many($out, 2000, 8);
close $out or die;
($data, $spans) = check_sums('many', "$dir/many.build");

# --- lanes ------------------------------------------------------------------------------------------------------------

# In a thread of the timeline an event is behind the one before, or within it.
my %lanes;
push @{ $lanes{"$_->{pid} $_->{tid}"} }, [ map { sprintf '%.0f', 1000 * $_ } $_->{ts}, $_->{ts} + $_->{dur} ]
    for @$spans;
my $crossed = 0;
for my $lane (values %lanes) {
    my @open;
    for my $span (@$lane) {
        pop @open while @open && $open[-1][1] <= $span->[0];
        $crossed++ if @open && $span->[1] > $open[-1][1];
        push @open, $span;
    }
}
is $crossed, 0, 'events of a lane do not cross';
cmp_ok scalar keys %lanes, '<=', 10, 'there are no more lanes than processes at a time';
my $events = $json->decode(export('chrome', $small))->{traceEvents};
is_deeply [ map {"$_->{ph} $_->{id} $_->{tid} $_->{ts}"} grep { $_->{ph} =~ /[sf]/ } @$events ],
    [ 's 2 1 10000000', 'f 2 2 10000000' ], 'an arrow leads from a lane to the process that began in another one';

# --- odd captures -----------------------------------------------------------------------------------------------------

my $odd = "$dir/odd.build";
my $bytes = join '', map {chr} 1 .. 255;
spew($odd, capture(stream("h$bytes", 'preload') . began(1, 1, 0, [ 'make', $bytes ], "/$bytes", "=$bytes")
            . began(2, 2, 1, "a;b 7\n;$bytes", "/$bytes", "t;$bytes 12") . began(3, 2, 99, 'x')
            . ended(4, 2, 3, 1, 1)));
($data) = check_sums('odd', $odd);
is_deeply [ map { $_->{has_end} ? 1 : 0 } @{ $data->{processes} } ], [ 0, 0, 1 ], 'ends that are not known';
is_deeply [ map { scalar split /;/ } map {/^(.*) \d+$/} split /\n/, export('folded', $odd) ], [ 1, 2, 4 ],
    'semicolons of names divide no frames';
like +(rows($odd))[0]{target}, qr/^'=/, 'a target is no formula';

# --- options ----------------------------------------------------------------------------------------------------------

spew("$dir/rules", "schema KIND\n  class compile command ~ 'gcc'\n  default other\n");
like export('folded', '--classes', "$dir/rules", $small), qr/^other;a\/;a\.o;compile \d+$/m, '--classes';
for my $case ([ [qw(folded --subs)], 'folded: --subs is for profiles' ],
    [ [qw(folded --filter x)], "folded: --filter is for profiles, and $small is the capture of a build" ]) {
    my (undef, $err, $exit) = nytprof(@{ $case->[0] }, '-o', "$dir/none", $small);
    like "$exit $err", qr/^2 nytprof: \Q$case->[1]\E/, "@{ $case->[0] }: an error";
    ok !-e "$dir/none", 'without a file';
}

done_testing;
