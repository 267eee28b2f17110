# SPDX-License-Identifier: MIT
# A small program that loads a large library: a web application of three routes answers one request.
use strict;
use warnings;

use Mojolicious::Lite -signatures;

get '/' => sub ($c) { $c->render(template => 'index') };
get '/json' => sub ($c) { $c->render(json => { list => [1 .. 10] }) };
get '/text/:name' => sub ($c) { $c->render(text => 'Hello ' . $c->param('name')) };

app->log->level('fatal');
app->start('get', '/');

__DATA__

@@ index.html.ep
% for my $i (1 .. 20) {
  <p><%= link_to "Number $i" => '/' %></p>
% }
