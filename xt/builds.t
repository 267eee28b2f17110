# SPDX-License-Identifier: MIT
# Real builds, from Debian's source packages, bare and under `nytprof make`: the same output, status and files; and the
# capture has each process that strace has seen, with its status.
#
#   prove -b xt/builds.t                 those that CI runs: a minute of CPU time
#   prove -b xt/builds.t :: all          all of them
#   prove -b xt/builds.t :: ninja ...    those with such a name
use strict;
use warnings;

use Cwd qw(getcwd);
use Digest::SHA;
use File::Find qw(find);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../t/lib";
use Build qw($NYTPROF $WRAPPER clean in recorded records);
use Traced qw(started trace);
use Tree qw(slurp spew which);

my $CMAKE = 'cmake -S . -B b -DCMAKE_BUILD_TYPE=Debug';
my @BUILDS = (
    { name => 'autotools', package => 'hello', script => './configure -q && make -j2' },
    { name => 'cmake, makefiles', package => 'cjson', script => "$CMAKE -DENABLE_CJSON_TEST=Off && make -j2 -C b" },
    { name => 'cmake, ninja',     package => 'cjson', script => "$CMAKE -G Ninja && ninja -C b && ninja -C b test" },
    { name => 'cmake, remake', package => 'cjson', needs => 'remake',
        script => "$CMAKE -DCMAKE_MAKE_PROGRAM=remake -DENABLE_CJSON_TEST=Off && remake -j2 -C b" },
    { name => 'cmake, samu', package => 'cjson', needs => 'samu',
        script => "$CMAKE -G Ninja -DCMAKE_MAKE_PROGRAM=samu && samu -C b" },
    { name => "a Perl module's tests", package => 'libtry-tiny-perl', options => ['--children'],
        script => 'perl Makefile.PL && make && make test' },
    { name => 'autotools, program in place of sh', package => 'hello', options => [qw(--method shell)], is_long => 1,
        script => './configure -q && make -j2 && make check' },
    { name => 'autotools, distcheck', package => 'hello', is_long => 1,
        script => './configure -q && make -j2 && make -j2 distcheck TEXI2DVI=true' },    # without TeX
    { name => 'this project', is_long => 1, script => 'perl Makefile.PL && make -j2' },
);
my $SHELL    = '/bin/bash'; # of hello's makefiles, which print it
my $STARTERS = qr{(?:^|/)(?:g?make|remake|ninja|samu)$};

# Lines and files that differ between two bare builds: times, pids, what has them, and what cmake sorts by addresses.
my $TIMES = qr/^Files=\d+, Tests=|^Total Test time|\d sec$|^\.* done\.$/;
my $STEP  = qr{^\[[ \d]+(?:%|/\d+)\] |(?<=am-dc-)\d+}; # jobs end in any order
my $VARY  = qr{(?:^|/)(?:config\.log|\.ninja_(?:log|deps)|CMake(?:Output|Error)\.log|CTestCostData\.txt|Last\w*\.log
    |Makefile2|[^/]*\.pot?)$}x;

