# SPDX-License-Identifier: MIT
# `nytprof attach` on processes of other namespaces and root directories, whose program is not run and whose files are
# not read; and what it says where it may not look, or where a perl is none that it knows.
use strict;
use warnings;

use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use POSIX qw(_exit);
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Layouts qw(is_stock);
use Tree qw(slurp spew);

plan skip_all => 'needs root' if $>;
my $NYTPROF = "$FindBin::Bin/../build/nytprof";
my $dir     = tempdir(CLEANUP => 1);
my $root    = "$dir/root";
my $stock   = is_stock();
my @running;
chmod 0755, $dir or die "$dir: $!\n";

my $PROGRAM = <<'END';
sub work { my $s = 0;
    $s += $_ % 7 for 1 .. 50_000;
    return $s }
sub nap { select undef, undef, undef, 0.01 }
$| = 1;
print "ready\n";
my $end = time + 60;
while (time < $end) { work(); nap() }
END
make_root();

SKIP: {
    my $pid = start($root, 'unshare', '-Urpf', '--mount-proc', $^X, "$dir/prog.pl");
    skip 'no other namespaces here', 8 if !$pid;
    my ($capture, $err) = attach($pid);
    like $err, qr/^nytprof: \d+ samples of process $pid/m, 'a process of other namespaces, by its number here';
    like +(nytprof('flat', '-b', $capture))[0], qr/ main::nap$/m, 'has subs';
    like +(nytprof('annotate', $capture))[0], qr/ % 7 for/, 'and source, as it has this root directory';

    $pid = start($root, 'unshare', '-Urpf', 'chroot', $root, '/perl', "$dir/prog.pl");
    skip 'no other root directory here', 5 if !$pid;
    ($capture, $err) = attach($pid);
    if (!$stock) {
        like $err, qr/\Anytprof: the perl \S+ of process $pid is no stock perl [^\n]+\n\z/, 'no stock perl';
        skip 'this perl is not in the table', 4;
    }
    like $err, qr/^nytprof: \d+ samples of process $pid/m, 'a process with another root directory';
    like +(nytprof('flat', '-b', $capture))[0], qr/ main::nap$/m, 'has subs';
    like +(nytprof('hot', $capture))[0], qr{/prog\.pl:[24]: }, 'and lines';
    unlike +(nytprof('annotate', $capture))[0], qr/ % 7 for/, 'its files are not those of that name here';
    like +(nytprof('annotate', '--source-root', $root, $capture))[0], qr/ % 7 for/, 'but where an option says';
}

# --- perls that are not known: another user's, which is not run, with other bytes -------------------------------------

SKIP: {
    skip 'this perl is not in the table', 2 if !$stock;
    my $pid = start($root, altered('options', 'USE_ITHREADS', 'USE_ITHREADZ'), "$dir/prog.pl");
    my $is_none = qr/the perl 5\.\S+ of process $pid is no stock perl \(5\.[^\n]* is another user's\n/;
    like +(attach($pid))[1], qr/\Anytprof: $is_none\z/, 'one that was built with other options';
    $pid = start($root, altered('ops', "\0nextstate\0", "\0nextstatf\0"), "$dir/prog.pl");
    like +(attach($pid))[1], qr/\Anytprof: the perl 5\.\S+ of process $pid does not keep its stack as stock perls do/,
        'one whose ops are others';
}

# --- what may not be looked at ----------------------------------------------------------------------------------------

SKIP: {
    my $setpriv = `setpriv --version 2>&1` // '';
    skip 'no setpriv here', 1 if $setpriv !~ /util-linux/;
    my $pid = start($root, $^X, "$dir/prog.pl");
    my $without = 'setpriv --bounding-set=-sys_ptrace --inh-caps=-sys_ptrace';
    my $err     = qx{$without $NYTPROF attach --for 0.2 -o $dir/out $pid 2>&1};
    my $needs   = qr/CAP_SYS_PTRACE \(docker run --cap-add SYS_PTRACE; [^\n]* in Kubernetes\)/;
    like $err, qr/\Anytprof: process $pid may not be looked at: in a container that needs $needs\n\z/,
        'without the capability';
}
kill KILL => @running;
waitpid $_, 0 for @running;
done_testing;

# A directory with a perl and what it needs.
sub make_root {
    spew("$dir/prog.pl", $PROGRAM);
    make_path("$root$dir");
    spew("$root$dir/prog.pl", $PROGRAM);
    copy($^X, "$root/perl") or die "$^X: $!\n";
    chmod 0755, "$root/perl" or die "$root/perl: $!\n";
    for my $library (qx{ldd $^X} =~ m{(/\S+)}g) {
        my ($parent) = $library =~ m{^(.*)/};
        make_path("$root$parent");
        copy($library, "$root$library") or die "$library: $!\n";
        chmod 0755, "$root$library" or die "$library: $!\n";
    }
    return;
}

# Another user's perl of other bytes.
sub altered {
    my ($name, $from, $to) = @_;
    my $bytes = slurp($^X);
    die "$^X: expected $from\n" if !($bytes =~ s/\Q$from\E/$to/g);
    spew("$dir/$name", $bytes);
    chmod 0755, "$dir/$name" or die "$dir/$name: $!\n";
    chown 65_534, 65_534, "$dir/$name" or die "$dir/$name: $!\n";
    return "$dir/$name";
}

# The number of the process, or of its child, that runs perl; 0: it does not begin.
sub start {
    my ($place, @command) = @_;
    pipe my $from, my $to or die "pipe: $!\n";
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        delete @ENV{qw(PERL5OPT PERL5DB NYTPROF)};
        $ENV{LC_ALL} = 'C';
        open STDOUT, '>&', $to or die "output: $!\n";
        chdir $place;
        exec @command or _exit(127);
    }
    close $to or die "pipe: $!\n";
    push @running, $pid;
    return 0 if !defined readline $from;
    my ($child) = split ' ', slurp("/proc/$pid/task/$pid/children");
    push @running, $child if $child;
    return $child // $pid;
}

sub attach {
    my ($pid) = @_;
    my (undef, $err) = nytprof('attach', '--for', 1, '--hz', 200, '-o', "$dir/out", $pid);
    return ("$dir/out.$pid", $err);
}
