# Programs in Lua that people use, under the profiler with its check of every event: they say what they always say, and
# nothing was wrong. Wants Debian's packages lua5.4 and lua-check.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Lua qw(bare_lua lua luas);
use Run qw(facts);

my $LUACHECK = '/usr/bin/luacheck';
my $PATH     = '/usr/share/lua/5.1/?.lua;/usr/share/lua/5.1/?/init.lua;;';

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !grep { $_ eq '5.4' } @$luas;
plan skip_all => "no $LUACHECK" if !-e $LUACHECK;

my @args = qw(--no-color --no-cache --std max /usr/share/lua/5.1/luacheck);
my %how = (
    lines     => { selfcheck => 1 },
    functions => { selfcheck => 1, stmts => 0 },
    memory    => { memory => 1 },
);
my $bare = run_luacheck(\&bare_lua);
like $bare->{out}, qr/^Total: .* in \d+ files/m, 'luacheck checks itself' or diag $bare->{err};
for my $how (sort keys %how) {
    my $ours = run_luacheck(\&lua, options => $how{$how});
    is "$ours->{exit} $ours->{out}", "$bare->{exit} $bare->{out}", "$how: luacheck says the same";
    my $check = $how{$how}{selfcheck} ? qr/\ANYTProf: selfcheck: \d{6,} events, 0 wrong\n\z/ : qr/\A\z/;
    like $ours->{err}, $check, 'and nothing was wrong';
    my $facts = facts($ours);
    cmp_ok scalar keys %{ $facts->{sub} }, '>', 300, 'it has many functions';
    cmp_ok scalar keys %{ $facts->{line} }, ($how eq 'functions' ? '==' : '>'), ($how eq 'functions' ? 0 : 3000),
        'and lines where they are counted';
}
done_testing;

sub run_luacheck {
    my ($run, %with) = @_;
    return $run->('5.4', "require 'luacheck.main'\n", args => \@args, env => { LUA_PATH => $PATH }, %with);
}
