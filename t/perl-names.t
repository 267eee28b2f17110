# SPDX-License-Identifier: MIT
# What subs are called, and where they are.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Run qw(capture_of facts run under_profiler);

# calls_of(TEXT, ...): { NAME => calls } of the program's own subs that were called; ... as for run().
sub calls_of {
    my ($text, %with) = @_;
    my $subs = facts(run($text, %with))->{sub};
    return { map { ($_ => $subs->{$_}{calls}) } grep {/^(?:main|Deep::Down|A::b)::(?!CORE:|NULL\z)/} keys %$subs };
}

my $PHASE = 32;    # flag of what is no sub, as main::NULL

# "NAME FLAGS FIRST-LAST #ORDINAL" of all subs in the capture, in order of their names.
sub subs_in {
    my ($run) = @_;
    my %latest = map { ($_->{id} => $_) } of('sub', @{ facts($run)->{records} });
    my @subs = sort { $a->{name} cmp $b->{name} || $a->{ordinal} <=> $b->{ordinal} }
        grep { !($_->{flags} & $PHASE) } values %latest;
    return map {"$_->{name} $_->{flags} $_->{first_line}-$_->{last_line} #$_->{ordinal}"} @subs;
}

# --- anonymous, renamed, imported -------------------------------------------------------------------------------------

is_deeply calls_of(<<'END', options => { slowops => 0 }), {
use Sub::Util;
sub plain { 1 }
*alias = \&plain;
alias(); main->can('plain')->();
package Other; *borrowed = \&main::plain; borrowed(); package main;
my $code = sub { 2 }; $code->();
package Deep::Down; our $code2 = sub { 3 }; $code2->(); package main;
my $named = Sub::Util::set_subname('A::b::c', sub { 4 }); $named->();
{ local *shown = sub { 5 }; shown() }
END
    'main::BEGIN@1'                       => 1,
    'main::plain'                         => 3,
    'main::__ANON__[prog.pl:6]'           => 1,
    'Deep::Down::__ANON__[prog.pl:7]'     => 1,
    'A::b::c'                             => 1,
    'main::__ANON__[prog.pl:9]'           => 1,
}, 'a sub has the name it was defined under, whatever it is called through';

is_deeply calls_of("my \$f = sub { 1 };\n\$f->() for 1 .. 2;\neval q{sub named { 1 } named(); sub { 1 }->()};\n",
    options => { nameanonsubs => 0 }), { 'main::__ANON__' => 3, 'main::named' => 1 },
    'nameanonsubs=0: without the line';

# perl stores names that fit into Latin-1 as that.
my $UTF8 = 8;
my $utf8 = run("use utf8;\npackage Gr\xC3\xB6\xC3\x9Fe; sub fl\xC3\xA4che { 1 } fl\xC3\xA4che();\n"
        . "package main; sub \xE9\x96\xA2\xE6\x95\xB0 { 1 } \xE9\x96\xA2\xE6\x95\xB0();\n");
is_deeply [ grep {/^Gr|^main::[^B]/} subs_in($utf8) ],
    [ "Gr\xC3\xB6\xC3\x9Fe::fl\xC3\xA4che $UTF8 2-2 #1", "main::\xE9\x96\xA2\xE6\x95\xB0 $UTF8 3-3 #1" ],
    'names that are not ASCII are UTF-8 and say so';

my $lf = calls_of("no strict 'refs';\n*{\"a\\nb\"} = sub { 1 };\n&{\"c\\nd\"}() if 0;\neval qq{sub x { 1 }}; "
        . "use Sub::Util 'set_subname'; set_subname(qq{main::a\\nb}, sub { 1 })->();\n");
is $lf->{"main::a\nb"}, 1, 'a newline in a name';

for my $length (1, 499, 520, 70_000) {
    my $run = run(<<"END");
use Sub::Util 'set_subname';
my \$f = set_subname('main::' . 'x' x $length, sub { 42 });
print \$f->(), " survived\\n";
END
    is $run->{out}, "42 survived\n", "a name of $length bytes: the program runs";
    is facts($run)->{sub}{ 'main::' . 'x' x $length }{calls}, 1, 'and the name is whole';
}

