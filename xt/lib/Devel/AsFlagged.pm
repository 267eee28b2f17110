package Devel::AsFlagged;

# A debugger that does nothing but have perl keep what it keeps for the profiler. Programs that look at $^P, or at what
# is kept, behave differently by that alone.

use strict;
use warnings;

BEGIN { $^P = 0x710 }    ## no critic (RequireLocalizedPunctuationVars)

1;
