# SPDX-License-Identifier: MIT
# Blocks: each program in t/perl/blocks.txt says itself which block and sub its statements belong to, and which of them
# the optimiser merges into others; those have a record of their own, and without the optimiser a count.
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

# An expression with "for" goes on with its own statement in each round, whatever it has run; with calls or without.
my $EXPRESSIONS = <<'END';
my ($n, $m) = (0, 0);
sub g { $m++; $n = 2 }
my $code = "\$m++;\n\$n = 2;";
$n += 1, g() for 1 .. 5;
$n += 1, eval $code for 1 .. 5;
$n += 1, do { $m++; $n = 2 } for 1 .. 5;
my $text = 'a'; $n += 1, $text =~ s/a/$m++; $n = 2; 'a'/e for 1 .. 5;
$n += 1, $text =~ /a(?{ $m++; $n = 2 })/ for 1 .. 5;
my $made = qr/a(?{ $m++; $n = 2 })/;
$n += 1, $text =~ $made for 1 .. 5;
my @parts; $n += 1, @parts = split(/a(?{ $m++; $n = 2 })/, $text) for 1 .. 5;
END
is_deeply switches(run($EXPRESSIONS, options => { subs => 0 })), { map { $_ => 5 } 4 .. 8, 10, 11 },
    'five rounds go back to their statement';
is_deeply switches(run($EXPRESSIONS)), { map { $_ => 5 } 5 .. 7, 11 }, 'calls and built-ins need no event for that';
is_deeply switches(run($EXPRESSIONS, options => { slowops => 0 })), { map { $_ => 5 } 5 .. 8, 10, 11 },
    'without built-ins code in a pattern does';

# What comes before the first round of a C-style loop is no end of a round, of the loop around it least of all.
my $C_STYLE = <<'END';
my ($n, $m) = (0, 0);
while ($n < 3) {
    $n++;
    for (my $i = 0; $i < 2; $i++) { $m += $i }
    for (my $i = 0; $i < 2; $i++) { $m += $i; $m-- }
}
END
is_deeply switches(run($C_STYLE)), { 2 => 3, 5 => 6 },
    'loops are gone back to at the end of each round, unless that never left their statement';

done_testing;

# { LINE => how often its statements were gone back to, if they were }.
sub switches {
    my ($run) = @_;
    my @records = @{ facts($run)->{records} };
    my ($file) = grep { $_->{name} =~ /prog\.pl$/ } of('file', @records);
    my %line = map { ($_->{id} => $_->{line}) } grep { $_->{file} == $file->{id} } of('place', @records);
    my %switches;
    $switches{ $line{ $_->{id} } } += $_->{switches} for grep { $line{ $_->{id} } } of('place_delta', @records);
    return { map { ($_ => $switches{$_}) } grep { $switches{$_} } keys %switches };
}

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
