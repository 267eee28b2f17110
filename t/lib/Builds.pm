# SPDX-License-Identifier: MIT
package Builds;

# Captures of builds, record by record, and builds that never took place.

use strict;
use warnings;

use Exporter 'import';

use Capture qw(chunk i record u);

our @EXPORT_OK = qw(began between capture ended many small stream $EPOCH);

our $EPOCH = 1_400_000_000; # seconds when the clock was 0

sub s8 { return Capture::s($_[0]) }
sub ns { return u(sprintf '%.0f', 1e9 * $_[0]) }
sub us { return u(sprintf '%.0f', 1e6 * $_[0]) }

# A stream of that host: process_start, host.
sub stream {
    my ($host, $recorder, $epoch) = @_;
    return record(1, u(1), u(0), u(($epoch // $EPOCH) * 1e9 + 5), i(5), u(1e9), u(1), i(1), s8('monotonic'),
        s8('make'), s8("$recorder 7.00")) . record(5, s8('host'), s8($host));
}

# began(START in seconds, pid, parent's start, command, directory, target), and ended(END, pid, start, user, system,
# status, kilobytes, blocks in, blocks out, switches, forced switches, faults).
sub began {
    my ($start, $pid, $parent, $command, $directory, $target) = @_;
    my @argv = ref $command ? @$command : ('/bin/sh', '-c', $command);
    return record(38, u($pid), ns($start), ns($parent), u(1), u(scalar @argv), u(0), s8($directory // '/src'),
        s8($target // ''), s8(join '', map {"$_\0"} @argv));
}

sub ended {
    my ($end, $pid, $start, $user, $system, $status, $kb, $in, $out, $switches, $forced, $faults) = @_;
    return record(39, u($pid), ns($start), ns($end), u($status // 0), us($user), us($system), u($kb // 0), u(0),
        u($faults // 0), u($in // 0), u($out // 0), u($switches // 0), u($forced // 0));
}

sub capture { my $n = 0; return join '', "NYTProf capture 1\n", map { chunk($_, front_end => 5, number => ++$n) } @_ }

# The text of a report between two lines, the second not included.
sub between {
    my ($text, $from, $to) = @_;
    return $text =~ /^(\Q$from\E.*?)(?=^\Q$to\E)/ms ? $1 : "no '$from' to '$to' in:\n$text";
}

# Two recipes at a time, and one behind them, that was killed. Recorded by two programs.
sub small {
    return capture(
        stream('one', 'launcher') . began(10, 100, 0, [qw(make -j2)]),
        stream('one', 'preload') . began(15, 101, 10, 'gcc -c a.c', '/src/a', 'a.o')
            . began(20, 102, 10, 'gcc -c b.c', '/src/a/', 'b.o')
            . ended(30, 101, 15, 8, 1, 0, 12_500, 100, 20, 5, 2, 1)
            . began(30, 103, 10, 'cd x && TZ=1 ld -o x', '/', 'x')
            . ended(60, 102, 20, 24, 0.005, 0, 204_800, 1, 2, 3, 4, 0) . ended(110, 103, 30, 0, 0, 256 + 9)
            . ended(110, 100, 10, 40, 2.005, 2, 204_800, 101, 22, 900, 17, 1),
    );
}

# Writes a build of that many processes, some at a time, to a handle: a make, in it a make for each hundred recipes, in
# directories of their own. Every number follows from a process's own, so a capture is the same each time.
sub many {
    my ($out, $processes, $at_a_time) = @_;
    my @kinds = ([ 'gcc -c -O2 %s.c', 0.02 ], [ 'ccache g++ -c %s.cc -o %s.o', 0.09 ], [ 'cd sub && ar r %s.a', 0.001 ],
        [ 'echo %s', 0 ], [ 'perl gen.pl %s', 0.4 ]);
    print {$out} capture(stream('host', 'preload') . began(1, 1, 0, [qw(make -j)]));
    my ($number, $at, $left, $count, @running) = (1, 1, $processes - 1, 0);
    while ($left > 0) {
        my $records = '';
        my $group = $at += 0.001;
        my $make = 2 + ++$count % 30_000;
        my $user = 0;
        $records .= began($group, $make, 1, [ 'make', '-C', "dir$count" ], "/src/dir$count", "dir$count");
        for my $i (1 .. ($left > 101 ? 100 : $left - 1)) {
            my ($command, $seconds) = @{ $kinds[ $i % @kinds ] };
            my $name = "file$count-$i";
            my $pid = 40_000 + $i;
            $at += 0.001;
            $records .= began($at, $pid, $group, $command =~ s/%s/$name/gr, "/src/dir$count", "$name.o");
            push @running, [ $pid, $at, $seconds, $seconds / 10, $i == 50 && $count % 7 == 0 ];
            $user += $seconds;
            $records .= ended($at += 0.0001, @{ shift @running }) if @running >= $at_a_time;
        }
        $records .= ended($at += 0.0001, @{ shift @running }) while @running;
        $records .= ended($at += 0.0001, $make, $group, 0.01 + $user, 0.1 * $user, 0);
        $left -= 101;
        print {$out} chunk($records, front_end => 5, number => ++$number);
    }
    print {$out} chunk(ended($at + 1, 1, 1, 100, 10, 0), front_end => 5, number => ++$number);
    return;
}

1;
