# SPDX-License-Identifier: MIT
# Samples of subs whose calls are shorter than a look at the stack: each has the share of an exact profile, and no path
# is one that the program has not.
use strict;
use warnings;

use FindBin;
use List::Util qw(max);
use Test::More;

use lib "$FindBin::Bin/lib";
use Run qw(run under_profiler);
use Sampled qw(folded sampled);
use Tree qw(slurp);

plan skip_all => 'the links between ops lead to no root before perl 5.26' if $] < 5.026;

# With sanitizers the hooks of the exact profile cost many times as much as the calls: it is no truth there. It is
# less of one where the system reads its clock from something slower than the processor's counter.
my $is_sanitized = slurp("$FindBin::Bin/../Makefile") =~ /^OPTIMIZE = .*-fsanitize/m;
my ($clock)      = map { -r $_ ? slurp($_) : 'tsc' } '/sys/devices/system/clocksource/clocksource0/current_clocksource';
my ($RUNS, $WORST) = $is_sanitized ? (2, 12) : $clock =~ /^tsc/ ? (4, 7) : (4, 10);

# Each calls `whole` again and again; what else they do does not count.
my %PROGRAM = (
    'a quarter of the time' => <<'END',
my $s = join '', map { 'w' x ($_ % 7) . ' ' } 1 .. 12; my ($x, $k) = (0, 0);
sub inner { my ($n) = @_; $n %= 1000; return $n }
sub whole { for (1 .. 300) { $x++ if $s =~ /w+x/; $x &= 1023; $x += $k * 3; $x ^= 5; $x++ for 1 .. 4; $k = inner($k) } }
END
    'half of it' => <<'END',
my ($x, $k) = (0, 0);
sub inner { my ($n) = @_; my $m = $n * 3; $m %= 1000; return $m }
sub whole { for (1 .. 500) { $x &= 1023; $x += $k * 3; $k = inner($k) } }
END
    'calls two deep, of one sub by two' => <<'END',
my ($x, $k) = (0, 0);
sub deep  { my ($n) = @_; $n = $n * 3 + 1; $n %= 1000; return $n }
sub mid   { my ($n) = @_; $n ^= 77; $n = deep($n) + 1; return $n & 1023 }
sub other { my ($n) = @_; $n += 5; $n = deep($n); $n *= 2; return $n & 1023 }
sub whole { for (1 .. 400) { $k = mid($k); $x += $k * 3; $k = other($k); $x &= 1023 } }
END
    'methods' => <<'END',
package Thing; sub new { return bless {v => 1, t => 0} } sub v { return $_[0]{v} }
sub add  { my ($s, $n) = @_; $s->{t} += $n * $s->v; return }
sub wipe { my $s = shift; $s->{t} &= 1023; $s->{v} ^= 3; return }
package main; my ($x, $o) = (0, Thing->new);
sub whole { for (1 .. 300) { $o->add($_); $x += $_ * 2; $x &= 65535; $o->wipe } }
END
    'a match in one' => <<'END',
my $x = 0; my @w = map {"word$_ = value$_"} 1 .. 100;
sub parse { my ($l) = @_; return $l =~ /(\w+)\s*=\s*(\w+)/ ? 1 : 0 }
sub whole { for my $w (@w) { $x += parse($w); my $c = join ',', $w, $x; $x += length $c; $x &= 1023 } }
END
    'recursion' => <<'END',
my $x = 0;
sub fib   { my ($n) = @_; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
sub tiny  { my ($n) = @_; $n ^= 3; return $n + 1 }
sub whole { $x += fib(9); for (1 .. 200) { $x &= 1023; $x ^= 7; $x += tiny($_) } }
END
    'evals all the time' => <<'END',
my ($x, $i) = (0, 0);
sub tiny  { my ($n) = @_; $n ^= 3; $n *= 7; return $n & 1023 }
sub whole { my $f = eval "sub { my (\$n) = \@_; \$n += $i; return \$n & 1023 }"; $i++;
  for (1 .. 1000) { $x = $f->($x); $x += tiny($x) } eval '$x += tiny($x) for 1 .. 50'; }
END
);

# path below `whole` => its share in per cent
sub paths {
    my ($run) = @_;
    my %all = folded($run);
    my ($sum, %share) = 0;
    for my $path (grep {/main::whole/} keys %all) {
        my $name = $path =~ s/.*main::(?=whole)//r =~ s/__ANON__[^;]*/__ANON__/gr =~ s/main:://gr;
        $share{$name} += $all{$path};
        $sum          += $all{$path};
    }
    return map { $_ => 100 * $share{$_} / $sum } keys %share;
}

# The same by subs: the time of their own.
sub own {
    my %share;
    while (my ($path, $share) = splice @_, 0, 2) { $share{ $path =~ s/.*;//r } += $share }
    return %share;
}

# Runs it once more, both ways, and adds the shares: { path => [seen, true] }.
sub add_runs {
    my ($sum, $text) = @_;
    $text .= 'my $from = times(); while (times() - $from < 1.6) { whole() for 1 .. 10 }';
    my %true = paths(run($text, env => {NYTPROF => 'stmts=0'}, switches => [under_profiler()]));
    my %seen = paths(sampled($text));
    $sum->{$_}[0] += $seen{$_} for keys %seen;
    $sum->{$_}[1] += $true{$_} for keys %true;
    return;
}

# The means of n runs: how far the worst sub is from the truth, the share of paths that the program has not, and all.
sub compared {
    my ($n, %sum) = @_;
    my %seen = own(map { $_ => ($sum{$_}[0] // 0) / $n } keys %sum);
    my %true = own(map { $_ => ($sum{$_}[1] // 0) / $n } keys %sum);
    my @odd  = grep { !defined $sum{$_}[1] } sort keys %sum;
    my $odd  = 0;
    $odd += $sum{$_}[0] / $n for @odd;
    my $text = join ', ', map { sprintf '%s %.1f of %.1f', $_, $seen{$_}, $true{$_} } sort keys %true;
    return { worst => max(map { abs($seen{$_} - $true{$_}) } keys %true), odd => $odd, text => "$text; no path: @odd" };
}

# On a busy machine both ways may be wrong by chance, which more runs even out.
for my $name (sort keys %PROGRAM) {
    my ($found, %sum);
    my $most = $name =~ /evals/ ? 12 : $WORST; # a sub that lives for a few hundred microseconds may be met too late
    for my $n (1 .. $RUNS) {
        add_runs(\%sum, $PROGRAM{$name});
        $found = compared($n, %sum);
        last if $found->{worst} <= $most && $found->{odd} <= 0.2;
    }
    cmp_ok $found->{worst}, '<=', $most, "$name: shares" or diag $found->{text};
    cmp_ok $found->{odd}, '<=', 0.2, '... and paths' or diag $found->{text};
    note $found->{text};
}

done_testing;
