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
    is_deeply [ grep { !m{^\.} } split /\n/, qx{git ls-files --others --exclude-standard} ], [],
        'git tracks every file that it does not ignore: `git add` the others';
}

my $no_git = tempdir(CLEANUP => 1);
spew("$no_git/git", "#!/bin/sh\nexit 127\n");
chmod 0755, "$no_git/git" or die "$no_git/git: $!\n";
my %files = ('MANIFEST' => "gone\n", '.hidden' => '', 'new.c' => '');
if (grep { -x "$_/git" } split /:/, $ENV{PATH}) {
    is written_among('git add .hidden new.c', %files, 'scratch.c' => ''), "MANIFEST\nnew.c\n",
        'it gets what was added to git, but neither hidden files nor others';
}
is written_among("PATH=$no_git", %files), "gone\n", 'where git cannot answer it is left alone, and make goes on';

done_testing;

# What is in MANIFEST after xt/manifest.pl in a new directory with those files, where that command was run before.
sub written_among {
    my ($command, %file) = @_;
    my $checkout = tempdir(CLEANUP => 1);
    spew("$checkout/$_", $file{$_}) for keys %file;
    my $init = $command =~ /^git/ ? 'git init -q' : ':';
    system("cd '$checkout' && $init && $command && '$^X' '$FindBin::Bin/../xt/manifest.pl'") == 0 or return 'failed';
    return slurp("$checkout/MANIFEST");
}
