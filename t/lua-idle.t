# SPDX-License-Identifier: MIT
# A Lua program that is idle when it is killed keeps what it counted, and option sigexit completes the profile of one
# that a signal ends. It dies of the same signal as without.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Lua qw(bare_lua host lua luas);
use Run qw(capture_of captures_in facts run);

my ($luas, $why_not) = luas();
plan skip_all => $why_not if !@$luas;

my $WORK = <<'END';
local function step(n) return n + 1 end
local n = 0
for i = 1, 20000 do
  n = step(n)
end
END

# Ends itself once it waits: $PPID of the shell is this Lua.
sub waiting_then { my ($signal) = @_; return "$WORK os.execute('sleep 0.5; kill -$signal \$PPID; sleep 100')\n" }

sub how_it_ended {
    my ($run) = @_;
    my ($end) = grep { $_->{kind} eq 'end' || $_->{kind} eq 'process_end' } @{ facts($run)->{records} };
    return $end ? 'whole' : 'cut';
}

for my $version (@$luas) {
    for my $signal (qw(KILL TERM)) {
        my $run = lua($version, waiting_then($signal));
        isnt $run->{signal}, 0, "Lua $version, SIG$signal while it waits";
        my $facts = facts($run);
        is $facts->{sub}{step}{calls}, 20000, 'every call is there';
        is $facts->{line}{'prog.lua:4'}, 20000, 'every line as well';
    }

    # Three requests, a wait before each: all are there, though little time passes between them.
    my $server = "for i = 1, 3 do io.popen('true'):read('a') step(i) end os.execute('kill -KILL \$PPID; sleep 9')";
    for my $calls (1, 2) {
        my $facts = facts(lua($version, "$WORK$server", options => { calls => $calls }));
        is $facts->{sub}{step}{calls}, 20003, "what a server did before it waits is there (calls=$calls)";
    }

    my $loop = "$WORK local pid, killer = io.open('/proc/self/stat'):read('n')"
        . " while true do n = n + 1 if n == 30000 then killer = io.popen('kill -SIGNAL ' .. pid) end end";
    for my $signal (qw(TERM HUP INT)) {
        my $text = $loop =~ s/SIGNAL/$signal/r;
        my $bare = bare_lua($version, $text);
        my $run  = lua($version, $text, options => { sigexit => 1 });
        is "$run->{signal} $run->{exit}", "$bare->{signal} $bare->{exit}", "sigexit=1, $signal in a loop: as without";
        is how_it_ended($run), 'whole', 'the profile is complete';
        cmp_ok facts($run)->{line}{'prog.lua:6'}, '>=', 10000, 'up to there';
        like +(nytprof('info', capture_of($run)))[0], qr/^whole        yes$/m, 'info says so';
    }
    is how_it_ended(lua($version, $loop =~ s/SIGNAL/TERM/r)), 'cut', 'without the option it is cut';
    is how_it_ended(lua($version, $loop =~ s/SIGNAL/TERM/r, options => { sigexit => 'int,sigterm' })), 'whole',
        'signals by name';

    my $host = host($version, 'signalled', '-l:nytprof.so');
    my %of = (slow => 'a signal, and a slow disk', again => 'a signal, and the same one while the profile is written');
    for my $how (sort keys %of) {
        my $written = run(undef, command => [ $host, $how ], options => { sigexit => 1 });
        is $written->{signal}, 15, $of{$how};
        is how_it_ended($written), 'whole', 'the profile is complete';
    }
    my $forks = run(undef, command => [ $host, 'fork' ], options => { sigexit => 1 });
    is "$forks->{out}$forks->{signal}", "0\n15", 'a fork between the signal and the next event: only the parent ends';
    my @ended = grep { (nytprof('info', "$forks->{dir}/$_"))[0] =~ /^whole +yes$/m } captures_in($forks->{dir});
    is scalar @ended, 2, 'both profiles are complete';

    my $named = lua($version, 'print "runs"', options => { sigexit => 'SEGV,int' });
    is "$named->{out}$named->{exit}", "runs\n0", 'a signal that tells of a broken program does not go by it';
    like $named->{err}, qr/\ANYTProf: option sigexit: [^\n]*SEGV\n\z/, 'which is said';

    my $blocked = lua($version, waiting_then('TERM'), options => { sigexit => 1 });
    is $blocked->{signal}, 15, 'C code that waits on: the signal ends the program all the same';
    is facts($blocked)->{line}{'prog.lua:4'}, 20000, 'and what it counted is there';

    my $ignored = lua($version, "$WORK os.execute('kill -TERM \$PPID') print 'alive'", options => { sigexit => 1 },
        before => [ 'env', '--ignore-signal=TERM' ]);
    is $ignored->{out}, "alive\n", 'a signal that is ignored stays so';
}
done_testing;
