# SPDX-License-Identifier: MIT
# The include rule of xs/README: what each room may know. A breach planted in a copy shows that the test can see one.
use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(files includes slurp spew);

my $TOP = "$FindBin::Bin/..";

my %MAY_INCLUDE = (
    base     => [],
    capture  => [qw(base)],
    v5       => [qw(base capture)],
    record   => [qw(base capture)],
    model    => [qw(base capture v5)],
    report   => [qw(base model)],
    perl     => [qw(base capture record)],
    perldata => [qw(base capture v5 model report)],
    lua      => [qw(base capture record)],
    cli      => [qw(base capture v5 model report)],
);

# C11 and POSIX; everything else that comes from outside is a decision and stands in %OUTSIDE.
my %LIBC = map { ("<$_.h>" => 1) } qw(
    assert ctype errno fenv float inttypes limits locale math setjmp signal stdalign stdarg stdatomic stdbool stddef
    stdint stdio stdlib stdnoreturn string time wchar wctype dirent fcntl poll pthread strings unistd
    sys/file sys/mman sys/resource sys/stat sys/time sys/types sys/utsname sys/wait
);
my %OUTSIDE = (
    'base/zio.c'      => [qw(<isa-l/igzip_lib.h> <libdeflate.h> <zlib.h>)],
    'capture/clock.c' => [qw(<cpuid.h> <x86intrin.h>)],
    'capture/clock.h' => [qw(<cpuid.h> <x86intrin.h>)],
    'record/output.c' => ['"v5/outlet.h"'],
    'perl/slowop.c'   => ['"perliol.h"'],
    perl => [qw("EXTERN.h" "perl.h" "XSUB.h" "ppport.h")],
    perldata          => [qw("EXTERN.h" "perl.h" "XSUB.h")],
    'lua/duty.c'      => [qw(<sys/syscall.h>)],
    'lua/gate.c'      => [qw(<dlfcn.h> <link.h>)],
    'lua/preload.c'   => [qw(<dlfcn.h>)],
    lua               => [qw(<lauxlib.h> <lua.h>)],
    cli               => [qw(<getopt.h>)],
);

is join("\n", breaches("$TOP/xs")), '',
    'no room includes what it may not know; a report sees the model, never a file';
is_deeply readme_table(), \%MAY_INCLUDE, 'xs/README shows the same table';
is_deeply [ grep { !$MAY_INCLUDE{$_} } rooms("$TOP/xs") ], [], 'every folder of xs/ is a room of the table';

my $planted = tempdir(CLEANUP => 1);
make_path("$planted/$_") for qw(base record report perl);
spew("$planted/base/a.c",   qq{#include "base/a.h"\n#include <zlib.h>\n});
spew("$planted/record/b.c", qq{#include "capture/writer.h"\n#include "perl.h"\n});
spew("$planted/report/c.c", qq{#include <stdio.h>\n# include "capture/reader.h"\n});
spew("$planted/perl/d.c",   qq{#include "XSUB.h"\n#include "d.h"\n});
is_deeply [ breaches($planted) ],
    [
    'base/a.c:2 <zlib.h>', 'perl/d.c:2 "d.h"', 'record/b.c:2 "perl.h"', 'report/c.c:2 "capture/reader.h"'
    ],
    'planted breaches are found: zlib outside zio, perl.h in the recorder, a reporter that reads, no room in the name';

done_testing;

# "file:line include" of everything a file may not include.
sub breaches {
    my ($xs) = @_;
    my @found;
    for my $file (files($xs, qr/\.(?:c|h|xs)$/)) {
        push @found, map {"$file:$_->[0] $_->[1]"} grep { !allowed($file, $_->[1]) } includes(slurp("$xs/$file"));
    }
    return @found;
}

sub allowed {
    my ($file, $include) = @_;
    my ($room) = split m{/}, $file;
    return 1 if $LIBC{$include} || grep { $_ eq $include } map { @{ $OUTSIDE{$_} // [] } } $room, $file;
    my ($target) = $include =~ m{^"(\w+)/\w+\.h"$} or return 0;
    return scalar grep { $_ eq $target } $room, @{ $MAY_INCLUDE{$room} };
}

sub rooms {
    my ($xs) = @_;
    my %room = map { (split m{/})[0] => 1 } files($xs, qr{/});
    my @names = sort keys %room;
    return @names;
}

# The rows "room   may include   outside headers" below the headline, as %MAY_INCLUDE has them.
sub readme_table {
    my ($rows) = slurp("$TOP/xs/README") =~ /^\h+room\h+may include\h+outside.*\n((?:.+\n)+)/m;
    my %table;
    for my $row (split /\n/, $rows // '') {
        my ($room, $may) = $row =~ /^\h+(\w+)\h\h+(\S+(?:\h\S+)*)/ or next;
        $table{$room} = $may eq '-' ? [] : [ split ' ', $may ];
    }
    return \%table;
}
