# SPDX-License-Identifier: MIT
# Option selfcheck: what the profiler takes for the running calls is what Lua says they are, at every event of programs
# that do all they can to confuse it; and they do the same as without the profiler.
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

my %at_least = (adversary => 1_000_000, calls => 2_000, coroutines => 8_000, errors => 2_000);
for my $version (@$luas) {
    for my $program (sort keys %at_least) {
        my $text = slurp("$TOP/t/lua/$program.lua");
        my $bare = bare_lua($version, $text);
        my $ours = lua($version, $text, options => { selfcheck => 1 });
        is "$ours->{out}$ours->{exit}", "$bare->{out}$bare->{exit}", "lua $version, $program: does the same";
        my ($events, $wrong) = $ours->{err} =~ /\ANYTProf: selfcheck: (\d+) events, (\d+) wrong\n\z/;
        cmp_ok $events // 0, '>=', $at_least{$program}, 'is checked';
        is $wrong, 0, 'and nothing was wrong';
        ok eval { facts($ours); 1 }, 'the capture adds up' or diag $@;
    }
}
done_testing;
