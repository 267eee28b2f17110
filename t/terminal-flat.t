# SPDX-License-Identifier: MIT
# `nytprof flat`: subs by time in the columns of gprof, which programs read, and of oprofile.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Calls qw(calls_capture);
use Capture qw(nytprof);
use Pages qw(fixtures);
use Terminal qw(has_terminals on_terminal);
use Tree qw(spew);

my $NYTPROF  = "$FindBin::Bin/../build/nytprof";
my $captures = fixtures();
my $calls    = "$captures/calls.out";

# --- gprof's columns --------------------------------------------------------------------------------------------------

my $text = flat($calls);
my @rows = rows($text);
my $run = "The run took 895 \xC2\xB5s, 875 \xC2\xB5s of it profiled.\n"
    . "Another 18.0 \xC2\xB5s were the profiler's own work.\nFor 2.00 \xC2\xB5s profiling was switched off.\n"
    . "CPU time: 900 \xC2\xB5s user and 100 \xC2\xB5s system.\n";
like $text, qr/\AFlat profile:\n\nEach sample counts as 1e-09 seconds\.\n\Q$run\E  %   /, 'it begins as gprof does';
like $text, qr/^\f\n\z/m, 'and a form feed on a line of its own ends it';
is_deeply names($text), [ qw(Foo::Bar::xs main::RUNTIME Foo::Bar::new List::Util::sum main::recurs main::CORE:print
    main::pong main::ping), 'main::__ANON__[(eval 1)[/app/main.pl:9]:1]' ], 'most self time first';
is_deeply $rows[2], [qw(11.44 0.000721500 0.000100000 1 100.00 500.00)], 'a row: shares, times, calls, times per call';
is_deeply $rows[1], [qw(25.33 0.000621500 0.000221500)], 'the main program is not called';
is_deeply [ @{ $rows[4] }[ 3 .. 5 ] ], [qw(3 20.00 60.00)], 'the total of a recursion is that of its outermost call';
my ($folded) = nytprof('folded', $calls);
is 1e9 * $rows[-1][1], sum0($folded =~ / (\d+)$/mg), 'the last sum is the time of the run, to the nanosecond';
is sprintf('%.0f', 1e9 * sum0(map { $_->[2] } @rows)), sum0($folded =~ / (\d+)$/mg), 'and so is the sum of self times';
is flat('--style=gprof', $calls), $text, '--style=gprof is the same where there is no terminal';
like $text, qr/^ calls .*how often/m, 'a legend';
unlike flat('-b', $calls), qr/how often/, 'which --brief leaves out';

# --- order and choice -------------------------------------------------------------------------------------------------

is_deeply [ @{ names(flat('--sort=incl', $calls)) }[ 0 .. 2 ] ], [qw(main::RUNTIME Foo::Bar::new Foo::Bar::xs)],
    '--sort=incl: the run, then the sub that takes most of it with what it calls';
is names(flat('--sort=calls', $calls))->[0], 'main::recurs', '--sort=calls';
my @names = @{ names(flat('--sort=name', $calls)) };
is_deeply \@names, [ sort @names ], '--sort=name';
is_deeply names(flat('--top=2', $calls)), [qw(Foo::Bar::xs main::RUNTIME)], '--top';
is_deeply names(flat('--min-percent=10', $calls)), [qw(Foo::Bar::xs main::RUNTIME Foo::Bar::new)], '--min-percent';
is_deeply names(flat('--min-percent=50', '--sort=incl', $calls)), [qw(main::RUNTIME Foo::Bar::new)],
    'which with --sort=incl is of inclusive time';
is_deeply names(flat('--filter=p.ng', $calls)), [qw(main::pong main::ping)], '--filter';
is_deeply names(flat('--package=Foo', $calls)), [qw(Foo::Bar::xs Foo::Bar::new)], '--package';
is_deeply names(flat('--source=Foo/Bar.pm', $calls)), ['Foo::Bar::new'], '--source';
is_deeply [ grep {/never/} @{ names(flat('-z', $calls)) } ], ['Foo::Bar::never'], '--zero: also what was never called';
my (undef, $err, $exit) = nytprof('flat', '--sort=speed', $calls);
is "$exit $err",
    "2 nytprof: flat: --sort: expected one of self incl calls name p99 longest growth, got 'speed' "
    . "(see `nytprof help flat`)\n",
    'an order that there is not';

