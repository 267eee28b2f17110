# SPDX-License-Identifier: MIT
# What must hold in every profile, whatever the program: looked at through the Perl API, in captures of real runs, in
# files of format 5, and in what is merged of the processes of one program.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib", map {"$FindBin::Bin/../blib/$_"} qw(lib arch);

BEGIN { delete @ENV{qw(NYTPROF NYTPROF_ONLOAD)} }

use Devel::NYTProf::Data;
use Profiled qw(command $TOP);
use Tree qw(spew);

my $dir  = tempdir(CLEANUP => 1);
my @MORE = ({}, { format => 5 }, { calls => 2 }, { leave => 0 }, { slowops => 0, overhead => 'raw' });
spew("$dir/forks.pl", <<'END');
sub spin { my $sum = 0; $sum += $_ for 1 .. 500; return $sum }
sub child { spin() for 1 .. $_[0]; eval 'spin() + $_' for 1 .. 3; return }
spin() for 1 .. 5;
for my $kid (1 .. 3) {
    if (!fork) { child($kid); if ($kid == 2 && !fork) { child(7); exit } wait; exit }
}
1 while wait > 0;
sub hanoi { my ($n, $from, $to, $via) = @_; hanoi($n - 1, $from, $via, $to), hanoi($n - 1, $via, $to, $from) if $n }
hanoi(6, 'a' .. 'c');
my @sorted = sort { compared($a, $b) } reverse 1 .. 50;
sub compared { return $_[0] <=> $_[1] }
eval { die "x\n" } for 1 .. 3;
END
my %program = (
    fib   => ["$TOP/t/bench/fib.pl", 8],
    evals => ["$TOP/t/bench/evals.pl", 20],
    oo    => ["$TOP/t/bench/oo.pl", 2],
    text  => ["$TOP/t/bench/text.pl", 1],
    forks => ["$dir/forks.pl"],
);
for my $name (sort keys %program) {
    for my $i (0 .. $#MORE) {
        my %options = (blocks => 1, addpid => 1, file => "$dir/$name-$i", %{ $MORE[$i] });
        system('sh', '-c', '"$@" >/dev/null', 'sh', command('ours', \%options, @{ $program{$name} })) == 0
            or die "$name fails\n";
        my @files = glob "$dir/$name-$i.*";
        my $what = join ' ', $name, map {"$_=$MORE[$i]{$_}"} sort keys %{ $MORE[$i] };
        my @profiles = map { profile($_) } @files;
        is join("\n", map { broken($_) } @profiles), '', "$what: holds in each of " . @files;
        is scalar(grep { !keys %{ counts($_) } } @profiles), 0, 'where something was counted';
        next if @files == 1;
        system("$TOP/build/nytprof", 'merge', '-o', "$dir/merged", @files) == 0 or die "merge fails\n";
        my $merged = profile("$dir/merged");
        is join("\n", broken($merged)), '', "$what: and in all of them merged";
        is_deeply counts($merged), sum_of(map { counts($_) } @profiles), "$what: which has the sum of their counts";
    }
}
my $planted = profile((glob "$dir/fib-0.*")[0]);
$planted->subinfo_of('main::fib')->[3]++;
like join("\n", broken($planted)), qr/^main::fib: calls of its sites /, 'planted: a call that no site has is found';
$planted = profile((glob "$dir/fib-0.*")[0]);
my ($counted) = grep {$_} @{ ($planted->all_fileinfos)[0]->line_time_data(['block']) };
$counted->[1]++;
like join("\n", broken($planted)), qr/: statements by block /, 'and a statement that only blocks have';
done_testing;

sub profile { return Devel::NYTProf::Data->new({ filename => $_[0], quiet => 1, skip_collapse_evals => 1 }) }

# A sentence for everything that does not hold.
sub broken {
    my ($p) = @_;
    my $duration = $p->attributes->{profiler_duration};
    my %subs = map { ($_->subname => $_) } @{ [ values %{ $p->subname_subinfo_map } ] };
    return (map({ broken_sub($_, $duration) } values %subs), map({ broken_file($_) } $p->all_fileinfos),
        over('time in all subs', sum0(map { $_->excl_time } values %subs), $duration));
}

sub broken_sub {
    my ($sub, $duration) = @_;
    my $name  = $sub->subname;
    my @sites = map { $_->[2] } $sub->caller_places;
    my ($calls, $inclusive, $exclusive) = map { my $i = $_; sum0(map { $_->[$i] } @sites) } 0 .. 2;
    return (
        differ("$name: calls of its sites", $calls, $sub->calls),
        differ("$name: inclusive time of its sites", $inclusive, $sub->incl_time),
        differ("$name: exclusive time of its sites", $exclusive, $sub->excl_time),
        over("$name: own time", $sub->excl_time, $sub->incl_time + $sub->recur_incl_time),
        over("$name: inclusive time", $sub->incl_time, $duration),
    );
}

# Lines, blocks and subs are three ways to divide the same statements.
sub broken_file {
    my ($file) = @_;
    my @levels = grep { $file->line_time_data([$_]) } qw(line block sub);
    my @sums = map { sums($file->line_time_data([$_])) } @levels;
    return map {
        (differ($file->filename . ": time by $levels[$_]", $sums[$_][0], $sums[0][0]),
            differ($file->filename . ": statements by $levels[$_]", $sums[$_][1], $sums[0][1]))
    } 1 .. $#levels;
}

# [time, statements]
sub sums {
    my @lines = grep {$_} @{ $_[0] };
    return [ map { my $i = $_; sum0(map { $_->[$i] // 0 } @lines) } 0, 1 ];
}

# Times of format 5 are whole ticks of 100 ns, and a recursion's are a few of those apart.
sub differ { my ($what, $got, $expected) = @_; return abs($got - $expected) > 1e-5 ? "$what $got, not $expected" : () }
sub over { my ($what, $got, $most) = @_; return $got > $most + 1e-4 ? "$what $got, more than $most" : () }

# { 'FILE:LINE' and SUB => how often }; string evals of several processes are several files.
sub counts {
    my ($p) = @_;
    my %counts;
    for my $file ($p->all_fileinfos) {
        my $lines = $file->line_time_data(['line']) || [];
        my @counted = grep { $lines->[$_] && $lines->[$_][1] } 0 .. $#$lines;
        $counts{ $file->filename . ":$_" } += $lines->[$_][1] for @counted;
    }
    $counts{ $_->subname } += $_->calls for grep { $_->calls } values %{ $p->subname_subinfo_map };
    return \%counts;
}

sub sum_of {
    my %sum;
    for my $counts (@_) { $sum{$_} += $counts->{$_} for keys %$counts }
    return \%sum;
}
