use strict;
use warnings;

use Plack::Builder;

my $app = sub {
    my ($env) = @_;
    require Work;
    my $answer = Work::answer($env->{PATH_INFO}) // '';
    my @head   = ('Content-Type' => 'text/plain', 'Content-Length' => length $answer);
    return [ length $answer ? 200 : 404, \@head, [$answer] ];
};
builder {
    enable '+EachRequest' if $ENV{EACH_REQUEST};
    $app;
};
