# SPDX-License-Identifier: MIT
package Devel::AsFlagged;

# A debugger that does nothing, with the same $^P as the profiler. Programs that check whether perl was started with -d
# behave differently by that alone.

use strict;
use warnings;

BEGIN { $^P = 0 }    ## no critic (RequireLocalizedPunctuationVars)

1;
