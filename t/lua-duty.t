# SPDX-License-Identifier: MIT
# Option duty: lines are traced for some of the time; their times, which add up to those of functions, and their counts
# are estimates, and marked as such. Calls are exact. The program does what it does without. How estimates are made is
# tested with known figures in t/c/duty.c.
use strict;
use warnings;

use FindBin;
use List::Util qw(sum);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Lua qw(bare_lua host lua luas);
use PageData qw(page_data);
use Pages qw(pages text_of);
use Profiled qw($TOP);
use Run qw(capture_of facts);
use Tree qw(slurp);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my %DUTY = (options => { duty => 10 });

# Two loops, of which the second does nine times as much: more than chance can hide from some dozen looks. The same
# again by functions written in C; calls; a function that only a coroutine runs.
my $PROGRAM = <<'END';
local function loops(n)
  local s = 0
  for i = 1, n do s = s + i % 7 end

  for i = 1, 9 * n do s = s + i % 7 end
  return s
end
local function in_c(n)
  for i = 1, n do
    string.rep("x", 900000)
    string.rep("x", 100000)
  end
end
local function leaf(x) return x + 1 end
local function caller(n)
  local s = 0
  for i = 1, n do
    s = leaf(s)
  end
  return s
end
local body = coroutine.wrap(function()
  for i = 1, 1e9 do
    local x = i % 3
    if i % 100000 == 0 then coroutine.yield(i) end
  end
end)
for i = 1, 10 do
  loops(400000)
  in_c(20)
  caller(50000)
  for j = 1, 10 do body() end
end
print(caller(10))
END

