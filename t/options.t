# SPDX-License-Identifier: MIT
# The manual names every option there is, with its default, and no other; so does README.md with the few it names.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(slurp);

my $TOP = "$FindBin::Bin/..";

my %default = (in_table(slurp("$TOP/xs/record/options.c")), in_perl(slurp("$TOP/lib/Devel/NYTProf/Core.pm")));
my %manual  = in_manual(slurp("$TOP/lib/Devel/NYTProf.pm"));
cmp_ok scalar keys %default, '>=', 30, 'the table was understood';
is_deeply [ sort keys %manual ], [ sort keys %default ], 'the manual has the options that there are';
for my $name (grep { defined $manual{$_} } sort keys %manual) {
    is $manual{$name}, shown($name, $default{$name}), "$name: the manual's default";
}

my @in_readme = slurp("$TOP/README.md") =~ /^    (\w+)=\S*(?:, \w+=\S+)*\h\h+\w/mg;
cmp_ok scalar @in_readme, '>=', 5, 'README.md was understood';
is_deeply [ grep { !exists $default{$_} } @in_readme ], [], 'README.md names none that there is not';

my $table = qq/OTHER(a, NYTP_OPTION_TEXT, "x:y", 0, "z"),\nNUMBER(b, "-1", 3, NULL),\nSWITCH("c", d, "0", "e"),\n/;
is_deeply { in_table($table) }, { a => 'x:y', b => -1, c => 0 }, 'a table with a row of every kind';
my $pod = "=head1 OPTIONS\n\n=item C<a=>I<N> [7], C<b=0|1> [1]\n\n=item C<c>\n\n=head1 X\n\n=item C<d>\n";
is_deeply { in_manual($pod) }, { a => 7, b => 1, c => undef }, 'a manual with options of every form, and one item more';

done_testing;

# name => default of the rows of options.c
sub in_table {
    my ($text) = @_;
    my ($row, $value) = (qr/^\s*(?:NUMBER|SWITCH|OTHER)\("?/m, qr/"([^"]*)"/);
    return $text =~ /$row(\w+)"?,\h(?:\w+,\h)?$value/g;
}

# The options that Core.pm handles itself have no row; all are off.
sub in_perl {
    my ($text) = @_;
    my ($table) = $text =~ /%in_perl = \((.*?)\)/s;
    return map { ($_ => 0) } $table =~ /(\w+) =>/g;
}

# name => default in brackets, or undef, of the items C<name=...> under OPTIONS
sub in_manual {
    my ($pod) = @_;
    my ($options) = $pod =~ /^=head1 OPTIONS$(.*?)^=head1/ms;
    my %found;
    for my $item ($options =~ /^=item (.*)$/mg) {
        $found{$1} //= $2 while $item =~ /C<(\w+)[^>]*>(?:[A-Z]<[^>]*>|\hor\h)*(?:\h\[(.*?)\])?/g;
    }
    return %found;
}

sub shown { my ($name, $value) = @_; return $name eq 'log' ? 'standard error' : $value }
