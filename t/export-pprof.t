# SPDX-License-Identifier: MIT
# `nytprof pprof`: the protocol buffer of Go's pprof, read back field by field.
use strict;
use warnings;

use Compress::Zlib qw(memGunzip);
use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(has_zlib nytprof);
use Exported qw(export);
use LuaCapture qw(lua_capture);
use Pages qw(fixtures);
use Pprof qw(pprof);
use Tree qw(slurp);

my $captures = fixtures();
my $dir = tempdir(CLEANUP => 1);

sub exported { return pprof(export('pprof', @_)) }

# { "main:6 A::work:4" => sum of values } with lines, but without files.
sub sums {
    my ($profile, $value) = @_;
    my %sum;
    for my $sample (@{ $profile->{samples} }) {
        my $path = join ' ', map { "$_->[0]:$_->[2]" =~ s/main::RUNTIME/main/r } @{ $sample->{path} };
        $sum{$path} += $sample->{values}[$value] if $sample->{values}[$value];
    }
    return \%sum;
}

# --- known numbers ---------------------------------------------------------------------------------------------------

my $sample = exported("$captures/sample.out");
is_deeply sums($sample, 1), { 'main:5' => 1000, 'main:6 A::work:4' => 2000, 'main:6 A::work:5 A::inner:11' => 3000,
    'main:6 A::work:6 List::Util::sum:0' => 500, 'main:7 A::inner:11' => 700 }, 'times by path and line';
is_deeply sums($sample, 0), { 'main:6 A::work:3' => 2, 'main:6 A::work:5 A::inner:10' => 3,
    'main:6 A::work:6 List::Util::sum:0' => 4, 'main:7 A::inner:10' => 1 }, 'calls are at the first line of a sub';
is_deeply [ @{$sample}{qw(types default total program duration)} ],
    [ [ 'calls/count', 'wall/nanoseconds' ], 'wall', 7200, '/app/main.pl', 17_200 ], 'types of values, and the program';
like $sample->{comment}, qr/^Devel::NYTProf \d/, 'and what has written it';
my %file = map { ($_->[0] => $_->[1]) } map { @{ $_->{path} } } @{ $sample->{samples} };
is_deeply \%file, { 'main::RUNTIME' => '/app/main.pl', 'A::work' => '/app/lib/A.pm', 'A::inner' => '/app/lib/A.pm',
    'List::Util::sum' => '' }, 'files of subs';
is $sample->{samples}[0]{values}[1], 3000, 'the path with the most time comes first';

my $processes = exported("$captures/processes.out");
my %of;
$of{"$_->{labels}{pid} $_->{labels}{process}"} += $_->{values}[1] for @{ $processes->{samples} };
is_deeply \%of, { '4711 /app/main.pl' => 7200, '4712 /app/main.pl' => 4900, '4713 /app/main.lua' => 6000 },
    'processes of one capture, by labels';
is_deeply { %{ $processes->{subs} }{qw(A::fact outer)} }, { 'A::fact' => 2100, outer => 2000 },
    'a recursion, and a function in Lua';
my ($eval) = grep { $_->{path}[-1][0] =~ /ANON/ } @{ $processes->{samples} };
is join(':', @{ $eval->{path}[0] }[ 1, 2 ]), '/app/main.pl:10', 'a call in a string eval is at the line of the eval';

# --- metrics ---------------------------------------------------------------------------------------------------------

Tree::spew("$dir/lua.out", lua_capture(memory => 1));
my $lua = exported("$dir/lua.out");
is_deeply $lua->{types}, [qw(calls/count wall/nanoseconds allocations/count bytes/bytes)], 'metrics are types of them';
is_deeply [ map { sum0(values %{ sums($lua, $_) }) } 2, 3 ], [ 17, 1350 ], 'with all that was counted';
$lua = exported('--metric', 'bytes', "$dir/lua.out");
is_deeply [ @{$lua}{qw(types default)} ], [ [qw(calls/count wall/nanoseconds bytes/bytes)], 'bytes' ],
    'one that ranks is the default';

# --- selections ------------------------------------------------------------------------------------------------------

is_deeply sums(exported('--from', 'A::work', "$captures/sample.out"), 1), { 'A::work:4' => 2000,
    'A::work:5 A::inner:11' => 3000, 'A::work:6 List::Util::sum:0' => 500 }, 'paths from a sub';
is exported('--filter', 'inner|sum', "$captures/sample.out")->{total}, 4200, 'paths with a sub of that name';
is exported('--package', 'List', "$captures/sample.out")->{total},     500,  'of that package';
is exported('--source', 'A.pm', "$captures/sample.out")->{total},      6200, 'of that file';
my $large = exported('--min-percent', '20', "$captures/sample.out");
is_deeply sums($large, 1), { 'main:5' => 1000, 'main:7' => 700, 'main:6 A::work:4' => 2000, 'main:6 A::work:6' => 500,
    'main:6 A::work:5 A::inner:11' => 3000 }, 'what is too little for a frame is its caller\'s';

# --- the file --------------------------------------------------------------------------------------------------------

my $bytes = slurp(export('pprof', "$captures/calls.out"));
if (has_zlib()) {
    is unpack('H*', substr $bytes, 0, 10), '1f8b08000000000000ff', 'a gzip file without name, time and system';
    my ($crc, $size) = unpack 'V2', substr $bytes, -8;
    my $raw = memGunzip(my $copy = $bytes);
    is "$crc $size", Compress::Zlib::crc32($raw) . ' ' . length $raw, 'whose checksum is right';
}
else { unlike $bytes, qr/^\x1F\x8B/, 'without zlib a plain one' }
# How igzip deflates depends on addresses: once in some hundred runs the file is another one.
sub plain { my ($packed) = @_; return has_zlib() ? memGunzip($packed) : $packed }
is plain(slurp(export('pprof', "$captures/calls.out"))), plain($bytes), 'the same capture makes the same profile';
is exported("$captures/zero.out")->{total}, 0, 'no time is a profile, too';
is exported("$FindBin::Bin/data/v5-plain.out")->{total}, total("$FindBin::Bin/data/v5-plain.out"),
    'so is a file of format 5';

done_testing;

sub total {
    my ($capture) = @_;
    return sum0(map {/ (\d+)$/} split /\n/, (nytprof('folded', $capture))[0]);
}
