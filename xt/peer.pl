# SPDX-License-Identifier: MIT
# Do this profiler and its peer count the same?
#
#     perl xt/peer.pl                                             the programs listed below, with optimize 0 and 1
#     perl xt/peer.pl [--optimize 0|1] PROGRAM [ARGUMENT...]      one program
#
# Runs each program under the peer (the Devel::NYTProf that the system's perl finds) and under this profiler with the
# same options and compares statements per line and calls per (caller, line, callee). Every row that differs is put
# into a class of t/lib/Differences.pm; a row in no class is an error of one of the two, and the exit code is 1. The
# program runs twice, so its first run must not change the second one.
use strict;
use warnings;

use FindBin;
use Getopt::Long qw(:config require_order);
use List::Util qw(max);

use lib "$FindBin::Bin/../t/lib";
use Differences qw(class_of classes differences facts_of);
use Profiled qw(has_peer $TOP);
use Tree qw(installed);

GetOptions('optimize=i' => \my $optimize)
    or die "usage: perl xt/peer.pl [[--optimize 0|1] PROGRAM [ARGUMENT...]]\n";
has_peer() or die "no other Devel::NYTProf is installed: nothing to compare with\n";

my %program = @ARGV ? ("@ARGV" => \@ARGV) : programs();
my (%total, @unknown);
my $NO_OPTIMIZER = 4;    # of $^P, which the option perldb sets
local $| = 1;
for my $name (sort keys %program) {
    for my $level ($optimize // (0, 1)) {
        printf "%-*s optimize=%d ", max(map {length} keys %program), $name, $level;
        my $count = compare($level, @{ $program{$name} });
        $total{$_} += $count->{$_} for keys %$count;
        print summary($count), "\n";
    }
}
print "\n", map { sprintf "%8d  %s: %s\n", $total{ $_->[0] } // 0, $_->[0], $_->[2] } classes();
printf "%8d  in no class, of %d lines and %d calls\n", scalar @unknown, @total{qw(lines calls)};
printf "          %s %s:%s %s > %s ours %d, peer %d\n", @{$_}{qw(kind file line caller sub ours peer)} for @unknown;
exit(@unknown ? 1 : 0);

# { lines => rows, calls => rows, CLASS => members }
sub compare {
    my ($level, @command) = @_;
    my %perldb = ref $command[0] ? %{ shift @command } : ();
    $perldb{perldb} |= $NO_OPTIMIZER if %perldb && !$level;
    my ($ours, $peer) = map { facts_of($_, { optimize => $level, %perldb }, @command) } qw(ours peer);
    my %count = (lines => rows('line', $ours, $peer), calls => rows('edge', $ours, $peer));
    for my $row (differences($ours, $peer)) {
        my $class = class_of($row) // 'unknown';
        $count{$class}++;
        push @unknown, $row if $class eq 'unknown';
    }
    return \%count;
}

sub rows {
    my ($kind, @facts) = @_;
    my %row = map { %{ $_->{$kind} } } @facts;
    return scalar keys %row;
}

sub summary {
    my ($count) = @_;
    my @differ = map {", $_ $count->{$_}"} grep { $count->{$_} && !/^(?:lines|calls)$/ } sort keys %$count;
    return sprintf '%6d lines, %6d calls%s', @{$count}{qw(lines calls)}, join '', @differ;
}

# Real programs on files that come with them. Eval::Closure, which Moose uses, makes other code under a debugger, which
# it finds by $^P: so both runs have the same $^P. A program that is not installed fails.
sub programs {
    my $ppi   = module('PPI') =~ s/\.pm$//r;
    my @files = map { (glob "/usr/share/{,*/,*/*/,*/*/*/}*.$_")[ 0, 1 ] } qw(png gif pdf ttf gz html);
    return (
        'perltidy on a module'      => [ installed('perltidy'),   qw(-npro -st), module('PPI::Lexer') ],
        'perlcritic on a directory' => [ installed('perlcritic'), qw(--noprofile --brutal), "$ppi/Token/Quote" ],
        'pod2text'                  => [ installed('pod2text'),   module('Pod::Man') ],
        'exiftool on files'         => [ installed('exiftool'),   qw(-a -u), $^X, grep {defined} @files ],
        'ack on a directory'        => [ installed('ack'),        qw(--noenv -w return), $ppi ],
        'xsubpp'                    => [ installed('xsubpp'),     qw(-noprototypes), "$TOP/xs/perl/NYTProf.xs" ],
        'a program for -n'          => [ '-ne', "\$words += () = /\\w+/g;\n\$lines++;", "$TOP/t/bench/oo.pl" ],
        'a program with Moose'      => [ { perldb => 0xF10 }, "$TOP/xt/programs/moose.pl" ],
    );
}

sub module {
    my ($name) = @_;
    my ($path) = grep { -e } map { "$_/" . $name =~ s{::}{/}gr . '.pm' } @INC;
    return $path // die "$name is not installed\n";
}
