# SPDX-License-Identifier: MIT
# nytprof run: which interpreter, what it is given, and that whoever starts the program notices no difference.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
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
is $run->{out}, "-Mstrict -d:NYTProf $TOP/blib/lib:$TOP/blib/arch:/mine", 'what the variables held is still there';

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
like $run->{out}, qr{^4: do local ok, e = pcall\(require, 'nytprof'\);.* end end;\n.*^perl:-d:NYTProf$}ms,
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
    [ [],                     'run: expected PROGRAM... (see `nytprof help`)',                     2 ],
    [ [ '--loud', 'x' ],      'run: unknown option --loud (see `nytprof help`)',                  2 ],
    [ [ '-o' ],               'run: option -o needs a value (see `nytprof help`)',                2 ],
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
