# SPDX-License-Identifier: MIT
# `nytprof cpuprofile`: the tree, samples and lines of V8's CPU profiles, read back.
use strict;
use warnings;

use FindBin;
use JSON::PP ();
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Pages qw(fixtures);

my $captures = fixtures();

# What `nytprof cpuprofile OPTIONS... CAPTURE` writes, and that its parts agree.
sub exported {
    my (@arguments) = @_;
    my ($json, $err, $exit) = nytprof('cpuprofile', '-o', '-', @arguments);
    is "$exit$err", '0', "nytprof cpuprofile @arguments" =~ s/\S+\///gr;
    my $data = JSON::PP->new->utf8->decode($json);
    my ($nodes, $samples, $deltas) = @{$data}{qw(nodes samples timeDeltas)};
    my %took;    # a sample lasts until the next
    $took{ $samples->[$_] } += $deltas->[ $_ + 1 ] for 0 .. $#$samples - 1;
    my @wrong = grep { $_->{hitCount} != sprintf '%.0f', 1000 * ($took{ $_->{id} } // 0) } @$nodes;
    is_deeply \@wrong, [], 'samples say what hits say';
    is_deeply [ map { $_->{id} } @$nodes ], [ 1 .. @$nodes ], 'ids are numbers of nodes';
    is_deeply [ sort { $a <=> $b } map { @{ $_->{children} } } @$nodes ], [ 2 .. @$nodes ], 'each is a child of one';
    is sprintf('%.0f', 1000 * $data->{endTime}), sum0(map { $_->{hitCount} } @$nodes), 'the end is the sum';
    my @lines = grep { @{ $_->{positionTicks} // [] } } @$nodes;
    is_deeply [ grep { $_->{hitCount} != sum0(map { $_->{ticks} } @{ $_->{positionTicks} }) } @lines ], [],
        'lines add up to nodes';
    return $data;
}

# { 'main A::work' => "NS LINE:NS..." } of nodes with time.
sub paths {
    my ($data) = @_;
    my (%path, %found);
    for my $node (@{ $data->{nodes} }) {
        my @path = (@{ $path{ $node->{id} } // [] }, $node->{callFrame}{functionName} =~ s/main::RUNTIME/main/r);
        shift @path if $path[0] eq '(root)';
        $path{$_} = [@path] for @{ $node->{children} };
        my @lines = map {" $_->{line}:$_->{ticks}"} @{ $node->{positionTicks} // [] };
        $found{"@path"} = join '', $node->{hitCount}, @lines if $node->{hitCount};
    }
    return \%found;
}

my $sample = exported("$captures/sample.out");
is_deeply paths($sample), { 'main' => '1000 5:1000', 'main A::work' => '2000 4:2000',
    'main A::work A::inner' => '3000 11:3000', 'main A::work List::Util::sum' => '500',
    'main A::inner' => '700 11:700' }, 'times by path and line';
is_deeply $sample->{timeDeltas}, [ 0, 1, 2, 3, 0.5, 0.7 ], 'microseconds with all digits';
my ($inner) = grep { $_->{callFrame}{functionName} eq 'A::inner' } @{ $sample->{nodes} };
is_deeply $inner->{callFrame}, { functionName => 'A::inner', scriptId => '2', url => 'file:///app/lib/A.pm',
    lineNumber => 9, columnNumber => 0 }, 'a frame is where its sub begins, counted from 0';

my @paths = sort keys %{ paths(exported("$captures/processes.out")) };
is scalar(grep {/^\S+ \(process 4711\) main A::work A::inner$/} @paths), 1, 'each process has a frame';
is scalar(grep {/^\S+ \(process 4713\) \(host\) \S+ outer inner$/} @paths), 1, 'in Lua, too';
is scalar(grep {/A::fact A::fact A::fact$/} @paths), 1, 'a recursion';
is_deeply paths(exported('--from', 'A::work', '--min-percent', 10, "$captures/sample.out")),
    { 'A::work' => '2500 4:2500', 'A::work A::inner' => '3000 11:3000' }, 'paths and frames that options choose';
is exported("$captures/zero.out")->{endTime}, 0, 'no time is a profile, too';
exported("$captures/hostile.out");
for my $capture (glob "$FindBin::Bin/data/*.out") {
    is sum0(map { $_->{hitCount} } @{ exported($capture)->{nodes} }), total($capture), 'all time of folded stacks';
}
done_testing;

sub total { return sum0(map {/ (\d+)$/} split /\n/, (nytprof('folded', $_[0]))[0]) }