# line => [seconds, count] of the CSV report
sub lines_of {
    my ($run) = @_;
    my (undef, $err, $exit) = nytprof('csv', '-o', "$run->{dir}/csv", capture_of($run));
    is $exit, 0, 'csv runs';
    my ($csv) = map { slurp($_) } glob "$run->{dir}/csv/*prog-lua*.csv";
    my ($line, @lines) = 0;
    for (grep { !/^#/ } split /\n/, $csv) {
        my ($seconds, $count) = /^([^,]+),([^,]+),/;
        $lines[ ++$line ] = [ $seconds, $count ];
    }
    return ($err, $csv, @lines);
}

# Seconds of all stacks of the folded report but the host's own: each is a path of functions and its nanoseconds.
sub seconds_of_functions {
    my ($run) = @_;
    my ($folded) = nytprof('folded', '-o', '-', capture_of($run));
    return 1e-9 * sum(map {/ (\d+)$/} grep { !/^\(host\) / } split /\n/, $folded);
}

for my $version (@$luas) {
    my $run   = lua($version, $PROGRAM, %DUTY);
    my $facts = facts($run);
    is "$run->{out}$run->{err}$run->{exit}", "10\n0", "lua $version: the program does what it does";
    is_deeply [ map { $_->{value} } grep { $_->{key} eq 'duty' } of('property', @{ $facts->{records} }) ], [10],
        'the capture says how it was made';
    is $facts->{sub}{leaf}{calls}, 10 * 50_000 + 10, 'calls are exact';
    is $facts->{sub}{'string.rep'}{calls}, 10 * 20 * 2, 'those of functions in C as well';
    my $seen = 0;
    $seen += $_ for values %{ $facts->{line} };
    cmp_ok $seen, '<', 10_000_000, 'of the lines only some are counted';
    cmp_ok $seen, '>', 10_000, 'but these are';

    my ($err, $csv, @lines) = lines_of($run);
    cmp_ok $lines[5][0], '>', $lines[3][0], 'of two loops in a function the longer one has more'
        or diag explain \@lines;
    cmp_ok $lines[10][0], '>', $lines[11][0], 'and so it is with lines that call functions in C'
        or diag explain \@lines;
    cmp_ok $lines[24][0] + $lines[25][0], '>', 0, 'a coroutine has some';
    like $csv, qr/^# Lines were traced for .* their counts and times are estimates\./m, 'the CSV report tells';
    like $err, qr/nytprof: Lines were traced/, 'and the log';
    my (undef, $said, $exit) = nytprof('html', '-o', "$run->{dir}/html", capture_of($run));
    my $pages = pages("$run->{dir}/html");
    my ($page) = map { text_of($pages->{$_}) } grep {/prog-lua.*\.html$/} sort keys %$pages;
    like $page, qr/Lines were traced for .* estimates/, 'a page of source says so';
    like $page, qr/ ~[\d,]+ lines run/, 'and marks counts';
    like text_of($pages->{'index.html'}), qr/~[\d,]+ lines run.*Lines were traced for/s, 'like the index';

    is page_data(slurp("$run->{dir}/html/data.js"))->{estimated}, 1, 'and its tables';

    # --- all lines together have the time of all functions ---
    # In raw time, since a time below zero is shown as none. Both reports tell microseconds.
    my $raw = lua($version, $PROGRAM, options => { duty => 10, overhead => 'raw' });
    my (undef, undef, undef, @raw) = lines_of($raw);
    my $functions_have = seconds_of_functions($raw);
    cmp_ok $functions_have, '>', 0, 'functions have time';
    cmp_ok abs(sum(map { $_->[0] } @raw) - $functions_have), '<', 1e-6 * @raw, 'lines have as much';

    # --- no one is disturbed ---
    my $waits = <<'END';
local out = io.popen("sleep 0.2; echo line"):read("l")
print(out, os.execute("sleep 0.2"), io.read("l"))
local t = os.clock()
while os.clock() - t < 0.1 do end
print(os.execute("exit 3"))
END
    my @with = (stdin => "input\n");
    is +(lua($version, $waits, %DUTY, @with))->{out}, bare_lua($version, $waits, @with)->{out}, 'nothing is broken off';
    for my $program (qw(adversary coroutines errors)) {
        my $text = slurp("$TOP/t/lua/$program.lua");
        my $ours = lua($version, $text, options => { duty => 10, selfcheck => 1 });
        is "$ours->{out}$ours->{exit}", bare_lua($version, $text)->{out} . '0', "$program.lua: does the same";
        like $ours->{err}, qr/\ANYTProf: selfcheck: \d+ events, 0 wrong\n\z/, 'and calls are what they are';
        ok eval { facts($ours); 1 }, 'the capture adds up' or diag $@;
    }
    my $hooks = <<'END';
local lines, counts = 0, 0
debug.sethook(function(event)
  if event == "line" then lines = lines + 1 else counts = counts + 1 end
end, "l", 1000)
for i = 1, 200000 do
  local x = i
end
debug.sethook()
print(lines, counts)
END
    is lua($version, $hooks, %DUTY)->{out}, bare_lua($version, $hooks)->{out}, 'hooks of the program are called';

    my $endless = "for i = 1, 5e7 do\nlocal x = i\nend\nos.execute('kill -KILL \$PPID') repeat until false";
    my $killed  = lua($version, $endless, %DUTY);
    is $killed->{signal}, 9, 'killed';
    my ($log, undef, @left) = lines_of($killed);
    like $log, qr/did not end cleanly/, 'what was written can be read';
    cmp_ok $left[1][0] + $left[2][0], '>', 0, 'with its lines';

    SKIP: {
        my $host = host($version, 'states') or skip "no library of lua $version to link a host with", 3;
        my $luas = bare_lua($version, undef, command => [ $host, 20, 3 ], %DUTY);
        is "$luas->{err}$luas->{exit}$luas->{signal}", '00', 'many Luas in threads of their own';
        my $of = facts($luas);
        is $of->{sub}{f}{calls}, 60 * 12, 'of which all calls count';
        is scalar(of('end', @{ $of->{records} })), 60, 'and none is cut short';
    }

    # --- where it does not apply ---
    my $short = "for i = 1, 100 do\nlocal x = i\nend\n";
    is facts(lua($version, $short, options => { duty => $_ }))->{line}{'prog.lua:2'}, 100, "duty=$_ traces all"
        for 0, 100;
    my $functions = facts(lua($version, $short, options => { duty => 10, stmts => 0 }));
    is scalar(keys %{ $functions->{line} }), 0, 'stmts=0: none';
    my $refused = lua($version, $short, options => { duty => 10, memory => 1 });
    is $refused->{err}, "NYTProf: option duty goes neither with memory=1 nor with format=5; all lines are traced\n",
        'memory=1 wants all lines';
    is facts($refused)->{line}{'prog.lua:2'}, 100, 'and gets them';
}
done_testing;
