# SPDX-License-Identifier: MIT
# nytprof hot: messages FILE:LINE: TEXT, which editors jump to.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk nytprof record text);
use Pages qw(fixtures);
use Profiled qw(used $TOP);
use Tree qw(slurp spew);

my $dir   = fixtures();
my $calls = "$dir/calls.out";

# What Emacs finds in messages of GNU programs: compilation-error-regexp-alist-alist, gnu, without programs and columns.
my $EMACS = qr/^(?:[A-Za-z][-A-Za-z0-9.]+:[ ]?)?((?:[0-9]*[^0-9\n])(?:[^\n :]|[ ][^-\/\n]|:[^ \n])*?)
    (?::[ ]?)([0-9]+)(?::|\z)/x;

sub hot {
    my (@options) = @_;
    my ($out, $err, $exit) = nytprof('hot', @options, $calls);
    is "$exit $err", '0 ', "hot @options";
    return split /\n/, $out;
}

sub places {
    my (@lines) = @_;
    return map { s/: .*//r } @lines;
}

my @rows = hot();
is_deeply [ (places(@rows))[ 0 .. 4 ] ],
    [ '/inc/lib/Foo/Bar.pm:4', map {"/app/main.pl:$_"} 8, 10, 1, 9 ], 'the most time first';
is_deeply [ map { /$EMACS/ ? "$1:$2" : $_ } @rows ], [ places(@rows) ], 'Emacs finds each';
is_deeply [ map { /^(.+?):(\d+): / ? "$1:$2" : $_ } @rows ], [ places(@rows) ], 'and so do simple patterns';
like $rows[0], qr{^/inc/lib/Foo/Bar\.pm:4: 57\.2 % 500 \S+, 1 time in Foo::Bar::new$}, 'with its figures';
like $rows[4], qr{main\.pl:9: 5\.09 % 44\.5 \S+, 9 times }, 'lines of evals count where these were run';
is_deeply [ grep {/eval/} @rows ], [], 'without a word';

is_deeply [ map {/, ([(]eval \d+[)]\[\S+ line .*)/} hot('--evals') ],
    [ '(eval 1)[/app/main.pl:9] line 1', '(eval 3)[/app/main.pl:9] line 1' ],
    'or have rows of their own, which say so';
is scalar(hot('-n', 3)), 3, '-n sets the number of rows';
is scalar(hot('--min-percent', 10)), 3, '--min-percent leaves cold ones out';
is_deeply [ places(hot('--filter', 'p[io]ng')) ], [qw(/app/main.pl:7 /app/main.pl:6)], '--filter chooses subs';
is_deeply [ places(hot('--package', 'Foo')) ], ['/inc/lib/Foo/Bar.pm:4'], '--package, too';
is_deeply [ places(hot('--source', 'Foo/Bar.pm')) ], ['/inc/lib/Foo/Bar.pm:4'], 'and --source';
like +(hot('--sort', 'count'))[0], qr/main\.pl:9: .*, 9 times in /, '--sort=count';

my @subs = hot('--by', 'sub');
my $xs = qr{1 call, 400 \S+ with callees: Foo::Bar::xs, 400 \S+ of it for calls from here};
like $subs[0], qr{^/inc/lib/Foo/Bar\.pm:4: \S+ % 400 \S+, $xs$}, 'a sub in C is at its call';
like $subs[1], qr{^/inc/lib/Foo/Bar\.pm:3: .* 100 \S+, 1 call, 500 \S+ with callees: Foo::Bar::new$}, 'others are here';

for my $by (qw(line block sub)) {
    my ($out) = nytprof('hot', "--by=$by", '-n', 1000, "$dir/hostile.out");
    is_deeply [ grep { !/^[^\n]+?:\d+: .* % / } split /\n/, $out ], [], "by $by hostile names break no line";
    unlike $out, qr/\e|\t/, 'nor the terminal';
}
is +(nytprof('hot', "$dir/zero.out"))[2], 0, 'no time is no error';

my @blocks = hot('--by', 'block');
like $blocks[0], qr{^/inc/lib/Foo/Bar\.pm:4: .* 1 statement in Foo::Bar::new$},
    'of a block its statements are counted, which is not how often it ran';

# --- code outside subs ---

my $lua = "$FindBin::Bin/data/capture-lua.out";
like +(nytprof('hot', $lua))[0], qr{old\.lua:10: .* in <old\.lua>$}m, 'a line of the main chunk of a Lua file';
like +(nytprof('annotate', '--filter', '^<old\.lua>$', $lua))[0], qr/^ *10 .* 10$/m, 'which annotate can choose by it';

my $module = tempdir(CLEANUP => 1);
spew("$module/Made.pm", "package Made;\nsub made { 1 }\nmade();\n1;\n");
spew("$module/use.pl", "use Made;\nprint '';\n-e '/' for 1 .. 5;\n-e '/' for 1 .. 3;\n");
{
    local $ENV{NYTPROF} = 'clock=fake';
    is +(nytprof('run', '-o', "$module/use.out", $^X, "-I$module", "$module/use.pl"))[2], 0, 'a module';
}
my ($of_module) = nytprof('hot', '-n', 99, "$module/use.out");
like $of_module, qr{/Made\.pm:3: .* in main::BEGIN\@1$}m, 'its code outside subs is run by the sub that uses it';
like $of_module, qr{/use\.pl:2: .* in main::RUNTIME$}m, 'that of the program by itself';

my ($of_tests) = (nytprof('hot', '--by', 'sub', "$module/use.out"))[0] =~ /^(.*CORE:ftis,.*)$/m;
like $of_tests // '', qr{/use\.pl:3: .* 8 calls, 4\.00 \S+ with .*, 2\.50 \S+ of it for calls from here$},
    'a sub in C is where most of its time is called for, which may be a part';

# A front end that does not know where a sub ends, as that of Ruby: "m" is in lines 1 to 6, a block in lines 3 and 4.
my $open_ends = tempdir(CLEANUP => 1) . '/open.out';
my @open_subs = map { record(10, (map { Capture::u($_) } $_->[0], 0, 1, ($_->[1]) x 2, 1), Capture::s($_->[2]),
    Capture::s('')) } [ 1, 1, 'm' ], [ 2, 3, 'block in m' ];
my @open_lines = ([ 2, 1 ], [ 3, 1 ], [ 4, 3 ], [ 6, 1 ], [ 8, 8 ]);
spew($open_ends, text() . chunk(join('', record(7, (map { Capture::u($_) } 1, 0, 0, 0, 0, 0), Capture::s('/x.rb')),
    @open_subs, map { my ($line, $sub) = @$_; (record(11, map { Capture::u($_) } $line, 1, $line, $sub, $sub),
    record(13, Capture::u($line), Capture::i(1), Capture::i(1000 - $line))) } @open_lines), front_end => 3));
is_deeply [ (nytprof('hot', $open_ends))[0] =~ /^\S+:(\d+: ).* time (in .*)$/mg ],
    [ '2: ', 'in m', '3: ', 'in block in m', '4: ', 'in block in m', '6: ', 'in m', '8: ', 'in main::RUNTIME' ],
    'a sub goes on up to the last of its lines that ran';
is_deeply [ (nytprof('annotate', '--filter=^m$', $open_ends))[0] =~ / (\d+)$/mg ], [ 2, 3, 4, 6 ],
    'with the blocks in it';

# --- names of files that look like messages ---

# A capture with a line of that file.
sub of_file {
    my ($name, $cwd) = @_;
    my @place = map { Capture::u($_) } 1, 1, 17, 17, 17;
    return text() . chunk(join '', ($cwd ? record(5, Capture::s('cwd'), Capture::s($cwd)) : ()),
        record(7, (map { Capture::u($_) } 1, 0, 0, 0, 0, 0), Capture::s($name)), record(11, @place),
        record(13, Capture::u(1), Capture::i(1), Capture::i(100)));
}

sub place_of { my (@capture) = @_; return (nytprof('hot', \of_file(@capture)))[0] =~ s/: 100\.0 % .*//sr }

is place_of('/a b/x: y.pl'),      '/a b/x: y.pl:17', 'blanks and colons are harmless';
is place_of("/caf\xE9.pl"),       "/caf\xE9.pl:17",  'bytes that are not UTF-8 are kept: this is the file to open';
is place_of('/a:1b/x.pl'),        '/a:1b/x.pl:17',   'a colon and digits as well';
is place_of('/a:12:b/x.pl', '/a:12:b'), 'x.pl:17',   'a name with :12: is relative to the folder of the run';
is place_of('/run/a:12', '/elsewhere'), "(left out: 1 in files with :NUMBER or a newline in the name)\n",
    'so would editors take the end of a name';
my ($left_out) = nytprof('hot', \of_file('/a:12:b/x.pl', '/elsewhere'));
is $left_out, "(left out: 1 in files with :NUMBER or a newline in the name)\n", 'or it is left out, and counted';
is +(nytprof('hot', \of_file("/a\nb.pl")))[0], $left_out, 'as one with a newline is';

my ($out, $err, $exit) = nytprof('hot', '--by', 'page', $calls);
is "$exit $out$err", "2 nytprof: hot: --by: expected one of line block sub, got 'page' (see `nytprof help hot`)\n",
    'another word is an error of usage';

# --- calls at one line by several subs, and processes ---

my $two = tempdir(CLEANUP => 1);
spew("$two/two.pl", <<'END');
use List::Util;
sub one { List::Util::sum(1 .. 9) } sub two { List::Util::sum(1 .. 99) }
one() for 1 .. 3; two() for 1 .. 4;
eval 'List::Util::max(1, 2)'; if (my $pid = fork) { waitpid $pid, 0 } else { List::Util::min(1) }
END
{
    local $ENV{NYTPROF} = 'clock=fake';
    is +(nytprof('run', '-o', "$two/two.out", $^X, "$two/two.pl"))[2], 0, 'a program with two processes';
}
my @two = glob "$two/two.out*";
like +(nytprof('hot', '--by=sub', @two))[0],
    qr/^\Q$two\E\/two\.pl:2: .* 7 calls, (\S+ \S+) with callees: List::Util::sum, \1 of it for calls from here$/m,
    'their times are added up';
is +(nytprof('hot', '-p', '--by=sub', '-o', "$two/hot", @two))[2], 0, '-p';
my ($first, $second) = map { slurp($_) } sort { -s $b <=> -s $a } glob "$two/hot.*";
ok $first =~ /List::Util::sum/ && $first !~ /List::Util::min/, 'has a file for each process';
ok $second =~ /List::Util::min/ && $second !~ /List::Util::sum/, 'and in it what this one did';

# --- a long file with many subs: the sub of a line is not looked for among all of them ---

my $LINES = 60_000;
my $long  = tempdir(CLEANUP => 1) . '/long.out';
my @subs_of_lines = map {
    record(10, (map { Capture::u($_) } $_, 0, 1, 3 * $_ - 2, 3 * $_, 1), Capture::s("main::f$_"), Capture::s(''))
} 1 .. $LINES / 3;
spew($long, text() . chunk(join '', record(7, (map { Capture::u($_) } 1, 0, 0, 0, 0, 0), Capture::s('/x.pl')),
    @subs_of_lines, (map { record(11, map { Capture::u($_) } $_, 1, $_, $_, $_) } 1 .. $LINES),
    map { record(13, Capture::u($_), Capture::i(1), Capture::i(1000)) } 1 .. $LINES));
my ($least) = used('', "$TOP/build/nytprof", 'annotate', $long);
for my $arguments ('hot', 'annotate --filter=^main::f20000$') {
    my ($ms) = used('', "$TOP/build/nytprof", split(/ /, $arguments), $long);
    cmp_ok $ms, '<', 10 * $least, "$arguments takes no time for the number of subs";
}
is_deeply [ places((nytprof('hot', '--filter=^main::f20000$', $long))[0] =~ /^.*$/mg) ],
    [ map {"/x.pl:$_"} $LINES - 2 .. $LINES ], 'and finds the right one';

done_testing;
