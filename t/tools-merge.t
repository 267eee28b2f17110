# SPDX-License-Identifier: MIT
# nytprofmerge and `nytprof merge`: several profiles made one.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use POSIX qw(mkfifo);
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/lib";
use Pages qw(fixtures run);
use Profiled qw(command has_peer);
use Run ();
use Tree qw(slurp spew);

my $NYTPROF  = "$FindBin::Bin/../build/nytprof";
my @MERGE    = ($^X, "$FindBin::Bin/../bin/nytprofmerge");
my $captures = fixtures();
my $dir      = tempdir(CLEANUP => 1);
my $merged   = "$dir/merged";

# --- a program that forks: one child changes directory, one leaves without farewell ---

my $FORKS = <<'END';
use POSIX ();
sub pre { my $x = 0; $x += $_ for 1 .. 300; return $x }
sub child { my $x = 0; $x += $_ for 1 .. 300; return $x }
pre() for 1 .. 10;
for my $k (1 .. 3) {
    my $pid = fork();
    if (!$pid) { chdir '/' if $k == 2; child() for 1 .. 5; $k == 3 ? POSIX::_exit(0) : exit 0 }
    waitpid $pid, 0;
}
eval 'sub late { 1 } late() + late()';
END
my $forks = Run::run($FORKS, options => { addpid => 1 });
my @parts = map {"$forks->{dir}/$_"} Run::captures_in($forks->{dir});
is scalar(@parts), 4, 'four processes, four captures';
my ($status, $out, $err) = run(@MERGE, '-o', $merged, @parts);
is "$status $err", '0 ', 'are merged without a warning';
is $out, join('', map {"Reading $_\n"} @parts), 'saying what is read';
is calls($merged, 'main::pre'),   10, 'calls before the fork are counted once';
is calls($merged, 'main::child'), 15, 'those of the children are added up';
is_deeply info($merged), { processes => '4, streams 4', whole => 'yes' }, 'and every process is accounted for';
is_deeply [ folded($merged) ], [ folded(@parts) ], 'the sums are those of reading all files at once, exactly';
is sprintf('%o', (stat $merged)[2]), '100600', 'only its owner may read it';

# --- the same file twice, damage, order ---

($status, $out, $err) = run(@MERGE, '-o', "$dir/twice", @parts, $parts[0]);
is $status, 0, 'a file given twice';
like $err, qr/\Anytprof: \Q$parts[0]\E: (\d+) of its \1 chunks are in an earlier file, and counted once\n\z/, 'is said';
is_deeply [ folded("$dir/twice") ], [ folded(@parts) ], 'and counted once';
run(@MERGE, '-o', "$dir/back", reverse @parts);
is_deeply [ folded('--calls', "$dir/back") ], [ folded('--calls', @parts) ], 'the order makes no difference to counts';
run(@MERGE, '-o', "$dir/again", "$dir/back", "$captures/calls.out");
is_deeply [ folded("$dir/again") ], [ folded(reverse(@parts), "$captures/calls.out") ], 'merged files can be merged';
run(@MERGE, '-o', "$dir/back", "$dir/back", "$captures/calls.out");
is slurp("$dir/back") =~ s/^:merged.*//mr, slurp("$dir/again") =~ s/^:merged.*//mr, 'even into one of themselves';

my $torn = slurp($parts[1]);
substr $torn, length($torn) / 2, 1, '?';
spew("$dir/torn", $torn);
($status, $out, $err) = run(@MERGE, '-o', "$dir/damaged", "$dir/torn", $parts[0]);
is $status, 0, 'a damaged file';
like $err, qr{\Anytprof: \Q$dir\E/torn is damaged: \d+ bytes in 1 place could not be read\n\z}, 'says so';
is_deeply [ folded("$dir/damaged") ], [ folded("$dir/torn", $parts[0]) ], 'and gives what there is';
like slurp("$dir/damaged"), qr/\ANYTProf capture 1\n:merged=\Q$dir\E\/torn /, 'the first lines tell what was merged';

# --- with format 5: ours written in it, and the peer's ---

