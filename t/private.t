# SPDX-License-Identifier: MIT
# What is private stays so: reports have the permissions of the profile, or those that are asked for; and a spreadsheet
# runs nothing that a profile says.
use strict;
use warnings;

use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds qw(small);
use Capture qw(chunk i nytprof record text u);
use Pages qw(fixtures run);
use Tree qw(slurp spew);

my $TOP = "$FindBin::Bin/..";
my $dir = tempdir(CLEANUP => 1);
umask 022;

sub mode_of { my ($path) = @_; return sprintf '%o', (stat $path)[2] & oct 7777 }

# The permissions of a path and of all files in it.
sub modes_of {
    my ($path) = @_;
    my %mode = map { (mode_of($_) => 1) } -d $path ? grep {-f} glob "$path/{,.}*" : $path;
    return join ' ', -d $path ? 'directory ' . mode_of($path) : 'file', sort keys %mode;
}

# --- permissions ------------------------------------------------------------------------------------------------------

my @verbs = (nytprof('list'))[0] =~ /^  (\w+) /mg;
my %help  = map { ($_ => (nytprof('help', $_))[0]) } @verbs;
my @writers = grep { $_ !~ /^(?:run|attach|make)$/ && $help{$_} =~ /-o, --out/ } @verbs;
cmp_ok scalar @writers, '>=', 18, 'verbs that write files';
is_deeply [ grep { $help{$_} !~ /^ +--mode MODE /m } @writers ], [], 'all have --mode';

for my $name (qw(private shared)) { copy(fixtures() . '/calls.out', "$dir/$name.out") or die "$name: $!\n" }
chmod 0600, "$dir/private.out";
chmod 0664, "$dir/shared.out";
for my $name (qw(private shared)) { spew("$dir/$name.lines", (nytprof('folded', "$dir/$name.out"))[0]) }
chmod 0600, "$dir/private.lines";
chmod 0664, "$dir/shared.lines";

for my $name (qw(private shared)) { spew("$dir/$name.log", "# ninja log v5\n0\t5\t0\tout\tabc\n") }
chmod 0600, "$dir/private.log";
chmod 0664, "$dir/shared.log";

for my $name (qw(private shared)) { spew("$dir/$name.build", small()) }
chmod 0600, "$dir/private.build";
chmod 0664, "$dir/shared.build";

my %INPUT = (flamegraph => 'lines', import => 'log', diff => 'build');
for my $verb (@writers) {
    my $input = $INPUT{$verb} // 'out';
    my $try = sub {
        my ($kind, @way) = @_;
        my $out = "$dir/$verb." . ++$main::number;
        my @ahead = $verb eq 'callers' ? 'main' : $verb eq 'diff' ? "$dir/$kind.$input" : ();
        my (undef, $err, $exit) = nytprof($verb, '-o', $out, @way, @ahead, "$dir/$kind.$input");
        $err =~ s/^nytprof: import: 2 processes in .*\n//;
        is "$exit$err", '0', "$verb @way, $kind" if $kind;
        return modes_of($out);
    };
    my ($private, $shared, $open) = $help{$verb} =~ /--out DIR/
        ? ('directory 700 600', 'directory 755 644', 'directory 775 664') : ('file 600', 'file 644', 'file 664');
    is $try->('private'), $private, "$verb: as private as the profile";
    is $try->('shared'), $verb =~ /^(?:merge|import)$/ ? $private : $shared, 'as open, as far as the umask allows';
    is $try->('private', '--mode', '0664'), $open, 'or as is asked for';
}
is +(nytprof('flat', "--mode=$_"))[1], "nytprof: flat: --mode: expected an octal number from 0 to 777, got '$_'"
    . " (see `nytprof help flat`)\n", "no mode: $_" for '', 'rw', '8', '1000', '-1';
is_deeply [ (nytprof('merge', '-o', "$dir/both", map {"$dir/$_.out"} qw(private shared)))[2], modes_of("$dir/both") ],
    [ 0, 'file 600' ], 'a merged profile is private';
is +(nytprof('flat', '-o', "$dir/two", map {"$dir/$_.out"} qw(private shared)))[2], 0, 'a report of several files';
is modes_of("$dir/two"), 'file 600', 'is as private as the most private one';
run('/bin/sh', '-c', "cat $dir/shared.out | $TOP/build/nytprof flat -o $dir/piped -; $TOP/build/nytprof flat "
    . "-o $dir/redirected - <$dir/shared.out");
