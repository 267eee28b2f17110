# SPDX-License-Identifier: MIT
# What perl does after the END blocks: it destroys the objects that are left. Calls of DESTROY are counted then, with
# the phase as their caller, whatever DESTROY does; and the program ends as without the profiler.
use strict;
use warnings;

use Config;
use ExtUtils::Embed ();
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Dump qw(of);
use Run qw(capture_of captures_in facts run same under_profiler);

my $OBJECTS = 20_000;

sub leaving {
    my ($n) = @_;
    return <<"END";
package O;
sub new { return bless [] }
sub DESTROY { helper() }
sub helper { 1 }
package main;
our \@left = map { O->new } 1 .. $n;
END { print "end\\n" }
END
}

# --- many objects -----------------------------------------------------------------------------------------------------

for my $options ({}, { calls => 2 }, { stmts => 0 }, { slowops => 0, leave => 0 }, { addpid => 1 }) {
    my $n    = %$options ? $OBJECTS / 100 : $OBJECTS;
    my $how  = join ' ', "$n objects", map {"$_=$options->{$_}"} sort keys %$options;
    my $many = same($how, leaving($n), options => $options);
    my ($name) = captures_in($many->{dir});
    my $facts = facts($many, "$many->{dir}/$name");
    is_deeply { calls($facts, 'O::DESTROY'), calls($facts, 'O::helper') },
        { 'prog.pl:0 main::DESTRUCT > O::DESTROY' => $n, 'prog.pl:3 O::DESTROY > O::helper' => $n },
        "$how: every call";
    is $facts->{sub}{'O::DESTROY'}{calls}, $n, "$how: every DESTROY";
    cmp_ok $facts->{sub}{'O::DESTROY'}{inclusive}, '>', 0, "$how: with its time" if !%$options;
    like info($many, $name), qr/^whole +yes$/m, "$how: whole";
}

for my $options ({}, { calls => 2 }, { compress => 0 }) {
    my $n     = %$options ? $OBJECTS / 100 : $OBJECTS;
    my $how   = join ' ', "$n objects format=5", map {"$_=$options->{$_}"} sort keys %$options;
    my $many  = same($how, leaving($n), options => { %$options, format => 5 });
    my ($csv) = nytprof('callers', 'O::DESTROY', capture_of($many));
    like $csv, qr/^ *$n +0\.\d*[1-9]\d* +\S+    main::DESTRUCT$/m, "$how: every DESTROY, with its time";
    like info($many), qr/^whole +yes$/m, "$how: whole";
}

# --- whatever DESTROY does --------------------------------------------------------------------------------------------

# Objects of O are left, whose DESTROY is the code; "work" is called once by each, unless it says otherwise.
my %does = (
    'nothing else'  => ['1'],
    'exit'          => [ 'exit 3', calls => 1 ],
    'die'           => ['die "bye\n"'],
    'warn, with a handler' => ['$SIG{__WARN__} = sub { print "warned: @_" }; warn "x\n"'],
    'exec'          => [ 'exec "sh", "-c", "echo hello; exit 5"', calls => 1 ],
    'exec in vain'  => ['{ no warnings; exec "/nonexistent/program" }'],
    'POSIX::_exit'  => [ 'POSIX::_exit(4)', calls => 1 ],
    'kill'          => [ 'kill KILL => $$', calls => 1 ],
    'a string eval' => [ 'eval q{sub new_one { work() } new_one()}', calls => 6, new_one => 3 ],
    'require'       => [ 'require Text::Wrap; $wrapped ||= Text::Wrap::wrap("", "", "x")' ],
    'wait for a while' => ['select undef, undef, undef, 0.11'],
    'sort, match and close' => ['my @x = sort { $a <=> $b } 3, 2; "x" =~ /$x[0]/; close STDIN'],
    'make an object' => [ 'bless [], "P"; 1', calls => 6, begin => 'sub P::DESTROY { work() }' ],
    'off and on'    => [ 'DB::disable_profile() if defined &DB::disable_profile; work();'
            . ' DB::enable_profile() if defined &DB::enable_profile' ],
    'look around' => ['print join("|", (caller 0)[3], (caller 1)[3], ${^GLOBAL_PHASE},'
            . ' grep { !/NYTProf|XSLoader|strict/ } sort keys %INC), "\n"'],
);
for my $what (sort keys %does) {
    my ($code, %is) = @{ $does{$what} };
    my $text = join ' ', 'use POSIX (); sub work { 1 }', $is{begin} // (), "\n";
    $text .= "package O; our \$wrapped; sub work { main::work() }\nsub DESTROY { work(); $code }\n"
        . "package main; our (\$a1, \$a2, \$a3) = map { bless [], 'O' } 1 .. 3;\n";
    my $ours = same("DESTROY does $what", $text);
    my $facts = facts($ours);
    is $facts->{sub}{'main::work'}{calls}, $is{calls} // 3, "$what: its calls are counted"
        or diag explain $facts->{edge};
    is $facts->{sub}{'O::new_one'}{calls}, $is{new_one}, "$what: and those of new subs" if $is{new_one};
    like info($ours), qr/^whole +yes$/m, "$what: the capture is whole" if $what ne 'kill';
    my $five = run($text, options => { format => 5 });
    is_deeply [ @{$five}{qw(out exit signal)} ], [ @{$ours}{qw(out exit signal)} ], "$what: format=5 ends alike";
    like info($five), qr/^whole +yes$/m, "$what: and is whole" if $what ne 'kill';
}

