#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Writes MANIFEST in a checkout, called by `make`: the files that git tracks, without those whose names begin with a
# dot. An unchanged list is not written again, nor a list that git cannot make, because it is not installed or the
# checkout belongs to another user.
use strict;
use warnings;

my @files = sort grep { -e && !/^\./ } split /\0/, qx{git ls-files -z --cached 2>/dev/null};
exit 0 if !@files;
my $wanted = join '', map {"$_\n"} uniq(@files, 'MANIFEST');
exit 0 if $wanted eq slurp('MANIFEST');
open my $out, '>', 'MANIFEST' or die "MANIFEST: $!\n";
print {$out} $wanted;
close $out or die "MANIFEST: $!\n";

sub uniq { my %seen; my @sorted = sort grep { !$seen{$_}++ } @_; return @sorted }

sub slurp {
    my ($name) = @_;
    open my $in, '<', $name or return '';
    local $/;
    return <$in> // '';
}
