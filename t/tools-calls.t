# SPDX-License-Identifier: MIT
# nytprofcalls and `nytprof folded`: call paths as text.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Pages qw(fixtures run);
use Profiled qw(command has_peer);
use Tree qw(slurp spew);

my $NYTPROF  = "$FindBin::Bin/../build/nytprof";
my @CALLS    = ($^X, "$FindBin::Bin/../bin/nytprofcalls");
my $captures = fixtures();
my $dir      = tempdir(CLEANUP => 1);

# --- what the fixture's calls are: 13 calls, 653 µs in subs, 10 ticks a microsecond ---

my ($status, $out, $err) = run(@CALLS, "$captures/calls.out");
is "$status $err", '0 ', 'nytprofcalls prints';
is $out, <<'END', 'a line per path with its own time in units of 100 ns, the longest first';
Foo::Bar::new 1000
Foo::Bar::new;Foo::Bar::xs 4000
List::Util::sum 700
main::recurs 100
main::recurs;main::recurs 200
main::recurs;main::recurs;main::recurs 300
main::CORE:print 100
main::ping 10
main::ping;main::pong 20
main::ping;main::pong;main::ping 30
main::ping;main::pong;main::ping;main::pong 40
main::__ANON__[(eval 0)[/app/main.pl:9]:1] 30
END
($status, $out) = run(@CALLS, '--calls', '--stable', "$captures/calls.out");
is $out, <<'END', "--calls --stable: how often, by the sub's number in order of first return, as text";
main::recurs 1
main::recurs;main::recurs 1
main::recurs;main::recurs;main::recurs 1
main::ping 1
main::ping;main::pong 1
main::ping;main::pong;main::ping 1
main::ping;main::pong;main::ping;main::pong 1
List::Util::sum 1
main::CORE:print 1
Foo::Bar::new 1
Foo::Bar::new;Foo::Bar::xs 1
main::__ANON__[(eval 0)[/app/main.pl:9]:1] 2
END
($status, $out) = run(@CALLS, '--calls', "$captures/calls.out", "$captures/hostile.out", "$captures/calls.out");
like $out, qr/^main::recurs;main::recurs 2$/m, 'several files are added up';
like $out, qr/^main::a&b 1$/m,                 'and so are different programs';
($status, $out, $err) = run(@CALLS, "$captures/zero.out");
is "$status $out $err", '0  ', 'no calls, no lines';
($status, $out, $err) = run(@CALLS, "$captures/empty.out");
is "$status $out", '1 ', 'a profile that was cut short before anything was written has none either';
like $err, qr/\Anytprof: \S+empty\.out: an empty report: .*\n\z/, 'and says so';

($status, $out) = run(@CALLS, "$captures/hostile.out");
is scalar(() = $out =~ /^\S.*\S \d+$/mg), scalar(() = $out =~ /\n/g), 'no name breaks a line';
is scalar(() = $out =~ / [\d.]+ \d+$/mg), 0, 'or ends like one';
is_deeply [ grep {/;/} split /\n/, $out ], [], 'or makes two of a sub';
like $out, qr/^main::semi\?colon\?stack\?12 100$/m,
    'since a semicolon is a question mark, and so is a blank before a number';

# --- messages and exit codes ---

my ($usage) = (run(@CALLS, '--help'))[1];
like $usage, qr/^usage: .*nytprofcalls/, 'usage';
for my $arguments ([], ['--help'], ['-h']) {
    ($status, $out, $err) = run(@CALLS, @$arguments);
    is "$status $out$err", "0 $usage", "'@$arguments': usage on standard output, exit code 0";
}
($status, $out) = run(@CALLS, '--nosuch');
is "$status $out", "0 $usage", 'a wrong option likewise';
($status, $out, $err) = run(@CALLS, "$dir/nosuch");
ok $status && $out eq '' && $err =~ /could not locate file for processing/, 'no such file: a message, not 0';
spew("$dir/not", "#!/bin/sh\n");
($status, $out, $err) = run(@CALLS, "$dir/not");
ok $status && $out eq '' && $err =~ /not a profile/, 'no profile: a message, not 0';
($status, $out, $err) = run(@CALLS, '-v', "$captures/calls.out");
like $err, qr/^Reading \S+calls\.out/, '-v traces on standard error';

# --- nytprof folded ---

($status, $out) = run($NYTPROF, 'folded', "$captures/calls.out");
like $out, qr/^main::RUNTIME 221500$/m, 'folded: nanoseconds, and the program itself';
like $out, qr/^main::RUNTIME;Foo::Bar::new;Foo::Bar::xs 400000$/m, 'which every path begins with';
is total($out), 874_500, 'all of the profiled time';
($status) = run($NYTPROF, 'folded', '-o', "$dir/folded", "$captures/calls.out");
is slurp("$dir/folded"), $out, '-o writes to a file';
is +(run($NYTPROF, 'folded', '-o', $dir, "$captures/calls.out"))[0], 1, 'but not to a directory';
is +(run($NYTPROF, 'folded', '--rate', 'x', "$captures/calls.out"))[0], 2, 'a rate that is no number is usage';
($status, undef, $err) = run('/bin/sh', '-c', "$NYTPROF folded $captures/calls.out >/dev/full");
ok $status == 1 && $err =~ /\Anytprof: [^\n]+\n\z/, 'a full disk is no success';

# --- against the peer ---

spew("$dir/prog.pl", <<'END');
package A;
sub work { my $x = 0; $x += $_ for 1 .. 50; inner($x); return sqrt $x }
sub inner { return $_[0] > 10 ? fib(3) : 0 }
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
package main;
A::work() for 1 .. 3;
eval { A::inner(2); die "x\n" };
A::fib(6);
eval "A::inner(7); sub dyn { 1 } dyn()" for 1 .. 3;
my $code = sub { A::inner(1) };
$code->() for 1 .. 2;
END
is peer_calls(), our_calls(), 'the same paths and counts as the peer\'s, in the same order' if has_peer();
diag 'NO PEER: nytprofcalls was not compared' if !has_peer();

done_testing;

sub total { my ($text) = @_; my $sum = 0; $sum += $_ for $text =~ / (\d+)$/mg; return $sum }

sub record {
    my ($who, $options) = @_;
    chdir $dir or die "$dir: $!\n";
    system(command($who, { file => "$dir/$who.out", %$options }, 'prog.pl')) == 0 or die "$who fails\n";
    return "$dir/$who.out";
}

sub our_calls { return (run(@CALLS, '--calls', '--stable', record('ours', {})))[1] }

sub peer_calls {
    return (run('env', '-u', 'PERL5LIB', 'nytprofcalls', '--calls', '--stable', record('peer', { calls => 2 })))[1];
}
