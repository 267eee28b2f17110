# SPDX-License-Identifier: MIT
# valgrind's callgrind_annotate and kcachegrind read `nytprof callgrind`: without a warning, and with the total of all
# other exports.
use strict;
use warnings;

use FindBin;
use List::Util qw(sum);
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../t/lib";
use Exports qw(capture captures export nanoseconds scratch wants);
use Pages qw(run);
use Tree qw(slurp spew);

wants(qw(callgrind_annotate dbus-run-session dbus-send kcachegrind));
for my $name (grep { $_ ne 'zero' } captures()) {
    my $nanoseconds = nanoseconds(capture($name));
    my $file        = export('callgrind', capture($name));
    my ($events)    = slurp($file) =~ /^events: (.+)$/m;
    my @auto = $name eq 'hostile' ? () : [ '--auto=yes', '--context=2' ];    # its lines are beyond the ends of files
    for my $options ([qw(--tree=both --threshold=100 --auto=no)], [qw(--inclusive=yes --auto=no)], @auto) {
        my ($status, $out, $err) = run('callgrind_annotate', @$options, $file);
        is "$status $err", '0 ', "$name: callgrind_annotate @$options has nothing to say";
        is event($events, 'ns', $out), $nanoseconds, "and the total is that of other exports: $nanoseconds ns";
    }
    my $times = outermost(capture($name));
    my ($complaints, $costs) = kcachegrind($file, sort keys %$times);
    is $complaints, '', "$name: kcachegrind has nothing to say";
    next if $name eq 'five';    # does not say which sub a BEGIN block interrupts
    is_deeply $costs, $times, 'and the outermost subs have all of the time in it';
}

# What a viewer shows of a line: its own time, and not that of its sub.
my $text = slurp(export('callgrind', capture('calls')));
like annotated('/app/main.pl', $text, scratch() . '/line'), qr/^ *30,000 .* 3 .*  return$/m, 'a line has its own time';

# A process is a file; all have the time of each process once.
my @processes = capture('processes');
my $split     = export('callgrind', '--split', @processes);
my @parts     = glob "$split.*";
is scalar @parts, scalar @processes, '--split writes a file for each process';
my $total = 0;
for my $part (@parts) {
    my ($status, $out, $err) = run('callgrind_annotate', $part);
    is "$status $err", '0 ', 'each of which it reads';
    $total += event('ns stmts', 'ns', $out);
}
is $total, sum(map { nanoseconds($_) } @processes), "and which have the times of all: $total ns";

# It does complain.
(my $cut = $text) =~ s/^\d+ 30000 3$/ 30000 3/m;
spew("$split.cut", $cut);
like +(run('callgrind_annotate', "$split.cut"))[2], qr/malformed/, 'a line without its number would be found';
(my $junk = $text) =~ s/^(fn=\(\d+\) main::RUNTIME\n)(\d+ )(\d+)/$1 . "?\n" . $2 . ($3 + 7)/me;
spew("$split.junk", $junk);
my ($complaints, $costs) = kcachegrind("$split.junk", 'main::RUNTIME');
like $complaints, qr/^Loading .* "Invalid line '\?'"$/m, 'kcachegrind would find a malformed line';
is $costs->{'main::RUNTIME'}, outermost(capture('calls'))->{'main::RUNTIME'} + 7, 'and have a wrong time';

done_testing;

# The total of one of the events.
sub event {
    my ($events, $event, $out) = @_;
    my ($totals) = $out =~ /^(.*)  PROGRAM TOTALS/m or return 'none';
    my %sum;
    @sum{ split / /, $events } = map { s/,//gr } split ' ', $totals =~ s/\([^)]*\)//gr;
    return $sum{$event};
}

# callgrind_annotate's text for a file of 20 lines in place of that path; the fifth returns.
sub annotated {
    my ($path, $text, $at) = @_;
    spew("$at.source", join '', map { $_ == 5 ? "return\n" : "line $_\n" } 1 .. 20);
    spew("$at.moved", $text =~ s/ \Q$path\E$/ $at.source/mgr);
    return (run('callgrind_annotate', '--auto=yes', '--context=20', "$at.moved"))[1];
}

# { sub => nanoseconds } of the subs that begin call paths.
sub outermost {
    my (@captures) = @_;
    my %time;
    for my $path (split /\n/, slurp(export('folded', @captures))) {
        my ($sub, $time) = $path =~ /^(.*?)(?:;.*)? (\d+)$/ or die "no path: $path\n";
        $time{$sub} += $time;
    }
    return \%time;
}

# Loads a file into kcachegrind and returns its complaints, and { sub => inclusive cost } of these subs. It is chatty
# where all is well: complaints are what its loader says, and its errors and warnings.
my $runs = 0;

sub kcachegrind {
    my ($file, @subs) = @_;
    my @session = ('timeout', '60', 'dbus-run-session', '--', 'sh', "$FindBin::Bin/exports/kcachegrind.sh");
    my ($status, $out, $err) = run(@session, scratch() . '/kcachegrind.' . ++$runs, $file, @subs);
    $status == 0 or die "kcachegrind $file: exit status $status\n$out$err\n";
    my %cost = $out =~ /label="\*\* (.+?)_* \*\*\\n\*\*\\n([\d ]+)"/g;
    tr/ //d for values %cost;
    return (join('', $err =~ /^((?:Loading |.*(?:ERROR|Warning)).*\n)/mg), \%cost);
}
