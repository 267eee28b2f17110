# SPDX-License-Identifier: MIT
# `nytprof json`: the whole profile, as its schema describes it, with the numbers that the Perl modules read.
use strict;
use warnings;

use Devel::NYTProf::Data;
use Encode qw(decode FB_CROAK);
use FindBin;
use JSON::PP ();
use List::Util qw(max sum0 uniq);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text u);
use JsonSchema qw(mismatches);
use LuaCapture qw(lua_capture numbers texts);
use Pages qw(fixtures);
use Tree qw(slurp spew);

my $TOP      = "$FindBin::Bin/..";
my $captures = fixtures();
my $decoder  = JSON::PP->new->utf8;
my ($printed) = nytprof('json', '--schema');
my $schema = $decoder->decode($printed);
is $printed, slurp("$TOP/lib/Devel/NYTProf/nytprof-json-1.schema.json"), 'nytprof json --schema prints the file';
spew("$captures/lua.out", lua_capture(memory => 1));

# The data that `nytprof json OPTIONS... CAPTURE` prints, which is as the schema says.
sub exported {
    my (@arguments) = @_;
    my ($json, $err, $exit) = nytprof('json', @arguments);
    my $name = "@arguments" =~ s/\S+\///gr;
    is "$exit$err", '0', "nytprof json $name";
    my $data = $decoder->decode($json);
    is_deeply [ mismatches($data, $schema) ], [], 'is as its schema says';
    for my $table (qw(lines blocks bodies carried calls tree)) {
        my @lengths = uniq map { scalar @$_ } map { !@$_ || ref $_->[0] ? @$_ : $_ } values %{ $data->{$table} };
        cmp_ok scalar @lengths, '<=', 1, "$table: arrays of one length";
    }
    return $data;
}

# Rows of a table of arrays, as hashes.
sub rows {
    my ($table) = @_;
    my @columns = grep { $_ ne 'values' } sort keys %$table;
    return map { my $i = $_; +{ map { ($_ => $table->{$_}[$i]) } @columns } } 0 .. $#{ $table->{ $columns[0] } };
}

# --- known numbers ---------------------------------------------------------------------------------------------------

my $sample = exported("$captures/sample.out");
my @name = map { $_->{name} } @{ $sample->{subs} };
my %own = map { ($_->{name} => $_->{exclusive}) } grep { $_->{exclusive} } @{ $sample->{subs} };
is_deeply \%own, { 'main::RUNTIME' => 1000, 'A::work' => 2000, 'A::inner' => 3700, 'List::Util::sum' => 500 },
    'exclusive times';
is_deeply [ sort map {"$name[$_->{caller}]:$_->{line} $name[$_->{callee}] $_->{calls} $_->{inclusive}"}
        rows($sample->{calls}) ],
    [ 'A::work:5 A::inner 3 3000', 'A::work:6 List::Util::sum 4 500', 'main::RUNTIME:6 A::work 2 5500',
        'main::RUNTIME:7 A::inner 1 700' ], 'calls';
is_deeply [ map {"$_->{parent} $name[$_->{sub}] $_->{calls} $_->{self} $_->{total}"} rows($sample->{tree}) ],
    [ '-1 main::RUNTIME 0 1000 7200', '0 A::work 2 2000 5500', '1 A::inner 3 3000 3000', '1 List::Util::sum 4 500 500',
        '0 A::inner 1 700 700' ], 'the tree, the heaviest first';
is_deeply [ map {"$_->{file}:$_->{line} $_->{statements} $_->{time}"} rows($sample->{lines}) ],
    [ '1:5 1 1000', '1:6 1 0', '1:7 1 0', '2:4 2 2000', '2:5 2 0', '2:6 2 500', '2:11 4 3700' ], 'lines';
is_deeply [ @{ $sample->{meta}{totals} }{qw(time statements calls)} ], [ 7200, 13, 10 ], 'totals';
my ($process) = @{ $sample->{meta}{processes} };
is_deeply [ @{$process}{qw(pid program start_us end_us ending elapsed)} ],
    [ 4711, '/app/main.pl', 1_700_000_000_000_000, 1_700_000_001_000_000, 'finished', 17_200 ], 'the process';
