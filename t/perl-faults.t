# SPDX-License-Identifier: MIT
# Faults that used to cost the profile: for each the program runs as without the profiler, and something useful and
# honest is left.
use strict;
use warnings;

use Config;
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(records);
use Facts;
use Run qw(captures_in facts run same under_profiler);
use Tree qw(slurp spew);

my $WORK = 'sub work { my $x = 0; $x += $_ for 1 .. 5; $x } ';

sub calls {
    my ($run, $sub, $file) = @_;
    return facts($run, $file && "$run->{dir}/$file")->{sub}{$sub}{calls} // 0;
}

# --- a program that closes descriptors --------------------------------------------------------------------------------

my $CLOSE = 'use POSIX (); POSIX::close($_) for 3 .. 1100; ';
my $run   = same('closing all descriptors', "$WORK work() for 1 .. 100; $CLOSE work() for 1 .. 200;\n");
is calls($run, 'main::work'), 300, 'the profile goes on, whole';

$run = same('again and again, at the ends of windows',
    "$WORK for (1 .. 5) { work() for 1 .. 100; $CLOSE select undef, undef, undef, 0.001 }\n");
is calls($run, 'main::work'), 500, 'the profile is whole';

$run = same('closing them in another directory',
    "$WORK chdir '/'; work() for 1 .. 100; $CLOSE work() for 1 .. 200;\n");
is calls($run, 'main::work'), 300, 'the profile is found again';

$run = same('closing them after a rename',
    "$WORK work() for 1 .. 100; rename 'nytprof.out', 'moved'; select undef, undef, undef, 0.01; $CLOSE work();\n");
is calls($run, 'main::work', 'moved'), 101, 'the profile is found under its new name';

# The program's own files get the numbers, and another file has the name.
my $OWN = 'my @own; for my $i (0 .. 199) { open $own[$i], ">", "own" or die; printf {$own[$i]} "%s", "" } ';
$run = run("$WORK work() for 1 .. 100; $CLOSE unlink 'nytprof.out'; open my \$x, '>', 'nytprof.out'; print \$x 'mine'; "
        . "close \$x; $OWN work();\n");
ok slurp("$run->{dir}/nytprof.out") eq 'mine', 'a file of the program with the name of the profile is left alone';
is slurp("$run->{dir}/own"), '', 'and so are files that it opens under the profile\'s descriptor';
is_deeply [ @{$run}{qw(exit signal)} ], [ 0, 0 ], 'it ends as without';
like $run->{err}, qr/\ANYTProf: nytprof.out: writing the capture: the program closed its descriptor \d+; .*\n\z/,
    'the end of the profile is said in one line';

# As daemons do: twice a child, a session, no descriptors.
my $DAEMON = 'use POSIX (); sub daemon { for (1, 2) { my $pid = fork // die; if ($pid) { waitpid $pid, 0; exit } '
    . 'POSIX::setsid() } chdir "/"; POSIX::close($_) for 0 .. 1100; open STDIN, "<", "/dev/null"; '
    . 'open STDOUT, ">", "/dev/null"; open STDERR, ">&STDOUT" } ';
$run = run("$DAEMON $WORK daemon(); work() for 1 .. 300;\n");
my @captures = captures_in($run->{dir});
is scalar @captures, 3, 'a daemon leaves three profiles';
is_deeply [ sort { $a <=> $b } map { calls($run, 'main::work', $_) } @captures ], [ 0, 0, 300 ],
    'one has all it did after closing them';

for my $format (1, 5) {
    $run = run("$WORK work() for 1 .. 100; $CLOSE work() for 1 .. 200;\n", options => { format => $format });
    is $run->{err}, '', "format=$format: nothing to say";
}

# --- a program that ends without a word -------------------------------------------------------------------------------

