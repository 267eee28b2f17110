# SPDX-License-Identifier: MIT
# Devel::NYTProf::Core, Constants and Util.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib map {"$FindBin::Bin/../blib/$_"} qw(lib arch);

BEGIN { delete @ENV{qw(NYTPROF NYTPROF_FMT_TIME)} }

use Devel::NYTProf::Constants qw(:DEFAULT const_bits2names);
use Devel::NYTProf::Util qw(
    fmt_float fmt_time fmt_incl_excl_time get_alternation_regex get_abs_paths_alternation_regex make_path_strip_editor
    strip_prefix_from_paths calculate_median_absolute_deviation html_safe_filename trace_level
);

# --- Core and Constants -----------------------------------------------------------------------------------------------

for my $module (qw(Constants Data FileHandle ReadStream Reader Run SubInfo FileInfo Util)) {
    require_ok "Devel::NYTProf::$module";
    is "Devel::NYTProf::$module"->VERSION, $Devel::NYTProf::Core::VERSION, "11 $module has Core's version";
}
is $Devel::NYTProf::StrEvalTestPad, $] > 5.017004 ? '' : ";\n", '$StrEvalTestPad';

my %expected = (
    NYTP_FIDf_ => [ qw(IS_PMC 1 VIA_STMT 2 VIA_SUB 4 IS_AUTOSPLIT 8 HAS_SRC 16 SAVE_SRC 32 IS_ALIAS 64 IS_FAKE 128
        IS_EVAL 256) ],
    NYTP_FIDi_ => [ qw(FILENAME 0 EVAL_FID 1 EVAL_LINE 2 FID 3 FLAGS 4 FILESIZE 5 FILEMTIME 6 PROFILE 7 EVAL_FI 8
        HAS_EVALS 9 SUBS_DEFINED 10 SUBS_CALLED 11 elements 12) ],
    NYTP_SIi_ => [ qw(FID 0 FIRST_LINE 1 LAST_LINE 2 CALL_COUNT 3 INCL_RTIME 4 EXCL_RTIME 5 SUB_NAME 6 PROFILE 7
        REC_DEPTH 8 RECI_RTIME 9 CALLED_BY 10 elements 11) ],
    NYTP_SCi_ => [ qw(CALL_COUNT 0 INCL_RTIME 1 EXCL_RTIME 2 INCL_TICKS 3 EXCL_TICKS 4 RECI_RTIME 5 REC_DEPTH 6
        CALLING_SUB 7 elements 8) ],
    NYTP_ => [ FILE_MAJOR_VERSION => 5, FILE_MINOR_VERSION => 0 ],
);
my (%found, %wanted);
for my $prefix (keys %expected) {
    my %value = @{ $expected{$prefix} };
    $wanted{"$prefix$_"} = $value{$_} for keys %value;
}
for my $name (grep {/^NYTP_/} keys %Devel::NYTProf::Constants::) {
    $found{$name} = Devel::NYTProf::Constants->can($name)->();
}
is_deeply [ sort keys %found ], [ sort grep {/^NYTP_/} @Devel::NYTProf::Constants::EXPORT_OK ],
    'whatever begins with NYTP_ is a function and can be imported';
like delete $found{NYTP_DEFAULT_COMPRESSION}, qr/^[06]$/,      'the default compression';
like delete $found{NYTP_ZLIB_VERSION},        qr/^\d[\d.]*/, 'the version of zlib';
is_deeply \%found, \%wanted, 'the numbers are what they have always been';

is_deeply [ const_bits2names('NYTP_FIDf', 52) ], [qw(NYTP_FIDf_VIA_SUB NYTP_FIDf_HAS_SRC NYTP_FIDf_SAVE_SRC)],
    'const_bits2names: a list, low to high';
is scalar const_bits2names('NYTP_FIDf', 3), 'NYTP_FIDf_IS_PMC | NYTP_FIDf_VIA_STMT', 'and a string';
is_deeply [ const_bits2names('NYTP_FIDx', 3) ], [], 'of no group, nothing';
is scalar const_bits2names('NYTP_FIDx', 3), undef, 'nor text';
is scalar const_bits2names('NYTP_FIDf', 0), '', 'unlike no bits';

# --- Util -------------------------------------------------------------------------------------------------------------

my @floats = (
    [ [0], 0 ], [ [7], 7 ], [ [-3], -3 ], [ [1.5], '1.50000' ], [ [0.00004], '4.0e-5' ], [ [0.0001], '0.00010' ],
    [ [ 1.5, 2 ], '1.50' ], [ [ 0.00004, 6 ], '0.000040' ], [ [1e-120], '1.0e-120' ], [ [-1.25], '-1.25000' ],
);
is fmt_float(@{ $_->[0] }), $_->[1], "fmt_float(@{ $_->[0] })" for @floats;

