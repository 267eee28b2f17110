# SPDX-License-Identifier: MIT
# nytprof selftest: every count is exact, whatever the environment says, and a count that is not is a failure; an
# interpreter that is missing is none.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP qw(decode_json);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Profiled qw($TOP);
use Run qw(run);
use Tree qw(spew which);

my @EVENTS = (
    [ Perl => 'statement', 100_000, call => 13_700, 'call of C (XSUB)', 20_000, 'slow built-in (match)', 20_000 ],
    [ Lua  => 'line', 100_000, 'call', 13_700 ],
    [ Ruby => 'line', 100_000, 'call', 13_700 ],
);
my @missing = map {"$_ not on this machine: there is no \L$_\E in PATH"} qw(Lua Ruby);

# Only this perl, or what it is replaced by, and the programs of a shell.
my $bin = tempdir(CLEANUP => 1);
symlink which($_), "$bin/$_" or die "symlink: $!\n" for qw(sh);
symlink $^X, "$bin/perl" or die "symlink: $!\n";

sub tested {
    my ($path, @arguments) = @_;
    my %env = (PATH => $path, NYTPROF => 'stmts=0:file=/no/such/directory/x', PERL5OPT => '-MNo::Such::Module');
    return run(undef, command => [ "$TOP/build/nytprof", 'selftest', @arguments ], env => \%env);
}

my $run  = tested("$bin:$ENV{PATH}", '--json');
my $told = decode_json($run->{out});
is "$run->{err}$run->{exit}", '0', 'selftest succeeds';
ok $told->{exact}, 'as all counts are exact';
for my $trial (@{ $told->{trials} }) {
    my ($language, @events) = @{ shift @EVENTS };
    is $trial->{language}, $language, $language;
    if ($trial->{problem} && $language ne 'Perl') {
        diag "NOT SHOWN, $language $trial->{problem}";
        next;
    }
    is_deeply [ map { @{$_}{qw(event counted)} } @{ $trial->{events} } ], \@events, 'has exact counts';
    is_deeply [ grep { $_->{events} != $_->{counted} || !$_->{exact} } @{ $trial->{events} } ], [], 'and says so';
    my @timeless = grep { $_->{bare_ns} <= 0 || $_->{profiled_ns} <= 0 } @{ $trial->{events} };
    is @timeless, 0, 'and has times' if $language ne 'Lua';    # whose clock is coarse under a limit of CPU time
    my @false = grep { !exists $_->{corrected_ns} || ($_->{corrected_ns} // 0) < 0 } @{ $trial->{events} };
    is_deeply \@false, [], 'and corrected ones, or none on a busy machine';
}
my @clocks = (nytprof('clocks'))[0] =~ /^ +-?\d+  (\w+) +[\d.]+ /mg;
is_deeply [ map { $_->{name} } @{ $told->{clocks} } ], \@clocks, 'the clocks are those of nytprof clocks';

$run = tested($bin);
is "$run->{err}$run->{exit}", '0', 'without Lua and Ruby selftest succeeds, too';
like $run->{out}, qr/^\Q$_\E$/m, $_ for @missing;
my $figures = '(?: +\d+\.\d){2} +(?:\d+\.\d|~0|busy) +\d+\.\d+';
like $run->{out}, qr/^perl 5\.\d+\.\d+\n  statement +100000 +exact$figures\n  call +13700 +exact /m,
    'the text has the same rows';
like $run->{out}, qr/^  monotonic +\d+\.\d$/m, 'and clocks';
is_deeply [ grep { length > 80 } split /\n/, $run->{out} ], [], 'in 80 columns';

unlink "$bin/perl" or die "unlink: $!\n";
spew("$bin/perl", qq{#!$bin/sh\nNYTPROF="\$NYTPROF:stmts=0" exec $^X "\$@"\n});
spew("$bin/lua5.4", "#!$bin/sh\necho broken; exit 3\n");
chmod 0755, "$bin/perl", "$bin/lua5.4" or die "chmod: $!\n";
$run = tested($bin);
is $run->{exit}, 1, 'a count that is not exact is a failure';
like $run->{out}, qr/^  statement +100000 +0 /m, 'and shown';
like $run->{out}, qr/^Lua does not run: broken$/m, 'an interpreter that fails is told';

my (undef, $err, $exit) = nytprof('selftest', 'x');
is "$exit $err", "2 nytprof: selftest: expected no arguments, got 'x' (see `nytprof help selftest`)\n",
    'there are no arguments';

done_testing;
