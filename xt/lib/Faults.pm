# SPDX-License-Identifier: MIT
package Faults;

# What is done to programs by xt/survives.pl. Each program calls main::counted, so that the calls in its profiles can be
# counted.

use strict;
use warnings;

use Config;
use Exporter 'import';

use Run qw(cases);

our @EXPORT_OK = qw(groups);

my $X86   = $Config{archname} =~ /^x86_64/;
my $WORK  = 'sub counted { my $x = 0; $x += $_ for 1 .. 5; $x } ';
my $SOON = 30_000;       # calls, which take some hundredths of a second,
my $LATE = 1_000_000;    # and some seconds
my $SUB   = 'sub/nytprof.out';
my $CLOSE = 'POSIX::close($_) for 3 .. 1100; ';

# Each group is [title, fault...], and each fault { name, programs => [{ text, calls, with }...] }, where `with` is for
# Run::run. The environment of the programs has perl's switches as SWITCHES.
sub groups {
    return (
        [ 'The end of a process', ends(), sudden() ],
        [ 'Processes',            processes() ],
        [ 'Files',                descriptors(), room(), names() ],
        [ 'Signals and waits',    signals() ],
        [ 'Perl',                 sizes(), language(), control() ],
        $> ? () : [ 'Rights', rights() ],
    );
}

# fault(NAME, [TEXT, CALLS, WITH...]...): counted is called 100 times unless CALLS says otherwise.
sub fault {
    my ($name, @programs) = @_;
    return { name => $name, programs => [ map { program(ref ? @$_ : $_) } @programs ] };
}

