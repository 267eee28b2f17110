# SPDX-License-Identifier: MIT
# Threads: the program behaves as without the profiler, and each thread is recorded, in a stream of its own.
use strict;
use warnings;

use Config;
use FindBin;
use List::Util qw(max);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Run qw(capture_of captures_in facts run same under_profiler without_quarantine);
use Tree qw(slurp);

plan skip_all => 'this perl has no threads' if !$Config{useithreads};

# --- what is counted --------------------------------------------------------------------------------------------------

my $run = same('threads', <<'END');
use threads;
sub work {
    my $n = shift;
    inner($_) for 1 .. $n;
    return $n;
}
sub inner { my $x = shift; return $x }
sub after { 1 }
my @threads = map { threads->create(\&work, 10 * $_) } 1 .. 3;
print join(',', map { $_->join } @threads), "\n";
threads->create('work', 1)->join;
threads->create(sub { work(100); map { threads->create(\&work, 1000)->join } 1 .. 2 })->join;
after() for 1 .. 3;
work(1);
END
my $facts = facts($run);
is_deeply counts($facts, qw(work inner after)), [ 8, 2162, 3 ], 'calls of all threads';
is $facts->{line}{'prog.pl:3'}, 8,        'lines of all threads';
is $facts->{line}{'prog.pl:7'}, 2 * 2162, 'of two statements, too';
is_deeply [ captures_in($run->{dir}) ], ['nytprof.out'], 'in one file';
is_deeply streams($run), [
    '0 - finished', '1 main::work finished', '2 main::work finished', '3 main::work finished', '4 main::work finished',
    '5 main::__ANON__[prog.pl:12] finished', '6 main::work finished', '7 main::work finished'
    ], 'each has a stream with its number and its first sub';
my %calls = calls_by_stream($facts, 'main::inner');
is_deeply [ map { $calls{$_} } 0 .. 7 ], [ 1, 10, 20, 30, 1, 100, 1000, 1000 ], 'with its own calls';
like +(nytprof('info', capture_of($run)))[0], qr/^processes    1, streams 8$/m, 'which are one process';
is_whole($run);

$run = same('a hundred short threads', <<'END');
use threads;
sub work { return $_[0] + 1 }
my @threads = map { threads->create(\&work, $_) } 1 .. 100;
my $sum = 0;
$sum += $_->join for @threads;
print "$sum\n";
END
is_deeply counts(facts($run), 'work'), [100], 'are all recorded';
is_whole($run);

$run = same('shared variables and queues', <<'END');
use threads;
use threads::shared;
use Thread::Queue;
my ($in, $out) = map { Thread::Queue->new } 1 .. 2;
my $total :shared = 0;
sub serve {
    while (defined(my $job = $in->dequeue)) {
        add($job);
        $out->enqueue($job * 2);
    }
}
sub add {
    lock $total;
    $total += shift;
}
my @workers = map { threads->create(\&serve) } 1 .. 4;
$in->enqueue($_) for 1 .. 200;
$in->enqueue((undef) x 4);
$_->join for @workers;
my $got = 0;
$got += $out->dequeue_nb // 0 for 1 .. 200;
print "$total $got\n";
END
$facts = facts($run);
is_deeply counts($facts, qw(serve add)), [ 4, 200 ], 'queue workers: calls';
is $facts->{line}{'prog.pl:14'}, 200, 'lines';
is $facts->{sub}{'main::CORE:lock'}{calls}, 200, 'and locks';
is_whole($run);

$run = same('a lock', <<'END');
use threads;
use threads::shared;
my $mutex :shared;
my $ready :shared = 0;
my $holder = threads->create(sub {
    lock $mutex;
    { lock $ready; $ready = 1; cond_signal $ready }
    select undef, undef, undef, 0.4;
});
{ lock $ready; cond_wait $ready until $ready }
sub wait_for_it {
    lock $mutex;
    return 1;
}
wait_for_it();
$holder->join;
END
$facts = facts($run);
cmp_ok $facts->{sub}{'main::wait_for_it'}{inclusive}, '>', 0.3, 'is waited for by the statement that locks';

# --- ends of threads --------------------------------------------------------------------------------------------------

