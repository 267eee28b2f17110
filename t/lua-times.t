# SPDX-License-Identifier: MIT
# Times of Lua programs: what the hook costs is calibrated and taken off, line by line and call by call; raw times can
# be had, too; a C function's time is its own and the line's that calls it, a callee's not.
use strict;
use warnings;

use FindBin;
use List::Util qw(sum);
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(events_of of ticks_of);
use Lua qw(lua luas of_release);
use Profiled qw(median);
use Run qw(capture_of facts run under_profiler);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my $PROGRAM = <<'END';
local function callee(n)
  local x = n
  return x
end
for i = 1, 100 do
  callee(i)
  tostring(i)
end
END

# event => [count, price] of all windows; events without a price are left out
sub costs {
    my ($facts) = @_;
    my %of = map { ($_->{event} => [ 0, ticks_of($_) ]) } of('price', @{ $facts->{records} });
    for my $delta (of('node_delta', @{ $facts->{records} })) {
        my @of = events_of($delta);
        $of{$_}[0] += $of[$_] for keys %of;
    }
    return \%of;
}

for my $version (@$luas) {
    my $facts = facts(lua($version, $PROGRAM));
    my $costs = costs($facts);
    is_deeply [ map { $costs->{$_}[1] > 0 ? 1 : 0 } 0 .. 5 ], [ (1) x 6 ], "lua $version: all events have a cost";
    my ($lines, $calls, $c_calls) = map { $costs->{$_}[0] } 0, 2, 4;
    is "$lines $calls", '503 101', 'which is taken off for each line and call';
    cmp_ok $c_calls, '>=', 100, 'and call of a C function';
    is_deeply costs(facts(lua($version, $PROGRAM, options => { overhead => 'raw' }))), {}, 'overhead=raw: nothing is';

    # The fake clock goes on by ten with every reading, and a cost is the event's number and one.
    my %fake = (clock => 'fake', overhead => 'raw');
    my $raw  = facts(lua($version, $PROGRAM, options => \%fake));
    my %ticks;
    for my $record (of('place_delta', @{ $raw->{records} })) { $ticks{ $record->{id} } += $record->{ticks} }
    my %at = map { ($_->{line} => $ticks{ $_->{id} }) } of('place', @{ $raw->{records} });
    is $at{2}, 1000, 'a line has the time until the next one';
    is $at{6}, 3000, 'one that calls also that until the call has a line, and after it';
    is $at{7}, 3000, 'one that calls a C function that of the function as well';
    cmp_ok abs($raw->{sub}{tostring}{exclusive} - 1000 / 1e7), '<', 1e-9, 'which has it, too';
    cmp_ok abs($raw->{sub}{callee}{inclusive} - 3000 / 1e7), '<', 1e-9, 'the callee has the time of its lines';
    %fake = (clock => 'fake');
    my $corrected = facts(lua($version, $PROGRAM, options => \%fake));
    is_deeply [ map { costs($corrected)->{$_}[1] } 0 .. 5 ], [ 1 .. 6 ], 'the fake clock has fixed costs';
    my %sub    = map { ($_->{id} => $_->{name}) } of('sub', @{ $corrected->{records} });
    my %node   = map { ($_->{id} => $sub{ $_->{sub} }) } of('node', @{ $corrected->{records} });
    my @callee = grep { ($node{ $_->{id} } // '') eq 'callee' } of('node_delta', @{ $corrected->{records} });
    my $units  = sum(map { (events_of($_))[1] } @callee);
    cmp_ok abs($corrected->{sub}{callee}{inclusive} - (3000 - 100 * (3 + 1 + 1) - 2 * $units) / 1e7), '<', 1e-9,
        'of a call its own cost and that of its lines are taken off';
}

# The same with every text that is loaded and called, and with every coroutine that is not like one before.
my %ANEW = (
    texts      => ['for i = 1, 20000 do load("return " .. i)() end', 20_000],
    coroutines => ['local t = {} for i = 1, 5000 do t[i] = coroutine.wrap(function() coroutine.yield() end) t[i]() end',
        5_000],
);
for my $version (@$luas) {
    for my $what (sort keys %ANEW) {
        my ($program, $times) = @{ $ANEW{$what} };
        my $run     = lua($version, $program, options => { overhead => 'raw', maxsiteevals => 5 });
        my @records = @{ facts($run)->{records} };
        my ($start) = of('process_start', @records);
        my $cold = sum(map { $_->{cold} } of('window', @records)) / $start->{ticks_per_second};
        cmp_ok $cold, '>', $times * 20e-9, "lua $version: what is done for new $what is not the program's time";
    }
}

# --- Devel::NYTProf::Data knows what Perl's statements go on with, which Lua has none of ------------------------------

for my $version (@$luas) {
    my $run  = lua($version, $PROGRAM);
    my $code = 'print Devel::NYTProf::Data->new({ filename => shift, quiet => 1 })'
        . '->attributes->{total_stmts_discounted}';
    my @perl = ($^X, (grep {/^-I/} under_profiler()), '-MDevel::NYTProf::Data', '-e', $code, capture_of($run));
    is run(undef, command => \@perl)->{out}, 0, "lua $version: no statement is discounted";
}

# --- Lua looks at every instruction and, Lua 5.4, for a line's number at those before it ------------------------------

my $MANY = ' x = 1' x 25;
my $LONG = <<"END";
local function lines(x)
  x = 1
  $MANY
  $MANY
  $MANY
  $MANY
  x = 1
  x = 1
  return x
end
for i = 1, 100 do lines(i) end
END
for my $version (@$luas) {
    my @records = @{ facts(lua($version, $LONG))->{records} };
    my %line    = map { ($_->{id} => $_->{line}) } of('place', @records);
    my %units;
    $units{ $line{ $_->{id} } } += $_->{switches} for grep { $_->{id} } of('place_delta', @records);
    cmp_ok $units{3}, '>=', 5 * $units{2}, "lua $version: a line of many instructions costs more than one of few";
    my ($early, $late) = @units{ 2, 7 };
    $version eq '5.4'
        ? cmp_ok $late, '>=', 2 * $early, 'and one far behind the beginning of its function more than one near to it'
        : cmp_ok $late, '==', $early, 'and one far behind the beginning of its function as much as one near to it';
}

# Of what depends on a line's test half counts: that is not always done.
my $GUARDS = <<'END';
local function guards(x)
  if x then x = x + 1 x = x + 1 x = x + 1 x = x + 1 x = x + 1 x = x + 1 x = x + 1 x = x + 1 end
  x = 1 x = x + 1 x = x + 1 x = x + 1 x = x + 1 x = x + 1 x = x + 1 x = x + 1 x = x + 1
end
for i = 1, 800 do guards() end
END
for my $version (@$luas) {
    my @records = @{ facts(lua($version, $GUARDS))->{records} };
    my %line    = map { ($_->{id} => $_->{line}) } of('place', @records);
    my %units;
    $units{ $line{ $_->{id} } } += $_->{switches} for grep { $_->{id} } of('place_delta', @records);
    cmp_ok $units{3} - $units{2}, ">", 2000,
        "lua $version: a line that may stop at a test costs less than one as long";
}

# What the profiler does when it sees a line or a function for the first time takes longer than they do.
my $ONCE = join '', map {"x = $_\n"} 1 .. 10_000;
for my $version (@$luas) {
    my $facts = facts(lua($version, $ONCE, options => { overhead => 'raw' }));
    my ($cold, @own) = (0);
    $cold += $_->{cold} for of('window', @{ $facts->{records} });
    push @own, $_->{ticks} for grep { $_->{id} } of('place_delta', @{ $facts->{records} });
    cmp_ok median(@own), "<", $cold / (@own || 1), "lua $version: a new line is not the program's time";
}

# To find the number of a line that is further on Lua 5.4 walks over the instructions before it, and up to 5.4.2 does so
# three times; where a jump leads back it does so once. One and a half instructions are an eighth of a unit, and each
# event of a line has seven for each of its instructions: those of the loop's line have 42 in two rounds.
my $WALKS = <<'END' . "x = 1\n" x 100 . "for i = 1, 2 do\nx = i\nend\nend\nfor i = 1, 80 do f() end\n";
local function f()
local x
END
for my $version (@$luas) {
    my ($release) = qx{lua$version -v 2>&1} =~ /^Lua ([\d.]+)/;
    is_walking($version, $release);
    for my $other ($version eq '5.4' ? qw(5.4.0 5.4.2 5.4.3 5.4.10) : ()) {
    SKIP: {
            my $program = of_release($version, $other) or skip 'Lua is in a shared library', 2;
            is_walking($version, $other, interpreter => $program);
        }
    }
}
done_testing;

sub is_walking {
    my ($version, $release, @program) = @_;
    my $walks   = $release =~ /^5\.3/ ? 0 : $release =~ /^5\.4\.[012]$/ ? 3 : 1;
    my $facts   = facts(lua($version, $WALKS, @program));
    my %line_of = map { ($_->{id} => $_->{line}) } of('place', @{ $facts->{records} });
    my %units;
    $units{ $line_of{ $_->{id} } // 0 } += (events_of($_))[1] for of('place_delta', @{ $facts->{records} });
    is $units{50}, 10 * (7 + way($walks * 49)), "$release: walks to the number of a line: $walks";
    is $units{103}, 10 * (42 + 2 * way(!!$walks * 105) + way($walks * 107)), 'one walk where the loop goes on';
    return;
}

sub way { my ($instructions) = @_; return int((2 * $instructions + 1) / 3) }
