# SPDX-License-Identifier: MIT
package Devel::NYTProf::Core;

# Loads no module, not even strict and warnings: it would be missing from the profile of a program that loads it later.
use 5.020;
use XSLoader;

# Clients load this file again to have an option read: no warnings about subs that are redefined.
## no critic (Variables::RequireLocalizedPunctuationVars)
my $warn;
BEGIN { ($warn, $^W) = ($^W, 0) }
## use critic

our $VERSION = '7.00';    ## no critic (TestingAndDebugging::RequireUseWarnings)

XSLoader::load('Devel::NYTProf', $VERSION);

# Programs that evaluate strings under the profiler and look at line numbers pad them with this.
$Devel::NYTProf::StrEvalTestPad = $] > 5.017004 ? '' : ";\n";    ## no critic (Variables::ProhibitPackageVars)

# What DB::init_profiler runs, with and without hooks, to measure the cost of the hooks: typical work, besides one
# statement a round that all loops have. Compiled without $^P, so that they are not in %DB::sub.
## no critic (Variables::RequireLocalizedPunctuationVars, ValuesAndExpressions::ProhibitCommaSeparatedStatements)
my $perldb;
BEGIN { ($perldb, $^P) = ($^P, 0) }
sub _nothing { 1 }
sub _pass { my ($x) = @_; return $x }
sub _sum { my ($x, $y, $z) = @_; my $sum = $x + $y; return $sum + $z }
sub _method { my $self = shift; return $self->[0] }
sub _base { my $x; for my $i (1 .. $_[0]) { $x = 1 } return }
sub _statement {
    my ($x, $y, $z);
    for my $i (1 .. $_[0]) {
        $x = 1;
        $y = $x + $i; $x = $y * 2; $z = $x; $z .= 'a'; $x = length $z;
        $y = $x + $i; $x = $y * 2; $z = $x; $z .= 'a'; $x = length $z;
    }
    return;
}
sub _switch {
    my ($x, $y);
    for my $i (1 .. $_[0]) {
        $x = 1;
        $y = 0;
        while ($y < 6) { $y++ }
        if ($x) { $y = 1 } else { $y = 2 }
        $y = do { my $z = 1; $z + 1 };
    }
    return;
}
sub _call {
    my ($x, $y);
    $y = bless [1], __PACKAGE__;
    for my $i (1 .. $_[0]) {
        $x = 1;
        $x = _nothing(); $x = _pass($i); $x = _sum($i, 2, 3); $x = $y->_method;
        $x = _nothing(); $x = _pass($i); $x = _sum($i, 2, 3); $x = $y->_method;
    }
    return;
}
sub _leaf {
    my $x;
    for my $i (1 .. $_[0]) {
        $x = 1;
        $x = _c_nothing(); $x = _c_nothing($i, 2); $x = 'abc' =~ /c/; $x = 'abcd' =~ /c/; $x = "ab$i" =~ /b/;
        $x = _c_nothing(); $x = _c_nothing($i, 2); $x = 'abc' =~ /d/; $x = 'abcd' =~ /d/; $x = "ab$i" =~ /c/;
    }
    return;
}
BEGIN { $^P = $perldb }
## use critic

# Options that need Perl code; all others go to DB::set_option as they are.
my %in_perl = (sigexit => \&_finish_on_signals, posix_exit => \&_finish_on_posix_exit);

# perl leaves the words of -d:NYTProf=WORDS in PERL5DB; a comma before a name is as good as a colon.
_set_options($ENV{NYTPROF}) if defined $ENV{NYTPROF};
if (($ENV{PERL5DB} // '') =~ /\Ause Devel::NYTProf split\(\/,\/,q\{(.*)\}\);?\z/s) {
    _set_options($1 =~ s/,(?=\w+=)/:/gr);
}

# name=value:name=value, with a backslash before a ':', '=' or '\' that is part of a name or value.
sub _set_options {
    my ($text) = @_;
    for my $piece ($text =~ /\G((?:[^\\:]|\\.?)*)(?::|\z)/gs) {
        next if $piece eq '';
        _help() if $piece eq 'help';
        my ($name, $value) = $piece =~ /\A((?:[^\\=]|\\.)+)=((?:[^\\=]|\\.)+)\z/s
            or do { $! = 2; die "NYTProf set_option: invalid option '$piece', expected NAME=VALUE\n" };    # exit code
        s/\\(.)/$1/gs for $name, $value;
        if (my $setter = $in_perl{$name}) { $setter->($value) }
        else                              { DB::set_option($name, $value) }
    }
    return;
}

sub _help {
    print DB::_usage(), "posix_exit=1 completes the profile at POSIX::_exit. `perldoc Devel::NYTProf` explains all.\n";
    exit 0;
}

sub _finish_on_signals {
    my ($value) = @_;
    my @names = $value eq '1' ? qw(INT HUP PIPE BUS SEGV) : map { uc } split /,/, $value;
    my $handler = sub { DB::finish_profile(); exit 1 };
    exists $SIG{$_} and $SIG{$_} = $handler for @names;
    return;
}

# POSIX may be loaded at any time before the program runs; its _exit is replaced before the program runs. Only a string
# keeps the INIT block from being compiled, and perl from complaining about it, where the option is not used.
## no critic (BuiltinFunctions::ProhibitStringyEval)
sub _finish_on_posix_exit {
    my ($value) = @_;
    return if !$value;
    eval q{
        INIT {
            if (my $exit = defined &POSIX::_exit && \&POSIX::_exit) {
                no warnings 'redefine';
                *POSIX::_exit = sub { DB::finish_profile(); $exit->(@_) };
            }
        }
        1;
    } or die $@;
    return;
}
## use critic

BEGIN { $^W = $warn }    ## no critic (Variables::RequireLocalizedPunctuationVars)
1;

__END__

=head1 NAME

Devel::NYTProf::Core - load the C part of the profiler and read the variable NYTPROF

=head1 DESCRIPTION

This module defines the functions of package C<DB> that L<Devel::NYTProf> describes, and passes each C<name=value> of
the environment variable C<NYTPROF> to C<DB::set_option>. It does not start profiling.

=head1 SEE ALSO

L<Devel::NYTProf>

=cut
