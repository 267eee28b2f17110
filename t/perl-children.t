# SPDX-License-Identifier: MIT
# Forked children: their files hold what they did, and the source stays in their parent's, where reports find it.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of records);
use Run qw(captures_in facts run);
use Tree qw(slurp spew);

# The parent's module, an eval of the parent's, one of the child's, a grandchild that loads a module of its own.
my $PROGRAM = <<'END';
use lib '.';
use Large;
my $from_eval = eval "sub { my \$n = shift; # the eval of the parent\n \$n + 1 }";
my $pid = fork;
if (!$pid) {
    Large::f(7);
    $from_eval->(1);
    my $grandchild = fork;
    if (!$grandchild) {
        require Small;
        Small::g();
        Large::f(1);
        require POSIX;
        POSIX::_exit(0);
    }
    waitpid $grandchild, 0;
    print "$$ $grandchild\n";
    exit;
}
waitpid $pid, 0;
END
my %modules = (
    'Large.pm' => "package Large;\nsub f { my \$x = shift; return \$x + 1 }\n" . "# line of no use\n" x 5000 . "1;\n",
    'Small.pm' => "package Small;\nsub g { return 1 } # in the grandchild only\n1;\n",
);

sub family {
    my (%options) = @_;
    my $run = run($PROGRAM, files => \%modules, options => \%options);
    my ($child, $grandchild) = split ' ', $run->{out};
    return ($run->{dir}, $child, $grandchild);
}

# The texts of a capture's source records.
sub sources { my ($file) = @_; return join '', map { $_->{text} } grep { $_->{kind} eq 'source' } records($file) }

# The rows of a report in CSV of all files.
sub csv {
    my (@captures) = @_;
    my $dir = "$captures[0].csv";
    my (undef, $err, $exit) = nytprof('csv', '-o', $dir, @captures);
    is "$exit$err", '0', 'csv is written, without a remark' or diag $err;
    return join '', map { slurp($_) } sort glob "$dir/*.csv";
}

