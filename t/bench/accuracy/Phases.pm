# Runs a program that measures the time of its own phases. The program is a series of sections, one for each phase:
#
#     # --- name                      perhaps followed by (waits) or (elsewhere)
#     ... the packages and subs of the phase ...
#     sub ph_name { ...; return $result }
#
# run() calls the phases in this order and prints "NAME SECONDS RESULT" for each. Results show that all runs did the
# same work; they do not depend on the time or the order of hashes. A phase that waits is timed by the wall clock, the
# others by the CPU clock of the process. A phase that is (elsewhere) spends much of its time in code of other files.
package Phases;

use strict;
use warnings;

use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID);

sub run {
    my ($file) = @_;
    my @done;
    for my $phase (sections($file)) {
        my $run   = main->can("ph_$phase->{name}") or die "no sub ph_$phase->{name}\n";
        my $clock = $phase->{waits} ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
        my $begin = clock_gettime($clock);
        my $result = $run->();
        push @done, sprintf "%s %.6f %s\n", $phase->{name}, clock_gettime($clock) - $begin, $result;
    }
    print @done;
    return;
}

# The sections of a program in Perl or Lua: { name, first, last, waits, elsewhere }; first and last are lines.
sub sections {
    my ($file) = @_;
    open my $in, '<', $file or die "$file: $!\n";
    my @sections;
    while (my $line = <$in>) {
        if ($line =~ /^(?:#|--) --- (\w+)(?: \((\w+)\))?$/) {
            push @sections, { name => $1, first => $., $2 ? ($2 => 1) : () };
        }
        $sections[-1]{last} = $. if @sections;
    }
    return @sections;
}

1;
