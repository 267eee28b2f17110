# SPDX-License-Identifier: MIT
# Processes and damage: what is left of a Lua that is killed or of a file that is cut, who writes where after a fork,
# and several Luas of one job.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Lua qw(host lua luas);
use Pages qw(text_of);
use Profiled qw($TOP);
use Run qw(captures_in capture_of facts run);
use Tree qw(slurp);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

# --- a Lua that is killed has written window after window -------------------------------------------------------------

my $KILLED = <<'END';
local function step(n) return n + 1 end
local n, file = 0, nil
repeat
  for i = 1, 1000 do n = step(n) end
  file = io.open("nytprof.out")
  local size = file and file:seek("end") or 0
  if file then file:close() end
until size > tonumber(arg[1])
io.write(n, "\n") io.flush()
os.execute("kill -KILL $PPID") repeat until false
END

for my $version (@$luas) {
    my $begun = length slurp(capture_of(lua($version, '')));
    my $run = lua($version, $KILLED, args => [ $begun + 200 ]);
    is $run->{signal}, 9, "Lua $version: killed";
    my $facts = facts($run);
    my $calls = $facts->{sub}{step}{calls};
    cmp_ok $calls, '>', 0, 'what it had written is there';
    cmp_ok $calls, '<=', $run->{out}, 'and no more than that';
    my ($info) = nytprof('info', capture_of($run));
    like $info, qr/^whole        no\n +pid \d+ did not end cleanly: last data [\d.]+ s after its start$/m,
        'info says so';
    my (undef, $err, $exit) = nytprof('html', '-o', "$run->{dir}/pages", capture_of($run));
    is "$exit $err", '0 ', 'and there is a report';

    # --- a file that is cut anywhere ---

    my $whole = lua($version, "local function f() end\nfor i = 1, 50 do f() end\n");
    my $bytes = slurp(capture_of($whole));
    my @failed;
    for my $cut (map { int(length($bytes) * $_ / 40) } 1 .. 39) {
        (undef, $err, $exit) = nytprof('info', \substr $bytes, 0, $cut);
        push @failed, "$cut: $exit $err" if $exit > 1 || ($exit && $err !~ /\Anytprof: [^\n]+\n\z/);
        (undef, $err, $exit) = nytprof('csv', '-o', "$whole->{dir}/csv", \substr $bytes, 0, $cut);
        push @failed, "$cut: $exit $err" if $exit > 1 || ($exit && $err !~ /\A(?:nytprof: [^\n]+\n)+\z/);
    }
    is_deeply \@failed, [], 'of a file that is cut every report tells what is there, or says in a line that nothing is';

    # --- fork ---

    my $host = host($version, 'forks', qw(-l:nytprof.so)) or next;
    my $forks = run(undef, command => [$host]);
    is "$forks->{out}$forks->{err}$forks->{exit}", '0', 'a host that forks';
    my %calls = map { (calls_in($forks, $_) => 1) } captures_in($forks->{dir});
    is_deeply [ sort keys %calls ], [ 'before 7 in_parent 300', 'in_child 22', 'in_grandchild 4' ],
        'each process has a file of its own, with what it did itself';
    nytprof('merge', '-o', "$forks->{dir}/all", map {"$forks->{dir}/$_"} captures_in($forks->{dir}));
    is calls_in($forks, 'all'), 'before 7 in_child 22 in_grandchild 4 in_parent 300', 'merged they are one profile';
    $forks = run(undef, command => [$host], options => { forkdepth => 1 });
    %calls = map { (calls_in($forks, $_) => 1) } captures_in($forks->{dir});
    is_deeply [ sort keys %calls ], [ 'before 7 in_parent 300', 'in_child 22' ], 'forkdepth=1: no grandchildren';
}

# --- several Luas of one job ------------------------------------------------------------------------------------------

my $lua = "lua$luas->[0]";
my %programs = map { ("$_.lua" => "local function $_() end $_()") } qw(one two three);
my $job = "$lua one.lua; $lua two.lua; $lua three.lua";
my $together = run(undef, files => \%programs, command => [ "$TOP/build/nytprof", 'run', 'sh', '-c', $job ]);
is_deeply [ sort map { calls_in($together, $_) } captures_in($together->{dir}) ], [ 'one 1', 'three 1', 'two 1' ],
    'nytprof run with a command: none of its Luas replaces the profile of another';
my $twice = "$TOP/build/nytprof run one.lua; $TOP/build/nytprof run two.lua";
my $separate = run(undef, files => \%programs, command => [ 'sh', '-c', $twice ]);
is_deeply [ map { calls_in($separate, $_) } captures_in($separate->{dir}) ], ['two 1'],
    'one after the other with a program: the later replaces the earlier';

# --- a Perl program that runs one in Lua ------------------------------------------------------------------------------

my $perl = "sub of_perl { system '$lua', 'one.lua' } of_perl();\n";
my $both = run($perl, files => \%programs, command => [ "$TOP/build/nytprof", qw(run --html -c), $^X, 'prog.pl' ]);
is $both->{exit}, 0, 'nytprof run --html --children with a Perl program that starts one in Lua';
my $index = text_of(slurp("$both->{dir}/nytprof/index.html"));
like $index, qr/of_perl/, 'one report has the subs of the one';
like $index, qr/\bone\b.*one\.lua/, 'and the functions of the other';
like $index, qr/function calls .* evals and chunks/, 'in words for both';

done_testing;

# "NAME COUNT ..." of the functions in a capture that stand in a file.
sub calls_in {
    my ($run, $capture) = @_;
    my $sub = facts($run, "$run->{dir}/$capture")->{sub};
    my @ours = grep { /^[a-z_]+$/ && !/^(?:require|p?call)$/ && $sub->{$_}{calls} } sort keys %$sub;
    return join ' ', map {"$_ $sub->{$_}{calls}"} @ours;
}
