# SPDX-License-Identifier: MIT
# `nytprof callers`: the lines that call a sub, those that call these, and so on.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Calls qw(calls_capture);
use Capture qw(nytprof);
use Pages qw(fixtures);
use Profiled qw($TOP);
use Terminal qw(has_terminals on_terminal);
use Tree qw(spew);

my $captures = fixtures();

# --- levels -----------------------------------------------------------------------------------------------------------

my $sample = calls_capture(
    [ '',                               0,  100 ],
    [ 'main::baz:20',                   1,  50 ],
    [ 'main::baz:20 main::bar:21',      7,  70 ],
    [ 'main::baz:20 main::bar:21 main::foo:12', 7, 700 ],
    [ 'main::boo:24',                   1,  50 ],
    [ 'main::boo:24 main::bar:25',      3,  30 ],
    [ 'main::boo:24 main::bar:25 main::foo:12', 3, 300 ],
    [ 'main::boo:24 main::bar:25 main::foo:12 inner:3', 3, 3000 ],
);
is_deeply rows('main::foo', '--depth=2', \$sample), [
    '10 1000 4000 main::foo',
    '10 1000 4000   main::bar at /app/prog.pl:12',
    '3 300 3300     main::boo at /app/prog.pl:25',
    '7 700 700     main::baz at /app/prog.pl:21',
], 'ten calls by bar are seven from baz and three from boo';
is_deeply rows('main::foo', '--depth=2', '--sort=calls', \$sample)->[2], '7 700 700     main::baz at /app/prog.pl:21',
    '--sort=calls';
