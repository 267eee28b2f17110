# SPDX-License-Identifier: MIT
# nytprof run --sample and --always-on: no hooks, children too where that is asked for, and what is refused.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(records);
use Profiled qw($TOP);
use Run qw(captures_in run);
use Sampled qw(folded);

# The run of `nytprof run ARGUMENTS` in a directory with prog.pl.
sub started {
    my ($text, $arguments, %with) = @_;
    return run($text, %with, command => [ "$TOP/build/nytprof", 'run', @$arguments ]);
}

sub properties {
    my ($file) = @_;
    return map { $_->{key} => $_->{value} } grep { $_->{kind} eq 'property' } records($file);
}

my $BURNS = <<'END';
sub burn { my $q = 0; my $from = times(); while (times() - $from < 0.3) { $q += $_ for 1 .. 1000 } return $q }
print "$^P @ARGV\n"; burn(); exit 3;
END

# --- one program ------------------------------------------------------------------------------------------------------

for my $case ([ '--sample', 100 ], [ '--sample=1000', 1000 ]) {
    my ($option, $hz) = @$case;
    my $run = started($BURNS, [ $option, $^X, 'prog.pl', 'a' ]);
    is_deeply [ @{$run}{qw(out err exit)} ], [ "0 a\n", '', 3 ], "$option: \$^P is 0, the exit status the program's";
    my %path = folded($run);
    cmp_ok $path{'main::burn'} // 0, '>=', 0.2e9, 'where the time went';
    my %property = properties("$run->{dir}/nytprof.out");
    is_deeply [ @property{qw(sampling sample_hz)} ], [ 'thread', $hz ], "by $hz samples a second";
}
my $environment = started($BURNS, [ '--sample', 'prog.pl' ], options => { sample => 500, file => 'other.out' });
my %other = properties("$environment->{dir}/other.out");
is $other{sample_hz}, 100, 'the option goes before the environment, which may name the file';
is_deeply [ captures_in($environment->{dir}) ], [], 'and no other is written';
my $report = started($BURNS, [ '--sample', '--folded=x', 'prog.pl' ]);
ok -s "$report->{dir}/x", 'a report of the samples';

# --- programs that it starts ------------------------------------------------------------------------------------------

my $STARTS = 'sub outer { 1 for 1 .. 3e6 } outer(); '
    . 'system $^X, "-e", "print qq(\$^P\\n); sub inner { 1 for 1 .. 3e6 } inner()"; print "$^P\n"';
my $alone = started($STARTS, [ '--sample', 'prog.pl' ]);
is_deeply [ captures_in($alone->{dir}) ], ['nytprof.out'], '--sample: of a Perl program that starts another only it';
for my $case ([ '--sample, --children', '--sample', '-c', 'prog.pl' ],
    [ '--sample, a shell', '--sample', 'sh', '-c', 'perl prog.pl; exit 0' ],
    [ '--always-on', '--always-on', 'prog.pl' ])
{
    my ($name, @arguments) = @$case;
    my $run = started($STARTS, \@arguments);
    is_deeply [ @{$run}{qw(out err)} ], [ "0\n0\n", '' ], "$name: no program has -d";
    my @files = captures_in($run->{dir});
    my %path  = map { folded($run, $_) } @files;
    my @seen = sort grep {/^main::(?:inner|outer)\z/} keys %path;
    is_deeply [ scalar @files, @seen ], [ 2, qw(main::inner main::outer) ], 'all are sampled';
    is_deeply [ grep { $_ eq 'nytprof.out' } @files ], [], 'to FILE.PID' if $name eq '--always-on';
    is_deeply [ grep { $_->{kind} eq 'source' } map { records("$run->{dir}/$_") } @files ], [], 'without source'
        if $name eq '--always-on';
}
my $quick = started($BURNS, [ '--always-on', '--sample=400', 'prog.pl' ]);
my %quick = map { properties("$quick->{dir}/$_") } captures_in($quick->{dir});
is $quick{sample_hz}, 400, '--sample says how often, also with --always-on';

# --- what is refused --------------------------------------------------------------------------------------------------

for my $bad (qw(0 1001 x 10x -1), ' ') {
    my (undef, $err, $exit) = nytprof('run', "--sample=$bad", 'true');
    like "$exit $err", qr/\A2 nytprof: run: --sample: expected 1 to 1000 samples a second, got '\Q$bad\E'[^\n]*\n\z/,
        "--sample=$bad";
}
my $ruby = started("print(1)\n", [ '--sample', 'prog.rb' ], name => 'prog.rb');
my $says = "nytprof: run: ruby is not sampled, expected a program in Perl or Lua\n";
is_deeply [ @{$ruby}{qw(out err exit)} ], [ '', $says, 1 ], 'a program in ruby';

done_testing;
