package Lua;

# Runs Lua programs under the profiler, with every Lua that it was built for and that is installed.

use strict;
use warnings;

use Exporter 'import';
use Profiled qw($TOP);
use Run ();

our @EXPORT_OK = qw(luas interpreter lua bare_lua);

# The versions to test with; none, with the reason in the second place, where there is nothing to test.
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

# lua(VERSION, TEXT, ...) runs the text as prog.lua under the profiler; ... as for Run::run, and more => [...] for lua.
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
    $with{command} //= [ interpreter($version), @{ $with{more} // [] }, $with{name}, @{ $with{args} // [] } ];
    delete $with{more};
    return Run::run($text, %with);
}

1;
