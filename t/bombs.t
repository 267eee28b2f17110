# SPDX-License-Identifier: MIT
# Profiles of some ten kilobytes that claim millions of things (t/lib/Bombs.pm): every verb ends with a report or a
# message, in 1.25 s of CPU time and 200 MB of memory; so do the modules for Perl. On a slow or busy machine it may be
# as much longer as a loop takes longer than 0.15 s there. Here each bomb meets some of the verbs in turns; `perl
# t/bombs.t --all` lets it meet all.
use strict;
use warnings;

use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/lib";
use Bombs qw(bombs);
use Capture qw(has_zlib nytprof);
use Profiled qw(used);
use Run qw(run);
use Tree qw(slurp spew);

plan skip_all => 'without zlib there are no deflated profiles' if !has_zlib();
my $ALL  = (shift // '') eq '--all';

# Sanitizers need more of both.
my $is_watched = ($ENV{LD_PRELOAD} // '') =~ /asan/;
my $TURN   = $is_watched ? 1 : 2;        # verbs for each bomb
my $LIMITS = $is_watched ? 'ulimit -t 60' : 'ulimit -t 20 && ulimit -v 800000';
my ($MS, $KB) = $is_watched ? (60_000, 4e6) : (1250, 200_000);
my $LOOP = 'my $x = 0; for my $n (1 .. 3_000_000) { $x = ($x + $n * 7) % 1_000_003 }';
# Thousands of small files are written to memory: some file systems take a second to create as many.
my $dir = tempdir(CLEANUP => 1, -w '/dev/shm' ? (DIR => '/dev/shm') : ());

my ($list) = nytprof('list');
my @verbs = map { [$_] } grep { !/^(?:flamegraph|push|top)$/ } map {/^  (\w+) /mg}
    map {/^(?:Look|Export):\n((?:  .*\n)+)/mg} $list;
push @verbs, [ 'html', '--single' ], [ 'samples', '--period=0.000000001' ], ['info'], ['dump'], ['merge'],
    [ 'merge', "$FindBin::Bin/data/v5-plain.out" ], [ 'top', '--once' ],
    [ 'diff', "$FindBin::Bin/data/v5-plain.out" ];

# Milliseconds of CPU time that are one second here and now.
sub second { my ($loop) = used('', $^X, '-e', $LOOP); return $loop > 150 ? $MS * $loop / 150 : $MS }

# The command's exit status, with that of a signal above 128; what it says on standard error; its CPU time and memory.
sub measured {
    my (@command) = @_;
    my $script = "$LIMITS; \"\$@\" >/dev/null 2>'$dir/err'; echo \$? >'$dir/status'";
    my ($ms, $kb) = used('', 'sh', '-c', $script, 'sh', @command);
    return (0 + slurp("$dir/status"), slurp("$dir/err"), $ms, $kb);
}

# The same, as tests of the limits; a time is measured again if it was too long, beside other work perhaps.
sub limited {
    my ($title, @command) = @_;
    my ($end, $said, $ms, $kb) = measured(@command);
    my $limit = $MS;
    for (1 .. 3) {
        last if $ms <= $limit || $end > 128;
        $limit = second();
        (undef, undef, my $again) = measured(@command);
        $ms = $again if $again < $ms;
    }
    cmp_ok $ms, '<=', $limit, "$title: CPU time";
    cmp_ok $kb, '<=', $KB, "$title: memory";
    return ($end, $said);
}

sub by_verb {
    my ($title, $verb, @arguments) = ($_[0], @{ $_[1] });
    my @out  = $verb =~ /^(?:info|dump|build|top)$/ ? () : ('-o', "$dir/out");
    my @file = ($verb eq 'callers' ? 'main::f' : (), "$dir/bomb", grep { !/^-/ } @arguments);
    my @said = limited($title, "$FindBin::Bin/../build/nytprof", $verb, @out, (grep {/^-/} @arguments), @file);
    remove_tree("$dir/out");
    return @said;
}

my $EVENTS = <<'END_OF_PERL';
use Devel::NYTProf::ReadStream qw(for_chunks);
my $n = 0;
eval { for_chunks { $n++ } filename => $ARGV[0], quiet => 1; 1 } or print STDERR $@;
END_OF_PERL
my $DATA = <<'END_OF_PERL';
use Devel::NYTProf::Data;
my $profile = eval { Devel::NYTProf::Data->new({ filename => $ARGV[0], quiet => 1 }) } or die $@;
$_->sum_of_stmts_time, $_->srclines_array, $_->subs_defined for $profile->all_fileinfos;
$_->caller_places for values %{ $profile->subname_subinfo_map };
open my $null, '>', '/dev/null' or die;
$profile->dump_profile_data({ filehandle => $null });
END_OF_PERL
my %BY_PERL = (events => $EVENTS, data => $DATA);

# By a process of its own, as the memory of this one would count for commands that it runs.
sub make {
    my ($bytes_of) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        spew("$dir/bomb", $bytes_of->());
        POSIX::_exit(0);
    }
    waitpid $pid, 0;
    return $? == 0;
}

# --- honest programs, whose captures deflate best, are read as a whole ------------------------------------------------

my %HONEST = (
    'a deep recursion' => 'no warnings; sub r { my $n = shift; r($n - 1) if $n } r(100_000); r(100_000);',
    'string evals'     => 'for my $n (1 .. 3000) { eval "sub f$n { $n } f$n(); sub { 1 }->()" }',
    'equal evals'      => 'eval "1" for 1 .. 20_000',
    'calls in order'   => 'sub f { 1 } f() for 1 .. 50_000',
    'generated source' => join('', "my \$x;\n", "\$x = 1;\n" x 50_000),
);
for my $title (sort keys %HONEST) {
    my %options = (maxevals => 100_000, maxsiteevals => 100_000, $title =~ /order/ ? (calls => 2) : ());
    my $run = run($HONEST{$title}, options => \%options);
    like((nytprof('info', "$run->{dir}/nytprof.out"))[0], qr/^whole +yes$/m, "$title: whole");
}

# --- bombs ------------------------------------------------------------------------------------------------------------

my @from = ($^X, map {"-I$FindBin::Bin/../blib/$_"} 'lib', 'arch');
my $next = 0;
for my $bomb (bombs()) {
    my ($title, $bytes_of) = @$bomb;
    ok make($bytes_of), "$title: is made";
    cmp_ok -s "$dir/bomb", '<=', 65_536, "$title: a small file";
    for my $verb ($ALL ? @verbs : map { $verbs[ $next++ % @verbs ] } 1 .. $TURN) {
        my ($end, $said) = by_verb("$title: @$verb", $verb);
        like $end, qr/^[01]$/, "$title: @$verb" or diag $said;
        like $said, qr/^nytprof: \S/m, "$title: @$verb says why it fails" if $end eq '1';
    }
    for my $what (sort keys %BY_PERL) {
        my ($end, $said) = limited("$title: $what by Perl", @from, '-e', $BY_PERL{$what}, "$dir/bomb");
        cmp_ok $end, '<', 128, "$title: $what by Perl";
        unlike $said, qr/out of memory/i, "$title: in bounded memory";
    }
}
done_testing;
