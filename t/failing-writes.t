# SPDX-License-Identifier: MIT
# Disks that fail: the n-th write, rename or close fails, for a fifth of all n of a small run, or for all (Failing's
# stride). A program goes on as if nothing were wrong, its profile is whole or it is said that it is not; a report is
# whole or it is not there. A write that is interrupted or does a part of its work is no failure, nor are 200 signals
# meanwhile.
use strict;
use warnings;

use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Builds qw(small);
use Failing qw(command_program lua_directory perl_directory ruby_directory stride toy_program);
use Lua qw(interpreter luas);
use Pages qw(fixtures);
use Profiled qw($TOP);
use Ruby qw(why_not);
use Run qw(captures_in run under_profiler);
use Tree qw(slurp spew);

my $STRIDE     = $ENV{FAIL_STRIDE} = stride();
my @FAILURES   = qw(enospc eio nothing);
my @TRANSIENTS = qw(short eintr);
my %IS_COUNTED = (eio => 'renames and ends', enospc => 'renames');    # beside writes: see t/fail/system.c
my $NYTPROF    = "$TOP/build/nytprof";

# --- reading: every verb ----------------------------------------------------------------------------------------------

my $verbs = command_program();
my $dir   = tempdir(CLEANUP => 1);
copy($_, $dir) or die "$_: $!\n" for glob(fixtures() . '/*.out'), glob("$TOP/t/data/*.out"),
    glob("$TOP/xt/fuzz/corpus/{ninja,trace}-*");
chdir $dir or die "$dir: $!\n";
my ($list) = run(undef, dir => $dir, command => [ $NYTPROF, 'list' ])->{out};
my %is_other = map { ($_ => 1) } qw(run attach top make build import diff flamegraph push merge info dump clocks
    selftest completion list help);
my @reports  = grep { !$is_other{$_} } $list =~ /^  (\w+) /mg;
cmp_ok scalar @reports, '>=', 18, 'reports';
spew("$dir/small.build", small());
spew("$dir/lines", run(undef, dir => $dir, command => [ $NYTPROF, qw(folded calls.out) ])->{out});

for my $how (@FAILURES, @TRANSIENTS) {
    for my $report (@reports) {
        my $out = $report =~ /^(?:html|csv)$/ ? 'OUT' : 'OUT/page';
        reading($how, $report, '-o', $out, $report eq 'callers' ? 'main' : (), 'calls.out');
    }
    reading($how, 'html', '--single', '-o', 'OUT/page', 'calls.out');
    reading($how, 'callgrind', '--split', '-o', 'OUT/page', 'calls.out');
    reading($how, 'flamegraph', '-o', 'OUT/flame.svg', 'lines');
    reading($how, 'merge', '-o', 'OUT/merged', @$_) for ['calls.out'], [qw(v5-plain.out v5-child.out)],
        [qw(calls.out v5-plain.out)];
    reading($how, qw(diff --format), $_, '-o', 'OUT/page', 'small.build', 'small.build') for qw(text json html);
    reading($how, qw(diff --format), $_, qw(-o OUT/page calls.out v5-plain.out)) for qw(text json html folded);
    reading($how, 'import', '-o', 'OUT/build', glob '{ninja,trace}-*');
}

# Standard output, up to each length that a file may have.
for my $way (map({ [$_] } qw(info dump), grep { !/^(?:html|csv|pprof|syscap)$/ } @reports), [qw(flamegraph -o -)]) {
    my @command = (@$way, @$way == 1 && $way->[0] !~ /^(?:info|dump)$/ ? ('-o', '-') : ());
    push @command, 'main' if $way->[0] eq 'callers';
    push @command, $way->[0] eq 'flamegraph' ? 'lines' : 'calls.out';
    my $whole = run(undef, dir => $dir, command => [ $NYTPROF, @command ]);
    my $n = length $whole->{out};
    my @wrong;
    for my $most (grep { $_ > 60 } 100, int($n / 2), $n - 1, $n) {    # the message, too, is written to a file
        my $run = run(undef, dir => $dir, command => [ 'prlimit', "--fsize=$most", $NYTPROF, @command ]);
        my $message = $most < $n ? "nytprof: cannot write standard output: File too large\n" : '';
        push @wrong, "$most bytes of $n: $run->{signal} $run->{exit} $run->{err}"
            if "$run->{signal} $run->{exit}" ne ($most < $n ? '0 1' : '0 0') || $run->{err} ne $message;
    }
    is join("\n", @wrong), '', "@command: a limit of the size of files" if -x '/usr/bin/prlimit';
}

# --- recording: the kit alone, Perl, Lua, Ruby -----------------------------------------------------------------------

my @WAYS = ({}, { calls => 2 }, { format => 5 }, { compress => 0 });
my $toy  = toy_program();
recording('the toy', command => [ $toy, 'prog.toy' ], files => { 'prog.toy' => slurp("$TOP/t/toy/prog.toy") });