my $forks = same('fork in DESTROY', <<'END');
sub work { 1 }
sub DESTROY { if (!fork) { work() for 1 .. 5; exit 0 } wait; work() }
our $left = bless [];
END
is_deeply [ sort { $a <=> $b } map { facts($forks, "$forks->{dir}/$_")->{sub}{'main::work'}{calls} }
        captures_in($forks->{dir}) ], [ 1, 5 ], 'parent and child have theirs';

# Code that is an object of its own, and subs that are freed before other code gets their addresses.
my $closures = same('closures that are objects', <<'END');
package O;
my $n = 0;
sub make { my $i = shift; return bless sub { $i } }
sub DESTROY { $n += $_[0]->(); eval "sub made$n { $n } made$n()" }
package main;
our @left = map { O::make($_) } 1 .. 50;
END
my $facts = facts($closures);
is $facts->{sub}{'O::DESTROY'}{calls}, 50, 'each is destroyed';
is scalar(grep {/^O::made\d+$/} keys %{ $facts->{sub} }), 50, 'and the subs that it makes are told apart';

# --- what stays as it was ---------------------------------------------------------------------------------------------

my $none = run("sub f { 1 } f(); our \$left = [1];\n");
my @ends = of('end', @{ facts($none)->{records} });
is scalar @ends, 1, 'without a DESTROY the profile is ended once';
is_deeply [ grep { $_->{name} eq 'main::DESTRUCT' } of('sub', @{ facts($none)->{records} }) ], [],
    'and has nothing of that phase';

my $exits = same('POSIX::_exit in an END block', <<'END');
use POSIX ();
our $x = bless [];
sub DESTROY { f() }
sub f { 1 }
f();
END { POSIX::_exit(6) }
END
is facts($exits)->{sub}{'main::f'}{calls}, 1, 'nothing is destroyed';
like info($exits), qr/^whole +yes$/m, 'the capture is whole';

my $switched = same('a program that ends its profile in an END block', <<'END');
our $x = bless [];
sub DESTROY { print "gone\n" }
END { DB::finish_profile() if defined &DB::finish_profile }
END
is facts($switched)->{sub}{'main::DESTROY'}{calls}, undef, 'has asked for no more';

SKIP: {
    skip 'this perl has no threads', 4 if !$Config{useithreads};
    for my $format (1, 5) {
        my $threads = run(<<'END', options => { format => $format });
use threads;
our $x = bless [];
sub DESTROY { 1 }
sub f { 1 }
my $thread = async { sleep 1 while 1 };
f();
$thread->detach;
END
        is "$threads->{err}$threads->{exit}", '0', "format=$format: a thread runs at the end";
        like info($threads), qr/^whole +yes$/m, 'the profile is whole';
    }
}

# --- perl in another program ------------------------------------------------------------------------------------------

SKIP: {
    my $host = host() or skip 'NOT SHOWN, there is no libperl to link with: a program with a perl in it', 18;
    for my $level (0, 1, 2) {
        for my $format (1, 5) {
            my $text = "sub work { 1 } sub DESTROY { work() } our \@left = map { bless [] } 1 .. 10;\n";
            my $ours = run($text, command => [ $host, under_profiler(), 'prog.pl' ], env => { LEVEL => $level },
                options => { format => $format });
            is "$ours->{err}$ours->{exit}$ours->{signal}", '00', "level $level of destruction, format=$format";
            like info($ours), qr/^whole +yes$/m, 'the profile is whole';
            like +(nytprof('callers', 'main::DESTROY', capture_of($ours)))[0], qr/^ +10 .* main::DESTRUCT$/m,
                'and has every DESTROY';
        }
    }
}

done_testing;

# { "FILE:LINE CALLER > SUB" => calls } of one sub.
sub calls {
    my ($facts, $sub) = @_;
    return map { (/ > \Q$sub\E$/ ? ($_ => $facts->{edge}{$_}) : ()) } keys %{ $facts->{edge} };
}

sub info { my ($run, $file) = @_; return (nytprof('info', "$run->{dir}/" . ($file // 'nytprof.out')))[0] }

sub host {
    my $dir = tempdir(CLEANUP => 1);
    my ($compile, $link) = (ExtUtils::Embed::ccopts(), ExtUtils::Embed::ldopts(1));
    chomp($compile, $link);
    my $failed = system "$Config{cc} $compile -o $dir/host $FindBin::Bin/perl/host.c $link >$dir/said 2>&1";
    return $failed ? () : "$dir/host";
}
