# SPDX-License-Identifier: MIT
# Samples by a thread (Devel::NYTProf::Sample): where the time goes, what the program notices of it, when it runs.
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(imbalances records);
use Run qw(captures_in);
use Sampled qw(bare folded lines metrics sampled subs);

# Tests that the program's output, exit status and signal are those of a bare run.
sub same {
    my ($name, $text, %with) = @_;
    my ($bare, $ours) = (bare($text, %with), sampled($text, %with));
    return is_deeply [ @{$ours}{qw(out err exit signal)} ], [ @{$bare}{qw(out err exit signal)} ], $name;
}

sub near { my ($got, $true, $by, $name) = @_; return ok abs($got - $true) <= $by, "$name: $got of $true" }

# --- lines ------------------------------------------------------------------------------------------------------------

# Each line's share of CPU time, which the program measures itself, on lines that do the same, by turns with those that
# count: so what else the machine does is the same for both. None of the three leaves anything to be freed by the next
# line, nor calls the system, as a thread that waits for the CPU often gets it at such a call.
my $BIAS = <<'END';
our @big = map { $_ * 7919 % 5003 } 1 .. 300; our $str = join ' ', map {"w$_"} 1 .. 200; our ($x, $z, @s) = (0, 0);
sub inner { my ($n) = @_;
  @s = sort { $a <=> $b } @big;
  return $s[0] + $n;
}
sub outer { my $t = 1;
  $x += $str =~ /\d+[05] w\d*[xyz]/;
  $z += inner($t);
  return unpack '%32C*', $long;
}
use Time::HiRes qw(clock_gettime CLOCK_THREAD_CPUTIME_ID);
sub cpu { return clock_gettime(CLOCK_THREAD_CPUTIME_ID) }
our $long = 'abc' x 5000; my @t = (0) x 3; my ($k, $from) = (0, cpu());
while (cpu() - $from < 3) {
  $k += outer() for 1 .. 20;
  my $t0 = cpu(); for (1 .. 20) { @s = sort { $a <=> $b } @big }
  my $t1 = cpu(); for (1 .. 20) { $x += $str =~ /\d+[05] w\d*[xyz]/ }
  my $t2 = cpu(); for (1 .. 20) { $k += unpack '%32C*', $long }
  $t[0] += $t1 - $t0; $t[1] += $t2 - $t1; $t[2] += cpu() - $t2;
}
my $all = $t[0] + $t[1] + $t[2];
printf "%.1f\n", 100 * $_ / $all for @t;
END
my $bias = sampled($BIAS);
my @true = split ' ', $bias->{out};
my %at   = lines($bias);
my $all  = $at{3}{cpu} + $at{7}{cpu} + $at{9}{cpu};
cmp_ok $at{3}{samples} + $at{7}{samples} + $at{9}{samples}, '>=', 300, 'there were samples enough';
near(100 * $at{3}{cpu} / $all, $true[0], 6, 'share of a sort');
near(100 * $at{7}{cpu} / $all, $true[1], 6, 'of a match');
near(100 * $at{9}{cpu} / $all, $true[2], 6, 'of the last statement of a sub');
my %path = folded($bias);
ok $path{'main::outer;main::inner;main::CORE:sort'} && $path{'main::outer;main::CORE:match'} && $path{'main::outer'},
    'built-ins and subs are on their paths';
is_deeply [ grep {/inner;main::CORE:match|outer;main::CORE:sort/} keys %path ], [],
    'and on no other: a stack and the op that runs are of one moment';
is_deeply [ imbalances(records("$bias->{dir}/nytprof.out")) ], [], 'every window adds up';

# --- waiting ----------------------------------------------------------------------------------------------------------