ok !exists $sample->{files}[1]{text}, 'no source unless it is asked for';
is exported('--source-text', "$captures/sample.out")->{files}[2]{text}[10], '    return $_[0] ** 2;', 'source';

my $processes = exported("$captures/processes.out");
my %of;
$of{ $_->{process} } += $_->{self} for rows($processes->{tree});
is_deeply \%of, { 1 => 7200, 2 => 4900, 3 => 6000 }, 'a process has its own paths';

my $lua = exported("$captures/lua.out");
is_deeply [ map { $_->{name} } @{ $lua->{meta}{metrics} } ], [qw(allocations bytes)], 'metrics';
is_deeply [ map { [ map { sum0(@$_) } @{ $lua->{$_}{values} } ] } qw(lines tree) ], [ [ 17, 1350 ], [ 17, 1350 ] ],
    'and their columns';

my @deep = map { [ $_ + 4, $_ == 1 ? 1 : $_ + 3 ] } 1 .. 1500;
spew("$captures/deep.out", lua_capture(more => [ record(12, numbers(map { (@$_, 1, 1) } @deep)),
    record(14, join '', map { u($_->[0]) . Capture::i(1) . Capture::i(0) } @deep) ]));
my $deep  = exported("$captures/deep.out")->{tree};
my @depth = (0) x @{ $deep->{sub} };
$depth[$_] = $deep->{parent}[$_] < 0 ? 1 : 1 + $depth[ $deep->{parent}[$_] ] for 0 .. $#depth;
is max(@depth), 999, 'paths end';
is sum0(@{ $deep->{calls} }), 1505, 'and deeper calls are counted there';

# --- a clock whose ticks are no whole nanoseconds --------------------------------------------------------------------

# A hundred lines of one tick each, a third of a nanosecond, and 20 outside of statements: all in the main program.
my $third = "$captures/third.out";
my $start = u(1) . u(0) . u(1_700_000_000 * 10**9) . i(0) . u(3 * 10**9) . u(1) . i(1001);
spew($third, text() . chunk(join('', record(1, $start . join '', map { Capture::s($_) } 'fake', '/x.pl', 'perl 5.36.0'),
    record(7, (map { u($_) } 1, 0, 0, 0, 0, 0), Capture::s('/x.pl')),
    (map { record(11, map { u($_) } $_, 1, $_, $_, $_) . record(13, u($_), i(1), i(1)) } 1 .. 100),
    record(13, u(0), i(0), i(20)), record(14, u(0), i(0), i(120)), record(15, (map { i($_) } 0, 0, 0, 120), u(0))),
    end => 120));
my $thirds = exported($third);
is sum0(map { $_->{exclusive} } @{ $thirds->{subs} }), 40, 'subs have all nanoseconds';
is $thirds->{meta}{totals}{whole}, 40, 'as the whole has, though each line has less than one';
is sum0(@{ $thirds->{lines}{time} }), $thirds->{meta}{totals}{time}, 'and the sum of lines is the time of statements';

# --- against Devel::NYTProf::Data -------------------------------------------------------------------------------------

sub is_time { my ($ns, $seconds) = @_; return abs($ns - 1e9 * ($seconds > 0 ? $seconds : 0)) <= 2 }

for my $name ("$captures/calls.out", "$captures/processes.out", glob "$TOP/t/data/*.out") {
    my $data = exported($name);
    my $read = Devel::NYTProf::Data->new({ filename => $name, quiet => 1 });
    my $subs = $read->subname_subinfo_map;
    my (%calls, %time, @wrong);
    for my $sub (grep { $_->{kind} ne 'phase' && $_->{calls} } @{ $data->{subs} }) {
        $calls{ $sub->{name} } += $sub->{calls};
        $time{ $sub->{name} } += $sub->{exclusive};
    }
    my %wanted = map { ($_ => $subs->{$_}->calls) } grep { $subs->{$_}->calls } keys %$subs;
    is_deeply \%calls, \%wanted, 'calls of all subs';
    is_deeply [ grep { !is_time($time{$_}, $subs->{$_}->excl_time) } sort keys %time ], [], 'their times';

    my (%count, %took);
    for my $line (grep { $_->{statements} } rows($data->{lines})) {
        my $fid = $data->{files}[ $line->{file} ]{fid};
        $count{"$fid:$line->{line}"} = $line->{statements};
        $took{"$fid:$line->{line}"}  = $line->{time};
    }
    my $by_fid = $read->get_fid_line_data('line');
    my (%there, %seconds);
    for my $fid (grep { ref $by_fid->[$_] } 0 .. $#$by_fid) {
        for my $line (grep { $by_fid->[$fid][$_] && $by_fid->[$fid][$_][1] } 0 .. $#{ $by_fid->[$fid] }) {
            ($seconds{"$fid:$line"}, $there{"$fid:$line"}) = @{ $by_fid->[$fid][$line] };
        }
    }
    is_deeply \%count, \%there, 'statements of all lines';
    is_deeply [ grep { !is_time($took{$_}, $seconds{$_}) } sort keys %took ], [], 'their times';
    my ($total) = map { sum0(map { $_->{self} } rows($_)) } $data->{tree};
    is $total, total($name), "all paths have $total ns, as in folded stacks";
    is sum0(map { $_->{exclusive} } @{ $data->{subs} }), $total, 'and so have all subs';
}

