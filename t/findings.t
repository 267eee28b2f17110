# SPDX-License-Identifier: MIT
# What the index says to look at first: a program for each rule, and programs of which nothing is to be said.
use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Lua qw(luas lua);
use Pages qw(broken_links pages text_of);
use Run qw(captures_in run);
use Sampled qw(sampled);

# CPU time, so that other work on the machine finds nothing.
my %CPU  = (clock => 'process_cpu');
my %WALL = (options => {});

my %MODULES = map { ("M$_.pm" => big($_, 3000)) } 1 .. 5;

# ---- what is found ----

found('calls', <<'END', qr/goes to calling <main::get>: 800,000 calls of \S+ \S*s each\. Fewer/, %WALL);
sub get { my ($x) = @_; return $x + 1 }
my $x = 0;
for (1 .. 800_000) { $x = get($x) }
END
found('line', <<'END', qr{is in <prog\.pl:3>: 200,000 runs of \S+ \S*s each});
my @x;
for my $n (1 .. 200_000) {
    push @x, join '', map { $_ * $n } 1 .. 4;
}
END

# The code of a sub of which no line has much.
my $BODY = <<'END';
    my ($n) = @_;
    my ($x, $y, $z, $u, $v, $w) = (1) x 6;
    for my $i (1 .. $n) {
        $x = $i + $y;
        $y = $i - $z;
        $z = $i + $u;
        $u = $i - $v;
        $v = $i + $w;
        $w = $i - $x;
    }
END
found('sub', "work(50_000) for 1 .. 2;\nsub work {\n$BODY}\n",
    qr{is in the code of <main::work>: 2 calls of \S+ \S*s each\.});
found('C code', <<'END', qr{is in the C code of <List::Util::sum>: 600 calls of \S+ \S*s each, at <prog\.pl:3>});
use List::Util qw(sum);
my @x = (1.5) x 50_000;
for (1 .. 600) { my $x = sum(@x) }
END
found('loading', <<'END', qr{goes to <compiling the program and loading modules>\.}, files => \%MODULES);
use lib '.';
use M1; use M2; use M3; use M4; use M5;
END

my %ONE = (files => { 'M1.pm' => big(1, 15_000) });
found('one module', "use lib '.';\nuse M1;\n", qr{goes to loading <M1>, the modules that it uses aside\.}, %ONE);
found('compiling the program', big(0, 15_000), qr{goes to <compiling the program>\.});
found('string evals', <<'END', qr{is in <prog\.pl:2>, which compiles string evals: 3,000 runs of \S+ \S*s each\.});
for my $n (1 .. 3000) {
    eval "sub { " . ('my $x = ' . $n . ' + 1;') x 20 . "}";
}
END
found('waiting', <<'END', qr{passes in waiting, most in <Time::HiRes::sleep>, at <prog\.pl:2>\.}, %WALL);
use Time::HiRes;
Time::HiRes::sleep(0.02) for 1 .. 10;
END
my $for = qr{passes in waiting, most in <Time::HiRes::sleep>, .*; the program waited for sleep \d+ ms, child proces};
found('what is waited for', <<'END', $for, options => { waiting => 1 });
use Time::HiRes;
Time::HiRes::sleep(0.05) for 1 .. 10;
system 'sleep 0.1';
END
SKIP: {
    skip 'there is no taskset', 1 if system 'taskset -c 0 true 2>/dev/null';
    my $no_cpu = qr{ of \S+ \S*s from start to end, the program was ready to run, but other programs had the CPU\.};
    found('no CPU', <<'END', $no_cpu, options => { waiting => 1 });
system "taskset -pc 0 $$ >/dev/null";
my $busy = open my $in, '|-', $^X, '-e', 'alarm 60; 1 while 1';
my @x;
@x = sort map { rand } 1 .. 20_000 for 1 .. 10;
kill KILL => $busy;
END
}
found('waiting in C', <<'END', qr{\S+ \S*s of \S+ \S*s from start to end, passed without a CPU: the proc}, %WALL);
use POSIX;
open my $in, '-|', 'sleep 0.4';
POSIX::read(fileno $in, my $text, 1);
END
found('files', <<'END', qr{goes to input, output and files, most in <main::CORE:(?:open|close)>, \S+ \S*s of});
for (1 .. 30_000) {
    open my $in, '<', $0;
    close $in;
}
END
found('patterns', <<'END', qr{goes to matching patterns, most in <main::CORE:match>, at <prog\.pl:2>});
my $text = 'a' x 800_000;
for (1 .. 600) { my $found = $text =~ /b|c$/ }
END
found('sorting', <<'END', qr{goes to sorting, most in <main::CORE:sort>, at <prog\.pl:2>});
my @x = map { $_ * 7919 % 100_003 } 1 .. 100_000;
for (1 .. 10) { my @y = sort @x }
END
found('recursion', <<'END', qr{is in <main::deep> with all that it calls; it calls itself, 5,000 deep\.}, %WALL);
no warnings 'recursion';
sub deep {
    my ($n) = @_;
    my $x = 0;
    $x += $_ for 1 .. 20;
    return $n ? $x + deep($n - 1) : 0;
}
deep(5000) for 1 .. 10;
END
found('one caller of several', <<"END", qr{23 calls .*; \S+ % of it for calls at <prog\.pl:1>, one of 4});
work(20_000) for 1 .. 20;
work(1);
work(2);
work(3);
sub work {
$BODY}
END

