# SPDX-License-Identifier: MIT
# The manual's table of what programs and profiles survive is what xt/survives.pl prints, but for the peer's column and
# for shares that depend on the time. Run it as root for all rows.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Profiled qw($TOP);
use Survival qw(table);
use Tree qw(slurp);

my ($section) = slurp("$TOP/lib/Devel/NYTProf/Differences.pod") =~ /^=head1 WHAT IT SURVIVES\n(.*?)^=head1/ms;
my @manual    = facts_of(split /\n/, $section);
my @seen      = facts_of(table(undef, qr/./));
my %seen      = map { ($_ => 1) } map { $_->[0] } @seen;

cmp_ok scalar @seen, '>', 40, 'so many faults were tried';
is_deeply [ grep { $seen{ $_->[0] } } @manual ], \@seen, 'the manual tells what happened';
is_deeply [ grep { !$seen{ $_->[0] } && !$> } @manual ], [], 'and nothing else';

done_testing;

# [name, what happens to the program, what is left] for each row of the table. An end that no hook sees costs a share.
sub facts_of {
    my @facts;
    for my $line (@_) {
        my ($name, $like, $kept) = $line =~ /^ {4}(\S.*?) {2,}(\w[^,]*?)(?:, (\S+) %)?(?: {2,}.*)?$/ or next;
        my $all_or_nothing = ($kept // '') =~ /^(?:0|100)$/ && $name !~ /, (?:at once|later)$/;
        push @facts, [ $name, $like, $all_or_nothing ? $kept : 'some' ];
    }
    return @facts;
}
