# SPDX-License-Identifier: MIT
# A report on programs in several languages: each file's page has its language's words, comments and main program.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text u);
use Lua qw(lua luas);
use LuaCapture qw(numbers texts);
use PageData qw(page_data);
use Pages qw(broken_links pages text_of);
use Ruby qw(ruby why_not);
use Run qw(captures_in);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);

# Of a program /app/NAME: line 2 is the sub that line 3 calls, which calls one in C.
sub capture {
    my ($name, $front_end, $source, $sub, $in_c, @properties) = @_;
    my $start   = numbers(1, 0, 17e17) . i(0) . numbers(10**9, 1) . i(1001);
    my @records = (
        record(1, $start, texts('fake', $name, $name)),
        (map { record(5, texts(@$_)) } @properties),
        record(7,  numbers(1, 0, 0, 0, 0, 0), texts("/app/$name")),
        record(8,  numbers(1, 1),             texts($source)),
        record(10, numbers(1, 0, 1, 2, 2, 1), texts($sub,  '')),
        record(10, numbers(2, 1, 0, 0, 0, 1), texts($in_c, '')),
        record(11, numbers(1, 1, 2, 2, 2, 2, 1, 3, 3, 3)),
        record(12, numbers(1, 0, 2, 1, 2, 1, 1, 2)),
        record(13, map { u($_), i(1), i(50) } 1, 2),
        record(14, u(0), i(0), i(50), u(1), i(1), i(30), u(2), i(1), i(20)),
        record(15, map { i(0) } 1 .. 6), record(24, numbers(0, 1)),
    );
    return chunk(join('', @records), front_end => $front_end, pid => 100 + ord $name);
}

my $PERL = capture('perl-part', 1, "# told\nsub f { g() }\nf();\n-- no\n% no\n", 'Some::Pack::f', 'Other::g');
my $LUA  = capture('lua-part', 2, "-- told\nfunction f() g() end\nf()\n# no\n% no\n", 'f', 'string.g');
my $TOY  = capture(
    'toy-part', 0, "% told\n: f g ;\nf\n# no\n-- no\n", 'word in Heap#f', 'Stack.g',
    [ root  => '(top)' ], [ comment => '%' ], [ packages => '#.' ],
    [ words => 'sub=verb;subs=verbs;Sub=Verb;Subs=Verbs;statement=step;statements=steps;Statements=Steps;in_c=built in'
            . ';package=<b>bad</b>;from=tomorrow' ],
);

# { page => HTML } of the captures' report.
sub report {
    my ($name, @chunks) = @_;
    spew("$dir/$name.out", join '', text(program => $name), @chunks);
    return html($name, "$dir/$name.out");
}

sub html {
    my ($name, @captures) = @_;
    my (undef, $err, $exit) = nytprof('html', '-o', "$dir/$name", @captures);
    is "$exit $err", '0 ', "$name: html runs";
    my $pages = pages("$dir/$name");
    is_deeply [ broken_links($pages) ], [], 'its links lead somewhere';
    return $pages;
}

sub page_of {
    my ($pages, $name) = @_;
    my ($page) = grep {/\Q$name\E-\d+-line\.html$/} keys %$pages;
    return $pages->{$page};
}

sub comments { my ($page) = @_; return [ $page =~ /<td class=c>([^<\n]*)/g ] }

my $mixed = report('mixed', $PERL, $LUA, $TOY);
my %page  = map { ($_ => page_of($mixed, "$_-part")) } qw(perl lua toy);
is_deeply comments($page{perl}), ['# told'],  'comments of Perl in a file of Perl';
is_deeply comments($page{lua}),  ['-- told'], 'of Lua in a file of Lua, whatever its name';
is_deeply comments($page{toy}),  ['% told'],  'and what another front end calls one in its own';

