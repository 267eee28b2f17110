# SPDX-License-Identifier: MIT
# A third interpreter, which has nothing of ours but what `make install` puts there: a library, headers and
# nytprof-frontend.pc.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(imbalances records);
use Facts qw(from_capture);
use Profiled qw($TOP);
use Run qw(run);
use Tree qw(slurp);

my $root = tempdir(CLEANUP => 1);
installed();
my $toy = built();
my %is  = (command => [ $toy, 'prog.toy' ], name => 'prog.toy');
my $text = slurp("$TOP/t/toy/prog.toy");

my $bare = run($text, %is);
is $bare->{out}, join('', map {"$_\n"} 1, 1, 1, 25, 16, 9, 4, 1, (7) x 4, 0, 1), 'the toy runs a program';
ok !-e "$bare->{dir}/nytprof.out", 'and is not profiled unless it is asked for';

my $run = run($text, %is, options => {});
is "$run->{out}$run->{err}$run->{exit}", "$bare->{out}0", 'which does the same when it is profiled';
my $path  = "$run->{dir}/nytprof.out";
my $facts = from_capture($path);
is_deeply [ imbalances(records($path)) ], [], 'every window adds up';
is_deeply by_line($facts), expected_lines(), 'statements: a count for each line';
is_deeply { map { ($_ => $facts->{sub}{$_}{calls}) } keys %{ $facts->{sub} } },
    { calls => 2, fails => 3, square => 5, inner => 4, worker => 2 }, 'calls: a count for each sub';