plan skip_all => 'strace is not installed' if !which('strace');
clean();
my $top     = getcwd();
my $scratch = tempdir(CLEANUP => 1);
my $cache   = ($ENV{XDG_CACHE_HOME} // "$ENV{HOME}/.cache") . '/nytprof-builds';
delete @ENV{qw(PERL5LIB PERL5OPT)};
local @ENV{qw(LC_ALL SOURCE_DATE_EPOCH PERL_MM_USE_DEFAULT)} = ('C', 1_700_000_000, 1);

# The directory with the source of a package, which is fetched once; none if that fails.
sub source {
    my ($package) = @_;
    my $dir = "$cache/$package";
    return $dir if -e "$dir.fetched";
    remove_tree($dir);
    make_path($cache);
    my @fetch = ('bash', '-c', '. xt/lib/common.sh && fetch_source "$@"', 'bash', $package, $dir, "$scratch/lists");
    my $got = in($top, @fetch);
    if ($got->{status}) { diag("$package: " . substr $got->{err}, -500); return }
    unlink glob "$dir/*.orig.tar.*";
    spew("$dir.fetched", '');
    return $dir;
}

# A fresh copy, always in the same place, as paths get into results.
sub lay_out {
    my ($build) = @_;
    my $work = "$scratch/work";
    remove_tree($work);
    mkdir $work or die "$work: $!\n";
    my $source = $build->{package} && source($build->{package});
    return $build->{package} if $build->{package} && !$source;
    my $copy = $source ? "cp -a $source/. $work" : "sed 's/[[:space:]].*//' MANIFEST | xargs cp --parents -t $work";
    system($copy) == 0 or die "$copy: $?\n";
    return;
}

# The results: output by lines without regard to order, and files by digests; an archive, which has times, by names.
sub lines_of {
    my ($run) = @_;
    my @lines = map {s/\Q$WRAPPER\E/$SHELL/gr} split /\n/, "$run->{out}$run->{err}";
    return [ sort map {s/$STEP//gr} grep { !/$TIMES/ } @lines ];
}

sub files_of {
    my ($work) = @_;
    my %digest;
    find({ no_chdir => 1, wanted => sub {
        return if -l || !-f || /$VARY/;
        my $name = substr $_, 1 + length $work;
        $digest{$name} = /\.tar\.gz$/ ? qx(tar -tzf $_ | sort) : Digest::SHA->new(256)->addfile($_)->hexdigest;
    } }, $work);
    return \%digest;
}

sub differing {
    my ($x, $y) = @_;
    my %names = (%$x, %$y);
    return join ' ', sort grep { ($x->{$_} // '') ne ($y->{$_} // '') } keys %names;
}

# Each test file's profile names the process that has run it.
sub check_profiles {
    my ($work, $capture) = @_;
    my ($process, %target) = (recorded($capture));
    for my $profile (glob "$capture.out*") {
        my ($start) = records($profile, 'process_start') or next;
        my ($its) = map { $_->{value} } grep { $_->{key} eq 'build' } records($profile, 'property');
        $target{ $start->{program} } = $process->{ $its // 0 }{target} // 'unknown';
    }
    my @tests = map { substr $_, 1 + length $work } glob "$work/t/*.t";
    is_deeply [ grep { ($target{$_} // '') !~ /^test/ } @tests ], [], 'each test file has a profile, below its target';
}

my $chosen = join '|', @ARGV;
for my $build (grep { $chosen ? $chosen eq 'all' || $_->{name} =~ /$chosen/ : !$_->{is_long} } @BUILDS) {
    subtest $build->{name} => sub {
        my ($work, $capture, $log) = map {"$scratch/$_"} qw(work x.build strace);
        my @options = @{ $build->{options} // [] };
        plan skip_all => "$build->{needs} is not installed" if $build->{needs} && !which($build->{needs});
        my $missing = lay_out($build);
        plan skip_all => "the source of $missing cannot be had" if $missing;
        my $bare = in($work, 'sh', '-c', $build->{script});
        is $bare->{status}, 0, 'it can be built' or diag substr "$bare->{out}$bare->{err}", -3000;
        my $bare_files = files_of($work);

        lay_out($build);
        unlink glob "$capture*";
        my @make = ($NYTPROF, 'make', @options, '-o', $capture, '--', 'sh', '-c', $build->{script});
        my $run = in($work, trace($log, @make));
        is $run->{status}, $bare->{status}, 'the same status';
        is_deeply lines_of($run), lines_of($bare), 'the same output';
        is differing($bare_files, files_of($work)), '', 'the same files: ' . keys %$bare_files;

        my @all  = values %{ recorded($capture) };
        my @seen = started($log, "@options" =~ /shell/ ? qr/^\Q$WRAPPER\E$/ : $STARTERS);
        is_deeply [ sort map {"$_->{pid} $_->{status}"} grep { $_->{parent} } @all ], \@seen,
            'and the capture has the processes that strace has seen: ' . @seen;
        is scalar(grep { !$_->{parent} } @all), 1, 'below the command';
        check_profiles($work, $capture) if "@options" =~ /children/;
    };
}

done_testing;
