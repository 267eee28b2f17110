# SPDX-License-Identifier: MIT
# Verbs of others: executables in PATH and Perl classes, the examples of both, and what becomes of bad ones.
use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Pages qw(fixtures);
use Tree qw(slurp spew);

my $TOP     = "$FindBin::Bin/..";
my $dir     = tempdir(CLEANUP => 1);
my $capture = fixtures() . '/calls.out';
local $ENV{PATH} = "$dir/bin:$ENV{PATH}";
local $ENV{PERL5LIB} = join ':', "$dir/lib", $ENV{PERL5LIB} // ();
make_path("$dir/bin", "$dir/lib/Devel/NYTProf/Report", "$dir/more/Devel/NYTProf/Report");

# --- the examples -----------------------------------------------------------------------------------------------------

my $examples = "$TOP/examples/plugins";
my $class    = 'Devel/NYTProf/Report/Slowest.pm';
spew("$dir/bin/nytprof-busiest", slurp("$examples/nytprof-busiest"));
spew("$dir/more/$class",         slurp("$examples/$class"));
chmod 0755, "$dir/bin/nytprof-busiest" or die "chmod: $!\n";
my ($out, $err, $exit) = nytprof('busiest', $capture);
like $out, qr/\A(?: *\d+ \S.*\n)+\z/, 'an executable reads json, which this command makes for it';
is "$err$exit", '0', 'without a complaint';
my @calls = $out =~ /^ *(\d+)/mg;
is_deeply \@calls, [ sort { $b <=> $a } @calls ], 'in its order';
my @slowest = ('slowest', '--plugin-dir', "$dir/more");
($out, $err, $exit) = nytprof(@slowest, $capture);
like $out, qr/\A(?: *[\d.]+ \S.*\n)+\z/, 'a class reads a profile as Perl data';
is "$err$exit", '0', 'without a complaint';
my ($first) = $out =~ /\A(.*\n)/;
is +(nytprof(@slowest, $capture, 1))[0], $first, 'and gets arguments';
is +(nytprof(@slowest, '-f', $capture, '--', 1))[0], $first, 'behind -- as well';
is +(nytprof(@slowest, '-o', "$dir/there", $capture))[0] . slurp("$dir/there"), $out, '-o';
my ($lines) = slurp("$examples/$class") =~ /^sub report \{\n(.*?)^}/ms;
cmp_ok $lines =~ tr/\n//, '<=', 10, 'the report is ten lines';
my $manual = join '', map { slurp("$TOP/$_") } 'bin/nytprof.pod', 'lib/Devel/NYTProf/Report.pm';
my @example = grep {/\S/} map { s/^ +//r } split /\n/, slurp("$examples/nytprof-busiest") =~ s/\A.*?(?=^open)//msr;
is_deeply [ grep { index($manual, $_) < 0 } @example ], [], 'the manual has the example as it is';

# --- what they get ----------------------------------------------------------------------------------------------------

spew("$dir/bin/nytprof-tell", "#!/bin/sh\nprintf '%s|' \"\$NYTPROF_COMMAND\" \"\$@\"\nexit 7\n");
chmod 0755, "$dir/bin/nytprof-tell" or die "chmod: $!\n";
for my $case (
    [ [ $capture, '-n', 5 ], "$capture|-n|5|" ],
    [ [ '-f', $capture, 'x' ], "$capture|x|" ],
    [ [ "-f$capture",      'x' ], "$capture|x|" ],
    [ [ "--file=$capture", 'x' ], "$capture|x|" ],
    [ [ '-', 'x' ], '-|x|' ],
    [ ['--help'], '--help|' ],
) {
    my ($arguments, $got) = @$case;
    ($out, $err, $exit) = nytprof('tell', @$arguments);
    is $out =~ s/\A[^|]*\|//r, $got, "tell @$arguments: the capture, and the rest";
    is $exit, 7, 'its exit code is that of the command';
}
like +(nytprof('tell', '-'))[0], qr{\A/[^|]*/build/nytprof\|}, 'it learns where this command is';
is +(nytprof('help', 'tell'))[0] =~ s/\A[^|]*\|//r, '--help|', 'help asks it';
is_deeply [ (nytprof('tell', "$dir/none"))[ 1, 2 ] ], [ "nytprof: $dir/none: No such file or directory\n", 1 ],
    'a capture that is not there is told before it runs';

# --- bad ones ---------------------------------------------------------------------------------------------------------

sub class {
    my ($name, $body) = @_;
    spew("$dir/lib/Devel/NYTProf/Report/$name.pm", "package Devel::NYTProf::Report::$name;\n$body\n1;\n");
    return;
}

class(Dies       => 'sub api { 1 } sub report { print "half"; die "it is broken\nand more\n" }');
class(Says_None  => 'sub api { 1 } sub report { return }');
class(Exits      => 'sub api { 1 } sub report { print "half"; exit 0 }');
class(NewApi     => 'sub api { 2 } sub report { print "new" }');
class(NoApi      => 'sub report { print "old" }');
class(NoSyntax   => 'sub {');
class(Plain      => 'sub api { 1 } sub report { print "plain\n" }');
my $base = 'Devel::NYTProf::Report';
for my $case (
    [ 'dies',      'dies: it is broken' ],
    [ 'says-none', "says-none: ${base}::Says_None printed nothing" ],
    [ 'exits',     'exits: the report ended the process' ],
    [ 'newapi',    "newapi: ${base}::NewApi is for version 2 of the interface, expected 1" ],
    [ 'no_api',    "no_api: ${base}::NoApi has no method api, expected one that returns 1" ],
) {
    my ($name, $message) = @$case;
    is_deeply [ nytprof($name, $capture) ], [ '', "nytprof: $message\n", 1 ], $message;
}
($out, $err, $exit) = nytprof('nosyntax', $capture);
ok $out eq '' && $err =~ /\Anytprof: nosyntax: [^\n]+\n\z/ && $exit == 1,
    'a class that is no Perl: one line, exit code 1';
is +(nytprof('Plain', $capture))[0], "plain\n", 'a plain print is fine, and so is another case';
is_deeply [ nytprof('plain', "$dir/none") ], [ '', "nytprof: plain: $dir/none: No such file or directory\n", 1 ],
    'no capture';
is +(nytprof('plain', '--loud', $capture))[2], 2, 'an option that there is not';
is +(nytprof('../plain', $capture))[2], 2, 'a path is no name';
spew("$dir/bin/nytprof-gone", "#!$dir/no/such/interpreter\n");
chmod 0755, "$dir/bin/nytprof-gone" or die "chmod: $!\n";
is_deeply [ (nytprof('gone', $capture))[ 1, 2 ] ],
    [ "nytprof: cannot run $dir/bin/nytprof-gone: No such file or directory\n", 1 ], 'an executable that cannot run';

# --- the list ---------------------------------------------------------------------------------------------------------

($out) = nytprof('list');
like $out, qr{^Plugins:\n(?:  .*\n)*  busiest     \Q$dir\E/bin/nytprof-busiest\n}m, 'the list has executables';
spew("$dir/bin/nytprof-MyTool", "#!/bin/sh\n");
chmod 0755, "$dir/bin/nytprof-MyTool" or die "chmod: $!\n";
like +(nytprof('list'))[0], qr{^  MyTool      \Q$dir\E/bin/nytprof-MyTool$}m, 'with names by which they are found';
unlink "$dir/bin/nytprof-MyTool";
make_path("$dir/more/bin");
for my $twice ("$dir/more/bin/nytprof-busiest", "$dir/bin/nytprof-plain") {
    spew($twice, "#!/bin/sh\n");
    chmod 0755, $twice or die "chmod: $!\n";
}
{
    local $ENV{PATH} = "$ENV{PATH}:$dir/more/bin:$dir/bin";
    my @lines = (nytprof('list'))[0] =~ /^  (?:plain|busiest) .*$/mg;
    is_deeply \@lines, [ "  busiest     $dir/bin/nytprof-busiest", "  plain       $dir/bin/nytprof-plain" ],
        'each name once, with what runs';
}
unlink "$dir/bin/nytprof-plain" or die "unlink: $!\n";
like $out, qr{^  plain       Devel::NYTProf::Report::Plain$}m, 'and classes';
spew("$dir/bin/nytprof-csv", "#!/bin/sh\n");
chmod 0755, "$dir/bin/nytprof-csv" or die "chmod: $!\n";
unlike +(nytprof('list'))[0], qr/nytprof-csv/, 'a verb hides an executable of its name';
spew("$dir/lib/Devel/NYTProf/Report/Flat.pm", "package Devel::NYTProf::Report::Flat;\n1;\n");
unlike +(nytprof('list'))[0], qr/Report::Flat/, 'and a class of its name, in other letters';
unlink "$dir/lib/Devel/NYTProf/Report/Flat.pm";
is_deeply [ (nytprof('sing'))[ 1, 2 ] ], [ "nytprof: no verb 'sing'; there are:\n\n$out", 2 ],
    'a name of nothing prints the list, exit code 2';

done_testing;
