# SPDX-License-Identifier: MIT
# Measures the table of README.md, this profiler beside its peer: perl t/bench/readme.pl [--write] [--rows]
#
# --write replaces the table in README.md. --rows only prints the names of its rows, which t/readme.t compares with
# README.md. Runs are interleaved, and the least CPU time, or number of instructions, of some runs counts.
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(min sum0);

use lib "$FindBin::Bin/../lib";
use Profiled qw(command cpu_seconds has_peer unit_instructions $TOP);
use Tree qw(installed slurp spew);

my $ROUNDS = 3;
my @WHO    = qw(bare ours peer);
my ($BEGIN, $END) = ("<!-- written by perl t/bench/readme.pl --write -->\n", "<!-- end -->\n");

my $dir = tempdir(CLEANUP => 1);
my %cpu; # program => who => seconds
my %program;

# [ name of the row, function that measures one of the two profilers ]
my @ROWS = (
    [ 'One statement, over the bare program', sub { sprintf '%.0f instructions', over_bare($_[0], 'statement') } ],
    [ 'One call of a sub with its two statements', sub { sprintf '%.0f instructions', over_bare($_[0], 'call') } ],
    [ 'One call into C, without its statement',    sub { sprintf '%.0f instructions', over_statement($_[0], 'xsub') } ],
    [ 'One slow built-in, a match: the same', sub { sprintf '%.0f instructions', over_statement($_[0], 'slowop') } ],
    [ '`perltidy`, CPU time over the bare run', sub { factor($_[0], 'perltidy') } ],
    [ 'Fibonacci numbers, nothing but calls: the same',   sub { factor($_[0], 'fib') } ],
    [ 'Nested loops, nothing but statements: the same',   sub { factor($_[0], 'loop') } ],
    [ 'Profile of `perltidy`',                  sub { sprintf '%.2f MB', (-s "$dir/$_[0]-perltidy") / 1e6 } ],
    [ 'Its HTML report, CPU time',              sub { sprintf '%.1f s', report_seconds($_[0]) } ],
    [ 'Of a run ended by `kill -9` after 2 s the report has', sub { killed($_[0]) } ],
    [ 'Fibonacci numbers in Lua 5.4: the same',           sub { $_[0] eq 'ours' ? lua_factors() : 'none' } ],
);

GetOptions(\my %opt, 'write', 'rows') or die "usage: perl t/bench/readme.pl [--write] [--rows]\n";
if ($opt{rows}) {
    print map {"$_->[0]\n"} @ROWS;
    exit;
}
%program = (
    perltidy => [ installed('perltidy'), qw(-npro -o /dev/null), found_in_inc('Perl/Tidy/VerticalAligner.pm') ],
    fib      => ["$FindBin::Bin/fib.pl"],
    loop     => ["$FindBin::Bin/loop.pl"],
);
my $peer = has_peer() or die "No other Devel::NYTProf is installed: no peer.\n";
for my $round (1 .. $ROUNDS) {
    measure($_) for sort keys %program;
}
my $table = table();
print $table;
spew("$TOP/README.md", slurp("$TOP/README.md") =~ s/\Q$BEGIN\E\K.*?(?=\Q$END\E)/$table/sr) if $opt{write};

sub table {
    my ($ours) = slurp("$TOP/lib/Devel/NYTProf/Core.pm") =~ /VERSION\s*=\s*'([\d.]+)'/;
    my $text = "| | Devel-NYTProf $ours | Devel::NYTProf $peer |\n|---|---:|---:|\n";
    for my $row (@ROWS) {
        my ($name, $find) = @$row;
        $text .= join(' | ', "| $name", map { $find->($_) } qw(ours peer)) . " |\n";
    }
    my ($processor) = slurp('/proc/cpuinfo') =~ /^model name\s*: (.*)/m;
    $processor = $processor ? " ($processor)" : '';
    return "$text\nperl $Config{version} on one core of a virtual machine$processor.\n";
}

sub found_in_inc {
    my ($file) = @_;
    return grep { -e } map {"$_/$file"} @INC;
}

sub measure {
    my ($name) = @_;
    for my $who (@WHO) {
        my $seconds = cpu_seconds(command($who, { file => "$dir/$who-$name" }, @{ $program{$name} }));
        $cpu{$name}{$who} = min($seconds, $cpu{$name}{$who} // $seconds);
    }
    return;
}

sub factor { my ($who, $name) = @_; return sprintf '%.2f', $cpu{$name}{$who} / $cpu{$name}{bare} }

# The least of some counts, as windows are written as time passes, and more of them on a busy machine.
sub over_bare {
    my ($who, $unit) = @_;
    return min(map { unit_instructions($who, $unit) } 1 .. $ROUNDS) - unit_instructions('bare', $unit);
}

sub over_statement { my ($who, $unit) = @_; return over_bare($who, $unit) - over_bare($who, 'statement') }

sub tool {
    my ($who, $report) = @_;
    return $who eq 'peer' ? (qw(env -u PERL5LIB), "/usr/bin/nytprof$report") : ("$TOP/build/nytprof", $report);
}

sub report_seconds {
    my ($who) = @_;
    return cpu_seconds(tool($who, 'html'), '-f', "$dir/$who-perltidy", '-o', "$dir/$who-report");
}

# The seconds that a report has of a program that is killed after two. The program sends the signal itself: beside an
# endless one with real-time priority (chrt) this process might never run again.
sub killed {
    my ($who) = @_;
    my $file = "$dir/$who-killed";
    spew("$dir/endless.pl", <<'END');
use Time::HiRes 'time';
my ($n, $end) = (0, time + 2);
while (1) {
    $n += $_ for 1 .. 1000;
    kill KILL => $$ if time > $end;
}
END
    system 'sh', '-c', '"$@" 2>/dev/null', 'sh', command($who, { file => $file }, "$dir/endless.pl");
    my $report = join ' ', tool($who, 'csv'), '-f', $file, '-o', "$dir/$who-csv";
    system("$report >/dev/null 2>&1") == 0 or return 'nothing';
    my @lines   = grep {/^\d/} map { split /\n/, slurp($_) } glob "$dir/$who-csv/*line.csv";
    my $seconds = sum0(map { (split /,/)[0] } @lines);
    return $seconds > 0.01 ? sprintf '%.1f s', $seconds : 'nothing';
}

# The factors with the profiler and with a hook that only reads the clock for the same events, the least possible cost.
sub lua_factors {
    my ($include) = slurp("$TOP/Makefile") =~ /-isystem (\S+lua5.4)\s/;
    my @compiler = ($Config{cc}, qw(-O2 -shared -fPIC), "-I$TOP/xs", $include ? "-I$include" : ());
    system(@compiler, '-o', "$dir/floor.so", "$FindBin::Bin/floor.c") == 0 or die "the floor does not compile\n";
    my @lua = ('env', "LUA_CPATH=$TOP/build/lua5.4/?.so;$dir/?.so", "NYTPROF=file=$dir/lua", 'lua5.4');
    my %least;
    for my $round (1 .. $ROUNDS) {
        for my $module ('', 'nytprof', 'floor') {
            my $seconds = cpu_seconds(@lua, $module ? "-l$module" : (), "$FindBin::Bin/fib.lua");
            $least{$module} = min($seconds, $least{$module} // $seconds);
        }
    }
    return sprintf '%.1f (an empty hook: %.1f)', map { $least{$_} / $least{''} } qw(nytprof floor);
}