my $micro = "\xC2\xB5s";
my @times = (
    [ 0, '0s' ], [ 1e-9, '1ns' ], [ 4.6e-7, '460ns' ], [ 1e-6, "1$micro" ], [ 1.5e-5, "15$micro" ], [ 0.001, '1.00ms' ],
    [ 0.0123456, '12.3ms' ], [ 0.123456, '123ms' ], [ 1, '1.00s' ], [ 12.345, '12.3s' ], [ 100.6, '101s' ],
    [ -0.5, '-500ms' ],
);
is fmt_time($_->[0]), $_->[1], "fmt_time($_->[0])" for @times;
is fmt_time(undef), undef, 'fmt_time of undef is undef';
is fmt_time(0.5, 8), '     500ms', 'fmt_time with a width';
{
    local $ENV{NYTPROF_FMT_TIME} = '%.3f';
    is fmt_time(0.5), '0.500', 'NYTPROF_FMT_TIME';
}
my @pairs = (
    [ 1, 1, '1.00s' ], [ 0.01, 0.005, '10.0ms (5.00+5.00)' ], [ 1, 0.001, '1.00s (1.00ms+999ms)' ],
    [ 1.5, 0, '1.50s (0+1.50)' ],
);
is fmt_incl_excl_time(@$_[ 0, 1 ]), $_->[2], "fmt_incl_excl_time(@$_[0, 1])" for @pairs;

my %safe = ('/a/b.pm' => 'a-b-pm', '(eval 1)[x:3]' => '(eval 1)[x-3]', '--a--' => 'a', '<x>|"y"' => 'x-y', '/' => '');
is html_safe_filename($_), $safe{$_}, "html_safe_filename($_)" for sort keys %safe;

my @deviations = ([ [ 1, 2, 3, 4 ], 1, 3 ], [ [], 0, 0 ], [ [ 3, 1, 2 ], 1, 2 ], [ [ 0, 0, 5, 6, 7 ], 2, 5 ]);
is_deeply calculate_median_absolute_deviation($_->[0]), [ @$_[ 1, 2 ] ], "median of (@{ $_->[0] })"
    for @deviations;
is_deeply calculate_median_absolute_deviation([ 0, 0, 5, 6, 7 ], 1), [ 1, 6 ], 'without the zeros';
ok !eval { calculate_median_absolute_deviation(1); 1 }, 'without an array';
like $@, qr/No array ref given/, 'it dies';

my $any = get_alternation_regex([ 'a', 'abc', 'a.b' ]);
is_deeply [ 'abcd' =~ /^($any)/ ], ['abc'], 'get_alternation_regex: the longest first';
unlike 'axb', qr/^$any$/, 'quoted';
my $absolute = get_abs_paths_alternation_regex([ 'a', './b', '/cwd/c' ], '/cwd');
like "/cwd/$_/x", qr/^${absolute}x/, "get_abs_paths_alternation_regex: $_" for qw(a b c);
ok !eval { get_abs_paths_alternation_regex([]); 1 }, 'no paths';
like $@, qr/No paths/, 'dies';

my $editor = make_path_strip_editor([ '/a/b', '/a' ]);
my $path   = '/a/b/c';
ok $editor->($path), 'make_path_strip_editor says that it found something';
is $path, 'c', 'and edits in place';

my @paths = ('/a/b/c', 'x/a/b', [ '/a/d', ['/a/e'] ], undef);
is_deeply [ strip_prefix_from_paths([ '/a/b', '/a' ], \@paths) ], [], 'strip_prefix_from_paths returns nothing';
is_deeply \@paths, [ 'c', 'x/a/b', [ 'd', ['e'] ], undef ], 'edits in place, in nested arrays too';
@paths = ('(eval 1)[/a/b/c:1]');
strip_prefix_from_paths(['/a/b'], \@paths, qr/\[/, '');
is $paths[0], '(eval 1)[c:1]', 'an anchor stays';
ok !eval { strip_prefix_from_paths(1, []); 1 }, 'no array of directories';
like $@, qr/first argument must be array ref/, 'dies';
ok !eval { strip_prefix_from_paths(['/a'], 1); 1 }, 'no array of paths';
like $@, qr/second argument must be array ref/, 'dies';
is_deeply [ strip_prefix_from_paths([], \@paths), strip_prefix_from_paths(['/a'], undef) ], [],
    'without directories or paths there is nothing to do';

is trace_level(), 0, 'trace_level';
my @dumped = Devel::NYTProf::Util::_dumper({ b => 1, a => 2 }, [3]);
is scalar @dumped, 2, '_dumper: a string for each thing';
is $dumped[0], "\$VAR1 = {\n  'a' => 2,\n  'b' => 1\n};\n", 'sorted, with little indentation';

done_testing;
