#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# rooms.pl PART...: prints the names of the rooms of xs/ that are built into these parts, by the table in xs/README.
# Makefile.PL and tests `do` this file and call rooms.
use strict;
use warnings;

# The rows of the table, in its order: {name, may => [rooms], part, outside => {header => [files; none: all]}}.
sub rooms {
    my $readme = __FILE__ =~ s{[^/]*\z}{README}r;
    open my $in, '<', $readme or die "$readme: $!\n";
    my ($rows) = join('', <$in>) =~ /^\h+room\h+may include\h+.*\n((?:.+\n)+)/m or die "$readme: no table of rooms\n";
    $rows =~ s/\n\h{12,}/ /g; # a row goes on below its last column
    return map { room(split /\h\h+/, s/^\h+//r) } split /\n/, $rows;
}

sub room {
    my ($name, $may, $part, $outside) = @_;
    my %files;
    for my $item (split /;\h*/, $outside // '') {
        my ($file, $headers) = $item =~ /^(?:(\w+):)?\h*(.*)/;
        push @{ $files{$_} }, $file // () for split ' ', $headers;
    }
    return { name => $name, may => [ grep { $_ ne '-' } split ' ', $may ], part => $part, outside => \%files };
}

if (!caller) {
    my %wanted = map { ($_ => 1) } @ARGV;
    print join(' ', map { $_->{name} } grep { $wanted{ $_->{part} } } rooms()), "\n";
}
1;
