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

    DB::enable_profile();             # with NYTPROF=start=no: only what lies between these
    do_the_work();
    DB::disable_profile();

=head1 DESCRIPTION

Counts and times every statement, every call of a sub and every call of a slow built-in, and keeps for each sub who
called it, from where, how often and at what cost. Counters stay in memory and only their changes are written, every ten
seconds in a long run: so a statement costs some 20 ns more, not 500, and the size of a profile does not depend on how
much happened. What the profiler itself costs is measured and taken off.

It takes the place of Devel::NYTProf 6: L</DIFFERENCES FROM Devel::NYTProf 6> says where the two are not the same, and
L<nytprof/BESIDE Devel::NYTProf 6> what happens where both are installed.

=head1 RUNNING A PROGRAM

C<perl -d:NYTProf> is the usual way, also as C<PERL5OPT=-d:NYTProf> or C<PERL5DB='use Devel::NYTProf' perl -d>.
C<perl -MDevel::NYTProf> and C<use Devel::NYTProf> do the same for all code that is compiled after them. Code that was
compiled before is not seen (but see C<use_db_sub>), since a statement gets its hook when it is compiled. Taint mode
makes no difference.

The profile is complete when the program ends, also by C<exit> or C<die>, and after its END blocks; of C<perl -c> what
BEGIN blocks did is kept. Then:

    nytprofhtml                 # or nytprof html: pages for a browser
    nytprofcsv                  # or nytprof csv: rows for a spreadsheet
    nytprof info                # what is in the file, and whether it is whole
    nytprof dump                # every record of it

L<nytprof(1)|nytprof> takes several profiles at once, for instance those of a program and its children.

What is counted as a statement and as a call, what the times include and what is done with string evals is told in
L<Devel::NYTProf::Results>.

=head1 OPTIONS

The environment variable C<NYTPROF> holds C<name=value> pairs with colons between them; a backslash before a colon, an
equals sign or a backslash makes it part of the name or value. Numbers may be decimal, hexadecimal (C<0x10>) or octal
(C<010>); of something else the number is 0. A pair that is none, or a value that makes no sense, ends the program
before it starts; of an unknown option a line is written to the log.

=head2 The file

=over 4

=item C<file=>I<NAME> [nytprof.out]

Where the profile goes. See L</FILES>.

=item C<addpid=1>, C<addtimestamp=1>

Appends C<.PID> to the name, or the time as C<.SECONDS>, or both.

=item C<compress=>I<N> [1]

zlib's level, from 0 (none) to 9; -1 is zlib's own choice. Level 6 makes files a tenth smaller and takes three times as
long.

=item C<format=>I<N> [1], C<calls=>I<N> [1]

Format 5 is that of Devel::NYTProf 5 and 6, for their tools: a list of statements, so it grows with the run. What we
cost is taken off as it is written, by prices known then. Calls are in it when the profile is completed, as sums and,
with C<calls=1>, their returns by path. With C<calls=2> both formats have each entry and return in order, between the
statements: that grows, too, at about half of Devel::NYTProf 6's cost. See L<Devel::NYTProf::ReadStream>.

=item C<savesrc=0>

Do not keep the source in the profile. Reports then read files from the disk, as they are by then; the text of evals is
lost. Otherwise files are read when their first statement runs, up to C<__END__>, so the program may then change them; a
second profile of the process has no text of those. Lines that C<# line 7 "name"> gives to a file that is not on the
disk are its text. Code that is nowhere there (C<-e>, standard input, a pipe, hooks in C<@INC>, source filters)
perl keeps for the profiler: C<$^P> has bit 0x400 meanwhile. With C<savesrc=2> every profile has all (see L</FILES>).

=item C<log=>I<NAME> [standard error]

The profiler's own messages are appended to this file.

=item C<trace=1>

Say in the log when profiling goes on and off and a file is opened and finished, and what the profiler costs.

=back

=head2 What is profiled

=over 4

=item C<start=begin|init|end|no> [begin]

When profiling starts: at once, when compilation is over (INIT), with the first END block, or only when the program
calls C<DB::enable_profile>.

=item C<stmts=0>, C<subs=0>

No statements, or no calls: of subs or of slow built-ins.

=item C<slowops=>I<N> [2]

Slow built-ins: 0 not at all, 1 as subs of package C<CORE>, 2 as subs of the package that uses them. Waiting in
C<accept> is in no sub's time, only in its statement's.