# --- oprofile's columns -----------------------------------------------------------------------------------------------

my $counted = calls_capture([ '', 0, 32_240 ], [ 'mcount:1', 10, 283_942 ], [ 'main::f:2', 5, 19_095 ]);
my $table = flat('--style=oprofile', \$counted) =~ s{^(?:The run|CPU time).*\n}{}gmr;
is $table, <<'END', 'samples, their share, the file and the sub';
Counted nanoseconds in subs themselves: a sample is 1 ns
samples  %        image name               symbol name
283942   84.6888  /app/prog.pl             mcount
32240    9.6159   /app/prog.pl             main::RUNTIME
19095    5.6953   /app/prog.pl             main::f
END
my $dir = tempdir(CLEANUP => 1);
spew("$dir/known.pl", "sub f { 1 } f() for 1 .. 9;\n");
is system("cd $dir && $NYTPROF run -o known.out known.pl"), 0, 'a program by its name only';
my %image = map { $_ => 1 }
    flat('--style=oprofile', "$dir/known.out") =~ /(\S+\.pl) +(?:compiling|main::)/g;
is_deeply \%image, { "$dir/known.pl" => 1 }, 'the program has one name, in its subs and its phases';
like flat('--style=oprofile', $calls), qr/^70000 +8\.0046 +\(no file\) +List::Util::sum$/m, 'a sub without a file';

# --- other captures ---------------------------------------------------------------------------------------------------

is_deeply names(flat("$captures/zero.out")), [], 'no time and no calls are no rows';
my $hostile = flat("$captures/hostile.out");
unlike $hostile, qr/[^\f\n\x20-\x7E\xA0-\xFF]/, 'no control character of a name is printed';
is scalar(rows($hostile)), scalar(grep {/^ *\d/} split /\n/, $hostile), 'every row can be read';
my $odd = calls_capture([ '', 0, 5 ], [ '12:1', 1, 2 ], [ "[7]:1", 1, 1 ]);
is_deeply names(flat(\$odd)), [ 'main::RUNTIME', '\x312', '\x5B7]' ], 'names that begin as a column does';

# --- a terminal -------------------------------------------------------------------------------------------------------

SKIP: {
    skip 'there are no pseudo terminals: what is shown on one is NOT checked', 6 if !has_terminals();
    local @ENV{qw(TERM PAGER)} = ('dumb', '');
    for my $verb (qw(flat graph)) {
        my ($shown) = on_terminal($NYTPROF, $verb, $calls);
        unlike $shown, qr/\f|1e-09/, "$verb: nothing that is there for programs";
        is_deeply [ grep { length > 80 + 3 * tr/\xC2\xE2// } split /\n/, $shown ], [], 'no line is too long';
        like +(on_terminal($NYTPROF, $verb, '--style=gprof', $calls))[0], qr/^\f$/m, 'but with --style=gprof';
    }
    my ($shown) = on_terminal($NYTPROF, 'flat', $calls);
    my @words = ('% time', 'cumulative', 'self', 'calls', 'self us/call', 'total us/call');
    is_deeply [ (split /\n\n/, $shown)[-1] =~ /^ (\S+(?: \S+)?)  +[a-z]/mg ], \@words,
        'the legend has the words of the headings';
    like $shown, qr/self    total\n time .* us\/call  us\/call  name$/m, 'which two lines have';
}

done_testing;

sub flat {
    my @arguments = @_;
    my ($out, undef, $status) = nytprof('flat', @arguments);
    is $status, 0, 'flat ' . join ' ', grep { !ref && !m{/} } @arguments;
    return $out;
}

# The columns ahead of the name, of each row; those of calls are blank where there are none.
sub rows {
    my ($table) = @_;
    return map { [ grep {defined} @$_[ 0 .. $#$_ - 1 ] ] } cells($table);
}

sub names { my ($table) = @_; return [ map { $_->[-1] } cells($table) ] }

sub cells {
    my ($table) = @_;
    my $row = qr/^ *(\d+\.\d\d) +(\d+\.\d+) +(\d+\.\d+)(?: +(\d+) +(\d+\.\d\d) +(\d+\.\d\d)| {20,})  (\S.*)$/;
    return map { [ $_ =~ $row ] } grep { $_ =~ $row } split /\n/, $table;
}
