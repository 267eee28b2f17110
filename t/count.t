# SPDX-License-Identifier: MIT
# Statements and calls against an independent witness: Devel::LineCounter, which uses perl's debugger interface and
# shares no code with the profiler. Every line of every program has to agree, but for the differences named below.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Facts qw(from_capture from_counter);
use Profiled qw(command $TOP);
use Tree qw(slurp);

my $dir = tempdir(CLEANUP => 1);
my %program = (
    fib      => ["$TOP/t/bench/fib.pl", 12],
    loop     => ["$TOP/t/bench/loop.pl", 5_000],
    text     => ["$TOP/t/bench/text.pl", 1],
    oo       => ["$TOP/t/bench/oo.pl", 3],
    evals    => ["$TOP/t/bench/evals.pl", 20],
    pod2text => [ which('pod2text'), which('pod2text') ],
    prove    => [ which('prove'), '--norc', '--dry', "$TOP/t" ],
);

# Hash order decides what some programs do.
local $ENV{PERL_HASH_SEED} = 0;

# What either witness loads for itself is compiled before it begins to count.
my %unseen = map { $_ => 1 } map { loaded_by(@$_) } ["-I$TOP/blib/lib", "-I$TOP/blib/arch", '-MDevel::NYTProf::Core'],
    ["-I$FindBin::Bin/lib", "-MDevel::LineCounter=$dir/none"];

for my $name (sort keys %program) {
    for my $optimize (0, 1) {
        my ($ours, $counter) = both($optimize, @{ $program{$name} });
        is join("\n", lines($optimize, $ours, $counter)), '', "$name, optimize=$optimize: statements of each line";
        is join("\n", calls($ours, $counter)), '', "$name, optimize=$optimize: calls from each line";
    }
}
done_testing;

sub loaded_by {
    my (@switches) = @_;
    open my $in, '-|', $^X, @switches, '-e', 'print map {"$_\n"} values %INC' or die "perl: $!\n";
    chomp(my @files = <$in>);
    return @files;
}

sub both {
    my ($optimize, @program) = @_;
    run(command('ours', { file => "$dir/out", optimize => $optimize }, @program));
    run(command('counter', {}, "-d:LineCounter=$dir/counts" . ($optimize ? ',optimize' : ''), @program));
    return (from_capture("$dir/out"), from_counter("$dir/counts"));
}

sub run {
    my (@command) = @_;
    system('sh', '-c', '"$@" >/dev/null', 'sh', @command) == 0 or die "fails: @command\n";
    return;
}

# Rows "KEY ours N counter M" that differ. perl merges statements that only a debugger keeps apart: with the optimiser a
# line may therefore have fewer than the counter saw, but never more; without it, this happens to declarations in a row.
sub lines {
    my ($optimize, $ours, $counter) = @_;
    my @rows;
    for my $row (differences($ours, $counter, 'line')) {
        my ($file, $line, $n, $m) = $row =~ /^(.*):(\d+) ours (\d+) counter (\d+)$/;
        my $merged = $n < $m && ($optimize || (source($file))[ $line - 1 ] =~ /^\s*(?:my|our|local)\b[^=]*;/);
        push @rows, $row if !$merged;
    }
    return @rows;
}

sub source {
    my ($file) = @_;
    our %source;
    return @{ $source{$file} //= [ -e $file ? split /\n/, slurp($file) : () ] };
}

# Built-ins, anonymous subs and BEGIN blocks are nothing that the counter can name, and of a sub that C code calls (as
# loading Encode did before perl 5.30) it is not told. A call in a loop's condition or
# after the arguments of a goto has a line that perl itself does not know; there the sum over the file has to agree.
sub calls {
    my ($ours, $counter) = @_;
    my @rows = grep { !/CORE:|__ANON__|::BEGIN|::END | Encode::define_encoding / } differences($ours, $counter, 'call');
    my %balance;
    for my $row (@rows) {
        my ($file, $sub, $n, $m) = $row =~ /^(.*):\d+ (\S+) ours (\d+) counter (\d+)$/;
        $balance{"$file $sub"} += $n - $m;
    }
    return grep { /^(.*):\d+ (\S+) ours/ && $balance{"$1 $2"} } @rows;
}

sub differences {
    my ($ours, $counter, $kind) = @_;
    my %all = (%{ $ours->{$kind} }, %{ $counter->{$kind} });
    my @rows;
    for my $key (sort keys %all) {
        my ($file) = $key =~ /^(.*?):\d+(?: |$)/;
        next if $unseen{$file} || $key =~ m{Devel/|Devel::};
        my ($n, $m) = map { $_->{$kind}{$key} // 0 } $ours, $counter;
        push @rows, "$key ours $n counter $m" if $n != $m;
    }
    return @rows;
}

sub which {
    my ($name) = @_;
    my ($path) = grep { -x } map {"$_/$name"} split /:/, $ENV{PATH};
    return $path;
}
