# SPDX-License-Identifier: MIT
# How build/builds/libnytprof-build.so and build/builds/sh are made and installed: Makefile.PL's part for what records a
# build from inside other programs. They are compiled without sanitizers and the like, for which those programs are not
# linked, and therefore have objects of their own of the sources that they share with the library. The wrapper has to
# start fast, so it is linked statically where the C library permits that.
use strict;
use warnings;

my @SHARED = qw(base/buf base/crc base/str capture/fields capture/format capture/guest capture/head capture/mask);

# Each program of a build loads the library: the fewer parts it is mapped in, and names are looked for, the faster.
my $QUICK = '-nostartfiles -Wl,-z,lazy,-z,nodelete,--as-needed,-z,noseparate-code,-z,norelro,--hash-style=gnu';

sub build_rules {
    my ($static) = @_;
    my ($library, $program) = qw(build/builds/libnytprof-build.so build/builds/sh);
    my $compiler  = '$(filter-out -fsanitize% -fno-sanitize% -fprofile% --coverage,$(CORE_CC)) -DNYTP_FORMAT_NAMELESS';
    my @shared    = map {"build/builds/$_.o"} @SHARED;
    my ($preload, $wrapper, $stopped) = map {"build/builds/$_.o"} qw(builds/preload builds/wrapper base/stopped);
    my $directory = '"$(DESTDIR)$(BUILD_DIR)';
    return join "\n",
        stamp('build/builds.flags', $compiler),
        compile("$preload $wrapper $stopped @shared", 'build/builds/%.o', 'xs/%.c', $compiler, 'build/builds.flags'),
        "-include build/builds/*/*.d\n",
        "$library : $preload @shared",
        "\t\$(CC) -shared $QUICK -o \$\@ \$^ -ldl\n",
        "$program : $wrapper $stopped @shared",
        "\t\$(CC) $static -o \$\@ \$^\n",
        "pure_all :: $library $program\n\t\$(NOECHO) \$(NOOP)\n",
        'BUILD_DIR = $(LUA_PREFIX)/lib/nytprof',
        "pure_install :: $library $program",
        "\t\$(NOECHO) mkdir -p $directory\"",
        "\trm -f $directory/libnytprof-build.so\" $directory/sh\"", # programs that use them keep what they have mapped
        "\tcp $library $program $directory\"",
        "uninstall ::\n\trm -f $directory/libnytprof-build.so\" $directory/sh\"\n";
}

sub {
    return if $^O ne 'linux';
    my $static = compiles("int main(void) { return 0; }\n", '-static') ? '-static' : '';
    print 'The wrapper for shells: ', $static ? 'static' : 'dynamic', "\n";
    return build_rules($static);
};
