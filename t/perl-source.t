# The source that a profile keeps is what perl compiled: of files that are gone or were written anew before the first
# window, and what source filters made of a file.
use strict;
use warnings;

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

done_testing;
