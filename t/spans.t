# SPDX-License-Identifier: MIT
# Marks, counts and spans (Devel::NYTProf::Mark): by hooks and by samples, in children, without the profiler.
use strict;
use warnings;

use FindBin;
use JSON::PP qw(decode_json);
use Test::More;

use File::Temp qw(tempdir);

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Capture qw(nytprof);
use Syscap qw(syscap);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);
my $lib = "-I$FindBin::Bin/../blib/lib -I$FindBin::Bin/../blib/arch";
my $PROGRAM = <<'END';
use Devel::NYTProf::Mark qw(mark count span);
use Time::HiRes qw(sleep);
mark('loaded');
for my $i (1 .. 1000) { my $s = span('quick'); count('rows', $i) }
for my $i (1 .. 20) { my $s = span('slow'); sleep($i == 7 ? 0.2 : 0.01) }
my $outer = span("\xff\x1b<b>" . 'x' x 500); my $inner = DB::span('inner'); $inner->end; $inner->end; $outer->end;
my $running = span('running');
$! = 2; my $left = span('left'); if (!fork) { my $c = span('child'); exit 0 } wait;
mark(undef); count('minus', -5); count('once'); count('odd', 'abc'); count([], 2);
print "$@|", 0 + ($! = 3), "\n"; mark('done');
END
spew("$dir/prog.pl", $PROGRAM);

# Of a run with those switches: output, and the JSON of the program's own profile and of its child's.
sub run_with {
    my ($switches, $file) = @_;
    my $out = `cd $dir && NYTPROF=file=$file $^X -w $lib $switches prog.pl 2>&1`;
    return ($out, map { decode_json((nytprof('json', $_))[0]) } sort grep {-e} glob "$dir/$file $dir/$file.*");
}

my ($bare) = run_with('', 'none');
is $bare, "|3\n", 'without the profiler nothing is said';

