# SPDX-License-Identifier: MIT
# Options, and the file a profile goes to: what is accepted, what is refused, and that no other file is overwritten.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of records);
use Run qw(captures_in facts run under_profiler);
use Tree qw(slurp spew);

my $HELLO = "sub f { 1 }\nf() for 1 .. 3;\nprint \"hello\\n\";\n";

# hello(ENVIRONMENT, ...) runs it with that in NYTPROF.
sub hello {
    my ($nytprof, %with) = @_;
    return run($HELLO, %with, env => { NYTPROF => $nytprof });
}

# --- syntax -----------------------------------------------------------------------------------------------------------

ok -e hello('file=a\:b\=c\\\\d')->{dir} . '/a:b=c\\d', 'a backslash before what is meant';
ok -e hello('::file=x.out::blocks=1:')->{dir} . '/x.out', 'empty pieces are nothing';
my @options = of('option', @{ facts(hello('slowops=010:blocks=0x2:trace=x'))->{records} });
my %value   = map { ($_->{key} => $_->{value}) } @options;
is_deeply [ @value{qw(slowops blocks trace)} ], [ 8, 2, 0 ],
    'numbers are decimal, octal and hexadecimal; the rest is 0';
is join(' ', map { $_->{key} } @options), 'usecputime subs blocks leave expand trace use_db_sub compress clock stmts'
    . ' slowops findcaller forkdepth perldb nameevals nameanonsubs calls evals',
    'a capture has the options of Devel::NYTProf, in the order of its files';

# --- on perl's command line -------------------------------------------------------------------------------------------

