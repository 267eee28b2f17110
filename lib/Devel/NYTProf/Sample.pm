# SPDX-License-Identifier: MIT
package Devel::NYTProf::Sample;

# Like Core, which is all that it loads, it is no part of the program's modules.
use 5.020;
use Devel::NYTProf::Core;

our $VERSION = $Devel::NYTProf::Core::VERSION;    ## no critic (TestingAndDebugging::RequireUseWarnings)

my $USUAL = 100;    # samples a second

# hz, N and other options in pairs.
sub import {
    my ($class, @options) = @_;
    while (@options) {
        my ($name, $value) = splice @options, 0, 2;
        ## no critic (Variables::RequireLocalizedPunctuationVars, ErrorHandling::RequireCarping)
        defined $value or do { $! = 2; die "NYTProf: Devel::NYTProf::Sample=$name: expected NAME,VALUE\n" };
        DB::set_option($name eq 'hz' ? 'sample' : $name, $value);
    }
    DB::set_option(sample => $USUAL) if !DB::_samples();    ## no critic (Subroutines::ProtectPrivateSubs)
    DB::init_sampler();
    return;
}

1;

__END__

=head1 NAME

Devel::NYTProf::Sample - profile a Perl program without slowing it down

=head1 SYNOPSIS

    perl -MDevel::NYTProf::Sample program.pl             # 100 samples a second
    perl -MDevel::NYTProf::Sample=hz,1000 program.pl
    NYTPROF=addpid=1:savesrc=0 PERL5OPT=-MDevel::NYTProf::Sample server.pl
    nytprof html                                         # and every other report

=head1 DESCRIPTION

A thread of the process looks at random moments where perl is, and whether it runs there, is ready to run, or waits. It
reads perl's memory, and neither stops nor asks perl: nothing is hooked, and C<$^P> is 0, so the program runs the code
that it runs without this module. The thread itself takes half a percent of a CPU at 100 samples a second, on another
CPU if there is one, and less while the program waits.

The profile has lines, subs, slow built-ins (C<main::CORE:sort>), functions in C and the paths of their calls, each with
its wall time and, as other metrics:

    samples    how many found the program there
    cpu        CPU time
    waiting    time in which the program waited: for input, a lock, a sleep
    ready      time in which it could have run, but other programs had the CPUs

Their totals are those of the kernel. Each is shared by the samples that found the program in that state: CPU time by
their number, so samples that come late on a busy machine do not count for more; waiting and time without a CPU as long
as it lasted. A program that shares its CPUs mostly loses them where it calls the system, and has much C<ready> time
there; C<cpu> is what it costs by itself.

How often statements ran and subs were called is not known, and reports do not show it. With I<n> samples a share I<p>
of the time has an error of about sqrt(I<p>(1-I<p>)/I<n>): ten seconds at 100 samples a second give a share of 10 %
within a point.

Words behind C<=> are pairs: C<hz> with the number of samples a second (1 to 1000; so does C<sample> in C<NYTPROF>), or
any option of L<Devel::NYTProf/OPTIONS>. With C<start=no> there is no thread before C<DB::enable_profile>;
C<DB::disable_profile> ends the thread, and C<DB::finish_profile> the file, too.

A forked child has a thread and a file of its own, F<NAME.PID>, as C<forkdepth> says, if it is there for 20
milliseconds. Each thread of threads.pm is sampled, too, without its CPU time. C<exec> and C<kill -9> cost what came
since the last window: at most a second.

=head1 LIMITATIONS

A look at the stack takes some microseconds, and the program goes on meanwhile. Where calls are shorter than that, the
sampler finds the sub by the statement that ran, and its callers by earlier looks. Subs of string evals that are made
and gone within a sample's time may be counted as their callers. Perl before 5.26 does not tell the sub of a statement:
there most time of such short calls is their callers', and only lines are right.

Linux only. Where the system refuses both C<process_vm_readv> and F</proc/PID/mem>, the program dies with one line that
says so, as where its profile cannot be written; with C<PERL5OPT> it goes on without a profile. A Perl sub that code in
C calls (C<first> of List::Util) has the caller of that code as its caller. C<format=5> is refused.

=head1 SEE ALSO

L<Devel::NYTProf>, L<nytprof>

=cut