my $kept = qr{ of what is left at the end, \S+ of \S+ values, was made and not freed at <prog\.pl:3>: 60,000 runs};
found('growth', <<'END', $kept, options => { memory => 1 });
our %cache;
for my $n (1 .. 60_000) {
    $cache{$n} //= "value $n";
}
END

# ---- of which nothing is said ----

# Subs with equal shares of the time, of which no line has much.
my @LINES = map {"$_;\n"} '$x += $i', '$x ^= $i', '$x = -$x', '$x -= $n';
my $FLAT  = join '', map { flat($_) } 1 .. 14;
my $CALLS = join '', map {"f$_(200);\n"} 1 .. 14;
my $LOOP  = "for (1 .. 25) {\n$CALLS}\n";

silent('a flat profile', $LOOP . $FLAT);
silent('stmts=0',                   $LOOP . $FLAT, options => { stmts => 0 });
silent('subs=0',                    $LOOP . $FLAT, options => { subs => 0 });
silent('format 5',                  $LOOP . $FLAT, options => { format => 5 });
silent('every sub in turns',        join('', map {"f$_(1000) for 1 .. 10;\n"} 1 .. 14) . $FLAT);
silent('a little of everything', <<"END" . $FLAT, files => { 'M1.pm' => big(1, 50) });
use lib '.';
use M1;
use Time::HiRes;
for (1 .. 60) {
$CALLS
open my \$in, '<', \$0;
my \@lines = sort <\$in>;
my \@found = grep {/while|f1/} \@lines;
eval 'my \$x = ' . \$_;
}
Time::HiRes::sleep(0.001);
END
silent('what is freed elsewhere', <<"END" . $FLAT, options => { memory => 1, %CPU });
$LOOP
my \@made = map { "value \$_" } 1 .. 60_000;
\@made = ();
our \@kept = map { [\$_] } 1 .. 4000;
END
silent('killed',                    $LOOP . 'kill KILL => $$;' . "\n" . $FLAT);
silent('two processes',             "my \$pid = fork;\n${LOOP}waitpid \$pid, 0 if \$pid;\n$FLAT");
silent('a short deep recursion',    "sub deep { \$_[0] && deep(\$_[0] - 1) }\ndeep(2000);\n$LOOP$FLAT");
silent('many calls of little time', "sub get { 1 }\nget() for 1 .. 100_000;\n" . $LOOP x 4 . $FLAT);
silent('a program of one line',     "print qq{hello\\n};\n");
is_silent('a parent that waits', sub { run("for (1 .. 4) { next if fork; $LOOP exit }\n1 while wait > 0;\n$FLAT") });
is_silent('a sampled program',   sub { sampled($LOOP x 12 . $FLAT) });
my ($hot) = findings('a sampled line', sampled("my \$x;\nfor my \$n (1 .. 9) {\n\$x += \$_ for 1 .. 500_000;\n}\n"));
like text_of($hot), qr{ is in <prog\.pl:3>\.}, 'a line of a sampled program, without a count';