my %thread = (
    'goes on when the program ends' => 'threads->create(sub { work(); sleep 3 })->detach; sleep 1',
    'is detached'                   => 'threads->create(sub { work() })->detach; sleep 1',
    'is not joined'                 => 'my $t = threads->create(sub { work() }); sleep 1',
    'exits'                         => 'threads->create(sub { work(); threads->exit(4) })->join',
    'ends the program'              => 'threads->create(sub { work(); exit 4 })->join',
    'dies' => '$SIG{__WARN__} = sub { }; threads->create(sub { work(); die })->join',
    'catches exceptions' => 'threads->create(sub { eval { work(); die }; work(0) if !$@ })->join',
    'execs in a fork' =>
        'threads->create(sub { work(); exec "sh", "-c", "exit 3" if !fork; wait; print $? >> 8 })->join',
    'forks' => 'threads->create(sub { work(); exit 3 if !fork; wait; print $? >> 8 })->join',
);
# perl's own warning about threads at the end comes or not as they race, with and without us.
my $before = "use threads;\nno warnings 'threads';\n\$| = 1;\nsub work { 1 }\n";
for my $kind (sort keys %thread) {
    my $ended = same("a thread that $kind", "$before$thread{$kind};\nprint qq{on\\n};\n");
    my $of = facts($ended);
    is_deeply counts($of, 'work'), [1], 'its calls are in the profile';
    is_whole($ended);
}

# --- forks ------------------------------------------------------------------------------------------------------------

$run = same('forks', <<'END');
use threads;
no warnings 'threads';
sub work { my $n = shift; inner() for 1 .. $n }
sub inner { 1 }
threads->create(sub {
    work(1);
    if (!fork) { work(10); exit 0 }
    wait;
    work(100);
})->join;
if (!fork) {
    threads->create(\&work, 1000)->join for 1 .. 3;
    exit 0;
}
wait;
threads->create(\&work, 10_000)->join;
END
my ($parent, @children) = map { { counts => counts(facts($run, "$run->{dir}/$_"), 'inner')->[0], name => $_ } }
    captures_in($run->{dir});
is $parent->{counts}, 10_101, 'the threads of the parent';
is_deeply [ sort { $a <=> $b } map { $_->{counts} } @children ], [ 10, 3000 ],
    'a child forked by a thread, and the threads of a child, in files of their own';
my @info = map { nytprof('info', "$run->{dir}/$_->{name}") } @children;
is scalar(grep {/^whole +yes$/m} @info), 2, 'which are complete';
my (undef, $err, $exit) = nytprof('html', '-o', "$run->{dir}/pages", map {"$run->{dir}/$_"} captures_in($run->{dir}));
is "$exit $err", '0 ', 'one report of all';

# --- on and off -------------------------------------------------------------------------------------------------------

$run = same('functions of the profiler', <<'END', options => { start => 'no' });
use threads;
sub work { my $n = shift; inner() for 1 .. $n }
sub inner { 1 }
my %call = map { $_ => DB->can($_) || sub { } } qw(enable_profile disable_profile finish_profile);
threads->create(\&work, 1)->join;
threads->create(sub { work(1); $call{enable_profile}->(); work(10); $call{disable_profile}->(); work(1) })->join;
$call{enable_profile}->();
threads->create(\&work, 100)->join;
threads->create(sub { work(1000); $call{finish_profile}->(); work(1) })->join;
work(10_000);
threads->create(sub { $call{disable_profile}->(); work(1); $call{enable_profile}->("other.out"); work(5) })->join;
$call{finish_profile}->();
threads->create(\&work, 1)->join;
END
is counts(facts($run), 'inner')->[0], 11_110, 'are for the thread that calls them; a new thread is as its maker is';
is counts(facts($run, "$run->{dir}/other.out"), 'inner')->[0], 5, 'a thread has a file of its own';

# --- other formats ----------------------------------------------------------------------------------------------------

my $THREE = <<'END';
use threads;
sub work { my $n = shift; inner() for 1 .. $n }
sub inner { 1 }
threads->create(\&work, 10 ** $_)->join for 1 .. 3;
my $sub = eval 'sub { 1 }';
threads->create(sub { $sub->() for 1 .. 5; eval 'inner()' for 1 .. 7 })->join;
work(1);
END
$run = same('calls in their order', $THREE, options => { calls => 2 });
is counts(facts($run), 'inner')->[0], 1118, 'calls=2';
is_whole($run);

$run = same('format 5', $THREE, options => { format => 5 });
my @files = captures_in($run->{dir});
is scalar @files, 5, 'a file for each thread';
my $sum = 0;
for my $file (@files) {
    my ($dump) = nytprof('dump', "$run->{dir}/$file");
    $sum += $1 while $dump =~ /^SUB_CALLERS .*\bcount=(\d+) .*\bname="main::inner"/mg;
}
is $sum, 1118, 'which have all calls';
(my $merged, $err, $exit) = nytprof('merge', '-o', "$run->{dir}/merged", map {"$run->{dir}/$_"} @files);
is "$exit $err", '0 ', 'and merge';
is calls_in_callgrind("$run->{dir}/merged", 'main::inner'), 1118, 'with all calls, too';

