# SPDX-License-Identifier: MIT
package Devel::NYTProf::Report;

use strict;
use warnings;

use Devel::NYTProf::Core;
use Getopt::Long ();

our $VERSION = $Devel::NYTProf::Core::VERSION;
our $API     = 1;

my ($FINE, $FAILURE, $USAGE) = (0, 1, 2);
my $unfinished;    # the name of the report that runs

END {
    if (defined $unfinished) { $? = complain($unfinished, 'the report ended the process') }
}

# `nytprof NAME ARGUMENTS`, with the last part of the class's name. Returns the exit code.
sub run {
    my ($name, $class, @arguments) = @_;
    my $option = options($name, \@arguments) or return $USAGE;
    $class = "Devel::NYTProf::Report::$class";
    my $text = eval { made($name, $class, $option, @arguments) };
    undef $unfinished;
    return complain($name, $@) if !defined $text;
    return $FINE if $option->{help};
    return complain($name, "$class printed nothing") if $text eq '';
    return written($name, $option, $text);
}

sub options {
    my ($name, $arguments) = @_;
    my %option = ('plugin-dir' => [], out => '-');
    my ($end) = grep { $arguments->[$_] eq '--' } 0 .. $#$arguments;
    my @own = defined $end ? splice @$arguments, $end : ();
    my $parser = Getopt::Long::Parser->new(config => [qw(bundling no_ignore_case require_order)]);
    local $SIG{__WARN__} = sub { complain($name, lcfirst shift, " (see `nytprof help $name`)") };
    $parser->getoptionsfromarray($arguments, \%option, 'file|f=s', 'out|o=s', 'plugin-dir=s@', 'help|h') or return;
    $option{file} = shift @$arguments if !defined $option{file} && @$arguments;
    shift @own;
    push @$arguments, @own;
    return \%option;
}

# The text of the report.
sub made {
    my ($name, $class, $option, @arguments) = @_;
    unshift @INC, @{ $option->{'plugin-dir'} };
    (my $file = "$class.pm") =~ s{::}{/}g;
    require $file;
    my $api = $class->can('api') ? $class->api : die "$class has no method api, expected one that returns $API\n";
    die "$class is for version $api of the interface, expected $API\n" if $api ne $API;
    return help($name, $class) if $option->{help};
    my $capture = $option->{file} // 'nytprof.out';
    -r $capture or die "$capture: $!\n";
    require Devel::NYTProf::Data;
    my $profile = Devel::NYTProf::Data->new({ filename => $capture, quiet => 1 });
    my $text = '';
    open my $out, '>', \$text or die "memory: $!\n";
    my $before = select $out;    # a plain print goes there, too
    $unfinished = $name;
    my $is_done = eval { $class->report($profile, $out, @arguments); 1 };
    select $before;
    die $@ if !$is_done;
    close $out or die "memory: $!\n";
    return $text;
}

sub help {
    my ($name, $class) = @_;
    print "usage: nytprof $name [-f FILE] [-o FILE] [--plugin-dir DIR] [FILE] [ARGUMENTS]\n\n$name ",
        $class->can('summary') ? $class->summary : "is $class", "\n";
    return '';
}

# A reader that closes the output is no failure.
sub written {
    my ($name, $option, $text) = @_;
    my $path = $option->{out};
    local $SIG{PIPE} = 'IGNORE';
    my ($out, $place) = (\*STDOUT, $path eq '-' ? 'standard output' : $path);
    if ($path ne '-') { $out = opened($path, $option->{file}) or return complain($name, "cannot write $place: $!") }
    my $is_written = print({$out} $text) && close $out;
    return $is_written || $!{EPIPE} ? $FINE : complain($name, "cannot write $place: $!");
}

# A new file has at most the permissions of the profile.
sub opened {
    my ($path, $capture) = @_;
    my $mode = (stat($capture // 'nytprof.out'))[2] // oct 600;
    my $before = umask;
    umask($before | ~$mode & oct 777);
    my $is_open = open my $out, '>', $path;
    umask $before;
    return $is_open ? $out : undef;
}

# One line on standard error.
sub complain {
    my ($name, $message, $more) = @_;
    $message =~ s/\s+at \S+ line \d+\.?\n?\z//;
    $message =~ s/\s*\n.*//s;
    print {*STDERR} "nytprof: $name: $message", $more // '', "\n";
    return $FAILURE;
}

1;

__END__

=head1 NAME

Devel::NYTProf::Report - reports of your own as verbs of nytprof

=head1 SYNOPSIS

    package Devel::NYTProf::Report::Slowest;
    use strict;
    use warnings;

    sub api     { return 1 }
    sub summary { return 'prints the subs with the most time of their own' }

    sub report {
        my ($class, $profile, $out, $most) = @_;
        my $subs = $profile->subname_subinfo_map;
        my @names = sort { $subs->{$b}->excl_time <=> $subs->{$a}->excl_time || $a cmp $b } keys %$subs;
        printf {$out} "%9.6f %s\n", $subs->{$_}->excl_time, $_ for grep {defined} @names[ 0 .. ($most || 10) - 1 ];
        return;
    }
    1;

and then, with that file as F<Devel/NYTProf/Report/Slowest.pm> in C<@INC>, or below a directory DIR:

    nytprof slowest
    nytprof slowest --plugin-dir DIR nytprof.out 3

=head1 DESCRIPTION

A class C<Devel::NYTProf::Report::NAME> in C<@INC> is a verb of L<nytprof>, and C<nytprof list> shows it. Upper and
lower case, C<-> and C<_> do not matter in the verb: C<my-report> is C<MyReport>. A verb of nytprof itself, or an
executable F<nytprof-NAME> in PATH, comes before a class of the same name.

    nytprof NAME [-f FILE] [-o FILE] [--plugin-dir DIR] [FILE] [ARGUMENTS]

The profile is FILE, or F<nytprof.out>; C<-o> writes to a file; C<--plugin-dir> names one more directory of modules.
Options come before FILE. All behind it, or behind C<-->, goes to the class.

=head1 METHODS OF A CLASS

=over 4

=item api

Returns the version of this interface, 1.

=item report($profile, $out, @arguments)

Prints the report to the handle $out, or with a plain C<print>. $profile is an object of L<Devel::NYTProf::Data>. An
exception is one line on standard error, with exit status 1, and nothing of the report is written then. So it is if the
method prints nothing.

=item summary

What the report does, for C<--help>. May be missing.

=back

=head1 SEE ALSO

L<nytprof/PLUGINS>, L<Devel::NYTProf::Data>, L<Devel::NYTProf::Reader>

=cut
