# SPDX-License-Identifier: MIT
# Lines and calls of Lua programs against an independent witness: t/lua/counter.lua, a hook written in Lua. All agree.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(of);
use Lua qw(bare_lua lua luas);
use Profiled qw($TOP);
use Run qw(facts);
use Tree qw(slurp);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

for my $version (@$luas) {
    for my $program (qw(calls coroutines errors)) {
        my $text    = slurp("$TOP/t/lua/$program.lua");
        my $bare    = bare_lua($version, $text);
        my $ours    = lua($version, $text);
        my $counted = bare_lua($version, $text, more => ["$TOP/t/lua/counter.lua", 'counts']);
        is "$ours->{out}$ours->{err}$ours->{exit}", "$bare->{out}$bare->{err}$bare->{exit}",
            "lua $version, $program: says the same under the profiler";
        is "$counted->{err}$counted->{exit}", '0', 'the counter runs';
        my %witness = map { /^(.*) (\d+)$/ ? ($1 => $2) : () } split /\n/, slurp("$counted->{dir}/counts");
        my %facts = rows(facts($ours));
        is_deeply { map { ($_ => $facts{$_}) } grep {/^line/} keys %facts },
            { map { ($_ => $witness{$_}) } grep {/^line/} keys %witness }, 'lines';
        is_deeply { map { ($_ => $facts{$_}) } grep {/^function/} keys %facts },
            { map { ($_ => $witness{$_}) } grep {/^function/} keys %witness }, 'calls of functions';
        is_deeply { map { ($_ => $facts{$_}) } grep {/^c / && $witness{$_}} keys %facts },
            { map { ($_ => $witness{$_}) } grep {/^c / } keys %witness }, 'calls of C functions';
    }
}
done_testing;

# As the counter says it.
sub rows {
    my ($facts) = @_;
    my %rows = map { /^prog\.lua:(\d+)$/ ? ("line $1" => $facts->{line}{$_}) : () } keys %{ $facts->{line} };
    for my $sub (of('sub', @{ $facts->{records} })) {
        my $calls = $facts->{sub}{ $sub->{name} }{calls} or next;
        next if $sub->{name} eq '<prog.lua>';
        my $key = $sub->{file} == 0 ? "c $sub->{name}" : "function $sub->{first_line}";
        $rows{$key} = $calls;
    }
    return %rows;
}