my ($luas, $why) = luas();
SKIP: {
    skip $why, 4 if !@$luas;
    my $loop = "local x = 0\nfor i = 1, n do\n" . ('x = x + i ' x 4 . "\n") x 12 . "end\n";
    my $flat = join '', map {"function f$_(n)\n${loop}end\n"} 1 .. 14;
    my $calls = join '', map {"f$_(200)\n"} 1 .. 14;
    is_silent('a Lua program', sub { lua($luas->[0], "${flat}for i = 1, 100 do\n${calls}end\n", options => \%CPU) });
    my $line = lua($luas->[0], "local t = {}\nfor i = 1, 600000 do\nt[i % 100] = string.rep(i .. '', 8)\nend\n");
    like join("\n", map { text_of($_) } findings('a line of Lua', $line)), qr{is in <prog\.lua:3>: 600,000 runs of},
        'and one with a line to look at';
}

# ---- how it is said ----

my $NAME = q{<i>&"'.pl};
found('a hostile name', "my \$f = sub {\n$BODY};\n\$f->(50_000);\n",
    qr{is in the code of <main::__ANON__\[<i>&"'\.pl:\d+\]>}, name => $NAME);
my @many = map { ("M$_.pm" => big($_, 7000)) } 1 .. 7;
my $many = run(join('', "use lib '.';\n", map {"use M$_;\n"} 1 .. 7), files => {@many}, options => \%CPU);
is scalar(() = findings('many', $many)), 7, 'there are seven at most';

done_testing;

sub flat {
    my ($number) = @_;
    return "sub f$number {\nmy (\$n, \$x) = (shift, 0);\nfor my \$i (1 .. \$n) {\n" .
        join('', map { $LINES[ ($number + $_) % @LINES ] } 1 .. 12) . "}\nreturn \$x\n}\n";
}

# A module that takes long to compile.
sub big {
    my ($number, $subs) = @_;
    my @subs = map {"sub f$_ { my (\$x, \$y) = \@_; return \$x * $_ + \$y }\n"} 1 .. $subs;
    return join '', "package M$number;\n", @subs, "1;\n";
}

# The findings of a run, as text in which links are in angle brackets.
sub findings {
    my ($name, $run) = @_;
    my (undef, $err, $exit) = nytprof('html', '--delete', '-o', "$run->{dir}/report",
        map {"$run->{dir}/$_"} captures_in($run->{dir}));
    is "$exit$err", '0', "$name: a report";
    my $pages = pages("$run->{dir}/report");
    is_deeply [ broken_links($pages) ], [], "$name: no link is broken";
    my ($list) = $pages->{'index.html'} =~ m{<ul class=findings>\n(.*?)</ul>}s;
    in_json($name, [ captures_in($run->{dir}) ], $run->{dir}, ($list // '') =~ m{<li><b>([\d.]+)}g);
    return map { s{<a [^>]*>(.*?)</a>}{&lt;$1&gt;}gr } ($list // '') =~ m{<li>(.*)}g;
}

# The JSON of one process has the same shares, and a place for each that has one.
sub in_json {
    my ($name, $captures, $dir, @percent) = @_;
    my $json = JSON::PP->new->utf8->decode((nytprof('json', map {"$dir/$_"} @$captures))[0]);
    return if @{ $json->{meta}{processes} } > 1;
    my @found = @{ $json->{findings} };
    my @share = map { $_->{growth} ? $_->{growth} / $_->{kept} : $_->{time} / $_->{of} } @found;
    my @off = grep { abs(100 * $share[$_] - $percent[$_]) > 0.06 } 0 .. $#percent;
    is scalar(@found) . " @off", @percent . ' ', "$name: JSON has the same findings";
    my @names = map { $json->{subs}[ $_->{sub} ]{name} } grep { defined $_->{sub} } @found;
    is scalar(grep { !defined } @names), 0, "$name: each with its sub";
    return;
}

# A busy machine may take a run's time for itself, and a clock of CPU time may jump: then another run is asked.
sub found {
    my ($name, $text, $expected, %with) = @_;
    my @found;
    for (1 .. 4) {
        @found = map { text_of($_) } findings($name, run($text, options => \%CPU, %with));
        last if grep {/$expected/} @found;
    }
    is scalar(grep {/$expected/} @found), 1, "$name: is found" or diag map {"$_\n"} @found;
    return;
}

sub silent {
    my ($name, $text, %with) = @_;
    is_silent($name, sub { run($text, %with, options => { %CPU, %{ $with{options} // {} } }) });
    return;
}

# But that the machine is busy, if it is.
sub is_silent {
    my ($name, $run) = @_;
    my @said;
    for (1 .. 4) {
        @said = grep { !/passed without a CPU/ } findings($name, $run->()) or last;
    }
    is_deeply \@said, [], "$name: nothing to say";
    return;
}
