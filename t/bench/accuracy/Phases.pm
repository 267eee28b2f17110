# Programs that know where their time goes. Each is a series of sections, and each section a phase:
#
#     # --- name                      perhaps followed by (waits) or (elsewhere)
#     ... the packages and subs that the phase is made of ...
#     sub ph_name { ...; return $result }
#
# run() calls the phases in that order and prints "NAME SECONDS RESULT" for each. A result tells that all runs did the
# same; it does not depend on the time or the order of hashes. A phase that waits is timed by the wall clock, any other
# by the CPU clock of the process. Elsewhere means that much of the work is done in other files' code.
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

# The sections of a program, in Lua perhaps: { name, first, last, waits, elsewhere }; first and last are lines.
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
