# SPDX-License-Identifier: MIT
# What perl shows a program of itself is what it shows where there is no profiler: names of subs and evals, $^P, the
# tables of debuggers. And what the profiler shows does not come from there.
use strict;
use warnings;

use Cwd qw(abs_path);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(of records);
use Run qw(captures_in facts run same under_profiler without_quarantine);
use Tree qw(slurp spew);

# --- what the program sees --------------------------------------------------------------------------------------------

# perl has only one debugger: -d in the program's first line changes nothing.
for my $first (qw(-d -dw -d:NYTProf)) {
    my $ours = run("#!perl $first\nsub f { 1 }\nprint f(), \" \$^P\\n\";\n", options => {});
    is "$ours->{out}$ours->{err}$ours->{exit}", "1 0\n0", "$first in the program's first line";
    is facts($ours)->{sub}{'main::f'}{calls}, 1, 'and the program is profiled';
}

my $METHODS = same('next::method, next::can and maybe::next::method in anonymous subs', <<'END');
use mro;
package A; sub new { return bless {}, shift } sub f { return 'A::f' }
package B; our @ISA = 'A';
sub f { my $s = shift; my $c = sub { $s->next::method }; return $c->() }
sub g { my $s = shift; return sub { $s->maybe::next::method // 'none' }->() }
sub h { my $s = shift; return sub { $s->next::can ? 'can' : 'cannot' }->() }
package main;
print join(' ', B->new->f, B->new->g, B->new->h), "\n";
END
is $METHODS->{out}, "A::f none cannot\n", 'and they find what they look for';

same('caller, Carp, die and __FILE__ in evals and anonymous subs', <<'END');
use Carp;
sub where { my $n = 0; while (my @at = caller $n++) { print join('|', map { $_ // '-' } @at[ 0 .. 3, 6 ]), "\n" } }
my $f = sub { where(); eval 'where(); sub { where(); confess "c" }->()'; print $@ };
$f->();
eval 'eval q{print __FILE__, " ", __LINE__, "\n"; die "inner"}; print $@; warn "w"; 1 +';
print $@;
eval "#line 7 \"made.pl\"\nwhere(); sub { die 'made' }->()";
print $@;
my $x = 'print((caller 0)[6]); "a"';
(my $s = 'x') =~ s/x/$x/ee;
my $re = '(?{ where() })';
use re 'eval';
'a' =~ /$re/;
package Over; use overload '""' => sub { print "asked\n"; return 'main::where()' };
package main;
eval bless [], 'Over';
sub TIESCALAR { return bless [] } sub FETCH { print "fetched\n"; return 'where()' }
tie my $tied, 'main';
eval $tied;
'where()' =~ /(.*)/ and eval $1;
use warnings; local $SIG{__WARN__} = sub { print @_ };
eval undef; my $none; eval $none;
BEGIN { eval 'sub compiled { where() } compiled()' }
sort { where(); 0 } 1, 2;
{ use feature 'evalbytes'; evalbytes "where()" }
use utf8; eval 'print __FILE__, "\n"; sub flä { print +(caller 0)[3] eq "main::fl\xE4" ? 1 : 0 } flä()';
END

same('$^P, %DB::sub, the lines of files and evals', <<'END');
BEGIN { print "$^P\n" }
sub f { 1 }
my $anon = sub { 2 };
eval 'print "$^P\n"; sub kept { 3 }';
require Text::Wrap;
print "$^P ", scalar(keys %DB::sub), ' ', join(' ', grep {/^_<(?!.*\.(?:[ch]|so|xs|pl)\z)/} sort keys %main::), "\n";
print join(' ', grep {/ANON/} sort keys %main::), "\n";
CHECK { print "check $^P\n" } INIT { print "init $^P\n" } END { print "end $^P\n" }
END

same('a program that asks perl to keep what it evaluates', <<'END');
$^P = 0xA;
eval "sub foo { 1 }\n1;\n";
my ($name) = grep {/^_<\(eval/} keys %main::;
print "$name ", join '', map { $_ // '' } @{ $main::{$name} };
END

same('closures and what they hold go when they do', <<'END');
sub DESTROY { print "gone\n" }
sub outer { my $x = bless []; my $y = 1; return sub { $y } }
my $f = outer();
print "here\n";
END

# --- memory -----------------------------------------------------------------------------------------------------------

my $EVALS = <<'END';
for (1 .. 60_000) { eval "sub { $_ }->(); sub { sub { 1 } }" }
open my $in, '<', '/proc/self/status' or die; print join('', <$in>) =~ /^VmHWM:\s+(\d+)/m;
END
SKIP: {
    skip 'NOTHING is shown of memory, which cannot be measured here', 1 if !-e '/proc/self/status';
    my ($bare, $ours) = map { run($EVALS, env => {without_quarantine}, @$_)->{out} } [ switches => [] ], [];
    cmp_ok $ours - $bare, '<', 20_000, 'anonymous subs in evals leave nothing behind (kB)';
}

# --- subs in the capture ----------------------------------------------------------------------------------------------

# "NAME FIRST-LAST CALLS" of the program's subs that have lines, but for BEGIN.
sub subs_of {
    my ($text, %with) = @_;
    my $facts = facts(run($text, %with));
    my %latest = map { ($_->{name} => $_) } of('sub', @{ $facts->{records} });
    my @names = grep { $latest{$_}{last_line} && /^(?:main|DB|Else|old)::(?!BEGIN)/ } sort keys %latest;
    return join '', map {
        "$_ $latest{$_}{first_line}-$latest{$_}{last_line} " . ($facts->{sub}{$_}{calls} // 0) . "\n"
    } @names;
}

# How many evals List::Util has run before depends on its version.
is subs_of(<<'END') =~ s/\(eval \d+\)/(eval N)/r, <<'SUBS', 'subs that were never called, with their files and lines';
use feature 'lexical_subs'; no warnings;
sub holds { my $x = shift;
    return sub { $x } }
sub stub; sub stub { 2 }
sub constant() { 3 }
sub twice { 4 }
no warnings; sub twice {
    5 }
my sub lexical { 6 }
sub old'style { 7 }
package Else; sub else { 8 } my $f = sub {
    9 };
package main; sub cleaned { 10 } delete $main::{cleaned};
eval 'sub evaluated { 11 } 1';
for (1 .. 3) { eval 'sub again { 12 } 1' }
again();
my $unused = eval 'sub { 13 }';
sub DB::hidden { 14 } { package DB; sub hidden2 { 15 } }
sub undefined { 16 } undef &undefined;
qr/(?{ 17 })/;
use List::Util 'first'; first { 1 } 1;
END
DB::hidden 18-18 0
Else::__ANON__[prog.pl:12] 11-12 0
Else::else 11-11 0
main::__ANON__[(eval N)[prog.pl:17]:1] 1-1 0
main::__ANON__[prog.pl:20] 20-20 0
main::__ANON__[prog.pl:21] 21-21 0
main::__ANON__[prog.pl:3] 3-3 0
main::again 1-1 1
main::cleaned 13-13 0
main::evaluated 1-1 0
main::holds 2-3 0
main::lexical 9-9 0
main::stub 4-4 0
main::twice 7-8 0
main::undefined 19-19 0
old::style 10-10 0
SUBS

is subs_of("sub f { 1 } DB::enable_profile(); f(); my \$g = eval 'sub { 2 }'; \$g->(); eval 'sub h { 3 }'; h();\n",
    options => { start => 'no' }), "main::__ANON__[(eval 1)[prog.pl:1]:1] 1-1 1\nmain::f 1-1 1\nmain::h 1-1 1\n",
    'what was compiled while profiling was off has its names, too';

# --- source -----------------------------------------------------------------------------------------------------------

# { NAME => text } as stored; the run's own directory is "DIR" in names.
sub source_of {
    my ($run, @capture) = @_;
    my @records = @{ facts($run, @capture)->{records} };
    my $real = abs_path($run->{dir});
    my %name = map { ($_->{id} => $_->{name} =~ s/\Q$real\E/DIR/r) } of('file', @records);
    my %text;
    $text{ $name{ $_->{file} } } .= $_->{text} for of('source', @records);
    return \%text;
}

my $HEREDOC = <<'END';
my $text = <<'TEXT';
__END__
TEXT
sub f { 1 }
1;
__END__
what nobody reads
END
my $from_disk = run(<<"END", files => { 'H.pm' => "package H;\n$HEREDOC" });
use lib '.'; require H; H::f();
$HEREDOC
END
is source_of($from_disk)->{'DIR/H.pm'}, "package H;\n" . $HEREDOC =~ s/what.*//sr, 'a module up to its real __END__';
is source_of($from_disk)->{'DIR/prog.pl'}, "use lib '.'; require H; H::f();\n" . $HEREDOC =~ s/what.*//sr, 'a program';

my $changed = run(<<'END', files => { 'C.pm' => "package C; sub f { 1 } 1;\n" });
use lib '.'; require C;
open my $out, '>', 'C.pm'; print $out "package C; sub g { 2 } 1;\n"; close $out;
DB::finish_profile();
DB::enable_profile('later.out');
C::f();
END
is source_of($changed)->{'DIR/C.pm'}, "package C; sub f { 1 } 1;\n", 'a file that has been changed since';
ok !exists source_of($changed, "$changed->{dir}/later.out")->{'DIR/C.pm'},
    'in a second profile by then it has no text instead of a wrong one';

my $twice = run(<<'END');
sub f { 1 } f();
DB::finish_profile();
DB::enable_profile();
f();
END
my ($both) = map { [ of('source', records("$twice->{dir}/$_")) ] } grep { !/\.1\z/ } captures_in($twice->{dir});
is_deeply [ map { $_->{text} =~ /^sub f/ ? 'prog.pl' : $_ } @$both ], ['prog.pl'], 'the next file has the text, too';

my $x = run(undef, files => { 'mail.txt' => "From: me\n\n#!perl\nsub f { 1 } f();\n__END__\n" },
    command => [ $^X, under_profiler(), '-x', 'mail.txt' ]);
like source_of($x)->{'DIR/mail.txt'}, qr/\A(?:#!perl)?\n{1,2}sub f/, 'perl -x: lines have their numbers';

my $pipe = run(undef, files => { 'script' => "sub f { 1 }\nf();\n" },
    command => [ 'bash', '-c', join ' ', 'perl', under_profiler(), '<(cat script)' ]);
my ($text) = grep {/sub f/} values %{ source_of($pipe) };
is $text, "sub f { 1 }\nf();\n", 'a script that comes through a pipe';

my $generated = run("eval qq{#line 3 \"made.tt\"\\nsub { 1 }->();\\n# line 7 \"other.tt\"\\nsub { 2 }->();\\n}; 1;\n");
my $made = source_of($generated);
is $made->{'DIR/made.tt'}, qq{\n\nsub { 1 }->();\n# line 7 "other.tt"\n},
    'lines under #line in an eval have their text and number';
is $made->{'DIR/other.tt'}, "\n" x 6 . "sub { 2 }->();\n\n;", 'each their own';

my $hooked = same('a module from a hook in @INC', <<'END');
my @lines = ("package Made;\n", "sub f { 1 }\n", "1;\n");
unshift @INC, sub { $_[1] eq 'Made.pm' ? sub { $_ = shift @lines; defined } : () };
require Made; Made::f();
eval { require Nowhere }; eval { require 'prog2.pl' };
print "$^P\n";
END
my ($loader) = grep {m{^/loader/}} keys %{ source_of($hooked) };
is source_of($hooked)->{ $loader // '' }, "package Made;\nsub f { 1 }\n1;\n", 'has its text, which is nowhere else';

done_testing;
