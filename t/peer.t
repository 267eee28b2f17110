# SPDX-License-Identifier: MIT
# Statements and calls by caller of small programs, and where this profiler counts otherwise than its peer, the
# Devel::NYTProf that the system's perl finds: each class of t/lib/Differences.pm by a program that shows it alone. That
# ours counts what the program says is shown everywhere; that the peer differs in just this, where there is a peer. Real
# programs are compared by xt/peer.pl.
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Differences qw(class_of classes differences facts_of);
use Profiled qw(has_peer);
use Run qw(cases);
use Tree qw(spew);

my $peer = has_peer();
diag 'NO PEER: there is no other Devel::NYTProf here, so nothing is compared with it' if !$peer;

my $top = getcwd;
my $dir = tempdir(CLEANUP => 1);
chdir $dir or die "$dir: $!\n";
for my $case (cases('callers')) {
    my ($title, $text) = @$case;
    subtest $title => sub { check($text) };
}
for my $case (cases('peer')) {
    my ($class, $text) = @$case;
    subtest "a difference: $class" => sub { check($text, $class) };
}
is_deeply [ sort map { $_->[0] } cases('peer') ], [ sort map { $_->[0] } classes() ], 'each class has a program';

my %call = (kind => 'edge', file => 'f', line => 3, caller => 'main::a', sub => 'main::b', same_at_line => 1);
is class_of({ %call, ours => 2, peer => 1 }), undef, 'planted: a call counted twice is in no class';
is class_of({ %call, ours => 1, peer => 0, same_in_file => 1 }), undef, 'planted: nor is one on a wrong line';
is class_of({ kind => 'line', file => 'f', line => 3, caller => '', sub => '', ours => 2, peer => 1 }), undef,
    'planted: nor is a statement';
chdir $top;
done_testing;

# $class is the one in which the two differ; without it they agree.
sub check {
    my ($text, $class) = @_;
    my @switches = $text =~ /\A# perl (.*)/ ? split ' ', $1 : ();
    spew('prog.pl', $text);
    for my $optimize (0, 1) {
        my $ours = facts_of('ours', { optimize => $optimize }, @switches, 'prog.pl');
        is counted($ours, $text), expected($text), "optimize=$optimize: ours counts as the program says";
        next if !$peer;
        my @rows = differences($ours, facts_of('peer', { optimize => $optimize }, @switches, 'prog.pl'));
        my %found = map { (class_of($_) // "$_->{line} $_->{caller} > $_->{sub}" => 1) } @rows;
        is_deeply [ sort keys %found ], [ $class // () ], 'where the peer differs';
    }
    return;
}

# "LINE CALLER > SUB: N" and "LINE: N" for what the text says of its lines ...
sub expected {
    my ($text) = @_;
    my @rows;
    my $number = 0;
    for my $line (split /\n/, $text) {
        $number++;
        push @rows, "$number: $1" if $line =~ /#= (\d+)/;
        my ($nowhere, $says) = $line =~ /#>(0?) (.*)/ or next;
        my $from = $nowhere eq '' ? $number : 0;
        push @rows, "$from $1: $2" while $says =~ /(\S+ > \S+) (\d+)/g;
    }
    return join "\n", sort @rows;
}

# ... and for what was counted on the lines that it says something of.
sub counted {
    my ($facts, $text) = @_;
    my %asked = map {/^(\d+)(:| )/ ? ("$1$2" => 1) : ()} split /\n/, expected($text);
    my @rows;
    for my $kind (qw(line edge)) {
        for my $key (keys %{ $facts->{$kind} }) {
            my ($line, $rest) = map { $_ // '' } $key =~ /\bprog\.pl:(\d+)( .*)?$/ or next;
            push @rows, "$line$rest: $facts->{$kind}{$key}" if $asked{ $line . ($kind eq 'line' ? ':' : ' ') };
        }
    }
    return join "\n", sort @rows;
}
