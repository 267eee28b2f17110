# SPDX-License-Identifier: MIT
package Goals;

# The figures of benchmarks that have a goal, on lines of one form, which t/bench/all.pl finds.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(goal goals_in);

# Prints "WHAT: VALUE UNIT; goal LIMIT: held", or MISSED when the value is above the limit, or below one that begins
# with ">= ". Without a limit the value is printed alone. $unit may be ''.
sub goal {
    my ($what, $value, $limit, $unit) = @_;
    my $shown = sprintf $value >= 1000 ? '%.0f' : $value >= 100 ? '%.1f' : '%.3g', $value;
    my $asked = defined $limit ? sprintf '; goal %s: %s', $limit, reaches($value, $limit) ? 'held' : 'MISSED' : '';
    printf "%s: %s%s%s\n", $what, $shown, $unit eq '' ? '' : " $unit", $asked;
    return;
}

sub reaches {
    my ($value, $limit) = @_;
    return $limit =~ /^>= (.+)/ ? $value >= $1 : $value <= $limit;
}

# [ what, value with its unit, limit, held or MISSED ] of each line with a goal in a text.
sub goals_in {
    my ($text) = @_;
    my @goals;
    push @goals, [ $1, $2, $3, $4 ] while $text =~ /^(.+): (\S+(?: .+?)?); goal (.+?): (held|MISSED)$/mg;
    return @goals;
}

1;
