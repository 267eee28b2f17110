# SPDX-License-Identifier: MIT
# Processes beside the peer: how they end, fork and start others. perl-process.t has what is ours alone.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Both qw(both_leave since_5_24);
use Dump qw(of records);
use Run qw(captures_in facts run under_profiler);

my @QUIET = (slowops => 0);

# --- the end ----------------------------------------------------------------------------------------------------------

both_leave('END blocks are profiled, those that END blocks add too', <<'LEFT', <<'PROGRAM', @QUIET);
nytprof.out
1:4 2:1 3:2 4:1
  0 main::RUNTIME > main::END 3
  2 main::END > main::f 1
  3 main::END > main::f 1
  4 main::RUNTIME > main::f 1
said:
LEFT
sub f { 1 }
END { f() }
END { f(); eval 'END { f() }' }
f();
PROGRAM

both_leave('exit in a sub', since_5_24(<<'LEFT', 'main::RUNTIME > main::END', 0 => 2), <<'PROGRAM', @QUIET);
nytprof.out
1:2 2:2
  0 main::RUNTIME > main::END 1
  1 main::g > main::f 1
  2 main::RUNTIME > main::g 1
said: bye (exit 3)
LEFT
sub f { exit 3 } sub g { f() }
END { print "bye\n" } g();
print "not here\n";
PROGRAM

both_leave('a program that does not compile leaves a profile', <<'LEFT', <<'PROGRAM', @QUIET);
nytprof.out
1:1 2:1
  2 main::BEGIN@2 > main::f 1
  2 main::NULL > main::BEGIN@2 1
said: syntax error at prog.pl line 3, near "= ;"
Execution of prog.pl aborted due to compilation errors. (exit 255)
LEFT
sub f { 1 }
BEGIN { f() }
my $x = ;
PROGRAM

both_leave('exec: the profile is complete', <<'LEFT', <<'PROGRAM', @QUIET);
nytprof.out
1:1 2:1 3:1
  2 main::RUNTIME > main::f 1
said: x
LEFT
sub f { 1 }
f();
exec $^X, '-e', 'print "x\n"';
PROGRAM

both_leave('$! is the program\'s', <<'LEFT', <<'PROGRAM', @QUIET);
nytprof.out
1:1 2:1 3:1 4:3
  3 main::RUNTIME > main::f 1
  4 main::RUNTIME > DB::disable_profile 1
said: 5 5 5
55
LEFT
$! = 5;
sub f { return $! + 0 }
print f(), ' ', eval '$! + 0', ' ', "a" =~ /a/ ? $! + 0 : 0, "\n";
DB::disable_profile(); print $! + 0; DB::enable_profile(); print $! + 0, "\n";
PROGRAM
my $files = run(<<'END');
$! = 5;
DB::enable_profile('b.out'); print $! + 0;
DB::finish_profile();        print $! + 0;
DB::enable_profile('c.out'); print $! + 0;
END
is $files->{out}, '555', 'also when a file is closed and another one opened';

# --- fork -------------------------------------------------------------------------------------------------------------

both_leave('calls that are running return into the child\'s profile too', <<'LEFT', <<'PROGRAM', @QUIET);
nytprof.out
1:3 2:4 3:3 4:1 5:1
  2 main::inner > main::leaf 1
  3 main::outer > main::inner 1
  3 main::outer > main::leaf 1
  4 main::RUNTIME > main::outer 1
  5 main::RUNTIME > main::leaf 1
nytprof.out.PID
1:3 2:3 3:2 5:1
  2 main::inner > main::leaf 1
  3 main::outer > main::inner 1
  3 main::outer > main::leaf 1
  4 main::RUNTIME > main::outer 1
  5 main::RUNTIME > main::leaf 1
said:
LEFT
sub leaf { 1 }
sub inner { my $pid = fork; leaf(); waitpid $pid, 0 if $pid; 1 }
sub outer { inner(); leaf(); 1 }
outer();
leaf();
PROGRAM

both_leave('children of children: NAME.PID, never NAME.PID.PID', <<'LEFT', <<'PROGRAM', @QUIET);
nytprof.out
1:1 2:1 3:1 4:1 5:1
  5 main::RUNTIME > main::f 1
nytprof.out.PID
1:2 3:7
  3 main::RUNTIME > main::f 2
nytprof.out.PID
1:2 3:3
  3 main::RUNTIME > main::f 2
said:
LEFT
sub f { 1 }
my $pid = fork;
if (!$pid) { f(); my $p2 = fork; if (!$p2) { f() for 1 .. 2; exit } waitpid $p2, 0; f(); exit }
waitpid $pid, 0;
f();
PROGRAM

