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

for my $time ('', '1', '1..1', '2..1', '..', 'x..2', '1..2s', '-1..2', '1...2', '99999999999..') {
    is refused('--time', $time, $file), "nytprof: hot: --time: expected FROM..TO in seconds, got '$time' "
        . '(see `nytprof help hot`)', "no time: '$time'";
}
like refused('--time', '1..2', "$FindBin::Bin/data/v5-plain.out"),
    qr/format 5 does not tell when its counts were made; expected a capture$/,
    'format 5 has no windows';
spew("$run->{dir}/build.out", Builds::small());
like refused('--time', '1..2', "$run->{dir}/build.out", 'folded'),
    qr/^nytprof: --time: \S+build\.out is a capture of a build, expected a profile$/, 'and a build none of a profile';
done_testing;

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
