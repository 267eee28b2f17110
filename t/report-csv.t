# SPDX-License-Identifier: MIT
# The CSV report, in the form that Devel::NYTProf's Reader writes; and the command nytprofcsv.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk record text);
use Pages qw(fixtures pages run);
use Profiled qw(command has_peer);
use Tree qw(slurp spew);

my $NYTPROF   = "$FindBin::Bin/../build/nytprof";
my @NYTPROFCSV = ($^X, "$FindBin::Bin/../bin/nytprofcsv");
my $GOLDEN    = "$FindBin::Bin/golden/csv.txt"; # "== NAME", then what is in it
my $captures  = fixtures();
my $dir       = tempdir(CLEANUP => 1);

my ($status, $out, $err) = run(@NYTPROFCSV, '-f', "$captures/calls.out", '-o', "$dir/calls");
is "$status $err", '0 ', 'nytprofcsv runs';
is $out, <<"END", 'and says what it does in the words that it always has';
Generating CSV report...
Reading $captures/calls.out
Processing $captures/calls.out data
Writing sub reports to $dir/calls directory
Writing block reports to $dir/calls directory
Writing line reports to $dir/calls directory
END

my $pages = pages("$dir/calls");
my $golden = { slurp($GOLDEN) =~ /^== (.*)\n((?:(?!== ).*\n)*)/mg };
is_deeply [ sort keys %$pages ], [ sort keys %$golden ], 'a file per source file and level, evals by line only';
is without_version($pages->{$_}), $golden->{$_}, $_ for sort keys %$golden;

