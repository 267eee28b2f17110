# SPDX-License-Identifier: MIT
# `nytprof diff` of two builds whose every change is known, in different directories, and of files that are no two
# builds.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds qw(began capture ended stream);
use Capture qw(nytprof);
use JSON::PP ();
use JsonSchema qw(mismatches);
use Pages qw(broken_links fixtures rows);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);

# A build of ten seconds that starts there, and its recipes: [ target, directory below, command, seconds, user, system,
# blocks ].
sub build {
    my ($name, $root, @recipes) = @_;
    my ($records, $at, $pid) = (began(1, 1, 0, [qw(make -j)], $root), 1, 1);
    for my $recipe (@recipes) {
        my ($target, $below, $command, $seconds, $user, $system, $blocks) = @$recipe;
        $at++, $pid++;
        $records .= began($at, $pid, 1, $command, "$root$below", $target)
            . ended($at + $seconds, $pid, $at, $user, $system, 0, 0, $blocks);
    }
    $records .= ended(11, 1, 1, 50, 5, 0, 0, 1000);
    spew("$dir/$name", capture(stream('h', 'preload') . $records));
    return "$dir/$name";
}

my $old = build('old', '/old/src', [ 'a.o', '', 'gcc -O0 a.c', 0.5, 2, 1, 10 ],
    [ 'b.o', '/sub', 'gcc b.c', 0.25, 1, 0, 0 ],
    [ '/old/src/lib.a', '', 'ar lib.a', 0.125, 0.5, 0.5, 5 ], [ 'same.o', '', 'cc same.c', 0.5, 1, 1, 1 ]);
my $new = build('new', '/home/new/', [ 'a.o', '', 'gcc -O2 a.c', 0.75, 4, 1, 4 ],
    [ 'b.o', '/sub', 'gcc b.c', 0.125, 0.5, 0, 0 ],
    [ 'doc', '/doc/', 'perl doc', 0.25, 0.25, 0.125, 0 ], [ 'same.o', '', 'cc same.c', 0.5, 1, 1, 1 ]);

my ($out, $err, $exit) = nytprof('diff', $old, $new);
is "$err$exit", '0', 'two builds are compared';
is $out, <<'END' =~ s/^\|//gmr, 'by targets, directories and classes, with all changes';
|                               old           new        change
|duration, s                 10.000        10.000         0.000     +0.0%
|user CPU, s                 50.000        50.000         0.000     +0.0%
|system CPU, s                5.000         5.000         0.000     +0.0%
|processes                        5             5             0     +0.0%
|failed or killed                 0             0             0
|blocks                        1000          1000             0     +0.0%
|
|CHANGES BY CATEGORY
|
|                         real s            user s   system s      n     blocks
|make                     -0.250    -3%     -1.250     +0.375     +0        +11
|perl                     +0.250    new     +0.250     +0.125     +1         +0
|ar                       -0.125   gone     -0.500     -0.500     -1         -5
|gcc                      +0.125   +17%     +1.500     +0.000     +0         -6
|TOTAL                    +0.000    +0%     +0.000     +0.000     +0         +0
|(1 without any change)
|
|CHANGES BY TARGET
|
|                         real s            user s   system s      n     blocks
|(no target)              -0.250    -3%     -1.250     +0.375     +0        +11
|a.o                      +0.250   +50%     +2.000     +0.000     +0         -6
|doc/doc                  +0.250    new     +0.250     +0.125     +1         +0
|lib.a                    -0.125   gone     -0.500     -0.500     -1         -5
|sub/b.o                  -0.125   -50%     -0.500     +0.000     +0         +0
|TOTAL                    +0.000    +0%     +0.000     +0.000     +0         +0
|(1 without any change)
|
|CHANGES BY DIRECTORY
|
|                         real s            user s   system s      n     blocks
|doc                      +0.250    new     +0.250     +0.125     +1         +0
|.                        -0.125    -1%     +0.250     -0.125     -1         +0
|sub                      -0.125   -50%     -0.500     +0.000     +0         +0
|TOTAL                    +0.000    +0%     +0.000     +0.000     +0         +0
END
is +(grep { length > 79 } split /\n/, $out), 0, 'in 80 columns';

my ($sorted) = nytprof('diff', '--sort', 'user', '--top', 1, $old, $new);
like $sorted,
    qr/^CHANGES BY TARGET\n\n.*\na\.o .*\nTOTAL .*\n\(4 more with smaller changes\)\n\(1 without any change\)$/m,
    '--sort and --top';
spew("$dir/rules", "schema KIND\n  class compile command ~ 'gcc'\n  default IGNORE\n");
my ($ruled) = nytprof('diff', '--classes', "$dir/rules", $old, $new);
like $ruled, qr/^CHANGES BY KIND\n\n.*\ncompile +\+0\.125 +\+17% +\+1\.500 +\+0\.000 +\+0 +-6\nTOTAL/m, '--classes';
my ($same) = nytprof('diff', $old, $old);
like $same,
    qr/^CHANGES BY TARGET\n\n.*\nTOTAL +\+0\.000 +\+0% +\+0\.000 +\+0\.000 +\+0 +\+0\n\(5 without any change\)$/m,
    'a build and itself: no change';

# --- JSON and a page --------------------------------------------------------------------------------------------------

my $json   = JSON::PP->new->utf8;
my $schema = $json->decode(slurp("$FindBin::Bin/../lib/Devel/NYTProf/nytprof-build-diff-json-1.schema.json"));
my $data   = $json->decode((nytprof('diff', '--format', 'json', $old, $new))[0]);
is_deeply [ mismatches($data, $schema) ], [], 'JSON is as its schema says';
is_deeply [ map { [ @$_{qw(by title all)} ] } @{ $data->{tables} } ],
    [ [qw(class CATEGORY 5)], [qw(target TARGET 6)], [qw(directory DIRECTORY 3)] ], 'with all tables';
