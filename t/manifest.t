# MANIFEST names exactly what is distributed: in a checkout, what git tracks.
use strict;
use warnings;

use ExtUtils::Manifest qw(manicheck maniread);
use FindBin;
use Test::More;

chdir "$FindBin::Bin/.." or BAIL_OUT("cannot enter the tree: $!");
$ExtUtils::Manifest::Quiet = 1;

is_deeply [ manicheck() ], [], 'everything in MANIFEST is there';
if (-e '.git') {
    my @tracked = grep { !m{^\.} } split /\n/, qx{git ls-files};
    is_deeply [ sort keys %{ maniread() } ], [ sort @tracked ], 'MANIFEST is what git tracks, less .ci and .git*';
}

done_testing;
