# SPDX-License-Identifier: MIT
# Times. The fake clock goes on by a microsecond whenever it is read, so times are exact and can be worked out by hand;
# the other tests sleep and look whose time that became. That every window adds up is checked in all of them (Run.pm).
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(events_of of records);
use Profiled qw(median);
use Run qw(capture_of facts run);

# What an event costs under the fake clock, in microseconds.
my %COST = (statement => 0.1, enter => 0.3, exit => 0.4);

# --- by hand ----------------------------------------------------------------------------------------------------------

# The clock is read at each arrow, so the time between two of them is a microsecond.
my $BY_HAND = <<'END';
sub leaf  { 1 }                     # > statement > : 2
sub twice { leaf(); leaf() }        # > statement > leaf > statement > leaf > : 5 of its own
twice() for 1 .. 3;
END

my $raw = facts(run($BY_HAND, options => { clock => 'fake', overhead => 'raw', optimize => 0 }));
is time_of($raw, 'main::leaf'),  '6 calls, 12.000 us, 12.000 us exclusive', 'raw: a leaf has what passes in it';
is time_of($raw, 'main::twice'), '3 calls, 27.000 us, 15.000 us exclusive', 'raw: its caller has the rest';
is $raw->{line}{'prog.pl:2'}, 6, 'and the statements are counted';

my $corrected = facts(run($BY_HAND, options => { clock => 'fake', optimize => 0 }));
my $leaf      = 12 - 6 * ($COST{enter} + $COST{statement});
my $twice     = 15 - 3 * ($COST{enter} + 2 * $COST{statement} + 2 * $COST{exit});
is time_of($corrected, 'main::leaf'), sprintf('6 calls, %.3f us, %1$.3f us exclusive', $leaf),
    'corrected: less the cost of the events in it';
is time_of($corrected, 'main::twice'), sprintf('3 calls, %.3f us, %.3f us exclusive', $leaf + $twice, $twice),
    'corrected: its caller, too';

my @again = map { join '', map {"$_\n"} relevant(run($BY_HAND, options => { clock => 'fake' })) } 1, 2;
is $again[0], $again[1], 'two runs under the fake clock give the same records';

my $xsub = facts(run("use List::Util;\nList::Util::sum(1) for 1 .. 4;\n'x' =~ /y/ for 1 .. 2;\n",
    options => { clock => 'fake', overhead => 'raw' }));
is time_of($xsub, 'List::Util::sum'), '4 calls, 4.000 us, 4.000 us exclusive', 'a C sub';
is time_of($xsub, 'main::CORE:match'), '2 calls, 2.000 us, 2.000 us exclusive', 'a slow built-in';

# --- at which line a call's cost is taken off -------------------------------------------------------------------------

# With the time-stamp counter a sub's first statement shares the reading of the call, so what the call has cost lies
# behind it. What the end costs lies in the statement that goes on: the caller's, or, with leave=0, the sub's last one.
my $CALLS = "sub nop {}\nfor my \$i (1 .. 200) { nop(); nop() }\n";
for my $leave (0, 1) {
    my $calls   = facts(run($CALLS, options => { leave => $leave }));
    my @records = @{ $calls->{records} };
    my %line    = map { ($_->{id} => $_->{line}) } of('place', @records);
    my ($start) = of('process_start', @records);
    my %events  = (2 => {}, 3 => {});
    for my $record (of('place_delta', @records)) {
        my @of = events_of($record);
        $of[$_] and $events{$_}{ $line{ $record->{id} } } += $of[$_] for keys %events;
    }
    my $begins = $start->{clock_id} == 1000 ? { 1 => 399, 2 => 1 } : { 2 => 400 };    # the first statement is a new one
    is_deeply $events{2}, $begins, "leave=$leave: where calls begin";
    is_deeply $events{3}, { ($leave ? 2 : 1) => 400 }, 'where they end';
}

sub time_of {
    my ($facts, $name) = @_;
    my $sub = $facts->{sub}{$name} // return 'not called';
    my @us = map { 1e6 * $sub->{$_} } qw(inclusive exclusive);
    return sprintf '%d calls, %.3f us, %.3f us exclusive', $sub->{calls}, @us;
}