# The fake clock counts events: some hundredths of a second have passed at the end, whatever the machine does.
my $ROUNDS = 3_000;
my $EXIT   = $Config{archname} =~ /^x86_64/ ? 231 : 94;
my %last   = (
    'a call of exit_group by its number' => [ "syscall $EXIT, 3", $ROUNDS ],
    'a bad pointer' => [ 'unpack "p", pack "J", 8', $ROUNDS / 2 ],
);
delete $last{'a bad pointer'} if ($ENV{LD_PRELOAD} // '') =~ /asan/;    # which handles it
for my $how (sort keys %last) {
    my ($code, $least) = @{ $last{$how} };
    my $end = same("$how", "$WORK work() for 1 .. $ROUNDS; $code;\n", options => { clock => 'fake' });
    cmp_ok calls($end, 'main::work'), '>=', $least, "leaves the calls before it, or half of them";
}

# --- little room ------------------------------------------------------------------------------------------------------

# The source is larger than the room, which is used up at the first window.
my $LARGE = join '', "$WORK work() for 1 .. 300;\n", map { "# line $_ of a text without any use\n" } 1 .. 4000;
my $small = same('a limit for the size of files', $LARGE, options => { compress => 0 },
    before => [ 'sh', '-c', 'ulimit -f 100; exec "$@"', 'sh' ]);
is calls($small, 'main::work'), 300, 'the counts are written';
my ($notes) = grep { $_->{kind} eq 'note' } records("$small->{dir}/nytprof.out");
like $notes->{text} // '', qr/Source is missing/, 'and a note in place of the source';

# A window that is larger than the room has what took most time, and the rest of the time elsewhere. Beside other work
# a run takes longer, and its first window would end before its longest line: the fake clock counts events.
my $WIDE = 'my $s = 0; for my $i (1 .. 300) { eval "sub f$i { my \$x = shift; return \$x + $i }\n1" or die }' . "\n"
    . 'for my $i (1 .. 3000) { no strict "refs"; $s += &{ "f" . (1 + $i % 300) }($i) }' . "\n"
    . 'for (1 .. 20_000) { $s += $_; }' . "\n" . 'print "$s\n";' . "\n";
for my $blocks (6, 11, 12, 24) {
    my @limit = ('sh', '-c', "ulimit -f $blocks; exec \"\$\@\"", 'sh');
    my $tight = run($WIDE, options => { clock => 'fake' }, before => \@limit);
    my $file  = "$tight->{dir}/nytprof.out";
    is "@{$tight}{qw(out exit signal)}", "204963000\n 0 0", "room for $blocks blocks: the output is the same";
    like $tight->{err}, qr/\A(?:NYTProf: .*; the profile goes on when there is room\n)?\z/, 'there is a line at most';
    cmp_ok -s $file, '<=', 512 * $blocks, 'it is not larger';
    my ($info) = nytprof('info', $file);
    like $info, qr/^whole +yes$/m,         'and whole';
    like $info, qr/statements 2[4-9]\d{3},/, 'all statements are counted, though not all are told apart';
    like +(nytprof('hot', $file))[0], qr/:3: .* (?:1\d|20),\d{3} times/,
        'the longest are, but in windows in which other lines took more';
}

# Neither a limit nor a reader that has gone makes a message deadly.
my $LOSE = "unlink 'nytprof.out'; $CLOSE work(); print 'fine';\n";
same('a message into a file that has reached the limit', "$WORK $LOSE",
    before => [ 'sh', '-c', 'head -c 99999 /dev/zero >&2; ulimit -f 100; exec "$@"', 'sh' ]);
same('a message into a closed pipe',
    "$WORK pipe my \$out, my \$in; open STDERR, '>&', \$in; close \$out; close \$in; $LOSE");

# --- a disk that is full for a while ----------------------------------------------------------------------------------

# Windows are written before each nap.
SKIP: {
    my $prlimit = '/usr/bin/prlimit';
    skip 'there is no prlimit', 4 if !-x $prlimit;
    my $code = "$WORK sub limit { system '$prlimit', '--pid', \$\$, '--fsize=' . shift() . ':unlimited' }\n"
        . 'sub naps { for (1 .. 3) { work() for 1 .. 10; select undef, undef, undef, 0.01 } } '
        . 'naps(); limit(-s "nytprof.out" || 1); eval "sub more { work() } more(); 1" or die; naps(); '
        . 'limit("unlimited"); naps(); print "done\n";' . "\n";
    $run = run($code);
    is_deeply [ @{$run}{qw(out exit signal)} ], [ "done\n", 0, 0 ], 'a disk that is full for a while: as without';
    is $run->{err}, "NYTProf: nytprof.out: writing the capture: File too large; the profile goes on when there is "
        . "room\n", 'it is said, once';
    is_deeply [ map { calls($run, "main::$_") } qw(work more) ], [ 91, 1 ], 'the profile has all';
    like +(nytprof('info', "$run->{dir}/nytprof.out"))[0], qr/^whole +yes$/m, 'and is complete';
}

# --- a program whose children cannot make a file ----------------------------------------------------------------------

# Children, and a grandchild, by what their parent has done before. Each works ten times its number.
my $FAMILY = <<'END';
sub work { my $x = 0; $x += $_ for 1 .. 5; $x }
work() for 1 .. 100;
become();
for my $n (1 .. 3) {
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        work() for 1 .. 10 * $n;
        if ($n == 3 && !(fork // die)) { work() for 1 .. 7 }
        1 while wait > 0;
        exit $n;
    }
}
1 while wait > 0;
work();
END

my %become = (
    'in a directory that was removed' => 'mkdir "gone"; chdir "gone"; rmdir "../gone"',
    $> ? () : ('after chroot' => 'mkdir "jail"; chroot "jail" or die; chdir "/"; mkdir "x"; chdir "x"; rmdir "/x"',
        'as another user' => '$( = $) = "65534 65534"; $< = $> = 65534'),
);
for my $how (sort keys %become) {
    my $family = same("children $how", "$FAMILY sub become { $become{$how} }\n");
    my @files  = captures_in($family->{dir});
    is_deeply \@files, ['nytprof.out'], 'leave their profiles in their parent\'s file';
    my @records = records("$family->{dir}/$files[0]");
    my %calls;
    for my $stream (sort keys %{ { map { ($_->{stream} => 1) } grep { exists $_->{stream} } @records } }) {
        my $facts = Facts::from_records(grep { ($_->{stream} // '') eq $stream } @records);
        $calls{$stream} = $facts->{sub}{'main::work'}{calls};
    }
    is_deeply [ sort { $a <=> $b } values %calls ], [ 7, 10, 20, 30, 101 ], 'five processes, with every call';
    is scalar(grep { $_->{kind} eq 'source' && $_->{text} =~ /sub work/ } @records), 1, 'and the source, once';
    my ($out, $err, $exit) = nytprof('info', "$family->{dir}/$files[0]");
    is "$exit$err", '0', 'which readers take as it is';
    unlike $out, qr/did not end cleanly|damage/, 'and find complete';
}

# Evals are files of their process, so a reader of events finds their text among the parent's, too: also where the
# capture has another name, or two generations between.
my $GENERATIONS = <<'END';
eval "sub work { 1 }\n# by the eldest\n1" or die;
mkdir 'gone'; chdir 'gone'; rmdir '../gone';
if (!fork) {
    eval "sub more { work() }\n# by the child\n1" or die;
    if (!fork) { more(); exit }
    wait;
    more();
    exit;
}
wait;
END
my $READER = <<'END';
use Devel::NYTProf::ReadStream qw(for_chunks);
my (%name, %lines);
for_chunks {
    my ($tag, @is) = @_;
    $name{ $is[0] } = $is[6] if $tag eq 'NEW_FID';
    $lines{ $is[0] } .= $is[2] if $tag eq 'SRC_LINE';
} filename => shift, quiet => 1;
print map {"$name{$_}: " . ($lines{$_} =~ /# (.*)/ ? $1 : 'nothing') . "\n"} grep { $name{$_} =~ /^\(eval/ } keys %name;
END
my $generations = same('three generations with evals', $GENERATIONS);
mkdir "$generations->{dir}/apart" or die;
spew("$generations->{dir}/apart/$_", slurp("$generations->{dir}/nytprof.out")) for 'nytprof.out', 'renamed';
nytprof('merge', '-o', "$generations->{dir}/merged", "$generations->{dir}/nytprof.out");
for my $name ('nytprof.out', 'apart/renamed', 'merged') {
    my $read = run(undef, dir => $generations->{dir}, command => [ $^X, (grep {/^-I/} under_profiler()),
            '-e', $READER, $name ]);
    my %texts;
    $texts{$_}++ for $read->{out} =~ /: (.*)/g;
    is_deeply \%texts, { 'by the eldest' => 3, 'by the child' => 2 }, "$name: each process has the text of its evals"
        or diag "$read->{out}$read->{err}";
}

# The child opens the file anew, so the two have positions of their own in it.
my $both = same('a child without a file closes all descriptors, and its parent goes on', <<"END");
$WORK
mkdir 'gone'; chdir 'gone'; rmdir '../gone';
for my \$round (1 .. 3) {
    if (!fork) { work() for 1 .. 10; $CLOSE work() for 1 .. 10; exit }
    wait;
    work() for 1 .. 100;
    select undef, undef, undef, 0.001;
}
END
is calls($both, 'main::work'), 360, 'neither writes over what the other has written';
unlike join('', nytprof('info', "$both->{dir}/nytprof.out")), qr/damage/, 'nothing is damaged';

# --- signals ----------------------------------------------------------------------------------------------------------

# perl dies of the 120th signal that waits for the end of an op: 6 ms here, and the first call of a large sub takes us
# longer.
my $BRANCHES = join '', map {"    if (\$x == $_) { \$x += $_; \$x -= 1 }\n"} 1 .. 100_000;
same('signals while a large sub is first called', <<"END");
use Time::HiRes qw(setitimer ITIMER_REAL);
my \$n = 0;
\$SIG{ALRM} = sub { \$n++ };
sub large {
    my \$x = shift;
    return 1 if !\$x;
$BRANCHES}
setitimer(ITIMER_REAL, 0.00005, 0.00005);
large(0) for 1 .. 3;
setitimer(ITIMER_REAL, 0);
print "end\n";
END

done_testing;
