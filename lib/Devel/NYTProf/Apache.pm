# SPDX-License-Identifier: MIT
package Devel::NYTProf::Apache;

use strict;
use warnings;

use constant MODPERL2 => ($ENV{MOD_PERL_API_VERSION} || 0) >= 2;

BEGIN {
    die "Devel::NYTProf::Apache does not work on Windows\n" if $^O eq 'MSWin32';
    ## no critic (RequireLocalizedPunctuationVars)
    if (!defined $ENV{NYTPROF}) {
        $ENV{NYTPROF} = "file=/tmp/nytprof.$$.out";
        warn "Devel::NYTProf::Apache: NYTPROF is not set, so it is $ENV{NYTPROF} now\n";
    }
}

use Devel::NYTProf::Core;
BEGIN { DB::set_option($_, 1) for qw(endatexit addpid) }
use Devel::NYTProf;

our $VERSION = $Devel::NYTProf::Core::VERSION;

# The first mod_perl tells when a child begins and ends; with the second the END blocks are enough.
if (!MODPERL2 && $ENV{MOD_PERL}) {
    require Apache;
    Apache->push_handlers(PerlChildInitHandler => sub { DB::enable_profile(); return });
    Apache->push_handlers(PerlChildExitHandler => sub { DB::finish_profile(); return });
}

1;

__END__

=head1 NAME

Devel::NYTProf::Apache - profile programs in mod_perl

=head1 SYNOPSIS

    # in httpd.conf, before other Perl modules
    PerlPassEnv NYTPROF
    PerlModule Devel::NYTProf::Apache

    # or, to sample the children of a server in production
    PerlSwitches -MDevel::NYTProf::Sample=file,/var/log/profiles/nytprof.out,savesrc,0

=head1 DESCRIPTION

Loads the profiler into Apache. Each process writes a profile of its own, which is complete when the server has stopped.
Without C<NYTPROF> in the environment the profiles are F</tmp/nytprof.PARENT.out.PID>. Start the server with one process
(C<httpd -X>), send it a few requests and stop it.

=head2 Sampling children in production

To sample all children of a server, all the time, this module is not needed. Three lines of F<httpd.conf>:

    PerlSwitches -MDevel::NYTProf::Sample=file,/var/log/profiles/nytprof.out,savesrc,0
    # /var/log/profiles has to be writable for the User and Group of the children
    MaxConnectionsPerChild 10000

Each child has a thread that samples and a file of its own, F<nytprof.out.PID>, from its fork to its end, also when
children come and go; see L<Devel::NYTProf::Sample>. Apache reads its configuration twice, so there is a file of its
first start, too. A report over all of them, and all of them to a server of profiles:

    nytprof html nytprof.out nytprof.out.*
    nytprof push --follow /var/log/profiles/nytprof.out http://localhost:4040/ingest

Stop and restart such a server with C<apachectl graceful-stop> and C<apachectl graceful>. At C<stop> and C<restart> a
child of prefork frees its memory in the handler of the signal. With any second thread in a process that waits for ever
if the signal has come while memory was being freed: Apache then kills the child 8 seconds later, and the last second of
its profile may be missing.

With the MPMs worker and event requests run in clones of the interpreter, by any thread of a child. Each clone is
sampled in the file of its child, as a thread of the program; which thread runs a clone is not known, so there is no
CPU time.

The time in which an interpreter has no request is that of C<(host)>, the program around perl. C<nytprof flat --from
My::Handler::handler> has what the requests did alone.

=head2 Other ways

If the application can run under a server of its own, such as C<plackup>, profiling it there is easier.

Does not work on Windows.

=head1 SEE ALSO

L<Devel::NYTProf>

=cut
