# SPDX-License-Identifier: MIT
# `nytprof build` prints while it reads, in memory that does not grow with the build.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use POSIX qw(WNOHANG);
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds qw(began capture many stream);
use Tree qw(slurp spew);

my $nytprof = "$FindBin::Bin/../build/nytprof";
my $dir     = tempdir(CLEANUP => 1);
my $file    = "$dir/many.build";

open my $log, '>:raw', $file or die "$file: $!\n";
many($log, 100_000, 8);
close $log or die "$file: $!\n";

# 200,000 records: all that could grow with the build has room for few of them only.
my $is_sanitized = slurp("$FindBin::Bin/../build/core.flags") =~ /-fsanitize/;
for my $options ('', '-t', '--histogram 20', '--width 60') {
    SKIP: {
        skip 'a sanitizer needs memory of its own', 1 if $is_sanitized;
        my $out = qx{bash -c 'ulimit -v 65536; exec "$nytprof" build $options "$file"' 2>&1};
        like $out, qr/^TOTAL +100000 \(100%\) .*^={78}\nEND$/ms, "200,000 records in 64 MB $options";
    }
}

# Processes below one another, none of which ends: each of thousands of lines is as long as there are processes.
my $chain = "$dir/chain.build";
spew($chain, capture(stream('h', 'preload')
    . join '', map { began(1 + $_ / 1000, $_, $_ > 1 ? 1 + ($_ - 1) / 1000 : 0, 'x') } 1 .. 3000));
SKIP: {
    skip 'a sanitizer needs memory of its own', 1 if $is_sanitized;
    like qx{bash -c 'ulimit -v 65536; "$nytprof" build "$chain" | tail -n 1' 2>&1}, qr/^END$/, 'interrupted when wide';
}

# A pipe has a part of the capture, and does not end: what is printed comes of this part.
pipe my $in, my $to or die "pipe: $!\n";
my $writer = fork // die "fork: $!\n";
if (!$writer) {
    close $in;
    syswrite $to, substr slurp($file), 0, (-s $file) / 2;
    sleep 600;
    POSIX::_exit(0);
}
close $to;
my $pid = open my $out, '-|';
die "fork: $!\n" if !defined $pid;
if (!$pid) {
    open STDIN, '<&', $in or die "standard input: $!\n";
    exec $nytprof, 'build', '-' or die "$nytprof: $!\n";
}
close $in;
local $SIG{ALRM} = sub { kill KILL => $pid, $writer; die "no output before the capture's end\n" };
alarm 300;
my $printed = '';
while (length $printed < 100_000) { sysread $out, $printed, 10_000, length $printed or last }
alarm 0;
like $printed, qr/\A={78}\nNYTPROF .*>=1:0\n.*<=40001:0\n.*\\=/s, 'the timeline begins before the capture has ended';
is waitpid($writer, WNOHANG), 0, 'which has not yet';
kill KILL => $pid, $writer;
waitpid $writer, 0;
close $out;

done_testing;
