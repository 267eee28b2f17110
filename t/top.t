# SPDX-License-Identifier: MIT
# `nytprof top`: the live table of programs that run or have ended; its keys, its screen, and the terminal afterwards.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Pages qw(fixtures);
use Run qw(under_profiler);
use Terminal qw(has_terminals set_size with_keys);
use Tree qw(slurp spew);

my $NYTPROF = "$FindBin::Bin/../build/nytprof";
my $dir     = tempdir(CLEANUP => 1);
my ($calls, $sampled) = map { fixtures() . "/$_.out" } qw(calls sampled);
local $ENV{TERM} = 'xterm';

# --- once -------------------------------------------------------------------------------------------------------------

my ($out, $err, $exit) = nytprof('top', '--once', $sampled);
is "$exit $err", '0 ', 'of a sampled program: --once prints a table';
my @lines = split /\n/, $out;
like $lines[0], qr{^/app/main\.pl \(process 4711\), last \S+ s, ended$},                         'what it is about';
is $lines[1], "1.80 s profiled: CPU 88.9 %, waiting 11.1 %; 180 samples, 10 % is \xC2\xB12.2", 'what time went into';
like $lines[2], qr/^ *total % +self %\* +\xC2\xB1 +CPU % +wait %  sub$/, 'columns: no calls, as they were not counted';
like $lines[3], qr/^ +66\.7 +66\.7 +\xC2\xB13\.5 +66\.7 +A::inner$/, 'most time first, with the error of its share';
like $lines[4], qr/^ +88\.9 +16\.7 +\xC2\xB12\.8 +5\.6 +11\.1  A::work$/, 'with CPU and waiting';

like table('--sort', 'total', $calls),     qr/calls\/s  sub\n +100\.0 +\S+ +main::RUNTIME\n/, 'other columns first';
like table('--view', 'lines', $sampled),   qr/\n +66\.7 +\xC2\xB13\.5 +66\.7 +A\.pm:11\n/, 'lines';
like table('--view', 'stacks', $sampled),  qr/  A::inner < A::work < main::RUNTIME\n/,   'stacks';
like table($calls), qr/ calls a second\n.* calls\/s  sub\n/, 'calls, where they are counted';
is scalar(() = table('--top', 2, $calls) =~ /\n/g), 5, '--top';
is table("$dir/none"), '', 'a file that is not there';
like +(nytprof('top', '--once', "$dir/none"))[1], qr/^nytprof: \S+none: No such file or directory\n\z/, 'is named';
like +(nytprof('top', '--once', $$))[1],
    qr/^nytprof: process $$ writes no capture: expected one that was started by /, 'a process without one';
like +(nytprof('top', '--once', 999_999_999))[1], qr/^nytprof: there is no process 999999999\n/, 'and none at all';

# --- a program that runs ----------------------------------------------------------------------------------------------

# It changes its ways when it is told to.
pipe my $from, my $to or die "pipe: $!\n";
my $pid = fork // die "fork: $!\n";
if (!$pid) {
    open STDIN, '<&', $from or die "input: $!\n";
    close $to or die "pipe: $!\n";
    spew("$dir/prog.pl", <<'END');
sub idle { select undef, undef, undef, 0.01 }
sub busy { my $x = 0; $x += $_ for 1 .. 20_000; $x }
my ($ready, $is_busy) = ('', 0);
vec($ready, 0, 1) = 1;
while (1) {
    $is_busy ? busy() : idle();
    next if !select my $can_read = $ready, undef, undef, 0;
    sysread STDIN, my $text, 1 or last;
    $is_busy = 1;
}
END
    delete @ENV{qw(PERL5LIB PERL5OPT PERL5DB)};
    $ENV{NYTPROF} = "file=$dir/live.out";
    exec $^X, under_profiler(), "$dir/prog.pl" or die "$^X: $!\n";
}
close $from or die "pipe: $!\n";
my $end = time + 20;
sleep 0.1 while time < $end && table("$dir/live.out") !~ /main::idle/;
like table($pid), qr/\(process $pid\), last [\d.]+ s, \d\.\d s ago\n.*main::idle/s, 'by the number of the process';
my @first = leader();
syswrite $to, 'x';
my $begun = time;
sleep 0.1 while time < $begun + 20 && !grep {/busy/} leader('--last', 1);
cmp_ok time - $begun, '<=', 6, 'what changes is seen soon';    # two seconds, but machines are busy
unlike "@first", qr/busy/, 'and was not there before';
close $to or die "pipe: $!\n";
waitpid $pid, 0;
like table("$dir/live.out"), qr/, ended\n/, 'a program that has ended';