is_deeply { map { (s/^.*prog[.]toy://r => $facts->{edge}{$_}) } keys %{ $facts->{edge} } }, {
    '6 calls > fails' => 2,
    (map { ("$_ main::RUNTIME > calls" => 1) } 22, 24), '23 main::RUNTIME > fails' => 1,
    '27 main::RUNTIME > square'        => 5,
    (map { ("$_ main::RUNTIME > worker" => 1) } 34, 35), (map { ("$_ worker > inner" => 2) } 17, 19),
    },
    'callers: exceptions and coroutines leave the calls around them as they are';

my ($child) = glob "$run->{dir}/nytprof.out.*";
is_deeply by_line(from_capture($child)), { 43 => 1 }, 'a forked child has a profile of its own';

my $csv = run(undef, dir => $run->{dir}, command => [ "$root/bin/nytprof", 'csv' ]);
is $csv->{exit}, 0, 'the reports of the command: csv' or diag $csv->{err};
my $html = run(undef, dir => $run->{dir}, command => [ "$root/bin/nytprof", 'html' ]);
is $html->{exit}, 0, 'and html' or diag $html->{err};
like slurp("$run->{dir}/nytprof/index.html"), qr/square/, 'which name the subs';
my ($page) = glob "$run->{dir}/nytprof/prog-toy*.html";
like slurp($page), qr/try.*calls/, 'and have the source';
like slurp($page), qr/Function/, 'in words of no other language';
like slurp($page), qr{<td class=c>% a loop}, 'comments are what the front end says';
my $folded = run(undef, dir => $run->{dir}, command => [ "$root/bin/nytprof", 'folded', '-o', '-' ]);
like $folded->{out}, qr/^[(]program[)];calls;fails \d+$/m, 'the main program has the name that the front end gives it';

# The toy's own counters, words and the deepest stack, which nothing but its glue knows.
my ($words, $stack) = metrics('nytprof.out');
is_deeply $words, expected_words($facts), 'metrics: a value for each line, of a counter that adds up';
is "@$stack{10, 27, 29, 6}", '3 2 2 0', 'and the largest one';
my $callgrind = told('callgrind', '-o', '-');
my %number_of = reverse $callgrind =~ /^c?fn=(\(\d+\)) (\w+)$/mg;
my %words_of  = $callgrind =~ /^fn=(\(\d+\)).*\n\d+ \d+ (\d+)/mg;
is_deeply { map { ($_ => $words_of{ $number_of{$_} }) } qw(square inner worker) },
    { square => 10, inner => 12, worker => 6 }, 'of calls';
like told('info'), qr/^metrics +words: \d+ [(]Words executed[)]\n +stack: 3 [(]Deepest stack[)]$/m, 'info names them';
my $dump = told('dump');
like $dump, qr/^metric id=2 of=7 adds=1 name="stack" unit="" title="Deepest stack"$/m, 'dump has their definition';
like $dump, qr/^values metric=2 of=4 id=0 value=3$/m, 'and values, here of the process';
like slurp($page), qr{<td class=m><span>10</span><td class=m><span>3</span><td>  dup \*}, 'so do pages of source';
like slurp("$run->{dir}/nytprof/index.html"), qr{<li><b>3</b> Deepest stack$}m, 'and the index';

told('merge', '-o', 'both', 'nytprof.out', glob "$run->{dir}/nytprof.out.*");
my ($of_both) = metrics('both');
is_deeply [ $of_both->{43}, $of_both->{42} ], [ 4, 3 ], 'a merge adds the child';
my $ordered = run($text, %is, options => { calls => 2 });
is_deeply [ metrics('nytprof.out', $ordered->{dir}) ], [ $words, $stack ],
    'calls=2, which writes in order, has the same';
my $foreign = run($text, %is, options => { format => 5 });
is "$foreign->{err}$foreign->{exit}", '0', 'format 5 has no room for them, and says nothing';

# --- on and off, and ends of all kinds --------------------------------------------------------------------------------

my $part = run("1 drop\n0 profile\n2 drop\n1 profile\n3 drop\n", %is, options => {});
is_deeply by_line(from_capture("$part->{dir}/nytprof.out")), { 1 => 1, 2 => 1, 5 => 1 },
    'a program that switches off: what it does then is not counted';
is_deeply [ imbalances(records("$part->{dir}/nytprof.out")) ], [], 'and is time that is told apart';
my $later = run("1 drop\n1 profile\n2 drop\n", %is, options => { start => 'no' });
is_deeply by_line(from_capture("$later->{dir}/nytprof.out")), { 3 => 1 }, 'start=no: as soon as it switches on';
my $fails = run("1 drop\nthrow\n", %is, options => {});
is "$fails->{exit} " . is_whole($fails), '1 yes', 'a program that fails calls exit: the profile is complete';
my $signalled = run("1 drop\n15 raise\n2 drop\n3 drop\n", %is, options => { sigexit => 'term' });
is "$signalled->{signal} " . is_whole($signalled), '15 yes', 'and with sigexit where a signal ends it';
is_deeply by_line(from_capture("$signalled->{dir}/nytprof.out")), { 1 => 1, 2 => 1 }, 'at the next event';
my $cut = run("1 drop\n15 raise\n2 drop\n", %is, options => {});
is "$cut->{signal} " . is_whole($cut), '15 no', 'without the option it is cut';

my $off = run($text, %is, options => { forkdepth => 0, compres => 1 });
is_deeply [ glob "$off->{dir}/nytprof.out*" ], ["$off->{dir}/nytprof.out"], 'forkdepth=0: no profile of a child';
is $off->{err}, "Unknown NYTProf option: 'compres'\n", 'NYTPROF is read as everywhere';

done_testing;

sub installed {
    my $where = join ' ', map {"$_=$root/lib"} qw(INSTALLSITELIB INSTALLSITEARCH);
    my $log = qx{cd "$TOP" && env -u MAKEFLAGS make -s pure_install $where INSTALLSITEBIN=$root/bin \\
        INSTALLSITESCRIPT=$root/bin INSTALLSITEMAN1DIR=$root/man INSTALLSITEMAN3DIR=$root/man SITEPREFIX=$root 2>&1};
    is $?, 0, 'make install' or diag $log;
    return;
}

# With the flags that nytprof-frontend.pc has, and those that the library was built with, such as sanitizers.
sub built {
    my %flags = slurp("$root/lib/pkgconfig/nytprof-frontend.pc") =~ /^(\w+): (.*)$/mg;
    my ($cc)       = slurp("$TOP/Makefile") =~ /^CC = (.*)$/m;
    my ($optimize) = slurp("$TOP/Makefile") =~ /^OPTIMIZE = (.*)$/m;
    my $log = qx{$cc $optimize -Wall -Wextra -Werror $flags{Cflags} -o $root/toy $TOP/t/toy/*.c $flags{Libs} 2>&1};
    is "$?$log", 0, 'the toy builds with what is there';
    return "$root/toy";
}

sub by_line {
    my ($facts) = @_;
    return { map { (s/^.*://r => $facts->{line}{$_}) } keys %{ $facts->{line} } };
}

sub told {
    my (@command) = @_;
    my $told = run(undef, dir => $run->{dir}, command => [ "$root/bin/nytprof", @command ]);
    is "$told->{err}$told->{exit}", '0', "nytprof $command[0]";
    return $told->{out};
}

# What `nytprof info` says.
sub is_whole {
    my ($of) = @_;
    return run(undef, dir => $of->{dir}, command => [ "$root/bin/nytprof", 'info' ])->{out} =~ /^whole +(\w+)$/m && $1;
}

# By line, as csv has them: words and stack.
sub metrics {
    my ($file, $dir) = @_;
    $dir //= $run->{dir};
    run(undef, dir => $dir, command => [ "$root/bin/nytprof", 'csv', '-d', '-o', "rows.$file", $file ]);
    my ($line, @values) = (0, {}, {});
    for my $row (grep { !/^#/ } split /\n/, slurp(glob "$dir/rows.$file/prog-toy*-line.csv")) {
        my ($count, @numbers) = (split /,/, $row)[ 1, 3, 4 ];
        $line++;
        if ($count) { $values[$_]{$line} = $numbers[$_] for 0, 1 }
    }
    return @values;
}

# As often as a line runs, so many words: a name goes with the word that takes it.
sub expected_words {
    my ($facts) = @_;
    my @lines = split /\n/, $text;
    my $count = by_line($facts);
    return { map { ($_ => $count->{$_} * (() = $lines[ $_ - 1 ] =~ /(?:again|try|spawn) \S+|\S+/g)) } keys %$count };
}

sub expected_lines {
    return {
        2 => 3, 6 => 2, 10 => 5, 13 => 4, 14 => 4, 17 => 2, 18 => 2, 19 => 2,
        (map { ($_ => 1) } 22 .. 24, 26, 30, 32 .. 43),
        (map { ($_ => 5) } 27 .. 29),
    };
}
