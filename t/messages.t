# SPDX-License-Identifier: MIT
# What can go wrong, and the one line that says so: which file or option, what is the matter, what was expected.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk nytprof record text);
use Pages ();
use Run qw(run);
use Tree qw(slurp spew);

my $dir     = tempdir(CLEANUP => 1);
my $NYTPROF = "$FindBin::Bin/../build/nytprof";
my $begun   = text(program => 'x') . chunk(record(6, Capture::s('a note')), end => 0);
my $whole   = text(program => 'x') . chunk(record(6, Capture::s('a note')) . record(24, Capture::u(0), Capture::u(1)));
my $newer   = text(program => 'x') . chunk(record(6, Capture::s('a note')), version => 2);
my $no_file = 'No such file or directory';

# --- the command ------------------------------------------------------------------------------------------------------

# [file's bytes or path, message]; @ stands for its name.
my @unreadable = (
    [ "$dir/none",                  "\@: $no_file" ],
    [ $dir,                         '@: Is a directory' ],
    [ \'',                          '@: not a profile capture: empty, expected "NYTProf capture 1"' ],
    [ \"<html>\n",                  '@: not a profile capture: begins with "<html>", expected "NYTProf capture 1"' ],
    [ \"NYTProf 4 0\n",             '@: profile format 4.0 is not supported, expected format 5' ],
    [ \$newer,                      '@: capture format 2, but this program reads format 1 only' ],
);
for my $verb (qw(html csv info dump)) {
    for my $row (@unreadable) {
        my ($input, $message) = @$row;
        my (undef, $err, $exit) = nytprof($verb, $input);
        my $name = ref $input ? 'capture' : $input;
        is $err, 'nytprof: ' . $message =~ s/\@/$name/r . "\n", "$verb: $message";
        is $exit, 1, 'and exit code 1';
    }
}

# Pages tell what there is to note about a profile; for what has no place for it standard error does.
my $UNTIMED = 'The rate of the clock is lost; times are shown as if it ticked in nanoseconds.';
for my $verb (qw(html csv)) {
    my (undef, $err, $exit) = nytprof($verb, '-o', "$dir/begun", \$begun);
    my $message = 'capture: an empty report: the program ended before anything of it was written';
    is_deeply [ $err, $exit ], [ "nytprof: $message\n", 1 ], "$verb: $message";
    (undef, $err, $exit) = nytprof($verb, '-o', "$dir/$verb", \$whole);
    my $notes = $verb eq 'html' ? '' : "nytprof: a note\nnytprof: $UNTIMED\n";
    is_deeply [ $err, $exit ], [ $notes, 0 ], "$verb: a program that was never profiled has an empty report";
}

for my $case (
    [ 'capture-perl.out', 300, qr/ is damaged: 99 bytes at offset 201 could not be read \(no chunk begins here\)\./ ],
    [ 'v5-plain.out', 400, qr/: Profile format error .*/ ],
) {
    my ($name, $length, $message) = @$case;
    spew("$dir/cut.out", substr slurp("$FindBin::Bin/data/$name"), 0, $length);
    my ($out, $err, $exit) = nytprof('flat', "$dir/cut.out");
    is "$out$exit", 1, "$name: of which nothing is left there is no report";
    like $err, qr/\Anytprof: \Q$dir\E\/cut\.out$message\n\z/, 'but a message about the damage';
}
for my $verb ('flat', 'dump') {
    my $command = "$NYTPROF $verb $FindBin::Bin/data/capture-perl.out >/dev/full";
    my (undef, undef, $err) = Pages::run('/bin/sh', '-c', $command);
    is $err, "nytprof: cannot write standard output: No space left on device\n", "$verb: a full disk";
}

# What a capture says is no order to the terminal, and no message of ours.
my $ESCAPES = "\e]0;title\a\nnytprof: all is well\x{9B}31m";
my $started = join '', map({ Capture::u($_) } 1, 0, 1, 0, 1000, 1), Capture::i(1001),
    map { Capture::s($_) } ($ESCAPES) x 3;
