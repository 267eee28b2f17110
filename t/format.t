# SPDX-License-Identifier: MIT
# xs/capture/FORMAT is complete to the byte: records made from its words alone come out of `nytprof dump` as it names
# them, and it has every kind.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk has_zlib nytprof record table text);
use Tree qw(slurp);

my @rows = table();
is_deeply { map { ($_->{kind} => $_->{name}) } @rows }, { kinds() }, 'FORMAT describes the kinds of format.h';

my ($payload, @expected) = ('');
for my $row (@rows) {
    my $times = $row->{repeats} ? 3 : 1;
    my (@bytes, @lines);
    for my $time (1 .. $times) {
        my $line = $row->{name};
        for my $at (0 .. $#{ $row->{fields} }) {
            my ($type, $name) = @{ $row->{fields}[$at] };
            my $value = value($type, $row->{kind}, $time, $at);
            push @bytes, Capture->can($type)->($value, $time > 1 ? value($type, $row->{kind}, $time - 1, $at) : 0);
            $line .= " $name=" . ($type eq 's' ? qq{"$value"} : $value);
        }
        push @lines, $line . join '', map {" $_->[1]=0"} new_fields($row);
    }
    $payload .= record($row->{kind}, @bytes);
    push @expected, @lines;
}
$payload .= record(4000, 'from the future');

for my $deflated (0, has_zlib() ? 1 : ()) {
    my ($out, $err, $exit) = nytprof('dump', \(text(program => 'x.pl') . chunk($payload, deflated => $deflated)));
    my ($chunk, @records) = split /\n/, $out;
    is $exit, 0, 'dump reads it' or diag $err;
    like $chunk, qr/^chunk n=1 stream=0 front_end=1 run=(?:52){16} process_start=170{17} pid=4711 thread=0 /,
        'the chunk is who wrote it';
    is pop @records, 'unknown records=1', 'an unknown kind is counted';
    is_deeply \@records, \@expected, 'every record and field comes as FORMAT says';
}

done_testing;

# By number, as dump names them. Older kinds have the names of those that replaced them; damage is not in files.
sub kinds {
    my %kind = reverse slurp("$FindBin::Bin/../xs/capture/format.h") =~ /^    NYTP_REC_(\w+) = (\d+),/mg;
    delete $kind{0};
    return map { ($_ => lc $kind{$_} =~ s/^OLD_//r) } keys %kind;
}

# What today's record of that name has and the older one has not.
sub new_fields {
    my ($row) = @_;
    my ($today) = reverse grep { $_->{name} eq $row->{name} } @rows;
    my @fields = @{ $today->{fields} };
    return @fields[ @{ $row->{fields} } .. $#fields ];
}

sub value {
    my ($type, $kind, $time, $at) = @_;
    my $number = $kind << 30 | $time << 20 | $at + 1;
    return $type =~ /[ud]/ ? $number : $type eq 'i' ? -$number : "text $number";
}
