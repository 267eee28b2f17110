# SPDX-License-Identifier: MIT
# Reports in a browser, of a program with hostile names and of five processes: within budgets of bytes, elements and
# time, without messages in the console, dialogs or requests, without violations that axe finds, valid HTML, no broken
# links. Chromium and npm's packages check this; the packages are kept in the user's cache,
# ${XDG_CACHE_HOME:-$HOME/.cache}/nytprof-browser. Large reports are looked at by browser-large.t.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Browser qw(capture look require_browser usual);
use Pages qw(run);

my $TOP  = abs_path("$FindBin::Bin/..");
my $HERE = "$TOP/xt/browser";

require_browser();
my $dir = tempdir(CLEANUP => 1);

look($dir, 'hostile', hostile(), { usual(), all => \1 });
my $processes = processes();
look($dir, 'processes', $processes, { only => 'narrow', all => \1 });
look($dir, 'changed', hostile(), { only => 'narrow', all => \1, base => $processes });
done_testing;

# --- reports ---------------------------------------------------------------------------------------------------------

sub hostile {
    my $program = 'x"><img src=x onerror=alert(1)>&amp;#1?.pl';
    copy("$HERE/hostile.pl", "$dir/$program") or die "$program: $!\n";
    return capture($dir, 'hostile', $program);
}

# Five processes, one of which waits for the others.
sub processes {
    my $program = 'sub work { my $x = 0; $x += sqrt $_ for 1 .. 20_000; select undef, undef, undef, 0.05; return $x }'
        . 'for (1 .. 4) { my $pid = fork; if (!$pid) { work() for 1 .. 3; exit } } work(); 1 while wait > 0;';
    my @captures = (capture($dir, 'several', '-e', $program), glob "$dir/several.out.*");
    cmp_ok @captures, '==', 5, 'processes: a capture of each';
    my ($status, undef, $err) = run("$TOP/build/nytprof", 'merge', '-o', "$dir/processes.out", @captures);
    is $status, 0, 'processes: which are merged' or diag $err;
    return "$dir/processes.out";
}
