# SPDX-License-Identifier: MIT
package EachRequest;

# A Plack middleware that gives every request a profile of its own, as Plack::Middleware::Profiler::NYTProf does.

use strict;
use warnings;

use parent 'Plack::Middleware';

my $requests = 0;

sub prepare_app {
    $ENV{NYTPROF} //= 'start=no';
    require Devel::NYTProf;
    return;
}

sub call {
    my ($self, $env) = @_;
    DB::enable_profile("request.$$." . $requests++);
    my $response = $self->app->($env);
    DB::disable_profile();
    DB::finish_profile();
    return $response;
}

1;
