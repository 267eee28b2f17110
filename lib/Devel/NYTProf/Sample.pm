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
reads perl's memory, and neither stops nor asks perl: nothing but C<exec> is hooked, and C<$^P> is 0, so the program
runs the code that it runs without this module. The thread itself takes half a percent of a CPU at 100 samples a second,
on another CPU if there is one, and less while the program waits.

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
milliseconds; a relative name is that of the directory where it was forked, wherever a daemon goes from there. Each
thread of threads.pm is sampled, too, without its CPU time, and so are the interpreters of a program around perl, such
as Apache (see L<Devel::NYTProf::Apache/Sampling children in production>): the time in which such a program runs no perl
is that of C<(host)>. C<exec> completes the profile; C<kill -9> costs what came since the last window: at most a second.

=head1 SWITCHING BY A SIGNAL

    NYTPROF=start=no:sigtoggle=USR2:addpid=1 perl -MDevel::NYTProf::Sample server.pl
    kill -USR2 PID         # samples from now on
    kill -USR2 PID         # no longer: nytprof html nytprof.out.PID

With C<sigtoggle> a signal that would end the program (INT, HUP, TERM, QUIT, ALRM, USR1, USR2, PIPE, VTALRM, PROF)
starts the samples, and the next one stops them and completes the profile, to which a third one adds. Until then a
thread sleeps that waits for the signal, which takes no time; nothing else is different. C<DB::enable_profile> and
C<DB::disable_profile> do the same. All threads of the process start and stop together. A forked child has a switch of
its own, and the file F<NAME.PID>; after an C<exec> the signal has its usual effect, which is to end the program.

The signal interrupts what the program waits for, as any signal with a handler does: reads, writes, C<wait>, C<accept>
and C<flock> go on, but C<sleep>, C<select> and what is made of it return early. A handler that the program sets in
C<%SIG> replaces the switch, and so does C<local $SIG{USR2}>, after which the signal ends the program. A signal that is
handled or ignored when this module is loaded is refused.

=head1 RINGS

    NYTPROF=ring=5m:addpid=1:savesrc=0 perl -MDevel::NYTProf::Sample server.pl

For a program that is sampled all day C<ring=5m> keeps the last five to ten minutes: samples come in halves of so many
seconds (C<s>, C<m> and C<h> are understood), and a new half replaces the older one of two. The file does not grow with
the time, and what was before an incident is there also after C<kill -9>, but for a second. Names and source stay, so
the file grows as long as the program runs code that it has not run before, up to C<maxnodes> contexts.

Every report reads the profile while the program runs, and says how much of the run it has. C<nytprof run --always-on>
samples with C<ring=5m>. Programs that are counted, by C<-d:NYTProf>, and those in Lua may have a ring, too. It needs a
plain file; C<maxsize>, C<calls=2> and C<format=5> are refused. A thread that has ended leaves its ring to a later one,
so there are as many as there were threads at a time.

=head1 LIMITATIONS

A look at the stack takes some microseconds, and the program goes on meanwhile. Where calls are shorter than that, the
sampler finds the sub by the statement that ran, and its callers by earlier looks. Subs of string evals that are made
and gone within a sample's time may be counted as their callers. Perl before 5.26 does not tell the sub of a statement:
there most time of such short calls is their callers', and only lines are right.

Linux only. Where the system refuses both C<process_vm_readv> and F</proc/PID/mem>, the program does not start, and says
why, as where its profile cannot be written; with C<PERL5OPT> it goes on without a profile. A Perl sub that code in C
calls (C<first> of List::Util) has the caller of that code as its caller. C<format=5> is refused.

A handler of a signal that takes or frees memory, and has interrupted code that does so, may wait for ever in a program
that has threads, and with this module each program has one. That may be a handler in C, such as Apache's prefork has
(see L<Devel::NYTProf::Apache/Sampling children in production>), or one in Perl that perl calls at once: those of
C<POSIX::sigaction> without C<safe>, and all with C<PERL_SIGNALS=unsafe>. Handlers in C<%SIG> are not concerned.

While there is a thread the system refuses to make a user namespace for the process (C<unshare>), or to have it join
another user or mount namespace (C<setns>).

=head1 BESIDE PYTHON'S SAMPLER

The sampler that Python 3.15 has by its documentation, C<profiling.sampling>, and this one for Perl and Lua:

    What                       profiling.sampling          here
    ----                       ------------------          ----
    starts a program           yes                         nytprof run --sample
    attaches to a process      any running one             nytprof attach, of Perl
    reads stacks               from another process        from a thread of the process, whose other
                                                           threads run as without it; or from another
    wall and CPU time          a mode each                 one profile has both, with the time waiting
                                                           and that ready without a CPU
    locks                      a mode                      waiting by its kind, with option waiting=1
    exceptions                 a mode                      no
    threads                    all                         those that run Perl
    child processes            yes                         yes, a profile each
    tasks                      as stacks                   coroutines of Lua
    collector, C frames        markers                     built-ins and functions in C by name
    live table                 counts and trends           nytprof top: the last seconds, or since the start
    heat of source lines       yes                         nytprof html, annotate, hot
    flame graph                yes                         nytprof html, flamegraph, of each of the times
    Firefox, collapsed stacks  yes                         nytprof firefox, folded, and other formats
    recording, to replay       yes                         the profile; all reports read it
    its own quality            rate, samples missed        the error of each share; attach tells samples lost
    exact calls beside         no                          sample=100 with -d:NYTProf
    the time before a fault    no                          ring=5m

=head1 SEE ALSO

L<Devel::NYTProf>, L<nytprof>

=cut
