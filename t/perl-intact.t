# SPDX-License-Identifier: MIT
# The program is not disturbed: it says, does and waits what it would without the profiler.
use strict;
use warnings;

use File::Spec;
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(of);
use Run qw(facts run same under_profiler);

my @INCLUDES = grep {/^-I/} under_profiler();

# --- perl's own variables, through many windows -----------------------------------------------------------------------

my $variables = same('$! $@ $? $_ $0 $1 @_ stay through statements, calls and windows', <<'END', options => {
my $wrong = 0;
sub f { $wrong++ if $! != 5 || $@ ne "e\n" || $? != 256 || $_ ne 'topic' || "@_" ne '1 2'; return wantarray }
system 'exit 1';
eval { die "e\n" };
$_ = 'topic';
'abc' =~ /(b)/;
$! = 5;
for my $i (1 .. 50_000) {
    $wrong++ if f(1, 2);
    $wrong++ if !(my ($list) = f(1, 2));
    $wrong++ if $! != 5 || $1 ne 'b';
}
printf "%d %d %s %s %d\n", $wrong, $!, $@ =~ tr/\n//dr, $_, $?;
END
    clock => 'fake',
});
cmp_ok scalar(of('window', @{ facts($variables)->{records} })), '>', 3, 'and there were windows';

same('errno, where names of subs and files are new', <<'END');
for my $i (1 .. 130) {
    eval "sub s$i { \$! + 0 }";
    $! = $i;
    die $i if main->can("s$i")->() != $i;
}
print "fine\n";
END

same('random numbers, hash order, eval numbers', <<'END', env => { PERL_HASH_SEED => 7, PERL_PERTURB_KEYS => 0 });
srand 42;
print join(' ', map { int rand 1000 } 1 .. 5), "\n";
my %h = map { ($_ => 1) } 'a' .. 'z';
print join('', keys %h), "\n";
eval 'print((caller 0)[3], " ", __FILE__ =~ /(eval \d+)/, "\n")';
END

same('caller, die and warn name the same lines', <<'END');
use Carp;
sub a1 { Carp::cluck('trace') }
sub b1 { a1(@_) }
b1(1, 'x');
warn 'w';
local $SIG{__DIE__} = sub { print 'died: ', @_ };
eval { my $x = 1; $x->method };
sub c1 { print join ',', map { $_ // 'undef' } (caller 0)[0 .. 7] }
c1();
END

same('scalar and list context, lvalues, wantarray, prototypes', <<'END');
sub ctx { wantarray ? 'list' : defined wantarray ? 'scalar' : 'void' }
my @l = ctx(); my $s = ctx(); print "$l[0] $s ", scalar(ctx()), "\n";
sub lv : lvalue { my $dummy = 1; our $v }
lv() = 3; (lv()) = (4); lv()++; print our $v, "\n";
sub twice(&@) { my $c = shift; map { $c->($_) } @_, @_ }
print join(',', twice { $_[0] * 2 } 1, 2), "\n";
my @sorted = sort { $b <=> $a } 3, 10, 2; print "@sorted\n";
local $_ = 'x'; print for 1 .. 3; print "$_\n";
END

same('taint mode', "print \${^TAINT}, ' ', \$ENV{PATH} ? 1 : 0, qq{\\n};\n", more => ['-T']);

# --- time -------------------------------------------------------------------------------------------------------------

my $waits = run(<<'END');
use Time::HiRes qw(time sleep alarm);
my $early = 0;
my $wait = sub { my ($s, $code) = @_; my $t = time; $code->(); $early++ if time - $t < $s * 0.98 };
$wait->(0.02, sub { sleep 0.02 }) for 1 .. 5;
$wait->(0.02, sub { select undef, undef, undef, 0.02 }) for 1 .. 5;
my $rang = 0;
local $SIG{ALRM} = sub { $rang++ };
alarm 0.05;
$wait->(0.05, sub { select undef, undef, undef, 1 });
open my $in, '-|', q{for i in 1 2 3 4 5; do printf 0123456789; sleep 0.01; done};
my ($bytes, $again) = (0, 0);
while (1) { my $n = sysread $in, my $x, 4; if (!defined $n) { $again++; next } last if !$n; $bytes += $n }
print "early $early rang $rang bytes $bytes interrupted $again\n";
END
is $waits->{out}, "early 0 rang 1 bytes 50 interrupted 0\n", 'sleep, select, alarm and reads are not cut short';

same('reading through a layer written in Perl: the profiler does not ask it for a descriptor', <<'END');
package Lines;
sub PUSHED { bless {} }
sub FILL   { my ($self, $below) = @_; return scalar readline $below }
sub FILENO { $main::asked++; return fileno $_[1] }
package main;
open my $in, '<:via(Lines)', $0 or die;
our $asked = 0;
for (1 .. 3) { select undef, undef, undef, 0.03; print scalar readline $in }
print "$asked\n";
END

# --- real programs ----------------------------------------------------------------------------------------------------

my $SOURCE = "$FindBin::Bin/lib/Tree.pm";
my %real   = (
    perltidy   => [ '-npro', '-st', $SOURCE ],
    perlcritic => [ '--profile', '', '-1', $SOURCE ],
    pod2text   => [ "$FindBin::Bin/../lib/Devel/NYTProf/Core.pm" ],
    podchecker => [ "$FindBin::Bin/../lib/Devel/NYTProf/Core.pm" ],
    prove      => [ '--norc', '--dry', $FindBin::Bin ],
    json_pp    => [],
    ack        => [ '--noenv', 'sub', $SOURCE ],
    exiftool   => [ '-FileType', $SOURCE ],
);
for my $name (sort keys %real) {
    my ($path) = grep { -x } map { File::Spec->catfile($_, $name) } File::Spec->path;
    SKIP: {
        skip "NOT SHOWN, it is not installed: $name runs under the profiler", 2 if !$path;
        my @arguments = ($path, @{ $real{$name} });
        my $bare = run(undef, command => [ $^X, @INCLUDES, @arguments ], stdin => '{"a":[1,2]}');
        skip "NOT SHOWN, this perl has not its modules: $name runs under the profiler", 2
            if $bare->{err} =~ /^Can't locate/;
        my $ours = run(undef, command => [ $^X, under_profiler(), @arguments ], stdin => '{"a":[1,2]}');
        is_deeply [ @{$ours}{qw(out err exit)} ], [ @{$bare}{qw(out err exit)} ], "$name: as without us";
        cmp_ok scalar(keys %{ facts($ours)->{sub} }), '>', 20, 'and a profile';
    }
}
SKIP: {
    skip 'NOT SHOWN, it is not installed: Moose under the profiler', 1 if !eval { require Moose };
    same('Moose', <<'END');
package Point {
    use Moose;
    has [qw(x y)] => (is => 'rw', isa => 'Int');
    before x => sub { };
    __PACKAGE__->meta->make_immutable;
}
my $p = Point->new(x => 1, y => 2);
$p->x(5);
print $p->x + $p->y, "\n";
eval { $p->x('no') };
print $@ =~ /Int/ ? "typed\n" : $@;
END
}

done_testing;
