# SPDX-License-Identifier: MIT
package Devel::NYTProf;
# Before anything else is loaded: what the modules loaded below are to be listed as. DB::init_profiler sets it to 0.
BEGIN { $^P = 0x310 }    ## no critic (RequireLocalizedPunctuationVars, RequireUseStrict)

use 5.020;
use Devel::NYTProf::Core;

our $VERSION = $Devel::NYTProf::Core::VERSION;

*DB::DB = \&DB::DB_profiler if ($ENV{NYTPROF} // '') =~ /\buse_db_sub=1\b/;    ## no critic (ProhibitPackageVars)
$! = 0;    # errno of the search for our modules: a program that fails to compile would exit with it
DB::init_profiler();
1;

__END__

=head1 NAME

Devel::NYTProf - exact and fast profiler for Perl programs

=head1 SYNOPSIS

    perl -d:NYTProf program.pl        # writes nytprof.out
    nytprofhtml                       # turns it into nytprof/index.html

    NYTPROF=file=/var/tmp/p.out:addpid=1 perl -d:NYTProf program.pl
    PERL5OPT=-d:NYTProf make test     # every perl that is started

    DB::enable_profile();             # a part, with NYTPROF=start=no
    do_the_work();
    DB::disable_profile();

=head1 DESCRIPTION

Counts and times every statement, every call of a sub and every call of a slow built-in. For each sub it records the
callers, with the line, number and time of their calls. Counters stay in memory and only their changes are written,
every second in a long run: so a statement costs some 20 ns more instead of 500, and the profile of a busy week takes
some 50 MB, whatever it does with however many threads. The cost of the profiler itself is measured and subtracted.

This module replaces Devel::NYTProf 6: L<Devel::NYTProf::Differences> lists what differs, and
L<nytprof/BESIDE Devel::NYTProf 6> says what happens where both are installed.

=head1 RUNNING A PROGRAM

C<perl -d:NYTProf> is the usual way, also as C<PERL5OPT=-d:NYTProf> or C<PERL5DB='use Devel::NYTProf' perl -d>.
C<perl -MDevel::NYTProf> and C<use Devel::NYTProf> do the same for all code that is compiled after them, when a
statement gets its hook; earlier code is not profiled (but see C<use_db_sub>). Taint mode makes no difference.

The profile is completed when the program ends, also by C<exit> or C<die>, after its END blocks and the C<DESTROY> of
objects that are left then, whose caller is C<main::DESTRUCT>. With C<perl -c> it contains what BEGIN blocks did. Then:

    nytprofhtml                 # or nytprof html: pages for a browser
    nytprofcsv                  # or nytprof csv: rows for a spreadsheet
    nytprof info                # the contents of the file
    nytprof dump                # every record of it

L<nytprof(1)|nytprof> takes several profiles at once, for instance those of a program and its children.

L<Devel::NYTProf::Results> explains what counts as a statement and as a call, what the times include, and how string
evals are shown.

=head1 OPTIONS

The environment variable C<NYTPROF> holds C<name=value> pairs with colons between them; a backslash before a colon, an
equals sign or a backslash makes it part of the name or value. Numbers may be decimal, hexadecimal (C<0x10>) or octal
(C<010>); any other text counts as 0. A part without an equals sign, or a value that an option does not allow, ends the
program with a message before it starts; an unknown option is ignored, with a line in the log.

C<perl -d:NYTProf=name=value:name=value> sets options, too, after those of C<NYTPROF>; a comma before a name is as good
as a colon there. C<perl -d:NYTProf=help -e 1> lists the options with their defaults, and the clocks.

=head2 The file

=over 4

=item C<file=>I<NAME> [nytprof.out]

The name of the profile. See L</FILES>.

=item C<addpid=1>, C<addtimestamp=1>

Appends C<.PID> to the name, or the time as C<.SECONDS>, or both.

=item C<compress=>I<N> [1]

The level of compression, from 0 (none) to 9; -1 is zlib's default. Level 6 makes files a tenth smaller than level 1 and
takes three times as long.

=item C<format=>I<N> [1], C<calls=>I<N> [1]

Format 5 is that of Devel::NYTProf 5 and 6, for their tools: a list of statements, so it grows with the run. The
profiler's cost is subtracted while the file is written, by what is known of it at that time. Calls are written when the
profile is completed, as sums and, with C<calls=1>, as returns by path. With C<calls=2> files of both formats contain
each entry and return in order, between the statements; then both grow with the run, at about half of the cost of
Devel::NYTProf 6. C<nytprof trace>, C<samples> and C<chrome> show the calls in order; programs read them by
L<Devel::NYTProf::ReadStream>.

=item C<savesrc=0>

Do not store the source in the profile. Reports then read files from the disk, as they are by then, and have no text of
string evals. Without this option a file is read when its first statement runs, up to C<__END__>, so later changes of
the file do not matter; a second profile of the process has no source of files that have changed. For a file that exists
only by name, in C<# line 7 "name">, the lines behind that directive are its source. Code that is in no file (C<-e>,
standard input, a pipe, hooks in C<@INC>, source filters) is kept by perl for the profiler: C<$^P> has bit 0x400 while
such code is compiled. With C<savesrc=2> each profile of a job contains all of its source (see L</FILES>).

