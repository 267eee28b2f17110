# SPDX-License-Identifier: MIT
# libnytprof as `make install` installs it: its symbols, its manual's program, and all that it tells, which is what the
# command and the Perl modules tell. The programs are built with the flags of pkg-config's file, and nothing else.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", map {"$FindBin::Bin/../blib/$_"} qw(lib arch);

BEGIN { delete @ENV{qw(NYTPROF NYTPROF_ONLOAD)} }

use Devel::NYTProf::Data;
use Pages qw(pages run);
use Tree qw(installed slurp spew which);

my $TOP  = "$FindBin::Bin/..";
my $root = tempdir(CLEANUP => 1);
my $log  = qx{cd "$TOP" && env -u MAKEFLAGS make -s pure_install "PREFIX=$root" 2>&1};
is $?, 0, 'make install' or diag $log;

my ($cc)       = slurp("$TOP/Makefile") =~ /^CC = (.*)$/m;
my ($optimize) = slurp("$TOP/Makefile") =~ /^OPTIMIZE = (.*)$/m;
my %flags      = slurp("$root/lib/pkgconfig/nytprof.pc") =~ /^([\w.]+): (.*)$/mg;
my @captures   = glob "$TOP/t/data/*.out";

# --- the header and the symbols ---------------------------------------------------------------------------------------

$ENV{LD_LIBRARY_PATH} = "$root/lib";

