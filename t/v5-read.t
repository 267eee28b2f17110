# SPDX-License-Identifier: MIT
# Profiles in Devel::NYTProf's own format 5, read by every verb: three small ones that the peer once made (of a program
# whose lines say how often they run), and what it makes here and now, compared with what its own tools say of that.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(max);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Profiled qw(command has_peer);
use Run qw(cases run);
use Tree qw(slurp spew);

my $DATA = "$FindBin::Bin/data";
my $dir  = tempdir(CLEANUP => 1);

# --- stored profiles --------------------------------------------------------------------------------------------------

for my $name (qw(plain blocks child)) {
    my $rows = csv_of("$DATA/v5-$name.out");
    my $who  = $name eq 'child' ? qr/#=.*, (\d+) in the child/ : qr/#= (\d+)/;
    my @wrong = grep { $_->{count} != ($_->{text} =~ $who ? $1 : 0) } @{ $rows->{'1-line'} };
    is scalar @{ $rows->{'1-line'} }, 16, "$name: the source is in the profile";
    is join("\n", map {"$_->{count} $_->{text}"} @wrong), '', "$name: 10 every line's count is what it says";
    is defined $rows->{'1-block'}, $name ne 'plain', "$name: 10 the block level, where there are TIME_BLOCKs";
}
is csv_of("$DATA/v5-blocks.out")->{'1-block'}[2]{count}, 6, 'a block has the counts of its lines';
is csv_of("$DATA/v5-plain.out", "$DATA/v5-child.out")->{'1-line'}[0]{count}, 24, 'parent and child are added up';

my ($info) = nytprof('info', "$DATA/v5-blocks.out");
like $info, qr/^counted      statements 48, resumed 31, calls 25$/m, 'total_stmts_measured and _discounted';
like $info, qr/^whole        yes$/m,                                 'info: it is whole';
my ($dump, undef, $exit) = nytprof('dump', "$DATA/v5-plain.out");
ok $exit == 0 && $dump =~ /\AVERSION major=5 minor=0\n/ && $dump =~ /^PID_END pid=\d+ time=\d+\.\d+\n\z/m,
    'dump prints every event';
like $dump, qr/^SUB_CALLERS fid=1 line=12 count=4 .* caller="main::RUNTIME" name="main::looks"$/m,
    'with its fields';

open my $file, '<:raw', "$DATA/v5-blocks.out" or die;
open my $stdin, '<&', \*STDIN or die;
open STDIN, '<&', $file or die;
is [ nytprof('info', '-') ]->[0], $info, 'standard input';
open STDIN, '<&', $stdin or die;

my $cut = substr slurp("$DATA/v5-blocks.out"), 0, 1000;
($info, my $err, $exit) = nytprof('info', \$cut);
ok $exit == 0 && $info =~ /^whole        no\n +\S+: Profile data incomplete, inflate error/m, 'info of a cut one';
($dump, $err, $exit) = nytprof('dump', \$cut);
ok $exit == 1 && $dump =~ /^NEW_FID/m && $err =~ /\Anytprof: \S+: Profile data incomplete, inflate error[^\n]+\n\z/,
    'dump prints what there is, then says what is wrong';
(undef, $err, $exit) = nytprof('html', '-o', "$dir/html", \$cut);
is $exit, 0, 'html of a cut one';
like slurp("$dir/html/index.html"), qr/Profile data incomplete/, 'tells so';
for my $verb (qw(csv callgrind folded)) {
    (undef, $err, $exit) = nytprof($verb, '-o', "$dir/cut.$verb", \$cut);
    is $exit, 0, "$verb of a cut one";
    like $err, qr/^nytprof: \S+: Profile data incomplete, inflate error/m, 'tells so on standard error';
}

# --- the peer here and now --------------------------------------------------------------------------------------------

