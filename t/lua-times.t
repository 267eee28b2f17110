# Times of Lua programs: what the hook costs is calibrated and taken off, line by line and call by call; raw times can
# be had, too; a C function's time is its own and the line's that calls it, a callee's not.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(events_of of);
use Lua qw(lua luas);
use Profiled qw(median);
use Run qw(facts);

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
    my %of = map { ($_->{event} => [ 0, $_->{ticks} ]) } of('price', @{ $facts->{records} });
    for my $delta (of('node_delta', @{ $facts->{records} })) {
        my @of = events_of($delta);
        $of{$_}[0] += $of[$_] for keys %of;
    }
    return \%of;
}

for my $version (@$luas) {
    my $facts = facts(lua($version, $PROGRAM));
    my $costs = costs($facts);
    is_deeply [ map { $costs->{$_}[1] > 0 ? 1 : 0 } 0, 2 .. 5 ], [ (1) x 5 ], "lua $version: all events have a cost";
    my ($lines, $calls, $c_calls) = map { $costs->{$_}[0] } 0, 2, 4;
    is "$lines $calls", '503 101', 'which is taken off for each line and call';
    cmp_ok $c_calls, '>=', 100, 'and call of a C function';
    is_deeply costs(facts(lua($version, $PROGRAM, options => { overhead => 'raw' }))), {}, 'overhead=raw: nothing is';

    # A return is sooner noticed than a line, so the line that it ends costs less.
    cmp_ok $costs->{1}[1] // 0, '<', 0, 'the line that a return ends costs less than others';
    my %line = map { ($_->{id} => $_->{line}) } { id => 0, line => 0 }, of('place', @{ $facts->{records} });
    my %ended;
    $ended{ $line{ $_->{id} } } += $_->{switches} for of('place_delta', @{ $facts->{records} });
    is_deeply [ @ended{ 3, 6 } ], [ 100, -100 ], 'once for each call, and as much at the line that goes on';

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
    is_deeply [ map { costs($corrected)->{$_}[1] } 0, 2 .. 5 ], [ 1, 3 .. 6 ], 'the fake clock has fixed costs';
    cmp_ok abs($corrected->{sub}{callee}{inclusive} - (3000 - 100 * (3 + 1 + 1)) / 1e7), '<', 1e-9,
        'of a call its own cost and that of its lines are taken off';
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
done_testing;
