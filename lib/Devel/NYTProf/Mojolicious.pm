# SPDX-License-Identifier: MIT
package Devel::NYTProf::Mojolicious;

use strict;
use warnings;

use Mojo::Base 'Mojolicious::Plugin';

use Devel::NYTProf::Mark;

our $VERSION = '1.00';

my $by_path = sub { my ($c) = @_; return Devel::NYTProf::Mark::request($c->req->method, $c->req->url->path) };

sub register {
    my ($self, $app, $options) = @_;
    my $name = $options->{name} || $by_path;
    $app->hook(before_dispatch => sub {
        my ($c) = @_;
        my $span = DB::span($name->($c));
        $c->tx->on(finish => sub { return $span->end });
    });
    return;
}

1;

__END__

=head1 NAME

Devel::NYTProf::Mojolicious - a span of each request of a Mojolicious application

=head1 SYNOPSIS

    use Mojolicious::Lite;
    plugin 'Devel::NYTProf::Mojolicious';

    plugin 'Devel::NYTProf::Mojolicious', { name => sub { my ($c) = @_; $c->req->url->path->parts->[0] // '/' } };

    $ perl -MDevel::NYTProf::Sample=hz,100 app.pl daemon
    $ nytprof spans nytprof.out*

=head1 DESCRIPTION

Each request is a span: see L<Devel::NYTProf::Mark>. The profile has how many requests of each name there were, what
half of them, 90 % and 99 % took at most, and the slowest with its time of day. Without the profiler a request costs
two calls of small subs.

A span begins when the application gets the request, before static files and routes, and ends when its transaction is
finished: a response that waits for others, and one that is sent in pieces, is in it as a whole; of a WebSocket the
whole connection is.

=head1 OPTIONS

=over 4

=item C<name>

A sub that gets the controller and returns the name of its span; no route is known yet. By default it is method and
path, with C<*> for the parts of the path that are numbers or other ids: C<GET /cart/*>. Beyond a thousand names the
others share one.

=back

=head1 SEE ALSO

L<Devel::NYTProf::Mark>, L<Devel::NYTProf::Sample>, L<Devel::NYTProf::Plack>, L<Mojolicious>

=cut
