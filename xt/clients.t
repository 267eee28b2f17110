# SPDX-License-Identifier: MIT
# Real servers under the profiler, with requests over HTTP: answers are correct, every process leaves a whole capture,
# and the captures have the calls that the requests make. Wants Debian's packages libplack-perl, starman,
# libmojolicious-perl, libdancer2-perl, apache2 and libapache2-mod-perl2.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Capture qw(nytprof);
use Dump qw(records);
use Run qw(facts under_profiler);
use Server qw(ask free_port start stop);
use Tree qw(slurp);

my $CLIENTS = "$FindBin::Bin/clients";
my %FIB     = (1 => 1, 2 => 1, 5 => 5, 10 => 55);      # the servers' answers
my %CALLS   = (1 => 1, 2 => 3, 5 => 15, 10 => 177);    # and the calls that each takes

# The command that starts each server, and the signal that ends it after its workers.
my %server = (
    'HTTP::Server::PSGI' => [ TERM => qw(plackup --host 127.0.0.1 --port PORT), "$CLIENTS/app.psgi" ],
    'Starman'      => [ TERM => qw(plackup -s Starman --workers 3 --host 127.0.0.1 --port PORT), "$CLIENTS/app.psgi" ],
    'Dancer2'      => [ TERM => qw(plackup --host 127.0.0.1 --port PORT), "$CLIENTS/dancer.psgi" ],
    'Mojo daemon'  => [ TERM => "$CLIENTS/mojo.pl", qw(daemon -l http://127.0.0.1:PORT) ],
    'Mojo prefork' => [ QUIT => "$CLIENTS/mojo.pl", qw(prefork -w 3 -l http://127.0.0.1:PORT) ],
);

for my $name (sort keys %server) {
    my $whole = serve($name, [under_profiler()], NYTPROF => 'sigexit=term');
    is sum0(fib_calls($whole->{dir}, 'nytprof.out*')), sum0(values %CALLS), "$name: the captures have every call";
}

# Perl loads the profiler before the program, or the program loads it.
for my $name (grep { $_ ne 'Dancer2' } sort keys %server) {
    for my $switches ([under_profiler()], [ grep {/^-I/} under_profiler() ]) {
        my $each = serve($name, $switches, NYTPROF => 'start=no', EACH_REQUEST => 1);
        my @fib = sort { $a <=> $b } fib_calls($each->{dir}, 'request.*');
        is "@fib", '0 1 3 15 177', "$name: each request's calls are in its capture";
        is_deeply [ glob "$each->{dir}/nytprof.out*" ], [], "$name: there is no other one";
    }
}

# Apache with a process for each concurrent request, and with threads in two processes, whose interpreters are clones of
# the first one and have streams of their own.
for my $mpm (qw(prefork worker event)) {
    my $dir = directory_for_all();
    serve_apache($dir, $mpm, NYTPROF => "file=$dir/nytprof.out");
    my @fib = fib_calls($dir, 'nytprof.out.*');
    cmp_ok scalar @fib, '>=', 3, "Apache, $mpm: it and its children have a capture each";
    is sum0(@fib), sum0(values %CALLS), 'with every call';
    is errors($dir), '', 'nothing is complained of';
}

# Sampled by a line of the configuration: each child has a thread and a file of its own, those that come later, too, and
# a report is over all of them. A child that has waited is looked at some eight times a second: so requests are long.
# Children that are idle end well: the server's handler of SIGTERM frees memory, which a second thread forbids.
{
    my $dir     = directory_for_all();
    my $sampler = "-MDevel::NYTProf::Sample=hz,1000,file,$dir/nytprof.out,savesrc,0";
    serve_apache($dir, 'prefork', SWITCHES => $sampler, DEFINES => '-DBARE -DSHORT', ASKED => '/26 ' x 12);
    my @files = glob "$dir/nytprof.out*";
    my @with = grep { sampled_fib($_) } @files;
    cmp_ok scalar @with, '>=', 2, 'Apache, sampled: several children have a profile with what they answered';
    my ($all, $each) = (sampled_fib(@files), sum0(map { sampled_fib($_) } @files));
    # To a nanosecond each, and to what a process knows of the rate of the time-stamp counter.
    cmp_ok abs($all - $each), '<=', @files + 1e-5 * $all, 'and a report over all has the sum';
    is errors($dir), '', 'nothing is complained of';
}

my $dir    = directory_for_all();
my $apache = serve_apache($dir, 'prefork');
my ($named) = errors($dir) =~ m{ file=(/tmp/nytprof\.$apache->{pid}\.out) };
is sum0(fib_calls('/tmp', "nytprof.$apache->{pid}.out.*")), sum0(values %CALLS), 'Apache without NYTPROF: all in /tmp';
ok $named, 'and it says where';
unlink glob "/tmp/nytprof.$apache->{pid}.out.*";

done_testing;

# Starts a server with perl's switches, sends it requests, and ends it.
sub serve {
    my ($name, $switches, %environment) = @_;
    my ($signal, $program, @arguments) = @{ $server{$name} };
    my $port = free_port();
    my ($path) = grep {-e} $program, map {"$_/$program"} split /:/, $ENV{PATH};
    local @ENV{ keys %environment } = values %environment;
    my $server = start(tempdir(CLEANUP => 1), $port, $^X, @$switches, "-I$CLIENTS/lib", $path // $program,
        map { s/PORT/$port/r } @arguments);
    check_answers($server, $name);
    stop($server, $signal);
    return $server;
}

sub serve_apache {
    my ($dir, $mpm, %environment) = @_;
    my $port     = free_port();
    my @switches = ((grep {/^-I/} under_profiler()), "-I$CLIENTS/lib", delete $environment{SWITCHES} // ());
    my @defines  = split / /, delete $environment{DEFINES} // '';
    my @asked    = split / /, delete $environment{ASKED}   // '';
    delete local $ENV{NYTPROF};
    local @ENV{qw(DIR PORT MPM PERL_SWITCHES)} = ($dir, $port, $mpm, "@switches");
    local @ENV{ keys %environment } = values %environment;
    my $server = start($dir, $port, '/usr/sbin/apache2', '-f', "$CLIENTS/apache.conf", '-DFOREGROUND',
        @defines);
    check_answers($server, "Apache, $mpm");
    ask($server, $_) for @asked;
    sleep 1 if @asked;
    is stop($server, 'TERM'), 0, 'ends well';
    return $server;
}

# Nanoseconds of paths through fib in the report on these files.
sub sampled_fib {
    my (@files) = @_;
    my ($out) = nytprof('folded', @files);
    return sum0(map {/^\S*\bWork::fib.* (\d+)$/ ? $1 : ()} split /\n/, $out);
}

# The messages of Apache and its children, without those of its start and end.
sub errors {
    my ($dir) = @_;
    return join '', map {s/^.*:notice\].*\n//mgr} map { slurp($_) } "$dir/server.log", "$dir/error.log";
}

# Children of Apache run as another user, without rights to this directory.
sub directory_for_all {
    my $dir = tempdir(CLEANUP => 1);
    chmod 0777, $dir or die "$dir: $!\n";
    return $dir;
}

sub check_answers {
    my ($server, $name) = @_;
    is ask($server, "/$_"), "$FIB{$_}\n", "$name: fib($_)" for sort { $a <=> $b } keys %FIB;
    like ask($server, '/none'), qr/^404 /, "$name: not found";
    return;
}

# The number of calls of fib in each of the captures that a pattern names. All have to be complete.
sub fib_calls {
    my ($dir, $pattern) = @_;
    return map { is_complete($_); facts({ dir => $dir }, $_)->{sub}{'Work::fib'}{calls} // 0 } glob "$dir/$pattern";
}

sub is_complete {
    my ($capture) = @_;
    my ($last) = reverse grep { $_->{kind} ne 'chunk' } records($capture);
    return is $last->{kind}, 'end', $capture =~ s{.*/}{}r . ' is complete';
}