my ($dir, $child, $grandchild) = family();
my ($parents, $childs, $grandchilds) = map {"$dir/nytprof.out$_"} '', ".$child", ".$grandchild";
like sources($parents), qr/line of no use.*the eval of the parent/s, 'the parent keeps all source';
is sources($childs), '', 'the child none that its parent had';
like sources($grandchilds), qr/\A(?!.*no use).*in the grandchild only/s, 'the grandchild what it loaded itself';
unlink glob "$dir/*.pm $dir/prog.pl";
my $rows = csv($childs);
like $rows, qr/,\d+,[^,]*,sub f \{ my \$x = shift/, "a report on the child has the module's source";
like $rows, qr/the eval of the parent/, "and that of its parent's eval";
$rows = csv($grandchilds);
like $rows, qr/in the grandchild only/, "one on the grandchild has its own";
like $rows, qr/sub f \{ my \$x = shift/, "and its parent's parent's";
is facts({ dir => $dir }, $grandchilds)->{sub}{'Large::f'}{calls}, 1, 'and its calls';

my $merged = "$dir/merged/all.out";
mkdir "$dir/merged";
is +(nytprof('merge', '-o', $merged, $parents, $childs, $grandchilds))[2], 0, 'merged elsewhere';
like csv($merged), qr/the eval of the parent.*sub f \{ my \$x = shift/s, 'there is all source in that one file';

mkdir "$dir/alone";
spew("$dir/alone/child.out", slurp($childs));
symlink $parents, "$dir/alone/nytprof.out";
unlike csv("$dir/alone/child.out"), qr/sub f \{ my \$x = shift/, 'a link beside the capture is not followed';

($dir, $child) = family(savesrc => 2);
like sources("$dir/nytprof.out.$child"), qr/line of no use/, 'savesrc=2: the child has all';
($dir, $child) = family(format => 5);
like slurp("$dir/nytprof.out.$child"), qr/\ANYTProf 5 /, 'format=5 has no place to look for source';

# Files that each side meets after the fork have the same id, and are others.
my $apart = run(<<'PROGRAM');
my $pid = fork;
my ($name, $text) = $pid ? ('later.pl', '# of the ' . "parent\n1;\n") : ('own.pl', "1;\n");
open my $out, '>', $name or die;
print {$out} $text;
close $out;
do "./$name" or die;
unlink $name if !$pid;
waitpid $pid, 0 if $pid;
PROGRAM
my ($apart_child) = map {"$apart->{dir}/$_"} grep { !/\.out\z/ } captures_in($apart->{dir});
my ($own)   = map { $_->{id} } grep { $_->{name} =~ /own\.pl/ } of('file', records($apart_child));
my ($later) = map { $_->{id} } grep { $_->{name} =~ /later\.pl/ } of('file', records("$apart->{dir}/nytprof.out"));
is $own, $later, 'files of parent and child that come after the fork have one id';
my ($until) = map { $_->{value} } grep { $_->{key} eq 'sources_until' } of('property', records($apart_child));
is $until, $own - 1, "the child's capture tells where its parent's files end";
unlike csv($apart_child), qr/of the parent/, "and none of its own shows the parent's text";

my $short = run('use POSIX (); sub f { 1 } my $pid = fork; if (!$pid) { f(); POSIX::_exit(0) } waitpid $pid, 0;');
my ($brief) = map {"$short->{dir}/$_"} grep { !/\.out\z/ } captures_in($short->{dir});
cmp_ok -s $brief, '<', 4096, 'a child that ends at once leaves a few hundred bytes';
is facts($short, $brief)->{sub}{'main::f'}{calls}, 1, 'with the call that it made';

# What the profiler takes in a child, its parent waits for: that is in none of the parent's times. With the clock that
# counts its readings a wait takes one of them, and a profiled child is late by more than that.
my $AWAITED = <<'PROGRAM';
use POSIX ();
for (1 .. 5) {
    my $pid = WAIT;
}
PROGRAM
my $END  = 'if (!$pid) { print "x\n"; POSIX::_exit(0) }';
my %wait = (
    waitpid  => "fork; $END waitpid \$pid, 0",
    wait     => "fork; $END wait",
    close    => "open my \$in, '-|'; $END close \$in",
    readline => "open my \$in, '-|'; $END my \@lines = <\$in>",
);
for my $how (sort keys %wait) {
    my %ticks = map { ($_ => waiting($how, $_)) } -1, 0;
    is $ticks{0}, 5, "$how: five times for children that are not profiled";
    cmp_ok $ticks{-1}, '<=', 1, "$how: for those that are, what they took is not in it";
}

# A child that is late by hundreds of readings says so before it prints: the parent waits for what is not yet in its
# buffer, and for nothing else.
my $READS = <<'PROGRAM';
use POSIX ();
$| = 1;
pipe my $go, my $tell;
select((select($tell), $| = 1)[0]);
my $pid = open my $in, '-|';
if (!$pid) {
    eval "sub late$_ { $_ } late$_()" for 1 .. 300;
    DB::finish_profile();
    CHILD;
    POSIX::_exit(0);
}
PARENT;
PROGRAM
my $HALF  = 'print qq(x\nx); <$go>';
my %reads = (
    'lines in the buffer' => ['print "x\n" x 100',     '<$in> for 1 .. 100',                  readline => 99],
    'characters in it'    => ['print "x" x 100',       'getc $in for 1 .. 100',               getc     => 99],
    'records in it'       => ['print "x;" x 100',      'local $/ = ";"; <$in> for 1 .. 100',  readline => 99],
    'lines of a list'     => ['print "x\n" x 100',     '<$in>; my @lines = <$in>',            readline => 0],
    'all that comes'      => ['print "x\n" x 100',     '<$in>; local $/; <$in>',              readline => 0],
    'half a line in it'   => ["$HALF; print qq(x\\n)", '<$in>; print {$tell} "go\n"; <$in>',  readline => 0],
    'sysread behind it'   => ["$HALF; print 'x'", '<$in>; print {$tell} "go\n"; sysread $in, my $x, 1', sysread => 0],
);
for my $what (sort keys %reads) {
    my ($child, $parent, $op, $ticks) = @{ $reads{$what} };
    is readings($READS =~ s/CHILD/$child/r =~ s/PARENT/$parent/r, $op, -1), $ticks, "$what: $ticks readings";
}

# How long it was, in readings of the clock, by forkdepth.
sub waiting { my ($how, $depth) = @_; return readings($AWAITED =~ s/WAIT/$wait{$how}/r, $how, $depth) }

sub readings {
    my ($program, $op, $depth) = @_;
    my $run = run($program, options => { clock => 'fake', overhead => 'raw', forkdepth => $depth });
    return sprintf "%.0f", 1e6 * facts($run)->{sub}{"main::CORE:$op"}{exclusive};
}

done_testing;
