# SPDX-License-Identifier: MIT
package Devel::LineCounter;

# Counts statements and calls by perl's debugger interface only, as a check on the profiler without common code:
#
#     perl -It/lib -d:LineCounter=FILE PROGRAM               every statement, as NYTPROF=optimize=0
#     perl -It/lib -d:LineCounter=FILE,optimize PROGRAM      with perl's peephole optimiser at work, as by default
#
# FILE gets a line for each: "line COUNT LINE FILE" and "call COUNT LINE SUB FILE", separated by tabs, where LINE and
# FILE are the place of the statement or of the calling statement.

# Only strict is loaded, as the profiler loads no more: modules loaded this early cannot be counted.
use strict;

my $NO_OPTIMIZER  = 0x04;
my $GOTO_TOO      = 0x80;
my $output        = 'linecounter.out';
my $process       = $$;
my (%line, %call, @statement);

sub import {
    my ($class, $file, $optimize) = @_;
    $output = $file if defined $file;
    $^P = ($^P | $GOTO_TOO) & ~($optimize ? $NO_OPTIMIZER : 0);
    $DB::trace = 1;
    return;
}

# Perl does not call the debugger for code in this package, so the counter does not count itself.
package DB;    ## no critic (Modules::ProhibitMultiplePackages)

our $sub;

no strict 'refs';    ## no critic (TestingAndDebugging::ProhibitNoStrict)

# These two stand first, as perl calls DB::sub as soon as it is compiled, also for the rest of this file.

# The caller of DB::sub. Perl hides DB::sub from caller(), so a sub that DB::sub calls has to ask.
sub call_site { return caller }

# Anonymous subs and BEGIN blocks, which are references here, are not counted: the references would keep them alive.
sub count_call {
    my (undef, $file, $line) = @_;
    $call{$file}{$line}{$sub}++ if !ref $sub;
    write_counts() if is_destroyed();
    return;
}

sub DB {
    @statement = caller;
    $line{ $statement[1] }{ $statement[2] }++;
    write_counts() if is_destroyed();
    return;
}

sub sub {    ## no critic (Subroutines::RequireFinalReturn)
    count_call(call_site());
    &$sub;
}

# For a call of an lvalue sub and for a goto, caller() has only the statement that began last.

sub lsub : lvalue {    ## no critic (Subroutines::RequireFinalReturn)
    count_call(@statement);
    &$sub;
}

sub goto {
    count_call(@statement);
    return;
}

END { write_counts() if $$ == $process }

# Behind the END blocks perl calls the DESTROY of objects that are left.
sub is_destroyed { return ${^GLOBAL_PHASE} eq 'DESTRUCT' && $$ == $process }

sub write_counts {
    open my $out, '>', $output or die "$output: $!\n";
    for my $file (sort keys %line) {
        print {$out} "line\t$line{$file}{$_}\t$_\t$file\n" for sort { $a <=> $b } keys %{ $line{$file} };
    }
    for my $file (sort keys %call) {
        for my $line (sort { $a <=> $b } keys %{ $call{$file} }) {
            my $count = $call{$file}{$line};
            print {$out} "call\t$count->{$_}\t$line\t$_\t$file\n" for sort keys %$count;
        }
    }
    close $out or die "$output: $!\n";
    return;
}

1;
