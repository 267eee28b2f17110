# SPDX-License-Identifier: MIT
# Coroutines of Coro: each has its own stack of calls below the name of its kind, all calls are counted, those that
# switch coroutines too, and the program does not notice: it needs no more C stacks.
use strict;
use warnings;

use Config;
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Run qw(capture_of facts run same);

plan skip_all => 'Coro is not installed (libcoro-perl): coroutines are NOT checked' if !eval { require Coro };

# --- calls ------------------------------------------------------------------------------------------------------------

# The comparison function has a C stack below it, so its coroutine goes on there and others elsewhere.
my $COUNTS = <<'END';
use Coro; use Coro::Semaphore; use Coro::Channel;
sub leaf  { cede; 1 }
sub alpha { leaf() for 1 .. 5; cede for 1 .. 3; my @x = (cede, cede, cede); }
my $mutex = Coro::Semaphore->new(1);
sub gamma { for (1 .. 4) { $mutex->down; cede; $mutex->up } }
my $channel = Coro::Channel->new(2);
sub puts  { $channel->put($_) for 1 .. 6 }
sub gets  { my $sum = 0; $sum += $channel->get for 1 .. 6; print "$sum\n"; }
sub order { my @x = sort { cede; $a <=> $b } 1, 2; }
my @c = map { async { $_[0]->() } $_ } \&alpha, \&alpha, \&gamma, \&gamma, \&puts, \&gets, \&order;
$_->join for @c;
for my $method (qw(cede schedule ready)) { my $c = async { $Coro::current->$method }; cede; $c->ready; }
Coro::cede for 1 .. 2;
print Coro::State::cctx_count() < 6 ? 'few' : 'many', " C stacks\n"; # of its own each of 11 coroutines would have one
END
my $run   = same('the program', $COUNTS);
my $facts = facts($run);
is calls($facts, 'prog.pl:2 Coro::cede'), 10,     'cede, called by two coroutines in turns';
is calls($facts, 'prog.pl:3 Coro::cede'), 2 * 6,  'in a loop without statements, and in a list';
is calls($facts, 'prog.pl:5 Coro::cede'), 2 * 4,  'between calls of methods';
is calls($facts, "prog.pl:5 Coro::Semaphore::$_"), 2 * 4, $_ for qw(down up);
is calls($facts, 'prog.pl:9 Coro::cede'), 1,      'below a C function';
is calls($facts, 'prog.pl:11 Coro::join'), 7,     'join';
is calls($facts, 'prog.pl:12 Coro::cede'), 3 + 1, 'by a name and by an object';
is calls($facts, "prog.pl:12 Coro::$_"), $_ eq 'ready' ? 4 : 1, "$_, at an op that calls others" for qw(schedule ready);
is calls($facts, 'prog.pl:13 Coro::cede'), 2, 'in the main program';

for my $options ({ format => 5 }, { calls => 2 }, { stmts => 0 }, { leave => 0 }) {
    my $of = run($COUNTS, options => { %$options, optimize => 0 });
    is $of->{out}, $run->{out}, "@{[%$options]}: the same output";
    next if $options->{format};
    is facts($of)->{sub}{'Coro::cede'}{calls}, $facts->{sub}{'Coro::cede'}{calls}, "@{[%$options]}: the same calls";
}

# Where nothing is counted Coro has its own function at an op; the op counts when profiling goes on.
my $off = facts(run(<<'END', options => { start => 'no' }));
use Coro;
sub switch { cede }
switch() for 1 .. 3;
DB::enable_profile();
switch() for 1 .. 4;
END
is calls($off, 'prog.pl:2 Coro::cede'), 4, 'an op that was first met while profiling was off';

# --- stacks and times -------------------------------------------------------------------------------------------------

my $times = run(<<'END');
use Coro; use Time::HiRes;
sub busy  { Time::HiRes::sleep(0.25) }
sub idle  { cede for 1 .. 4 }
sub works { for (1 .. 4) { busy(); cede } }
sub first_one { idle() }
sub second    { works() }
$_->join for (async { first_one() }), (async { second() });
async { second(); Coro::terminate };
cede for 1 .. 20;
(async { idle() })->join; # may have the addresses of the one before
END
my $of = facts($times)->{sub};
is paths($times), <<'END', 'each coroutine has its own stack';
first_one;idle
second;works
second;works;busy
END
cmp_ok $of->{'main::busy'}{inclusive}, '>=', 1.99, 'the one that works has its time';
cmp_ok $of->{'main::idle'}{inclusive}, '<', 0.7, 'the one that waits has none of it';
is $of->{'main::works'}{calls}, 2, 'calls';

