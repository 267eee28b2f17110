# SPDX-License-Identifier: MIT
# `nytprof build` on the build of a family of fonts, which takes 7.5 hours and 23,902 processes: the timeline's numbers,
# and all tables of four schemata, computed again here from the rules by which numbers are printed.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(max min sum);
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds qw(began between capture ended stream);
use Capture qw(nytprof);
use Tree qw(spew);

local $ENV{TZ} = 'EST5';
my $dir   = tempdir(CLEANUP => 1);
my $EPOCH = 1_362_952_500;           # 2013-03-10 16:55:00 there

# --- what runs --------------------------------------------------------------------------------------------------------

# class => [ number, command, directory, family, least, most, the part of the span in which it runs ]; user times lie
# between least and most, more of them near the least with a higher power.
my %KIND = (
    jieub     => [ 2320, 'MT1=1 mpost jieub-%d', 'mt1', 0.5, 40, 2.52, 0.10, 0.90 ],
    tsuku     => [ 3500, 'MT1=1 mpost tsuku-%d', 'mt1', 0.5, 40, 59, 0.05, 0.95 ],
    bll       => [ 2180, 'MT1=1 mpost bll-%d',   'mt1', 0.5, 40, 59, 0.20, 0.60 ],
    tsuita    => [ 2000, 'MT1=1 mpost tsuita-%d', 'mt1', 0.5, 40, 59, 0.55, 0.56 ],
    rmo       => [ 4000, 'RMO=%d perl rmo.pe',   'rmo', 0.2, 3, 2, 0.1, 0.92 ],
    kakusu    => [ 36,   'ASM=kakusu fontforge -script x%d.pe', 'assembly', 11, 800, 3, 0.3, 0.97 ],
    mincho    => [ 24,   'ASM=mincho fontforge -script x%d.pe', 'assembly', 11, 800, 3, 0.4, 0.99 ],
    latex     => [ 40,   'cd doc && xelatex doc%d', 'latex', 2, 5, 1, 0.93, 0.999 ],
    kerner    => [ 16,   './kerner < in%d', 'kerner', 64.581, 2210.419, 1, 0.5, 0.8 ],
    gzip      => [ 2,    'gzip -9 file%d', 'gzip', 0.001, 0.001, 1, 0.001, 0.9999 ],
    m4        => [ 3000, 'm4 a%d.m4', 'm4', 0, 0.001, 1, 0.01, 0.5 ],
    sed       => [ 3000, 'sed -f %d.sed', 'sed', 0, 0.02, 4, 0.01, 0.5 ],
    cp        => [ 2800, 'cp a%d b', 'cp', 0, 0, 1, 0.01, 0.99 ],
    echo      => [ 500,  'echo %d', 'echo', 0, 0.004, 1, 0.01, 0.99 ],
    perl      => [ 482,  'perl -w kanji%d.pl', 'perl', 0.02, 9, 2, 0.01, 0.99 ],
);
my $SPAN = 7.5 * 3600;

# [ class, family or '', start, end, user, system, directory ] of each process but the make.
my @ran;
for my $name (sort keys %KIND) {
    my ($n, $command, $class, $least, $most, $power, $from, $until) = @{ $KIND{$name} };
    for my $i (0 .. $n - 1) {
        my $part = $n > 1 ? $i / ($n - 1) : 0;
        my $user = sprintf '%.6f', $least + ($most - $least) * $part**$power;
        my $real = 0.5 + 1.1 * $user;
        my $start = 26.4 + $SPAN * ($from + ($until - $from) * $part) + 1e-6 * @ran; # no two begin at once
        my $end = min($start + $real, 26 + $SPAN);
        my $is_family = $class eq 'mt1' || $class eq 'assembly';
        push @ran, [ $class, $is_family ? $name : '', $start, $end, $user, sprintf('%.6f', $user / 50),
            ('tools', 'fonts', 'doc')[ $i % 3 ], sprintf $command, $i ];
    }
}
@ran = sort { $a->[2] <=> $b->[2] } @ran;
my $n = 0;
my @events = map { ++$n; ([ $_->[2], $n, $_ ], [ $_->[3], $n ]) } @ran;
my $log = began(26.3, 5535, 0, [qw(make all)], '/home/fonts')
    . began(26.31, 5953, 26.3, 'echo hello', '/home/fonts') . ended(26.330481, 5953, 26.31, 0.021, 0.006);
for my $event (sort { $a->[0] <=> $b->[0] || !$a->[2] <=> !$b->[2] } @events) {
    my ($time, $number, $begins) = @$event;
    my $its = $ran[ $number - 1 ];
    my $pid = 10_000 + $number % 20_000;
    $log .= $begins ? began($its->[2], $pid, 26.3, $its->[7], "/home/fonts/$its->[6]")
        : ended($time, $pid, @$its[ 2, 4, 5 ]);
}
my ($user, $system) = map { my $i = $_; 0.1 + sum map { $_->[$i] } @ran } 4, 5;
$log .= ended(26.3 + $SPAN, 5535, 26.3, $user, $system);
my @all = ([ 'make', '', 26.3, 26.3 + $SPAN, $user, $system, 'fonts' ],
    [ 'echo', '', 26.31, 26.330481, 0.021, 0.006, 'fonts' ], @ran);
is scalar @all, 23_902, 'so many processes';

spew("$dir/fonts.conf", <<'END_OF_RULES');
schema CATEGORY
  class mt1       command ~ 'MT1.*mpost'
  class rmo       command ~ 'RMO.*rmo\.pe'
  class assembly  command ~ '^ASM='
  class latex     command ~ 'latex'
  class $1        program ~ '([^/]+)$'
  default UNKNOWN
