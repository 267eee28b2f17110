# SPDX-License-Identifier: MIT
# Windows that are written over each other, so that a server's profile does not grow. With a small maxsize they begin
# early. What is left of them is read by every reader; other writers of the file, forks, closed descriptors and kill -9
# destroy nothing.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Devel::NYTProf::ReadStream qw(for_chunks);
use Dump qw(records);
use Run qw(captures_in facts run same);
use Tree qw(slurp);

my %SMALL = (options => { maxsize => '100k', savesrc => 0, compress => 0 });

# Many places, and a wait in each round; more than half of the limit is used up soon.
my $MANY = join '', map { "sub f$_ { my \$x = shift; \$x += $_; \$x }\n" } 1 .. 150;
my $ROUND = 'sub round { for my $f (1 .. 150) { no strict "refs"; &{"f$f"}($f) } select undef, undef, undef, 1e-4 }';
my $WORK  = "$MANY$ROUND\n";

# Drafts before waits, and before a signal to itself, come ten times a second after the first thirty.
my $LATER = 'select undef, undef, undef, 0.3;';

sub calls {
    my ($run, $sub, $file) = @_;
    return facts($run, $file && "$run->{dir}/$file")->{sub}{$sub}{calls} // 0;
}

sub drafts {
    my ($run) = @_;
    return scalar grep { $_->{kind} eq 'chunk' && !$_->{number} } records("$run->{dir}/nytprof.out");
}

my $run  = same('a program that is killed', "$WORK round() for 1 .. 200; $LATER kill KILL => \$\$;\n", %SMALL);
my $file = "$run->{dir}/nytprof.out";
is calls($run, 'main::round'), 200, 'every call is there';
is calls($run, 'main::f77'),   200, 'of each sub';
is drafts($run), 1, 'by a draft, which dump shows as a chunk';
cmp_ok -s $file, '<=', 100 << 10, 'and the file is no larger than it may be';

# --- every reader -----------------------------------------------------------------------------------------------------

my ($info, $err) = nytprof('info', $file);
like $info, qr/did not end cleanly/, 'info reads it';
unlike "$info$err", qr/damage|missing/, 'and finds no damage';
my ($json) = nytprof('json', '-o', '-', $file);
like $json, qr/main::f77/, 'json has the subs';
my %told;
for_chunks { $told{ $_[0] }++ } filename => $file;
cmp_ok scalar keys %told, '>', 1, 'and the Perl API reads it';

# Two copies of a running program's file, and its end: the same counts are in all of them.
my $copies = run(<<"PROGRAM", %SMALL);
${WORK}sub copy { open my \$in, '<:raw', 'nytprof.out' or die; open my \$out, '>:raw', shift or die; local \$/;
    print {\$out} <\$in>; close \$out or die }
sub ready { $LATER DB::disable_profile(); DB::enable_profile() }
round() for 1 .. 100; ready(); copy('one'); round() for 1 .. 50; ready(); copy('two'); round() for 1 .. 25;
PROGRAM
my $one = calls($copies, 'main::round', 'one');
my $two = calls($copies, 'main::round', 'two');
is $one, 100, 'a copy of the file of a running program';
is $two, 150, 'and a later one';
is calls($copies, 'main::round'), 175, 'and its end';
for my $merge ([qw(one two)], [qw(two one)], [qw(one nytprof.out)], [qw(nytprof.out one two)]) {
    nytprof('merge', '-o', "$copies->{dir}/merged", map { "$copies->{dir}/$_" } @$merge);
    my $is_whole = grep { $_ eq 'nytprof.out' } @$merge;
    is calls($copies, 'main::round', 'merged'), $is_whole ? 175 : $two, "@$merge, merged: no count is there twice";
}

# --- others who write, and who close ----------------------------------------------------------------------------------

