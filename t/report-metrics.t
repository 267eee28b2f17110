# SPDX-License-Identifier: MIT
# Metrics: whatever counters a capture defines, reports have them, show those that are asked for and rank by the first.
# What a damaged or hostile capture says of metrics does no harm.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use LuaCapture qw(lua_capture metric values_of);
use PageData qw(page_data);
use Pages qw(pages run text_of);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);
my ($PLACE, $NODE, $PROCESS) = (1, 2, 4);

# Depth is of lines and calls, and its largest value counts; idle is a time, of calls; parcels have a unit of their own;
# rounds are of the process.
my $capture = lua_capture(
    more => [
        metric(1, $PLACE | $NODE, 1, 'depth', '', 'Deepest stack'),
        metric(2, $NODE,    0, 'idle',    'ns',     'Time asleep'),
        metric(7, $PLACE,   0, 'parcels', 'parcel', 'Parcels sent'),
        metric(9, $PROCESS, 0, 'rounds',  '',       'Rounds of the loop'),
        values_of([ 1, $PLACE, 1, 5 ], [ 1, $PLACE, 2, 3 ], [ 1, $PLACE, 1, 4 ]),
        values_of(
            [ 1, $NODE,    1, 3 ], [ 1, $NODE, 2, 5 ], [ 2, $NODE, 2, 2_000 ], [ 2, $NODE, 1, 40_000 ],
            [ 7, $PLACE,   3, 6 ], [ 7, $PLACE, 0, 1 ], # 0 is outside any statement
            [ 9, $PROCESS, 0, 11 ]
        ),
    ]
);

# --- csv ---

is column(csv($capture), 'depth'), '5 3 0 0 0', 'csv: the largest value of a line counts';
is column(csv($capture), 'parcels'), '0 0 0 0 6', 'another metric is a column of its own';
is head(csv($capture)), 'time,calls,time/call,depth,parcels,code', 'metrics of calls have none';
is head(csv($capture, 'parcels,depth')), 'time,calls,time/call,parcels,depth,code', 'they come as they are asked for';
is head(csv($capture, 'time')), 'time,calls,time/call,code', 'and only then';

# --- callgrind ---

my $callgrind = callgrind($capture);
like $callgrind, qr/^event: idle : Time asleep\n.*\nevents: ns depth idle stmts\nsummary: 100 5 42000 6$/m,
    'callgrind: metrics of calls are events, of which the largest or the sum is the total';
like $callgrind, qr/^fn=\(\d+\)\n2 15 3 40000 1$/m, 'a sub has its own';
like $callgrind, qr/^cfn=\(\d+\) outer\ncalls=1 2\n5 50 5 42000$/m, 'and with those it called the larger, and the sum';
like callgrind($capture, 'idle'), qr/^events: idle ns stmts\nsummary: 42000 100 6$/m,
    'one that ranks comes before time';
like callgrind($capture, 'time,idle'), qr/^events: ns idle stmts$/m, 'time does if it is named first';
like callgrind($capture, 'time'), qr/^events: ns stmts$/m, 'or alone';

# --- folded ---

is folded($capture, 'idle'), "(host);outer 40000\n(host);outer;inner 2000\n",
    'folded: paths with the metric that ranks';
like folded($capture, 'time'), qr/^\(host\);outer 15$/m, 'else with times';

# --- flat ---

my ($flat) = nytprof('flat', '--metric=idle', '-b', \$capture);
my $columns = qr{^ +self +idle +calls +name\n}m;
like $flat, qr{^ +\d+ +Rounds of the loop\n$columns +\S+ \S+ +40\.0 µs +\d+ +outer\n.* 2\.00 µs .* inner\n\z}m,
    'flat: subs with the metric that ranks, below those of processes';
like +(nytprof('flat', '--metric=time,idle', '-b', \$capture))[0], qr{$columns(?:.*\n){3,}\z},
    'else all subs';
is +(nytprof('flat', '--metric=idle', '--style=gprof', \$capture))[1],
    "nytprof: flat: expected --metric or --style, got both (see `nytprof help flat`)\n", 'there is one kind of columns';

# --- html ---

