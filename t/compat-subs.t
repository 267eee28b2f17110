# SPDX-License-Identifier: MIT
# What is a call, by whom and under which name, beside the peer.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Both qw(both_leave since_5_24);
use Dump qw(of);
use Run qw(facts run);

both_leave('undefined subs, sort by name, methods that do not resolve', <<'LEFT', <<'PROGRAM');
nytprof.out
1:5 2:1 3:3 4:2 5:2 6:6
  2 main::RUNTIME > main::CORE:sort 1
  3 main::CORE:sort > main::by_name 1
  3 main::RUNTIME > main::CORE:sort 2
  4 main::RUNTIME > main::nosuch 1
  6 main::BEGIN@6 > strict::import 1
  6 main::NULL > main::BEGIN@6 1
said:
LEFT
sub by_name { $a <=> $b }
my @s = sort by_name 3, 1, 2;
@s = sort { by_name() } 2, 1; my $by = \&by_name; @s = sort $by 2, 1;
eval { nosuch(1) };
eval { main->no_method };
{ use strict; my $n = 'foo'; eval { &$n() } }
PROGRAM

both_leave('what perl itself calls', <<'LEFT', <<'PROGRAM', slowops => 0);
nytprof.out
1:4 2:3 3:2 4:4 5:3 6:5 7:3 8:4
  1 main::BEGIN@1 > overload::import 1
  1 main::NULL > main::BEGIN@1 1
  3 main::RUNTIME > main::AUTOLOAD 2
  4 main::RUNTIME > main::DESTROY 1
  4 main::RUNTIME > main::__ANON__[prog.pl:1] 2
  6 main::RUNTIME > Tied::FETCH 1
  6 main::RUNTIME > Tied::STORE 1
  6 main::RUNTIME > Tied::TIESCALAR 1
  7 main::RUNTIME > main::__ANON__[prog.pl:7] 1
  8 main::RUNTIME > main::__ANON__[prog.pl:8] 1
said:
LEFT
use overload '+' => sub { 7 }, '""' => sub { 'x' };
sub AUTOLOAD { 1 } sub DESTROY { 1 }
wanted(); main->wanted;
my $o = bless []; my $y = $o + 1; $y = "$o"; undef $o;
{ package Tied; sub TIESCALAR { bless [] } sub FETCH { 1 } sub STORE { 1 } }
tie my $t, 'Tied'; $y = $t; $t = 2; untie $t;
$SIG{__WARN__} = sub { 1 }; warn 'x';
$SIG{USR1} = sub { 1 }; kill USR1 => $$; my $nothing = 1;
PROGRAM

both_leave('names: where a sub was defined', <<'LEFT', <<'PROGRAM', slowops => 0);
nytprof.out
1:9 2:3 3:8 4:4 5:4 6:4 7:2
  2 main::RUNTIME > main::__ANON__[prog.pl:2] 1
  2 main::__ANON__[prog.pl:2] > main::f 1
  3 main::BEGIN@3 > warnings::unimport 1
  3 main::NULL > main::BEGIN@3 1
  3 main::RUNTIME > main::__ANON__[prog.pl:3] 1
  3 main::RUNTIME > main::f 1
  3 main::__ANON__[prog.pl:3] > main::f 1
  4 My::deep::name > main::f 1
  4 main::BEGIN@4 > Exporter::import 1
  4 main::NULL > main::BEGIN@4 1
  4 main::RUNTIME > My::deep::name 1
  4 main::RUNTIME > Sub::Util::set_subname 1
  5 Other::m > main::f 3
  6 main::RUNTIME > Other::m 3
  6 main::RUNTIME > Other::new 1
  6 main::RUNTIME > UNIVERSAL::can 1
  7 main::RUNTIME > main::made 1
said:
LEFT
sub f { 1 }
my $anon = sub { f() }; $anon->();
{ no warnings; local *g = sub { f() }; g(); *{'main::h'} = \&f; h() }
use Sub::Util 'set_subname'; set_subname('My::deep::name', sub { f() })->();
package Other; sub new { bless {} } sub m { main::f() } package main;
Other->new->m; Other->can('m')->(1); *borrowed = \&Other::m; borrowed();
eval 'sub made { f() } made()'; made();
PROGRAM

