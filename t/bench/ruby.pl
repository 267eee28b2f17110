#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# The cost of profiling Ruby programs: CPU time over that of the bare program, beside the time with a TracePoint with an
# empty block for the same events, and with ruby-prof and stackprof where they are installed. The shortest of some
# interleaved runs counts. The last column is the program's time in our profile over its bare time: 1 if the correction
# were complete.
#
#     perl t/bench/ruby.pl [PROGRAM ...]     after make; PROGRAM is one of t/bench/*.rb
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;

use lib "$FindBin::Bin/../lib";
use Profiled qw(cpu_seconds $TOP);
use Tree qw(spew);

my $RUNS = 3;
my $dir  = tempdir(CLEANUP => 1);
my %text = (
    tracepoint => 'TracePoint.new(*%i[line call return b_call b_return c_call c_return class end]) {}.enable',
    rubyprof   => 'require "ruby-prof"; RubyProf.start; at_exit { RubyProf.stop }',
    stackprof  => 'require "stackprof"; StackProf.start(mode: :cpu); at_exit { StackProf.stop }',
    empty      => '',
);
spew("$dir/$_.rb", "$text{$_}\n") for keys %text;
my %how = (bare => [], ours => [ "-I$TOP/build/ruby", '-rnytprof' ], map { ($_ => ["-r$dir/$_.rb"]) } keys %text);
my @columns = ('bare', 'ours', 'tracepoint', grep { cpu_works($_) } qw(rubyprof stackprof));

my @programs = @ARGV ? @ARGV : map {m{([^/]+)\.rb$}} sort glob "$FindBin::Bin/*.rb";
printf "%-10s %8s  %s\n", 'program', 'bare, s', join '  ',
    map { sprintf '%10s', $_ } @columns[ 1 .. $#columns ], 'said';
my $start = shortest("$dir/empty.rb", 'bare')->{bare};
for my $program (@programs) {
    my $seconds = shortest("$FindBin::Bin/$program.rb", @columns);
    printf "%-10s %8.3f  %s\n", $program, $seconds->{bare},
        join '  ', map { sprintf '%10.2f', $_ } (map { $seconds->{$_} / $seconds->{bare} } @columns[ 1 .. $#columns ]),
        said() / ($seconds->{bare} - $start);
}

sub cpu_works { my ($column) = @_; return system('ruby', @{ $how{$column} }, '-e', '1', '2>', '/dev/null') == 0 }

sub shortest {
    my ($program, @columns) = @_;
    my %seconds;
    for (1 .. $RUNS) {
        for my $column (@columns) {
            my $taken = cpu_seconds('env', "NYTPROF=file=$dir/out", 'ruby', @{ $how{$column} }, $program);
            $seconds{$column} = $taken if !defined $seconds{$column} || $taken < $seconds{$column};
        }
    }
    return \%seconds;
}

sub said {
    my $nanoseconds = 0;
    $nanoseconds += $_ for qx{"$TOP/build/nytprof" folded -o - "$dir/out"} =~ / (\d+)$/mg;
    return $nanoseconds / 1e9;
}