my $pages = html($capture, 'idle,parcels');
my $source = $pages->{'app-prog-lua-1-line.html'};
like text_of($source), qr/In calls Parcels Source/, 'html: a page of source has columns for metrics of lines';
like $source, qr{<td class=m><span>6 parcel</span>}, 'with their unit';
like $source, qr{idle: 40\.0 µs self, 42\.0 µs total}, 'a sub has the others in its heading';
unlike $source, qr/Deepest/, 'what was not asked for is not shown';
my $data = page_data($pages->{'data.js'});
my ($idle) = @{ $data->{metrics} };
is_deeply [ @{$idle}{qw(name title unit adds)} ], [ 'idle', 'Time asleep', 'ns', 0 ],
    'the index page has metrics of calls';
is_deeply [ sort @{ $idle->{self} } ], [ 0, 0, 0, 2000, 40_000 ], 'and of nodes of the call tree';
is $data->{ranks}, 1, 'and sorts by the one that was named first';
like $pages->{'index.html'}, qr{>Time asleep</h2>.*<title>outer, 42\.0 µs</title>.*<title>inner, 2\.00 µs</title>}s,
    'so its picture without a script is drawn of it';
unlike $pages->{'index.html'}, qr/<title>string/, 'without what has none of it';
like $pages->{'all_stacks_by_time.svg'}, qr/Time asleep/, 'which the flame graph is drawn of';
like $pages->{'all_stacks_by_time.calls'}, qr/^\(host\);outer 40000$/m, 'with its paths beside it';
my $all = html($capture);
$data = page_data($all->{'data.js'});
is_deeply [ map { $_->{name} } @{ $data->{metrics} } ], [qw(depth idle)], 'all are shown where none is named';
is $data->{ranks}, 0, 'and time ranks';
is_deeply [ grep { $_->{self} } @{ $data->{metrics} } ], [ $data->{metrics}[1] ],
    'the largest value of many calls is none of the tree';
like $all->{'index.html'}, qr{>Where the time goes</h2>.*<title>outer, 50 ns</title>}s, 'which is drawn of time';
like text_of($all->{'index.html'}), qr/ 1 process .* Memory Rounds End Program 4711 .* 11 finished prog\.lua /,
    'one process, too, has a row if it has values of its own';


# --- info ---

my ($info) = nytprof('info', \$capture);
like $info, qr/^metrics +depth: 5 \(Deepest stack\)\n +idle: 42\.0 µs \(Time asleep\)$/m,
    'info: totals as people read them';
