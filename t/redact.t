# SPDX-License-Identifier: MIT
# What option redact leaves out is in no byte of a profile, in either format, of any language; the rest is. Neither is
# what merge --redact leaves out of a profile that has it.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Lua qw(lua luas);
use Profiled qw($TOP);
use Ruby qw(ruby why_not);
use Run qw(captures_in facts run under_profiler);
use Tree qw(slurp);

# Each secret with the options that leave it out.
my %HIDES = (
    evaled => 'evals', nested => 'evals', renamed => 'evals', told => 'evals commands', command => 'commands',
    title  => 'commands', plain => '', argument => 'commands', environment => 'always',
);
my @WAYS = ({}, map({ { redact => $_ } } 'evals', 'commands', 'evals,commands', 'all', 'none'), { format => 5 },
    { redact => 'all', format => 5 }, { redact => 'all', calls => 2 }, { redact => 'all', savesrc => 2 });

# The secrets that all files of a run have, in which nothing is compressed.
sub found_in {
    my ($run, @secrets) = @_;
    my $bytes = join '', map { slurp($_) } glob "$run->{dir}/*out*";    # those of a job, too, and its store
    $bytes =~ /^NYTProf /m or return 'there is none';
    return join ' ', grep { $bytes =~ /SECRET-$_\b/ } sort @secrets;
}

# run => how to run a program with such options; secrets => those that it has.
sub redacts {
    my ($name, $run, @secrets) = @_;
    for my $way (@WAYS) {
        my %options = (compress => 0, %$way);
        my $redact  = $options{redact} // 'none';
        my %is_left_out = map { ($_ => 1) } 'always', $redact eq 'all' ? qw(evals commands) : split /,/, $redact;
        my $done = $run->(\%options);
        my @left = sort grep { !grep { $is_left_out{$_} } split / /, $HIDES{$_} } @secrets;
        @left = grep { $_ ne 'argument' } @left if $way->{format};    # which has no command
        my $ways = join ' ', map {"$_=$way->{$_}"} sort keys %$way;
        is "$done->{exit} $done->{err}", '0 ', "$name $ways: runs";
        is found_in($done, @secrets), "@left", 'and its profile has nothing more';
    }
    return;
}

