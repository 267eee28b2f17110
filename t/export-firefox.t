# SPDX-License-Identifier: MIT
# `nytprof firefox`: the processed format of Firefox's profiler, read back.
use strict;
use warnings;

use FindBin;
use List::Util qw(sum0 uniq);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text);
use Exported qw(export);
use Firefox qw(firefox firefox_total);
use LuaCapture qw(numbers texts);
use Pages qw(fixtures);
use Tree qw(slurp spew);

my $captures = fixtures();

sub exported { return firefox(export('firefox', @_)) }

# { "main:6 A::work:4" => ns } of a thread.
sub sums {
    my ($thread) = @_;
    return { map { my $sample = $_;
        (join(' ', map { $_->[0] . ':' . ($_->[2] // '-') } @{ $sample->{path} }) =~ s/main::RUNTIME/main/gr
            => $sample->{ns}) } @{ $thread->{samples} } };
}

my $sample = exported("$captures/sample.out");
is_deeply sums($sample->{threads}[0]), { 'main:5' => 1000, 'main:6 A::work:4' => 2000,
    'main:6 A::work:5 A::inner:11' => 3000, 'main:6 A::work:6 List::Util::sum:-' => 500, 'main:7 A::inner:11' => 700 },
    'times by path and line';
is $sample->{threads}[0]{samples}[0]{ns}, 3000, 'the path with the most time comes first';
is_deeply [ map { $_->{time} } @{ $sample->{threads}[0]{samples} } ], [ 0, 0.003, 0.005, 0.0055, 0.0065 ],
    'each sample begins where the one before ends';
is scalar(split /\n/, $sample->{sources}{'/app/lib/A.pm'}), 17, 'source is in the profile';
like $sample->{sources}{'/app/lib/A.pm'}, qr/^sub inner \{\n    return \$_\[0\] \*\* 2;$/m, 'with its lines';
is_deeply { map { ($_->[0] => $_->[3]) } map { @{ $_->{path} } } @{ $sample->{threads}[0]{samples} } },
    { 'main::RUNTIME' => 'Perl', 'A::work' => 'Perl', 'A::inner' => 'Perl', 'List::Util::sum' => 'C or XSUB' },
    'frames have a category';
is_deeply [ @{ $sample->{meta} }{qw(preprocessedProfileVersion product startTime)} ],
    [ 70, '/app/main.pl', 1_700_000_000_000 ], 'the version of the format, the program and its start';
is_deeply [ uniq values %{ exported('--no-source', "$captures/sample.out")->{sources} } ], [undef],
    '--no-source: without text';

my $processes = exported("$captures/processes.out");
is_deeply { map { ("$_->{pid} $_->{name} $_->{start}" => sum0(values %{ sums($_) })) } @{ $processes->{threads} } },
    { '4711 /app/main.pl 0' => 7200, '4712 /app/main.pl 0.002' => 4900, '4713 /app/main.lua 0.003' => 6000 },
    'a thread for each process, at its start';
my ($lua) = grep { $_->{pid} == 4713 } @{ $processes->{threads} };
is_deeply [ uniq sort map { $_->[3] } map { @{ $_->{path} } } @{ $lua->{samples} } ], [ 'C or XSUB', 'Lua' ],
    'categories of a Lua program';
my ($fork) = grep { $_->{pid} == 4712 } @{ $processes->{threads} };
is sum0(map { $_->{ns} } grep { @{ $_->{path} } == 4 } @{ $fork->{samples} }), 800, 'a recursion is as deep as it was';

my $calls = exported("$captures/calls.out");
my %category = map { ($_->[0] => $_->[3]) } map { @{ $_->{path} } } @{ $calls->{threads}[0]{samples} };
is $category{'main::CORE:print'}, 'Opcode', 'built-in functions have a category';
is_deeply sums(exported('--from', 'A::work', "$captures/sample.out")->{threads}[0]), { 'A::work:4' => 2000,
    'A::work:5 A::inner:11' => 3000, 'A::work:6 List::Util::sum:-' => 500 }, 'paths from a sub';
is exported("$captures/zero.out")->{total}, 0, 'no time is a profile, too';
my $bytes = slurp(export('firefox', "$captures/calls.out"));
is slurp(export('firefox', "$captures/calls.out")), $bytes, 'the same capture makes the same file';
for my $capture ("$captures/calls.out", "$FindBin::Bin/data/v5-plain.out") {
    my $folded = sum0(map {/ (\d+)$/} split /\n/, (nytprof('folded', $capture))[0]);
    is join(' ', exported($capture)->{total}, firefox_total(export('firefox', $capture))), "$folded $folded",
        'the total is that of folded stacks';
}

# --- a process of which only the end is left ---

my $start = record(1, numbers(1, 0, 17e17), i(0), numbers(1_000_000_000, 1), i(1001), texts('fake', 'x.pl', 'perl'));
my @lost = (chunk(record(14, numbers(0), i(1), i(7)), pid => 4712, number => 2, process_start => 0));
spew("$captures/lost.out", join '', text(), chunk($start . record(14, numbers(0), i(1), i(5))), @lost);
my ($lost) = nytprof('firefox', '-o', '-', "$captures/lost.out");
my @began = map { $_ + 0 } $lost =~ /"processStartupTime":([-\d.]+)/g;
is_deeply \@began, [ 0, 0 ], 'which began no earlier than the first one';

done_testing;
