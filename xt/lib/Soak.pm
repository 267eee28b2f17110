# SPDX-License-Identifier: MIT
package Soak;

# Servers for xt/soak.pl: how each is started, bare and profiled, and what its processes use.

use strict;
use warnings;

use Exporter 'import';
use File::Temp qw(tempdir);
use POSIX ();

use Profiled qw($TOP);
use Run qw(under_profiler);
use Server qw(free_port start stop);
use Tree qw(slurp which);

our @EXPORT_OK = qw(servers launch finish usage calls loader);

my $CLIENTS = "$TOP/xt/clients";
my @INCLUDE = ((grep {/^-I/} under_profiler()), "-I$CLIENTS/lib");
my $WORKERS = 2;

# For each server: the command bare and profiled, the requests that it answers at the same time, the start of its
# paths, the sub that is counted and the calls of it that /N takes.
my %PERL = (connections => $WORKERS, plain => '/', eval => '/eval/', sub => 'Work::fib',
    calls => { 1 => 1, 2 => 3, 5 => 15, 10 => 177 });
my %LUA = (connections => $WORKERS, sub => 'fib', calls => { 1 => 1, 2 => 1, 5 => 9, 10 => 109 });
my @RUN = ("$TOP/build/nytprof", 'run', '-o', 'nytprof.out');
my %SERVER = (
    prefork => { %PERL, is_sampled => 1, command => sub { perl($_[0], "$CLIENTS/prefork.pl", 'PORT', $WORKERS) } },
    starman => { %PERL, is_sampled => 1, needs => 'starman', command => \&starman },
    'mod_perl-prefork' => { %PERL, needs => 'apache2', command => \&apache, mpm => 'prefork' },
    'mod_perl-worker'  => { %PERL, needs => 'apache2', command => \&apache, mpm => 'worker' },
    prosody  => { %LUA, needs => 'prosody', plain => '/fib/now/', eval => '/fib/eval/', command => \&prosody },
    lighttpd => { %LUA, needs => 'lighttpd', plain => '/', eval => '/eval/', command => \&lighttpd },
);

sub servers { my @names = sort keys %SERVER; return @names }

# How: empty for bare, 'exact' or 'sampled'.
sub perl {
    my ($how, @program) = @_;
    my %switch = (exact => '-d:NYTProf', sampled => '-MDevel::NYTProf::Sample');
    return ($^X, @INCLUDE, $switch{$how} // (), @program);
}

sub starman {
    my ($how) = @_;
    return perl($how, which('plackup'), qw(-s Starman -E deployment --max-requests 1000000000 --workers), $WORKERS,
        qw(--host 127.0.0.1 --port PORT), "$CLIENTS/app.psgi");
}

sub apache {
    my ($profiled) = @_;
    return ('/usr/sbin/apache2', '-f', "$CLIENTS/apache.conf", '-DFOREGROUND', $profiled ? () : '-DBARE');
}

sub prosody {
    my ($profiled) = @_;
    return ($profiled ? (@RUN, '--') : (), qw(prosody -F --config), "$CLIENTS/prosody.cfg.lua");
}

# Debian's lighttpd has Lua's shared library.
sub lighttpd {
    my ($profiled) = @_;
    return ($profiled ? (@RUN, '--preload', '--') : (), qw(/usr/sbin/lighttpd -D -f), "$CLIENTS/lighttpd.conf");
}

# Starts a server of a kind: plain, eval with string evals (or loads) in each request, or sampled, whose requests are
# those of plain; with these options of NYTPROF. With one arena of malloc's memory that is no longer used is not hidden
# in those of threads.
sub launch {
    my ($name, $kind, $profiled, @options) = @_;
    my $is_sampled = $kind eq 'sampled';
    my $mode = !$profiled ? '' : $is_sampled ? 'sampled' : 'exact';
    my $how = $SERVER{$name} // die "no server is called $name; there are: @{[ servers() ]}\n";
    die "$name is not sampled by a switch of perl's\n" if $is_sampled && !$how->{is_sampled};
    my $dir = tempdir(CLEANUP => 1);
    chmod 0777, $dir or die "$dir: $!\n";    # Apache's children run as another user
    my $port = free_port();
    unshift @options, "file=$dir/nytprof.out", 'sigexit=term' if $how->{sub} ne 'fib';
    local @ENV{qw(DIR PORT CLIENTS MPM PERL_SWITCHES NYTPROF)}
        = ($dir, $port, $CLIENTS, $how->{mpm} // '', "@INCLUDE", join(':', @options));
    local @ENV{qw(MALLOC_ARENA_MAX PATH)} = (1, "$ENV{PATH}:/usr/sbin");
    my $server = start($dir, $port, map { $_ eq 'PORT' ? $port : $_ } $how->{command}->($mode));
    return { %$server, %$how, name => $name, prefix => $how->{$kind} // $how->{plain} };
}

sub finish { my ($server) = @_; return stop($server, 'TERM') }

# Kilobytes, open descriptors, seconds of CPU and number of the processes of a server, which are a process group, and
# the size of its profiles; kilobytes and seconds also by process.
sub usage {
    my ($server) = @_;
    my %sum = (rss => 0, descriptors => 0, cpu => 0, processes => 0, bytes => 0, by => {});
    for my $process (glob '/proc/[0-9]*') {
        my $stat = eval { slurp("$process/stat") } // next;
        my @field = split ' ', $stat =~ s/.*\) //sr;    # from the third one on
        next if $field[2] != $server->{pid};
        opendir my $fds, "$process/fd" or next;
        $sum{processes}++;
        $sum{descriptors} += () = grep {/^\d/} readdir $fds;
        my %used = (
            cpu => ($field[11] + $field[12]) / POSIX::sysconf(POSIX::_SC_CLK_TCK()),
            rss => $field[21] * POSIX::sysconf(POSIX::_SC_PAGESIZE()) / 1024,
        );
        $sum{$_} += $used{$_} for keys %used;
        $sum{by}{$process} = \%used;
    }
    $sum{bytes} += -s for glob "$server->{dir}/nytprof.out*";
    return \%sum;
}

# Calls of the server's counted sub in all of its profiles, which are 0 in samples, and those that are not whole.
my $READER = <<'PERL';
use Devel::NYTProf::Data;
my ($sub, @files) = @ARGV;
open STDERR, '>', '/dev/null';    # notes on the number of evals
for my $file (@files) {
    my $subs = Devel::NYTProf::Data->new({ filename => $file, quiet => 1 })->subname_subinfo_map;
    $calls += $_->calls for grep { $_->subname =~ /^\Q$sub\E(?:\[|$)/ } values %$subs;
}
print $calls // 0;
PERL

sub calls {
    my ($server) = @_;
    my @files = grep { !/\.sources$/ } glob "$server->{dir}/nytprof.out*";
    my @broken = grep { qx{$TOP/build/nytprof info $_ 2>&1} !~ /^whole *yes/m } @files;
    open my $in, '-|', $^X, @INCLUDE, '-e', $READER, $server->{sub}, @files or die "perl: $!\n";
    my $calls = <$in>;
    close $in or die "$server->{dir}: the profiles cannot be read\n";
    return ($calls, @broken);
}

# Compiles the sender of requests.
sub loader {
    my $program = tempdir(CLEANUP => 1) . '/load';
    system(qw(cc -std=c11 -O1 -D_GNU_SOURCE -o), $program, "$TOP/xt/soak/load.c") == 0
        or die "load.c does not compile\n";
    return $program;
}

1;
