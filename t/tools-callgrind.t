# SPDX-License-Identifier: MIT
# nytprofcg and `nytprof callgrind`: subs and calls for kcachegrind and callgrind_annotate.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Pages qw(fixtures run);
use Profiled qw(command has_peer);
use Tree qw(slurp spew);

my $NYTPROF  = "$FindBin::Bin/../build/nytprof";
my @CG       = ($^X, "$FindBin::Bin/../bin/nytprofcg");
my $captures = fixtures();
my $dir      = tempdir(CLEANUP => 1);
chdir $dir or die "$dir: $!\n";

# --- what the fixture's subs and calls are ---

my ($status, $out, $err) = run(@CG, '-f', "$captures/calls.out", '-o', "$dir/calls");
is "$status $err", '0 ', 'nytprofcg writes';
is $out, "Reading $captures/calls.out ...\nWriting $dir/calls ...\n", 'and says what it does';
my $calls = parse(slurp("$dir/calls"));
is_deeply $calls->{self},
    {   '/app/main.pl main::RUNTIME' =>
            '1 50000 1, 8 100000 2, 9 40000 4, 10 10000 1, 11 10000 1, 12 2000 1',
        '(eval 1)[/app/main.pl:9] main::RUNTIME' => '1 1000 0',
        '(eval 3)[/app/main.pl:9] main::RUNTIME' => '1 500 1',
        '/app/gone/nowhere.pl main::RUNTIME'     => '7 8000 1',
        '/app/main.pl main::recurs'              => '4 30000 3, 5 30000 3',
        '/app/main.pl main::ping'                => '6 4000 2',
        '/app/main.pl main::pong'                => '7 6000 2',
        '/app/main.pl main::CORE:print'          => '0 10000 0',
        '/inc/lib/Foo/Bar.pm Foo::Bar::new'      => '4 100000 1',
        '/inc/lib/Foo/Bar.pm Foo::Bar::xs'       => '0 400000 0',
        '??? List::Util::sum'                    => '0 70000 0',
        '(eval 1)[/app/main.pl:9] main::__ANON__[(eval 1)[/app/main.pl:9]:1]' => '1 3000 4',
    },
    'each sub with its lines, their own time in nanoseconds, and statements';
is_deeply $calls->{calls},
    {   'main::RUNTIME /app/main.pl:8 main::recurs 3'     => '1 60000',
        'main::recurs /app/main.pl:5 main::recurs 3'      => '2 0',
        'main::RUNTIME /app/main.pl:8 main::ping 6'       => '1 10000',
        'main::ping /app/main.pl:6 main::pong 7'          => '2 9000',
        'main::pong /app/main.pl:7 main::ping 6'          => '1 0',
        'main::RUNTIME /app/main.pl:10 List::Util::sum 0' => '1 70000',
        'main::RUNTIME /app/main.pl:10 main::CORE:print 0' => '1 10000',
        'main::RUNTIME /app/main.pl:11 Foo::Bar::new 3'   => '1 500000',
        'Foo::Bar::new /inc/lib/Foo/Bar.pm:4 Foo::Bar::xs 0' => '1 400000',
        'main::RUNTIME /app/main.pl:9 main::__ANON__[(eval 1)[/app/main.pl:9]:1] 1' => '2 3000',
    },
    'each call with its count and inclusive time; those made in evals on the line that runs them';
is $calls->{total}, '874500 27', 'the summary is the sum of all lines, without those of calls';
is join(' ', sums($calls)), '874500 27', 'and it is';
like slurp("$dir/calls"), qr/\A# callgrind format\nversion: 1\ncreator: Devel::NYTProf /, 'it begins as it has to';

for my $name (qw(empty zero hostile)) {
    ($status, $out, $err) = run(@CG, '-f', "$captures/$name.out", '-o', "$dir/$name");
    my $said = $name eq 'empty' ? qr/\A1 nytprof: \S+: an empty report: .*\n\z/ : qr/\A0 \z/;
    like "$status $err", $said, "$name: no trouble, or just that nothing was written";
    ok parse(slurp("$dir/$name")), 'and every line is one of the format';
}
is scalar(keys %{ parse(slurp("$dir/hostile"))->{subs} }), 13, 'no name is lost or becomes two';

# --- what real readers say ---

SKIP: {
    skip 'callgrind_annotate is not installed', 4 if !installed('callgrind_annotate');
    for my $name (qw(calls hostile)) {
        ($status, $out, $err) = run('callgrind_annotate', '--auto=no', '--threshold=100', '--tree=both', "$dir/$name");
        is "$status $err", '0 ', "$name: callgrind_annotate finds no fault";
        my $total = parse(slurp("$dir/$name"))->{total};
        my ($told) = $out =~ /^([\d,]+ \(100\.0%\) [\d,]+) \(100\.0%\)\s+PROGRAM TOTALS/m;
        is $told =~ s/,| \(.*?\)//gr, $total, 'and the same total';
    }
}

