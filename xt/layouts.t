# SPDX-License-Identifier: MIT
# `nytprof attach` on perls that have no module of this profiler, in root directories of their own, by the table of
# stock perls: bash xt/layouts.sh test, which says in NYTPROF_ROOTS where they are.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use POSIX qw(_exit);
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/../t/lib";
use Capture qw(nytprof);
use Tree qw(slurp spew);

my @roots = split /:/, $ENV{NYTPROF_ROOTS} // '';
plan skip_all => 'NYTPROF_ROOTS is not set: bash xt/layouts.sh test' if !@roots;
plan skip_all => 'needs root' if $>;
my $dir = tempdir(CLEANUP => 1);
die "/tmp/Other.pm: expected none\n" if -e '/tmp/Other.pm';

# Subs with and without frames, a closure, a method, a string eval, and a file that is required.
my %PROGRAM = (
    'prog.pl' => <<'END',
use lib '/tmp';
require Other;
sub sum { my $s = 0;
    $s += $_ % 7 for 1 .. 60_000;
    return $s }
sub sorted { my @s = sort { $a <=> $b } map { $_ * 7 % 1000 } 1 .. 10_000; return }
sub nap { select undef, undef, undef, 0.01 }
my $closure = sub { sum(); sorted() };
my $evaluated = eval 'sub { my $s = 0; $s += $_ for 1 .. 30_000; $s }';
$| = 1;
print "ready\n";
my $end = time + 60;
while (time < $end) {
    $closure->();
    Other->method;
    $evaluated->();
    nap();
}
END
    'Other.pm' => <<'END',
package Other;

sub method {
    my $s = '';
    $s .= chr(65 + $_ % 26) for 1 .. 40_000;
    return inner(\$s);
}
sub inner { my $n = 0; $n++ while ${$_[0]} =~ /B/g; return $n }
1;
END
);
for my $root (map {"$_/root"} @roots) {
    my ($name) = $root =~ m{([^/]+)/root$};
    spew("$root/tmp/$_", $PROGRAM{$_}) for keys %PROGRAM;
    spew('/tmp/Other.pm', $PROGRAM{'Other.pm'});
    my $pid = start($root);
    my (undef, $err, $exit) = nytprof('attach', '--for', 3, '--hz', 200, '-o', "$dir/$name", $pid);
    my ($samples, $lost) = $err =~ /(\d+) samples of process $pid, (\d+) lost/;
    is $exit, 0, "$name: attached" or diag $err;
    kill KILL => $pid;
    waitpid $pid, 0;
    next if $exit;
    cmp_ok $samples, '>=', 100, "$samples samples";
    cmp_ok $lost, '<=', $samples / 50, "$lost lost";
    my $capture = "$dir/$name.$pid";
    my ($info) = nytprof('info', $capture);
    my ($version) = $info =~ /^interpreter +(perl \S+)$/m;
    ok $version, 'with the version of that perl';
    diag "$name: $version, $samples samples, $lost lost";
    like $info, qr/^whole +yes$/m, 'the capture is whole';
    my ($flat) = nytprof('flat', '-b', $capture);
    my @subs = qw(main::sum main::nap main::CORE:sort main::CORE:sselect main::__ANON__[prog.pl:8] Other::method
        Other::inner);
    like $flat, qr/ \Q$_\E$/m, $_ for @subs;
    my ($hot) = nytprof('hot', '--top', 50, $capture);
    like $hot, qr{^/tmp/prog\.pl:4: }m, 'lines of the program';
    like $hot, qr{^/tmp/Other\.pm:5: }m, 'and of its files';
    like +(nytprof('callers', 'Other::inner', $capture))[0], qr/Other::method at \S*Other\.pm:6/, 'callers';
    like +(nytprof('callers', 'Other::method', $capture))[0], qr/ at \S*prog\.pl:15/, 'and theirs';
    unlike +(nytprof('annotate', $capture))[0], qr/chr\(65/, 'source is not that of a file of this name here';
    like +(nytprof('annotate', '--source-root', $root, $capture))[0], qr/chr\(65/, 'but from where an option says';
}
unlink '/tmp/Other.pm' or die "/tmp/Other.pm: $!\n";
done_testing;

sub start {
    my ($root) = @_;
    pipe my $from, my $to or die "pipe: $!\n";
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        %ENV = (PATH => '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL => 'C');
        open STDOUT, '>&', $to or die "output: $!\n";
        exec 'chroot', $root, '/usr/bin/perl', '/tmp/prog.pl' or _exit(127);
    }
    close $to or die "pipe: $!\n";
    defined readline $from or die "the program does not begin in $root\n";
    return $pid;
}
