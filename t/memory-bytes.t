# SPDX-License-Identifier: MIT
# nytprof run --memory: the bytes that lines and subs allocate and free, in perl itself and in C code, are those that
# the program takes from the allocator without the profiler.
use strict;
use warnings;

use Config;
use Cwd qw(abs_path);
use FindBin;
use JSON::PP qw(decode_json);
use Test::More;

use File::Temp qw(tempdir);
use List::Util qw(sum0);

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Capture qw(nytprof);
use Tree qw(slurp spew);

my $TOP     = abs_path("$FindBin::Bin/..");
my $NYTPROF = "$TOP/build/nytprof";
my $LIBRARY = "$TOP/build/heap/libnytprof-heap.so";
plan skip_all => 'the library is for Linux' if !-e $LIBRARY;
plan skip_all => "a sanitizer's allocator is not counted" if ($ENV{LD_PRELOAD} // '') =~ /san[.]so/;
plan skip_all => 'this perl has an allocator of its own' if $Config{usemymalloc} eq 'y';

my $dir = tempdir(CLEANUP => 1);
my $cc  = "$Config{cc} $Config{ccflags} $Config{cccdlflags} -I$Config{archlibexp}/CORE -I$TOP/xs -shared";
system("$cc -o $dir/heap.so $FindBin::Bin/perl/heap.c") == 0 or BAIL_OUT('perl/heap.c does not compile');

# What a shell command prints, and its standard error.
sub out_of { my ($command) = @_; return scalar qx{cd $dir && $command 2>&1} }

# The JSON of a run of that program under `nytprof run --memory`, and of other captures that it makes; behind them what
# it printed.
sub run {
    my ($text, @options) = @_;
    unlink glob "$dir/out*";
    spew("$dir/prog.pl", $text);
    my $said = out_of("$NYTPROF run --memory -o out @options -- $^X prog.pl");
    is $?, 0, 'the program ends well' or diag $said;
    return (map { decode_json((nytprof('json', $_))[0]) } sort glob "$dir/out*"), $said;
}

# Metrics by name in a row of values.
sub named {
    my ($json, $row) = @_;
    my @names = map { $_->{name} } @{ $json->{meta}{metrics} };
    return { map { ($names[$_] => ($row // [])->[$_] // 0) } 0 .. $#names };
}

sub of_sub {
    my ($json, $name, $values) = @_;
    my ($sub) = grep { $_->{name} eq $name } @{ $json->{subs} };
    return named($json, $sub->{ $values // 'inclusive_values' });
}

# The sums of a metric in all lines, by number where that is of the program's file.
sub by_lines {
    my ($json, $metric) = @_;
    my ($l, %sum) = ($json->{lines});
    for my $i (0 .. $#{ $l->{line} }) {
        my $at = $json->{files}[ $l->{file}[$i] ]{name} =~ /prog\.pl$/ ? $l->{line}[$i] : 'elsewhere';
        $sum{$at} += named($json, [ map { $_->[$i] } @{ $l->{values} } ])->{$metric};
    }
    return \%sum;
}

sub near {
    my ($got, $expected, $what, $share) = @_;
    return cmp_ok abs($got - $expected), '<=', abs($expected) * ($share // 0.03) + 2000, "$what: $got for $expected";
}

# ---- what a program takes, by its own account ----

# Name, code, calls, and bytes kept if they are known from outside.
my @SUBS = (
    [ string   => 'sub string { $main::s .= "x" x 1e6; return }',                       10,   10_000_000 ],
    [ cache    => 'sub cache { $main::h{$_} = "value $_" for 1 .. 20_000; return }',    1 ],
    [ cycle    => 'sub cycle { my $s = {}; $s->{me} = $s; return }',                    5000 ],
    [ closure  => 'sub closure { my $x = shift; push @main::l, sub { $x }; return }',   2000 ],
    [ churns   => 'sub churns { my $x = "y" x 1e6; $x .= "z"; undef $x; return }',      20,   0 ],
    [ in_c     => 'sub in_c { leaks(1000); return }',                                   1000, 1_000_000 ],
    [ packs    => 'sub packs { push @main::l, pack "x1000"; return }',                  1000 ],
    [ thaws    => 'sub thaws { push @main::l, Storable::dclone([1 .. 100]); return }',  100 ],
    [ dies     => 'sub dies { eval { die { at => 1 } }; return }',                      2000 ],
    [ evals    => 'sub evals { eval q{push @main::l, [1 .. 10]; 1} or die; return }',   200 ],
    [ defines  => 'sub defines { eval "sub n$_[0] { my \$x = shift; \$x + 1 } 1"; return }', 200 ],
    [ idles    => 'sub idles { my $n = 0; $n += $_ for 1 .. 1000; return }',            10,   0 ],
);
my ($definitions, $calls) = ('', '');
for my $row (@SUBS) {
    my ($name, $code, $times) = @$row;
    $definitions .= "$code\n";
    $calls .= "\@from = heap(); $name(\$_) for 1 .. $times; push \@by, '$name', map { \$_ - shift \@from } heap();\n";
}
my $PROGRAM = <<"END";
use strict; use warnings; use Storable;
BEGIN {
    require DynaLoader;
    my \$lib = DynaLoader::dl_load_file('$dir/heap.so') or die DynaLoader::dl_error();
    DynaLoader::dl_install_xsub("main::\$_", DynaLoader::dl_find_symbol(\$lib, \$_)) for qw(heap leaks);
}
our (\@l, \%h, \$s, \@from, \@by);
$definitions
sub all {
$calls
}
all();
print "\$_\\n" for join ' ', \@by;
END

my ($json, $said) = run($PROGRAM);
spew("$dir/prog.pl", $PROGRAM);
my @bare = split ' ', out_of("LD_PRELOAD=$LIBRARY $^X prog.pl");
my %bare;
while (my ($name, @counts) = splice @bare, 0, 4) { @{ $bare{$name} }{qw(allocations bytes bytes-freed)} = @counts }
is scalar keys %bare, scalar @SUBS, 'without the profiler the library counts, too';
my @lines = split /\n/, $PROGRAM;
my $bytes = by_lines($json, 'bytes');
for my $row (@SUBS) {
    my ($name, $code, $times, $known) = @$row;
    my ($got, $is) = (of_sub($json, "main::$name"), $bare{$name});
    near($got->{$_}, $is->{$_}, "$name, $_") for qw(bytes bytes-freed);
    cmp_ok abs($got->{allocations} - $is->{allocations}), '<=', $is->{allocations} * 0.05 + 50, "$name, allocations";
    near($got->{bytes} - $got->{'bytes-freed'}, $known, "$name grows, as is known from outside") if defined $known;
    my ($line) = grep { $lines[ $_ - 1 ] eq $code } 1 .. @lines;
    near($bytes->{$line}, $is->{bytes}, "$name, its line") if $name !~ /evals|defines/;
}
for my $metric (qw(bytes bytes-freed)) {
    my $all = sum0(map { $_->{$metric} } values %bare);
    near(of_sub($json, 'main::all')->{$metric}, $all, "all together, $metric");
    near(sum0(map { named($json, $_->{values})->{$metric} } grep { $_->{name} !~ /RUNTIME|BEGIN/ } @{ $json->{subs} }),
        $all, 'and in sum');
}

# ---- reports ----

my ($flat) = nytprof('flat', '--metric=bytes,bytes-freed', "$dir/out");
like $flat, qr/^\s+self\s+bytes\s+bytes-freed\s+calls(?:.*\n)+?.*[1-9][\d.]* MB\s+.*B\s+10\s+main::string$/m,
    'nytprof flat has columns';
my ($folded) = nytprof('folded', '--metric=bytes', "$dir/out");
like $folded, qr/;main::string 1[01]\d{6}$/m,            'nytprof folded has paths';
like $folded, qr/;main::in_c;main::leaks 10\d{5}$/m, 'and those of C code';
nytprof('html', '--metric=bytes', '-o', "$dir/html", "$dir/out");
like slurp("$dir/html/index.html"), qr/Bytes allocated/, 'nytprof html names it';
my ($page) = grep { !/eval/ } glob "$dir/html/*prog-pl-1-line.html";
like slurp($page), qr/<span>1[01]\.\d MB/, 'and the pages of source have units';

# ---- the environment ----

my $ENVIRONMENT = 'print map { "$_=$ENV{$_};" } grep { /^(?:LD_PRELOAD|NYTPROF_HEAP)$/ } sort keys %ENV; '
    . 'print STDOUT qx{env | grep -c "nytprof-heap"};';
{
    local $ENV{LD_PRELOAD};
    delete $ENV{LD_PRELOAD};
    (undef, $said) = run($ENVIRONMENT);
    is $said, "0\n", 'the program and its children do not see the library';
    (undef, undef, $said) = (run($ENVIRONMENT, '--children'))[ 0, 0, -1 ];
    is $said, "LD_PRELOAD=$LIBRARY;1\n", 'unless they are to be profiled';
    my ($libc) = slurp('/proc/self/maps') =~ m{ (/\S+/libc[.-]\S+)}; # any library that is loaded in any case
    SKIP: {
        skip 'the C library has another name', 2 if !$libc;
        $ENV{LD_PRELOAD} = $libc;
        (undef, $said) = run($ENVIRONMENT);
        is $said, "LD_PRELOAD=$libc;0\n", 'what the user has loaded stays';
    }
}

# ---- options, processes, threads ----

my $KEEPS = 'our @l; sub keeps { my $n = shift; push @l, "x" x 9_990 for 1 .. $n; return }';
my @jsons = run("$KEEPS\nkeeps(100);\nif (my \$pid = fork) { waitpid \$pid, 0; keeps(10) }\nelse { keeps(1000) }\n");
pop @jsons;
my @kept = sort { $a <=> $b } map { of_sub($_, 'main::keeps')->{bytes} } @jsons;
near($kept[0], 1_100_000,  'a parent', 0.05);
near($kept[1], 10_000_000, 'a forked child has its own', 0.05);

SKIP: {
    skip 'this perl has no threads', 1 if !$Config{useithreads};
    ($json) = run(<<"END");
use threads;
$KEEPS
my \@all = map { my \$n = \$_; threads->create(sub { keeps(\$n) for 1 .. 10; return }) } 100, 20;
keeps(1);
\$_->join for \@all;
END
    near(of_sub($json, 'main::keeps')->{bytes}, 12_010_000, 'threads have their own', 0.05);
}

for my $more (qw(subs=0 stmts=0 slowops=0 use_db_sub=1 leave=0 clock=tick latency=1:waiting=1 calls=2 optimize=0)) {
    ($json) = run("$KEEPS\nkeeps(1000);\n", "--options=$more");
    my $got = $more eq 'stmts=0' ? of_sub($json, 'main::keeps')->{bytes}
        : sum0(values %{ by_lines($json, 'bytes') });
    near($got, 10_000_000, $more, 0.05);
}

# ---- where bytes are not counted ----

spew("$dir/prog.pl", "$KEEPS\nkeeps(10);\n");
my $lib = "-I$TOP/blib/lib -I$TOP/blib/arch";
is out_of("NYTPROF=memory=1:file=plain $^X $lib -d:NYTProf prog.pl"), '', 'without the library a program says nothing';
my $plain = decode_json((nytprof('json', "$dir/plain"))[0]);
is_deeply [ grep { /bytes|allocations/ } map { $_->{name} } @{ $plain->{meta}{metrics} } ], [], 'and has values only';

spew("$dir/own.c", <<'END');
#include <stddef.h>
#include <string.h>
static char room[1 << 26];
static size_t used;
void *malloc(size_t n) {
    size_t *head = (size_t *)(void *)(room + used);
    used += (n + 31) & ~(size_t)15;
    *head = n;
    return used < sizeof room ? head + 2 : NULL;
}
void free(void *p) { (void)p; }
size_t malloc_usable_size(void *p) { return p ? ((size_t *)p)[-2] : 0; }
void *calloc(size_t n, size_t size) { return malloc(n * size); }
void *realloc(void *p, size_t n) {
    void *now = malloc(n);
    if (p && now) memcpy(now, p, ((size_t *)p)[-2] < n ? ((size_t *)p)[-2] : n);
    return now;
}
END
system("$Config{cc} -O1 -fno-builtin -shared -fPIC -o $dir/own.so $dir/own.c") == 0
    or BAIL_OUT('own.c does not compile');
is out_of("NYTPROF=memory=1:file=own LD_PRELOAD=$dir/own.so:$LIBRARY $^X $lib -d:NYTProf prog.pl"),
    "NYTProf: bytes are not counted: this program has another allocator than the C library's\n",
    'a program with another allocator says so';

# Behind the library it counts, and once where one of its functions calls another.
spew("$dir/grows.pl", <<"END");
require DynaLoader;
my \$lib = DynaLoader::dl_load_file('$dir/heap.so') or die DynaLoader::dl_error();
DynaLoader::dl_install_xsub('main::heap', DynaLoader::dl_find_symbol(\$lib, 'heap'));
my (\$s, \$more) = ('', 'x' x 1e5);
my \@before = heap();
\$s .= \$more for 1 .. 10;
print +(heap())[1] - \$before[1];
END
near(out_of("LD_PRELOAD=$LIBRARY:$dir/own.so $^X grows.pl"), 1_100_000, 'an allocator behind the library', 0.2);

# ---- what is refused or ignored ----

spew("$dir/prog.rb", "#!/usr/bin/ruby\nputs 1\n");
for ([ "--sample $^X prog.pl", 2, 'run: expected --memory or --sample, got both' ],
    [ './prog.rb', 1, 'run: --memory is not for ruby, expected a program in Perl or Lua' ]) {
    my ($command, $exit, $expected) = @$_;
    $said = out_of("$NYTPROF run --memory $command");
    is $? >> 8, $exit, 'exit status';
    like $said, qr/^nytprof: \Q$expected\E.*\n\z/, $expected;
}
is out_of("NYTPROF=memory=1:file=five:format=5 $^X $lib -d:NYTProf prog.pl"),
    "NYTProf: option memory is ignored with format=5\n", 'format=5';
is out_of("NYTPROF=memory=1:file=samples $^X $lib -MDevel::NYTProf::Sample prog.pl"),
    "NYTProf: sample=100: option memory is for counting, and ignored\n", 'samples';

done_testing;
