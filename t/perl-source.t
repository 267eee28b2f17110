# SPDX-License-Identifier: MIT
# The source that a profile keeps is what perl compiled: of files that are gone or were written anew before the first
# window, and what source filters made of a file.
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Run qw(facts run same under_profiler);
use Tree qw(slurp spew);

# { BASE NAME => text } as stored.
sub source_of {
    my ($run)   = @_;
    my @records = @{ facts($run)->{records} };
    my %name    = map { ($_->{id} => $_->{name} =~ s{.*/}{}r) } of('file', @records);
    my %text;
    $text{ $name{ $_->{file} } } .= $_->{text} for of('source', @records);
    return \%text;
}

# --- files that do not stay -------------------------------------------------------------------------------------------

my $GONE = <<'END';
unlink $0;
sub put { my ($name, $text) = @_; open my $out, '>', $name or die; print {$out} $text; close $out or die }
my $generated = "sub g { # made by a program\n    return 1;\n}\n1;\n";
put('gen.pl', $generated);
do './gen.pl' or die;
g();
unlink 'gen.pl';
put('gen.pl', "# written anew\n" x 9);
put('new.pl', "# moved there\n" x 9);
rename 'new.pl', 'Moved.pm' or die;
END
my $gone = run("BEGIN { push \@INC, '.' } use Moved;\n$GONE",
    files => { 'Moved.pm' => "package Moved; # first\n1;\n" });
my $kept = source_of($gone);
is $kept->{'prog.pl'}, "BEGIN { push \@INC, '.' } use Moved;\n$GONE", 'a program that removes its file';
is $kept->{'gen.pl'}, "sub g { # made by a program\n    return 1;\n}\n1;\n",
    'a file that is run, removed and written anew';
is $kept->{'Moved.pm'}, "package Moved; # first\n1;\n", 'a module in whose place another file is put';
my $BEGIN = "BEGIN { unlink __FILE__ }\nmy \$x = 1;\n__END__\nno code\n";
is source_of(run($BEGIN))->{'prog.pl'}, $BEGIN =~ s/no code\n//r, 'a program that does so while it is compiled';

# --- texts that are whole are not held until a window is written ------------------------------------------------------

# The fake clock goes on by a microsecond with each reading: there is one window, at the end.
my %modules = map { ("$_.pm" => "package $_;\nBEGIN { my \$x = 1 }\n" . "# $_\n" x 20_000 . "1;\n") } qw(La Lb);

sub order_of {
    my (%options) = @_;
    my $run = run("use lib '.';\nuse La;\nuse Lb;\n", files => \%modules, options => { clock => 'fake', %options });
    is_deeply source_of($run), { %{ source_of($run) }, %modules }, 'modules have their source once';
    my ($first) = map { $_->{kind} } grep { $_->{kind} =~ /^(?:source|place)$/ } @{ facts($run)->{records} };
    return $first;
}
is order_of(), 'source', 'it is written as soon as they are compiled';
is order_of(calls => 2), 'place', 'but with all events in their order between two of those';

my $none = run("my \$x = 1;\n", options => { savesrc => 0 });
sub page_of { my ($run) = @_; return html($run) =~ s/\A.*?<div class=notes>(.*?)<\/div>.*\z/$1/sr }

sub html {
    my ($run) = @_;
    is +(nytprof('html', '-o', "$run->{dir}/html", "$run->{dir}/nytprof.out"))[2], 0, 'a report';
    my ($page) = glob "$run->{dir}/html/*prog-pl*.html";
    return slurp($page);
}
like page_of($none), qr/shown is the file as it is now\./, 'a file that is as it was is shown';
spew("$none->{dir}/prog.pl", "my \$another = 'program';\n");
like page_of($none), qr/as it is now, and it has changed/, 'one that has changed as well, and the page says so';

# --- source filters ---------------------------------------------------------------------------------------------------

