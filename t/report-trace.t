# SPDX-License-Identifier: MIT
# nytprof trace and nytprof samples: calls in their order, of captures with calls=2 and of files in format 5.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk nytprof record text);
use Lua qw(lua_command luas);
use Pages qw(fixtures run);
use Terminal qw(has_terminals on_terminal);
use Profiled qw(command has_peer);
use Tree qw(slurp spew);

my $PM = "\xC2\xB1";

my $TOP      = "$FindBin::Bin/..";
my $dir      = tempdir(CLEANUP => 1);
my $fixtures = fixtures();
my $calls    = "$fixtures/calls.out";

# --- captures from a description --------------------------------------------------------------------------------------

# The subs main, f and g; the nodes main, main/f, main/f/g and, as g2, main/g. A step is "main 100": 100 ns pass in that
# node, "+f": a call begins, "-f": it ends. With cut => 1 the process does not come to its end. With nodes => N there
# are nodes up to that number, 5 below g2, and so on; name is that of g.
my %node = (root => 0, main => 1, f => 2, g => 3, 'g2' => 4);

sub ordered {
    my ($steps, %with) = @_;
    my @start = ((map { Capture::u($_) } 1, 0, 17e17), Capture::i(0), (map { Capture::u($_) } 1e9, 1),
        Capture::i(1), map { Capture::s($_) } 'fake', 'prog.pl', 'perl 5.36.0');
    my $id = 0;
    my @subs = map { record(10, (map { Capture::u($_) } ++$id, 0, 0, 0, 0, 1), Capture::s($_), Capture::s('')) }
        qw(main f), $with{name} // 'g';
    my @nodes = map { record(29, map { Capture::i($_) } @$_) } [ 1, 0, 0, 1 ], [ 2, 1, 0, 2 ], [ 3, 2, 0, 3 ],
        [ 4, 1, 0, 3 ], map { [ $_, $_ - 1, 0, 3 ] } 5 .. $with{nodes} // 4;
    my @steps = map { step($_) } grep {/\S/} split /,\s*/, $steps;
    my @end = $with{cut} ? () : record(24, map { Capture::u($_) } 0, 1);
    return text() . chunk(join('', record(1, @start), @subs, @nodes, @steps, @end), pid => $with{pid} // 4711);
}

sub step {
    my ($step) = @_;
    my ($sign, $name, $ticks) = $step =~ /^([-+]?)(\w*)(?: (-?\d+))?$/ or die "step $step\n";
    my $u = Capture::u($node{$name} // $name);
    return $sign eq '+' ? record(17, Capture::i(0), $u)
        : $sign eq '-' ? record(18, Capture::i(0), $u, Capture::i(0))
        :                record(14, $u, Capture::i(0), Capture::i($ticks));
}

# The lines of a trace of such a capture; other captures are files.
sub trace {
    my ($capture, @options) = @_;
    my ($out, $err, $exit) = nytprof('trace', @options, $capture =~ /^NYTProf capture/ ? \$capture : $capture);
    is "$exit $err", '0 ', "trace @options" if !grep { $_ eq '--notes' } @options;
    return split /\n/, $out;
}

sub secusec {
    my ($capture, @options) = @_;
    return map {s/^sec:00 usec:0*(\d)/$1/r} trace($capture, '--style=secusec', @options);
}

my $small = ordered('root 1000, +main, main 2000, +f, f 3000, +g, g 4000, -g, f 5000, -f, main 6000, +g2, g2 7000, '
    . '-g2, -main');
is_deeply [ secusec($small) ],
    [ '1 called main', '3 called f', '6 called g', '10 returned g', '15 returned f', '21 called g', '28 returned g',
    '28 returned main' ], 'calls and returns, in microseconds';
is_deeply [ trace($small, '--style=table') ],
    [ map { sprintf '%-20s:%-20s%-20s', split } '1.000 call main', '3.000 call f', '6.000 call g', '10.000 return g',
    '15.000 return f', '21.000 call g', '28.000 return g', '28.000 return main' ], 'as a table';
is_deeply [ map {s/\xC2\xB5/u/r} trace($small) ],
    [ '     seconds duration  call', '    0.000001  27.0 us  main', '    0.000003  12.0 us    f',
    '    0.000006  4.00 us      g', '    0.000021  7.00 us    g' ], 'as a tree';

# A reader of a table computes what the model has.
is_deeply { durations(trace($small, '--style=table')) }, { main => 27, f => 12, g => 11 },
    'durations of calls add up to inclusive times';
is_deeply { durations(trace($calls, '--style=table')) },
    { 'main::recurs' => 60, 'main::ping' => 10, 'main::pong' => 9, 'List::Util::sum' => 70, 'main::CORE:print' => 10,
    'Foo::Bar::new' => 500, 'Foo::Bar::xs' => 400, 'main::__ANON__[(eval 1)[/app/main.pl:9]:1]' => 3 },
    'of recursion as well, whose inner calls are part of the outer ones';

# --- captures that are not whole ---

is_deeply [ secusec(ordered('root 1000, +main, main 2000, +f, f 500')) ], [ '1 called main', '3 called f' ],
    'of a capture that was cut short there is what is whole';
like +(trace(ordered('+main, main 2000')))[1], qr/^    0\.000000   no end  main$/, 'calls without an end say so';
is_deeply [ secusec(ordered('+main, +f, f 1000, +g, g 1000, -f, main 1000, -main')) ],
    [ '0 called main', '0 called f', '1 called g', '2 returned g', '2 returned f', '3 returned main' ],
    'a call ends with the call around it';
is_deeply [ secusec(ordered('+main, +f, f 1000, +g2, -g2, -main')) ],
    [ '0 called main', '0 called f', '1 returned f', '1 called g', '1 returned g', '1 returned main' ],
    'a call ends when another begins elsewhere';
my ($out, $err, $exit) = nytprof('trace', '--style=secusec', \ordered('root 1000, -f, -main, +main, -main, -main'));
is $out, "sec:00 usec:000001 called main\nsec:00 usec:000001 returned main\n", 'an end without a beginning is no call';
is "$exit $err", "0 nytprof: Ends of calls without a beginning in process 4711 are left out: 3.\n", 'but counted';
for my $verb (qw(trace samples)) {
    ($out, $err, $exit) = nytprof($verb, \ordered('root 1000'));
    is "$exit $out$err", "1 nytprof: this capture has no calls in their order: profile with NYTPROF=calls=2\n",
        "$verb says what is missing";
}

# --- which calls ---

is_deeply [ secusec($small, '--last', 2) ], [ '28 returned g', '28 returned main' ], 'the last lines';
is_deeply [ secusec($small, '--last', 99) ], [ secusec($small) ], 'at most all';
is_deeply [ secusec($small, '--min-time', 0.000005) ],
    [ grep { !/^6 |^10 / } secusec($small) ], 'calls that took as long';
is_deeply [ secusec($small, '--min-time', 1e9) ], [], 'none did, for an age';
for my $verb (qw(trace chrome)) {
    for my $time (qw(1e300 inf nan)) {
        ($out, $err, $exit) = nytprof($verb, qw(-o - --min-time), $time, \$small);
        like "$exit $out$err", qr/^2 nytprof: $verb: --min-time: expected a number .*got '$time'/,
            "$verb --min-time $time";
    }
}
is_deeply [ map {/(  +\w)$/} trace($small, '--filter', '^[fg]$') ], [ '  f', '    g', '  g' ],
    'chosen calls are indented by chosen calls';
is_deeply [ secusec($small, '--from', 'f') ], [ '3 called f', '6 called g', '10 returned g', '15 returned f' ],
    'calls within a sub';

# --- terminals ---

my $deep = ordered(join(', ', '+main', '+g2', (map {"+$_"} 5 .. 60), '60 1000'), nodes => 60, name => 'n' x 90 . 'end');
is_deeply [ map { /^.{23}( *(?:\[\d+\] )?)\w/ && length $1 } map {s/\xC2\xB5/u/r} (trace($deep))[ 1, 2, 26, 27, 58 ] ],
    [ 0, 2, 50, 55, 55 ],
    'deep calls have their depth in front of them';
SKIP: {
    skip 'there are no pseudo terminals: lines on one are NOT checked', 3 if !has_terminals();
    spew("$dir/deep.out", $deep);
    local $ENV{PAGER} = '';
    my ($shown) = on_terminal("$TOP/build/nytprof", 'trace', "$dir/deep.out");
    my @shown = split /\n/, $shown =~ s/\xC2\xB5|\xE2\x80\xA6/./gr;
    is_deeply [ grep { length > 80 } @shown ], [], 'no line is longer than that of a terminal';
    is scalar(grep { /\bn+\.n*end$/ && length == 80 } @shown), 57, 'names lose their middle';
    like $shown[-1], qr/ \[57\] n{6,}[.]n+end$/, 'and have their depth';
}

# --- several processes ---

my $two = ordered('+main, main 1000, -main', pid => 1) . ordered('+main, main 2000, -main', pid => 2);
is_deeply [ grep { !/seconds/ } map {s/\xC2\xB5/u/r} trace($two) ],
    [ 'process 1: prog.pl', '    0.000000  1.00 us  main', 'process 2: prog.pl', '    0.000000  2.00 us  main' ],
    'processes follow each other';

# --- samples ---

# The article on profilers for Ruby has four samples: three in one of two methods, one in the other.
my $article = ordered('main 0, +main, +f, f 1750000000, -f, +g2, g2 500000000, -g2, -main');
($out, $err, $exit) = nytprof('samples', '--period', '0.5', \$article);
is "$exit $err", '0 ', 'samples';
is $out, <<"END", 'running calls at each moment, and their shares';
Call stack at 0.5sec: main/f
Call stack at 1sec: main/f
Call stack at 1.5sec: main/f
Call stack at 2sec: main/g

4 samples
  own %     $PM  all %     $PM  sub
   75.0 ${PM}21.7   75.0 ${PM}21.7  f
   25.0 ${PM}21.7   25.0 ${PM}21.7  g
    0.0        100.0        main
END
is +(nytprof('samples', '-b', '--period', '0.5', '--min-percent', 50, '--top', 1, \$article))[0],
    "4 samples\n  own %     $PM  all %     $PM  sub\n   75.0 ${PM}21.7   75.0 ${PM}21.7  f\n",
    'shares only, and not all';
($out) = nytprof('samples', '-b', '--period', '0.5', \ordered('root 1000000000, +main, main 1000000000, -main'));
is $out =~ s/.*sub\n//sr,
    "   66.7 ${PM}27.2   66.7 ${PM}27.2  main\n   33.3 ${PM}27.2  100.0        main::RUNTIME\n",
    'the main program is running in each, also if calls are';
($out) = nytprof('samples', '--period', '0.5', \ordered('root 1200000000, +main, +g2, -g2, -main'));
is $out =~ s/\n\n.*//sr,
    "Call stack at 0.5sec: main::RUNTIME\nCall stack at 1sec: main::RUNTIME", 'outside of calls the main program runs';
like +(nytprof('samples', '--brief', \ordered('+main, +f, f 1000000, -f, -main')))[0], qr/^199 samples$/m,
    'by default there are some hundred';
($out, $err, $exit) = nytprof('samples', '--period', 60, \$article);
is "$exit $out$err", "1 nytprof: no samples: the run was shorter than the --period\n", 'no samples are an error';
($out, $err, $exit) = nytprof('samples', '--period', '1e-9', \$article);
like "$exit $err", qr/^1 nytprof: more than 10000000 samples: choose a longer --period$/, 'and so are too many';
like +(nytprof('samples', '--brief', '--period', '1e-9', \ordered('+main, main 10000001, -main')))[0],
    qr/^10000000 samples$/m, 'but not one fewer';

# --- format 5: the time of a statement follows the builtin that it calls, and contains its time ---

sub numbers { return join '', map { "\xFF" . pack 'N', $_ } @_ }
sub string  { return "'" . numbers(length $_[0]) . $_[0] }
sub ran     { return '+' . numbers($_[0], 1, 1) }
sub called  { my ($sub, $took) = @_; return '<' . numbers(1) . pack('dd', $took, $took) . string($sub) }
spew("$dir/builtin.out", join '', "NYTProf 5 0\n:ticks_per_sec=1000000\n:nv_size=8\nP", numbers(7, 1), pack('d', 1e9),
    '@', numbers(1, 0, 0, 2, 0, 0), string('/x.pl'), '>', numbers(1, 1), ran(10), called('main::CORE:sleep', 500), '-',
    ran(500), '-', ran(10), '>', numbers(1, 2), ran(1), called('main::f', 2), ran(2),
    (map { 'c' . numbers(1, 1) . string('main::RUNTIME') . numbers(1) . pack('ddd', $$_[1] / 1e6, $$_[1] / 1e6, 0)
        . numbers(0) . string($$_[0]) } [ 'main::CORE:sleep', 500 ], [ 'main::f', 2 ]),
    'p', numbers(7), pack 'd', 1e9 + 1);
is_deeply [ secusec("$dir/builtin.out") ], [ '0 called main::CORE:sleep', '500 returned main::CORE:sleep',
    '520 called main::f', '522 returned main::f' ], 'it counts once';
like +(nytprof('flat', "$dir/builtin.out"))[0], qr/ 523 \S+ of it profiled/, 'so the times are those of all reports';
like +(nytprof('chrome', '-o', '-', "$dir/builtin.out"))[0], qr/"cat":"process","ts":0,"dur":523[,}]/, 'of chrome, too';

my $whole = slurp("$dir/builtin.out");
spew("$dir/builtin.cut", substr $whole, 0, index $whole, 'c' . numbers(1, 1));
like +(nytprof('flat', "$dir/builtin.cut"))[0], qr/ 523 \S+ of it profiled/, 'and of a file without its end';
is_deeply [ sort split /\n/, (nytprof('folded', "$dir/builtin.cut"))[0] ],
    [ 'main::RUNTIME 21000', 'main::RUNTIME;main::CORE:sleep 500000', 'main::RUNTIME;main::f 2000' ],
    'in which the main program has what calls do not have, too';

# --- real programs ---

my $program = "$dir/program.pl";
spew($program, <<'END');
sub fib { my ($n) = @_; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
sub dies { die "x\n" }
sub catches { eval { inner(3) }; return $@ }
sub inner { my ($n) = @_; return $n ? inner($n - 1) : dies() }
sub sorts { return sort { by($a, $b) } 3, 1, 2 }
sub by { $_[0] <=> $_[1] }
sub tiny { 1 }
eval "sub made_$_ { fib(3) } made_$_()" for 1 .. 3;
fib(7); catches(); my @sorted = sorts(); length join '', map { lc } 1 .. 9;
tiny() for 1 .. 5000;
if (!fork) { fib(2); exit }
wait;
END
my %sequence;
for my $format (qw(capture five), has_peer() ? 'peer' : ()) {
    my %options = (calls => 2, file => "$dir/$format.out", addpid => 0, $format eq 'five' ? (format => 5) : ());
    system(command($format eq 'peer' ? 'peer' : 'ours', \%options, $program)) == 0 or die "$format fails\n";
    my @lines = grep { !/BEGIN|import|::END|CORE:/ } until_fork(trace("$dir/$format.out", '--style=secusec'));
    $sequence{$format} = join "\n", map {/ (called .*|returned .*)/} @lines;
    my %measured = durations(until_fork(trace("$dir/$format.out", '--style=table', '--no-mergeevals')));
    my %model = inclusive("$dir/$format.out");
    # A call rounds its time to nanoseconds, and corrected times below zero wait for more; format 5 rounds the time of
    # each context to 100 ns, of which a sub may have ten.
    my ($each, $all) = $format eq 'capture' ? (0.001, 0.2) : (0, 1);
    my @wrong = grep { abs($measured{$_} - $model{$_}[0]) > $each * $model{$_}[1] + $all }
        grep { $model{$_} } sort keys %measured;
    is_deeply \@wrong, [], "$format: durations of calls add up to inclusive times"
        or diag map {"$_: $measured{$_}, in the model $model{$_}[0]\n"} @wrong;
}
is_deeply [ map {s/main:://gr} $sequence{capture} =~ /^(called main::catches\n.*?\nreturned main::catches)/ms ],
    [ join "\n", 'called catches', ('called inner') x 4, 'called dies', 'returned dies', ('returned inner') x 4,
    'returned catches' ], 'a die ends the calls';
is $sequence{$_}, $sequence{capture}, "$_: the same calls" for grep { $_ ne 'capture' } sort keys %sequence;

for my $version (@{ (luas())[0] }) {
    spew("$dir/p.lua", "local function f() return #tostring(1) end\nlocal function main() f(); f() end\nmain()\n");
    my ($status) = run(lua_command($version, { file => "$dir/lua$version.out", calls => 2 }, "$dir/p.lua"));
    is $status, 0, "Lua $version";
    is_deeply [ map {/(\w+) \S*?([\w.:>]+)$/ && "$1 $2"} grep {/main|p\.lua:1|\bf$/} secusec("$dir/lua$version.out") ],
        [ ('called main', ('called f', 'returned f') x 2, 'returned main') ], 'calls in order';
}

# --- the sample program of the articles -------------------------------------------------------------------------------

my @article = ('called main', ('called find_many_square_roots', 'returned find_many_square_roots',
    'called find_many_squares', 'returned find_many_squares') x 3, 'returned main');
my %squares = (pl => [ command('ours', { calls => 2, file => "$dir/squares.pl.out" }, "$TOP/examples/squares.pl") ]);
for my $version (@{ (luas())[0] }) {
    my %options = (calls => 2, file => "$dir/squares.lua.out");
    $squares{lua} = [ lua_command($version, \%options, "$TOP/examples/squares.lua") ];
}
for my $language (sort keys %squares) {
    is +(run(@{ $squares{$language} }))[0], 0, "squares.$language";
    my @lines = secusec("$dir/squares.$language.out", '--filter', '(^|:)(main|find_many_.*)$');
    is_deeply [ map {s/^\S+ (\w+) (?:main::)?/$1 /r} @lines ], \@article, 'its calls and returns in fourteen lines';
}

done_testing;

# The sums of the outermost calls in a table, by sub, in microseconds.
sub durations {
    my (@lines) = @_;
    my (%begin, %running, %sum);
    for my $line (@lines) {
        my ($at, $what, $sub) = $line =~ /^([\d.]+) *:(call|return) +(.*?) *$/ or next;
        if ($what eq 'call') { $begin{$sub} = $at if !$running{$sub}++ }
        else                 { $sum{$sub} += sprintf '%.3f', $at - $begin{$sub} if !--$running{$sub} }
    }
    return map { ($_ => 0 + sprintf '%.3f', $sum{$_}) } keys %sum;
}

# Those of the first process.
sub until_fork {
    my (@lines) = @_;
    my @processes = grep { $lines[$_] =~ /^process/ } 0 .. $#lines;
    return @processes > 1 ? @lines[ 0 .. $processes[1] - 1 ] : @lines;
}

# { sub => [inclusive time in microseconds, calls] }, by the Perl API.
sub inclusive {
    my ($capture) = @_;
    my $script = 'my $p = Devel::NYTProf::Data->new({filename => shift, quiet => 1});'
        . 'printf "%s\t%.9f\t%d\n", $_->subname, 1e6 * $_->incl_time, $_->calls for values %{$p->subname_subinfo_map}';
    my (undef, $out) = run($^X, "-Mblib=$TOP/blib", '-MDevel::NYTProf::Data', '-e', $script, $capture);
    return map { my ($sub, @figures) = split /\t/; ($sub => \@figures) } split /\n/, $out;
}