=item C<leave=0>

Do not go back to the calling statement after a call: what a line does after its first call is then charged to the last
statement of the sub.

=item C<blocks=1>

List blocks and subs in CSV reports as well. HTML always has them.

=item C<findcaller=1>

What C code and C<sort> call back is called by the sub around them, not by them.

=item C<use_db_sub=1>

Count statements through perl's C<DB::DB>, as a debugger does. A statement costs eight times as much (380 instructions
instead of 50), and C<leave> is off; but statements of code that C<perl -d> compiled before the profiler was loaded are
seen.

=item C<optimize=0>, C<optimise=0>

Switch perl's peephole optimiser off, so that statements are not merged. (A line that only declares, C<my $x;>, is no
statement to perl in any case.)

=item C<forkdepth=>I<N> [-1]

How many generations of forked children are profiled: 0 none, 1 children but not grandchildren, -1 all.

=item C<sigexit=1>, C<sigexit=>I<INT,HUP,...>

Complete the profile and exit when one of these signals arrives; 1 stands for INT, HUP, PIPE, BUS and SEGV. The
program's own handlers for them take precedence if it sets any.

=item C<posix_exit=1>, C<libcexit=1>, C<endatexit=1>

Complete the profile when the program calls C<POSIX::_exit> (needed with C<subs=0> only), or when C code calls C<exit>.
The third makes a host program run END blocks when it destroys the interpreter, as the C<perl> command always does.

=back

=head2 How it is measured

=over 4

=item C<clock=>I<NAME> or I<NUMBER> [-1]

A clock that C<nytprof clocks> names, or one of C<clock_gettime>'s numbers. -1 chooses the best. A number that this
machine does not have falls back to that, and the report says so.

=item C<overhead=raw|corrected> [corrected]

Whether to take off what the profiler itself costs; see L<Devel::NYTProf::Results> for how, and how exactly.

=item C<maxnodes=>I<N> [200000]

How many calling contexts, that is paths of calls, are kept apart. Past that recursion is folded, and then of new calls
only the caller is kept.

=item C<maxevals=>I<N> [20000], C<maxsiteevals=>I<N> [1000]

How many string evals are kept apart in all, and of each line.

=item C<duty=>I<PERCENT> [0], C<memory=0|1> [0], C<selfcheck=0|1> [0]

Of programs in Lua only: see L<nytprof-lua>.

=back

=head2 Names

=over 4

=item C<nameevals=0>

Short names for string evals in the profile, C<(eval 7)> instead of C<(eval 7)[program.pl:3]>. It is then not known who
ran them. The program itself always sees perl's short ones.

=item C<nameanonsubs=0>

All anonymous subs of a package are called C<__ANON__>, as they are in the program, not C<__ANON__[program.pl:3]>.

=item C<perldb=>I<N> [0]

Sets C<$^P> to this value, whatever the other options say. See L<perlvar/$^P>. With 0x100 and 0x200 the program sees the
long names as well, without them neither it nor the profile does; source is kept with 0x400.

=back

=head2 For programs that read profiles

=over 4

=item C<expand=1>

Each line's record that L<Devel::NYTProf::Data> returns also has its file's number and its own, as elements 3 and 4.

=back

=head2 Accepted, without effect

=over 4

=item C<evals>

Is understood, and nothing follows from it.

=item C<usecputime>

Is gone. If it is set nothing is profiled, and a warning says so. Use C<clock=process_cpu>.

=back

=head1 FUNCTIONS

They are there as soon as the profiler is loaded; C<< DB->can('enable_profile') >> tells.

=over 4

=item C<DB::enable_profile()>, C<DB::enable_profile($file)>

Starts or goes on. Returns 1 if profiling was on already, else 0. With another file's name the open profile is completed
and this one is begun, with the calls counted so far. Subs that are running when profiling starts are charged from then
on, but their calls are not counted.

=item C<DB::disable_profile()>

Pauses, and brings the file up to date (not each time, if many a second). Returns 1 if profiling was on.

=item C<DB::finish_profile()>

Completes and closes the profile; calls that have not returned belong to the next. If the program enables profiling
again a new file is begun, and the finished one is kept as F<NAME.1>, F<NAME.2> and so on.

=item C<DB::set_option($name, $value)>

