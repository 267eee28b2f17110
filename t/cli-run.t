# SPDX-License-Identifier: MIT
# nytprof run: which interpreter, what it is given, and that whoever starts the program notices no difference.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Profiled qw($TOP);
use Run qw(capture_of captures_in facts run);
use Tree qw(slurp spew);

my $bin = tempdir(CLEANUP => 1);
symlink $^X, "$bin/perl" or die "symlink: $!\n";
my $PATH = "$bin:$ENV{PATH}";

# A Lua that says what it was given. It stands in for one where that is all there is to know.
spew("$bin/lua5.4", <<'END');
#!/bin/sh
echo "4: $LUA_INIT_5_4"; echo "3: $LUA_INIT_5_3"; echo "path:$LUA_CPATH_5_4"; echo "options: $NYTPROF"
echo "perl:$PERL5OPT"; echo "arguments: $0 $*"
END
spew("$bin/luajit", "#!/bin/sh\n");
spew("$bin/tool",   "#!$^X\nsub in_path { print \"\$0 \@ARGV\\n\" } in_path();\n");
symlink "$bin/luajit", "$bin/lua" or die "symlink: $!\n";
chmod 0755, map {"$bin/$_"} qw(lua5.4 luajit tool) or die;

# The run of `nytprof run ARGUMENTS` in a directory with prog.pl (the text) and whatever else %with says.
sub started {
    my ($text, $arguments, %with) = @_;
    $with{env} = { PATH => $PATH, %{ $with{env} // {} } };
    return run($text, %with, command => [ "$TOP/build/nytprof", 'run', @$arguments ]);
}

sub subs { my ($run, @capture) = @_; return grep { /^main::[a-z_]+\z/ } sort keys %{ facts($run, @capture)->{sub} } }

# --- Perl: input, output, arguments, exit status ----------------------------------------------------------------------

my $PROGRAM = <<'END';
sub seen { print "out: @ARGV, ", scalar(<STDIN>) }
seen();
print STDERR "err\n";
exit 3;
END
my @says = ("out: -x a b, word\n", "err\n", 3, 0);
my @given = (stdin => "word\n");
for my $case (
    [ 'by its extension',     'prog.pl' ],
    [ 'by its #! line',       'tool.x', "#!$^X -w\n" ],
    [ 'by #! and env',        'tool.x', "#!/usr/bin/env perl\n" ],
    [ 'by env -S',            'tool.x', "#!/usr/bin/env -S perl -w\n" ],
    [ 'in taint mode',        'tool.x', "#!$^X -T\n" ],
    [ 'with another ending of lines', 'tool.x', "#!$^X -w\r\n" ],
) {
    my ($how, $name, $line) = @$case;
    my $run = started(($line // '') . $PROGRAM, [ '--', $name, '-x', 'a b' ], @given, name => $name);
    is_deeply [ @{$run}{qw(out err exit signal)} ], \@says, "a Perl program found $how";
    is_deeply [ subs($run) ], ['main::seen'], 'is profiled';
}
my $run = started($PROGRAM, [ 'perl', '-Mstrict', 'prog.pl', '-x', 'a b' ], @given);
is_deeply [ @{$run}{qw(out err exit signal)} ], \@says, 'perl with switches of its own';
is_deeply [ subs($run) ], ['main::seen'], 'is profiled';
$run = started('', [ 'tool', 1 ]);
is $run->{out}, "$bin/tool 1\n", 'a script that only PATH has';
is_deeply [ subs($run) ], ['main::in_path'], 'is profiled';
$run = started('print "here\n"', ['tool'], name => 'tool');
is $run->{out}, "$bin/tool \n", 'what is no script of Perl or Lua does not hide it';
$run = started("#!$^X\nprint 'here'", ['tool'], name => 'tool');
is $run->{out}, 'here', 'but one that is goes before what PATH has';

$run = started('kill TERM => $$; sleep 9', ['prog.pl']);
is $run->{signal}, 15, 'a program that a signal ends has ended by that signal';

$run = started('sub f { 1 } f()', [ "$TOP/build/nytprof", 'run', '-o', 'inner', 'prog.pl' ]);
is_deeply [ $run->{err}, $run->{exit}, subs($run, "$run->{dir}/inner") ], [ '', 0, 'main::f' ], 'run within run';

# --- options ----------------------------------------------------------------------------------------------------------

$run = started('sub f {} f()', [ '-o', 'a:b=c\\d', '--options', 'subs=0', 'prog.pl' ], options => { stmts => 0 });
ok -e "$run->{dir}/a:b=c\\d", '--out: where the profile goes, whatever its name';
my ($dump) = nytprof('dump', "$run->{dir}/a:b=c\\d");
like $dump, qr/^option key="$_" value="0"$/m, "$_=0" for qw(stmts subs);
$run = started('1', [ '--file=x', 'prog.pl' ], options => { file => 'y' });
is -e "$run->{dir}/x" && !-e "$run->{dir}/y", 1, '--file goes before file= of the environment';

my $CHILDREN = 'sub outer { system $^X, "-e", "sub inner {} inner()" } outer()';
$run = started($CHILDREN, ['prog.pl']);
is_deeply [ captures_in($run->{dir}) ], ["nytprof.out"], "of a Perl program that starts another only it is profiled";
for my $case ([ '--children', [ '-c', 'prog.pl' ] ], [ 'any other command', [ 'sh', '-c', 'perl prog.pl; exit 5' ] ]) {
    my ($how, $arguments) = @$case;
    $run = started($CHILDREN, $arguments, env => { PERL5OPT => '-Mstrict', PERL5LIB => '/mine', PERL5DB => '0' });
    is_deeply [ sort map { subs($run, "$run->{dir}/$_") } captures_in($run->{dir}) ], [qw(main::inner main::outer)],
        "with $how all are";
}
is $run->{exit}, 5, 'and its exit status is its own';
$run = started('print "$ENV{PERL5OPT} $ENV{PERL5LIB}"', [ 'sh', '-c', 'perl prog.pl' ],
    env => { PERL5OPT => '-Mstrict', PERL5LIB => '/mine' });
is $run->{out}, "-Mstrict -I$TOP/blib/lib -I$TOP/blib/arch -d:NYTProf /mine", 'what the variables held is still there';
$run = started('$ENV{PERL5LIB} = q(); system $^X, "-e", "print 7"; exit $?', [ '-c', 'prog.pl' ]);
is_deeply [ @$run{qw(out err exit)} ], [ 7, '', 0 ], 'a program may empty PERL5LIB';

# Within a script all commands are one job, of which each process has a profile of its own.
my $TWICE = '"$0" run sh -c "perl prog.pl one; perl prog.pl more"; "$0" run sh -c "perl prog.pl two"; exit 0';
$run = run('sub one { } sub more { } sub two { } no strict; &{$ARGV[0]}()', env => { PATH => $PATH },
    command => [ 'sh', '-c', $TWICE, "$TOP/build/nytprof" ]);
is_deeply [ subs($run) ], ['main::two'], 'the next run replaces the profile';
is scalar captures_in($run->{dir}), 2, 'and keeps those of other processes';

# --- Lua --------------------------------------------------------------------------------------------------------------

my $LOAD = q{require 'nytprof' --[[this program]];};
my $OURS = -e "$TOP/build/lua5.4/nytprof.so" ? "$TOP/build/lua5.4/?.so;;" : ''; # where Lua's headers are
for my $case ([ 'by its extension', 'prog.lua', '' ], [ 'by its #! line', 'prog', "#!/usr/bin/env lua5.4\n" ]) {
    my ($how, $name, $text) = @$case;
    $run = started($text, [ '-o', 'l.out', $name, 'a' ], name => $name);
    is $run->{out}, <<"END", "a Lua program found $how";
4: $LOAD
3: $LOAD
path:$OURS
options: file=$run->{dir}/l.out
perl:
arguments: $bin/lua5.4 $name a
END
}
$run = started('', [ 'lua5.4', '-i' ], env => { LUA_INIT => 'x = 1' });
like $run->{out}, qr{^4: \Q$LOAD\E x = 1\n.*^arguments: \S+ -i\n}ms,
    'what the program was told besides is done as well';
$run = started('', ['lua5.4'], env => { LUA_INIT_5_4 => '@my file', LUA_INIT => 'x = 1' });
like $run->{out}, qr{^4: \Q$LOAD\E dofile \[==\[my file\]==\]\n}m, 'also if that is a file';
$run = started('', [ 'sh', '-c', 'lua5.4' ]);
like $run->{out}, qr{^4: do local ok, e = pcall\(require, 'nytprof'\);.* end end;\n.*^perl:.*-d:NYTProf$}ms,
    'and of a command that may start a Lua without our module that Lua still runs';

# --- a report afterwards ----------------------------------------------------------------------------------------------

$run = started($CHILDREN . '; print "mine\n"; exit 4', [ '--html=pages', '-c', '-o', 'p', 'prog.pl' ]);
is_deeply [ @{$run}{qw(out exit)} ], [ "mine\n", 4 ], '--html leaves output and exit status alone';
like $run->{err}, qr{^The report is in pages/index\.html$}m, 'says where the report is';
like slurp("$run->{dir}/pages/index.html"), qr/main::$_/, "has $_ in it" for qw(outer inner);
spew("$run->{dir}/p.old", 'not ours');
utime 0, 0, "$run->{dir}/p.old";
$run = started('kill INT => $$; sleep 9', [ '--html', '-o', 'p', 'prog.pl' ], dir => $run->{dir});
is $run->{signal}, 2, 'a program that a signal ended has ended by it here, too';
ok -e "$run->{dir}/nytprof/index.html", 'and has a report, in spite of a file of like name';
my $HANDLER = '$SIG{$_} = sub { print "got $_[0]\n"; exit 6 } for qw(HUP INT QUIT TERM); kill $ARGV[0] => getppid;'
    . ' sleep 1 for 1 .. 60;';
for my $signal (qw(HUP INT QUIT TERM)) {
    $run = started($HANDLER, [ '--html', 'prog.pl', $signal ]);
    is_deeply [ @{$run}{qw(out exit)} ], [ "got $signal\n", 6 ], "SIG$signal reaches the program";
}

for my $signal (qw(ALRM USR1 WINCH)) {
    my $text = "\$SIG{$signal} = sub { exit 7 }; kill $signal => getppid; sleep 1 for 1 .. 60";
    $run = started($text, [ '--html', 'prog.pl' ]);
    is $run->{exit}, 7, "so does SIG$signal";
}
my $WAITS = <<'END';
mkfifo paths; "$0" run --folded=paths prog.pl & nytprof=$!
until [ -s ended ]; do sleep 0.1; done
for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.5; kill -TERM $nytprof 2>/dev/null; done; kill -KILL $nytprof 2>/dev/null
wait $nytprof; echo $?
END
$run = run('sub f { 1 } f(); END { open my $o, ">", "ended"; print {$o} 1 }',
    command => [ 'sh', '-c', $WAITS, "$TOP/build/nytprof" ]);
is $run->{out}, "143\n", 'when it has ended, a signal ends a report that is being written';

# Every report is an option.
my %PROGRAM = (pl => 'sub f { 1 } f(); print "mine\n"', lua => "local function f() return 1 end\nf()\nprint('mine')\n",
    rb => "def f() 1 end\nf\nputs 'mine'\n");
my @reports = ('--dot', '--folded=paths', '--callgrind', '--csv=rows');
delete $PROGRAM{lua} if !-e "$TOP/build/lua5.4/nytprof.so";
delete $PROGRAM{rb}  if !-e "$TOP/build/ruby/nytprof.so";
for my $suffix (sort keys %PROGRAM) {
    $run = run($PROGRAM{$suffix}, name => "prog.$suffix",
        command => [ "$TOP/build/nytprof", 'run', @reports, "prog.$suffix" ]);
    is "$run->{out}$run->{exit}", "mine\n0", "several reports of a program in .$suffix leave its output alone";
    like slurp("$run->{dir}/$$_[0]"), $$_[1], "$$_[0] is there" for [ paths => qr/;\S*f \d+$/m ],
        [ 'nytprof.dot' => qr/^digraph/m ], [ 'nytprof.callgrind' => qr/^events:/m ];
    isnt join('', glob "$run->{dir}/rows/*.csv"), '', 'so is a directory';
}
$run = started('print "mine\n"; sub f { 1 } f()', [ '--folded=-', 'prog.pl' ]);
like $run->{out}, qr/\Amine\n.*main::f \d+$/ms, 'a report goes to standard output if the option says so';
$run = started('print "mine\n"; sub f { 1 } f()', [ '--annotate', '--hot=hot', 'prog.pl' ]);
is $run->{out}, "mine\n", 'a text for people does not';
like $run->{err}, qr/^ +\d.* print "mine/m, 'but to standard error';
isnt slurp("$run->{dir}/hot"), '', 'or to a file';
$run = started('sub f { 1 } f()', [ '--trace=paths', 'prog.pl' ]);
like slurp("$run->{dir}/paths"), qr/main::f/, 'a report on calls in their order gets them';
is [ grep { $_->{key} eq 'calls' } of('option', @{ facts($run)->{records} }) ]->[0]{value}, 2, 'by calls=2';
$run = started('sub f { 1 } f()', [ '--trace=paths', '--options', 'calls=1', 'prog.pl' ]);
is $run->{exit}, 1, 'unless the options say otherwise';
$run = started('exit 9', [ '--folded=no/such/directory', '--dot', 'prog.pl' ]);
is $run->{exit}, 9, 'of a program that fails, and a report, the exit status is the program\'s';
$run = started('1', [ '--folded=no/such/directory', '--dot', 'prog.pl' ]);
is $run->{exit}, 1, 'else that of the report';
ok -s "$run->{dir}/nytprof.dot", 'and the other report is made all the same';

# The programs of a command may change their directory.
my $MAKES = <<'END';
mkdir "sub";
sub top { 1 } top();
chdir "sub" and system "perl", "-e", "sub below { 1 } below(); fork or exit; wait";
END
for my $case ([ '--out', '-o', 'x.out' ], ['the default name'], [ '--options', '--options', 'subs=1:file=y\\:.out' ]) {
    my ($how, @words) = @$case;
    $run = started($MAKES, [ '--html', @words, 'sh', '-c', 'perl prog.pl' ]);
    my $index = slurp("$run->{dir}/nytprof/index.html");
    is_deeply [ grep { $index !~ /main::$_/ } qw(top below) ], [], "--html has what ran in another directory ($how)";
}
$run = started($MAKES, [ 'sh', '-c', 'perl prog.pl' ], options => { file => 'z.out' });
ok -e "$run->{dir}/z.out" && -e "$run->{dir}/sub/z.out", 'a relative file= of the environment is each process\'s own';

# --- what cannot be done ----------------------------------------------------------------------------------------------

my @refused = (
    [ [],                     'run: expected PROGRAM... (see `nytprof help run`)',                 2 ],
    [ [ '--loud', 'x' ],      'run: unknown option --loud (see `nytprof help run`)',              2 ],
    [ [ '-o' ],               'run: option -o needs a value (see `nytprof help run`)',            2 ],
    [ [ '--flat=x', '--json=./x', 'true' ],
        'run: --flat and --json: expected two files, got x for both (see `nytprof help run`)',
        2 ],
    [ [ qw(--csv=- true) ], 'run: --csv: standard output is no directory to write a report to (see `nytprof help run`)',
        2 ],
    [ [ qw(-o x --csv=x true) ], 'run: --csv: x is the file of the profile (see `nytprof help run`)', 2 ],
    [ [ '-o', '/no/x', 'prog.pl' ], 'run: cannot write /no/x: No such file or directory', 1 ],
    [ [ '-o', '.', 'prog.pl' ],         'run: cannot write .: Is a directory',              1 ],
    [ [ '-o', '/dev/full', 'prog.pl' ], 'run: cannot write /dev/full: No space left on device', 1 ],
    [ [ '-o', '-', 'prog.pl' ], "run: the profile needs a file: standard output is the program's", 1 ],
    [ [ 'nosuch' ],           'run: nosuch: no such program, neither here nor in PATH',           1 ],
    [ [ './nosuch' ],         'run: ./nosuch: no such program file',                              1 ],
    [ [ './prog.pl/' ],       'run: ./prog.pl/: no such program file',                            1 ],
    [ [ 'luajit', 'x' ],      'run: luajit cannot be profiled, expected lua5.4 or lua5.3',        1 ],
    [ [ 'lua', 'x' ],         'run: luajit cannot be profiled, expected lua5.4 or lua5.3',        1 ],
    [ [ './data' ],           'run: cannot run ./data: Permission denied',                        1 ],
    [ [ '--html', './data' ], 'run: cannot run ./data: Permission denied',                        1 ],
    [ [ '--html', 'true' ],   'run: no report: no profile nytprof.out was written',               1 ],
);
for my $row (@refused) {
    my ($arguments, $message, $code) = @$row;
    $run = started('1', $arguments, files => { data => 'data' });
    is_deeply [ @{$run}{qw(out err exit)} ], [ '', "nytprof: $message\n", $code ], $message;
}

done_testing;