my $header    = slurp("$root/include/nytprof/read.h");
my @functions = sort $header =~ /^NYTPROF_API [^;(]*?\b(nytprof_\w+)\(/mg;
cmp_ok scalar @functions, '>', 20, 'the header declares functions';
my @listed = slurp("$TOP/xs/api/libnytprof.map") =~ /^ {8}(nytprof_\w+);$/mg;
is_deeply \@listed, \@functions, 'the list of symbols has them, in order';
my $nm = installed('nm');
my @symbols = sort map { /^\S+ T (\w+)\@\@NYTPROF_1$/ ? $1 : /^\S+ A NYTPROF_1$/ ? () : $_ } split /\n/,
    qx{$nm -D --defined-only "$root/lib/libnytprof.so.1"};
is_deeply \@symbols, \@functions, 'and so has the library, and no others';
like qx{@{[ installed('readelf') ]} -d "$root/lib/libnytprof.so"}, qr/SONAME.*\[libnytprof[.]so[.]1\]/, 'its soname';

my $told = slurp("$TOP/xs/api/libnytprof.pod");

for my $language ([ 'c', '-std=c99' ], which('c++') ? [ 'c++', '-std=c++11' ] : ()) {
    my ($name, $standard) = @$language;
    spew("$root/alone.x", qq{#include <nytprof/read.h>\nint main() { return nytprof_version() == 0; }\n});
    my $flags = "-x $name $standard -pedantic -Wall -Wextra -Werror $flags{Cflags}";
    is scalar qx{$cc $flags -fsyntax-only "$root/alone.x" 2>&1}, '', "the header compiles alone, $standard";
}

# --- the manual -------------------------------------------------------------------------------------------------------

my ($top) = $told =~ /^=head1 SYNOPSIS\n\n(.*?)^(?=\S)/ms;
spew("$root/top.c", $top =~ s/^ {4}//gmr);
built('top', "$root/top.c");
my ($status, $out, $err) = run("$root/top", "$TOP/t/data/capture-perl.out");
is "$status$err", '0', 'the program of the manual runs';
is $out, top_of("$TOP/t/data/capture-perl.out"), 'and prints what the Perl modules say';
($status, $out, $err) = run("$root/top", "$root/none");
is "$status$out$err", "1top: $root/none: No such file or directory\n", 'or that there is no file';
SKIP: {
    skip 'pkg-config is not installed', 2 if !which('pkg-config');
    local $ENV{PKG_CONFIG_PATH} = "$root/lib/pkgconfig";
    my ($line) = $told =~ /^    cc (.*)$/m;
    is scalar qx{cd "$root" && $cc $optimize $line 2>&1}, '', 'it is built as the manual says';
    is scalar qx{pkg-config --modversion nytprof}, "$1\n", 'of that version'
        if qx{"$TOP/build/nytprof" version} =~ /(\d+[.]\d+)/;
}
my $pages = qx{ls "$root/share/man/man3" "$root/man/man3" 2>/dev/null};
like $pages, qr/^libnytprof[.]3$/m, 'the manual page is installed';

# --- what it says -----------------------------------------------------------------------------------------------------

built('print', "$TOP/t/library/print.c");
for my $capture (@captures) {
    my ($name) = $capture =~ m{([^/]+)$};
    my $tables = said('tables', $capture);
    my $csv    = csv_of($capture);
    is_deeply lines_of($tables), $csv, "$name: lines are those of nytprof csv";
    my ($own, $perls) = (subs_of($tables), subs_by_perl($capture));
    is_deeply { map { ($_ => $own->{$_}) } keys %$perls }, $perls, "$name: subs are those of Devel::NYTProf::Data";
    like $tables, qr/^nodes agree$/m, "$name: the tree of calls adds up to them";
    my $dump = qx{"$TOP/build/nytprof" dump "$capture"} =~ s/^chunk n=.*\n//gmr;
    is said('records', $capture), $dump, "$name: records are those of nytprof dump";
}
my $several = said('tables', @captures[ 0, 1 ]);
like $several, qr/^totals \d+ \d+ inputs 2$/m, 'several files make one profile';
is said('sizes', $captures[0]), "fits\n", 'structs of other versions are filled as far as both know them';

# --- bad files --------------------------------------------------------------------------------------------------------

spew("$root/text", "not a capture\n");
like said('bad', "$root/text"), qr{\A(?:error 3 0 \Q$root\E/text: .*\n){2}\z}, 'another file: the error names it';
like said('bad', "$root/none"), qr/\A(?:error 2 2 .*none: No such file or directory\n){2}\z/, 'none: with errno';
for my $capture (@captures) {
    my ($name) = $capture =~ m{([^/]+)$};
    my $bytes = slurp($capture);
    my @bad   = (cuts($bytes), flips($bytes));
    spew("$root/bad.$_", $bad[$_]) for 0 .. $#bad;
    my @lines = split /\n/, said('bad', map {"$root/bad.$_"} 0 .. $#bad);
    is scalar @lines, 2 * @bad, "$name: cut or changed anywhere it is read to its end";
    is_deeply [ grep { !m{^(?:error 3 0 .*\Q$root\E/bad|damage (?:$|.*\Q$root\E/bad.*\d)|read )} } @lines ], [],
        "$name: errors and damage name the file, damage the place";
    cmp_ok scalar(grep {/^(?:error|damage .)/} @lines), '>', @bad / 2, "$name: most of it is noticed";
}

done_testing;

sub built {
    my ($name, $source) = @_;
    my $log = qx{$cc $optimize -Wall -Wextra -Werror $flags{Cflags} -o "$root/$name" "$source" $flags{Libs} 2>&1};
    is "$?$log", 0, "$name is built with what is installed";
    return;
}

sub said {
    my (@arguments) = @_;
    my ($status, $out, $err) = run("$root/print", @arguments);
    is "$status$err", '0', "print $arguments[0] runs";
    return $out;
}

sub top_of {
    my ($capture) = @_;
    my $subs = subs_by_perl($capture);
    my @top  = sort { $subs->{$b}[1] <=> $subs->{$a}[1] || $a cmp $b } grep { $subs->{$_}[0] } keys %$subs;
    return join '', map { sprintf "%12.6f s %8d %s\n", @{ $subs->{$_} }[ 1, 0 ], $_ } grep {defined} @top[ 0 .. 9 ];
}

# { name => [calls, exclusive, inclusive] }
sub subs_by_perl {
    my ($capture) = @_;
    my $map = Devel::NYTProf::Data->new({ filename => $capture, quiet => 1 })->subname_subinfo_map;
    return { map { ($_ => [ $map->{$_}->calls, map { sprintf '%.6f', $_ } $map->{$_}->excl_time,
        $map->{$_}->incl_time ]) } grep { $map->{$_}->calls } keys %$map };
}

sub subs_of {
    my ($tables) = @_;
    my %subs;
    while ($tables =~ /^sub (\d+) (\S+) (\S+) (.*)$/mg) { $subs{$4} = [ $1, map { sprintf '%.6f', $_ } $2, $3 ] }
    return \%subs;
}

# { number of the file => ["time,count" of each line that ran] }
sub csv_of {
    my ($capture) = @_;
    run("$TOP/build/nytprof", 'csv', '-o', my $dir = tempdir(CLEANUP => 1), $capture);
    my $pages = pages($dir);
    my %rows;
    for my $page (sort grep {/-line[.]csv$/} keys %$pages) {
        my ($file) = $page =~ /-(\d+)-line/;
        my @ran = grep { !/^[0.]+,0$/ } map { /^([\d.]+,\d+),/ } split /\n/, $pages->{$page};
        $rows{$file} = \@ran if @ran;
    }
    return \%rows;
}

sub lines_of {
    my ($tables) = @_;
    my %rows;
    while ($tables =~ /^line (\d+) (\S+)/mg) { push @{ $rows{$1} }, $2 if $2 !~ /^[0.]+,0$/ }
    return \%rows;
}

sub cuts {
    my ($bytes) = @_;
    return map { substr $bytes, 0, $_ * length($bytes) / 40 } 1 .. 39;
}

sub flips {
    my ($bytes) = @_;
    return map { my $bad = $bytes; substr($bad, $_ * length($bytes) / 60, 1) ^= chr 1 + $_ * 4; $bad } 1 .. 59;
}
