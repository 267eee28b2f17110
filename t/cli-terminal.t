# SPDX-License-Identifier: MIT
# What the command does on a terminal: a pager for long texts, colours, columns; and what it does when the reader of its
# output goes away.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Pages qw(fixtures run);
use Terminal qw(has_terminals on_terminal);
use Tree qw(slurp spew);

my $NYTPROF = "$FindBin::Bin/../build/nytprof";
my $dir     = tempdir(CLEANUP => 1);
my $capture = fixtures() . '/calls.out';

local $ENV{TERM} = 'xterm';
delete @ENV{qw(PAGER LESS NO_COLOR)};

# A profile with many paths, and its text.
spew("$dir/deep.pl", join '', map {"sub f$_ { f@{[ $_ + 1 ]}() }\n"} 1 .. 60);
spew("$dir/deep.pl", slurp("$dir/deep.pl") . "sub f61 {} f1();\n");
is +(run('/bin/sh', '-c', "cd $dir && NYTPROF=calls=2 $NYTPROF run deep.pl"))[0], 0, 'a program with a deep call path';
my $deep = "$dir/nytprof.out";
my ($long) = nytprof('folded', $deep);
cmp_ok scalar(my @lines = split /\n/, $long), '>', 60, 'its paths are more than a screen';

# --- closed pipes -----------------------------------------------------------------------------------------------------

my $build = "$dir/nytprof.build";
my %INPUT = (flamegraph => ["$dir/lines"], build => [$build], diff => [ $build, $build ]);
is +(run('/bin/sh', '-c', "cd $dir && $NYTPROF make --method shell -- sh -c :"))[0], 0, 'a build';
my @verbs = map { /^  (\w+) /mg } (nytprof('list'))[0];
for my $verb (grep { !/^(?:run|attach|make|import|push|merge|clocks|selftest|completion)$/ } @verbs) {
    my @arguments = $verb =~ /^(?:help|list)$/ ? () : @{ $INPUT{$verb} // [$deep] };
    unshift @arguments, 'main::f1' if $verb eq 'callers';
    unshift @arguments, '-o', '-' if grep {/^  -o, --out FILE/m} (nytprof('help', $verb))[0];
    spew("$dir/lines", $long);
    my $closed = "(sleep 0.2; exec $NYTPROF \"\$\@\") 2>$dir/err | true";
    my (undef, $out) = run('/bin/bash', '-c', "cd $dir; $closed; echo \${PIPESTATUS[0]}", 'bash', $verb, @arguments);
    is $out, "0\n", "$verb: exit code 0 if the output is closed";
    is slurp("$dir/err") =~ s/^.*(?:more string evals|not profiled).*\n//mgr, '', 'and not a word';
}
like +(run('/bin/sh', '-c', "cd $dir && $NYTPROF html -o closed $deep | true; ls closed"))[1], qr/^index\.html$/m,
    'a report in a directory is complete all the same';
is +(run('/bin/sh', '-c', "$NYTPROF folded $deep >/dev/full"))[0], 1, 'but a full disk is an error';
spew("$dir/pipe.pl", "kill PIPE => \$\$; sleep 1;\n");
is +(run('/bin/bash', '-c', "cd $dir; $NYTPROF run -o pipe.out pipe.pl 2>/dev/null; echo \$?"))[1], 128 + 13 . "\n",
    'a program that is profiled gets its signals';

# --- on a terminal ----------------------------------------------------------------------------------------------------

subtest 'on a terminal' => sub {
    plan skip_all => 'there are no pseudo terminals: what is shown on one is NOT checked' if !has_terminals();

    my $shell = sub { my ($command) = @_; return [ on_terminal('/bin/sh', '-c', $command) ] };
    my $mark  = q(PAGER='sed "s/^/> /"');
    is_deeply $shell->("$mark $NYTPROF folded $deep"), [ $long =~ s/^/> /mgr, 0 ], 'a long text is shown by PAGER';
    is_deeply $shell->("$mark $NYTPROF help"), [ (nytprof('help'))[0], 0 ], 'a short one is printed';
    is_deeply $shell->("$NYTPROF pprof -o - $deep"),
        [ "nytprof: pprof: this is no text for a terminal, expected -o FILE (see `nytprof help pprof`)\n", 2 ],
        'bytes that are no text are refused';
    is_deeply [ map { $shell->("$NYTPROF $_ $deep")->[1] } 'syscap -o -', 'dot --render png', 'dot --render pdf' ],
        [ 2, 2, 2 ], 'of other reports and pictures, too';
    is_deeply $shell->("PAGER= $NYTPROF folded $deep"), [ $long, 0 ], 'and a long one, too, if PAGER is empty';
    is_deeply $shell->("PAGER=no-such-pager $NYTPROF folded $deep"), [ $long, 0 ], 'or no such program';
    is_deeply $shell->("TERM=dumb $mark $NYTPROF folded $deep"), [ $long, 0 ], 'or the terminal too simple';
    is_deeply $shell->("$mark $NYTPROF folded -o $dir/there $deep"), [ '', 0 ], 'a file has none';
    is_deeply $shell->("cd $dir; $NYTPROF speedscope $deep; $NYTPROF speedscope -o there $deep"),
        [ "The report is in nytprof.speedscope.json\n", 0 ], 'a file that is not named is';
    is_deeply $shell->("cd $dir; $NYTPROF speedscope $deep | cat"), [ '', 0 ], 'if a person is there';
    is_deeply $shell->("PAGER='head -1' $NYTPROF folded $deep"), [ "$lines[0]\n", 0 ], 'the user may quit it';
    is_deeply $shell->("PAGER='echo \$LESS; cat >/dev/null' $NYTPROF folded $deep"), [ "FRX\n", 0 ],
        'less shows colours, and leaves the text on the screen';
    like $shell->("$mark $NYTPROF dump $deep")->[0], qr/\A(?:> .*\n){30,}\z/, 'records of a capture are a long text';
    like $shell->("$mark $NYTPROF folded --from main::none $deep")->[0], qr/\Anytprof: --from/, 'a message is none';

    my $annotate = "$NYTPROF annotate $capture";
    like $shell->("PAGER= $annotate")->[0], qr/\e\[/, 'a terminal has colours';
    unlike $shell->("PAGER= NO_COLOR=1 $annotate")->[0], qr/\e\[/, 'not with NO_COLOR';
    like $shell->("PAGER= NO_COLOR= $annotate")->[0], qr/\e\[/, 'if that is not empty';
    unlike $shell->("PAGER= TERM=dumb $annotate")->[0], qr/\e\[/, 'nor if it is simple';
};

# --- elsewhere --------------------------------------------------------------------------------------------------------

like +(nytprof('annotate', '--color=always', $capture))[0], qr/\e\[/, 'a file has them by --color=always';
unlike +(nytprof('annotate', $capture))[0], qr/\e\[/, 'but not by itself';
is +(nytprof('annotate', '--color=loud', $capture))[2], 2, 'there is no other value';

done_testing;
