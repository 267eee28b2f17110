# SPDX-License-Identifier: MIT
# The HTML report: what its pages say and where their links lead.
use strict;
use warnings;

use Encode qw(decode FB_CROAK LEAVE_SRC);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Pages qw(broken_links fixtures pages run text_of);
use Tree qw(files slurp spew);

my $NYTPROF  = "$FindBin::Bin/../build/nytprof";
my $HTML     = "$FindBin::Bin/../html";
my $captures = fixtures();
my $dir      = tempdir(CLEANUP => 1);

my ($pages, $said) = report('calls');
like $said, qr{^The report is in \S+/calls/index\.html$}m, 'the command says where the report is';
is_deeply [ sort keys %$pages ],
    [ sort qw(
        index.html index-subs-excl.html index-subs-incl.html subs-xs.html
        style.css report.js app.css app.js data.js source.js find.js during.js dark.css theme.js
        app-main-pl-1-line.html Foo-Bar-pm-2-line.html eval-1-app-main-pl-9-3-line.html eval-3-app-main-pl-9-5-line.html
        app-gone-nowhere-pl-6-line.html all_stacks_by_time.svg all_stacks_by_time.calls flamegraph_subattr.txt
        subs-callgraph.dot packages-callgraph.dot
        ) ],
    'an index, lists of subs, one page per file, one for subs without one';
is_deeply [ broken_links($pages) ], [], 'every link leads somewhere, no id is there twice';

my $index = text_of($pages->{'index.html'});
my $counts = '27 statements 13 sub calls 8 subs 3 files 3 string evals';
like $index, qr{875 µs profiled 895 µs from start to end 1\.00 ms CPU $counts},
    'the index begins with the figures';
