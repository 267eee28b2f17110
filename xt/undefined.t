# SPDX-License-Identifier: MIT
# Reading captures and making reports has no undefined behaviour that clang's sanitizer finds, which finds more than
# gcc's: every report, on captures of both formats, whole and hostile ones. NYTPROF_SANITIZED=COMMAND is the command
# built so, as xt/fuzz.sh builds it, with the sanitizer of addresses, too; otherwise the command is built here.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Capture qw(chunk record);
use Pages qw(fixtures run);
use Profiled qw($TOP);
use Tree qw(spew);

my $clang = 'clang';
plan skip_all => 'NOT SHOWN: there is no clang' if system "$clang --version >/dev/null 2>&1";
my $dir = tempdir(CLEANUP => 1);

# Builds the command with the sanitizer.
my $nytprof = $ENV{NYTPROF_SANITIZED} // "$dir/nytprof";
local $ENV{ASAN_OPTIONS} = 'detect_leaks=0:allocator_may_return_null=1'; # a process frees little at its end
my @flags = (qw(-std=c11 -O1 -g -fsanitize=undefined -fno-sanitize-recover=undefined -D_POSIX_C_SOURCE=200809L
    -D_DEFAULT_SOURCE -DNYTP_VERSION="0"), "-I$TOP/xs");
my @sources = map { glob "$TOP/xs/$_/*.c" } split ' ', qx{'$^X' '$TOP/xs/rooms.pl' library command};
push @sources, map {"$TOP/build/$_.c"} qw(assets reports);
my @build = ($clang, @flags, '-o', $nytprof, @sources, qw(-lz -pthread));
my ($failed, undef, $said) = run($ENV{NYTPROF_SANITIZED} ? ($nytprof, 'help') : @build);
is $failed, 0, 'it is there' or BAIL_OUT($said);

# A statement in no line, as those of stripped Lua are, of a file without source.
my @file  = (1, 0, 0, 0, 0, 0);
my $start = join '', map({ Capture::u($_) } 0, 0, 17e17), Capture::i(0), map({ Capture::u($_) } 1e9, 1), Capture::i(1),
    map { Capture::s($_) } 'clock', 'x.lua', 'Lua';
my $text = "NYTProf capture 1\n";
spew("$dir/lineless.out", $text . chunk(join '', record(1, $start),
    record(7, (map { Capture::u($_) } @file), Capture::s('x.lua')), record(28, map { Capture::i($_) } 1, 1, 0, 0, 0),
    record(31, map { Capture::i($_) } 1, 1, 100, 0, 0, 0, 0)));

# A process that called a sub and took no time, and one that is lost with damage.
spew("$dir/idle.out", $text . chunk(join '', record(1, $start),
    record(10, (map { Capture::u($_) } 1, 0, 0, 0, 0, 1), map { Capture::s($_) } 'main::f', ''),
    record(29, map { Capture::i($_) } 1, 0, 0, 1), record(32, map { Capture::i($_) } 1, 1, (0) x 7)));
spew("$dir/lost.out", $text . chunk(record(1, $start)) =~ s/.\z/?/sr);

my @captures = (map({"$dir/$_.out"} qw(lineless idle lost)), map { glob "$_/*.out" } fixtures(), "$TOP/t/data");
my (undef, $listed) = run($nytprof, 'list');
my @reports = map {/^  (\w+) /mg} map {/^(?:Look|Export):\n((?:  .*\n)+)/mg} $listed;
cmp_ok scalar @reports, '>', 5, "reports: @reports";
my %output = (merge => [ '-o', "$dir/merged" ], info => [], dump => []);
for my $capture (@captures) {
    for my $verb ('html --single', @reports, qw(merge info dump)) {
        my @where = @{ $output{$verb} // [ '-o', "$dir/" . ($verb =~ s/\W+/-/r) ] };
        my @sub   = $verb eq 'callers' ? 'main::f' : ();
        my (undef, undef, $err) = run($nytprof, split(/ /, $verb), @where, @sub, $capture);
        unlike $err, qr/runtime error|Sanitizer/, "$verb " . ($capture =~ s{.*/}{}r) or diag $err;
    }
}
done_testing;
