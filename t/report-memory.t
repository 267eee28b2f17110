# SPDX-License-Identifier: MIT
# What was allocated, by line and by function: in every report that has columns, and in none where it was not counted;
# the same from the records of older captures.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use LuaCapture qw(lua_capture);
use PageData qw(page_data);
use Pages qw(pages text_of);
use Tree qw(slurp);

my $dir = tempdir(CLEANUP => 1);

sub rows {
    my ($capture) = @_;
    my (undef, $err, $exit) = nytprof('csv', '-d', '-o', "$dir/csv", \$capture);
    is "$exit $err", '0 ', 'csv runs';
    return grep { !/^# [VM]/ } split /\n/, slurp("$dir/csv/app-prog-lua-1-line.csv");
}

for my $memory (1, 'old') {
    my $capture = lua_capture(memory => $memory);
    my $records = $memory eq 'old' ? 'records of older captures' : 'records of today';
    my @rows    = rows($capture);
    is $rows[1], '# Format: time,calls,time/call,allocations,bytes,code', "$records, csv: the head names the columns";
    like $rows[2], qr/^0\.000000,3,0\.000000,9,300,local function inner/, 'a line with its allocations and bytes';
    like $rows[3], qr/,1,0\.000000,1,50,/, 'the next one';
    like $rows[-1], qr{,7,1000,outer\(\) load}, 'and the last';

    my $callgrind = callgrind($capture);
    like $callgrind, qr/^events: ns allocations bytes stmts\nsummary: 100 17 1350 6\n/m,
        'callgrind: events and their sums';
    like $callgrind, qr/^fn=\(\d+\) inner\n1 30 9 300 3\n/m, 'what a function allocated itself';
    like $callgrind, qr/^cfn=\(\d+\) outer\ncalls=1 2\n5 50 10 350\n/m, 'what a call did, with all that it called';
    like $callgrind, qr/^cfn=\(\d+\)(?: inner)?\ncalls=2 1\n2 30 9 300\n/m, 'the recursion in it counts';
    like $callgrind, qr/^cfn=\(\d+\)(?: inner)?\ncalls=1 1\n1 0 0 0\n/m, 'but not twice';
    like $callgrind, qr/^totals: 100 17 1350 6$/m, 'and the totals';
    like callgrind($capture . lua_capture(pid => 1)), qr/^summary: 200 17 1350 12$/m,
        'a process without is one that adds nothing';

    my ($dump) = nytprof('dump', \$capture);
    my $record = $memory eq 'old' ? 'place_memory id=1 count=9 bytes=300' : 'values metric=2 of=1 id=1 value=300';
    like $dump, qr/^$record$/m, 'dump shows the records';

    my $pages  = html($capture);
    my $source = $pages->{'app-prog-lua-1-line.html'};
    like text_of($source), qr/Calls In calls Allocations Bytes Source/, 'a page of source has columns for them';
    my $cells = '<td class=m><span>7</span><td class=m><span>1\.00 kB</span>';
    like $source, qr{<td id=5><td>1<td[^>]*>40 ns<td>1<td.*$cells<td>outer},
        'with how often a line allocated, and its bytes';
    like $source, qr{<small>.*bytes: 50 B self, 350 B total}, 'and what a function allocated stands in its heading';
    my $data = page_data($pages->{'data.js'});
    my %bytes = map { ($_->{name} => "$_->{own}{allocations} $_->{own}{bytes} $_->{whole}{bytes}") } @{ $data->{subs} };
    is_deeply \%bytes,
        { inner => '9 300 300', outer => '1 50 350', 'string.rep' => '0 0 0', '(host)' => '7 1000 1350' },
        'the tables of the index have what functions allocated';
    is_deeply [ map {"$_->{value}{allocations} $_->{value}{bytes}"} @{ $data->{files} } ], [ '17 1350', '0 0' ],
        'and files';
}

my @rows = rows(lua_capture());
is $rows[1], '# Format: time,calls,time/call,code', 'csv: no columns where it was not counted';
like $rows[2], qr/^0\.000000,3,0\.000000,local function inner/, 'nor numbers';
unlike callgrind(lua_capture()), qr/alloc/, 'callgrind: nothing of it where it was not counted';
my $pages = html(lua_capture());
is page_data($pages->{'data.js'})->{metrics}, undef, 'the index has no metrics where none were counted';
unlike text_of($pages->{'app-prog-lua-1-line.html'}), qr/Bytes|alloc/i, 'nor do pages speak of it then';

done_testing;

sub callgrind { my ($capture) = @_; return (nytprof('callgrind', '-o', '-', \$capture))[0] }

sub html { my ($capture) = @_; nytprof('html', '-d', '-o', "$dir/html", \$capture); return pages("$dir/html") }