As one pair in C<NYTPROF>. What decides which hooks there are (C<subs>, C<stmts>, C<leave>, C<slowops>, C<clock>,
C<overhead>, C<optimize> and the names) and C<start> have to be set before the profiler is loaded; C<file> names the
next profile.

=back

=head1 PROCESSES

=over 4

=item fork

A child goes on in a file of its own, F<NAME.PID>, without what its parent has counted. Calls that are running end in
both and count in both: where the profiles are added up, a sub that was called once and forked twice has three calls.

What the parent had loaded before is in the parent's profile: the child's names it, and reports on the child alone take
source from there, if it is in the same directory and belongs to the same user. C<nytprof merge> keeps them together. A
child that ends within a tenth of a second writes what it touched, a kilobyte or two, not the subs never called.

=item exec

The profile is completed first. If there was nothing to execute, the program and its profile go on.

=item _exit, signals, crashes

Before C<POSIX::_exit> the profile is completed. Otherwise a process that dies at once loses what happened since the
profile was last written: a tenth of a second, or a twentieth of the run so far if that is more, but never more than ten
seconds. The profile is also written before the program waits, in C<sleep>, C<accept>, C<system> or for something to
read, thirty times in a row at most: C<kill -9> takes next to nothing from an idle server. Reports say when data ends.

=item Threads

Only the interpreter that loaded the profiler is recorded. Threads run unprofiled, and the report says that there were
some.

=item Coroutines

Those of L<Coro> are told apart: each goes on in its own calls and statements.

=back

=head1 FILES

A profile is readable and writable for its owner only. A regular file of that name is replaced; nothing else is: a
directory, a pipe or a symbolic link is an error, so no user can make root's profile overwrite another file. Devices
under F</dev> are written as they are. If the file cannot be created the program does not start.

A file that another process is still writing is locked; then F<NAME.PID> is used instead. So children that inherit
C<NYTPROF> do not destroy their parent's profile. With C<PERL5OPT=-d:NYTProf>, which means every perl, a file is also
left alone if another process of the same job (process group: a command line, a test run, a build) has finished it: the
first has F<NAME>, all others F<NAME.PID>, and the next job replaces F<NAME>. The others leave common source to
F<NAME.sources>, for reports and C<nytprof merge>; without any F<NAME.PID> a job begins it anew, so merge before you
rename. A program that executes itself anew keeps its profile as F<NAME.1>. With C<HARNESS_PERL_SWITCHES=-d:NYTProf>
each test of C<prove> replaces the one before: use C<addpid=1> or C<PERL5OPT>. Relative names are as of the opening.

When the disk is full the profile ends with the last part that fitted, a message is logged, and the program goes on; so
do programs of a job that start after that, without a profile. When the profiler gets no more memory it stops counting,
and says so. C<$!> is never changed, and no file descriptor below 100 is used where that can be helped.

=head1 ENVIRONMENT

C<NYTPROF> holds the options, C<PERL5OPT> and C<PERL5DB> are perl's own ways to load the profiler (see L<perlrun>), and
C<BROWSER> is what C<nytprofhtml --open> starts.

=head1 DIFFERENCES FROM Devel::NYTProf 6

The options, functions and commands named here do what they did; L<Devel::NYTProf::Differences> lists where they differ.

=head1 LIMITATIONS

=over 4

=item * Code that was compiled before the profiler was loaded is not seen, except for the calls that newer code makes to
it.

=item * The step of a C-style C<for> belongs to the last statement of its body, and so do the nanoseconds in which
C<foreach> takes its next element.

=item * Relative file names are taken from the directory that the program was in when it first ran code of that file.

=item * Two string evals of one line past the limits count as one if their texts have the same 64-bit hash.

=back

=head1 SEE ALSO

L<nytprof(1)|nytprof>, L<nytprofhtml(1)|nytprofhtml>, L<nytprofcsv(1)|nytprofcsv>, L<nytprofcg(1)|nytprofcg>,
L<nytprofcalls(1)|nytprofcalls>, L<nytprofmerge(1)|nytprofmerge>, L<flamegraph.pl(1)|flamegraph.pl>. For programs that
look at profiles: L<Devel::NYTProf::Data>, L<Devel::NYTProf::Reader>, L<Devel::NYTProf::ReadStream>. L<perldebguts>,
L<Time::HiRes>

=head1 COPYRIGHT AND LICENCE

Copyright (c) 2026 the authors. This is free software under the MIT licence; the file F<LICENSE> of the distribution has
its text.

=cut
