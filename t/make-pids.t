# SPDX-License-Identifier: MIT
# A pid that is used again in a build: each of its processes has its own begin, end and children, and reports tell them
# apart by a serial.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/lib";
use Build qw($NYTPROF clean in);
use Builds qw(began capture ended stream);
use Capture qw(nytprof);
use Tree qw(spew which);

clean();
my $dir = tempdir(CLEANUP => 1);

# All processes of a pid in the order of their begin.
sub of_pid {
    my ($file, $pid) = @_;
    my ($json, $err, $exit) = nytprof('json', $file);
    is "$err$exit", '0', 'it has a report';
    my $all = JSON::PP->new->latin1->decode($json)->{processes};
    $_->{above} = defined $_->{parent} ? $all->[ $_->{parent} ] : undef for @$all;
    return grep { $_->{pid} == $pid } @$all;
}

# --- a made-up build: an end has the begin that it is of, or the pid alone --------------------------------------------

for my $names (1, 0) {
    my $records = stream('h', 'preload') . began(1, 1, 0, [qw(make)]);
    for my $i (1 .. 5) {
        $records .= began(10 * $i, 41, 1, "make $i", '/', "sub$i") . began(10 * $i + 1, 42, 10 * $i, "cc $i");
        $records .= ended(10 * $i + 2, 42, $names && 10 * $i + 1, 0.1, 0, $i + 10);
        $records .= ended(10 * $i + 3, 41, $names && 10 * $i, 0.2, 0, $i) if $i < 5;
    }
    my $capture = capture($records);
    my @reused  = of_pid(\$capture, 41);
    is_deeply [ map {"$_->{target} $_->{serial} $_->{status} $_->{has_end}"} @reused ],
        [ 'sub1 0 1 1', 'sub2 1 2 1', 'sub3 2 3 1', 'sub4 3 4 1', 'sub5 4 0 0' ], 'each has its own end';
    is_deeply [ map {"$_->{serial} $_->{status} $_->{above}{target}"} of_pid(\$capture, 42) ],
        [ '0 11 sub1', '1 12 sub2', '2 13 sub3', '3 14 sub4', '4 15 sub5' ], 'and its own child';
}

# --- a real one, where pids can be chosen -----------------------------------------------------------------------------

SKIP: {
    my @apart = qw(unshare -Urpf --mount-proc);
    my $last  = '/proc/sys/kernel/ns_last_pid';
    skip 'make is not installed', 1 if $^O ne 'linux' || !which('make');
    skip 'pids cannot be chosen here', 1
        if !which('unshare') || in($dir, @apart, 'sh', '-c', "echo 40 > $last; sh -c 'echo \$\$'")->{out} ne "41\n";
    spew("$dir/reused.mk", "all: r1 r2 r3 r4\nr%: ; -\@echo 40 > $last; : \$\@; exit \$*\n");
    for my $method (qw(preload shell)) {
        my @make = ($NYTPROF, 'make', '--method', $method, '-o', 'x.build', '--', 'make', '-sf', 'reused.mk');
        is in($dir, @apart, @make)->{status}, 0, "$method: a build whose recipes have one pid";
        my ($pid) = $method eq 'preload' ? 41 : 42;
        my @reused = grep { $_->{target} } of_pid("$dir/x.build", $pid);
        cmp_ok scalar(@reused), '>=', 3, 'which is used again';
        is_deeply [ map {"$_->{target} $_->{status}"} @reused ],
            [ map { my ($number) = $_->{target} =~ /(\d+)$/; "r$number $number" } @reused ], 'each has its own end';
        is_deeply [ map { $_->{serial} } @reused ], [ 0 .. $#reused ], 'and a serial';
        like +(nytprof('build', "$dir/x.build"))[0], qr/<=$pid:0\b.*<=$pid:1\b.*<=$pid:2\b/s, 'in the timeline, too';
    }
}

done_testing;
