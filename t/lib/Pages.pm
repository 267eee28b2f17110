# SPDX-License-Identifier: MIT
package Pages;

# Common parts of the tests of reports: running the command, and reading the pages that it wrote.

use strict;
use warnings;

use Exporter 'import';
use File::Temp qw(tempdir);
use FindBin;

use Tree qw(slurp);

our @EXPORT_OK = qw(run fixtures pages broken_links rows text_of);

my $TOP = "$FindBin::Bin/..";

# Runs a command and returns (exit status, standard output, standard error).
sub run {
    my (@command) = @_;
    my $dir = tempdir(CLEANUP => 1);
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        open STDOUT, '>', "$dir/out" or die "$dir/out: $!\n";
        open STDERR, '>', "$dir/err" or die "$dir/err: $!\n";
        exec { $command[0] } @command or die "$command[0]: $!\n";
    }
    waitpid $pid, 0;
    return ($? >> 8 || $?, slurp("$dir/out"), slurp("$dir/err"));
}

# A directory with the captures of t/c/fixture.h.
sub fixtures {
    my $dir = tempdir(CLEANUP => 1);
    system("$TOP/build/t/fixture", $dir) == 0 or die "build/t/fixture failed\n";
    return $dir;
}

# { name => bytes } of a directory's pages.
sub pages {
    my ($dir) = @_;
    opendir my $in, $dir or die "$dir: $!\n";
    return { map { ($_ => slurp("$dir/$_")) } grep { -f "$dir/$_" && !/^\./ } readdir $in };
}

# "page: link" of every link to a missing page or id, and of every id that a page has twice.
sub broken_links {
    my ($pages) = @_;
    my (%ids, @broken);
    for my $page (sort grep {/\.html$/} keys %$pages) {
        for my $id ($pages->{$page} =~ /<[^>]*?\sid="?([^\s">]+)/g) {
            push @broken, "$page: id $id twice" if $ids{$page}{$id}++;
        }
    }
    for my $page (sort grep {/\.html$/} keys %$pages) {
        for my $link ($pages->{$page} =~ /<(?:[^>"]|"[^"]*")*?\s(?:href|src)="?([^\s">]*)/g) {
            my ($to, $id) = $link =~ /^([^#]*)(?:#(.*))?$/s;
            $to = $page if $to eq '';
            my $is_state = $to eq 'index.html' && defined $id && $id =~ /^\w+=/;    # of its application
            my $leads = exists $pages->{$to} && (!defined $id || $ids{$to}{$id} || $is_state);
            push @broken, "$page: $link" if !$leads;
        }
    }
    return @broken;
}

# The text of a page as a reader sees it, with one blank for each run of white space.
sub text_of {
    my ($html) = @_;
    $html =~ s{<small>([^<]*::)</small>}{$1}g; # a package is a part of the name behind it
    $html =~ s/<[^>]*>/ /g;
    my %entity = (lt => '<', gt => '>', amp => '&', quot => '"', '#39' => q{'}, larr => '');
    $html =~ s/&([^;]+);/$entity{$1}/g;
    $html =~ s/\s+/ /g;
    return $html;
}

# The rows of a table below a heading of a page, each the texts of its cells.
sub rows {
    my ($page, $id) = @_;
    my ($body) = $page =~ m{<h2 id="?\Q$id\E"?>.*?<tbody>\n(.*?)</tbody>}s or return 'no table';
    return [ map { [ map { s/<[^>]*>//gr } m{<td[^>]*>(.*?)(?=<td|</tr>)}sg ] } split /\n/, $body ];
}

1;
