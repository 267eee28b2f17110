# SPDX-License-Identifier: MIT
package Calls;

# Captures of calls, made from xs/capture/FORMAT alone: calling contexts with their counts and times.

use strict;
use warnings;

use Capture qw(chunk i record text u);
use Exporter 'import';

our @EXPORT_OK = qw(calls_capture);

# calls_capture([PATH, CALLS, NANOSECONDS], ...): a PATH is names of subs, from outermost to innermost, each with the
# line of its call behind a colon, and blanks between: 'bar:3 foo:12'. All but the last have to be the path of an
# earlier context. A blank in a name is written as ~. The path '' is the main program. Lines are those of /app/prog.pl,
# where all subs are.
sub calls_capture {
    my (@contexts) = @_;
    my $start = u(1) . u(0) . u(1_700_000_000 * 10**9) . i(0) . u(10**9) . u(1) . i(1001);
    my @records = (
        record(1, $start . join '', map { Capture::s($_) } 'fake', '/app/prog.pl', 'perl 5.36.0'),
        record(7, (map { u($_) } 1, 0, 0, 0, 0, 0), Capture::s('/app/prog.pl')),
    );
    my (%sub, %place, %node, $total);
    for my $context (@contexts) {
        my ($path, $calls, $ns) = @$context;
        $total += $ns;
        if ($path ne '') {
            my ($parent, $name, $line) = $path =~ /^(?:(.*) )?([^ ]+):(\d+)\z/s or die "no path: $path\n";
            push @records, record(10, u($sub{$name} = 1 + keys %sub), (map { u($_) } 0, 1, 1, 1, 1),
                Capture::s($name =~ tr/~/ /r), Capture::s('')) if !$sub{$name};
            push @records, record(11, map { u($_) } $place{$line} = 1 + keys %place, 1, $line, 1, 1) if !$place{$line};
            my $above = defined $parent ? $node{$parent} // die "no context: $parent\n" : 0;
            push @records, record(12, map { u($_) } $node{$path} = 1 + keys %node, $above, $place{$line}, $sub{$name});
        }
        push @records, record(14, u($path eq '' ? 0 : $node{$path}), i($calls), i($ns));
    }
    push @records, record(11, map { u($_) } 1 + keys %place, 1, 999, 1, 1);
    push @records, record(13, u(1 + keys %place), i(1), i($total));
    push @records, record(15, (map { i($_) } 0, 0, 0, $total), u(0));
    return text() . chunk(join('', @records), end => $total);
}

1;
