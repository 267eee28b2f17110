# SPDX-License-Identifier: MIT
# The cost of starting, and of profiling short programs: perl t/bench/start.pl [--rounds N] [--top DIR] [--no-peer]
# [PROGRAM...]
#
# Each program runs bare, under the peer and under this profiler, in turns. Figures are medians: user and system CPU
# time, its factor over the bare run's (for `start`, which is -e 1, the difference in milliseconds), peak memory, and
# bytes of the profile. --top measures the build in another directory.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(sum0);

use lib "$FindBin::Bin/../lib";
use Goals qw(goal);
use Profiled qw(command has_peer median use_tree used $TOP);
use Tree qw(which);

# Goals: the most CPU time over the bare run's (for `start` the most milliseconds more), and no more memory than with
# the peer.
my %MOST = (start => 3, moose => 1.4, ack => 1.3, mojo => 1.25, perltidy => 1.15);
my @SMALLER = qw(moose perlcritic);

my ($rounds, $with_peer) = (7, 1);
GetOptions('rounds=i' => \$rounds, 'top=s' => \my $top, 'peer!' => \$with_peer)
    or die "usage: perl t/bench/start.pl [--rounds N] [--top DIR] [--no-peer] [PROGRAM...]\n";
use_tree(abs_path($top)) if $top;

my $dir = tempdir(CLEANUP => 1);
my @who = ('bare', 'ours', $with_peer && has_peer() ? 'peer' : ());
my %program = programs();
my @chosen = @ARGV ? @ARGV : sort keys %program;
die "no program '$_'; there are: @{[ sort keys %program ]}\n" for grep { !$program{$_} } @chosen;

printf "%-12s %-5s %9s %7s %9s %9s\n", qw(program run CPU-ms over max-RSS-kB bytes);
measure($_, @{ $program{$_} }) for @chosen;

# name => [input, arguments of perl], of the programs that are installed.
sub programs {
    my ($json, $library) = ("$dir/some.json", "$FindBin::Bin/../lib");
    open my $out, '>', $json or die "$json: $!\n";
    print {$out} '[', join(',', map {qq({"id":$_,"name":"n$_","list":[1,2.5,null,true]})} 1 .. 40), "]\n";
    close $out or die "$json: $!\n";
    my ($copy, $bigint) = map { in_inc($_) } qw(File/Copy.pm Math/BigInt.pm);
    my %found = (
        start      => [ '', '-e', 1 ],
        ack        => [ '', which('ack'), '--noenv', 'package', $library ],
        pod2man    => [ '', which('pod2man'), $bigint ],
        exiftool   => [ '', which('exiftool'), "$TOP/html/report.png" ],
        cloc       => [ '', which('cloc'), '--quiet', $library ],
        json_pp    => [ $json, which('json_pp') ],
        perltidy   => [ '', which('perltidy'), '-npro', '-o', "$dir/tidied", $copy ],
        perlcritic => [ '', which('perlcritic'), '--profile', '', '-1', $copy ],
        moose      => [ '', in_inc('Moose.pm') && "$FindBin::Bin/moose.pl" ],
        mojo       => [ '', in_inc('Mojolicious.pm') && "$FindBin::Bin/mojo.pl" ],
    );
    delete @found{ grep { !$found{$_}[1] } keys %found };
    return %found;
}

sub in_inc { my ($file) = @_; my ($path) = grep { -e } map {"$_/$file"} @INC; return $path }

sub measure {
    my ($name, $input, @program) = @_;
    my %runs;
    for (1 .. $rounds) {
        push @{ $runs{$_} }, run($_, $input, @program) for @who;
    }
    my $bare = median(map { $_->{cpu} } @{ $runs{bare} });
    my (%over, %rss);
    for my $who (@who) {
        my ($cpu, $rss, $bytes) = map { my $what = $_; median(map { $_->{$what} } @{ $runs{$who} }) } qw(cpu rss bytes);
        $over{$who} = $name eq 'start' ? $cpu - $bare : $cpu / $bare;
        $rss{$who}  = $rss;
        printf "%-12s %-5s %9.1f %7.2f %9d %9d\n", $name, $who, $cpu, $over{$who}, $rss, $bytes;
    }
    my ($what, $unit) = $name eq 'start' ? ('CPU time more', 'ms') : ('CPU time over bare', '');
    goal("$name, $what", $over{ours}, $MOST{$name}, $unit) if $MOST{$name};
    goal("$name, memory", $rss{ours}, $rss{peer}, 'kB') if $rss{peer} && grep { $name eq $_ } @SMALLER;
    return;
}

# An exit code does not tell whether a program failed (perlcritic's tells of violations), but the size of its data does.
sub run {
    my ($who, $input, @program) = @_;
    unlink glob "$dir/$who.out*";
    my ($cpu, $rss) = used($input, command($who, { file => "$dir/$who.out" }, @program));
    my $bytes = sum0(map { -s } glob "$dir/$who.out*");
    die "$who has not profiled @program\n" if $who ne 'bare' && !$bytes;
    return { cpu => $cpu, rss => $rss, bytes => $bytes };
}
