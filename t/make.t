# SPDX-License-Identifier: MIT
# `nytprof make`: the build says and does what it does bare, and the capture has each process of it with its target,
# its place among the others, and its end.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/lib";
use Build qw($NYTPROF clean in recorded records);
use Tree qw(slurp spew which);

plan skip_all => 'records builds on Linux only' if $^O ne 'linux';
plan skip_all => 'make is not installed' if !which('make');
clean();

my $dir = tempdir(CLEANUP => 1);
mkdir "$dir/sub" or die "$dir/sub: $!\n";
spew("$dir/Makefile", <<'END' =~ s/^ {4}/\t/gmr);
VERSION := $(shell echo 1.2)
all: a b c d
    @$(MAKE) -C sub deep
a:
    @echo a $(VERSION) $(MAKELEVEL) "$$(umask)"
b:
    @true
c:
    -@exit 7
d:
    @echo d; echo to stderr >&2
.PHONY: all a b c d
END
spew("$dir/sub/Makefile", "deep:\n\t\@echo deep; kill -9 \$\$\$\$\n");

my $bare = in($dir, 'make', 'all');
is $bare->{status} >> 8, 2, 'the build fails, as a recipe is killed';
for my $method (qw(preload shell)) {
    my $capture = "$dir/$method.build";
    my $run = in($dir, $NYTPROF, 'make', '--method', $method, '-o', $capture, '--', 'make', 'all');
    is_deeply [ @$run{qw(out err status)} ], [ @$bare{qw(out err status)} ], "$method: output and status as without";
    like $run->{told}, qr{^\d+ processes in \Q$capture\E }, 'a line tells where the capture is';
    is sprintf('%o', (stat $capture)[2]), '100600', 'which is for its owner only';

    my $process = recorded($capture);
    my @all     = map { $process->{$_} } sort { $a <=> $b } keys %$process;
    is_deeply [ grep { ($_->{exits} // 0) != 1 } @all ], [], 'each process that began has ended once';
    my %by = map { ($_->{target} => $_) } grep { $_->{argv}[-1] ne 'echo 1.2' } @all;
    is_deeply [ map { $by{$_}{status} } qw(a c d deep) ], [ 0, 7, 0, 256 + 9 ], 'with its status, or its signal';
    is_deeply [ map { $by{$_}{level} } qw(a deep) ], [ 1, 2 ], 'and the level of its make';
    is $by{deep}{argv}[-1], 'echo deep; kill -9 $$', 'and its arguments';
    is_deeply [ map { $by{$_}{directory} =~ m{([^/]*)\z} } qw(a deep) ], [ $dir =~ m{([^/]*)\z}, 'sub' ],
        'and its directory';
    my ($root) = grep { !$_->{parent} } @all;
    is_deeply $root->{argv}, [qw(make all)], 'above all is the command';
    is $by{a}{parent}, $root->{start}, 'a recipe is below it';
    is $process->{ $by{deep}{parent} }{target}, 'all', "and one of a make's make below the recipe that runs that";
    ok !(grep { $_->{start} > $_->{end} } @all), 'no process ends before it begins';
    like [ in($dir, $NYTPROF, 'info', $capture) ]->[0]{out},
        qr/^build +processes ${\ scalar @all}, ended ${\ scalar @all}, failed 3, killed 1\n(?s:.*)^whole +yes$/m,
        'info counts them';
}

# A make that is killed, as a machine without memory does it, leaves its recipes running.
{
    spew("$dir/killed.mk", "all: a b\na:\n\t\@sleep 0.2; kill -9 \$\$PPID\nb:\n\t\@exec sleep 1\n");
    my $capture = "$dir/killed.build";
    my @killed  = (qw(make -j2 -f), "$dir/killed.mk");
    my $run     = in($dir, $NYTPROF, 'make', '-o', $capture, '--', @killed);
    is $run->{status}, in($dir, @killed)->{status}, 'kill -9 of make is the end of the build';
    my %by = map { ($_->{target} => $_) } values %{ recorded($capture) };
    is_deeply [ map { $_->{status} } @by{'', 'b'} ], [ 256 + 9, undef ], 'recorded, and what it left has no end';
    like [ in($dir, $NYTPROF, 'build', $capture) ]->[0]{out}, qr/ killed 1, without an end 2$/m, 'the report says so';
}

# --- the command ------------------------------------------------------------------------------------------------------

my @make = ($NYTPROF, 'make', '-o', "$dir/x.build");
for my $case (
    [ [], 2, qr/^nytprof: make: expected COMMAND\.\.\. / ],
    [ ['--'], 2, qr/^nytprof: make: expected COMMAND\.\.\. / ],
    [ [qw(-o - true)], 2, qr/^nytprof: make: expected the name of a file, got '-' / ],
    [ [ '--', "$dir/none" ], 1, qr{^nytprof: make: cannot run \Q$dir\E/none: No such file or directory$} ],
    [ [ '-o', "$dir/none/x", 'true' ], 1, qr{^nytprof: \Q$dir\E/none/x: cannot be created: No such file} ],
    [ [ '-o', '/dev/full', 'true' ], 1, qr{^nytprof: make: /dev/full is a device, expected the name of a file$} ],
    [ [ '--method', 'other', 'true' ], 2, qr/preload.*shell/ ],
) {
    my ($arguments, $status, $message) = @$case;
    my $run = in($dir, @make, @$arguments);
    is $run->{status} >> 8, $status, "make @$arguments: exit status $status";
    like(($run->{told} ? "nytprof: make: $run->{told}" : $run->{err}), $message, 'and one line says why');
}
is in($dir, @make, 'sh', '-c', "exit $_")->{status}, $_ << 8, "the status $_ of the command is its own" for 0, 3, 255;
is in($dir, @make, 'sh', '-c', 'kill -TERM $$')->{status}, 15, 'and so is the signal that ends it';
like in($dir, @make, 'true')->{told}, qr/has the command only: .*; --method shell may see some$/,
    'a command without make is told';
my $default = in($dir, $NYTPROF, 'make', 'true');
ok -s "$dir/nytprof.build", 'without -o the file is nytprof.build';
is in($dir, $NYTPROF, 'make', '-f', "$dir/f.build", 'true')->{status}, 0, '-f names it, too';
ok -s "$dir/f.build", 'as for run';

for my $verb (qw(flat annotate)) {
    my $run = in($dir, $NYTPROF, $verb, '-o', "$dir/report.$verb", "$dir/preload.build");
    is $run->{status} >> 8, 2, "$verb cannot show it";
    like $run->{err}, qr/ is the capture of a build, which is for the verbs .*\bbuild\b/, 'and names verbs that can';
}

# --- a build in progress ----------------------------------------------------------------------------------------------

spew("$dir/slow.mk", "all: ; \@echo \$\$\$\$ > pid; exec sleep 60\n");
for my $method (qw(preload shell)) {
    unlink "$dir/pid";
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        chdir $dir;
        open STDERR, '>', '/dev/null';
        exec $NYTPROF, 'make', '--method', $method, '-o', "$dir/slow.build", 'make', '-f', 'slow.mk' or die;
    }
    for (1 .. 400) { last if -s "$dir/pid"; sleep 0.05 }
    kill TERM => $pid;
    waitpid $pid, 0;
    is $?, 15, "$method: TERM ends the build by TERM";
    ok !kill(0, slurp("$dir/pid") =~ /(\d+)/), 'and its recipe';
    my $process = recorded("$dir/slow.build");
    is_deeply [ sort map { $_->{status} // 'none' } values %$process ], [ 256 + 15, 256 + 15 ],
        'and the capture has the ends of both';
}

# --- what the command inherits ----------------------------------------------------------------------------------------

my @show = ('sh', '-c', 'ls /proc/self/fd; umask; ulimit -a; grep -E "^Sig[^Q]|^Cap" /proc/self/status');
my @in_place = ($NYTPROF, 'make', '-o', "$dir/in_place.build", '--');
is in($dir, @in_place, @show)->{out}, in($dir, @show)->{out}, 'descriptors, limits and signals are those without us';
{
    local $SIG{CHLD} = 'IGNORE';
    system "$NYTPROF make -o $dir/ignored.build sh -c 'grep SigIgn /proc/self/status; exit 3' > $dir/ignored 2> $dir/x";
    system "grep SigIgn /proc/self/status > $dir/bare";
}
is +(values %{ recorded("$dir/ignored.build") })[0]{status}, 3, 'where ends of children are ignored there is a status';
is slurp("$dir/ignored"), slurp("$dir/bare"), 'and the build ignores them';
SKIP: {
    skip 'the kernel lists no children', 1 if !-e "/proc/$$/task/$$/children";
    my $orphans = '(true &); (true &); sleep 0.3; wc -w < /proc/$PPID/task/$PPID/children';
    is in($dir, @in_place, 'sh', '-c', $orphans)->{out}, "1\n", 'orphans that end do not wait for the end of the build';
}
my $alive = 'i=0; while [ $i -lt 60 ]; do sleep 0.05; i=$((i + 1)); done; echo alive';
open my $said, '-|', @in_place, 'sh', '-c', "kill -9 \$PPID; $alive" or die;
is_deeply [ <$said> ], [], 'kill -9 of nytprof make ends the command, too';
close $said;
is $?, 9, 'and is what the caller sees';

spew("$dir/lost.mk", "all: a b\na: ; \@rm lost.build\nb: ; \@echo b\n");
my $lost = in($dir, $NYTPROF, 'make', '-o', "$dir/lost.build", 'make', '-f', 'lost.mk');
is_deeply [ @$lost{qw(out status)} ], [ "b\n", 0 ], 'a build whose capture is removed goes on';
like $lost->{told}, qr{lost.build: No such file}, 'and the end says so';
ok !-e "$dir/lost.build", 'and no file appears again';
my $limited = in($dir, 'sh', '-c', "ulimit -f 1; exec $NYTPROF make -o $dir/limit.build make b b b b b b");
is $limited->{status}, 0, 'a limit on the size of files does not end the build';
like $limited->{err}, qr{^nytprof: make: records are missing in \S+/limit\.build: File too large$}m,
    'a line says that records are missing';
cmp_ok -s "$dir/limit.build", '<=', 1024, 'and is kept';

spew("$dir/large.mk", 'all: ' . join(' ', map {"r$_"} 1 .. 200) . "\nr%: ; \@: " . 'x' x 8000 . "; true\n");
my $full = in($dir, $NYTPROF, 'make', '--max-size', 1, '-o', "$dir/full.build", 'make', '-f', 'large.mk');
is_deeply [ @$full{qw(out status)} ], [ '', 0 ], 'a build whose capture has reached --max-size goes on';
cmp_ok -s "$dir/full.build", '<=', 1 << 20, 'and the file is no larger';
like $full->{err}, qr/full\.build is as large as --max-size allows, processes may be missing$/m, 'and it is told';
is scalar(grep { !defined $_->{status} } values %{ recorded("$dir/full.build") }), 0,
    'each process that is recorded has its end';

in($dir, $NYTPROF, 'make', '--redact', '-o', "$dir/redacted.build", 'make', 'd');
unlike slurp("$dir/redacted.build"), qr/to stderr/, 'with --redact no arguments are recorded';
is_deeply [ map { [ $_->{argv}[0] =~ m{([^/]*)$}, $_->{words} ] } sort { $a->{start} <=> $b->{start} }
        records("$dir/redacted.build", 'process') ]->[-1], [ 'sh', 3 ], 'but the name, and the number of them';

in($dir, $NYTPROF, 'make', '-o', "$dir/told.build", 'make', 'd');
in($dir, $NYTPROF, 'merge', '--redact', 'commands', '-o', "$dir/merged.build", "$dir/told.build");
my @told = map { in($dir, $NYTPROF, 'dump', "$dir/$_.build")->{out} } qw(told merged);
is_deeply [ map { /to stderr/ ? 1 : 0 } @told ], [ 1, 0 ], 'nytprof merge --redact leaves out arguments of a capture';
is_deeply [ map { scalar(() = /^process /mg) } @told ], [ 3, 3 ], 'but no process';

# --- parts of commands that match -------------------------------------------------------------------------------------

mkdir "$dir/secret" or die;
spew("$dir/secret/Makefile", <<'END' =~ s/^ {4}/\t/gmr);
all:
    @echo key=pa55word; echo "nokey key=$(SECOND) end"
    @:
    @+$(MAKE) -s below
below:
    @echo "key=\xFF\xFE rest" >/dev/null
END
my $EXPRESSION = '/(key|SECOND)=[^ ;"]*/';
sub texts { my ($capture) = @_; return map { join ' ', @{ $_->{argv} } } records($capture, 'process') }
for my $method (qw(preload shell)) {
    my $capture = "$dir/$method.masked";
    my $run = in("$dir/secret", $NYTPROF, 'make', '--method', $method, "--redact=$EXPRESSION", '-o', $capture, 'make',
        'SECOND=s,3/cr', 'key=third');
    like $run->{out}, qr/^key=pa55word\n/, "$method: a build with an expression does what it does";
    unlike slurp($capture), qr/pa55word|s,3\/c|third|\xFF\xFE rest/, 'what matches is nowhere in the capture';
    my $all = join "\n", texts($capture);
    like $all, qr/echo \(redacted\); echo "nokey \(redacted\) end"/, 'the rest of each argument is';
    like $all, qr/echo "\(redacted\) rest"/, 'in makes below, too';
}
in("$dir/secret", $NYTPROF, 'make', '-o', "$dir/whole.build", 'make', 'key=third');
in($dir, $NYTPROF, 'merge', '--redact', $EXPRESSION, '-o', "$dir/masked.build", "$dir/whole.build");
my @whole  = map { s/(?:key|SECOND)=[^ ;"]*/(redacted)/gr } texts("$dir/whole.build");
is_deeply [ texts("$dir/masked.build") ], \@whole, 'nytprof merge leaves the same out of a capture';
in($dir, $NYTPROF, 'merge', '--redact', 'evals,/[,e]*|^/', '-o', "$dir/masked.build", "$dir/whole.build");
is_deeply [ texts("$dir/masked.build") ], [ map { s/[,e]+/(redacted)/gr } texts("$dir/whole.build") ],
    'commas are part of an expression, and matches of nothing are none';
for my $case ([ '/a(/', qr/expected a regular expression, got 'a\(': .*, at character 2/ ],
    [ 'a', qr/expected .*\/REGEX\/, got 'a'/ ], [ '//', qr/expected .*, got '\/\/'/ ],
    [ '/a', qr/expected .*, got '\/a'/ ],
    [ 'none', qr/expected \/REGEX\/, got 'none'/ ],
    [ '/(((((a{99}){99}){99}){99})/', qr/expected a regular expression with/ ])
{
    my ($text, $message) = @$case;
    for my $call ([ 'make', "--redact=$text", 'make' ], [ 'merge', '--redact', $text, "$dir/whole.build" ]) {
        next if $text eq 'none' && $call->[0] eq 'merge';
        my $run = in($dir, $NYTPROF, @$call);
        my ($said) = grep {defined} $run->{told}, $run->{err} =~ /^nytprof: merge: (.*)\n\z/;
        like $said, qr/^--redact: $message/, "$call->[0]: no expression: $text";
        is $run->{status} >> 8, 2, 'is a wrong call';
    }
}
{
    local $ENV{NYTPROF_BUILD_MASK} = 'all';
    in("$dir/secret", $NYTPROF, 'make', '-o', "$dir/unmasked", 'make');
    like slurp("$dir/unmasked"), qr/pa55word/, 'without the option the variable means nothing';
}
spew("$dir/secret/Makefile", "all:\n\t\@+env -u NYTPROF_BUILD_MASK \$(MAKE) -s below\nbelow:\n\t\@: pa55word; :\n");
in("$dir/secret", $NYTPROF, 'make', '--redact=/x/', '-o', "$dir/lost", 'make');
is_deeply [ grep {/pa55word/} texts("$dir/lost") ], [], 'a make that does not know the expression records no arguments';
is_deeply [ sort map { s{.*/}{}r } texts("$dir/lost") ], [ 'env -u NYTPROF_BUILD_MASK make -s below', 'make', 'sh' ],
    'but their names';

done_testing;
