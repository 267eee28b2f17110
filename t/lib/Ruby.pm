# SPDX-License-Identifier: MIT
package Ruby;

# Runs Ruby programs under the profiler.

use strict;
use warnings;

use Exporter 'import';
use Profiled qw($TOP);
use Run qw(facts run);

our @EXPORT_OK = qw(why_not ruby bare_ruby all_facts);

# The reason why Ruby cannot be tested; empty if there is a Ruby and a module for it.
sub why_not {
    return 'no Ruby here' if !grep { -x "$_/ruby" } split /:/, $ENV{PATH};
    return -e "$TOP/build/ruby/nytprof.so" ? '' : 'built without the headers of Ruby';
}

# ruby(TEXT, ...) runs the text as prog.rb under the profiler; ... as for Run::run, and more => [...] for ruby.
sub ruby {
    my ($text, %with) = @_;
    return bare_ruby($text, %with, more => [ '-rnytprof', @{ $with{more} // [] } ]);
}

# The same without profiler.
sub bare_ruby {
    my ($text, %with) = @_;
    $with{name}    //= 'prog.rb';
    $with{command} //= [ 'ruby', "-I$TOP/build/ruby", @{ $with{more} // [] }, $with{name}, @{ $with{args} // [] } ];
    delete $with{more};
    return run($text, %with, env => { RUBYOPT => '', RUBYLIB => '', %{ $with{env} // {} } });
}

# Counts in the program's capture: lines by number; calls by name, followed by " line N" if several have this name;
# edges "LINE CALLER > CALLED", where the main program is <main>.
sub all_facts {
    my ($run, @capture) = @_;
    my $facts = facts($run, @capture);
    my (%line, %call, %edge);
    /^prog\.rb:(\d+)$/ and $line{$1} = $facts->{line}{$_} for keys %{ $facts->{line} };
    $call{$_} = $facts->{sub}{$_}{calls} for grep { $facts->{sub}{$_}{calls} } keys %{ $facts->{sub} };
    for my $edge (keys %{ $facts->{edge} }) {
        my $short = $edge =~ s/^prog\.rb://r =~ s/main::RUNTIME/<main>/r;
        $edge{$short} = $facts->{edge}{$edge};
    }
    return { %$facts, line_of => $facts->{line}, line => \%line, call => \%call, edge => \%edge };
}

1;
