# SPDX-License-Identifier: MIT
package Tree;

# Common parts of the structural tests: the files of a source tree, and facts that a simple scan finds in them.

use strict;
use warnings;

use Exporter 'import';
use File::Find ();

our @EXPORT_OK = qw(files folders slurp spew functions includes which installed);

# Paths below $root whose name matches, relative to it and sorted, without the files that a build makes.
sub files {
    my ($root, $pattern) = @_;
    my @found;
    my $visit = sub {
        my $path = $File::Find::name =~ s{^\Q$root\E/}{}r;
        $File::Find::prune = 1 if $path =~ m{^(?:build|blib|nytprof|\.git)$};
        push @found, $path if -f && $path =~ $pattern;
    };
    File::Find::find({ wanted => $visit, no_chdir => 1 }, $root);
    @found = sort @found;
    return @found;
}

# The folders right below $root that have files, sorted.
sub folders {
    my ($root) = @_;
    my %folder = map { (split m{/})[0] => 1 } files($root, qr{/});
    my @names = sort keys %folder;
    return @names;
}

sub slurp {
    my ($path) = @_;
    open my $in, '<:raw', $path or die "$path: $!\n";
    local $/;
    return scalar <$in>;
}

sub spew {
    my ($path, $text) = @_;
    open my $out, '>:raw', $path or die "$path: $!\n";
    print {$out} $text;
    close $out or die "$path: $!\n";
    return;
}

# The path of a program in PATH, undef if it is not installed.
sub which {
    my ($name) = @_;
    my ($path) = grep { -x } map {"$_/$name"} split /:/, $ENV{PATH};
    return $path;
}

# The path of a program that has to be installed.
sub installed {
    my ($name) = @_;
    return which($name) // die "$name is not installed\n";
}

# [name, first line, number of lines] of each function of a C or Perl text, comments and braces included. It relies on
# the layout of this tree: a function begins in column 1 and its closing brace stands alone in column 1.
sub functions {
    my ($text) = @_;
    my (@found, $start, $name);
    my $number = 0;
    for my $line (split /\n/, $text) {
        $number++;
        if ($line =~ /^(?!typedef|struct|enum|union|extern)[A-Za-z_].*?\b(\w+)\s*\(/ || $line =~ /^sub\s+(\w+)/) {
            ($start, $name) = ($number, $1);
        }
        undef $start if $line =~ /^\S.*;\s*$/ || $line =~ /^\S.*\}\s*$/;
        next if $line ne '}' || !defined $start;
        push @found, [ $name, $start, $number - $start + 1 ];
        undef $start;
    }
    return @found;
}

# The names a C text includes: [line, "name" or <name> with its delimiters].
sub includes {
    my ($text) = @_;
    my @found;
    my $number = 0;
    for my $line (split /\n/, $text) {
        $number++;
        push @found, [ $number, $1 ] if $line =~ /^\s*#\s*include\s+("[^"]+"|<[^>]+>)/;
    }
    return @found;
}

1;
