# SPDX-License-Identifier: MIT
# A program that has no more memory keeps its profile, and one of whose memory the profiler gets no more goes on without
# it.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Run qw(capture_of facts run);
use Tree qw(slurp);

plan skip_all => 'a process cannot be told here how much memory it has: NOTHING is shown of running out of it'
    if !-e '/proc/self/status' || slurp("$FindBin::Bin/../Makefile") =~ /^OPTIMIZE = .*-fsanitize/m;

# Every path through the tree is a context of its own: 32 thousand of them, in a program that itself needs nothing.
my $TREE = <<'END';
sub size { open my $in, '<', '/proc/self/status' or die; join('', <$in>) =~ /^VmSize:\s+(\d+)/m or die; return $1 }
sub tree {
    my $n = shift or return 1;
    my $left = tree($n - 1);
    return $left + tree($n - 1);
}
tree(3);
print size(), "\n";
print tree(14), "\n";
END

my $PAGES = 64;    # kB by which two runs may differ, as their stacks and libraries have other addresses
my ($kilobytes) = run($TREE)->{out} =~ /^(\d+)/;

sub limited {
    my ($text, $more) = @_;
    my $limit = $kilobytes + $PAGES + $more;
    return run($text, before => [ 'sh', '-c', qq{ulimit -v $limit; exec "\$@"}, 'sh' ]);
}

# By the limit memory runs out for a thing that is counted, for a queue of these or for what is to be written. A window
# that is due meanwhile, at any moment, finds no memory either.
for my $more (map { 700 * $_ } 0 .. 5) {
    my $short = limited($TREE, $more);
    is "$short->{exit} $short->{out}" =~ s/\d+\n//r, "0 16384\n", "$more kB for us: the program goes on";
    is $short->{err}, "NYTProf: nytprof.out: out of memory; the profile ends here\n", 'we say so';
    my $calls = facts($short)->{sub}{'main::tree'}{calls};
    ok $calls > 1000 && $calls < 32_000, 'and stop counting' or diag $calls;
    like +(nytprof('info', capture_of($short)))[0], qr/^whole +yes$/m, 'the capture has all that was counted before';
}

my $full = limited('sub work { 1 } work() for 1 .. 2000; my @x; push @x, "x" x 1e5 while 1;' . "\n", 10_000);
like "$full->{exit} $full->{err}", qr/^1 Out of memory/, 'a program that needs more than there is ends as perl has it';
is facts($full)->{sub}{'main::work'}{calls}, 2000, 'and leaves its profile';
like +(nytprof('info', capture_of($full)))[0], qr/^whole +yes$/m, 'whole';

# --- what we put among the program's blocks ---------------------------------------------------------------------------

my $blocks = run(undef, options => { start => 'no' }, command => [ $^X, Run::under_profiler(), '-MB', '-e',
    'BEGIN { my $list = B::init_av(); print map { $_->REFCNT } $list->ARRAY }' ]);
like $blocks->{out}, qr/\A1+\z/, 'is held by their list only';

done_testing;
