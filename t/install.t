# SPDX-License-Identifier: MIT
# What `make install` installs `make uninstall` takes away again, and nothing else; installed below another prefix,
# `nytprof run` has perl load the profiler that lies there.
use strict;
use warnings;

use File::Find qw(find);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Profiled qw($TOP);
use Tree qw(slurp spew which);

my $root  = tempdir(CLEANUP => 1);
my @where = ((map {"INSTALLSITE$_=$root/lib"} qw(LIB ARCH)), (map {"INSTALLSITE$_=$root/bin"} qw(BIN SCRIPT)),
    (map {"INSTALLSITE$_=$root/man"} qw(MAN1DIR MAN3DIR)), "SITEPREFIX=$root");

sub make {
    my ($target) = @_;
    my $log = qx{cd "$TOP" && env -u MAKEFLAGS make -s $target @where 2>&1};
    is $?, 0, "make $target" or diag $log;
    return;
}

sub files {
    my @files;
    find({ wanted => sub { push @files, s{^\Q$root\E/}{}r if -f }, no_chdir => 1 }, $root);
    @files = sort @files;
    return @files;
}

make('pure_install');
my %is_there = map { ($_ => 1) } files();
is_deeply [ grep { !$is_there{$_} } qw(bin/nytprof bin/nytprofhtml lib/Devel/NYTProf.pm
            lib/Devel/NYTProf/nytprof-json-1.schema.json lib/Devel/NYTProf/nytprof-build-json-1.schema.json
            lib/Devel/NYTProf/nytprof-build-diff-json-1.schema.json
            lib/Devel/NYTProf/nytprof-diff-json-1.schema.json) ], [],
    'installs the commands and the modules';
like qx{cd "$root" && env -u PERL5LIB bin/nytprofcalls --debug "$TOP/t/data/v5-plain.out" 2>&1},
    qr{^\Q$root\E/bin/[.]/nytprof folded}, 'a tool runs the command beside it, and needs no module for that';
my %completion = (bash => 'bash-completion/completions/nytprof', fish => 'fish/vendor_completions.d/nytprof.fish',
    zsh => 'zsh/site-functions/_nytprof');
for my $shell (sort keys %completion) {
    is slurp("$root/share/$completion{$shell}"), scalar qx{"$root/bin/nytprof" completion $shell},
        "what $shell completes is where it looks";
}
SKIP: {
    skip 'zsh is not installed', 1 if !which('zsh');
    my $first = 'fpath=($0); autoload -Uz _nytprof; _describe() { print described }; words=(nytprof ""); CURRENT=2';
    is qx{zsh -f -c '$first; _nytprof' "$root/share/zsh/site-functions" 2>&1}, "described\n",
        'zsh completes verbs the first time that it loads the function';
}
spew("$root/bin/mine", "mine\n");
make('uninstall');
is_deeply [ files() ], ['bin/mine'], 'all of which is gone, and nothing else';

my $log = qx{cd "$TOP" && env -u MAKEFLAGS make -s pure_install "PREFIX=$root/opt" 2>&1};
is $?, 0, 'make install PREFIX=' or diag $log;
spew("$root/loaded.pl", q{print $INC{'Devel/NYTProf.pm'}});
for my $command ('loaded.pl', "sh -c '$^X loaded.pl'") {
    my $run = qq{cd "$root" && env -u PERL5LIB opt/bin/nytprof run -o p.out $command 2>&1};
    like qx{$run}, qr{^\Q$root\E/opt/lib/\S+/Devel/NYTProf[.]pm$}, "nytprof run $command: the one below that prefix";
}

done_testing;
