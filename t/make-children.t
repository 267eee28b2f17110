# SPDX-License-Identifier: MIT
# `nytprof make --children`: the profile of a script is found from the process of the build that has run it.
use strict;
use warnings;

use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Build qw($NYTPROF clean in recorded records);
use Tree qw(slurp spew which);

plan skip_all => 'records builds on Linux only' if $^O ne 'linux';
plan skip_all => 'make is not installed' if !which('make');
clean();

my $dir = tempdir(CLEANUP => 1);
mkdir "$dir/sub" or die "$dir/sub: $!\n";
spew("$dir/direct.pl", "print qq(direct\\n);\n");
spew("$dir/sub/deep.pl", "if (!fork) { exit } wait; system \$^X, '-e', 'print qq(below\\n)'; exit 3\n");
spew("$dir/Makefile", <<"END" =~ s/^ {4}/\t/gmr);
all: direct deep plain
direct:
    \@$^X direct.pl
deep:
    -\@cd sub && sh -c 'true; sh -c "$^X deep.pl; exit \$\$?"'
plain:
    \@echo plain
END

# { script => [ target of the process that its capture names ] } of all captures beside the build's.
sub linked {
    my ($build) = @_;
    my ($process, %linked) = (recorded($build));
    for my $capture (glob "$build.out*") {
        my ($start) = records($capture, 'process_start');
        my ($its) = map { $_->{value} } grep { $_->{key} eq 'build' } records($capture, 'property');
        push @{ $linked{ $start->{program} } }, $its && $process->{$its} ? $process->{$its}{target} : 'unknown';
    }
    return \%linked;
}

my $wanted = { 'direct.pl' => ['direct'], 'deep.pl' => [qw(deep deep)], '-e' => ['deep'] };
my $bare = in($dir, 'make');
for my $method (qw(preload shell)) {
    my $build = "$dir/$method.build";
    my $run = in($dir, $NYTPROF, 'make', '--children', '--method', $method, '-o', $build, 'make');
    is_deeply [ @$run{qw(out status)} ], [ @$bare{qw(out status)} ], "$method: the build does what it does bare";
    is_deeply linked($build), $wanted, 'each profile names the process that has run the script, at any depth';
    my ($listed) = in($dir, $NYTPROF, 'build', '-t', $build)->{out} =~ /^(PROFILES .*?)\n\n(?=[A-Z])/ms;
    like $listed, qr/ \(4\):$/m, 'nytprof build lists them';
    my %file = reverse $listed =~ /^ +[\d.]+ s  (\S+)  (\S+)$/mg;
    is_deeply [ sort keys %file ], [ sort keys %$wanted ], 'by the names of the scripts';
    is_deeply [ map { (records($_, 'process_start'))[0]{program} } @file{ sort keys %file } ], [ sort keys %file ],
        'and of their files';
}

# --- from the page of a build to reports on its scripts ---------------------------------------------------------------

# The rows of the page's table of profiles: [script, link or command].
sub rows {
    my ($capture) = @_;
    in($dir, $NYTPROF, 'html', '--single', '-o', "$dir/page.html", $capture)->{status} == 0 or die;
    my ($body) = slurp("$dir/page.html") =~ m{<h2 id=profiles>.*?<tbody>\n(.*?)</tbody>}s or return;
    return map { [ m{<td class=text>[^<]*<td class=text>([^<]*)<td class=name>(.*)</tr>} ] } split /\n/, $body;
}

my $odd = "$dir/it's #1 & 50%.build";
in($dir, $NYTPROF, 'make', '--children', '-o', $odd, 'make');
my @commands = rows($odd);
is_deeply [ sort map { $_->[0] } @commands ], [qw(-e deep.pl deep.pl direct.pl)], 'the page has each script';
my $script = join '', map { s/&#39;/'/gr =~ s/&amp;/&/gr . "\n" } map { $_->[1] } @commands;
is in($dir, 'sh', '-ec', $script =~ s{^nytprof }{'$NYTPROF' }gmr)->{err}, '', 'with the command that makes a report';
my %seen;
for my $row (rows($odd)) {
    my ($file) = $row->[1] =~ m{^<a href="file://([^"]+)">};
    my $report = $file ? slurp($file =~ s/%(..)/chr hex $1/ger) : '';
    like $report, qr{<h1>[^\n]*\Q$row->[0]\E}, "the link behind $row->[0] leads to its report";
    is $seen{ $file // '' }++, 0, 'to no other';
}

# --- captures that are none of the build's ----------------------------------------------------------------------------

my $build = "$dir/preload.build";
sub count_of {
    my ($capture) = @_;
    return in($dir, $NYTPROF, 'build', '-t', $capture)->{out} =~ /^PROFILES .*\((\d+)\)/m ? $1 : 0;
}

mkdir "$dir/moved" or die;
copy($_, "$dir/moved") or die for $build, glob "$build.out*";
is count_of("$dir/moved/preload.build"), 4, 'in another directory they are found beside the build, too';
unlink "$dir/moved/preload.build.out" or die;
is count_of("$dir/moved/preload.build"), 3, 'a profile that was removed is not in the list';
spew("$dir/moved/preload.build.out.1", 'no capture');
mkdir "$dir/moved/preload.build.out.2" or die;
copy("$build.out", "$dir/moved/preload.build.$_") or die for qw(other outer);
symlink "$build.out", "$dir/moved/preload.build.out.3" or die;
is count_of("$dir/moved/preload.build"), 3, 'nor is a file of another kind or name, or a link';

in($dir, $NYTPROF, 'make', '--children', '-o', "$dir/moved/preload.build", 'make', 'direct');
is count_of("$dir/moved/preload.build"), 1, 'nor are profiles of an earlier build of this name';

in($dir, $NYTPROF, 'run', '-o', "$dir/alone.out", "$dir/direct.pl");
is_deeply [ grep { $_->{key} eq 'build' } records("$dir/alone.out", 'property') ], [],
    'a script outside of a build names none';
{
    local $ENV{NYTPROF_BUILD} = 'junk';
    is in($dir, $NYTPROF, 'run', '-o', "$dir/alone.out", "$dir/direct.pl")->{out}, "direct\n", 'junk in the variable';
}

done_testing;
