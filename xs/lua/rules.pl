# SPDX-License-Identifier: MIT
# How build/luaV/nytprof.so and nytprof-preload.so are made and installed, for each Lua V whose headers are there:
# Makefile.PL's part for Lua.
use strict;
use warnings;

my @LUAS = qw(5.4 5.3);

# The flag with which the headers of that version are found; undef without headers.
sub lua_include {
    my ($version) = @_;
    my $number = $version =~ s/[.]/0/r;
    my $program = "#include <lauxlib.h>\n#include <lua.h>\n#if LUA_VERSION_NUM != $number\n#error other\n#endif\n";
    for my $dir ('', map {("/usr/include/lua$_", "/usr/local/include/lua$_")} $version, $version =~ s/[.]//r) {
        my $flag = $dir eq '' ? '' : "-isystem $dir";
        return $flag if ($dir eq '' || -d $dir) && compiles($program, '-c', $flag);
    }
    return;
}

sub lua_rules {
    my ($version, $include) = @_;
    my $dir       = "build/lua$version";
    my $number    = $version =~ s/[.]//r;
    my $compiler  = "\$(CORE_CC) $include";
    my $all       = "\$(patsubst xs/lua/%.c,$dir/%.o,\$(sort \$(wildcard xs/lua/*.c)))";
    my $module    = "\$(filter-out %/preload.o,$all)"; # preload is no part of the module
    my @libraries = ("$dir/nytprof-preload.so", "$dir/nytprof.so");
    return join "\n",
        stamp("$dir.flags", $compiler),
        compile($all, "$dir/%.o", 'xs/lua/%.c', $compiler, "$dir.flags"),
        shared_library($libraries[0], $all, '-ldl'), shared_library($libraries[1], $module),
        "pure_all :: @libraries\n\t\$(NOECHO) \$(NOOP)\n",
        "LUA${number}_CDIR = \$(LUA_PREFIX)/lib/lua/$version\n",
        "pure_install :: @libraries",
        "\t\$(NOECHO) mkdir -p \"\$(DESTDIR)\$(LUA${number}_CDIR)\" \"\$(DESTDIR)\$(LUA_INCDIR)\"",
        "\tcp @libraries \"\$(DESTDIR)\$(LUA${number}_CDIR)\"",
        "\tcp xs/lua/nytprof.h \"\$(DESTDIR)\$(LUA_INCDIR)\"",
        "\t\$(NOECHO) [ \"\$(LUA${number}_CDIR)\" = /usr/local/lib/lua/$version ]"
            . " || echo \"Lua $version finds it with LUA_CPATH='\$(LUA${number}_CDIR)/?.so;;'\"\n",
        "uninstall ::"
        . join(' ', "\n\trm -f", map {"\"\$(DESTDIR)\$($_\""} "LUA${number}_CDIR)/nytprof.so",
            "LUA${number}_CDIR)/nytprof-preload.so", "LUA_INCDIR)/nytprof.h") . "\n";
}

# The rules for all Luas that are found.
sub {
    my %include = map { ($_ => scalar lua_include($_)) } @LUAS; # "" where the compiler finds them by itself, else -I...
    my @found   = grep { defined $include{$_} } @LUAS;
    print 'The module for Lua: ', join(', ', map { "$_ " . (defined $include{$_} ? 'yes' : 'no') } @LUAS), "\n";
    print "(Debian and Ubuntu: apt-get install @{[ map {qq{liblua$_-dev}} @LUAS ]})\n" if !@found;
    return map { lua_rules($_, $include{$_}) } @found;
};