my @ENV = (env => { SOME => 'SECRET-environment' });
my $PERL = <<'END';
my $plain = 'SECRET-plain';
my $s = 'SECR' . 'ET';
$0 = "prog --password=$s-title";
sub call { 1 }
eval "my \$x = '$s-evaled'; call(); eval q{call('$s-nested')}; sub made { call() } made()" or die;
eval qq{#line 7 "other.pl"\nmy \$y = '$s-renamed'; call(); 1} or die;
require Devel::NYTProf::Core;
DB::enable_profile('second.out');
DB::disable_profile();
call();
END
redacts('Perl', sub { run($PERL, options => $_[0], args => ['SECRET-argument'], @ENV) },
    qw(plain title evaled nested renamed argument environment));
redacts('perl -e', sub {
    my $program = q{sub f { 'SECRET-command' } my $s = 'SECR' . 'ET'; eval "f('$s-told'); 1" or die};
    my @command = ($^X, under_profiler(), '-e', $program);
    return run(undef, command => [ @command, 'SECRET-argument' ], options => $_[0], @ENV);
}, qw(command told argument environment));
my $told = run('1;', args => [ '--name', "it's", '<b>' ]);
like +(nytprof('dump', "$told->{dir}/nytprof.out"))[0],
    qr/^property key="command" value="\S*perl.*\\x00prog\.pl\\x00--name\\x00it's\\x00<b>\\x00"$/m,
    'a profile has the words of the command';
nytprof('html', '--single', '-o', "$told->{dir}/page.html", "$told->{dir}/nytprof.out");
like slurp("$told->{dir}/page.html") =~ s/&#39;/'/gr, qr{<code title="[^"]*prog\.pl --name 'it'\\''s' '&lt;b&gt;'">},
    'which are in the head of its report, as for a shell';
my $job = run($PERL, command => [ "$TOP/build/nytprof", 'run', '-o', 'job.out', '--', $^X, 'prog.pl' ],
    env => { NYTPROF => 'redact=all:compress=0' });
is found_in($job, grep { $HIDES{$_} } keys %HIDES), '', 'nytprof run: neither has the store of a job';
my $counts = facts(run($PERL, options => { redact => 'all' }));
is $counts->{sub}{'main::call'}{calls}, 4, 'calls are counted as ever';
my $switch = run("eval 'q{SECR'.'ET-evaled}'; 1;\n", options => { compress => 0 },
    switches => [ map { /^-d/ ? "$_=redact=evals,commands" : $_ } under_profiler() ]);
is found_in($switch, 'evaled') . $switch->{err}, '', 'perl -d:NYTProf=redact=evals,commands';
like run('1;', options => { redact => 'passwords' })->{err},
    qr/^NYTProf set_option: option redact cannot be 'passwords', expected evals, commands, all or none/,
    'there are no others';

my ($versions) = luas();
for my $version (@$versions) {
    redacts("Lua $version", sub { lua($version, <<'END', options => $_[0], @ENV) }, qw(plain evaled nested renamed));
local plain, s = "SECRET-plain", "SECR" .. "ET"
assert(load("local x = '" .. s .. "-evaled' load([[local y = '" .. s .. "-nested' return y]])() return x"))()
assert(load("local z = '" .. s .. "-renamed' return z", "@other.lua"))()
END
}

SKIP: {
    my $why = why_not();
    skip $why, 2 * @WAYS if $why;
    redacts('Ruby', sub { ruby(<<'END', options => $_[0], @ENV) }, qw(plain evaled nested));
plain, s = "SECRET-plain", "SECR" + "ET"
eval "x = '#{s}-evaled'; eval %q{'#{s}-nested'.size}; x.size"
END
}

# --- profiles that were made without the option -----------------------------------------------------------------------

# A capture is merged with nothing, in which all is left out that the option would have; counts and the rest stay.
sub merges {
    my ($name, $run, @secrets) = @_;
    my $counts = counts_of($run, 'nytprof.out');
    for my $redact ('evals', 'commands', 'evals,commands', 'all', 'none') {
        my ($out, $err, $exit) =
            nytprof('merge', "--redact=$redact", '-o', "$run->{dir}/merged", "$run->{dir}/nytprof.out");
        my %is_left_out = map { ($_ => 1) } 'always', $redact eq 'all' ? qw(evals commands) : split /,/, $redact;
        my @left = sort grep { !grep { $is_left_out{$_} } split / /, $HIDES{$_} } @secrets;
        my $bytes = inflated("$run->{dir}/merged");
        is "$exit$err", '0', "$name: merge --redact=$redact";
        is join(' ', grep { $bytes =~ /SECRET-$_\b/ } sort @secrets), "@left", 'leaves out what it says';
        is counts_of($run, 'merged'), $counts, 'and counts stay' or diag $redact;
    }
    return;
}

# The records as text, and the lines before them.
sub inflated {
    my ($file) = @_;
    return join '', (nytprof('dump', $file))[0], slurp($file) =~ /^(:.*\n)/mg;
}

sub counts_of {
    my ($run, $file) = @_;
    my ($info) = nytprof('info', "$run->{dir}/$file");
    return join "\n", $info =~ /^((?:counted|whole|processes) .*)/mg;
}

merges('Perl', run($PERL =~ s/^require.*//msr, args => ['SECRET-argument'], @ENV),
    qw(plain evaled nested renamed argument environment));
merges('perl -e', run(undef, @ENV, command => [ $^X, under_profiler(), '-e',
    q{sub f { 'SECRET-command' } my $s = 'SECR' . 'ET'; eval "f('$s-told'); 1" or die} ]),
    qw(command told environment));
my $title = run("\$0 = 'SECR' . 'ET-title';\nDB::enable_profile();\n1;\n", options => { start => 'no' });
merges('a title', $title, 'title');
for my $version (@$versions) {
    my $lua = lua($version, <<'END', @ENV);
local s = "SECR" .. "ET"
assert(load("local x = '" .. s .. "-evaled' load([[local y = '" .. s .. "-nested' return y]])() return x"))()
assert(load("local z = '" .. s .. "-renamed' return z", "@other.lua"))()
END
    merges("Lua $version", $lua, qw(evaled nested renamed));
}
my $family = run(<<'END', options => { calls => 2 });
my $s = 'SECR' . 'ET';
eval "sub work { '$s-evaled' } 1";
if (!fork) { eval "work('$s-nested')"; exit }
wait;
work();
END
my @parts = map {"$family->{dir}/$_"} captures_in($family->{dir});
is +(nytprof('merge', '--redact=all', '-o', "$family->{dir}/merged", @parts, $parts[0]))[2], 0,
    'several, and one twice';
unlike inflated("$family->{dir}/merged"), qr/SECRET-/, 'nothing of them is left';
like counts_of($family, 'merged'), qr/calls 3\nwhole +yes/, 'and all is counted once';

my $five = run('1;', options => { format => 5 });
like +(nytprof('merge', '--redact=all', '-o', "$five->{dir}/merged", "$five->{dir}/nytprof.out"))[1],
    qr/\Anytprof: merge: --redact is for captures, not for format 5\n\z/, 'format 5 is not for it';
ok !-e "$five->{dir}/merged", 'and nothing is written';
like +(nytprof('merge', '--redact=names', $parts[0]))[1],
    qr{^nytprof: merge: --redact: expected evals, commands, all, none or /REGEX/, got 'names'},
    'there are no other words';

done_testing;
