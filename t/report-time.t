# SPDX-License-Identifier: MIT
# Reports of a part of the run, --time FROM..TO: the parts of a program with forked children and windows of all lengths
# add up to the whole, each sub is in the part in which it ran, and what is no such part is refused. Where the cost of
# profiling was overestimated in a part, the caller of a path has less time there, and the path has none.
use strict;
use warnings;

use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds ();
use Capture qw(nytprof);
use Run qw(capture_of run);
use Tree qw(spew);

# Before it sleeps the program writes a window; it prints when it has done so.
my $run = run(<<'PROGRAM', options => { addpid => 0 });
use Time::HiRes qw(sleep time);
sub busy { for (1 .. shift) { step() for 1 .. 20 } }
sub step { my $x = 0; $x += $_ for 1 .. 20; return $x }
sub mark { sleep 0.02; printf "%.6f\n", time; sleep 0.02 }
sub early { busy(500) }
sub late { busy(500) }
early();
mark();
if (!fork) { busy(300); exit }
wait;
mark();
late();
PROGRAM
is $run->{exit}, 0, 'the program ran';
my $file = capture_of($run);
my ($child) = glob "$file.*";
my ($start) = (nytprof('json', '-o', '-', $file))[0] =~ /"start_us":(\d+)/;
my ($first, $second) = map { sprintf '%.6f', $_ - $start / 1e6 } split /\n/, $run->{out};
my @times = ("..$first", "$first..$second", "$second..");

my %whole = paths();
my @parts = map { { paths('--time', $_) } } @times;
for my $path (sort keys %whole) {
    my $sum = sum0(map { $_->{$path} // 0 } @parts);
    cmp_ok abs($sum - $whole{$path}), '<=', 1000, "the parts add up: $path";
}
cmp_ok abs(sum0(values %whole) - sum0(map { values %$_ } @parts)), '<=', @parts, 'and as a whole to the nanosecond';
ok !(grep { !exists $whole{$_} } map { keys %$_ } @parts), 'and have nothing else';
ok time_in($parts[0], 'early') && !time_in($parts[0], 'late'), 'the first part has what ran first';
ok !time_in($parts[1], 'early|late') && time_in($parts[1], 'busy'), 'the second what the child did';
ok time_in($parts[2], 'late') && !time_in($parts[2], 'early'), 'and the last part what ran last';
is_deeply [ map { calls('--time', $_) } @times ], [ 10_000, 6_000, 10_000 ], 'calls are counted in their parts';

my ($out, $err) = nytprof('flat', '--time', $times[1], $file);
like $err, qr/^nytprof: A part of the profile: its windows have the time from \d\.\d{3} to \d\.\d{3} s\.$/m,
    'a note tells which windows these are';
unlike "$out$err", qr/end cleanly|running|add up/, 'which have no end of the program';
like refused('--time', '77..', $file),
    qr/^nytprof: nothing was measured after 77\.000 s; the profile ends at \d\.\d{3} s$/, 'there may be none';
like refused('--time', '0.0000001..0.0000002', $file), qr/: nothing was measured from 0\.000 to 0\.000 s; the profile/,
    'in so short a time';

for my $time ('', '1', '1..1', '2..1', '..', '101%..', '7%..5%', 'x..0', '1..0%', '99999999999..') {
    is refused('--time', $time, $file), "nytprof: hot: --time: expected FROM..TO, got '$time' "
        . '(see `nytprof help hot`)', "no time: '$time'";
}
my %no_mark = ('x..2' => 'x', '1..x2s' => 'x2s', '-1..2' => '-1', '1...z' => '.z', '1..2%%' => '2%%');
is refused('--time', $_, $file), "nytprof: --time: expected seconds, percent or a mark, got '$no_mark{$_}'; the "
    . 'profile has no marks', "no mark: '$_'" for sort keys %no_mark;

# --- from mark to mark, and shares of the run -------------------------------------------------------------------------

my $marked = run(<<'END', name => 'marks.pl');
sub early { select undef, undef, undef, 0.02 } sub late { select undef, undef, undef, 0.02 }
DB::mark("\e]1"); early() for 1 .. 7; DB::mark('middle'); late() for 1 .. 9; DB::mark('end'); early() for 1 .. 3;
DB::mark('middle'); late();
END
my $marks = "$marked->{dir}/nytprof.out";
my %CALLS = (
    "\e]1..middle" => 'early 7', 'middle..end' => 'late 9', 'end..middle' => 'early 3', '..middle' => 'early 7',
    'end..' => 'early 3 late 1', '0..end' => 'early 7 late 9',
);
is join(' ', calls_between($_)), $CALLS{$_}, "from mark to mark: $_" =~ s/\e/ESC/r for sort keys %CALLS;
my %half  = calls_between('..50%');
my %other = calls_between('50%..');
is_deeply [ map { ($half{$_} // 0) + ($other{$_} // 0) } qw(early late) ], [ 10, 10 ], 'halves of the run add up';
cmp_ok $half{early}, '>=', 7, 'and the first one has what ran first';
like refused('--time', 'nix..', $marks), qr/got 'nix'; marks are \\x1B\]1, middle, end, middle$/, 'which there are';

like refused('--time', '1..2', "$FindBin::Bin/data/v5-plain.out"),
    qr/format 5 does not tell when its counts were made; expected a capture$/,
    'format 5 has no windows';
spew("$run->{dir}/build.out", Builds::small());
like refused('--time', '1..2', "$run->{dir}/build.out", 'folded'),
    qr/^nytprof: --time: \S+build\.out is a capture of a build, expected a profile$/, 'and a build none of a profile';
done_testing;

# Names and calls of the subs that ran between marks.
sub calls_between {
    my ($time) = @_;
    my ($json) = nytprof('json', '-o', '-', '--time', $time, $marks);
    my %calls = $json =~ /"name":"main::(early|late)".*?"calls":(\d+)/g;
    return map { ($_ => $calls{$_}) } grep { $calls{$_} } sort keys %calls;
}

sub paths { return map {/(.+) (\d+)$/} split /\n/, (nytprof('folded', @_, $file, $child))[0] }

sub time_in { my ($part, $sub) = @_; return sum0(map { $part->{$_} } grep {/main::(?:$sub)\b/} keys %$part) }

sub calls {
    my ($json) = nytprof('json', '-o', '-', @_, $file, $child);
    return sum0($json =~ /"name":"main::step".*?"calls":(\d+)/);
}

sub refused {
    my ($option, $time, $path, $verb) = @_;
    my (undef, $message, $exit) = nytprof($verb // 'hot', $option, $time, $path);
    chomp $message;
    return $exit ? $message : "exit $exit";
}