=item C<redact=>I<WHAT> [none]

Leave out what may be secret: C<evals>, the text of string evals, whatever file's name they give themselves, and names
that Lua makes of such text; C<commands>, the command with its arguments, the text of C<-e> and of evals in it, and what
the program has made of C<$0>; both with a comma between them, or C<all>. Times and counts of their lines remain. A
profile has nothing of the environment, but names of subs and files, the host, the current directory and C<@INC>.

=item C<log=>I<NAME> [standard error]

The profiler's own messages are appended to this file.

=item C<trace=1>

Log when profiling is switched on or off, when a file is opened or finished, and the measured cost of events.

=back

=head2 What is profiled

=over 4

=item C<start=begin|init|end|no> [begin]

When profiling starts: at once, after the program is compiled (INIT), with the first END block, or when the program
calls C<DB::enable_profile>.

=item C<stmts=0>, C<subs=0>

Do not record statements, or do not record calls, neither of subs nor of slow built-ins.

=item C<slowops=>I<N> [2]

Slow built-ins (regular expressions, input and output, C<sleep> and so on): 0 records none, 1 shows them as subs of
package C<CORE>, 2 as subs of the package that uses them. The wait in C<accept> is its statement's, not a sub's.

=item C<latency=1>, C<memory=1>, C<waiting=1>

Time each call; count values made and freed, and bytes if C<nytprof run --memory> has started the program; tell how long
calls waited, and for what: see L<Devel::NYTProf::Results>.

=item C<leave=0>

Do not return to the calling statement after a call: the rest of that statement is then charged to the last statement of
the called sub. F<examples/or.pl> in the distribution shows the difference.

=item C<blocks=1>

List blocks and subs in CSV reports as well. HTML always has them.

=item C<findcaller=1>

A sub that C code or C<sort> calls back has the sub around them as its caller.

=item C<use_db_sub=1>

Count statements through perl's C<DB::DB>, as a debugger does. This includes code that C<perl -d> compiled before the
profiler was loaded, but each statement costs about twelve times as much, and C<leave> is off.

=item C<optimize=0>, C<optimise=0>

Switch off perl's peephole optimiser, which merges some statements, so that each has its own count. (A line with nothing
but a declaration, C<my $x;>, is never a statement of its own.)

=item C<forkdepth=>I<N> [-1]

The number of generations of forked children that are profiled: 0 none, 1 children but not grandchildren, -1 all.

=item C<sigexit=1>, C<sigexit=>I<INT,HUP,...>

Complete the profile and exit when one of these signals arrives; 1 stands for INT, HUP, PIPE, BUS and SEGV. A handler
that the program sets takes precedence.

=item C<posix_exit=1>, C<libcexit=1>, C<endatexit=1>

C<posix_exit> completes the profile when the program calls C<POSIX::_exit> (needed with C<subs=0> only), C<libcexit>
when C code calls C<exit>. With C<endatexit> a program that embeds perl runs END blocks when it destroys the
interpreter, as the C<perl> command always does.

=back

=head2 How it is measured

=over 4

=item C<clock=>I<NAME> or I<NUMBER> [-1]

A name that C<nytprof clocks> lists, or a number of C<clock_gettime>. -1 chooses the best, as does a number that this
machine lacks; the report then says so. Where clocks are slow C<tick> costs least (L<Devel::NYTProf::Results/TIME>).

=item C<overhead=raw|corrected> [corrected]

Whether reports subtract the profiler's own cost (C<corrected>) or not (C<raw>). L<Devel::NYTProf::Results> says how
this is done, and how exactly.

