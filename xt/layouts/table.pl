# SPDX-License-Identifier: MIT
# Writes the tables of xs/cli/layouts.c from the layouts of some perls: perl xt/layouts/table.pl DIRECTORY..., each with
# a file layout, as xt/layouts.sh makes them.
use strict;
use warnings;

use FindBin;

my (@perls, @fields, %slow);
for my $directory (@ARGV) {
    my %perl = (number => {}, slow => {});
    open my $in, '<', "$directory/layout" or die "$directory/layout: $!\n";
    while (<$in>) {
        if    (/^perl (\d+\.\d+)\./)   { $perl{version} = $1 }
        elsif (/^options +(.+)/)       { $perl{options} = $1 }
        elsif (/^slow (\d+) (\w+)$/)   { $perl{slow}{$2} = $1 }
        elsif (/^([a-z]\w+) (\d+)$/)   { $perl{number}{$1} = $2; push @fields, $1 if !@perls }
        elsif (!/^inc /)               { die "$directory/layout: line $.: expected a name and a number\n" }
    }
    close $in or die "$directory/layout: $!\n";
    die "$directory/layout: expected the version and the options\n" if !$perl{version} || !$perl{options};
    $slow{$_}++ for keys %{ $perl{slow} };
    push @perls, \%perl;
}
die "expected DIRECTORY...\n" if !@perls;
for my $perl (@perls) {
    my @missing = grep { !defined $perl->{number}{$_} } @fields;
    die "perl $perl->{version}: expected the fields of the others, but @missing\n" if @missing;
}

my $n    = @perls;
my $text = "#define PERLS $n\n\nstatic const nytp_stock stock[PERLS] = {\n";
for my $perl (@perls) {
    my @lines = '';
    for my $word (split ' ', $perl->{options}) {
        push @lines, '' if length($lines[-1]) + length $word > 100;
        $lines[-1] .= " $word";
    }
    $text .= qq(    {"$perl->{version}",\n) . join("\n", map { qq(     "$_") } @lines) . "},\n";
}
$text .= "};\n\ntypedef struct row {\n    const char *name;\n    uint32_t number[PERLS];\n} row;\n\n";
$text .= "static const row fields[] = {\n";
$text .= sprintf qq(    {%-18s {%s}},\n), qq("$_",), numbers('number', $_) for @fields;
$text .= "};\n\n/* Ops that are shown as subs; 0: that perl has none of the name. */\nstatic const row slow[] = {\n";
$text .= sprintf qq(    {%-18s {%s}},\n), qq("$_",), numbers('slow', $_) for sort keys %slow;
$text .= "};\n\n";

my $file = "$FindBin::Bin/../../xs/cli/layouts.c";
open my $in, '<', $file or die "$file: $!\n";
my $source = do { local $/; <$in> };
close $in or die "$file: $!\n";
$source =~ s/^#define PERLS .*?(?=^const nytp_stock \*nytp_layouts_all)/$text/ms or die "$file: expected the tables\n";
open my $out, '>', $file or die "$file: $!\n";
print {$out} $source or die "$file: $!\n";
close $out or die "$file: $!\n";

# For one row.
sub numbers {
    my ($of, $name) = @_;
    return join ', ', map { sprintf '%5d', $_->{$of}{$name} // 0 } @perls;
}