# --- code -------------------------------------------------------------------------------------------------------------

$run = same('what threads inherit', $THREE);
$facts = facts($run);
is $facts->{sub}{'main::inner'}{calls}, 1118, 'evals of a thread';
is calls_in_callgrind(capture_of($run), 'main::inner'), 1118, 'callgrind has the calls of all threads';
nytprof('csv', '-o', "$run->{dir}/csv", capture_of($run));
my ($csv) = grep {/^[\d.]+,\d+,[\d.]+,sub inner /m} map { slurp($_) } glob "$run->{dir}/csv/*-line.csv";
is +($csv =~ /^[\d.]+,(\d+),[\d.]+,sub inner /m)[0], 1118, 'and csv their statements';
is $facts->{sub}{'main::__ANON__[(eval 2)[prog.pl:5]:1]'}{calls}, 5, 'subs from evals before, under the same name'
    or diag join "\n", sort keys %{ $facts->{sub} };
my @sources = of('source', @{ $facts->{records} });
is scalar(grep { $_->{text} =~ /^sub work/m } @sources), 1, 'the source is written once';

$run = same('objects', <<'END');
use threads;
sub new { return bless [] }
sub DESTROY { my $o = shift; return }
my $o = new();
threads->create(sub { my $inner = new(); return 1 })->join;
undef $o;
END
is_deeply counts(facts($run), qw(new DESTROY)), [ 2, 3 ], 'are destroyed in the thread, the clones, too';

# detach destroys a thread's objects while the system thread may be writing its last window.
$run = run(<<'END');
use threads;
sub new { return bless [] }
sub DESTROY { my $o = shift; inner() for 1 .. 50; return }
sub inner { 1 }
sub work { our @objects = map { new() } 1 .. 20; return 1 }
for (1 .. 100) {
    my $t = threads->create(\&work);
    1 while $t->is_running;
    $t->detach;
}
END
is_deeply counts(facts($run), qw(DESTROY inner)), [ 2000, 100_000 ], 'and in the thread that detaches one that ended';

$run = same('code of other modules while a thread is made', <<'END');
use threads;
package Other { sub CLONE { helper() } sub helper { 1 } }
sub work { 1 }
threads->create(\&work)->join;
END
is_deeply streams($run)->[1], '1 main::work finished', 'is not the first sub of the thread';

# A clone has copies of all stacks of the thread that makes it.
$run = same('threads made anywhere', <<'END');
use threads;
sub work { my $n = shift; inner() for 1 .. $n; return $n }
sub inner { 1 }
sub deep { my $n = shift; return $n ? deep($n - 1) : threads->create(\&work, 10)->join }
sub DESTROY { threads->create(\&work, 1000)->join if !threads->tid; return }
print deep(90), "\n";
my @sorted = sort { threads->create(\&work, 100)->join; $a <=> $b } 2, 1;
eval { threads->create(sub { eval { work(10_000); die }; work(100_000) })->join; die "caught\n" };
print "@sorted $@";
{ my $object = bless [] }
work(1);
END
is_deeply counts(facts($run), qw(deep inner)), [ 91, 111_111 ], 'have counts of their own, and their makers theirs';
is_whole($run);

# --- many -------------------------------------------------------------------------------------------------------------

my $MANY = <<'END';
use threads;
sub work { return 1 }
sub memory { open my $in, '<', '/proc/self/statm' or return 0; return 4 * (split ' ', <$in>)[1] }
threads->create(\&work)->join for 1 .. 100;
my $before = memory();
threads->create(\&work)->join for 1 .. 600;
printf "%d\n", memory() - $before;
END
SKIP: {
    skip 'there is no /proc/self/statm', 1 if !-r '/proc/self/statm';
    my $grown = run($MANY, env => {without_quarantine()});
    cmp_ok $grown->{out}, '<', 600, 'a thread that has ended leaves no memory behind';
}

# 3,000 different strings.
my $evaluates = run(<<'END', options => { maxevals => 500 });
use threads;
sub work { my $n = shift; eval "sub e$n { $_ } 1" for 1 .. 100 }
threads->create(\&work, $_)->join for 1 .. 30;
END
my ($defined) = (nytprof('info', capture_of($evaluates)))[0] =~ /^defined +files (\d+)/m;
cmp_ok $defined, '<', 700, 'string evals of all threads count for maxevals';

