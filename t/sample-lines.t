# SPDX-License-Identifier: MIT
# Option sample with -d:NYTProf: calls and the times of subs are those of an exact run, lines have shares of them.
use strict;
use warnings;

use Config;
use FindBin;
use JSON::PP qw(decode_json);
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(records);
use Run qw(capture_of captures_in run);
use Tree qw(slurp);

my $ROUNDED = 20;    # ns: each line and sub is rounded

sub json {
    my ($run, $file) = @_;
    my ($out, $err, $exit) = nytprof('json', '-o', "$run->{dir}/json", $file // capture_of($run));
    is "$exit$out", '0', 'json' or diag $err;
    return decode_json(slurp("$run->{dir}/json"));
}

# name => calls
sub calls { my ($run) = @_; return { map { ($_->{name} => $_->{calls}) } @{ json($run)->{subs} } } }

sub in_sampled {
    my ($text, %with) = @_;
    my $more = delete $with{options} // {};
    return run($text, options => { sample => 1000, %$more }, %with);
}

sub samples_in { my ($file) = @_; return sum0(map { $_->{samples} } grep { $_->{kind} eq 'seen' } records($file)) }

# --- calls ------------------------------------------------------------------------------------------------------------

my $CALLS = <<'END';
use List::Util qw(first sum);
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
sub dies { die "no\n" if $_[0] % 3; return 1 }
sub nested { my ($n) = @_; return $n ? eval { nested($n - 1) } + (eval { dies($n) } // 0) : 0 }
sub DESTROY { sum(1, 2) }
my @sorted = sort { by() } 1 .. 50;
sub by { return $a <=> $b }
fib(16);
nested(20) for 1 .. 10;
for (1 .. 20) { my $o = bless {}; eval 'sub made { fib(3) } made()'; my $f = first { $_ > 3 } 1 .. 9 }
print join(',', map { s/3/x/r } 1 .. 5), "\n";
END
my $exact   = run($CALLS, options => { stmts => 0 });
my $watched = in_sampled($CALLS);
is_deeply [ @{$watched}{qw(out err exit)} ], [ @{$exact}{qw(out err exit)} ], 'the program does the same';
my $want = calls($exact);
is_deeply calls($watched), $want, 'calls are those of an exact run';
cmp_ok $want->{'main::fib'}, '>', 3000, 'there are some';

# --- lines ------------------------------------------------------------------------------------------------------------

# Two lines of burn have one and three parts of its time; leaf is entered far more often than there are samples, its
# second line has most of its time.
my $LINES = <<'END';
sub burn {
    my $n = 0;
    $n++ for 1 .. 4_000_000;
    $n++ for 1 .. 12_000_000;
    return $n;
}
burn();
sub leaf {
    my $n = shift;
    $n = ($n * 7 + 3) % 11 for 1 .. 20;
    return $n;
}
sub calls {
    leaf($_) for 1 .. 100_000;
}
calls();
sub short { return 1 }
short();
END
my $run = in_sampled($LINES);
my $data = json($run);
my ($file) = grep { $data->{files}[$_]{name} =~ /prog\.pl$/ } 0 .. $#{ $data->{files} };
my $lines  = $data->{lines};
my %time;
for my $i (grep { $lines->{file}[$_] == $file } 0 .. $#{ $lines->{file} }) {
    $time{ $lines->{line}[$i] } += $lines->{time}[$i];
}
my %sub = map { ($_->{name} => $_) } @{ $data->{subs} };

sub lines_of { my ($name) = @_; return sum0(map { $time{$_} // 0 } $sub{$name}{first_line} .. $sub{$name}{last_line}) }

for my $name (map {"main::$_"} qw(burn leaf calls short)) {
    cmp_ok abs(lines_of($name) - $sub{$name}{exclusive}), '<=', $ROUNDED, "the lines of $name have its time";
}
is sum0(@{ $lines->{statements} }), 0, 'there are no statements';
my $share = $time{3} / $sub{'main::burn'}{exclusive};
ok $share > 0.08 && $share < 0.5, "a quarter of burn is in its first loop: $share";
$share = $time{10} / $sub{'main::leaf'}{exclusive};
cmp_ok $share, '>', 0.6, "most of leaf is in its loop: $share";
my $outside = sum0(map { $_->{outside} } @{ $data->{meta}{processes} });
my $subs    = sum0(map { $_->{exclusive} } @{ $data->{subs} });
cmp_ok abs(sum0(@{ $lines->{time} }) + $outside - $subs), '<=', $ROUNDED, 'all lines have the time of all subs';
my ($note) = grep {/option sample/} @{ $data->{meta}{notes} };
like $note, qr/^Statements were not counted, but seen in \d+ samples .* Calls and the times of subs are exact\.$/,
    'a note says so';

# --- reports ----------------------------------------------------------------------------------------------------------

for my $report (qw(hot annotate)) {
    my ($out, $err) = nytprof($report, capture_of($run));
    like $err, qr/^nytprof: \Q$note\E$/m, "$report says that lines are estimates";
    unlike $out, qr/\b0 times\b/, 'and shows no count of statements';
}
my ($hot) = nytprof('hot', capture_of($run));
like $hot, qr/prog\.pl:4: [\d.]+ % \xC2\xB1[\d.]+ [\d.]+ m?s, in main::burn$/m, 'hot: the line';
my (undef, $refused, $status) = nytprof('lcov', '-o', "$run->{dir}/lcov", capture_of($run));
is $status, 1, "lcov is not made: $refused";

# --- forks, threads, a profile that is switched off -----------------------------------------------------------------

my $FORKS = <<'END';
sub work { my $n = 0; $n++ for 1 .. 5_000_000; return $n }
my $pid = fork // die;
work() for 1 .. 3;
waitpid $pid, 0 if $pid;
END
# AddressSanitizer's allocator stays locked in a child if another thread had the lock at the fork.
SKIP: {
    skip 'a sanitizer and forks of a program with threads', 7
        if slurp("$FindBin::Bin/../Makefile") =~ /^OPTIMIZE = .*-fsanitize/m;
    my $forked = in_sampled($FORKS);
    my @files = captures_in($forked->{dir});
    is scalar @files, 2, 'a forked child has its file';
    for my $name (@files) {
        my ($work) = grep { $_->{name} eq 'main::work' } @{ json($forked, "$forked->{dir}/$name")->{subs} };
        is $work->{calls}, 3, 'with its calls';
        ok +(grep { $_->{kind} eq 'seen' } records("$forked->{dir}/$name")), 'and samples';
    }
}

my $OFF = <<'END';
sub threads_of { open my $in, '<', "/proc/$$/status"; return map { /^Threads:\s+(\d+)/ ? $1 : () } <$in> }
my @n = threads_of();
DB::disable_profile(); push @n, threads_of();
DB::enable_profile();  push @n, threads_of();
DB::finish_profile();  push @n, threads_of();
print "@n\n";
END
is in_sampled($OFF)->{out}, "2 1 2 1\n", 'there is a thread while profiling is on';

SKIP: {
    skip 'this perl has no threads', 3 if !$Config{useithreads};
    my $threads = in_sampled(<<'END');
use threads;
sub work { my $n = 0; $n++ for 1 .. 1_000_000; return $n }
$_->join for map { threads->create(\&work) } 1 .. 3;
work();
END
    is "$threads->{out}$threads->{err}$threads->{exit}", '0', 'threads';
    my ($work) = grep { $_->{name} eq 'main::work' } @{ json($threads)->{subs} };
    is $work->{calls}, 4, 'calls of all threads';
}

# --- code that is freed while the thread reads it, and ends of a program ---

my $FREED = <<'END';
my $sum = 0;
for my $i (1 .. 4000) {
    $sum += eval "my \$n = $i; sub made$i { my \$m = 0; \$m += \$_ for 1 .. 20; \$m } \$n += made$i() for 1 .. 3; \$n";
    undef &{"made$i"};
}
print "$sum\n";
END
my $bare  = run($FREED, switches => []);
my $freed = in_sampled($FREED);
is_deeply [ @{$freed}{qw(out err exit signal)} ], [ @{$bare}{qw(out err exit signal)} ], 'evals that come and go';
cmp_ok samples_in(capture_of($freed)), '>', 10, 'with samples';

my $killed = in_sampled(<<'END');
sub work { my $n = 0; $n++ for 1 .. 100_000; return $n }
work() while times < 1;
kill KILL => $$;
sleep 9;
END
is $killed->{signal}, 9, 'a program that is killed';
cmp_ok samples_in(capture_of($killed)), '>', 10, 'has samples up to its latest window';
json($killed);

my $execs = in_sampled('my $n = 0; $n++ for 1 .. 8_000_000; exec $^X, "-e", "exit 3"');
is $execs->{exit}, 3, 'a program that execs another one';
cmp_ok samples_in(capture_of($execs)), '>', 0, 'has its samples';

my $files = in_sampled(<<'END');
sub work { my $n = 0; $n++ for 1 .. 5_000_000; return $n }
work();
DB::enable_profile('second.out');
work();
DB::finish_profile();
DB::enable_profile('third.out');
work();
END
# A file that follows another one at once has the calls known so far, and lines of its own time only.
my %calls_in = ('nytprof.out' => 1, 'second.out' => 2, 'third.out' => 1);
for my $name (sort keys %calls_in) {
    my $in = json($files, "$files->{dir}/$name");
    my ($work) = grep { $_->{name} eq 'main::work' } @{ $in->{subs} };
    is $work->{calls}, $calls_in{$name}, "$name has its calls";
    cmp_ok samples_in("$files->{dir}/$name"), '>', 0, 'and its samples';
    my $of_lines = sum0(@{ $in->{lines}{time} });
    cmp_ok $of_lines, '<=', $in->{meta}{processes}[0]{elapsed}, 'and no more time in lines than there was';
}

my $format = in_sampled('1', options => { format => 5 });
like $format->{err}, qr/^NYTProf: sample=1000 needs format=1/, 'format 5 has no samples';

done_testing;
