# SPDX-License-Identifier: MIT
package Exports;

# What the tests of exports have in common: captures of each kind, what `nytprof` makes of them, and the programs of
# others that read it. A program that is missing makes a test fail, as .ci/run installs all of them.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use List::Util qw(sum0);

use Browser ();
use Lua qw(lua_command);
use Npm qw(alone cache packages);
use Pages qw(run);
use Run qw(captures_in under_profiler);
use Tree qw(slurp);

our @EXPORT_OK =
    qw(capture captures export go_pprof in_session nanoseconds node_script node_packages scratch wants works);

my $TOP     = abs_path(dirname(__FILE__) . '/../..');
my $SCRATCH = tempdir(CLEANUP => 1);

sub scratch { return $SCRATCH }

# --- captures --------------------------------------------------------------------------------------------------------

my $PROGRAMS = "$TOP/xt/exports";
my %make = (
    (map { my $name = $_; $name => sub { fixture($name, @_) } } qw(calls hostile zero)),
    (map { my $part = $_; $part => sub { perl({}, $part, @_) } } qw(evals recursion processes)),
    perl       => sub { perl({}, '', @_) },
    ordered    => sub { perl({ calls => 2 }, 'classes evals recursion', @_) },    # calls in their order
    five       => sub { perl({ format => 5, compress => 0 }, '', @_) },    # Devel::NYTProf's own format
    lua        => sub { lua({}, @_) },
    memory     => sub { lua({ memory => 1 }, @_) },                       # has metrics
    perlcritic => sub { Browser::perlcritic(@_) // die "perlcritic is missing: see step exports of .ci/run\n" },
);

# NYTPROF_EXPORTS is a directory that keeps the captures for other tests, so that perlcritic is profiled only once.
my $CAPTURES = $ENV{NYTPROF_EXPORTS} || "$SCRATCH/captures";

# The names of all captures. `zero` has no time in it.
sub captures { my @names = sort keys %make; return @names }

# The files of the capture of that name: several if there were several processes.
sub capture {
    my ($name) = @_;
    my $dir = "$CAPTURES/$name";
    mkdir $CAPTURES;
    alone($CAPTURES, sub { -d $dir || make($name, $dir) });
    my @files = glob "$dir/*.out $dir/*.out.*";
    return @files ? @files : die "$name: $dir has no capture\n";
}

sub make {
    my ($name, $dir) = @_;
    mkdir "$dir.$$" or die "$dir.$$: $!\n";
    $make{$name}->("$dir.$$");
    rename "$dir.$$", $dir or die "$dir: $!\n";
    return;
}

# build/t/fixture writes all of its captures.
sub fixture {
    my ($name, $dir) = @_;
    works("$TOP/build/t/fixture", $dir);
    unlink grep { $_ ne "$dir/$name.out" } glob "$dir/*.out";
    return;
}

sub perl {
    my ($options, $part, $dir) = @_;
    my $run = Run::run(undef, dir => $dir, options => $options,
        command => [ $^X, under_profiler(), "$PROGRAMS/program.pl", split ' ', $part ]);
    $run->{exit} == 0 or die "program.pl: $run->{err}\n";
    return;
}

sub lua {
    my ($options, $dir) = @_;
    wants('lua5.4');
    my $run = Run::run(undef, dir => $dir,
        command => [ lua_command('5.4', { file => 'nytprof.out', %$options }, "$PROGRAMS/program.lua") ]);
    $run->{exit} == 0 or die "program.lua: $run->{err}\n";
    return;
}

# --- what becomes of them --------------------------------------------------------------------------------------------

my $exports = 0;

# export(REPORT, OPTIONS..., CAPTURES...) is the name of the file, or directory, that `nytprof REPORT` writes.
sub export {
    my ($report, @arguments) = @_;
    my $out = "$SCRATCH/" . ++$exports . ".$report";
    works("$TOP/build/nytprof", $report, '-o', $out, @arguments);
    return $out;
}

# The time of captures in nanoseconds: the sum of the folded stacks.
sub nanoseconds {
    my (@captures) = @_;
    return sum0(map {/ (\d+)$/} split /\n/, slurp(export('folded', @captures)));
}

# --- other programs --------------------------------------------------------------------------------------------------

# Runs a command and returns what it prints; dies, with all that it says, if it fails.
sub works {
    my (@command) = @_;
    wants($command[0]);
    my ($status, $out, $err) = run(@command);
    $status == 0 or die "@command: exit status $status\n$out$err\n";
    return $out;
}

# Dies unless these programs are installed: names, or paths.
sub wants {
    my @missing = grep { !(m{/} ? -x : Npm::program($_)) } @_;
    @missing == 0 or die "not installed: @missing; see step exports of .ci/run\n";
    return;
}

# The directory with the packages of xt/exports/package.json in its node_modules. The packages are pinned and run on
# an older node than one of them says, and no script of theirs is run.
sub node_packages {
    wants('node', 'npm');
    return packages('nytprof-exports', "$TOP/xt/exports/package.json", '--force', '--ignore-scripts')
        // die "npm cannot get the packages of xt/exports/package.json\n";
}

# Runs a script of xt/exports/ and returns what it prints. It finds its packages below NYTPROF_PACKAGES, and the browser
# in CHROMIUM.
sub node_script {
    my ($script, @arguments) = @_;
    local $ENV{NYTPROF_PACKAGES} = node_packages();
    local $ENV{CHROMIUM} = Npm::program(qw(chromium chromium-browser google-chrome)) // wants('chromium');
    return works('timeout', '300', 'node', "$TOP/xt/exports/$script", @arguments);
}

# in_session(FILE, FUNCTION) loads a profile into a session of profiler-cli, calls the function with one that runs a
# command of the session and returns what it prints, and ends the session. The program gives the session half a second
# to start, which is too little on a busy machine; then it tells the process, which goes on to start.
my $sessions = 0;

sub in_session {
    my ($file, $ask) = @_;
    my @cli = ('env', "HOME=$SCRATCH", 'node', node_packages() . '/node_modules/.bin/profiler-cli');
    my $session = "nytprof-$$-" . ++$sessions;
    my ($status, @said) = run('timeout', '120', @cli, 'load', $file, '--session', $session);
    my ($starting) = "@said" =~ /still be running as pid (\d+)/;
    for (my $try = 1; $status && $starting && $try <= 60; $try++) {
        sleep 1;
        ($status) = run('timeout', '60', @cli, 'thread', 'list', '--session', $session);
    }
    kill 'TERM', $starting if $status && $starting;
    $status == 0 or die "profiler-cli cannot load $file: @said\n";
    my $done = eval { $ask->(sub { works(@cli, @_, '--session', $session) }); 1 };
    my $why = $@;
    works(@cli, 'stop', $session);
    return $done || die $why;
}

# Go's pprof, compiled from Debian's package of its source and kept in the user's cache.
sub go_pprof {
    my $source = '/usr/share/gocode/src/github.com/google/pprof';
    my $cache  = cache('nytprof-exports');
    my $pprof  = "$cache/pprof";
    my $build  = "cd $source && GO111MODULE=off GOPATH=/usr/share/gocode exec go build -o '$pprof' .";
    wants('go');
    alone($cache, sub { -x $pprof && -M _ < -M $source || works('sh', '-c', $build) });
    return $pprof;
}

1;
