# SPDX-License-Identifier: MIT
# Option waiting: how long lines and subs have waited, and for what kind of thing. What they wait for has known lengths.
use strict;
use warnings;

use Config;
use FindBin;
use JSON::PP qw(decode_json);
use Test::More;

use File::Temp qw(tempdir);
use List::Util qw(sum0);

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Capture qw(nytprof);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);
my $lib = "-I$FindBin::Bin/../blib/lib -I$FindBin::Bin/../blib/arch";
my $MS  = 1_000_000;                                                     # ns

plan skip_all => 'the system does not tell how long a thread was ready' unless -r '/proc/thread-self/schedstat';

# The JSON of a run of that program, and of other captures that it makes.
sub run {
    my ($text, $options, $switches, $before) = @_;
    unlink glob "$dir/out*";
    spew("$dir/prog.pl", $text);
    my $perl = join ' ', $before // '', $^X, $lib, $switches // '-d:NYTProf';
    my $said = qx{cd $dir && NYTPROF=$options:file=out $perl prog.pl 2>&1};
    is $?, 0, 'the program ends well' or diag $said;
    return map { decode_json((nytprof('json', $_))[0]) } sort glob "$dir/out*";
}

# The value of that metric in a row of values.
sub of {
    my ($json, $metric, $row) = @_;
    my @metrics = @{ $json->{meta}{metrics} };
    my ($i) = grep { $metrics[$_]{name} eq $metric } 0 .. $#metrics;
    return defined $i && $row ? $row->[$i] // 0 : 0;
}

sub total { return of($_[0], $_[1], $_[0]{meta}{totals}{values}) }