=item C<maxnodes=>I<N> [200000], C<maxsize=>I<SIZE> [0]

The most calling contexts (paths of calls) that are kept apart. Beyond them recursive calls share a context, and new
calls are recorded with their direct caller only. And the most bytes of a profile in format 1, as in 100M: later counts
are then written over each other, and source may be missing.

=item C<maxevals=>I<N> [20000], C<maxsiteevals=>I<N> [1000]

The most string evals that are kept apart, of all threads together, and in each of them of one line.

Subs are kept apart by their names. But when a program has made and freed a hundred subs of the same lines, as with a
package for each request or C<use> in an eval, those with new names share the entry C<main::__ANON__[FILE:LINE]>, or
C<main::BEGIN@LINE[FILE:LINE]>: memory does not grow with such a program's age.

=item C<duty=>I<PERCENT> [0], C<selfcheck=0|1> [0]

For programs in Lua only: see L<nytprof-lua>.

=item C<sample=>I<HZ> [0], C<sigtoggle=>I<SIGNAL>, C<ring=>I<SECONDS> [0]

How many samples a second L<Devel::NYTProf::Sample> takes, 1 to 1000, also for Lua; and a signal (USR2) to switch them.
C<ring> keeps the last SECONDS of any run, up to twice as many, as in C<5m>: see L<Devel::NYTProf::Sample/RINGS>.
With C<-d:NYTProf> C<sample> implies C<stmts=0>: calls are exact. A thread looks which statement runs, and the time of a
sub, with that of C code it calls, is shared among the lines in which it was seen (else its first): these are estimates.

=back

=head2 Names

=over 4

=item C<nameevals=0>, C<nameanonsubs=0>

Call string evals C<(eval 7)> in the profile instead of C<(eval 7)[program.pl:3]>, so that the line that ran them is
missing, and all anonymous subs of a package C<__ANON__> instead of C<__ANON__[program.pl:3]>. The program itself always
sees perl's short names.

=item C<perldb=>I<N> [0]

Set C<$^P> to this value, whatever the other options say. See L<perlvar/$^P>. With 0x100 and 0x200 both the profile and
the program have the long names of evals and anonymous subs, without these bits neither has; with 0x400 perl keeps the
source.

=back

=head2 For programs that read profiles

=over 4

=item C<expand=1>

In the arrays of L<Devel::NYTProf::Data> each line also has the number of its file and its own, as elements 3 and 4.

=back

=head2 Accepted, without effect

=over 4

=item C<evals>, C<usecputime>

C<evals> is ignored. With C<usecputime> nothing is profiled, and a warning says so: use C<clock=process_cpu>.

=back

=head1 FUNCTIONS

They exist once the profiler is loaded; C<< DB->can('enable_profile') >> tells whether it is.

=over 4

=item C<DB::enable_profile()>, C<DB::enable_profile($file)>

Starts or resumes profiling. Returns 1 if it was on already, else 0. With the name of another file the open profile is
completed and a new one begun in that file, which has the calls counted so far. Subs that are running when profiling
starts are charged from then on, but their calls are not counted.

=item C<DB::disable_profile()>

Pauses profiling and brings the file up to date; many calls a second update it only now and then. Returns 1 if profiling
was on, else 0.

=item C<DB::finish_profile()>

Completes and closes the profile. If the program enables profiling again, a new file is begun, the finished one is kept
as F<NAME.1>, F<NAME.2> and so on, and calls that had not returned are in the new one.

=item C<DB::set_option($name, $value)>

Sets an option as C<name=value> in C<NYTPROF> does. C<file> names the next profile. C<start> and the options that choose
hooks (C<subs>, C<stmts>, C<leave>, C<slowops>, C<clock>, C<overhead>, C<optimize> and the names) must be set in
C<NYTPROF>, before the profiler is loaded.

=back

=head1 PROCESSES

=over 4

=item fork

A child goes on in a file of its own, F<NAME.PID>, without the counts of its parent. A call that is running returns in
both processes, and each profile counts it. When the profiles are added up, a sub that was called once and forked twice
has three calls.

The source that the parent had loaded before is in the parent's profile. The child's profile refers to it, and reports
on the child alone take the source from there, if the parent's profile is in the same directory and belongs to the same
user; C<nytprof merge> makes one file of both. A child that ends within a tenth of a second writes only what it touched,
a kilobyte or two, and leaves out subs that were never called.

