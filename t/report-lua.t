# SPDX-License-Identifier: MIT
# Reports on a program in Lua speak of functions and chunks; one on programs in both languages in words for both.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text u);
use LuaCapture qw(lua_capture numbers texts);
use Pages qw(broken_links fixtures pages text_of);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);

# Each page of the captures' HTML report, as a reader sees it: text, titles and labels.
sub report {
    my ($name, @captures) = @_;
    spew("$dir/$name.out", join '', @captures);
    my (undef, $err, $exit) = nytprof('html', '-o', "$dir/$name", "$dir/$name.out");
    is "$exit $err", '0 ', "$name: html runs";
    my $pages = pages("$dir/$name");
    is_deeply [ broken_links($pages) ], [], 'its links lead somewhere';
    return { map { ($_ => seen($pages->{$_})) } grep {/\.html$/} keys %$pages };
}

sub seen {
    my ($page) = @_;
    my @hidden = $page =~ /\b(?:title|aria-label|data-filter)="?([^">]*)/g;
    $page =~ s{<style.*?</style>}{}sg;
    return join ' ', text_of($page), @hidden;
}

# "page: word" of every word that only people who write Perl know. Source, which is the program's own, comes without.
sub perl_words {
    my ($pages) = @_;
    my @found;
    for my $page (sort keys %$pages) {
        my $text = $pages->{$page} =~ s/Devel::NYTProf//gr;
        push @found, map {"$page: $_"} $text =~ /\b(subs?|statements?|xsub|evals?|perl|packages?|main::\w+)\b/gi;
    }
    return @found;
}

my $lua  = lua_capture();
my $perl = slurp(fixtures() . '/calls.out');

# --- Lua --------------------------------------------------------------------------------------------------------------

my $pages = report('lua', $lua);
is_deeply [ perl_words($pages) ], [], 'no page uses words of Perl';
my $index = $pages->{'index.html'};
like $index, qr/6 lines run 5 function calls 3 functions 1 file 1 loaded chunk\b/, 'the index counts functions';
like $index, qr/All modules\./, 'lists them';
like $index, qr/Calls Places Files Self % Total Per call Function/, 'under that name';
like $index, qr/Lines run Time % Functions Chunks File/, 'and files with their chunks';
my $source = $pages->{'app-prog-lua-1-line.html'};
like $source, qr/Lines run and time by line block function/, 'a page of source has a level for functions';
like $source, qr/1 line run of loaded chunk =made/, 'shows chunks where they were run';
like $source, qr/\(host\), prog\.lua:5/, 'and that the host called the main chunk';
like $pages->{'made-2-line.html'}, qr/A loaded chunk, run at .*prog\.lua/, 'the page of a chunk says where it was run';
like $pages->{'subs-xs.html'}, qr/2 modules .*Functions Calls Self % Module .*string .*string\.rep .*C function/,
    'functions written in C are listed by library';

# The recorder folds recursion in Lua: how deep it was, and how long, is not known; how often is.
my $start  = numbers(1, 0, 17e17) . i(0) . numbers(10**9, 1) . i(1001);
my @begin  = (record(1, $start, texts('fake', 'x', 'Lua')), record(7, numbers(1, 0, 0, 0, 0, 0), texts('=x.lua')));
my $folded = join '', @begin,
    record(8, numbers(1, 1), texts("function f(n) return n > 0 and f(n - 1) end f(50)\n")),
    record(10, numbers(1, 0, 1, 1, 1, 1), texts('f', '')), record(11, numbers(1, 1, 1, 1, 1)),
    record(12, numbers(1, 0, 1, 1, 2, 1, 1, 1)), record(13, u(1), i(51), i(100)),
    record(14, u(1), i(1), i(100), u(2), i(1972), i(0));
my $recursion = report('recursion', text(program => 'x') . chunk($folded, front_end => 2));
my $said = join ' ', map { $recursion->{$_} } sort keys %$recursion;
like $said, qr/ f recurses: 1,972 nested calls /, 'a function that calls itself says how often';
like $said, qr/ 1,972 calls by f, line 1 , recursion, part of an outer call /, 'so do its callers';
like $said, qr/ 1,972 calls to f , recursion, part of an outer call /,         'and the line that calls it';
unlike $said, qr/depth \d|nested 0 s/,                                        'none says how deep';
unlike $said, qr/\b0 s (?:in 1,972|each, rec|nested)/,                         'or that it took no time';

# Code without debug information is at line 0 of a file whose source nobody knows.
my $stripped = join '', @begin, record(8, numbers(1, 1), texts("return 1\n")),
    record(11, numbers(1, 1, 0, 0, 0)), record(13, u(1), i(1), i(100));
spew("$dir/stripped.out", text(program => 'x') . chunk($stripped, front_end => 2));
for my $options ([], ['--single'], ['--compat-pages']) {
    my (undef, $err, $exit) = nytprof('html', @$options, '-o', "$dir/stripped@$options", "$dir/stripped.out");
    is "$exit$err", '0', "code without lines has a report: html @$options";
}

my @said = map { slurp($_) =~ /(['`](?:\w+ )*(?i:subs?)(?: [\w,]+)*['`])/g } glob "$FindBin::Bin/../html/app/*.mjs";
is_deeply [ grep {/^.[A-Z]| /} @said ], [], 'nor does the script of the index';

is +(nytprof('folded', \$lua))[0], <<'END', 'folded stacks begin with the host';
(host) 50
(host);outer 15
(host);outer;inner 20
(host);outer;inner;inner 10
(host);outer;string.rep 5
END
my ($callgrind) = nytprof('callgrind', '-o', '-', \$lua);
like $callgrind, qr/^fl=.*\nfn=\(\d+\) \(host\)\n5 40 1\n/m, 'callgrind has the host, too';
like $callgrind, qr/^summary: 100 6$/m, 'and all of the time';
my (undef, $err, $exit) = nytprof('csv', '-o', "$dir/csv", \$lua);
is "$exit $err", '0 ', 'csv runs';
is_deeply [ sort keys %{ pages("$dir/csv") } ], [qw(=made-2-line.csv app-prog-lua-1-line.csv)], 'a file per chunk';
my ($info) = nytprof('info', \$lua);
like $info, qr/^interpreter  Lua 5\.4$/m, 'info names the interpreter';

# --- both, and Perl alone ---------------------------------------------------------------------------------------------

$pages = report('both', $perl, $lua);
$index = $pages->{'index.html'};
like $index, qr/statements \d+ function calls \d+ functions \d+ files \d+ evals and chunks/, 'words for both';
like $index, qr/ 2 processes Start .*main\.pl.*prog\.lua/, 'both programs';
like $index, qr/inner .*Foo::Bar::new|Foo::Bar::new .*inner/, 'and what they called';
my ($out) = nytprof('merge', '-o', "$dir/merged.out", map {"$dir/$_"} 'lua.out', 'both.out');
like +(nytprof('folded', "$dir/merged.out"))[0], qr/^\(host\);outer;inner 20$/m,
    'what is in two merged files counts once';

$pages = report('perl', $perl);
like $pages->{'index.html'}, qr/statements \d+ sub calls \d+ subs/, 'a report on Perl has words of Perl';

done_testing;
