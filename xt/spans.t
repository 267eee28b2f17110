# SPDX-License-Identifier: MIT
# Spans of requests: Devel::NYTProf::Plack in Starman and Devel::NYTProf::Mojolicious in its daemon, with requests over
# HTTP. Wants Debian's packages libplack-perl, starman and libmojolicious-perl.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP qw(decode_json);
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Capture qw(nytprof);
use Run qw(under_profiler);
use Server qw(ask free_port start stop);
use Tree qw(spew);

my @lib     = grep {/^-I/} under_profiler();
my @samples = (@lib, '-MDevel::NYTProf::Sample=hz,100');

my $PSGI = <<'END';
use Plack::Builder;
my @head = ('Content-Type' => 'text/plain');
my %app = (
    plain => sub { [ 200, [@head], ['plain'] ] },
    slow => sub { select undef, undef, undef, 0.2; [ 200, [@head], ['slow'] ] },
    later => sub { sub { select undef, undef, undef, 0.1; $_[0]->([ 200, [@head], ['later'] ]) } },
    pieces => sub { sub {
        my $to = $_[0]->([ 200, [@head] ]);
        for (1 .. 3) { select undef, undef, undef, 0.1; $to->write('piece ') }
        $to->close;
    } },
    dies => sub { die "oh\n" },
);
builder {
    enable '+Devel::NYTProf::Plack', $ENV{BY} ? (name => sub { $_[0]{HTTP_HOST} ? 'by host' : 'none' }) : ();
    sub { my ($env) = @_; my ($word) = $env->{PATH_INFO} =~ m{^/(\w+)}; $app{$word}->($env) };
};
END

my $MOJO = <<'END';
use Mojolicious::Lite;
plugin 'Devel::NYTProf::Mojolicious', $ENV{BY} ? { name => sub { 'by host' } } : ();
get '/plain/:id' => { text => 'plain' };
get '/slow' => sub { select undef, undef, undef, 0.2; shift->render(text => 'slow') };
get '/later' => sub { my $c = shift->render_later; Mojo::IOLoop->timer(0.1 => sub { $c->render(text => 'later') }) };
get '/pieces' => sub {
    my ($c, $n) = (shift, 0);
    $c->render_later;
    my $next; $next = sub {
        my $again = $next;
        Mojo::IOLoop->timer(0.1 => sub { $n++ < 3 ? $c->write_chunk('piece ' => $again) : $c->write_chunk('') });
    };
    $next->();
};
get '/dies' => sub { die "oh\n" };
app->log->level('fatal');
app->start;
END

my %server = (
    Plack => [ 'app.psgi', $PSGI, TERM => sub { ('/usr/bin/starman', '--workers', 2, '--port', $_[0], 'app.psgi') } ],
    Mojolicious => [ 'app.pl', $MOJO, TERM => sub { ('app.pl', 'daemon', '-l', "http://127.0.0.1:$_[0]") } ],
);
for my $name (sort keys %server) {
    for my $switches ([], \@samples, [ @lib, '-d:NYTProf' ]) {
        my $title = "$name, " . ($switches->[-1] // 'bare');
        my ($answers, $spans) = served($name, $switches);
        is $answers, 'plain plain slow later piece piece piece 500', "$title: answers";
        next if !@$switches;
        is join(' ', map {"$_ $spans->{$_}{count}"} sort keys %$spans),
            'GET /dies 1 GET /later 1 GET /pieces 1 GET /plain/* 2 GET /slow 1', "$title: a span of each request";
        my %least = ('GET /slow' => 0.2, 'GET /later' => 0.1, 'GET /pieces' => 0.3);
        cmp_ok $spans->{$_}{longest} / 1e9, '>=', $least{$_} - 0.002, "$title: $_ as a whole" for sort keys %least;
    }
    local $ENV{BY} = 1;
    my (undef, $spans) = served($name, \@samples);
    is join(' ', map {"$_ $spans->{$_}{count}"} sort keys %$spans), 'by host 6', "$name: names of one's own";
}
done_testing;

# The answers to six requests, and the spans of all processes by name.
sub served {
    my ($name, $switches) = @_;
    my ($file, $text, $signal, $command) = @{ $server{$name} };
    my ($port, $dir) = (free_port(), tempdir(CLEANUP => 1));
    spew("$dir/$file", $text);
    local $ENV{NYTPROF} = 'addpid=1:sigexit=term';
    my $server  = start($dir, $port, $^X, @$switches, (@$switches ? () : @lib), $command->($port));
    my @answers = map { ask($server, "/$_") =~ s/^(500) .*/$1/sr =~ s/\s+\z//r } qw(plain/1 plain/23), 'slow', 'later',
        'pieces', 'dies';
    stop($server, $signal);
    my @files = glob "$dir/nytprof.out*";
    my %spans;
    for my $capture (@files) {
        for my $span (@{ decode_json((nytprof('json', $capture))[0])->{spans} }) {
            my $to = $spans{ $span->{name} } //= { count => 0, longest => 0 };
            $to->{count} += $span->{count};
            $to->{longest} = $span->{longest} if $span->{longest} > $to->{longest};
        }
    }
    return ("@answers", \%spans);
}
