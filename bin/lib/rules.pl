# SPDX-License-Identifier: MIT
# How the tools of bin/ are made whole, and what shells complete installed: Makefile.PL's part for the command's
# neighbours.
use strict;
use warnings;

# The scripts in Perl.
sub tools { return grep { -f && first_line($_) =~ /^#!.*perl/ } sort glob 'bin/*' }

sub first_line {
    my ($file) = @_;
    open my $in, '<', $file or die "$file: $!\n";
    return scalar <$in>;
}

sub whole { my ($tool) = @_; return $tool =~ s{^bin/}{build/script/}r }

sub man1 {
    my ($file) = @_;
    my ($name) = $file =~ m{([^/]+?)(?:\.pod)?$};
    return "\$(INST_MAN1DIR)/$name.\$(MAN1EXT)";
}

sub tools_rules {
    my @tools = @_;
    return join(' ', map { whole($_) } @tools) . " : build/script/% : bin/% bin/lib/command.pl bin/lib/whole.pl\n"
        . "\t\$(NOECHO) mkdir -p \$(\@D)\n\t\$(PERLRUN) bin/lib/whole.pl \$< > \$\@.new\n\t\$(MV) \$\@.new \$\@\n";
}
1;
