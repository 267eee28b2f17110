# SPDX-License-Identifier: MIT
# The main program and the phase that compiles it have their times apart, and the same in all reports: what RUNTIME
# takes is without compiling, and each process has its own.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP qw(decode_json);
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Tree qw(spew);

my $dir     = tempdir(CLEANUP => 1);
my $ROWS    = qr/^ *(\d+) +(\d+\.\d{9}) (\d+\.\d{9})  (.*)/m;
my @program = map {"$dir/$_.pl"} qw(one two);
spew($_, "use strict;\nsub f { my \$n = 0; \$n++ for 1 .. 2000; \$n }\nf() for 1 .. 5;\n") for @program;
is +(nytprof('run', '-o', "$_.out", $_))[2], 0, "a capture of $_" for @program;
my @captures = map {"$_.out"} @program;

my $data = decode_json(report('json', $captures[0]));
my %sub  = map { ($_->{name} => $_) } @{ $data->{subs} };
my ($runtime, $compiling) = @sub{ 'main::RUNTIME', "compiling $program[0]" };
is $compiling->{kind}, 'activity', 'json has compiling among the subs';
my %below = below($data);
is $runtime->{inclusive}, $below{'main::RUNTIME'}, 'the main program takes what is below it';
is $compiling->{inclusive}, $below{ $compiling->{name} }, 'and compiling what is below that';
is $runtime->{inclusive} + $compiling->{inclusive}, sum0(@{ $data->{tree}{self} }), 'which is all';

# callers, graph, dot and flat say the same.
for my $sub ($runtime, $compiling) {
    my ($row) = report('callers', $sub->{name}, $captures[0]) =~ $ROWS ? [ $2, $3, $4 ] : ();
    is_deeply $row, [ (map { sprintf '%.9f', $sub->{$_} / 1e9 } qw(exclusive inclusive)), $sub->{name} ],
        "callers: $sub->{kind}";
    my ($self, $children) = report('graph', $captures[0]) =~ /^\[\d+\] +[\d.]+ (\S+) +(\S+) +\Q$sub->{name}\E \[/m;
    is_deeply [ map { sprintf '%.0f', 1e9 * $_ } $self, $self + $children ], [ @$sub{qw(exclusive inclusive)} ],
        'graph';
}
my ($total) = report('dot', $captures[0]) =~ /label="main::RUNTIME\\ntotal time: (\S+ \S+?)\\n/;
my %unit = (s => 1e9, ms => 1e6, "\xC2\xB5s" => 1e3, ns => 1);
my ($number, $unit) = split / /, $total // '0 s';
cmp_ok abs($number * $unit{$unit} - $runtime->{inclusive}), '<=', $runtime->{inclusive} / 100,
    'dot: what RUNTIME takes';
my $all = sum0(report('folded', $captures[0]) =~ / (\d+)$/mg);
is sum0(@{ $data->{tree}{self} }), $all, 'folded has the same total';
my @cumulative = report('flat', $captures[0]) =~ /^ *[\d.]+ (\d+\.\d{9}) /mg;
is sprintf('%.0f', 1e9 * $cumulative[-1]), $all, 'and flat';

for my $viewer (qw(speedscope cpuprofile firefox)) {
    my ($text, $name) = (report($viewer, $captures[0]), $compiling->{name});
    ok index($text, $name) > 0 && index($text, 'main::NULL') < 0, "$viewer tells compiling";
}

# Two processes, each with the time of its own.
my $both = decode_json(report('json', @captures));
my @compiled;
for my $i (0 .. $#{ $both->{tree}{sub} }) {
    my $name = $both->{subs}[ $both->{tree}{sub}[$i] ]{name};
    $compiled[ $both->{tree}{process}[$i] - 1 ] += $both->{tree}{self}[$i] if $name =~ /^compiling /;
}
my @outside = map { $_->{outside} } @{ $both->{meta}{processes} };
for my $i (0, 1) {
    cmp_ok $compiled[$i], '<=', $outside[$i] + 1, 'a process has compiled its program';
    cmp_ok $compiled[$i], '>', $outside[$i] / 2,  'and no other';
}

done_testing;

sub report {
    my ($verb, @arguments) = @_;
    my ($out, $err, $exit) = nytprof($verb, '-o', '-', @arguments);
    is_deeply [ $err, $exit ], [ '', 0 ], $verb;
    return $out;
}

# { name of the sub that a path begins with => sum of the times of such paths }
sub below {
    my ($from) = @_;
    my $tree = $from->{tree};
    my (@root, %sum);
    for my $i (0 .. $#{ $tree->{sub} }) {
        $root[$i] = $tree->{parent}[$i] < 0 ? $from->{subs}[ $tree->{sub}[$i] ]{name} : $root[ $tree->{parent}[$i] ];
        $sum{ $root[$i] } += $tree->{self}[$i];
    }
    return %sum;
}