recording('Perl', switches => [ '-I' . perl_directory(), under_profiler() ], files => { 'prog.pl' => <<'END' });
sub f { my $n = shift; return $n < 1 ? 0 : f($n - 1) + 1 }
$SIG{WINCH} = sub { };
print f(5), "\n";
eval "sub g$_ { $_ } g$_()" for 1 .. 3;
DB::disable_profile();
print "off\n";
DB::enable_profile();
$! = 0;
f(3);
print $! + 0, "\n";
system "exit 3";
print $? >> 8, "\n";
if (my $pid = fork) { waitpid $pid, 0 }
else { f(3); exit 4 }
print $? >> 8, "\n";
DB::enable_profile('nytprof.out.second');
f(2);
DB::finish_profile();
END { print "end\n"; $? = 5 }
END

my ($versions) = luas();
for my $version (@$versions) {
    recording("Lua $version", command => [ interpreter($version), '-lnytprof', 'prog.lua' ],
        env => { LUA_CPATH => lua_directory($version) . '/?.so' }, files => { 'prog.lua' => <<'END' });
local function f(n) if n < 1 then return 0 end return f(n - 1) + 1 end
print(f(5))
print(load("return 1 + 1")())
os.exit(5, true)
END
}

my $no_ruby = why_not();
SKIP: {
    skip $no_ruby, 1 if $no_ruby;
    my @ruby = ('ruby', '--disable-gems', '-I' . ruby_directory(), '-rnytprof', 'prog.rb');
    recording('Ruby', command => \@ruby, files => { 'prog.rb' => <<'END' });
def f(n) = n < 1 ? 0 : f(n - 1) + 1
p f(5), eval("1 + 1")
Thread.new { f(2) }.join
Process.wait(fork { f(3); exit! 3 })
p $?.exitstatus
exit 5
END
}

done_testing;

# A verb, with OUT for the directory that it is to write to.
sub reading {
    my ($how, $verb, @arguments) = @_;
    my $scratch = tempdir(CLEANUP => 1);
    s/^OUT/$scratch\/out/ for @arguments;
    my $said = qx{FAIL_AS=$how '$verbs' '$scratch' $verb @arguments 2>&1};
    my ($all) = $said =~ /^(\d+) writes/m;
    is $said =~ s/^[1-9]\d* writes.*, 0 wrong\n//mr, '', join ' ', "$how: $verb",
        (map { s/^\Q$scratch\E\///r } @arguments), '(' . ($all // 'none') . ')';
    return;
}

# A program, with what it does on a disk that works beside what it does when the disk fails.
sub recording {
    my ($who, %is) = @_;
    for my $options (@WAYS) {
        my ($all, @wrong, %good) = (0);
        for my $how (@FAILURES, @TRANSIENTS, $who eq 'Perl' ? 'storm' : ()) {
            my $good = $good{ $IS_COUNTED{$how} // '' } //= record($options, $how, 0, %is);
            ($all) = $good->{count} =~ /^(\d+)$/ or return fail("$who runs: $good->{err}");
            for (my $n = 1; $n <= $all; $n += $STRIDE) {
                my $why = difference($good, record($options, $how, $n, %is), $how);
                push @wrong, "$how $n: $why" if $why;
            }
        }
        my $ways = join ' ', map {" $_=$options->{$_}"} sort keys %$options;
        is join("\n", @wrong), '', "$who$ways: $all writes";
    }
    return;
}

sub record {
    my ($options, $how, $n, %is) = @_;
    my %env = (%{ $is{env} // {} }, FAIL_AS => $how, FAIL_AT => $n, FAIL_COUNT => 'count');
    my $run = run(undef, %is, options => { clock => 'fake', %$options }, env => \%env);
    return { %$run, count => -e "$run->{dir}/count" ? slurp("$run->{dir}/count") : '',
        captures => [ map {"$run->{dir}/$_"} captures_in($run->{dir}) ] };
}

# How many captures of a run there are, and how many of them are not whole: both are asked of silent runs only.
sub remains {
    my ($run) = @_;
    return $run->{remains} //= do {
        my @captures = @{ $run->{captures} };
        my @each  = ('/bin/sh', '-c', 'for capture; do "$0" info "$capture"; done', $NYTPROF);
        my $info  = run(undef, dir => $dir, command => [ @each, @captures ])->{out};
        my $whole = () = $info =~ /^whole +yes$/mg;
        @captures . ' captures, ' . (@captures - $whole) . ' broken';
    };
}

# What is wrong with a run whose disk failed; nothing if it is as it should be. A profiler that cannot begin says so
# before the program does anything: Perl and Lua programs end there, as they do where no file can be written.
sub difference {
    my ($good, $run, $how) = @_;
    my $said = $run->{err};
    return "signal $run->{signal}" if $run->{signal};
    my $names_it =
        qr/^(?:\S*lua\S*: )?(?:NYTProf|toy).*(?:No space left on device|Input\/output error)/;
    my $is_transient = grep { $_ eq $how } @TRANSIENTS, 'storm';
    return $said =~ $names_it && !$is_transient ? '' : "it ends: $said" if $run->{exit} && $run->{out} eq '';
    return 'another output' if $run->{out} ne $good->{out} || $run->{exit} != $good->{exit};
    return "says $said" if $is_transient && $said ne '';
    my @lines = split /\n/, $said;
    return "says $said" if @lines > @{ $good->{captures} } || grep { !/$names_it/ } @lines;
    return 'silence' if !@lines && remains($run) ne remains($good);
    return '';
}
