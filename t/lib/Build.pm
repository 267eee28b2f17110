# SPDX-License-Identifier: MIT
package Build;

# Runs commands bare and under `nytprof make`, and reads the captures of builds.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use File::Temp qw(tempdir);

our @EXPORT_OK = qw($NYTPROF $WRAPPER $LIBRARY in records recorded clean);

my $TOP = abs_path(dirname(__FILE__) . '/../..');
our $NYTPROF = "$TOP/build/nytprof";
our ($WRAPPER, $LIBRARY) = map {"$TOP/build/builds/$_"} qw(sh libnytprof-build.so);

# What this test itself runs under is none of the build's.
sub clean { delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES NYTPROF NYTPROF_BUILD NYTPROF_TARGET)}; return }

# Runs a command in a directory, and returns { out, err, status }: texts, and the status as of waitpid.
sub in {
    my ($dir, @command) = @_;
    my $said = tempdir(CLEANUP => 1);
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        chdir $dir or die "$dir: $!\n";
        open STDOUT, '>', "$said/out" or die;
        open STDERR, '>', "$said/err" or die;
        { exec { $command[0] } @command };
        print STDERR "$command[0]: $!\n";
        require POSIX;
        POSIX::_exit(127);
    }
    waitpid $pid, 0;
    my %run = (status => $?);
    for my $what (qw(out err)) {
        open my $in, '<:raw', "$said/$what" or die;
        local $/;
        $run{$what} = <$in> // '';
    }
    $run{err} =~ s/^nytprof: make: (.*)\n\z//m and $run{told} = $1;
    return \%run;
}

# The records of a kind in a capture, each { field => value }.
sub records {
    my ($capture, $kind) = @_;
    open my $in, '-|', $NYTPROF, 'dump', $capture or die "$NYTPROF: $!\n";
    my @records;
    while (<$in>) {
        next if !s/^\Q$kind\E //;
        my %record;
        while (/(\w+)=(?:"((?:[^"\\]|\\.)*)"|(\S+))/g) {
            my ($field, $text, $number) = ($1, $2, $3);
            if (defined $text) {
                $text =~ s/\\x(..)|\\(.)/defined $1 ? chr hex $1 : $2/ge;
                $number = $text;
            }
            $record{$field} = $number;
        }
        $record{argv} = [ split /\0/, $record{command} ] if exists $record{command};
        push @records, \%record;
    }
    close $in or die "$NYTPROF dump $capture: $?\n";
    return @records;
}

# The processes of a capture by their start, each with what its exit record has.
sub recorded {
    my ($capture) = @_;
    my %process = map { ($_->{start} => $_) } records($capture, 'process');
    for my $exit (records($capture, 'exit')) {
        my ($start) = $exit->{start} || (sort { $b <=> $a }
            grep { $process{$_}{pid} == $exit->{pid} && $_ < $exit->{end} } keys %process);
        next if !$start || !$process{$start};
        $process{$start} = { %$exit, %{ $process{$start} }, exits => 1 + ($process{$start}{exits} // 0) };
    }
    return \%process;
}

1;
