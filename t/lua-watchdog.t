# SPDX-License-Identifier: MIT
# A host that has a C hook of its own, as servers have that watch over their scripts: both hooks run, and the host sees
# what it sees without a profiler. Where the host's cannot be kept beside ours, that is said.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Lua qw(host luas);
use Profiled qw($TOP);
use Run qw(facts run);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my @SELFCHECK = (options => { selfcheck => 1, file => 'p.out' });

for my $version (@$luas) {
    my $host = host($version, 'watchdog');
    ok $host, "Lua $version: a host with a hook" or next;
    my $bare = run(undef, command => [$host]);
    like $bare->{out}, qr/\Astopped\n20000\texternal hook\t\t1000\n/, 'stops what does not end, and counts';
    my @run = ("$TOP/build/nytprof", qw(run --preload), $host);
    checked($bare, run(undef, command => \@run, @SELFCHECK), 'preloaded');

    my $killed = run(undef, command => \@run, @SELFCHECK, env => { KILLED => 1 });
    is $killed->{signal}, 9, 'killed while it runs no Lua';
    is facts($killed, "$killed->{dir}/p.out")->{line}{'two.lua:4'}, 20000, 'all that was counted is there';

    my $unhook = host($version, 'unhook');
    my @said = map { run(undef, command => [ @$_, $unhook ])->{out} } [], [ @run[ 0 .. 2 ] ];
    is $said[1], $said[0], "a hook of the program's that the host takes away is gone";

    $host = host($version, 'watchdog', qw(-DWITH_PROFILER -l:nytprof.so));
    ok $host, 'linked with the module' and checked($bare, run(undef, command => [$host], @SELFCHECK), 'linked');

    $host = host($version, 'watchdog', '-DWITH_PROFILER', '-rdynamic', '-Wl,--as-needed', "-l:liblua$version.a",
        qw(-l:nytprof.so -lm -ldl));
    ok $host, 'with a Lua of its own built in' or next;
    my $static = run(undef, command => [$host], @SELFCHECK);
    is $static->{out}, $bare->{out}, 'does the same';
    my $message = "the host's own hook ended the profile of 3 coroutines";
    like $static->{err}, qr/ 0 wrong\nNYTProf: \Q$message\E\n\z/, 'what is not in the profile is said';
    my ($note) = of('note', @{ facts($static, "$static->{dir}/p.out")->{records} });
    is $note->{text}, ucfirst "$message.", 'and in the profile, for reports';
}
done_testing;

sub checked {
    my ($bare, $run, $how) = @_;
    is "$run->{out}$run->{exit}", "$bare->{out}$bare->{exit}", "$how: the host does the same";
    like $run->{err}, qr/\ANYTProf: selfcheck: \d+ events, 0 wrong\n\z/, 'nothing is mistaken';
    my $facts = facts($run, "$run->{dir}/p.out");
    is_deeply [ @{ $facts->{line} }{qw(one.lua:4 two.lua:4)} ], [ 20000, 20000 ], 'and all lines are counted';
    cmp_ok $facts->{line}{'endless.lua:2'}, '>', 1000, 'of the one that is stopped, too';
    my %sub = map { ($_->{id} => $_->{name}) } of('sub', @{ $facts->{records} });
    my @scripts = grep { $sub{ $_->{sub} } =~ /^<(?:one|two|endless)/ } of('node', @{ $facts->{records} });
    my @nested = grep { $_->{parent} } @scripts;
    is_deeply \@nested, [], 'coroutines that the host resumes in turns are not within each other';
    return;
}