sub total { return sum0(map {/ (\d+)$/} split /\n/, (nytprof('folded', $_[0]))[0]) }

# --- names of any bytes -----------------------------------------------------------------------------------------------

srand 20261123;
my @bytes = map { join '', map { chr int rand 256 } 1 .. 1 + rand 12 } 1 .. 200;
push @bytes, "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x80\xA8", "caf\xC3\xA9", "caf\xE9";
push @bytes, "\0\x1F\x7F\"\\/", '</script>';
my @more = map { record(10, numbers(100 + $_, 0, 1, 1, 1, 1), texts($bytes[$_], '')) } 0 .. $#bytes;
spew("$captures/bytes.out", lua_capture(more => \@more));
my %there = map { ($_->{name} => 1) } @{ exported("$captures/bytes.out")->{subs} };
is_deeply [ grep { !$there{$_} } map { told($_) } @bytes ], [], 'names are what they were, and bad bytes \xHH';
is sum0(map { exists $there{$_} } '\xED\xA0\x80', "\x{2028}", "caf\x{E9}", 'caf\xE9'), 4, 'for instance';

sub is_text { my ($bytes) = @_; return defined eval { decode('UTF-8', $bytes, FB_CROAK) } }

sub told {
    my ($bytes) = @_;
    my $text = '';
    while (length $bytes) {
        my ($length) = grep { is_text(substr $bytes, 0, $_) } 1 .. (length $bytes < 4 ? length $bytes : 4);
        $text .= $length ? decode('UTF-8', substr $bytes, 0, $length) : sprintf '\x%02X', ord $bytes;
        substr $bytes, 0, $length // 1, '';
    }
    return $text;
}

# --- damage -----------------------------------------------------------------------------------------------------------

is $sample->{meta}{inputs}[0]{damage}, '', 'a whole capture is not damaged';
my $bytes = slurp("$captures/sample.out");
substr $bytes, length($bytes) / 2, 1, '~';
spew("$captures/damaged.out", $bytes);
my ($damaged) = nytprof('json', "$captures/damaged.out");
like $decoder->decode($damaged)->{meta}{inputs}[0]{damage}, qr{could not be read}, 'what could not be read';

# --- breaches that the schema sees ------------------------------------------------------------------------------------

my %breach = (
    'a time below zero' => sub { $_[0]{tree}{self}[0] = -1 },
    'a sub without calls' => sub { delete $_[0]{subs}[0]{calls} },
    'a number as text' => sub { $_[0]{meta}{totals}{time} = '7200' . '' },
    'another version' => sub { $_[0]{version} = 2 },
    'a member that is not described' => sub { $_[0]{more} = 1 },
);
my ($text) = nytprof('json', "$captures/sample.out");
for my $what (sort keys %breach) {
    my $copy = $decoder->decode($text);
    is scalar(mismatches($copy, $schema)), 0, 'a sound copy';
    $breach{$what}->($copy);
    isnt scalar(mismatches($copy, $schema)), 0, "planted: $what";
}
my @twice = map { (nytprof('json', "$captures/calls.out"))[0] } 1 .. 2;
is $twice[0], $twice[1], 'the same capture makes the same text';
done_testing;