for my $level (qw(line block sub)) {
    my $seconds = 0;
    my @plain = grep {/^[^(].*-$level\.csv$/} keys %$pages;
    $seconds += (split /,/)[0] for grep {/^\d/} map { split /\n/ } @$pages{@plain};
    is sprintf('%.6f', $seconds), '0.000874', "by $level the times add up to the same";
}

($status) = run(@NYTPROFCSV, '-f', "$captures/calls.out", '-o', "$dir/tab", '--delim', 'tab', '-a');
is $status, 0, '--delim and -a';
like slurp("$dir/tab/app-main-pl-1-line.csv"), qr{^srcline\t0\.000050\t1\t0\.000050\tuse Foo::Bar;$}m,
    'do what they say';

# Counts of a million and more: all digits, but in the words of Devel::NYTProf where its users expect them.
my @place = ((map { Capture::u($_) } 1, 0, 0, 0, 0, 0), Capture::s('/x.pl'));
spew("$dir/million.out", text() . chunk(join '', record(7, @place), record(11, map { Capture::u($_) } 1, 1, 1, 1, 1),
    record(13, Capture::u(1), Capture::i(1_234_567), Capture::i(10))));
run($NYTPROF, 'csv', '-f', "$dir/million.out", '-o', "$dir/million");
like +(values %{ pages("$dir/million") })[0], qr/^[\d.]+,1234567,/m, 'nytprof csv: a large count has all digits';
run(@NYTPROFCSV, '-f', "$dir/million.out", '-o', "$dir/million6");
like +(values %{ pages("$dir/million6") })[0], qr/^[\d.]+,1\.23457e\+06,/m, 'nytprofcsv: six, as the peer prints it';

# Where more is taken off a line than it had, what is left is nothing, and no negative number.
my @fields = ((map { Capture::u($_) } 1, 0, 0, 0, 0, 0), Capture::s('/x.pl'));
spew("$dir/negative.out", text() . chunk(join '', record(7, @fields), record(11, map { Capture::u($_) } 1, 1, 1, 1, 1),
    record(13, Capture::u(1), Capture::i(3), Capture::i(-5000))));
run(@NYTPROFCSV, '-f', "$dir/negative.out", '-o', "$dir/negative");
is_deeply [ map { /^(-?0\.\d+,3,-?0\.\d+)/m } values %{ pages("$dir/negative") } ], ['0.000000,3,0.000000'],
    'less than nothing is 0';

# Of sums, too, line by line: what one line lacks is not taken from another, as in the Perl API.
my $eval = join '', record(7, (map { Capture::u($_) } 2, 0, 1, 1, 0, 0), Capture::s('(eval 1)[/x.pl:1]')),
    record(11, map { Capture::u($_) } 2, 2, 1, 1, 1), record(11, map { Capture::u($_) } 3, 2, 2, 2, 2),
    record(13, Capture::u(2), Capture::i(1), Capture::i(7000)),
    record(13, Capture::u(3), Capture::i(1), Capture::i(-4000));
spew("$dir/sums.out", text() . chunk(join '', record(7, @fields), record(11, map { Capture::u($_) } 1, 1, 1, 1, 1),
    record(13, Capture::u(1), Capture::i(3), Capture::i(-5000)), $eval));
run(@NYTPROFCSV, '-f', "$dir/sums.out", '-o', "$dir/sums");
$pages = pages("$dir/sums");
is_deeply [ map { $pages->{$_} =~ /^(0\.\d+),[1-9]/mg } sort keys %$pages ],
    [ '0.000007', '0.000000', '0.000007' ], 'nor is that of an eval taken off its line';

# What perl calls at no line has a row of its own in front, beside the peer's tool.
spew("$dir/end.pl", "my \$x = 1;\nsub f { 2 }\nEND { f() }\n");
for my $who ('ours', has_peer() ? 'peer' : ()) {
    system(command($who, { file => "$dir/$who.out", blocks => 1 }, "$dir/end.pl")) == 0 or die "$who fails\n";
    my @tools = ([ ours => @NYTPROFCSV ], $who eq 'peer' ? [ peer => 'env', '-u', 'PERL5LIB', 'nytprofcsv' ] : ());
    for my $tool (@tools) {
        my ($whose, @command) = @$tool;
        run(@command, '-f', "$dir/$who.out", '-o', "$dir/$who-$whose", '-a');
        my $end = pages("$dir/$who-$whose");
        my ($page) = grep {/end-pl-1-line/} keys %$end;
        my ($row) = $end->{$page} =~ /^(srcline.*)\n.*my \$x = 1;$/m;
        is $row, q{srcline,0.000000,0,0.000000,Profile data that couldn't be associated with a specific line:},
            "what is at no line has a row (profile: $who, report: $whose)";
        is scalar(grep { $end->{$_} =~ /associated/ } keys %$end), 3, 'at each level';
    }
}

# A file of format 5 does not say what @INC was.
mkdir "$dir/Deep";
spew("$dir/Deep/Down.pm", "package Deep::Down;\nsub new { bless {} }\npackage Down;\nsub f { 1 }\n1;\n");
spew("$dir/uses.pl", "use List::Util;\nuse lib '$dir';\nuse Deep::Down;\nDown::f(Deep::Down->new);\n");
for my $who ('ours', has_peer() ? 'peer' : ()) {
    system(command($who, { file => "$dir/$who.v5", $who eq 'ours' ? (format => 5) : () }, "$dir/uses.pl"));
    run(@NYTPROFCSV, '-f', "$dir/$who.v5", '-o', "$dir/$who-v5");
    my @names = map {s/-\d+-line\.csv//r} sort keys %{ pages("$dir/$who-v5") };
    is_deeply [ grep {/^[^(]*(?:Util|Down|strict)/} @names ], [qw(Deep-Down-pm List-Util-pm strict-pm)],
        "names of modules are those they are loaded by ($who, format 5)";
    run($^X, "$FindBin::Bin/../bin/nytprofhtml", '-f', "$dir/$who.v5", '-o', "$dir/$who-html", '--lib', $dir);
    ok -e "$dir/$who-html/uses-pl-1-line.html", 'nytprofhtml --lib knows one directory more';
}

spew("$dir/tab/mine.csv", "mine\n");
spew("$dir/tab/app-gone-nowhere-pl-6-line.csv", "old\n");
run(@NYTPROFCSV, '-f', "$captures/zero.out", '-o', "$dir/tab", '-d');
is_deeply [ sort keys %{ pages("$dir/tab") } ], [qw(e-1-block.csv e-1-line.csv e-1-sub.csv mine.csv)],
    '--delete takes an earlier report away and leaves what is not its own';

for my $capture (qw(empty zero hostile)) {
    ($status, $out, $err) = run($NYTPROF, 'csv', '-o', "$dir/$capture", "$captures/$capture.out");
    my $trouble = $capture eq 'empty' ? qr/^1 .*: an empty report: .*\n$/ : qr/^0 $/;
    like "$status $err", $trouble, "$capture: is reported";
}
cmp_ok -s "$dir/hostile/javascript-alert(9)-3-line.csv", '<', 1000, 'a line number of four billion makes a short file';

($status, $out, $err) = run(@NYTPROFCSV, '--help');
is $status, 0, '--help exits with 0';
like $out, qr{^usage: .*nytprofcsv}, 'and prints to standard output';
is +(run(@NYTPROFCSV, '--nosuch'))[0], 1, 'a wrong option with 1';
($status, $out, $err) = run(@NYTPROFCSV, '-f', "$dir/nosuch");
isnt $status, 0, 'a profile that is not there with something else';
like $err, qr{Unable to access \S+nosuch}, 'and a message';
spew("$dir/file", '');
($status, $out, $err) = run(@NYTPROFCSV, '-f', "$captures/calls.out", '-o', "$dir/file");
isnt $status, 0, 'a file in place of the directory likewise';
like $err, qr{is a file}, 'with its message';
is +(run($NYTPROF, 'csv', '--nosuch'))[0], 2, 'nytprof csv: a wrong option is 2';
is +(run($NYTPROF, 'csv', "$dir/nosuch"))[0], 1, 'and a missing profile 1';

done_testing;

sub without_version {
    my ($text) = @_;
    return $text =~ s/^# Version: v\K.*/VERSION/mr;
}
