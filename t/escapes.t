# SPDX-License-Identifier: MIT
# What a capture says is no order to the terminal: its every string has escape sequences, other control characters,
# marks that turn the order of letters round, and a line like a message of ours; no verb prints any of them, on standard
# error, in a text for people, in any format on a terminal, or as the name of a file.
use strict;
use warnings;

use Encode qw(decode);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk nytprof);
use Pages qw(fixtures run);
use Rewritten qw(rewritten);
use Terminal qw(has_terminals on_terminal);
use Tree qw(slurp spew);

my $TOP     = "$FindBin::Bin/..";
my $NYTPROF = "$TOP/build/nytprof";
my $dir     = tempdir(CLEANUP => 1);
local @ENV{qw(TERM PAGER)} = qw(xterm cat);
delete @ENV{qw(NO_COLOR BROWSER)};

my $ORDERS = join '', "\e]0;title\a", "\e[2J\e[8mhidden", "\x9B8m", "\xC2\x9B8m\xC2\x85", "\x7F\b\r",
    "\nnytprof: all is well\n", "\xE2\x80\xAEevil\xE2\x81\xA6\xD8\x9C", "\xF3\xA0\x81\x81", "\0";
my $HIDDEN = qr/[^\P{Cc}\n\t\f]|[\x{61C}\x{200E}\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}\x{E0000}-\x{E007F}]/;
my $FORGED = qr/^nytprof: all is well/m;
my $COLOR  = qr{\e\[(?:[01]|1;31|3[13])m};    # of ours; $ORDERS has other ones

# Bytes that are no UTF-8 are controls of terminals that do not know UTF-8.
sub orders_in {
    my ($bytes, $ours) = @_;
    my $text = decode('UTF-8', $bytes, sub { join '', map {chr} @_ });
    $text =~ s/$ours//g if $ours;
    my @found = $text =~ /($HIDDEN|$FORGED)/g;
    return join ' ', map { sprintf '%vX', $_ } @found > 3 ? @found[ 0 .. 2 ] : @found;
}
is orders_in("\e[8m\xC2\x9B\x9B\n"), '1B 9B 9B', 'orders are recognized';

# --- captures whose every string has them -----------------------------------------------------------------------------

# Subs and files stay apart, and sources remain lines.
my $calls = slurp(fixtures() . '/calls.out');
my $n     = 0;
my $hostile = rewritten($calls, sub {
    my ($field, $text) = @_;
    return $text =~ s/(\n|\z)/$ORDERS$1/r if $field eq 'source.text';
    return $field eq 'metric.name' ? $text : $text . $ORDERS . ($field =~ /^(?:sub|file)\./ ? $n++ : '');
});
my ($of_perl, $of_lua) = map { my $data = slurp("$TOP/t/data/$_.out"); rewritten($data, sub { "$_[1]$ORDERS" }) }
    qw(capture-perl capture-lua);
my $note = Capture::record(6, Capture::s("a note $ORDERS"));
my %capture = (
    hostile => $hostile . chunk($note, number => 99), perl => $of_perl, lua => $of_lua, cut => substr($hostile, 0, -30),
    v5 => slurp("$TOP/t/data/v5-plain.out") =~ s/([a-z]{2})([a-z]{2,})/$1 . substr "\e[8m\a\n" x 99, 0, length $2/ger,
    text => "NYTProf 5 0\n:application=$ORDERS\n#$ORDERS\n", none => $ORDERS,
);
cmp_ok $n, '>', 9, 'subs and files';
my %file;
for my $name (sort keys %capture) {
    $file{$name} = "$dir/$name\e[8m\xC2\x9B\n.out";
    spew($file{$name}, $capture{$name});
}

# --- every verb -------------------------------------------------------------------------------------------------------

my @verbs = (nytprof('list'))[0] =~ /^  (\w+) /mg;
my %help  = map { ($_ => (nytprof('help', $_))[0]) } @verbs;
my @FORMATS = qw(chrome cpuprofile csv firefox folded html json pprof speedscope syscap); # whose strings have any bytes
my %has_format = map { ($_ => 1) } @FORMATS;
my %without_file = map { ($_ => 1) } qw(run clocks selftest completion list help);
cmp_ok scalar(@verbs), '>', 20, 'verbs';

for my $verb (grep { !$without_file{$_} } @verbs) {
    for my $name (sort keys %file) {
        my @way = ($verb, $help{$verb} =~ /-o, --out DIR/ ? ('-o', "$dir/out.$verb.$name") : ());
        push @way, '-o', "$dir/out.$verb.$name" if $verb eq 'merge';
        push @way, '-o', "$dir/$verb.$name" if $verb =~ /^(?:pprof|syscap)$/;
        push @way, '-o', '-' if @way == 1 && $help{$verb} =~ /-o, --out FILE/;
        push @way, 'main' if $verb eq 'callers';
        my ($out, $err) = nytprof(@way, $verb eq 'merge' ? ($file{$name}, $file{$name}) : $file{$name});
        is orders_in($err), '', "$verb: messages about $name";
        is orders_in($out), '', 'and text' if !$has_format{$verb};
        is orders_in(join "\n", glob "$dir/out.$verb.$name/*"), '', 'and names of files' if -d "$dir/out.$verb.$name";
        next if !has_terminals();
        my ($shown) = on_terminal($NYTPROF, @way, $file{$name});
        is orders_in($shown, qr/$COLOR|\r\e\[K/), '', 'and what a terminal shows';
    }
}
for my $way ([ $ORDERS =~ tr/\0//dr ], map({ [ $_, '--' . $ORDERS =~ tr/\0//dr ] } @verbs), [ 'run', "$dir/\e[8m\n" ],
    [ 'flat', "$dir/\e[8m\n" ], [ 'callers', "\e[8m\n", $file{hostile} ], [ 'flat', '--filter', "\e[8m(", $file{perl} ],
    [ 'flat', '--source', "\e[8m", $file{perl} ], [ 'folded', '--metric', "\e[8m", $file{perl} ],
    [ 'flat', '-o', "$dir/\e[8m/\n", $file{perl} ], [ 'merge', '-v', '-o', "$dir/\e[8m\n", $file{v5}, $file{perl} ],
    [ 'flamegraph', $file{v5} ]) {
    my ($out, $err) = nytprof(@$way);
    is orders_in("$out$err"), '', "$way->[0]: messages about arguments";
}

# --- one place --------------------------------------------------------------------------------------------------------

my @others = grep { slurp($_) =~ /\b(?:v?fprintf|fputs|fputc|putc|fwrite)\b[^;]*\bstderr\b|\bperror\b/ }
    glob "$TOP/xs/cli/*.c";
is_deeply [ map { s{.*/}{}r } @others ], [qw(print.c progress.c)], 'all messages are printed by print.c';

my @command = ($^X, "-I$TOP/blib/lib", "-I$TOP/blib/arch", '-MDevel::NYTProf::Data', '-e',
    'Devel::NYTProf::Data->new({ filename => shift, quiet => 1 })');
for my $name (sort keys %file) {
    my (undef, $out, $err) = run(@command, $file{$name});
    is orders_in("$out$err"), '', "Devel::NYTProf::Data: messages about $name";
}
done_testing;
