# SPDX-License-Identifier: MIT
# The command: its verbs, exit codes and messages, and what info, dump and clocks say.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text u);
use Pages qw(fixtures);

# --- verbs and exit codes ---

my ($out, $err, $exit) = nytprof();
ok $exit == 0 && $out =~ /^usage: nytprof VERB/, 'without arguments it tells its usage';
is [ nytprof('--help') ]->[0], $out, 'and so it does with --help';
cmp_ok scalar(my @lines = split /\n/, $out), '<=', 24, 'on a screen of 24 lines';
is_deeply [ grep { length > 80 } @lines ], [], 'and 80 columns';
my ($list) = nytprof('list');
is [ nytprof('--list') ]->[0], $list, 'list and --list are the same';
my @verbs = $list =~ /^  (\w+) /mg;
cmp_ok scalar @verbs, '>=', 13, 'which has the verbs';
is_deeply [ grep { length > 80 } split /\n/, $list ], [], 'in 80 columns';
is_deeply [ grep { $out !~ /\b$_\b/ } @verbs ], [], 'and the screen names them all';
for my $verb (@verbs) {
    my ($help, undef, $code) = nytprof('help', $verb);
    ok $code == 0 && $help =~ /^usage: nytprof $verb\b/, "help $verb";
    is [ nytprof($verb, '--help') ]->[0], $help, "$verb --help is the same";
    is_deeply [ grep { length > 80 || /\h$/ } split /\n/, $help ], [], 'in 80 columns, with no blank behind them';
}
is [ nytprof($_) ]->[0], $out, "and with $_" for qw(help -h);
is [ nytprof('csv', '-h') ]->[0], [ nytprof('csv', '--help') ]->[0], 'a verb, too, takes -h';
for my $late ([ 'run', '-c', '--help' ], [ 'run', '-ch' ], [ 'csv', '-f', 'x', '-h' ], [ 'csv', 'x', '--help' ]) {
    is [ nytprof(@$late) ]->[0], [ nytprof('help', $late->[0]) ]->[0], "@$late: anywhere among its options";
}
for my $version (qw(--version -V version)) {
    ($out, $err, $exit) = nytprof($version);
    ok $exit == 0 && $out =~ /^nytprof \S+\n\z/, $version;
}
for my $unknown ([ 'sing' ], [ 'help', 'sing' ], ['']) {
    ($out, $err, $exit) = nytprof(@$unknown);
    is_deeply [ $out, $err, $exit ], [ '', "nytprof: no verb '$unknown->[-1]'; there are:\n\n$list", 2 ],
        "@$unknown: the list on stderr, exit code 2";
}
for my $wrong ([ 'help', 'csv', 'html' ], [ '--loud' ], [ '-x' ], [ 'run', '' ], [ 'dump', '--loud' ],
    [ 'info', 'a', 'b' ], [ 'clocks', 'x' ], [ 'list', 'x' ], [ 'html', '' ], [ 'info', '' ], [ 'merge', 'a', '' ],
    [ 'folded', '--calls', '--metric', 'bytes' ], map { [ 'csv', '--metric', $_ ] } '', ',,', 'a,,b', 'time,') {
    ($out, $err, $exit) = nytprof(@$wrong);
    ok $exit == 2 && $out eq '' && $err =~ /\Anytprof: [^\n]+\n\z/, "@$wrong: one line on stderr, exit code 2";
}
for my $verb (grep { [ nytprof('help', $_) ]->[0] =~ /\A.*\b(?:FILE|LINES)\b/ } @verbs) {
    my @sub = $verb eq 'callers' ? 'main::f' : ();
    my @url = $verb eq 'push' ? 'http://127.0.0.1:1/ingest' : ();
    ($out, $err, $exit) = nytprof($verb, @sub, '/nonexistent/file', @url);
    ok $exit == 1 && $err =~ m{\Anytprof: /nonexistent/file: [^\n]+\n\z}, "$verb of no file: one line, exit code 1";
}
for my $verb (qw(dump info)) {
    ($out, $err, $exit) = nytprof($verb, \"#!/bin/sh\n");
    is $err, qq{nytprof: capture: not a profile capture: begins with "#!/bin/sh", expected "NYTProf capture 1"\n},
        "$verb of something else says what it found";
}

# --- dump ---

($out) = nytprof('dump', \chunk(record(6, Capture::s("say \"a\\b\"\n\xE9"))));
like $out, qr/^note text="say \\"a\\x5Cb\\"\\x0A\\xE9"$/m, 'dump quotes strings in ASCII, one line a record';

for my $verb (qw(dump info)) {
    my $file = fixtures() . '/calls.out';
    is [ nytprof($verb, '-f', $file) ]->[0], [ nytprof($verb, $file) ]->[0], "$verb -f: as the argument FILE";
}

