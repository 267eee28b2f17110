# SPDX-License-Identifier: MIT
# Option ring: the profile of a sampled program has the last part of its run, whole after kill -9, while the program
# runs, of each thread and of each child; so has that of a program that is counted, and of one in Lua.
use strict;
use warnings;

use Config;
use FindBin;
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(imbalances records);
use Lua qw(lua luas);
use Profiled qw($TOP);
use Run qw(captures_in facts run);
use Sampled qw(folded sampled);
use Tree qw(slurp);

my $BURN = <<'END';
use Time::HiRes qw(time sleep);
sub burn { my $until = time + shift; while (time < $until) { 1 for 1 .. 1_000 } }
END
my %RING = (options => { ring => 1, compress => 0 });

sub seconds_of { my ($path, $run, $file) = @_; my %all = folded($run, $file); return ($all{$path} // 0) / 1e9 }

# Halves begin a second after each other, and with the window behind that.
my $killed = sampled(<<"END", %RING);
${BURN}sub early { burn(1.5) } sub middle { burn(3.2) } sub late { burn(0.9) }
early(); middle(); late(); kill KILL => \$\$; sleep 1;
END
is seconds_of('main::early;main::burn', $killed), 0, 'what ran first is not kept';
my ($middle, $late) = map { seconds_of("main::$_;main::burn", $killed) } qw(middle late);
cmp_ok $late, '>', 0.5, 'what ran last is there after kill -9, but for a window';
cmp_ok $late + $middle, '>', 0.8, 'with what was before: a second ...';
cmp_ok $late + $middle, '<', 2.6, '... to two';
is_deeply [ imbalances(records("$killed->{dir}/nytprof.out")) ], [], 'every window adds up';
my ($info, $err) = nytprof('info', "$killed->{dir}/nytprof.out");
like $info, qr/^ring +the latest 1 s or more are kept$/m, 'nytprof info says what is kept';
unlike "$info$err", qr/damage|missing/, 'nothing of the file is damaged';
my ($json) = nytprof('json', '-o', '-', "$killed->{dir}/nytprof.out");
my ($kept, $before) = $json =~ /has the last (\d+) s, and not the (\d+) s before/;
ok $kept && $kept <= 3 && $before >= 2, 'reports say how much there is' or diag $json =~ /(.{0,99}ring.{0,99})/;

# The same after the end, and the size of a longer run, without the source of modules that samples found by chance.
my @size;
for my $rounds (5, 14) {
    my $run = sampled("${BURN}sub round { burn(0.5) } round() for 1 .. $rounds;\n",
        options => { %{ $RING{options} }, savesrc => 0 });
    push @size, -s "$run->{dir}/nytprof.out";
    my $seconds = seconds_of('main::round;main::burn', $run);
    ok $seconds > 0.8 && $seconds < 2.6, "the last part of $rounds rounds: $seconds s";
    ($info) = nytprof('info', "$run->{dir}/nytprof.out");
    unlike $info, qr/did not end cleanly/, 'with its end';
}
cmp_ok $size[1], '<', $size[0] + 10_000, "the file does not grow with the time: @size bytes";

# --- while it runs ----------------------------------------------------------------------------------------------------

my $running = sampled(<<"END", %RING);
${BURN}my \$pid = fork // die;
if (!\$pid) { for (1 .. 60) { sleep 0.05;
    system qq{$TOP/build/nytprof folded nytprof.out >folded.\$_ 2>>errors; cp nytprof.out copy.\$_}; } exit 0 }
sub round { burn(0.1) } for (1 .. 120) { round(); last if waitpid(\$pid, 1) } waitpid \$pid, 0;
END
my (@wrong, @seconds);
for my $n (grep { -s "$running->{dir}/copy.$_" } 1 .. 60) {
    push @wrong, $n if imbalances(records("$running->{dir}/copy.$n"));
    push @seconds, seconds_of('main::round;main::burn', $running, "copy.$n");
}
cmp_ok scalar @seconds, '>', 5, 'it was read while it ran';
is_deeply \@wrong, [], 'and was consistent each time';
unlike slurp("$running->{dir}/errors"), qr/damage|missing|add up/, 'with no complaint';
is scalar(grep { $_ > 3.2 } @seconds), 0, 'with no more than two halves';

# --- threads and children ---------------------------------------------------------------------------------------------

my $forks = sampled(<<"END", %RING);
${BURN}sub early { burn(1.2) } sub late { burn(2.6) } sub run { early(); late() }
my \$pid = fork // die; if (!\$pid) { run(); exit 0 } waitpid \$pid, 0;
END
my ($child) = grep {/[.]\d+$/} captures_in($forks->{dir});
is seconds_of('main::run;main::early;main::burn', $forks, $child), 0, 'a child has a ring of its own';
cmp_ok seconds_of('main::run;main::late;main::burn', $forks, $child), '>', 0.8, 'with what ran last';

SKIP: {
    skip 'a perl without threads', 10 if !$Config{useithreads};
    my $threads = sampled(<<"END", %RING);
use threads;
${BURN}sub early { sleep 1.3 } sub late { sleep 2.6 } threads->create(sub { early(); late() })->join;
END
    my %all  = folded($threads);
    my @late = grep {/main::late;/} keys %all;
    is_deeply [ grep {/main::early/} keys %all ], [], 'so has a thread';
    cmp_ok $all{ $late[0] // '' } // 0, '>', 0.8e9, 'in the same file';
    short_threads($_) for qw(sampled counted);

    # As a daemon that root has begun.
    my $other = sampled(<<"END", options => { ring => 5 });
use threads;
${BURN}sub late { burn(0.5) } $> ? chmod 0400, 'nytprof.out' : (\$> = 65534); threads->create('late')->join; \$> = \$<;
END
    is $other->{err}, '', 'a thread begins when the process may no longer open the file';
    cmp_ok seconds_of('main::late;main::burn', $other), '>', 0.2, 'and has a ring';
}

# --- counted programs -------------------------------------------------------------------------------------------------

my $counted = run(<<"END", %RING);
${BURN}sub early { burn(1.5) } sub late { burn(0.1) } early(); late() for 1 .. 40;
END
my %calls = map { $_ => facts($counted)->{sub}{"main::$_"}{calls} // 0 } qw(early late);
is $calls{early}, 0, 'calls are counted of the last part';
ok $calls{late} >= 8 && $calls{late} <= 25, "which is $calls{late} of 40";

SKIP: {
    my ($luas, $why_not) = luas();
    skip $why_not, 2 if !@$luas;
    my $run = lua($luas->[0], <<'LUA', options => { sample => 100, ring => 1 });
local function burn(s)
  local x, till = 0, os.clock() + s
  while os.clock() < till do for i = 1, 1e4 do x = x + i end end
end
local function early() burn(1.5) end
local function late() burn(3) end
early() late()
LUA
    my %all = folded($run);
    is_deeply [ grep {/early/} keys %all ], [], 'Lua: what ran first is not kept';
    ok scalar(grep {/late/} keys %all), 'what ran last is';
}

# The ring that an ended thread leaves is that of a later one, so a server has as many as it has threads at a time.
sub short_threads {
    my ($how) = @_;
    my $program = "use threads;\n${BURN}sub work { burn(0.01) } threads->create('work')->join for 1 .. 60;\n";
    my %with    = (options => { ring => 5, savesrc => 0 });
    my $run     = $how eq 'sampled' ? sampled($program, %with) : run($program, %with);
    my $size    = -s "$run->{dir}/nytprof.out";
    cmp_ok $size, '<', 100_000, "60 short threads that are $how, one after the other: $size bytes";
    my $seconds = seconds_of('main::work;main::burn', $run);
    ok $seconds > 0.3 && $seconds < 3, 'with the time of all' or diag $seconds;
    is_deeply [ imbalances(records("$run->{dir}/nytprof.out")) ], [], 'in windows that add up';
    return;
}

# --- what is refused --------------------------------------------------------------------------------------------------

my @REFUSED = (
    [ ring    => '5x', 'ring cannot be' ],
    [ ring    => '-1', 'ring cannot be' ],
    [ maxsize => '1M', 'ring needs' ],
);
for my $case (@REFUSED) {
    my ($name, $value, $message) = @$case;
    my $run = sampled("print 1;\n", options => { ring => '1h', $name => $value });
    like $run->{err}, qr/option $message[^\n]*\n/, "$name=$value: says so";
    isnt $run->{exit}, 0, '... and the program does not begin';
}

done_testing;
