# SPDX-License-Identifier: MIT
package Devel::NYTProf::Plack;

use strict;
use warnings;

use parent 'Plack::Middleware';

use Devel::NYTProf::Mark;
use Plack::Util::Accessor qw(name);

our $VERSION = '1.00';

my $by_path = sub { my ($env) = @_; return Devel::NYTProf::Mark::request(@{$env}{qw(REQUEST_METHOD PATH_INFO)}) };

# An answer in pieces is a response without a body, whose pieces then pass a filter; the last one is undef.
sub call {
    my ($self, $env) = @_;
    my $span   = DB::span(($self->name || $by_path)->($env));
    my $answer = $self->app->($env);
    return $answer if ref $answer eq 'ARRAY';
    return $self->response_cb($answer, sub {
        my ($response) = @_;
        return $span->end if @$response > 2;
        return sub { $span->end if !defined $_[0]; return $_[0] };
    });
}

1;

__END__

=head1 NAME

Devel::NYTProf::Plack - a span of each request of a PSGI application

=head1 SYNOPSIS

    use Plack::Builder;
    builder {
        enable '+Devel::NYTProf::Plack';
        $app;
    };

    enable '+Devel::NYTProf::Plack', name => sub { my ($env) = @_; "$env->{REQUEST_METHOD} $env->{'my.route'}" };

    $ perl -MDevel::NYTProf::Sample=hz,100 /usr/bin/starman app.psgi
    $ nytprof spans nytprof.out*

=head1 DESCRIPTION

Each request is a span: see L<Devel::NYTProf::Mark>. The profile has how many requests of each name there were, what
half of them, 90 % and 99 % took at most, and the slowest with its time of day. Without the profiler a request costs
one call of an empty sub.

A span begins where the middleware stands, and ends when the application has answered: with the response, or with the
last piece of one that is sent in pieces (C<psgi.streaming>). A handle that is the body is read by the server after
that.

=head1 OPTIONS

=over 4

=item C<name>

A sub that gets the request's environment and returns the name of its span. By default it is method and path, with C<*>
for the parts of the path that are numbers or other ids: C<GET /cart/*>. Beyond a thousand names the others share one.

=back

=head1 SEE ALSO

L<Devel::NYTProf::Mark>, L<Devel::NYTProf::Sample>, L<Devel::NYTProf::Mojolicious>, L<Plack>

=cut
