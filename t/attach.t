# SPDX-License-Identifier: MIT
# `nytprof attach`: samples of a perl that was not prepared, from outside; programs that end, run others or are no perl;
# and processes that may not be looked at.
use strict;
use warnings;

use Config;
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use POSIX qw(_exit setuid);
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Layouts qw(in_table is_stock);
use Tree qw(slurp spew);

my $NYTPROF = "$FindBin::Bin/../build/nytprof";
my $dir     = tempdir(CLEANUP => 1);
chmod 0755, $dir or die "$dir: $!\n";
my @running;

# Two lines that take their time, one that waits, and a built-in.
my $PROGRAM = <<'END';
sub work {
    my $s = 0;
    $s += $_ for 1 .. 300_000;
    my @sorted = sort { $b <=> $a } map { $_ * 7 % 1000 } 1 .. 30_000;
    return $s;
}
sub nap { select undef, undef, undef, 0.02 }
sub outer { work(); nap() }
$| = 1;
print "ready\n";
my $end = time + 60;
outer() while time < $end && getppid == $ARGV[0];
END

my $skip = why_not();
plan skip_all => $skip if $skip;

my $pid = start($PROGRAM);
my ($out, $err, $exit) = attach('--for', 1.5, $pid);
is "$exit $out", '0 ', 'a perl that was not prepared';
my ($begin, $end) = split /\n/, $err;
like $begin, qr/^nytprof: attached to process $pid \(\S+prog\.pl\), 100 samples a second$/, 'that it begins';
like $end, qr/^nytprof: \d+ samples of process $pid, \d+ lost: \Q$dir\E\/out\.$pid$/,      'and what came of it';
my $capture = "$dir/out.$pid";
my ($info) = nytprof('info', $capture);
like $info, qr/^program +\S+prog\.pl$/m,                     'the capture is of the program';
like $info, qr/^whole +yes$/m,                               'and whole';
like $info, qr/^interpreter +perl \d+\.\d+\.\d+$/m,          'by that perl';
my ($samples) = $info =~ /samples: (\d+)/;
cmp_ok $samples, '>=', 40, 'samples';    # 150, but machines are busy
my ($flat) = nytprof('flat', '-b', $capture);
like $flat, qr/ main::(?:CORE:sort|work)$/m,           'subs';
like $flat, qr/ main::CORE:sselect$/m,                 'and what they wait in';
like +(nytprof('hot', $capture))[0], qr/prog\.pl:[34]: /, 'lines';
like +(nytprof('callers', 'main::work', $capture))[0], qr/main::outer at \S*prog\.pl:8/, 'and callers';
is $err =~ /(\d+) lost/ ? $1 <= $samples / 20 : 0, 1, 'hardly a sample is lost';

my @switched = start($PROGRAM, $^X, "-I", $dir);
push @switched, start('', $^X, '-lwE', '$| = 1; say "ready"; select undef, undef, undef, 20');
my @names = (attach("--for", 0.1, @switched))[1] =~ /attached to process \d+ \((.*?)\)/g;
is_deeply [ sort map {s{.*/}{}r} @names ], [qw(-e prog.pl)], 'it is the script that gives the name, or -e';

# --- more than one, and how it ends -----------------------------------------------------------------------------------

my $other = start($PROGRAM);
($out, $err, $exit) = attach('--for', 0.5, '--hz', 1000, $pid, $other);
is $exit, 0, 'two at a time';
ok -s "$dir/out.$_", "process $_ has a capture" for $pid, $other;
like $err, qr/1000 samples a second/, 'as often as was asked for';

is interrupted(), 0, 'an interrupt ends it';
like +(nytprof('info', "$dir/interrupted.$pid"))[0], qr/^whole +yes$/m, 'the capture is whole';

my $short = start('$| = 1; print "ready\n"; $x .= "a" for 1 .. 30_000_000; select undef, undef, undef, 0.8;');
($out, $err, $exit) = attach($short);
is $exit, 0, 'a program that ends';
like $err, qr/ of process $short, which has ended or runs another program, /, 'is noticed';
my $turning = start('$| = 1; print "ready\n"; select undef, undef, undef, 1; exec "sleep", 5');
($out, $err, $exit) = attach('--for', 20, $turning);
is $exit, 0, 'so is one that runs another';
like $err, qr/ of process $turning, which has ended or runs another program, /, 'instead';

