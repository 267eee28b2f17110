# SPDX-License-Identifier: MIT
# The cost of recording a build: perl t/bench/make.pl [--rounds N] [--recipes N]
#
# Makefiles of trivial recipes, and of this project's C files, are made bare and by each method, in turns. Figures are
# medians of user and system CPU time of all processes, for trivial recipes the milliseconds more for each of them.
# `off` is the program in place of sh outside of `nytprof make`, where it is just one more exec.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;

use lib "$FindBin::Bin/../lib";
use Build qw($NYTPROF $WRAPPER clean);
use Goals qw(goal);
use Profiled qw(median used $TOP);
use Tree qw(spew);

# Goals: the most ms of CPU time more for a trivial recipe, and the most CPU time over the bare run's for real ones.
my %MOST = (preload => 0.05, shell => 0.9);
my $MOST_REAL = 1.01;

my ($rounds, $recipes) = (9, 2000);
GetOptions('rounds=i' => \$rounds, 'recipes=i' => \$recipes)
    or die "usage: perl t/bench/make.pl [--rounds N] [--recipes N]\n";
clean();

my $dir = tempdir(CLEANUP => 1);
spew("$dir/trivial.mk", 'all: ' . join(' ', map {"r$_"} 1 .. $recipes) . "\nr%: ; \@:; true\n");
my @sources = glob "$TOP/xs/{base,capture}/*.c";
my $compile = 'cc -std=c11 -D_DEFAULT_SOURCE -D_POSIX_C_SOURCE=200809L -O2 -I' . "$TOP/xs -c -o /dev/null";
spew("$dir/real.mk", 'all: ' . join(' ', map {"r$_"} 0 .. $#sources) . "\n"
    . join '', map {"r$_: ; \@true; $compile $sources[$_]\n"} 0 .. $#sources);

my @record = ($NYTPROF, 'make', '-o', "$dir/x.build");
my %command = (
    bare    => sub { ('make', '-rs', '-f', @_) },
    preload => sub { (@record, 'make', '-rs', '-f', @_) },
    shell   => sub { (@record, '--method', 'shell', 'make', '-rs', '-f', @_) },
    off     => sub { ('make', '-rs', "SHELL=$WRAPPER", '-f', @_) },
);

# The median CPU time in ms by each of these.
sub measure {
    my ($makefile, @who) = @_;
    my %runs;
    for (1 .. $rounds) {
        push @{ $runs{$_} }, (used('', $command{$_}->($makefile)))[0] for @who;
    }
    return map { ($_ => median(@{ $runs{$_} })) } @who;
}

my %trivial = measure("$dir/trivial.mk", qw(bare preload shell off));
my %real    = measure("$dir/real.mk",    qw(bare preload shell));

printf "%-8s %18s %12s\n", 'by', 'ms a recipe, trivial', 'ms in all, C';
printf "%-8s %18.3f %12s\n", $_, $trivial{$_} / $recipes, $real{$_} ? sprintf '%.0f', $real{$_} : ''
    for qw(bare preload shell off);
goal("CPU time more for a trivial recipe, $_", ($trivial{$_} - $trivial{bare}) / $recipes, $MOST{$_}, 'ms')
    for qw(preload shell off);
goal("CPU time over bare for C files, $_", $real{$_} / $real{bare}, $MOST_REAL, '') for qw(preload shell);
