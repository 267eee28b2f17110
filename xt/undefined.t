# SPDX-License-Identifier: MIT
# Reading captures and making reports has no undefined behaviour that clang's sanitizer finds, which finds more than
# gcc's: every verb, on captures of both formats, whole and hostile ones.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Pages qw(fixtures run);
use Profiled qw($TOP);

my $clang = 'clang';
plan skip_all => 'NOT SHOWN: there is no clang' if system "$clang --version >/dev/null 2>&1";
my $dir = tempdir(CLEANUP => 1);

# Builds the command with the sanitizer.
my @flags = (qw(-std=c11 -O1 -g -fsanitize=undefined -fno-sanitize-recover=undefined -D_POSIX_C_SOURCE=200809L
    -D_DEFAULT_SOURCE -DNYTP_VERSION="0"), "-I$TOP/xs");
my @sources = map { glob "$TOP/xs/$_/*.c" } split ' ', qx{'$^X' '$TOP/xs/rooms.pl' library command};
push @sources, map {"$TOP/build/$_.c"} qw(assets reports);
my ($failed, undef, $said) = run($clang, @flags, '-o', "$dir/nytprof", @sources, qw(-lz -pthread));
is $failed, 0, 'it compiles' or BAIL_OUT($said);

my @captures = map { glob "$_/*.out" } fixtures(), "$TOP/t/data";
my %output = (merge => [ '-o', "$dir/merged" ], info => [], dump => []);
for my $capture (@captures) {
    for my $verb ('html', 'html --single', qw(csv dot folded callgrind flamegraph merge info dump)) {
        my @where = @{ $output{$verb} // [ '-o', "$dir/" . ($verb =~ s/\W+/-/r) ] };
        my (undef, undef, $err) = run("$dir/nytprof", split(/ /, $verb), @where, $capture);
        unlike $err, qr/runtime error/, "$verb " . ($capture =~ s{.*/}{}r) or diag $err;
    }
}
done_testing;
