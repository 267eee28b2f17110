# SPDX-License-Identifier: MIT
package Run;

# Runs small Perl programs under the profiler, each in a directory of its own, and returns the results.

use strict;
use warnings;

use Exporter 'import';
use File::Temp qw(tempdir);
use Test::More;

use Dump qw(imbalances records);
use Facts ();
use Profiled qw($TOP);
use Tree qw(slurp spew);

our @EXPORT_OK = qw(cases run same facts capture_of captures_in under_profiler without_quarantine);

my $SECONDS = 120;    # after which a program hangs

# A program's children have no alarm, and one that hangs would outlive the test: they run for so many seconds of CPU
# time at most.
system qw(prlimit --pid), $$, '--cpu=' . 3 * $SECONDS if -x '/usr/bin/prlimit';

# Without a build perl could find another profiler of this name, which may delete devices.
glob "$TOP/blib/arch/auto/Devel/NYTProf/NYTProf.*" or die "not built yet: run make\n";

# The switches that make perl load this profiler.
sub under_profiler { return ("-I$TOP/blib/lib", "-I$TOP/blib/arch", '-d:NYTProf') }

# run(TEXT, ...) writes TEXT to prog.pl and runs it there. Further arguments, with defaults:
#
#   name      'prog.pl'           the file of the program
#   options   {}                  of NYTPROF
#   args      []                  of the program
#   switches  [under_profiler]    of perl; [] runs it bare
#   files     {}                  more files, { name => text }
#   stdin     ''                  its standard input
#   env       {}
#   before    []                  words in front of the command: env, valgrind ...
#   command   [perl SWITCHES name ARGS]   for a run without a file, or of another command than perl
#   dir       a new one           its current directory
#
# Returns { out, err, exit, signal, dir }.
sub run {
    my ($text, %with) = @_;
    my $dir  = $with{dir}  // tempdir(CLEANUP => 1);
    my $name = $with{name} // 'prog.pl';
    my %file = (%{ $with{files} // {} }, '.stdin' => $with{stdin} // '', defined $text ? ($name => $text) : ());
    spew("$dir/$_", $file{$_}) for keys %file;
    my @switches = @{ $with{switches} // [under_profiler()] };
    my @command  = @{ $with{command}  // [ $^X, @switches, $name, @{ $with{args} // [] } ] };
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        chdir $dir or die "$dir: $!\n";
        open STDIN,  '<', '.stdin' or die "stdin: $!\n";
        open STDOUT, '>', '.out'   or die "stdout: $!\n";
        open STDERR, '>', '.err'   or die "stderr: $!\n";
        delete @ENV{qw(PERL5LIB PERL5OPT PERL5DB NYTPROF PERL_USE_UNSAFE_INC)};
        $ENV{NYTPROF} = nytprof($with{options}) if $with{options};
        %ENV = (%ENV, %{ $with{env} // {} });
        local @SIG{qw(HUP INT QUIT)} = ('DEFAULT') x 3;    # as a job in the background they are ignored
        alarm $SECONDS;
        exec @{ $with{before} // [] }, @command or die "@command: $!\n";
    }
    waitpid $pid, 0;
    return { out => slurp("$dir/.out"), err => slurp("$dir/.err"), exit => $? >> 8, signal => $? & 0x7F, dir => $dir };
}

# same(NAME, TEXT, ...) tests that output and exit status are the same with and without the profiler; ... as for run,
# and more => [...] for perl. Returns the profiled run.
sub same {
    my ($name, $text, %with) = @_;
    my @more = @{ $with{more} // [] };
    my $bare = run($text, %with, switches => [ (grep {/^-I/} under_profiler()), @more ]);
    my $ours = run($text, %with, switches => [ under_profiler(), @more ]);
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    is_deeply([ @{$ours}{qw(out err exit signal)} ], [ @{$bare}{qw(out err exit signal)} ], $name);
    return $ours;
}

sub nytprof {
    my ($options) = @_;
    return join ':', map { $_ . '=' . $options->{$_} =~ s/([:=\\])/\\$1/gr } sort keys %$options;
}

# The environment for measuring memory, in which AddressSanitizer does not keep freed memory.
sub without_quarantine {
    my @options = ($ENV{ASAN_OPTIONS} // (), 'quarantine_size_mb=0', 'thread_local_quarantine_size_kb=0');
    return (ASAN_OPTIONS => join ':', @options);
}

sub capture_of { my ($run) = @_; return "$run->{dir}/nytprof.out" }

# Names of the captures in a directory, sorted.
sub captures_in {
    my ($dir) = @_;
    opendir my $in, $dir or die "$dir: $!\n";
    my @found = sort grep {/^nytprof\.out/} readdir $in;
    return @found;
}

# [title, text] of each program in t/perl/NAME.txt, where a line "#### TITLE" stands before each.
sub cases {
    my ($name) = @_;
    my (undef, @parts) = split /^#### (.*)\n/m, slurp("$TOP/t/perl/$name.txt");
    my @cases;
    push @cases, [ splice @parts, 0, 2 ] while @parts;
    return @cases;
}

# Facts of the run's capture (names in the run's directory are short: "prog.pl:3 main::f"), and its records. A capture
# with a broken identity ends the test.
sub facts {
    my ($run, $capture) = @_;
    $capture //= capture_of($run);
    -e $capture or die "no capture; the program said:\n$run->{err}";
    my @records = records($capture);
    my @wrong   = imbalances(@records);
    die join("\n", "$capture does not add up", @wrong), "\n" if @wrong;
    my $facts = Facts::from_records(@records);
    for my $kind (qw(line call edge sub)) {
        my $of = $facts->{$kind};
        %$of = map { (s{\Q$run->{dir}\E/}{}gr => $of->{$_}) } keys %$of;
    }
    return { %$facts, records => \@records };
}

1;
