# SPDX-License-Identifier: MIT
# Profiles of some ten kilobytes that claim millions of things (t/lib/Bombs.pm): every verb ends with a report or a
# message, in 3 s of CPU time and 400 MB of address space; so do the modules for Perl, in 5 s. Here each bomb meets some
# of the verbs in turns; `perl t/bombs.t --all` lets it meet all.
use strict;
use warnings;

use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Bombs qw(bombs);
use Capture qw(has_zlib nytprof);
use Run qw(run);
use Tree qw(slurp spew);

plan skip_all => 'without zlib there are no deflated profiles' if !has_zlib();
my $ALL  = (shift // '') eq '--all';

# Sanitizers reserve terabytes of addresses, and need more time.
my $is_watched = ($ENV{LD_PRELOAD} // '') =~ /asan/;
my $TURN   = $is_watched ? 1 : 2;        # verbs for each bomb
my $LIMITS = $is_watched ? 'ulimit -t 60' : 'ulimit -t %d && ulimit -v 400000';
my $dir    = tempdir(CLEANUP => 1);

my ($list) = nytprof('list');
my @verbs = map { [$_] } grep { $_ ne 'flamegraph' } map {/^  (\w+) /mg}
    map {/^(?:Look|Export):\n((?:  .*\n)+)/mg} $list;
push @verbs, [ 'html', '--single' ], [ 'samples', '--period=0.000000001' ], ['info'], ['dump'], ['merge'],
    [ 'merge', "$FindBin::Bin/data/v5-plain.out" ];

# The program's exit status, or the name of what ended it; and what it says on standard error.
sub limited {
    my ($seconds, @command) = @_;
    my $limits = $LIMITS =~ s/%d/$seconds/r;
    my $status = system 'sh', '-c', "$limits && exec \"\$@\" >/dev/null 2>'$dir/err'", 'sh', @command;
    return $status & 127 ? 'signal ' . ($status & 127) : $status >> 8, slurp("$dir/err");
}

sub by_verb {
    my ($verb, @arguments) = @{ $_[0] };
    my @out  = $verb =~ /^(?:info|dump|build)$/ ? () : ('-o', "$dir/out");
    my @file = ($verb eq 'callers' ? 'main::f' : (), "$dir/bomb", grep { !/^-/ } @arguments);
    my @said = limited(3, "$FindBin::Bin/../build/nytprof", $verb, @out, (grep {/^-/} @arguments), @file);
    remove_tree("$dir/out");
    return @said;
}

my $PERL = <<'END_OF_PERL';
use Devel::NYTProf::Data;
use Devel::NYTProf::ReadStream qw(for_chunks);
my ($file) = @ARGV;
my $n = 0;
eval { for_chunks { $n++ } filename => $file, quiet => 1; 1 } or print STDERR $@;
my $profile = eval { Devel::NYTProf::Data->new({ filename => $file, quiet => 1 }) } or die $@;
$_->sum_of_stmts_time, $_->srclines_array, $_->subs_defined for $profile->all_fileinfos;
$_->caller_places for values %{ $profile->subname_subinfo_map };
open my $null, '>', '/dev/null' or die;
$profile->dump_profile_data({ filehandle => $null });
END_OF_PERL
my @BY_PERL = ($^X, (map {"-I$FindBin::Bin/../blib/$_"} 'lib', 'arch'), '-e', $PERL);

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

my $next = 0;
for my $bomb (bombs()) {
    my ($title, $make) = @$bomb;
    spew("$dir/bomb", $make->());
    cmp_ok -s "$dir/bomb", '<=', 65_536, "$title: a small file";
    for my $verb ($ALL ? @verbs : map { $verbs[ $next++ % @verbs ] } 1 .. $TURN) {
        my ($end, $said) = by_verb($verb);
        like $end, qr/^[01]$/, "$title: @$verb" or diag $said;
        like $said, qr/^nytprof: \S/m, "$title: @$verb says why it fails" if $end eq '1';
    }
    my ($end, $said) = limited(5, @BY_PERL, "$dir/bomb");
    unlike $end, qr/signal/,        "$title: by Perl";
    unlike $said, qr/out of memory/i, "$title: in bounded memory";
}
done_testing;
