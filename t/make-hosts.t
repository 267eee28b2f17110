# SPDX-License-Identifier: MIT
# Builds on several hosts, each with a clock and a capture of its own, and their captures merged: one tree on one line
# of time.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/lib";
use Build qw($NYTPROF clean in records);
use Builds qw(began capture ended stream $EPOCH);
use Capture qw(chunk nytprof);
use Tree qw(slurp spew which);

my $dir = tempdir(CLEANUP => 1);
local $ENV{TZ} = 'UTC';
clean();

# The processes of a capture, by their commands: { command => { ... } }, each with the command of its parent.
sub processes {
    my ($file) = @_;
    my ($json, $err, $exit) = nytprof('json', $file);
    is "$err$exit", '0', 'it has a report';
    my $all = JSON::PP->new->latin1->decode($json)->{processes};
    $_->{above} = defined $_->{parent} ? $all->[ $_->{parent} ]{command}[-1] : undef for @$all;
    return { map { ($_->{command}[-1] => $_) } @$all };
}

sub merge {
    my ($to, @files) = @_;
    my (undef, $err, $exit) = nytprof('merge', '-o', $to, @files);
    is "$err$exit", '0', "they are merged: $to" =~ s/\Q$dir\E.//r;
    return;
}

# --- two hosts --------------------------------------------------------------------------------------------------------

# Thousands of recipes on one host, the 1500th of which starts a build on another one, whose clock is another.
sub host_a {
    my $records = began(1, 1, 0, [qw(make)]);
    my @chunks;
    for my $i (1 .. 3000) {
        my $at = 1 + $i / 100;
        $records .= began($at, 1 + $i, 1, $i == 1500 ? 'ssh b' : "cc a$i");
        $records .= ended($at + ($i == 1500 ? 12 : 0.004), 1 + $i, $at, 0.5, 0.25) if $i != 1500;
        $records .= ended(28, 1501, 16, 0.5, 0.25) if $i == 2700;
        push @chunks, $records and $records = '' if $i % 50 == 0;
    }
    return @chunks, ended(40, 1, 1, 1500, 750);
}

# That build begins so many seconds after what starts it, by real time.
sub host_b {
    my ($after) = @_;
    my $epoch = $EPOCH - 999_984 + $after;    # its clock is at a million when that of the other one is at 16
    my @chunks = (stream('b', 'launcher', $epoch) . began(1_000_000, 1501, 16, [qw(make b)]));
    for my $i (1 .. 1000) {
        my $at = 1_000_000 + $i / 100;
        push @chunks, began($at, 1501 + $i, 1_000_000, "cc b$i") . ended($at + 0.002, 1501 + $i, $at, 1, 1);
    }
    return @chunks, ended(1_000_010.5, 1501, 1_000_000, 1001, 1001);
}

sub hosts {
    my ($name, $after) = @_;
    my ($first, @a) = host_a();
    spew("$dir/$name.a", capture(stream('a', 'launcher') . $first, @a));
    my $n = 0;
    spew("$dir/$name.b", "NYTProf capture 1\n"
        . join '', map { chunk($_, front_end => 5, run => 'b' x 16, number => ++$n) } host_b($after));
    return map {"$dir/$name.$_"} qw(a b);
}

my ($on_a, $on_b) = hosts('right', 0.25);
my ($alone) = nytprof('build', '-t', $on_b);
like $alone, qr/^processes +1001, /m, 'the build on the other host';
unlike $alone, qr/^(?:missing|hosts)/m, 'lacks nothing alone, though it is part of another one';
for my $order ([ $on_a, $on_b ], [ $on_b, $on_a ]) {
    merge("$dir/both", @$order);
    my ($text) = nytprof('build', '-t', "$dir/both");
    like $text, qr/^processes +4002, failed 0, killed 0$/m, 'with all processes of both';
    like $text, qr/^hosts +2, each by the real time of its clock$/m, 'and told to be of two hosts';
    unlike $text, qr/^(?:missing|not merged|doubtful)/m, 'each below its parent';
    like $text, qr/^started +2014-05-13 16:53:21 .*\nduration +39\.000 s$/m, 'on one line of time';
    unlike $text, qr/used more/, 'whose CPU time is not in that of a process of another host';
    my $process = processes("$dir/both");
    is_deeply [ map { $process->{$_}{above} } 'b', 'cc b1000', 'cc a7', 'ssh b' ], [ 'ssh b', 'b', 'make', 'make' ],
        'the build of the other host is below the recipe that has started it';
    my ($after, $before) = map { $process->{$_}{began_ns} } 'b', 'ssh b';
    is sprintf('%.3f', ($after - $before) / 1e9), '0.250', 'and begins when it did';
    is_deeply [ map { $process->{$_}{serial} } 'ssh b', 'b' ], [ 0, 0 ], 'one pid on two hosts is of two processes';
    is_deeply [ map { $process->{'ssh b'}{$_} } qw(own_user_us own_system_us) ], [ 500_000, 250_000 ],
        'which has its own time for itself';
}
my ($timeline) = nytprof('build', "$dir/both");
is $timeline =~ /<=1501:0$/m && $timeline =~ /[|] b(?: |$)/m, 1, 'the timeline names hosts';

