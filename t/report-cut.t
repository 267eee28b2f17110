# SPDX-License-Identifier: MIT
# Call paths that are too short to be drawn are cut off the tree; their calls and their time are not lost: data.js has
# them by sub, and the script's views count them.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text u);
use PageData qw(page_data);
use Tree qw(slurp);

my $dir = tempdir(CLEANUP => 1);

# main::hot takes a second. It calls main::a and main::b, and both call main::cold, which calls itself: quickly.
my @subs  = qw(main::hot main::a main::b main::cold);
my @nodes = ( # parent, line, sub, calls, ticks of a nanosecond
    [ 0, 1, 1, 1, 1_000_000_000 ], [ 1, 2, 2, 10, 100_000 ], [ 1, 2, 3, 20, 200_000 ], [ 2, 3, 4, 700, 100 ],
    [ 3, 4, 4, 800, 200 ], [ 5, 5, 4, 900, 300 ], [ 1, 5, 4, 1, 2000 ], [ 0, 6, 4, 5, 50 ], [ 1, 6, 2, 3, 10_000 ],
);
my $start = join '', map({ u($_) } 1, 0, 17e17), i(0), u(1_000_000_000), u(1), i(1001),
    map { Capture::s($_) } qw(fake x.pl perl);
my @records = (
    record(1, $start), record(7, (map { u($_) } 1, 0, 0, 0, 0, 0), Capture::s('/x.pl')),
    record(8, u(1), u(1), Capture::s("f();\n" x 9)),
    (map { record(10, (map { u($_) } $_, 0, 1, $_, $_, 1), Capture::s($subs[ $_ - 1 ]), Capture::s('')) } 1 .. @subs),
    (map { record(11, map { u($_) } $_, 1, ($_) x 3) } 1 .. 9),
    (map { record(12, map { u($_) } $_, $nodes[ $_ - 1 ][0], $nodes[ $_ - 1 ][1], $nodes[ $_ - 1 ][2]) } 1 .. @nodes),
    (map { record(14, u($_), i($nodes[ $_ - 1 ][3]), i($nodes[ $_ - 1 ][4])) } 1 .. @nodes),
);
my (undef, $said, $exit) = nytprof('html', '-o', "$dir/report", \(text(program => 'x.pl') . chunk(join '', @records)));
is "$exit$said", '0', 'there is a report';
my $data = page_data(slurp("$dir/report/data.js"));
my %sub  = map { ($_->{name} => $_) } @{ $data->{subs} };
my (%calls, %self);
for my $node (@{ $data->{tree} }) {
    my $name = $data->{subs}[ $node->[1] ]{name};
    $calls{$name} += $node->[2];
    $self{$name}  += $node->[3] * $data->{unit};
}
is_deeply \%calls, { 'main::RUNTIME' => 0, 'main::hot' => 1, 'main::a' => 13, 'main::b' => 20, 'main::cold' => 1 },
    'three contexts are cut off, with their calls';
is_deeply [ @{ $sub{'main::cold'} }{qw(cut_calls cut_outermost cut_self)} ], [ 2405, 1505, 650 ],
    'which are told by sub: all, those that are in no other call of it, their time';
is_deeply [ grep { ($calls{$_} // 0) + $sub{$_}{cut_calls} != $sub{$_}{calls} } keys %sub ], [],
    'so that the calls of every sub are complete';
is_deeply [ grep { abs(($self{$_} // 0) + $sub{$_}{cut_self} - $sub{$_}{exclusive}) > 20 * $data->{unit} }
    grep { !($sub{$_}{flags} & 8) } keys %sub ], [], 'and their times';

# A node says where it was called: 2 + the line; 1 for several.
my %line = map { (join(' ', $data->{subs}[ $_->[1] ]{name}, $_->[2]) => $_->[5]) } @{ $data->{tree} };
is_deeply [ @line{ 'main::hot 1', 'main::a 13', 'main::b 20' } ], [ 3, 1, 4 ], 'where calls are made is in the tree';

done_testing;
