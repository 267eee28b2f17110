# SPDX-License-Identifier: MIT
# `nytprof html` of builds whose every number is known: the page as it is without scripts, which names and texts may do
# nothing to, and the data for its script.
use strict;
use warnings;

use Encode qw(decode FB_CROAK LEAVE_SRC);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds qw(began capture ended small stream);
use Capture qw(has_zlib nytprof);
use PageData qw(build_data);
use Pages qw(broken_links pages);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);
$ENV{TZ} = 'UTC';

# Writes a page and returns it.
sub page {
    my ($capture, @options) = @_;
    spew("$dir/a.build", $capture);
    my (undef, $err, $exit) = nytprof('html', '--delete', '-o', "$dir/out", @options, "$dir/a.build");
    is "$exit$err", '0', 'there is a page' or return '';
    return slurp("$dir/out/index.html");
}

# The rows of the table of a section, each the texts of its cells.
sub rows {
    my ($page, $id) = @_;
    my ($body) = $page =~ m{<h2 id="?\Q$id\E"?>.*?<tbody>\n(.*?)</tbody>}s or return 'no section';
    return [ map { [ map { s/<[^>]*>//gr } m{<td[^>]*>(.*?)(?=<td|</tr>)}sg ] } $body =~ /^(<tr>.*)$/mg ];
}

# --- all numbers ------------------------------------------------------------------------------------------------------

my $page = page(small());
like $page, qr{<h1>Build by <code>make -j2</code></h1>\n<p class="muted">Started 2014-05-13 16:53:30 \+0000 on one in},
    'what was built, when and where';
is_deeply [ $page =~ m{<li><b>(.*?)</b>(.*)$}mg ],
    [
    '100 s', 'from begin to end', '42.0 s', 'CPU time', '4', 'processes', '2', 'failed', '1.35',
    'jobs at a time, at most 2 of -j2'
    ],
    'figures';
like $page, qr{All jobs together took 135 s, and the .*? 95[.]0 s[.] With 4 at a time .*? take 80[.]0 s at least, if},
    'what more jobs at a time can bring';
is_deeply rows($page, 'processes'),
    [
    [ '20.0 s', '80.0 s', '0 s',    '',        'signal 9', 'x',   '/',       'cd x &amp;&amp; TZ=1 ld -o x' ],
    [ '10.0 s', '40.0 s', '24.0 s', '210 MB',  '',         'b.o', '/src/a/', 'gcc -c b.c' ],
    [ '5.00 s', '15.0 s', '9.00 s', '12.8 MB', '',         'a.o', '/src/a',  'gcc -c a.c' ],
    ],
    'processes, the longest first';
is_deeply [ map { [ @$_[ 0, 1, 4, 7 ] ] } @{ rows($page, 'failed') } ],
    [ [ '0 s', '100 s', '2', 'make -j2' ], [ '20.0 s', '80.0 s', 'signal 9', 'cd x &amp;&amp; TZ=1 ld -o x' ] ],
    'those that failed, with status and signal';
is_deeply [ map { [ @$_[ 0, 2, 6, 11 ] ] } @{ rows($page, 'recipes') } ],
    [ [ 1, '24.0 s', '40.0 s', 'b.o/src/a/' ], [ 1, '9.00 s', '15.0 s', 'a.o/src/a' ], [ 1, '0 s', '80.0 s', 'x/' ] ],
    'recipes, those with the most CPU time first';
is_deeply [ map { $_->[7] } @{ rows($page, 'waited') } ], ['cd x &amp;&amp; TZ=1 ld -o x'], 'and that waited';
is_deeply [ map { $_->[5] } @{ rows($page, 'chain') } ], [qw(a.o x)], 'the chain to the end';
is rows($page, 'repeated'), 'no section', 'nothing ran twice';
is_deeply rows($page, 'running'),
    [ [ '5.00 s', '5.00 %', '0 s', 0 ], [ '55.0 s', '55.0 %', '55.0 s', 1 ], [ '40.0 s', '40.0 %', '80.0 s', 2 ] ],
    'jobs at a time';
is_deeply rows($page, 'class-0'),
    [
    [ 2, 0, '33.0 s', '78.6 %', '32.0 s', '1.01 s', '55.0 s', '40.0 s', '210 MB',  '123', '14',  'gcc' ],
    [ 1, 1, '9.00 s', '21.4 %', '8.00 s', '1.00 s', '100 s',  '100 s',  '210 MB',  '123', '917', 'make' ],
    [ 1, 1, '0 s',    '0.00 %', '0 s',    '0 s',    '80.0 s', '80.0 s', '',        '0',   '0',   'ld' ],
    ],
    'sums by class, each second once';
is_deeply [ map { [ @$_[ 0, 2, -1 ] ] } @{ rows($page, 'directories') } ],
    [ [ 1, '24.0 s', '/src/a/' ], [ 1, '9.00 s', '/src' ], [ 1, '9.00 s', '/src/a' ], [ 1, '0 s', '/' ] ],
    'by directory';
is_deeply [ map { $_->[-1] } @{ rows($page, 'targets') } ], [qw(b.o a.o x)], 'and by target';
unlike $page, qr/class=notes/, 'nothing is missing';
is_deeply [ broken_links(pages("$dir/out")) ], [], 'every link leads somewhere';

my $twice = page(capture(stream('h', 'preload') . began(1, 1, 0, 'make')
    . join('', map { began($_, $_, 1, $_ == 9 ? 'gen' : 'sh x', '/d') . ended($_ + 1, $_, $_, $_ / 10, 0) } 5 .. 9)));
is_deeply [ map { [ @$_[ 0, 2, 6, 7 ] ] } @{ rows($twice, 'repeated') } ], [ [ 4, '2.60 s', '4.00 s', '1.00 s' ] ],
    'a command that ran four times';
is_deeply [ map { [ @$_[ 0, 2, 6, 7, 11 ] ] } rows($twice, 'recipes')->[0] ],
    [ [ 1, '900 ms', '1.00 s', '1.00 s', 'gen/d' ] ], 'a process without a target is a recipe of its own';
my $lines = page(capture(stream('h', 'preload') . began(1, 1, 0, 'make')
    . join('', map { began($_, $_, 1, "sh $_", '/d', 'all') . ended($_ + 1, $_, $_, 1, 0) } 5 .. 9)
    . began(10, 20, 1, 'make', '/s', 'all') . began(11, 21, 10, 'cc', '/s', 'all') . ended(12, 21, 11, 1, 0)
    . began(5.5, 30, 1, 'cc', '/d') . ended(8.5, 30, 5.5, 1, 0)));
is_deeply [ map { [ @$_[ 0, 2, 6, 7, 11 ] ] } @{ rows($lines, 'recipes') } ],
    [ [ 5, '5.00 s', '5.00 s', '1.00 s', 'all/d' ], [ 1, '1.00 s', '3.00 s', '3.00 s', 'cc/d' ],
    [ 1, '1.00 s', '1.00 s', '1.00 s', 'all/s' ] ],
    'the lines for a target of one make are one';
my $sequence = page(capture(stream('h', 'preload') . began(0.5, 1, 0, 'make')
    . join('', map { began($_, $_, 0.5, 'cc', '/', 'slow') . ended($_ + 1, $_, $_, 0, 0) } 1 .. 8)
    . join('', map { began($_ + 0.5, 30 + $_, 0.5, 'cc', '/', $_) . ended($_ + 1, 30 + $_, $_ + 0.5, 0, 0) } 1 .. 8)
    . ended(9, 1, 0.5, 0, 0)));
like $sequence, qr{With 4 at a time .*? take 8[.]00 s at least}, 'which take their time one behind the other';
like $twice, qr{<p>1 process has no known end: .*?[.]</p>}, 'a process without an end is told';
is rows($twice, 'processes')->[0][1], '1.00 s', 'and the others are there';

# --- the data of the script -------------------------------------------------------------------------------------------

my $data = build_data(page(small(), '--no-compress'));
is_deeply $data->{processes},
    [
    { began => 0, took => 100e9, parent => -1, flags => 1, status => 2, pid => 100, user => 40e6, system => 2_005_000,
      own_user => 8e6, own_system => 1e6, memory => 204_800, command => 'make -j2', directory => '/src', target => '',
      host => 'one', class => 'make', },
    { began => 5e9, took => 15e9, parent => 0, flags => 1, status => 0, pid => 101, user => 8e6, system => 1e6,
      own_user => 8e6, own_system => 1e6, memory => 12_500, command => 'gcc -c a.c', directory => '/src/a',
      target => 'a.o', host => 'one', class => 'gcc', },
    { began => 10e9, took => 40e9, parent => 0, flags => 1, status => 0, pid => 102, user => 24e6, system => 5000,
      own_user => 24e6, own_system => 5000, memory => 204_800, command => 'gcc -c b.c', directory => '/src/a/',
      target => 'b.o', host => 'one', class => 'gcc', },
    { began => 20e9, took => 80e9, parent => 0, flags => 1, status => 256 + 9, pid => 103, user => 0, system => 0,
      own_user => 0, own_system => 0, memory => 0, command => 'cd x && TZ=1 ld -o x', directory => '/', target => 'x',
      host => 'one', class => 'ld', },
    ],
    'a bar for each process, with all its numbers';
is_deeply $data->{jobs},
    { limit => 2, at => [ 0, 5e9, 10e9, 50e9, 100e9 ], running => [ 0, 1, 2, 1, 0 ] }, 'the curve of jobs'
    or diag explain $data->{jobs};
is_deeply $data->{chain}, [ 1, 3 ], 'and the chain to the end';
is_deeply build_data(page(small()))->{processes}, $data->{processes}, 'the same deflated' if has_zlib();

# --- hostile names ----------------------------------------------------------------------------------------------------

my $bytes = join '', map {chr} 1 .. 255;
my $evil  = '</script><script>alert(1)</script><img src=x onerror=alert(2)>&amp;"\'';
my %hostile = (
    'every byte' => $bytes, 'markup' => $evil, 'a long name' => 'x' x 12_000,
    'a cut character' => 'x' . "\xC3\xA9" x 1500,
    'turned text' => "\xE2\x80\xAE.c\xE2\x81\xA6",
);
for my $name (sort keys %hostile) {
    my $text = $hostile{$name};
    my $bad  = page(capture(stream($text, 'preload') . began(1, 7, 0, [ $text, $text ], $text, $text)
        . began(2, 8, 1, $text, $text, $text) . ended(3, 8, 2, 1, 1, 3) . ended(4, 7, 1, 2, 2, 256 + 64)));
    ok eval { decode('UTF-8', $bad, FB_CROAK | LEAVE_SRC) }, "$name: the page is UTF-8";
    my $static = $bad =~ s{<script>.*?</script>}{}sgr;
    unlike $static, qr/<script|<img|onerror=[^&]*>/, "$name: texts are no markup";
    unlike $static, qr/[\x00-\x08\x0B-\x1F\x7F]/, "$name: no control characters";
    my @scripts = $bad =~ m{<script>(.*?)</script>}sg;
    is scalar @scripts, 4, "$name: four scripts";
    my $d = build_data($bad);
    is scalar @{ $d->{processes} }, 2, "$name: the data are whole";
    cmp_ok length $d->{processes}[0]{target}, '<', 9000, "$name: and not endless";
}
spew("$dir/evil.conf", "schema '</h2><script>alert(1)</script>'\n class '<b>\$1' command ~ '(.)'\n");
my $classes = page(small(), '--classes', "$dir/evil.conf");
unlike $classes =~ s{<script>.*?</script>}{}sgr, qr/<script>|<b>g/, 'names of schemata and classes are no markup';
like $classes, qr/By class: &lt;\/h2&gt;/, 'and are shown';

# --- other ways -------------------------------------------------------------------------------------------------------

my (undef, $err, $exit) = nytprof('html', '--single', '-o', "$dir/one.html", "$dir/a.build");
is "$exit$err", '0', '--single';
is slurp("$dir/one.html"), page(small()), 'is the same page in a file';
(undef, $err, $exit) = nytprof('html', '-o', "$dir/no", '--metric', 'time', "$dir/a.build");
is $exit, 2, 'an option for profiles is refused';
like $err, qr/^nytprof: html: --metric is for profiles, and \S+ is the capture of a build .*\n\z/, 'in one line';
ok !-e "$dir/no", 'and nothing is written';
(undef, $err, $exit) = nytprof('html', '-o', "$dir/no", "$dir/a.build", "$dir/a.build");
like $err, qr/^nytprof: html: expected one capture of a build, got 2 files/, 'so are two captures';
(undef, $err, $exit) = nytprof('html', '-o', "$dir/no", '--classes', "$dir/evil.conf", $0);
isnt $exit, 0, 'classes are for builds';
ok !-e "$dir/no", 'and nothing is written';

done_testing;
