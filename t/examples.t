# SPDX-License-Identifier: MIT
# The programs in examples/ show what their first lines say: counts and calls are exact, and a time that is said to be
# somewhere is there. The commands of these lines run.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(min sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Lua qw(luas);
use Profiled qw($TOP);
use Ruby ();
use Run qw(facts run);
use Tree qw(files slurp);

my $DIR = "$TOP/examples";
my $bin = tempdir(CLEANUP => 1);
symlink $^X, "$bin/perl" or die "symlink: $!\n";
my %ENVIRONMENT = (PATH => "$TOP/build:$bin:$ENV{PATH}");

my %runs     = (pl => 1, lua => scalar @{ +(luas())[0] }, rb => !Ruby::why_not());
my @examples = grep { $runs{ (/(\w+)$/)[0] } } files($DIR, qr/\.\w+$/);
ok @examples > 5, "examples: @examples";

for my $name (@examples) {
    my @commands = slurp("$DIR/$name") =~ /^(?:#|--)     (\S.*)$/mg;
    ok @commands > 0, "$name has commands";
    my $dir = tempdir(CLEANUP => 1);
    symlink $DIR, "$dir/examples" or die "symlink: $!\n";
    for my $command (@commands) {
        my $run = run(undef, dir => $dir, env => \%ENVIRONMENT, command => [ 'sh', '-c', $command ]);
        is "$run->{exit}$run->{signal}", '00', "\$ $command" or diag $run->{err};
        unlike $run->{err}, qr/^nytprof: /m, 'and has no complaint';
    }
}

# --- counts and calls -------------------------------------------------------------------------------------------------

for my $name (grep {/^squares/} @examples) {
    my $facts = example($name);
    my @subs  = qw(main find_many_square_roots find_many_squares);
    is_deeply [ map { calls($facts, $_) } @subs ], [ 1, 3, 3 ], "$name: calls";
    is_deeply [ edges($facts, 'find_many') ],
        [ 'main > find_many_square_roots 3', 'main > find_many_squares 3' ], 'all from main';
    is count($name, $facts, qr/square = number \* number|square = \$number/), 15_000, 'rounds';
    cmp_ok seconds($facts, 'roots'), '>', seconds($facts, 'squares'), 'the roots take most of the time';
}

# The trace has what main calls, and nothing of what perl does before.
my ($run, $trace) = slurp("$DIR/squares.pl") =~ /^#     nytprof (run --options .*)\n#     nytprof (trace .*)$/m;
my $traced = run(undef, dir => tempdir(CLEANUP => 1), env => \%ENVIRONMENT,
    command => [ 'sh', '-c', "ln -s $DIR examples; nytprof $run; nytprof $trace" ]);
my @steps = map { ("called main::$_", "returned main::$_") } qw(find_many_square_roots find_many_squares);
is_deeply [ map { s/^sec:\d\d usec:\d{6} //r } split /\n/, $traced->{out} ],
    [ 'called main::main', (@steps) x 3, 'returned main::main' ], 'squares.pl: calls and returns in their order';

my @GRAPH = ((map {"outer_method > inner_method_$_ 1"} 1 .. 3), 'inner_method_3 > inner_most_method 1');
for my $name (grep {/^outer/} @examples) {
    my $facts = example($name);
    is_deeply [ grep {/^\w+_me/} edges($facts, '_me') ], [ sort @GRAPH ], "$name: four edges";
    is calls($facts, 'outer_method'), 1, 'and the node on top';
    nytprof('dot', '-o', "$facts->{dir}/dot", "$facts->{dir}/nytprof.out");
    my $dot   = slurp("$facts->{dir}/dot");
    my %label = $dot =~ /^\s*(\w+) \[label="(?:main::)?(\w+_method\w*|inner\w+)/mg;
    my @drawn = map { my ($from, $to) = @$_; $label{$from} && $label{$to} ? "$label{$from} > $label{$to} 1" : () }
        map { [ /(\w+) -> (\w+)/ ] } grep {/->/} split /\n/, $dot;
    is_deeply [ sort @drawn ], [ sort @GRAPH ], 'as nytprof dot draws them';
    is keys %label, 5, 'between five nodes';
}

for my $name (grep {/^overhead/} @examples) {
    my $facts = example($name);
    is calls($facts, 'f'), 274_000, "$name: 20 rounds of 13,700 calls";
    my %edge = map {/^(.*) (\d+)$/} edges($facts, 'f');
    is_deeply [ @edge{ grep {/^f /} keys %edge } ], [273_980], 'which are from f';
    is sum0(@edge{ grep { !/^f / } keys %edge }), 20, 'but for those from main';
    my ($blocks) = nytprof('graph', "$facts->{dir}/nytprof.out");
    like $blocks, qr/^\[\d+\].* 20\+273980 +(?:main::)?f /m, 'which nytprof graph tells apart';
    my ($paths) = nytprof('folded', '--calls', '--subs', "$facts->{dir}/nytprof.out");
    my @levels = $paths =~ /^((?:main::f;?)+) \d+$/mg;
    is_deeply [ sort map { scalar(() = /::f/g) } @levels ], [ 1 .. 8 ], '8 levels deep' if $name =~ /pl$/;
}

my $equal = run(scalar qx{$^X "$DIR/equal.pl"});
my $facts = facts($equal);
is_deeply [ map { $facts->{sub}{"main::s$_"}{calls} } 1 .. 1000 ], [ (1) x 1000 ], 'equal.pl: 1000 subs, called once';
cmp_ok min(map { $facts->{sub}{"main::s$_"}{exclusive} } 1 .. 1000), '>', 0, 'the time of none is zero';
is "$equal->{out}$equal->{err}", '', 'and the profiler adds no warning';

# --- whose time it is -------------------------------------------------------------------------------------------------

my %nap = map { ($_ => example('cpu_io.pl', { clock => $_ })->{sub}{'main::have_a_nap'}{inclusive}) }
    qw(monotonic process_cpu);
cmp_ok $nap{monotonic},   '>=', 0.1,  'cpu_io.pl: a nap takes its time';
cmp_ok $nap{process_cpu}, '<',  0.05, 'but no CPU time';
is calls(example('cpu_io.pl'), 'tempfile'), 1000, 'there are 1000 files';

my %line = lines(example('or.pl'));
cmp_ok part(\%line, qr/\|\| mkdir/), '>=', 0.2, 'or.pl: the line with || has the time of what it does after the call';
cmp_ok part(\%line, qr/return -d/), '<', part(\%line, qr/\|\| mkdir/), 'not the line that ran last';
%line = lines(example('or.pl', { leave => 0 }));
cmp_ok part(\%line, qr/return -d/), '>=', 0.2, 'as with leave=0';

# The second line comes 2 s later, when the loop has waited for at least a second.
my $feeds = '(echo one; sleep 3; echo two) | "$0" run prog.pl';
my $read  = run(slurp("$DIR/read.pl"), command => [ 'sh', '-c', $feeds, "$TOP/build/nytprof" ], env => \%ENVIRONMENT);
is $read->{out}, "8 bytes\n", 'read.pl reads';
%line = lines({ dir => $read->{dir} });
cmp_ok part(\%line, qr/while/), '>', 1, 'the line of the loop has the time of waiting';
cmp_ok part(\%line, qr/^1;$/), '<', part(\%line, qr/while/), 'not the last line of its body';

done_testing;

# The facts of a run of the example under the profiler, with these options, and the run's directory.
sub example {
    my ($name, $options) = @_;
    my $run = run(slurp("$DIR/$name"), name => $name, options => $options // {}, env => \%ENVIRONMENT,
        command => [ "$TOP/build/nytprof", 'run', $name ]);
    is "$run->{out}$run->{err}$run->{exit}", '0', "$name runs";
    return { %{ facts($run) }, dir => $run->{dir}, name => $name };
}

# Names of subs are compared without their package or class; Ruby's blocks ("block in Object#main") keep theirs.
sub short { my ($name) = @_; return $name =~ /^block/ ? $name : $name =~ s/.*(?:::|#)//r }

sub calls {
    my ($of, $name) = @_;
    return sum0(map { $of->{sub}{$_}{calls} } grep { short($_) eq $name } keys %{ $of->{sub} });
}

# Own time, with that of blocks in it.
sub seconds {
    my ($of, $name) = @_;
    return sum0(map { $of->{sub}{$_}{exclusive} } grep {/$name$/} keys %{ $of->{sub} });
}

# "CALLER > CALLED COUNT" of the calls of subs with this in their name, without lines; what a block calls is called by
# the sub around it.
sub edges {
    my ($of, $called) = @_;
    my %edge;
    for my $edge (keys %{ $of->{edge} }) {
        my ($from, $to) = map { short($_) } $edge =~ /^\S*:\d+ (?:block .*in )?(.*) > (.*)$/ or die "$edge\n";
        $edge{"$from > $to"} += $of->{edge}{$edge} if $to =~ /^\w*$called\w*$/;
    }
    my @edges = map {"$_ $edge{$_}"} sort keys %edge;
    return @edges;
}

# How often the line ran whose text matches.
sub count {
    my ($name, $of, $pattern) = @_;
    my @text = split /\n/, slurp("$DIR/$name");
    my ($number) = grep { $text[ $_ - 1 ] =~ $pattern } 1 .. @text;
    return $of->{line}{"$name:$number"};
}

# text => seconds, of the lines of a program that is a run's.
sub lines {
    my ($of) = @_;
    nytprof('csv', '-o', "$of->{dir}/rows", "$of->{dir}/nytprof.out");
    my ($rows) = map { slurp($_) } glob "$of->{dir}/rows/*{or,read,prog}-pl-*line.csv";
    return map { /^([\d.]+),\d+,[\d.]+,(.+)$/ ? ($2 => $1) : () } split /\n/, $rows;
}

sub part {
    my ($times, $pattern) = @_;
    return sum0(map { $times->{$_} } grep {/$pattern/} keys %$times);
}
