# SPDX-License-Identifier: MIT
# What counts where when a program switches profiling off and on and changes files; the peer agrees.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Both qw(both_leave);
use Run qw(run under_profiler);

my @QUIET = (slowops => 0);

both_leave('disable_profile: its statement is counted when profiling goes on', <<'LEFT', <<'PROGRAM', @QUIET);
nytprof.out
1:2 2:1 3:1 5:1 6:1
  2 main::RUNTIME > main::f 1
  3 main::RUNTIME > DB::disable_profile 1
  6 main::RUNTIME > main::f 1
said:
LEFT
sub f { 1 }
f();
DB::disable_profile();
f();
DB::enable_profile();
f();
PROGRAM

both_leave('disable_profile: a sub that is running still returns into the profile', <<'LEFT', <<'PROGRAM', @QUIET);
nytprof.out
1:1 2:1 3:1
  2 main::outer > DB::disable_profile 1
  2 main::outer > main::leaf 1
  3 main::RUNTIME > main::outer 1
said:
LEFT
sub leaf { 1 }
sub outer { leaf(); DB::disable_profile(); leaf(); 1 }
outer();
leaf();
PROGRAM

both_leave('finish_profile: what is running, itself too, is in the next file', <<'LEFT', <<'PROGRAM', @QUIET);
b.out
1:3 2:4 3:2 5:1
  2 main::inner > DB::finish_profile 1
  2 main::inner > main::leaf 1
  3 main::outer > main::inner 1
  3 main::outer > main::leaf 1
  4 main::RUNTIME > main::outer 1
  5 main::RUNTIME > main::leaf 1
nytprof.out
1:1 2:1 3:1 4:1
  2 main::inner > main::leaf 1
said:
LEFT
sub leaf { 1 }
sub inner { leaf(); DB::finish_profile(); leaf(); DB::enable_profile('b.out'); leaf(); 1 }
sub outer { inner(); leaf(); 1 }
outer();
leaf();
PROGRAM

both_leave('enable_profile(FILE): calls go on in the new file, statements do not', <<'LEFT', <<'PROGRAM', @QUIET);
b.out
1:3 2:3 3:2 5:1
  2 main::inner > DB::enable_profile 1
  2 main::inner > main::leaf 2
  3 main::outer > main::inner 1
  3 main::outer > main::leaf 1
  4 main::RUNTIME > main::outer 1
  5 main::RUNTIME > main::leaf 1
nytprof.out
1:1 2:1 3:1 4:1
  2 main::inner > main::leaf 1
said:
LEFT
sub leaf { 1 }
sub inner { leaf(); DB::enable_profile('b.out'); leaf(); 1 }
sub outer { inner(); leaf(); 1 }
outer();
leaf();
PROGRAM

both_leave('enable_profile(FILE): the name that is open changes nothing', <<'LEFT', <<'PROGRAM', @QUIET);
nytprof.out
1:2 2:1 3:1 4:1 5:1
  2 main::RUNTIME > main::f 1
  3 main::RUNTIME > DB::enable_profile 1
  4 main::RUNTIME > DB::enable_profile 1
  5 main::RUNTIME > main::f 1
said:
LEFT
sub f { 1 }
f();
DB::enable_profile('nytprof.out');
DB::enable_profile();
f();
PROGRAM

both_leave('set_option(file) names the next file', <<'LEFT', <<'PROGRAM', @QUIET);
nytprof.out
1:2 2:1 3:1 4:1 5:1
  2 main::RUNTIME > main::f 1
  3 main::RUNTIME > DB::set_option 1
  4 main::RUNTIME > DB::enable_profile 1
  5 main::RUNTIME > main::f 1
third.out
1:1 6:1 8:1 9:1
  6 main::RUNTIME > DB::finish_profile 1
  9 main::RUNTIME > main::f 1
said:
LEFT
sub f { 1 }
f();
DB::set_option(file => 'third.out');
DB::enable_profile();
f();
DB::finish_profile();
f();
DB::enable_profile();
f();
PROGRAM

both_leave('without a file nothing is written, whatever is called', <<'LEFT', <<'PROGRAM', @QUIET, start => 'no');
said: 0-0
LEFT
print DB::disable_profile();
DB::finish_profile();
DB::_finish();
print '-', DB::disable_profile(), "\n";
PROGRAM

both_leave('the program ends while it is switched off: the summary is there', <<'LEFT', <<'PROGRAM', @QUIET);
nytprof.out
1:1 2:1 3:1
  2 main::g > main::f 1
  3 main::RUNTIME > main::g 1
  4 main::RUNTIME > DB::disable_profile 1
said:
LEFT
sub f { 1 }
sub g { f() }
g();
DB::disable_profile();
g();
PROGRAM

both_leave('a function that cannot open its file dies, and the program may go on', <<'LEFT', <<'PROGRAM', @QUIET);
b.out
1:1 3:1 5:1 6:1
  2 main::RUNTIME > main::f 1
  3 main::RUNTIME > DB::enable_profile 1
  6 main::RUNTIME > main::f 1
nytprof.out
1:1 2:1 3:1
  2 main::RUNTIME > main::f 1
said: NYTProf failed to open '/nonexistent/a' for writing, error 2:
LEFT
sub f { 1 }
f();
eval { DB::enable_profile('/nonexistent/a') };
print $@ =~ /(.*error 2:)/s;
DB::enable_profile('b.out');
f();
PROGRAM

both_leave('the functions are there', <<'LEFT', <<'PROGRAM', start => 'no');
said: 111111111111
LEFT
print map { DB->can($_) ? 1 : 0 } qw(enable_profile disable_profile finish_profile _finish set_option init_profiler
    DB_profiler _INIT _END _CHECK CLONE);
print Devel::NYTProf->VERSION >= 6 ? 1 : 0, "\n";
PROGRAM

# --- C functions of modules that were loaded before -------------------------------------------------------------------

# "SUB FILE" of what was called there. (What the peer says of them depends on the order of its hashes.)
my $HOMES = <<'END';
use Devel::NYTProf::Data;
my $p = Devel::NYTProf::Data->new({ filename => 'nytprof.out', quiet => 1 });
for my $name (qw(POSIX::floor List::Util::max main::work)) {
    my $sub = $p->subinfo_of($name) or next;
    my ($file) = $p->fileinfo_of($sub->fid)->filename =~ m{((?:List/)?[^/]+)\z};
    print "$name $file\n";
}
END
my $CALLS = 'sub work { POSIX::floor(3.7) + List::Util::max(1, 2) } work();';
my %early = (init => "use POSIX (); use List::Util (); $CALLS\n",
    no => "use POSIX (); use List::Util (); DB::enable_profile(); $CALLS\n");
for my $start (sort keys %early) {
    my $made = run($early{$start}, options => { start => $start });
    my @perl = ($^X, grep {/^-I/} under_profiler());
    is run(undef, dir => $made->{dir}, command => [ @perl, '-e', $HOMES ])->{out},
        "POSIX::floor POSIX.pm\nList::Util::max List/Util.pm\nmain::work prog.pl\n",
        "start=$start: C functions belong to their modules";
}

done_testing;
