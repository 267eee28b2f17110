# SPDX-License-Identifier: MIT
# Programs as a hostile user would write them: what they say and how they end is as without the profiler, and their
# captures are whole and add up. Then what would fill the memory, and several perls in one process.
use strict;
use warnings;

use Config;
use ExtUtils::Embed ();
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(has_zlib nytprof);
use Dump qw(imbalances of records);
use Run qw(cases captures_in facts run under_profiler without_quarantine);
use Tree qw(spew);

my @INCLUDES = grep {/^-I/} under_profiler();

for my $case (cases('hostile')) {
    my ($title, $text) = @$case;
    my $bare = run($text, switches => \@INCLUDES);
    my $ours = run($text, switches => [under_profiler()]);
    is without_addresses($ours), without_addresses($bare), $title;
    is wrong($ours), '', "$title: the captures are whole and add up" if $title !~ /descriptors/;
}

# What a program says and how it ends, less addresses.
sub without_addresses {
    my ($run) = @_;
    return "$run->{exit} $run->{signal}\n" . "$run->{out}\n$run->{err}" =~ s/\(0x[0-9a-f]+\)/(ADDRESS)/gr;
}

sub wrong {
    my ($run) = @_;
    my @names = map {"$run->{dir}/$_"} captures_in($run->{dir}) or return 'no capture';
    my @wrong = map { my $name = $_; map {"$name: $_"} imbalances(records($name)) } @names;
    for my $name (@names) {
        my ($says) = nytprof('info', $name);
        push @wrong, "$name: $says" if $says !~ /^whole +yes$/m;
    }
    return join "\n", @wrong;
}

# An expression of two hundred thousand operators, which perl walks without recursion, and a small stack.
my @nested = (<<'END', before => [ 'sh', '-c', 'ulimit -s 1024 && exec "$@"', 'sh' ]);
my ($sum, $x) = (0, 1);
eval '($sum = ' . join('+', ('$x') x 200_000) . ') for 1 .. 2';
print $sum;
END
SKIP: {
    skip 'this perl itself walks expressions by recursion', 1 if run(@nested, switches => [])->{out} ne '200000';
    my $nested = run(@nested);
    is $nested->{out}, 200_000, 'a deeply nested expression with for' or diag $nested->{err};
}

# --- memory: what is done over and over needs no more of it -----------------------------------------------------------

