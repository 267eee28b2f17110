# SPDX-License-Identifier: MIT
package Work;

# What all clients of this directory do for a request, so that it can be counted: fib(n) is 2 F(n+1) - 1 calls.

use strict;
use warnings;

sub fib { my ($n) = @_; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }

sub answer {
    my ($path) = @_;
    my ($n) = $path =~ m{^/(\d+)$} or return;
    return fib($n) . "\n";
}

1;
