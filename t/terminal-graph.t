# SPDX-License-Identifier: MIT
# `nytprof graph`: callers and callees of each sub, in text that programs for gprof's call graph can read.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Calls qw(calls_capture);
use Capture qw(nytprof);
use Gprof qw(faults read_graph);
use Pages qw(fixtures);

my $captures = fixtures();
my $calls    = "$captures/calls.out";

# --- entries ----------------------------------------------------------------------------------------------------------

my $text  = graph($calls);
my %entry = map { ($_->{name} => $_) } read_graph($text);
is_deeply [ faults(0, values %entry) ], [], 'the times and calls of callers and callees add up';
is_deeply short($entry{'Foo::Bar::new'}), 'main::RUNTIME 1/1 > 100000+400000 1 > Foo::Bar::xs 1/1',
    'a sub: its callers, its own and its children\'s time, its calls, its callees';
is_deeply $entry{'main::RUNTIME'}{callers}, [], 'the main program is not called';
like $text, qr/^ +<spontaneous>\n\[1\] +100\.0 /m, 'which is said; it is the first entry, with all of the time';
is short($entry{'main::recurs'}), 'main::recurs 2, main::RUNTIME 1/1 > 60000+0 1+2 > main::recurs 2',
    'recursion: calls by others and by itself apart, the latter without time';
is short($entry{'cycle 1'}), '> 10000+0 1+3 > main::pong 2, main::ping 2', 'a cycle as a whole';
is short($entry{'main::ping'}), 'main::pong 1, main::RUNTIME 1/1 > 4000+0 2 > main::pong 2', 'a member of it';
is $entry{'main::ping'}{cycle}, 1, 'which is marked';
my $own = 0;
$own += $_->{self} for grep { !$_->{is_cycle} } values %entry;
is $own, 874_500, 'own times are the time of the run';
like $text, qr/^\f\n^Index by function name\n\n^ +\[2\] Foo::Bar::new\n/m, 'an index';
my @index = $text =~ /Index.*\n\n((?:.*\n)+)\z/ ? $1 =~ /\[(\d+)\]/g : ();
is_deeply [ sort { $a <=> $b } @index ], [ 1 .. keys %entry ], 'of all entries';
like $text, qr/^ <cycle 1> +subs that call each other/m, 'a legend';
unlike graph('--brief', $calls), qr/subs that call each other/, 'which --brief leaves out';
is graph('--style=gprof', $calls), $text, '--style=gprof is the same where there is no terminal';
my ($flat) = nytprof('flat', $calls);
is_deeply [ read_graph($flat . $text) ], [ read_graph($text) ], 'behind `nytprof flat` it is gprof\'s whole text';

# --- counts of a recursion --------------------------------------------------------------------------------------------

my $deep = calls_capture([ '', 0, 9 ], [ 'f:3', 1000, 500_000_000 ], [ 'f:3 f:2', 13_699_000, 4_000_000_000 ]);
like graph(\$deep), qr/^\[2\] +100\.0 +4\.500000000 +0\.000000000 +1000\+13699000 +f \[2\]$/m,
    'calls of a recursion from outside and by itself';

# --- choice -----------------------------------------------------------------------------------------------------------

$text = graph('--filter=Foo::Bar::new', $calls);
like $text, qr{1/1 +main::RUNTIME \(1\)\n\[2\] +57\.2 .* Foo::Bar::new \[2\]\n.* Foo::Bar::xs \(3\)\n--+\n},
    '--filter: the numbers of entries that are not printed are in parentheses';
is_deeply [ chosen('--filter=ping', $calls) ], [ 'cycle 1', 'main::ping' ], 'a cycle is printed with its member';
is_deeply [ chosen('--top=2', $calls) ], [ 'main::RUNTIME', 'Foo::Bar::new' ], '--top';
is_deeply [ chosen('--min-percent=40', $calls) ], [qw(main::RUNTIME Foo::Bar::new Foo::Bar::xs)], '--min-percent';
is_deeply [ chosen('--package=List', $calls) ], ['List::Util::sum'], '--package';
is_deeply [ chosen('--source=Foo/Bar.pm', $calls) ], ['Foo::Bar::new'], '--source';

# --- names ------------------------------------------------------------------------------------------------------------

my @hostile = ('12', '[3]', '1/2', '<spontaneous>', "tab\there", "line\nend", "\x{1B}[31m", '(4)', '-----', "\f",
    '0.000000001', "\xFF", 'f~<cycle~1>', 'f~[1]', 'f~(2)', '~f', 'f~', '7~f');
my @contexts = ([ '', 0, 1 ], map { [ "$hostile[$_]:1", $_ + 1, 1 ] } 0 .. $#hostile);
my @read = read_graph(graph(\calls_capture(@contexts)));
is scalar(@read), 1 + @hostile, 'names like columns, lines and control sequences: each has its entry';
is_deeply [ faults(0, @read) ], [], 'with the right calls';
is_deeply [ grep { $_->{cycle} } @read ], [], 'and none is a cycle';
is_deeply [ sort { $a <=> $b } map { $_->{called} // () } @read ], [ 1 .. @hostile ], 'each is told from its calls';
is_deeply [ read_graph(graph("$captures/zero.out")) ], [], 'no time and no calls are no entries';
is_deeply [ faults(0, read_graph(graph("$captures/hostile.out"))) ], [], 'markup is no trouble';

done_testing;

sub graph {
    my @arguments = @_;
    my ($out, undef, $status) = nytprof('graph', @arguments);
    is $status, 0, 'graph ' . join ' ', grep { !ref && !m{^/} } @arguments;
    return $out;
}

sub chosen { my @arguments = @_; return map { $_->{name} } read_graph(graph(@arguments)) }

# CALLERS > SELF+CHILDREN CALLS > CALLEES
sub short {
    my ($e) = @_;
    my ($callers, $callees) = map { join ', ', map { "$_->{name} " . number($_, '/', 'total') } @$_ }
        @$e{qw(callers callees)};
    my $own = "$e->{self}+$e->{children} " . number($e, '+', 'nested');
    return join ' ', $callers || (), '>', $own, '>', $callees || ();
}

sub number { my ($of, $sign, $more) = @_; return $of->{called} . ($of->{$more} ? "$sign$of->{$more}" : '') }
