# SPDX-License-Identifier: MIT
# flamegraph.pl and `nytprof flamegraph`: call paths as a picture.
use strict;
use warnings;

use Encode qw(decode FB_CROAK LEAVE_SRC);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Pages qw(run text_of);
use Tree qw(slurp spew);

my @FLAMEGRAPH = ($^X, "$FindBin::Bin/../bin/flamegraph.pl");
my $dir        = tempdir(CLEANUP => 1);

my $svg = draw("main;a;b 10\nmain;a 30\nmain;c 60\n");
is_deeply [ map {"@$_"} frames($svg) ],
    [ 'all 10 1180 100', 'main 10 1180 100', 'c 10 708 60', 'a 718 472 40', 'b 718 118 10' ],
    'each frame is as wide as its share, stands where its parent does, the widest first';
like $svg, qr{<svg [^>]*width="1200" [^>]*>}, '1200 pixels wide';
like $svg, qr{<title>c \(60 samples, 60\.00%\)</title>}, 'and tells what it is';
ok level($svg, 'all') > level($svg, 'main') && level($svg, 'main') > level($svg, 'a'), 'parents below children';
my $inverted = draw("a;b 10\n", '--inverted');
ok level($inverted, 'all') < level($inverted, 'a') && level($inverted, 'a') < level($inverted, 'b'),
    '--inverted: above them';
is_deeply names(draw("a;b 10\nc;b 10\n", '--reverse')), [qw(all b a c)], '--reverse reads paths from their ends';
is_deeply names(draw("a 1\nb 1000000\n")), [qw(all b)], 'what is narrower than 0.1 pixels is left out';
is_deeply names(draw("a 10\nb 100\n", '--minwidth', 200)), [qw(all b)], 'or than --minwidth';
like draw("a 10\n", '--factor', 0.5, '--countname', 'ms'), qr{<title>a \(5 ms, 100\.00%\)},
    '--factor, --countname';
