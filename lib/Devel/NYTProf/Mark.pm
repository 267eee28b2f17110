# SPDX-License-Identifier: MIT
package Devel::NYTProf::Mark;

use strict;
use warnings;

our $VERSION = '1.00';

my $nothing = sub { };
my $idle    = bless \my $none, 'Devel::NYTProf::Mark::Idle';

# What the profiler has not defined does nothing.
{
    no warnings 'once';    ## no critic (ProhibitNoWarnings)
    *DB::mark  = $nothing       if !defined &DB::mark;
    *DB::count = $nothing       if !defined &DB::count;
    *DB::span  = sub { $idle } if !defined &DB::span;
    *mark      = \&DB::mark;
    *count     = \&DB::count;
    *span      = \&DB::span;
    *Devel::NYTProf::Mark::Idle::end = $nothing;
}

my %exported = map { ($_ => \&{$_}) } qw(mark count span);    ## no critic (ProhibitNoStrict)

# Digits, or hexadecimal digits as digests and UUIDs have them: ids, of which there are too many for names.
my $id = qr/\d+|[0-9a-f-]{16,}/i;

sub request {
    my ($method, $path) = map { $_ // '' } @_;
    return "$method " . ($path =~ s{/$id(?=/|\z)}{/*}gr || '/');
}

sub import {
    my ($class, @names) = @_;
    my $package = caller;
    for my $name (@names) {
        my $code = $exported{$name};
        if (!$code) {
            require Carp;
            Carp::croak("$class has no function $name; expected mark, count or span");
        }
        no strict 'refs';    ## no critic (ProhibitNoStrict)
        *{"${package}::$name"} = $code;
    }
    return;
}

1;

__END__

=head1 NAME

Devel::NYTProf::Mark - marks, counts and spans of a program, for its profile

=head1 SYNOPSIS

    use Devel::NYTProf::Mark qw(mark count span);

    mark('loaded');                     # a moment
    count('rows', scalar @rows);        # a number, summed up
    my $span = span('GET /cart');       # a stretch of time, up to the end of this scope
    $span->end;                         # or up to here

=head1 DESCRIPTION

Tells the profiler what a program is doing, and does nothing without the profiler. This module is one file of pure Perl
without dependencies, so that a program or distribution may bring its own copy, and call the functions unconditionally:
without L<Devel::NYTProf> or L<Devel::NYTProf::Sample> a call is one of an empty sub. The profiler has to be loaded
before this module, as C<perl -d:NYTProf> and C<perl -MDevel::NYTProf::Sample> do.

The functions are also there as C<DB::mark>, C<DB::count> and C<DB::span>, which the profiler itself defines.

C<nytprof spans> prints what they have recorded, and C<nytprof json> has it, too.

=head1 FUNCTIONS

Each is exported if it is asked for. Names are strings of any bytes, of which the first 200 count; the name of a
reference is its class or type. Memory is bounded: beyond a thousand names spans and counts have the name C<(other
names)>, and beyond a thousand marks they are a count C<(other marks)>. While profiling is off nothing is recorded.

=over 4

=item C<mark(NAME)>

A moment: C<loaded>, C<begins to serve>.

=item C<count(NAME, N)>, C<count(NAME)>

Adds the integer I<N>, or 1, to the sum of that name.

=item C<span(NAME)>

Returns an object; the span lasts until that is freed, or until its method C<end> is called, whatever comes first. Spans
may overlap and contain each other. Of all spans of a name the profile has their number, their time, how their lengths
are distributed (in steps of 6 %), and the longest of each window with the time of day. A million of them take as much
of the file as ten.

Times are those of the clock. With C<-d:NYTProf> they include the cost of the profiler, which makes many programs two or
three times as slow; with L<Devel::NYTProf::Sample> there is next to none.

A span counts in the process in which it began: a forked child, and a thread, which get a copy of the object, record
nothing when that is freed.

=item C<Devel::NYTProf::Mark::request(METHOD, PATH)>

Returns a name for the span of a request: method and path, with C<*> for parts of the path that are numbers or other
ids: C<GET /cart/*>. L<Devel::NYTProf::Plack> and L<Devel::NYTProf::Mojolicious> make spans of all requests of an
application. It is not exported.

=back

=head1 SEE ALSO

L<Devel::NYTProf>, L<Devel::NYTProf::Plack>, L<Devel::NYTProf::Mojolicious>, L<nytprof>

=cut
