# SPDX-License-Identifier: MIT
package Bombs;

# Profiles of some ten kilobytes that claim far more than they have: counts, things, lines, names, depth.

use strict;
use warnings;

use Capture qw(chunk i record text u);
use Compress::Zlib qw(compress);
use Exporter 'import';

our @EXPORT_OK = qw(bombs);

my $LARGE = 16_000_000;    # bytes of an inflated payload, of which zlib makes 16 kB
my $MOST  = ~0 >> 1;

# --- pieces of captures -----------------------------------------------------------------------------------------------

sub is { return join '', map { i($_) } @_ }
sub us { return join '', map { u($_) } @_ }
sub ss { return join '', map { Capture::s($_) } @_ }

# So many bytes that inflate from next to nothing; and a repeating record of a first set of fields and many others.
sub many { my ($bytes) = @_; return $bytes x ($LARGE / length $bytes) }
sub so_many { my ($bytes, $times) = @_; return $bytes x $times }
sub sets { my ($kind, $first, $next, $part) = @_; return record($kind, is(@$first), is(@$next) x ($LARGE / $part)) }

sub start   { my ($rate) = @_; return record(1, us(0, 0, 17e17), i(0), us($rate, 1), i(1001), ss(qw(fake x.pl perl))) }
sub file    { my ($id, $name, @by) = @_; return record(7, us($id, @by ? 256 : 0, @by ? @by : (0, 0), 0, 0), ss($name)) }
sub named   { my ($id, $name) = @_; return record(10, us($id, 0, 1, 1, 1, 1), ss($name, '')) }
sub place   { my ($id, $line) = @_; return record(11, us($id, 1, $line, $line, $line)) }
sub ran     { my ($id) = @_; return record(13, u($id), is(1, 1)) }
sub node    { my ($id, $parent, $sub) = @_; return record(12, us($id, $parent, 1, $sub)) }
sub called  { my ($id) = @_; return record(14, u($id), is(1, 1)) }
sub in_file { my ($id) = @_; return record(11, us($id, $id, 1, 1, 1)) . ran($id) }
sub source  { my ($text) = @_; return record(8, us(1, 1), ss($text)) }

my $HEAD  = start(1e9) . file(1, '/x.pl') . named(1, 'main::f') . place(1, 1);
my $CALLS = record(4, ss('calls', 2));
my @NONE  = (0) x 6;

sub capture { return text() . chunk(join('', @_), deflated => 1) }

# --- captures ---------------------------------------------------------------------------------------------------------