if (has_peer()) {
    for my $options ('compress=6', 'compress=0', 'blocks=1:calls=2', 'calls=0', 'leave=0') {
        subtest "as the peer says, $options" => sub { compare($options) };
    }
}
else {
    diag 'NO PEER: there is no other Devel::NYTProf here, so nothing is compared with it';
}
done_testing;

sub compare {
    my ($options) = @_;
    my %option = map { split /=/ } split /:/, $options;
    for my $case (cases('callers')) {
        my ($title, $text) = @$case;
        spew("$dir/prog.pl", $text);
        unlink "$dir/v5.out";
        run(undef, dir => $dir, command => [ command('peer', { %option, file => 'v5.out' }, 'prog.pl') ]);
        my %ours = %{ csv_of("$dir/v5.out") };
        my %peer = %{ peer_csv_of("$dir/v5.out") };
        is_deeply [ sort keys %ours ], [ sort keys %peer ], "$title: the same files and levels";
        is join("\n", map { differences($_, $ours{$_}, $peer{$_}) } sort keys %ours), '', "$title: lines";
        my ($info) = nytprof('info', "$dir/v5.out");
        is_deeply [ $info =~ /statements (\d+), resumed (\d+), calls (\d+)/ ], peer_totals("$dir/v5.out"),
            "$title: 10 totals";
    }
    return;
}

# { 'FID-LEVEL' => [ { seconds, count, text }, ... ] } of captures.
sub csv_of {
    my (@captures) = @_;
    my (undef, $complaint, $code) = nytprof('csv', '-d', '-o', "$dir/ours", @captures);
    die "nytprof csv @captures: $complaint" if $code;
    return read_csv("$dir/ours");
}

sub peer_csv_of {
    my ($capture) = @_;
    my ($tool) = grep { -x } map {"$_/nytprofcsv"} split /:/, $ENV{PATH};
    run(undef, dir => $dir, command => [ $^X, $tool, '-d', '-f', $capture, '-o', "$dir/peer" ]);
    return read_csv("$dir/peer");
}

sub read_csv {
    my ($from) = @_;
    my %rows;
    for my $path (glob "$from/*.csv") {
        my ($key) = $path =~ /-(\d+-\w+)\.csv\z/ or next;
        my @lines = grep { !/^# (?:Profile data|Version|More info|Format)/ } split /\n/, slurp($path);
        $rows{$key} = [ map { read_row($_) } @lines ];
    }
    return \%rows;
}

sub read_row {
    my ($row) = @_;
    return $row =~ /^([-\d.]+),([-\d.e+]+),[-\d.]+,(.*)/ ? { seconds => $1, count => $2, text => $3 } : ();
}

# The peer's times are sums of doubles, ours of whole ticks: they may be rounded otherwise. It shows a line that had
# time but no count (a block's end, returned to) as having run once.
sub differences {
    my ($key, $ours, $peer) = @_;
    my @found;
    for my $i (0 .. max($#$ours, $#$peer)) {
        my ($a, $b) = map { $_->[$i] // { seconds => -1, count => -1, text => '' } } $ours, $peer;
        my $same = $a->{count} == $b->{count} || ($a->{count} == 0 && $b->{count} == 1 && $a->{seconds} > 0);
        next if $same && $a->{text} eq $b->{text} && abs($a->{seconds} - $b->{seconds}) < 1.5e-6;
        push @found, "$key: $a->{seconds} $a->{count} $a->{text} <> $b->{seconds} $b->{count} $b->{text}";
    }
    return @found;
}

sub peer_totals {
    my ($capture) = @_;
    my $script = 'my $p = Devel::NYTProf::Data->new({ filename => shift, quiet => 1 })->attributes;'
        . 'print join " ", $p->{total_stmts_measured} - $p->{total_stmts_discounted}, $p->{total_stmts_discounted}, '
        . '$p->{total_sub_calls}';
    my $said = run(undef, dir => $dir, command => [ $^X, '-MDevel::NYTProf::Data', '-e', $script, $capture ]);
    return [ split ' ', $said->{out} ];
}