my %FILTERS = (
    'ByLine.pm' => <<'END',
package ByLine;
use Filter::Util::Call;
sub import {
    my (undef, $number) = @_;
    filter_add(sub { my $got = filter_read(); s/\bnumber\b/$number/g; $_ .= "# added\n" if /grows/; $got });
}
1;
END
    'ByFile.pm' => "package ByFile;\nuse Filter::Simple;\nFILTER { s/^dropped.*\\n//mg; s/word/6 * 7/g };\n1;\n",
    'Inside.pm'  => "package Inside; use strict;\nuse ByFile;\ndropped 1\nsub f {\n    return word;\ndropped 2\n}\n"
        . "no ByFile;\nour \$kept = 'word';\n1;\n__DATA__\nword\n",
    'Plain.pm'  => "package Plain;\nsub p { 1 }\n1;\n",
    'Broken.pm' => "package Broken;\nuse ByLine '3';\nnumber number;\n",
);
my $FILTERED = <<'END';
use lib '.';
use ByLine '3';
my $x = number;
my $y = 'grows';
require Inside;
my $broken = eval { require Broken; 1 };
my $p = $^P;
require Plain;
print join(' ', $x + number, Inside::f(), __LINE__, $broken // 'no', $p, grep {/_<.*Plain/} keys %main::), "\n";
__END__
number
END
my $filtered = same('programs with source filters run as they do', $FILTERED, files => \%FILTERS);
is $filtered->{out}, "6 42 10 no 0\n", 'perl keeps lines for us only while a filtered file is compiled';
$kept = source_of($filtered);
is $kept->{'prog.pl'}, join('', map { (/grows/ ? ($_, "# added\n") : /lib|ByLine/ ? $_ : s/\bnumber\b/3/gr) }
        $FILTERED =~ /(.*\n)/g) =~ s/3\n\z//r, 'a program as the filter left it, line by line';
is facts($filtered)->{line}{'prog.pl:6'}, 1, 'and its lines are those that ran';
is $kept->{'Inside.pm'}, <<'END', 'a module inside it with another filter, which ends';
package Inside; use strict;
use ByFile;
sub f {
    return 6 * 7;
}
no ByFile;
our $kept = 'word';
1;
__DATA__
END
is $kept->{'Plain.pm'}, $FILTERS{'Plain.pm'}, 'a module that is loaded later is as it is on the disk';
my $closure = "use Filter::Util::Call;\n"
    . "BEGIN { my \$n = 7; filter_add(sub { my \$s = filter_read(); s/number/\$n/; \$s }) }\n";
is source_of(run("${closure}my \$x = number;\n"))->{'prog.pl'}, "${closure}my \$x = 7;\n",
    'a filter that a BEGIN block makes';
my $switch = run("my \$x = number;\n", files => \%FILTERS, switches => [ under_profiler(), '-I.', '-MByLine=3' ]);
is source_of($switch)->{'prog.pl'}, "my \$x = 3;\n", "one that perl's switches load";
my $directive = "use lib '.';\nuse ByLine '3';\n#line 7 \"other.pl\"\n";
is source_of(run("${directive}my \$x = number;\n", files => \%FILTERS))->{'prog.pl'}, $directive,
    'with a line directive';
my $other_system = "use lib '.';\r\nuse ByLine '3';\r\nmy \$x = number;\r\n";
is source_of(run($other_system, files => \%FILTERS))->{'prog.pl'}, $other_system =~ s/number/3/r,
    "with another system's ends of lines";

# --- lines that directives give other names ---------------------------------------------------------------------------

# The text of each name, without the empty lines ahead of what there is: { NAME => "NUMBER LINE\nNUMBER LINE..." }.
sub numbered {
    my ($run)  = @_;
    my $source = source_of($run);
    my %lines;
    for my $name (keys %$source) {
        my $number = 0;
        $lines{$name} = join '', map { ++$number; /\S/ ? "$number $_" : () } $source->{$name} =~ /(.*\n?)/g;
    }
    return \%lines;
}

my $grammar = <<'END';
my $x = 1;
# line 5 "virtual.y"
my $y = 2;
sub action { return 5 }
# line 4 "virtual-grammar.pl"
action();
# line 2 "virtual.y"
my $z = action();
# line 20
my $w = $z;
__END__
no code
END
my $numbered = numbered(same('a program with line directives', $grammar, name => 'virtual-grammar.pl'));
is $numbered->{'virtual.y'}, <<'END', 'what is under the name of no file is its text, at the numbers that it has';
2 my $z = action();
3 # line 20
5 my $y = 2;
6 sub action { return 5 }
7 # line 4 "virtual-grammar.pl"
20 my $w = $z;
21 __END__
END
is $numbered->{'virtual-grammar.pl'}, <<'END', 'in the file stand its own lines, and where there are none, those';
1 my $x = 1;
2 # line 5 "virtual.y"
3 my $y = 2;
4 action();
5 # line 2 "virtual.y"
8 my $z = action();
9 # line 20
10 my $w = $z;
11 __END__
END

my %GENERATED = (
    'Grammar.pm' => qq{# line 1 "first.y"\nsub first { 1 }\n# line 1 "second.y"\nsub second { 2 }\n1;\n},
    'Shifted.pm' => "package Shifted;\n# line 50\nsub f { 50 }\n# line 60\nsub g { 60 }\n1;\n__END__\nno code\n",
);
$numbered = numbered(run("use lib '.';\nuse Grammar;\nfirst();\nunlink 'Grammar.pm';\nuse Shifted;\nShifted::f();\n"
    . "sleep 1; second();\n", files => \%GENERATED));
is $numbered->{'first.y'}, qq{1 sub first { 1 }\n2 # line 1 "second.y"\n}, 'a module without a line of its own';
is $numbered->{'second.y'}, "1 sub second { 2 }\n2 1;\n", 'that is removed before its other lines run';
is $numbered->{'Shifted.pm'}, <<'END', 'a directive without a name moves the lines of its file';
1 package Shifted;
2 # line 50
50 sub f { 50 }
51 # line 60
60 sub g { 60 }
61 1;
62 __END__
END

my $strings = <<'END';
sub f { return @_ } my @all = f(<<"A", 1 <<A);
# line 7 "virtual.y"
A
sub A { 1 }
my $y = 1;
# line 9 "virtual.y"
f($y);
END
$numbered = numbered(same('a program with texts like line directives', $strings));
is $numbered->{'virtual.y'}, "9 f(\$y);\n", 'those in here-documents are none';
my $number = 0;
is $numbered->{'prog.pl'}, join('', map { ++$number . " $_" } $strings =~ /(.*\n)/g), 'and move nothing';
if ($] >= 5.026) {    # perl's first with such texts
    my $indented = qq{my \@all = (<<~'A', <<~B);\n    # line 8\n    A\n  # line 9 "b.y"\n  B\nprint \@all;\n};
    is source_of(same('a program with indented ones', $indented))->{'prog.pl'}, $indented, 'which move nothing either';
}
my $unmoved = qq{my \$text = "a\n# line 100\nb";\n\$text .= "c";\n};
is source_of(run($unmoved))->{'prog.pl'}, $unmoved, 'nor do those that perl shows not to have obeyed';

# Where perl says that the line is which stands below each directive.
my @DIRECTIVES = (
    '#line 400 unquoted', '#line 410 two words', '#line 420 "two words"', '#line 430 "open', '#line 440 "x" trailing',
    '#line 450 x"y', '#line 460"nospace"', '#line 470 ""', "#\tline\t480\t\"tabs\"\t", "#line 490 'single'",
    '#line 0500 "zeros"', '#line 0 "zero"', '#line 99999999999999999999999 "huge"', "#line 500 \"cr\"\r",
    "#line 510 \"ff\"\f", ' # line 520 "indented"', '#linen 530 "word"', '##line 540 "comments"', '#line 550"',
    "=pod\n\n# line 600 \"pod\"\n\n=cut\n", "format X =\n# line 700 \"format\"\n.\n",
);
my $run = run(join '', map {"$DIRECTIVES[$_]\nprint __FILE__, ':', __LINE__, qq{:$_\\n};\n"} 0 .. $#DIRECTIVES);
$numbered = numbered($run);
my @said = $run->{out} =~ /^(.*):(\d+):(\d+)$/mg;
while (my ($file, $line, $nth) = splice @said, 0, 3) {
    next if !$line || $file eq 'prog.pl';
    like $numbered->{$file} // '', qr/^$line print .*:$nth\\n/m,
        "$DIRECTIVES[$nth] as perl takes it" =~ s/[\n\r\f]+/ /gr;
}

my $far = numbered(run(qq{my \$x = 1;\n# line 2000000000 "far.y"\n\$x = 2;\n# line 4294967295 "end.y"\n\$x = 3;\n}
    . qq{# line 1 "near.y"\n\$x = 4;\n}));
is_deeply [ @{$far}{qw(far.y end.y near.y)} ], [ undef, undef, "1 \$x = 4;\n" ],
    'lines that are put too far off are not kept';
my $real = numbered(run(qq{# line 2 "real.y"\nmy \$x = 1;\n}, files => { 'real.y' => "grammar:\n  my \$x = 1;\n" }));
is $real->{'real.y'}, "1 grammar:\n2   my \$x = 1;\n", 'where the file is on the disk its own text is shown';
# A file all of whose lines are under other names is known by %INC only.
my @FROM = map { my $n = $_; "$n sub { 1 }->();\n" . join '', map { $n + $_ . " 1;\n" } 1 .. $n } 1 .. 3;
my $again = numbered(run(<<'END'));
for my $n (1, 2, 3) {
    open my $out, '>', 'made.pl' or die;
    print {$out} "# line $n \"from$n.y\"\nsub { 1 }->();\n" . "1;\n" x $n;
    close $out or die;
    do './made.pl' or die;
}
END
is_deeply [ map { $again->{"from$_.y"} } 1 .. 3 ], \@FROM,
    'a file that is written anew and run again, under other names each time';

# Names that are in no file, each of which might be in any file that was loaded.
my ($LOADED, $NAMES) = (100, 200);
my $shim = tempdir(CLEANUP => 1) . '/stats.so';
system($Config{cc}, qw(-O2 -shared -fPIC -o), $shim, "$FindBin::Bin/perl/stats.c", '-ldl') == 0
    or BAIL_OUT('the shim does not compile');
my $nowhere = run(<<"END", env => { LD_PRELOAD => join ':', grep {defined} $ENV{LD_PRELOAD}, $shim });
\$INC{"Loaded\$_.pm"} = "/nowhere/Loaded\$_.pm" for 1 .. $LOADED;
unshift \@INC, sub {
    my \$name = \$_[1];
    my \@lines = ("# line 1 \\"\$name.y\\"\\n", "sub { 1 }->();\\n", "1;\\n");
    return sub { \$_ = shift \@lines; defined };
};
require "made\$_" for 1 .. $NAMES;
END
my ($stats) = $nowhere->{err} =~ /^(\d+) stats$/m;
cmp_ok $stats // $LOADED * $NAMES, '<', $LOADED * $NAMES / 5, 'looks for each loaded file once, not for each name';

# An eval's own lines; what only looks like a directive is in a string.
my $evals = source_of(run(<<'END'));
eval "my \$x = 1;\n# line 4\nmy \$y = 2;\n\$x + \$y;\n" or die;
eval "my \$z = q(\n# line 40\n);\nlength \$z;\n" or die;
END
my ($own, $string) = @$evals{ sort grep {/^\(eval/} keys %$evals };
is $own, "my \$x = 1;\n# line 4\n\nmy \$y = 2;\n\$x + \$y;\n\n;", 'an eval that numbers its own lines';
is $string, "my \$z = q(\n# line 40\n);\nlength \$z;\n\n;", 'one with a string that looks as if it did';

my $inc = same('%INC is left as it is', <<'END', files => \%GENERATED);
use lib '.';
use Grammar;
my ($first) = each %INC;
first();
my ($second) = each %INC;
print $first ne $second ? "goes on\n" : "begins anew\n";
END
is numbered($inc)->{'first.y'}, qq{1 sub first { 1 }\n2 # line 1 "second.y"\n}, 'and read';

done_testing;