my $forged = text(program => 'x') . chunk(join '', record(1, $started), record(6, Capture::s($ESCAPES)),
    record(24, Capture::u(0), Capture::u(1)));
my $forged5 = "NYTProf 5 0\n" . join '', map {":$_=a\ec\a\n"} qw(application perl_version clock_id ticks_per_sec);
for my $row ([ info => \$forged ], [ info => \$forged5 ], map { [ $_, '-o', "$dir/forged.$_", \$forged ] }
    qw(csv callgrind dot folded html)) {
    my ($out, $err) = nytprof(@$row);
    unlike "$out$err", qr/[^\n -~]|^nytprof: all is well/m, "$row->[0]: control characters are told as text";
}

# [arguments, message, exit code]
spew("$dir/a.file", '');
my $either = "expected a capture as argument or with --file, got both 'b' and 'a'";
my @refused = (
    [ [ '--loud' ],                              "unknown option --loud",                                           2 ],
    [ [ 'help', 'csv', 'html' ],                 "help: expected one verb, got also 'html'",                        2 ],
    [ [ 'run', '' ],                             "run: expected PROGRAM..., got an empty name",                     2 ],
    [ [ 'info', '--loud' ],                      "info: unknown option --loud",                                     2 ],
    [ [ 'html', '--loud' ],                      "html: unknown option --loud",                                     2 ],
    [ [ 'html', '-dx' ],                         "html: unknown option -x",                                         2 ],
    [ [ 'csv', '--delete=now' ],                 "csv: unknown option --delete=now",                                2 ],
    [ [ 'csv', '--delim' ],                      "csv: option --delim needs a value",                               2 ],
    [ [ 'html', '-f' ],                          "html: option -f needs a value",                                   2 ],
    [ [ 'dump', 'a', 'b' ],                      "dump: expected one capture, got also 'b'",                        2 ],
    [ [ 'clocks', 'x' ],                         "clocks: expected no arguments, got 'x'",                          2 ],
    [ [ 'json', '--source-t', 'x' ],             "json: unknown option --source-t, expected --source-text in full", 2 ],
    [ [ 'html', '--flamew=9' ],                  "html: unknown option --flamew, expected --flamewidth in full",    2 ],
    [ [ 'flat', '--s', 'x' ],                    "flat: unknown option --s",                                        2 ],
    [ [ 'flat', '-f', 'a', 'b' ],                "flat: $either",                                                   2 ],
    [ [ 'info', '-f', 'a', 'b' ],                "info: $either",                                                   2 ],
    [ [ 'flat', '-o', '' ],                      "flat: --out: expected a name, got an empty one",                  2 ],
    [ [ 'flat', '--min-percent', 101 ],          "flat: --min-percent: expected a number from 0 to 100, got '101'", 2 ],
    [ [ 'flat', '--top', 'x' ], "flat: --top: expected a number from 1 to 4000000000, got 'x'", 2 ],
    [ [ 'run', '--compare', '1.5', 'a', '--', 'b' ], "run: --compare: expected a number from 1 to 100, got '1.5'", 2 ],
    [ [ qw(csv -o -), \$whole ], 'csv: standard output is no directory to write a report to', 2 ],
    [ [ 'html', '-o', "$dir/a.file", \$whole ],  "$dir/a.file is a file, not a directory to write a report to",     1 ],
    [ [ 'html', '-o', "$dir/a/b", \$whole ],     "cannot make directory $dir/a/b: $no_file",                        1 ],
);
for my $row (@refused) {
    my ($arguments, $message, $code) = @$row;
    my ($verb) = $message =~ /^(\w+):/;
    my $help = join ' ', 'nytprof help', $verb // ();
    my (undef, $err, $exit) = nytprof(@$arguments);
    is $err, $code == 2 ? "nytprof: $message (see `$help`)\n" : "nytprof: $message\n", $message;
    is $exit, $code, "and exit code $code";
}

# --- the profiler -----------------------------------------------------------------------------------------------------

