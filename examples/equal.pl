# SPDX-License-Identifier: MIT
# equal.pl - are small times right? Prints a program with 1000 subs that do the same, 100 square roots. A profiler that
# looks at the program a hundred times a second finds one or two of them, or none; this one has a time for each, close
# to that of the others.
#
#     perl examples/equal.pl > equal1000.pl
#     nytprof run --folded=equal.folded equal1000.pl
use strict;
use warnings;

print "sub s$_ { sqrt(\$_) for 1 .. 100; return }\ns$_();\n" for 1 .. 1000;
