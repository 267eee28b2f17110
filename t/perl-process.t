# SPDX-License-Identifier: MIT
# Processes: how programs end, fork and become others. The profiler changes neither what they say nor how they exit, and
# loses no process's data.
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use Time::HiRes ();

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of records);
use Run qw(captures_in facts run same under_profiler);
use Tree qw(slurp spew);

my $WORK = 'sub work { my $x = 0; $x += $_ for 1 .. 50; $x } work() for 1 .. 2000;' . "\n";
my %END  = (finished => 0, exec => 1, exit => 2);

# How the capture's last chunk says that the process ended; undef if it does not.
sub ending {
    my ($run, $file) = @_;
    my ($last) = reverse grep { $_->{kind} ne 'chunk' } records("$run->{dir}/" . ($file // 'nytprof.out'));
    return $last->{kind} eq 'end' ? $last->{how} : undef;
}

sub calls {
    my ($run, $sub, $file) = @_;
    my $facts = facts($run, $file && "$run->{dir}/$file");
    return $facts->{sub}{$sub}{calls} // 0;
}

# --- how it ends ------------------------------------------------------------------------------------------------------

my %ends = (
    'falls off its end'         => ['1;'],
    'exit'                      => ['exit 7;'],
    'exit in an eval'           => ['eval { exit 7 }; print "not here";'],
    'exit in a sort block'      => ['my @x = sort { exit 7 } 2, 1;'],
    'exit in an END block'      => ['END { $? = 9 } exit 7;'],
    'dies'                      => ['$! = 0; die "bye\n";'],
    'dies with errno'           => ['$! = 5; die "bye\n";'],
    'dies of a closed file'     => ['open my $in, "<", "/nonexistent" or die "cannot: $!\n";'],
    'dies with a child\'s code' => ['system "exit 3"; $! = 0; die "bye\n";'],
    'dies in a BEGIN block'     => ['BEGIN { $! = 0; die "bye\n" }'],
    'dies in DESTROY at the end' => ['sub DESTROY { die "x\n" } our $o = bless []; exit 4;'],
    'does not compile'          => ['my $x = ;'],
    'misses a module'           => ['require No::Such::Module;'],
    'exec'                      => ['exec "sh", "-c", "echo hello; exit 5";', exec => 'parent'],
    'exec that fails'           => ['exec "/nonexistent/program"; print "on\n"; exit 6;'],
    'POSIX::_exit'              => ['use POSIX (); POSIX::_exit(8);', exit => 'parent'],
);
for my $how (sort keys %ends) {
    my ($code, $end) = @{ $ends{$how} };
    my $text = "$WORK$code\n";
    my $ours = same("$how: as without us", $text);
    is ending($ours), $END{ $end // 'finished' }, "$how: the capture is complete";
    my $runs = $how !~ /BEGIN|compile/ ? 2000 : 0;
    is calls($ours, 'main::work'), $runs, "$how: every call is in it";
}
my $failed = run($WORK . 'exec "/nonexistent/program"; work();');
is calls($failed, 'main::work'), 2001, 'after an exec that fails it goes on';

# The first exec fails, so that counting goes on behind what was asked for. On a busy machine the other thread may have
# no event in time.
my $EXECS = <<'END';
use threads;
use threads::shared;
no warnings 'threads';
my $n : shared = 0;
sub work { 1 }
threads->create(sub {
    exec '/does/not/exist';
    1 until $n;
    exec $^X, '-e', 'print "done\n"';
})->detach;
work() for 1 .. 100_000;
$n = 1;
my $x = 0;
while (1) { $x++ }
END
for my $calls ($Config{useithreads} ? (1, 2) : ()) {
    my ($counted, $tries) = (0, 0);
    while ($counted != 100_000 && $tries++ < 3) {
        my $execs = same('a thread that execs while another one counts', $EXECS, options => { calls => $calls });
        $counted = calls($execs, 'main::work');
    }
    is $counted, 100_000, "calls=$calls: what both have counted is in the profile";
}

my $checked = run("$WORK\nprint 'not run';\n", command => [ $^X, under_profiler(), '-c', 'prog.pl' ]);
is "$checked->{out}$checked->{err}", "prog.pl syntax OK\n", 'perl -c';
is ending($checked), $END{finished}, 'leaves a complete capture';

# --- killed -----------------------------------------------------------------------------------------------------------

for my $signal (qw(KILL TERM INT ABRT HUP)) {
    my $ours = run("$WORK kill $signal => \$\$; sleep 1;\n");
    is_deeply [ @{$ours}{qw(out exit)}, $ours->{signal} & 0x7F ], [ '', 0, number_of($signal) ], "$signal kills it";
    is calls($ours, 'main::work'), 2000, "$signal: the capture is readable, with all calls before the kill";
}

sub number_of {
    my ($signal) = @_;
    require Config;
    my @names = split ' ', $Config::Config{sig_name};
    my ($number) = grep { $names[$_] eq $signal } 0 .. $#names;
    return $number;
}

# It counts windows by a clock that goes by events, and is killed by a child, of which it knows nothing.
my $ROUNDS = 200_000;
my $busy   = run(<<"END", options => { clock => 'fake' });
sub round { 1 } round() for 1 .. $ROUNDS;
my \$killer = fork // die;
exec \$^X, '-e', 'kill KILL => shift', getppid or die if !\$killer;
while (1) { }
END
is $busy->{signal}, 9, 'a program is killed in a busy loop';
cmp_ok calls($busy, 'main::round'), '>=', 0.7 * $ROUNDS, 'most of the calls are there';
my ($info) = nytprof('info', "$busy->{dir}/nytprof.out");
like $info, qr/did not end cleanly: last data [\d.]+ s after its start/, 'info says that it did not end cleanly';

my $KILLED = join ' ', 'sleep 1 | timeout -s KILL 0.5', $^X, under_profiler(), 'prog.pl';
my @waits = (
    'sleep 10;', 'my $line = <STDIN>;', 'select undef, undef, undef, 10;', 'system "sleep 1";', '`sleep 1`;',
    'use Time::HiRes (); Time::HiRes::sleep(10);', 'use POSIX (); POSIX::pause();',
    'use IO::Poll; my $poll = IO::Poll->new; $poll->mask(*STDIN, POLLIN); $poll->poll(10);',
);
for my $wait (@waits) {
    my $waiting = run("$WORK$wait\n", command => [ 'sh', '-c', $KILLED ]);
    is calls($waiting, 'main::work'), 2000, "killed in $wait every call is there";
}

# As a server does that is asked a few times in a row, then not any more.
my $asked = run("sub answer { 1 } for (1 .. 20) { answer(); select undef, undef, undef, 1e-5 } answer(); sleep 10;\n",
    command => [ 'sh', '-c', $KILLED ]);
is calls($asked, 'main::answer'), 21, 'killed while it waits, soon after it waited: no call is lost';

# The fake clock knows nothing of waiting: 2,000 waits take milliseconds.
my $waiter = run("select undef, undef, undef, 0 for 1 .. 2000;\n", options => { clock => 'fake' });
my $windows = grep { $_->{kind} eq 'window' } @{ facts($waiter)->{records} };
cmp_ok $windows, '<', 40, 'but not each of many waits in a row is written before';

# A server that profiles each request.
my $REQUESTS = 'sub answer { 1 } '
    . 'for (1 .. 2000) { DB::enable_profile(); answer(); DB::disable_profile(); kill 0 => $$ } ';
my $requests = run("$REQUESTS\n", options => { clock => 'fake', start => 'no' });
$windows = grep { $_->{kind} eq 'window' } @{ facts($requests)->{records} };
cmp_ok $windows, '<', 40, 'nor each of many times that profiling is switched off';
is calls($requests, 'main::answer'), 2000, 'and no call is lost';
my $while_off = run("${REQUESTS}kill KILL => \$\$;\n", options => { clock => 'fake', start => 'no' });
is calls($while_off, 'main::answer'), 2000, 'even if the program kills itself then';

# --- running ----------------------------------------------------------------------------------------------------------

# What info and a page's notes say of a program that lives, of a copy of its capture and of that merged with another;
# then when it has been killed, before and after its parent has asked.
my $alive = tempdir(CLEANUP => 1);
spew("$alive/prog.pl", "$WORK print qq{ready\\n}; close STDOUT; sleep 60;\n");
my $living = open my $ready, '-|', 'sh', '-c', 'cd "$0" && exec "$@"', $alive, $^X, under_profiler(), 'prog.pl'
    or die "sh: $!\n";
is scalar <$ready>, "ready\n", 'a program runs';
is_deeply [ states("$alive/nytprof.out") ], ['is running'], 'and is told from one that did not end';
system 'cp', "$alive/nytprof.out", "$alive/copy";
nytprof('merge', '-o', "$alive/merged", "$alive/copy", "$busy->{dir}/nytprof.out");
is_deeply [ states("$alive/merged") ], [ 'did not end cleanly', 'is running' ], 'also where it was merged with another';
like +(nytprof('csv', '-o', "$alive/csv", "$alive/copy"))[1], qr/^nytprof: Process $living is still running: /m,
    'reports say so, too';
kill KILL => $living;
Time::HiRes::sleep(0.01) until slurp("/proc/$living/stat") =~ /\) Z /;
is_deeply [ states("$alive/nytprof.out") ], ['did not end cleanly'], 'killed it has not ended, while its parent sleeps';
close $ready;
is_deeply [ states("$alive/copy") ], ['did not end cleanly'], 'and not after that either';
like +(nytprof('csv', '-o', "$alive/csv", "$busy->{dir}/nytprof.out"))[1],
    qr/did not end cleanly: .* Up to 0\.1 s of work after that are lost\.$/m, 'reports say how much may be lost';

sub states { return (nytprof('info', @_))[0] =~ /^ +pid \d+ (is running|did not end cleanly): last data /mg }

# --- reading ----------------------------------------------------------------------------------------------------------

# Whether a read is going to wait is asked now and then, not every time.
my $shim = tempdir(CLEANUP => 1) . '/polls.so';
system($Config{cc}, qw(-O2 -shared -fPIC -o), $shim, "$FindBin::Bin/perl/polls.c", '-ldl') == 0
    or BAIL_OUT('the shim does not compile');
my $READS = 20_000;
my $reader = run("open my \$in, '<', '/dev/zero' or die; sysread \$in, my \$x, 512 for 1 .. $READS;\n",
    env => { LD_PRELOAD => join ':', grep {defined} $ENV{LD_PRELOAD}, $shim });
is facts($reader)->{sub}{'main::CORE:sysread'}{calls}, $READS, 'reads without waiting';
my ($polls) = $reader->{err} =~ /^(\d+) polls$/m;
cmp_ok $polls // $READS, '<', $READS / 10, 'ask for input once for many';

# --- sigexit, posix_exit ----------------------------------------------------------------------------------------------

my $sigexit = run("$WORK kill TERM => \$\$; sleep 1;\n", options => { sigexit => 'term' });
is $sigexit->{exit}, 1, 'sigexit: the signal ends the program with 1';
is ending($sigexit), $END{finished}, 'and a complete capture';
my $posix_exit = run("use POSIX ();\n$WORK POSIX::_exit(3);\n", options => { posix_exit => 1, subs => 0 });
is $posix_exit->{exit}, 3, 'posix_exit: the same exit code';
is ending($posix_exit), $END{finished}, 'and a complete capture without subs, too';

# --- fork -------------------------------------------------------------------------------------------------------------

my $FORKS = <<'END';
use POSIX ();
sub before { 1 }
sub child  { 1 }
sub after  { 1 }
$| = 1;
before() for 1 .. 10;
for my $k (1 .. 3) {
    my $pid = fork();
    if (!$pid) {
        chdir '/' if $k == 2;
        child() for 1 .. 5;
        $k == 3 ? POSIX::_exit(0) : exit 0;
    }
    waitpid $pid, 0;
    print "$pid $?\n";
}
after() for 1 .. 3;
END
my $forks = run($FORKS);
my @pids  = $forks->{out} =~ /^(\d+) 0$/mg;
is_deeply [ captures_in($forks->{dir}) ], [ 'nytprof.out', sort map {"nytprof.out.$_"} @pids ],
    'a child has a file of its own, NAME.PID';
is calls($forks, 'main::before'), 10, 'the parent has its own calls';
is calls($forks, 'main::after'),  3,  'those after the forks, too';
is calls($forks, 'main::child'),  0,  'and none of the children\'s';
for my $file (map {"nytprof.out.$_"} @pids) {
    is calls($forks, 'main::before', $file), 0, "$file: not the parent's calls";
    is calls($forks, 'main::child',  $file), 5, "$file: the child's calls";
    ok defined ending($forks, $file), "$file: complete";
}
my ($parent)  = of('process_start', records("$forks->{dir}/nytprof.out"));
my ($child)   = of('process_start', records("$forks->{dir}/nytprof.out.$pids[0]"));
my ($started) = of('chunk', records("$forks->{dir}/nytprof.out"));
is $child->{parent_pid}, $started->{pid}, 'a child knows its parent';
is $child->{parent_start}, $parent->{start}, 'even if pids are used again';

my $NESTED = <<'END';
sub mark { 1 }
mark();
my $pid = fork();
if (!$pid) {
    mark() for 1 .. 2;
    my $grandchild = fork();
    if (!$grandchild) { mark() for 1 .. 4; exit }
    waitpid $grandchild, 0;
    exit;
}
waitpid $pid, 0;
mark() for 1 .. 8;
END
my %files = (0 => 1, 1 => 2, 2 => 3, -1 => 3);
for my $depth (sort keys %files) {
    my $run      = run($NESTED, options => { addpid => 1, forkdepth => $depth });
    my @captures = captures_in($run->{dir});
    is scalar @captures, $files{$depth}, "forkdepth=$depth: $files{$depth} files";
    is_deeply [ grep { !/^nytprof\.out\.\d+$/ } @captures ], [], 'named NAME.PID';
    my @marks = sort { $a <=> $b } map { calls($run, 'main::mark', $_) } @captures;
    is_deeply \@marks, [ (2, 4)[ 0 .. $files{$depth} - 2 ], 9 ], 'each with its own calls';
}

my $late = run("if (!fork) { DB::enable_profile(); work(); exit } wait; sub work { 1 }\n",
    options => { start => 'no' });
is_deeply [ captures_in($late->{dir}) ], ['nytprof.out'], 'who forks before there is a file has no pid to add';
is calls($late, 'main::work'), 1, 'and is profiled';
my $siblings = run("for (1 .. 3) { if (!fork) { DB::enable_profile(); work(); exit } wait } sub work { 1 }\n",
    options => { start => 'no' });
is_deeply [ map { calls($siblings, 'main::work', $_) } captures_in($siblings->{dir}) ], [ 1, 1, 1 ],
    'siblings that are done leave each its own file';

my $LOST = <<'END';
use Cwd;
sub work { 1 }
my $home = getcwd();
mkdir 'gone';
chdir 'gone';
rmdir "$home/gone";
if (!fork) { work() for 1 .. 5; chdir $home; DB::enable_profile(); work() for 1 .. 3; exit }
wait;
END
my $lost = run($LOST);
is_deeply [ $lost->{err}, captures_in($lost->{dir}) ], [ '', 'nytprof.out' ],
    'a child that cannot make a file needs none';
is calls($lost, 'main::work'), 8, 'and is profiled in its parent\'s';
$lost = run($LOST, options => { format => 5 });
like $lost->{err}, qr/\ANYTProf: this process is not profiled: nytprof\.out\.\d+: cannot be created: [^\n]+\n\z/,
    'with format 5 it says that it cannot';
is scalar(captures_in($lost->{dir})), 2, 'and makes none until it is asked to begin';

my $off = run(<<'END');
DB::disable_profile();
if (!fork) { work(); DB::enable_profile(); work(); exit }
wait;
sub work { 1 }
END
my ($its) = grep {/\.\d+$/} captures_in($off->{dir});
is calls($off, 'main::work', $its), 1, 'a child of a parent that is switched off begins when it switches on';

my $piped = run('open my $in, "-|" or do { work(); print "x\n"; exit }; print <$in>; sub work { 1 }' . "\n");
is $piped->{out}, "x\n", 'fork by open';
($its) = grep {/\.\d+$/} captures_in($piped->{dir});
is calls($piped, 'main::work', $its), 1, 'is seen, too';

done_testing;
