# SPDX-License-Identifier: MIT
# The clocks tick and tick_cpu: whole milliseconds, counted by a thread. Counts are exact as ever, times add up, and
# shares are those of as many samples.
use strict;
use warnings;

use Config;
use FindBin;
use List::Util qw(sum);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Lua qw(lua luas);
use Run qw(capture_of captures_in facts run same);
use Profiled qw($TOP);
use Terminal qw(has_terminals on_terminal);
use Tree qw(slurp);

my $MS = 1_000_000;    # ticks are nanoseconds

# --- counts and sums --------------------------------------------------------------------------------------------------

my $COUNTED = <<'END';
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
sub twice { my @all = map { $_ * 2 } @_; return scalar @all }
my $sum = 0;
for my $i (1 .. 300) {
    $sum += twice(1 .. $i);
    next if $i % 3;
    $sum += eval { die "no\n" if $i % 2; 1 } // 0;
}
$sum += fib(15);
print "$sum\n";
exit 3;
END

my $usual = facts(run($COUNTED));
for my $clock (qw(tick tick_cpu)) {
    my $run   = same("$clock: output and exit status", $COUNTED, options => { clock => $clock });
    my $facts = facts($run);
    is_deeply $facts->{$_}, $usual->{$_}, "$clock: $_ counts are those of the usual clock" for qw(line call edge);
    is_deeply calls($facts), calls($usual), "$clock: and those of subs";
    my ($stream) = of('process_start', @{ $facts->{records} });
    is_deeply [ @{$stream}{qw(clock_name ticks_per_second resolution)} ], [ $clock, 1e9, $MS ], "$clock: is told";
}

# To readers a window without length is none, so some have a nanosecond.
my $raw  = run($COUNTED, options => { clock => 'tick', overhead => 'raw' });
my @many = map { of($_, @{ facts($raw)->{records} }) } qw(place_delta node_delta);
is_deeply [ grep { ($_->{ticks} + 100) % $MS > 200 } @many ], [], 'each interval has whole ticks';
like +(nytprof('flat', capture_of($raw)))[1], qr/The clock is coarse: it steps by 1 ms/, 'reports say how coarse it is';
my $subs  = join "\n", map {"sub s$_ { my \$x = 0; \$x += \$_ for 1 .. 20_000 }\ns$_();"} 1 .. 20;
my $long  = "sub long { my \$x = 0; \$x += \$_ for 1 .. 100_000 }\nlong();\nlong() for 1, 2;\n";
my $short = run("$subs\n$long", options => { clock => 'tick_cpu' });
like +(nytprof('hot', capture_of($short)))[0], qr/~0 s/, 'and of a few ticks that they cannot be told from zero';

