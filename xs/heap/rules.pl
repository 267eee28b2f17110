# SPDX-License-Identifier: MIT
# How build/heap/libnytprof-heap.so is made and installed: Makefile.PL's part for the library that counts bytes. It is
# compiled without sanitizers and the like, for which the programs that load it are not linked, and without the
# compiler's own knowledge of malloc, as it is malloc.
use strict;
use warnings;

sub heap_rules {
    my ($library, $object) = qw(build/heap/libnytprof-heap.so build/heap/heap.o);
    my $compiler = '$(filter-out -fsanitize% -fno-sanitize% -fprofile% --coverage,$(CORE_CC)) -fno-builtin';
    my $installed = '"$(DESTDIR)$(BUILD_DIR)';
    return join "\n",
        stamp('build/heap.flags', $compiler),
        compile($object, $object, 'xs/heap/heap.c', $compiler, 'build/heap.flags'),
        "$library : $object",
        "\t\$(CC) -shared -Wl,-z,now,-z,nodelete -o \$\@ \$^ -ldl\n",
        "pure_all :: $library\n\t\$(NOECHO) \$(NOOP)\n",
        "pure_install :: $library",
        "\t\$(NOECHO) mkdir -p $installed\"",
        "\trm -f $installed/libnytprof-heap.so\"", # programs that use it keep what they have mapped
        "\tcp $library $installed\"",
        "uninstall ::\n\trm -f $installed/libnytprof-heap.so\"\n";
}

sub { return $^O eq 'linux' ? heap_rules() : () };
