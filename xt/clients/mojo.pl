# SPDX-License-Identifier: MIT
# A Mojolicious::Lite application that profiles between two hooks, as Mojolicious::Plugin::NYTProf does.
use Mojolicious::Lite -signatures;

if ($ENV{EACH_REQUEST}) {
    $ENV{NYTPROF} //= 'start=no';
    require Devel::NYTProf;
    my $requests = 0;
    app->hook(before_routes  => sub ($c) { DB::enable_profile("request.$$." . $requests++) });
    app->hook(after_dispatch => sub ($c) { DB::disable_profile(); DB::finish_profile() });
}

get '/*rest' => sub ($c) {
    require Work;
    my $answer = Work::answer($c->req->url->path);
    $c->render(text => $answer // '', status => defined $answer ? 200 : 404);
};

app->log->level('error');
app->start;
