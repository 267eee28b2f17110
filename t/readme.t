# SPDX-License-Identifier: MIT
# README.md shows what there is: its table has the rows that t/bench/readme.pl measures, of this version; its pictures,
# verbs and commands exist.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Tree qw(slurp);

my $TOP    = "$FindBin::Bin/..";
my $readme = slurp("$TOP/README.md");

my @wanted = split /\n/, qx{$^X "$TOP/t/bench/readme.pl" --rows};
my ($table) = $readme =~ /^<!-- written by perl t\/bench\/readme\.pl --write -->\n(.*?)^<!-- end -->/ms;
my ($head, undef, @rows) = grep {/^\|/} split /\n/, $table // '';
cmp_ok scalar @wanted, '>=', 5, 'the rows were understood';
is_deeply [ map { (split /\s*\|\s*/)[1] } @rows ], \@wanted, 'the table has the rows that are measured';
is_deeply [ grep { (split /\s*\|\s*/)[2] !~ /\d/ } @rows ], [], 'each with a figure of ours';
my ($version) = slurp("$TOP/lib/Devel/NYTProf/Core.pm") =~ /VERSION\s*=\s*'([\d.]+)'/;
like $head, qr/^\| \| Devel-NYTProf \Q$version\E \| Devel::NYTProf [\d.]+ \|$/, 'of this version, beside the peer';

my @pictures = $readme =~ /^!\[[^\]]+\]\((\S+)\)/mg;
is_deeply [ grep { !-s "$TOP/$_" } @pictures, 'CONTRIBUTING.md', 'xt/README' ], [], 'pictures and documents are there';
my %verb = map { ($_ => 1) } (nytprof('list'))[0] =~ /^  (\w+) /mg;
is_deeply [ grep { !$verb{$_} } $readme =~ /(?:`|^    )nytprof ([a-z]\w*)/mg ], [], 'verbs are';
is_deeply [ grep { !-e "$TOP/bin/$_" } $readme =~ /\b(nytprof[a-z]+|flamegraph\.pl)\b(?!\/|\.out)/g ], [],
    'and so are commands';

my ($builds) = $readme =~ /^## Whole builds\n\n(.*?)\n\n## /ms;
cmp_ok scalar(() = ($builds // '') =~ /^/mg), '<', 10, 'whole builds take less than ten lines';
like $builds, qr/nytprof make.*nytprof build/s, 'to record and to look at';

done_testing;
