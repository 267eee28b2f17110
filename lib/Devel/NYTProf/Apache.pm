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

=head1 DESCRIPTION

Loads the profiler into Apache. Each process writes a profile of its own, which is complete when the server has stopped.
Without C<NYTPROF> in the environment the profiles are F</tmp/nytprof.PARENT.out.PID>. Start the server with one process
(C<httpd -X>), send it a few requests and stop it.

If the application can run under a server of its own, such as C<plackup>, profiling it there is easier.

Does not work on Windows.

=head1 SEE ALSO

L<Devel::NYTProf>

=cut