my @captures = (
    'statements'          => sub { $HEAD, record(13, u(1), is(1 << 30, 1000)) },
    'seconds'             => sub { start(1), file(1, '/x.pl'), place(1, 1), record(13, u(1), is($MOST, 1 << 62)) },
    'calls'               => sub { $HEAD, node(1, 0, 1), record(14, u(1), is(1 << 30, 1000)) },
    'calls in order'      => sub { $HEAD, $CALLS, node(1, 0, 1), record(14, u(1), is(1 << 30, 1000)) },
    'empty lines'         => sub { $HEAD, source(many("\n")) },
    'a long line'         => sub { $HEAD, source(many('{<&')) },
    'use statements'      => sub { $HEAD, source(many("use x;\n")) },
    'gaps between lines'  => sub { $HEAD, map { record(8, us(1, $_ * 90_000), ss("say\n")) } 1 .. 5000 },
    'nothing'             => sub { $HEAD, many("\x7F\0") },
    'windows'             => sub { $HEAD, many(record(15, is(0, 0, 0, 0), u(0))) },
    'prices'              => sub { $HEAD, many(record(30, u(1), i(1), us(1, 1), i(1))) },
    'equal notes'         => sub { $HEAD, many(record(6, ss('x'))) },
    'notes'               => sub { $HEAD, map { record(6, ss("note $_")) } 1 .. 20_000 },
    'equal options'       => sub { $HEAD, many(record(4, ss('k', 'v'))) },
    'directories'         => sub { $HEAD, map { record(5, ss('inc', "/lib/$_")) } 1 .. 15_000 },
    'starts'              => sub { many(start(1e9)) },
    'carried lines'       => sub { $HEAD, record(9, many(us(1, 2, 1))) },
    'lines of code'       => sub { $HEAD, sets(37, [ 1, 1 ], [ 0, 1 ], 2) },
    'files'               => sub { $HEAD, map { file($_, "/$_"), in_file($_) } 2 .. 1500 },
    'evals in evals'      => sub { $HEAD, map { file($_, "(eval $_)[/x.pl:1]", $_ - 1, 1), in_file($_) } 2 .. 1500 },
    'subs in subs'        => sub { $HEAD, map({ record(10, us($_ + 1, 0, 1, $_, 8001 - $_, 1), ss("main::f$_", '')) }
        1 .. 3500), map { record(11, us($_ + 1, 1, 8001 - $_, $_, $_)), ran($_ + 1) } 1 .. 3500 },
    'closures'            => sub { $HEAD, map({ record(10, us($_ + 1, 0, 1, 1, 9000, 1), ss("main::f$_", '')),
        node($_, 0, $_ + 1), record(14, u($_), is(1, 900)) } 1 .. 3000),
        map { place($_ + 1, $_), record(13, u($_ + 1), is(1, 1000)) } 1 .. 3000 },
    'nested evals'        => sub { $HEAD, map { file($_, "(eval 1)[/x.pl:1]", $_ - 1, 1), in_file($_) } 2 .. 6000 },
    'subs'                => sub { $HEAD, map { named($_, "m$_\::f"), node($_, 0, $_), called($_) } 2 .. 5000 },
    'a sub renamed'       => sub { $HEAD, many(named(1, 'x') . named(1, 'y')) },
    'places'              => sub { $HEAD, sets(28, [ 2, 1, 1, 1, 1 ], [ 1, 0, 1, 1, 1 ], 5) },
    'lines that ran'      => sub { $HEAD, sets(28, [ 2, 1, 1, 1, 1 ], [ 1, 0, 1, 1, 1 ], 12),
        sets(31, [ 2, 1, 1, 0, 0, 0, 0 ], [ 1, 1, 1, 0, 0, 0, 0 ], 12) },
    'a wide tree'         => sub { $HEAD, sets(29, [ 1, 0, 1, 1 ], [ 1, 0, 0, 0 ], 13),
        sets(32, [ 1, 1, 1, @NONE ], [ 1, 1, 1, @NONE ], 13) },
    'a deep tree'         => sub { $HEAD, sets(29, [ 1, 0, 1, 1 ], [ 1, 1, 0, 0 ], 13),
        sets(32, [ 1, 1, 1, @NONE ], [ 1, 1, 1, @NONE ], 13) },
    'a tree by lines'     => sub { $HEAD, sets(28, [ 2, 1, 1, 1, 1 ], [ 1, 0, 1, 1, 1 ], 20),
        sets(29, [ 1, 0, 1, 1 ], [ 1, 0, 1, 0 ], 20), sets(32, [ 1, 1, 1, @NONE ], [ 1, 1, 1, @NONE ], 20) },
    'a chain of subs'     => sub { $HEAD, map { named($_, "main::f$_"), node($_ - 1, $_ - 2, $_), called($_ - 1) }
        2 .. 3000 },
    'a long name'         => sub { start(1e9), file(1, '/x.pl'), named(1, 'x' x 5e6), place(1, 1),
        map { node($_, $_ - 1, 1), called($_) } 1 .. 2000 },
    'long names'          => sub { $HEAD, map { named($_, 'x' x 10_000 . $_), node($_, $_ - 1, $_), called($_) }
        1 .. 1500 },
    'all call all'        => sub { $HEAD, map({ named($_ + 1, "main::f$_") } 1 .. 60), pairs_of(60) },
    'tails'               => sub { $HEAD, record(27, many(u(1))) },
    'calls that go on'    => sub { $HEAD, $CALLS, node(1, 0, 1), record(17, many(i(1) . u(1))) },
    'calls and returns'   => sub { $HEAD, $CALLS, node(1, 0, 1),
        many(record(17, i(1), u(1)) . record(32, is(1, 1, 1, @NONE)) . record(18, i(1), u(1), i(0))) },
    'calls for ages'      => sub { $HEAD, $CALLS, node(1, 0, 1), map { record(32, is(1, 1, 1 << 50, @NONE)),
        record(17, i(1), u(1)), record(32, is(1, 1, 1 << 50, @NONE)), record(18, i(1), u(1), i(0)) } 1 .. 2000 },
    'metrics'             => sub { $HEAD, map { record(35, us($_, 7, 0), ss("m$_", 'B', 'M')) } 1 .. 2000 },
    'values'              => sub { $HEAD, record(35, us(1, 7, 0), ss('m', 'B', 'M')),
        sets(28, [ 2, 1, 1, 1, 1 ], [ 1, 0, 1, 1, 1 ], 9), sets(36, [ 1, 1, 2, 1 ], [ 0, 0, 1, 1 ], 9) },
    'distant ids'         => sub { start(1e9), map { file($_ << 40, "/$_") } 1 .. 6000 },
);