Where a child cannot make a file, because the program has called C<chroot>, has become another user or has left its
directory, its profile is written into the file of its parent, as if they had been merged. This needs format 1.

=item exec

The profile is completed before C<exec>: of other threads, too, if they execute a statement within 20 ms. If C<exec>
fails, the program and its profile go on.

=item _exit, signals, crashes

The profile is completed before C<POSIX::_exit>. A process that is killed or crashes loses what happened since the
profile was last written: at most a tenth of a second, or a twentieth of the run so far if that is more, and never more
than a second (ten with calls=2, format=5 or a device). In its first tenth of a second: at most half, or a millisecond.
The profile is also written before the program waits, in C<sleep>, C<accept>, C<system>, backticks and the like, or for
input, thirty times in a row, then ten times a second. Reports say at what time the data ends.

=item Threads

Every thread is profiled, in one file: reports add the threads up, and list them with their numbers (C<tid>) and first
subs. Functions such as C<DB::disable_profile> are for the thread that calls them; a new thread is profiled if its
maker is. With C<format=5> each thread has a file of its own, F<nytprof.out.PID>, F<nytprof.out.PID.1> and so on.

=item Coroutines

Coroutines have stacks of their own below C<(coroutine)>, or the name that C<< $coro->desc >> has given them, and async
subs that go on are called again: L<Devel::NYTProf::Differences>.

=back

=head1 FILES

A profile is readable and writable for its owner only. A regular file of that name is replaced; nothing else is: a
directory, a pipe or a symbolic link is an error, so no user can make root's profile overwrite another file. Devices
under F</dev> are written as they are. If the file cannot be created the program does not start; with PERL5OPT that is
logged, and it goes on without a profile.

A process locks the profile that it writes, and another one uses F<NAME.PID> instead. So children that inherit
C<NYTPROF> do not destroy their parent's profile. With C<PERL5OPT=-d:NYTProf>, which profiles every perl, a file that
another process of the same job (process group: a command line, a test run, a build) has finished is left alone, too:
the first process has F<NAME>, all others F<NAME.PID>, and the next job, or the next C<nytprof run>, replaces F<NAME>.
Source that several of these processes have in common is stored once, in F<NAME.sources>, where reports and C<nytprof
merge> find it. A job that finds no F<NAME.PID> begins F<NAME.sources> anew, so merge profiles before you rename them.

A program that executes itself anew keeps its profile as F<NAME.1>. With C<HARNESS_PERL_SWITCHES=-d:NYTProf> each test
of C<prove> replaces the profile of the one before: use C<addpid=1> or C<PERL5OPT>. A relative name is resolved when the
file is opened.

The program runs as without the profiler, and C<$!> is never changed. L<Devel::NYTProf::Differences/WHAT IT SURVIVES>
says how that was tried, and what is left of a profile when descriptors are closed, disks are full or programs are
killed.

=head1 ENVIRONMENT

C<NYTPROF> holds the options, C<PERL5OPT> and C<PERL5DB> are perl's own ways to load the profiler (see L<perlrun>), and
C<BROWSER> is what C<nytprofhtml --open> starts.

=head1 LIMITATIONS

=over 4

=item * Code that was compiled before the profiler was loaded is not profiled; only calls from later code to it are.

=item * The step of a C-style C<for> belongs to the last statement of its body, and so do the nanoseconds in which
C<foreach> takes its next element.

=item * A relative name of a source file is resolved in the directory where the program was when it first ran code of
that file.

=item * Two string evals of one line past the limits count as one if their texts have the same 64-bit hash.

=back

=head1 SEE ALSO

L<Devel::NYTProf::Differences> (from Devel::NYTProf 6), L<nytprof(1)|nytprof>, L<nytprofhtml(1)|nytprofhtml>,
L<nytprofcsv(1)|nytprofcsv>, L<nytprofcg(1)|nytprofcg>, L<nytprofcalls(1)|nytprofcalls>,
L<nytprofmerge(1)|nytprofmerge>, L<flamegraph.pl(1)|flamegraph.pl>. For programs that look at profiles:
L<Devel::NYTProf::Data>, L<Devel::NYTProf::Reader>, L<Devel::NYTProf::ReadStream>. L<perldebguts>, L<Time::HiRes>

=head1 COPYRIGHT AND LICENCE

Copyright (c) 2026 the authors. This is free software under the MIT licence; the file F<LICENSE> of the distribution has
its text.

=cut
