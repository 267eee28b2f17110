# SPDX-License-Identifier: MIT
# What was built where libdeflate and ISA-L's igzip are runs on a machine without them, too: zlib does their work. Here
# the loader finds files of their names that are no libraries.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Profiled qw($TOP);
use Run qw(facts run);
use Tree qw(slurp spew);

my ($makefile, %library) = (slurp("$TOP/Makefile"), NYTP_LIBDEFLATE => 'libdeflate.so.0', NYTP_ISAL => 'libisal.so.2');
my @built = grep { $makefile =~ /-D$_\b/ } sort keys %library;
my $none  = tempdir(CLEANUP => 1);
spew("$none/$_", "no library\n") for values %library;

my $PROGRAM = <<'END_OF_PROGRAM';
sub f { 1 }
f() for 1 .. 1000;
$! = 0;
open my $maps, '<', '/proc/self/maps' or die "/proc/self/maps: $!\n";
my $text = join '', <$maps>;
print join(' ', grep { index($text, "/$_") >= 0 } qw(libisal.so.2 libdeflate.so.0)), "\n";
END_OF_PROGRAM

my $with    = run($PROGRAM, options => {});
my $without = run($PROGRAM, options => {}, env => { LD_LIBRARY_PATH => $none });
is $with->{out}, "@library{@built}\n", 'a program is profiled with the libraries that there are';
is "$without->{out}$without->{err}$without->{exit}", "\n0", 'and without them where there are none';
is_deeply [ map { facts($_)->{sub}{'main::f'}{calls} } $with, $without ], [ 1000, 1000 ], 'with the same counts';

for my $case ([ 'what they compressed', $with ], [ 'what zlib did', $without ]) {
    my ($what, $run) = @$case;
    my @info = ("$TOP/build/nytprof", 'info', "$run->{dir}/nytprof.out");
    my ($plain, $lacking) = map { run(undef, command => \@info, env => $_) } {}, { LD_LIBRARY_PATH => $none };
    is "$lacking->{err}$lacking->{exit}", '0', "the command reads $what, without them";
    is $lacking->{out}, $plain->{out}, 'and says the same as with them';
}

my $unit = run(undef, command => ["$TOP/build/t/base"], env => { LD_LIBRARY_PATH => $none });
is_deeply [ $unit->{exit}, $unit->{out} =~ /^(not ok .*)/mg ], [0], 'the unit tests of deflating pass without them'
    or diag $unit->{err};
done_testing;
