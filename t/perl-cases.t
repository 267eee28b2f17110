# SPDX-License-Identifier: MIT
# What profilers are known to get wrong: the programs of t/perl/cases.txt.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Run qw(capture_of captures_in cases facts run under_profiler);

my %program = map { ($_->[0] => $_->[1]) } cases('cases');

# $check{TITLE}->(facts, run); %options{TITLE} are NYTPROF's.
my %options = ('on and off' => { start => 'no', clock => 'thread_cpu' });    # so that other programs take none of it
my %check   = (
    'callbacks' => sub {
        my ($facts) = @_;
        my %calls = map { ($_ => $facts->{sub}{$_}{calls}) } keys %{ $facts->{sub} };
        is $calls{'Three::FETCH'}, 4, 'methods of a tied variable';
        is $calls{'Sum::DESTROY'}, 1, 'DESTROY';
        is $calls{'Sum::__ANON__[prog.pl:3]'}, 1, 'overloaded operators';
        ok !$calls{'main::by_number'}, 'sort by a named sub is no call of it';
        cmp_ok $facts->{line}{'prog.pl:8'}, '>', 10, 'but its statements are counted';
        cmp_ok $facts->{line}{'prog.pl:10'}, '>', 10, 'those of one in a variable, too';
        cmp_ok $facts->{line}{'prog.pl:16'}, '>=', 1, 'and of blocks that C code runs';
    },
    'closures' => sub {
        my ($facts) = @_;
        my @subs = grep { $_->{name} eq 'Factory::__ANON__[prog.pl:2]' } of('sub', @{ $facts->{records} });
        is_deeply [ sort map { $_->{alias} } @subs ], [ 'main::fast', 'main::slow' ], 'two, by the names they have';
        my %ticks = ticks_by_sub($facts);
        my ($fast, $slow) = map { $ticks{ $_->{id} } } sort { $a->{alias} cmp $b->{alias} } @subs;
        cmp_ok $slow, '>', 5 * $fast, 'each with its own time';
        is $facts->{sub}{'Factory::__ANON__[prog.pl:2]'}{calls}, 40, 'and calls';
    },
    'elsif lines' => sub {
        my ($facts) = @_;
        my %from = map { /^prog\.pl:(\d+) main::t$/ ? ($1 => $facts->{call}{$_}) : () } keys %{ $facts->{call} };
        is_deeply \%from, { 4 => 9, 8 => 3, 11 => 4 }, 'calls come from the lines that perl knows';
        my %carrier = map { ($_->{line} => $_->{carrier}) } of('carried', @{ $facts->{records} });
        is_deeply [ @carrier{ 5, 6 } ], [ 4, 4 ], 'and the capture tells which others they carry';
    },
    'on and off' => sub {
        my ($facts) = @_;
        is $facts->{sub}{'main::leaf'}{calls}, 5 + 3 + 1 + 5 + 200, 'what is on is counted';
        is_deeply [ grep { !/prog\.pl$/ } map { $_->{name} } of('file', @{ $facts->{records} }) ], [], 'no other file';
        my $own = 0;
        $own += $facts->{sub}{"DB::$_"}{exclusive} // 0 for qw(enable_profile disable_profile);
        cmp_ok $own, '<', 0.3 * $facts->{sub}{'main::leaf'}{exclusive}, 'the switches themselves hardly show';
    },
    'same line' => sub {
        my ($facts) = @_;
        my %calls = calls_by_sub($facts);
        my %of;
        push @{ $of{ $_->{name} } }, $calls{ $_->{id} } for of('sub', @{ $facts->{records} });
        is_deeply [ sort @{ $of{'main::__ANON__[prog.pl:1]'} } ], [ 5, 7 ], 'two anonymous subs of a line are apart';
        is_deeply [ sort @{ $of{'main::redefined'} } ], [ 1, 2, 3 ], 'and so are the bodies of a sub that is redefined';
    },
    'segments' => sub {
        my ($facts, $run) = @_;
        is_deeply [ captures_in($run->{dir}) ], [qw(nytprof.out nytprof.out.1)], 'both are there';
        is facts($run, "$run->{dir}/nytprof.out.1")->{sub}{'main::one'}{calls}, 3, 'the first';
        is $facts->{sub}{'main::two'}{calls}, 4, 'the second';
    },
    'string evals' => sub {
        my ($facts, $run) = @_;
        my ($sum, $growth) = split ' ', $run->{out};
        is $sum, 400_020_000, 'all ran';
        my (undef, $bare) = split ' ', run($program{'string evals'}, switches => [])->{out};
        cmp_ok $growth, '<', 1.3 * $bare + 8000, 'memory grows by little more than without us';
        is $facts->{line}{'prog.pl:3'}, 20_001, 'all are counted';
        cmp_ok scalar(of('file', @{ $facts->{records} })), '<', 2000, 'but not all have an entry of their own';
    },
    'while condition' => sub {
        my ($facts) = @_;
        my @from = grep {/main::cond/} keys %{ $facts->{call} };
        is_deeply [ map {"$_ $facts->{call}{$_}"} @from ], ['prog.pl:4 main::cond 6'], 'all calls from its line';
    },
);

for my $title (sort keys %program) {
    subtest $title => sub {
        my $run = run($program{$title}, options => $options{$title} // {});
        is_deeply [ @{$run}{qw(err exit)} ], [ '', 0 ], 'runs';
        $check{$title}->(facts($run), $run);
        like [ nytprof('info', capture_of($run)) ]->[0], qr/^whole +yes$/m, 'the capture is whole';
    };
}
is_deeply [ sort keys %check ], [ sort keys %program ], 'no case was left out';

done_testing;

# Sums of node deltas, (SUB => sum).
sub calls_by_sub { my ($facts) = @_; return sums($facts, 'count') }
sub ticks_by_sub { my ($facts) = @_; return sums($facts, 'ticks') }

sub sums {
    my ($facts, $field) = @_;
    my %sub = map { ($_->{id} => $_->{sub}) } of('node', @{ $facts->{records} });
    my %sum;
    $sum{ $sub{ $_->{id} } } += $_->{$field} for grep { $_->{id} } of('node_delta', @{ $facts->{records} });
    return %sum;
}