my $five = Run::run($FORKS, options => { addpid => 1, format => 5 });
my @fives = map {"$five->{dir}/$_"} Run::captures_in($five->{dir});
is scalar(@fives), 4, 'four files of format 5';
($status, $out, $err) = run(@MERGE, '-o', "$dir/mixed", @fives, @parts);
is "$status $err", '0 ', 'one file of format 5 is enough to make one of all, without a warning';
is $out, join('', map {"Reading $_\n"} @fives, @parts), 'saying what is read, once';
like slurp("$dir/mixed"), qr/\ANYTProf 5 0\n/, 'it is of format 5';
is calls("$dir/mixed", 'main::pre'),   20, 'calls are added up';
is calls("$dir/mixed", 'main::child'), 30, 'of all processes';
is calls("$dir/mixed", 'main::late'),  4,  'and of evals';
like +(run($NYTPROF, 'info', "$dir/mixed"))[1], qr/^processes +8\n.*^whole +yes$/ms, 'that are all accounted for';
my ($merged_lines, @lines) = map { lines(@$_) } ["$dir/mixed"], map { [$_] } @fives, @parts;
is_deeply $merged_lines, added_up(@lines), 'counts of lines are the sums, exactly';
spew("$dir/cut", substr slurp($fives[1]), 0, length(slurp($fives[1])) / 2);
($status, $out, $err) = run(@MERGE, '-o', "$dir/half", $fives[0], "$dir/cut");
ok $status == 0 && $err =~ m{\Anytprof: \Q$dir\E/cut: [^\n]*; what comes before is merged\n\z},
    'a file that was cut short says so, once';
is calls("$dir/half", 'main::pre'), 10, 'and the others are whole';

if (has_peer()) {
    spew("$dir/forks.pl", $FORKS);
    chdir $dir or die "$dir: $!\n";
    system(command('peer', { file => "$dir/peer.out", addpid => 1 }, 'forks.pl')) == 0
        or die "the peer fails\n";
    my @theirs = sort glob "$dir/peer.out.*";
    my @nytprofmerge = ('env', '-u', 'PERL5LIB', 'nytprofmerge', '-o', "$dir/peer.merged");
    run(@nytprofmerge, @theirs);
    ($status, $out, $err) = run(@MERGE, '-o', "$dir/peer.ours", @theirs);
    is "$status $err", '0 ', 'files of the peer are merged, without a warning';
    my %ours = map { ($_ => 1) } loaded("$dir/peer.ours");
    my %peers = map { ($_ => 1) } loaded("$dir/peer.merged");
    is_deeply [ [ grep { !$peers{$_} } sort keys %ours ], [ grep { !$ours{$_} } sort keys %peers ] ], [ [], [] ],
        'into what its own tool makes of them';
    ($status, $out, $err) = run(@MERGE, '-o', "$dir/all", @theirs, @parts);
    is calls("$dir/all", 'main::pre') . ' ' . calls("$dir/all", 'main::child') . " $err", '20 30 ',
        'and together with ours';
}
else { diag 'NO PEER: merging its files was not compared' }

# --- messages, exit codes, nothing half written ---

my ($usage) = (run(@MERGE, '--help'))[1];
for my $arguments ([], ['--help'], ['-h']) {
    ($status, $out, $err) = run(@MERGE, @$arguments);
    ok "$status$err" eq '0' && $out eq $usage && $usage =~ /^usage: .*nytprofmerge/,
        "'@$arguments': usage, exit code 0";
}
($status, $out) = run(@MERGE, '--nosuch');
is "$status $out", "0 $usage", 'a wrong option likewise';
($status, $out, $err) = run(@MERGE, '-v', '-o', $merged, @parts);
like $out, qr/^Wrote \Q$merged\E$/m, '-v says more';
my $before = slurp($merged);
spew("$dir/not", "#!/bin/sh\n");
for my $wrong (["$dir/nosuch"], [ $parts[0], "$dir/not" ], [$dir]) {
    ($status, $out, $err) = run(@MERGE, '-o', $merged, @$wrong);
    ok $status && $err =~ /\A[^\n]+\n\z/, 'what is no profile: one line, not 0';
    is slurp($merged), $before, 'and the file that was there stays';
}
($status, $out, $err) = run('/bin/sh', '-c', 'ulimit -f 8; exec "$@"', 'sh', $NYTPROF, 'merge', '-o', $merged, @parts);
ok $status == 1 && $err =~ /\Anytprof: [^\n]+\n\z/, 'no room: one line, exit code 1';
is slurp($merged), $before, 'and nothing is half written';
is_deeply [ grep {/new/} listing($dir) ], [], 'or left behind';
($status, $out, $err) = run(@MERGE, '-o', "$dir/no/where", @parts);
ok $status && $err =~ m{\Anytprof: [^\n]*no/where[^\n]*\n\z}, 'nowhere to write to: one line, not 0';
is +(run($NYTPROF, 'merge'))[0], 2, 'nytprof merge: no file is usage';
like +(run($NYTPROF, 'merge', '-'))[2], qr/standard input is no file to merge/, 'and standard input is none';
like +(run($NYTPROF, 'merge', '-o', '-', $0))[2], qr/expected --out FILE, as standard output has messages/,
    'nor is standard output one to write';

