# SPDX-License-Identifier: MIT
# cpu_io.pl - does it compute or wait? The default clock counts all time, process_cpu only that of the processor.
# compute takes the same by both; make_files takes less by the second, as it waits for the disk; have_a_nap takes 0.1 s
# by the first, and nearly nothing by the second.
#
#     nytprof run --hot examples/cpu_io.pl
#     nytprof run --hot --options clock=process_cpu examples/cpu_io.pl
use strict;
use warnings;

use File::Temp qw(tempfile);
use Time::HiRes qw(sleep);

sub compute {
    my $sum = 0;
    $sum += sqrt $_ for 1 .. 10_000;
    return $sum;
}

sub make_files {
    for my $number (1 .. 1000) {
        my ($file) = tempfile(UNLINK => 1);
        print {$file} "$number\n";
        close $file or die "tempfile: $!\n";
    }
    return;
}

sub have_a_nap { return sleep 0.1 }

compute();
make_files();
have_a_nap();
