# SPDX-License-Identifier: MIT
# Sysprof's library, and its sysprof-cli, read what `nytprof syscap` writes.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Exports qw(capture captures export nanoseconds scratch wants works);
use Syscap qw(syscap);
use Tree qw(spew);

wants(qw(cc pkg-config sysprof-cli));
my $reader = scratch() . '/sysprof';
my @flags = split ' ', works(qw(pkg-config --cflags --libs sysprof-4 sysprof-capture-4));
works('cc', '-o', $reader, "$FindBin::Bin/exports/sysprof.c", @flags);

my @files;
for my $name (captures()) {
    my @capture = capture($name);
    push @files, export('syscap', @capture);
    my $all  = syscap($files[-1]);
    my $said = works($reader, $files[-1]);
    is_deeply { $said =~ /^type (\d+): (\d+)$/mg }, $all->{frames}, "$name: Sysprof's library reads every frame";
    like $said, qr/^length: @{[ $all->{head}{end} - $all->{head}{start} ]}$/m, 'knows how long it took';
    like $said, qr/^callgraph: @{[ $all->{total} ? 'yes' : 'no' ]}$/m, 'and makes a call graph';
    cmp_ok abs($all->{total} - nanoseconds(@capture)), '<', $all->{quantum}, 'the time is right';
}
my $merged = scratch() . '/merged.syscap';
works('sh', '-c', 'merged=$1 && shift && exec sysprof-cli --merge "$@" >"$merged"', 'sh', $merged, @files[ 0, 1 ]);
my ($count) = works($reader, $merged) =~ /^type 2: (\d+)$/m;
is $count, @{ syscap($files[0])->{samples} } + @{ syscap($files[1])->{samples} }, 'sysprof-cli merges two';
done_testing;
