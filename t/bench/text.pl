# SPDX-License-Identifier: MIT
# Slow built-ins: regular expressions over generated text. Argument: passes over it (8).
use strict;
use warnings;

my $passes = shift // 8;
my @words  = qw(alpha beta42 gamma delta7 epsilon zeta eta99 theta iota kappa3 lambda mu nu11 xi omicron pi);

sub generate {
    my ($lines) = @_;
    my ($seed, @text) = (17);
    for my $line (1 .. $lines) {
        my @line;
        for (1 .. 12) {
            $seed = ($seed * 69069 + 1) & 0xffffffff;
            push @line, $words[ ($seed >> 16) % @words ];
        }
        push @text, ($line % 10 ? '' : '# ') . "@line key$line=$seed";
    }
    return @text;
}

my @text = generate(3000);
my ($letters, $vowels, %value) = (0, 0);
for my $pass (1 .. $passes) {
    for my $original (@text) {
        my $line = $original;
        next if $line =~ /^\s*#/;
        $line =~ s/\b([a-z])/\U$1/g;
        $value{$1} = $2 if $line =~ /(\w+)=(\d+)/;
        for my $word (split /\s+/, $line) {
            $word =~ tr/a-z//cd;
            $vowels++ while $word =~ /[aeiou]/g;
        }
        $line =~ s/(\d+)/<$1>/g;
        $letters += length $line;
    }
}

print "$letters $vowels ", scalar(keys %value), "\n";
