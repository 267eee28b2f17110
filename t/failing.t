# SPDX-License-Identifier: MIT
# Memory that runs short: the n-th allocation fails, for a fifth of all n of a small run, or for all (Failing's stride).
# A program goes on as if nothing were wrong, its profile is whole or it is said that it is not; a report is whole or it
# is not there.
use strict;
use warnings;

use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds qw(began capture small stream);
use Failing qw(command_program library_program lua_directory perl_directory ruby_directory stride toy_program);
use Lua qw(interpreter luas);
use Pages qw(fixtures);
use Profiled qw($TOP);
use Receiver qw(receiver stop_receiver);
use Ruby qw(why_not);
use Run qw(captures_in run under_profiler);
use Tree qw(slurp spew);

my $STRIDE = $ENV{FAIL_STRIDE} = stride();

# --- reading: every verb -----------------------------------------------------------------------------------------

my $verbs    = command_program();
my $captures = fixtures();
my $dir      = tempdir(CLEANUP => 1);
copy($_, $dir) or die "$_: $!\n" for glob("$captures/*.out"), glob("$TOP/t/data/*.out");
my @job = job_captures($dir);
chdir $dir or die "$dir: $!\n";
spew("$dir/lines", nytprof('folded', '-o', '-', 'calls.out'));
spew("$dir/links", "main::f\thref=page.html\n");

my @CAPTURES = (qw(calls.out hostile.out capture-perl.out capture-lua.out v5-plain.out v5-child.out), @job);
for my $capture (@CAPTURES) {
    reading('csv', '-o', 'OUT', $capture);
    reading($_, '-o', 'OUT/page', $capture) for qw(callgrind cpuprofile dot flat folded graph json lcov speedscope),
        'html --single', 'callgrind --split';
    reading('callers --depth 3', '-o', 'OUT/page', '.', $capture);
    reading('html', '-o', 'OUT', '--compat-pages', $capture);
    reading($_, $capture) for qw(info dump), 'dump --corrected';
    reading('merge', '-o', 'OUT/merged', $capture, $capture);
}
reading($_, '-o', 'OUT/page', 'calls.out') for qw(annotate chrome firefox hot pprof samples spans syscap trace);
reading("$_ --from main::ping", '-o', 'OUT/page', 'calls.out') for qw(flat graph dot);
reading('flamegraph', '-o', 'OUT/flame.svg', '--nameattr', 'links', 'lines');
reading('merge', '-o', 'OUT/merged', @$_) for [@job], [qw(v5-plain.out v5-child.out)], [qw(calls.out v5-plain.out)];

copy($_, $dir) or die "$_: $!\n" for glob "$TOP/xt/fuzz/corpus/{ninja,trace}-*";
reading('import', '-o', 'OUT/build', glob '{ninja,trace}-*');
spew("$dir/small.build", small());
spew("$dir/rules", "schema A\n  class \$1 command ~ '(.)\$'\nschema B where A = c\n  class x cwd = /src/a\n");
reading($_, '-o', 'OUT/page', 'small.build') for qw(chrome folded json speedscope);
reading('csv', '-o', 'OUT', 'small.build');
reading('html', '-o', 'OUT', 'small.build');
reading($_, 'small.build') for 'build', 'build -t --histogram 9 --classes rules', qw(info dump);
spew("$dir/short.build", capture(stream('h', 'launcher') . began(1, 1, 0, [qw(make key=x)]))); # not deflated
reading("merge --redact $_", '-o', 'OUT/merged', 'short.build') for '/k.y=/', 'all';
reading("diff --format $_", 'small.build', 'small.build') for qw(text json html);
reading("diff --format $_", 'calls.out', 'v5-plain.out') for qw(text json html folded);
reading('diff', ('calls.out') x 3, '--', ('v5-plain.out') x 3);

my $server = receiver('ok');
reading("push --label env=x:host=y calls.out $server->{url}$_")
    for '/ingest', '/push.v1.PusherService/Push', '/profiles/writeraw', '/profiling/v1/input';
reading("push --experimental --label env=x:host=y calls.out $server->{url}/v1development/profiles");
stop_receiver($server);

my $library = library_program();
for my $files (map({ [$_] } @CAPTURES), [@CAPTURES]) {
    my $said = qx{'$library' @$files 2>&1};
    my ($all) = $said =~ /^(\d+) allocations/;
    is $said =~ s/^\d+ allocations, 0 wrong\n//mgr, '', "libnytprof: @$files ($all)";
}

# --- recording: the kit alone, Perl, Lua, Ruby -----------------------------------------------------------------------

my @WAYS = ({}, { calls => 2 }, { format => 5 });
my $toy  = toy_program();
recording('the toy', $_, command => [ $toy, 'prog.toy' ], files => { 'prog.toy' => slurp("$TOP/t/toy/prog.toy") })
    for @WAYS;

