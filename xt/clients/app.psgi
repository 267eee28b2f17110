use strict;
use warnings;

use Plack::Builder;

my $app = sub {
    my ($env) = @_;
    require Work;
    my $answer = Work::answer($env->{PATH_INFO});
    return [ defined $answer ? 200 : 404, [ 'Content-Type' => 'text/plain' ], [ $answer // '' ] ];
};
builder {
    enable '+EachRequest' if $ENV{EACH_REQUEST};
    $app;
};