for my $how ([ '-d:NYTProf', 'hooked' ], [ '-MDevel::NYTProf::Sample', 'sampled' ]) {
    my ($switches, $file) = @$how;
    my ($out, $parent, $child) = run_with($switches, $file);
    is $out, $bare, "$file: nor with it";
    my %span = map { ($_->{name} => $_) } @{ $parent->{spans} };
    is_deeply [ map { $span{$_}{count} } qw(quick slow inner) ], [ 1000, 20, 1 ],
        "$file: all spans are counted, one ended twice once";
    is scalar(grep {/^\\xFF\x1b<b>x{195}\z/} keys %span), 1, "$file: a hostile name is cut"
        or diag explain [ keys %span ];
    cmp_ok $span{slow}{longest}, '>=', 200_000_000, "$file: the longest";
    cmp_ok $span{slow}{p50}, '>=', 9_500_000, "$file: the median";
    cmp_ok $span{slow}{p50}, '<=', $span{slow}{longest}, "$file: is at most the longest";
    cmp_ok $span{slow}{total}, '>=', 390_000_000, "$file: the sum";
    cmp_ok abs($span{slow}{longest_began_us} / 1e6 - time), '<', 300, "$file: the time of day";
    my %count = map { ($_->{name} => "$_->{count} $_->{sum}") } @{ $parent->{counts} };
    is_deeply \%count, { rows => '1000 500500', minus => '1 -5', once => '1 1', odd => '1 0', ARRAY => '1 2' },
        "$file: counts";
    is_deeply [ map { $_->{name} } @{ $parent->{marks} } ], [ 'loaded', '', 'done' ], "$file: marks";
    cmp_ok $parent->{marks}[0]{at_us}, '<', $parent->{marks}[2]{at_us}, "$file: in their order";
    nytprof('html', '--no-graphs', '-o', "$dir/$file.html", "$dir/$file");
    my $page = slurp("$dir/$file.html/index.html");
    my ($row) = $page =~ m{^(<tr>.*<td class="?name"?>slow</tr>)$}m;
    my ($total, $number, $from, $to, $at) = ($row // '') =~
        m{^<tr><td data-v=(\d+)>.*?<td>(20)<.*#at=when&amp;when=([\d.]+)-([\d.]+)">([\d.]+)};
    is_deeply [ $total, $number ], [ $span{slow}{total}, 20 ], "$file: a page has a row of it" or diag $row;
    cmp_ok $to - $from, '>=', 0.2, "$file: with a link to the slices of the longest one";
    like $page, qr{^<tr><td>-5<td>1<td data-v=0><td class="?name"?>minus</tr>$}m, "$file: and of each count";
    unlike $page, qr/\x1b|<b>xxx/, "$file: names are text";
    is_deeply [ map { $_->{name} } @{ $child->{spans} } ], ['child'], "$file: a child has its own only" if $child;
    is scalar(grep { $_->{name} eq 'child' } @{ $parent->{spans} }), 0, "$file: and the parent not those";
    my ($table, $err, $exit) = nytprof('spans', "$dir/$file");
    like $table, qr/^ +20 +\S+ m?s .* \d\d:\d\d:\d\d\.\d{3}  slow$/m, "$file: nytprof spans";
    unlike $table, qr/[\x1b\xff]/, "$file: which no terminal obeys";
    like $table, qr/^ +1,000 +500,500  rows\n.*^ +1 +-5  minus$/ms, "$file: counts";
    my @events = @{ decode_json((nytprof('chrome', '-o', '-', "$dir/$file"))[0])->{traceEvents} };
    is_deeply [ map { $_->{name} } grep { $_->{ph} eq 'i' } @events ], [ 'loaded', '', 'done' ],
        "$file: nytprof chrome has marks";
    my ($begin, $end) = map { $_->{ts} } grep { ($_->{cat} // '') eq 'span' && $_->{name} eq 'slow' } @events;
    cmp_ok abs($end - $begin - $span{slow}{longest} / 1e3), '<', 1, "$file: and the longest spans";
    cmp_ok abs($begin + $parent->{meta}{processes}[0]{start_us} - $span{slow}{longest_began_us}), '<', 2,
        "$file: at their times";
    nytprof('syscap', '-o', "$dir/$file.syscap", "$dir/$file");
    my @marks = @{ syscap("$dir/$file.syscap")->{marks} };
    is_deeply [ map { $_->[2] } grep { $_->[1] eq 'mark' } @marks ], [ 'loaded', '', 'done' ],
        "$file: nytprof syscap has them";
    is_deeply [ map { $_->[3] } grep { $_->[1] eq 'longest span' && $_->[2] eq 'slow' } @marks ],
        [ $span{slow}{longest} ], "$file: and these, too";
}

require Devel::NYTProf::Mark;
is Devel::NYTProf::Mark::request(@{ $_->[0] }), $_->[1], "a request: $_->[1]" for
    [ [ 'GET',  '/' ], 'GET /' ], [ [ 'GET', '' ], 'GET /' ], [ [ 'PUT', '/cart/17/x' ], 'PUT /cart/*/x' ],
    [ [ 'GET',  '/1/2/3' ], 'GET /*/*/*' ], [ [ 'GET', '/v2/cart' ], 'GET /v2/cart' ],
    [ [ 'POST', '/u/6d53ca1e-4ecc-4dc7-a7cd-29e8a3ed5a25' ], 'POST /u/*' ], [ [ undef, undef ], ' /' ];

# A range of time has the spans that its windows have.
my $early = decode_json((nytprof('json', '--time=..0.25', "$dir/hooked"))[0]);
my ($slow) = grep { $_->{name} eq 'slow' } @{ $early->{spans} };
cmp_ok $slow ? $slow->{count} : 0, '<', 20, 'a range of time';

# A million spans of one name take no more of the file than a thousand; nor do a great many names.
my %size;
for my $n (1_000, 200_000) {
    spew("$dir/many.pl", "use Devel::NYTProf::Mark; for (1 .. $n) { my \$s = DB::span('one') }\n");
    `cd $dir && NYTPROF=file=many.$n $^X $lib -d:NYTProf many.pl`;
    $size{$n} = -s "$dir/many.$n";
}
cmp_ok $size{200_000}, '<', $size{1_000} + 8_000, 'the file does not grow with the number of spans';
spew("$dir/names.pl", "use Devel::NYTProf::Mark; DB::count(\$_), DB::mark(\$_) for 1 .. 3000\n");
`cd $dir && NYTPROF=file=names $^X $lib -d:NYTProf names.pl`;
my $names = decode_json((nytprof('json', "$dir/names"))[0]);
cmp_ok scalar @{ $names->{counts} }, '<=', 1002, 'names are bounded';
cmp_ok scalar @{ $names->{marks} }, '==', 1000, 'and so are marks';
my %other = map { ($_->{name} => $_->{count}) } @{ $names->{counts} };
is $other{'(other marks)'} // $other{'(other names)'} > 1000, 1, 'the others are counted';

done_testing;