like $index,
    qr{Of 895 µs from start to end, 875 µs were the program's own\. The profiler itself took 18\.0 µs \(2\.01 %\)},
    'says how the time divides';
my $uses = ': 14.0 µs for its events, by what they cost in calibration, 0 s for noting what was new and for '
    . 'calibration itself, and 4.00 µs for writing.';
like $index, qr{\Q$uses}, 'and what the profiler used that for';
like $index, qr{clock fake \(10,000,000 ticks a second\)}, 'and what clock it was read from';
like $index, qr{ 3 2 1 60\.0 µs 6\.86 % 60\.0 µs 20\.0 µs main::recurs recurses: depth 2, nested 80\.0 µs },
    'a sub: calls, places, files, own time, share, inclusive time of the outermost call, depth';
like $index, qr{ 1 1 1 70\.0 µs \S+ % 70\.0 µs 70\.0 µs List::Util::sum xsub }, 'an xsub says that it is one';
like $index, qr{main::CORE:print opcode}, 'so does a built-in operator';
unlike $index, qr{Foo::Bar::never}, 'a sub that was never called is not on the index';
like $index, qr{ 27 875 µs Total of 3 files and 2 pages of string evals }, 'the files add up';
my ($listed) = $index =~ /( Self .*)/;
ok index($listed, 'Foo::Bar::xs') < index($listed, 'Foo::Bar::new'), 'most self time comes first';
like $pages->{'index-subs-incl.html'}, qr{<a href="index\.html#s=-inclusive">},
    'what was the list of subs by inclusive time leads to the table';
my $packages = text_of($pages->{'subs-xs.html'});
like $packages, qr{ 3 packages .* Subs Calls Self % Package 2 2 500 µs 57\.2 % Foo::Bar 5 10 },
    'a table of packages: subs, calls, time';
like $pages->{'subs-xs.html'}, qr{<a href=Foo-Bar-pm-2-line\.html#Foo__Bar__xs>Foo::Bar</a>},
    'which leads to the sub that took most';

for my $page ('app-main-pl-1-line.html', 'subs-xs.html') {
    like $pages->{$page}, qr{<script src=find\.js data-sub="sub" data-subs="subs" data-package="package" data-eval},
        "$page: names can be gone to, in the words of the language";
    unlike $pages->{$page}, qr{data\.js}, 'which are read when they are needed';
}

my $main = $pages->{'app-main-pl-1-line.html'};
is row($main, 8), '2 100 µs 2 70.0 µs recurs(3); ping(3);', 'a line: statements, time, calls, time in subs';
like $main, qr{<section id=3><h2><a href=\#3>main::recurs</a>}, 'a sub has a link to itself';
is row($main, 13), 'with line 12 && $ok) {', 'a line merged into another says so, without a count';
like $main, qr{<b>6</b>.*<b class=h5[^>]*>60\.0 µs</b>}, 'a block has the counts of its lines';
is_deeply [ $main =~ /id=(by-\w+)/g ], [qw(by-line by-block by-sub)], 'line, block and sub are on one page';
like $main, qr{<summary id=14>6 lines not run</summary><ol start=14><li>\}<li>\n},
    'lines that did not run are folded up';
like above($main, 3),
    qr{^ main::recurs 3–5 · 60\.0 µs self · 60\.0 µs total · 3 calls from 2 places in 1 file · 20\.0 µs each},
    'above a sub: how often it was called and what that took';
like above($main, 3),
    qr{80\.0 µs 50\.0 µs self 2 calls 40\.0 µs each by main::recurs, line 5 , .* depth 2, part of an outer call},
    'and by whom';
like below($main, 10), qr{70\.0 µs 1 call to List::Util::sum 10\.0 µs 1 call to main::CORE:print},
    'below a line: the subs it really called';
like below($main, 9), qr{4\.00 µs in 4 statements of 2 string evals like \(eval 1\)\[/app/main\.pl:9\]},
    'and the evals it ran';
like text_of($main), qr{Without Perl source.* main::CORE:print 10\.0 µs self},
    'what has no source is at the end';
like $main, qr{<article id=main__CORE_print>}, 'under the id that its name gives';
like text_of($pages->{'subs-xs.html'}),
    qr{List::Util List::Util::sum 70\.0 µs self · .* 1 call by main::RUNTIME, main\.pl:10 xsub},
    'or on its own page';
like text_of($pages->{'Foo-Bar-pm-2-line.html'}), qr{sub never \{ never called},
    'never called: on the source page';
my $gone = text_of($pages->{'app-gone-nowhere-pl-6-line.html'});
like $gone, qr{source is neither in the capture nor}, 'a file without source says so';
like $gone, qr{ 1 8\.00 µs }, 'and still shows its counts';

for my $capture (qw(empty zero)) {
    my ($nothing) = report($capture);
    is_deeply [ broken_links($nothing) ], [], "$capture: a report of nothing";
}
like text_of(slurp("$dir/empty/index.html")), qr{Process 4711 did not end cleanly}, 'what is missing is said on top';

my ($hostile) = report('hostile');
is_deeply [ broken_links($hostile) ], [], 'hostile names break no link';
my @html = grep {/\.html$/} sort keys %$hostile;
is_deeply [ grep { !eval { decode('UTF-8', $hostile->{$_}, FB_CROAK | LEAVE_SRC) } } @html ], [], 'every page is UTF-8';
is_deeply [ grep {/[^A-Za-z0-9_.-]/} keys %$hostile ], [], 'page names are plain';
my $ours = qr{ src="?\w+\.js"?(?: data-\w+="[\w ]+")*(?: defer)?>};
is_deeply [ grep { $hostile->{$_} =~ /<(?:img|script(?!$ours))/i } @html ], [],
    'no name becomes markup';
is_deeply [ grep { $hostile->{$_} =~ /[\x00-\x08\x0B-\x1F\x7F]/ } @html ], [], 'or a control character';
is_deeply [ grep { $hostile->{$_} !~ /http-equiv="?Content-Security-Policy"? content="default-src 'none'/ } @html ], [],
    'and nothing foreign could run or load';
my $unsafe = qr{innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(};
is_deeply [ grep { slurp($_) =~ $unsafe } map {"$HTML/$_"} files($HTML, qr{\.js$}) ], [],
    'no script makes markup from text';

is_deeply [ broken_links({ 'a.html' => '<p id=1><a href="#2">x</a><a href="b.html"><a href=#1><a href=#3>' }) ],
    [ 'a.html: #2', 'a.html: b.html', 'a.html: #3' ],
    'planted: the link checker finds broken links';

my ($status, $out, $err) = run($NYTPROF, 'html', '-o', "$dir/none", "$captures/nosuch.out");
is $status, 1, 'a capture that is not there: failure';
like $err, qr{^nytprof: .*nosuch\.out.*\n\z}, 'in one line';
ok !-e "$dir/none", 'and no directory is made';
spew("$dir/file", '');
($status, $out, $err) = run($NYTPROF, 'html', '-o', "$dir/file", "$captures/calls.out");
is $status, 1, 'a file in place of the directory: failure';
like $err, qr{is a file}, 'which is said';
is +(run($NYTPROF, 'html', '--nosuch'))[0], 2, 'a wrong option: usage';

mkdir "$dir/full";
($status, $out, $err) = run('/bin/sh', '-c', 'ulimit -f 8; trap "" XFSZ; exec "$@"', 'sh', $NYTPROF, 'html', '-o',
    "$dir/full", "$captures/calls.out");
is $status, 1, 'pages that cannot be written: failure';
is_deeply [ grep { slurp("$dir/full/$_") !~ m{</html>\n\z} } grep {/html$/} readable("$dir/full") ], [],
    'and no half pages';

done_testing;

sub report {
    my ($name) = @_;
    my ($exit, $text, $error) = run($NYTPROF, 'html', '-o', "$dir/$name", "$captures/$name.out");
    my $trouble = $name eq 'empty' ? qr/^1 .*: an empty report: .*\n$/ : qr/^0 $/;
    like "$exit $error", $trouble, "$name is reported";
    return (pages("$dir/$name"), $text);
}

# The text of line $line's own row.
sub row {
    my ($html, $line) = @_;
    my ($row) = $html =~ m{<td id=$line>([^\n]*)};
    return text_of($row) =~ s/^ | $//gr;
}

# What stands above a sub's first line, and below a line.
sub above {
    my ($html, $line) = @_;
    my ($note) = $html =~ m{<section id=$line>(.*?)<tr class=sub}s;
    return text_of($note);
}

sub below {
    my ($html, $line) = @_;
    my ($note) = $html =~ m{<td id=$line>[^\n]*\n(<tr><td colspan=6>.*?)<tr[^>]*><td (?:id|class=sub)}s;
    return text_of($note);
}

sub readable {
    my ($path) = @_;
    opendir my $in, $path or die "$path: $!\n";
    return grep { -f "$path/$_" } readdir $in;
}