my $perl = [ '-I' . perl_directory(), under_profiler() ];
recording('Perl', $_, switches => $perl, files => { 'prog.pl' => <<'END' }) for @WAYS;
use strict;
sub Foo::new { bless {}, shift }
sub Foo::get { $_[0]{x} // 3 }
sub f { my $n = shift; return $n < 1 ? 0 : f($n - 1) + 1 }
print f(5), "\n";
my $foo = Foo->new;
$foo->get for 1 .. 5;
eval "sub g$_ { $_ } g$_()" for 1 .. 3;
print join(' ', sort { $a <=> $b } 3, 1, 2), "\n";
eval { die "x\n" };
print $@;
if (my $pid = fork) { waitpid $pid, 0 }
else { f(3); exit 3 }
print $? >> 8, "\n";
END { print "end\n" }
# line 1 "elsewhere.pl"
sub never_called { 1 }
END

my ($versions) = luas();
for my $version (@$versions) {
    recording("Lua $version", $_, command => [ interpreter($version), '-lnytprof', 'prog.lua' ],
        env => { LUA_CPATH => lua_directory($version) . '/?.so' }, files => { 'prog.lua' => <<'END' }) for @WAYS;
local function f(n) if n < 1 then return 0 end return f(n - 1) + 1 end
print(f(5))
local co = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
print(co(), co())
print(pcall(error, "x"))
print(load("return 1 + 1")())
END
}

my $no_ruby = why_not();
SKIP: {
    skip $no_ruby, scalar @WAYS if $no_ruby;
    my @ruby = ('ruby', '--disable-gems', '-I' . ruby_directory(), '-rnytprof', 'prog.rb');
    recording('Ruby', $_, command => \@ruby, files => { 'prog.rb' => <<'END' }) for @WAYS;
def f(n) = n < 1 ? 0 : f(n - 1) + 1
p f(5)
f = Fiber.new { Fiber.yield 1; 2 }
p f.resume, f.resume
p eval("1 + 1"), [3, 1, 2].sort.map { |x| x.to_s }
begin
  raise "x"
rescue => e
  p e
end
Thread.new { f(2) }.join
Process.wait(fork { f(3); exit! 3 })
p $?.exitstatus
END
}

done_testing;

# The captures of a program that has a store and a forked child whose source is in its parent's.
sub job_captures {
    my ($where) = @_;
    my @command = ("$TOP/build/nytprof", 'run', '-o', 'job.out', '--', $^X, 'job.pl');
    my $job = run(<<'END', dir => $where, name => 'job.pl', command => \@command);
sub f { my $n = shift; $n * 2 }
f($_) for 1 .. 3;
if (my $pid = fork) { waitpid $pid, 0 }
else { f(4); eval 'f(5)' }
END
    my @found = sort map { m{([^/]+)$} } glob "$where/job.out*";
    die "no captures of a job: @found\n$job->{err}" if @found < 2;
    return @found;
}

# A verb, with OUT for the directory that it is to write to.
sub reading {
    my ($verb, @arguments) = @_;
    my $scratch = tempdir(CLEANUP => 1);
    s/^OUT/$scratch\/out/ for @arguments;
    my @words = ($verb =~ /\S+/g, @arguments);
    my $said = qx{'$verbs' '$scratch' @words 2>&1};
    my $all  = $said =~ s/^(\d+) allocations.*, 0 wrong\n//m ? $1 : 'none counted';
    is "$said$all", $all =~ s/\D.*//r, join ' ', (map { s/^\Q$scratch\E\///r } @words), "($all)";
    return;
}

# A program, with what it does when memory is there beside what it does when it is not.
sub recording {
    my ($who, $options, %is) = @_;
    my $ways  = join ' ', map {" $_=$options->{$_}"} sort keys %$options;
    my $good  = record($options, 0, %is);
    my ($all) = $good->{count} =~ /^(\d+) / or return fail("$who$ways runs: $good->{err}");
    my @wrong;
    for (my $n = 1; $n <= $all + 5; $n += $STRIDE) {
        my $why = difference($good, record($options, $n, %is));
        push @wrong, "allocation $n: $why" if $why;
    }
    is join("\n", @wrong), '', "$who$ways: $all allocations";
    return;
}

sub record {
    my ($options, $n, %is) = @_;
    my %env = (%{ $is{env} // {} }, FAIL_AT => $n, FAIL_COUNT => 'count');
    my $run = run(undef, %is, options => { clock => 'fake', %$options }, env => \%env);
    my @names = captures_in($run->{dir});
    my @whole = grep { is_whole("$run->{dir}/$_") } @names;
    return { %$run, count => -e "$run->{dir}/count" ? slurp("$run->{dir}/count") : '', captures => \@names,
        broken => @names - @whole };
}

sub nytprof {
    my (@arguments) = @_;
    my $run = run(undef, dir => $dir, command => [ "$TOP/build/nytprof", @arguments ]);
    return $run->{out};
}

sub is_whole { my ($capture) = @_; return nytprof('info', $capture) =~ /^whole +yes$/m ? 1 : 0 }

# What is wrong with a run whose memory was short; nothing if it is as it should be. A profiler that cannot begin says
# so before the program does anything: Perl and Lua programs end there, as they do where no file can be written.
sub difference {
    my ($good, $run) = @_;
    my $said = $run->{err};
    return "signal $run->{signal}" if $run->{signal};
    return $said =~ /\A.*NYTProf.*out of memory/ && !@{ $run->{captures} } ? '' : "it ends: $said"
        if $run->{exit} && $run->{out} eq '';
    return 'another output' if $run->{out} ne $good->{out} || $run->{exit} != $good->{exit};
    my @lines = split /\n/, $said;
    return "says $said" if @lines > @{ $good->{captures} } || grep { !/^(?:NYTProf|toy): .*out of memory/ } @lines;
    return 'silence' if !@lines && ($run->{broken} || @{ $run->{captures} } != @{ $good->{captures} });
    my ($left, $expected) = map { (split ' ', $_->{count})[1] } $run, $good;
    return $left > $expected ? "blocks that are left: $left, not $expected" : '';
}