both_leave('forked by open', <<'LEFT', <<'PROGRAM', @QUIET);
nytprof.out
1:1 2:1 3:2
  3 main::RUNTIME > main::f 1
nytprof.out.PID
1:3 2:5
  2 main::RUNTIME > main::f 3
said: x
LEFT
sub f { 1 }
open(my $in, '-|') or do { f(); f(); print "x\n"; f(); exit };
print <$in>; f();
PROGRAM

my $depth = run('1; if (!fork) { 1; if (!fork) { 1; exit } wait; exit } wait;', options => { forkdepth => 2 });
my @options = map { of('option', records("$depth->{dir}/$_")) } captures_in($depth->{dir});
is_deeply [ sort map { $_->{value} } grep { $_->{key} eq 'forkdepth' } @options ], [ 0, 1, 2 ],
    'forkdepth: a child has one less';

# --- PERL5OPT: every perl of a job has its profile --------------------------------------------------------------------

my %everywhere = (switches => [], env => { PERL5OPT => join ' ', under_profiler() });

# { SUB => "NAME calls", ... } of the programs' own subs in all captures of the run; pids are PID.
sub subs_by_file {
    my ($run) = @_;
    my %found;
    for my $file (captures_in($run->{dir})) {
        my $subs = facts($run, "$run->{dir}/$file")->{sub};
        for my $sub (grep {/^main::\w+_work$/} keys %$subs) {
            push @{ $found{$sub} }, ($file =~ s/\.\d{2,}/.PID/r) . " $subs->{$sub}{calls}";
        }
    }
    return { map { ($_ => join ', ', sort @{ $found{$_} }) } keys %found };
}

my $children = run(<<'END', %everywhere);
sub parent_work { 1 }
sub child_work  { 1 }
parent_work() for 1 .. 10;
if   (!@ARGV) { system $^X, $0, 'child'; parent_work() for 1 .. 10 }
else          { child_work() for 1 .. 7 }
END
is_deeply subs_by_file($children), { 'main::parent_work' => 'nytprof.out 20, nytprof.out.PID 10',
    'main::child_work' => 'nytprof.out.PID 7' }, 'PERL5OPT: a child runs while its parent does';

my %three = map { ("$_.pl" => "sub ${_}_work { 1 } ${_}_work() for 1 .. 3;\n") } qw(a b c);
my @one_by_one = ('sh', '-c', "$^X a.pl; $^X b.pl; $^X c.pl");
my $job = run(undef, %everywhere, files => \%three, command => \@one_by_one, before => ['setsid']);
my $all = { 'main::a_work' => 'nytprof.out 3', map { ("main::${_}_work" => 'nytprof.out.PID 3') } qw(b c) };
is_deeply subs_by_file($job), $all, 'PERL5OPT: one after the other in one job';
unlink map {"$job->{dir}/$_"} grep {/\d/} captures_in($job->{dir});
run(undef, %everywhere, dir => $job->{dir}, command => \@one_by_one, before => ['setsid']);
is_deeply subs_by_file($job), $all, 'the next job begins with NAME again';

my $explicit = run(undef, files => \%three,
    command => [ 'sh', '-c', join '; ', map { "$^X @{[under_profiler()]} $_.pl" } qw(a b c) ]);
is_deeply subs_by_file($explicit), { 'main::c_work' => 'nytprof.out 3' }, 'without PERL5OPT a profile replaces another';

my $becomes = run("sub first_work { 1 } first_work(); exec \$^X, 'then.pl';\n", %everywhere,
    files => { 'then.pl' => "sub second_work { 1 } second_work();\n" });
is_deeply subs_by_file($becomes), { 'main::first_work' => 'nytprof.out.1 1', 'main::second_work' => 'nytprof.out 1' },
    'a program that becomes another one keeps what it was';

my %suite = map { ("t-$_.t" => "sub ${_}_work { 1 } ${_}_work() for 1 .. 2; print qq{1..1\\nok 1\\n};\n") } qw(a b c d);
my $PROVE = 'my $app = App::Prove->new; $app->process_args(@ARGV); exit !$app->run';
for my $jobs (1, 2) {
    my $prove = run(undef, %everywhere, files => \%suite,
        command => [ $^X, '-MApp::Prove', '-e', $PROVE, '--', '-j', $jobs, '-r', sort keys %suite ]);
    like $prove->{out}, qr/^Result: PASS$/m, "prove -j $jobs under PERL5OPT runs as ever" or diag $prove->{err};
    is_deeply subs_by_file($prove), { map { ("main::${_}_work" => 'nytprof.out.PID 2') } qw(a b c d) },
        'and each test has its profile';
}

done_testing;
