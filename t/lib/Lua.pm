# SPDX-License-Identifier: MIT
package Lua;

# Runs Lua programs under the profiler, with every installed Lua that has a module in this build.

use strict;
use warnings;

use Config;
use Exporter 'import';
use File::Temp qw(tempdir);
use Profiled qw($TOP);
use Run ();
use Tree qw(slurp spew);

our @EXPORT_OK = qw(luas interpreter lua bare_lua host lua_command of_release);

# The versions to test with, and the reason if there is none.
sub luas {
    my @here  = grep { interpreter($_) } qw(5.4 5.3);
    my @built = grep { -e "$TOP/build/lua$_/nytprof.so" } @here;
    return (\@built, @built ? '' : @here ? 'built without the headers of Lua' : 'no Lua 5.3 or 5.4 here');
}

sub interpreter {
    my ($version) = @_;
    my ($found) = grep { -x } map {"$_/lua$version"} split /:/, $ENV{PATH};
    return $found;
}

# lua(VERSION, TEXT, ...) runs the text as prog.lua under the profiler; ... as for Run::run, more => [...] for lua, and
# interpreter => another program.
sub lua {
    my ($version, $text, %with) = @_;
    return bare_lua($version, $text, %with, more => [ '-lnytprof', @{ $with{more} // [] } ]);
}

# The same without profiler.
sub bare_lua {
    my ($version, $text, %with) = @_;
    my $path = "$TOP/build/lua$version/?.so;;";
    $with{env} = { LUA_CPATH => $path, "LUA_CPATH_5_4" => $path, %{ $with{env} // {} } };
    $with{name} //= 'prog.lua';
    my $program = delete $with{interpreter} // interpreter($version);
    $with{command} //= [ $program, @{ $with{more} // [] }, $with{name}, @{ $with{args} // [] } ];
    delete $with{more};
    return Run::run($text, %with);
}

# lua_command(VERSION, OPTIONS, PROGRAM) is a command line that runs the program under the profiler with these options
# (of NYTPROF), bare if they are undef.
sub lua_command {
    my ($version, $options, @program) = @_;
    my $nytprof = join ':', map {"$_=$options->{$_}"} sort keys %{ $options // {} };
    my $path    = "LUA_CPATH=$TOP/build/lua$version/?.so;;";
    return ('env', $path, "NYTPROF=$nytprof", "lua$version", $options ? '-lnytprof' : (), @program);
}

my $bin = tempdir(CLEANUP => 1);

# of_release(VERSION, RELEASE) is a copy of the interpreter whose text says that it is of that release; or nothing if
# the text is not in the program, but in a shared library.
sub of_release {
    my ($version, $release) = @_;
    my $program = slurp(interpreter($version));
    my $copy    = "$bin/lua$release";
    $program =~ s{(\$LuaVersion: Lua )(\Q$version\E\.\d+ *)}{$1 . sprintf "%-*s", length $2, $release}e or return;
    spew($copy, $program);
    chmod 0755, $copy or die "$copy: $!\n";
    return $copy;
}

# host(VERSION, NAME, FLAGS...) compiles t/lua/NAME.c with Lua's shared library and, if the flags say so, with our
# module. Returns the program; or nothing where it does not compile, with the reason on standard error.
sub host {
    my ($version, $name, @more) = @_;
    my ($include) = slurp("$TOP/Makefile") =~ m{(-isystem \S+lua$version)\s};
    my @command = ($Config{cc}, qw(-O2 -Wall -Werror -pthread), '-o', "$bin/$name-$version", "$TOP/t/lua/$name.c",
        "-I$TOP/xs/lua", $include // (), "-L$TOP/build/lua$version", "-Wl,-rpath,$TOP/build/lua$version", @more,
        "-llua$version");
    return system("@command >&2") == 0 ? "$bin/$name-$version" : ();
}

1;
