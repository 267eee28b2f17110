package Devel::NYTProf::Test;

# Programs under test load this and expect to find these lines in their profiles: what runs is on lines 7, 8, 9, 11 and
# 15, and example_sub is on line 13. Therefore no strict, no warnings and no version. The rest is in C, in the core.
## no critic (RequireUseStrict, RequireUseWarnings, ProhibitExplicitISA)

require Devel::NYTProf::Core;
require Exporter;
our @ISA = ('Exporter');

our @EXPORT_OK = qw(example_sub example_xsub example_xsub_eval set_errno);

sub example_sub { }

1;

# SPDX-License-Identifier: MIT

__END__

=head1 NAME

Devel::NYTProf::Test - subs for tests of profilers

=head1 SYNOPSIS

    use Devel::NYTProf::Test qw(example_sub example_xsub);

    example_xsub(0, sub { ... });

=head1 DESCRIPTION

Subs with known behaviour, in Perl and in C, which the tests of profilers call. The first four can be imported; none is
by default.

=head1 FUNCTIONS

=over 4

=item example_sub()

A Perl sub that does nothing.

=item example_xsub($unused, $action, $argument)

A sub written in C. Without an action it does nothing. It calls an action that is a code reference; C<'eval'> makes it
evaluate the argument as Perl, and C<'die'> makes it die with C<example_xsub(die)>.

=item example_xsub_eval()

Evaluates Perl code that calls C<example_xsub>.

=item set_errno($number)

Sets C's C<errno>, which is C<$!>.

=item Devel::NYTProf::Test::ticks_for_usleep($microseconds)

Sleeps and returns the time that it took: C<($ticks, $overflow, $ticks_per_second, $clock_id)>. The overflow is always
0. This works without profiling, too.

=back

=head1 SEE ALSO

L<Devel::NYTProf>

=cut
