# SPDX-License-Identifier: MIT
# "Your first change" in CONTRIBUTING.md and the recipes in xs/README: carried out on a copy of this tree as it is
# built, with the files counted that they touch.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Pages qw(fixtures run);
use Tree qw(slurp spew);

my $TOP  = "$FindBin::Bin/..";
my $copy = tempdir(CLEANUP => 1);
is system('cp', '-a', glob("$TOP/*"), $copy), 0, 'a copy of the tree';
my (%touched, %grown); # by recipe: the files, and lines more in those that were there

# Without the optimiser, which takes most of the time of compiling hundreds of files that differ in a header only.
my ($cc, $optimize) = map { slurp("$TOP/Makefile") =~ /^$_ = (.*)$/m } qw(CC OPTIMIZE);
my @QUICKLY = ("OPTIMIZE='$optimize -g0 -O0'", map {"-o $_"} split ' ', qx{cd '$TOP' && echo build/*.flags});

# --- what was built, in use -------------------------------------------------------------------------------------------

my $text = slurp("$TOP/CONTRIBUTING.md");
my %script = (pl => "print 1;\n", lua => "print(1)\n");
my %command = reverse $text =~ /^    (\S.*script\.(\w+))/mg; # language => command
is_deeply [ sort keys %command ], [qw(lua pl)], 'the first block has a command for Perl and one for Lua';
for my $language (grep { $_ ne 'lua' || -e "$copy/build/lua5.4/nytprof.so" } sort keys %command) {
    spew("$copy/script.$language", $script{$language});
    unlink "$copy/nytprof.out";
    is [ in_copy("unset PERL5LIB; $command{$language}") ]->[1] =~ /^1$/m, 1, "$command{$language}: runs";
    is -e "$copy/nytprof.out" && (slurp("$copy/nytprof.out") =~ /\A(.*)/)[0], 'NYTProf capture 1', 'with this profiler';
    unlink "$copy/script.$language", "$copy/nytprof.out"; # what is left there is taken for sources
}

# --- a report: the text of CONTRIBUTING.md ----------------------------------------------------------------------------

my ($source) = $text =~ m{`xs/terminal/slowest\.c`:\n\n```c\n(.*?)^```}ms;
my ($section, $before) = ($text =~ /^```pod\n(.*?)^```/ms, $text =~ /before `(=head2 \w+)/);
touch(report => 'xs/terminal/slowest.c', $source);
is built(), '', 'a report compiles without a complaint, and no list had to name its file';
is_deeply [ compiled() ], [qw(reports slowest)], 'and nothing else is compiled but the table of reports';
like said('list'), qr/^  slowest +prints the subs/m, 'its row makes a verb';
like said('help', 'slowest'), qr/^      --top N +so many subs \[20\]$/m, 'with help';
like said('completion', 'bash'), qr/^    slowest\) words='--help --file .* --top' ;;$/m, 'and completion';

my $complaints = complaints('t/reports.t');
like $complaints, qr/slowest: a section of bin\/nytprof\.pod/, 'forgetting the manual fails a test';
like $complaints, qr/t\/golden\/slowest\.txt is there/, 'and so does forgetting the golden';
touch(report => 'bin/nytprof.pod', slurp("$copy/bin/nytprof.pod") =~ s/^(?=\Q$before\E)/$section/mr);
in_copy("$^X t/reports.t --write");
touch(report => 't/golden/slowest.txt', slurp("$copy/t/golden/slowest.txt"));
is complaints('t/reports.t', 't/pod.t', 't/style.t', 't/rooms.t'), '', 'with both all tests of the kind pass';
like slurp("$copy/t/golden/slowest.txt"), qr/\A400 \S+s\t1\tFoo::Bar::xs\n/, 'and the golden is the report';
is_deeply $touched{report}, [qw(bin/nytprof.pod t/golden/slowest.txt xs/terminal/slowest.c)],
    'a report is two files and a golden';

# --- a report of several profiles, which no report in the tree is yet ------------------------------------------------

spew("$copy/xs/report/pair.c", <<'END');
/* SPDX-License-Identifier: MIT */
/* pair.c - the programs of two profiles. */
#include "report/registry.h"
#include "report/text.h"

static int write_pair(const nytp_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    for (uint32_t i = 0; i < r->profiles_n; i++) {
        nytp_text_str(&out, r->profiles[i].processes[0].program);
        nytp_text_put(&out, "\n");
    }
    int code = nytp_sink_put(sink, NYTP_LIT("pair.txt"), out.p, out.n);
    nytp_buf_free(&out);
    return code;
}

const nytp_report nytp_pair_report = {
    .name = "pair", .summary = "prints two programs", .output = "-", .is_page = 1, .profiles = 2, .write = write_pair,
};
END
my $captures = fixtures();
my @two = map {"$captures/$_.out"} qw(calls empty);
is built(), '', 'a report of two profiles compiles';
is said('pair', @two), join('', map { said('info', $_) =~ /^program +(.*\n)/m } @two), 'it is given one of each file';
is [ run("$copy/build/nytprof", 'pair', $two[0]) ]->[2], "nytprof: pair: wants 2 files (see `nytprof help pair`)\n",
    'and wants as many as its row says';
unlink "$copy/xs/report/pair.c";

# --- a verb, and a clock ----------------------------------------------------------------------------------------------

touch(verb => 'xs/cli/cmd_hello.c', <<'END');
/* SPDX-License-Identifier: MIT */
/* cmd_hello.c - `nytprof hello`. */
#include <stdio.h>

#include "cli/cli.h"

static int run_hello(const nytp_call *call) {
    printf("hello, %s\n", call->argc ? call->argv[0] : "world");
    return NYTP_CLI_FINE;
}

const nytp_verb nytp_hello_verb = {.name = "hello", .arguments = "[NAME]", .summary = "greets", .run = run_hello};
END
touch(verb => 'xs/cli/verbs.c', slurp("$copy/xs/cli/verbs.c") =~ s/ROW\(clocks\)/ROW(clocks) ROW(hello)/r);
touch(verb => 'bin/nytprof.pod',
    slurp("$copy/bin/nytprof.pod") =~ s/^(?==head2 help)/=head2 hello [NAME]\n\nGreets.\n\n/mr);
my $row = qq/    {"steady", CLOCK_MONOTONIC, "another name"},\n/;
touch(clock => 'xs/capture/clock.c', slurp("$copy/xs/capture/clock.c") =~ s/^(?=    \{"process_cpu")/$row/mr);
is built(), '', 'a verb and a clock compile';
is said('hello', 'you'), "hello, you\n", 'the verb runs';
is complaints('t/reports.t', 't/cli.t', 't/rooms.t'), '', 'and is whole';
like said('clocks'), qr/^ +\d+  steady +\d/m, 'the clock is read';
is_deeply $touched{verb}, [qw(bin/nytprof.pod xs/cli/cmd_hello.c xs/cli/verbs.c)], 'a verb is two files and its manual';
is_deeply $touched{clock}, ['xs/capture/clock.c'], 'a clock is one';

# --- a counter: what Perl's string evals compile ----------------------------------------------------------------------

my $life = slurp("$copy/xs/perl/life.c");
$life =~ s/^(?=nytp_front \w+_front\(nytp_glue \*g\) \{)/<<'END'/me;
static const nytp_counter counters[] = {
    {"evaltext", "Text of string evals", "B", NYTP_OF_PLACE | NYTP_OF_NODE, NYTP_ADDS_SUM},
    {0},
};

END
$life =~ s/^    front\.counters = \K.*;/counters;/m; # in place of those of option waiting
touch(counter => 'xs/perl/life.c', $life);
my $eval = slurp("$copy/xs/perl/eval.c");
$eval =~ s/^(static UV begin\(.*\{\n)/$1    if (nytp_is_on(&g->r)) nytp_counters_count(&g->r, 0, (int64_t)text.n);\n/m;
$eval =~ s/^(#include "perl\/directive.h"\n)/$1#include "record\/counters.h"\n/m;
touch(counter => 'xs/perl/eval.c', $eval);
is built(), '', 'a counter compiles';
is_deeply [ compiled() ], [qw(eval life)], 'with the two files that it is in';
my $scratch = tempdir(CLEANUP => 1); # what is left in the copy is taken for sources
spew("$scratch/evals.pl", <<'END');
eval '1 + 1' for 1 .. 3;
sub f { eval '2' }
f();
END
in_copy("NYTPROF=file=$scratch/evals.out $^X -Iblib/lib -Iblib/arch -d:NYTProf $scratch/evals.pl");
said('csv', '-d', '-o', "$scratch/rows", "$scratch/evals.out");
my ($rows) = map { slurp($_) } glob "$scratch/rows/*-evals-pl-1-line.csv";
like $rows, qr/^# Format: time,calls,time\/call,evaltext,code$/m, 'csv has a column of it';
like $rows, qr/,15,eval '1 \+ 1' for 1 .. 3;\n[^\n]*,1,sub f/, 'with the bytes of each line';
my $paths = said('folded', '--metric', 'evaltext', "$scratch/evals.out");
like $paths, qr/^main::RUNTIME;main::f 1$/m, 'folded has it by path';
is_deeply $touched{counter}, [qw(xs/perl/eval.c xs/perl/life.c)], 'a counter is two files';

# --- an option --------------------------------------------------------------------------------------------------------

touch(option => 'xs/record/options.h',
    slurp("$copy/xs/record/options.h") =~ s/^(    int64_t maxnodes,)/$1 maxweather,/mr);
touch(option => 'xs/record/options.c',
    slurp("$copy/xs/record/options.c") =~ s/^(?=    NUMBER\(maxnodes)/    NUMBER(maxweather, "5", 0, "worst"),\n/mr);
is built(@QUICKLY), '', 'an option compiles';
my $perl = "$^X -Iblib/lib -Iblib/arch -d:NYTProf -e 1";
is [ in_copy("NYTPROF=maxweather=7:file=$scratch/option.out $perl") ]->[2], '', 'NYTPROF may have it';
like [ in_copy("NYTPROF=help $perl") ]->[1], qr/^  maxweather=5 +worst$/m, 'and the help has it';
is complaints('t/options.t'), "the manual has the options that there are\n", 'forgetting the manual fails a test';
touch(option => 'lib/Devel/NYTProf.pm',
    slurp("$copy/lib/Devel/NYTProf.pm") =~ s/^(?==item C<maxnodes)/=item C<maxweather=>I<N> [5]\n\nThe worst.\n\n/mr);
is complaints('t/options.t', 't/pod.t'), '', 'with it the tests of options pass';
is_deeply $touched{option}, [qw(lib/Devel/NYTProf.pm xs/record/options.c xs/record/options.h)],
    'an option is two files and the manual';

# --- a front end: t/toy's, which t/toy.t builds outside of the tree, as a room --------------------------------------

mkdir "$copy/xs/toy" or die "$copy/xs/toy: $!\n";
touch(front => 'xs/toy/glue.c', slurp("$TOP/t/toy/glue.c") =~ s/"toy[.]h"/<toy.h>/r);
touch(front => 'xs/toy/rules.pl', <<'END');
# SPDX-License-Identifier: MIT
# How build/toy/nytprof.so is made, which toys are linked with.
use strict;
use warnings;

sub { return module_rules('toy', '-isystem t/toy -fvisibility=default') };
END
like complaints('t/rooms.t'), qr/^a folder of xs\/ is a row/m, 'forgetting its row in the table fails a test';
my $readme = slurp("$copy/xs/README");
$readme =~ s/^(?=  cli\/ )/  toy\/       the toy of t\/toy, recording: all of it is glue\n/m;
$readme =~ s/^(?=  cli +base )/  toy       base capture record                    toy      toy.h\n/m;
touch(front => 'xs/README', $readme);
$row = qq/    {.names = {"toy"}, .suffixes = {".toy"}},\n/;
touch(front => 'xs/cli/interpreters.c',
    slurp("$copy/xs/cli/interpreters.c") =~ s/^(?=    \{[.]names = \{"ruby")/$row/mr);
my ($arguments) = slurp("$copy/Makefile") =~ /^# +MakeMaker ARGV: \((.*)\)$/m;
in_copy("$^X Makefile.PL " . join ' ', map {"'$_'"} $arguments =~ /q\[(.*?)\]/g);
is built(), '', 'a front end compiles';
is_deeply [ compiled() ], [qw(glue interpreters)], 'and nothing else is compiled but the table of interpreters';
my $library = "-L$copy/build/toy -l:nytprof.so -Wl,-rpath,$copy/build/toy";
is [ in_copy("$cc $optimize -o $scratch/toy t/toy/toy.c $library") ]->[0], 0, 'an interpreter is linked with it';
spew("$scratch/prog.toy", slurp("$TOP/t/toy/prog.toy"));
is [ in_copy("cd $scratch && PATH=$scratch:\$PATH $copy/build/nytprof run prog.toy") ]->[0], 0, 'nytprof run knows it';
my $info = said('info', "$scratch/nytprof.out");
like $info, qr/^program +\S*prog[.]toy\ninterpreter +toy 1$/m, 'by the suffix of its program';
like $info, qr/^counted +statements 56, calls 16$/m, 'which is profiled';
is complaints('t/rooms.t', 't/style.t'), '', 'all tests of the kind pass';
is_deeply $touched{front}, [ map {"xs/$_"} qw(README cli/interpreters.c toy/glue.c toy/rules.pl) ],
    'a front end is its room and two files';
is $grown{front}, 3, 'in which it has three lines';

# --- a record ---------------------------------------------------------------------------------------------------------

my $header = slurp("$copy/xs/capture/format.h");
my ($number) = sort { $b <=> $a } $header =~ /^    NYTP_REC_\w+ = (\d+),/mg;
$number++;
$header =~ s/^(?=    NYTP_REC_KINDS\n)/    NYTP_REC_WEATHER = $number,\n/m;
$header =~ s/^(?=typedef struct nytp_record \{)/<<'END'/me;
typedef struct nytp_rec_weather { /* outside, at a place */
    uint64_t place;
    int64_t degrees;
    nytp_str sky;
} nytp_rec_weather;

END
$header =~ s/^(?=        nytp_rec_end end;)/        nytp_rec_weather weather;\n/m;
$row = qq/    [NYTP_REC_WEATHER] = {"weather", REPEATS, {D(weather, place), I(weather, degrees), S(weather, sky)}},\n/;
touch(record => 'xs/capture/format.h', $header);
touch(record => 'xs/capture/format.c', slurp("$copy/xs/capture/format.c") =~ s/^(?=\};\n\nconst nytp_row)/$row/mr);
is built(@QUICKLY, 'build/nytprof', 'build/t/format'), '', 'a record compiles';
like [ in_copy('build/t/format') ]->[1], qr/^ok \d+ - weather 2 comes back$/m, 'writer and reader have it';
like complaints('t/format.t'), qr/^FORMAT describes the kinds/, 'forgetting its description fails a test';
$section = sprintf <<'END', $number;
  %d  weather, repeats: how it is outside
        d  place
        i  degrees
        s  sky

END
touch(record => 'xs/capture/FORMAT', slurp("$copy/xs/capture/FORMAT") =~ s/^(?=Kind 0 is not written)/$section/mr);
is complaints('t/format.t', 't/rooms.t', 't/style.t'), '', 'with it dump and all tests of the kind have it';
is_deeply $touched{record}, [ map {"xs/capture/$_"} qw(FORMAT format.c format.h) ],
    'a record is three files';

done_testing;

sub touch {
    my ($recipe, $file, $bytes) = @_;
    $grown{$recipe} += ($bytes =~ tr/\n//) - (slurp("$copy/$file") =~ tr/\n//) if -e "$copy/$file";
    spew("$copy/$file", $bytes // die "$file: CONTRIBUTING.md was not understood\n");
    $touched{$recipe} = [ sort $file, @{ $touched{$recipe} // [] } ];
    return;
}

sub in_copy { my ($command) = @_; return run('sh', '-c', "cd '$copy' && $command") }

# Runs make; what it complains of.
sub built {
    my (@arguments) = @_;
    my ($status, $out, $err) = in_copy("make @arguments 2>&1 >make.log");
    return join '', $status ? "status $status\n" : '', $out =~ /warning/mg, $err;
}

sub compiled { my @names = sort(slurp("$copy/make.log") =~ m{ -c -o \S+/(\w+)\.o }g); return @names }

sub said { my (@arguments) = @_; return [ run("$copy/build/nytprof", @arguments) ]->[1] }

# The names of the tests that fail.
sub complaints {
    my (@tests) = @_;
    return join '', map { (in_copy("$^X $_ 2>/dev/null"))[1] =~ /^not ok \d+ - (.*\n)/mg } @tests;
}
