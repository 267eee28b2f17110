# SPDX-License-Identifier: MIT
# The include rule of xs/README: what each room may know. A breach planted in a copy shows that the test can see one.
use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(files folders includes slurp spew);

my $TOP = "$FindBin::Bin/..";

do "$TOP/xs/rooms.pl" or BAIL_OUT("xs/rooms.pl: $@$!");
my %ROOM = map { ($_->{name} => $_) } rooms();

# C11 and POSIX; everything else that comes from outside is a decision and stands in the table.
my %LIBC = map { ("<$_.h>" => 1) } qw(
    assert ctype errno fenv float inttypes limits locale math setjmp signal stdalign stdarg stdatomic stdbool stddef
    stdint stdio stdlib stdnoreturn string time wchar wctype dirent fcntl poll pthread strings unistd
    sys/file sys/mman sys/resource sys/stat sys/statvfs sys/time sys/types sys/utsname sys/wait
);

is join("\n", breaches("$TOP/xs")), '',
    'no room includes what it may not know; a report sees the model, never a file';
is_deeply [ folders("$TOP/xs") ], [ sort keys %ROOM ], 'a folder of xs/ is a row, and a row is one';
is join("\n", unnamed("$TOP/xs", slurp("$TOP/xs/README"))), '', 'and its description names each of its sources';
is_deeply $ROOM{perl},
    { name => 'perl', may => [qw(base capture record sample heap)], part => 'module',
      outside => { 'perliol.h' => ['slowop'], map { ("$_.h" => []) } qw(EXTERN perl XSUB ppport) } },
    'a row is read right';

is join("\n", shared_names("$TOP/xs")), '', 'a name tells its file: the prefix nytp_<file> is of one file only';

my @FIELDS = fields(slurp("$TOP/xs/record/recorder.h"));
my @FRONTS = map { $_->{name} } grep { $_->{part} ne 'library' && grep { $_ eq 'record' } @{ $_->{may} } } rooms();
ok @FRONTS > 2, "the rooms around the recorder are front ends: @FRONTS";
is join("\n", (map { reaches("$TOP/xs/$_") } @FRONTS), reaches("$TOP/t/toy")), '',
    'a front end names no field of the recorder: record/ has a function for what it needs';

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

spew("$planted/$_/disk.c", "int nytp_disk_read(void) {\n}\n") for qw(record perl);
spew("$planted/report/row.c", "const nytp_report nytp_row_report = {\n");
is_deeply [ unnamed($planted, "  base/  has a\n\n  record/  b,\n         and disk\n  report/  see c\n  perl/  d") ],
    ['perl/disk.c'], 'a file that its room does not name is found';
is_deeply [ shared_names($planted) ], ['nytp_disk: perl/disk.c record/disk.c'], 'two files of one prefix are found';

spew("$planted/perl/d.c", "nytp_live_node *n = g->r.node;\nint on(region *r) { return r->on; }\n");
spew("$planted/perl/e.c", "static nytp_recorder *running;\nvoid off(void) {\n    if (running) running->on = 0;\n}\n");
is_deeply [ reaches("$planted/perl") ], [ 'd.c:1 g->r.node', 'e.c:3 running->on' ],
    'planted reaches into the recorder are found, by member and by pointer, and no other struct is taken for it';

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
    return 1 if $LIBC{$include};
    my ($room, $base) = $file =~ m{^(\w+)/(\w+)};
    my $rules = $ROOM{$room} or return 0;
    my $only = $rules->{outside}{ $include =~ s/[<>"]//gr };
    return 1 if $only && (!@$only || grep { $_ eq $base } @$only);
    my ($target) = $include =~ m{^"(\w+)/\w+\.h"$} or return 0;
    return scalar grep { $_ eq $target } $room, @{ $rules->{may} };
}

# The sources whose names are not in the description of their room. Verbs and reports have a row each instead.
sub unnamed {
    my ($xs, $text) = @_;
    my %row = $text =~ m{^  (\w+)/ +(.*?)(?=^  \w|^\n|\z)}gms;
    my $is_a_row = qr/^const nytp_(?:report nytp_\w+_report|verb nytp_\w+_verb) = \{/m;
    my $is_named = sub { my ($room, $name) = $_[0] =~ m{^(\w+)/(\w+)}; return ($row{$room} // '') =~ /\b$name\b/ };
    return grep { !$is_named->($_) && slurp("$xs/$_") !~ $is_a_row } files($xs, qr/\.(?:c|xs)$/);
}

# The prefixes of functions that more than one file of that name defines.
sub shared_names {
    my ($xs) = @_;
    my %where;
    for my $file (files($xs, qr/\.c$/)) {
        my ($prefix) = map {"nytp_$_"} $file =~ m{/(\w+)\.c$};
        push @{ $where{$prefix} }, $file if slurp("$xs/$file") =~ /^(?!static\b)\w[\w *]*\b$prefix(?:_\w+)?\(/m;
    }
    return map {"$_: @{ $where{$_} }"} grep { @{ $where{$_} } > 1 } sort keys %where;
}

# The names of the members of nytp_recorder.
sub fields {
    my ($header) = @_;
    my ($members) = $header =~ /^typedef struct nytp_recorder \{(.*?)^\} nytp_recorder;/ms or return;
    $members =~ s{/\*.*?\*/}{}gs;
    my @names = $members =~ /(\w+)(?:\[\w+\])?[,;]/g;
    return @names;
}

# "file:line expression" of each use of such a member: of the r of a front end's state, or of a pointer to a recorder
# that the file declares.
sub reaches {
    my ($dir) = @_;
    my $field = join '|', @FIELDS;
    my @found;
    for my $file (files($dir, qr/\.(?:c|h|xs)$/)) {
        my $text    = slurp("$dir/$file");
        my $pointer = join '|', $text =~ /\bnytp_recorder \*(\w+)/g, '(?!)';
        my $number  = 0;
        for my $line (split /\n/, $text) {
            $number++;
            push @found, "$file:$number $1"
                while $line =~ /([\w()]+(?:\.|->)r\.(?:$field)\b|\b(?:$pointer)->(?:$field)\b)/g;
        }
    }
    return @found;
}
