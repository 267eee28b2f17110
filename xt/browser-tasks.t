# SPDX-License-Identifier: MIT
# Thirteen tasks of somebody who reads a report, a to m, on a program whose answers are known: each is done in a browser
# with a few clicks or keys, and the answer is on the screen. With NYTPROF_PICTURES=DIR a picture of each is kept.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Browser qw(capture require_browser script);
use Pages qw(run);
use Tree qw(spew);

my $NYTPROF = "$FindBin::Bin/../build/nytprof";

require_browser();
my $dir = tempdir(CLEANUP => 1);

# What takes which time: line "hot", above all; early() in the first half and late() in the second one, as long as each
# other; uneven() in ten of its thousand calls; sleep; a string eval; the file of a module; shared() by many() more than
# by few().
mkdir "$dir/lib" or die "lib: $!\n";
spew("$dir/lib/Slow.pm", "package Slow;\nmy \$x = 0;\n\$x += \$_ for 1 .. 60_000;\n1;\n");
my $program = <<'PROGRAM';
use lib 'lib';
use Slow;
use POSIX ();
sub early { my $x = 0; for my $i (1 .. 20_000) { $x += $i % 7 } return $x }
sub late { my $x = 0; for my $i (1 .. 20_000) { $x += $i % 7 } return $x }
sub uneven { my $x = 0; $x += $_ for 1 .. ($_[0] % 100 ? 5 : 30_000); return $x }
sub shared { my $x = 0; $x += $_ for 1 .. 500; return $x }
sub few { shared() for 1 .. 20 }
sub many { shared() for 1 .. 400 }
sub hottest {
    my $text = 'a' x 300_000;
    return scalar grep { $_ } map { $text =~ tr/a// } 1 .. 6000;
}
early() for 1 .. 40;
uneven($_) for 1 .. 1000;
few();
many();
my $sum = eval 'my $x = 0; $x += $_ for 1 .. 300_000; $x' or die;
hottest();
{ my $span = DB::span('GET /slow'); select undef, undef, undef, 0.25; }
late() for 1 .. 40;
PROGRAM
spew("$dir/tasks.pl", $program);
my %capture = (new => profile('new', $program), old => profile('old', $program =~ s/1 \.\. 400 }/1 .. 40 }/r));

sub profile {
    my ($name, $text) = @_;
    spew("$dir/tasks.pl", $text);
    return capture($dir, $name, { latency => 1 }, 'tasks.pl');
}

for my $made ([ html => '-o', "$dir/report", $capture{new} ],
    [ diff => '--format=html', '-o', "$dir/diff.html", @capture{qw(old new)} ]) {
    my ($status, undef, $err) = run($NYTPROF, @$made);
    is "$status$err", '0', "nytprof $made->[0]";
}
cmp_ok script('tasks', 'tasks.mjs', "$dir/report", "$dir/diff.html"), '>=', 24, 'all tasks were tried';
done_testing;
