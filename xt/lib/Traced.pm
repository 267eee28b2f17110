# SPDX-License-Identifier: MIT
package Traced;

# The processes of a build as strace saw them: `strace -f -e trace=process -o LOG COMMAND`.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(trace started);

my %NUMBER = do {
    require Config;
    my $i = 0;
    map { ("SIG$_" => $i++) } split ' ', $Config::Config{sig_name};
};

# The command that traces another one.
sub trace {
    my ($log, @command) = @_;
    return ('strace', '-f', '--seccomp-bpf', '-q', '-s', 300, '-e', 'trace=process', '-o', $log, @command);
}

# "PID STATUS" of each process that was started by one whose program's path matches, and became a program itself, in
# order. STATUS is as in a capture: 256 and the number for a signal.
sub started {
    my ($log, $starters) = @_;
    my (%process, %unfinished, @found);
    open my $in, '<', $log or die "$log: $!\n";
    while (<$in>) {
        my ($pid, $what) = /^(\d+) +(.*)$/ or next;
        my $its = $process{$pid} //= { program => '' };
        if ($what =~ s/ <unfinished \.\.\.>$//) {
            $unfinished{$pid} = $what;
        } elsif ($what =~ /^\+\+\+ (?:exited with (\d+)|killed by (\w+))/) {
            $its->{ended} = "$pid " . ($1 // 256 + $NUMBER{$2});
            next if !defined $its->{is_started}; # the call that made it has yet to end
            push @found, $its->{ended} if $its->{is_found};
            delete $process{$pid};
        } else {
            $what = delete($unfinished{$pid}) . $1 if $what =~ /^<\.\.\. \w+ resumed>(.*)/;
            my $child = take($its, $what, \%process, $starters) or next;
            next if !$process{$child}{ended};
            push @found, $process{$child}{ended} if $process{$child}{is_found};
            delete $process{$child};
        }
    }
    @found = sort @found;
    return @found;
}

# A call that has succeeded; returns the child that it made. All lines of a child may stand before the end of that call.
sub take {
    my ($its, $what, $process, $starters) = @_;
    my ($result) = $what =~ / = (\d+)/ or return;
    if ($what =~ /^(?:v?fork|clone3?)\(/ && $what !~ /CLONE_THREAD/) {
        my $child = $process->{$result} //= { program => '' };
        $child->{is_started} = $its->{program} =~ $starters;
        $child->{is_found} = $child->{is_started} && $child->{program} ne '';
        $child->{program} ||= $its->{program};
        return $result;
    } elsif ($what =~ /^execve\("([^"]*)"/) {
        $its->{program}  = $1;
        $its->{is_found} = 1 if $its->{is_started};
    }
    return;
}

1;
