# SPDX-License-Identifier: MIT
# Captures that the first version of this profiler wrote, of programs whose lines say how often they run: every verb
# reads them, with the records that today's writer no longer has.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(imbalances records);
use Facts qw(from_capture);

my $dir = tempdir(CLEANUP => 1);

for my $name (qw(perl lua)) {
    my $capture = "$FindBin::Bin/data/capture-$name.out";
    my $facts   = from_capture($capture);
    is wrong_lines($facts, "/tmp/app/old." . { perl => 'pl', lua => 'lua' }->{$name}), '',
        "$name: every line's count is what it says";
    is_deeply [ imbalances(records($capture)) ], [], "$name: every window adds up";
    my ($dump) = nytprof('dump', $capture);
    unlike $dump, qr/^(?:unknown|damage)/m, "$name: every record is known";
    for my $verb (qw(html csv callgrind dot folded)) {
        my (undef, $err, $exit) = nytprof($verb, '-o', "$dir/$name.$verb", $capture);
        is $exit, 0, "$name: $verb reads it" or diag $err;
    }
}

my $perl = from_capture("$FindBin::Bin/data/capture-perl.out");
is $perl->{sub}{'main::add'}{calls}, 21, 'a sub has its calls';
is $perl->{call}{'/tmp/app/old.pl:9 main::add'}, 10, 'and its callers';
is $perl->{edge}{'/tmp/app/old.pl:11 main::down > main::down'}, 5, 'a recursion is one';
my ($dump) = nytprof('dump', "$FindBin::Bin/data/capture-perl.out");
is scalar(() = $dump =~ /^cost event=\d count=\d+ cost=\d+$/mg), 5, 'what was taken off five kinds of events is told';

($dump) = nytprof('dump', "$FindBin::Bin/data/capture-lua.out");
like $dump, qr/^place_memory id=8 count=25 bytes=1136$/m, 'what lines allocated is there';
my ($callgrind) = nytprof('callgrind', '-o', '-', "$FindBin::Bin/data/capture-lua.out");
like $callgrind, qr/^events: ns allocations bytes stmts\nsummary: 161615 87 6886 55$/m,
    'and reports show it as they did';
like $dump, qr/^tail node=3$/m,                              'and which calls were tail calls';

done_testing;

# Lines that ran another number of times than they say.
sub wrong_lines {
    my ($facts, $file) = @_;
    my ($line, @wrong) = (0);
    for my $text (split /\n/, $facts->{source}{$file}) {
        my ($count) = (++$line && $text =~ /[#-]{1,2}= (\d+)/) or next;
        push @wrong, "$line: $facts->{line}{qq($file:$line)}, $text" if $facts->{line}{"$file:$line"} != $count;
    }
    return join "\n", @wrong;
}
