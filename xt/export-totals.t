# SPDX-License-Identifier: MIT
# Every format has the same time, to the nanosecond, of every capture; Sysprof's, to a sample.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Exported qw(formats total);
use Exports qw(capture captures export nanoseconds);
use Syscap qw(syscap);

for my $name (captures()) {
    my @capture = capture($name);
    my $folded  = nanoseconds(@capture);
    cmp_ok $folded, $name eq 'zero' ? '==' : '>', 0, "$name: $folded ns in folded stacks";
    is total($_, export($_, @capture)), $folded, $_ for grep { $_ ne 'syscap' } formats();
    my $syscap = syscap(export('syscap', @capture));
    cmp_ok abs($syscap->{total} - $folded), '<', $syscap->{quantum}, 'syscap';
}
done_testing;
