# SPDX-License-Identifier: MIT
# What programs outside this tree are built with, below one prefix: Makefile.PL's part for C.
#
#   lib/libnytprof.so.1, include/nytprof/read.h, nytprof.pc, libnytprof(3)
#       to read profiles; nytprof.pc is for pkg-config
#   lib/libnytprof.a, include/nytprof/{base,capture,record}/, nytprof-frontend.pc
#       to record other interpreters. The archive has all rooms of the library, and the reading functions, too
use strict;
use warnings;

my @RECORDING = qw(base capture record);

my $LIBRARY = 'build/libnytprof.so.1';
my ($name)  = $LIBRARY =~ m{([^/]+)$};

# A file for pkg-config as a command that prints it.
sub pkg_config {
    my (@lines) = @_;
    return "\t\$(NOECHO) printf '%s\\n'" . join '', map {" '$_'"} "Version: \$(VERSION)", @lines;
}

sub manual_rule {
    my $convert = 'Pod::Man->new(name => "LIBNYTPROF", section => 3, center => "NYTProf", release => shift)'
        . '->parse_from_file(@ARGV)';
    return "build/libnytprof.3 : xs/api/libnytprof.pod\n\t\$(NOECHO) mkdir -p \$(\@D)\n"
        . "\t\$(PERLRUN) -MPod::Man -e '$convert' \$(VERSION) \$< \$\@.new\n\t\$(MV) \$\@.new \$\@\n";
}

sub library_rules {
    my ($library, $headers, $manual) = map {"\"\$(DESTDIR)\$($_)\""} qw(KIT_LIBDIR KIT_INCDIR INSTALLSITEMAN3DIR);
    my $pkg_config = "$library/pkgconfig";
    return join "\n",
        shared_library($LIBRARY, '$(call objects,api)', "-Wl,-soname,$name,--version-script=xs/api/libnytprof.map"),
        "$LIBRARY : xs/api/libnytprof.map\n",
        manual_rule(),
        "pure_all :: $LIBRARY build/libnytprof.3\n\t\$(NOECHO) \$(NOOP)\n",
        "KIT_LIBDIR = \$(LUA_PREFIX)/lib", "KIT_INCDIR = \$(LUA_PREFIX)/include/nytprof",
        "pure_install :: $LIBRARY build/libnytprof.a build/libnytprof.3",
        "\t\$(NOECHO) mkdir -p $pkg_config $manual" . join('', map {" $headers/$_"} @RECORDING),
        "\trm -f $library/$name", # programs that use it keep what they have mapped
        "\tcp $LIBRARY build/libnytprof.a $library", "\tln -sf $name $library/libnytprof.so",
        "\tcp build/libnytprof.3 $manual", "\tcp xs/api/read.h $headers",
        (map {"\tcp xs/$_/*.h $headers/$_"} @RECORDING),
        pkg_config('Name: nytprof', 'Description: reads profiles of NYTProf', 'Cflags: -I$(dir $(KIT_INCDIR))',
            'Libs: -L$(KIT_LIBDIR) -lnytprof', 'Libs.private: $(CORE_LIBS)') . " > $pkg_config/nytprof.pc",
        pkg_config('Name: nytprof-frontend', 'Description: profiler for interpreters', 'Cflags: -I$(KIT_INCDIR)',
            'Libs: $(KIT_LIBDIR)/libnytprof.a $(CORE_LIBS)') . " > $pkg_config/nytprof-frontend.pc",
        'uninstall ::', "\trm -rf $headers",
        "\trm -f $library/$name $library/libnytprof.so $library/libnytprof.a $manual/libnytprof.3"
            . " $pkg_config/nytprof.pc $pkg_config/nytprof-frontend.pc\n";
}

sub { return library_rules() };