# --- BEGIN and its like -----------------------------------------------------------------------------------------------

my $begins = run(<<'END');
BEGIN { our $x = 1 }
BEGIN {
    our $y = 1;
}
BEGIN { our $z = 1 } BEGIN { our $w = 1 } BEGIN { our $v = 1 }
package P; BEGIN { our $x = 2 }
END
is_deeply [ grep {/BEGIN/} subs_in($begins) ], [
    'P::BEGIN@6 0 6-6 #1', 'main::BEGIN@1 0 1-1 #1', 'main::BEGIN@2 0 2-4 #1', 'main::BEGIN@5 0 5-5 #1',
    'main::BEGIN@5.1 0 5-5 #1', 'main::BEGIN@5.2 0 5-5 #1'
], 'BEGIN blocks are told apart by their lines';
is facts($begins)->{sub}{'main::BEGIN@5.2'}{calls}, 1, 'each is called once';
is_deeply [ subs_in(run('1;')) ], ['main::BEGIN 0 0-0 #1'],
    'the one that loads us has no lines and no calls';

# --- bodies -----------------------------------------------------------------------------------------------------------

my $same_name = run(<<'END');
my ($a1, $a2) = (sub { 1 }, sub { 2 }); $a1->() for 1 .. 5; $a2->() for 1 .. 7;
for my $i (1 .. 3) {
    no warnings 'redefine';
    eval "sub redef { \$i }\n1";
    redef() for 1 .. $i;
}
sub never { 1 }
END
is_deeply counts_by_ordinal($same_name, 'main::__ANON__[prog.pl:1]'), { 1 => 5, 2 => 7 },
    'two anonymous subs of one line';
is_deeply counts_by_ordinal($same_name, 'main::redef'), { 1 => 1, 2 => 2, 3 => 3 }, 'a sub that is redefined';
ok !!(grep { $_ eq 'main::never 0 7-7 #1' } subs_in($same_name)), 'a sub that was never called is there';

