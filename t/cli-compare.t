# SPDX-License-Identifier: MIT
# nytprof run --compare: both commands are run in turns, and profiled once; the table says which takes less.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Profiled qw($TOP);
use Run qw(captures_in facts run);
use Tree qw(slurp);

my $LOGS = <<'END';
open my $log, '>>', 'log';
print {$log} $ARGV[0], (defined &DB::enable_profile ? 'p' : ''), -t STDIN || <STDIN> ? '!' : '', ' ';
print "mine\n";
sub f { 1 } f() for 1 .. $ARGV[1];
exit $ARGV[2] if $ARGV[2] && -s 'log' > $ARGV[3];
END

# The run of `nytprof run ARGUMENTS` in a directory with prog.pl.
sub compared {
    my (@arguments) = @_;
    return run($LOGS, stdin => "word\n", command => [ "$TOP/build/nytprof", 'run', @arguments ]);
}

my $run = compared('--compare', 5, '-o', 'c.out', 'prog.pl', 'A', 3, '--', 'prog.pl', 'B', 7);
is "$run->{err}$run->{exit}", '0', 'two commands are compared';
is slurp("$run->{dir}/log"), 'Ap Bp A B B A A B B A A B ', 'each is profiled once and then run in turns, without input';
my @calls = map { facts($run, "$run->{dir}/c.out.$_")->{sub}{'main::f'}{calls} } qw(a b);
is_deeply \@calls, [ 3, 7 ], 'the profiles stay';
unlike $run->{out}, qr/mine/, 'their output is not printed';
my $numbers = '(?: +\d+\.\d{4})';
like $run->{out}, qr/^$_ +A $numbers{4}\n +B $numbers{4}\n +B\/A $numbers{2} +\S.*\(p [=<] [01]\.\d+\)$/m,
    "the table has $_ time" for qw(CPU wall);
like $run->{out}, qr{^\Q$_\E$}m, "and '$_'" for 'A  prog.pl A 3', '   profile: c.out.a', '   profile: c.out.b';
is_deeply [ grep { length > 80 } split /\n/, $run->{out} ], [], 'in 80 columns';

$run = run(undef, command => [ "$TOP/build/nytprof", qw(run --compare 5 sleep 0.7 -- true) ]);
like $run->{out}, qr/^wall.*\n.*\n +B\/A .* B takes less \(p = 0\.0079\)$/m, 'a difference outside the noise is told';
like $run->{out}, qr/^A  sleep 0\.7\n   no profile$/m, 'a command without Perl, Lua or Ruby has no profile';
is_deeply [ captures_in($run->{dir}) ], [], 'nor a file';

$run = compared('--compare', 4, 'sh', '-c', "true 'a b'", '--', 'true', '');
like $run->{out}, qr/^A  sh -c 'true '\\''a b'\\'''\n.*\nB  true ''$/m, 'commands are shown as a shell takes them';

$run = run(undef, command => [ "$TOP/build/nytprof", qw(run --compare 3 sleep 0.7 -- true) ]);
like $run->{out}, qr/^wall.*\n.*\n +B\/A .* too few runs to tell \(p = 0\.1000\)$/m, 'few runs are told';

my $fails = 'run: B failed with exit status 3';
for my $row (
    [ $fails,                            1, qw(--compare 5 prog.pl A 1 -- prog.pl B 1 3 0) ],
    [ $fails,                            1, qw(--compare 5 prog.pl A 1 -- prog.pl B 1 3 14) ],
    [ 'run: A was ended by signal 15',   1, '--compare', 5, 'sh', '-c', 'kill -TERM $$', '--', 'true' ],
    [ 'run: nosuch: no such program, neither here nor in PATH', 1, qw(--compare 5 prog.pl -- nosuch) ],
    [ 'run: --compare: expected two commands, A... -- B... (see `nytprof help run`)', 2, qw(--compare 5 prog.pl) ],
    [ 'run: --compare: expected two commands, A... -- B... (see `nytprof help run`)', 2, qw(--compare 5 prog.pl --) ],
    [ "run: --compare: expected a number from 1 to 100, got '0' (see `nytprof help run`)", 2, qw(--compare 0 a -- b) ],
    [ 'run: expected --compare or --html, got both (see `nytprof help run`)', 2, qw(--compare 5 --html a -- b) ],
) {
    my ($message, $code, @arguments) = @$row;
    $run = compared(@arguments);
    is_deeply [ @{$run}{qw(out err exit)} ], [ '', "nytprof: $message\n", $code ], $message;
}

done_testing;
