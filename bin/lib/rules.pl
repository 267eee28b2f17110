# SPDX-License-Identifier: MIT
# The part of Makefile.PL for the tools of bin/, which get the function of command.pl, and for completion in shells.
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

# The directories below a prefix where these shells look, all but zsh by XDG_DATA_DIRS.
sub completion_rules {
    my %installed = (
        bash => 'share/bash-completion/completions/nytprof',
        fish => 'share/fish/vendor_completions.d/nytprof.fish',
        zsh  => 'share/zsh/site-functions/_nytprof',
    );
    my %to     = map { ($_ => "\"\$(DESTDIR)\$(LUA_PREFIX)/$installed{$_}\"") } keys %installed;
    my @shells = sort keys %installed;
    my @built  = map {"build/completion/$_"} @shells;
    return "@built : build/completion/% : build/nytprof\n\t\$(NOECHO) mkdir -p \$(\@D)\n"
        . "\tbuild/nytprof completion \$* > \$\@.new\n\t\$(MV) \$\@.new \$\@\n\n"
        . "pure_all :: @built\n\t\$(NOECHO) \$(NOOP)\n\n"
        . "pure_install :: @built\n"
        . "\t\$(NOECHO) mkdir -p @{[ map { s{/[^/]*$}{\"}r } @to{@shells} ]}\n"
        . join('', map {"\tcp build/completion/$_ $to{$_}\n"} @shells)
        . "\nuninstall ::\n\trm -f @to{@shells}\n";
}
1;
