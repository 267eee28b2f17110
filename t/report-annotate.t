# SPDX-License-Identifier: MIT
# nytprof annotate: which files and lines of source are printed, and how.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk nytprof record text);
use Pages qw(fixtures);

my $calls = fixtures() . '/calls.out';

# The lines printed for each file: { file => 'NUMBER NUMBER ... NUMBER' }, gaps as "...".
sub lines {
    my (@options) = @_;
    my ($out, $err, $exit) = nytprof('annotate', @options, $calls);
    is "$exit $err", '0 ', "annotate @options";
    my %lines;
    for my $file (split /\n\n/, $out) {
        my ($name) = $file =~ /\A(.*): /;
        $lines{$name} = join ' ', $file =~ /^(?:[ ]*[\d,]+[ ]+\S+[ ]\S+)?[ ]+(\d+|\.\.\.)(?:[ ]{2}.*)?$/mg;
    }
    return \%lines;
}

my $all = lines();
is $all->{'/app/main.pl'}, join(' ', 1 .. 19), 'a file is printed whole, lines that never ran as well';
is $all->{'/app/gone/nowhere.pl'}, '7', 'without source there are the lines with figures';
is lines('--min-percent', 5, '--context', 0)->{'/app/main.pl'}, '1 ... 8 ... 10',
    'of a file without its colder lines gaps are shown';
is lines('--min-percent', 5, '-C', 1)->{'/app/main.pl'}, '1 2 ... 7 8 9 10 11', 'with lines around the hot ones';
is_deeply [ sort keys %{ lines('--min-percent', 5) } ], [ '/app/main.pl', 'Foo/Bar.pm' ],
    'a file without a hot line is left out';
is lines('--filter', 'main::p.ng')->{'/app/main.pl'}, '6 7', 'lines of the subs that --filter chooses';
is_deeply [ keys %{ lines('--package', 'Foo::Bar') } ], ['Foo/Bar.pm'], 'or --package';
is_deeply [ sort keys %{ lines('--source', 'main.pl') } ],
    [ '(eval 1)[/app/main.pl:9]', '(eval 3)[/app/main.pl:9]', '/app/main.pl' ],
    'a file with its evals, by the end of its name';
is_deeply [ keys %{ lines('--top', 1) } ], ['Foo/Bar.pm'], 'the file with the most time is the first';

my ($of_subs) = nytprof('annotate', '--sub', '--source', 'Bar.pm', $calls);
like $of_subs, qr/^ +1  500 \S+ +4  /m, 'sums of subs';
my ($none) = nytprof('annotate', '--min-percent', 100, $calls);
is $none, "No line was chosen.\n", 'nothing to print is said';

# --- text that is hard to print ---

my @file = ((map { Capture::u($_) } 1, 16, 0, 0, 0, 0), Capture::s("/x\e[31m.pl"));
my @source = ((map { Capture::u($_) } 1, 1), Capture::s("\tf(\"\e[2J\");\r\na\tb\n" . '-' x 90 . "caf\xC3\xA9\n"));
my $hard = text() . chunk(join('', record(7, @file), record(8, @source),
    (map { record(11, map { Capture::u($_) } $_, 1, $_, $_, $_) } 1 .. 3),
    map { record(13, Capture::u($_), Capture::i(1234567), Capture::i(1000 * $_)) } 1 .. 3));
my ($out) = nytprof('annotate', \$hard);
like $out,   qr/^\/x\\x1B\[31m\.pl: /, 'a name with an escape sequence is harmless';
like $out,   qr/^1,234,567 .* 1 {10}f\("\\x1B\[2J"\);$/m, 'and so is source, whose tabs are blanks up to the next stop';
like $out,   qr/ 2  a {7}b$/m, 'behind text as well';
unlike $out, qr/[\e\t\r]/, 'there are no other control characters';
like $out,   qr/-{90}caf\xC3\xA9$/m, 'long lines are whole where no terminal is';
my ($colored) = nytprof('annotate', '--color=always', \$hard);
like $colored, qr/^\e\[1;31m1,234,567 1\.00 \S+\e\[0m/m, 'a hot line is red';
is first_lines($colored =~ s/\e\[[\d;]*m//gr), first_lines($out), 'and nothing else differs';

done_testing;

sub first_lines { my ($text) = @_; return join '', ($text =~ /^.*\n/mg)[ 0 .. 3 ] }
