# SPDX-License-Identifier: MIT
package Failing;

# Builds the command, the modules and the toy interpreter so that a chosen one of their allocations or writes fails; see
# t/fail/alloc.h and system.h.

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);

use Profiled qw($TOP);
use Tree qw(slurp);

our @EXPORT_OK = qw(command_program library_program toy_program perl_directory lua_directory ruby_directory stride);

my $dir = tempdir(CLEANUP => 1);
my @names = qw(malloc calloc realloc free strdup strndup __strdup __strndup); # the last two for glibc before 2.26
my $wrap  = join ' ', map {"-Wl,--wrap=$_"} @names, qw(write close rename renameat);
my $fails = 't/fail/alloc.c t/fail/system.c';

# The Makefile's compiler, flags and libraries, so that a build with sanitizers has sanitizers here, too.
my $makefile = slurp("$TOP/Makefile");
my ($cc)        = $makefile =~ /^CC = (.*)$/m;
my ($optimize)  = $makefile =~ /^OPTIMIZE = (.*)$/m;
my ($libraries) = $makefile =~ m{^build/nytprof : .*\n\t\$\(CC\) \$\(OPTIMIZE\) -o \$\@ \$\^ (.*)$}m;
my $archive     = 'build/libnytprof.a';

sub compiler { return "cd '$TOP' && $cc $optimize -std=gnu11 -Wall -Wextra -Werror -Ixs -It/fail -It/toy" }

sub make {
    my ($what, @command) = @_;
    my $log = qx{@command 2>&1};
    die "$what cannot be built:\n$log" if $? || $log;
    return;
}

# Verbs of the command, to be run by t/fail/verbs.c.
sub command_program {
    my @rooms   = split ' ', qx{$^X '$TOP/xs/rooms.pl' command};
    my @objects = grep { !/main\.o$/ } map { s{^\Q$TOP\E/}{}r } map { glob "$TOP/build/$_/*.o" } @rooms;
    make('the command', compiler(), "-o $dir/verbs t/fail/verbs.c $fails @objects $archive $wrap $libraries");
    return "$dir/verbs";
}

# The functions of libnytprof, to be run by t/fail/library.c.
sub library_program {
    make('the library', compiler(), "-o $dir/library t/fail/library.c $fails $archive $wrap $libraries");
    return "$dir/library";
}

# The interpreter of t/toy, whose own allocations do not fail. The first definition makes strdup a function before glibc
# 2.26.
sub toy_program {
    my $own = join ' ', '-D__NO_STRING_INLINES', map {"-D$_=__real_$_"} qw(malloc calloc strdup free);
    make('the toy', compiler(), "$own -c -o $dir/toy.o t/toy/toy.c");
    make('the toy', compiler(), "-o $dir/toy t/toy/glue.c $dir/toy.o $fails $archive $wrap $libraries");
    return "$dir/toy";
}

sub make_module {
    my ($file, $objects, $flags) = @_;
    make_path(dirname($file));
    make('a module', compiler(), "-fPIC -c -o $dir/$_.o t/fail/$_.c") for qw(alloc system);
    $objects .= " $dir/alloc.o $dir/system.o";
    make('a module', compiler(), "-shared $flags -o $file $objects $archive $wrap $libraries");
    return;
}

# A directory for -I, in front of blib/lib.
sub perl_directory {
    make_module("$dir/perl/auto/Devel/NYTProf/NYTProf.so", 'build/perl/*.o build/perldata/*.o', '');
    make_path("$dir/perl/Devel/NYTProf");
    copy("$TOP/blib/arch/Devel/NYTProf/Core.pm", "$dir/perl/Devel/NYTProf/Core.pm") or die "Core.pm: $!\n";
    return "$dir/perl";
}

# A directory for LUA_CPATH.
sub lua_directory {
    my ($version) = @_;
    my @objects = map { m{/(\w+)\.c$} && $1 ne 'preload' ? "build/lua$version/$1.o" : () } glob "$TOP/xs/lua/*.c";
    make_module("$dir/lua$version/nytprof.so", "@objects", '-Wl,-z,nodelete,-z,lazy,-Bsymbolic');
    return "$dir/lua$version";
}

# A directory for ruby -I.
sub ruby_directory {
    make_module("$dir/ruby/nytprof.so", 'build/ruby/*.o', '-Wl,-z,nodelete,-z,lazy,-Bsymbolic');
    return "$dir/ruby";
}

# One of so many allocations or writes fails, as all take ten minutes; NYTPROF_STRIDE=1 is all of them.
sub stride { return $ENV{NYTPROF_STRIDE} || ($optimize =~ /-fsanitize/ ? 25 : 5) }

1;