both_leave('blocks that perl calls', <<'LEFT', <<'PROGRAM', slowops => 0);
nytprof.out
1:7 2:2 3:1 4:3 5:1 6:7
  0 main::RUNTIME > main::CHECK 1
  0 main::RUNTIME > main::END 1
  0 main::RUNTIME > main::INIT 1
  0 main::RUNTIME > main::UNITCHECK 1
  2 main::BEGIN@2 > main::f 1
  2 main::BEGIN@2.1 > main::f 1
  2 main::NULL > main::BEGIN@2 1
  2 main::NULL > main::BEGIN@2.1 1
  3 main::BEGIN@3 > main::f 1
  3 main::NULL > main::BEGIN@3 1
  4 main::CHECK > main::f 1
  4 main::INIT > main::f 1
  4 main::UNITCHECK > main::f 1
  5 main::END > main::f 1
  6 main::BEGIN@6 > Imp::import 1
  6 main::BEGIN@6.2 > Imp::unimport 1
  6 main::NULL > Imp::BEGIN@6 1
  6 main::NULL > main::BEGIN@6 1
  6 main::NULL > main::BEGIN@6.2 1
said:
LEFT
sub f { 1 }
BEGIN { f() } BEGIN { f() }
BEGIN { f() }
INIT { f() } CHECK { f() } UNITCHECK { f() }
END { f() }
package Imp; BEGIN { $INC{'Imp.pm'} = 1 } sub import { 1 } sub unimport { 1 } package main; use Imp; no Imp;
PROGRAM

both_leave('callers: called back from C and from built-ins, and the calling statement', <<'LEFT', <<'PROGRAM');
nytprof.out
1:2 2:6 4:2 5:6 7:1
  1 main::BEGIN@1 > List::Util::import 1
  1 main::NULL > main::BEGIN@1 1
  4 main::CORE:sort > main::by 2
  4 main::outer > main::CORE:sort 2
  5 List::Util::first > main::pick 4
  5 main::outer > List::Util::first 2
  7 main::RUNTIME > main::outer 2
said:
LEFT
use List::Util 'first';
sub by { $a <=> $b } sub pick { $_[0] }
sub outer {
    my @x = sort { by() } 2, 1;
    return first { pick($_) } 0, 1;
}
outer() + outer();
PROGRAM

both_leave('callers: not what died before, although perl itself calls',
    since_5_24(<<'LEFT', 'main::RUNTIME > main::DESTROY', 7 => 0), <<'PROGRAM', slowops => 0);
nytprof.out
1:8 2:3 3:4 4:2 5:2 6:3 7:2
  1 main::BEGIN@1 > List::Util::import 1
  1 main::BEGIN@1.1 > overload::import 1
  1 main::NULL > main::BEGIN@1 1
  1 main::NULL > main::BEGIN@1.1 1
  3 main::RUNTIME > main::__ANON__[prog.pl:3] 1
  4 main::RUNTIME > main::__ANON__[prog.pl:1] 1
  4 main::RUNTIME > main::nosuch 1
  5 main::RUNTIME > main::DESTROY 1
  5 main::RUNTIME > main::nosuch 1
  6 List::Util::first > main::dying 1
  6 main::RUNTIME > List::Util::first 1
  6 main::RUNTIME > main::__ANON__[prog.pl:1] 1
  7 main::RUNTIME > main::DESTROY 1
  7 main::RUNTIME > main::nosuch 1
said:
LEFT
use List::Util 'first'; use overload '+' => sub { 1 }; sub DESTROY { 1 } sub f { 1 }
my $o = bless []; my $old = bless []; sub dying { die }
$SIG{USR1} = sub { 1 }; kill USR1 => $$; my $nothing = 1;
my $y = eval { nosuch() } || $o + 1;
$old = eval { nosuch() };
eval { first { dying() } 1 } || $o + 1;
eval { nosuch() };
PROGRAM

