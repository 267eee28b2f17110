# SPDX-License-Identifier: MIT
package Both;

# The results of a program under this profiler and under its peer, as text that can be compared and written into a test.

use strict;
use warnings;

use Cwd qw(getcwd);
use Exporter 'import';
use File::Temp qw(tempdir);
use Test::More;

use Facts qw(from_capture from_peer);
use Profiled qw(command has_peer);
use Tree qw(slurp spew);

our @EXPORT_OK = qw(both_leave left_by since_5_24);

my $PEER = has_peer();
diag 'NO PEER: nothing is compared with the system\'s Devel::NYTProf' if !$PEER;

# Runs TEXT as prog.pl in a new directory. Returns for every profile there (*.out*, with PID for pids) a line with its
# name, a line with "LINE:COUNT ..." of prog.pl and a line for each call from it, "  LINE CALLER > SUB COUNT"; and a
# last line with the program's output.
sub left_by {
    my ($who, $text, %options) = @_;
    my $dir   = tempdir(CLEANUP => 1);
    my $start = getcwd();
    chdir $dir or die "$dir: $!\n";
    spew('prog.pl', $text);
    my $exit = system 'sh', '-c', '"$@" >.said 2>&1', 'sh', command($who, \%options, 'prog.pl');
    my @left = map { profile($who, $_) } sort grep {-s} glob '*.out*';
    push @left, join ' ', 'said:', grep {$_} slurp('.said') =~ s/\n+\z//r, $exit ? "(exit @{[$exit >> 8]})" : '';
    chdir $start or die "$start: $!\n";
    return join '', map {"$_\n"} @left;
}

sub profile {
    my ($who, $file) = @_;
    my $facts = $who eq 'peer' ? from_peer($file) : from_capture($file);
    my %line = map { m{\bprog\.pl:(\d+)\z} ? ($1 => $facts->{line}{$_}) : () } keys %{ $facts->{line} };
    my %call = map { m{\bprog\.pl:(\d+ .*)}s ? ($1 => $facts->{edge}{$_}) : () } keys %{ $facts->{edge} };
    return ($file =~ s/\.\d{2,}\b/.PID/gr, join(' ', map {"$_:$line{$_}"} sort { $a <=> $b } keys %line),
        map {"  $_ $call{$_}"} sort keys %call);
}

# What is expected, but with a call (CALLER > SUB) that moves from a line to another before perl 5.24: there the current
# statement when perl itself calls depends on how the program ended.
sub since_5_24 {
    my ($expected, $call, $line, $line_before) = @_;
    return $expected if $] >= 5.024;
    $expected =~ s/^  $line (?=\Q$call\E )/  $line_before /m or die "no call $call at line $line\n";
    return $expected =~ s/((?:^  .*\n)+)/join '', sort split m{(?<=\n)}, $1/mer;
}

# both_leave(NAME, EXPECTED, TEXT, OPTIONS) tests that this profiler and the peer have the EXPECTED results.
sub both_leave {
    my ($name, $expected, $text, %options) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    is left_by('ours', $text, %options), $expected, $name;
    is left_by('peer', $text, %options), $expected, 'and so has the peer' if $PEER;
    return;
}

1;
