# SPDX-License-Identifier: MIT
# MANIFEST names exactly what is distributed: in a checkout, what git tracks. `make` writes it.
use strict;
use warnings;

use ExtUtils::Manifest qw(manicheck maniread);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(slurp spew);

chdir "$FindBin::Bin/.." or BAIL_OUT("cannot enter the tree: $!");
$ExtUtils::Manifest::Quiet = 1;

is_deeply [ manicheck() ], [], 'everything in MANIFEST is there';
if (-e '.git') {
    my @tracked = grep { !m{^\.} } split /\n/, qx{git ls-files};
    is_deeply [ sort keys %{ maniread() } ], [ sort @tracked ], 'MANIFEST is what git tracks, less .ci and .git*';
    is written_among('MANIFEST' => "gone\n", '.hidden' => '', 'new.c' => '', 'a.o' => '', '.gitignore' => "*.o\n"),
        "MANIFEST\nnew.c\n", 'a new file gets into it without being named by hand, an ignored or hidden one does not';
}

done_testing;

# What xt/manifest.pl writes in a new checkout with those files.
sub written_among {
    my %files = @_;
    my $checkout = tempdir(CLEANUP => 1);
    spew("$checkout/$_", $files{$_}) for keys %files;
    system("cd '$checkout' && git init -q && '$^X' '$FindBin::Bin/../xt/manifest.pl'") == 0 or return 'failed';
    return slurp("$checkout/MANIFEST");
}
