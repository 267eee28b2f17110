#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Runs test files of perl's own suite bare and under the profiler, and prints what differs but for what is expected.
#
#   perl xt/core/differ.pl KIND TESTS NYTPROF FILE...
#
# KIND is "counted" or "sampled"; TESTS is t/ in the source of the perl that runs this, built; NYTPROF the profiler's
# directory, built for that perl. A FILE is named as from t/. The outcome of a file is its plan, the number and the
# directive of each test, and how it ended; and it has to leave a capture that has something. Some files do not repeat
# their own outcome every time, so one that differs is run again, up to twice.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;

use lib "$FindBin::Bin/../lib";
use Outcome qw(differences expected outcome);

# The profiler's switch, and what `nytprof info` says of a capture that has something.
my %kinds = (
    counted => [ '-d:NYTProf',                       qr/ statements [1-9]/ ],
    sampled => [ '-MDevel::NYTProf::Sample=hz,1000', qr/ samples: [1-9]/ ],
);

my ($kind, $tests, $nytprof, @files) = @ARGV;
die "usage: $0 counted|sampled TESTS NYTPROF FILE...\n" if !@files || !$kinds{$kind};
my ($switch, $has_some) = @{ $kinds{$kind} };
$_ = abs_path($_) // die "$_: $!\n" for $tests, $nytprof;
my %expected = expected("$FindBin::Bin/expected.txt");
my $scratch  = tempdir(CLEANUP => 1);
my @library  = map {"-I$nytprof/blib/$_"} qw(lib arch);
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

my %count = map { $_ => 0 } qw(same expected differs captures samples lost);
$count{ compare($_) }++ for @files;
print join(', ', map {"$count{$_} $_"} qw(same expected differs)), ', of ', scalar @files, " files\n";
print join(', ', map {"$count{$_} $_"} qw(captures samples lost)), "\n";
exit !!$count{differs};

sub compare {
    my ($file) = @_;
    my @said;
    for (1 .. 3) {
        my ($bare, $profiled) = map { run_file($file, @$_) } [], [$switch];
        @said = differences($bare, $profiled);
        last if !@said;
    }
    my $said = join ' ', @said;
    my $reason = $expected{"$kind/$file"}{$said};
    if (defined $reason) { print "$file: as expected ($said)\n" }
    elsif (@said)        { print "$file: DIFFERS: $said\n" }
    return defined $reason ? 'expected' : @said ? 'differs' : 'same';
}

# As in perl's t/TEST, where only the switches for tainting have to be on the command line. So has a module here: what
# PERL5OPT names, for programs that a test starts, is loaded after TestInit, which empties @INC.
sub command {
    my ($file, @profiler) = @_;
    open my $in, '<', $file or die "$file: $!\n";
    my $first = <$in>;
    my $taint = $first =~ /#!.*\bperl.*\s-\w*([tT])/ ? "-$1" : '';
    my @init = $file =~ m{^(?:base|comp|run)/} ? () : ('-I..', $file =~ m{^\.\./lib} ? '-MTestInit=U1' : '-MTestInit');
    my @first = @profiler && ($taint || $kind eq 'sampled') ? (@library, @profiler) : ();
    return ('./perl', $taint || (), @first, @init, $file);
}

sub run_file {
    my ($file, @profiler) = @_;
    my @command = command($file, @profiler);
    my $of = outcome("$scratch/" . ++$run, \@command, env => { PERL5OPT => "@library @profiler" });
    my $captures = grep { count($_) } grep { !/\.sources$/ } glob "$scratch/capture*";
    $of->{capture} = 'missing' if @profiler && !$captures;
    unlink glob "$scratch/capture*";
    return $of;
}

# Adds a capture to the counts, if it can be read and has something.
sub count {
    my ($capture) = @_;
    my ($info, $dump) = map { scalar qx{"$nytprof/build/nytprof" $_ "$capture" 2>/dev/null} } qw(info dump);
    return 0 if $info !~ $has_some;
    $count{captures}++;
    $count{samples} += $1 =~ tr/,//dr if $info =~ /\bsamples: ([\d,]+)/;
    $count{lost}    += $1 while $dump =~ /key="samples_lost" value="(\d+)"/g;
    return 1;
}
