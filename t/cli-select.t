# SPDX-License-Identifier: MIT
# The options that choose what a report shows: what they leave of a capture, and what they refuse.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Pages qw(fixtures pages);
use Tree qw(spew);

my $capture = fixtures() . '/calls.out';

# { path => value } of the folded lines.
sub folded {
    my @options = @_;
    my ($out, $err, $exit) = nytprof('folded', @options, $capture);
    is_deeply [ $err, $exit ], [ '', 0 ], "folded @options";
    return { map { /^(.*) (\d+)$/ ? ($1 => $2) : ($_ => 'no path') } split /\n/, $out };
}

sub sum { my ($values) = @_; my $sum = 0; $sum += $_ for values %$values; return $sum }

my $all = folded();
my ($sub) = map { (split /;/)[1] } grep { tr/;// >= 2 } sort keys %$all;
my %below = map { (s/^.*?(?=\Q$sub\E(?:;|$))//r => 1) } grep {/;\Q$sub\E(?:;|$)/} keys %$all;
cmp_ok scalar keys %below, '>', 1, "$sub calls subs";
is_deeply [ sort keys %{ folded('--from', $sub) } ], [ sort keys %below ], 'paths from it on';
my $word = $sub =~ s/.*:://r;
is_deeply folded('--from', $word), folded('--from', $sub), 'the end of its name will do';
is_deeply folded('--filter', ":$word\$"), { map { ($_ => $all->{$_}) } grep {/:$word(?:;|$)/} keys %$all },
    'paths through it, with the values that they have';
is_deeply folded('--filter', '.*'), $all, 'paths through any sub are all';
my $merged = folded('--min-percent', 20);
cmp_ok scalar keys %$merged, '<', scalar keys %$all, 'of small frames fewer paths are left';
is sum($merged), sum($all), 'and all the time';

# --- nothing to show --------------------------------------------------------------------------------------------------

my $empty = tempdir(CLEANUP => 1);
for my $verb (qw(flat graph annotate hot folded speedscope pprof html csv lcov)) {
    my ($help) = nytprof('help', $verb);
    for my $option (grep { $help =~ /^ +--$_ /m } qw(filter package source)) {
        my (undef, $err, $exit) = nytprof($verb, '-o', "$empty/out", "--$option=nosuch", $capture);
        is "$exit $err", "1 nytprof: nothing matches --$option nosuch\n", "$verb: nothing matches --$option";
        ok !-e "$empty/out", 'and there is no file';
    }
}
is +(nytprof('folded', '--package=No', "--filter=\e", $capture))[1],
    "nytprof: nothing matches --filter \\x1B --package No\n", 'with all options, escaped';

spew("$empty/file", '');
for my $verb (qw(csv html)) {
    my ($out, $err, $exit) = nytprof($verb, '-o', "$empty/file", $capture);
    is "$exit $out$err", "1 nytprof: $empty/file is a file, not a directory to write a report to\n",
        "$verb: a file that is no directory is told before anything is read";
}

# --- tables of lines --------------------------------------------------------------------------------------------------

my $pages = tempdir(CLEANUP => 1);
my @one = ('--source', 'Bar.pm');
is +(nytprof('csv', '-o', "$pages/all", $capture))[2], 0, 'csv of all files';
is +(nytprof('csv', @one, '-o', "$pages/one", $capture))[2], 0, 'and of one';
my ($every, $chosen) = map { pages("$pages/$_") } qw(all one);
is_deeply $chosen, { map { ($_ => $every->{$_}) } grep {/Bar-pm/} keys %$every }, 'which is as it is among all';
cmp_ok scalar keys %$chosen, '>=', 1, 'and there';

# --- names as reports print them --------------------------------------------------------------------------------------

# A module in a directory of @INC, whose anonymous sub is named after the file.
my $lib = tempdir(CLEANUP => 1);
spew("$lib/Made.pm", "package Made;\nour \$sub = sub { 1 };\n1;\n");
spew("$lib/use.pl", "use Made;\n\$Made::sub->();\n");
{
    local $ENV{NYTPROF} = 'clock=fake';
    my @run = ('run', '-o', "$lib/use.out", $^X, "-I$lib", "$lib/use.pl");
    is +(nytprof(@run))[2], 0, 'a program with an anonymous sub of a module';
}
my ($shown, $full) = ('Made::__ANON__[Made.pm:2]', "Made::__ANON__[$lib/Made.pm:2]");
like +(nytprof('flat', "$lib/use.out"))[0], qr/ \Q$shown\E$/m, 'which reports print without the directory';
for my $name ($shown, $full, '__ANON__[Made.pm:2]') {
    my ($out, $err) = nytprof('callers', $name, "$lib/use.out");
    like $err || $out, qr/ \Q$shown\E\n.* at \S*use\.pl:2$/m, "callers $name";
}
like +(nytprof('folded', '--filter', "^\Q$_\E\$", "$lib/use.out"))[0], qr/;\Q$full\E \d+\n/, "--filter $_"
    for $shown, $full;

# Nor with a directory that the program has added to @INC.
spew("$lib/late.pl", "BEGIN { unshift \@INC, '$lib' }\nuse Made;\n\$Made::sub->();\n");
is +(nytprof('run', '-o', "$lib/late.out", $^X, "$lib/late.pl"))[2], 0, 'a program with a directory of its own';
for my $verb ([qw(flat)], [qw(graph)], [ qw(hot --by sub) ], [ 'callers', $full ], ['dot']) {
    my ($out, $err) = nytprof(@$verb, "$lib/late.out");
    like $err || $out, qr/\Q$shown\E/, "@$verb: a name without it";
    unlike $out, qr/\Q$full\E/, 'only';
}

# --- times without the correction -------------------------------------------------------------------------------------

my $dir = tempdir(CLEANUP => 1);
spew("$dir/calls.pl", "sub f { g() for 1 .. 50 }\nsub g { 1 }\nf() for 1 .. 3;\n");
{
    local $ENV{NYTPROF} = 'clock=fake'; # of 100 ns, with fixed prices of events
    is +(nytprof('run', '-o', "$dir/calls.out", "$dir/calls.pl"))[2], 0, 'a program with prices';
}
my @ticks = map { 100 * $_ } (nytprof('dump', "$dir/calls.out"))[0] =~ /^node_delta .*? ticks=(\d+)/mg;
my ($raw) = nytprof('folded', '--raw', '--stable', "$dir/calls.out");
is_deeply [ sort $raw =~ / (\d+)$/mg ], [ sort @ticks ], '--raw: the times that are in the file';
isnt +(nytprof('folded', '--stable', "$dir/calls.out"))[0], $raw, 'and others without it';

# --- mistakes ---------------------------------------------------------------------------------------------------------

my $large = '--filter: expected a regular expression with at most 1000 characters, copies by + and {} included, '
    . 'and ways to match nothing';
my $repeated = '--filter: expected a regular expression with no repetition of what may match nothing';
my ($filter, $see) = ('--filter: expected a regular expression, got', '(see `nytprof help folded`)');
for my $case (
    [ [ '--filter', 'a(b' ],     "folded: $filter 'a(b': Unmatched ( or \\(, at character 2 $see",             2 ],
    (map { [ [ '--filter', $_ ], "folded: $large $see", 2 ] } 'x' x 1001, '((a{9}){9}){99}', 'a{1001}',
        'a{1,99999999999999999999}', '(((((a+)+)+)+)+)+' x 20, '(\\b|^)' x 10),
    (map { [ [ '--filter', $_ ], "folded: $repeated $see", 2 ] } '++++' x 30, '(a?)?', 'o??', '(c????{20})*',
        '(b|c?)??{9}b**x', 'a{0,9}?+{9}', '$9$1$0*****************+*********', '(\\b|\\B|^|$)*x', '(|\\<a)+'),
    (map { [ [ '--filter', $_ ], "nothing matches --filter $_", 1 ] } '(([a-z]+(-[a-z]+)*)/)*=', '(=a?b*){0,20}=',
        '(a|b|c)*(d|e|f)*=' x 20, 'a?' x 100 . '=', '(\\b|^)' x 9 . '=', '(a?|b?)(c|)='),
    [ [ '--filter', '(x{900})y' ], 'nothing matches --filter (x{900})y', 1 ],
    [ [ '--filter', '[]+++++++++++][^]++++++++++[:alpha:]++++]z' ],
        'nothing matches --filter []+++++++++++][^]++++++++++[:alpha:]++++]z', 1 ],
    [ ['--package='],            "folded: --package: expected a name, got an empty one $see",                  2 ],
    [ [ '--min-percent', 101 ],  "folded: --min-percent: expected a number from 0 to 100, got '101' $see",     2 ],
    [ [ '--from', 'main::none' ],
        '--from: there is no sub main::none in this profile; similar names: main::pong, main::ping', 1 ],
    [ [ '--from', 'none::at_all' ], '--from: there is no sub none::at_all in this profile', 1 ],
) {
    my ($options, $message, $exit) = @$case;
    is_deeply [ nytprof('folded', @$options, $capture) ], [ '', "nytprof: $message\n", $exit ], "@$options";
}

done_testing;
