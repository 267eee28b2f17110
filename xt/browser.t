# SPDX-License-Identifier: MIT
# Reports in a browser: within budgets of bytes, elements and time, without messages in the console, dialogs or
# requests, without violations that axe finds, valid HTML, no broken links. Chromium and npm's packages check this; the
# packages are kept in the user's cache, ${XDG_CACHE_HOME:-$HOME/.cache}/nytprof-browser.
use strict;
use warnings;

use Cwd qw(abs_path);
use Encode qw(decode FB_CROAK LEAVE_SRC);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Browser qw(capture large perlcritic require_browser script);
use Pages qw(broken_links pages run);

my $TOP  = abs_path("$FindBin::Bin/..");
my $HERE = "$TOP/xt/browser";

require_browser();
my $dir = tempdir(CLEANUP => 1);
my %times = (draw => 33, zoom => 8, sort => 50, filter => 50, find => 50);
my %usual = (index => 400_000, paint => 250, ready => 400, nodes => 3000, heap => 20, times => \%times);
my %large = (index => 7_000_000, paint => 300, ready => 2500, nodes => 3000, heap => 120,
    times => { draw => 60, zoom => 16, sort => 300, filter => 300, find => 300 });

look('hostile', hostile(), { %usual, all => \1 });
look('large', large($dir, 10_000, 100_000, 300_000), \%large, 'too many links to follow here: xt/large.t does');
my $perlcritic = perlcritic($dir);
SKIP: {
    skip 'SKIPPED: no perlcritic to profile', 1 if !$perlcritic;
    look('perlcritic', $perlcritic, { %usual, single => "$dir/single.html" });
}
done_testing;

# --- reports ---------------------------------------------------------------------------------------------------------

sub hostile {
    my $program = 'x"><img src=x onerror=alert(1)>&amp;#1?.pl';
    copy("$HERE/hostile.pl", "$dir/$program") or die "$program: $!\n";
    return capture($dir, 'hostile', $program);
}

# --- checks ----------------------------------------------------------------------------------------------------------

sub look {
    my ($name, $capture, $budget, $no_links) = @_;
    my $report = "$dir/$name.d";
    my ($status, undef, $err) = run("$TOP/build/nytprof", 'html', '-o', $report, $capture);
    is "$status$err", '0', "$name: there is a report";
    if ($budget->{single}) {
        ($status, undef, $err) = run("$TOP/build/nytprof", 'html', '--single', '-o', $budget->{single}, $capture);
        is "$status$err", '0', "$name: there is one of one file";
    }
    my $looks = script($name, 'check.mjs', $report, json($budget));
    cmp_ok $looks, '>', 40, "$name: after a good look";
    return if $no_links;
    my $pages = pages($report);
    is_deeply [ broken_links($pages) ], [], "$name: every link leads somewhere";
    my @html = grep {/\.(?:html|svg)$/} sort keys %$pages;
    my @other = grep { !eval { decode('UTF-8', $pages->{$_}, FB_CROAK | LEAVE_SRC) } } @html;
    is_deeply \@other, [], "$name: all is UTF-8";
    return;
}

sub json {
    my ($value) = @_;
    return $value =~ /\A\d+\z/ ? $value : qq("$value") if !ref $value;
    return 'true' if ref $value eq 'SCALAR';
    return '{' . join(',', map { qq("$_":) . json($value->{$_}) } sort keys %$value) . '}';
}
