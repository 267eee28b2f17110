# SPDX-License-Identifier: MIT
# The strip of time on the first page: its slices, which the page has as data, are those of the capture, as reports of
# the same part of the time (--time) tell. Names of marks and spans are text.
use strict;
use warnings;

use FindBin;
use List::Util qw(max sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
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
my $strip = strip_of($index);
my $data  = page_data(slurp("$run->{dir}/report$run->{reports}/data.js"));
is scalar @{ $data->{sliced} }, scalar @{ $strip->{slices} }, 'the call tree has the same slices';

is_deeply [ sort { $a <=> $b } keys %{ { map { ($_->{lane} => 1) } @{ $strip->{slices} } } } ], [ 0, 1 ],
    'a lane for each process';
cmp_ok scalar @{ $strip->{slices} }, '<=', 256, 'and few slices';
for my $lane (0, 1) {
    my @of = grep { $_->{lane} == $lane } @{ $strip->{slices} };
    my @gaps = map { abs($of[$_]{begin} - $of[ $_ - 1 ]{end}) } 1 .. $#of;
    cmp_ok max(0, @gaps), '<=', 20, "lane $lane: a slice begins where the one before ends";
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
    my $waited = sum0(map { $strip->{slices}[$_]{passed}[2] } @in);
    my $waits  = sum0(map { $exclusive{$_} // 0 } 'Time::HiRes::sleep', 'main::CORE:wait') / 1e3;
    cmp_ok abs($waited - $waits), '<=', 2 * @in + 2, "$time: waiting is the time of what waits";
}
cmp_ok sum0(map { $_->{passed}[2] } @{ $strip->{slices} }), '>=', 100_000, 'of which there is some';

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
done_testing;

sub index_of {
    my (@args) = @_;
    my $dir = "$run->{dir}/report" . ++$run->{reports};
    my (undef, $err, $exit) = nytprof('html', '--no-graphs', '-o', $dir, @args);
    is $exit, 0, "a report of @args" or diag $err;
    return slurp("$dir/index.html");
}

# The data attributes of the strip: its slices, in microseconds.
sub strip_of {
    my ($page) = @_;
    my ($data) = $page =~ /data-slices="([^"]*)"/;
    my @slices;
    for my $slice (split /;/, $data) {
        my ($lane, $begin, $end, @passed) = split / /, $slice;
        push @slices, { lane => $lane, begin => $begin, end => $end, passed => \@passed };
    }
    return { slices => \@slices };
}
