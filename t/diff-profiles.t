# SPDX-License-Identifier: MIT
# `nytprof diff` of profiles: captures whose every number is known, and programs that were changed.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds qw(small);
use Calls qw(calls_capture);
use Capture qw(nytprof);
use JSON::PP ();
use JsonSchema qw(mismatches);
use Pages qw(broken_links pages rows);
use Run qw(capture_of run);
use Tree qw(slurp spew);

my $dir  = tempdir(CLEANUP => 1);
my $US   = "\xC2\xB5s";
my $NOTE = "One capture a side does not tell noise from changes: none is listed below 5 % or 10.0 $US.";

sub calls { my ($name, @contexts) = @_; spew("$dir/$name", calls_capture(@contexts)); return "$dir/$name" }

# What it prints and says, without the note that these captures have no end, and the exit status.
sub diff {
    my ($out, $err, $exit) = nytprof('diff', @_);
    return ($out, $err =~ s/^nytprof: \S+: Process 4711 did not end cleanly: .*\n//mgr, $exit);
}

# The rows of a table of a text: three of its numbers, new or gone, and the sub's name.
sub table {
    my ($text, $title) = @_;
    my $head = qr/^\Q$title\E\n\n(?:(?:One|Less|Means) .*\n\n)?/m;
    my ($body) = $text =~ /$head(.*?)\n\n?(?:TIME|STATEMENTS|\z)/s or return "no table\n$text";
    my $number = qr/ +([-+]?[\d,.]+(?: \S*s)?)/;
    my $row = qr/^$number$number$number.*? (?:(new|gone)  )?((?:main|compiling)\b.*)$/;
    return [ map { /$row/ ? [ $1, $2, $3, $4 // '', $5 ] : () } split /\n/, $body ];
}

# The rows of a table of lines: old, new, new or gone, the file's last name, its line, the old one, and its source.
sub lines {
    my ($text, $title) = @_;
    my ($body) = $text =~ /^\Q$title, BY LINE\E\n\n(.*?)(?:\n\n|\z)/ms or return "no table\n$text";
    my $number = qr/ +([\d,.]+(?: \S*s)?)/;
    my $row    = qr{^$number$number .*?  (?:(new|gone)  )?(?:\S*/)?(\S+):(\d+)(?: \(was (\d+)\))?  (.*)$};
    return [ map { /$row/ ? [ $1, $2, $3 // '', $4, $5, $6 // '', $7 ] : () } split /\n/, $body ];
}

# --- numbers that are known -------------------------------------------------------------------------------------------

my $old = calls('old', [ '', 0, 100_000 ], [ 'main::f:1', 10, 1_000_000 ], [ 'main::f:1 main::g:2', 1, 50_000 ],
    [ 'main::gone:3', 4, 20_000 ], [ 'main::less:4', 1, 400_000 ], [ 'main::same:5', 1000, 700 ]);
my $new = calls('new', [ '', 0, 100_000 ], [ 'main::f:1', 12, 1_500_000 ], [ 'main::f:1 main::g:2', 1, 52_000 ],
    [ 'main::less:4', 1, 100_000 ], [ 'main::same:5', 1000, 900 ], [ 'main::fresh:6', 1, 9_000 ]);
my ($out, $err, $exit) = diff($old, $new);
is "$err$exit", '0', 'two profiles are compared';
is $out, <<"END" =~ s/^\|//gmr, 'the whole, counts, then times by the largest difference of exclusive time';
|                            old            new     difference
|statements                    1              1              0    +0.0%
|calls                     1,016          1,015             -1    -0.1%
|time profiled           1.57 ms        1.76 ms        +191 $US   +12.2%
|wall time               1.57 ms        1.76 ms        +191 $US   +12.2%
|
|CALLS CHANGED
|
|            old            new     difference        sub
|              4              0             -4  gone  main::gone
|             10             12             +2        main::f
|              0              1             +1   new  main::fresh
|
|TIME CHANGED
|
|$NOTE
|
|                             self time                     total time
|       old       new    change                old       new    change        sub
|   1.00 ms   1.50 ms   +500 $US   +50.0%   1.05 ms   1.55 ms   +502 $US        main::f
|    400 $US    100 $US   -300 $US   -75.0%    400 $US    100 $US   -300 $US        main::less
|   20.0 $US       0 s  -20.0 $US  -100.0%   20.0 $US       0 s  -20.0 $US  gone  main::gone
|
|STATEMENTS CHANGED, BY LINE
|
|(none)
|
|TIME CHANGED, BY LINE
|
|Not known: it takes three captures a side to tell noise from changes of a line.
END
is_deeply [ map { table((diff($old, $old))[0], $_) } 'CALLS CHANGED', 'TIME CHANGED' ], [ [], [] ],
    'a profile and itself: no change';
my ($all) = diff('--least', '0%', $old, $new);
is_deeply [ map { $_->[-1] } @{ table($all, 'TIME CHANGED') } ],
    [qw(main::f main::less main::gone main::fresh main::g main::same)], '--least 0%: all differences of time';
my ($few) = diff('--top', 1, $old, $new);
is scalar(() = $few =~ /^\(2 more with smaller changes\)$/mg), 2, '--top leaves out the others';
is +(diff('-o', "$dir/text", $old, $new))[2], 0, '-o FILE';
is slurp("$dir/text"), $out, 'has the same';

# --- limits -----------------------------------------------------------------------------------------------------------

my %said = (
    whole => "the program: time profiled was 1.57 ms and is 1.76 ms",
    f     => "main::f: exclusive time was 1.00 ms and is 1.50 ms",
    new   => "main::fresh: exclusive time was 0 s and is 9.00 $US",
    calls => 'main::f: calls were 10 and are 12',
    fresh => 'main::fresh: calls were 0 and are 1',
);
for my $case ([ '20%', 'f' ], [ '5%', qw(whole f) ], [ '5%,1us', qw(whole f new) ], [ '60%' ], [ '100us', qw(whole f) ],
    [ '0.3ms', 'f' ], [ '1s' ], [ 'calls', qw(calls fresh) ], [ 'calls,20%', qw(calls f fresh) ]) {
    my ($limit, @offenders) = @$case;
    my @run = diff('--fail-over', $limit, $old, $new);
    is_deeply [ $run[2], sort split /\n/, $run[1] ],
        [ @offenders ? 1 : 0, sort map {"nytprof: diff: $said{$_}"} @offenders ], "--fail-over $limit";
    is $run[0], $out, 'the text is the same';
}
is +(diff('--fail-over', '1%,calls', $old, $old))[2], 0, 'what has not changed is over no limit';
is +(diff('--fail-over', '1%', $new, calls('less', [ '', 0, 100_000 ])))[2], 0, 'nor is what takes less';

# --- anonymous subs ---------------------------------------------------------------------------------------------------

sub anon { my ($line) = @_; return "main::__ANON__[/app/prog.pl:$line]:1" }
my $shifted = (diff(calls('a', [ '', 0, 1000 ], [ anon(10), 1, 10 ], [ anon(11), 2, 10 ], [ anon(12), 3, 10 ]),
    calls('b', [ '', 0, 1000 ], [ anon(11), 1, 10 ], [ anon(12), 2, 10 ], [ anon(13), 3, 10 ])))[0];
is_deeply table($shifted, 'CALLS CHANGED'), [], 'anonymous subs that are a line further down are the same';
my $between = (diff("$dir/a", calls('b', [ '', 0, 1000 ], [ anon(10), 1, 10 ], [ anon(12), 5, 10 ],
    [ anon(11), 2, 10 ], [ anon(90), 3, 10 ])))[0];
is_deeply [ map { [ @$_[ 0, 1, 3, 4 ] ] } @{ table($between, 'CALLS CHANGED') } ],
    [ [ 0, 3, 'new', 'main::__ANON__[/app/prog.pl:90]' ], [ 3, 5, '', 'main::__ANON__[/app/prog.pl:12]' ] ],
    'of one more, the nearest lines are the same';
my $evals = (diff(
    calls('a', [ '', 0, 1000 ], map { [ "main::__ANON__[(eval~$_)[/app/prog.pl:9]:1]:1", 1, 10 ] } 3 .. 5),
    calls('b', [ '', 0, 1000 ], map { [ "main::__ANON__[(eval~$_)[/app/prog.pl:10]:1]:1", 1, 10 ] } 13 .. 15)))[0];
is_deeply table($evals, 'CALLS CHANGED'), [], 'nor do the numbers of evals count';
my @many = map { anon($_) } 1 .. 3000;
my $many = (diff(calls('a', [ '', 0, 1000 ], map { [ $_, 1, 10 ] } @many),
    calls('b', [ '', 0, 1000 ], map { [ $_, 1, 10 ] } @many)))[0];
is_deeply table($many, 'CALLS CHANGED'), [], 'too many to try all pairs: those of one name are the same';

# --- programs ---------------------------------------------------------------------------------------------------------

my $program = <<'END';
use strict;
sub slow { my $x = 0; $x += $_ for 1 .. $_[0]; return $x }
sub same { return $_[0] + 1 }
sub often { return 1 }
sub before { return 2 }
my @subs = (
    sub { same(1) },
    sub { same(2); same(2) },
    sub { often() },
);
$_->() for @subs, @subs;
often() for 1 .. 5;
before() for 1 .. 3;
slow(20_000);
eval "sub { same($_) }->()" for 1 .. 3;
END
my $changed = $program =~ s/1 \.\. 5/1 .. 7/r =~ s/before/behind/gr =~ s/20_000/2_000_000/r
    =~ s/\(\n/(\n    sub { 4 },\n/r =~ s/^/my \$first = 1;\n/r;
for my $format (1, 5) {
    my @paths = map { capture_of(run($_, name => 'prog.pl', $format == 5 ? (options => { format => 5 }) : ())) }
        $program, $changed, $program;
    ($out, $err, $exit) = diff(@paths[ 0, 1 ]);
    is "$err$exit", '0', "two versions of a program, format $format";
    is_deeply [ sort { $a->[-1] cmp $b->[-1] } @{ table($out, 'CALLS CHANGED') } ],
        [ [ 0, 2, '+2', 'new', 'main::__ANON__[prog.pl:8]' ], [ 3, 0, '-3', 'gone', 'main::before' ],
        [ 0, 3, '+3', 'new', 'main::behind' ], [ 7, 9, '+2', '', 'main::often' ] ],
        'what is called more often, is new, is gone, has another name; all else is matched';
    like $out, qr/sub\n.*ms .*main::slow\n/, 'and the sub that takes longer';
    ($out, $err, $exit) = diff('--fail-over', 'calls', @paths[ 0, 2 ]);
    is_deeply [ $err, $exit, table($out, 'CALLS CHANGED') ], [ '', 0, [] ], 'two runs of one program have equal calls';
    is_deeply lines($out, 'STATEMENTS CHANGED'), [], 'and equal statements by line';
    is_deeply lines((diff(@paths[ 0, 1 ]))[0], 'STATEMENTS CHANGED'),
        [ [ 7, 9, '', 'prog.pl', 5, 4, 'sub often { return 1 }' ], [ 0, 2, 'new', 'prog.pl', 8, '', 'sub { 4 },' ],
        [ 0, 1, 'new', 'prog.pl', 1, '', 'my $first = 1;' ] ],
        'of two versions the lines that are new, and that ran more often; lines that moved are the same';
    my $back = lines((diff(@paths[ 1, 0 ]))[0], 'STATEMENTS CHANGED');
    is_deeply [ map { @$_[ 4, 6 ] } grep { $_->[2] eq 'gone' } @$back ], [ 8, 'sub { 4 },', 1, 'my $first = 1;' ],
        'which, the other way round, are gone';
}

my @often = map { [ map { capture_of(run($_, name => 'prog.pl')) } ($_) x 4 ] } $program, $changed;
($out, $err, $exit) = diff(@{ $often[0] }, '--', @{ $often[1] });
is_deeply [ map { @$_[ 2, 3, 4, 5, 6 ] } @{ lines($out, 'TIME CHANGED') }[0] ],
    [ '', 'prog.pl', 3, 2, 'sub slow { my $x = 0; $x += $_ for 1 .. $_[0]; return $x }' ],
    'of four runs each the line that takes longer';
my ($page) = diff('--format', 'html', @{ $often[0] }, '--', @{ $often[1] });
like rows($page, 'line-times')->[0][-1], qr{prog\.pl:3was 2 sub slow \{}, 'in the page, too';
my ($long) = grep { ($_->{old_line} // 0) == 2 } @{ JSON::PP->new->utf8->decode(
        (diff('--format', 'json', @{ $often[0] }, '--', @{ $often[1] }))[0])->{lines} };
is_deeply [ scalar @{ $long->{new}{count} }, @$long{qw(new_line count_changed time_changed)} ],
    [ 4, 3, JSON::PP::false(), JSON::PP::true() ], 'and in JSON, by profile';
like $out, qr/^TIME CHANGED\n/m, 'beside the subs';

# --- the page ---------------------------------------------------------------------------------------------------------

my $MINUS = "\xE2\x88\x92";
($out, $err, $exit) = diff('--format', 'html', '-o', "$dir/page.html", $old, $new);
is "$out$err$exit", '0', 'a page';
$page = slurp("$dir/page.html");
is_deeply rows($page, 'whole'),
    [ [ 1, 1, 0, '0.0 %', 'statements' ], [ '1,016', '1,015', "${MINUS}1", "${MINUS}0.1 %", 'calls' ],
    [ '1.57 ms', '1.76 ms', "+191 $US", '+12.2 %', 'time profiled' ],
    [ '1.57 ms', '1.76 ms', "+191 $US", '+12.2 %', 'wall time' ] ], 'with the whole';
like $page, qr/id="?calls"?>.*id="?times"?>/s, 'counts are exact, and come first';
is_deeply rows($page, 'times')->[0],
    [ "+500 $US", '+50.0 %', '1.00 ms', '1.50 ms', "+502 $US", '1.05 ms', '1.55 ms', 'main::f' ], 'times';
my $subs = table((diff($old, $new))[0], 'TIME CHANGED');
is_deeply [ map { $_->[-1] } @{ rows($page, 'times') } ], [ map { $_->[-1] } @$subs ], 'as many as in the text';
is_deeply rows($page, 'calls'), [ [ "${MINUS}4", 'gone', 4, 0, 'main::gone' ], [ '+2', '+20.0 %', 10, 12, 'main::f' ],
    [ '+1', 'new', 0, 1, 'main::fresh' ] ], 'and calls';
is_deeply [ broken_links({ 'page.html' => $page }) ], [], 'all links lead somewhere';
is scalar @{ rows((diff('--format', 'html', '--top', 1, $old, $new))[0], 'calls') }, 1, '--top leaves out the others';
my $names = '<script>x</script>' . join '', map {chr} 1 .. 31, 33 .. 47, 59 .. 255;
my $text = (diff('--format', 'html', calls('odd', [ '', 0, 1 ], [ "main::$names:1", 1, 1e6 ]), $new))[0];
unlike $text =~ s{<script>.*?</script>}{}sgr, qr/<script|[\x00-\x08\x0B-\x1F\x7F]/, 'every byte in a name is text';

# --- a report with what has changed since another one -----------------------------------------------------------------

{
    my @paths = map { capture_of(run($_, name => 'prog.pl')) } $program, $changed;
    my ($said, $trouble, $status) = nytprof('html', '--base', $paths[0], '-o', "$dir/since", $paths[1]);
    is "$trouble$status", '0', 'nytprof html --base';
    my $pages = pages("$dir/since");
    my $index = $pages->{'index.html'};
    like $index, qr{<h2 id=changed>Changed since <code>\Q$paths[0]\E</code></h2>}, 'says since when';
    is_deeply rows($index, 'calls'),
        rows((diff('--format', 'html', '--top', 10, @paths))[0], 'calls'), 'has the table of calls';
    like $index, qr{<a href="?[\w-]*prog-pl-\d+-line\.html#5"?>main::often</a>}, 'with links to subs';
    like $index, qr{<a href="?[\w-]*prog-pl-\d+-line\.html#8"?>\S*prog\.pl:8</a> <code>sub \{ 4 \},</code>},
        'and to lines';
    unlike $index, qr{<a [^>]*>main::before</a>}, 'but of what is gone';
    is_deeply [ broken_links($pages) ], [], 'and all of them lead somewhere';
    is_deeply [ (nytprof('html', '--base', $paths[0], '-o', "$dir/same", $paths[0]))[ 1, 2 ] ], [ '', 0 ], 'of itself';
    is_deeply rows(slurp("$dir/same/index.html"), 'calls'), [], 'there are no changes';
    my @long = map { calls("long$_->[0]", [ '', 0, 9e8 ], [ 'main::a:1', 1, $_->[1] ], [ 'main::b:2', 1, $_->[2] ]) }
        [ 1, 1e6, 1e6 ], [ 2, 15e5, 3e6 ];
    nytprof('html', '--base', $long[0], '-o', "$dir/long", $long[1]);
    is_deeply [ map { $_->[-1] } @{ rows(slurp("$dir/long/index.html"), 'times') } ], ['main::b'],
        'less than a thousandth of the run is no change';
    ($said, $trouble, $status) = nytprof('html', '--base', "$dir/none", '-o', "$dir/none.d", $paths[1]);
    is_deeply [ $trouble, $status, -e "$dir/none.d" ], [ "nytprof: $dir/none: No such file or directory\n", 1, undef ],
        'without that capture there is a message, and no report';
}

# --- call paths -------------------------------------------------------------------------------------------------------

is_deeply [ diff('--format', 'folded', $old, $new) ], [ <<'END', '', 0 ], 'call paths, those with most time first';
main::RUNTIME 100000 100000
main::RUNTIME;main::f 1000000 1500000
main::RUNTIME;main::f;main::g 50000 52000
main::RUNTIME;main::less 400000 100000
main::RUNTIME;main::gone 20000 0
main::RUNTIME;main::fresh 0 9000
main::RUNTIME;main::same 700 900
END
is_deeply [ diff('--format', 'folded', $old, $old, '--', $new) ], [ (diff('--format', 'folded', $old, $new)) ],
    'of several profiles the means';

# --- two releases in two directories ----------------------------------------------------------------------------------

my @releases = (calls('before', [ '', 0, 1 ], [ 'main::__ANON__[lib-1/A.pm:7]:1', 5, 1e6 ]),
    calls('after', [ '', 0, 1 ], [ 'main::__ANON__[lib-2/A.pm:8]:1', 6, 1e6 ]));
is_deeply table((diff(@releases))[0], 'CALLS CHANGED'),
    [ [ 0, 6, '+6', 'new', 'main::__ANON__[lib-2/A.pm:8]' ], [ 5, 0, '-5', 'gone', 'main::__ANON__[lib-1/A.pm:7]' ] ],
    'files with another path are others';
is_deeply table((diff('--renamed', 'lib-1=lib-2', @releases))[0], 'CALLS CHANGED'),
    [ [ 5, 6, '+1', '', 'main::__ANON__[lib-2/A.pm:8]' ] ], 'but for --renamed';
unlike +(diff('--renamed', 'lib-1=lib-2', '--format', 'folded', @releases))[0], qr/lib-1/, 'in call paths, too';

# --- several captures a side ------------------------------------------------------------------------------------------

# Captures of a program whose subs take 1, 2 ... ms, each with a noise of 2 % and all with one of 20 %, the same in
# every test. By number, what the time of a sub is multiplied by, and its calls; and which sub is not there.
my $seed = 1;
sub noise {
    my ($most) = @_;
    $seed = $seed * 1_103_515_245 + 12_345 & 0x7FFF_FFFF;
    return 1 + $most * ($seed / 2**30 - 1);
}

sub several {
    my ($name, $n, %is) = @_;
    return map {
        my $whole = noise(0.2);
        my @subs = grep { $_ != ($is{without} // 0) } 1 .. 20;
        my %ns   = map { ($_ => int($whole * noise(0.02) * 1e6 * $_ * ($is{slower}{$_} // 1))) } @subs;
        calls("$name$_", [ '', 0, 100_000 ], map { [ "main::f$_:$_", $is{calls}{$_} // 3, $ns{$_} ] } @subs);
    } 1 .. $n;
}

sub changed {
    my ($text, $title) = @_;
    return join ' ', map {"$_->[3] $_->[4]" =~ s/main:://r} @{ table($text, $title) };
}

for my $n (3, 4, 5, 10) {
    my @same = map { (diff(several('a', $n), '--', several('b', $n)))[0] } 1 .. 5;
    cmp_ok scalar(grep { changed($_, 'TIME CHANGED') } @same), '<=', 1, "$n captures of one program and $n others";
    my @slower = diff(several('a', $n), '--', several('b', $n, slower => { 7 => 1.3, 11 => 0.7 }));
    is "$slower[1]$slower[2]", '0', 'two subs that changed';
    like changed($slower[0], 'TIME CHANGED'), qr/\A f11  f7(?:  f\d+)?\z/, 'are found, with one other at most';
    like $slower[0], qr/^Means of $n and $n captures\. .* by 10\.0 $US or more\.$/m, 'outside the noise';
    like $slower[0], qr/^ +[67]\.\d\d ms .* \xC2\xB1\d?\d\.\d% .*main::f7$/m, 'which is told';
}
my @few = diff('--least', '20%', several('a', 5), '--', several('b', 5, slower => { 7 => 1.1, 11 => 3 }));
is changed($few[0], 'TIME CHANGED'), ' f11', '--least leaves out the smaller one';
@few = diff('--fail-over', '5%', several('a', 5), '--', several('b', 5, slower => { 7 => 1.3 }));
like $few[1], qr/\A(?:nytprof: diff: the program: .*\n)?nytprof: diff: main::f7: exclusive time was .*\n\z/,
    '--fail-over passes over noise';
@few = diff(several('a', 3, without => 4), '--', several('b', 3, without => 5));
is changed($few[0], 'TIME CHANGED'), 'new f4 gone f5', 'subs of one side only';
is changed($few[0], 'CALLS CHANGED'), 'new f4 gone f5', 'and their calls';
my @two = diff(several('a', 2), several('b', 2));
like $two[1], qr/expected OLD and NEW, or OLD\.\.\. -- NEW\.\.\., got 4 files/, 'the sides are divided by --';
@two = diff(several('a', 2), '--', several('b', 2, slower => { 7 => 2 }, calls => { 9 => 4 }));
like $two[0], qr/^Less than three captures a side do not tell .* below 5 % or 10\.0 $US\.$/m, 'two captures a side';
is changed($two[0], 'CALLS CHANGED'), ' f9', 'and exact counts';
for my $case ([ [ 3, 4, 5 ], [ 5, 6, 7 ], '' ], [ [ 3, 4, 5 ], [ 7, 8, 9 ], '' ], [ [ 3, 4, 5 ], [ 9, 10, 11 ], ' f9' ],
    [ [ 3, 3, 3 ], [ 3, 3, 4 ], '' ], [ [ 4, 4, 4 ], [ 3, 3, 3 ], ' f9' ]) {
    my $next  = 0;
    my @sides = map { several('x' . $next++, 1, calls => { 9 => $_ }) } map {@$_} @$case[ 0, 1 ];
    is changed((diff(@sides[ 0 .. 2 ], '--', @sides[ 3 .. 5 ]))[0], 'CALLS CHANGED'), $case->[2],
        "calls @{$case->[0]}, then @{$case->[1]}";
}
is_deeply [ diff('--top', 1, '--', $old, $new) ], [ diff($old, $new, '--top', 1) ], '-- ahead of both divides nothing';
is_deeply [ diff($old, '--', $new) ], [ diff($old, $new) ], '-- between them does';
spew("$dir/--", slurp($old));
is_deeply [ (diff('-o', "$dir/--", $old, $old, '--', $new))[2] ], [0], 'nor is the value of an option a divider';

# --- JSON -------------------------------------------------------------------------------------------------------------

my $json   = JSON::PP->new->utf8;
my $schema = $json->decode(slurp("$FindBin::Bin/../lib/Devel/NYTProf/nytprof-diff-json-1.schema.json"));
my $data   = $json->decode((diff('--format', 'json', $old, $new))[0]);
is_deeply [ mismatches($data, $schema) ], [], 'JSON is as its schema says';
is_deeply [ map { $_->{name} } @{ $data->{rows} } ],
    [qw(main::f main::less main::gone main::fresh main::g main::same main::RUNTIME)], 'with all subs';
is_deeply [ @{ $data->{rows} }[ 0, 2 ] ],
    [
    { name => 'main::f', calls_changed => JSON::PP::true, time_changed => JSON::PP::true,
        old => { calls => [10], exclusive_ns => [1_000_000], inclusive_ns => [1_050_000] },
        new => { calls => [12], exclusive_ns => [1_500_000], inclusive_ns => [1_552_000] } },
    { name => 'main::gone', calls_changed => JSON::PP::true, time_changed => JSON::PP::true, new => undef,
        old => { calls => [4], exclusive_ns => [20_000], inclusive_ns => [20_000] } },
    ],
    'and all their values';
is_deeply $data->{old}, [ { name => $old, statements => 1, calls => 1016, profiled_ns => 1_570_700,
        elapsed_ns => 1_570_700 } ], 'and the whole';
my $lists = $json->decode((diff('--format=json', '--top=2', several('a', 2), '--', several('b', 3)))[0]);
is_deeply [ mismatches($lists, $schema) ], [], 'of several profiles a side, too';
is_deeply [ scalar(@{ $lists->{rows} }), map { scalar @{ $lists->{rows}[0]{$_}{exclusive_ns} } } qw(old new) ],
    [ 2, 2, 3 ], 'values of each, and --top leaves out the others';

# --- names that are anything ------------------------------------------------------------------------------------------

my $odd = join '', map { $_ == 32 ? '~' : $_ == 10 ? '' : chr } 1 .. 255;
my @hostile = (calls('a', [ '', 0, 1000 ], [ "x${odd}y:1", 1, 10 ]), calls('b', [ '', 0, 1000 ], [ 'f:1', 1, 10 ],
        [ 'long' x 20_000 . ':1', 1, 10 ], [ "BEGIN\@99999999999999999999:2", 1, 10 ]));
($out, $err, $exit) = diff('--fail-over', 'calls', @hostile);
is_deeply [ mismatches($json->decode((diff('--format', 'json', @hostile))[0]), $schema) ], [],
    'any name is data in JSON';
like $out, qr/^ +1 +0 +-1 +gone  x\S/m, 'every byte in a name';
unlike "$out$err", qr/[\x00-\x09\x0B-\x1F\x7F]/, 'is no order to a terminal';
is scalar(grep { length > 1000 } split /\n/, $out), 0, 'a long name is cut';

# --- what cannot be compared ------------------------------------------------------------------------------------------

spew("$dir/build", small());
spew("$dir/none.txt", "hello\n");
for my $case (
    [ [ $old ], 2, 'diff: expected OLD and NEW, or OLD... -- NEW..., got 1 files' ],
    [ [ $old, $old, $new ], 2, 'diff: expected OLD and NEW, or OLD... -- NEW..., got 3 files' ],
    [ [ $old, '--', $new, ($old) x 20 ], 2, 'diff: expected 20 files of a side at most' ],
    [ [ "$dir/build", '--', ("$dir/build") x 2 ], 2, 'diff: expected one build as OLD and one as NEW' ],
    [ [ $old, $old, '--', $new, "$dir/build" ], 1, "diff: $old is a profile, and $dir/build is the capture of a " ],
    [ [ $old, "$dir/build" ], 1, "diff: $old is a profile, and $dir/build is the capture of a build: expected" ],
    [ [ "$dir/build", $old ], 1, "diff: $dir/build is the capture of a build, and $old is a profile: expected" ],
    [ [ $old, "$dir/none.txt" ], 1, "diff: $dir/none.txt: expected a profile or the capture of a build\n" ],
    [ [ $old, "$dir/no" ], 1, "diff: $dir/no: No such file or directory\n" ],
    [ [ '--sort', 'user', $old, $new ], 2, 'diff: --sort cannot be used: each file is a profile' ],
    [ [ '--least', '5%', "$dir/build", "$dir/build" ], 2, 'diff: --least cannot be used: each file is the capture of' ],
    [ [ '--format', 'folded', "$dir/build", "$dir/build" ], 2, 'diff: --format folded is for profiles of programs' ],
    (map { [ [ '--renamed', $_, $old, $new ], 2, "diff: --renamed: expected OLD=NEW, got '$_'" ] } '', 'lib', '=lib'),
    [ [ '--renamed', 'a=b', "$dir/build", "$dir/build" ], 2, 'diff: --renamed cannot be used: each file is the' ],
    (map { [ [ "--fail-over=$_", $old, $new ], 2, 'diff: --fail-over: expected N%, a time with its unit (10us, 5ms) or '
        . "calls, with commas between, got '$_'" ] } '', '5', 'x', '5%,', ',', 'calls,1', '1.2.3%', '-1%', 'infs'),
    [ [ '--least=calls', $old, $new ], 2, 'diff: --least: expected N% or a time with its unit (10us, 5ms), with ' ],
) {
    my ($files, $status, $message) = @$case;
    ($out, $err, $exit) = diff(@$files);
    is_deeply [ $out, $exit ], [ '', $status ], 'nothing is printed';
    like $err, qr/^nytprof: \Q$message\E[^\n]*\n?\z/, "but: $message";
}

done_testing;
