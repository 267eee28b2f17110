# SPDX-License-Identifier: MIT
# Lists on source pages, of callers, callees and string evals: what took longest comes first, and what is folded away is
# less than a twentieth of it, or comes behind a dozen.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text u);
use Pages qw(pages text_of);
use Run qw(run);

my $dir = tempdir(CLEANUP => 1);

# A few calls take long and many are quick: line, calls, ticks. The clock ticks in microseconds.
my @calls = map { [ $_, 20 - $_, $_ <= 10 ? 10 : 100 * $_ ] } 1 .. 18;
my $pages = report('few', @calls);
my $page = 'f-pl-1-line.html';
my ($list) = $pages->{$page} =~ m{</h2>.*?(<ul>.*?</ul></details></ul>)}s;
my ($shown, $folded) = split /<details>/, $list // '';
is_deeply [ lines($shown) ], [ reverse 11 .. 18 ], 'the callers that took longest show, and come first';
like text_of($folded // ''), qr/^ 10 more \(100 µs\) /, 'the rest is folded: how many, how long';
is_deeply [ lines($folded) ], [ 1 .. 10 ], 'and comes by calls where the times are the same';

$pages = report('even', map { [ $_, 1, 100 ] } 1 .. 30);
($list) = $pages->{$page} =~ m{</h2>.*?(<ul>.*?</ul></details></ul>)}s;
($shown) = split /<details>/, $list // '';
is scalar(my @shown = lines($shown)), 12, 'no more than a dozen show';

$pages = report('short', map { [ $_, 1, $_ == 1 ? 1000 : 1 ] } 1 .. 8);
unlike $pages->{$page}, qr/<summary>\d+ more/, 'a short list is all there';

# Twenty evals of line 1, the later the longer.
my @evals = map { my $id = $_ + 1; (
    record(7, (map { u($_) } $id, 256, 1, 1, 0, 0), Capture::s("(eval $_)[f.pl:1]")),
    record(8, u($id), u(1), Capture::s("say $_\n")),
    record(11, map { u($_) } $_ + 100, $id, 1, 1, 1), record(13, u($_ + 100), i(1), i($_)) ) } 1 .. 20;
$pages = report('evals', [ 1, 1, 1 ], join '', @evals);
my ($ran) = $pages->{$page} =~ m{(<ul class=ran>.*)}s;
is_deeply [ (text_of($ran =~ s/<details>.*//sr) =~ /\(eval (\d+)\)/g)[ 0 .. 5 ] ], [ 20, 19, 18, 17, 16, 15 ],
    'string evals, too, come by time';

# A sub that was running when profiling began has time, but no call.
$pages = report('running', [ 1, 0, 1000 ]);
unlike join('', values %$pages), qr/\b0 calls/, 'no text says that a sub which ran had 0 calls';
like text_of($pages->{$page}), qr/1\.00 ms an earlier call to main::f/, 'it was called earlier';
like text_of($pages->{'index.html'}), qr/main::f *called earlier/, 'as the table says, too';
my @texts = map { text_of($pages->{$_}) } grep {/html$/} keys %$pages;
unlike "@texts", qr/(?<![\d.,])1 (?:calls|subs|files|places|statements|packages|string evals)\b/,
    'and one thing is no plural';

# --- the column of time in calls ---

# first() is called at line 4 and calls the function of that line, which calls leaf there; down calls itself at line 5.
my $PROGRAM = <<'END';
use List::Util;
sub leaf { my $x = shift; return $x == 3 }
my @t = 1 .. 3;
my $found = List::Util::first(sub { leaf($_) }, @t);
sub down { my $n = shift; return $n ? down($n - 1) : leaf(1) }
down(3);
END
for my $options ({ clock => 'fake' }, { clock => 'fake', format => 5 }) {
    my $ran = run($PROGRAM, options => $options);
    nytprof('html', '-o', "$ran->{dir}/report", "$ran->{dir}/nytprof.out");
    my $all = pages("$ran->{dir}/report");
    my ($source) = map { $all->{$_} } grep {/prog-pl-\d/} keys %$all;
    my $figures = qr{(?: <i>[^<]*</i>){3}};
    my ($first) = $source =~ m{<b>([\d.]+ \S+)</b>$figures <span>to <a[^>]*><small>List::Util::</small>first<};
    my $name = $options->{format} ? 'format 5' : 'a capture';
    is in_calls($source, 'List::Util::first(sub'), $first, "$name: calls that a C function makes are part of its own";
    my ($inner, $outer) = map { in_calls($source, $_) =~ /([\d.]+) µs/ } 'down($n - 1)', 'down(3)';
    cmp_ok $inner, '<', $outer, 'those of a recursion count once' if !$options->{format};
}

done_testing;

# The lines that callers are said to be in.
sub lines { return ($_[0] // '') =~ /f\.pl:(\d+)<\/a>/g }

# The pages of a capture in which main::f, at line 40 of /x/f.pl, is called from those lines.
sub report {
    my ($name, @from) = @_;
    my $more = ref $from[-1] ? '' : pop @from;
    my $start = join '', map({ u($_) } 1, 0, 17e17), i(0), u(1_000_000), u(1), i(1001),
        map { Capture::s($_) } qw(fake x.pl perl);
    my @records = (
        record(1, $start), record(7, (map { u($_) } 1, 0, 0, 0, 0, 0), Capture::s('f.pl')),
        record(8, u(1), u(1), Capture::s("f();\n" x 39 . "sub f { 1 }\n")),
        record(10, (map { u($_) } 1, 0, 1, 40, 40, 1), Capture::s('main::f'), Capture::s('')),
        (map { record(11, map { u($_) } $_->[0], 1, ($_->[0]) x 3) } @from),
        (map { record(12, map { u($_) } $_->[0], 0, $_->[0], 1) } @from),
        (map { record(14, u($_->[0]), i($_->[1]), i($_->[2])) } @from), $more,
    );
    my (undef, $said, $exit) = nytprof('html', '-o', "$dir/$name", \(text(program => 'f.pl') .
        chunk(join '', @records)));
    is "$exit$said", '0', "$name: there is a report";
    return pages("$dir/$name");
}

# The time in calls of the line with that text, as it is shown.
sub in_calls {
    my ($page, $text) = @_;
    my ($row) = grep {/\Q$text\E/} split /(?=<tr)/, $page;
    my (undef, undef, undef, undef, $time) = $row =~ /<td[^>]*>([^<]*)/g;
    return $time;
}
