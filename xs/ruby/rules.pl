# SPDX-License-Identifier: MIT
# How build/ruby/nytprof.so is made and installed: Makefile.PL's part for Ruby. RUBY= of Makefile.PL names the Ruby that
# it is for, RUBY_ARCHDIR= of `make install` where it goes.
use strict;
use warnings;

# {include, version, sitelibdir} of that Ruby; undef where its headers are not there.
sub ruby {
    my ($program) = @_;
    my $script = 'puts RbConfig::CONFIG.values_at(*%w[rubyhdrdir rubyarchhdrdir ruby_version sitelibdir])';
    my (@headers, %ruby);
    (@headers[ 0, 1 ], @ruby{qw(version sitelibdir)}) = split /\n/, qx{$program -rrbconfig -e '$script' 2>/dev/null};
    $ruby{include} = join ' ', map {"-isystem $_"} grep {defined} @headers;
    my $found = defined $ruby{sitelibdir} && compiles("#include <ruby.h>\n", '-c', $ruby{include});
    print 'The module for Ruby: ', $found ? $ruby{version} : 'no (Debian and Ubuntu: apt-get install ruby-dev)', "\n";
    return $found ? \%ruby : undef;
}

# It goes where Ruby looks by itself if that is below the prefix, else where a command beside it looks.
sub ruby_rules {
    my ($ruby) = @_;
    my ($site)    = $ruby->{sitelibdir} =~ m{^(.*?)/lib/};
    my $installed = '"$(DESTDIR)$(RUBY_ARCHDIR)';
    return join "\n",
        module_rules('ruby', $ruby->{include}),
        "RUBY_ARCHDIR = \$(if \$(filter $site,\$(LUA_PREFIX)),$ruby->{sitelibdir},\$(LUA_PREFIX)/lib/ruby)",
        "pure_install :: build/ruby/nytprof.so",
        "\t\$(NOECHO) mkdir -p $installed\"",
        "\tcp build/ruby/nytprof.so $installed\"",
        "\t\$(NOECHO) [ \"\$(RUBY_ARCHDIR)\" = \"$ruby->{sitelibdir}\" ]"
            . " || echo \"Ruby finds it with RUBYLIB='\$(RUBY_ARCHDIR)'\"\n",
        "uninstall ::\n\trm -f $installed/nytprof.so\"\n";
}

sub {
    my (%command_line) = @_;
    my $ruby = ruby($command_line{RUBY} // 'ruby');
    return $ruby ? ruby_rules($ruby) : ();
};