# --- a merge that is interrupted while it waits for its input ---

my $waiting = tempdir(CLEANUP => 1);
mkfifo("$waiting/in", 0600) or die "mkfifo: $!\n";
for my $signal (qw(INT TERM HUP)) {
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        local $SIG{$signal} = 'DEFAULT';
        exec $NYTPROF, 'merge', '-o', "$waiting/out", "$waiting/in" or die "$NYTPROF: $!\n";
    }
    sleep 0.01 until grep {/^out/} listing($waiting);
    kill $signal => $pid;
    waitpid $pid, 0;
    my $ended = $? & 0x7F;
    my @expected = POSIX->can("SIG$signal")->();
    is_deeply [ $ended, grep {/^out/} listing($waiting) ], \@expected, "SIG$signal: nothing is left";
}

done_testing;

sub listing { my ($path) = @_; opendir my $in, $path or die "$path: $!\n"; return readdir $in }

# The lines of all call paths, sorted: which of two equal ones comes first depends on the order of files.
sub folded { my (@files) = @_; my @lines = sort split /^/, (run($NYTPROF, 'folded', @files))[1]; return @lines }

sub calls {
    my ($file, $sub) = @_;
    my $sum = 0;
    $sum += $_ for (run($NYTPROF, 'folded', '--calls', $file))[1] =~ /\b\Q$sub\E (\d+)$/mg;
    return $sum;
}

# { "file: text" => count } of the lines of the program and of one module: other formats have other numbers for them.
sub lines {
    my (@files) = @_;
    my $to = tempdir(CLEANUP => 1);
    my ($exit, undef, $error) = run($NYTPROF, 'csv', '-o', $to, @files);
    "$exit$error" eq '0' or die $error;
    my %count;
    for my $name (grep {/\b(?:POSIX|prog)-p[ml]-\d+-line/} listing($to)) {
        for (grep { !/^#/ } split /\n/, slurp("$to/$name")) {
            my (undef, $count, undef, $source) = split /,/, $_, 4;
            $count{ ($name =~ /POSIX/ ? 'POSIX' : 'prog') . ": $source" } += $count if $count > 0;
        }
    }
    return \%count;
}

sub added_up {
    my (@counts) = @_;
    my %sum;
    for my $count (@counts) { $sum{$_} += $count->{$_} for keys %$count }
    return \%sum;
}

# What the peer's own reader finds in a file, without what its merge gets wrong: counts of statements (a DISCOUNT at the
# end of a file takes one from the next) and the files of subs in evals. Collapsing evals of one name is more than it
# can do.
sub loaded {
    my ($file) = @_;
    my $program = 'my $p = Devel::NYTProf::Data->new({ filename => shift, quiet => 1, '
        . 'skip_collapse_evals => 1 }); $p->dump_profile_data({ separator => "\t", filehandle => \*STDOUT })';
    my $text = (run('env', '-u', 'PERL5LIB', $^X, '-MDevel::NYTProf::Data', '-e', $program, $file))[1];
    $text =~ /^sub_subinfo\tmain::child\t/m or die "$file cannot be loaded\n";
    return map {s/^(fid_line_time\t.* )\d+ \]$/$1/r}
        grep { !/^attribute\ttotal_stmts_(?:discounted|measured)|^fid_fileinfo\t\d+\tsub\t.*\(eval / }
        split /\n/, $text;
}

sub info {
    my ($file) = @_;
    my %info = (run($NYTPROF, 'info', $file))[1] =~ /^(processes|whole) +(.*)$/mg;
    return \%info;
}
