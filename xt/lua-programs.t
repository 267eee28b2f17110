# SPDX-License-Identifier: MIT
# Programs in Lua that people use, under the profiler: output, files and exit status are those of a bare run, and with
# selfcheck=1 no event is wrong. Wants Debian's packages lua5.4, lua-check, lua-ldoc with lua-penlight, lua-lpeg,
# lua-unit and lua-busted.
use strict;
use warnings;

use File::Find qw(find);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Lua qw(bare_lua lua luas);
use Profiled qw($TOP);
use Run qw(facts);
use Tree qw(slurp);

my $LIBRARY = '/usr/share/lua/5.1';
my $PATH    = "$LIBRARY/?.lua;$LIBRARY/?/init.lua;;";

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !grep { $_ eq '5.4' } @$luas;

my %modes = (
    lines     => { selfcheck => 1 },
    functions => { stmts => 0 },
    memory    => { memory => 1 },
);

# [ the program, its arguments, a line of its output, the least number of functions and of lines in its profile ]
my %program = (
    luacheck => [ 'arg[0] = "luacheck" require "luacheck.main"',
        [ qw(--no-color --no-cache --std max), "$LIBRARY/luacheck" ], qr/^Total: .* in \d+ files/m, 300, 3000 ],
    ldoc => [ 'dofile "/usr/bin/ldoc"', [ qw(--date never -d pages), "$LIBRARY/pl" ],
        qr/^output written to/m, 300, 1500 ],
    luaunit => [ slurp("$TOP/xt/clients/units.lua"), ['--verbose'],
        qr/^Ran \d+ tests .*, 2 failures, 1 error, 1 skipped$/m, 60, 300 ],
    busted => [ slurp("$TOP/xt/clients/busted.lua"), [ qw(-o TAP --no-keep-going prog_spec.lua) ],
        qr/^ok 1 - /m, 300, 1500 ],
    re => [ slurp("$TOP/xt/clients/grammars.lua"), [], qr/^json\ttrue$/m, 40, 100 ],
);
for my $name (sort keys %program) {
    my ($text, $args, $says, $functions, $lines) = @{ $program{$name} };
    my $bare = outcome(\&bare_lua, $text, $args);
    like $bare->{out}, $says, "$name runs" or diag $bare->{err};
    for my $mode (sort keys %modes) {
        my $ours = outcome(\&lua, $text, $args, options => $modes{$mode});
        is_deeply [ @{$ours}{qw(exit signal out written)} ], [ @{$bare}{qw(exit signal out written)} ],
            "$name, $mode: says and writes the same";
        my $check = $ours->{err} =~ s/^NYTProf: selfcheck: \d+ events, (\d+) wrong\n//m ? "$1 wrong" : 'unchecked';
        is $check, $modes{$mode}{selfcheck} ? '0 wrong' : 'unchecked', 'nothing was wrong';
        is $ours->{err}, $bare->{err}, 'and nothing else was said';
        my $facts = facts($ours);
        cmp_ok scalar keys %{ $facts->{sub} }, '>', $functions, 'it has many functions';
        my $counted = keys %{ $facts->{line} };
        cmp_ok $counted, $mode eq 'functions' ? '==' : '>', $mode eq 'functions' ? 0 : $lines, 'and lines where asked';
    }
}
done_testing;

# A run, and the files that it left in its directory: { name => text }.
sub outcome {
    my ($run, $text, $args, %with) = @_;
    my $done = $run->('5.4', $text, args => $args, env => { LUA_PATH => $PATH, TZ => 'UTC' },
        files => { 'prog_spec.lua' => slurp("$TOP/xt/clients/spec.lua") }, %with);
    my %written;
    find({ no_chdir => 1, wanted => sub {
        $written{ substr $_, length $done->{dir} } = slurp($_) if -f && !m{/(?:\.\w+|nytprof\.out|prog\w*\.lua)$};
    } }, $done->{dir});
    $done->{written} = \%written;
    for my $said (@{$done}{qw(out err)}) {
        $said =~ s/\Q$done->{dir}\E/DIR/g;
        $said =~ s/\b\d+\.\d+ seconds/N seconds/g;
        $said =~ s/0x[0-9a-f]+/ADDRESS/g;
    }
    return $done;
}