my $templates = run(<<'END');
my @made = map { eval qq{#line 1 "template.tt"\nsub {\n return \$_[0] }} } 1 .. 200;
$_->(1) for @made;
my @others = (sub { 1 }, sub { 2 }); $_->() for @others;
END
my ($callgrind) = nytprof('callgrind', '-o', '-', capture_of($templates));
is_deeply [ sort $callgrind =~ /fn=\(\d+\) main::__ANON__\[(.*)\]/g ], [qw(prog.pl:3 prog.pl:3 template.tt:2)],
    'one piece of code that #line names, compiled again and again, is one sub in reports' or diag $callgrind;

my $closures = run(<<'END');
sub make { my $n = shift; return sub { $n } }
*fast = make(1); *slow = make(2);
fast() for 1 .. 20; slow() for 1 .. 30; make(3)->();
END
is_deeply counts_by_ordinal($closures, 'main::__ANON__[prog.pl:1]', 'alias'),
    { 'main::fast' => 20, 'main::slow' => 30, '' => 1 },
    'closures that have names in the symbol table are told apart by them';

# { ORDINAL or other FIELD => calls } of the subs of that name.
sub counts_by_ordinal {
    my ($run, $name, $field) = @_;
    my @records = @{ facts($run)->{records} };
    my %sub     = map { ($_->{id} => $_->{ $field // 'ordinal' }) } grep { $_->{name} eq $name } of('sub', @records);
    my %node    = map { ($_->{id} => $sub{ $_->{sub} }) } of('node', @records);
    my %calls;
    $calls{ $node{ $_->{id} } } += $_->{count} for grep { defined $node{ $_->{id} } } of('node_delta', @records);
    return \%calls;
}

# --- C subs and built-ins ---------------------------------------------------------------------------------------------

my $XSUB   = 1;
my $OPCODE = 2;
my $ops    = <<'END';
package Here; "a" =~ /a/; my @s = sort { $a <=> $b } 2, 1;
package main; "a" =~ /b/; (my $x = "a") =~ s/a/b/;
open my $in, '<', '/nonexistent'; stat '/'; -e '/'; my $p = pack 'N', 1;
utf8::is_utf8("X");
my $n = time; my $l = length "x"; my @p = split /,/, "a,b"; my $f = sprintf "%d", 1; fileno STDIN; lc "X";
END
my $run = run($ops);
is_deeply [ opcodes($run) ], [
    map {"$_ $OPCODE 0-0 #1"} 'Here::CORE:match', 'Here::CORE:sort', 'main::CORE:ftis', 'main::CORE:match',
    'main::CORE:open', 'main::CORE:pack', 'main::CORE:stat', 'main::CORE:subst'
], 'slow built-ins are subs of the calling package, others are not';
ok !!(grep { $_ eq "utf8::is_utf8 $XSUB 0-0 #1" } subs_in($run)), 'a C sub';
is_deeply [ opcodes(run($ops, options => { slowops => 1 })) ],
    [ map {"CORE::$_ $OPCODE 0-0 #1"} qw(ftis match open pack sort stat subst) ], 'slowops=1: one package for all';
is_deeply [ opcodes(run($ops, options => { slowops => 0 })) ], [], 'slowops=0: none';
is_deeply [ opcodes(run($ops, options => { slowops => 7 })) ], [ opcodes($run) ], 'slowops=7: as 2';

sub opcodes { my ($run) = @_; return grep {/CORE:/} subs_in($run) }

my $callers = facts(run(<<'END'));
sub cmp_them { $a <=> $b }
sub by_length { length $_[0] }
my @x = sort { by_length($a) <=> by_length($b) } qw(aa b);
(my $t = "a1b2") =~ s/(\d)/by_length($1)/ge;
END
my %node = map { ($_->{id} => $_) } of('node', @{ $callers->{records} });
my %sub  = map { ($_->{id} => $_->{name}) } of('sub', @{ $callers->{records} });
my %seen;
for my $node (grep { $sub{ $_->{sub} } eq 'main::by_length' } values %node) {
    $seen{ $node->{parent} ? $sub{ $node{ $node->{parent} }{sub} } : 'main::RUNTIME' }++;
}
is_deeply \%seen, { 'main::CORE:sort' => 1, 'main::RUNTIME' => 1 },
    'a sort block\'s calls come from CORE:sort'
    or diag explain \%seen;

# What perl makes a string of may itself run evals: numbers, names and texts stay those of each, also where the profiler
# keeps no text and where perl watches for tainted data.
my $MADE = <<'END';
package Text { use overload q("") => sub { my $z = eval "1;\n2"; "sub made { 4 }" } }
my $text = bless [], 'Text';
eval $text;
made();
END
my @ways = ([ 'as ever' ], [ 'savesrc=0', options => { savesrc => 0 } ],
    [ '-T', switches => [ under_profiler(), '-T' ] ]);
for my $how (@ways) {
    my ($what, @how) = @$how;
    my @evals = grep { /^\(eval / } map { $_->{name} } of('file', @{ facts(run($MADE, @how))->{records} });
    is scalar(@evals), 2, "$what: two evals";
    like $evals[$_], qr/^\(eval \d+\)\[.*:@{[ 1 + 2 * $_ ]}\]$/, "$what: one has its line" for 0, 1;
}

# Two names of one hash, as t/c/twins.c has them.
my $twins = facts(run(<<'END', name => 'Efepopkwiivca'));
sub one { 1 }
one();
#line 1 "rfvgkgkqepwbv"
sub other { 1 }
other();
END
my %name_of = map { ($_->{id} => $_->{name}) } of('file', @{ $twins->{records} });
is_deeply { map { $_->{name} => $name_of{ $_->{file} } =~ s{.*/}{}r } grep { $_->{name} =~ /one|other/ }
        of('sub', @{ $twins->{records} }) },
    { 'main::one' => 'Efepopkwiivca', 'main::other' => 'rfvgkgkqepwbv' },
    'files of two names are two, whatever their hash';

done_testing;
