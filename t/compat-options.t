# SPDX-License-Identifier: MIT
# What NYTPROF may say and what follows from it, beside the peer. perl-options.t has what is ours alone.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Both qw(both_leave left_by);
use Capture qw(nytprof);
use Dump qw(of);
use Profiled qw(has_peer);
use Run qw(capture_of captures_in facts run under_profiler);
use Tree qw(slurp);

my $PEER = has_peer();

# --- Core.pm parses, and can be loaded again with stubs in the place of C ---------------------------------------------

my $STUBS = <<'END';
use XSLoader;
my @calls;
BEGIN {
    $^W = 1;
    no warnings 'redefine';
    *XSLoader::load = sub { push @calls, 'load' };
    *DB::set_option = sub { push @calls, "$_[0]<$_[1]>" };
}
$SIG{__WARN__} = sub { print "warning: @_" };
for (undef, 'a=1:b=2', 'file=a\:b\=c', '::a=b\\\\c::', '', 'nosuch=1:sigexit=1:x=y') {
    local $ENV{NYTPROF} = $_;
    delete $ENV{NYTPROF} if !defined;
    @calls = ();
    delete $INC{'Devel/NYTProf/Core.pm'};
    require Devel::NYTProf::Core;
    print "@calls\n";
}
END
my $parsed = "load\nload a<1> b<2>\nload file<a:b=c>\nload a<b\\c>\nload\nload nosuch<1> x<y>\n";
is run($STUBS, switches => [ grep {/^-I/} under_profiler() ])->{out}, $parsed,
    'every option goes to DB::set_option as it is meant, also when Core.pm is loaded again';
is run($STUBS, switches => [])->{out}, $parsed, 'and so it does with the peer' if $PEER;

# --- bad input --------------------------------------------------------------------------------------------------------

# What it does, of what comes out where: [options, exit code, standard output, pattern of standard error, files].
my @BAD = (
    (map { [ $_, 2, '', qr/\ANYTProf set_option: invalid option/, '' ] } qw(foo foo= =foo a=b=c blocks=1:foo)),
    [ 'start=never', 2, '', qr/start.*'never'/, '' ],
    [ 'compress=12', 2, '', qr/deflateInit2 failed/, undef ],
    [ 'file=/nonexistent/d/x', 2, '', qr{\ANYTProf failed to open '/nonexistent/d/x' for writing, error 2: }, '' ],
    [ 'nosuch=1', 0, "hi\n", qr/\AUnknown NYTProf option: 'nosuch'\n\z/, 'nytprof.out' ],
    [ 'blocks=x:slowops=y', 0, "hi\n", qr/\A\z/, 'nytprof.out' ],
    [ 'log=/nonexistent/l', 0, "hi\n", qr{\A[^\n]*/nonexistent/l[^\n]*\n\z}, 'nytprof.out' ],
    [ 'log=/nonexistent/l:nosuch=1', 0, "hi\n", qr{\A.*/nonexistent/l.*\nUnknown NYTProf option: 'nosuch'\n\z},
        'nytprof.out' ],
    [ 'log=l.txt:nosuch=1', 0, "hi\n", qr/\A\z/, 'l.txt nytprof.out' ],
    [ 'log=l.txt', 0, "hi\n", qr/\A\z/, 'l.txt nytprof.out' ],
    [ 'usecputime=1', 0, "hi\n", qr/\A.*usecputime.*removed.*\n\z/, '' ],
    [ 'clock=77', 0, "hi\n", qr/\A\z/, 'nytprof.out' ],
    [ 'sigexit=0', 0, "hi\n", qr/\A\z/, 'nytprof.out' ],
    [ 'sigexit=nosuch,int', 0, "hi\n", qr/\A\z/, 'nytprof.out' ],
);
for my $bad (@BAD) {
    my ($options, $exit, $out, $err, $files) = @$bad;
    for my $who ('ours', $PEER ? 'peer' : ()) {
        my @switches = $who eq 'ours' ? under_profiler() : '-d:NYTProf';
        my $run = run("print qq{hi\\n};\n", env => { NYTPROF => $options }, switches => \@switches);
        is_deeply [ @{$run}{qw(exit out)} ], [ $exit, $out ], "$options ($who)";
        like $run->{err}, $err, 'and what is said of it';
        is join(' ', visible($run->{dir})), $files, 'and what is left' if defined $files;
    }
}

sub visible {
    my ($dir) = @_;
    opendir my $in, $dir or die "$dir: $!\n";
    my @names = sort grep { !/^\.|^prog\.pl$/ } readdir $in;
    return @names;
}

my $numbers = facts(run("1;\n", options => { slowops => '010', blocks => '0x2', expand => '3x', trace => 'x' }));
my %value = map { ($_->{key} => $_->{value}) } of('option', @{ $numbers->{records} });
is_deeply [ @value{qw(slowops blocks expand trace)} ], [ 8, 2, 3, 0 ], 'numbers are read as C reads them';

# --- \$^P as clients see it -------------------------------------------------------------------------------------------

my %perldb = ('' => 3856, 'savesrc=0' => 784, 'optimize=0' => 3860, 'optimise=0' => 3860, 'perldb=272' => 272,
    'use_db_sub=1' => 3890);