is_deeply [ grep { $_->{name} =~ /^(?:a.o|lib.a|same.o)$/ } @{ $data->{tables}[1]{rows} } ],
    [
    { name => 'a.o', old => side(1, 0.5, 2, 1, 10), new => side(1, 0.75, 4, 1, 4) },
    { name => 'lib.a', old => side(1, 0.125, 0.5, 0.5, 5), new => undef },
    { name => 'same.o', old => side(1, 0.5, 1, 1, 1), new => side(1, 0.5, 1, 1, 1) },
    ],
    'and all rows, what is in one build only, and what has not changed';
is_deeply [ map { $data->{$_}{elapsed_ns} } qw(old new) ], [ 10e9, 10e9 ], 'and the whole';
for my $table (@{ $data->{tables} }) {
    my %sum;
    for my $row (@{ $table->{rows} }) { $sum{$_} += ($row->{new} // {})->{$_} // 0 for qw(own_user_us processes) }
    is_deeply \%sum, { own_user_us => $data->{new}{own_user_us}, processes => 5 }, "rows of $table->{title} add up";
}
my $few = $json->decode((nytprof('diff', '--format', 'json', '--top', 2, $old, $new))[0]);
is_deeply [ map { scalar @{ $_->{rows} } } @{ $few->{tables} } ], [ 2, 2, 2 ], '--top leaves out the others';

sub side {
    my ($n, $real, $user, $system, $blocks) = @_;
    return { processes => $n, own_real_ns => $real * 1e9, own_user_us => $user * 1e6, own_system_us => $system * 1e6,
        own_blocks => $blocks };
}

is +(nytprof('diff', '--format', 'html', '-o', "$dir/page.html", $old, $new))[2], 0, 'there is a page';
my $page = slurp("$dir/page.html");
is_deeply [ @{ rows($page, 'whole') }[ 0, 3, 5 ] ],
    [ [ '10.0 s', '10.0 s', '0 s', '0.0 %', 'duration' ], [ 5, 5, 0, '0.0 %', 'processes' ],
    [ '1,000', '1,000', 0, '0.0 %', 'blocks' ] ], 'with the whole';
is_deeply [ @{ rows($page, 'table-1') }[ 1 .. 3 ] ],
    [
    [ '+250 ms', '+50.0 %', '500 ms', '750 ms', '+2.00 s', '0 s', '0', "\xE2\x88\x926", 'a.o' ],
    [ '+250 ms', 'new', '0 s', '250 ms', '+250 ms', '+125 ms', '+1', '0', 'doc/doc' ],
    [ "\xE2\x88\x92125 ms", 'gone', '125 ms', '0 s', "\xE2\x88\x92500 ms", "\xE2\x88\x92500 ms", "\xE2\x88\x921",
        "\xE2\x88\x925", 'lib.a' ],
    ],
    'and rows of what has changed';
is_deeply [ broken_links({ 'page.html' => $page }) ], [], 'all links lead somewhere';
my $bytes = join '', map {chr} 1 .. 255;
spew("$dir/odd", capture(stream('h', 'preload') . began(1, 1, 0, $bytes, '/', $bytes)));
($out, $err, $exit) = nytprof('diff', "$dir/odd", $new);
is "$err$exit", '0', 'every byte in a command and a target';
unlike $out, qr/[^\n -~]/, 'is no order to a terminal';
is_deeply [ mismatches($json->decode((nytprof('diff', '--format', 'json', "$dir/odd", $new))[0]), $schema) ], [],
    'is data in JSON';
spew("$dir/odd", capture(stream('h', 'preload') . began(1, 1, 0, '<script>x</script>', '/', '<b>' . $bytes)));
my $odd = (nytprof('diff', '--format', 'html', "$dir/odd", $new))[0] =~ s{<script>.*?</script>}{}sgr;
unlike $odd, qr/<script|<b>|[\x00-\x08\x0B-\x1F\x7F]/, 'and text on a page';

# --- what cannot be compared ------------------------------------------------------------------------------------------

spew("$dir/text", "hello\n");
my $profile = fixtures() . '/calls.out';
for my $case (
    [ [ $old ], 2, "diff: expected OLD and NEW, or OLD... -- NEW..., got 1 files" ],
    [ [ $old, $new, $new ], 2, "diff: expected OLD and NEW, or OLD... -- NEW..., got 3 files" ],
    [ [ $old, $profile ], 1, "diff: $old is the capture of a build, and $profile is a profile: expected files of" ],
    [ [ $profile, $old ], 1, "diff: $profile is a profile, and $old is the capture of a build: expected files of" ],
    [ [ "$dir/text", $old ], 1, "diff: $dir/text: expected a profile or the capture of a build\n" ],
    [ [ $old, $dir ], 1, "diff: $dir: expected a profile or the capture of a build\n" ],
    [ [ '--format', 'xml', $old, $new ], 2, q{diff: --format: expected one of text json html folded, got 'xml'} ],
    [ [ '-o', "$dir/none/x", $old, $new ], 1, "cannot write $dir/none/x: No such file or directory\n" ],
    [ [ $old, "$dir/none" ], 1, "diff: $dir/none: No such file or directory\n" ],
) {
    my ($files, $status, $message) = @$case;
    ($out, $err, $exit) = nytprof('diff', @$files);
    is_deeply [ $out, $exit ], [ '', $status ], 'nothing is printed';
    like $err, qr/^nytprof: \Q$message\E/, "but: $message";
}

done_testing;
