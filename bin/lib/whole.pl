#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# whole.pl TOOL: prints a tool of bin/ with the function of command.pl in the place of the line that loads it.
use strict;
use warnings;

use FindBin;

my ($function) = slurp("$FindBin::Bin/command.pl") =~ /^(#[^\n]*\nsub nytprof \{\n.*?^\}\n)/ms;
my $tool = slurp(@ARGV);
$tool =~ s/^do "[^\n]*command[.]pl"[^\n]*\n/$function/m or die "whole.pl: @ARGV: no line that loads command.pl\n";
print $tool;

sub slurp {
    my ($file) = @_;
    open my $in, '<', $file or die "whole.pl: $file: $!\n";
    local $/;
    return <$in>;
}