is_deeply [ map {s/ at .*//r} @{ rows('main::foo', '--depth=9', '--sort=calls', \$sample) } ], [
    '10 1000 4000 main::foo',
    '10 1000 4000   main::bar',
    '7 700 700     main::baz',
    '7 700 700       main::RUNTIME',
    '3 300 3300     main::boo',
    '3 300 3300       main::RUNTIME',
], 'levels end where the program begins';
is_deeply rows('main::foo', \$sample), [ @{ rows('main::foo', '--depth=2', \$sample) }[ 0, 1 ] ], 'one level without';
is_deeply rows('main::foo', '--depth=2', '--top=1', \$sample),
    [ @{ rows('main::foo', '--depth=2', \$sample) }[ 0 .. 2 ] ], '--top: the first of each level';
is_deeply rows('main::foo', '--depth=2', '--min-percent=50', \$sample),
    [ @{ rows('main::foo', '--depth=2', \$sample) }[ 0 .. 2 ] ], '--min-percent of the run';

# --- recursion --------------------------------------------------------------------------------------------------------

is_deeply rows('main::recurs', "$captures/calls.out"), [
    '3 60000 60000 main::recurs',
    '1 10000 60000   main::RUNTIME at /app/main.pl:8',
    '2 50000 -   main::recurs at /app/main.pl:5',
], 'the time of a recursion is that of its outermost call';
like +(nytprof('callers', 'main::recurs', "$captures/calls.out"))[0], qr/^ total  blank: calls within/m,
    'calls within it have none, as a legend says';
is_deeply [ sums(rows('main::ping', '--depth=7', "$captures/calls.out")) ], [ '2 4000 10000', '2 4000 10000' ],
    'whatever the depth, direct callers have all of it';

# --- names ------------------------------------------------------------------------------------------------------------

is_deeply [ map {/^\S/ ? (/(\S+)$/)[0] : ()} map {s/^\d+ \d+ \d+ //r} @{ rows('foo', \$sample) } ], ['main::foo'],
    'the last part of a name';
is_deeply [ map {/ (\w+::\w+)$/} grep {!/ at /} @{ rows('^main::p.ng$', "$captures/calls.out") } ],
    [ 'main::ping', 'main::pong' ], 'a regular expression, most time first';
is_deeply [ map {/^\d+ \d+ \d+ (\S.*)/} @{ rows('main::foo', \calls_capture([ '', 0, 1 ], [ 'main::foo:1', 1, 1 ],
    [ 'main::foo::foo:1', 1, 1 ], [ 'xmain::foo:1', 1, 1 ])) } ], ['main::foo'], 'a whole name means no other';
my %near = ('main::pog' => 'main::pong, main::ping', Recurs => 'main::recurs', 'ping(' => 'main::ping', qqqqqq => '',
    "\e[1m" => '');
for my $name (sort keys %near) {
    my $near = $near{$name} && "; similar names: $near{$name}";
    my ($out, $err, $exit) = nytprof('callers', $name, "$captures/calls.out");
    my $shown = $name =~ s/\e/\\x1B/r;
    is "$exit $out$err", "1 nytprof: callers: there is no sub $shown in this profile$near\n", "no sub $shown";
}
like +(nytprof('callers', 'never', "$captures/calls.out"))[0], qr/^ {10,}Foo::Bar::never  never called$/m,
    'a sub that was never called';
my (undef, $err, $exit) = nytprof('callers');
is "$exit $err", "2 nytprof: callers: expected the name of a sub (see `nytprof help callers`)\n", 'no name at all';

# --- terminals --------------------------------------------------------------------------------------------------------

my @names = map {"main::a_sub_with_a_long_name_that_has_a_number_too_$_"} 1 .. 30;
my @deep  = map { join ' ', map {"$names[$_]:${_}00"} 0 .. $_ } 0 .. $#names;
my $wide  = calls_capture([ '', 0, 1 ], map { [ $_, 1, 1 ] } @deep);
is_deeply [ map {/^\S+ \S+ \S+ ( *)(\[\d+\] )?/ && length($1) . ($2 // '')} @{ rows('_30$', '--depth=99', \$wide) } ],
    [ (map { 2 * $_ . '' } 0 .. 20), map {"40[$_] "} 21 .. 30 ], 'far up a row has its level in front of it';
SKIP: {
    skip 'there are no pseudo terminals: lines on one are NOT checked', 2 if !has_terminals();
    my $file = tempdir(CLEANUP => 1) . '/wide.out';
    spew($file, $wide);
    local $ENV{PAGER} = '';
    my ($shown) = on_terminal("$TOP/build/nytprof", qw(callers --color=never --depth=99 _30$), $file);
    my @shown = grep { !/^nytprof: / } split /\n/, $shown =~ s/\xE2\x80\xA6/./gr;
    is_deeply [ grep { length > 80 } @shown ], [], 'no line is longer than that of a terminal';
    is scalar(grep {/ (?:\[\d+\] )?main.*[.].*_\d+ at [.].*:\d+00$/} @shown), 29, 'names and files lose their middles';
}

done_testing;

# "CALLS SELF TOTAL CALLER", with times in nanoseconds and the caller's indent.
sub rows {
    my @arguments = @_;
    my ($out, undef, $status) = nytprof('callers', @arguments);
    is $status, 0, 'callers ' . join ' ', grep { !ref && !m{^/} } @arguments;
    my ($head, @lines) = grep {/./} split /\n/, $out;
    is $head, '    calls        self       total  sub, and its callers; times in seconds', 'the heading';
    return [ map { /^ *(\d+) +(\d+\.\d{9}) (\d+\.\d{9}| {11})  ( *\S.*)$/ or die "no row: $_\n";
        join ' ', $1, (map { / / ? '-' : sprintf '%.0f', 1e9 * $_ } $2, $3), $4 } grep { !/^ total  blank:/ } @lines ];
}

# The sums of a sub, and of its direct callers.
sub sums {
    my ($rows) = @_;
    my @sums = (0, 0, 0);
    for my $row (grep {/^\d+ \d+ [-\d]+   \S/} @$rows) {
        my @numbers = map { $_ eq '-' ? 0 : $_ } split ' ', $row;
        $sums[$_] += $numbers[$_] for 0 .. 2;
    }
    return ($rows->[0] =~ /^(\d+ \d+ \d+) /, "@sums");
}
