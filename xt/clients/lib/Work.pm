# SPDX-License-Identifier: MIT
package Work;

# What all clients of this directory do for a request, so that it can be counted: fib(n) is 2 F(n+1) - 1 calls. /eval/N
# makes a new text for each request, with an anonymous sub in it.

use strict;
use warnings;

my $texts = 0;

sub fib { my ($n) = @_; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }

sub answer {
    my ($path) = @_;
    my ($eval, $n) = $path =~ m{^/(eval/)?(\d+)$} or return;
    return ($eval ? evaluated($n) : fib($n)) . "\n";
}

sub evaluated {
    my ($n) = @_;
    $texts++;
    my $code = eval "# $texts\nsub { my (\$n) = \@_; return fib(\$n) }" or die $@; ## no critic (ProhibitStringyEval)
    return $code->($n);
}

1;
