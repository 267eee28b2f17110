# SPDX-License-Identifier: MIT
# nytprof chrome: a timeline in Chrome's trace event format, read again here.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP qw(decode_json);
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk nytprof record text);
use Pages qw(fixtures);
use Profiled qw(command);
use Tree qw(slurp spew);

my $dir      = tempdir(CLEANUP => 1);
my $fixtures = fixtures();

my $LACK = "nytprof: chrome: processes only, as there are no calls in their order: profile with NYTPROF=calls=2\n";
my $said = ''; # on standard error

sub timeline {
    my (@arguments) = @_;
    my ($out, $err, $exit) = nytprof('chrome', '-o', '-', @arguments);
    is "$exit $err", "0 $said", "chrome @arguments";
    return decode_json($out);
}

sub events { my ($timeline) = @_; return grep { $_->{ph} eq 'X' } @{ $timeline->{traceEvents} } }

# --- calls ---

my @events = events(timeline("$fixtures/calls.out"));
my ($process, @calls) = @events;
is_deeply [ @$process{qw(name cat ts dur pid tid)} ], [ '/app/main.pl', 'process', 0, 874.5, 4711, 1 ],
    'a process is an event, as long as the calls and the main program took';
is_deeply [ misplaced(@events) ], [], 'calls are within the calls around them, and in the process';
is_deeply [ map {"$_->{name} $_->{dur}"} grep { $_->{name} =~ /^Foo/ } @calls ],
    [ 'Foo::Bar::xs 400', 'Foo::Bar::new 500' ], 'a call has its callees in its time';
is_deeply { own(@events) }, { folded("$fixtures/calls.out") }, 'own times are those of other exports, in nanoseconds';
is_deeply [ map { $_->{name} } grep { $_->{cat} eq 'native' } @calls ],
    [qw(List::Util::sum main::CORE:print Foo::Bar::xs)], 'code in C has a category of its own';

my $few = timeline('--events', 3, "$fixtures/calls.out");
is_deeply [ map { $_->{name} } events($few) ], [qw(/app/main.pl Foo::Bar::xs Foo::Bar::new)],
    '--events leaves out the shortest calls';
ok $few->{otherData}{least_us} > 70, 'and says how short these are';
my (undef, @long) = events(timeline('--min-time', 7e-5, "$fixtures/calls.out"));
is_deeply [ map { $_->{dur} } @long ], [ 70, 400, 500 ], '--min-time sets the shortest';
is scalar(events(timeline('--filter', 'p[io]ng', "$fixtures/calls.out"))), 5, '--filter chooses subs';

# --- processes ---

spew("$dir/forks.pl", <<'END');
sub f { $_[0] ? f($_[0] - 1) : 1 }
f(2);
for (1 .. 2) { if (!fork) { f(1); exit } }
1 while wait > 0;
END
for my $calls (1, 2) {
    my $out = "$dir/forks$calls.out";
    my @command = command('ours', { file => $out, addpid => 1, calls => $calls }, "$dir/forks.pl");
    system(@command) == 0 or die "forks.pl fails\n";
    $said = $calls == 1 ? $LACK : '';
    my $timeline  = timeline(glob "$out.*");
    my @processes = grep { $_->{cat} eq 'process' } events($timeline);
    is scalar(@processes), 3, 'each process is an event';
    my ($parent) = grep { $_->{ts} == 0 } @processes;
    my %label = map { ($_->{pid} => $_->{args}{labels}) } grep { $_->{name} eq 'process_labels' }
        @{ $timeline->{traceEvents} };
    is_deeply [ map { $label{ $_->{pid} } } grep { $_ != $parent } @processes ], [ ("child of $parent->{pid}") x 2 ],
        'children begin later and know their parent';
    is_deeply [ misplaced(events($timeline)) ], [], 'nothing is outside of its process';
    my @names = grep { $_->{ph} eq 'M' && $_->{name} eq 'process_name' } @{ $timeline->{traceEvents} };
    is scalar(@names), 3, 'viewers have a name for each';
    my @f = grep { $_->{name} eq 'main::f' } events($timeline);
    is scalar(@f), $calls == 2 ? 7 : 0, "with calls=$calls";
}

# --- names ---

$said = $LACK;
my $hostile = timeline("$fixtures/hostile.out");
is scalar(events($hostile)), 1, 'hostile names of programs do not break JSON';
for my $name ("a\nb", "c\e[31m", "\xE2\x80\xAEd", "caf\xE9", '"quoted\\', '</script>', "nul\0") {
    my $sub  = record(10, (map { Capture::u($_) } 1, 0, 0, 0, 0, 1), Capture::s($name), Capture::s(''));
    my $node = record(29, map { Capture::i($_) } 1, 0, 0, 1) . record(17, Capture::i(0), Capture::u(1));
    my $time = record(14, Capture::u(1), Capture::i(1), Capture::i(5));
    my $end  = record(18, Capture::i(0), Capture::u(1), Capture::i(5));
    my $capture = text() . chunk("$sub$node$time$end");
    my ($out) = nytprof('chrome', '-o', '-', \$capture);
    my ($call) = grep { $_->{cat} eq 'sub' } events(decode_json($out));
    ok $call && $call->{name} !~ /[\0-\x1F\x{202E}]/, 'a name without control characters';
    is $out =~ /[\0-\x09\x0B-\x1F]/, '', 'in the text neither';
}

done_testing;

# Events that are partly outside of their thread's event around them.
sub misplaced {
    my (@all) = @_;
    my (%around, @wrong);
    for my $e (sort { $a->{ts} <=> $b->{ts} || $b->{dur} <=> $a->{dur} } @all) {
        my $stack = $around{"$e->{pid} $e->{tid}"} //= [];
        pop @$stack while @$stack && ends($stack->[-1]) <= $e->{ts};
        push @wrong, "$e->{name} $e->{ts}" if @$stack ? ends($e) > ends($stack->[-1]) : $e->{cat} ne 'process';
        push @$stack, $e;
    }
    return @wrong;
}

sub ends { my ($e) = @_; return sprintf '%.3f', $e->{ts} + $e->{dur} }

# { sub => nanoseconds without callees }, those of the process for the main program.
sub own {
    my (@all) = @_;
    my (%own, @stack);
    for my $e (sort { $a->{ts} <=> $b->{ts} || $b->{dur} <=> $a->{dur} } @all) {
        pop @stack while @stack && ends($stack[-1]) <= $e->{ts};
        $own{ $stack[-1]{name} } -= 1000 * $e->{dur} if @stack;
        $own{ $e->{name} } += 1000 * $e->{dur};
        push @stack, $e;
    }
    return map { (s/^\/app\/main\.pl$/main::RUNTIME/r => 0 + sprintf '%.0f', $own{$_}) } keys %own;
}

sub folded {
    my ($capture) = @_;
    my %own;
    for (split /\n/, (nytprof('folded', $capture))[0]) {
        my ($sub, $ns) = /([^;]+) (\d+)$/;
        $own{ $sub =~ s/eval \d+/eval 1/r =~ s/eval 0/eval 1/r } += $ns;
    }
    return %own;
}