# A tick counts as a sample, and less than a hundred say little.
my $more = run($subs =~ s/20_000/100_000/gr . $long, options => { clock => 'tick_cpu' });
nytprof('html', '-o', "$more->{dir}/html", capture_of($more));
my $grey = qr{<span class=muted>[\d.]+ % \xC2\xB1[\d.]+</span>};
like slurp("$more->{dir}/html/index.html"), $grey, 'shares have an error, in grey';
SKIP: {
    skip 'no terminal', 1 if !has_terminals();
    local @ENV{qw(TERM PAGER)} = ('dumb', '');
    my ($flat) = on_terminal("$TOP/build/nytprof", 'flat', '--color=always', capture_of($more));
    like $flat, qr/\033\[2m +\xC2\xB1[\d.]+\033\[0m/, 'also on a terminal';
}

# --- times ------------------------------------------------------------------------------------------------------------

# Two loops of 3 : 1, told by the program's own CPU clock.
my $SHARES = <<'END';
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
sub three { my $x = 0; for (1 .. 3000) { $x += $_; $x ^= 3 } return $x }
sub once { my $x = 0; for (1 .. 1000) { $x += $_; $x ^= 3 } return $x }
my $until = clock_gettime(CLOCK_MONOTONIC) + 2;
while (clock_gettime(CLOCK_MONOTONIC) < $until) { three(); once() }
END
for my $clock (qw(tick tick_cpu)) {
    my $facts = facts(run($SHARES, options => { clock => $clock }));
    my ($three, $once) = map { $facts->{sub}{"main::$_"}{exclusive} } qw(three once);
    cmp_ok abs(100 * $three / ($three + $once) - 75), '<', 5, "$clock: three quarters of the time are in one of two";
}

my $NAPS = <<'END';
sub nap { select undef, undef, undef, $_[0] }
sub burn { my $x = 0; $x += $_ for 1 .. 300_000; return $x }
nap(0.3); burn(); nap(0.003) for 1 .. 100; burn(); nap(0.5);
END
my $run   = run($NAPS, options => { clock => 'tick' });
my $facts = facts($run);
cmp_ok $facts->{sub}{'main::nap'}{inclusive}, '>', 1.1,  'all of the sleeps are there';
cmp_ok $facts->{sub}{'main::nap'}{inclusive}, '<', 1.1 + spare($facts), 'and no more';
my ($json) = nytprof('json', capture_of($run));
like $json, qr/"clock":\s*"tick"/, 'reports name the clock';
my $cpu = facts(run($NAPS, options => { clock => 'tick_cpu' }));
cmp_ok $cpu->{sub}{'main::nap'}{inclusive}, '<', 0.1, 'tick_cpu: sleeps take no time';

# --- the thread -------------------------------------------------------------------------------------------------------

my $THREADS = 'sub threads { opendir my $d, "/proc/self/task"; my @all = grep { /\d/ } readdir $d; return @all }';
is run("$THREADS\nprint threads() . ' '; DB::finish_profile(); print scalar threads();\n",
    options => { clock => 'tick' })->{out}, '2 1', 'a thread ticks, until the profile is finished';
is run("$THREADS\nprint scalar threads();\n", options => { clock => 'tick', start => 'no' })->{out}, '1',
    'there is none with start=no';

$run = run(<<'END', options => { clock => 'tick' });
sub waits { open my $in, '<', '/proc/self/status'; my @all = map { /^vol\w+:\s+(\d+)/ } <$in>; return $all[0] }
sub others { my $n = 0; for (glob '/proc/self/task/*/status') { next if m{/$$/}; open my $in, '<', $_;
    $n += $_ for map { /^vol\w+:\s+(\d+)/ } <$in> } return $n }
select undef, undef, undef, 0.1;
my $before = others(); select undef, undef, undef, 1; print others() - $before;
END
cmp_ok $run->{out}, '<', 60, 'which rests while the program waits';

# --- windows, forks, threads, ends ------------------------------------------------------------------------------------

$run = run("sub work { my \$x = 0; \$x += \$_ for 1 .. 1000; return \$x }\nwork() for 1 .. 3000;\nsleep 1;\n"
        . "work() for 1 .. 3000;\nkill KILL => \$\$;\n", options => { clock => 'tick' });
is $run->{signal}, 9, 'a program that is killed';
$facts = facts($run);
cmp_ok $facts->{sub}{'main::work'}{calls}, '>', 3000, 'keeps what was, also from behind a wait';

$run = same('a fork', <<'END', options => { clock => 'tick', addpid => 1 });
sub work { my $until = time + 1; my $n = 0; $n++ while time < $until; return 1 }
my $pid = fork // die;
work();
if ($pid) { waitpid $pid, 0; print $? >> 8, "\n"; exit 2 }
exit 4;
END
my @both = map { facts($run, "$run->{dir}/$_") } captures_in($run->{dir});
is scalar @both, 2, 'has two captures';
my @worked = map { $_->{sub}{'main::work'} } @both;
is_deeply [ map { $_->{calls} } @worked ], [ 1, 1 ], 'each with its own calls';
ok !(grep { $_->{inclusive} <= 0.001 || $_->{inclusive} > 1.1 + spare(@both) } @worked), 'and its own time';

SKIP: {
    skip 'this perl has no threads', 2 if !$Config{useithreads};
    for my $clock (qw(tick tick_cpu)) {
        my $many = facts(run(<<'END', options => { clock => $clock }));
use threads;
sub work { my $x = 0; for (1 .. $_[0]) { $x += $_; $x ^= 3 } return $x }
$_->join for map { threads->create(\&work, 200_000) } 1 .. 3;
work(200_000);
END
        my $work = $many->{sub}{'main::work'};
        ok $work->{calls} == 4 && $work->{exclusive} > 0.02, "$clock: threads are counted and timed";
    }
}

my $WITH = "sub work { my \$x = 0; \$x += \$_ for 1 .. \$_[0]; return \$x }\nwork(100_000) for 1 .. 30;\n";
$facts = facts(run($WITH, options => { clock => 'tick', latency => 1, calls => 1, sample => 100 }));
is $facts->{sub}{'main::work'}{calls}, 30, 'together with latency, calls and sample';
is facts(run($WITH, options => { clock => 'tick', calls => 2 }))->{sub}{'main::work'}{calls}, 30, 'and with all calls';

# --- Lua --------------------------------------------------------------------------------------------------------------

my ($luas) = luas();
for my $version (@$luas) {
    my $text = <<'END';
local function three() local x = 0 for i = 1, 3000 do x = x + i
x = x ~ 3 end return x end
local function once() local x = 0 for i = 1, 1000 do x = x + i
x = x ~ 3 end return x end
for i = 1, 300 do three() once() end
os.execute('sleep 0.2')
END
    my ($exact, $ticks) = map { facts(lua($version, $text, options => { clock => $_ })) } qw(-1 tick);
    is_deeply [ @{$ticks}{qw(line call)}, calls($ticks) ], [ @{$exact}{qw(line call)}, calls($exact) ],
        "lua $version: counts are those of the usual clock";
    cmp_ok $ticks->{sub}{'os.execute'}{inclusive} // 0, '>', 0.19, "lua $version: a wait has its time";
}

done_testing;

sub calls { my ($of) = @_; return { map { ($_ => $of->{sub}{$_}{calls}) } keys %{ $of->{sub} } } }

# Seconds by which a busy machine may lengthen sleeps.
sub spare { return 0.5 }
