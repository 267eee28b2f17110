# SPDX-License-Identifier: MIT
# 9 files of format 5 as nobody means to write them: the tools and the Perl modules say what there is, in bounded time.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(min);
use Test::More;
use Time::HiRes qw(clock_gettime CLOCK_PROCESS_CPUTIME_ID);

use lib "$FindBin::Bin/lib", map {"$FindBin::Bin/../blib/$_"} 'lib', 'arch';
use Capture qw(nytprof);
use Devel::NYTProf::Data;
use Devel::NYTProf::FileHandle;
use Run qw(run under_profiler without_quarantine);
use Tree qw(slurp);

my $dir  = tempdir(CLEANUP => 1);
my $file = "$dir/v5.out";

# --- line numbers up to the greatest there is -------------------------------------------------------------------------

my $LAST = 2**32 - 1;
written(sub {
    my ($to) = @_;
    $to->write_time_block(10, 0, 1, $LAST, $LAST, $LAST);
    $to->write_src_line(1, 1, "the first line\n");
    $to->write_sub_info(1, 'main::f', $LAST, $LAST);
    $to->write_sub_callers(1, $LAST, 'main::RUNTIME', 1, 1, 1, 0, 0, 'main::f');
});
for my $verb (qw(csv html)) {
    my (undef, $said, $exit) = nytprof($verb, '-o', "$dir/$verb", $file);
    is "$exit $said", '0 ', "$verb of a statement at line $LAST";
}
like slurp("$dir/csv/" . csv_files()), qr/^0\.000001,1,0\.000001,$/m, 'which has a row';
my $lines = profile()->get_fid_line_data->[1] || [];
cmp_ok scalar @$lines, '<', 20_000_000, 'Perl gets no array of four billions';

# --- a line that is none, and times below zero ------------------------------------------------------------------------

for my $ticks (1, -5) {
    written(sub { $_[0]->write_time_line($ticks, 0, 1, 0); $_[0]->write_time_line(-2**31, 0, 1, 2) });
    for my $verb (qw(html csv callgrind folded)) {
        my (undef, undef, $exit) = nytprof($verb, '-o', "$dir/$verb-0", $file);
        is $exit, 0, "$verb of a statement at line 0 that took $ticks ticks";
    }
}

# --- what can be read, but not without a word in the log --------------------------------------------------------------

my $EVAL_SUB = 'main::__ANON__[(eval 1)[/f.pl:1]:1]';
my @log = (
    # what is written besides, what is logged
    [ sub { }, '' ],
    [ sub { $_[0]->write_process_start(8, 7, 1000) }, qr/^Profile data incomplete, no terminator for 1 pids$/m ],
    [ sub { $_[0]->write(":nonsense\n") }, qr/a line without '=' where an attribute or option was expected/ ],
    [ sub { $_[0]->write_new_fid(2, 9, 3, 2, 0, 0, '(eval 1)[/f.pl:3]') }, qr/was run by file 9, which is unknown/ ],
    [ sub { twice($_[0], 'main::f') },                 qr/^Sub main::f is defined in more than one file$/m ],
    [ sub { twice($_[0], $EVAL_SUB) },                 '' ],
    [ sub { $_[0]->write_time_line(20_000_000, 0, 1, 1) }, qr/^The times of statements add up to 200\.0%/m ],
);
for my $case (@log) {
    my ($write, $expected) = @$case;
    written($write);
    my $run = run(undef, dir => $dir, options => { log => "$dir/log" }, files => { log => '' }, command => [
        $^X, (grep {/^-I/} under_profiler()), '-MDevel::NYTProf::Data', '-we', 'Devel::NYTProf::Data->new({
        filename => shift, quiet => 1 })', $file ]);
    is "$run->{out}$run->{err}$run->{exit}", '0', "no exception and no warning";
    $expected ? like slurp("$dir/log"), $expected, 'but this in the log' : is slurp("$dir/log"), '', 'no log';
}

# A log that dies, as one that a program has put there may, costs no memory.
my $GROWN = <<'END';
use Devel::NYTProf::Data;
sub size { open my $in, '<', '/proc/self/status' or return 0; join('', <$in>) =~ /^VmSize:\s+(\d+)/m ? $1 : 0 }
{ no warnings; *Devel::NYTProf::Core::_log = sub { die "full\n" } }
my $before;
for (1 .. 200) { eval { Devel::NYTProf::Data->new({ filename => $ARGV[0], quiet => 1 }) }; $before //= size() }
print $@, size() - $before < 20_000 ? 'flat' : 'grown';
END
written($log[1][0]);
local %ENV = (%ENV, without_quarantine());
is qx{'$^X' @{[ grep {/^-I/} under_profiler() ]} -e '@{[ $GROWN =~ s/'/'\\''/gr ]}' '$file'}, "full\nflat",
    'a profile whose log dies is closed';

sub twice {
    my ($to, $name) = @_;
    $to->write_new_fid(2, 0, 0, 2, 0, 0, '/g.pl');
    $to->write_sub_info($_, $name, 1, 1) for 1, 2;
    return;
}

# --- an attribute less ------------------------------------------------------------------------------------------------

written(sub { });
open my $to_text, '>', \my $text or die;
profile()->dump_profile_data({ separator => ' ', filehandle => $to_text });
like $text, qr{^fid_fileinfo 1 \[ /f\.pl   1 2 0 0 \]$}m, 'without perl_version nothing is taken off a name';

# --- very many string evals of one line -------------------------------------------------------------------------------

my ($few, $many) = map { seconds_for_evals($_) } 4000, 40_000;
cmp_ok $many / $few, '<', 25, 'merging ten times as many evals takes about ten times as long';
is scalar profile()->eval_fileinfos, 1, 'and they are one';

done_testing;

# A whole profile of one file, "/f.pl", with what is written besides.
sub written {
    my ($write) = @_;
    my $to = Devel::NYTProf::FileHandle::open($file, 'wb') or die "$file: $!\n";
    $to->write_header(5, 0);
    $to->write_attribute(ticks_per_sec => 10_000_000);
    $to->write_attribute(nv_size       => 8);
    $to->write_process_start(7, 1, 1000);
    $to->write_new_fid(1, 0, 0, 2, 0, 0, '/f.pl');
    $write->($to);
    $to->write_process_end(7, 1001);
    $to->close;
    return;
}

# CPU time, the least of three runs, as other programs take away caches.
sub seconds_for_evals {
    my ($n) = @_;
    written(sub {
        my ($to) = @_;
        for my $i (1 .. $n) {
            $to->write_new_fid($i + 1, 1, 3, 2, 0, 0, "(eval $i)[/f.pl:3]");
            $to->write_time_line(10, 0, $i + 1, 1);
            $to->write_sub_info($i + 1, "main::__ANON__[(eval $i)[/f.pl:3]:1]", 1, 1);
        }
    });
    return min(map { my $before = clock(); profile(); clock() - $before } 1 .. 3);
}

sub clock     { return clock_gettime(CLOCK_PROCESS_CPUTIME_ID) }
sub csv_files { my ($name) = map { m{([^/]+)\z} } glob "$dir/csv/*-line.csv"; return $name }
sub profile   { return Devel::NYTProf::Data->new({ filename => $file, quiet => 1 }) }