# --- a file for each process ---

spew('forks.pl', <<'END');
sub spin { my $sum = 0; $sum += $_ for 1 .. $_[0]; return $sum }
for my $times (100, 200) { if (!fork) { spin($times) for 1 .. 10; exit } }
1 while wait > 0;
END
system(command('ours', { file => "$dir/forks.out", addpid => 1 }, 'forks.pl')) == 0 or die "forks.pl fails\n";
my @forks = glob "$dir/forks.out.*";
($status, $out, $err) = run($NYTPROF, 'callgrind', '--split', '-o', "$dir/cg", @forks);
is "$status $out$err", '0 ', '--split';
is_deeply [ map { s/.*\.//r } glob "$dir/cg.*" ], [ map { s/.*\.//r } @forks ], 'writes a file for each process';
my @children = grep {/main::spin/} map { slurp($_) } glob "$dir/cg.*";
for my $text (@children) {
    my $part = parse($text);
    is_deeply [ grep { $part->{calls}{$_} =~ /^10 / } keys %{ $part->{calls} } ],
        ["main::RUNTIME $dir/forks.pl:2 main::spin 1"], 'with the calls of that one';
    is $part->{total}, join(' ', sums($part)), 'and its total';
}
is scalar @children, 2, 'of two children';
system($NYTPROF, 'merge', '-o', "$dir/forks.all", @forks) == 0 or die "merge fails\n";
is +(run($NYTPROF, 'callgrind', '--split', '-o', "$dir/merged", "$dir/forks.all"))[0], 0, 'a merged capture, too';
is_deeply [ map { slurp($_) } glob "$dir/merged.*" ], [ map { slurp($_) } glob "$dir/cg.*" ], 'gives the same';
($status, $out, $err) = run($NYTPROF, 'callgrind', '--split', '-o', '-', @forks);
is "$status $out$err",
    "2 nytprof: callgrind: --split writes files, expected --out FILE (see `nytprof help callgrind`)\n",
    'but not to standard output';
my @before = map { slurp($_) } @forks;
($status, undef, $err) = run($NYTPROF, 'callgrind', '--split', '-o', "$dir/forks.out", @forks);
ok $status && $err =~ /which is to be read/, 'and not in place of its captures';
is_deeply [ map { slurp($_) } @forks ], \@before, 'which are as before';
for my $cut (100, 300) {
    spew("$dir/cut.out", substr $before[0], 0, $cut);
    my @alone = run($NYTPROF, 'callgrind', '-o', "$dir/none", "$dir/cut.out");
    is_deeply [ run($NYTPROF, 'callgrind', '--split', '-o', "$dir/none", "$dir/cut.out") ], \@alone,
        "a capture of $cut bytes, in which no process is left, is the same error as without --split";
    is $alone[0], 1, 'with exit code 1';
}

# --- messages and exit codes ---

($status, $out, $err) = run(@CG, '--help');
ok $status == 1 && $out =~ /^usage: .*nytprofcg/ && $err eq '', '--help: usage on standard output, exit code 1';
my $usage = $out;
($status, $out) = run(@CG, '--nosuch');
is "$status $out", "1 $usage", 'a wrong option likewise';
($status, $out, $err) = run(@CG, '-f', "$dir/nosuch", '-o', "$dir/none");
ok $status && $err =~ /could not locate file for processing/ && !-e "$dir/none", 'no such file: a message, not 0';
($status, $out, $err) = run(@CG, '-f', "$captures/calls.out", '-o', "$dir/no/where");
ok $status && $err =~ m{\Anytprof: [^\n]*no/where[^\n]*\n\z}, 'nowhere to write to: one line, not 0';
($status, $out) = run($NYTPROF, 'callgrind', '-o', '-', "$captures/calls.out");
is $out, slurp("$dir/calls"), 'nytprof callgrind -o - writes to standard output';
spew("$dir/both", slurp("$captures/calls.out"));
symlink 'both', "$dir/link" or die "symlink: $!\n";
for my $out (qw(both link)) {
    ($status, undef, $err) = run(@CG, '-f', "$dir/both", '-o', "$dir/$out");
    is $status, 2, "a report in place of its capture ($out) is refused";
    like $err, qr{\Anytprof: callgrind: cannot write to \Q$dir/$out\E, which is to be read}, 'with a message';
}
is slurp("$dir/both"), slurp("$captures/calls.out"), 'and the capture is as before';
spew("$dir/before", 'mine');
run('/bin/sh', '-c', 'ulimit -f 0; trap "" XFSZ; exec "$@"', 'sh', $NYTPROF, 'callgrind', '-o', "$dir/before",
    "$captures/calls.out");
is slurp("$dir/before"), 'mine', 'what cannot be written whole replaces nothing';
is_deeply [ grep {/^\.nytprof/} listing($dir) ], [], 'and leaves nothing behind';

# --- against the peer ---

spew('prog.pl', <<'END');
package A;
use List::Util qw(sum);
sub work { my $x = 0; $x += $_ for 1 .. 50; inner($x); return sqrt $x }
sub inner { return $_[0] > 10 ? sum(1, fib(3)) : 0 }
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
package main;
A::work() for 1 .. 3;
eval "A::inner(7); sub dyn { 1 } dyn()";
my $code = sub { A::inner(1) };
$code->() for 1 .. 2;
END
if (has_peer()) {
    my ($ours, $theirs) = map { parse(slurp($_)) } cg('ours', @CG), cg('peer', 'env', '-u', 'PERL5LIB', 'nytprofcg');
    my ($subs, $their_subs) = map { subs($_) } $ours, $theirs;
    delete $subs->{"$dir/prog.pl main::RUNTIME"}; # it has no time there
    delete $subs->{"$dir/prog.pl main::NULL"};
    is_deeply $subs, $their_subs, 'the same subs as the peer\'s, in the same files';
    my ($made, $their_made) = map { counts($_) } $ours, $theirs;
    is_deeply $made, $their_made, 'and the same calls from the same lines, as often';
}
else { diag 'NO PEER: nytprofcg was not compared' }

done_testing;

# The sums of all lines' times and statements.
sub sums {
    my ($parsed) = @_;
    my ($time, $statements) = (0, 0);
    for (map { split /, / } values %{ $parsed->{self} }) {
        my @numbers = split / /;
        $time       += $numbers[1];
        $statements += $numbers[2];
    }
    return ($time, $statements);
}

sub listing { my ($path) = @_; opendir my $in, $path or die "$path: $!\n"; return readdir $in }

sub installed { my ($name) = @_; return scalar grep { -x "$_/$name" } split /:/, $ENV{PATH} }

sub cg {
    my ($who, @tool) = @_;
    system(command($who, { file => "$dir/$who.out" }, 'prog.pl')) == 0 or die "$who fails\n";
    run(@tool, '-f', "$dir/$who.out", '-o', "$dir/$who.cg");
    return "$dir/$who.cg";
}

sub subs { my ($parsed) = @_; return { map { (full($_) => 1) } keys %{ $parsed->{subs} } } }

sub counts {
    my ($parsed) = @_;
    my $calls = $parsed->{calls};
    return { map { (full($_) => $calls->{$_} =~ s/ .*//r) } keys %$calls };
}

# Whether a name says prog.pl or where that is makes no difference.
sub full { my ($text) = @_; return $text =~ s{(?<![/\w])prog\.pl}{$dir/prog.pl}gr }

# { subs => { "FILE SUB" => 1 }, self => { "FILE SUB" => "LINE TIME STATEMENTS, ..." }, calls => { "CALLER FILE:LINE
# CALLEE LINE" => "COUNT TIME" }, total => "TIME STATEMENTS" } by the rules of the format: numbers stand for names once
# given, one line behind calls= is the call's, and has no statements.
sub parse {
    my ($text) = @_;
    my (%name, %subs, %self, %calls, %at, $call, $total);
    for my $line (split /\n/, $text) {
        if ($line =~ /^(fl|fi|fe|cfl|cfi|fn|cfn)=(?:(\(\d+\))(?: (.+))?|(.+))$/) {
            my ($key, $number, $given) = ($1, $2, $3 // $4);
            my $kind = $key =~ /fn$/ ? 'fn' : 'fl';
            $name{$kind}{$number} = $given if $number && defined $given;
            my $is = $number ? $name{$kind}{$number} : $given;
            defined $is or die "no name yet: $line";
            $at{ $key =~ s/^f[ie]$/site/r =~ s/^cfi$/cfl/r } = $is;
            $at{site} = $is if $key eq 'fl';
        }
        elsif ($line =~ /^calls=(\d+) (\d+)$/) { $call = [ $1, $2 ] }
        elsif ($line =~ /^(\d+) (\d+)$/ && $call) {
            my ($count, $time) = split / /, $calls{"$at{fn} $at{site}:$1 $at{cfn} $call->[1]"} // '0 0';
            $calls{"$at{fn} $at{site}:$1 $at{cfn} $call->[1]"} = ($count + $call->[0]) . ' ' . ($time + $2);
            undef $call;
        }
        elsif ($line =~ /^(\d+ \d+(?: \d+)?)$/) {
            $subs{"$at{fl} $at{fn}"} = 1;
            push @{ $self{"$at{site} $at{fn}"} }, $1;
        }
        elsif ($line =~ /^summary: (.+)$/) { $total = $1 }
        else { $line =~ /^(?:|#.*|(?:version|creator|pid|cmd|part|positions|event|events|totals): .+)$/ or die $line }
    }
    $_ = join ', ', @$_ for values %self;
    return { subs => \%subs, self => \%self, calls => \%calls, total => $total };
}
