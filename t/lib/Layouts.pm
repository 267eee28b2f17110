# SPDX-License-Identifier: MIT
package Layouts;

# The table of stock perls in xs/cli/layouts.c: whether the perl of the tests is in it, and its layout there.

use strict;
use warnings;

use Config;
use Exporter 'import';
use File::Basename qw(dirname);

use Tree qw(slurp);

our @EXPORT_OK = qw(in_table is_stock);

my $TABLE = slurp(dirname(__FILE__) . '/../../xs/cli/layouts.c');
my ($MINE) = $^V =~ /(\d+\.\d+)/;

sub is_stock {
    my %options = $TABLE =~ /^    \{"(5\.\d+)",\n *(".*?")\},$/msg;
    return ($options{$MINE} // '') =~ s/"\n *"|"//gr eq join ' ', '', Config::bincompat_options();
}

# NAME NUMBER of all fields and ops that are not 0, sorted.
sub in_table {
    my @stock    = $TABLE =~ /^    \{"(5\.\d+)",$/mg;
    my ($column) = grep { $stock[$_] eq $MINE } 0 .. $#stock;
    my %row      = $TABLE =~ /^    \{"(\w+)", +\{([ \d,]+)\}\},$/mg;
    my @all = sort grep { !/ 0$/ } map { "$_ " . ($row{$_} =~ /\d+/g)[$column] } keys %row;
    return @all;
}

1;
