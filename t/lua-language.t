# SPDX-License-Identifier: MIT
# The language, feature by feature (t/lua/language): each program checks itself and prints what it finds, and does the
# same, to the letter, bare and under the profiler in each of its modes; and at every event the calls that the profiler
# thinks are running are those that run.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Lua qw(bare_lua lua luas);
use Profiled qw($TOP);
use Run qw(facts);
use Tree qw(slurp);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my %modes = (
    lines     => {},
    functions => { stmts => 0 },
    memory    => { memory => 1 },
    checked   => { selfcheck => 1 },
);
my @programs = map {m{([^/]+)\.lua$}} sort glob "$TOP/t/lua/language/*.lua";
cmp_ok scalar @programs, '>=', 7, 'there are programs';
for my $version (@$luas) {
    for my $program (@programs) {
        my $text = slurp("$TOP/t/lua/language/$program.lua");
        my $bare = bare_lua($version, $text);
        like $bare->{out}, qr/^$program done$/m, "lua $version, $program: comes to its end" or diag $bare->{err};
        compare("lua $version, $program", $modes{$_}, $bare, lua($version, $text, options => $modes{$_}), $_)
            for sort keys %modes;
    }
}
done_testing;

sub compare {
    my ($name, $options, $bare, $ours, $mode) = @_;
    my $err = $ours->{err};
    if ($options->{selfcheck}) {
        my ($events, $wrong) = (0, 'unknown');
        ($events, $wrong) = ($1, $2) if $err =~ s/^NYTProf: selfcheck: (\d+) events, (\d+) wrong\n//m;
        cmp_ok $events, '>', 500, "$name, $mode: is checked";
        is $wrong, 0, "$name, $mode: nothing was wrong";
    }
    is_deeply [ @{$ours}{qw(out exit signal)}, $err ], [ @{$bare}{qw(out exit signal err)} ],
        "$name, $mode: does the same";
    my $facts = eval { facts($ours) };
    ok $facts, "$name, $mode: its capture adds up" or diag $@;
    cmp_ok scalar keys %{ $facts->{sub} }, '>', 20, "$name, $mode: and has its functions";
}
