# SPDX-License-Identifier: MIT
package Devel::AsFlagged;

# A debugger that does nothing, and has perl do nothing for debuggers, as the profiler has it. Programs that look
# whether perl was started with -d behave differently by that alone.

use strict;
use warnings;

BEGIN { $^P = 0 }    ## no critic (RequireLocalizedPunctuationVars)

1;
