# SPDX-License-Identifier: MIT
# Forks of Ruby programs, programs that are killed, and reports about them.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of records);
use Pages qw(text_of);
use Ruby qw(all_facts bare_ruby ruby why_not);
use Run qw(captures_in capture_of);
use Tree qw(slurp);

plan skip_all => why_not() if why_not();

my $FORKS = <<'END';
def work(n)
  n.times do
    $n = 1
  end
end
work 2
pid = fork do
  work 30
end
Process.wait pid
if fork
  Process.wait
else
  Thread.new { work 400 }.join
  exit! 3
end
puts $?.exitstatus
Thread.new { fork { work 5000 }; Process.wait }.join
puts `echo sub`
work 1
END
my $bare = bare_ruby($FORKS);
my $run  = ruby($FORKS);
is "$run->{out}$run->{err}$run->{exit}", "$bare->{out}$bare->{err}$bare->{exit}", 'forks: the program does the same';
my ($main, @children) = map {"$run->{dir}/$_"} captures_in($run->{dir});
is all_facts($run, $main)->{line}{3}, 3, 'the parent has its own lines';
is_deeply [ sort { $a <=> $b } map { all_facts($run, $_)->{line}{3} // 0 } @children ], [ 30, 400, 5000 ],
    'and each child those of its own';
my $alone = ruby($FORKS, options => { forkdepth => 0 });
is_deeply [ captures_in($alone->{dir}) ], ['nytprof.out'], 'forkdepth=0: no profile of a child';
my (undef, $err, $exit) = nytprof('html', '-o', "$run->{dir}/pages", $main, @children);
is "$exit $err", '0 ', 'one report of all';

my $killed = ruby(<<'END');
def step(n)
  n + 1
end
n = 0
loop do
  1000.times { n = step(n) }
  break if File.size("nytprof.out") > 1500
end
puts n
$stdout.flush
sleep 0.001
Process.kill(:KILL, $$)
END
is $killed->{signal}, 9, 'killed';
my $calls = all_facts($killed)->{call}{'Object#step'};
is $calls, $killed->{out} + 0, 'what was counted before it waited is there';

# --- one file, one process ---

my $threads = ruby(<<'END');
def work(n)
  n.times { $n = 1 }
end
work 1
Dir.mkdir "sub"
Dir.chdir "sub"
3.times.map { |i| Thread.new { work 10 * (i + 1) } }.each(&:join)
fork { work 100 }
Process.wait
NYTProf.stop
NYTProf.start(file: "nytprof.out")
work 7
END
is "$threads->{err}$threads->{exit}", '0', 'threads of a program that has changed its directory';
my $whole = all_facts($threads, "$threads->{dir}/nytprof.out");
is $whole->{line}{2}, 65, 'are in the file of the others';
my @starts = of('process_start', @{ $whole->{records} });
is scalar @starts, 4, 'each as a stream';
my @files = glob "$threads->{dir}/sub/nytprof.out*";
is scalar @files, 2, 'a child, and a profile that the program starts there, have files there';
is_deeply [ sort map { all_facts($threads, $_)->{line}{2} } @files ], [ 101, 8 ], 'with what they did';
my (undef, $unsaid, $failed) = nytprof('html', '-o', "$threads->{dir}/pages", "$threads->{dir}/nytprof.out");
is "$unsaid$failed", '0', 'a report';
my $told = text_of(slurp("$threads->{dir}/pages/index.html"));
like $told, qr/ · 4 threads · /, 'they are threads, whose CPU time counts once';
unlike $told =~ s{For other programs.*}{}sr, qr/ processes/, 'and not processes';
my %run_of = map { ($_->{run} => 1) } of('chunk', map { records($_) } "$threads->{dir}/nytprof.out", @files);
is scalar keys %run_of, 1, 'the child belongs to the same run';

# A thread whose first chunk is lost has lost the name of its main program, which is that of the others.
my $bytes = slurp("$threads->{dir}/nytprof.out");
for my $thread (0, 2) {
    my ($first) = grep { $_->{thread} == $thread && $_->{number} == 1 } of('chunk', @{ $whole->{records} });
    my $cut = $bytes;
    substr $cut, $first->{offset}, 84 + $first->{stored}, '';
    my ($paths) = nytprof('folded', '-o', '-', \$cut);
    is_deeply [ grep { !/^<main>(?:;(?!main::RUNTIME)| \d+$)/ } split /\n/, $paths ], [],
        "thread $thread without its first chunk: all paths begin in the same main program";
    like $paths, qr/^<main>;/m, 'and there are some';
}

# --- reports ---

my $squares = ruby(<<'END');
# a comment
def squares
  (1..10).map { |i| i * i }
end
puts squares.sum
END
my $path = capture_of($squares);
my ($out, $wrong, $status) = nytprof('html', '-o', "$squares->{dir}/pages", $path);
is $status, 0, 'html' or diag $wrong;
my $index = slurp("$squares->{dir}/pages/index.html");
like $index, qr/Object#squares/, 'names methods';
my ($page) = glob "$squares->{dir}/pages/prog-rb*.html";
like slurp($page), qr{<td class=c># a comment}, 'knows comments';
($out) = nytprof('folded', '-o', '-', $path);
like $out, qr/^<main>;Object#squares;Enumerable#map;Range#each;block in Object#squares;Integer#\* \d+$/m, 'folded';
($out, $wrong, $status) = nytprof('callgrind', '-o', "$squares->{dir}/cg.out", $path);
is $status, 0, 'callgrind';
like slurp("$squares->{dir}/cg.out"), qr/Object#squares/, 'names methods';
($out, $wrong, $status) = nytprof('csv', '-o', "$squares->{dir}/csv", $path);
is $status, 0, 'csv';
my ($csv) = glob "$squares->{dir}/csv/prog-rb*line.csv";
like slurp($csv), qr/,1,[\d.]+,puts squares\.sum$/m, 'has lines with their text';
my ($property) = grep { $_->{key} eq 'root' } of('property', @{ all_facts($squares)->{records} });
is $property->{value}, '<main>', 'the main program is called as Ruby calls it';

done_testing;
