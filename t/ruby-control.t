# SPDX-License-Identifier: MIT
# Where profiling begins and ends: -r, require, RUBYOPT, start, stop, nytprof run, the ways a program ends, options.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Profiled qw($TOP);
use Ruby qw(all_facts bare_ruby ruby why_not);
use Run qw(captures_in capture_of facts run);

plan skip_all => why_not() if why_not();

my $PARTS = <<'END';
def part(n)
  n.times do |i| #2
    x = i #12
  end
end
part 5
require "nytprof"
part 5
NYTProf.start(file: "p.out", "compress" => 1, savesrc: true)
part 10 #1
NYTProf.stop #1
part 100
NYTProf.start file: "p.out"
part 2 #1
END
my $line   = 0;
my %marked = map { $line++; /#(\d+)/ ? ($line => $1) : () } split /\n/, $PARTS;
my $run = bare_ruby($PARTS);
is "$run->{err}$run->{exit}", '0', 'a program that starts and stops';
is_deeply [ captures_in($run->{dir}) ], [], 'what it did not start is not recorded';
is_deeply all_facts($run, "$run->{dir}/p.out")->{line}, \%marked, 'what it did start is, in one file';
is bare_ruby(q{require "nytprof"; NYTProf.stop; NYTProf.start; NYTProf.stop; NYTProf.stop})->{exit}, 0,
    'to stop what does not run is no error';
for my $case ([ 'file: 1, nonsense: 2', q{there is no option 'nonsense'} ],
    [ 'start: "never"', q{option start cannot be 'never', expected begin, init, end or no} ],
    [ 'file: "/nonexistent/x"', qr{/nonexistent/x} ]) {
    my ($options, $message) = @$case;
    my $failed = bare_ruby(<<"END");
require "nytprof"
begin
  NYTProf.start($options)
rescue ArgumentError, RuntimeError => e
  puts e.message
end
NYTProf.start(file: "p.out")
END
    like $failed->{out}, ref $message ? $message : qr/^NYTProf: \Q$message\E$/, "start($options) says what is wrong";
    is $failed->{exit}, 0, 'and can be called again';
}

# --- the ways a program ends ---

my %end = (
    'its end'        => '',
    'exit'           => 'exit 3',
    'exit in a block' => '[1].each { exit 4 }',
    'abort'          => 'abort "no more"',
    'an exception'   => 'def f = raise("no more")' . "\nf",
    'exit!'          => '$stdout.flush; exit! 5',
    'Process.exit!'  => 'Process.exit!(6)',
    'a signal'       => 'Process.kill(:TERM, $$); sleep 5',
    'at_exit'        => 'at_exit { p $!; exit 7 }; raise "first"',
    'throw'          => 'throw :nowhere',
    'exec'           => 'exec "echo", "other"',
    'no exec'        => 'begin; exec "/nonexistent"; rescue Errno::ENOENT; p $!.class; end; x = 2',
    'a thread'       => 'Thread.new { sleep 0.01; exit 8 }; sleep 5',
    'Thread#raise'   => 'Thread.main.raise("done")',
    'a deep stack'   => 'def f(n) = f(n + 1) + 1' . "\nbegin; f(0); rescue SystemStackError; p 1; end",
    'a frozen main'  => 'freeze; Fiber.current.freeze; Fiber.new { 1 }.resume; x = 1',
);
for my $how (sort keys %end) {
    my $text  = "x = 1\n\$stdout.sync = true\n$end{$how}\n";
    my %small = (env => { RUBY_THREAD_VM_STACK_SIZE => 131_072 });
    my $bare  = bare_ruby($text, %small);
    my $ended = ruby($text, %small);
    is_deeply [ @{$ended}{qw(out err exit signal)} ], [ @{$bare}{qw(out err exit signal)} ],
        "ended by $how: the same output and status";
    my $facts = all_facts($ended);
    is $facts->{line}{1}, 1, 'the lines';
    cmp_ok scalar(grep { $_->{kind} eq 'end' } @{ $facts->{records} }), '>=', 1, 'and a whole capture';
}

# Of HUP, INT, TERM and others Ruby itself makes an exception; PROF just ends a program.
for my $case ([ 'TERM', 1, 15, "ensured\n" ], [ 'PROF', 'PROF', 27, '' ]) {
    my ($name, $sigexit, $number, $said) = @$case;
    my $ended = ruby("begin\n  Process.kill(:$name, Process.pid)\n  sleep 5\nensure\n  puts 'ensured'\nend\n",
        options => { sigexit => $sigexit });
    is "$ended->{signal} $ended->{out}", "$number $said", "sigexit=$sigexit: SIG$name ends the program as without";
    cmp_ok scalar(grep { $_->{kind} eq 'end' } @{ all_facts($ended)->{records} }), '>=', 1, 'and the capture is whole';
}

# --- options and environment ---

for my $case ([ maxsiteevals => 5 ], [ maxevals => 5 ]) {
    my $evals = all_facts(ruby("20.times { |i| eval 'x = %d' % i }\n", options => {@$case}));
    my $texts = grep { ($_->{kind} // '') eq 'file' && $_->{name} =~ /eval/ } @{ $evals->{records} };
    is $texts, 6, "@$case: the other evals share one";
}

my $renamed = ruby("x = 1\n", options => { file => 'other:name.out' });
is all_facts($renamed, "$renamed->{dir}/other:name.out")->{line}{1}, 1, 'NYTPROF is read';
my $later = ruby(qq{x = 1\nNYTProf.start(file: "later.out")\ny = 2\n}, options => { start => 'no' });
is_deeply [ captures_in($later->{dir}) ], [], 'start=no: nothing is recorded';
is_deeply all_facts($later, "$later->{dir}/later.out")->{line}, { 3 => 1 }, 'until the program says so';

my $calls = ruby("def f = 1\n3.times { f }\n", options => { stmts => 0 });
my $facts = all_facts($calls);
is_deeply $facts->{line}, {}, 'stmts=0: no lines';
is $facts->{call}{'Object#f'}, 3, 'but calls';
like ruby("x = 1\n", options => { clocks => 1 })->{err}, qr/^Unknown NYTProf option: 'clocks'$/m,
    'an option that is none is told';
my $nowhere = ruby("x = 1\n", options => { file => '/nonexistent/x.out' });
is "$nowhere->{out}$nowhere->{exit}", '0', 'where no file can be written the program runs';
like $nowhere->{err}, qr{^NYTProf: not profiled: [^\n]*/nonexistent/x\.out[^\n]*\n\z}, 'and why is said once';
my $unknown = ruby("p 1\n", options => { clock => 'nosuch' });
is "$unknown->{out}$unknown->{exit}", "1\n0", 'with a value that no option has the program runs';
like $unknown->{err}, qr/^NYTProf: not profiled: [^\n]*nosuch[^\n]*\n\z/, 'and why is said in one line';

my $foreign = ruby("Thread.new { x = 1 }.join\n", options => { format => 5 });
is scalar captures_in($foreign->{dir}), 2, 'format=5: a file for each thread';

# --- source ---

my $GONE = <<'END';
Dir.mkdir "sub"
require "./late.rb"
File.unlink "late.rb", $0
Dir.chdir "sub"
x = 1
fork { x = 2 }
Process.wait
END
for my $with ({}, { calls => 2 }, { savesrc => 2 }) {
    my $gone = ruby($GONE, files => { 'late.rb' => "# late\ny = 2\n" }, options => $with);
    is "$gone->{err}$gone->{exit}", '0', join ' ', 'a program that removes its files and changes its directory', %$with;
    my $source = all_facts($gone)->{source};
    is join('', grep {defined} @{ $source->{'prog.rb'} }), $GONE, 'its source is as it was';
    is join('', grep {defined} @{ $source->{"$gone->{dir}/late.rb"} }), "# late\ny = 2\n", 'that of another file, too';
}
my $moved = ruby(qq{Dir.mkdir "sub"\nDir.chdir "sub"\nfork { x = 2 }\nProcess.wait\n});
my ($child) = glob "$moved->{dir}/sub/*";
like join('', grep {defined} @{ all_facts($moved, $child)->{source}{'prog.rb'} }), qr/^fork/m,
    'a child that has no parent beside it has the source itself';

my $raw = ruby("def f\n  1\nend\n3.times { f }\nputs 'ran'\n", options => { overhead => 'raw' });
is "$raw->{out}$raw->{err}$raw->{exit}", "ran\n0", 'without a calibration the program runs, too';
is all_facts($raw)->{call}{'Object#f'}, 3, 'and has its calls';

my $required = bare_ruby(qq{x = 1\nrequire "nytprof"\ny = 1\n}, options => { file => 'r.out' });
is all_facts($required, "$required->{dir}/r.out")->{line}{3}, 1, 'with NYTPROF set require starts it';

$required = bare_ruby(qq{puts require "nytprof"\n}, options => { file => '/nonexistent/x.out' });
is "$required->{out}$required->{exit}", "true\n0", 'where no file can be written require succeeds';
like $required->{err}, qr{^NYTProf: not profiled: [^\n]*/nonexistent/x\.out[^\n]*\n\z}, 'and why is said in one line';

my @command = ("$TOP/build/nytprof", 'run', '-o', 'run.out');
my $ran = run("x = 1\nputs ARGV\n", name => 'prog.rb', command => [ @command, 'prog.rb', 'a', 'b c' ]);
is "$ran->{out}$ran->{err}$ran->{exit}", "a\nb c\n0", 'nytprof run prog.rb';
is all_facts($ran, "$ran->{dir}/run.out")->{line}{1}, 1, 'profiles it';
$ran = run(undef, command => [ @command, 'ruby', '-e', "x = 1\nputs x" ]);
is facts($ran, "$ran->{dir}/run.out")->{line}{'-e:2'}, 1, 'and ruby -e';
$ran = run("x = 1\nsystem('ruby', '-e', 'y = 1') or exit 1\n", name => 'prog.rb',
    command => [ @command, '--children', 'prog.rb' ]);
is "$ran->{err}$ran->{exit}", '0', '--children: the programs that it starts';
is_deeply [ map { scalar keys %{ facts($ran, $_)->{line} } } sort glob "$ran->{dir}/run.out*" ], [ 2, 1 ],
    'have one, too';
$ran = run(undef, command => [ @command, 'sh', '-c', 'ruby -e "x = 1"; ruby -e "y = 1"' ]);
is scalar(grep { facts($ran, $_)->{line}{'-e:1'} } glob "$ran->{dir}/run.out*"), 2, 'and those that a command starts';

done_testing;