both_leave("callers: END's is none, after a call that died", <<'LEFT', <<'PROGRAM', slowops => 0);
nytprof.out
1:2 2:2
  0 main::RUNTIME > main::END 1
  1 main::RUNTIME > main::nosuch 1
  2 main::END > main::f 1
said:
LEFT
eval { nosuch() };
END { f() } sub f { 1 }
PROGRAM

both_leave("callers: END's is none, after exit in a callback",
    since_5_24(<<'LEFT', 'main::RUNTIME > main::END', 0 => 1), <<'PROGRAM', slowops => 0);
nytprof.out
1:4 2:2
  0 main::RUNTIME > main::END 1
  1 main::BEGIN@1 > List::Util::import 1
  1 main::NULL > main::BEGIN@1 1
  1 main::RUNTIME > List::Util::first 1
  2 main::END > main::f 1
said:
LEFT
use List::Util 'first'; first { exit } 1;
END { f() } sub f { 1 }
PROGRAM

both_leave('goto: called by whom the sub that went was called, from its line', <<'LEFT', <<'PROGRAM', slowops => 0);
nytprof.out
1:3 3:1 6:1 9:3 10:1 11:3 12:1
  10 main::RUNTIME > main::outer 1
  11 main::RUNTIME > DB::disable_profile 1
  12 main::RUNTIME > main::target 1
  3 main::outer > main::target 1
  9 main::outer > main::gone 1
  9 main::outer > main::via 1
said:
LEFT
sub target { 1 }
sub via {
    goto &target;
}
sub gone {
    undef &gone;
    goto &target;
}
sub outer { via(); eval { gone() } }
outer();
DB::disable_profile(); unseen(); sub unseen { DB::enable_profile(); goto &target }
target();
PROGRAM

my %LATE = (slowops => 0, start => 'no');
both_leave('a sub that switches profiling on and dies calls nothing', <<'LEFT', <<'PROGRAM', %LATE);
nytprof.out
1:4 2:2 4:3 5:1 6:1
  4 main::work > main::target 3
  5 main::RUNTIME > main::work 3
  6 main::RUNTIME > main::target 1
said:
LEFT
sub target { 1 }
sub begin { DB::enable_profile(); die }
eval { begin() };
sub work { target() }
work() for 1 .. 3;
target();
PROGRAM

# --- what an xsub's first call tells ----------------------------------------------------------------------------------

my $DIED_FIRST = 64;
my $xsubs = facts(run(<<'END'));
use List::Util 'first';
use Scalar::Util;
use Sub::Util;
eval { first { die } 1 };
first { 1 } 1;
Scalar::Util::weaken(my $r = []);
eval { Scalar::Util::weaken(my $q) };
eval { Sub::Util::set_subname('x', 1) };
sub around { first { Sub::Util::subname($_) } 1 }
eval { around() };
eval { Scalar::Util::dualvar(1, 2); undefined() };
END
my %flags = died_first($xsubs);
my @names = qw(List::Util::first Scalar::Util::weaken Sub::Util::set_subname Sub::Util::subname Scalar::Util::dualvar);
is_deeply [ map { $flags{$_} ? 'died' : 'returned' } @names ], [qw(died returned died died returned)],
    'it is known whether the first call of a C sub that ended returned';
is $flags{'main::undefined'}, 0, 'which is not asked of what is no C sub';

my $two_files = run(<<'END');
use List::Util 'first';
eval { first { die } 1 };
DB::finish_profile();
DB::enable_profile('two.out');
first { 1 } 1;
END
is { died_first(facts($two_files)) }->{'List::Util::first'}, $DIED_FIRST, 'in one file it died';
is { died_first(facts($two_files, "$two_files->{dir}/two.out")) }->{'List::Util::first'}, 0,
    'and in the one after finish_profile it did not';

done_testing;

sub died_first {
    my ($facts) = @_;
    return map { ($_->{name} => $_->{flags} & $DIED_FIRST) } of('sub', @{ $facts->{records} });
}
