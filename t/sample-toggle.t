# SPDX-License-Identifier: MIT
# Option sigtoggle: a signal starts and stops the samples of a program that was loaded with start=no, of all its
# threads, in forked children, too. The program's own handlers and its system calls are not disturbed.
use strict;
use warnings;

use Config;
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(imbalances records);
use Run qw(captures_in run);
use Sampled qw(bare folded sampled);

my %WAITS = (options => { start => 'no', sigtoggle => 'USR2' });

# The switch takes a moment, so the program looks at its threads: one waits, another one samples.
my $BEGIN = <<'END';
use Time::HiRes qw(time sleep);
sub burn { my $until = time + shift; while (time < $until) { 1 for 1 .. 1_000 } }
sub tasks { opendir my $d, '/proc/self/task' or die; return scalar grep {/^\d/} readdir $d }
sub switch { my ($n, $until) = (tasks(), time + 10); kill USR2 => $$; sleep 0.01 while tasks() == $n && time < $until }
sub quiet { burn(0.2) } sub loud { burn(0.3) } sub again { burn(0.3) }
END

my $run = sampled(<<"END", %WAITS);
${BEGIN}quiet(); print tasks(), -e 'nytprof.out' ? 'early' : '', ' ';
switch(); print tasks(), ' '; loud(); switch(); print tasks(), ' '; quiet();
switch(); again(); switch(); quiet(); \$| = 1; print 'end'; kill KILL => \$\$; sleep 1;
END
is $run->{out}, '2 3 2 end', 'a thread waits for the signal, and one samples until the next one';
my %called = folded($run);
ok $called{"main::$_;main::burn"}, "$_ is sampled" for qw(loud again);
ok !$called{'main::quiet;main::burn'}, 'what runs otherwise is not';
my @ends = map { $_->{how} } grep { $_->{kind} eq 'end' } records("$run->{dir}/nytprof.out");
is_deeply \@ends, [ 0, 0 ], 'the profile is complete whenever the samples stop, also before kill -9';
is_deeply [ imbalances(records("$run->{dir}/nytprof.out")) ], [], 'every window adds up';

my $begun = sampled("${BEGIN}loud(); switch(); quiet(); print 'end';\n", options => { sigtoggle => 'SIGUSR2' });
%called = folded($begun);
ok $called{'main::loud;main::burn'} && !$called{'main::quiet;main::burn'}, 'without start=no the first signal stops';

my $ring = sampled("${BEGIN}switch(); burn(1.4); loud(); burn(0.8); switch(); print 'end';\n",
    options => { start => 'no', sigtoggle => 'USR2', ring => 1 });
my %kept = folded($ring);
my ($sum, @end_of_ring) = (0, map { $_->{how} } grep { $_->{kind} eq 'end' } records("$ring->{dir}/nytprof.out"));
$sum += $_ for values %kept;
ok $kept{'main::loud;main::burn'} && $sum < 2.3e9, 'with a ring, too';
is $end_of_ring[-1], 0, 'with its end';

# --- what the program notices -----------------------------------------------------------------------------------------

# A child sends signals to its parent, which reads from it meanwhile.
my $reads = <<'END';
use Time::HiRes qw(sleep); pipe my $in, my $out or die; my $parent = $$; my $pid = fork // die;
if (!$pid) { close $in; for (1 .. 4) { sleep 0.1; kill USR2 => $parent if $ENV{NYTPROF} }
    sleep 0.1; syswrite $out, 'x'; exit 0 }
close $out; my $n = sysread $in, my $text, 10; print $n // $!, $text // '', $! + 0, ' ';
waitpid $pid, 0; print $?, ' ', exists $SIG{USR2} ? $SIG{USR2} // 'undef' : 'none';
END
my ($plain, $switched) = (bare($reads), sampled($reads, %WAITS));
is_deeply [ @{$switched}{qw(out err exit signal)} ], [ @{$plain}{qw(out err exit signal)} ], 'a read goes on';

my $own = sampled(<<"END", %WAITS);
${BEGIN}\$SIG{USR2} = sub { print 'own' }; kill USR2 => \$\$; sleep 0.1; print tasks();
END
is $own->{out}, 'own2', 'a handler of the program replaces the switch';
is_deeply [ captures_in($own->{dir}) ], [], 'and nothing is sampled';

my $mask = <<'END';
print `grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status`; print exec('sh', '-c', 'kill -USR2 $$');
END
($plain, $switched) = (bare($mask), sampled($mask, %WAITS));
is_deeply [ @{$switched}{qw(out err exit signal)} ], [ @{$plain}{qw(out err exit signal)} ],
    'programs that it runs have the signal with its usual effect';

# --- children and threads ---------------------------------------------------------------------------------------------

my $forks = sampled(<<"END", %WAITS);
${BEGIN}sub child { burn(0.3) } for my \$n (1, 2) { my \$pid = fork // die;
    if (!\$pid) { switch() if \$n == 1; child(); exit 0 } waitpid \$pid, 0; } quiet();
END
my @captures = captures_in($forks->{dir});
is scalar @captures, 1, 'a child has a switch of its own';
like $captures[0], qr/^nytprof\.out\.\d+$/, 'and a file';
my %child = folded($forks, $captures[0]);
ok $child{'main::child;main::burn'}, 'which has what the child did';
my $depth = sampled("${BEGIN}if (!fork) { kill USR2 => \$\$; sleep 0.2; print tasks(); exit 0 } wait;\n",
    options => { %{ $WAITS{options} }, forkdepth => 0 });
is $depth->{out}, 1, 'not with forkdepth=0: the signal has no effect';

SKIP: {
    skip 'a perl without threads', 1 if !$Config{useithreads};
    my $threads = sampled(<<"END", %WAITS);
use threads; ${BEGIN}sub other { sleep 0.1 for 1 .. 12 } my \$t = threads->create(\\&other);
switch(); loud(); switch(); \$t->join;
END
    my %all = folded($threads);
    ok((grep {/main::other/} keys %all) && (grep {/main::loud/} keys %all), 'all threads are sampled');
}

# --- what is refused --------------------------------------------------------------------------------------------------

my $unknown = sampled("print 1;\n", options => { sigtoggle => 'SEGV' });
like $unknown->{err}, qr/sigtoggle cannot be 'SEGV', expected a signal/, 'another signal: says so';
isnt $unknown->{exit}, 0, '... and the program does not begin';
{
    local $SIG{USR2} = 'IGNORE';
    my $ignored = sampled("print 1;\n", %WAITS);
    like $ignored->{err}, qr/sigtoggle: the process has a use for signal USR2/, 'one that is ignored: says so';
}
my $exact = run("print 1;\n", options => { sigtoggle => 'USR2' });
like $exact->{err}, qr/sigtoggle is ignored without Devel::NYTProf::Sample/, 'a program that is counted is told';
is $exact->{out}, 1, 'and runs';

done_testing;