# --- info ---

my $start = join '', u(1), u(0), u(1_700_000_000 * 10**9), i(1000), u(100), u(1), i(1001),
    map { Capture::s($_) } 'fake', 'my program.pl', 'perl 5.36.0';
my @chunks = (
    [   record(1, $start), record(5, Capture::s('host'), Capture::s('example')),
        record(5, Capture::s('command'), Capture::s("perl\0x.pl\0it's\0\0--a=b\0")),
        record(7, u(1), u(0), u(0), u(0), u(9), u(9), Capture::s('x.pl'))
    ],
    [   record(11, map { u($_) } 1, 1, 3, 3, 1), record(13, u(1), i(20), i(50)),
        record(10, u(1), u(0), u(1), u(1), u(2), u(1), Capture::s('main::f'), Capture::s('')),
        record(12, u(1), u(0), u(1), u(1)), record(14, u(1), i(7), i(50))
    ],
    [ record(13, u(1), i(5), i(50)) ],
    [ record(24, u(0), u(4)) ],
);
my @capture = map {
    chunk(join('', @{ $chunks[$_] }), number => $_ + 1, start => 1000 + 50 * $_, end => 1050 + 50 * $_)
} 0 .. $#chunks;

($out, $err, $exit) = nytprof('info', \join '', text(program => 'x'), @capture);
is $exit, 0, 'info';
like $out, qr/^program      my program\.pl$/m,                              'program';
like $out, qr/^interpreter  perl 5\.36\.0$/m,                               'interpreter';
like $out, qr/^host         example$/m,                                     'host';
like $out, qr/^command      perl x\.pl 'it'\\x5C''s' '' --a=b$/m,            'command, as for a shell';
like $out, qr/^started      2023-11-1[45] /m,                               'start';
like $out, qr/^duration     2 s$/m,                                         'duration, in its own clock';
like $out, qr/^clock        fake, 100 ticks a second$/m,                    'clock and rate';
like $out, qr/^processes    1, streams 1$/m,                                  'processes';
like $out, qr/^chunks       4, \d+ bytes stored/m,                          'chunks';
like $out, qr/^defined      files 1, subs 1, places 1, nodes 1$/m,          'definitions';
like $out, qr/^counted      statements 25, calls 7$/m,                      'counts';
like $out, qr/^whole        yes\n\z/m,                                      'nothing is missing';

($out) = nytprof('info', \join '', @capture[ 0 .. 2 ]);
like $out, qr/^whole        no\n +pid 4711 did not end cleanly: last data 1\.5 s after its start\n\z/m,
    'a process that was killed';
($out) = nytprof('info', \join '', @capture[ 0, 3 ]);
like $out, qr/^whole        no\n +chunks 2-3 of pid 4711 are missing\n\z/m, 'chunks that are missing';
($out) = nytprof('info', \join '', @capture[ 1 .. 3 ]);
like $out, qr/^whole        no\n +chunk 1 of pid 4711 is missing\n\z/m, 'the first chunk is missing';
($out) = nytprof('info', \join '', @capture, 'rubbish');
like $out, qr/^whole        no\n +damage: 7 bytes at offset \d+: no chunk begins here\n\z/m, 'bytes behind the last';
my $torn = $capture[1] =~ s/.\z/?/sr;
($out) = nytprof('info', \join '', $capture[0], $torn, @capture[ 2, 3 ]);
my ($offset, $length) = (length $capture[0], length $torn);
my $damage = "damage: $length bytes at offset $offset: CRC mismatch";
like $out, qr/^whole        no\n +$damage\n +chunk 2 of pid 4711 is missing\n\z/m, 'a torn chunk is both';
($out) = nytprof('info', \text(program => 'x'));
like $out, qr/^whole        no\n +there is no data in it\n\z/m, 'a capture that never got its first chunk';

# --- clocks ---

($out, $err, $exit) = nytprof('clocks');
is $exit, 0, 'clocks';
like $out, qr/^ +1  monotonic +[\d.]+ +[\d.]+ +[\d.]+  \w/m, 'a number, a name, a resolution, a step, a cost';
like $out, qr/^  1001  fake +1000\.0 +1000\.0 /m,              'the fake one steps by a microsecond';
like $out, qr/^  1002  tick +1000000\.0 /m,                      'one of ticks by a millisecond';
my $quicker = qr/With clock=tick a reading takes \d+ ns, not \d+: [^\n]+\n/;
like $out, qr/^default: (?:tsc, which [^\n]+\n|(?:monotonic|realtime), because [^\n]+\n$quicker)\z/m,
    'the default and why, and what is quicker';

done_testing;