is modes_of("$dir/piped"), 'file 600', 'and that of a pipe is private';
is modes_of("$dir/redirected"), 'file 644', 'standard input may be a file';
mkdir "$dir/there";
chmod 0751, "$dir/there";
nytprof('html', '-o', "$dir/there", "$dir/private.out");
is modes_of("$dir/there"), 'directory 751 600', 'a directory that exists stays as it is';
spew("$dir/once.json", '');
chmod 0666, "$dir/once.json";
nytprof('json', '-o', "$dir/once.json", "$dir/private.out");
is modes_of("$dir/once.json"), 'file 600', 'a file that is replaced was another one';

for my $row ([ nytprofhtml => 'directory 755 644' ], [ nytprofcsv => 'directory 755 644' ], [ nytprofcg => 'file 644' ],
    [ nytprofmerge => 'file 644' ]) {
    my ($tool, $open) = @$row;
    my @file = $tool eq 'nytprofmerge' ? "$dir/private.out" : ('-f', "$dir/private.out");
    run($^X, "$TOP/bin/$tool", '-o', "$dir/$tool.1", @file);
    is modes_of("$dir/$tool.1") =~ s/\d+/octal/gr, $open =~ s/\d+/octal/gr, "$tool writes";
    unlike modes_of("$dir/$tool.1"), qr/[^0]\d?$/, 'what is private';
    run($^X, "$TOP/bin/$tool", '-o', "$dir/$tool.2", '--mode', 644, @file);
    is modes_of("$dir/$tool.2"), $open, 'or as is asked for';
}
$ENV{PERL5LIB} = join ':', "$TOP/blib/lib", "$TOP/blib/arch";
mkdir "$dir/Devel";
mkdir "$dir/Devel/NYTProf";
mkdir "$dir/Devel/NYTProf/Report";
spew("$dir/Devel/NYTProf/Report/Own.pm",
    "package Devel::NYTProf::Report::Own; sub api {1} sub report { print 'x' } 1;\n");
for my $row ([ private => 'file 600' ], [ shared => 'file 644' ]) {
    my ($kind, $mode) = @$row;
    nytprof('own', '--plugin-dir', $dir, '-o', "$dir/own.$kind", '-f', "$dir/$kind.out");
    is modes_of("$dir/own.$kind"), $mode, "a plugin's report: $kind";
}

# --- csv for spreadsheets ---------------------------------------------------------------------------------------------

my @lines = ('=cmd|"/c calc"!A1', '+1', '-1', '@SUM(1)', "\rx", "\xEF\xBC\x9D1", 'say "a,b";', '  =pod', "\t\@x",
    q{'=x});
my $start = record(1, (map { u($_) } 1, 0, 17e17), i(0), u(1000), u(1), i(1001),
    map { Capture::s($_) } qw(fake x perl));
my $file  = record(7, (map { u($_) } 1, 0, 0, 0, 0, 0), Capture::s('/x.pl'));
my $source = record(8, u(1), u(1), Capture::s(join '', map {"$_\n"} @lines));
my $counts = join '', map { record(11, map { u($_) } $_, 1, $_, 0, 0), record(13, u($_), i(1), i(5)) } 1 .. @lines;
my $metric = record(35, (map { u($_) } 1, 1, 0), map { Capture::s($_) } 'allocs', '', 'Allocations');
my $capture = text() . chunk(join '', $start, $file, $source, $counts, $metric, record(15, map { i(0) } 1 .. 6),
    record(24, u(0), u(1)));
for my $way ([], ['--quote'], [ '--quote', '--delim', 'tab' ], [ '--quote', '--annotated' ]) {
    my $out = "$dir/csv" . ++$main::number;
    nytprof('csv', '-o', $out, @$way, \$capture);
    my ($page) = glob "$out/x-pl-1-line.csv";
    my @rows = grep { !/^#/ } split /\n/, slurp($page);
    my $between = $way->[2] ? "\t" : ',';
    my @cells = map { last_cell($_, $between) } @rows;
    my @plain = map { s/^[ \t]+//r } @lines;
    if (!@$way) { is_deeply [ map { (split /,/, $_, 5)[4] } @rows ], \@plain, 'csv: lines as they are'; next }
    is_deeply [ map { s/^'(?=[=+\-@\t\r']|\xEF\xBC)//r } @cells ], \@plain, "csv @$way: a reader has the same lines";
    is_deeply [ grep {/^(?:[=+\-@\t\r]|\xEF\xBC\x9D)/} @cells ], [], 'and no formula';
}

done_testing;

# The last cell of a row, by the grammar of RFC 4180; undef where it is not well-formed.
sub last_cell {
    my ($row, $between) = @_;
    my $cell = qr/"(?:[^"]|"")*"|[^"$between]*/;
    my ($text) = $row =~ /\A(?:$cell$between)*("(?:[^"]|"")*")\z/s or return;
    return $text =~ s/\A"|"\z//gr =~ s/""/"/gr;
}
