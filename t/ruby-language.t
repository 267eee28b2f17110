# SPDX-License-Identifier: MIT
# What Ruby programs consist of, by the names that Ruby people give it: who calls whom, and from which line.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Profiled qw($TOP);
use Ruby qw(all_facts bare_ruby ruby why_not);
use Run qw(captures_in run);

plan skip_all => why_not() if why_not();

# One text, marked: how often lines run, and edges below.
my $SQUARES = <<'END';
def find_many_squares
  5000.times { |i| i * i }
end
def find_many_square_roots
  5000.times { |i| Math.sqrt(i) }
end
def main
  3.times do
    find_many_square_roots
    find_many_squares
  end
end
main
END
my $facts = all_facts(same('squares and their roots', $SQUARES));
is_deeply $facts->{line}, { 1 => 1, 2 => 15_003, 4 => 1, 5 => 15_003, 7 => 1, 8 => 1, 9 => 3, 10 => 3, 13 => 1 },
    'lines';
is_deeply edges($facts, qr{method_added|Integer#times > (?!block)}), { # from Ruby 3.3 on it is in Ruby
    '13 <main> > Object#main' => 1,
    '8 Object#main > Integer#times' => 1, '8 Integer#times > block in Object#main' => 3,
    '9 block in Object#main > Object#find_many_square_roots' => 3,
    '10 block in Object#main > Object#find_many_squares' => 3,
    '5 Object#find_many_square_roots > Integer#times' => 3, '2 Object#find_many_squares > Integer#times' => 3,
    '5 Integer#times > block in Object#find_many_square_roots' => 15_000,
    '2 Integer#times > block in Object#find_many_squares' => 15_000,
    '5 block in Object#find_many_square_roots > Math.sqrt' => 15_000,
    '2 block in Object#find_many_squares > Integer#*' => 15_000,
    }, 'calls: methods, blocks, methods in C';

$facts = all_facts(same('outer and inner', <<'END'));
def inner(n)
  n + 1
end
def outer
  10.times { |i| inner(i) }
  inner 0
end
100.times { outer }
outer
END
is_deeply $facts->{line}, { 1 => 1, 2 => 1111, 4 => 1, 5 => 1111, 6 => 101, 8 => 101, 9 => 1 }, 'lines';
is_deeply [ @{ $facts->{call} }{ 'Object#outer', 'Object#inner', 'Integer#times' } ], [ 101, 1111, 102 ], 'calls';

$facts = all_facts(same('names', <<'END'));
module Geo
  class Point
    def initialize(x) = @x = x
    def self.zero
      new(0)
    end
    class << self
      def one = new(1)
    end
    define_method(:twice) { @x * 2 }
    def each
      [1].each do |a|
        [2].each { |b| yield a + b }
      end
    end
  end
  class Deep < Point; end
  def self.origin = Point.zero
end
Geo.origin
Geo::Deep.one.twice
Geo::Point.zero.each { |v| v }
o = Object.new
def o.own = 1
o.own
Class.new { def hidden = 1 }.new.hidden
[].instance_eval { size }
END
is_deeply $facts->{call}, {
    '<module:Geo>' => 1, '<class:Point>' => 1, 'singleton class' => 1, '<class:Deep>' => 1,
    'Geo::Point#initialize' => 3, 'Geo::Point.zero' => 2, 'Geo::Point.one' => 1, 'Geo::Point#twice' => 1,
    'Geo::Point#each' => 1, 'block in Geo::Point#each' => 1, 'block (2 levels) in Geo::Point#each' => 1,
    'Geo.origin' => 1, 'block in <main>' => 3, 'Object#own' => 1, '#<Class>#hidden' => 1,
    'Class#new' => 6, 'Class#initialize' => 1, 'Integer#*' => 1, 'Integer#+' => 1, 'Array#each' => 2, 'Array#size' => 1,
    'Module#define_method' => 1, 'BasicObject#instance_eval' => 1, 'BasicObject#initialize' => 2,
    map({ ($facts->{call}{$_} ? ($_ => $facts->{call}{$_}) : ()) } 'Module#method_added', 'Module#const_added',
        'BasicObject#singleton_method_added', 'Class#inherited'),
    }, 'methods, singleton methods, blocks, bodies of classes' or diag explain $facts->{call};

my %files = ('part.rb' => "def part\n  1\nend\npart\n");
my $run = same('files and evals', <<'END', files => \%files);
require_relative "part"
2.times { load "./part.rb" }
eval "x = 1\nx + part"
Object.class_eval <<~TEXT
  def made
    2
  end
TEXT
3.times { made }
eval "4", binding, "elsewhere.rb", 10
END
$facts = all_facts($run);
is_deeply { map { ($_ => $facts->{call}{$_}) } grep {/part|made|eval/} keys %{ $facts->{call} } },
    { '<top (required)> part.rb' => 3, 'Object#part' => 4, 'Object#made' => 3, 'Kernel#eval' => 2,
    'Module#class_eval' => 1, 'eval in <main>' => 3 }, 'a call each' or diag explain $facts->{call};
is $facts->{line}{3}, 1, 'the line of an eval runs once';
my $of = $facts->{line_of};
my %lines = map { (s{^.*?(?=part|\(eval|else)}{}r => $of->{$_}) } grep { !/^prog/ } keys %$of;
is_deeply \%lines, {
    'part.rb:1' => 3, 'part.rb:2' => 4, 'part.rb:4' => 3, '(eval 1)[prog.rb:3]:1' => 1, '(eval 1)[prog.rb:3]:2' => 1,
    '(eval 2)[prog.rb:4]:1' => 1, '(eval 2)[prog.rb:4]:2' => 3, 'elsewhere.rb:10' => 1,
    }, 'and its text has lines of its own';
like join('', map { $_->{text} } of('source', @{ $facts->{records} })), qr/^x = 1\nx \+ part/m, 'and is kept';

$facts = all_facts(same('fibers', <<'END'));
def step(n)
  Fiber.yield n
end
a = Fiber.new do
  step 1
  step 2
end
b = Fiber.new { a.resume; step 3; a.resume }
def drive(f)
  f.resume
end
2.times { drive b }
END
is_deeply edges($facts, qr/ > (?!Object#|block)/), {
    '12 block in <main> > Object#drive' => 2, '5 block in <main> > Object#step' => 1,
    '6 block in <main> > Object#step' => 1, '8 block in <main> > Object#step' => 1,
    '12 Integer#times > block in <main>' => 2, '10 Fiber#resume > block in <main>' => 1,
    '8 Fiber#resume > block in <main>' => 1,
    }, 'calls stay with the fiber that makes them' or diag explain $facts->{edge};

$run = same('threads', <<'END');
def work(n)
  n.times { |i| i.to_s }
end
threads = 3.times.map do |n|
  Thread.new { work(10 * (n + 1)) }
end
threads.each(&:join)
q = Queue.new
t = Thread.new { q.pop }
q << 1
t.value
Thread.new { Thread.exit }.join
Thread.new { raise "lost" rescue 1 }.join
q = Queue.new
Thread.new { q << 1; sleep }
q.pop
END
$facts = all_facts($run);
is $facts->{call}{'Object#work'}, 3, 'threads: calls';
is $facts->{call}{'Integer#to_s'}, 60, 'in C, too';
is $facts->{line}{2}, 3 + 60, 'lines';
my @streams = of('process_start', @{ $facts->{records} });
is scalar @streams, 8, 'each has a stream of its own';
is scalar(of('end', @{ $facts->{records} })), scalar @streams, 'which has an end';
is_deeply [ captures_in($run->{dir}) ], ['nytprof.out'], 'in one file';

$run = bare_ruby(<<'END');
require "nytprof"
def leaf(x) x + 1 end
go = Queue.new
old = Thread.new { go.pop; 100.times { |i| leaf(i) }; go.pop; leaf(1) }
def many
  10.times { 5.times.map { Thread.new { leaf(1) } }.each(&:join); GC.start }
end
NYTProf.start(file: "first.out", savesrc: false)
go << 1
many
NYTProf.stop
NYTProf.start(file: "second.out", savesrc: false)
go << 2
old.join
old = nil
many
NYTProf.stop
END
is "$run->{err}$run->{exit}", 0, 'threads older than the profile: the program does the same';
for my $case ([ 'first.out', 150 ], [ 'second.out', 51 ]) {
    my ($file, $calls) = @$case;
    $facts = all_facts($run, "$run->{dir}/$file");
    is $facts->{call}{'Object#leaf'}, $calls, "$file: calls of older and newer threads";
    is scalar(of('process_start', @{ $facts->{records} })), 52, 'a stream for each thread';
    is scalar(of('end', @{ $facts->{records} })), 52, 'with an end';
}

same('numbers of lines', <<'END');
eval "x = 1\ny = 2\n", binding, "below.rb", -5
eval "def below(a)\n  a + 1\nend\n", binding, "below.rb", -5
p below(1)
eval "x = 1\ny = 2\n", binding, "above.rb", 2_000_000_000
END

$facts = all_facts(same('frozen fibers', <<'END'));
def leaf(n) = n
f = Fiber.new { Fiber.yield leaf(1); leaf(2) }
f.freeze
p f.resume, f.resume
100.times { |i| p Fiber.new { leaf(i); Fiber.yield i; leaf(i) }.freeze.then { |g| g.resume + g.resume } }
GC.start
p Fiber.new { leaf 3 }.freeze.resume
END
is $facts->{call}{'Object#leaf'}, 2 + 200 + 1, 'have their calls';

$facts = all_facts(same('methods of the program in place of those that the profiler needs', <<'END'));
module Kernel; def self.caller_locations(*) = raise("mine"); end
class Thread::Backtrace::Location; def label = raise("mine"); end
class TracePoint; def eval_script = raise("mine"); def instruction_sequence = raise("mine"); end
class RubyVM::InstructionSequence; def path = raise("mine"); end
self.class.define_method("a\0b") { [1].each { |x| x } }
def f = 1
p f, send("a\0b"), eval("1 + 1")
END
is $facts->{call}{'Object#f'}, 1, 'do not run';

$run = bare_ruby(<<'END', options => { file => 'late.out' });
module Kernel; def caller_locations(*) = puts("mine"); end
class Thread::Backtrace::Location; def label = raise("mine"); end
class TracePoint; def eval_script = raise("mine"); end
require "nytprof"
def f = 1
p f, eval("1 + 1"), [1].map { |x| x }
END
is "$run->{out}$run->{err}$run->{exit}", "1\n2\n[1]\n0", 'nor do those that were there before the profiler';
is all_facts($run, "$run->{dir}/late.out")->{call}{'Object#f'}, 1, 'and calls have names without';

my @option = ('-e', "def f\n  1\nend", '-e', 'puts f');
$run = run(undef, command => [ 'ruby', "-I$TOP/build/ruby", '-rnytprof', @option ]);
is "$run->{out}$run->{err}$run->{exit}", "1\n0", 'the option -e: the program does the same';
$facts = all_facts($run);
is_deeply $facts->{line_of}, { '-e:1' => 1, '-e:2' => 1, '-e:4' => 1 }, 'lines';
is join('', map { $_->{text} } of('source', @{ $facts->{records} })), "def f\n  1\nend\nputs f\n", 'and their text';
my $library = <<'END';
module Kernel; def caller_locations(*) = puts("mine"); end
class Array; def find(*) = abort("mine"); def join(*) = abort("mine"); end
def (RubyVM::AbstractSyntaxTree).of(*) = abort("mine")
END
$run = run($library, name => 'own.rb', command => [ 'ruby', "-I$TOP/build/ruby", qw(-rnytprof -r./own), @option ]);
is "$run->{out}$run->{err}$run->{exit}", "1\n0", 'methods of a library do not run for it';
is join('', map { $_->{text} } grep { $_->{text} =~ /puts/ } of('source', @{ all_facts($run)->{records} })),
    "def f\n  1\nend\nputs f\n", 'and it is found without';

$run = run(undef, stdin => "puts 1\n", command => [ 'ruby', "-I$TOP/build/ruby", '-rnytprof' ]);
is_deeply all_facts($run)->{line_of}, { '-:1' => 1 }, 'a program from the standard input';

# Ruby 3.1 itself crashes now and then where Ractors make classes or fibers.
same('Ractors', <<'END', env => { RUBYOPT => '-W0' });
def work(n) = n.times.sum { |i| i.to_s.size }
ractors = 3.times.map do |k|
  Ractor.new(k) do |k|
    100.times.sum { work(k + 10) }
  end
end
p ractors.sum(&:take), work(5)
END

# --- what the collector of garbage does meanwhile ---

$facts = all_facts(same('classes at addresses of freed ones', <<'END'));
def make = Class.new { def m = 1 }
1000.times { make.new.m }
GC.start
named = 300.times.map { |i| Object.const_set("Named#{i}", make) }
named.each { |klass| klass.new.m }
frozen = make.freeze
3.times { frozen.new.m }
END
is $facts->{call}{'#<Class>#m'}, 1003, 'have names of their own';
is scalar(grep {/^Named\d+#m$/} keys %{ $facts->{call} }), 300, 'all of them';

$facts = all_facts(same('stress', <<'END'));
GC.stress = true
3.times do |i|
  made = Class.new { define_method(:made) { |n| n + 1 } }
  made.new.made(i)
  s = Struct.new(:a).new(1)
  s.a
  f = Fiber.new { Fiber.yield made.new.made(2) }
  f.resume
  eval "1 + #{i}"
end
GC.stress = false
GC.compact if GC.respond_to?(:compact)
3.times { |i| [i].each { |x| x.to_s } }
END
is_deeply { map { ($_ => $facts->{line}{$_}) } 3 .. 9, 13 },
    { 3 => 12, (map { ($_ => 3) } 4, 5, 6, 8, 9), 7 => 6, 13 => 7 },
    'lines' or diag explain $facts->{line};
is $facts->{call}{'Integer#to_s'}, 3 + ($facts->{edge}{'9 block in <main> > Integer#to_s'} // 0), 'calls';

# Files that are loaded one after another lie in memory as their paths do.
$facts = all_facts(same('a thousand files', <<'END'));
1000.times do |i|
  File.write("d#{i}.rb", "def h#{i}\n1\nend\nh#{i}\nh#{i}\n")
  load "./d#{i}.rb"
end
END
my %of_file;
for my $line (sort keys %{ $facts->{line_of} }) {
    $of_file{$1} .= "$2:$facts->{line_of}{$line} " if $line =~ /(d\d+\.rb):(\d+)$/;
}
is_deeply [ grep { $of_file{$_} ne '1:1 2:2 4:1 5:1 ' } sort keys %of_file ], [], 'lines of each file';
is_deeply [ grep { ($facts->{call}{"Object#h$_"} // 0) != 2 } 0 .. 999 ], [], 'calls of the method in each';

done_testing;

sub same {
    my ($name, $text, %with) = @_;
    my ($bare, $ours) = (bare_ruby($text, %with), ruby($text, %with));
    is "$ours->{out}$ours->{err}$ours->{exit}", "$bare->{out}$bare->{err}$bare->{exit}",
        "$name: the program does the same";
    return $ours;
}

sub edges {
    my ($facts, $but) = @_;
    return { map { ($_ => $facts->{edge}{$_}) } grep { !/$but/ } keys %{ $facts->{edge} } };
}
