# SPDX-License-Identifier: MIT
# Option latency: how long single calls of each sub took. Sleeps have known lengths, and so has the fake clock.
use strict;
use warnings;

use FindBin;
use JSON::PP qw(decode_json);
use Test::More;

use File::Basename qw(basename);
use File::Temp qw(tempdir);
use List::Util qw(sum);
use Time::HiRes qw(time);

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Capture qw(nytprof);
use PageData qw(page_data);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);
my $lib = "-I$FindBin::Bin/../blib/lib -I$FindBin::Bin/../blib/arch";
my $MS  = 1_000_000;                                                     # ns

# The JSON of a run of that program, and of other captures that it makes, and what it printed.
sub run {
    my ($text, $options, $switches) = @_;
    unlink glob "$dir/out*";
    spew("$dir/prog.pl", $text);
    my $said = qx{cd $dir && NYTPROF=$options:file=out $^X $lib @{[$switches // '-d:NYTProf']} prog.pl 2>&1};
    return ((map { decode_json((nytprof('json', $_))[0]) } sort glob "$dir/out*"), $said);
}

sub sub_of {
    my ($json, $name) = @_;
    my ($found) = grep { $_->{name} eq $name } @{ $json->{subs} };
    return $found // {};
}

sub latency_of { return sub_of(@_)->{latency} // {} }

sub within {
    my ($got, $least, $most, $what) = @_;
    ok defined $got && $got >= $least && $got <= $most, $what or diag 'got ', $got // 'none', ", not $least to $most";
    return;
}

# ---- known lengths ----

my $SLEEPS = <<'END';
use Time::HiRes qw(sleep);
sub uneven { sleep($_[0] % 50 == 49 ? 0.05 : 0.001); return }
sub inner  { sleep(0.002); die "x\n" }
sub middle { inner(); return }
sub outer  { eval { middle(); 1 } or return; return }
sub twice  { my $n = shift; sleep(0.003); return $n ? twice($n - 1) : 0 }
sub there  { sleep(0.004); return }
sub jump   { sleep(0.002); goto &there }
sub never  { return }
uneven($_) for 0 .. 99;
outer() for 1 .. 5;
twice(2);
jump();
END

my ($json, $said) = run($SLEEPS, 'latency=1');
is $said, '', 'nothing is said';
my $uneven = latency_of($json, 'main::uneven');
is $uneven->{calls}, 100, 'each call of a sub has a length';
within($uneven->{p50}, 0.96 * $MS, 3 * $MS, 'half of them are short');
within($uneven->{p90}, 0.96 * $MS, 6 * $MS, 'so are nine of ten');
within($uneven->{p99}, 48 * $MS, 70 * $MS, 'the 99th of a hundred is long');
within($uneven->{longest}, 50 * $MS, 90 * $MS, 'the longest is no class but exact');
within($uneven->{longest_began_us} / 1e6, time - 60, time, 'and has a time of day');
is sum(@{ $uneven->{numbers} }), 100, 'the classes have all of them';
is scalar(@{ $uneven->{at_least} }), scalar(@{ $uneven->{numbers} }), 'and their limits';
cmp_ok $uneven->{at_least}[0], '>=', 0.9 * $MS, 'none is shorter than its sleep';
my $sleep = latency_of($json, 'Time::HiRes::sleep');
is $sleep->{calls}, sub_of($json, 'Time::HiRes::sleep')->{calls}, 'a function in C has lengths, too';

for my $name (qw(uneven outer middle inner there jump)) {
    my $sub = sub_of($json, "main::$name");
    my $off = abs($sub->{latency}{total} - $sub->{inclusive});
    cmp_ok $off, '<=', 0.02 * $sub->{inclusive}, "$name: the lengths add up to the inclusive time";
}
is latency_of($json, "main::$_")->{calls}, 5, "$_: a call that dies has its length" for qw(inner middle outer);
within(latency_of($json, 'main::middle')->{p50}, 1.9 * $MS, 6 * $MS, 'up to the exception');
my $twice = sub_of($json, 'main::twice');
is_deeply [ $twice->{calls}, $twice->{latency}{calls} ], [ 3, 3 ], 'each call of a recursion has its length';
within($twice->{latency}{longest}, 9 * $MS, 20 * $MS, 'the outermost is the longest');
within($twice->{latency}{at_least}[0], 2.8 * $MS, 7 * $MS, 'the innermost the shortest');
my $off = abs($twice->{latency}{total} - $twice->{inclusive} - $twice->{recursive});
cmp_ok $off, '<=', 0.02 * $twice->{inclusive}, 'and they add up to inclusive and recursive time';
within(latency_of($json, 'main::jump')->{longest}, 1.9 * $MS, 3.9 * $MS, 'a sub ends with its goto');
within(latency_of($json, 'main::there')->{longest}, 3.9 * $MS, 9 * $MS, 'and the next one begins');
is sub_of($json, 'main::never')->{latency}, undef, 'a sub without calls has none';

my $short = qr{(?:1\.\d+ m|9\d\d µ)s}; # of 1 ms and some more, as a bucket tells
my ($table) = nytprof('flat', '--style=latency', "$dir/out");
like $table, qr/^ +calls +mean +p50 +p90 +p99 +longest +at  name$/m, 'nytprof flat --style=latency';
like $table, qr/^ +100 +\S+ ms +$short .* \d+\.?\d* ms +\S+ m?s  main::uneven$/m, 'has a row for each sub';
like $table, qr/^ {30,}main::RUNTIME$/m, 'blank if it has no calls';
($table) = nytprof('flat', '--style=latency', '-b', '--filter=uneven', "$dir/out");
unlike $table, qr/main::twice|within/, 'of those chosen, without the legend';
my ($longest) = nytprof('flat', '--style=latency', '-b', '--sort=longest', "$dir/out");
my @longest = map { sub_of($json, $_)->{latency}{longest} } $longest =~ /^ +\d.*  (\S+)$/mg;
is_deeply \@longest, [ sort { $b <=> $a } @longest ], 'and by the longest call' or diag $longest;
cmp_ok scalar @longest, '>', 5, 'of all';
my ($p99) = nytprof('flat', '--style=latency', '-b', '--sort=p99', "$dir/out");
isnt $p99, $table, 'or by p99';

# ---- pages ----

sub pages_of {
    my ($capture) = @_;
    nytprof('html', '--out', "$dir/pages", $capture);
    my ($source) = glob "$dir/pages/*prog-pl-*-line.html";
    return map { slurp("$dir/pages/$_") } 'index.html', 'data.js', basename($source);
}

my ($index, $data, $source) = pages_of("$dir/out");
like $index, qr{>Per call<th scope=col><abbr [^>]*>p50</abbr><th scope=col><abbr [^>]*>p99</abbr><th scope=col>},
    'html: columns';
my $cell = qr{<td data-v=\d+>};
like $index, qr{${cell}$short${cell}(?:4|5|6)\d\.\d ms$cell\S+ ms<td class=name><a href=[^>]*>main::uneven<},
    'with the cells of a sub';
my ($of_data) = grep { $_->{name} eq 'main::uneven' } @{ page_data($data)->{subs} };
is_deeply [ @{$of_data}{qw(p50 p99 longest)} ], [ @{$uneven}{qw(p50 p99 longest)} ], 'the data have them, too';
my %spread = %{ $of_data->{spread} };
my ($shortest, $longest_digits) = (sort { $a <=> $b } keys %spread)[ 0, -1 ];
is $longest_digits, length(sprintf '%b', $uneven->{longest}), 'and the calls of each doubling, up to the longest one';
cmp_ok $shortest, '<=', length(sprintf '%b', $uneven->{p50}), 'from the shortest one on';
is scalar(grep { $_ > 25 && $spread{$_} } keys %spread), 1, 'and the slow calls are apart';
my ($line) = $source =~ m{main::uneven</a>.*?(<p class=times>.*?</p>)}s;
my $ms = qr{<b>\S+ ms</b>};
like $line, qr{>Per call: p50 <b>$short</b>, p90 <b>$short</b>, p99 <b>[456]\S+ ms</b>, longest $ms at \S+ m?s <svg },
    'a page of source has a line for it';
my $label = qr{aria-label="Calls by time, from \S+ \S*s to \S+ ms"};
like $line, qr{<svg [^>]*role=img [^>]*$label>(?:<rect [^>]*/>){2,48}</svg>},
    'with a picture that has a name';
is scalar(() = $source =~ /<p class=times>/g), 5, 'a sub that was called once has none';

# ---- call sites ----

my ($sites) = run(<<'END', 'latency=1');
use Time::HiRes qw(sleep);
sub work  { sleep($_[0]); return }
sub quick { work(0.001) for 1 .. 10; return }
sub slow  { work(0.02) for 1 .. 5; return }
sub both  { quick(); slow(); return }
both() for 1 .. 2;
sub twice { my $n = shift; return $n ? twice($n - 1) : 0 }
twice(5);
END

# The rows of calls of that sub, by caller, with what the columns say.
sub sites_of {
    my ($json, $name) = @_;
    my ($calls, @subs) = ($json->{calls}, @{ $json->{subs} });
    my @rows = grep { $subs[ $calls->{callee}[$_] ]{name} eq $name } 0 .. $#{ $calls->{callee} };
    my %by;
    for my $i (@rows) {
        $by{ $subs[ $calls->{caller}[$i] ]{name} } = { map { ($_ => $calls->{$_}[$i]) } keys %$calls };
    }
    return %by;
}

my %by = sites_of($sites, 'main::work');
is_deeply { map { ($_ => $by{$_}{ended}) } keys %by }, { 'main::quick' => 20, 'main::slow' => 10 },
    'calls with a length, by call site';
within($by{'main::quick'}{p50}, 0.9 * $MS,  10 * $MS, 'those of the one are short');
within($by{'main::slow'}{p50},  19 * $MS,   60 * $MS, 'of the other long');
within($by{'main::slow'}{p99},  $by{'main::slow'}{p50}, $by{'main::slow'}{longest}, 'quantiles are in order');
is latency_of($sites, 'main::work')->{calls},   30,                           'together they are those of the sub';
is latency_of($sites, 'main::work')->{longest}, $by{'main::slow'}{longest}, 'of which the longest is';
%by = sites_of($sites, 'main::twice');
is_deeply { map { ($_ => $by{$_}{ended}) } keys %by }, { 'main::RUNTIME' => 1, 'main::twice' => 5 },
    'a recursion has its own site';
($index, $data, $source) = pages_of("$dir/out");
my $main = '<small>main::</small>';
my $tens = qr{[2-6]\d\.\d ms};
like $source, qr{<i>10 calls</i> <i>\S+ ms each</i> <span>by .*?${main}slow, line 4</a>, p99 $tens, longest $tens</sp}m,
    'a page has them in its list of callers';
like $source, qr{<i>10 calls</i> .*?>to .*?${main}work<.*?, p99 \S+ ms, longest \S+ ms</span>$}m, 'and of callees';

# ---- without the option ----

my ($without) = run($SLEEPS, 'latency=0');
is scalar(grep { $_->{latency} } @{ $without->{subs} }), 0, 'without the option there are none';
($index, $data, $source) = pages_of("$dir/out");
unlike $index . $source, qr/p50|class=times/, 'nor are they in pages';
is page_data($data)->{subs}[0]{p50}, undef, 'or their data';
is $without->{calls}{p99}, undef, 'and calls have no columns for them';
like +(nytprof('flat', '--style=latency', "$dir/out"))[0], qr/\AThe profile has no time of single calls; .*\n\z/,
    'as the table says';

# ---- the profiler's own cost ----

my $TREE = 'sub leaf { return } sub tree { leaf() for 1 .. 20000; return } tree() for 1 .. 5;';
my ($corrected, $raw) = map { sub_of((run($TREE, "latency=1:overhead=$_"))[0], 'main::tree') } qw(corrected raw);
$off = abs($corrected->{latency}{total} - $corrected->{inclusive});
cmp_ok $off, '<=', 0.03 * $raw->{inclusive}, 'the cost of a hundred thousand calls is subtracted'
    or diag explain $corrected;
cmp_ok abs($raw->{latency}{total} - $raw->{inclusive}), '<=', 0.01 * $raw->{inclusive}, 'raw times agree';

# ---- what interrupts a call ----

my ($pause) = run(<<'END', 'latency=1');
use Time::HiRes qw(sleep);
sub across { sleep(0.002); DB::disable_profile(); sleep(0.1); DB::enable_profile(); sleep(0.002); return }
sub ends   { sleep(0.001); DB::disable_profile(); return }
across();
ends();
DB::enable_profile();
END
within(latency_of($pause, 'main::across')->{longest}, 3.9 * $MS, 30 * $MS, 'a pause of the profile is in no call');
is latency_of($pause, 'main::ends')->{calls}, undef, 'a call that ends in the pause has no length';

my ($parent, $child) = run(<<'END', 'latency=1');
use Time::HiRes qw(sleep);
sub step  { sleep(0.002); return }
sub forks { step(); step(); if (!fork) { step(); return 1 } wait; return 0 }
my $in_child = forks();
sleep(0.25);
step() if $in_child;
sub quits { sleep(0.001); exit }
quits();
END
is latency_of($parent, 'main::step')->{calls}, 2, 'a parent has its own calls';
is latency_of($child,  'main::step')->{calls}, 2, 'and a child has its own';
is latency_of($parent, 'main::forks')->{calls}, 1,     'the call that forks is the parent\'s';
is latency_of($child,  'main::forks')->{calls}, undef, 'and has no length in the child';
is latency_of($_, 'main::quits')->{calls}, 1, 'a call left by exit has one' for $parent, $child;
my ($merged) = nytprof('json', glob "$dir/out*");
my $step = latency_of(decode_json($merged), 'main::step');
is_deeply [ $step->{calls}, sum(@{ $step->{numbers} }) ], [ 4, 4 ], 'together they have all';

# A window is written a millisecond after the start, so a program that is killed has the lengths up to then.
my ($killed) = run(<<'END', 'latency=1');
use Time::HiRes qw(sleep);
sub step { sleep(0.01); return }
step() for 1 .. 60;
kill KILL => $$;
END
within(latency_of($killed, 'main::step')->{calls}, 30, 60, 'a program that is killed keeps most');

my ($left) = run(<<'END', 'latency=1');
use List::Util qw(first);
sub bad { die "x\n" }
sub tries { eval { first { bad() } 1 } for 1 .. 3; return }
tries();
sub go { goto &Time::HiRes::sleep }
use Time::HiRes ();
go(0.01);
END
is latency_of($left, "main::$_->[0]")->{calls}, $_->[1], "$_->[0]: a length" for [ bad => 3 ], [ tries => 1 ];
is latency_of($left, 'List::Util::first')->{calls}, undef, 'a function in C that is left has none';
within(latency_of($left, 'Time::HiRes::sleep')->{longest}, 9.9 * $MS, 30 * $MS, 'one that goto calls has its own');

SKIP: {
    skip 'Coro is not installed', 2 if !eval { require Coro; 1 };
    my ($coro) = run(<<'END', 'latency=1');
use Coro;
use Time::HiRes qw(sleep);
sub slow  { sleep(0.03); cede; sleep(0.03); return }
sub quick { cede; sleep(0.001); cede; return }
my @all = (async { slow() }, async { quick() });
$_->join for @all;
END
    within(latency_of($coro, 'main::quick')->{longest}, 0.9 * $MS, 15 * $MS, 'a call waits for no other coroutine');
    within(latency_of($coro, 'main::slow')->{longest}, 59 * $MS, 90 * $MS, 'nor does that');
}

# ---- where there are none ----

my $loop = 'my $s = 0; sub f { $s += $_ for 1 .. 1000 } f() for 1 .. 500;';
for my $how ([ 'latency=1', '-MDevel::NYTProf::Sample' ], [ 'latency=1:subs=0', '-d:NYTProf' ]) {
    my ($none) = run($loop, @$how);
    like "@{ $none->{meta}{notes} }", qr/Options latency and waiting are for/, "@$how: the profile says that";
}

# ---- evals that are merged into one ----

my ($evals) = run(<<'END', 'latency=1');
use Time::HiRes qw(sleep);
for (1 .. 4) { my $f = eval 'sub { sleep(0.001); return }'; $f->() }
END
is sum(0, map { $_->{latency}{calls} } grep { $_->{latency} && $_->{name} =~ /ANON/ } @{ $evals->{subs} }), 4,
    'equal evals have theirs together';

done_testing;