# C's exit, called by its address in a thread, while the first interpreter runs.
my $exits = run(<<'END', options => { libcexit => 1 });
use threads;
use DynaLoader;
my $exit = DynaLoader::dl_install_xsub('main::c_exit', DynaLoader::dl_find_symbol_anywhere('exit'));
threads->create(sub { select undef, undef, undef, 0.3; $exit->() })->detach;
my $n = 0;
$n++ while 1;
END
is $exits->{signal}, 0, 'a thread that calls exit ends the program';
like [ nytprof('info', capture_of($exits)) ]->[0], qr/did not end cleanly/,
    'whose first thread, in a loop without an event, has a profile of its last window';

# --- kill -9 ----------------------------------------------------------------------------------------------------------

# Each thread notes when it has made how many calls.
my $ENDLESS = <<'END';
use threads;
use Time::HiRes 'time';
sub work { return 1 }
sub serve {
    open my $notes, '>', 'notes.' . threads->tid or die;
    for (my $n = 1000; 1; $n += 1000) { work() for 1 .. 1000; syswrite $notes, time . " $n\n" }
}
threads->create(\&serve) for 1 .. 2;
serve();
END
for my $seconds (map { 1.3 + rand 1 } 1 .. 5) {
    my $killed = run($ENDLESS, before => [ qw(timeout -s KILL), $seconds ]);
    my %kept  = calls_by_stream(facts($killed), 'main::work');
    my @notes = map { [ map { [split] } split /\n/, slurp("$killed->{dir}/notes.$_") ] } 0 .. 2;
    my $end   = max map { $_->[-1][0] } @notes;
    for my $thread (0 .. 2) {
        my $least = max 0, map { $_->[1] } grep { $_->[0] < $end - 1 } @{ $notes[$thread] };
        cmp_ok $kept{$thread} // 0, '>=', $least, sprintf 'killed after %.3f s: thread %d has lost a second at most',
            $seconds, $thread;
        cmp_ok $kept{$thread} // 0, '<=', $notes[$thread][-1][1] + 1000, 'and has no call too many';
    }
}
done_testing;

# Numbers of calls of those subs.
sub counts {
    my ($of, @subs) = @_;
    return [ map { $of->{sub}{"main::$_"}{calls} // 0 } @subs ];
}

# Calls of a sub as callgrind's format has them.
sub calls_in_callgrind {
    my ($capture, $sub) = @_;
    my ($text) = nytprof('callgrind', '-o', '-', $capture);
    my ($id) = $text =~ /fn=(\(\d+\)) \Q$sub\E$/m;
    my $calls = 0;
    $calls += $1 while $text =~ /^cfn=\Q$id\E(?: .*)?\ncalls=(\d+) /mg;
    return $calls;
}

# "NUMBER FIRST-SUB END" of each stream, by number.
sub streams {
    my ($of) = @_;
    my (%number, %first, %end);
    for my $record (@{ facts($of)->{records} }) {
        my $stream = $record->{stream} // next;
        $number{$stream} = $record->{thread} if $record->{kind} eq 'chunk';
        $first{$stream}  = $record->{value}  if $record->{kind} eq 'property' && $record->{key} eq 'start_sub';
        $end{$stream}    = 'finished'        if $record->{kind} eq 'end';
    }
    my @lines = map { join ' ', $number{$_}, $first{$_} // '-', $end{$_} // 'lost' }
        sort { $number{$a} <=> $number{$b} } keys %number;
    return [ map {s{\Q$of->{dir}/}{}r} @lines ];
}

# Calls of a sub by the number of the thread.
sub calls_by_stream {
    my ($of, $sub) = @_;
    my (%number, %id, %node, %count);
    for my $record (@{ $of->{records} }) {
        my $stream = $record->{stream} // next;
        $number{$stream} = $record->{thread} if $record->{kind} eq 'chunk';
        $id{"$stream.$record->{id}"} = 1 if $record->{kind} eq 'sub' && $record->{name} eq $sub;
        $node{"$stream.$record->{id}"} = 1 if $record->{kind} eq 'node' && $id{"$stream.$record->{sub}"};
        $count{ $number{$stream} } += $record->{count}
            if $record->{kind} eq 'node_delta' && $node{"$stream.$record->{id}"};
    }
    return %count;
}

sub is_whole {
    my ($of) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my @streams = @{ streams($of) };
    return like +(nytprof('info', capture_of($of)))[0], qr/^whole +yes$/m, 'the profile is complete';
}
