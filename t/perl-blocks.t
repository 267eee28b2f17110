# Blocks: each program in t/perl/blocks.txt says itself which block and sub its statements belong to, and which of them
# the optimiser merges into others; those have a record of their own, and without the optimiser a count.
# (N-38 N-62 N-63, compat.md 5.4)
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(of);
use Run qw(cases facts run);

for my $case (cases('blocks')) {
    my ($title, $text) = @$case;
    subtest $title => sub {
        my $plain = facts(run($text, options => { optimize => 0 }));
        is rows(blocks($plain)), rows(marked($text, qr/#= (\d+ \d+)/)), 'blocks and subs';
        is rows(carried($plain)), rows(marked($text, qr/#~~ (\d+)/)), 'without the optimiser few are carried';
        my $merged = facts(run($text));
        is rows(carried($merged)), rows(marked($text, qr/#~~? (\d+)/)), 'with it more';
        my $found = blocks($merged);
        my $there = blocks($plain);
        is_deeply $found, { map { ($_ => $there->{$_}) } keys %$found }, 'which changes nothing for the others';
    };
}

my $evals = facts(run("my \$x = eval 'my \$y = 1;\n\$y';\neval 'for my \$i (1) {\nmy \$z = 3;\n}';\n"));
my %eval  = map { ($_->{id} => 1) } grep { $_->{parent} } of('file', @{ $evals->{records} });
my @places = grep { $eval{ $_->{file} } } of('place', @{ $evals->{records} });
is_deeply [ map {"$_->{line} $_->{block_line} $_->{sub_line}"} @places ],
    [ '1 1 1', '2 2 2', '1 1 1', '2 2 2' ], 'in a string eval a line is its own block, as at the top of a file';

done_testing;

sub rows { my ($of) = @_; return join '', map {"$_: $of->{$_}\n"} sort { $a <=> $b } keys %$of }

# { LINE => what the pattern finds there }.
sub marked {
    my ($text, $pattern) = @_;
    my @lines = split /\n/, $text;
    return { map { $lines[$_] =~ $pattern ? ($_ + 1 => $1) : () } 0 .. $#lines };
}

# { LINE => "BLOCK SUB" } of the program's statements; of several in a line the one that is met first.
sub blocks {
    my ($facts) = @_;
    my ($file) = grep { $_->{name} =~ /prog\.pl$/ } of('file', @{ $facts->{records} });
    my %found;
    for my $place (sort { $a->{id} <=> $b->{id} } of('place', @{ $facts->{records} })) {
        next if $place->{file} != $file->{id} || !$facts->{line}{"prog.pl:$place->{line}"};
        $found{ $place->{line} } //= "$place->{block_line} $place->{sub_line}";
    }
    return \%found;
}

sub carried {
    my ($facts) = @_;
    return { map { ($_->{line} => $_->{carrier}) } of('carried', @{ $facts->{records} }) };
}
