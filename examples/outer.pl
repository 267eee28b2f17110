# SPDX-License-Identifier: MIT
# outer.pl - who calls whom? outer_method calls inner_method_1, _2 and _3, and inner_method_3 calls inner_most_method:
# a call graph of five nodes and four edges. outer.lua is the same program.
#
#     nytprof run --dot=outer.dot examples/outer.pl
#     nytprof callers inner_most_method
use strict;
use warnings;

sub inner_most_method { return 1 }
sub inner_method_1    { return 1 }
sub inner_method_2    { return 2 }
sub inner_method_3    { return 2 + inner_most_method() }
sub outer_method      { return inner_method_1() + inner_method_2() + inner_method_3() }

outer_method();
