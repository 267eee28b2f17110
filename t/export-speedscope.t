# SPDX-License-Identifier: MIT
# `nytprof speedscope`: sampled profiles of each process and value, read back.
use strict;
use warnings;

use FindBin;
use JSON::PP ();
use List::Util qw(max sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use LuaCapture qw(lua_capture);
use Pages qw(fixtures);
use Tree qw(spew);

my $captures = fixtures();
spew("$captures/lua.out", lua_capture(memory => 1));

# What `nytprof speedscope OPTIONS... CAPTURE` writes, and that its parts agree.
sub exported {
    my (@arguments) = @_;
    my ($json, $err, $exit) = nytprof('speedscope', '-o', '-', @arguments);
    is "$exit$err", '0', "nytprof speedscope @arguments" =~ s/\S+\///gr;
    my $data = JSON::PP->new->utf8->decode($json);
    my $frames = @{ $data->{shared}{frames} };
    for my $profile (@{ $data->{profiles} }) {
        my ($samples, $weights) = @{$profile}{qw(samples weights)};
        is scalar @$samples, scalar @$weights, 'a sample has a weight';
        is $profile->{endValue}, sum0(@$weights), 'of which the end is the sum';
        cmp_ok max(-1, map {@$_} @$samples), '<', $frames, 'frames are there';
    }
    return $data;
}

# { 'main A::work' => weight } of one profile.
sub paths {
    my ($data, $i) = @_;
    my $profile = $data->{profiles}[$i];
    my @name = map { $_->{name} =~ s/main::RUNTIME/main/r } @{ $data->{shared}{frames} };
    my %weight;
    my ($samples, $weights) = @{$profile}{qw(samples weights)};
    $weight{ join ' ', @name[ @{ $samples->[$_] } ] } += $weights->[$_] for 0 .. $#$weights;
    return \%weight;
}

my $sample = exported("$captures/sample.out");
is_deeply paths($sample, 0), { 'main' => 1000, 'main A::work' => 2000, 'main A::work A::inner' => 3000,
    'main A::work List::Util::sum' => 500, 'main A::inner' => 700 }, 'times';
is_deeply paths($sample, 1), { 'main A::work' => 2, 'main A::work A::inner' => 3, 'main A::work List::Util::sum' => 4,
    'main A::inner' => 1 }, 'calls';
is_deeply [ map {"$_->{name} $_->{unit}"} @{ $sample->{profiles} } ], [ 'time nanoseconds', 'calls none' ], 'names';
is $sample->{name}, '/app/main.pl', 'the program';
is_deeply [ grep { $_->{name} eq 'A::inner' } @{ $sample->{shared}{frames} } ],
    [ { name => 'A::inner', file => '/app/lib/A.pm', line => 10 } ], 'a sub is one frame, where it begins';
is_deeply $sample->{profiles}[0]{weights}, [ 1000, 2000, 3000, 500, 700 ], 'depth first, the heaviest first';

is_deeply [ map {"$_->{name} $_->{endValue}"} @{ exported("$captures/processes.out")->{profiles} } ],
    [ '/app/main.pl (process 4711): time 7200', '/app/main.lua (process 4713): time 6000',
        '/app/main.pl (process 4712): time 4900', '/app/main.pl (process 4711): calls 10',
        '/app/main.lua (process 4713): calls 8', '/app/main.pl (process 4712): calls 5' ], 'each process is apart';
my $lua = exported("$captures/lua.out");
is_deeply [ map {"$_->{name} $_->{unit} $_->{endValue}"} @{ $lua->{profiles} } ],
    [ 'time nanoseconds 100', 'calls none 5', 'Allocations none 17', 'Bytes allocated bytes 1350' ], 'metrics';
is exported('--metric', 'bytes', "$captures/lua.out")->{profiles}[0]{name}, 'Bytes allocated', 'the ranking one first';

is_deeply paths(exported('--from', 'A::work', "$captures/sample.out"), 0), { 'A::work' => 2000,
    'A::work A::inner' => 3000, 'A::work List::Util::sum' => 500 }, 'paths from a sub';
is_deeply paths(exported('--filter', 'sum', "$captures/sample.out"), 0), { 'main A::work List::Util::sum' => 500 },
    'paths with a sub';
is_deeply paths(exported('--min-percent', 20, "$captures/sample.out"), 0), { 'main' => 1700, 'main A::work' => 2500,
    'main A::work A::inner' => 3000 }, 'what is too little for a frame is its caller\'s';

my $hostile = exported("$captures/hostile.out");
my @hidden = grep {/[\x00-\x1F\x7F\x{202A}-\x{202E}]/} map {values %$_} @{ $hostile->{shared}{frames} };
is_deeply \@hidden, [], 'nothing in a name is invisible';
is exported("$captures/zero.out")->{profiles}[0]{endValue}, 0, 'no time is a profile, too';
for my $capture (glob "$FindBin::Bin/data/*.out") {
    my @times = grep { $_->{name} =~ /\btime$/ } @{ exported($capture)->{profiles} };
    is sum0(map { $_->{endValue} } @times), total($capture), 'all paths have the time of folded stacks';
}
done_testing;

sub total { return sum0(map {/ (\d+)$/} split /\n/, (nytprof('folded', $_[0]))[0]) }