# [NYTPROF, the first line on standard error, where perl has added " at FILE line N." to some]
my $cannot = 'NYTProf failed to open';
my @options = (
    [ 'file',             "NYTProf set_option: invalid option 'file', expected NAME=VALUE" ],
    [ 'file=x\\',         "NYTProf set_option: invalid option 'file=x\\', expected NAME=VALUE" ],
    [ 'nosuch=1',         "Unknown NYTProf option: 'nosuch'" ],
    [ 'start=soon',       "NYTProf set_option: option start cannot be 'soon', expected begin, init, end or no" ],
    [ 'overhead=some',    "NYTProf set_option: option overhead cannot be 'some', expected raw or corrected" ],
    [   'clock=wall',
        "NYTProf set_option: clock 'wall': neither a clock's name (see `nytprof clocks`) nor a number"
    ],
    [ 'compress=12',      'NYTProf: deflateInit2 failed: compress=12 is not between -1 and 9' ],
    [ 'log=/no/log:x=1',  "NYTProf: cannot open log '/no/log': $no_file" ],
    [ 'file=/no/x',       "$cannot '/no/x' for writing, error 2: /no/x: cannot be created: $no_file" ],
    [ 'file=/',           "$cannot '/' for writing, error 21: /: is a directory, left alone" ],
    [ 'file=/dev/full',   "$cannot '/dev/full' for writing, error 28: writing the capture: No space left on device" ],
);
for my $row (@options) {
    my ($nytprof, $message) = @$row;
    my ($first) = split /\n/, run('1;', env => { NYTPROF => $nytprof })->{err};
    is $first =~ s/ at \S+ line \d+\.\z//r, $message, "NYTPROF=$nytprof";
}

# --- building ---------------------------------------------------------------------------------------------------------

# A compiler for which one header is missing; Makefile.PL runs in a directory of its own.
sub makefile_pl {
    my ($header) = @_;
    my $at = tempdir(CLEANUP => 1);
    spew("$at/cc", qq{#!/bin/sh\nfor file; do case \$file in *.c) grep -q '$header' "\$file" && exit 1;; esac; done\n}
        . qq{exec cc "\$@"\n});
    chmod 0755, "$at/cc";
    return run(undef, command => [ 'sh', '-c', 'cp -R "$0"/Makefile.PL "$0"/bin "$0"/lib "$0"/xs . && exec "$@"',
        "$FindBin::Bin/..", $^X, 'Makefile.PL', "CC=$at/cc" ]);
}

my $apt = 'On Debian and Ubuntu: apt-get install';
my %built = map { ($_ => makefile_pl($_)) } 'zlib.h', 'libdeflate.h', 'igzip_lib.h', 'perl.h', 'int main';
is $built{'zlib.h'}{exit}, 0, 'without zlib.h it can be built';
like $built{'zlib.h'}{err},
    qr/^zlib\.h is missing \(Debian and Ubuntu: apt-get install zlib1g-dev\): captures will not be compressed\.$/m,
    'and what is lost is said';
is $built{'libdeflate.h'}{exit}, 0, 'without libdeflate.h it can be built';
like $built{'libdeflate.h'}{err},
    qr/^libdeflate\.h is missing \(Debian and Ubuntu: apt-get install libdeflate-dev\): zlib compresses, at twice/m,
    'and what is lost is said';
is $built{'igzip_lib.h'}{exit}, 0, 'without igzip_lib.h it can be built';
if (qx{uname -m} =~ /^(?:x86_64|aarch64)$/) {
    like $built{'igzip_lib.h'}{err},
        qr/^igzip_lib\.h is missing \(Debian and Ubuntu: apt-get install libisal-dev\): compressing takes twice/m,
        'and what is lost is said';
}
unlike makefile_pl('igzip_lib.h\|__x86_64__')->{err}, qr/igzip_lib/, 'but not for a processor without a package';
like $built{'perl.h'}{err}, qr/^perl\.h is missing or unusable in \S+\. $apt libperl-dev$/m, 'without perl.h';
like $built{'int main'}{err}, qr/^The C compiler '\S+' does not work\. $apt gcc make libc6-dev$/m, 'without a compiler';
isnt $built{$_}{exit}, 0, 'it cannot be built' for 'perl.h', 'int main';

done_testing;
