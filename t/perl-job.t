# SPDX-License-Identifier: MIT
# Jobs of many processes: source that they have in common is stored once, beside their profiles, and reports find it.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", map {"$FindBin::Bin/../blib/$_"} qw(lib arch);

BEGIN { delete $ENV{NYTPROF} }

use Capture qw(chunk i nytprof record text u);
use Devel::NYTProf::ReadStream qw(for_chunks);
use Dump qw(of records);
use Run qw(captures_in facts run under_profiler);
use Tree qw(slurp spew);

# Getopt::Long has been where it is for a while; what has just been written may be written again.
my $PROGRAM = "use lib '.';\nuse Getopt::Long;\nuse Fresh;\nGetOptions();\nFresh::f();\n";
my %FILES = ('Fresh.pm' => "package Fresh;\nsub f { 1 } # fresh\n1;\n", 'prog.pl' => $PROGRAM);
my $STORE = 'nytprof.out.sources';

# The job is what the shell does.
sub job {
    my ($shell, %with) = @_;
    my %files = (%FILES, %{ delete $with{files} // {} });
    my $run = run(undef, files => \%files, command => [ 'sh', '-c', $shell ],
        env => { PERL5OPT => join ' ', under_profiler() }, %with);
    is "$run->{exit}$run->{err}", '0', "'$shell' runs, without a remark" or diag $run->{err};
    return $run;
}

# Paths of the captures that are not the first one.
sub later { my ($run) = @_; return map {"$run->{dir}/$_"} grep {/\.out\.\d+\z/} captures_in($run->{dir}) }

# { BASE NAME => text } as stored in the capture itself.
sub own_source {
    my ($capture) = @_;
    my @records   = records($capture);
    my %name      = map { ($_->{id} => $_->{name} =~ s{.*/}{}r) } of('file', @records);
    my %text;
    $text{ $name{ $_->{file} } } .= $_->{text} for of('source', @records);    # in pieces
    return \%text;
}

# A report in CSV of all files, and what is said about it.
sub csv {
    my (@captures) = @_;
    my $dir = "$captures[0].csv";
    my (undef, $err, $exit) = nytprof('csv', '-o', $dir, @captures);
    is $exit, 0, 'a report';
    return (join('', map { slurp($_) } sort glob "$dir/*.csv"), $err);
}

my $THREE = 'perl prog.pl && perl prog.pl && perl prog.pl';
my $run = job($THREE);
my ($first, @later) = ("$run->{dir}/nytprof.out", later($run));
like own_source($first)->{'Long.pm'}, qr/^package Getopt::Long;/m, 'the first process keeps all source in its profile';
is scalar(of('stored', records($first))), 0, 'and so is complete in itself';
for my $capture (@later) {
    my $source = own_source($capture);
    is_deeply [ grep {/\A(?:Long\.pm|prog\.pl|Fresh\.pm)\z/} sort keys %$source ], [ 'Fresh.pm', 'prog.pl' ],
        'another keeps the program and what is new, and leaves modules to the store';
    cmp_ok -s $capture, '<', 0.5 * -s $first, 'which makes a small profile';
    my ($rows, $remarks) = csv($capture);
    is $remarks, '', 'and its report lacks nothing';
    like $rows, qr/sub GetOptions\(\@\) \{/, 'but has the source of the module';
    is facts($run, $capture)->{sub}{'Getopt::Long::GetOptions'}{calls}, 1, 'and its calls';
}
my @texts = of('text', records("$run->{dir}/$STORE"));
my %keys  = map { ($_->{key} => 1) } @texts;
is scalar(keys %keys), scalar(@texts), 'each text is there once';
is_deeply [ sort keys %keys ], [ sort map { $_->{key} } of('stored', records($later[0])) ],
    'which are those that the captures name';
is sprintf("%o", (stat "$run->{dir}/$STORE")[2] & oct 777), 600, 'the store is for its owner only';

# --- what reads profiles knows the store ------------------------------------------------------------------------------

my ($all, $remarks) = csv($first, @later, "$run->{dir}/$STORE");
is $remarks, '', 'a store among profiles is none, and no harm';
my (undef, $said, $exit) = nytprof('csv', '-o', "$run->{dir}/none", "$run->{dir}/$STORE");
like "$exit $said", qr/\A[^0].*: a store of source, expected a profile$/m, 'alone it is an error';
like +(nytprof('info', "$run->{dir}/$STORE"))[0], qr/^source +\d+ texts/, 'info tells what it is';
like +(nytprof('info', $later[0]))[0], qr/^source +of \d+ files in nytprof\.out\.sources.*^whole +yes/ms,
    'and of a profile where its source is';
mkdir "$run->{dir}/merged";
my $merged = "$run->{dir}/merged/all.out";
(undef, $said, $exit) = nytprof('merge', '-o', $merged, $first, @later);
is "$exit$said", '0', 'profiles are merged elsewhere';
is +(csv($merged))[1], '', 'and have their source with them';
is scalar(of('text', records($merged))), scalar(@texts), 'once';
like +(nytprof('info', $merged))[0], qr/^processes +3, streams 3\n.*^whole +yes/ms, 'of the same processes';

for my $order ([ "$run->{dir}/$STORE", $later[0] ], [ $merged, $later[1] ], [ $later[1], $merged ]) {
    my $again = "$run->{dir}/merged/again.out";
    nytprof('merge', '-o', $again, @$order);
    my ($rows, $lacks) = csv($again);
    is $lacks, '', 'whatever is merged first, source is there';
    like $rows, qr/sub GetOptions\(\@\) \{/, 'and shown';
    my $kinds = join ' ', map { $_->{kind} } grep { $_->{kind} ne 'chunk' } records($again);
    ok $kinds =~ /\btext\b/ && $kinds !~ /\btext\b.*\bstored\b/, 'texts stand behind what refers to them';
    unlike +(nytprof('info', $again))[0], qr/ 0 ticks a second| 1 ticks a second/, 'info knows the clock';
}
spew("$run->{dir}/merged/ahead.out", slurp("$run->{dir}/$STORE") . slurp($later[0]));
my ($ahead, $lacks) = csv("$run->{dir}/merged/ahead.out");
is $lacks, '', 'so it is where texts were put ahead of a profile';
like $ahead, qr/sub GetOptions\(\@\) \{/, 'and shown';
my ($ticks) = (nytprof('info', $later[0]))[0] =~ /(\d+ ticks a second)/;
like +(nytprof('info', "$run->{dir}/merged/ahead.out"))[0], qr/ $ticks\n/, "info tells that one's clock";

# { BASE NAME => text } as the Perl interface tells it.
sub streamed {
    my ($file) = @_;
    my (%name, %text);
    for_chunks {
        my ($tag, $fid, @more) = @_;
        $name{$fid} = $more[-1] =~ s{.*/}{}r if $tag eq 'NEW_FID';
        $text{ $name{$fid} } .= $more[1] if $tag eq 'SRC_LINE';
    } filename => $file, quiet => 1;
    return \%text;
}
my $embedding = job($THREE, options => { savesrc => 2 });
my $whole = streamed((later($embedding))[0]);
like $whole->{'Long.pm'}, qr/^package Getopt::Long;/m, 'ReadStream tells source';
is_deeply streamed($_), $whole, 'that of the store as well' for $later[0], $merged, "$run->{dir}/merged/ahead.out";
my $five = "$run->{dir}/merged/all-five.out";
spew("$run->{dir}/merged/five.out", "NYTProf 5 0\n");
is +(nytprof('merge', '-o', $five, "$run->{dir}/merged/five.out", $later[0]))[2], 0, 'merged with a file of format 5';
is_deeply streamed($five), $whole, 'it has the source, too';

# --- where it is damaged or missing -----------------------------------------------------------------------------------

my $store = slurp("$run->{dir}/$STORE");
mkdir "$run->{dir}/$_" for qw(damaged torn missing linked);
spew("$run->{dir}/$_/one.out", slurp($later[0])) for qw(damaged torn missing linked);
spew("$run->{dir}/damaged/$STORE", substr($store, 0, 1000) . 'x' x 9 . substr $store, 1009);
like +(csv("$run->{dir}/damaged/one.out"))[1], qr/The source of 1 file is not in the profile but beside it/,
    'a text that is damaged is not shown, and the report says so';
spew("$run->{dir}/torn/$STORE", substr($store, 0, 1000) . $store);
is +(csv("$run->{dir}/torn/one.out"))[1], '', 'a text that was not written to its end harms no other';
symlink "$run->{dir}/$STORE", "$run->{dir}/linked/$STORE";
for my $where (qw(missing linked)) {
    like +(csv("$run->{dir}/$where/one.out"))[1], qr/\d+ files is not .* in nytprof\.out\.sources, where it is missing/,
        "a store that is $where";
}
my $alone = "$run->{dir}/missing/merged.out";
like +(nytprof('merge', '-o', $alone, "$run->{dir}/missing/one.out"))[1], qr/source of \d+ files, .* is missing/,
    'merge says so, too';

# --- hostile ones -----------------------------------------------------------------------------------------------------

sub str { return Capture::s($_[0]) }

# A capture whose file is the text of a key in a store; a text of that key.
sub referring {
    my ($store, $key) = @_;
    my $start = record(1, u(0), u(0), u(17e17), i(0), u(1e9), u(1), i(1), str('m'), str('x.pl'), str('perl 5'));
    my $file = record(7, u(1), u(2), u(0), u(0), u(0), u(0), str('/nowhere/x.pl'));
    my $delta = record(11, u(1), u(1), u(1), u(1), u(1)) . record(13, u(1), i(1), i(5));
    return text(program => 'x.pl')
        . chunk($start . record(5, str('store'), str($store)) . $file . record(34, u(1), str($key)) . $delta);
}
sub of_store {
    my ($key) = @_;
    return chunk(record(33, str($key), str("secret\n")), front_end => 4, process_start => 0);
}

my $key    = 'K' x 32;
my $by     = "$run->{dir}/by-hand";
my %attack = (
    'a path'           => [ '../other', $key ],
    'a path below'     => [ 'below/other', $key ],
    'an absolute path' => [ "$run->{dir}/other", $key ],
    'another key'      => [ 'other', 'L' x 32 ],
    'a short key'      => [ 'other', 'K' ],
    'a long key'       => [ 'other', $key . 'K' ],
    'a pipe'           => [ 'pipe', $key ],
    'a directory'      => [ 'below', $key ],
);
mkdir "$by$_" for '', '/below';
spew($_, of_store($key)) for "$by/other", "$by/below/other", "$run->{dir}/other";
is system('mkfifo', "$by/pipe"), 0, 'a pipe';
spew("$by/good.out", referring('other', $key));
like +(csv("$by/good.out"))[0], qr/secret/, 'a capture made by hand finds its source in a store';
for my $name (sort keys %attack) {
    spew("$by/bad.out", referring(@{ $attack{$name} }));
    unlike +(csv("$by/bad.out"))[0], qr/secret/, "$name: nothing is shown";
}
mkdir "$by/empty";
spew("$by/empty/first.out", of_store($key) . referring('other', $key));
like +(csv("$by/empty/first.out"))[0], qr/secret/, 'a text ahead of all captures is no process, and looked up later';

# --- where there is none ----------------------------------------------------------------------------------------------

sub is_self_contained {
    my ($name, $of) = @_;
    my @captures = later($of);
    is scalar(grep { own_source($_)->{'Long.pm'} } @captures), 2, "$name: profiles have all source" or diag "@captures";
    return;
}
my $embedded = job($THREE, options => { savesrc => 2 });
is_self_contained('savesrc=2', $embedded);
ok !-e "$embedded->{dir}/$STORE", 'and there is no store';
ok !-e job('perl prog.pl')->{dir} . "/$STORE", 'a single process leaves none';
is_self_contained('a directory of its name', job("mkdir $STORE; $THREE"));
my $linked = job("echo mine >other; ln -s other $STORE; $THREE");
is_self_contained('a link of its name', $linked);
is slurp("$linked->{dir}/other"), "mine\n", 'which is not followed';
my $pipe = job("mkfifo $STORE; $THREE");
is_self_contained('a pipe of its name', $pipe);
is_self_contained('a limit for files', job("perl prog.pl; head -c 400000 /dev/zero >$STORE; ulimit -f 700; "
    . 'perl prog.pl; perl prog.pl'));

# --- a store comes and goes -------------------------------------------------------------------------------------------

# In a process group of its own, as an interactive shell starts it.
sub next_job {
    my ($shell, $of) = @_;
    return job($shell, dir => $of->{dir}, before => [ qw(env -u PERL5OPT), $^X, '-e',
        'setpgrp 0, 0; $ENV{PERL5OPT} = shift; exec @ARGV', '--', join ' ', under_profiler() ]);
}
my $again = next_job('perl prog.pl && perl prog.pl', { dir => tempdir(CLEANUP => 1) });
my $size = -s "$again->{dir}/$STORE";
my ($old) = later($again);
rename $old, "$again->{dir}/nytprof.out.9999999" or die "$old: $!\n";
spew("$again->{dir}/$STORE", slurp("$again->{dir}/$STORE") . "old\n" x 1000);
next_job('perl prog.pl', $again);
cmp_ok -s "$again->{dir}/$STORE", '>', $size, 'the next job leaves the store to the profiles of the one before';
is +(csv("$again->{dir}/nytprof.out.9999999"))[1], '', 'which find their source';
unlink "$again->{dir}/nytprof.out.9999999";
next_job('perl prog.pl', $again);
ok !-e "$again->{dir}/$STORE", 'where these are gone the store goes, too';
next_job('perl prog.pl && perl prog.pl', $again);
cmp_ok abs((-s "$again->{dir}/$STORE") - $size), '<', 1000, 'and begins anew'; # deflating depends on addresses

# A window that is due between the file and the removal would go by the store; one is due when the program has waited,
# and then none for a tenth of a second.
my $requires = "require integer;\n";
my $removed = job('perl requires.pl && perl requires.pl && perl removes.pl', files => { 'requires.pl' => $requires,
    'removes.pl' => "select undef, undef, undef, 0.3;\n\$x = 1;\n${requires}unlink '$STORE' or die;\n" });
is scalar(later($removed)), 2, 'a program removes the store that it goes by';
my ($removes) = grep { !own_source($_)->{'requires.pl'} } later($removed);
is +(csv($removes))[1], '', 'and stores its source anew';

# --- where there is no room at all ------------------------------------------------------------------------------------

my $LIVES = 'print 0 + $!, fork ? "parent" : "child", "\n"; wait; DB::enable_profile(); exec "echo", "exec";';
my $full = run($LIVES, env => { PERL5OPT => join(' ', under_profiler()), NYTPROF => 'file=/dev/full' }, switches => []);
is_deeply [ $full->{exit}, sort split ' ', $full->{out} ], [ 0, sort qw(0parent 0child exec exec) ],
    'a program of a job that finds the disk full goes on';
like $full->{err}, qr{\ANYTProf: /dev/full: writing the capture: No space .*; pid \d+ is not profiled\n\z},
    'and says so';
my $limited = run(undef, files => \%FILES, env => { PERL5OPT => join ' ', under_profiler() },
    command => [ 'sh', '-c', '(ulimit -f 0; perl prog.pl 2>&1; echo $? $(ls nytprof.out* 2>&1)) | cat' ]);
like $limited->{out}, qr/\ANYTProf: nytprof\.out: .*File too large; pid \d+ is not profiled\n0 /,
    'or no file allowed to grow';

my $nowhere = run(undef, env => { PERL5OPT => join ' ', under_profiler() },
    command => [ 'sh', '-c', "mkdir d; cd d; rmdir ../d; $^X -e 'print 7' 2>&1; echo \$?" ]);
like $nowhere->{out}, qr/\ANYTProf: nytprof\.out: .*cannot be created: No such .*; pid \d+ is not profiled\n70\n\z/,
    'or no file in its directory';

# --- processes at the same time, and their children -------------------------------------------------------------------

my $many = job('for i in 1 2 3 4 5 6; do perl prog.pl & done; wait');
is scalar(grep { !of('stored', records($_)) || (csv($_))[1] } later($many)), 0, 'six at a time all find their source';

my $forks = job('perl prog.pl; perl forks.pl', files => { 'forks.pl' => <<'END' });
use Getopt::Long;
my $pid = fork;
require Text::Wrap if !$pid;
GetOptions();
waitpid $pid, 0 if $pid;
END
is scalar(grep { (csv($_))[1] } later($forks)), 0, 'so do children that are forked';
is scalar(later($forks)), 2, 'each with a profile';

done_testing;