my $WAITS = <<'END';
use Time::HiRes qw(time sleep clock_gettime CLOCK_THREAD_CPUTIME_ID);
my (%wall, %cpu);
sub burns { my $x = 0; $x += sqrt $_ for 1 .. 1_500_000; return $x }
sub waits { sleep 0.2; return }
sub reads { open my $p, '-|', 'sleep 0.2; echo x' or die; my $l = <$p>; close $p; return $l }
for (1 .. 4) {
    for my $name (qw(burns waits reads)) {
        my ($from, $used) = (time, clock_gettime(CLOCK_THREAD_CPUTIME_ID));
        &$name();
        $wall{$name} += time - $from;
        $cpu{$name} += clock_gettime(CLOCK_THREAD_CPUTIME_ID) - $used;
    }
}
print "$_ $wall{$_} $cpu{$_}\n" for sort keys %wall;
END
my $waits = sampled($WAITS, hz => 250);
my %own   = subs($waits);
# A busy machine lets the thread wait for some slices of time, which go to the sub that runs after them.
for my $line (split /\n/, $waits->{out}) {
    my ($name, $wall, $cpu) = split ' ', $line;
    near(($own{$name}{wall} // 0) / 1e9, $wall, 0.1 * $wall + 0.1, "$name: wall seconds");
    near(($own{$name}{cpu} // 0) / 1e9,  $cpu,  0.1 * $cpu + 0.06,  "$name: CPU seconds");
}

my $sleeps = sampled("sub naps { sleep 1 }\nnaps();\n", hz => 100);
my %naps   = folded($sleeps);
my $asleep = $naps{'main::naps;main::CORE:sleep'};
my $sum    = 0;
$sum += $_ for values %naps;
cmp_ok $asleep, '>=', 0.97 * $sum, 'a program that sleeps is in CORE:sleep';
my %metric = metrics($sleeps);
cmp_ok $metric{cpu},     '<=', 20_000_000,      'and uses no CPU';
cmp_ok $metric{samples}, '<=', 60,              'and is looked at less often';
cmp_ok $metric{waiting}, '>=', 0.95 * $asleep,  'it waits';

# A program that never waits shares a CPU with three others. The kernel takes the CPU away at a call of the system, so
# the program is found there by most looks, but uses less than a hundredth of its CPU time there.
SKIP: {
    skip 'needs taskset and /proc/PID/sched', 5 if system('taskset -p $$ >/dev/null 2>&1') || !-r '/proc/self/sched';
    my $loaded = sampled(<<'END', options => { forkdepth => 0 });
my @loops = map { my $pid = fork // die; if (!$pid) { alarm 60; 1 while 1 } $pid } 1 .. 3;
my ($cpu) = `taskset -cp $$` =~ /: (\d+)/;
`taskset -a -cp $cpu $_` for $$, @loops;
sub works { my $q = 0;
  $q += $_ for 1 .. 6000;
  return $q }
my $used = times;
while (1) { works();
  my @t = times;
  last if $t[0] - $used > 0.8;
}
kill KILL => @loops; 1 while wait > 0;
END
    my %line = lines($loaded);
    my ($cpu, $of_times) = map { ($line{$_}{cpu} // 0) / 1e9 } 5, 9;
    cmp_ok $cpu, '>', 0.6, 'beside other programs: CPU time of the line that works';
    cmp_ok $of_times, '<', 0.12, 'and of the one that calls the system';
    my %sum;
    for my $metric (qw(ready waiting)) { $sum{$metric} += $line{$_}{$metric} // 0 for 5, 9 }
    cmp_ok $sum{ready}, '>', 1e9, 'they have no CPU most of the time';
    cmp_ok $sum{waiting}, '<', $sum{ready} / 5, 'and do not wait';
    is_deeply [ imbalances(records("$loaded->{dir}/nytprof.out")) ], [], 'every window adds up';
}

# --- names ------------------------------------------------------------------------------------------------------------

my $NAMES = <<'END';
use List::Util ();
my @list = (1 .. 20_000); my $from = times(); my $z = 0;
my $nameless = sub { my $q = 0; $q++ for 1 .. 20_000; $q };
eval "sub evaluated { my \$q = 0;\n for (1 .. 20_000) { \$q++ }\n }";
{ package Thing; sub new { bless [] } sub DESTROY { my $q = 0; $q++ for 1 .. 20_000; } }
sub compares { $a <=> $b }
while (times() - $from < 0.3) {
  $z += List::Util::sum(@list) for 1 .. 20;
  $nameless->();
  evaluated();
  Thing->new;
  my @s = sort compares @list[0 .. 5000];
  eval 'for (1 .. 20_000) { $z++ }';
}
END
my $names = sampled($NAMES);
my %named = folded($names);
for my $path (qw(List::Util::sum main::__ANON__[prog.pl:3] main::evaluated Thing::DESTROY main::compares)) {
    ok $named{$path}, "$path has time";
}
my @files = map { $_->{name} } grep { $_->{kind} eq 'file' } records("$names->{dir}/nytprof.out");
ok grep({/^\(eval \d+\)\[prog\.pl:13\]$/} @files), 'so has a string eval, named after its line';
my @texts = map { $_->{text} // () } grep { $_->{kind} eq 'source' } records("$names->{dir}/nytprof.out");
ok grep({/^for .*z\+\+/} @texts), 'whose text is in the profile';

# --- what the program notices -----------------------------------------------------------------------------------------

same('sleep and select are not cut short, alarm comes in time', <<'END');
use Time::HiRes qw(time);
my $t = time; select undef, undef, undef, 0.2; print time - $t >= 0.2 ? "ok\n" : "short\n";
$SIG{ALRM} = sub { print "alarm\n" }; alarm 1; $t = time; sleep 10; print time - $t < 5 ? "ok\n" : "late\n";
print "$!\n"; $! = 0; 1 for 1 .. 100_000; print $! + 0, "\n";
END
same('children have the same signal mask, exit statuses are the same', <<'END');
print `grep -E '^Sig(Blk|Ign)' /proc/self/status`;
print system('exit 3') >> 8, "\n";
my $pid = fork // die; if (!$pid) { exit 4 } waitpid $pid, 0; print $? >> 8, "\n";
kill TERM => $$; sleep 5;
END
same('$^P, PL_check and caller are as in a bare run', <<'END');
sub f { return join ' ', map { $_ // '-' } (caller 0)[3, 4], $^P }
print f(), "\n"; eval 'print f(), " ", (caller 0)[1] // "-", "\n"';
print __FILE__, ' ', scalar(keys %INC) > 100 ? 'many' : 'few', "\n"; exit 5;
END

# Where memory is read by a file, that has a number which the program's own files do not have.
my $shim = tempdir(CLEANUP => 1) . '/unreadable.so';
system($Config{cc}, qw(-O2 -shared -fPIC -o), $shim, "$FindBin::Bin/perl/unreadable.c", '-ldl') == 0
    or BAIL_OUT('the shim does not compile');
my $by_file = sampled(<<'END', env => { LD_PRELOAD => join ':', grep {defined} $ENV{LD_PRELOAD}, $shim });
use Time::HiRes qw(time);
my ($wrong, $end) = (0, time + 1);
while (time < $end) { close STDIN; $wrong++ if !open(STDIN, '<', '/dev/null') || fileno STDIN }
print $wrong;
END
is $by_file->{out}, 0, 'a file that is opened has the number of a bare run';
my %opens = folded($by_file);
cmp_ok $opens{'main::CORE:open'} // 0, '>', 0.1e9, 'in a program whose memory is read by a file';

# --- when it runs -----------------------------------------------------------------------------------------------------

my $control = sampled(<<'END');
sub burn { my $q = 0; $q += $_ for 1 .. 2_000_000; return $q }
sub tasks { opendir my $d, '/proc/self/task' or die; return scalar grep {/^\d/} readdir $d }
sub quiet { burn() } sub loud { burn() }
print tasks(); loud();
print DB::disable_profile(), tasks(), -s 'nytprof.out' ? 'written' : 'empty'; quiet();
print DB::enable_profile(), tasks(); loud(); DB::finish_profile(); quiet(); print tasks();
DB::enable_profile('other.out'); loud();
END
is $control->{out}, '211written021', 'disable_profile and finish_profile end the thread, enable_profile begins one';
for my $file ('nytprof.out', 'other.out') {
    my %called = folded($control, $file);
    is_deeply [ grep { exists $called{"main::$_;main::burn"} } qw(loud quiet) ], ['loud'], "$file: what ran meanwhile";
}
# Parts of the run are a sixth as long as those before them, each with two samples or none.
my $parts = sampled(<<'END', hz => 100);
use Time::HiRes qw(time);
sub burn { my $until = time + shift; while (time < $until) { 1 for 1 .. 1_000 } }
sub long { burn(0.1) } sub short { burn(0.02) } DB::disable_profile();
for (1 .. 15) { for my $part (\&long, \&short) { DB::enable_profile(); $part->(); DB::disable_profile() } }
END
my ($long, $short) = @{ { folded($parts) } }{qw(main::long;main::burn main::short;main::burn)};
cmp_ok $short / ($short + $long), '>', 0.12, 'each part of a run has its own samples only';
my $none = sampled("print 1;\n", options => { start => 'no' });
is_deeply [ captures_in($none->{dir}) ], [], 'start=no: no file';

my $forks = sampled(<<'END');
sub burn { my $q = 0; $q += $_ for 1 .. 2_000_000; return $q }
sub child { burn() } my $pid = fork // die; if (!$pid) { child(); exit 0 } waitpid $pid, 0;
my $t = `true`; system 'true'; burn();
END
my @captures = captures_in($forks->{dir});
is scalar @captures, 2, 'a forked child has a file, programs that are run have none' or diag "@captures";
my %child = folded($forks, $captures[1]);
ok $child{'main::child;main::burn'}, 'the child is sampled';
# A daemon that leaves its directory at once, and opens the profile of a part there later.
my $daemon = sampled(<<'END');
mkdir 'root'; my $pid = fork // die; if ($pid) { waitpid $pid, 0; exit 0 }
sub burn { my $q = 0; $q += $_ for 1 .. 3_000_000; return $q }
chdir 'root'; burn(); DB::finish_profile(); DB::enable_profile(); burn();
END
is_deeply [ map { scalar captures_in($_) } $daemon->{dir}, "$daemon->{dir}/root" ], [ 2, 1 ],
    'the profile of a child is where it was forked' or diag `ls -R $daemon->{dir}`;

my $no_forks = sampled("if (!fork) { 1 for 1 .. 3e6; exit } wait;\n", options => { forkdepth => 0 });
is_deeply [ captures_in($no_forks->{dir}) ], ['nytprof.out'], 'not with forkdepth=0';

my $nested = sampled(<<'END', options => { forkdepth => 1 });
for (1, 2) { my $pid = fork // die; if ($pid) { waitpid $pid, 0; exit } } 1 for 1 .. 3e6;
END
is scalar(captures_in($nested->{dir})), 2, 'with forkdepth=1 no child of a child, though the forks are at once';

# The child can make no file, neither beside its parent's nor by its parent's descriptor.
my $gone = tempdir(CLEANUP => 1) . '/gone';
mkdir $gone or die "$gone: $!";
my $without = sampled(<<"END", options => { file => "$gone/out" });
use POSIX (); unlink '$gone/out'; rmdir '$gone' or die \$!;
my \$pid = fork // die; if (\$pid) { waitpid \$pid, 0; exit }
POSIX::close(\$_) for 3 .. 200; select undef, undef, undef, 1;
my (\$user, \$system) = times; print \$user + \$system < 0.2 ? 'rests' : "\$user + \$system s";
END
like $without->{err}, qr/this process is not profiled/, 'a child that can make no file says so';
is $without->{out}, 'rests', '... and has no thread';

my $killed = sampled(<<'END');
use Time::HiRes qw(time);
sub burn { my $until = time + 1.5; while (time < $until) { 1 for 1 .. 10_000 } }
burn(); kill KILL => $$; sleep 1;
END
my %left = folded($killed);
cmp_ok $left{'main::burn'}, '>=', 0.4e9, 'kill -9 leaves all but the last second';

my $execs = sampled(<<'END');
use Time::HiRes qw(time);
sub burn { my $until = time + shift; while (time < $until) { 1 for 1 .. 1_000 } }
sub early { burn(0.5) } sub late { burn(0.3) } sub last_of_all { burn(0.3) }
early(); { no warnings; exec '/nowhere/program' } print "$!\n"; $| = 1;
late(); my $pid = fork // die; if (!$pid) { exec 'true' } waitpid $pid, 0; last_of_all();
exec 'echo', 'other';
END
like $execs->{out}, qr/^No such file.*\nother\n\z/, 'exec fails, or runs the other program';
my %until_exec = folded($execs);
ok $until_exec{"main::$_;main::burn"}, "$_: what came before an exec is there" for qw(early late last_of_all);
my @ends = map { $_->{how} } grep { $_->{kind} eq 'end' } records("$execs->{dir}/nytprof.out");
is_deeply \@ends, [ 1, 1 ], 'the profile is complete at each exec';

SKIP: {
    skip 'a perl without threads', 1 if !$Config{useithreads};
    my $threads = sampled(<<'END');
use threads; use Time::HiRes qw(sleep);
threads->create(sub { sleep 5 }); sleep 0.2; exec 'true';
END
    my @ends_of_threads = map { $_->{how} } grep { $_->{kind} eq 'end' } records("$threads->{dir}/nytprof.out");
    is_deeply \@ends_of_threads, [ 1, 1 ], 'so are those of all threads';
}

# --- what is refused --------------------------------------------------------------------------------------------------

my @REFUSED = (
    [ 'hz,0.5'          => "sample cannot be '0.5'" ],
    [ 'hz,1001'         => "sample cannot be '1001'" ],
    [ 'hz'              => 'expected NAME,VALUE' ],
    [ 'format,5'        => 'sample=100 needs format=1' ],
    [ 'file,/nowhere/x' => 'sample=100: /nowhere/x: cannot be created' ],
);
for my $case (@REFUSED) {
    my ($words, $message) = @$case;
    my $run = sampled("print 1;\n", words => $words);
    like $run->{err}, qr/\Q$message\E/, "$words: says so";
    isnt $run->{exit}, 0, '... and the program does not begin';
}

done_testing;
