# SPDX-License-Identifier: MIT
# `nytprof syscap`: captures of Sysprof, read back frame by frame.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text);
use Exported qw(export);
use LuaCapture qw(lua_capture numbers texts);
use Pages qw(fixtures);
use Syscap qw(syscap);
use Tree qw(slurp spew);

my $captures = fixtures();
my $dir = tempdir(CLEANUP => 1);

sub exported { return syscap(export('syscap', @_)) }

# { "main A::work" => ns }.
sub sums {
    my ($all) = @_;
    my %sum;
    $sum{ join(' ', @{ $_->{path} }) =~ s/main::RUNTIME/main/gr } += $all->{quantum} for @{ $all->{samples} };
    return \%sum;
}

my %expected = ('main' => 1000, 'main A::work' => 2000, 'main A::work A::inner' => 3000,
    'main A::work List::Util::sum' => 500, 'main A::inner' => 700);
my $sample = exported("$captures/sample.out");
is $sample->{quantum}, 1, 'a sample of a short run is a nanosecond';
is_deeply sums($sample), \%expected, 'times by path';
my @times = map { $_->{time} - $sample->{head}{start} } @{ $sample->{samples} };
is_deeply [ @times[ 0, 1, -1 ] ], [ 0, 1, 7199 ], 'samples are evenly spaced';
is $sample->{head}{time}, '2023-11-14T22:13:20Z', 'the time of the start';
is_deeply $sample->{marks}, [ [ 4711, 'perl 5.36.0', 'run', 17_200, 'a sample is 1 ns' ] ], 'the run is a mark';

my $processes = exported("$captures/processes.out");
is_deeply $processes->{processes}, { 4711 => '/app/main.pl', 4712 => '/app/main.pl', 4713 => '/app/main.lua' },
    'processes';
my %of;
$of{ $_->{pid} } += $processes->{quantum} for @{ $processes->{samples} };
is_deeply \%of, { 4711 => 7200, 4712 => 4900, 4713 => 6000 }, 'and the time of each';
is_deeply [ @{ $processes->{frames} }{ 4 .. 7 } ], [ 3, 3, 3, 1 ], 'processes begin, are forked, end';

spew("$dir/lua.out", lua_capture(memory => 1));
is_deeply exported("$dir/lua.out")->{counters}, { allocations => [ 0, 17 ], bytes => [ 0, 1350 ] },
    'metrics are counters';

is exported('--filter', 'inner', "$captures/sample.out")->{total}, 3700, 'paths with a sub of that name';
is exported("$captures/zero.out")->{total}, 0, 'no time is a capture, too';
for my $capture ("$captures/calls.out", "$FindBin::Bin/data/v5-plain.out") {
    my $folded = sum0(map {/ (\d+)$/} split /\n/, (nytprof('folded', $capture))[0]);
    my $all = exported($capture);
    cmp_ok abs($all->{total} - $folded), '<', $all->{quantum}, 'the total is off by less than a sample';
    cmp_ok scalar @{ $all->{samples} }, '<=', 20_000, 'of which there are 20000 at most';
}
my $bytes = slurp(export('syscap', "$FindBin::Bin/data/v5-plain.out"));
is slurp(export('syscap', "$FindBin::Bin/data/v5-plain.out")), $bytes, 'the same capture makes the same file';

# --- a process of which only the end is left ---

my $start = record(1, numbers(1, 0, 17e17), i(0), numbers(1_000_000_000, 1), i(1001), texts('fake', 'x.pl', 'perl'));
my @lost = (chunk(record(14, numbers(0), i(1), i(7)), pid => 4712, number => 2, process_start => 0));
spew("$captures/lost.out", join '', text(), chunk($start . record(14, numbers(0), i(1), i(5))), @lost);
nytprof('syscap', '-o', "$captures/lost.syscap", "$captures/lost.out");
my ($began) = unpack 'x4 x4 x64 Q< Q<', slurp("$captures/lost.syscap");
is $began, "17" . "0" x 17, 'which began no earlier than the first one';

done_testing;