# --- keys -------------------------------------------------------------------------------------------------------------

SKIP: {
    skip 'no pseudo terminals here', 20 if !has_terminals();
    my @steps = (
        [ qr/h help/,         'j' ],
        [ qr/>A::work.*h help/s, 'l' ],
        [ qr/A\.pm:5.*h help/s, 'c' ],
        [ qr/stack: .*h help/s, "/" ],
        [ qr/\n\/_/,          "\xC3\xA9\x7F" ],
        [ qr/\n\/_/,          "sum\r" ],
        [ qr/\/sum /,         "\e" ],
        [ qr/A::inner <.*h help/s, 'h' ],
        [ qr/quit\b.*this list/s, 'h' ],
        [ qr/h help/,         's' ],
        [ qr/total %.*h help/s, '>' ],
        [ qr/CPU %\*.*h help/s, 'q' ],
    );
    my @said = with_keys(\@steps, $NYTPROF, 'top', $sampled);
    my ($rest, $status) = splice @said, -2;
    is $status, 0, 'q ends it';
    for my $i (0 .. $#steps) { like $said[$i], $steps[$i][0], "the screen before key " . ($steps[$i][1] =~ s/\W/./gr) }
    like $said[1], qr/\n +3 > sub work \{/, 'the source of the chosen row';
    unlike $said[6], qr/A::inner </, 'only names with the text';
    is scalar(() = $said[0] =~ /\n/g), 23, 'a screen has as many lines as the terminal';
    like $said[0], qr/\A\e\[\?1049h\e\[\?25l\e\[\?7l/, 'which does not continue lines that are too long';
    like $rest, qr/\e\[\?7h\e\[\?25h\e\[\?1049l\z/, 'the terminal is as it was';
    (@said) = with_keys([ [ qr/h help/, "\cC" ] ], $NYTPROF, 'top', $sampled);
    is $said[-1], 0, 'Ctrl-C ends it, too';

    # Each picture has a title.
    spew("$dir/copy.out", slurp($sampled));
    my @ruined = with_keys([ [ qr/h help/, sub { spew("$dir/copy.out", 'no capture'); '' } ],
        [ qr/main\.pl.*?copy\.out: .*h help/s, '' ], [ qr/main\.pl.*h help/s, 'q' ] ],
        $NYTPROF, qw(top --interval 0.1), "$dir/copy.out");
    like $ruined[2], qr/copy\.out: /, 'a file that cannot be read any more is named as long as it is there';

    set_size(8, 40);
    @said = with_keys([ [ qr/c stacks/, 'h' ], [ qr/Ctrl-C .*c stacks/s, 'q' ] ], $NYTPROF, 'top', $sampled);
    is_deeply [ map { scalar(() = (split /\e\[H/)[-1] =~ /\n/g) } @said[ 0, 1 ] ], [ 7, 7 ],
        'a small terminal is not scrolled, nor by the help';
    my ($row) = $said[0] =~ s/\e\[[\d;]*m//gr =~ /\n(.*>.*?)\e/;
    like substr($row =~ s/\xC2\xB1/+/r, 0, 40), qr/>A::inner$/, 'a narrow one has the names' or diag $row;
    unlike $said[0], qr/CPU %/, 'and the first columns only';
}

done_testing;

sub table { return (nytprof('top', '--once', @_))[0] }

# The names of the first rows.
sub leader { return map {/  (main::\S+)$/} (split /\n/, table(@_, "$dir/live.out"))[ 3, 4 ] }
