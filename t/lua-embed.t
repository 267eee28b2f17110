# SPDX-License-Identifier: MIT
# Hosts: xs/lua/nytprof.h in a C program, and nytprof-preload.so below one that knows nothing of it.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Lua qw(host luas);
use Profiled qw($TOP);
use Run qw(facts run);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

for my $version (@$luas) {
    my $host = host($version, 'host', '-l:nytprof.so');
    ok $host, "Lua $version: a host compiles" or next;
    my $run = run(undef, command => [$host]);
    like $run->{out}, qr/\A1 NYTProf: option clock cannot be|\A1 NYTProf: clock 'no'/, 'is told what cannot be done';
    is $run->{out} =~ s/\A.*\n//r, "module\n", 'and has the module as well';
    like $run->{err}, qr/\AUnknown NYTProf option: 'nosuch'\n\z/, 'what makes no difference is said, too';
    my %calls = map { ($_ => facts($run, "$run->{dir}/$_.out")->{sub}) } qw(first second);
    is $calls{first}{in_first}{calls},   330, 'the first state, until it is detached';
    is $calls{first}{unseen}{calls} // 0, 0,  'without what ran while the profiler paused';
    is $calls{second}{in_second}{calls}, 500, 'the second one, in a thread and without farewell';
    is $calls{first}{in_second}, undef, 'each by itself';

    my $plain = host($version, 'plain');
    ok $plain, 'a program that knows nothing compiles';
    my @run = ("$TOP/build/nytprof", 'run', '--preload', '-o', 'plain.out', $plain);
    my ($bare, $ours) = map { run(undef, command => $_) } [$plain], \@run;
    is "$ours->{out}$ours->{err}$ours->{exit}", "$bare->{out}$bare->{err}$bare->{exit}",
        'nytprof run --preload: does what it did';
    is $bare->{out}, "42\n", 'which is something';
    my $facts = facts($ours, "$ours->{dir}/plain.out");
    is $facts->{sub}{answer}{calls}, 21, 'and is profiled';
    is $facts->{line}{'plain.lua:2'}, 21, 'line by line';
    $ours = run(undef, command => \@run, env => { ASK => 1 });
    is $ours->{out}, "42\n", 'a script may still require the module';
    is facts($ours, "$ours->{dir}/plain.out")->{sub}{answer}, undef, 'which is the one that profiles it';
}

my $run = run(undef,
    command => [ "$TOP/build/nytprof", 'run', '--preload', 'sh', '-c', 'true; ls /nonexistent; exit 3' ]);
is $run->{exit}, 3, 'programs without Lua run as before';
is scalar(split /\n/, $run->{err}), 1, 'and nothing is said about them' or diag $run->{err};

done_testing;