sub pairs_of {
    my ($n) = @_;
    my ($id, @records) = (0);
    for my $sub (1 .. $n) {
        my $own = ++$id;
        push @records, node($own, 0, $sub), map { node(++$id, $own, $_), called($id) } 1 .. $n;
    }
    return @records;
}

# --- files of format 5 ------------------------------------------------------------------------------------------------

sub ns  { return join '', map { "\xFF" . pack 'N', $_ } @_ }
sub str { my ($text) = @_; return "'" . ns(length $text) . $text }

my $FIRST = 'P' . ns(7, 1) . pack('d', 1e9) . '@' . ns(1, 0, 0, 2, 0, 0) . str('/x.pl');
my $TIMES = pack 'ddd', 1, 1, 1;

sub v5 { return "NYTProf 5 0\n:ticks_per_sec=10000000\n:nv_size=8\nz" . compress(join('', $FIRST, @_)) }

sub another { my ($fid) = @_; return '@' . ns($fid, 0, 0, 2, 0, 0) . str("/$fid.pl") }

my @v5 = (
    'discounts'      => sub { so_many('-', 60e6) },
    'most statements' => sub { so_many('+' . ns(1, 1, 1), 2e6) },
    'short statements' => sub { so_many("+\1\1\1", 14e6) },
    'blocks'         => sub { so_many("*\1\1\1\1\1", 7e6) },
    'lines'          => sub { many('S' . ns(1, 1) . str("\n")) },
    'statements'     => sub { many('+' . ns(1, 1, 1)) },
    'calls'          => sub { many('>' . ns(1, 1) . '<' . ns(1) . pack('dd', 1, 1) . str('f')) },
    'calls that go on' => sub { many('>' . ns(1, 1)) },
    'subs'           => sub { many('s' . ns(1) . str('f') . ns(1, 1)) },
    'callers'        => sub { many('c' . ns(1, 1) . str('g') . ns(1) . $TIMES . ns(0) . str('f')) },
    'files'          => sub { many('@' . ns(2, 0, 0, 2, 0, 0) . str('/y.pl')) },
    'long names'     => sub {
        map { 'c' . ns(1, $_) . str('x' x 9e3) . ns(1) . $TIMES . ns(0) . str('f' x 9e3) } 1 .. 900 },
    'far lines'      => sub { '+' . ns(1, 1, 0xFFFFFFFE) . 'S' . ns(1, 0xFFFFFFFE) . str('x') },
    'far lines of files' => sub { map { another($_), '*' . ns(1, $_, 9_999_999, 9_999_998, 9_999_997),
        'S' . ns($_, 90_000) . str("x\n") } 2 .. 1500 },
    'far files'      => sub { map { another($_), '+' . ns(1, $_, 1) } 9_990_000 .. 9_994_000 },
    'calls from everywhere' => sub { map { my $sub = $_;
        map { "c\1" . chr($_) . str('f') . "\1$TIMES\0" . str(chr $sub) } 1 .. 120 } 65 .. 122 },
    'evals in evals' => sub { map { '@' . ns($_, $_ - 1, 1, 2, 0, 0) . str("(eval $_)[/x.pl:1]"), '+' . ns(1, $_, 1) }
        2 .. 4000 },
    'processes'      => sub { map { 'P' . ns($_, 1) . pack 'd', 1e9 } 2 .. 6000 },
    'deep returns'   => sub { map { '<' . ns($_) . pack('dd', 1, 1) . str('f') } 0xFFFFFFFE, 1 .. 5000 },
);

# A list of [title, function that returns the bytes].
sub bombs {
    my @bombs;
    for my $from ([ 'capture: ', \&capture, @captures ], [ 'format 5: ', \&v5, @v5 ]) {
        my ($kind, $make, %make_of) = @$from;
        for my $name (sort keys %make_of) {
            push @bombs, [ $kind . $name, sub { $make->($make_of{$name}->()) } ];
        }
    }
    return @bombs;
}

1;