like draw("a 1.5\na 2.25\n"), qr{<title>a \(3\.75 samples}, 'values may have decimals';
like draw("a 1234567\n"), qr{<title>a \(1,234,567 samples}, 'large ones are grouped';
like draw("a 10\n", '--total', 40), qr{<title>a \(10 samples, 25\.00%\)}, '--total makes the whole larger';
like draw("a 10\n", '--title', '<&"', '--fonttype', 'x"y'), qr{>&lt;&amp;&quot;</text>}, '--title is text';
like draw("a 10\n", '--width', 800, '--fontsize', 9), qr{<svg [^>]*width="800" [^>]*font-size="9\.0"}, 'sizes';
my %color = map { ($_ => (draw("a 10\n", '--colors', $_) =~ /fill="(#\w+)"/)[0]) }
    qw(hot mem io java js red green blue yellow purple aqua orange);
cmp_ok scalar(keys %{ { reverse %color } }), '>=', 10, '--colors';
is draw("a 1\n"), draw("a 1\n", '--hash', '--cp'), '--hash and --cp: a name always has the same colour';

my $delta = draw("a 10 30\nb 30 10\nc 5 5\n");
like $delta, qr{<title>a \(30 samples, 66\.67%; \+44\.44%\)}, 'two numbers are a difference';
my %delta = $delta =~ m{<title>(\w) .*?fill="#(\w+)"}g;
my %turned = draw("a 10 30\nb 30 10\nc 5 5\n", '--negate') =~ m{<title>(\w) .*?fill="#(\w+)"}g;
ok is_red($delta{a}) && !is_red($delta{b}) && $turned{a} eq $delta{b}, 'red is more, blue less, --negate turns it';

spew("$dir/attributes", "a\thref=a.html#1\ttitle=sub a\nb\thref=javascript:alert(1)\nc\ttarget=x\n");
my $linked = draw("a;b 10\nc 10\n", '--nameattr', "$dir/attributes");
like $linked, qr{<a tabindex="-1" href="a\.html\#1"><title>sub a \(10 samples}, '--nameattr: links and titles';
is scalar(() = $linked =~ /<a /g), 1, 'but only to pages';

# --- anything may be a name ---

my $deep = draw(join(';', map {"s$_"} 1 .. 3000) . " 5\n");
is scalar(@{ names($deep) }), 1001, 'a path of 3000 frames is cut at 1000';
my @odd = ("\\',alert(5))//", '</script><script>alert(1)</script>', "caf\xE9", "\xE2\x80\xAEgnp", "\x1B[31m", ']]>',
    '"><img src=x onerror=alert(2)>', 'a&b', "\xE4\xBD\xA0\xE5\xA5\xBD" x 20);
my $hostile = draw(join '', map {"main;$_ 10\n"} @odd);
ok eval { decode('UTF-8', $hostile, FB_CROAK | LEAVE_SRC) }, 'the picture is UTF-8';
is scalar(@{ names($hostile) }), 2 + @odd, 'every name is a frame';
is scalar(() = $hostile =~ /<script/g), 1, 'none is a script';
is scalar(() = $hostile =~ /<img|\x1B|\son\w+="/g), 0, 'or anything else';
SKIP: {
    skip 'xmllint is not installed', 3 if !grep { -x "$_/xmllint" } split /:/, $ENV{PATH};
    for my $picture ($svg, $hostile, $linked) {
        spew("$dir/picture.svg", $picture);
        is +(run('xmllint', '--noout', "$dir/picture.svg"))[2], '', 'xmllint finds no fault';
    }
}

# --- messages and exit codes ---

my ($status, $out, $err) = pipe_in("bad line\n\na;b 10\n5\n");
is "$status $err", "0 Ignored 3 lines with invalid format\n", 'lines that are none are counted in a warning';
($status, $out, $err) = pipe_in("a 10\n", '--total', 3);
is "$status $err", "0 Specified --total 3 is less than actual total 10, so ignored\n", 'a total that is too small';
for my $profile ("NYTProf capture 1\n", "NYTProf 5 0\n") {
    ($status, $out, $err) = pipe_in($profile);
    is "$status $out", '2 ', 'a profile is no list of paths';
    like $err, qr/\Anytprof: flamegraph: wants call paths: `nytprof folded [^\n]+\n\z/, 'and it is said what makes one';
}
for my $nothing ('', "bad\n", "a 0\n") {
    ($status, $out, $err) = pipe_in($nothing);
    is $status, 2, 'nothing to draw: exit code 2';
    like $err, qr/^ERROR: No stack counts found$/m, 'a message';
    like $out, qr{<text class="error" [^>]*>ERROR: No valid input}, 'and a picture that says so';
}
($status, $out, $err) = run(@FLAMEGRAPH, "$dir/nosuch");
ok $status == 2 && $err =~ m{\Q$dir/nosuch: No such file} && $out =~ /<svg/, 'likewise without a file';
for my $option ('--help', '--nosuch') {
    ($status, $out, $err) = run(@FLAMEGRAPH, $option);
    ok $status == 255 && $out eq '' && $err =~ /^usage: .*flamegraph\.pl/m,
        "$option: usage on stderr, exit code 255";
}
is +(pipe_in("a 1\n", '--width', 'wide'))[0], 2, 'a width that is none is refused';
is +(pipe_in("a 1\n", '--width', '1e300'))[0], 2, 'so is one that no screen has';

done_testing;

sub pipe_in {
    my ($lines, @options) = @_;
    spew("$dir/lines", $lines);
    return run('/bin/sh', '-c', 'exec "$@" <"$0"', "$dir/lines", @FLAMEGRAPH, @options);
}

sub draw {
    my ($lines, @options) = @_;
    my ($exit, $picture, $error) = pipe_in($lines, @options);
    $exit == 0 or die "flamegraph.pl @options: $error";
    return $picture;
}

# [name, left, width, value] of each frame.
sub frames {
    my ($picture) = @_;
    my @found;
    while ($picture =~ m{<title>(.*) \(([\d,.]+) [^(]*\)</title><rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"}g) {
        push @found, [ $1, $3 + 0, $4 + 0, $2 ];
    }
    return @found;
}

sub names { my ($picture) = @_; return [ map { $_->[0] } frames($picture) ] }

sub level { my ($picture, $name) = @_; return ($picture =~ m{<title>\Q$name\E [^\n]*? y="([\d.]+)"})[0] }

sub is_red { my ($rgb) = @_; my ($red, undef, $blue) = map {hex} unpack '(a2)*', $rgb; return $red > $blue }
