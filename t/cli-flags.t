# SPDX-License-Identifier: MIT
# Which verb has which of the common options. One that has an option does what it says; another one refuses it by name.
use strict;
use warnings;

use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Pages qw(fixtures);

my %value = (file => '/nonexistent', out => '/nonexistent/out', 'min-percent' => 5, top => 3, sort => 'name',
    filter => 'x', package => 'X', source => 'x', from => 'x', raw => undef, time => '1..2', color => 'never');
my @options = qw(file out min-percent top sort filter package source from raw time color);

# The reasons for gaps: annotate's order is that of the lines; lines of annotate and hot have no callers of their own,
# and hot's output is for editors; callers shows one sub; trace has --last; callgrind, html and json show the whole run,
# as their readers choose; csv and lcov go by file.
my %has = (
    annotate => 'file out min-percent top filter package source raw time color',
    callers  => 'file out min-percent top sort from raw time color',
    flat     => 'file out min-percent top sort filter package source from raw time color',
    graph    => 'file out min-percent top filter package source from raw time color',
    hot      => 'file out min-percent top sort filter package source raw time',
    spans    => 'file out top raw time',
    samples  => 'file out min-percent top filter package source raw time',
    trace    => 'file out filter package source from raw time',
    dot      => 'file out min-percent top filter package source from raw time',
    chrome   => 'file out filter package source raw time',
    (map { ($_ => 'file out min-percent filter package source from raw time') }
            qw(cpuprofile firefox folded pprof speedscope syscap)),
    (map { ($_ => 'file out source raw time') } qw(csv lcov)),
    (map { ($_ => 'file out raw time') } qw(callgrind html json)),
    run => 'file out', attach => 'out', top => 'file top sort', flamegraph => 'file out', merge => 'out',
    info => 'file', dump => 'file',
    make => 'file out', build => 'file sort', import => 'out', diff => 'out sort top',
    (map { ($_ => '') } qw(push clocks selftest completion list help)),
);

my @verbs = (nytprof('list'))[0] =~ /^  (\w+) /mg;
is_deeply [ sort keys %has ], [ sort @verbs ], 'the table has all verbs';
for my $verb (sort @verbs) {
    my ($help) = nytprof('help', $verb);
    my %given = map { ($_ => 1) } split ' ', $has{$verb};
    is_deeply [ grep { $help =~ /--$_\b(?!-)/ } @options ], [ grep { $given{$_} } @options ],
        "$verb: the help has them";
    for my $option (grep { !$given{$_} } @options) {
        my $value = defined $value{$option} ? "=$value{$option}" : '';
        my (undef, $err, $exit) = nytprof($verb, "--$option$value");
        my $longer = qr/, expected --$option[\w-]+ in full/;
        like "$exit $err", qr/\A2 nytprof: $verb: unknown option --$option(?:\Q$value\E|$longer) \(see [^\n]+\)\n\z/,
            "it refuses --$option";
    }
    next if !$given{file} || $verb =~ /^(?:run|make)$/;
    my @sub = $verb eq 'callers' ? 'x' : ();
    my $said = (nytprof($verb, '-f', '/nonexistent', '-o', '/tmp', @sub))[1];
    $said = (nytprof($verb, '-f', '/nonexistent', @sub))[1] if !$given{out};
    like $said, qr{\Anytprof: /(?:nonexistent|tmp): [^\n]+\n\z}, '-f names what is read';
}

# --- what --from leaves -----------------------------------------------------------------------------------------------

# Self times and calls of subs are those in the call paths.
my $dir = fixtures();
for my $file ("$dir/calls.out", "$FindBin::Bin/data/v5-plain.out") {
    for my $sub (subs_of($file)) {
        my (%self, %calls);
        /^(?:.*;)?(.*) (\d+)$/ and $self{$1}  += $2 for lines('folded', '--from', $sub, $file);
        /^(?:.*;)?(.*) (\d+)$/ and $calls{$1} += $2 for lines('folded', '--calls', '--from', $sub, $file);
        my $row  = qr/^ *[\d.]+ +[\d.]+ +([\d.]+) +(?:(\d+) +[\d.]+ +[\d.]+ +)?(\S.*)$/;
        my %flat = map { /$row/ ? ($3 => [ $1, $2 // 0 ]) : () }
            lines('flat', '-b', '--style=gprof', '--from', $sub, $file);
        is_deeply { map { ($_ => sprintf '%.9f', $self{$_} / 1e9) } grep { $self{$_} } keys %self },
            { map { ($_ => $flat{$_}[0]) } grep { $flat{$_}[0] > 0 } keys %flat }, "$sub: self times below it";
        is_deeply { map { ($_ => $flat{$_}[1]) } grep { $flat{$_}[1] } keys %flat },
            { map { ($_ => $calls{$_}) } grep { $calls{$_} } keys %calls }, 'and calls';
        my ($total) = (lines('callers', '--from', $sub, $sub, $file))[1] =~ /^ *\d+ +[\d.]+ +([\d.]+)/;
        is $total, sprintf('%.9f', sum0(values %self) / 1e9), 'its own total time is the sum';
    }
}
done_testing;

sub lines {
    my @call = @_;
    my ($out, $err, $exit) = nytprof(@call);
    is "$exit$err", '0', "@call[0 .. $#call - 1]";
    return split /\n/, $out;
}

# Subs that are called.
sub subs_of {
    my ($file) = @_;
    my %subs = map { /^(?:.*;)?(.*) \d+$/ ? ($1 => 1) : () } grep {/;/} lines('folded', $file);
    return grep { !/CORE:|[(\[]/ } sort keys %subs;
}