# Written one behind the other they are not in the order of time.
for my $order ([ $on_a, $on_b ], [ $on_b, $on_a ]) {
    spew("$dir/cat", join '', map { slurp($_) } @$order);
    like +(nytprof('build', '-t', "$dir/cat"))[0],
        qr/^not merged +captures one behind the other: `nytprof merge` of them finds all parents$/m,
        'captures one behind the other are told';
    my ($json) = nytprof('json', "$dir/cat");
    like $json, qr/"\d+ process(?:es)? began before the end of a capture ahead\b.*: nytprof merge of both/, 'and noted';
}

# A clock that is behind: what a process starts does not begin before it does.
merge("$dir/behind", hosts('behind', -0.5));
like +(nytprof('build', '-t', "$dir/behind"))[0], qr/^hosts +2, each by .*, one set forward by 0\.500 s$/m,
    'a clock that is half a second behind is told';
my $process = processes("$dir/behind");
is $process->{b}{above}, 'ssh b', 'and the parent is found';
is $process->{b}{began_ns} - $process->{'ssh b'}{began_ns}, 1, 'which begins first';
is $process->{'cc b1'}{began_ns} - $process->{b}{began_ns}, 10_000_000, 'times of one host move together';
nytprof('html', '-o', "$dir/behind.html", "$dir/behind");
is slurp("$dir/behind.html/index.html") =~ /50[01] milliseconds were added to the times of a host/, 1,
    'the page tells it';

# Hostile ones: each is the other's parent, over and over.
my $circle = capture(stream('a', 'preload') . join('', map { began($_, $_, 1000 + $_, "a$_") } 1 .. 400),
    stream('b', 'preload') . join('', map { began(1000 + $_, $_, $_, "b$_") } 1 .. 400));
my ($out, $err, $exit) = nytprof('build', '-t', \$circle);
is "$err$exit", '0', 'parents in circles come to an end';
like $out, qr/^processes +800, /m, 'and nothing is lost';

# --- builds in builds -------------------------------------------------------------------------------------------------

SKIP: {
    skip 'make is not installed', 6 if $^O ne 'linux' || !which('make');
    my $apart = qx(unshare -u sh -c 'hostname elsewhere && uname -n' 2>/dev/null) eq "elsewhere\n"
        ? "unshare -u sh -c 'hostname elsewhere && " : "sh -c '";
    my $inner = "$NYTPROF make -o $dir/inner.build make -f $dir/inner.mk inside";
    spew("$dir/outer.mk", "all: ; \@${apart}exec $inner'\n");
    spew("$dir/inner.mk", "inside: ; \@: deep; :\n");
    is in($dir, $NYTPROF, 'make', '-o', "$dir/outer.build", 'make', '-f', 'outer.mk')->{status}, 0, 'nested builds';
    my ($outermost) = sort { $a->{start} <=> $b->{start} } records("$dir/inner.build", 'process');
    ok((grep { $_->{start} == $outermost->{parent} } records("$dir/outer.build", 'process')),
        'names the process of the other one that has started it');
    unlike +(nytprof('build', '-t', "$dir/inner.build"))[0], qr/^missing/m, 'which alone it does not miss';
    merge("$dir/nested", "$dir/inner.build", "$dir/outer.build");
    my @all = values %{ processes("$dir/nested") };
    is scalar(grep { !defined $_->{above} } @all), 1, 'merged they are one tree' or diag explain \@all;
}

done_testing;
