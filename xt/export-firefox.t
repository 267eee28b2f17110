# SPDX-License-Identifier: MIT
# Firefox's own loader, npm's profiler-cli, reads what `nytprof firefox` writes.
use strict;
use warnings;

use FindBin;
use JSON::PP;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Exports qw(capture captures export in_session nanoseconds);
use Firefox qw(firefox firefox_total);
use Pages qw(fixtures);
use Tree qw(slurp);

sub asked { my ($session, @words) = @_; return $session->(@words) }
sub told { return JSON::PP->new->utf8->decode(asked(@_, '--json')) }

# { name => [ own, whole ns ] } of the functions of a thread, and { thread => ns }.
sub functions {
    my ($session) = @_;
    return { map { ($_->{name} => [ map { sprintf '%.0f', $_ * 1e6 } @{$_}{qw(selfSamples totalSamples)} ]) }
            @{ told($session, 'thread', 'samples')->{topFunctionsByTotal} } };
}

sub total {
    my ($session) = @_;
    return sprintf '%.0f', told($session, 'thread', 'samples')->{categoryBreakdown}{totalSamples} * 1e6;
}

# --- known numbers ---------------------------------------------------------------------------------------------------

in_session(export('firefox', fixtures() . '/sample.out'), sub {
    my ($session) = @_;
    is_deeply functions($session), { 'main::RUNTIME' => [ 1000, 7200 ], 'A::work' => [ 2000, 5500 ],
        'A::inner' => [ 3700, 3700 ], 'List::Util::sum' => [ 500, 500 ] }, 'own time, and with callees';
    my $source = asked($session, 'function', 'annotate', 'f-1');
    like $source, qr/^ *4 +2μs +2μs +\Qmy (\E\$n\) = \@_;$/m, 'function annotate: a line with its time and source';
    like $source, qr/^ *5 +3μs +\Qinner(\E\$_\) for 1 \.\. \$n;$/m, 'and one with calls';
    like asked($session, 'thread', 'samples-top-down'), qr/
        RUNTIME\ .*:\ 100\.0%.*\n .*A::work\ .*76\.4%.*\n
        .*A::inner\ .*41\.7%.*\n .*sum\ .*6\.9%.*\n .*A::inner\ .*9\.7%
        /x, 'the tree of calls';
});

# --- all captures ----------------------------------------------------------------------------------------------------

for my $name (captures()) {
    my @capture = capture($name);
    my $file    = export('firefox', @capture);
    is firefox_total($file), nanoseconds(@capture), "$name: the time of folded stacks";
    in_session($file, sub {
        my ($session) = @_;
        my @threads = map { $_->{threadHandle} } @{ told($session, 'thread', 'list')->{threads} };
        my $sum = 0;
        for my $thread (@threads) {
            asked($session, 'thread', 'select', $thread);
            $sum += total($session);
        }
        is $sum, nanoseconds(@capture), 'profiler-cli finds it in ' . @threads . ' threads';
    });
}
done_testing;