my $shim = "$dir/steps.so";
system($Config{cc}, qw(-O2 -shared -fPIC -o), $shim, "$FindBin::Bin/perl/steps.c", '-ldl') == 0
    or BAIL_OUT('the shim does not compile');
{
    local $ENV{LD_PRELOAD} = join ':', grep {defined} $ENV{LD_PRELOAD}, $shim;
    ($out, $err, $exit) = attach('--for', 2.5, $pid);
}
unlike $err, qr/which has ended/, 'one whose system has its clock set goes on';

# --- a perl that is not asked -----------------------------------------------------------------------------------------

# What another user may have written is not run: the layout is that of a stock perl, if it is the one.
SKIP: {
    skip 'needs root', 6 if $>;
    my $mine = join '.', $^V =~ /(\d+\.\d+)/;
    copy($^X, "$dir/perl") or die "$^X: $!\n";
    chmod 0755, "$dir/perl" or die "$dir/perl: $!\n";
    chown 65_534, 65_534, "$dir/perl" or die "$dir/perl: $!\n";
    my $others = start($PROGRAM, "$dir/perl");
    ($out, $err, $exit) = attach('--for', 1, '--hz', 200, $others);
    if (!is_stock()) {
        like $err, qr/^nytprof: the perl \S+ of process $others is no stock perl \(5\.\d+[^\n]* as its program is /,
            'no stock perl';
        skip 'this perl is not in the table', 5;
    }
    is $exit, 0, 'a perl that may not be run' or diag $err;
    my $capture = "$dir/out.$others";
    like +(nytprof('info', $capture))[0], qr/^interpreter +perl $mine\.\d+$/m, 'tells its version';
    like +(nytprof('flat', '-b', $capture))[0], qr/ main::$_$/m, $_ for qw(CORE:sselect outer);
    like +(nytprof('hot', $capture))[0], qr/prog\.pl:[34]: /, 'lines';
    is_deeply [ layout() ], [ in_table() ], 'the table has the layout that the module tells';
}

# --- threads ----------------------------------------------------------------------------------------------------------

SKIP: {
    skip 'perl has no threads', 2 if !$Config{usethreads};
    my $threads = start(<<'END');
use threads;
sub burn { my ($x, $end) = (0, time + 60); while (time < $end) { $x += $_ % 7 for 1 .. 1000 } }
threads->create(\&burn)->detach;
$| = 1;
print "ready\n";
select undef, undef, undef, 0.05 while getppid == $ARGV[0];
END
    my $before = used_by_others($threads);
    attach('--for', 2, $threads);
    my $others = used_by_others($threads) - $before;
    my ($said) = nytprof('info', "$dir/out.$threads");
    my ($cpu, $unit) = $said =~ /\bcpu: ~?([\d.]+) (\S+) /;
    $cpu *= { s => 1, ms => 1e-3 }->{$unit} // 0;
    cmp_ok $others, '>', 0.05, 'another thread is busy';
    cmp_ok $cpu, '<', $others / 3, 'its CPU time is not that of the first';
}

# --- reports ----------------------------------------------------------------------------------------------------------

($out, $err, $exit) = attach('--for', 0.5, "--html=$dir/pages", "--csv=$dir/csv", '--flat=-', $pid, $other);
is $exit, 0, 'reports';
like $out, qr/ main::(?:work|CORE:sort)$/m, 'for people, on standard output if that is asked for';
ok -s "$dir/pages/index.html", 'and pages';
ok -d "$dir/csv",              'and others';
like refused("--json=$dir/out.$pid", $pid), qr/^2 nytprof: attach: --json: \S+ is the file of the profile /,
    'none replaces the capture';
like +(attach('--for', 0.1, '--flat', 99_999_999))[1], qr/\Anytprof: there is no process 99999999\n\z/,
    'none without a capture';

# The first one writes the file of that name.
my $first = begin_attaching('again');
sleep 1.5;
($out, $err, $exit) = nytprof('attach', '-o', "$dir/again", '--for', 0.3, '--flat=-', $pid);
my ($named) = $err =~ / lost: (\S+)$/m;
isnt $named, "$dir/again.$pid", 'two look at one process at once';
ok -s $named, 'the second tells which file it has written' or diag $err;
my ($unit, $took) = reverse $out =~ /^The run took ([\d.]+) (m?s),/m;
cmp_ok $took * ($unit eq 's' ? 1 : 1e-3), '<', 1, 'its report is on that one' or diag $out;
kill INT => $first;
waitpid $first, 0;

# --- what cannot be sampled -------------------------------------------------------------------------------------------

my $sleep = fork // die "fork: $!\n";
if (!$sleep) { exec 'sleep', 60 or _exit(127) }
push @running, $sleep;
sleep 0.1;
is refused($sleep), "1 nytprof: there is no perl in process $sleep: its program is SLEEP\n", 'no perl';
is refused(99_999_999), "1 nytprof: there is no process 99999999\n", 'no process';
my $ended = fork // die "fork: $!\n";
_exit(0) if !$ended;
sleep 0.2;
is refused($ended), "1 nytprof: process $ended runs no program: it has ended, or is a part of the kernel\n",
    'a process that has ended, for which its parent has not waited';
waitpid $ended, 0;
like refused('main.pl'), qr/^2 nytprof: attach: expected the number of a process, got 'main\.pl' /, 'no number';
like refused(), qr/^2 nytprof: attach: expected PID\.\.\. or --all-perls /, 'nothing';
SKIP: {
    skip 'needs root', 2 if $>;
    my $changed = start("use POSIX;\nPOSIX::setuid(65_534);\n$PROGRAM");
    like as_nobody($changed), qr/^1 nytprof: process $changed has changed its user, so only root may look at it: /,
        'one that was another user';
    like as_nobody($pid), qr/^1 nytprof: process $pid is of user 0: expected one of your own, or root's rights /,
        'the process of another user';
}
kill TERM => @running;
waitpid $_, 0 for @running;
done_testing;

# Some systems let no process look at another one.
sub why_not {
    my $try = start($PROGRAM);
    my (undef, $err) = attach('--for', 0.1, $try);
    return $err =~ /ptrace_scope|CAP_SYS_PTRACE/ ? "processes may not look at each other here" : undef;
}

# What the module tells, as in_table has it.
sub layout {
    my $blib   = "$FindBin::Bin/../blib";
    my $text   = qx{$^X -I$blib/lib -I$blib/arch -MDevel::NYTProf::Core -e 'print DB::_layout()'};
    my %number = ($text =~ /^([a-z]\w*) (\d+)$/mg, reverse $text =~ /^slow (\d+) (\w+)$/mg);
    my @all = sort grep { !/ 0$/ } map {"$_ $number{$_}"} keys %number;
    return @all;
}

# A program's number, when it has begun; perl may have switches.
sub start {
    my ($text, @perl) = @_ > 1 ? @_ : (@_, $^X);
    spew("$dir/prog.pl", $text);
    pipe my $from, my $to or die "pipe: $!\n";
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        delete @ENV{qw(PERL5OPT PERL5DB NYTPROF)};
        open STDOUT, '>&', $to or die "output: $!\n";
        close $from or die "pipe: $!\n";
        exec @perl, "$dir/prog.pl", getppid or _exit(127);
    }
    close $to or die "pipe: $!\n";
    defined readline $from or die "the program does not begin\n";
    push @running, $pid;
    return $pid;
}