# All but what differs between any two processes: when, who and where.
sub relevant {
    my ($run) = @_;
    my @rows;
    for my $record (of(qr/^(?:sub|place|node|place_delta|node_delta|price)$/, records(capture_of($run)))) {
        push @rows, join ' ', map {"$_=$record->{$_}"} sort keys %$record;
    }
    return @rows;
}

# --- recursion: the outermost call has the time -----------------------------------------------------------------------

my $NAP = 'sub nap { select undef, undef, undef, $_[0] }';

my $RECURSIVE = <<"END";
$NAP
sub rec  { nap(0.02); rec(\$_[0] - 1) if \$_[0] > 1 }
sub ping { nap(0.02); pong(\$_[0] - 1) if \$_[0] > 1 }
sub pong { nap(0.02); ping(\$_[0] - 1) if \$_[0] > 1 }
rec(5);
ping(4);
END
takes(sub { facts(run($RECURSIVE))->{sub} }, 'recursion: the outermost call', 'main::rec' => 0.1, 'main::ping' => 0.08,
    'main::pong' => 0.06);

# On a busy machine a sleep may take any time: one run of ten has to have the seconds of all these subs.
sub takes {
    my ($subs_of, $what, %seconds) = @_;
    my @wrong;
    for (1 .. 10) {
        my $subs = $subs_of->();
        @wrong = grep {
            my $is = $subs->{$_}{inclusive};
            $is < $seconds{$_} || $is >= $seconds{$_} * 1.5 + 0.03
        } sort keys %seconds;
        last if !@wrong;
    }
    is "@wrong", '', "$what: @{[ map {\"$_ takes $seconds{$_} s\"} sort keys %seconds ]}";
    return;
}

# --- whose time a wait becomes ----------------------------------------------------------------------------------------

# Each program sleeps for a tenth of a second; the line marked "# here" has to have it.
my %waits = (
    'after a call, in the same statement' => 'sub nil { my $x = 1; return 0 }
        nil() || select undef, undef, undef, 0.1;    # here
        1;',
    'in the condition of a while loop' => 'my $i = 0;
        while (select(undef, undef, undef, 0.05) || $i++ < 1) {    # here
            my $x = 1;
            my $y = 1;
        }',
    'while reading for a while loop' => 'open my $in, "-|", "sleep 0.1; echo x";
        my $n = 0;
        while (<$in>) {    # here
            $n++;
            1;
        }',
    'in the condition of for(;;)' => 'for (my $i = 0; $i < 2; select(undef, undef, undef, 0.05), $i++) {    # here
            my $x = 1;
            my $y = 1;
        }',
    'in an until loop' => 'my $i = 0;
        until (select(undef, undef, undef, 0.05) || $i++ > 0) {    # here
            my $x = 1;
            my $y = 1;
        }',
    'after an eval that died' => 'sub dies { my $x = 1; die }
        eval { dies(); 1 } || select undef, undef, undef, 0.1;    # here
        1;',
    'after a do block' => 'my $x = do {
            my $y = 0;
            $y
        };
        my $z = do { my $y = 0; $y } || select undef, undef, undef, 0.1;    # here
        1;',
    'after a map block' => 'my @x = ((map { my $y = $_; $y } 1 .. 3), select undef, undef, undef, 0.1);    # here
        1;',
    'after a sort block' => 'my @x = ((sort { my $y = 1; $a <=> $b } 2, 1), select undef, undef, undef, 0.1);    # here
        1;',
    'in a sort block' => 'my @x = sort {
            my $y = select undef, undef, undef, 0.1;    # here
            $a <=> $b
        } 2, 1;
        1;',
    'after a string eval' => 'my $x = eval("my \$y = 0;\n\$y") || select undef, undef, undef, 0.1;    # here
        1;',
);
for my $what (sort keys %waits) {
    for my $option ({}, { slowops => 0 }) {
        my ($line, $text) = (0, $waits{$what});
        $line++ until (split /\n/, $text)[$line] =~ /# here/;
        my $longest;
        for (1 .. 10) {    # what a busy machine takes away may be more than what is waited for
            my $seconds = line_seconds(run($text, options => $option));
            ($longest) = sort { $seconds->{$b} <=> $seconds->{$a} } keys %$seconds;
            last if $longest == $line + 1;
        }
        is $longest, $line + 1, join ' ', $what, %$option;
    }
}

