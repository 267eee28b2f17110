# SPDX-License-Identifier: MIT
# speedscope and Firefox's own loader, npm's profiler-cli, read what `nytprof chrome` writes.
use strict;
use warnings;

use FindBin;
use JSON::PP qw(decode_json);
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Builds qw(small);
use Exports qw(capture captures export in_session node_script scratch);
use Tree qw(slurp spew);

my @names = grep { $_ ne 'zero' } captures();    # without any time there is nothing to draw
my %file  = map { ($_ => export('chrome', capture($_))) } @names;

# --- speedscope ------------------------------------------------------------------------------------------------------

my %seen;
@seen{@names} = map { decode_json($_) } split /\n/, node_script('sandwich.mjs', @file{@names});
for my $name (@names) {
    is_deeply $seen{$name}{trouble}, [], "$name: speedscope has nothing to complain of";
    like $seen{$name}{title}, qr/\.chrome/, 'and shows a profile';
    cmp_ok scalar @{ $seen{$name}{rows} }, '>=', 1, 'with something in it';
}
is_deeply { map { ($_->[2] => [ map {/^([\d.]+)/} @$_[ 0, 1 ] ]) } @{ $seen{calls}{rows} } },
    { '/app/main.pl' => [ '874.50', '221.50' ], 'main::recurs' => [ '60.00', '60.00' ],
    'main::ping' => [ '10.00', '4.00' ], 'main::pong' => [ '9.00', '6.00' ], 'List::Util::sum' => [ '70.00', '70.00' ],
    'main::CORE:print' => [ '10.00', '10.00' ], 'Foo::Bar::new' => [ '500.00', '100.00' ],
    'Foo::Bar::xs' => [ '400.00', '400.00' ], 'main::__ANON__[(eval 1)[/app/main.pl:9]:1]' => [ '3.00', '3.00' ] },
    'times with callees and own times are right';
cmp_ok scalar @{ $seen{ordered}{rows} }, '>', 30, 'a real program has many subs';

# --- profiler-cli ----------------------------------------------------------------------------------------------------

for my $name (qw(calls hostile lua ordered processes)) {
    my @events = grep { $_->{ph} eq 'X' } @{ decode_json(slurp($file{$name}))->{traceEvents} };
    my %threads = map { ("$_->{pid}:$_->{tid}" => 1) } @events;
    in_session($file{$name}, sub {
        my ($ask) = @_;
        my @list = @{ decode_json($ask->('thread', 'list', '--json'))->{threads} };
        is sum0(map { $_->{markerCount} } @list), scalar @events, "$name: profiler-cli has all calls";
        is_deeply [ sort map { $_->{tid} } @list ], [ sort keys %threads ], 'of all threads';
    });
}

# --- a build ----------------------------------------------------------------------------------------------------------

spew(scratch() . '/small.build', small());
my $build = export('chrome', scratch() . '/small.build');
my ($seen_build) = map { decode_json($_) } split /\n/, node_script('sandwich.mjs', $build);
is_deeply $seen_build->{trouble}, [], 'a build: speedscope has nothing to complain of';
in_session($build, sub {
    my ($ask) = @_;
    my @list = @{ decode_json($ask->('thread', 'list', '--json'))->{threads} };
    is_deeply [ sort map { $_->{tid} } @list ], [ '1:1', '1:2' ], 'profiler-cli has its lanes';
});
done_testing;
