#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Makes the pictures of README.md, html/report.png and html/source.png: a report of `nytprof html` on perlcritic, as
# Chromium shows it. Wants Debian's packages chromium, libperl-critic-perl, imagemagick and pngquant.
#
#     perl xt/picture.pl        after make
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use Sys::Hostname qw(hostname);

use lib "$FindBin::Bin/../t/lib";
use Profiled qw(command);
use Tree qw(slurp spew);

my $TOP       = "$FindBin::Bin/..";
my $FIRST     = 'sub _process_next_char {'; # the second picture begins with the lines around it
my $dir       = tempdir(CLEANUP => 1);
my ($critic)  = grep { -x } map {"$_/perlcritic"} split /:/, $ENV{PATH};
my ($modules) = grep { -e } map {"$_/Perl/Critic/Policy/ValuesAndExpressions"} @INC;
die "perlcritic is not installed\n" if !$critic || !$modules;

my @criticised = (qw(--profile /dev/null --quiet -5 --force), sort glob "$modules/*.pm");
must(command(ours => { file => "$dir/out", redact => 'commands' }, $critic, @criticised));
must("$TOP/build/nytprof", 'html', '-o', "$dir/report", "$dir/out");
my $index = "$dir/report/index.html";
my $where = hostname() . ' in <code>' . abs_path('.') . '</code>';
spew($index, slurp($index) =~ s/ · on \Q$where\E//r);
picture($index, 'report', 1130);

my ($page) = glob "$dir/report/PPI-Tokenizer-pm-*-line.html";
spew($page, beginning_at($FIRST, slurp($page)));
picture($page, 'source', 700);

sub must { my (@command) = @_; system(@command) == 0 or die "@command fails\n"; return }

# A page of source without the groups of lines before that of the line $FIRST.
sub beginning_at {
    my ($line, $html) = @_;
    my $group = '<div style=--h:';
    my $first = index $html, $group;
    my $begin = rindex $html, $group, index $html, $line;
    substr($html, $first, $begin - $first) = '' if $first < $begin;
    return $html;
}

sub picture {
    my ($html, $name, $height) = @_;
    must(qw(timeout 60 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=3000),
        "--screenshot=$dir/$name.png", "--window-size=1200,$height", "file://$html");
    must('pngquant', '--force', '--output', "$TOP/html/$name.png", 64, "$dir/$name.png");
    return;
}
