# SPDX-License-Identifier: MIT
# What the index says about loading modules: which use or require statement loaded what, and for how long.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Pages qw(broken_links pages text_of);
use Run qw(capture_of run);

my %files = (
    'Outer.pm' => "package Outer;\nuse Inner; use Twin;\nsub f { 1 }\n1;\n",
    'Inner.pm' => "package Inner;\nmy \$x = 0;\n\$x += \$_ for 1 .. 20000;\n1;\n",
    'Twin.pm'  => "package Twin;\nsub import { my \$x = 0; \$x += \$_ for 1 .. 10000 }\n1;\n",
);
my $run = run("use lib '.';\nuse Outer;\nuse Inner;\nOuter::f();\n", files => \%files);
my ($pages) = report('loading');
my $index = $pages->{'index.html'};
my ($section) = $index =~ m{(<section aria-labelledby=loading>.*?</section>)}s;
like text_of($section // ''), qr{ Loading modules: \S+ \S+, \S+ % }, 'there is a section, with the time of all';
my %row = rows($index);
is_deeply [ sort grep {/^(?:Outer|Inner|Twin)$/} keys %row ], [qw(Inner Outer Twin)],
    'every module has a row, also the second one of a line';
is $row{Inner}[2], 2, 'with the number of statements that use it';
is $row{Inner}[3], page('Outer') . '#2', 'and a link to the one that took longest';
is $row{Outer}[3], page('prog') . '#2', 'as the program itself';
my $of_others = $row{Outer}[0] - $row{Outer}[1];
cmp_ok $of_others, '>', $row{Twin}[0], 'a module has the time of those that it uses, but not in its own';
is_deeply [ broken_links($pages) ], [], 'no link is broken';

%files = (
    'Late.pm'  => "package Late;\nuse Lower;\nmy \$x = 0;\n\$x += \$_ for 1 .. 20000;\nsub f { 1 }\n1;\n",
    'Lower.pm' => "package Lower;\nmy \$x = 0;\n\$x += \$_ for 1 .. 20000;\n1;\n",
    'Used.pm'  => "package Used;\nsub f { my \$x = 0; \$x += \$_ for 1 .. 20000 }\nf();\n1;\n",
);
$run = run(<<'END', files => \%files);
use lib '.';
use Used;
sub load { require Late; Late::f() }
load() for 1 .. 3;
my %o = (require => 1); my $s = "require Late"; $o{require} = 2;
require Used;
END
$pages = report('late');
%row = rows($pages->{'index.html'});
is_deeply [ sort grep {/^(?:Late|Lower|Used)$/} keys %row ], [qw(Late Lower Used)], 'what is required has a row, too';
is $row{Late}[3], page('prog') . '#3', 'with a link to the statement';
is $row{Used}[2], 2, 'use and require are counted together';
is $row{Used}[3], page('prog') . '#2', 'and the one that loaded it is named';
cmp_ok abs($row{Late}[0] - $row{Late}[1] - $row{Lower}[0]), '<=', 1,
    'a module has the time of the one that it uses, apart from its own';
cmp_ok $row{Late}[1], '>', 0, 'which is that of its code outside subs';

$run = run("my \$x = 1;\n");
my @rows = text_of(report('none')->{'index.html'}) =~ /Uses Module (\S+ \S+) (\S+ \S+) compiling prog\.pl /;
is scalar @rows, 2, 'without modules there is the program itself';

my %many = map { ("M$_.pm" => "package M$_;\n1;\n") } 1 .. 40;
$run = run(join('', "use lib '.';\n", map {"use M$_;\n"} 1 .. 40), files => \%many);
%row = rows(report('many')->{'index.html'});
is scalar(grep {/^M\d+$/} keys %row), 40, 'every module is there, however quick';

$run = run("f();\nsub f { 1 }\n", files => \%many, switches => [ '-I.', Run::under_profiler(), '-MM1', '-MM2=0' ]);
my $text = text_of(report('options')->{'index.html'});
like $text, qr/ 2 \(options -M and -m\) /, 'modules that the command line names have a row';
like $text, qr/Loading modules: /, 'and a section';

done_testing;

# { module => [total, own, statements, link, module] }
sub rows {
    my ($page) = @_;
    my ($found) = $page =~ m{(<section aria-labelledby=loading>.*?</section>)}s;
    my $row = qr{data-v=(\d+).*?data-v=(\d+).*?<td>(\d+).*?<a href=([^>]*)>(\w+)<};
    return map { ($_->[4] => $_) } grep {@$_} map { [/$row/] } $found =~ m{<tr>\s(<td.*?)(?=<tr>|</table>)}gs;
}

sub report {
    my ($name) = @_;
    my (undef, $err, $exit) = nytprof('html', '-o', "$run->{dir}/$name", capture_of($run));
    "$exit$err" eq '0' or die "nytprof html: $err";
    return pages("$run->{dir}/$name");
}

# The page of a file, whose directory has any name.
sub page { my ($name) = @_; return (grep {/(?:^|-)$name-p[ml]-\d/} sort keys %$pages)[0] // "no page of $name" }
