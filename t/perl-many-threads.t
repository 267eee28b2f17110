# SPDX-License-Identifier: MIT
# Programs that make threads for ever, as servers do: the file and the memory stay small, every call is counted, and
# reports say how many threads a stream is for.
use strict;
use warnings;

use Config;
use FindBin;
use List::Util qw(max sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Run qw(capture_of captures_in facts run same without_quarantine);
use Sampled qw(folded sampled);
use Tree qw(slurp);

plan skip_all => 'this perl has no threads' if !$Config{useithreads};

my $APART = 128;    # threads with a stream of their own

my $SHORT = <<'END';
use threads;
sub work { my $n = shift; inner($_) for 1 .. $n; return $n }
sub inner { my $x = shift; return $x }
sub memory { open my $in, '<', '/proc/self/statm' or return 0; return 4 * (split ' ', <$in>)[1] }
my $n = shift;
threads->create('work', 10)->join for 1 .. $n;
print memory(), "\n";
END

# --- 2,000 short threads ----------------------------------------------------------------------------------------------

my $run   = run($SHORT, args => [2000]);
my $facts = facts($run);
is_deeply counts($facts, qw(work inner)), [ 2000, 20_000 ], '2,000 short threads: every call is counted';
is $facts->{line}{'prog.pl:3'}, 40_000, 'and every statement';
cmp_ok size($run), '<', 600_000, 'in a file of ' . size($run) . ' bytes';
is_whole($run);
my @streams = streams($run);
is scalar @streams, 1 + $APART + 1, 'the first threads have streams of their own';
is_deeply [ map { $_->{start_sub} } @streams[ 1 .. $APART ] ], [ ('main::work') x $APART ], 'with their first sub';
my $late = $streams[-1];
is_deeply [ @$late{qw(thread threads start_sub)} ], [ $APART + 1, 2000 - $APART, 'main::work' ],
    'the others share one, which says for how many it is';
my ($info) = nytprof('flat', capture_of($run));
like $info, qr/with 2001 threads/, 'reports count them';
nytprof('html', '-o', "$run->{dir}/pages", capture_of($run));
like slurp("$run->{dir}/pages/index.html"), qr/129 and 1871 more/, 'and name them';
cmp_ok $late->{elapsed}, '>', sum0(map { $_->{elapsed} } @streams[ 50 .. 90 ]), 'their times are sums';
cmp_ok $late->{elapsed}, '<', $streams[0]{elapsed}, 'without the time between them';
cmp_ok $late->{thread_us}, '>', sum0(map { $_->{thread_us} } @streams[ 50 .. 90 ]), 'their CPU times, too';

# Perl runs no END blocks in threads; mod_perl does, in its interpreters, before it destroys them.
$run = run($SHORT =~ s/return \$n/DB::_END(); return \$n/r, args => [400]);
is_deeply counts(facts($run), qw(work inner)), [ 400, 4000 ], 'interpreters with END blocks: every call is counted';
is scalar(() = streams($run)), 1 + $APART + 1, 'and streams are shared';
is_whole($run);

# Threads that are sampled have no first sub. A forked child cannot go on with what threads of its parent have left, and
# has a file of its own, also for threads that it makes at once.
$run = sampled($SHORT =~ s/return \$n/select undef, undef, undef, 0.005; return \$n/r
        . "if (my \$pid = fork) { waitpid \$pid, 0; exit }\nthreads->create('work', 10)->join for 1 .. 3;\n",
    args => [400]);
is $run->{exit}, 0, '400 short threads that are sampled';
cmp_ok -s "$run->{dir}/nytprof.out", '<', 500_000, 'in a file of ' . -s "$run->{dir}/nytprof.out";
($info) = nytprof('info', "$run->{dir}/nytprof.out");
like $info, qr/streams @{[ 1 + $APART + 1 ]}$/m, 'have as many streams';
like +(nytprof('flat', "$run->{dir}/nytprof.out"))[0], qr/with 401 threads/, 'which are for all of them';
my %path = folded($run);
my ($child) = grep { $_ ne 'nytprof.out' } captures_in($run->{dir});
like +(nytprof('info', "$run->{dir}/$child"))[0], qr/^processes +1, streams 2$/m, 'a forked child has a file';
my $work = sum0(map { $path{$_} } grep {/^main::work\b/} keys %path);
ok $work > 1.2e9 && $work < 8e9, 'and their time' or diag $work;
is_whole($run, "$run->{dir}/$_") for captures_in($run->{dir});

# --- memory -----------------------------------------------------------------------------------------------------------

SKIP: {
    skip 'there is no /proc/self/statm', 1 if !-r '/proc/self/statm';
    my %grown;
    for my $bare (0, 1) {
        my @with = (env => { without_quarantine() }, $bare ? (switches => []) : ());
        my ($few, $many) = map { run($SHORT, args => [$_], @with)->{out} } 500, 2000;
        $grown{$bare} = $many - $few;
    }
    cmp_ok $grown{0} - $grown{1}, '<', 700, 'memory does not grow with the number of threads, but by perl itself';
}

# --- limits -----------------------------------------------------------------------------------------------------------

# 1,500 different strings.
$run = run(<<'END', options => { maxevals => 500 });
use threads;
use threads::shared;
my $waiting : shared = 0;
sub arrive { lock $waiting; $waiting++; cond_broadcast($waiting); cond_wait($waiting) while $waiting < 15 }
sub work { my $n = shift; arrive(); eval "sub e$n { $_ } 1" for 1 .. 100 }
$_->join for map { threads->create(\&work, $_) } 1 .. 15;
END
my ($files) = (nytprof('info', capture_of($run)))[0] =~ /^defined +files (\d+)/m;
cmp_ok $files, '<', 700, 'string evals of threads that run at a time count for maxevals together';

# --- maxsize ----------------------------------------------------------------------------------------------------------

$run = run($SHORT, args => [2000], options => { maxsize => '1M' });
is_deeply counts(facts($run), qw(work inner)), [ 2000, 20_000 ], 'maxsize=1M: every call is counted';
cmp_ok size($run), '<', 1.1e6, 'in a file of ' . size($run) . ' bytes';
is_whole($run);

# A hundred threads at a time do not fit in 128 kB.
$run = run(<<'END', options => { maxsize => '128k' });
use threads;
sub work { return 1 }
for (1 .. 3) { $_->join for map { threads->create('work') } 1 .. 100 }
END
cmp_ok size($run), '<', 150_000, 'maxsize=128k: the file is not larger, but for a chunk';
my ($notes) = (nytprof('json', '-o', '-', capture_of($run)))[0] =~ /"notes":\[(.*?)\]/;
like $notes, qr/no room by maxsize/, 'and says that threads are missing';

# --- what late threads do ---------------------------------------------------------------------------------------------

# The threads before have streams of their own.
my $before = "use threads;\nno warnings 'threads';\n\$| = 1;\nsub work { 1 }\nsub first { 1 }\n" .
    "threads->create('first')->join for 1 .. $APART;\n";

my %thread = (
    'is detached'      => 'threads->create(sub { work() })->detach; sleep 1',
    'is not joined'    => 'threads->create(sub { work() }); sleep 1',
    'exits'            => 'threads->create(sub { work(); threads->exit(4) })->join',
    'ends the program' => 'threads->create(sub { work(); exit 4 })->join',
    'dies' => '$SIG{__WARN__} = sub { }; threads->create(sub { work(); die })->join',
    'execs in a fork' =>
        'threads->create(sub { work(); exec "sh", "-c", "exit 3" if !fork; wait; print $? >> 8 })->join',
    'goes on when the program ends' => 'threads->create(sub { work(); sleep 3 })->detach; sleep 1',
);
for my $kind (sort keys %thread) {
    my $ended = same("late threads, of which one $kind",
        "$before threads->create('work')->join for 1 .. 3; $thread{$kind};\nprint qq{on\\n};\n");
    is_deeply counts(facts($ended), qw(work first)), [ 4, $APART ], 'their calls are in the profile';
    is_whole($ended);
}

$run = same('late threads at a time', $before . <<'END');
sub inner { 1 }
sub several { my $n = shift; inner() for 1 .. $n; threads->yield; inner() for 1 .. $n; return $n }
for my $round (1 .. 20) {
    $_->join for map { threads->create('several', $_) } 1 .. 6;
}
END
is_deeply counts(facts($run), qw(several inner)), [ 120, 20 * 42 ], 'calls';
@streams = streams($run);
cmp_ok scalar @streams, '<=', 1 + $APART + 6, 'have a stream for each that runs at a time';
is sum0(map { $_->{threads} // 1 } @streams), 1 + $APART + 120, 'which are for all of them';
is_whole($run);

$run = same('late threads with different first subs', $before . <<'END');
sub other { 1 }
threads->create($_)->join for qw(work other work work);
END
is_deeply counts(facts($run), qw(work other)), [ 3, 1 ], 'calls';
is +(streams($run))[-1]{start_sub}, undef, 'their stream has the name of none';
like +(streams($run))[-2]{start_sub}, qr/^main::first$/, 'others have';

$run = same(
    'late threads that compile', $before . <<'END', files => { 'Mod.pm' => <<'MOD' });
use lib '.';
sub compiles {
    my $n = shift;
    require Mod;
    Mod::run($_) for 1 .. $n;
    eval 'sub made { made_more() } sub made_more { 1 } made() for 1 .. 3; 1' or die;
    my @subs = map { my $k = $_; sub { $k } } 1 .. 3;
    $_->() for @subs;
    return eval "sub { $n }"->();
}
threads->create('compiles', 5)->join for 1 .. 50;
END
package Mod;
use strict;
sub begun { 1 }
BEGIN { our $begun = begun() }
BEGIN { begun() }
sub run { return helper(shift) }
sub helper { return shift }
sub never { 1 }
1;
MOD
$facts = facts($run);
my %calls = map { $_ => $facts->{sub}{$_}{calls} } grep {/^Mod::/} keys %{ $facts->{sub} };
is_deeply [ @calls{qw(Mod::run Mod::helper)} ], [ 250, 250 ], 'calls of a module that each loads';
is_deeply counts($facts, qw(made made_more)), [ 150, 150 ], 'and of subs in evals';
is $facts->{line}{'Mod.pm:6'}, 250, 'statements';
is_deeply [ sort keys %calls ], [ map {"Mod::$_"} qw(BEGIN@2 BEGIN@4 BEGIN@5 begun helper run) ],
    'under their own names';
my ($defined) = (nytprof('info', capture_of($run)))[0] =~ /^defined .*subs (\d+)/m;
cmp_ok $defined, '<', 3 * $APART + 300, 'subs that are compiled again are defined once';
my @sources = of('source', @{ $facts->{records} });
is scalar(grep { $_->{text} =~ /^package Mod/m } @sources), 1, 'the source is there';
is_whole($run);

$run = same('late threads that fork', $before . <<'END');
sub forks {
    work();
    if (!fork) { work() for 1 .. 10; exit 0 }
    wait;
    work();
}
threads->create('forks')->join for 1 .. 3;
if (!fork) { threads->create('work')->join for 1 .. 5; exit 0 }
wait;
threads->create('work')->join;
END
my %by = map { $_ => counts(facts($run, "$run->{dir}/$_"), 'work')->[0] } captures_in($run->{dir});
is_deeply [ sort { $a <=> $b } values %by ], [ 5, 7, 10, 10, 10 ], 'each process has its own calls';
is scalar(grep { (nytprof('info', "$run->{dir}/$_"))[0] =~ /^whole +yes$/m } keys %by), 5, 'and a whole file';

$run = same('late threads and functions of the profiler', $before . <<'END');
my %call = map { $_ => DB->can($_) || sub { } } qw(enable_profile disable_profile finish_profile mark span);
threads->create(sub { work(); $call{disable_profile}->(); work(); })->join;
threads->create(sub { work(); $call{finish_profile}->(); work(); })->join;
threads->create(sub { work(); my $span = $call{span}->('busy'); work(); })->join for 1 .. 3;
threads->create(sub { $call{enable_profile}->('other.out'); work() for 1 .. 5 })->join for 1 .. 2;
threads->create('work')->join;
END
is counts(facts($run), 'work')->[0], 9, 'are for the thread that calls them';
is counts(facts($run, "$run->{dir}/other.out"), 'work')->[0], 5, 'a thread has a file of its own';
like +(nytprof('spans', capture_of($run)))[0], qr/busy +3\b|\b3 .*busy/, 'spans of late threads';

# --- kill -9 ----------------------------------------------------------------------------------------------------------

my $killed = run($before . <<'END', before => [qw(timeout -s KILL 4)]);
sub inner { 1 }
sub endless { while (1) { inner() for 1 .. 100 } }
threads->create('work')->join for 1 .. 10;
threads->create('endless')->detach;
sleep 1 while 1;
END
is $killed->{exit} || $killed->{signal} ? 1 : 0, 1, 'a program is killed while a late thread runs';
is counts(facts($killed), 'work')->[0], 10, 'the calls of those that have ended are kept';
cmp_ok counts(facts($killed), 'inner')->[0], '>', 1000, 'and of the one that ran';
done_testing;

# Numbers of calls of those subs.
sub counts {
    my ($of, @subs) = @_;
    return [ map { $of->{sub}{"main::$_"}{calls} // 0 } @subs ];
}

sub size {
    my ($of) = @_;
    return -s capture_of($of);
}

# What JSON says of the streams, by their number. A number in it is one here.
sub streams {
    my ($of) = @_;
    my ($json) = nytprof('json', '-o', '-', capture_of($of));
    my ($list) = $json =~ /"processes":\[(.*?)\]/s;
    my @found;
    for my $one ($list =~ /\{([^{}]*)/g) {
        my %values;
        while ($one =~ /"(\w+)":(?:"([^"]*)"|([\d.]+))/g) { $values{$1} = $2 // $3 }
        push @found, \%values;
    }
    @found = sort { $a->{thread} <=> $b->{thread} } @found;
    return @found;
}

sub is_whole {
    my ($of, $file) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    return like +(nytprof('info', $file // capture_of($of)))[0], qr/^whole +yes$/m, 'the profile is complete';
}
