# SPDX-License-Identifier: MIT
# What recording costs a build, per trivial recipe: a make with N of them (2000), bare and under `nytprof make` with
# each method, in turns; medians of the CPU time of all its processes over R rounds (5).
#
#     perl t/bench/build.pl [N [R]]
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;

my ($recipes, $rounds) = (shift // 2000, shift // 5);
my $nytprof = "$FindBin::Bin/../../build/nytprof";
my $dir     = tempdir(CLEANUP => 1);
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};

open my $out, '>', "$dir/Makefile" or die "$dir/Makefile: $!\n";
print {$out} 'all: ', join(' ', map {"r$_"} 1 .. $recipes), "\nr%: ; \@:; true\n";
close $out or die "$dir/Makefile: $!\n";

my @make = ('make', '-s', '-C', $dir);
my %way  = (
    bare    => \@make,
    preload => [ $nytprof, 'make', '-o', "$dir/b", @make ],
    shell   => [ $nytprof, 'make', '--method', 'shell', '-o', "$dir/b", @make ],
);
my (%cpu, %bytes);
for my $round (0 .. $rounds) { # the first fills caches
    for my $name (sort keys %way) {
        my $seconds = cpu_seconds(@{ $way{$name} });
        push @{ $cpu{$name} }, $seconds if $round;
        $bytes{$name} = -s "$dir/b" if $name ne 'bare';
    }
}
my $bare = median(@{ $cpu{bare} });
printf "%-8s %8.3f ms of CPU a recipe\n", 'bare', 1000 * $bare / $recipes;
for my $name (qw(preload shell)) {
    my $seconds = median(@{ $cpu{$name} });
    printf "%-8s %8.3f ms, %+.3f ms; %.0f bytes of capture a recipe\n", $name, 1000 * $seconds / $recipes,
        1000 * ($seconds - $bare) / $recipes, $bytes{$name} / $recipes;
}

sub cpu_seconds {
    my (@command) = @_;
    my @before = times;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        open STDERR, '>', '/dev/null' or die;
        exec { $command[0] } @command or die "$command[0]: $!\n";
    }
    waitpid $pid, 0;
    die "@command: $?\n" if $?;
    my @after = times;
    return $after[2] + $after[3] - $before[2] - $before[3];
}

sub median { my @sorted = sort { $a <=> $b } @_; return $sorted[ $#sorted / 2 ] }
