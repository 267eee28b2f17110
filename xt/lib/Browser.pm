# SPDX-License-Identifier: MIT
package Browser;

# Large profiles, and the programs for checking reports in a browser: Chromium, node, and npm's packages, kept in the
# user's cache, ${XDG_CACHE_HOME:-$HOME/.cache}/nytprof-browser.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use Test::More;

use Npm qw(packages program);
use Pages qw(run);
use Run ();
use Tree qw(slurp);

our @EXPORT_OK = qw(capture large perlcritic program require_browser script);

my $TOP  = abs_path(dirname(__FILE__) . '/../..');
my $HERE = "$TOP/xt/browser";
my ($chromium, $node, $cache);

# Skips all tests if there is no browser, with a message in capitals.
sub require_browser {
    ($chromium, $node) = (program(qw(chromium chromium-browser google-chrome)), program('node'));
    my $npm = program('npm');
    plan skip_all => 'SKIPPED: chromium, node and npm are needed to look at reports; NOTHING was looked at'
        if !$chromium || !$node || !$npm;
    $cache = packages('nytprof-browser', "$HERE/package.json")
        // plan skip_all => 'SKIPPED: npm cannot get the packages of xt/browser/package.json; NOTHING was looked at';
    return;
}

# Runs a script of xt/browser/, whose lines of TAP become tests with this name. Returns their number.
sub script {
    my ($name, $script, @arguments) = @_;
    local $ENV{NYTPROF_BROWSER} = $cache;
    local $ENV{CHROMIUM}        = $chromium;
    my (undef, $said, $trouble) = run('timeout', '400', $node, "$HERE/$script", @arguments);
    my $looks = 0;
    for my $line (split /\n/, $said) {
        if ($line =~ /^(not )?ok - (.*)/) {
            ok !$1, "$name: $2";
            $looks++;
        }
        else { diag "$name $line" }
    }
    is $trouble, '', "$name: the browser came to the end";
    return $looks;
}

# Writes the capture of an invented program (xt/large.c) to a directory and returns its name.
sub large {
    my ($dir, $files, $subs, $nodes) = @_;
    my @cc = (qw(cc -std=c11 -O1 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE), "-I$TOP/xs", "-I$TOP/t/c");
    my ($libraries) = slurp("$TOP/Makefile") =~ /^EXTRALIBS = (.*)/m;
    my @libraries = ("$TOP/build/libnytprof.a", split(' ', $libraries), '-pthread');
    system(@cc, '-o', "$dir/large", "$TOP/xt/large.c", @libraries) == 0
        or die "xt/large.c does not compile\n";
    system("$dir/large", "$dir/large.out", $files, $subs, $nodes) == 0 or die "xt/large.c fails\n";
    return "$dir/large.out";
}

# Profiles perl with these arguments into NAME.out in the directory, and returns that name.
sub capture {
    my ($dir, $name, @perl) = @_;
    my %env = (NYTPROF => "file=$dir/$name.out");
    my $run = Run::run(undef, dir => $dir, env => \%env, command => [ $^X, Run::under_profiler(), @perl ]);
    -s "$dir/$name.out" or die "no capture of @perl: $run->{err}";
    return "$dir/$name.out";
}

# The capture of a run of perlcritic with at least ten million statements; undef if it is not installed.
sub perlcritic {
    my ($dir) = @_;
    my $perlcritic = program('perlcritic') // return;
    my @modules = grep { -s > 1e4 && -s _ < 2e5 } map { glob "$_/Perl/Critic/*.pm $_/PPI/*.pm $_/PPI/*/*.pm" } @INC;
    my $out = capture($dir, 'perlcritic', $perlcritic, '--noprofile', @modules);
    my ($status, $info) = run("$TOP/build/nytprof", 'info', $out);
    my ($statements) = $info =~ /^counted +statements (\d+)/m;
    cmp_ok $statements, '>=', 10_000_000, "perlcritic: $statements statements";
    return $out;
}

1;