sub of_sub {
    my ($json, $name, $metric) = @_;
    my ($found) = grep { $_->{name} eq $name } @{ $json->{subs} };
    return $found ? of($json, $metric // 'waiting', $found->{values}) : undef;
}

sub within {
    my ($got, $least, $most, $what) = @_;
    ok defined $got && $got >= $least && $got <= $most, $what or diag 'got ', $got // 'none', ", not $least to $most";
    return;
}

# A busy machine makes sleeps longer, but not shorter; another process may be ahead when the wait for it begins.
sub slept  { my ($got, $ms, $what) = @_; return within($got, 0.97 * $ms * $MS, (1.5 * $ms + 40) * $MS, $what) }
sub waited { my ($got, $ms, $what) = @_; return within($got, 0.5 * $ms * $MS, (3 * $ms + 100) * $MS, $what) }

# Kinds that are of lines and subs, too.
my @KINDS = qw(child disk c lock pipe select sleep socket);

# What lines, subs and kinds have waited is the same, and no sub more than its time.
sub adds_up {
    my ($json, $what) = @_;
    my $kinds = sum0 map { total($json, "wait-$_") } @KINDS;
    my $subs = sum0 map { of($json, 'waiting', $_->{values}) } @{ $json->{subs} };
    is $subs, total($json, 'waiting'), "$what: subs have waited as long as lines";
    within(total($json, 'waiting') - $kinds, 0, total($json, 'wait-other'), "$what: and kinds of things, too");
    my @more = grep { of($json, 'waiting', $_->{values}) > $_->{exclusive} + $MS } @{ $json->{subs} };
    is_deeply [ map { $_->{name} } @more ], [], "$what: no sub has waited longer than it took";
    return;
}

# ---- kinds ----

my ($json) = run(<<'END', 'waiting=1');
use Time::HiRes qw(usleep);
use Fcntl qw(:flock);
use Socket;
sub sleeps   { usleep(20_000) for 1 .. 5; return }
sub naps     { nap(100); return }
sub calls    { system 'sleep 0.1'; return }
sub quotes   { my $x = `sleep 0.1`; return }
sub nap      { select undef, undef, undef, $_[0] / 1000; return }
sub child    { my ($ms, $code) = @_; my $pid = fork; return $pid if $pid; $code->() if $code; nap($ms); exit }
sub awaits   { waitpid child(100), 0; return }
sub closes   { open my $f, '|-', 'cat >/dev/null; sleep 0.1' or die; print {$f} "x\n"; close $f; return }
sub reads    {
    open my $f, '-|', $^X, '-e', '$| = 1; for (1 .. 4) { select undef, undef, undef, 0.03; print "x\n" }' or die;
    1 while <$f>;
    return;
}
sub jumps    { @_ = 50_000; goto &usleep }
sub locks    {
    open my $f, '>', 'lock' or die;
    pipe my $r, my $w;
    my $pid = child(150, sub { open our $own, '>', 'lock' or die; flock $own, LOCK_EX; syswrite $w, "x" });
    sysread $r, my $x, 1;
    flock $f, LOCK_EX;
    waitpid $pid, 0;
    return;
}
sub talks    {
    socketpair my $one, my $two, AF_UNIX, SOCK_STREAM, PF_UNSPEC or die;
    my $pid = fork;
    if (!$pid) { nap(100); syswrite $one, "hello"; exit }
    sysread $two, my $x, 5;
    waitpid $pid, 0;
    return;
}
sub polls    {
    pipe my $r, my $w;
    my $pid = fork;
    if (!$pid) { nap(100); syswrite $w, "x"; exit }
    vec(my $set = '', fileno $r, 1) = 1;
    select $set, undef, undef, 5;
    waitpid $pid, 0;
    return;
}
sub serves   {
    socket my $s, AF_UNIX, SOCK_STREAM, 0 or die;
    bind $s, sockaddr_un("sock") or die;
    listen $s, 1;
    my $pid = fork;
    if (!$pid) { nap(100); socket my $c, AF_UNIX, SOCK_STREAM, 0; connect $c, sockaddr_un("sock"); exit }
    accept my $c, $s;
    waitpid $pid, 0;
    return;
}
sub works    {
    my @s = sort { $a <=> $b } map { rand } 1 .. 100_000;
    my @m = join(',', @s) =~ /\d+/g;
    return;
}
works();
sleeps(); naps(); calls(); quotes(); awaits(); closes(); reads(); jumps(); locks(); talks(); polls(); serves();
works();
END

slept(of_sub($json, 'Time::HiRes::usleep'), 150, 'a function in C sleeps, one that goto calls, too');
waited(of_sub($json, 'main::CORE:flock'), 130, 'flock waits for another process');
waited(of_sub($json, 'main::CORE:system'), 100, 'system waits for its child');
waited(of_sub($json, 'main::CORE:readline'), 120, 'a line is waited for');
within(of_sub($json, 'main::CORE:sort') + of_sub($json, 'main::CORE:match'), 0, $MS, 'what works does not wait');
is of_sub($json, 'main::CORE:accept'), 0, 'the wait for a client is in no sub, as its time is in none';
slept(total($json, 'wait-sleep'), 250, 'kind: sleep');
within(total($json, 'wait-child'), 200 * $MS, 2000 * $MS, 'kind: child');
waited(total($json, 'wait-pipe'), 120, 'kind: pipe');
waited(total($json, 'wait-lock'), 130, 'kind: lock');
waited(total($json, 'wait-socket'), 100, 'kind: socket');
waited(total($json, 'wait-select'), 100, 'kind: select');
waited(total($json, 'wait-client'), 90, 'kind: client');
adds_up($json, 'kinds');

nytprof('html', '--delete', '-o', "$dir/report", "$dir/out");
my $page = slurp("$dir/report/index.html");
like $page, qr/Input and output is shown with what it waited\./, 'the strip says that it does not tell';
like $page, qr/<b>[\d.]+ m?s<\/b> Waiting: child processes/, 'the page has the kinds';
my ($flame) = nytprof('folded', '--metric=waiting', "$dir/out");
like $flame, qr/^main::RUNTIME;main::locks;main::CORE:flock \d+$/m, 'call paths have what they waited';

my ($off) = run('select undef, undef, undef, 0.01;', 'waiting=0');
is_deeply $off->{meta}{metrics}, [], 'without the option there is none of this';

# ---- the CPU is busy ----

SKIP: {
    skip 'there is no taskset', 5 if system 'taskset -c 0 true 2>/dev/null';
    my $busy = fork;
    if (!$busy) { exec 'taskset', '-c', 0, $^X, '-e', 'alarm 60; 1 while 1' or exit 1 }
    my ($pinned) = run(<<'END', 'waiting=1', '-d:NYTProf', 'taskset -c 0');
sub works { my @r = map { rand } 1 .. 60_000; my @s = sort { $a <=> $b } @r; return }
works() for 1 .. 5;
my $x = 0;
$x += $_ for 1 .. 500_000;
select undef, undef, undef, 0.05;
END
    kill KILL => $busy;
    waitpid $busy, 0;
    my $works = sum0 map { of($pinned, 'waiting', $_->{values}) } grep { $_->{name} !~ /select/ } @{ $pinned->{subs} };
    within($works, 0, 5 * $MS, 'time without a CPU is not waiting');
    within(total($pinned, 'no-cpu'), 50 * $MS, 60_000 * $MS, 'and is told');
    within(of_sub($pinned, 'main::CORE:sort', 'ready'), 5 * $MS, 60_000 * $MS, 'for what works in C');
    slept(total($pinned, 'wait-sleep'), 50, 'and a sleep remains');
}

# ---- what happens to calls, processes and threads ----

my ($left) = run(<<'END', 'waiting=1');
use List::Util qw(first);
use Time::HiRes qw(usleep);
pipe my $r, my $w;
sub times_out { local $SIG{ALRM} = sub { die "late\n" }; Time::HiRes::alarm(0.1); my $x = <$r>; return }
eval { times_out() };
first { usleep(50_000); 1 } 1;
eval { first { usleep(50_000); die } 1 };
1 for 1 .. 3;
END
waited(of_sub($left, 'main::CORE:readline'), 100, 'an exception of a signal ends a wait');
slept(of_sub($left, 'Time::HiRes::usleep'), 100, 'waits in callbacks are of the innermost call');
within(of_sub($left, 'List::Util::first'), 0, $MS, 'and not of the one around it');
adds_up($left, 'exceptions');

my ($pause) = run(<<'END', 'waiting=1');
select undef, undef, undef, 0.05;
DB::disable_profile();
select undef, undef, undef, 0.2;
DB::enable_profile();
select undef, undef, undef, 0.05;
END
slept(total($pause, 'waiting'), 100, 'a pause of the profile is none of the program');

my ($parent, $child) = run(<<'END', 'waiting=1');
select undef, undef, undef, 0.1;
if (!fork) { select undef, undef, undef, 0.05; exit }
wait;
END
slept(total($parent, 'wait-sleep'), 100, 'a parent has its own waits');
within(total($parent, 'wait-child'), 20 * $MS, 400 * $MS, 'and that for a child');
slept(total($child, 'waiting'), 50, 'a child has its own');

my ($closed) = run(<<'END', 'waiting=1');
use POSIX ();
POSIX::close($_) for 3 .. 100;
open my $f, '<', $0 or die;
die 'another descriptor' if fileno($f) != 3;
select undef, undef, undef, 0.05;
END
slept(total($closed, 'waiting'), 50, 'all descriptors are closed');

SKIP: {
    skip 'this perl has no threads', 3 if !$Config{useithreads};
    my ($threads) = run(<<'END', 'waiting=1', '-d:NYTProf');
use threads;
use Time::HiRes qw(usleep);
sub one { usleep(100_000); return }
my @t = map { threads->create('one') } 1 .. 2;
$_->join for @t;
END
    slept(of_sub($threads, 'Time::HiRes::usleep'), 200, 'each thread has its own waits');
    within(of_sub($threads, 'threads::join'), 50 * $MS, 500 * $MS, 'join waits for a thread');
}

SKIP: {
    skip 'Coro is not installed', 5 if !eval { require Coro; require Coro::AnyEvent; 1 };
    my ($coro) = run(<<'END', 'waiting=1');
use Coro;
use Coro::AnyEvent;
my @c = map { async { Coro::AnyEvent::sleep(0.1) } } 1 .. 3;
$_->join for @c;
END
    waited(total($coro, 'waiting'), 100, 'coroutines wait at the same time');
    adds_up($coro, 'coroutines');
}

SKIP: {
    skip 'DBD::SQLite is not installed', 3 if !eval { require DBD::SQLite; 1 };
    my ($sqlite) = run(<<'END', 'waiting=1');
use DBI;
sub open_db { return DBI->connect('dbi:SQLite:db', '', '', { RaiseError => 1, PrintError => 0 }) }
my $db = open_db();
$db->do('create table t (x)');
pipe my $r, my $w;
if (!fork) {
    my $own = open_db();
    $own->do('begin exclusive');
    syswrite $w, 'x';
    select undef, undef, undef, 0.5;
    $own->do('commit');
    exit;
}
sysread $r, my $x, 1;
sub fails { $db->sqlite_busy_timeout(100); eval { $db->do('insert into t values (1)'); 1 } and die; return }
sub locks { $db->sqlite_busy_timeout(9999); $db->do('insert into t values (2)'); return }
fails();
locks();
END
    waited(total($sqlite, 'wait-c'), 450, 'a lock in SQLite');
    my ($paths) = nytprof('folded', '--metric=waiting', "$dir/out");
    my ($failed) = $paths =~ /^main::RUNTIME;main::fails;.* (\d+)$/m;
    waited($failed, 100, 'by an exception, too');
}

my ($none) = run('select undef, undef, undef, 0.01;', 'waiting=1:subs=0');
like "@{ $none->{meta}{notes} }", qr/Options latency and waiting are for calls/, 'without calls the profile says that';

my ($v5) = run('select undef, undef, undef, 0.01;', 'waiting=1:format=5');
is_deeply $v5->{meta}{metrics}, [], 'format 5 has no such thing';

done_testing;