for my $options (sort keys %perldb) {
    my $run = run("1;\n", env => { NYTPROF => $options });
    my ($attribute) = grep { $_->{key} eq 'PL_perldb' } of('attribute', @{ facts($run)->{records} });
    is $attribute->{value}, $perldb{$options}, "attribute PL_perldb with '$options'";
}

# --- options that change what is counted ------------------------------------------------------------------------------

my $CALLBACKS = <<'END';
use List::Util 'first';
sub compared { $a <=> $b }
sub pick     { $_[0] }
sub sorts    { my @x = sort { compared() } 2, 1; my $y = first { pick($_) } 0, 1; return 1 }
sorts();
END
both_leave('findcaller=0: who calls back is the caller', <<'LEFT', $CALLBACKS);
nytprof.out
1:2 2:1 3:2 4:5 5:1
  1 main::BEGIN@1 > List::Util::import 1
  1 main::NULL > main::BEGIN@1 1
  4 List::Util::first > main::pick 2
  4 main::CORE:sort > main::compared 1
  4 main::sorts > List::Util::first 1
  4 main::sorts > main::CORE:sort 1
  5 main::RUNTIME > main::sorts 1
said:
LEFT
like left_by($_, $CALLBACKS, findcaller => 1), qr/^  4 main::sorts > main::compared 1$/m,
    "findcaller=1: calls in a sort block come from the sub around it ($_)" for 'ours', $PEER ? 'peer' : ();

both_leave('subs=0: no calls, slow built-ins neither', <<'LEFT', <<'PROGRAM', subs => 0);
nytprof.out
1:4 2:1 3:1 4:1
said:
LEFT
sub f { 1 }
my $s = 'abc';
f();
$s =~ /b/, f() for 1 .. 3;
PROGRAM

# perl shows DB::DB more: statements that the optimiser would take out, and what was compiled before the profiler.
my $LOOPS = <<'END';
sub f { my $x = shift; return $x }
sub outer {
    my $sum = 0;
    for my $i (1 .. 3) {
        $sum += f($i);
    }
    return $sum;
}
outer() + outer();
my $i = 0;
while (f($i) < 3) {
    $i++;
}
my $text = 'f(1)';
eval $text;
END
both_leave('use_db_sub=1 counts every statement once', <<'LEFT', $LOOPS, use_db_sub => 1, slowops => 0);
nytprof.out
1:22 3:2 4:2 5:6 7:2 9:1 10:1 11:1 12:3 14:1 15:1
  11 main::RUNTIME > main::f 1
  12 main::RUNTIME > main::f 3
  5 main::outer > main::f 6
  9 main::RUNTIME > main::outer 2
said:
LEFT

my %early = (files => { 'Early.pm' => "package Early;\nsub e {\n    my \$x = 1;\n    return \$x;\n}\n1;\n" },
    switches => [ grep({/^-I/} under_profiler()), '-d' ]);
my $LOAD_EARLY = 'BEGIN { require "./Early.pm" } use Devel::NYTProf';
for my $option (0, 1) {
    my %env = (PERL5DB => $LOAD_EARLY, NYTPROF => "use_db_sub=$option");
    my $run = run("Early::e() for 1 .. 7;\n", %early, env => \%env);
    is facts($run)->{line}{'Early.pm:3'}, $option ? 7 : undef,
        "use_db_sub=$option: code that was compiled before the profiler is " . ($option ? 'seen' : 'not seen');
}
my $died = facts(run(<<'END', options => { use_db_sub => 1 }));
use Scalar::Util;
sub f { 1 }
for (1 .. 3) {
    eval { Scalar::Util::weaken(my $x) };
    f();
}
END
is $died->{edge}{'prog.pl:5 main::RUNTIME > main::f'}, 3, 'use_db_sub=1: a C function that died calls nothing';

# --- options about the end --------------------------------------------------------------------------------------------

my $TRACED = "sub f { 1 }\nf();\nDB::disable_profile();\nDB::finish_profile();\n";
is run($TRACED)->{err}, '', 'trace=0: not a word';
my $traced = run($TRACED, options => { trace => 1, log => 'log.txt' });
like slurp("$traced->{dir}/log.txt"), qr/\A(?:NYTProf: .*\n)+\z/, 'trace=1: lines in the log';
my @told = slurp("$traced->{dir}/log.txt") =~ /^NYTProf: (pid|on|off|finished)\b/mg;
is "@told", 'pid on off finished', 'about what happens to the profile';

# C's exit, called by its address as if it were a sub of ours.
my $C_EXIT = <<'END';
use DynaLoader;
sub f { 1 }
f() for 1 .. 5;
my $libc = DynaLoader::dl_find_symbol_anywhere('exit') or die "no exit\n";
DynaLoader::dl_install_xsub('main::c_exit', $libc)->();
END
for my $option (0, 1) {
    my $run = run($C_EXIT, options => { libcexit => $option });
    my ($info) = nytprof('info', capture_of($run));
    like $info, $option ? qr/^whole +yes$/m : qr/did not end cleanly/, "libcexit=$option after C's exit";
    is facts($run)->{sub}{'main::f'}{calls}, 5, 'and nothing is lost' if $option;
}

done_testing;
