# SPDX-License-Identifier: MIT
# Sizes and marks that a reader trips over: long files, long functions, long lines, tabs, notes to self, no licence,
# citations of papers that are not here, comments with pronouns for nouns.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(files functions slurp);

my $TOP = "$FindBin::Bin/..";

my $FILE_LINES     = 400;
my $FUNCTION_LINES = 80;
my $LINE_COLUMNS   = 120;

my @code = grep { !m{^t/(?:data|golden|perl)/} }
    files($TOP, qr{(?:\.(?:c|h|xs|pm|pl|PL|t|mjs|js|css|sh)|^\.ci/run|^bin/[^.]+|^examples/.*)$});
my (@findings, @function_sizes);
for my $file (@code) {
    my $text = slurp("$TOP/$file");
    push @findings, map {"$file$_"} findings($text);
    push @function_sizes, map { $_->[2] } functions($text) if $file =~ m{^xs/};
}
is join("\n", @findings), '', 'every file keeps the rules';
my @documents = (files($TOP, qr{(?:\.pod|\.md|/README)$}), 'xs/capture/FORMAT', 'xs/pages/DATA');
is join("\n", map { my $file = $_; map {"$file$_"} grep {!/lines$/} findings(slurp("$TOP/$file")) } @documents), '',
    'and so do documents, but that they may be long';

# Programs whose lines have numbers in what is expected of them go without.
my @profiled = grep { m{^(?:t/bench/accuracy|xt/programs)/} } @code;
my @unlicensed = grep { !names_licence(slurp("$TOP/$_")) } @code;
is_deeply \@unlicensed, \@profiled, 'every source names its licence';

my @cited = grep { -T "$TOP/$_" && !m{^t/golden/} } files($TOP, qr{^(?:t|xt|xs|lib|bin|html|\.ci)/|^[^/]+$});
is join("\n", map { my $file = $_; map {"$file$_"} citations(slurp("$TOP/$file")) } @cited), '',
    'no file cites a document, section or requirement that is not here';

my @commented = grep {m{^(?:xs|html)/}} @code;
is join("\n", map { my $file = $_; map {"$file$_"} riddles(slurp("$TOP/$file")) } @commented), '',
    'comments name things instead of alluding to them';

SKIP: {
    skip 'no functions yet', 2 if !@function_sizes;
    my @sorted = sort { $a <=> $b } @function_sizes;
    cmp_ok $sorted[ $#sorted / 2 ],   '<=', 12, 'the median function of xs/ has at most 12 lines';
    cmp_ok $sorted[ $#sorted * 0.9 ], '<=', 35, 'nine of ten functions of xs/ have at most 35 lines';
}

my $note = 'TO' . 'DO';
is_deeply [ findings("int a;\t\nint b; \n/* $note: c */\n" . 'x' x 121 . "\n") ],
    [ ':1 tab', ':1 space at the end', ':2 space at the end', ":3 $note", ':4 121 columns' ],
    'planted: tab, space at the end, note to self, long line';
is_deeply [ findings("int f(int a)\n{\n" . "    a++;\n" x 78 . "}\n\nint g(void) {\n}\n") ],
    [':1 function f has 81 lines'], 'planted: long C function';
is_deeply [ findings("sub f {\n" . "    1;\n" x 80 . "}\n") ], [':1 function f has 82 lines'],
    'planted: long Perl function';
is_deeply [ findings("1;\n" x 401) ], [' has 401 lines'], 'planted: long file';

my ($number, $paper, $section) = ('N' . '-05', 'compat' . '.md', '9' . '.3');
is_deeply [ citations("# Calls. ($number)\n# $paper\nis 1, 1, '$section a name';\n'9.30 s', 'ISO-10'\n") ],
    [ ":1 $number", ":2 $paper", ":3 $section" ], 'planted: a requirement, a document and a section';

my $alluding = "/* Of nobody.\n * Whose it is. */\nint nobody;\n// that of that.\nint a; /* a file whose page */\n";
is_deeply [ riddles($alluding) ],
    [ ':1 nobody', ':2 Whose', ':4 of that.' ], 'planted: pronouns for nouns in comments; in code they may be';

done_testing;

sub findings {
    my ($text) = @_;
    my @lines = split /\n/, $text;
    my @found;
    for my $i (0 .. $#lines) {
        my $length = columns($lines[$i]);
        push @found, map { sprintf ':%d %s', $i + 1, $_ } (
            $lines[$i] =~ /\t/                          ? 'tab'              : (),
            $lines[$i] =~ /\s$/                         ? 'space at the end' : (),
            $lines[$i] =~ /\b(TO[D]O|XX[X]|FIX[M]E)\b/  ? $1                 : (),
            $length > $LINE_COLUMNS                     ? "$length columns"  : (),
        );
    }
    push @found, map {":$_->[1] function $_->[0] has $_->[2] lines"}
        grep { $_->[2] > $FUNCTION_LINES } functions($text);
    push @found, ' has ' . @lines . ' lines' if @lines > $FILE_LINES;
    return @found;
}

# Requirements are a letter, a hyphen and digits; sections stand at the beginning of a test's name.
sub citations {
    my ($text) = @_;
    my @lines = split /\n/, $text;
    my $unit  = qr/(?:[num\xC2\xB5]*s|[kMG]?B|seconds)\b/;
    my @found;
    for my $i (0 .. $#lines) {
        my @in_line = $lines[$i]
            =~ /\b([A-Z]-[0-9]{2,3}|(?:compat|lua|report|formats|requirements|perl-limits)\.md)\b/g;
        push @in_line, $lines[$i] =~ /['"]([0-9]{1,2}\.[0-9]{1,2}) (?!$unit)[a-z]/g;
        push @found, map { sprintf ':%d %s', $i + 1, $_ } @in_line;
    }
    return @found;
}

# Words in comments behind which a noun is missing. `whose` is fine behind its noun, but does not begin a sentence.
sub riddles {
    my ($text) = @_;
    my @lines = split /\n/, $text;
    my ($inside, @found);
    for my $i (0 .. $#lines) {
        my $comment = $inside || $lines[$i] =~ m{/\*|^\s*//} ? $lines[$i] : '';
        $comment =~ s{^.*?(?=/\*)}{} if !$inside;
        $inside = ($inside || $lines[$i] =~ m{/\*}) && $lines[$i] !~ m{\*/};
        push @found, map { sprintf ':%d %s', $i + 1, $_ }
            $comment =~ /\b([Ww]ho(?:ever|mever|m)|(?:[Nn]o|[Ss]ome|[Aa]ny)body|Whose|of (?:that|those)[.,;:)])/g;
    }
    return @found;
}

sub names_licence {
    my ($text) = @_;
    return $text =~ m{^(?:#|--|//|/\*) SPDX-License-Identifier: MIT(?: \*/)?$}m ? 1 : 0;
}

sub columns {
    my ($bytes) = @_;
    utf8::decode($bytes);
    return length $bytes;
}
