# SPDX-License-Identifier: MIT
# What events cost is measured again while the program runs, and the program does not notice: between two statements of
# it the profiler runs code of its own.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(of);
use Run qw(facts run same);

my $BUSY = <<'END';
use Time::HiRes 'time';
my ($n, $end) = (0, time + 0.4);
while (time < $end) { for (1 .. 5000) { $n++; $n-- } }
END

my $facts    = facts(run($BUSY));
my @measured = map { $_->{measured} } grep { $_->{event} == 0 } of('price', @{ $facts->{records} });
cmp_ok $measured[-1], '>', $measured[0], 'a longer run has measured more often';
my $cold = 0;
$cold += $_->{cold} for of('window', @{ $facts->{records} });
cmp_ok $cold, '>', 0, 'and the time of calibration is charged to no sub';
ok !(grep { /NYTProf/ } keys %{ $facts->{sub} }), 'nothing of it is in the profile';
is_deeply [ of('price', @{ facts(run($BUSY, options => { overhead => 'raw' }))->{records} }) ], [],
    'overhead=raw: there is nothing to be measured';

# Whatever a program can look at, across more than one window. Handlers run, too, but not in our code: caller tells.
my $same = same('errno, $@, captured groups, random numbers, arguments, handlers of signals', <<'END');
use Time::HiRes qw(setitimer ITIMER_REAL time);
sub fails { die "failed\n" }
my (%who, $wrong);
$SIG{ALRM} = sub { my $sub = (caller 1)[3] // 'top'; $who{ $sub =~ /NYTProf/ ? 'profiler' : 'program' }++ };
setitimer(ITIMER_REAL, 0.0005, 0.0005);
srand 7;
eval { fails() };
'abcdef' =~ /b(.)d/;
my @random;
sub looked { my ($first) = @_; my $end = time + 0.35;
    while (time < $end) {
        $! = 13;
        my $x = 1;
        $wrong .= "errno " . ($! + 0) if $! != 13;
        $wrong .= "eval $@" if $@ ne "failed\n";
        $wrong .= "group $1" if $1 ne 'c';
        $wrong .= "argument" if $first != 42 || @_ != 1;
    }
}
looked(42);
setitimer(ITIMER_REAL, 0);
print join(' ', map { int rand 1000 } 1 .. 5), "\n", $wrong // 'nothing wrong', "\n";
print join(' ', sort keys %who), "\n";
END
like $same->{out}, qr/nothing wrong\nprogram\n/, 'and all is as it should be';

# In the middle of a sort, an overloaded operator, a tied variable: the program's own stacks are left alone.
same('in sort blocks, tied variables and overloaded operators', <<'END');
package Tied { sub TIESCALAR { bless [] } sub FETCH { my $x = 1; $x += $_ for 1 .. 200; return $x } }
package Sum { use overload '+' => sub { my $x = 1; $x += $_ for 1 .. 200; return $_[1] + $x } }
tie my $tied, 'Tied';
my $sum = bless [], 'Sum';
my @list = map { $_ * 7919 % 5003 } 1 .. 3000;
my $check = 0;
for (1 .. 12) {
    my @sorted = sort { my $x = $a; my $y = $b; $x <=> $y } @list;
    $check += $sorted[7] + $tied + ($sum + 1);
    $check += $tied for 1 .. 300;
}
print "$check\n";
END

# Handlers that do not wait for their chance, as POSIX::sigaction sets them, may die: not out of our code, which would
# lose the profile and every signal to come. One in two hundred comes at such a time.
same('handlers that are called at once', <<'END');
use POSIX ();
use Time::HiRes qw(setitimer ITIMER_REAL);
my ($i, $died, $in_ours, $e) = (0, 0, 0, "late\n");
sub handler { my $at = (caller 0)[3]; $in_ours++ if ((caller 0)[1] // '') =~ /NYTProf/; die $e }
POSIX::sigaction(POSIX::SIGALRM, POSIX::SigAction->new(\&handler));
while ($i < 6_000_000) {
    eval { setitimer(ITIMER_REAL, 0.001); while ($i < 6_000_000) { $i++ } setitimer(ITIMER_REAL, 0) };
    $died++;
}
setitimer(ITIMER_REAL, 0);
print $died > 10 ? 'died' : 'did not die', ", $in_ours in the profiler's code\n";
$SIG{USR1} = sub { print "still handled\n" };
kill USR1 => $$;
my $last = 1;
END

# Programs that wrap every sub they find, or empty every package, do so with the loops.
same("subs of the profiler's own that the program replaces", <<'END');
use Time::HiRes 'time';
no warnings;
*Devel::NYTProf::Core::_nothing = sub { print "the program's\n"; die };
my ($begin, $n) = (time, 0);
while (time - $begin < 0.5) { $n++ for 1 .. 100 }
undef %Devel::NYTProf::Core::;
$begin = time;
while (time - $begin < 0.5) { $n++ for 1 .. 100 }
print "done\n";
END

done_testing;
