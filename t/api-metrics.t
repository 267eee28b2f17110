# SPDX-License-Identifier: MIT
# Devel::NYTProf::Data: what a profile has counted besides executions and time.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", map {"$FindBin::Bin/../blib/$_"} qw(lib arch);

BEGIN { delete @ENV{qw(NYTPROF NYTPROF_ONLOAD)} }

use Devel::NYTProf::Data;
use LuaCapture qw(lua_capture metric values_of);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);

sub profile_of {
    spew("$dir/profile", lua_capture(@_));
    return Devel::NYTProf::Data->new({ filename => "$dir/profile", quiet => 1 });
}

my ($allocations, $bytes) = profile_of(memory => 1)->metrics;
is_deeply $bytes, {
    name => 'bytes', title => 'Bytes allocated', unit => 'B', adds => 'sum', total => 1350,
    lines => { 1 => { 1 => 300, 2 => 50, 5 => 1000 } },
    subs  => { '(host)' => [ 1000, 1350 ], outer => [ 50, 350 ], inner => [ 300, 300 ] },
    }, 'a metric with its values by line and by sub';
is $allocations->{total}, 17, 'and each of the others';
my $depths = values_of([ 1, 2, 1, 3 ], [ 1, 2, 2, 5 ], [ 1, 2, 3, 4 ]);
my ($depth) = profile_of(more => [ metric(1, 2, 1, 'depth', '', 'Deepest stack'), $depths ])->metrics;
is_deeply [ @{$depth}{qw(adds total lines)}, $depth->{subs}{inner} ], [ 'max', 5, {}, [ 5, 5 ] ],
    'one whose largest value counts, and of calls only';
is_deeply [ profile_of()->metrics ], [], 'none where none was counted';

# An IV has 32 bits in some perls: counts of 64 bits become what nytp_data_set makes of them.
my @files = glob "$FindBin::Bin/../xs/perldata/*.[ch]";
is_deeply [ grep { slurp($_) =~ /newSViv\(\(IV\)|sv_setiv\(sv, (?!\(IV\)value\)|0\))/ } @files ], [],
    'no count is cut to the size of an IV';

done_testing;
