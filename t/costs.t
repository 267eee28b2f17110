# SPDX-License-Identifier: MIT
# Lines' costs in captures of real runs: build/t/costs checks the sums that hold for every capture, to the tick.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Lua qw(lua_command luas);
use Pages qw(fixtures run);
use Profiled qw(command $TOP);
use Ruby ();
use Tree qw(spew);

my $dir = tempdir(CLEANUP => 1);
my @perl = ({}, { format => 5, compress => 0 }, { stmts => 0 }, { overhead => 'raw' }, { leave => 0 });
spew("$dir/prog.pl", <<'END');
use List::Util qw(first sum);
sub factory { my ($by) = @_; return sub {
    my $n = shift;
    return $by * $n } }
my @closures = map { factory($_) } 1 .. 3;
$_->(7) for (@closures) x 20;
my $found = first { $_ > 40 } 1 .. 50;
eval 'sub made { my $n = sum(1 .. 9); return $n } made() for 1 .. 5';
sub one { return shift() + 1 } sub two { return one($_[0]) + 1 }
my @sorted = sort { two($a) <=> two($b) } 1 .. 20;
# line 50 "template"
sub deep { my ($n) = @_;
    return $n ? deep($n - 1) : 0 }
deep(30);
if (!fork) { one(1) for 1 .. 10; exit }
wait;
END
for my $i (0 .. $#perl) {
    my $what = join ' ', 'perl', map {"$_=$perl[$i]{$_}"} sort keys %{ $perl[$i] };
    my %options = (addpid => 1, file => "$dir/perl$i", %{ $perl[$i] });
    system(command('ours', \%options, "$dir/prog.pl")) == 0 or die "$what fails\n";
    subtest $what => \&holds, glob "$dir/perl$i.*";
}
subtest 'captures of earlier versions' => \&holds, glob "$TOP/t/data/*.out";
subtest 'fixtures' => \&holds, grep { !/empty/ } glob fixtures() . '/*.out';
for my $version (@{ (luas())[0] }) {
    my $out = "$dir/lua$version";
    my @lua = lua_command($version, { file => $out }, "$TOP/t/bench/oo.lua", 2);
    is +(run(@lua))[0], 0, "Lua $version runs";
    subtest "Lua $version" => \&holds, $out;
}
if (!Ruby::why_not()) {
    is Ruby::ruby("def f(n)\n n.times { |i| i + 1 }\nend\n10.times { f(9) }\n", dir => $dir)->{exit}, 0, 'Ruby runs';
    subtest Ruby => \&holds, "$dir/nytprof.out";
}
done_testing;

sub holds {
    my @captures = @_;
    ok @captures > 0, 'there are captures';
    my ($status, $out) = run("$TOP/build/t/costs", @captures);
    is $status, 0, 'the sums hold' or diag grep {/^(?:not|#)/} split /^/, $out;
    is scalar(() = $out =~ /^ok \d+ - in nanoseconds$/mg), scalar @captures, 'in every one';
    return done_testing;
}
