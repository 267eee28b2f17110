#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Runs test files of perl's own suite bare and under the profiler, and prints what differs but for what is expected.
#
#   perl xt/core/differ.pl TESTS BLIB FILE...
#
# TESTS is t/ in the source of the perl that runs this, built; BLIB is the profiler's, built for that perl. A FILE is
# named as from t/. The outcome of a file is its plan, the number and the directive of each test, and how it ended. Some
# files do not repeat their own outcome every time, so one that differs is run again, up to twice.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;

use lib "$FindBin::Bin/../lib";
use Outcome qw(differences expected outcome);

my ($tests, $blib, @files) = @ARGV;
die "usage: $0 TESTS BLIB FILE...\n" if !@files;
$_ = abs_path($_) // die "$_: $!\n" for $tests, $blib;
my %expected = expected("$FindBin::Bin/expected.txt");
my $scratch  = tempdir(CLEANUP => 1);
my @library  = map {"-I$blib/$_"} qw(lib arch);
my $run      = 0;
$| = 1;    ## no critic (RequireLocalizedPunctuationVars)

# As perl's t/TEST has it. The profiler's options are those of the bare run, too.
delete @ENV{ grep {/^PERL/} keys %ENV };
%ENV = (
    %ENV,
    LC_ALL              => 'C',
    LANGUAGE            => 'C',
    PERL_DESTRUCT_LEVEL => 2,
    PERL_DL_NONLAZY     => 1,
    NYTPROF             => "file=$scratch/capture:addpid=1",
);
chdir $tests or die "$tests: $!\n";

my %count = (same => 0, expected => 0, differs => 0);
$count{ compare($_) }++ for @files;
print join(', ', map {"$count{$_} $_"} qw(same expected differs)), ', of ', scalar @files, " files\n";
exit !!$count{differs};

sub compare {
    my ($file) = @_;
    my @said;
    for (1 .. 3) {
        my ($bare, $profiled) = map { run_file($file, $_) } 0, 1;
        @said = differences($bare, $profiled);
        last if !@said;
    }
    my $said = join ' ', @said;
    my $reason = $expected{$file}{$said};
    if (defined $reason) { print "$file: as expected ($said)\n" }
    elsif (@said)        { print "$file: DIFFERS: $said\n" }
    return defined $reason ? 'expected' : @said ? 'differs' : 'same';
}

# As in perl's t/TEST: only the switches for tainting have to be on the command line.
sub command {
    my ($file, $profiled) = @_;
    open my $in, '<', $file or die "$file: $!\n";
    my $first = <$in>;
    my $taint = $first =~ /#!.*\bperl.*\s-\w*([tT])/ ? "-$1" : '';
    my @debugger = $profiled ? '-d:NYTProf' : ();
    my @init = $file =~ m{^(?:base|comp|run)/} ? () : ('-I..', $file =~ m{^\.\./lib} ? '-MTestInit=U1' : '-MTestInit');
    return ('./perl', $taint ? ($taint, @library, @debugger) : (), @init, $file);
}

sub run_file {
    my ($file, $profiled) = @_;
    my @command = command($file, $profiled);
    my $of = outcome("$scratch/" . ++$run, \@command,
        env => { PERL5OPT => join ' ', @library, $profiled ? '-d:NYTProf' : () });
    unlink glob "$scratch/capture*";
    return $of;
}
