# SPDX-License-Identifier: MIT
# The strip of time on the first page: its slices, which the page has as data, are those of the capture, as reports of
# the same part of the time (--time) tell, with the times of subs and of lines. Names of marks and spans are text.
use strict;
use warnings;

use FindBin;
use JSON::PP qw(decode_json);
use List::Util qw(max min sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text u);
use PageData qw(page_data);
use Pages qw(text_of);
use Run qw(capture_of run);
use Tree qw(slurp);

my $run = run(<<'PROGRAM', options => { addpid => 0 });
use Time::HiRes qw(sleep);
sub busy { for (1 .. shift) { step() for 1 .. 20 } }
sub step { my $x = 0; $x += $_ for 1 .. 20; return $x }
DB::mark('</svg><b>&"begin');
busy(1500);
{ my $span = DB::span('"><script>'); sleep 0.1; }
if (!fork) { busy(300); exit }
wait;
DB::mark('middle');
busy(1500);
PROGRAM
is $run->{exit}, 0, 'the program ran';
my $file = capture_of($run);
my ($child) = glob "$file.*";
my $index = index_of($file, $child);
my $data  = page_data(slurp("$run->{dir}/report$run->{reports}/data.js"));
my $strip = { slices => $data->{slices} };
is scalar @{ $data->{sliced} }, scalar @{ $strip->{slices} }, 'the call tree has the same slices';

is_deeply [ sort { $a <=> $b } keys %{ { map { ($_->{lane} => 1) } @{ $strip->{slices} } } } ], [ 0, 1 ],
    'a lane for each process';
cmp_ok scalar @{ $strip->{slices} }, '<=', 256, 'and few slices';
for my $lane (0, 1) {
    my @of = grep { $_->{lane} == $lane } @{ $strip->{slices} };
    my @off = map { abs($of[$_]{end} - $of[ $_ - 1 ]{end} - sum0(@{ $of[$_]{passed} })) } 1 .. $#of;
    cmp_ok max(0, @off), '<=', 30, "lane $lane: what passed in a slice is the time since the one before";
}

