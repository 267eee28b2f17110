# SPDX-License-Identifier: MIT
# No bad access, as valgrind finds them, in the programs of the tests of calls, in some with threads, forks, many evals
# and several files, and in the Perl modules that read profiles. Perl itself has none in these programs.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Run qw(capture_of cases facts run under_profiler);

my @INCLUDES = grep {/^-I/} under_profiler();
my @VALGRIND = qw(valgrind -q --error-exitcode=99 --child-silent-after-fork=yes);

my %program = map { ($_->[0] => $_->[1]) } map { cases($_) } qw(leaving loops cases);
$program{'string evals'} =~ s/20_000/500/;
$program{threads} = 'use threads; sub work { my $x = 0; $x += $_ for 1 .. 200; $x } '
    . '$_->join for map { threads->create(\&work) } 1 .. 20; work();' . "\n";
$program{fork}  = 'sub f { 1 } for (1 .. 3) { if (!fork) { f(); exit } wait } exec "true";' . "\n";
$program{depth} = 'sub f { my $n = shift; $n ? f($n - 1) : die "deep\n" } eval { f(5000) }; print $@;' . "\n";
$program{files} = <<'END';
sub f { f2() } sub f2 { 1 }
sub g { DB::finish_profile(); f(); DB::enable_profile('nytprof.out'); f() }
f(); g(); DB::disable_profile(); f(); DB::enable_profile(); eval 'f()'; exec '/nonexistent'; f();
END
$program{'format 5'} = <<'END';
sub f { $_[0] && f($_[0] - 1); eval 'sub { 1 }' }
f($_) for 1 .. 9; if (!fork) { f(2); exit } wait;
END
my %options = ('format 5' => { format => 5, calls => 2, blocks => 1 }, files => { trace => 1, log => 'log' });

my $READING = <<'END';
use Devel::NYTProf::Data;
use Devel::NYTProf::ReadStream 'for_chunks';
my $profile = Devel::NYTProf::Data->new({ filename => $ARGV[0], quiet => 1 });
open my $out, '>', 'dump' or die;
$profile->dump_profile_data({ filehandle => $out, separator => "\t" });
my $events = 0;
for_chunks { $events++ } filename => $ARGV[0];
print "$events\n";
END

plan skip_all => 'NOT SHOWN: there is no valgrind' if system 'valgrind --version >/dev/null 2>&1';
for my $title (sort keys %program) {
    my $bare = run($program{$title}, switches => []);
    my $run  = run($program{$title}, before => \@VALGRIND, options => $options{$title} // {});
    isnt $run->{exit}, 99, $title or diag $run->{err};
    is $run->{exit}, $bare->{exit}, 'the same exit code' if $program{$title} !~ /DB::/;
    ok keys %{ facts($run)->{line} }, 'and a profile' if $title ne 'format 5';
    next if !$options{$title};
    my $read = run($READING, before => \@VALGRIND, switches => [@INCLUDES], args => [ capture_of($run) ]);
    is $read->{exit}, 0, 'which can be read' or diag $read->{err};
    like $read->{out}, qr/^\d{2,}$/m, 'and tells events';
}
done_testing;