schema "WORKING DIRECTORY"
  class $1        cwd ~ '([^/]+)$'
schema "FAMILY (TSUKURIMASHOU MT1)" where CATEGORY = mt1
  class $1        command ~ 'mpost +([a-z]+)-'
  default IGNORE
schema "FAMILY (TSUKURIMASHOU FONT ASSEMBLY)" where CATEGORY = assembly
  class $1        command ~ '^ASM=([a-z]+)'
  default IGNORE
END_OF_RULES

my $bytes = capture(stream('host', 'preload', $EPOCH) . $log);
my ($out, $err, $exit) = nytprof('build', '--classes', "$dir/fonts.conf", \$bytes);
is "$err$exit", '0', 'it is printed';

# --- the timeline -----------------------------------------------------------------------------------------------------

is $out =~ /^=+\n.*\n=+\n\n((?:.*\n){12})/ ? $1 : '', <<'END_OF_LINES', 'its first lines';
*2013*
 Mar10
 16:55
:26.30 >=5535:0
       | host
       | m
:26.31 +-<=5953:0
       | | host
:26.33 | | echo
       | | 0.021000u
       | | 0.0060000s
       | \=0.020481r
END_OF_LINES

# --- the tables, by the rules -----------------------------------------------------------------------------------------

sub number {
    my ($value) = @_;
    return '   0    ' if $value <= 1e-9;
    return sprintf $value > 9999.999 ? '%8.02E' : $value > 0.009 ? '%8.03f' : '%8.02e', $value;
}

sub share { my ($part, $whole) = @_; return sprintf ' %-7s', sprintf '(%d%%)', $whole > 0 ? 100.1 * $part / $whole : 0 }

sub row {
    my ($name, $values, $whole) = @_;
    return sprintf('%-11s %8g', $name, scalar @$values) . share(scalar @$values, scalar @$whole) . number(sum @$values)
        . share(sum(@$values), sum @$whole) . join '  ', map { number($_) } min(@$values), sum(@$values) / @$values,
        max(@$values);
}

sub bar {
    my ($name, $of, $whole, $mark) = @_;
    my ($first, $last) = (min(map { $_->[2] } @$whole), max(map { $_->[3] } @$whole));
    my ($from, $to) = (min(map { $_->[2] } @$of), max(map { $_->[3] } @$of));
    my ($begin, $end) = map { int(49 * ($_ - $first) / ($last - $first)) } $from, $to;
    my $label = sprintf $to - $from < 999.5 ? '%.3g s' : '%.0f s', $to - $from;
    my $line = ' ' x 50;
    substr $line, $begin, $end - $begin + 1, $mark x ($end - $begin + 1);
    substr $line, $_, 1, '|' for $begin, $end;
    my $width = $end - $begin + 1;
    substr $line, $begin + int(($width - length $label) / 2), length $label, $label if $width > length($label) + 4;
    return sprintf '%-11s %s', $name, $line =~ s/ +\z//r;
}

my %SCHEMA = (
    'CATEGORY'                             => sub { $_[0][0] },
    'WORKING DIRECTORY'                    => sub { $_[0][6] },
    'FAMILY (TSUKURIMASHOU MT1)'           => sub { $_[0][0] eq 'mt1' && $_[0][1] },
    'FAMILY (TSUKURIMASHOU FONT ASSEMBLY)' => sub { $_[0][0] eq 'assembly' && $_[0][1] },
);
for my $schema (sort keys %SCHEMA) {
    my (%of, @whole, @names);
    for my $process (@all) {
        my $class = $SCHEMA{$schema}->($process) || next;
        push @names, $class if !$of{$class};
        push @{ $of{$class} }, $process;
        push @whole, $process;
    }
    my $text = between("${out}STATISTICS\n", "STATISTICS BY $schema\n", 'STATISTICS');
    my @bars = ((map { bar($_, $of{$_}, \@whole, '-') } @names), bar('TOTAL', \@whole, \@whole, '='));
    is between($text, 'Overall', 'User') =~ s/\A.*\n\n//r, join("\n", @bars) . "\n\n", "$schema: bars";
    for my $table ([ 'User', 'System', 4 ], [ 'System', 'CPU time per', 5 ]) {
        my ($title, $next, $i) = @$table;
        my @rows = map { row($_->[0], [ map { $_->[$i] } @{ $_->[1] } ], [ map { $_->[$i] } @whole ]) }
            (map { [ $_, $of{$_} ] } @names), [ 'TOTAL', \@whole ];
        is between($text, $title, $next) =~ s/\A.*\n\n.*\n//r, join("\n", @rows) . "\n\n", "$schema: $title time";
    }
}
my $user_table = between(between($out, 'STATISTICS BY CATEGORY', 'STATISTICS BY WORK'), 'User', 'System');
is scalar(() = $user_table =~ /^[a-z]\S* /mg), 12, 'twelve classes';
my $family = between(between($out, 'STATISTICS BY FAMILY (TSUKURIMASHOU MT1)', 'STATISTICS BY FAMILY (TSUKURIMASHOU F'),
    'User', 'System');
like $family, qr/^jieub +2320 \(23%\) .* \(75%\)/m, 'a fourth of the processes takes most of the time';
like $user_table, qr/^kerner +16 \(0%\)   1\.82E\+04 \(\d+%\) +64\.581  1137\.500  2210\.419$/m, 'and so do few';
like $user_table, qr/^gzip +2 \(0%\)   2\.00e-03 \(0%\)   1\.00e-03  1\.00e-03  1\.00e-03$/m, 'and next to none';

done_testing;
