#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Runs the test files of a distribution bare and under the profiler, and prints what differs but for what is expected.
#
#   perl xt/suites/try.pl PACKAGE BUILT NYTPROF COUNTS [FILE...]
#
# BUILT is the distribution's directory, built, which is copied for each run; NYTPROF the profiler's, built; to COUNTS a
# line of counts is added. A FILE is named as from BUILT; without any, all files t/**/*.t are run.
#
# Bare and profiled outcomes are compared test by test, with their names. A file that differs is run again, bare and
# profiled: what differs between two bare runs is not compared, and the file is said to vary.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Find qw(find);
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use FindBin;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/../lib";
use Outcome qw(assertions changes differences expected outcome);

my ($package, $built, $nytprof, $counts, @files) = @ARGV;
die "usage: $0 PACKAGE BUILT NYTPROF COUNTS [FILE...]\n" if !defined $counts;
$_ = abs_path($_) // die "$_: $!\n" for $built, $nytprof;
my %expected = expected("$FindBin::Bin/expected.txt");
my $scratch  = tempdir(CLEANUP => 1);
my $place    = "$scratch/" . ($package =~ s{.*/}{}r);
my $run      = 0;
my %broken;    # captures of a file that are not whole
$| = 1;    ## no critic (RequireLocalizedPunctuationVars)
@files = files($built) if !@files;

# What prove sets, and nothing that changes tests from outside; hashes have the same order in all runs. The profiler's
# options are those of the bare run, too.
delete @ENV{ grep {/^(?:PERL|HARNESS|AUTOMATED|AUTHOR|RELEASE|DISPLAY|DBI_)/} keys %ENV };
%ENV = (
    %ENV,
    HARNESS_ACTIVE         => 1,
    HARNESS_VERSION        => '3.44',
    HOME                   => "$scratch/home",
    LC_ALL                 => 'C.UTF-8',
    NONINTERACTIVE_TESTING => 1,
    NYTPROF                => "file=$scratch/captures/of:addpid=1",
    PERL_HASH_SEED         => 0,
    PERL_MM_USE_DEFAULT    => 1,
    PERL_PERTURB_KEYS      => 0,
    PERL_USE_UNSAFE_INC    => 1,
);
mkdir "$scratch/$_" or die "$scratch/$_: $!\n" for qw(home captures);

my @mine     = map {"$nytprof/blib/$_"} qw(lib arch);
my %count    = map { $_ => 0 } qw(files assertions failing expected varies once differs captures);
my $bare     = pass(0);
my $profiled = pass(1);
judge($_) for @files;
open my $out, '>>', $counts or die "$counts: $!\n";
print {$out} join(' ', map {"$_=$count{$_}"} sort keys %count), "\n" or die;
close $out or die "$counts: $!\n";
printf "    %d files, %d assertions, %d captures\n", @count{qw(files assertions captures)};
chdir '/' or die;
exit !!$count{differs};

sub files {
    my ($dir) = @_;
    my @found;
    find({ no_chdir => 1, wanted => sub { push @found, substr $_, 1 + length $dir if /\.t$/ && -f } }, "$dir/t");
    @found = sort @found;
    return @found;
}

# The outcomes of all files in a copy that no other run has used.
sub pass {
    my ($is_profiled) = @_;
    chdir $scratch or die "$scratch: $!\n";
    remove_tree($place);
    system('cp', '-a', $built, $place) == 0 or die "cannot copy $built\n";
    chdir $place or die "$place: $!\n";
    my %of = map { $_ => run_file($_, $is_profiled) } @files;
    return \%of;
}

# Taint mode ignores the variables, so a file that wants it gets all on the command line.
sub run_file {
    my ($file, $is_profiled) = @_;
    my @library = map { "$place/$_" } -d 'blib' ? qw(blib/lib blib/arch) : 'lib';
    my @debugger = $is_profiled ? '-d:NYTProf' : ();
    open my $in, '<', $file or die "$file: $!\n";
    my ($taint) = (<$in> // '') =~ /^#!.*\bperl.*\s-\w*([tT])/;
    my @switches = $taint ? ("-$taint", (map {"-I$_"} @library, @mine), @debugger) : ();
    my $of = outcome("$scratch/" . ++$run, [ $^X, @switches, $file ], names => 1, seconds => 400,
        env => { PERL5LIB => join(':', @library, @mine), PERL5OPT => $taint ? undef : "@debugger" || undef });
    $broken{$file} = broken_captures() if $is_profiled;
    return $of;
}

# Every process leaves a whole capture; a child may outlive the test a little.
sub broken_captures {
    my $broken = 0;
    for my $capture (grep { !/\.sources$/ } glob "$scratch/captures/of*") {
        $count{captures}++;
        my $tries = 50;
        sleep 0.1 while !is_whole($capture) && $tries--;
        $broken++ if $tries < 0;
    }
    unlink glob "$scratch/captures/*";
    return $broken;
}

sub is_whole { return qx{"$nytprof/build/nytprof" info "$_[0]" 2>&1} =~ /^whole *yes/m }

sub judge {
    my ($file) = @_;
    $count{files}++;
    $count{assertions} += assertions($bare->{$file});
    $count{failing}++ if $bare->{$file}{status} ne 'status 0';
    note($file, differs => "$broken{$file} not whole") if $broken{$file};
    my ($kind, $said) = compare($file, [ $bare->{$file}, $profiled->{$file} ]);
    note($file, $kind, $said) if $kind;
    return;
}

sub note {
    my ($file, $kind, $said) = @_;
    $kind = 'expected' if defined $expected{"$package/$file"}{$said};
    $count{$kind}++;
    print "    $file: $kind: $said\n";
    return;
}

# A file differs if it does so in three pairs of runs, in tests that are the same in all bare runs, of which there are
# six more then. It did so once if a pair was the same then, though no bare run was different.
sub compare {
    my ($file, @pairs) = @_;
    my (@said, %varies);
    for (1 .. 3) {
        push @pairs, [ map { run_file($file, $_) } 0, 1 ] if $_ > @pairs;
        $varies{$_} = 1 for changes($pairs[0][0], $pairs[-1][0]);
        @said = differences(@{ $pairs[0] }, \%varies);
        return %varies ? (varies => join ' ', sort keys %varies) : () if !@said;
    }
    for (1 .. 6) {    # outcomes that chance decides may have been the same three times
        last if defined $expected{"$package/$file"}{"@said"};
        $varies{$_} = 1 for changes($pairs[0][0], run_file($file, 0));
        @said = differences(@{ $pairs[0] }, \%varies);
        return (varies => join ' ', sort keys %varies) if !@said;
    }
    my @differing = grep { my @in_pair = differences(@$_, \%varies) } @pairs;
    return (@differing == @pairs ? 'differs' : 'once', "@said");
}
