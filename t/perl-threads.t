# SPDX-License-Identifier: MIT
# Threads: the program behaves as without the profiler, its first interpreter is recorded, and the profile says that the
# others are not.
use strict;
use warnings;

use Config;
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Run qw(capture_of facts same);

plan skip_all => 'this perl has no threads' if !$Config{useithreads};

my $threads = same('twenty threads', <<'END');
use threads;
sub work  { my $n = shift; my $x = 0; $x += $_ for 1 .. $n; $x }
sub after { 1 }
my @threads = map { threads->create(\&work, 2000) } 1 .. 20;
print join(',', map { $_->join } @threads), "\n";
my @functions = grep {$_} map { DB->can($_) } qw(finish_profile enable_profile disable_profile);
threads->create(sub { $_->() for @functions })->join;
threads->create(sub { my @x = map { threads->create(\&work, 10)->join } 1 .. 2; eval 'work(3)' })->join;
after() for 1 .. 3;
work(1);
END
my $facts = facts($threads);
is $facts->{sub}{'main::after'}{calls}, 3, 'the first interpreter goes on being profiled';
is $facts->{sub}{'main::work'}{calls}, 1, 'what the others do is not in its profile';
my @notes = grep { $_->{text} =~ /threads/ } of('note', @{ $facts->{records} });
is scalar @notes, 1, 'and the capture says so, once';
like [ nytprof('info', capture_of($threads)) ]->[0], qr/^whole +yes$/m, 'it is complete';
is scalar(of('process_start', @{ $facts->{records} })), 1, 'and is one process\'';

my %thread = (
    'goes on when the program ends' => 'threads->create(sub { sleep 3 })->detach',
    'exits'                         => 'threads->create(sub { threads->exit(4) })->join',
    'ends the program'              => 'threads->create(sub { exit 4 })->join',
    'dies'                          => '$SIG{__WARN__} = sub { }; threads->create(sub { die })->join',
    'forks'                         => 'threads->create(sub { exec "exit 3" if !fork; wait; print $? >> 8 })->join',
);
# perl's own warning about threads at the end comes or not as they race, with and without us.
my $before = "use threads;\nno warnings 'threads';\n\$| = 1;\n";
same("a thread that $_", "$before$thread{$_};\nprint qq{on\\n};\n") for sort keys %thread;

done_testing;
