# SPDX-License-Identifier: MIT
# A program with a perl in it: the time between what it calls there is its own, under the name "(host)", and no
# statement's; so are samples of it, also those of an interpreter that another thread runs. Perl code that was compiled
# before the profiler came hides nothing of who calls.
use strict;
use warnings;

use Config;
use ExtUtils::Embed ();
use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use PageData qw(page_data);
use Run qw(captures_in facts run under_profiler);
use Sampled qw(folded);
use Tree qw(slurp);

my $PROGRAM = "sub work { my \$x = 0; \$x += \$_ for 1 .. 1000 }\nmy \$y = 1;\nwork();\n\$y++;\n";
my ($WORKS, $SLEEPS) = (5, 0.25);
my %HOW = (run => 'run', parse => 'compiled, not run', guard => 'called with G_EVAL', evaluate => 'evaluated strings');

# A child's profile begins with its first event; evaluate sleeps once more at the end.
my %MORE = (guard => 0.8, evaluate => 1.2);

SKIP: {
    my $host = host() or skip 'NOT SHOWN, there is no libperl to link with: a program with a perl in it', 26;
    for my $way ('run', 'parse', 'guard', 'evaluate') {
        my $how   = $HOW{$way};
        my @way   = $way eq 'run' ? () : $way;
        my $run   = run($PROGRAM, command => [ $host, @way, under_profiler(), 'prog.pl' ]);
        my $facts = facts($run, (sort glob "$run->{dir}/nytprof.out*")[-1]);
        my $works = $WORKS + ($way eq 'run' || $way eq 'evaluate');    # the program's own call
        is $facts->{sub}{'main::work'}{calls}, $works, "$how: every call is counted";
        my ($is, $most) = ($facts->{sub}{'(host)'}{exclusive} // 0, 2 * $SLEEPS + 0.1);
        my $least = $SLEEPS * ($MORE{$way} // 1);
        ok $is >= $least && $is < $most, "$how: the time between calls is the host's" or diag "$is s";
        my $line = line_seconds($facts);
        cmp_ok $line, '<', $SLEEPS / 2, "$how: and no line's";
        nytprof('html', '-o', "$run->{dir}/html", glob "$run->{dir}/nytprof.out*");
        my $data = page_data(slurp("$run->{dir}/html/data.js"));
        my $all  = sum0(map { $_->{exclusive} } @{ $data->{subs} });
        cmp_ok $all, '<=', 1.01 * $data->{total}, "$how: nor is it told as compiling once more";
    }
    samples_of($host);
    is values_made($host, under_profiler()), values_made($host), 'naming a built-in leaves no values in the statement';
}

# The C function is called by a statement of XSLoader.pm, which the profiler itself has loaded. It asks for PERLQQ and,
# in newer perls, for LEAVE_SRC.
my $calls = facts(run("use PerlIO::encoding;\n1;\n"))->{call};
my %from  = map { m{([^/]+):\d+ Encode::(?:LEAVE_SRC|PERLQQ)\z} ? ($1 => 1) : () } keys %$calls;
ok $from{'XSLoader.pm'}, 'C code calls from where its own caller is' or diag explain $calls;

done_testing;

# Seconds of the host and of work, by the samples of all captures.
sub samples_of {
    my ($host) = @_;
    my $burns = "use Time::HiRes 'time';\nsub work { my \$until = time + 0.1; 1 while time < \$until }\nmy \$y = 1;\n";
    my @sampled = ((grep {/^-I/} under_profiler()), '-MDevel::NYTProf::Sample=hz,500', 'prog.pl');
    for my $way ('run', 'parse', $Config{useithreads} ? 'clone' : ()) {
        my $run = run($burns, command => [ $host, $way eq 'run' ? () : $way, @sampled ]);
        is $run->{exit}, 0, "sampled, $way: the program ends well" or diag $run->{err};
        my %all = folded($run, (reverse sort { $a cmp $b } captures_in($run->{dir}))[0]);
        my $in_work = sum0(map { $all{$_} } grep {/^main::work/} keys %all);
        cmp_ok $in_work, '>', 0.4e9, '... the sub is seen, whatever thread runs it';
        cmp_ok $all{'(host)'} // 0, '>', 0.2e9, '... and the time between calls is the host\'s';
    }
    return;
}

# Within a statement with a match, the first one.
sub values_made {
    my ($host, @switches) = @_;
    my $text = 'sub work { } my @n = count_values(); @n = (count_values(), "x" =~ /x/ && count_values());'
        . ' print $n[1] - $n[0], "\n";';
    return run($text, command => [ $host, @switches, 'prog.pl' ])->{out};
}

# Seconds of all lines together.
sub line_seconds {
    my ($facts) = @_;
    my ($start) = of('process_start', @{ $facts->{records} });
    my $ticks = 0;
    $ticks += $_->{ticks} for grep { $_->{id} } of('place_delta', @{ $facts->{records} });
    return $ticks / $start->{ticks_per_second};
}

sub host {
    my $dir = tempdir(CLEANUP => 1);
    my ($compile, $link) = (ExtUtils::Embed::ccopts(), ExtUtils::Embed::ldopts(1));
    chomp($compile, $link);
    my $failed = system "$Config{cc} $compile -o $dir/host $FindBin::Bin/perl/host.c $link >$dir/said 2>&1";
    return $failed ? () : "$dir/host";
}
