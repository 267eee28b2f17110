# SPDX-License-Identifier: MIT
# Many Luas in one process, one after the other and in several threads at once: one capture has them all.
use strict;
use warnings;

use Config;
use FindBin;
use List::Util qw(max sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Lua qw(bare_lua host luas);
use Pages qw(text_of);
use Profiled qw($TOP);
use Run qw(captures_in facts run);
use Tree qw(slurp);

my ($luas, $why_not) = luas();
my ($version) = grep { -e "/usr/include/lua$_/lua.h" } @$luas;
plan skip_all => $why_not || 'no headers to build a host with' if !$version;

my $built = bare_lua($version, undef,
    command => [ $Config{cc}, '-o', 'states', "-I/usr/include/lua$version", "$TOP/t/lua/states.c", "-llua$version",
        '-lm', '-pthread' ]);
is $built->{exit}, 0, 'the host is built' or BAIL_OUT($built->{err});

for my $case ([ 1, 1 ], [ 30, 1 ], [ 10, 3 ]) {
    my ($n, $threads) = @$case;
    my $run = bare_lua($version, undef, dir => $built->{dir}, command => [ './states', $n, $threads ]);
    is "$run->{err}$run->{exit}$run->{signal}", '00', "$n Luas in each of $threads threads";
    is_deeply [ captures_in($run->{dir}) ], ['nytprof.out'], 'one capture';
    my $facts = facts($run);
    my $times = $n * $threads;
    is_deeply $facts->{line},
        { map { ("states.lua:$_->[0]" => $_->[1] * $times) } [ 2, 70 ], [ 3, 58 ], [ 5, 13 ], [ 6, 10 ], [ 7, 2 ] },
        'every line of every Lua';
    my %stream = map { $_->{stream} => 1 } of('process_start', @{ $facts->{records} });
    is scalar keys %stream, $times, 'in a stream of its own';
    is scalar(of('end', @{ $facts->{records} })), $times, 'which is whole';
    my @ends = of('process_end', @{ $facts->{records} });
    my $own  = sum0(map { $_->{thread_us} } @ends);
    cmp_ok $own, '>', 0, 'each has the CPU time of its thread' if $times > 1;    # which is known to itself only
    cmp_ok $own, '<=', max(map { $_->{user_us} + $_->{system_us} } @ends) + 20_000, 'not that of all';
    is $facts->{edge}{'states.lua:7 <states.lua:7> > f'}, 2 * $times, 'calls in a coroutine that the host resumes';
    my (undef, $wrong, $failed) = nytprof('html', '-o', "$run->{dir}/pages", "$run->{dir}/nytprof.out");
    is "$wrong$failed", '0', 'a report';
    my $index = text_of(slurp("$run->{dir}/pages/index.html"));
    like $index, $times > 1 ? qr/ · $times threads · / : qr/ · process \d+ · /, 'they are one process';
    unlike $index, qr/\d processes|time of the processes/, 'whose CPU time counts once';
    unlink "$run->{dir}/nytprof.out";
}

# --- what other threads do meanwhile ----------------------------------------------------------------------------------

for my $lua (@$luas) {
    my $host = host($lua, 'ends', '-l:nytprof.so') or next;
    my $exit = run(undef, command => [ $host, 'exit' ]);
    is "$exit->{err}$exit->{exit}$exit->{signal}", '00', "Lua $lua: exit() while another thread closes its Lua";
    is scalar(my @ends = of('end', @{ facts($exit)->{records} })), 1, 'waits for it: the profile ends, once';
    is run(undef, command => [ $host, 'fork' ])->{out}, "0\n", 'a fork while another thread starts one';
}
done_testing;