my @ends = sort { $a <=> $b } map { $_->{end} } grep { $_->{lane} == 0 } @{ $strip->{slices} };
my @bounds = (0, @ends[ @ends / 3, 2 * @ends / 3, -1 ]);
for my $k (0 .. $#bounds - 1) {
    my ($from, $to) = @bounds[ $k, $k + 1 ];
    my $time = sprintf '%.6f..%.6f', $from / 1e6, $to / 1e6;
    my ($json) = nytprof('json', '-o', '-', '--time', $k ? $time : $time =~ s/^0\.000000//r, $file, $child);
    my @in = grep { my $end = $strip->{slices}[$_]{end}; $end > $from && $end <= $to } 0 .. $#{ $strip->{slices} };
    my $passed = sum0(map { @{ $strip->{slices}[$_]{passed} } } @in);
    my ($processes) = $json =~ /^"processes":\[(.*)\],$/m;
    my $elapsed = sum0($processes =~ /"elapsed":(\d+)/g) / 1e3;
    cmp_ok abs($passed - $elapsed), '<=', 6 * @in, "$time: the parts of slices are all of the time";
    my $own = sum0(map { $strip->{slices}[$_]{passed}[4] } @in);
    my $cost = sum0($processes =~ /"(?:subtracted|writing|cold)":(-?\d+)/g) / 1e3;
    cmp_ok abs($own - $cost), '<=', @in, "$time: and the profiler's own is in them";
    my %exclusive = $json =~ /"name":"([^"]+)"[^{}]*?"exclusive":(\d+)/g;
    my @tree = map { @{ $data->{sliced}[$_] } } @in; # [node, whether it is cut, ns]
    my ($all, %own) = (0);
    for my $entry (@tree) {
        my ($node, $is_cut, $ns) = @$entry;
        $all += $ns;
        $own{ $node ? $data->{subs}[ $data->{tree}[ $node - 1 ][1] ]{name} : '' } += $ns if !$is_cut;
    }
    my $sum = 1e3 * sum0(map { @{ $strip->{slices}[$_]{passed} }[ 0 .. 3 ] } @in);
    cmp_ok abs($all - $sum), '<=', $sum / 1000 + 4e3 * @in, "$time: the call tree has all of the time";
    for my $sub (qw(main::step main::busy Time::HiRes::sleep main::CORE:wait)) {
        cmp_ok abs(($own{$sub} // 0) - ($exclusive{$sub} // 0)), '<=', $sum / 200, "$time: and that of $sub";
    }
    lines_agree($time, decode_json($json), @in);
    my $waited = sum0(map { $strip->{slices}[$_]{passed}[2] } @in);
    my $waits  = sum0(map { $exclusive{$_} // 0 } 'Time::HiRes::sleep', 'main::CORE:wait') / 1e3;
    cmp_ok abs($waited - $waits), '<=', 2 * @in + 2, "$time: waiting is the time of what waits";
}
cmp_ok sum0(map { $_->{passed}[2] } @{ $strip->{slices} }), '>=', 100_000, 'of which there is some';
for my $k (0 .. $#{ $data->{files} }) {
    my @rows = grep { $_->{file} == $k } @{ $data->{linewise} };
    my $sum = sum0(map { values %{ $_->{times} } } @rows);
    cmp_ok abs($sum - $data->{files}[$k]{time}), '<=', @rows * $rows[0]{unit},
        "$data->{files}[$k]{name}: all slices of its lines are its time";
    is_deeply [ map { $_->{line} } @rows ], [ (sort { $a <=> $b } map { $_->{line} } @rows[ 0 .. $#rows - 1 ]), 0 ],
        'in the order of lines, and the others last';
}

my ($svg) = $index =~ m{(<svg class="?strip.*?</div>)}s;
my @titles = $svg =~ m{<title>(.*?), at}g;
is_deeply \@titles, [ '&quot;&gt;&lt;script&gt;', '&lt;/svg&gt;&lt;b&gt;&amp;&quot;begin', 'middle' ],
    'spans and marks have their names, as text';
my @heads = map {s/<.*//sr} $index =~ m{<table class="?passed.*?</thead>}s ? $& =~ /<th scope="?col"?>([^<]*)/g : ();
is_deeply [ @heads[ 0 .. 2 ] ], [ 'process', 'from', 'to' ], 'the same is a table';
ok !(grep { $_ eq 'switched off' } @heads), 'without what never was';

my ($head) = $index =~ m{(<header.*?</header>)}s;
my %part   = $head =~ m{<i class=(\w+) style=flex-grow:(\d+)></i>}g;
my @class  = qw(k0 k6 k8 k2 profiler off);
for my $k (grep { $part{ $class[$_] } } 0 .. $#class) {
    my $sum = sum0(map { $_->{passed}[$k] } @{ $strip->{slices} });
    cmp_ok abs($part{ $class[$k] } - $sum), '<=', @{ $strip->{slices} }, "in the head: the sum of slices, $class[$k]";
}
is join(' ', sort keys %part), 'k0 k2 k8 profiler', 'all that passed is a part of the bar';
my ($told) = text_of($head) =~ / In 2 processes: (running .*? %) \S+ \S+ profiled/;
is join(' ', map {s/ [\d.]+ \S?s [\d.]+ %//r} split / (?=waiting|compiling|the p)/, $told // ''),
    'running waiting compiling and loading the profiler', 'and told in words, with time and share';
unlike $index, qr{</header>.*class="?passed"?>\s*<span}s, 'once';

my $long  = "\xC3\xA9" x 60 . '.pl';
my $named = index_of(capture_of(run('1;', name => $long, options => { addpid => 0 })));
my $cut   = "\xC3\xA9" x 16 . "\xE2\x80\xA6" . "\xC3\xA9" x 14 . '.pl';
like $named, qr{<h1>Profile of <code title="$long">$cut</code></h1>}, 'a long name is whole in its title';
like text_of($named), qr{ \xC2\xB7 on \S+ in /\S+}, 'and the head says where the program ran';
is_deeply [ $index =~ m{<li>((?:Mark|Longest span) \S+)}g ],
    [ 'Mark &lt;/svg&gt;&lt;b&gt;&amp;&quot;begin', 'Mark middle', 'Longest span &quot;&gt;&lt;script&gt;,' ],
    'with a list of marks and spans';
like $index, qr/data-files="?[^" >]*nytprof\.out /, 'the page knows what it was made of';
unlike index_of("$FindBin::Bin/data/v5-plain.out"), qr/id="?strip/, 'format 5 does not tell when';
unlike index_of('--time', sprintf('%.6f..', $bounds[-2] / 1e6), $file), qr/begin/, 'a part has its own marks only';

# Metrics: values that code makes, by slices.
my $grows = run(<<'PROGRAM', options => { addpid => 0, memory => 1 });
my @kept;
sub grow { push @kept, { n => $_ } for 1 .. 2000 }
sub busy { my $x = 0; $x += $_ for 1 .. 200_000; return $x }
grow() for 1 .. 20;
busy() for 1 .. 30;
pop @kept for 1 .. 500;
grow() for 1 .. 3;
PROGRAM
index_of(capture_of($grows));
my $metered = page_data(slurp("$run->{dir}/report$run->{reports}/data.js"));
is_deeply [ map {"$_->{name} $_->{made}"} @{ $metered->{metrics} } ], [ 'values-made 0', 'values-freed 1' ],
    'a metric tells what is freed of another';
my $end = max map { $_->{end} } @{ $metered->{slices} };
for my $bounds ([ 0, $end / 2 ], [ $end / 2, $end ]) {
    my ($from, $to) = @$bounds;
    my ($json) = nytprof('json', '-o', '-', '--time', sprintf('%.6f..%.6f', map { $_ / 1e6 } $from || 1, $to),
        capture_of($grows));
    my @in = grep { my $at = $metered->{slices}[$_]{end}; $at > $from && $at <= $to } 0 .. $#{ $metered->{slices} };
    for my $sub (grep { $_->{name} =~ /^main::(?:grow|RUNTIME)$/ } @{ decode_json($json)->{subs} }) {
        my @told = map { of_sub($_, $sub->{name}, @in) } @{ $metered->{metrics} };
        is "@told", "@{ $sub->{values} }", "$sub->{name} from $from to $to us: values made and freed";
    }
}

# How many spans and counts there were over time, as pictures: one name comes after the other.
my $page = index_of(capture_of(run(<<'PROGRAM', options => { addpid => 0 })));
use Time::HiRes qw(sleep);
for (1 .. 40) { my $span = DB::span('first'); DB::count('early', 3); sleep 0.01 }
DB::mark('half');
for (1 .. 40) { my $span = DB::span('second'); sleep 0.01; DB::count('late', 1); }
PROGRAM
my %picture = reverse $page =~ m{<path d="([^"]+)"/></svg><td class=name>(\w+)}g;
is join(' ', sort keys %picture), 'early first late second', 'spans and counts have pictures over time';
my %middle = map { ($_ => middle_of($_)) } keys %picture;
for my $of ([qw(first second)], [qw(early late)]) {
    my $apart = $middle{ $of->[1] } - $middle{ $of->[0] };
    cmp_ok abs($apart - 20), '<=', 6, "$of->[1] comes half of the picture later than $of->[0]";
}

# A capture of 9000 windows, of which the model keeps fewer: line 1 is always there, lines 2 and 3 half of the time, and
# each of the others once, which makes them too many to be told by themselves.
my $file_record = record(7, (map { u($_) } 1, 0, 0, 0, 0, 0), Capture::s('/x.pl')) .
    record(8, u(1), u(1), Capture::s(join '', map {"  line($_);\n"} 1 .. 3));
my $start = record(1, u(1), u(0), u(10**18), i(0), u(10**9), u(1), i(1), map { Capture::s($_) } qw(mono x.pl perl));
my $windows = join '', map {
    my $w = $_;
    my @of = ([ 1, 5e4 ], [ $w < 4500 ? 2 : 3, 4e4 ], [ 4 + $w, 1e4 ]);
    my $before = 0;
    my $deltas = '';
    for my $of (@of) {
        $deltas .= i($of->[0] - $before) . i(1) . i($of->[1]) . i(0) x 4;
        $before = $of->[0];
    }
    chunk(($w ? '' : $start . $file_record) . place($w ? 4 + $w : (1 .. 4)) . record(31, $deltas) .
        record(15, i(0), i(0), i(0), i(1e5 * $w), u(1 + 1e5 * $w), i(0), i(0), u(0)),
        number => 1 + $w, start => 1e5 * $w, end => 1e5 * ($w + 1));
} 0 .. 8999;
my $many = linewise_of(\(text() . $windows));
cmp_ok scalar(map { keys %{ $_->{times} } } grep { $_->{line} == 1 } @$many), '<=', 256, 'of many windows few slices';
my %row = map { ($_->{line} => $_) } @$many;
my %all = map { ($_ => sum0(values %{ $row{$_}{times} })) } keys %row;
for my $of ([ 1, 45e7 ], [ 2, 18e7 ], [ 3, 18e7 ]) {
    cmp_ok abs($all{ $of->[0] } - $of->[1]), '<=', $row{1}{unit}, "line $of->[0]: all of its time";
}
cmp_ok abs(sum0(values %all) - 9e8), '<=', @$many * $row{1}{unit}, 'the other lines have the rest';
cmp_ok scalar(@$many), '<=', 1001, 'of which few are told by themselves';
cmp_ok max(keys %{ $row{2}{times} }), '<=', 1 + min(keys %{ $row{3}{times} }), 'line 3 begins where line 2 ends';
is $row{3}{source}, 'line(3);', 'lines have their source';
my $delta = record(31, i(1), i(1), i(9e4), i(0) x 4);
my ($counted, $seen) = map { linewise_of(\(text() . chunk("$start$_$file_record" . place(1) . $delta))) } '',
    record(5, Capture::s('lines'), Capture::s('sampled'));
is scalar(@$counted), 2, 'a row for a line and one for all others';
is $seen, undef, 'but none where lines have estimates';
done_testing;

# Lines' times in slices are those of a report of these slices.
sub lines_agree {
    my ($time, $json, @in) = @_;
    my %told;
    for my $row (@{ $data->{linewise} }) {
        my $ns = sum0(map { $row->{times}{$_} // 0 } @in);
        my $name = $data->{files}[ $row->{file} ]{name};
        $told{$name} += $ns;
        $told{"$name:$row->{line}"} = $ns if $row->{line};
    }
    my $lines = $json->{lines};
    my $inc   = join '|', map {quotemeta "$_/"} reverse sort @INC; # not in the page's names
    my ($unit, %time, %line) = ($data->{linewise}[0]{unit});
    for my $k (0 .. $#{ $lines->{line} }) {
        my $name = $json->{files}[ $lines->{file}[$k] ]{name} =~ s/^$inc//r;
        $time{$name} += $lines->{time}[$k];
        $line{"$name:$lines->{line}[$k]"} = $lines->{time}[$k];
    }
    my $most = sum0(values %time) / 500;
    my @busy = grep { $line{$_} > 10 * $most } keys %line;
    cmp_ok scalar(@busy), '>', 0, "$time: lines that took time"; # a stretch may be that of a wait
    for my $name (sort @busy, grep { $time{$_} > $most } keys %time) {
        cmp_ok abs(($told{$name} // 0) - ($line{$name} // $time{$name})), '<=', $most + $unit, "$time: $name";
    }
    return;
}

# What a sub itself has of a metric in these slices.
sub of_sub {
    my ($metric, $name, @in) = @_;
    my $is_its = sub { my ($node) = @_; $node && $metered->{subs}[ $metered->{tree}[ $node - 1 ][1] ]{name} eq $name };
    return sum0(map { $_->[2] } grep { !$_->[1] && $is_its->($_->[0]) } map { @{ $metric->{sliced}[$_] } } @in);
}

# The mean column of a picture, by the columns' heights.
sub middle_of {
    my ($name) = @_;
    my ($high, $column, $sum, $all) = (0) x 4;
    while ($picture{$name} =~ /([vh])(-?[\d.]+)/g) {
        if ($1 eq 'v') { $high -= $2 }
        else {
            $sum += $high * $column++;
            $all += $high;
        }
    }
    is $column, 40, "$name: forty columns";
    return $sum / $all;
}

# Definitions of places, each in the line of its number.
sub place {
    my $before = 0;
    return record(28, join '', map { my $by = $_ - $before; my @d = (i($by), i($before ? 0 : 1), (i($by)) x 3);
        $before = $_; @d } @_);
}

sub linewise_of {
    my ($capture) = @_;
    my $dir = "$run->{dir}/report" . ++$run->{reports};
    my (undef, $err, $exit) = nytprof('html', '--no-graphs', '-o', $dir, $capture);
    is $exit, 0, 'a report' or diag $err;
    return page_data(slurp("$dir/data.js"))->{linewise};
}

sub index_of {
    my (@args) = @_;
    my $dir = "$run->{dir}/report" . ++$run->{reports};
    my (undef, $err, $exit) = nytprof('html', '--no-graphs', '-o', $dir, @args);
    is $exit, 0, "a report of @args" or diag $err;
    return slurp("$dir/index.html");
}