# Seconds of CPU time of all threads of a process but the first.
sub used_by_others {
    my ($pid) = @_;
    my $ns = 0;
    $ns += (split ' ', slurp($_))[0] for grep { !m{/$pid/schedstat$} } glob "/proc/$pid/task/*/schedstat";
    return $ns / 1e9;
}

sub attach { return nytprof('attach', '-o', "$dir/out", @_) }

sub refused {
    my (undef, $err, $exit) = attach(@_);
    return "$exit $err" =~ s/its program is \K\S*sleep\S*/SLEEP/r;
}

# The number of an attach that goes on, to that file.
sub begin_attaching {
    my ($file) = @_;
    unlink "$dir/err";
    my $child = fork // die "fork: $!\n";
    if (!$child) {
        open STDERR, '>', "$dir/err" or _exit(127);
        exec $NYTPROF, 'attach', '-o', "$dir/$file", $pid or _exit(127);
    }
    my $end = time + 20;
    sleep 0.05 while time < $end && !(-e "$dir/err" && slurp("$dir/err") =~ /attached/);
    return $child;
}

sub interrupted {
    my $child = begin_attaching('interrupted');
    sleep 0.3;
    kill INT => $child;
    waitpid $child, 0;
    return $?;
}

# By a copy of the command, as the build may be where others have no access.
sub as_nobody {
    my ($pid) = @_;
    copy($NYTPROF, "$dir/nytprof") or die "$NYTPROF: $!\n";
    chmod 0755, "$dir/nytprof" or die "$dir/nytprof: $!\n";
    my $child = fork // die "fork: $!\n";
    if (!$child) {
        open STDERR, '>', "$dir/refused" or _exit(127);
        chdir '/';
        setuid(65_534);
        exec "$dir/nytprof", 'attach', '-o', '/tmp/refused', $pid or _exit(127);
    }
    waitpid $child, 0;
    return ($? >> 8) . ' ' . slurp("$dir/refused");
}