$run = same('a child that has its own file', <<"PROGRAM", %SMALL);
$WORK
round() for 1 .. 100;
if (!(my \$pid = fork // die)) { round() for 1 .. 60; exit } else { waitpid \$pid, 0 }
round() for 1 .. 40;
PROGRAM
is_deeply [ sort { $a <=> $b } map { calls($run, 'main::round', $_) } captures_in($run->{dir}) ], [ 60, 140 ],
    'neither loses or repeats a call';

$run = same('a child without a file of its own', <<"PROGRAM", %SMALL);
$WORK
mkdir 'gone'; chdir 'gone'; rmdir '../gone';
round() for 1 .. 100;
for (1 .. 2) { my \$pid = fork // die; if (!\$pid) { round() for 1 .. 60; exit } round() for 1 .. 20; waitpid \$pid, 0 }
PROGRAM
is calls($run, 'main::round'), 260, 'all write into one file, and lose nothing';
unlike join('', nytprof('info', "$run->{dir}/nytprof.out")), qr/damage/, 'nothing is damaged';

$run = same('a program that closes all descriptors', <<"PROGRAM", %SMALL);
${WORK}use POSIX ();
for (1 .. 5) { round() for 1 .. 20; POSIX::close(\$_) for 3 .. 300 }
round() for 1 .. 20;
$LATER kill KILL => \$\$;
PROGRAM
is calls($run, 'main::round'), 120, 'drafts go on';
is drafts($run), 1, 'as such';

$run = same('a program whose exec fails, and which goes on', <<"PROGRAM", %SMALL);
${WORK}round() for 1 .. 100;
{ no warnings; exec '/nonexistent/program' }
round() for 1 .. 50;
$LATER kill KILL => \$\$;
PROGRAM
is calls($run, 'main::round'), 150, 'all calls are there, once';
like +(nytprof('info', "$run->{dir}/nytprof.out"))[0], qr/did not end cleanly/, 'and that it was killed';

# --- the limit --------------------------------------------------------------------------------------------------------

# Where definitions need more room than the limit leaves, they are in drafts, with the first of these, which may be the
# end. Calls are counted once, also where the program goes on behind its end, or with another file.
my $DEFINES = join '', map { "sub a_sub_with_a_long_name_$_ { my \$x = shift; return \$x + $_ }\n" } 1 .. 2000;
my $CALLS   = 'no strict "refs"; sub call { &{"a_sub_with_a_long_name_$_"}(1) for 1 .. 2000 }';
for my $size (qw(64k 80k 150k 300k 1M)) {
    my $brief = run("$DEFINES$CALLS call();\n", options => { maxsize => $size, savesrc => 0 });
    my $path  = "$brief->{dir}/nytprof.out";
    is calls($brief, 'main::a_sub_with_a_long_name_1999'), 1, "maxsize=$size: a brief program's calls count once";
    cmp_ok -s $path, '<=', 1024 * ($size eq '1M' ? 1024 : $size =~ /(\d+)/ && $1), 'in a file of that size at most';
    like +(nytprof('info', $path))[0], qr/^whole +yes$/m, 'which info finds whole';
}
$run = run("$DEFINES$CALLS for (1, 2) { call(); no warnings; exec '/nonexistent/program' }\n",
    options => { maxsize => '72k', savesrc => 0 });
is calls($run, 'main::a_sub_with_a_long_name_1999'), 2, 'none is counted twice when an exec fails';
$run = run("$WORK round() for 1 .. 100; DB::enable_profile('second'); round() for 1 .. 3; DB::finish_profile();\n",
    %SMALL);
for my $name ('nytprof.out', 'second') {
    unlike +(nytprof('info', "$run->{dir}/$name"))[0], qr/add up|missing/, "$name of two adds up";
}
is facts($run, "$run->{dir}/second")->{line}{'prog.pl:77'}, 9,
    'three statements, thrice: those of the first file are not in the second';

my $evals = 'for my $n (1 .. 300) { eval "# " . "a comment " x 100 . "\nsub g$n { $n } g$n(); 1" or die }';
$run = same('a program with more source than there is room for', "$WORK round() for 1 .. 20; $evals round();\n",
    options => { maxsize => '200k', compress => 0 });
cmp_ok -s "$run->{dir}/nytprof.out", '<=', 200 << 10, 'has a profile of that size at most';
is calls($run, 'main::round'), 21, 'and its counts are exact';
my ($note) = grep { $_->{kind} eq 'note' } records("$run->{dir}/nytprof.out");
like $note->{text} // '', qr/Source is missing/, 'a note says that there is no source';

for my $bad ('10', 'x', '5T', '-3', '100kk') {
    my $told = run("1;\n", options => { maxsize => $bad });
    like $told->{err}, qr/option maxsize cannot be '\Q$bad\E', expected [^\n]*\n/, "maxsize=$bad is refused";
}
done_testing;