my %text = map { ($_ => text_of($page{$_})) } keys %page;
like $text{perl}, qr/2 statements \W+ \d subs?\b.*Statements/s, 'words of Perl';
like $text{lua}, qr/2 lines run \W+ \d functions?\b.*Lines run/s, 'words of Lua';
like $text{toy}, qr/2 steps \W+ \d verbs?\b.*Steps/s, 'words that the front end brings';
like $text{perl}, qr/by main::RUNTIME, /, 'the main program of Perl';
like $text{lua}, qr/by \(host\), /, 'the host of Lua';
like $text{toy}, qr/by \(top\), /, 'and the name that the front end gives it';

my $others = text_of($mixed->{'subs-xs.html'});
like $others, qr/Other::g .* xsub/, 'code in C, in words of Perl';
like $others, qr/string\.g .* C function/, 'of Lua';
like $others, qr/Stack\.g .* built in/,  'and of another';
like $others, qr/\bHeap\b.*\bSome::Pack\b.*\bStack\b|\bSome::Pack\b.*\bHeap\b/s, 'packages by the rules of each';
like text_of($mixed->{'index.html'}), qr/6 statements 6 function calls 6 functions\b/, 'the index suits all';

my %package = map { ($_->{name} => $_->{package}) } @{ page_data($mixed->{'data.js'})->{subs} };
is_deeply [ @package{ 'word in Heap#f', 'Stack.g', 'Some::Pack::f' } ], [qw(Heap Stack Some::Pack)],
    'on the index page, too, wherever in its name a sub has its package';

# Each language has a main program of its own, whichever comes first.
my @paths = sort '(host) 50', '(host);f 30', '(host);f;string.g 20', '(top) 50', '(top);word in Heap#f 30',
    '(top);word in Heap#f;Stack.g 20', 'main::RUNTIME 50', 'main::RUNTIME;Some::Pack::f 30',
    'main::RUNTIME;Some::Pack::f;Other::g 20';
for my $order ([ $PERL, $LUA, $TOY ], [ $TOY, $LUA, $PERL ], [ $LUA, $PERL, $TOY ]) {
    my ($folded) = nytprof('folded', \join '', text(program => 'mixed'), @$order);
    is_deeply [ sort split /\n/, $folded ], \@paths, 'paths of each language begin with its main program';
}
my ($folded) = nytprof('folded', \join '', text(program => 'lua'), $LUA, $LUA =~ s/lua-part/lua-more/gr);
unlike $folded, qr/RUNTIME/, 'those of one language with the same one';

# Files of one name in two languages are two.
my $same = report('same', map { capture('same', @$_) } [ 1, "# told\nsub f {}\nf();\n", 'main::f', 'g' ],
    [ 2, "-- told\nfunction f() end\nf()\n", 'f', 'g' ]);
is_deeply [ sort map { @{ comments($same->{$_}) } } grep {/same-\d+-line/} keys %$same ], [ '# told', '-- told' ],
    'files of one name in two languages are two';

my $toy = report('toy', $TOY);
like text_of($toy->{'index.html'}), qr/2 steps 2 function calls 2 verbs/, 'a report on one language has its words only';
unlike join('', values %$toy), qr/<b>bad|tomorrow/, 'a word that would need escaping is none, nor is an unknown one';

SKIP: {
    skip why_not(), 4 if why_not();
    my $run = ruby("# told\ndef f\n  [3].first\nend\nf\n=begin\n% no\n=end\n");
    my $ruby = html('ruby', "$dir/mixed.out", map {"$run->{dir}/$_"} captures_in($run->{dir}));
    my $page = page_of($ruby, 'prog-rb');
    is_deeply comments($page), ['# told'], 'Ruby: comments';
    like text_of($page), qr/lines run \W+ 1 method\b.*by <main>, /s, 'words and main program';
}

my ($luas, $no_lua) = luas();
SKIP: {
    skip $no_lua, 3 if !@$luas;
    my $run = lua($luas->[0], "-- told\nprint(1)\n");
    spew("$dir/perl.out", text(program => 'perl'), $PERL);
    my $lua = html('lua', "$dir/perl.out", map {"$run->{dir}/$_"} captures_in($run->{dir}));
    like text_of(page_of($lua, 'prog-lua')), qr/1 call by \(host\), no known line/, 'a host that calls from no file';
}

done_testing;
