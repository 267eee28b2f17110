# SPDX-License-Identifier: MIT
# When profiling begins and ends: the start option, and what programs call.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(of records);
use Run qw(captures_in facts run without_quarantine);

# "LINE:COUNT ..." of the program's statements.
sub lines {
    my ($run, $file) = @_;
    my $line = facts($run, $file && "$run->{dir}/$file")->{line};
    my %count = map { /^prog\.pl:(\d+)$/ ? ($1 => $line->{$_}) : () } keys %$line;
    return join ' ', map {"$_:$count{$_}"} sort { $a <=> $b } keys %count;
}

# "NAME:CALLS ..." without built-ins and BEGIN blocks.
sub calls {
    my ($run, $file) = @_;
    my $sub = facts($run, $file && "$run->{dir}/$file")->{sub};
    my %calls = map { ($_ => $sub->{$_}{calls}) } grep { !/CORE:|BEGIN/ && $sub->{$_}{calls} } keys %$sub;
    return join ' ', map {"$_:$calls{$_}"} sort keys %calls;
}

sub is_whole {
    my ($run, $file) = @_;
    my ($last) = reverse grep { $_->{kind} ne 'chunk' } records("$run->{dir}/$file");
    return is $last->{kind}, 'end', "$file is complete";
}

# --- the start option -------------------------------------------------------------------------------------------------

my $PHASES = <<'END';
BEGIN { our $begin = 1 }
INIT  { our $init  = 1 }
our $main = 1;
END   { our $end   = 1 }
sub f { 1 }
f();
END
my %started = (
    begin => [ '1:1 2:1 3:1 4:1 5:1 6:1', 'main::END:1 main::INIT:1 main::f:1' ],
    init  => [ '2:1 3:1 4:1 5:1 6:1',     'main::END:1 main::INIT:1 main::f:1' ],
    end   => [ '4:1',                     'main::END:1' ],
);
for my $start (sort keys %started) {
    my $run = run($PHASES, options => { start => $start });
    is lines($run), $started{$start}[0], "start=$start: statements";
    is calls($run), $started{$start}[1], "start=$start: calls";
}
my $none = run($PHASES, options => { start => 'no' });
is_deeply [ captures_in($none->{dir}) ], [], 'start=no: no file at all';
is_deeply [ captures_in(run("exit 0;\n", options => { start => 'no' })->{dir}) ], [], 'not even after exit';

# --- disable and enable -----------------------------------------------------------------------------------------------

my $switched_off = run(<<'END');
sub f { 1 }
f();
DB::disable_profile();
f();
1;
END
is lines($switched_off), '1:1 2:1', 'a statement that switches off for good is not counted, nor what follows';
is calls($switched_off), 'DB::disable_profile:1 main::f:1', 'but the call is';
is_whole($switched_off, 'nytprof.out');

my $on_again = run(<<'END');
sub f { 1 }
f();
print DB::disable_profile(), DB::disable_profile();
f();
print DB::enable_profile();
f();
print DB::enable_profile(), "\n";
END
is $on_again->{out}, "1001\n", 'they return what was before';
is lines($on_again), '1:2 2:1 3:1 5:1 6:1 7:1', 'both statements are counted, when profiling goes on';
is calls($on_again), 'DB::disable_profile:1 DB::enable_profile:1 main::f:2',
    'the call that switches on is not counted, one that finds it on is';

my $in_subs = run(<<'END', options => { start => 'no', slowops => 0 });
sub leaf  { my $x = 0; $x += $_ for 1 .. 5; $x }
sub outer { DB::enable_profile(); leaf(); inner(); 1 }
sub inner { leaf(); DB::disable_profile(); leaf(); DB::enable_profile(); leaf() }
leaf();
outer();
leaf();
DB::disable_profile();
for (1 .. 20) { DB::enable_profile(); leaf(); DB::disable_profile() }
END
is calls($in_subs), 'DB::disable_profile:22 main::inner:1 main::leaf:24',
    'on and off in subs: what was seen to begin is counted, with no phantom calls';
my %path;
my $call = facts($in_subs)->{call};
is $call->{'prog.pl:6 main::leaf'}, 1, 'and the program goes on in its own context after the sub that switched on';

my $jump = run(<<'END');
sub off { DB::disable_profile(); die "out\n" }
sub on  { DB::enable_profile(); die "in\n" }
for (1 .. 3) {
    eval { off() };
    eval { on() };
    my $x = $_;
}
sub f { 1 }
f();
END
is calls($jump), 'DB::disable_profile:3 main::f:1 main::off:3', 'off and on inside evals that die';

# --- files ------------------------------------------------------------------------------------------------------------

