# SPDX-License-Identifier: MIT
# nytprof html --single: the whole report as one page, in which nothing runs but its own scripts.
use strict;
use warnings;

use Compress::Zlib qw(uncompress);
use Digest::SHA qw(sha256_base64);
use File::Temp qw(tempdir);
use FindBin;
use MIME::Base64 qw(decode_base64);
use Test::More;

use lib "$FindBin::Bin/lib";
use PageData qw(page_data);
use Pages qw(fixtures pages run);
use Tree qw(slurp);

my $NYTPROF  = "$FindBin::Bin/../build/nytprof";
my $captures = fixtures();
my $dir      = tempdir(CLEANUP => 1);

for my $capture (qw(calls hostile)) {
    my ($status, $out, $err) = run($NYTPROF, 'html', '--single', '-o', "$dir/$capture.html", "$captures/$capture.out");
    is "$status$err", '0', "$capture: there is a report";
    is $out, "The report is in $dir/$capture.html\n", 'and where it is is said';
    run($NYTPROF, 'html', '-o', "$dir/$capture", "$captures/$capture.out");
    my ($page, $pages) = (slurp("$dir/$capture.html"), pages("$dir/$capture"));
    my %script = scripts($page);
    my ($policy) = $page =~ /http-equiv="Content-Security-Policy" content="([^"]*)"/;
    my ($allowed) = $policy =~ /\bscript-src ([^;]*)/;
    is_deeply [ sort split ' ', $allowed ], [ sort map {"'sha256-$_'"} keys %script ],
        'its scripts may run, and no other';
    unlike $page, qr{<(?:link|script)\s+(?:src|href|rel)}, 'it needs no other file';
    my ($data) = grep {/\ANP\.load/} values %script;
    is_deeply page_data($data), page_data($pages->{'data.js'}), 'the data is that of the directory';
    my ($kept) = grep {/\ANP\.keep/} values %script;
    my %kept = $kept =~ /"([\w.-]+)":"([^"]*)"/g;
    my @wanted = grep { /\.html\z/ && !/\Aindex/ } sort keys %$pages;
    is_deeply [ sort keys %kept ], \@wanted, 'all pages are in it';
    is_deeply [ grep { uncompress(decode_base64($kept{$_})) ne $pages->{$_} } @wanted ], [], 'as they are';
    unlike $page, qr{href="?(?:all_stacks|index-)}, 'no link leads to what is not there';
}

my ($status, $out) = run($NYTPROF, 'html', '--single', '-o', '-', "$captures/calls.out");
ok $status == 0 && $out eq slurp("$dir/calls.html"), 'it can go to standard output';
($status, undef, my $err) = run($NYTPROF, 'html', '--single', '-o', $dir, "$captures/calls.out");
ok $status == 1 && $err =~ /^nytprof: \S+ is a directory, not a file/, 'a directory is no file';
($status) = run($^X, "$FindBin::Bin/../bin/nytprofhtml", '--single', '-o', "$dir/other.html", '-f',
    "$captures/calls.out");
ok $status == 0 && slurp("$dir/other.html") eq slurp("$dir/calls.html"), 'nytprofhtml makes it too';

done_testing;

# { digest => text }
sub scripts {
    my ($page) = @_;
    my %found;
    for my $text ($page =~ m{<script>(.*?)</script>}gs) {
        my $digest = sha256_base64($text);
        $digest .= '=' while length($digest) % 4;
        $found{$digest} = $text;
    }
    return %found;
}