# switched(TEXT, ...) runs it with -d:NYTProf=TEXT.
sub switched {
    my ($text, %with) = @_;
    my @switches = under_profiler();
    return run($HELLO, %with, switches => [ @switches[ 0 .. $#switches - 1 ], "$switches[-1]=$text" ]);
}

for my $text ('file=x:trace=0:sigexit=int,hup:blocks=1', 'file=x,trace=0,sigexit=int,hup,blocks=1') {
    my $run = switched($text, options => { file => 'y', slowops => 1 });
    is_deeply [ @{$run}{qw(out err exit)} ], [ "hello\n", '', 0 ], "-d:NYTProf=$text";
    my %set = map { ($_->{key} => $_->{value}) } of('option', @{ facts($run, "$run->{dir}/x")->{records} });
    is_deeply [ @set{qw(blocks slowops)} ], [ 1, 1 ], 'sets options, after those of NYTPROF';
}
ok -e switched('file=a,b\=c')->{dir} . '/a,b=c', 'other commas are part of a value';
is switched('nonsense')->{exit}, 2, 'nonsense is refused';

for my $run (switched('help'), hello('help')) {
    is "$run->{err}$run->{exit}", '0', 'help is no error';
    unlike $run->{out}, qr/^hello$/m, 'the program does not run';
    my %told = $run->{out} =~ /^  (\w+)=(\S*) +\S/mg;
    is_deeply [ @told{qw(file slowops overhead)} ], [qw(nytprof.out 2 corrected)], 'options have their defaults';
    like $run->{out}, qr/^  monotonic +1 \w/m, 'clocks their numbers';
    is_deeply [ grep { length > 100 } split /\n/, $run->{out} ], [], 'and lines an end';
    is_deeply [ captures_in($run->{dir}) ], [], 'and there is no profile';
}

# --- bad input --------------------------------------------------------------------------------------------------------

for my $bad (qw(foo a=b=c foo= =foo file)) {
    my $run = hello($bad);
    is_deeply [ @{$run}{qw(out exit)} ], [ '', 2 ], "NYTPROF=$bad: the program does not run, exit code 2";
    like $run->{err}, qr/NYTProf set_option: invalid option/, 'and we are told why';
}
for my $bad ('start=never', 'clock=nonsense', 'compress=12', 'overhead=some') {
    my $run = hello($bad);
    isnt $run->{exit}, 0, "$bad is refused";
    is $run->{out}, '', 'before the program runs';
    like $run->{err}, qr/NYTProf.*\Q@{[ $bad =~ m{=(.*)} ]}\E/s, 'with a message that has the value';
}
like hello('compress=12')->{err}, qr/deflateInit2 failed/, 'for compress it says what zlib would say';

my $unknown = hello('nosuch=1:file=x.out');
is_deeply [ @{$unknown}{qw(out err exit)} ], [ "hello\n", "Unknown NYTProf option: 'nosuch'\n", 0 ],
    'an unknown option: one line, and on';
my $logged = hello('log=log.txt:nosuch=1');
is_deeply [ $logged->{err}, slurp("$logged->{dir}/log.txt") ], [ '', "Unknown NYTProf option: 'nosuch'\n" ],
    'log= takes it to a file';
my $unlogged = hello('log=/nonexistent/log:nosuch=1');
like $unlogged->{err}, qr/nosuch/, 'a log that cannot be opened: it is said on standard error';
is $unlogged->{out}, "hello\n", 'and the program runs';

my $removed = hello('usecputime=1');
is $removed->{out}, "hello\n", 'usecputime=1: the program runs';
like $removed->{err}, qr/usecputime.*removed/, 'and is told that this is no more';
is_deeply [ captures_in($removed->{dir}) ], [], 'and not profiled';

my $other_clock = facts(hello('clock=77'));
ok !!(grep { $_->{text} =~ /clock/ } of('note', @{ $other_clock->{records} })),
    'a clock that is not here: the capture says so';
for my $clock (qw(0 1 monotonic realtime process_cpu thread_cpu fake)) {
    is facts(hello("clock=$clock"))->{sub}{'main::f'}{calls}, 3, "clock=$clock";
}
for my $level (-1, 0, 1, 9) {
    is facts(hello("compress=$level"))->{sub}{'main::f'}{calls}, 3, "compress=$level";
}
is slurp(hello('compress=0')->{dir} . '/nytprof.out') =~ /main::f/, 1, 'compress=0: to be read with the eye';

my @harmless = qw(endatexit=1 libcexit=1 findcaller=1 use_db_sub=1 evals=1 trace=1 expand=1 calls=2 blocks=1 leave=0);
for my $option (@harmless) {
    my $run = hello($option);
    is $run->{out}, "hello\n", "$option: the program runs";
    is facts($run)->{sub}{'main::f'}{calls}, 3, 'and is recorded';
    is facts($run)->{line}{'prog.pl:1'}, 3, 'with its statements';
}

# --- \$^P -------------------------------------------------------------------------------------------------------------

my $PERLDB = 'print $^P, "\n";';
my %perldb = ('' => 0, 'savesrc=0' => 0, 'optimize=0' => 4, 'perldb=272' => 272, 'nameevals=0' => 0,
    'nameanonsubs=0' => 0, 'use_db_sub=1' => 0x22);
is run($PERLDB, env => { NYTPROF => $_ })->{out}, "$perldb{$_}\n", "\$^P with '$_'" for sort keys %perldb;

# --- the file ---------------------------------------------------------------------------------------------------------

my $plain = hello('file=x.out');
is sprintf('%o', (stat "$plain->{dir}/x.out")[2] & oct '7777'), '600', 'is its owner\'s alone';
like slurp("$plain->{dir}/x.out"), qr/\ANYTProf capture 1\n:program=prog\.pl\n/, 'begins with text';
like( (captures_in(hello('addpid=1')->{dir}))[0],       qr/^nytprof\.out\.\d+$/,                'addpid');
like( (captures_in(hello('addtimestamp=1')->{dir}))[0], qr/^nytprof\.out\.\d{9,}$/,             'addtimestamp');
like( (captures_in(hello('addpid=1:addtimestamp=1')->{dir}))[0], qr/^nytprof\.out\.\d+\.\d{9,}$/, 'both');

my $dir = tempdir(CLEANUP => 1);
spew("$dir/nytprof.out", 'old');
is facts(run($HELLO, dir => $dir))->{sub}{'main::f'}{calls}, 3, 'an old file of that name is replaced';

my %impossible = (
    '/nonexistent/dir/x' => 'a directory that is not there',
    '.'                  => 'a directory',
    'link'               => 'a symbolic link',
    'fifo'               => 'a fifo',
);
for my $file (sort keys %impossible) {
    my $run = run($HELLO, options => { file => $file }, files => { target => 'precious' },
        command => [ 'sh', '-c', 'ln -s target link; mkfifo fifo; exec "$@"', 'sh', $^X, under_profiler(), 'prog.pl' ]);
    isnt $run->{exit}, 0, "$impossible{$file}: is refused";
    is $run->{out}, '', 'before the program runs';
    like $run->{err}, qr/NYTProf failed to open '\Q$file\E' for writing, error \d+: /, 'and we are told why';
    is slurp("$run->{dir}/target"), 'precious', 'nothing is lost';
}

my $null = hello('file=/dev/null');
is $null->{out}, "hello\n", '/dev/null is fine';
ok -c '/dev/null', 'and still there';
my $full = hello('file=/dev/full');
is_deeply [ $full->{out}, -c '/dev/full' ? 1 : 0 ], [ '', 1 ], '/dev/full is refused, and still there';

SKIP: {
    my $small = tempdir(CLEANUP => 1);
    skip 'NOT SHOWN, only root can mount a small file system: a disk that fills up', 4
        if $> || system "mount -t tmpfs -o size=16k tmpfs $small 2>/dev/null";
    my $subs = join '', map {"sub f$_ { rand } f$_();\n"} 1 .. 3000;
    my $run  = run("\$! = 7;\n${subs}print \$! + 0, qq{\\n}; exit 5;\n", options => { file => "$small/x.out" });
    is_deeply [ @{$run}{qw(out exit)} ], [ "7\n", 5 ], 'a disk that fills up: the program is not disturbed';
    like $run->{err}, qr{\A(?:NYTProf: \Q$small\E/x\.out: .*\n)?\z}, 'one line tells, if part of it is lost';
    my (undef, $notes, $code) = nytprof('flat', "$small/x.out");
    is $code, 0, 'and what there is can be read';
    like $notes, qr/did not end cleanly|There was little room for the profile/, 'and says that it is not all';
    system 'umount', $small;
}

my $live = run(<<'END');
my $pid = fork // die;
my @switches = ((map {"-I$_"} grep {/blib/} @INC), '-d:NYTProf');
if (!$pid) { exec $^X, @switches, '-e', 'print "$$\n"' }
waitpid $pid, 0;
sub one { 1 } one();
END
my ($pid) = $live->{out} =~ /(\d+)/;
my ($theirs) = grep { $_ ne 'nytprof.out' } captures_in($live->{dir});
ok !!(grep { $_ eq "nytprof.out.$pid" } captures_in($live->{dir})), 'a name that a live process writes to: NAME.PID'
    or diag join ' ', captures_in($live->{dir});
is facts($live)->{sub}{'main::one'}{calls}, 1, 'that one is left alone';

my $descriptor = run("open my \$f, '<', '/dev/null'; print fileno \$f, qq{\\n};\n");
is $descriptor->{out}, "3\n", 'the program\'s descriptors have the numbers that they would have';

done_testing;