my $GROWTH = <<'END';
use File::Temp;
my ($what, $n) = @ARGV;
my $file = File::Temp->new(SUFFIX => '.pl');
print {$file} "use strict; sub again { 1 } again();\nagain();\n1;\n";
close $file;
my %does = (
    eval    => sub { eval '1 + 1; 2 + 2' },
    text    => sub { eval "$_[0] + 1" },
    sub     => sub { eval "sub { $_[0] }; 1" },
    called  => sub { (eval "sub { $_[0] }")->() },
    named   => sub { no warnings; eval "sub named { $_[0] } named()" },
    reload  => sub { no warnings; do "$file" },
    use     => sub { eval 'use strict; 1' },
    line    => sub { eval qq{#line 1 "made"\nuse strict; sub { $_[0] }->()} },
    package => sub {
        my $name = "P$_[0]";
        eval "package $name; use strict; sub f { 1 } ${name}->f; sub { 2 }->()";
        delete $main::{"${name}::"};
    },
    closure => sub { my $x = $_[0]; (sub {$x})->() },
    dying   => sub { eval { die "x\n" } },
);
sub resident { open my $in, '<', '/proc/self/statm' or die; return (split ' ', <$in>)[1] * 4096 }
my $do = $does{$what};
sub window { DB::disable_profile(); DB::enable_profile() }    # not when this machine's speed would have it
my @resident;
for my $round (0 .. 4) {
    $do->($_), $_ % 1000 || window() for $round * $n + 1 .. ($round + 1) * $n;
    push @resident, resident();
}
my ($least) = sort { $a <=> $b } map { $resident[$_] - $resident[ $_ - 1 ] } 1 .. $#resident;
printf '%d', $least / 1024;
END

SKIP: {
    skip 'this system does not say how much memory a process has', 10 if !-e '/proc/self/statm';

    # 32 bytes each would be 190 kB in each of the rounds; the heap grows by as much now and then, but not in all of
    # them.
    my $limit = 128;
    for my $case ([ eval => 8000 ], [ text => 8000 ], [ sub => 12_000 ], [ named => 6000 ], [ reload => 6000 ],
        [ closure => 20_000 ], [ dying => 20_000 ], [ use => 6000 ], [ line => 6000 ], [ package => 6000 ])
    {
        my ($what, $n) = @$case;
        my %options = (maxevals => 500, nameanonsubs => 0);
        my $run = run($GROWTH, args => [ $what, $n ], options => \%options, env => { without_quarantine() });
        cmp_ok $run->{out}, '<', $limit, "$what: no more than $run->{out} kB more for $n of them";
    }
}

my $called = run($GROWTH, args => [ 'called', 3000 ], options => { maxevals => 500 });
my %names  = map { ($_->{name} => 1) } grep { $_->{kind} eq 'sub' } records("$called->{dir}/nytprof.out");
cmp_ok scalar(keys %names), '<', 1000, 'anonymous subs of evals that share an entry share one too';

my $packages = facts(run($GROWTH, args => [ 'package', 1000 ], options => { maxevals => 500 }));
is $packages->{sub}{'P1::f'}{calls}, 1, 'packages made at run time: the first have their subs';
my @subs = grep {/^P\d+::f\z/} keys %{ $packages->{sub} };
my $calls = 0;
$calls += $packages->{sub}{$_}{calls} for grep {/::__ANON__\[\(eval/} keys %{ $packages->{sub} };
is $calls + @subs, 10_000, 'later ones share an anonymous sub, and no call is lost';
cmp_ok scalar(@subs), '<', 1000, 'nor are there ten thousand names';

# perl itself keeps an array as long as the highest line number.
my $long = run(qq{# line 20000000 "far"\nprint "far\\n";\n});
is "$long->{out}$long->{err}", "far\n", 'a line number of twenty millions';
cmp_ok -s "$long->{dir}/nytprof.out", '<', 100_000, 'makes no capture of twenty million empty lines' if has_zlib();

# Each eval that a name holds is a file; looking them all up takes C stack, and memory by the square of their number.
my $claims = run(<<'END');
my $name = ('(eval 1)[' x 3000) . 'x' . (':1]' x 3000);
eval qq{#line 1 "$name"\nsub f { 1 } f(); print "done\n"; 1} or die $@;
END
is "$claims->{out}$claims->{err}", "done\n", 'a line directive that claims to be three thousand evals';
cmp_ok scalar(grep { $_->{kind} eq 'file' } records("$claims->{dir}/nytprof.out")), '<', 10, 'is not believed';

my @appending = ('sh', '-c', 'echo before; exec "$@" >>.out', 'sh');
my $kept = run('print "program\n"', command => [ @appending, $^X, under_profiler(), '-e', '1' ],
    options => { file => '/dev/stdout' });
like $kept->{out}, qr/\Abefore\nNYTProf capture 1\n/, 'a capture that goes to standard output follows what is there';

# --- several perls in one process -------------------------------------------------------------------------------------

my $PERLS_OWN = 'this perl, 5.30.0 for one, cannot load a module again when another perl has ended, profiled or not';
SKIP: {
    skip 'a perl of this build is alone in its process', 17 if !$Config{usemultiplicity};
    my $host = host() or skip 'NOT SHOWN, there is no libperl to link with: several perls in one process', 17;
    my @cases = (
        # what is done, captures that are left, what is said
        [ 'pb',      1, "ran\nran\n" ],
        [ 'pbcxcx',  1, "ran\nran\ncalled\n0\ncalled\n0\n" ],
        [ 'bpcxx',   1, "ran\nran\ncalled\n0\n0\n" ],
        [ 'ppcxx',   2, "ran\nran\ncalled\n0\n0\n" ],
        [ 'pxpxbpx', 3, "ran\n0\nran\n0\nran\nran\n0\n" ], # the last, which with what follows may be skipped
    );
    my $begins_again = begins_again($host);
    for my $case (@cases) {
        my ($does, $captures, $says) = @$case;
        $does .= 'x' x (($does =~ tr/pb//) - ($does =~ tr/x//));
        $says .= "0\n" x (($does =~ tr/pb//) - ($says =~ tr/0//));
        skip $PERLS_OWN, 5 if $does =~ /xp/ && !$begins_again;
        my $run = run(undef, command => [ $host, @INCLUDES, $does ]);
        is "$run->{out}$run->{exit} $run->{signal}", "${says}0 0", "$does: runs";
        my @wrong = grep { (nytprof('info', "$run->{dir}/$_"))[0] !~ /^whole +yes$/m } captures_in($run->{dir});
        is_deeply [ scalar captures_in($run->{dir}), @wrong ], [$captures], "$does: captures";
        is_deeply [ map { bodies("$run->{dir}/$_") } captures_in($run->{dir}) ], [ (20) x $captures ],
            "$does: each tells the bodies of one name apart";
    }
    is built_ins_after($host, 'qxpx'), 'nytprof.out: yes; nytprof.out.1: no, fake clock',
        'a perl has its own options, not those of the one before it';
    is built_ins_after($host, 'pxqx'), 'nytprof.out: no, fake clock; nytprof.out.1: yes',
        'also if it wants fewer hooks and another clock';
}

done_testing;

# Which captures the host leaves, and whether they have calls of built-ins. Those that do not add up are an error.
sub built_ins_after {
    my ($host, $does) = @_;
    my $run = run(undef, command => [ $host, @INCLUDES, $does ]);
    return join '; ', map { "$_: " . built_ins(facts($run, "$run->{dir}/$_")) } captures_in($run->{dir});
}

sub built_ins {
    my ($facts) = @_;
    my ($start) = of('process_start', @{ $facts->{records} });
    my $has = grep {/CORE:/} keys %{ $facts->{sub} };
    return ($has ? 'yes' : 'no') . ($start->{clock_name} eq 'fake' ? ', fake clock' : '');
}

# Bodies of the sub that is defined over and over.
sub bodies {
    my ($capture) = @_;
    my %id = map { $_->{kind} eq 'sub' && $_->{name} eq 'main::again' ? ($_->{id} => 1) : () } records($capture);
    return scalar keys %id;
}

# Whether a second perl loads a module, which here profiles nothing.
sub begins_again {
    my ($host) = @_;
    my $dir = tempdir(CLEANUP => 1);
    make_path("$dir/Devel");
    spew("$dir/Devel/NYTProf.pm", "package Devel::NYTProf;\nuse XSLoader;\nuse strict;\nuse warnings;\n1;\n");
    return run(undef, command => [ $host, "-I$dir", "-I$dir", 'pxpx' ])->{out} eq "ran\n0\nran\n0\n";
}

sub host {
    my $dir = tempdir(CLEANUP => 1);
    my ($compile, $link) = (ExtUtils::Embed::ccopts(), ExtUtils::Embed::ldopts(1));
    chomp($compile, $link);
    my $failed = system "$Config{cc} $compile -o $dir/host $FindBin::Bin/perl/second.c $link >$dir/said 2>&1";
    return $failed ? () : "$dir/host";
}
