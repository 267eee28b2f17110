# SPDX-License-Identifier: MIT
# `nytprof import`: logs of ninja and files of clang's -ftime-trace as captures of builds, with all numbers known; and
# files that are none of these, or end early.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Build qw($NYTPROF in recorded);
use Tree qw(slurp spew);

my $dir = abs_path(tempdir(CLEANUP => 1));
my $EPOCH = 1_400_000_000;
local $ENV{TZ} = 'UTC';

# A file with that time of its last change.
sub file {
    my ($name, $text, $changed) = @_;
    my $path = "$dir/$name";
    make_path($path =~ s{/[^/]*\z}{}r);
    spew($path, $text);
    utime +($changed // $EPOCH) x 2, $path or die "$path: $!\n";
    return $path;
}

# What an import of these files prints, and its exit status.
sub import_of { my $run = in($dir, $NYTPROF, 'import', '-o', "$dir/x.build", @_); return @$run{qw(err status)} }

# The processes of the capture in their order, each "DEPTH COMMAND [BEGIN, END]" in milliseconds behind the first.
sub processes {
    my $process = recorded("$dir/x.build");
    my @all     = map { $process->{$_} } sort { $a <=> $b } keys %$process;
    my %depth   = (0 => 0);
    return [ map {
            $depth{ $_->{start} } = $depth{ $_->{parent} } + 1;
            my @ms = map { sprintf '%.4g', ($_ - 1) / 1e6 } @$_{qw(start end)};
            "$depth{ $_->{start} } @{ $_->{argv} } [$ms[0], $ms[1]]"
    } @all ];
}

# --- ninja ------------------------------------------------------------------------------------------------------------

my $log = "# ninja log v5\n" . join '', map { join("\t", @$_) . "\n" }
    [ 0, 40, 0, 'old.o', 'a' ],
    [ 0, 30, 1_400_000_000_000_000_000, 'a.o', 'c16cc94cec6900f4' ],
    [ 2, 50, -1, 'gen/x.c', 'ff' ], [ 2, 50, -1, 'gen/x.h', 'ff' ], [ 2, 50, 7, 'gen/x.c', 'ff' ],
    [ 2, 50, 0, "odd \xFF name", '9' ],
    [ 50, 90, 0, 'bin/tool', '10' ];
my $ninja = file('out/.ninja_log', $log);
my ($err, $status) = import_of($ninja);
is $status, 0, 'a log of ninja is imported';
like $err, qr/import: 1 lines of earlier builds are left out, --all has them\nnytprof: import: 5 processes in /,
    'the last build';
is_deeply processes(),
    [ '1 ninja [0, 90]', '2 *.o a.o [1e-06, 30]', '2 *.c gen/x.c gen/x.h [2, 50]', "2 * odd \xFF name [2, 50]",
    '2 * bin/tool [50, 90]' ],
    'with its times, and one process for the outputs of one command';
my ($tool) = grep { $_->{target} eq 'bin/tool' } values %{ recorded("$dir/x.build") };
is $tool->{directory}, "$dir/out", 'in the directory of the log';
like in($dir, $NYTPROF, 'build', '-t', 'x.build')->{out}, qr/^started +2014-05-13 16:53:19 .*\nduration +0\.090 s$/m,
    'the log was written when the build ended';
like in($dir, $NYTPROF, 'build', '-t', 'x.build')->{out}, qr/^seen by +another program, and imported\n(?!not seen)/m,
    'not by us';
is sprintf('%o', (stat "$dir/x.build")[2]), '100600', 'the capture is for its owner only';
($err, $status) = import_of('--all', $ninja);
is_deeply [ @{ processes() }[ 0 .. 3 ] ],
    [ '1 ninja [0, 40]', '2 *.o old.o [1e-06, 40]', '1 ninja [40, 130]', '2 *.o a.o [40, 70]' ],
    '--all: one build behind the other';
($err) = import_of(file('cut.log', $log =~ s/\t10\n\z//r));
like $err, qr/cut.log: the last entry has no end, and is left out$/m, 'a line that was being written is left out';
is scalar @{ processes() }, 4, 'and all others are there';
for my $version (6, 7) {
    ($err, $status) = import_of(file("v$version", $log =~ s/v5/v$version/r =~ s/\n/\r\n/gr));
    is_deeply [ $status, scalar @{ processes() } ], [ 0, 5 ], "version $version, with newlines of Windows";
}
my $same = slurp("$dir/x.build");
import_of("$dir/v7");
is slurp("$dir/x.build"), $same, 'two imports of a file are the same bytes';

# --- clang's -ftime-trace ---------------------------------------------------------------------------------------------

sub span {
    my ($ts, $dur, $name, $more) = @_;
    return qq({"pid":7,"tid":7,"ph":"X","ts":$ts,"dur":$dur,"name":"$name"$more});
}
my $began = ($EPOCH - 10) * 1_000_000;
my $trace = '{"traceEvents":[' . join(',',
    span(1200, 500, 'Source', ',"args":{"detail":"/a \\"b\\"\\u00e9\\ud83d\\ude00.h"}'),
    span(1000, 1000.5, 'Frontend', ',"x":[1,{"y":[]},null]'), span(2100, 900, 'CodeGen Function', ''),
    span(1000, 2000, 'ExecuteCompiler', ''), span(0, 2000, 'Total Frontend', ''),
    '{"ph":"M","name":"process_name","ts":0,"args":{"name":"clang"}}')
    . qq(],\n"beginningOfTime":$began}\n);
my $alone = file('t/b.json', $trace);
($err, $status) = import_of($alone);
is_deeply processes(),
    [ "1 clang $alone [0, 2]", '2 ExecuteCompiler [1e-06, 2]', '3 Frontend [2e-06, 1.001]',
    "4 Source /a \"b\"\xC3\xA9\xF0\x9F\x98\x80.h [0.2, 0.7]", '3 CodeGen-Function [1.1, 2]' ],
    'phases are below the compiler, those inside others below these';
my $beside = file('out/a.json', $trace);
($err, $status) = import_of($beside, $ninja);
is_deeply [ grep {/^[23456] /} @{ processes() } ]->[1], '3 ExecuteCompiler [2e-06, 2]',
    'or below the process that made the object beside the file, moved into its time';
like in($dir, $NYTPROF, 'build', '-t', 'x.build')->{out}, qr/^ExecuteComp +1 /m, 'they are classes';

# --- captures ---------------------------------------------------------------------------------------------------------

rename "$dir/x.build", "$dir/first.build" or die;
import_of("$dir/first.build");
my @two = map { in($dir, $NYTPROF, 'build', $_)->{out} } qw(first.build x.build);
is $two[1], $two[0], 'a copy of a capture says the same';
import_of("$dir/first.build", file('out/gen/x.json', $trace));
is scalar @{ processes() }, 9 + 4, 'or more, with a file of clang';

# --- what is no such file ---------------------------------------------------------------------------------------------

unlink "$dir/x.build";
my $n = 0;
for my $case (
    [ "# ninja log v4\n", qr/:1: expected '# ninja log v5', 6 or 7, got '# ninja log v4'$/ ],
    [ '# ninja log v5', qr/:1: expected '# ninja log v5', 6 or 7, got ''$/ ],
    [ "# ninja log v5\n1\t2\t3\ta\tb\nx\t2\t3\ta\tb\n", qr/:3: expected a begin in milliseconds and a tab, got 'x/ ],
    [ "# ninja log v5\n1\t2 \t3\ta\tb\n", qr/:2: expected an end in milliseconds and a tab/ ],
    [ "# ninja log v5\n1\t99999999999999999999\t3\ta\tb\n", qr/:2: expected an end in milliseconds/ ],
    [ "# ninja log v5\n3\t2\t3\ta\tb\n", qr/:2: expected an end that is not before the begin/ ],
    [ "# ninja log v5\n1\t2\t3\n", qr/:2: expected the time of the output and a tab/ ],
    [ "# ninja log v5\n1\t2\t3\ta\n", qr/:2: expected the name of an output and a tab/ ],
    [ "# ninja log v5\n1\t2\t3\ta\t\n", qr/:2: expected a digest of the command/ ],
    [ "CC=gcc\n", qr/:1: expected a log of ninja or .* or JSON of clang's -ftime-trace, got 'CC=gcc\\x0A'$/ ],
    [ '', qr/:1: expected a log of ninja/ ],
    [ "{}\n", qr/:1: expected an object of JSON with traceEvents/ ],
    [ "{\n\"traceEvents\":{}}", qr/:2: expected an array of trace events/ ],
    [ '{"traceEvents":[1]}', qr/:1: expected an object that is a trace event/ ],
    [ "{\"traceEvents\":[\n{\"ph\":\"X\",}]}", qr/:2: expected a name in quotes, got '\}\]\}'/ ],
    [ "{\"traceEvents\":[\n{\"ph\":\"X\"", qr/:2: expected a comma or \}, got ''/ ],
    [ '{"traceEvents":[{"ts":1e400}]}', qr/:1: expected a number of a time or process/ ],
    [ '{"traceEvents":[{"dur":99999999999999}]}', qr/:1: expected a number of a time or process/ ],
    [ '{"traceEvents":[]} x', qr/:1: expected the end of the file, got 'x'/ ],
    [ '{"a":"\\x"}', qr/:1: expected a character that may be behind a backslash/ ],
    [ "{\"a\":\"\n\"}", qr/:1: expected the end of a string/ ],
    [ '{"a":nul}', qr/:1: expected a value/ ],
    [ '{"a":-}', qr/:1: expected a number/ ],
    [ '{"a":' . '[' x 100_000, qr/:1: expected less depth/ ],
    [ "NYTProf capture 1\n", qr/: no processes of a build, expected a capture of `nytprof make`$/ ],
) {
    my ($text, $message) = @$case;
    my $path = file('bad.' . ++$n, $text);
    ($err, $status) = import_of($ninja, $path);
    like $err, qr/^nytprof: \Q$path\E$message/m, 'bad input: ' . ($text =~ s/[^ -~]/./gr =~ s/(.{40}).*/$1.../r);
    is_deeply [ $status >> 8, -e "$dir/x.build" ? 'is there' : 'none' ], [ 1, 'none' ], 'and nothing is written';
}
for my $case ([ [], qr/^nytprof: import: expected FILE\.\.\. / ],
    [ [ '-' ], qr/^nytprof: import: standard input is no file to import/ ],
    [ [ '-o', "$dir/first.build", "$dir/first.build" ], qr/^nytprof: import: cannot write to .*, which is to be read/ ],
    [ [ '-o', '-', $ninja ], qr/^nytprof: import: expected the name of a file, got '-'/ ]) {
    ($err, $status) = import_of(@{ $case->[0] });
    like $err, $case->[1], "import @{ $case->[0] }";
    is $status >> 8, 2, 'is a wrong call';
}
is_deeply [ glob "$dir/x.build*" ], [], 'no file is left behind';

# Each beginning of the files: an error with a line, or a capture.
for my $text ($log, $trace) {
    for my $length (map { 23 * $_ } 1 .. length($text) / 23) {
        ($err, $status) = import_of(file('part', substr $text, 0, $length));
        next if $status == 0 || ($status >> 8 == 1 && $err =~ /^nytprof: \Q$dir\E\/part:\d+: expected [^\n]+\n\z/);
        fail "cut after $length bytes: $status $err";
    }
}

done_testing;
