# SPDX-License-Identifier: MIT
# Threads that do at the same time what the profiler has to do for several of them: programs for races.sh, which looks
# for races in them. Here: they end as they should, and the profile has all calls.
use strict;
use warnings;

use Config;
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Capture qw(nytprof);
use Run qw(capture_of facts run);

plan skip_all => 'this perl has no threads' if !$Config{useithreads};

# All threads begin their work at once.
my $TOGETHER = <<'END_OF_PERL';
use threads;
use threads::shared;
no warnings 'threads';
my $is_open :shared = 0;
sub inner { my $x = shift; return $x }
sub gate { lock $is_open; cond_wait $is_open until $is_open }
sub together {
    my ($n, $work) = @_;
    my @threads = map { threads->create(sub { gate(); $work->() }) } 1 .. $n;
    { lock $is_open; $is_open = 1; cond_broadcast $is_open }
    $work->();
    $_->join for @threads;
}
END_OF_PERL

my $SIGNAL = <<'END_OF_PERL';
threads->create(sub { inner(1) while 1 })->detach for 1 .. 3;
threads->create(sub { select undef, undef, undef, 0.3; kill TERM => $$; inner(1) while 1 })->detach;
inner(1) while 1;
END_OF_PERL

# [title, calls of main::inner or undef: not known, exit code and signal, text, options]
my @programs = (
    [ 'loops, evals, sorts, exceptions, modules', 9 * (60 + 300 + 12 + 6), '0 0', <<'END_OF_PERL' ],
together(8, sub {
    for (1 .. 3) {
        my $sub = eval 'sub { my $q = shift; for (my $i = 0; $i < 2; $i++) { $q++; inner($q) } $q }';
        $sub->($_) for 1 .. 10;
    }
    for (my $i = 0; $i < 300; $i++) { inner($i) }
    my $i = 0;
    while ($i < 12) { $i++; eval { inner($i); die "x\n" if $i % 3; 1 } }
    my @sorted = sort { $a <=> $b } reverse 1 .. 50;
    (my $text = 'abcdef') =~ s/(\w)/inner($1)/ge;
    require List::Util; require Text::Wrap; require POSIX;
});
END_OF_PERL
    [ 'switched on inside running subs', undef, '0 0', <<'END_OF_PERL' ],
sub deep { my $n = shift; return $n ? deep($n - 1) : DB::enable_profile() }
together(8, sub { for (1 .. 30) { DB::disable_profile(); deep(5); inner(1) } });
END_OF_PERL
    [ 'files that end and begin again', undef, '0 0', <<'END_OF_PERL' ],
together(6, sub {
    my $name = 'nytprof.out.' . threads->tid;
    for (1 .. 5) { inner(1); DB::finish_profile(); inner(1); DB::enable_profile(); inner(1) }
    DB::enable_profile($name);
    inner(1);
});
END_OF_PERL
    [ 'threads of threads', 15 * 20, '0 0', <<'END_OF_PERL' ],
sub tree {
    my $n = shift;
    inner($_) for 1 .. 20;
    return if !$n;
    $_->join for map { threads->create(\&tree, $n - 1) } 1 .. 2;
}
tree(3);
END_OF_PERL
    [ 'an exit while threads begin, run and are detached', undef, '3 0', <<'END_OF_PERL' ],
threads->create(sub { while (1) { inner(1); eval 'inner(2)' } })->detach for 1 .. 4;
threads->create(sub { while (1) { select undef, undef, undef, 0.01; threads->create(\&inner, 3)->join } })->detach;
select undef, undef, undef, 0.7;
threads->create(sub { exit 3 })->join;
END_OF_PERL
    [ 'forks beside running threads', undef, '0 0', <<'END_OF_PERL' ],
my @running = map { threads->create(sub { inner($_), select undef, undef, undef, 0.001 for 1 .. 300 }) } 1 .. 4;
for (1 .. 8) {
    my $child = fork;
    if (!$child) { inner(1); kill KILL => $$ }    # perl itself may hang at this child's end
    waitpid $child, 0;
    inner(1);
}
$_->join for @running;
END_OF_PERL
    [ 'queue workers, and a signal now and then', undef, '0 0', <<'END_OF_PERL' ],
use Thread::Queue;
use Time::HiRes 'ualarm';
my ($in, $out) = map { Thread::Queue->new } 1 .. 2;
$SIG{ALRM} = sub { inner(1) };
ualarm 2000, 2000;
my @workers = map { threads->create(sub { while (defined(my $job = $in->dequeue)) { $out->enqueue(inner($job)) } }) }
    1 .. 6;
$in->enqueue($_) for 1 .. 300;
$in->enqueue((undef) x 6);
$_->join for @workers;
ualarm 0;
END_OF_PERL
    [ 'a handler of a signal', undef, '1 0', $SIGNAL, { sigexit => 'TERM' } ],
    [ 'a signal', undef, '0 15', $SIGNAL, { sigexit => 1 } ],
    [ 'calls in their order', 9 * 100, '0 0', 'together(8, sub { inner($_) for 1 .. 100 });', { calls => 2 } ],
    [ 'format 5', undef, '0 0', 'together(8, sub { inner($_) for 1 .. 100 });', { format => 5 } ],
);

for my $program (@programs) {
    my ($title, $calls, $end, $text, $options) = @$program;
    my $run = run($TOGETHER . $text, options => $options // {});
    is $run->{err}, '', $title;
    is "$run->{exit} $run->{signal}", $end, 'its end';
    next if $title eq 'format 5';
    my $facts = facts($run);
    is $facts->{sub}{'main::inner'}{calls}, $calls, 'all calls' if defined $calls;
    my ($info) = nytprof('info', capture_of($run));
    like $info, qr/^whole +yes$/m, 'the profile is whole' if $end eq '0 0';
}
done_testing;
