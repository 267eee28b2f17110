# SPDX-License-Identifier: MIT
# `nytprof dot`: labels, sizes, the node for all others, and pictures by graphviz, or what stands for it.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(sum0 uniq);
use Test::More;

use lib "$FindBin::Bin/lib";
use Pages qw(fixtures run);
use Tree qw(slurp spew);

my $NYTPROF  = "$FindBin::Bin/../build/nytprof";
my $captures = fixtures();
my $dir      = tempdir(CLEANUP => 1);

my $all = graph('calls');
is $all->{node}{'Foo::Bar::new'}, 'calls: 1 | total time: 500 µs | self time: 100 µs', 'a node has its figures';
is $all->{node}{'main::RUNTIME'}, 'total time: 875 µs | self time: 222 µs', 'the main program is not called';
is $all->{arc}{'Foo::Bar::new -> Foo::Bar::xs'}, 1, 'an edge has its calls';
is $all->{size}{'Foo::Bar::xs'}, 24, 'the largest own time is the largest node';
cmp_ok $all->{size}{'Foo::Bar::new'}, '<', $all->{size}{'main::RUNTIME'}, 'less time, smaller node';
my $total = graph('calls', '--scale', 'total');
is $total->{size}{'main::RUNTIME'}, 24, '--scale total: of total time';
cmp_ok $total->{size}{'Foo::Bar::new'}, '>', $total->{size}{'Foo::Bar::xs'}, 'a caller is larger than what it calls';
is_deeply [ uniq values %{ graph('zero')->{size} } ], [10], 'without time all are equal';
is_deeply [ uniq values %{ graph('zero', '--scale', 'total')->{size} } ], [10], 'either way';

for my $case ([ '--filter', '^main::' ], [ '--package', 'main' ]) {
    my ($whole, $chosen) = (graph('calls'), graph('calls', @$case));
    my %node = map { ($_ => $whole->{node}{$_}) } grep {/^main::/} keys %{ $whole->{node} };
    my %arc = map { ($_ => $whole->{arc}{$_}) } grep {/^main::\S+ -> main::/} keys %{ $whole->{arc} };
    is_deeply $chosen->{node}, \%node, "@$case: only chosen subs";
    is_deeply $chosen->{arc}, \%arc, 'and calls between them';
}
is_deeply [ keys %{ graph('calls', '--packages', '--filter', '^main::')->{node} } ], ['main'],
    'packages that have such subs';
my $pruned = graph('calls', '--min-percent', 10);
is_deeply [ sort keys %{ $pruned->{node} } ], [ '(6 others)', qw(Foo::Bar::new Foo::Bar::xs main::RUNTIME) ],
    '--min-percent: subs with less are one node';
is $pruned->{node}{'(6 others)'}, 'calls: 11 | self time: 153 µs', 'which has their calls and time';
is $pruned->{arc}{'main::RUNTIME -> (6 others)'}, 6, 'and the calls from the rest';
is scalar(keys %{ graph('calls', '--nodes', 2)->{node} }), 3, '--nodes likewise';
is scalar(keys %{ graph('hostile')->{node} }), 13, 'no name is lost';

# A graphviz that does what it is told, one that fails, and none.
for my $case (map { "$dir/$_" } qw(good bad none)) { mkdir $case or die "$case: $!\n" }
program("$dir/good/dot", 'test "$*" = -Tsvg && exec /usr/bin/tr a-z A-Z');
program("$dir/bad/dot",  'exit 3');
my @render = (qw(dot --render svg -o), "$dir/calls.svg", "$captures/calls.out");
is join('', with('good', @render)), 0, '--render runs it';
is slurp("$dir/calls.svg"), uc slurp("$FindBin::Bin/golden/dot.txt"), 'with the graph, and writes its picture';
is +(with('good', qw(dot --render svg), "$captures/calls.out"))[1], slurp("$dir/calls.svg"), 'or prints it';
spew("$dir/calls.svg", 'before');
my ($status, $out, $err) = with('bad', @render);
is "$status$out $err", "1 nytprof: graphviz's dot fails, so there is no picture\n", 'a failure is one';
is slurp("$dir/calls.svg"), 'before', 'and changes nothing';
($status, $out, $err) = with('none', @render);
is "$status$out $err", "0 nytprof: dot: graphviz is not installed, so its text is in $dir/calls.dot\n",
    'none is no error';
is slurp("$dir/calls.dot"), slurp("$FindBin::Bin/golden/dot.txt"), 'and the text is there';
is +(with('good', qw(dot --render gif), "$captures/calls.out"))[0], 2, 'a format that is not known is not tried';

done_testing;

# { node => { NAME => "FIGURES | ..." }, size => { NAME => fontsize }, arc => { "FROM -> TO" => calls } }.
sub graph {
    my ($name, @options) = @_;
    my ($status, $out, $err) = run($NYTPROF, 'dot', @options, "$captures/$name.out");
    is "$status $err", '0 ', "nytprof dot @options: $name";
    my (%name, %node, %size, %arc);
    for (split /\n/, $out) {
        if (my ($id, $label, $rest) = /^(n\d+) \[label="((?:[^"\\]|\\.)*)", (.*)\];$/) {
            my ($name, $figures) = $label =~ /^(.*?)\\n((?:calls|total time|self time): .*)$/ or die "no figures: $_\n";
            $name{$id}   = $name;
            $node{$name} = $figures =~ s/\\n/ | /gr;
            ($size{$name}) = $rest =~ /\bfontsize=(\d+),/;
        }
        elsif (/^(n\d+) -> (n\d+) \[label="(\d+)", penwidth=\d\.\d, weight=\d+\];$/) {
            exists $name{$_} or die "no such node: $_\n" for $1, $2;
            $arc{"$name{$1} -> $name{$2}"} = $3;
        }
        else { /^(?:digraph \{|(?:graph|node) \[.*\];|\})$/ or die "not of a graph: $_\n" }
    }
    return { node => \%node, size => \%size, arc => \%arc };
}

sub program {
    my ($path, $text) = @_;
    spew($path, "#!/bin/sh\n$text\n");
    chmod 0755, $path or die "$path: $!\n";
    return;
}

sub with {
    my ($path, @command) = @_;
    local $ENV{PATH} = "$dir/$path";
    return run($NYTPROF, @command);
}
