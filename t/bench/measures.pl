# SPDX-License-Identifier: MIT
# What each measure costs: perl t/bench/measures.pl [--rounds N]
#
# perlcritic and luacheck bare, counted, and with the options latency, waiting and memory, perlcritic also with bytes
# (nytprof run --memory) and sampled: CPU seconds in turns, the factor of the best over the best bare run's and over the
# counted one's, and bytes of the profile.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(min);

use lib "$FindBin::Bin/../lib";
use Profiled qw(command cpu_seconds $TOP);
use Tree qw(spew which);

# The directory of luacheck's modules, which run in any Lua.
my $LIBRARY = '/usr/share/lua/5.1';

my $rounds = 5;
GetOptions('rounds=i' => \$rounds) or die "usage: perl t/bench/measures.pl [--rounds N]\n";
my $dir = tempdir(CLEANUP => 1, -d '/dev/shm' ? (DIR => '/dev/shm') : ());
my $critic = which('perlcritic');
my ($policies) = grep { -e } map {"$_/Perl/Critic/Policy/ValuesAndExpressions"} @INC;

printf "%-10s %-8s %8s %8s %8s %10s\n", qw(program measure seconds of-bare of-count bytes);
measure(perlcritic => \&perl_command, qw(bare count latency waiting memory bytes sampled)) if $critic && $policies;
measure(luacheck => \&lua_command, qw(bare count latency waiting memory sampled)) if -e "$LIBRARY/luacheck/main.lua";

sub measure {
    my ($program, $command, @measures) = @_;
    my %best;
    for (1 .. $rounds) {
        for my $measure (@measures) {
            unlink glob "$dir/$measure*";
            my $seconds = cpu_seconds($command->($measure));
            die "$program was not profiled\n" if $measure ne 'bare' && !-s "$dir/$measure";
            $best{$measure} = min($seconds, $best{$measure} // $seconds);
        }
    }
    for my $measure (@measures) {
        my @factors = map { sprintf '%.2f', $best{$measure} / $best{$_} } qw(bare count);
        printf "%-10s %-8s %8.3f %8s %8s %10s\n", $program, $measure, $best{$measure}, @factors,
            -s "$dir/$measure" || '-';
    }
    return;
}

sub options {
    my ($measure) = @_;
    return (file => "$dir/$measure", $measure =~ /^(?:latency|waiting|memory)$/ ? ($measure => 1) : ());
}

sub perl_command {
    my ($measure) = @_;
    my @program = ($critic, '--profile', '', '-1', sort glob "$policies/*.pm");
    my @run     = ("$TOP/blib/script/nytprof", 'run', '-o', "$dir/$measure");
    return (@run, '--memory', '--', $^X, @program) if $measure eq 'bytes';
    return (@run, '--sample=100', '--', $^X, @program) if $measure eq 'sampled';
    return command($measure eq 'bare' ? 'bare' : 'ours', { options($measure) }, @program);
}

sub lua_command {
    my ($measure) = @_;
    my %options = $measure eq 'sampled' ? (file => "$dir/sampled", sample => 100) : options($measure);
    my $nytprof = join ':', map {"$_=$options{$_}"} sort keys %options;
    my @paths = ("LUA_CPATH=$TOP/build/lua5.4/?.so;;", "LUA_PATH=$LIBRARY/?.lua;$LIBRARY/?/init.lua;;");
    spew("$dir/run.lua", 'arg[0] = "luacheck" require "luacheck.main"');
    return ('env', "NYTPROF=$nytprof", @paths, 'lua5.4', $measure eq 'bare' ? () : '-lnytprof', "$dir/run.lua",
        qw(--no-color --no-cache --std max), "$LIBRARY/luacheck");
}