my $SWITCH = <<'END';
sub one { 1 }
sub two { 2 }
one() for 1 .. 3;
DB::enable_profile('second.out');
two() for 1 .. 4;
one();
END
my $two_files = run($SWITCH);
is_whole($two_files, 'nytprof.out');
is_whole($two_files, 'second.out');
is lines($two_files), '1:3 3:1', 'enable_profile(FILE): the first file has what was before';
is calls($two_files), 'main::one:3', 'calls, too';
is lines($two_files, 'second.out'), '1:1 2:4 4:1 5:1 6:1', 'the second has the statements since, its own among them';
is calls($two_files, 'second.out'), 'DB::enable_profile:1 main::one:4 main::two:4', 'but all calls';
my @id = map { +{ map { ($_->{name} => $_->{id}) } of('file', records("$two_files->{dir}/$_")) } }
    'nytprof.out', 'second.out';
is_deeply $id[1], $id[0], 'and the same numbers of files';

my $finished = run($SWITCH =~ s/DB::enable_profile\('second.out'\)/DB::finish_profile(); $&/r);
is calls($finished), 'main::one:3', 'finish_profile: the first file ends there';
is calls($finished, 'second.out'), 'DB::finish_profile:1 main::one:1 main::two:4',
    'and the second begins anew, with the call of finish_profile itself';

my $same = run(<<'END');
sub one { 1 }
one();
DB::enable_profile('nytprof.out');
one();
END
is calls($same), 'DB::enable_profile:1 main::one:2', 'enable_profile of the file that is open changes nothing';

my $again = run(<<'END');
sub one { 1 }
sub two { 2 }
one() for 1 .. 3;
DB::finish_profile();
two() for 1 .. 5;
DB::enable_profile();
two() for 1 .. 4;
DB::_finish();
DB::finish_profile();
END
is_deeply [ captures_in($again->{dir}) ], [qw(nytprof.out nytprof.out.1)], 'the same file again: the first one is kept';
is calls($again, 'nytprof.out.1'), 'main::one:3', 'with its calls';
is calls($again), 'DB::finish_profile:1 main::two:4', 'and so is the second';
is_whole($again, $_) for qw(nytprof.out nytprof.out.1);

# As the profilers of web applications do.
my $requests = run(<<'END', options => { start => 'no', savesrc => 0 }, env => { without_quarantine() });
sub resident { open my $in, '<', '/proc/self/statm' or return 0; return (split ' ', <$in>)[1] * 4 }
sub work { my $n = shift; my $x = eval "1 + $n"; return $x }
my $before;
for my $n (1 .. 1000) {
    $before = resident() if $n == 501;
    DB::enable_profile("request.$n");
    work($n) for 1 .. $n % 7;
    DB::disable_profile();
    DB::finish_profile();
    unlink "request.$n" if $n > 6;
}
opendir my $open, '/proc/self/fd';
print resident() - $before < 256 ? '' : 'grown ', scalar(grep {/^\d/} readdir $open), "\n";
END
for my $n (1 .. 6) {
    is_whole($requests, "request.$n");
    like calls($requests, "request.$n"), qr/\bmain::work:$n$/, 'a file for each request: its calls';
}
my $bare = run('opendir my $open, "/proc/self/fd"; print scalar(grep {/^\d/} readdir $open), "\n";', switches => []);
is $requests->{out}, $bare->{out}, 'a thousand requests need no more memory or descriptors than one';

my $renamed = run("sub f { 1 }\nDB::set_option(file => 'other.out');\nDB::enable_profile();\nf();\n",
    options => { start => 'no' });
is_deeply [ captures_in($renamed->{dir}), -e "$renamed->{dir}/other.out" ? 'other.out' : () ], ['other.out'],
    'set_option(file) names the next file';

# --- the rest of the interface ----------------------------------------------------------------------------------------

my $interface = run(<<'END');
print join(' ', map { DB->can($_) ? 1 : 0 } qw(enable_profile disable_profile finish_profile _finish set_option
    init_profiler _INIT _END)), "\n";
print eval { DB::set_option('x', ''); 1 } ? 'lives' : $@ =~ /has no value/ ? 'dies' : $@, "\n";
print eval { DB::set_option('', 'v'); 1 } ? 'lives' : $@ =~ /invalid option/ ? 'dies' : $@, "\n";
print scalar(my @none = DB::finish_profile()), scalar(@none = DB::finish_profile()), "\n";
print DB::disable_profile(), "\n";
END
is $interface->{out}, "1 1 1 1 1 1 1 1\ndies\ndies\n00\n0\n", 'what programs may call is there';
is $interface->{err}, '', 'without a word';

done_testing;