# --- kinds ------------------------------------------------------------------------------------------------------------

# By the names that the program gives them before they run, of which a server may have any number. A kind's stacks are
# used again for the next.
my $kinds = same('named coroutines', <<'END');
use Coro; use Coro::State;
sub reads  { cede }
sub writes { cede }
sub plain  { cede for 1 .. 2 }
sub named  { my ($name, $code) = @_; my $coro = async { $code->() }; $coro->desc($name); $coro }
for (1 .. 3) { $_->join for named('reader', \&reads), named('writer', \&writes), async { plain() } }
named("caf\x{e9} \x{263a}", \&reads)->join;
named('long' x 100, \&plain)->join;
named([], \&plain)->join;
my ($main, $state) = (Coro::State->new); # without a Coro of its own
$state = Coro::State->new(sub { writes_alone(); $state->transfer($main) });
sub writes_alone { 1 }
$main->transfer($state);
END
is kinds($kinds), <<"END", 'the calls of each kind are below its name';
(coroutine caf\xc3\xa9 \xe2\x98\xba);reads
(coroutine reader);reads
(coroutine writer);writes
(coroutine);plain
(coroutine);writes_alone
END
my $many = run(<<'END');
use Coro;
sub one { cede }
for my $n (1 .. 150) { my $c = async { one() }; $c->desc("client $n"); $c->join }
END
my $listed = kinds($many);
is scalar(() = $listed =~ /^\(coroutine client \d+\);one$/gm), 99, 'a hundred kinds with that of Coro itself';
like $listed, qr/^\(coroutine\);one$/m, 'and one for the rest';

# Coro itself works in one thread only, and leaves perl's accounts wrong where that is not the first.
if ($Config{useithreads}) {
    my $first = same('coroutines, and then a thread', <<'END');
use threads; use Coro; sub one { 1 } sub two { one(); cede; one() }
$_->join for map { async { two() } } 1 .. 3;
print threads->create(sub { one() for 1 .. 5; 7 })->join, "\n";
async { two() }->join;
END
    is_deeply [ map { facts($first)->{sub}{"main::$_"}{calls} } qw(one two) ], [ 13, 4 ], 'calls of all';
    # AddressSanitizer warns of the stacks, with addresses.
    same('coroutines in a thread', <<'END') if ($ENV{LD_PRELOAD} // '') !~ /asan/;
use threads; sub one { 1 } sub two { one(); Coro::cede(); one() }
threads->create(sub { require Coro; $_->join for map { Coro::async(\&two) } 1 .. 3 })->join;
one() for 1 .. 5;
END

    # Coro runs the main program once more there, with a thread of its own: what it does twice is counted twice.
    my $again = run(<<'END');
use threads; sub one { syswrite STDOUT, "one\n" } sub two { one(); Coro::cede(); one() }
threads->create(sub { require Coro; $_->join for map { Coro::async(\&two) } 1 .. 3 })->join;
END
    my $ones = () = $again->{out} =~ /^one$/gm;
    cmp_ok $ones, '>=', 6, 'coroutines in a thread, as the program itself tells their calls:';
    is facts($again)->{sub}{'main::one'}{calls}, $ones, 'so many are in the profile';
}

# Many that are not running take no time: their positions are found by their stacks.
my $crowd = facts(run(<<'END'));
use Coro;
sub one { cede for 1 .. 5 }
$_->join for map { async { one() } } 1 .. 2000;
END
is calls($crowd, 'prog.pl:2 Coro::cede'), 10_000, 'a crowd';

done_testing;

sub calls { my ($of, $key) = @_; return $of->{call}{$key} }

# Who calls the program's own named subs.
sub kinds {
    my ($in) = @_;
    my %kinds;
    my ($folded) = nytprof('folded', capture_of($in));
    for (split /\n/, $folded) {
        $kinds{"$1;$2"} = 1 if /\A(\(coroutine[^;]*\)).*;main::(\w+)(?:;|\h)/ && $2 ne '__ANON__' && $2 !~ /CORE/;
    }
    return join '', map {"$_\n"} sort keys %kinds;
}

# The program's own subs as they called each other, in coroutines.
sub paths {
    my ($in) = @_;
    my %paths;
    my ($folded) = nytprof('folded', capture_of($in));
    for (split /\n/, $folded) {
        my @named = /main::(busy|idle|works|first_one|second)\b/g;
        $paths{"@named" =~ tr/ /;/r} = 1 if @named > 1;
    }
    return join '', map {"$_\n"} sort keys %paths;
}
