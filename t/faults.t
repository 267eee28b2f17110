# SPDX-License-Identifier: MIT
# What harms a profile, in Ruby and in a program in C with a Lua in it, as t/perl-faults.t has it for Perl: the program
# ends as without us, and something useful is left.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(records);
use Lua qw(host luas);
use Ruby qw(bare_ruby ruby why_not);
use Run qw(captures_in facts run);

my $ROUNDS = 3_000;
my $LIMIT  = [ 'sh', '-c', 'ulimit -f 100; exec "$@"', 'sh' ];
my $LARGE  = 4_000;    # lines without any use

# Of each language how it says what is done: text => { NAME => PROGRAM }, comment => what begins one, bare and ours =>
# functions that run a program, work => the name of the function that is counted.
my ($versions) = luas();
for my $version (@$versions) {
    my $host = host($version, 'faults', '-l:nytprof.so');
    ok $host, "Lua $version: the host compiles" or next;
    tries("Lua $version", work => 'work', comment => '--', exit_group => 'leave(3)', segv => 'kill(11)', begin =>
            "local function work() local x = 0 for i = 1, 5 do x = x + i end return x end\n"
            . "local function works(n) for i = 1, n do work() end end\n",
        close => 'close_all()', chdir => 'os.execute("mkdir gone") go_to("gone") os.execute("rmdir ../gone")',
        chroot => 'os.execute("mkdir jail jail/x") jail("jail") go_to("x") os.remove("/x")', drop => 'drop()',
        rename => 'os.rename("nytprof.out", "moved")', remove => 'os.remove("nytprof.out")',
        fork => 'if fork() then works(10) os.exit(0, true) end await()', kill => 'kill(9)', nap => 'nap(1000)',
        bare => sub { my ($text, %with) = @_; run($text, name => 'prog', command => [ $host, 'prog' ], %with) },
        ours => sub { my ($text, %with) = @_; run($text, name => 'prog', command => [ $host, 'prog', 1 ], %with) });
}

SKIP: {
    my $no_ruby = why_not();
    skip $no_ruby, 1 if $no_ruby;
    tries('Ruby', work => 'Object#work', comment => '#', exit_group => 'exit!(3)', segv => 'Process.kill(:KILL, $$)',
        begin => "def work = 5.times.sum\ndef works(n) = n.times { work }\n",
        close => '(3..1100).each { |n| IO.for_fd(n, autoclose: false).close rescue nil }',
        chdir => 'Dir.mkdir "gone"; Dir.chdir "gone"; Dir.rmdir "../gone"',
        chroot => 'Dir.mkdir "jail"; Dir.chroot "jail"; Dir.chdir "/"; Dir.mkdir "x"; Dir.chdir "x"; Dir.rmdir "/x"',
        drop => 'Process::GID.change_privilege(65534); Process::UID.change_privilege(65534)',
        rename => 'File.rename "nytprof.out", "moved"', remove => 'File.delete "nytprof.out"',
        fork => 'Process.wait(fork { works(10) })', kill => 'Process.kill(:KILL, $$); sleep', nap => 'sleep 1',
        bare => \&bare_ruby, ours => \&ruby);
}

done_testing;

sub tries {
    my ($who, %is) = @_;

    my $run = same($who, 'all descriptors are closed', "works(100)\n$is{close}\nworks(200)\n", %is);
    is calls($run, $is{work}), 300, 'the profile goes on, whole';

    my %becomes = ('its directory is removed' => $is{chdir},
        $> ? () : ('it is in a jail' => $is{chroot}, 'it has another user' => $is{drop}));
    for my $what (sort keys %becomes) {
        $run = same($who, "$what, and forks", "works(100)\n$becomes{$what}\n$is{fork}\nworks(1)\n", %is);
        my @files = captures_in($run->{dir});
        is_deeply \@files, ['nytprof.out'], 'parent and child are in one file' or next;
        is calls($run, $is{work}), 111, 'with every call of both';
        like +(nytprof('info', "$run->{dir}/nytprof.out"))[0], qr/^whole +yes$/m, 'complete';
    }

    my $lines = join '', map {"$is{comment} line $_ of a text without any use\n"} 1 .. $LARGE;
    $run = same($who, 'files have a limit', "works(300)\n$lines", %is, with => [ before => $LIMIT,
        options => { compress => 0 } ]);
    is calls($run, $is{work}), 300, 'the counts are written';
    my ($note) = grep { $_->{kind} eq 'note' } records("$run->{dir}/nytprof.out");
    like $note->{text} // '', qr/Source is missing/, 'and a note in place of the source';

    for my $how ('exit_group', ($ENV{LD_PRELOAD} // '') =~ /asan/ ? () : 'segv') {    # which handles it
        $run = same($who, "it ends by $how", "works($ROUNDS)\n$is{$how}\n", %is,
            with => [ options => { clock => 'fake' } ]);
        cmp_ok calls($run, $is{work}), '>=', $ROUNDS / 2, 'half of the calls are left, or more';
    }

    $run = same($who, 'the file is renamed', "works(100)\n$is{rename}\nworks(100)\n", %is, loses => 'moved');
    is calls($run, $is{work}, 'moved'), 200, 'it is whole under its new name';
    same($who, 'the file is removed', "works(100)\n$is{remove}\nworks(100)\n", %is, loses => 1);

    $run = same($who, 'it is killed', "works(100)\n$is{nap}\nworks(1)\n$is{nap}\n$is{kill}\n", %is);
    cmp_ok calls($run, $is{work}), '>=', 100, 'what was counted before it waited is there';
    return;
}

# Without the profiler there is no file to rename or to remove, so the program has one of its own then.
sub same {
    my ($who, $what, $text, %is) = @_;
    my @with = @{ $is{with} // [] };
    my $bare = $is{bare}->("$is{begin}$text", @with, $is{loses} ? (files => { 'nytprof.out' => '' }) : ());
    my $ours = $is{ours}->("$is{begin}$text", @with);
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    is_deeply([ @{$ours}{qw(out err exit signal)} ], [ @{$bare}{qw(out err exit signal)} ], "$who: $what");
    return $ours;
}

sub calls {
    my ($run, $sub, $file) = @_;
    return facts($run, "$run->{dir}/" . ($file // 'nytprof.out'))->{sub}{$sub}{calls} // 0;
}
