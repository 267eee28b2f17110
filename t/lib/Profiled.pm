# SPDX-License-Identifier: MIT
package Profiled;

# Runs a program bare, under this profiler, under its peer (the Devel::NYTProf that the system's perl finds by itself)
# and under a counter of lines (Devel::LineCounter, which the caller's switches load), with the same order of hashes,
# and measures each in the same way.

use strict;
use warnings;

use Config;
use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use File::Temp qw(tempdir);

our @EXPORT_OK = qw(command has_peer read_profile cpu_seconds instructions unit_instructions median use_tree used
    $TOP);

our $TOP = abs_path(dirname(__FILE__) . '/../..');

# Switches of perl. All but the bare run have the same number of entries in @INC.
my %SWITCHES = (
    bare    => [],
    peer    => [ "-I$TOP/t/bench",  "-I$TOP/t/data",    '-d:NYTProf' ],
    counter => [ "-I$TOP/t/lib",    "-I$TOP/t/data" ],
);
use_tree($TOP);

# 'ours' is the profiler built in that directory.
sub use_tree {
    my ($top) = @_;
    $SWITCHES{ours} = [ "-I$top/blib/lib", "-I$top/blib/arch", '-d:NYTProf' ];
    return;
}

# The command line that runs perl's arguments @program under $who. `env` sets its environment: without PERL5LIB, as the
# peer could turn out to be this profiler, and with a fixed order of hashes, so that two runs do the same. %options are
# those of NYTPROF.
sub command {
    my ($who, $options, @program) = @_;
    my $nytprof = join ':', map {"$_=$options->{$_}"} sort keys %$options;
    my @environment = ('PERL_HASH_SEED=0', 'PERL_PERTURB_KEYS=0', "NYTPROF=$nytprof");
    return ('env', '-u', 'PERL5LIB', @environment, $^X, @{ $SWITCHES{$who} }, @program);
}

# The version of the peer, or nothing if there is none.
sub has_peer {
    my $version = qx{env -u PERL5LIB $^X -MDevel::NYTProf::Core -e 'print Devel::NYTProf::Core->VERSION' 2>&1};
    return $? == 0 ? $version : ();
}

# The data of a profile by the Perl API of $who: { sub => { NAME => inclusive seconds }, line => [ seconds ] }. Lines
# are those of the file $name; a string eval counts for the line that ran the outermost eval.
my $READER = <<'END';
use Devel::NYTProf::Data;
my ($file, $name) = @ARGV;
my $profile = Devel::NYTProf::Data->new({ filename => $file, quiet => 1 });
my $by_fid = $profile->get_fid_line_data('line');
for my $file ($profile->all_fileinfos) {
    my ($outer, $at) = $file->outer(1);
    next if ($outer || $file)->filename !~ m{(?:^|/)\Q$name\E$};
    my $times = $by_fid->[ $file->fid ] or next;
    print join("\t", 'line', $times->[$_][0], $at || $_), "\n" for grep { $times->[$_] } 0 .. $#$times;
}
print join("\t", 'sub', $_->incl_time, $_->subname), "\n" for values %{ $profile->subname_subinfo_map };
END

sub read_profile {
    my ($who, $file, $name) = @_;
    my @include = grep {/^-I/} @{ $SWITCHES{$who} };
    open my $in, '-|', 'env', '-u', 'PERL5LIB', '-u', 'NYTPROF', $^X, @include, '-e', $READER, $file, $name
        or die "perl: $!\n";
    my %profile = (sub => {}, line => []);
    while (my $row = <$in>) {
        chomp $row;
        my ($kind, $seconds, $key) = split /\t/, $row;
        if   ($kind eq 'sub') { $profile{sub}{$key} = $seconds }
        else                  { $profile{line}[$key] += $seconds }
    }
    close $in or die "$who cannot read $file\n";
    return \%profile;
}

# User plus system CPU seconds of a command and its children, to a millisecond, by the keyword of bash, which calls
# getrusage; perl's own times() counts in hundredths.
sub cpu_seconds {
    my (@command) = @_;
    open my $timed, '-|', 'bash', '-c', 'TIMEFORMAT="%3U %3S"; { time "$@" >/dev/null 2>&1; } 2>&1', 'bash', @command
        or die "bash: $!\n";
    my $times = <$timed>;
    close $timed;
    my ($user, $system) = ($times // '') =~ /^([\d.]+) ([\d.]+)$/ or die "no times for @command\n";
    return $user + $system;
}

# CPU milliseconds and peak kilobytes of a command that reads the file $input ('': nothing). A process of its own has
# this command as its only child.
sub used {
    my ($input, @command) = @_;
    my $pid = open my $told, '-|';
    die "fork: $!\n" if !defined $pid;
    if (!$pid) {
        print join ' ', used_by_child($input, @command);
        close STDOUT or die "pipe: $!\n";
        exec 'true';
    }
    my ($cpu, $rss) = split ' ', <$told> // '';
    close $told;
    return ($cpu, $rss);
}

# By getrusage, as perl's times() counts in hundredths and has no memory.
sub used_by_child {
    my ($input, @command) = @_;
    my ($number, $children, $buffer) = ($Config{archname} =~ /^aarch64/ ? 165 : 98, -1, "\0" x 144);
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        open STDIN,  '<', $input || '/dev/null' or die "$input: $!\n";
        open STDOUT, '>', '/dev/null'           or die "/dev/null: $!\n";
        open STDERR, '>&', \*STDOUT             or die "/dev/null: $!\n";
        exec @command or die "$command[0]: $!\n";
    }
    waitpid $pid, 0;
    syscall($number, $children, $buffer) == 0 or die "getrusage: $!\n";
    my ($user_s, $user_us, $system_s, $system_us, $rss) = unpack 'q5', $buffer;
    return (1e3 * ($user_s + $system_s) + 1e-3 * ($user_us + $system_us), $rss);
}

# User-space instructions of a command, counted by valgrind, but for those of windows that are due: they are written as
# time passes.
my @UNCOUNTED = ('--toggle-collect=nytp_flush', '--collect-atstart=yes');

sub instructions {
    my (@command) = @_;
    open my $counted, '-|', 'sh', '-c', '"$@" 2>&1', 'sh', 'valgrind', '--tool=callgrind', '--trace-children=yes',
        '--trace-children-skip=*/env', '--callgrind-out-file=/dev/null',
        @UNCOUNTED, @command
        or die "valgrind: $!\n";
    my $report = do { local $/; <$counted> };
    close $counted or die "@command fails under valgrind:\n$report";
    my ($count) = $report =~ /Collected : (\d+)/ or die "valgrind says nothing of @command:\n$report";
    return $count;
}

# Instructions of one unit of t/bench/units.pl, with more options of NYTPROF. The difference of two lengths of run
# leaves out the start and the end. Calibration depends on the time and would differ between the two under valgrind:
# overhead=raw, which has the same hooks, switches it off.
sub unit_instructions {
    my ($who, $unit, %more) = @_;
    my $dir = tempdir(CLEANUP => 1);
    my %options = (file => "$dir/out", $who eq 'ours' ? (overhead => 'raw', %more) : ());
    my ($short, $long) = map { instructions(command($who, \%options, "$TOP/t/bench/units.pl", $unit, $_)) } 500, 8_500;
    return ($long - $short) / 80_000;
}

sub median {
    my @sorted = sort { $a <=> $b } @_;
    return $sorted[ $#sorted / 2 ];
}

1;