# { LINE => seconds } of prog.pl.
sub line_seconds {
    my ($run) = @_;
    my $facts = facts($run);
    my ($start) = of('process_start', @{ $facts->{records} });
    my %line = map { $_->{id} => $_->{line} } of('place', @{ $facts->{records} });
    my %seconds;
    for my $delta (grep { $_->{id} } of('place_delta', @{ $facts->{records} })) {
        $seconds{ $line{ $delta->{id} } } += $delta->{ticks} / $start->{ticks_per_second};
    }
    return \%seconds;
}

# --- switched off -----------------------------------------------------------------------------------------------------

my $SWITCHED_OFF = "$NAP\n" . <<'END';
sub work { nap(0.05) }
work();
DB::disable_profile();
work();
DB::enable_profile();
work();
END
is facts(run($SWITCHED_OFF))->{sub}{'main::work'}{calls}, 2, 'what runs while switched off is not counted';
takes(\&off_and_on, 'time while profiling is off is charged to no sub', 'main::work' => 0.1, off => 0.05);

sub off_and_on {
    my $facts   = facts(run($SWITCHED_OFF));
    my ($start) = of('process_start', @{ $facts->{records} });
    my $off     = 0;
    $off += $_->{off} / $start->{ticks_per_second} for of('window', @{ $facts->{records} });
    return { 'main::work' => $facts->{sub}{'main::work'}, off => { inclusive => $off } };
}

# The statement that switches off is none: the time that the profiler takes to write is not its.
my $billed = line_seconds(run("my \$x = 1;\nDB::disable_profile();\n\$x++;\n"));
is $billed->{2} // 0, 0, 'the statement that switches off has no time';

# --- what is done once ------------------------------------------------------------------------------------------------

# What the profiler does when it sees a statement, a sub or an eval for the first time takes longer than they do.
my %once = (
    statements => join('', map {"\$x = $_;\n"} 1 .. 20_000),
    calls      => join('', map {"sub f$_ { }\n"} 1 .. 5_000) . join('', map {"f$_();\n"} 1 .. 5_000),
);
for my $what (sort keys %once) {
    my $facts = facts(run($once{$what}, options => { overhead => 'raw' }));
    my ($cold, @own) = (0);
    $cold += $_->{cold} for of('window', @{ $facts->{records} });
    push @own, $_->{ticks} for grep { $_->{id} } of('place_delta', @{ $facts->{records} });
    cmp_ok median(@own), '<', $cold / (@own || 1), "what is done once for $what is not the program's time";
}

# --- every combination of options adds up, over many windows ----------------------------------------------------------

my $MANY = <<'END';
sub f { my $n = shift; return $n if $n < 2; return f($n - 1) + f($n - 2) }
my $x = 0;
for my $i (1 .. 6) { $x += f(10); $x =~ s/1/1/; eval { die } if $i == 3; eval 'f(3)' }
my $i = 0;
while ($i < 150_000) { $i++ }
print "$x\n";
END
my @names    = qw(stmts subs leave slowops);
my @switches = map { my $bits = $_; +{ map { ($names[$_] => $bits >> $_ & 1) } 0 .. 3 } } 0 .. 15;
my $said = run($MANY, switches => [])->{out};
my %windows;
my @others = ({ calls => 2 }, { blocks => 1 }, { overhead => 'raw' }, { compress => 0 }, { findcaller => 1 });
for my $switch (@switches, @others) {
    my $run   = run($MANY, options => { clock => 'fake', %$switch });
    my $facts = facts($run);
    my $name  = join ' ', map {"$_=$switch->{$_}"} sort keys %$switch;
    is $run->{out}, $said, "$name: adds up, and the program says what it says";
    $windows{ scalar of('window', @{ $facts->{records} }) }++;
    my $on = sub { $switch->{ $_[0] } // 1 };
    is !!%{ $facts->{line} }, !!$on->('stmts'), "$name: statements" if exists $switch->{stmts};
    is !!grep({ !/CORE:/ } keys %{ $facts->{sub} }), !!$on->('subs'), "$name: subs" if exists $switch->{subs};
    is !!grep({/CORE:/} keys %{ $facts->{sub} }), !!($on->('slowops') && $on->('subs')), "$name: built-ins"
        if exists $switch->{slowops};
}
ok !!(grep { $_ > 1 } keys %windows), 'there were runs of several windows' or diag explain \%windows;

done_testing;
