# SPDX-License-Identifier: MIT
# Captures whose every CRC is right and whose numbers are meant to hurt: they are read in time and memory that their own
# size explains, and what is said of them is no nonsense.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk has_zlib i nytprof record text u);
use PageData qw(page_data);
use Tree qw(slurp);

my ($LEAST, $MOST) = (-(1 << 62), ~0 >> 1);
my $dir = tempdir(CLEANUP => 1);

# process_start: a clock of 1000 ticks a second that begins at $ticks.
sub start {
    my ($ticks) = @_;
    my @names = map { Capture::s($_) } qw(fake x.pl perl);
    return record(1, u(1), u(0), u(10**18), i($ticks), u(1000), u(1), i(1001), @names);
}

sub window { my (@fields) = @_; return record(15, (map { i($_) } @fields), u(0)) }

sub report {
    my ($name, $capture) = @_;
    my (undef, $err, $exit) = nytprof('html', '-o', "$dir/$name", \$capture);
    is "$exit$err", '0', "$name: there is a report";
    return slurp("$dir/$name/index.html");
}

my $long = text() . chunk(start($LEAST), start => $LEAST, end => $LEAST) . chunk(window(0, 0, 0, 0), number => 2,
    start => $LEAST, end => $MOST);
like [ nytprof('info', \$long) ]->[0], qr/^duration +1\.38351e\+16 s$/m, 'info: a time as long as numbers are';
report('long', $long);

my $off = text() . chunk(start(0) . window(0, 0, 1 << 61, 0), end => 1 << 61);
like report('off', $off), qr/For 2,305,843,009,213,69\d s profiling was switched off/, 'all of it off';

my $file  = record(7, (map { u($_) } 1, 0, 0, 0, 0, 0), Capture::s('/x.pl'));
my $lines = join '', map { record(8, u(1), u($_ * 90_000), Capture::s("say\n")) } 1 .. 100;
report('gaps', text() . chunk(start(0) . $file . $lines));
my ($page) = glob "$dir/gaps/x-pl-*.html";
cmp_ok -s $page, '<', 30_000_000, 'two thousand bytes of source make no ten million lines';
my $gap = text() . chunk(start(0) . $file . record(8, u(1), u(70_000), Capture::s("say\n")));
report('gap', $gap);
($page) = glob "$dir/gap/x-pl-*.html";
my $lines_of_gap = () = slurp($page) =~ /<li>\n/g;
is $lines_of_gap, 69_999, 'but a gap as damage leaves it is one';

if (has_zlib()) {
    my $newlines = record(8, u(1), u(1), Capture::s("\n" x 50_000_000));
    my $index = report('newlines', text() . chunk(start(0) . $file . $newlines, deflated => 1));
    is_deeply [ glob "$dir/newlines/x-pl-*.html" ], [], 'fifty thousand bytes of newlines make no fifty million lines';
    like $index, qr/is damaged: .* more is claimed than the size of the file explains/, 'and it is said';
}

my $phase = record(10, u(1), u(32), (map { u(0) } 1 .. 4), Capture::s('main::RUNTIME'), Capture::s(''));
my $renamed = record(10, u(1), (map { u(0) } 1 .. 5), Capture::s('main::f'), Capture::s(''));
my $node = record(12, u(1), u(0), u(0), u(1)) . record(14, u(1), i(3), i(50));
my $root = report('root', text() . chunk(start(0) . $phase . $renamed . $node . window(0, 0, 50, 0)));
like $root, qr/>main::f</, 'a sub that was a phase first is another one';

# --- names and processes of one hash ---

my @colliding = qw(8yn0iYCKYHlIj4-BwPqk GReLUrM4wMqfg9yzV3KQ);
my @called = map { my $id = 1 + $_;
    record(10, u($id), (map { u(0) } 1 .. 5), Capture::s("$colliding[$_]::f"), Capture::s('')),
    record(12, u($id), u(0), u(0), u($id)), record(14, u($id), i(1), i(50)) } 0, 1;
report('names', text() . chunk(join '', start(0), @called, window(0, 0, 100, 0)));
my %named = map { ($_->{name} => 1) } @{ page_data(slurp("$dir/names/data.js"))->{subs} };
is_deeply [ grep { !$named{"${_}::f"} } @colliding ], [], 'packages of one hash are two';

my @runs = ([ 'run 000001157538', 1 ], [ 'run 000001296006', 3_168_032_210 ]);
my $both = join '', text(), map { chunk(start(0) . window(0, 0, 50, 0), run => $_->[0], pid => $_->[1]) } @runs;
like report('processes', $both), qr/>2 processes</, 'so are processes';

done_testing;
