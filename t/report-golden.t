# SPDX-License-Identifier: MIT
# A page of source, whole: what `nytprof html` makes of a small program is t/golden/source.html, except for times, which
# are T there, and what depends on them. With --write this test writes that file: look at the difference.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Run qw(capture_of);
use Tree qw(slurp spew);

my $TOP    = "$FindBin::Bin/..";
my $GOLDEN = "$FindBin::Bin/golden/source.html";

my $PROGRAM = <<'END';
package Shape;

# What a shape is, nobody knows.
sub new { my ($class, %with) = @_; return bless {%with}, $class }

sub area {
    my $self = shift;
    return $self->{wide} * $self->{high};
}

sub never {
    return "<never>";
}

package main;

sub down { my $n = shift; return $n ? down($n - 1) : 0 }

sub total {
    my $sum = 0;
    for my $shape (@_) {
        next if !$shape;
        $sum += $shape->area;
    }
    return $sum;
}

my @shapes = map { Shape->new(wide => $_, high => 2) } 1 .. 3;
my $total = total(@shapes);
down(3);
print "$total\n";
for my $n (1 .. 2) { eval 'sub { $_[0] + 1 }->(41)' }
my $isa = UNIVERSAL::isa($shapes[0], 'Shape');

=head1 NAME

prog - some shapes

=cut
END

my $run = Run::run($PROGRAM);
is "$run->{err}$run->{out}", "12\n", 'the program runs';
is system("$TOP/build/nytprof html --out $run->{dir}/report " . capture_of($run) . ' >/dev/null'), 0, 'it has a report';
my ($page) = grep { !m{/eval-[^/]*\z} } glob "$run->{dir}/report/*prog-pl-*-line.html";
my ($got) = map { masked($_, $run->{dir}) } slurp($page) =~ m{(<main.*)</body>}s;
spew($GOLDEN, $got) if "@ARGV" eq '--write';
my $wanted = slurp($GOLDEN);
ok $got eq $wanted, 'whose page is t/golden/source.html' or diag difference($wanted, $got);

done_testing;

sub masked {
    my ($html, $dir) = @_;
    $html =~ s/\Q$dir\E/DIR/g;
    $html =~ s/[\w-]+?(?=prog-pl-)//g;
    $html =~ s/ class=h\d(?= title=)//g;
    $html =~ s/ title="[^"]* each, [^"]* %"//g;
    $html =~ s/\b[\d,.]+ (?:n|\xC2\xB5|m)?s\b/T/g;
    $html =~ s/ \(T own\)//g;
    return $html;
}

# The lines that differ.
sub difference {
    my ($wanted, $got) = @_;
    my @wanted = split /\n/, $wanted;
    my @got = split /\n/, $got;
    my @said;
    for my $i (0 .. ($#got > $#wanted ? $#got : $#wanted)) {
        my ($old, $new) = ($wanted[$i] // '', $got[$i] // '');
        push @said, sprintf "line %d\n- %s\n+ %s", $i + 1, $old, $new if $old ne $new;
        last if @said > 4;
    }
    return join "\n", @said;
}
