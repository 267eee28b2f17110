# SPDX-License-Identifier: MIT
# format=5: files as Devel::NYTProf's own tools read them. What they hold is the same as what a capture of
# the same run does; with the fake clock, to the tick. The peer's own reader and tools, where there is a peer, find the
# same in them as in the peer's files.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(has_zlib);
use Dump qw(records);
use Facts qw(from_capture from_peer);
use Profiled qw(has_peer);
use Run qw(captures_in run same under_profiler);
use Tree qw(slurp);
use V5 qw(events facts_of_events);

my $PROGRAM = <<'END';
use strict; use List::Util qw(first);
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
sub never { 1 }
print fib(8), "\n";
my $x = first { $_ > 2 } 1 .. 5;
for my $n (1 .. 3) {
    eval "sub ev$n { $n } ev$n()";
}
my $y = sub { 7 }; $y->();
my @sorted = sort { compare($a, $b) } 3, 1, 2;
sub compare { return $_[0] <=> $_[1] }
while ($x--) { next if $x == 1 }
END { print "bye\n" }
END

sub v5 { my ($text, %with) = @_; return run($text, %with, options => { format => 5, %{ $with{options} // {} } }) }

sub facts_v5 { my ($run, $file) = @_; return facts_of_events(events("$run->{dir}/" . ($file // 'nytprof.out'))) }

# Where the program lies is no difference.
sub here {
    my ($run, $facts) = @_;
    return { map { (s{\Q$run->{dir}\E/}{}gr => $facts->{$_}) } keys %$facts };
}

# --- the same as a capture of ours ------------------------------------------------------------------------------------

my %exact = (clock => 'fake', overhead => 'raw', compress => 1);
my $own   = run($PROGRAM, options => {%exact});
my $v5    = v5($PROGRAM, options => {%exact});
is_deeply [ @{$v5}{qw(out err exit)} ], [ "21\nbye\n", '', 0 ], 'the program does not notice';
my $facts = facts_v5($v5);
my $ours  = from_capture("$own->{dir}/nytprof.out");
is_deeply here($v5, $facts->{line}), here($own, $ours->{line}), 'statements of every line are those of a capture';
is_deeply here($v5, $facts->{edge}), here($own, $ours->{edge}), 'and so are calls by site and caller';
is_deeply here($v5, $facts->{ticks}), here($own, ticks_of(records("$own->{dir}/nytprof.out"))),
    'and the time of every line, to the tick of 100 ns';
is join('', grep {defined} @{ $facts->{source}{"$v5->{dir}/prog.pl"} }), $PROGRAM, 'the source is in it';
is $facts->{sub}{'main::never'}, "$v5->{dir}/prog.pl:3-3", 'a sub that was never called';
is $facts->{sub}{'main::RUNTIME'}, "$v5->{dir}/prog.pl:1-1", 'main::RUNTIME';
is_deeply [ $facts->{started}, scalar @{ $facts->{ended} } ], [ $facts->{ended}, 1 ], 'the process began and ended';

# Ticks of every line by a capture's records, of a clock that has theirs.
sub ticks_of {
    my (%file, %place, %ticks);
    for my $r (@_) {
        $file{ $r->{id} } = $r->{name} if $r->{kind} eq 'file';
        $place{ $r->{id} } = "$file{$r->{file}}:$r->{line}" if $r->{kind} eq 'place';
        $ticks{ $place{ $r->{id} } } += $r->{ticks} if $r->{kind} eq 'place_delta' && $r->{id};
    }
    return \%ticks;
}

my @tags = map { $_->[0] } events("$v5->{dir}/nytprof.out");
my $start = has_zlib() ? '#z' : '';
like join('', @tags), qr/^N#:{8}!{18}${start}P/, 'version, eight attributes, 18 options, compression, process';
is_deeply [ map { (split /=/, $_->[1])[0] } grep { $_->[0] eq '!' } events("$v5->{dir}/nytprof.out") ],
    [ qw(usecputime subs blocks leave expand trace use_db_sub compress clock stmts slowops findcaller forkdepth perldb
        nameevals nameanonsubs calls evals) ], 'the options in their order';

# --- options ----------------------------------------------------------------------------------------------------------

for my $level (-1, 0, 9) {
    my $run = v5($PROGRAM, options => { compress => $level });
    my $found = facts_v5($run);
    is_deeply here($run, $found->{edge}), here($v5, $facts->{edge}), "compress=$level: the same calls";
    my $text = slurp("$run->{dir}/nytprof.out");
    is $text =~ /^#Compressed at level $level with zlib \S+\nz/m, !!($level && has_zlib()), 'compressed, and says how';
    is $text =~ /\n# Compressed \d+ bytes to \d+, ratio [\d.]+:1, data shrunk by [\d.]+%\n\z/, !!($level && has_zlib()),
        'and to what, at the end';
}
my %events;
for my $calls (0 .. 2) {
    my $run = v5($PROGRAM, options => { calls => $calls });
    $events{$calls}{ $_->[0] }++ for events("$run->{dir}/nytprof.out");
}
is_deeply [ map { [ @{ $events{$_} }{qw(> <)} ] } 0 .. 2 ],
    [ [ undef, undef ], [ undef, $events{1}{'<'} ], [ $events{1}{'<'}, $events{1}{'<'} ] ],
    'calls=0, 1, 2: no events, returns, entries too';
my $blocks = v5($PROGRAM, options => { blocks => 1 });
is_deeply [ grep { $_->[0] eq '+' } events("$blocks->{dir}/nytprof.out") ], [], 'blocks=1: TIME_BLOCK only';
is_deeply here($blocks, facts_v5($blocks)->{line}), here($v5, $facts->{line}), 'with the same counts';
my $newline = v5(qq{\$0 = "a\\n!b=c"; DB::enable_profile("nytprof.two"); 1;\n});
is facts_v5($newline, 'nytprof.two')->{attribute}{application}, 'a\n!b=c', 'a newline in $0 is harmless';
is_deeply [ @{ v5('1;', options => { format => 4 }) }{qw(out exit)} ], [ '', 2 ], 'there is no format 4';
is_deeply [ @{ v5('1;', options => { compress => 12 }) }{qw(out exit)} ], [ '', 2 ], 'nor a level 12';

# --- how it ends ------------------------------------------------------------------------------------------------------

my $WORK = "sub work { my \$x = 0; \$x++ for 1 .. 9; \$x }\nwork() for 1 .. 100;\n";

# Calls of main::work in all, or on one line.
sub works {
    my ($found, $line) = @_;
    my $site = defined $line ? ":$line" : '';
    my ($n) = map { $found->{edge}{$_} } grep {/$site .* > main::work$/} keys %{ $found->{edge} };
    return $n;
}

for my $how ('1', 'exit 3', 'die 1', 'exec "true"', 'use POSIX (); POSIX::_exit(1)', 'BEGIN { exit }') {
    my $run = v5("$WORK$how;\n");
    my $found = facts_v5($run);
    my $calls = $how =~ /BEGIN/ ? undef : 100;
    is_deeply [ $found->{started}, works($found) ], [ $found->{ended}, $calls ], "$how: complete";
}
my $failed = v5("${WORK}exec '/nonexistent/program'; work(); print qq{on\\n};");
is_deeply [ $failed->{out}, works(facts_v5($failed)) ], [ "on\n", 100 ], 'an exec that fails ends the profile';

my $killed = v5("$WORK select undef, undef, undef, 0.3; work() for 1 .. 50; sleep 0; kill KILL => \$\$;\n");
my $left = facts_v5($killed);
is $killed->{signal}, 9, 'kill -9';
is_deeply [ @{$left}{qw(started ended)} ], [ [ $left->{started}[0] ], undef ], 'the file says that it has no end';
cmp_ok $left->{line}{"$killed->{dir}/prog.pl:1"}, '>=', 3 * 100, 'and has the statements up to the last window';

my $forked = v5("$WORK my \$pid = fork // die; waitpid \$pid, 0 if \$pid; work() for 1 .. (\$pid ? 10 : 20);\n");
my @files = captures_in($forked->{dir});
is_deeply [ map { works(facts_v5($forked, $_), 3) } @files ], [ 10, 20 ], 'a child has a file of its own';

my $full = run("${WORK}print qq{fine\\n};\n", options => { format => 5, compress => 0 },
    before => [ 'sh', '-c', 'ulimit -f 8; exec "$@"', 'sh' ]);
is_deeply [ @{$full}{qw(out exit signal)} ], [ "fine\n", 0, 0 ], 'a full disk does not hurt the program';
like $full->{err}, qr/^NYTProf: \S*nytprof.out: writing the capture: File too large; the profile ends here$/,
    'one line says what happened';

# --- the peer ---------------------------------------------------------------------------------------------------------

if (has_peer()) { compare_with_peer() }
else            { diag 'NO PEER: there is no other Devel::NYTProf here to read what was written' }
done_testing;

sub peer { return system('env', '-u', 'PERL5LIB', '-u', 'NYTPROF', 'sh', '-c', "@_ >tools.log 2>&1") }

sub compare_with_peer {
    my $by_peer = run($PROGRAM, switches => ['-d:NYTProf'], options => { blocks => 1 });
    my ($theirs, $read) = map { from_peer("$_->{dir}/nytprof.out") } $by_peer, $blocks;
    is_deeply here($blocks, $read->{line}), here($by_peer, $theirs->{line}), 'the peer reads its own counts';
    is_deeply here($blocks, $read->{edge}), here($by_peer, $theirs->{edge}), 'and of calls';
    is_deeply dump_of($blocks), dump_of($by_peer), 'its dump of the whole profile is the same';
    for my $tool (qw(nytprofcsv nytprofcalls nytprofhtml nytprofcg)) {
        my $in = $tool eq 'nytprofcalls' ? 'nytprof.out' : '-f nytprof.out';
        chdir $blocks->{dir} or die "$blocks->{dir}: $!\n";
        is peer($tool, $in), 0, "$tool takes it";
        is slurp("$blocks->{dir}/tools.log") =~ /inconsisten|incomplete|error/i, '', 'without complaints';
    }
    return;
}

# Of the two only the numbers of files and evals, and BEGIN blocks inside either profiler, may differ.
sub dump_of {
    my ($run) = @_;
    my $code = 'my $p = Devel::NYTProf::Data->new({ filename => shift, quiet => 1, skip_collapse_evals => 1 });'
        . '$p->normalize_variables(1); $p->dump_profile_data({ separator => "\t" })';
    open my $in, '-|', 'env', '-u', 'PERL5LIB', '-u', 'NYTPROF', $^X, '-MDevel::NYTProf::Data', '-e', $code,
        "$run->{dir}/nytprof.out" or die "perl: $!\n";
    my @lines = grep { !/Devel::NYTProf/ } <$in>;
    close $in or die "the peer cannot dump $run->{dir}/nytprof.out\n";
    for (@lines) {
        s{\Q$run->{dir}\E/}{}g;
        s/^(fid_\w+\t)\d+/$1N/;
        s/\[ \d+:|called_by\t\K\d+:/N:/g;
        s/^(fid_fileinfo\tN\t\[ .*?) (\S*) (\S*) \d+ (\d+ 0 0 \])/$1 $3 $4/;
    }
    return [ sort @lines ];
}
