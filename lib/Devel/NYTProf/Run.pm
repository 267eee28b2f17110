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

Both can be imported; none is by default.

=head2 profile_this

    profile_this(src_code => $perl_code, ...)
    profile_this(src_file => $file, ...)

Runs the code or the file under the profiler, with the perl and the C<@INC> of the calling program and C<NYTPROF> of its
environment, and returns a L<Devel::NYTProf::Data>. The file of the profile is deleted. Warns if the exit status is not
0; dies if perl cannot be started or writes no profile. Further arguments:

=over 4

=item out_file => $name

The name of the profile, F<nytprof.out> by default. If C<NYTPROF> contains C<file=>, it must be the same name.

=item verbose => 1

Print the command that is run, and the messages of L<Devel::NYTProf::Data/new>.

=item skip_sitecustomize => 1

Do not let perl run F<sitecustomize.pl>.

=item htmlopen => 1

Make a report as well, and open it in a browser.

=back

=head2 perl_command_words

    my @perl = perl_command_words(skip_sitecustomize => 1);

Returns the command that starts the perl of the calling program, as a list of words.

=head1 SEE ALSO

L<Devel::NYTProf::Data>

=cut
