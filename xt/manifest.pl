#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Writes MANIFEST in a checkout, as `make` has it do: the files that git tracks, but not those whose names begin with a
# dot. The file is left alone where it says that already, and where git cannot tell: it is not installed, or the
# checkout is another user's.
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