sub program {
    my ($text, $calls, %with) = @_;
    return { text => "$WORK$text\n", calls => $calls // 100, with => \%with };
}

# A text behind a hundred calls.
sub after { return map {"counted() for 1 .. 100; $_"} @_ }

sub ends {
    my @handled = qw(TERM INT HUP ABRT SEGV QUIT ALRM USR1 PIPE);
    return (
        fault('kill by itself, with ten signals', after(map {"kill $_ => \$\$; sleep 1;"} 'KILL', @handled)),
        fault('handlers of nine signals that exit', after(map {"\$SIG{$_} = sub { exit 3 }; kill $_ => \$\$; sleep 1;"}
            @handled)),
        fault('a handler dies, another one returns', after('$SIG{USR1} = sub { die "x\n" }; kill USR1 => $$; sleep 1;',
            '$SIG{USR1} = sub { print "x" }; kill USR1 => $$; print "y";')),
        fault('exec, also one that fails', after('exec "true";', 'no warnings; exec "/none"; print "on";')),
        fault('POSIX::_exit', after('use POSIX (); POSIX::_exit(3);')),
        fault('exit in sub, eval, sort, map, BEGIN, END, DESTROY', after('sub f { exit 3 } f();', 'eval { exit 3 };',
            'my @x = sort { exit 3 } 1, 2;', 'map { exit 3 } 1;', 'END { exit 3 }',
            'sub DESTROY { exit 3 } { bless [] }'),
            'BEGIN { counted() for 1 .. 100; exit 3 }'),
        fault('die in sub, sort, FETCH, STORE, BEGIN, END, DESTROY', after(
            'sub f { die "x\n" } f();', 'my @x = sort { die "x\n" } 1, 2;',
            'sub TIESCALAR { bless [] } sub FETCH { die "x\n" } tie my $x, "main"; print $x;',
            'sub TIESCALAR { bless [] } sub STORE { die "x\n" } tie my $x, "main"; $x = 1;',
            'END { die "x\n" }', 'sub DESTROY { die "x\n" } { bless [] } print "on";'),
            'BEGIN { counted() for 1 .. 100; die "x\n" }'),
        fault('objects that are destroyed when perl ends',
            'sub DESTROY { counted() } our @x = map { bless [] } 1 .. 100;'),
    );
}

# Ends of which no hook knows. A child that kills its parent waits until the calls are done.
sub sudden {
    my $pipe = 'use POSIX (); pipe my $in, my $out; my $parent = $$; if (!fork) { close $out; sysread $in, my $x, 1; '
        . 'kill KILL => $parent; POSIX::_exit(0) }';
    my @ways = (
        [ 'SIGKILL by another process', $pipe, 'syswrite $out, 1; 1 while 1;' ],
        [ 'SIGSEGV',                    '',    'unpack "p", pack "J", 8;' ],
        [ 'exit_group, by syscall',     '',    'syscall ' . ($X86 ? 231 : 94) . ', 3;' ],
    );
    my @whens = ([ 'at once', $SOON ], [ 'later', $LATE ]);
    return map {
        my ($when, $calls) = @$_;
        map { fault("$_->[0], $when", [ "$_->[1] counted() for 1 .. $calls; $_->[2]", $calls ]) } @ways
    } @whens;
}

sub processes {
    my $daemon = 'use POSIX (); for (1, 2) { my $pid = fork // die; if ($pid) { waitpid $pid, 0; exit } '
        . 'POSIX::setsid() } ';
    my $null = 'open STDIN, "<", "/dev/null"; open STDOUT, ">", "/dev/null"; open STDERR, ">&STDOUT"; ';
    return (
        fault('a daemon', [ "$daemon close \$_ for *STDIN, *STDOUT, *STDERR; $null counted() for 1 .. 100;" ]),
        fault('a daemon that closes all descriptors',
            [ "$daemon chdir '/'; POSIX::close(\$_) for 0 .. 1100; $null counted() for 1 .. 100;" ]),
        fault('500 children', [ 'for (1 .. 500) { if (!fork) { counted() for 1 .. 10; exit } wait }', 5000 ]),
        fault('children that _exit, or are killed', map { [ "use POSIX (); for (1 .. 20) { if (!fork) "
            . "{ counted() for 1 .. 10; $_; sleep 9 } wait }", 200 ] } 'POSIX::_exit(1)', 'kill KILL => $$'),
        fault('exec of itself', [ after('exec $^X, split(" ", $ENV{SWITCHES}), $0, 1 if !@ARGV;'), 200 ]),
        fault('two programs with one name at a time', [ 'if (!@ARGV) { my $pid = fork; exec $^X, split(" ", '
            . '$ENV{SWITCHES}), $0, 1 if !$pid } counted() for 1 .. 100; sleep 1; wait if !@ARGV;', 200 ]),
    );
}

sub descriptors {
    return (
        fault('closes all descriptors', [ "use POSIX (); counted() for 1 .. 100; $CLOSE counted() for 1 .. 200;", 300 ],
            [ "use POSIX (); for (1 .. 5) { counted() for 1 .. 100; $CLOSE select undef, undef, undef, 0.001 }", 500 ],
            [ "use POSIX (); chdir '/'; counted() for 1 .. 100; $CLOSE counted() for 1 .. 200;", 300 ]),
        fault('chdir, %ENV cleared, standard handles closed',
            after('chdir "/";', '%ENV = ();', 'close STDIN;', 'close STDERR;', 'close STDOUT;')),
    );
}

sub names {
    return (
        fault('profile renamed while it is written',
            [ 'counted() for 1 .. 50; rename "nytprof.out", "nytprof.out.moved"; counted() for 1 .. 50;' ]),
        fault('profile or its directory removed', [ after('unlink "nytprof.out";') ],
            [ after('unlink "sub/nytprof.out"; rmdir "sub";'), 100,
                before => sh('mkdir sub'), options => { file => $SUB } ]),
        fault('a link, a fifo, a directory in place of the profile',
            map { [ after('open my $in, "<", "old"; print <$in>;'), 100, before => sh($_), files => { old => 'old' } ] }
                'ln -s old nytprof.out', 'mkfifo nytprof.out', 'mkdir nytprof.out'),
        fault('a hard link in place of the profile', [ after('open my $in, "<", "old"; print <$in>;'), 100,
            before => sh('ln old nytprof.out'), files => { old => 'old' } ]),
    );
}

# A command that does something in the directory before the program runs.
sub sh { my ($first) = @_; return [ 'sh', '-c', "$first; exec \"\$\@\"", 'sh' ] }

sub room {
    my $source = join '', map {"# line $_ of a text without any use\n"} 1 .. 4000;
    my @disk = ('unshare', '-m', 'sh', '-c', 'mkdir sub; mount -t tmpfs -o size=64k none sub; "$@"; status=$?; '
        . 'cp sub/ny* . 2>/dev/null; exit $status', 'sh');
    my %large = (options => { compress => 0 });
    return (
        fault('little room for files: 50 kB (ulimit -f)', [ "counted() for 1 .. 100;\n$source", 100, %large,
            before => sh('ulimit -f 100') ]),
        fault('less room, 1 kB', [ "counted() for 1 .. 100;\n$source", 100, %large, before => sh('ulimit -f 2') ]),
        $> ? () : fault('a full disk', [ "counted() for 1 .. 100;\n$source", 100, before => \@disk,
            options => { compress => 0, file => $SUB } ]),
        fault('no more memory (ulimit -v)', [ after('my @x; push @x, "x" x 1e5 while 1;'), 100,
            before => sh('ulimit -v 300000') ]),
    );
}

sub signals {
    return (
        fault('20,000 signals from outside, 100 at a time', after('$SIG{USR1} = sub {}; if (!fork) { for (1 .. 200) { '
            . 'kill USR1 => getppid for 1 .. 100; select undef, undef, undef, 0.005 } exit } '
            . '1 until wait == -1 && $!{ECHILD};')),
        fault('100,000 from itself',
            after('my $n; $SIG{USR1} = sub { $n++ }; kill USR1 => $$ for 1 .. 1e5; print $n;')),
        fault('20,000 whose handler dies', after('my $n; $SIG{USR1} = sub { die }; for (1 .. 2e4) { eval { '
            . 'kill USR1 => $$; 1 } or $n++ } print $n;')),
        fault('500 alarms a second, for a second', after('use Time::HiRes qw(ualarm time); $SIG{ALRM} = sub {}; '
            . 'ualarm 2000, 2000; my $end = time + 1; 1 while time < $end; ualarm 0;')),
        fault('sleep, select, an alarm in sleep', after('my $t = time; sleep 2; print time - $t > 1;',
            'use Time::HiRes "time"; my $t = time; select undef, undef, undef, 0.7; print time - $t > 0.69;',
            '$SIG{ALRM} = sub { die "alarm\n" }; alarm 1; sleep 9;')),
    );
}

sub sizes {
    return (
        fault('100,000 string evals', after('eval $_ for 1 .. 1e5;')),
        fault('30,000 string evals, a sub in each', after('eval "sub { counted() } # $_" for 1 .. 3e4;'),
            [ 'eval "sub { counted() }->() # $_" for 1 .. 3e4;', 30_000 ],
            [ 'eval "sub s$_ { counted() } s$_()" for 1 .. 3e4;', 30_000 ]),
        fault('5,000 files', [ 'mkdir "d"; for (1 .. 5000) { open my $f, ">", "d/$_"; '
            . 'print $f "main::counted(); 1;"; close $f; require "./d/$_" }', 5000 ]),
        fault('names of subs: 100,000 bytes, UTF-8, NUL, newline', after(map {"use Sub::Util 'set_subname'; "
            . "set_subname($_, sub {})->() for 1 .. 10;"} '"x" x 1e5', '"\x{263a}"', '"a\0b"', '"a\nb"')),
        fault('recursion to a depth of 100,000', after('no warnings; sub r { $_[0] ? r($_[0] - 1) : 1 } r(1e5);')),
    );
}

# Programs that tests have.
sub language {
    my %title = (
        hostile => 'subs undefined as they run, goto, ties, formats ...',
        leaving => 'ways out of subs, evals, sorts and loops',
        loops   => 'loops, their conditions and ranges',
    );
    return (
        (map { my $file = $_; fault($title{$file}, map { [ after($_->[1]) ] } cases($file)) } sort keys %title),
        fault('next::method in an anonymous sub', after('use mro; package A { sub f { "A" } } package B { '
            . 'our @ISA = "A"; sub f { my $s = shift; sub { $s->next::method }->() } } print bless([], "B")->f;')),
        fault('caller, Carp, die, which name places and subs', after('use Carp; print sub { (caller 0)[3] }->(); '
            . 'eval "sub { Carp::cluck(1) }->(); die";  print $@;')),
    );
}

sub control {
    return (
        fault('-T, -t', map { [ after('print ${^TAINT};'), 100, more => [$_] ] } '-T', '-t'),
        fault('DB::DB and DB::sub of its own', after('sub DB::DB { print "DB" } print 1;',
            'sub DB::sub { print "sub"; &$DB::sub } main->can("f")->(); sub f {}')),
        fault('$^P set by the program',
            after('$^P = 0xA; eval "sub foo { 1 }\n1;\n"; print grep { /_<\(eval/ } keys %::;')),
    );
}

sub rights {
    my $family = 'if (!fork) { counted() for 1 .. 10; exit } wait; print $?;';
    my $other  = '$( = $) = "65534 65534"; $< = $> = 65534;';
    return (
        fault('chroot', [ after('mkdir "jail"; chroot "jail"; chdir "/";') ]),
        fault('another user', [ after($other) ]),
        fault('children after chroot',
            [ after("mkdir 'jail'; chroot 'jail'; chdir '/'; mkdir 'x'; chdir 'x'; rmdir '/x'; $family"), 110 ]),
        fault('children as another user', [ after($other . $family), 110 ]),
    );
}

1;
