# SPDX-License-Identifier: MIT
package Browser;

# Large profiles, and the programs for checking reports in a browser: Chromium, node, and npm's packages, kept in the
# user's cache, ${XDG_CACHE_HOME:-$HOME/.cache}/nytprof-browser.

use strict;
use warnings;

use Cwd qw(abs_path);
use Encode qw(decode FB_CROAK LEAVE_SRC);
use Exporter 'import';
use File::Basename qw(dirname);
use Test::More;

use Npm qw(packages program);
use Pages qw(broken_links pages run);
use Run ();
use Tree qw(slurp);

our @EXPORT_OK = qw(capture large look perlcritic program require_browser script usual);

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
    my (undef, $said, $trouble) = run('timeout', '600', $node, "$HERE/$script", @arguments);
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

# The budgets of a report of usual size: bytes, numbers and milliseconds.
sub usual {
    my %times = (draw => 33, zoom => 8, sort => 50, filter => 50, find => 50);
    return (index => 450_000, paint => 250, ready => 400, nodes => 3200, heap => 20, times => \%times);
}

# Makes the report on a capture, in the directory, and looks at it in the browser with check.mjs, then at its links.
# $no_links says why these are not followed. The budget's base is an older capture.
sub look {
    my ($dir, $name, $capture, $budget, $no_links) = @_;
    my $report = "$dir/$name.d";
    my @base = $budget->{base} ? ('--base', $budget->{base}) : ();
    my ($status, undef, $err) = run("$TOP/build/nytprof", 'html', @base, '-o', $report, $capture);
    is "$status$err", '0', "$name: there is a report";
    if ($budget->{single}) {
        ($status, undef, $err) = run("$TOP/build/nytprof", 'html', '--single', '-o', $budget->{single}, $capture);
        is "$status$err", '0', "$name: there is one of one file";
    }
    my $looks = script($name, 'check.mjs', $report, json($budget));
    cmp_ok $looks, '>', $budget->{only} ? 8 : 40, "$name: after a good look";
    return if $no_links;
    my $pages = pages($report);
    is_deeply [ broken_links($pages) ], [], "$name: every link leads somewhere";
    my @html = grep {/\.(?:html|svg)$/} sort keys %$pages;
    my @other = grep { !eval { decode('UTF-8', $pages->{$_}, FB_CROAK | LEAVE_SRC) } } @html;
    is_deeply \@other, [], "$name: all is UTF-8";
    return;
}

sub json {
    my ($value) = @_;
    return $value =~ /\A\d+\z/ ? $value : qq("$value") if !ref $value;
    return 'true' if ref $value eq 'SCALAR';
    return '{' . join(',', map { qq("$_":) . json($value->{$_}) } sort keys %$value) . '}';
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

# Profiles perl with these arguments, and options before them as a hash, into NAME.out in the directory, and returns
# that name.
sub capture {
    my ($dir, $name, @perl) = @_;
    my %options = (ref $perl[0] ? %{ shift @perl } : (), file => "$dir/$name.out");
    my %env = (NYTPROF => join ':', map {"$_=$options{$_}"} sort keys %options);
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