like $info, qr/^ +parcels: 6 parcel \(Parcels sent\)\n +rounds: 11 \(Rounds of the loop\)$/m, 'with their units';
like [ nytprof('info', \lua_capture(memory => 'old')) ]->[0], qr/^metrics +allocations: 17 \(.*\n +bytes: 1\.35 kB \(/m,
    'of older captures, too';

# --- a name that is none ---

my (undef, $err, $exit) = nytprof('csv', '-d', '-o', "$dir/csv", '--metric', 'time,nosuch', \$capture);
my $names = 'time, depth, idle, parcels, rounds';
is "$exit $err", qq{1 nytprof: there is no metric "nosuch" in this profile; it has $names\n},
    'a name that is none is told, with those that there are';

# --- the commands under Devel::NYTProf's names ---

spew("$dir/capture", $capture);
like tool('nytprofcalls', '--metric', 'idle', "$dir/capture"), qr/^outer;inner 2000$/m, 'nytprofcalls';
tool('nytprofcsv', '--metric', 'parcels', '-f', "$dir/capture", '-o', "$dir/tool");
is head([ grep { !/^# [VMP]/ } split /\n/, slurp("$dir/tool/app-prog-lua-1-line.csv") ]),
    'time,calls,time/call,parcels,code', 'nytprofcsv';
tool('nytprofcg', '--metric', 'idle,time', '-f', "$dir/capture", '-o', "$dir/tool.callgrind");
like slurp("$dir/tool.callgrind"), qr/^events: idle ns stmts$/m, 'nytprofcg';
tool('nytprofhtml', '--metric', 'idle', '-f', "$dir/capture", '-o', "$dir/tool");
is page_data(slurp("$dir/tool/data.js"))->{ranks}, 1, 'and nytprofhtml take --metric';

# --- captures of several processes ---

my $other = lua_capture(pid => 7, more => [
    metric(3, $NODE, 0, 'idle', 'ns', 'Time asleep'), values_of([ 3, $NODE, 1, 1 ], [ 1, $NODE, 1, 100 ]) ]);
like callgrind($capture . $other), qr/^summary: 200 5 42001 12$/m,
    'each process has its own numbers for metrics of one name';

# --- metrics of one name ---

my $twice = $capture . lua_capture(pid => 8, more => [
    metric(1, $PLACE, 0, 'parcels', 'box', 'Boxes sent'), metric(2, $PLACE, 1, 'parcels', 'parcel', 'Most parcels'),
    metric(3, $PLACE, 0, 'time', 's', 'Time by another clock'),
    values_of([ 1, $PLACE, 3, 2 ], [ 2, $PLACE, 3, 4 ], [ 3, $PLACE, 3, 8 ]),
]);
my $named = 'The name of metric %s without its number is that of another column.';
my $said  = join "\n", map { 'nytprof: ' . sprintf $named, $_ } qw(parcels_2 parcels_3 time_2);
my $rows  = csv($twice, undef, $said);
is head($rows), 'time,calls,time/call,depth,parcels,parcels_2,parcels_3,time_2,code',
    'those of other units, or that add up in another way, are named apart; so is what is named as a column of reports';
is join(' ', map { column($rows, $_) =~ /(\d+)$/ } qw(parcels parcels_2 parcels_3 time_2)), '6 2 4 8',
    'each has its values';

# --- what is wrong ---

my $odd = lua_capture(more => [
    values_of([ 1, $PLACE, 1, 1000 ], [ ~0, $NODE, ~0, 1 ]),
    metric(1, $PLACE, 0, "a b,\n<i>", "<b>\n", "<script>\x01" x 50),
    metric(2, $PLACE, 9, '', '', ''),
    values_of([ 1, $PLACE, 1, 6 ], [ 2, $PLACE, 1, 7 ], [ 1, 3, 1, 5 ], [ 1, $PLACE, 99, 8 ], [ 1, $PLACE, 2, -4 ]),
]);
$rows = csv($odd);
is head($rows), 'time,calls,time/call,a_b___i_,unnamed,code', 'names become one word';
is column($rows, 'a_b___i_'), '6 -4 0 0 0', 'values of what is not defined are left out';
my $odd_pages = html($odd);
unlike join('', values %$odd_pages), qr/<script>\x01|<b>\n/, 'no text of a metric is markup';
unlike $odd_pages->{'index.html'}, qr/<i>/, 'on the index, too';
my @many = map { metric($_, $PLACE, 0, "m$_", '', ''), values_of([ $_, $PLACE, 1, $_ ]) } 1 .. 99;
my $many = lua_capture(more => \@many);
$rows = csv($many, undef, 'nytprof: There are more than 32 metrics; the others are left out.');
is head($rows), 'time,calls,time/call,' . join('', map {"m$_,"} 1 .. 32) . 'code', 'metrics without end are cut off';

done_testing;

sub csv {
    my ($bytes, $metrics, $says) = @_;
    my (undef, $err, $exit) =
        nytprof('csv', '-d', '-o', "$dir/csv", defined $metrics ? ('--metric', $metrics) : (), \$bytes);
    is "$exit $err", $says ? "0 $says\n" : '0 ', 'csv runs';
    return [ grep { !/^# [VMP]/ } split /\n/, slurp("$dir/csv/app-prog-lua-1-line.csv") ];
}

sub tool {
    my ($name, @arguments) = @_;
    my ($status, $out, $err) = run($^X, "$FindBin::Bin/../bin/$name", @arguments);
    is "$status$err", '0', "$name runs";
    return $out;
}

sub head { my ($rows) = @_; return $rows->[0] =~ s/^# Format: //r }

# The column's values, line by line.
sub column {
    my ($rows, $name) = @_;
    my @names = split /,/, head($rows);
    my ($at) = grep { $names[$_] eq $name } 0 .. $#names;
    return join ' ', map { (split /,/)[$at] } grep { !/^#/ } @$rows;
}

sub named { my ($metrics) = @_; return defined $metrics ? ('--metric', $metrics) : () }

sub callgrind { my ($bytes, $metrics) = @_; return (nytprof('callgrind', '-o', '-', named($metrics), \$bytes))[0] }

sub folded { my ($bytes, $metrics) = @_; return (nytprof('folded', named($metrics), \$bytes))[0] }

sub html {
    my ($bytes, $metrics) = @_;
    nytprof('html', '-d', '-o', "$dir/html", named($metrics), \$bytes);
    return pages("$dir/html");
}
