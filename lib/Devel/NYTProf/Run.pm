# SPDX-License-Identifier: MIT
package Devel::NYTProf::Run;

use strict;
use warnings;

use Carp qw(carp croak);
use Config qw(%Config);
use Devel::NYTProf::Data;
use Exporter 'import';

our $VERSION   = $Devel::NYTProf::Core::VERSION;
our @EXPORT_OK = qw(perl_command_words profile_this);

# This perl. With a sitecustomize.pl it would run code before the program's: -f prevents that.
sub perl_command_words {
    my (%with) = @_;
    return ($^X, $Config{usesitecustomize} && $with{skip_sitecustomize} ? '-f' : ());
}

# Code given as text is read from standard input, so that its file is called "-", as in other profiles of it.
sub profile_this {
    my (%with) = @_;
    my $out_file = $with{out_file} || 'nytprof.out';
    defined $with{src_file} || defined $with{src_code} or croak 'Neither src_file nor src_code was provided';
    my @perl = (perl_command_words(%with), '-d:NYTProf');
    warn "$out_file: running @perl\n" if $with{verbose};

    local $ENV{PERL5LIB} = join $Config{path_sep}, grep { !ref } @INC;
    if   (defined $with{src_file}) { run_file(@perl, $with{src_file}) }
    else                           { run_code($with{src_code}, @perl, '-') }
    return load($out_file, %with);
}

sub run_file {
    my (@command) = @_;
    no warnings 'exec';    # the exception has the message
    my $status = system { $command[0] } @command;
    croak "Error running @command: $!" if $status == -1;
    carp "Exit status $status from @command" if $status;
    return;
}

sub run_code {
    my ($code, @command) = @_;
    no warnings 'exec';
    open my $perl, '|-', @command or croak "Error running @command: $!";
    print {$perl} $code;
    close $perl or carp $! ? "Error writing to @command: $!" : "Exit status $? from @command";
    return;
}

sub load {
    my ($out_file, %with) = @_;
    my $profile = Devel::NYTProf::Data->new({ filename => $out_file, quiet => !$with{verbose} });
    if ($with{htmlopen}) {
        my @html = ('nytprofhtml', '--file', $out_file, '--open');
        system(@html) == 0 or carp "Exit status $? from @html";
    }
    unlink $out_file;
    return $profile;
}

1;

__END__

=head1 NAME

Devel::NYTProf::Run - profile a piece of code and look at the result

=head1 SYNOPSIS

    use Devel::NYTProf::Run qw(profile_this);

    my $profile = profile_this(src_code => 'my $x = 1; $x++ for 1 .. 1000');

=head1 FUNCTIONS

Both are exported if asked for.

=head2 profile_this

    profile_this(src_code => $perl_code, ...)
    profile_this(src_file => $file, ...)

Runs this perl with the profiler on the code or file, with this program's C<@INC> and the environment's C<NYTPROF>, and
returns a L<Devel::NYTProf::Data>. The file the profile was in is deleted. Warns if perl's exit status is not 0; dies if
perl cannot be started or there is no profile. Further arguments:

=over 4

=item out_file => $name

Where the profile will be, F<nytprof.out> unless given. If C<NYTPROF> has a C<file=>, it must say the same.

=item verbose => 1

Say what is done.

=item skip_sitecustomize => 1

Do not let perl run F<sitecustomize.pl>.

=item htmlopen => 1

Make a report as well, and open it in a browser.

=back

=head2 perl_command_words

    my @perl = perl_command_words(skip_sitecustomize => 1);

The words that start this perl.

=head1 SEE ALSO

L<Devel::NYTProf::Data>

=cut
