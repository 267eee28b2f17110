# SPDX-License-Identifier: MIT
# Go's pprof, built from Debian's package, and protoc read what `nytprof pprof` writes.
use strict;
use warnings;

use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Exports qw(capture captures export go_pprof nanoseconds scratch wants works);
use Pages qw(fixtures);
use Pprof qw(pprof);
use Server qw(ask free_port start stop);
use Tree qw(slurp spew);

local $ENV{PPROF_TMPDIR} = scratch();
my @pprof = (go_pprof(), '-unit=ns');
my $sample = export('pprof', fixtures() . '/sample.out');

# --- known numbers ---------------------------------------------------------------------------------------------------

# { what pprof calls a row => its own ns, or $column }.
sub rows {
    my ($text, $column) = @_;
    my %row;
    for my $line (split /\n/, $text =~ s/\A.*?cum%\n//sr) {
        my (undef, @row) = $line =~ /^ *([\d.]+)(?:ns)? +\S+ +\S+ +([\d.]+)(?:ns)? +\S+  (.+)/ or next;
        $row{ $row[1] } = $line =~ /^ *([\d.]+)/ && !$column ? $1 : $row[0];
    }
    return \%row;
}

my %own = ('main::RUNTIME' => 1000, 'A::work' => 2000, 'A::inner' => 3700, 'List::Util::sum' => 500);
my $top = works(@pprof, '-top', $sample);
is_deeply rows($top), \%own, 'pprof -top: own times';
is_deeply rows($top, 'all'), { %own, 'main::RUNTIME' => 7200, 'A::work' => 5500 }, 'and with callees';
like $top, qr/^Type: wall\n.*^Duration: 17\.20us, Total samples = 7200ns /ms, 'of the whole run';
is_deeply rows(works(@pprof, '-top', '-sample_index=calls', $sample)),
    { 'A::work' => 2, 'A::inner' => 4, 'List::Util::sum' => 4, 'main::RUNTIME' => 0 }, 'calls';
is_deeply rows(works(@pprof, '-top', '-lines', $sample)), { 'List::Util::sum' => 500,
    'main::RUNTIME /app/main.pl:5' => 1000, 'main::RUNTIME /app/main.pl:6' => 0, 'main::RUNTIME /app/main.pl:7' => 0,
    'A::work /app/lib/A.pm:4' => 2000, 'A::work /app/lib/A.pm:5' => 0, 'A::work /app/lib/A.pm:6' => 0,
    'A::inner /app/lib/A.pm:11' => 3700 }, 'lines';
my $peek = works(@pprof, '-peek', '^A::inner$', $sample);
like $peek, qr/ 3000ns +81\.08% \| +A::work\n +700ns +18\.92% \| +main::RUNTIME\n *3700ns .* \| A::inner$/m,
    'pprof -peek: callers';
like works(@pprof, '-raw', $sample), qr/^calls\/count wall\/nanoseconds\[dflt\]\n +0 +3000: (\d+) \d+ \d+ *\n/m,
    'pprof -raw';
like works(go_pprof(), '-tags', $sample),
    qr/^ pid: Total 7\.2us\n +7\.2us \( +100%\): 4711$/m, 'pprof -tags: the process';

# --- source ----------------------------------------------------------------------------------------------------------

my $perl = export('pprof', capture('perl'));
my %line;    # own time of lines of the program
for my $called (@{ pprof($perl)->{samples} }) {
    my ($name, $file, $line) = @{ $called->{path}[-1] };
    $line{$line} += $called->{values}[1] if $name eq 'Animal::name' && $file =~ /program\.pl$/;
}
my ($line) = sort { $line{$b} <=> $line{$a} || $a <=> $b } keys %line;
my $source = (split /\n/, slurp("$FindBin::Bin/exports/program.pl"))[ $line - 1 ];
like works(@pprof, '-list', '^Animal::name$', $perl), qr/^ *$line{$line}ns +\d+ns +$line:\Q$source\E$/m,
    "pprof -list: line $line with its time and source";

# --- the picture -----------------------------------------------------------------------------------------------------

my $port = free_port();
my $server = start(scratch(), $port, @pprof, "-http=127.0.0.1:$port", '-no_browser', $perl);
my $flames = ask($server, '/ui/flamegraph');
my $whole  = pprof($perl)->{total};
like $flames, qr/"n":"root","f":"root","v":$whole\b/, 'pprof -http: a flame graph of all the time';
like $flames, qr/"f":"main::fib","v":\d+,"l":"[^"]+","p":"[^"]+","c":\[\{"n":"[^"]+","f":"main::fib"/,
    'with a recursion in it';
like ask($server, '/ui/source?f=^Animal::name$'), qr/Animal::name.*\Qname { my (\E/s, 'and source';
stop($server, 'TERM');

# --- the wire --------------------------------------------------------------------------------------------------------

spew(scratch() . '/profile.proto', <<'PROTO');
syntax = "proto3";
message Profile {
    repeated ValueType sample_type = 1; repeated Sample sample = 2; repeated Mapping mapping = 3;
    repeated Location location = 4; repeated Function function = 5; repeated string string_table = 6;
    int64 time_nanos = 9; int64 duration_nanos = 10; ValueType period_type = 11; int64 period = 12;
    repeated int64 comment = 13; int64 default_sample_type = 14;
}
message ValueType { int64 type = 1; int64 unit = 2; }
message Sample { repeated uint64 location_id = 1; repeated int64 value = 2; repeated Label label = 3; }
message Label { int64 key = 1; int64 str = 2; int64 num = 3; int64 num_unit = 4; }
message Mapping {
    uint64 id = 1; uint64 memory_start = 2; uint64 memory_limit = 3; uint64 file_offset = 4; int64 filename = 5;
    bool has_functions = 7; bool has_filenames = 8; bool has_line_numbers = 9; bool has_inline_frames = 10;
}
message Location { uint64 id = 1; uint64 mapping_id = 2; uint64 address = 3; repeated Line line = 4; }
message Line { uint64 function_id = 1; int64 line = 2; }
message Function { uint64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4; int64 start_line = 5; }
PROTO
wants(qw(protoc zcat));
for my $name (captures()) {
    my @capture = capture($name);
    my $file    = export('pprof', @capture);
    my $total   = nanoseconds(@capture);
    my $decodes = "zcat '$file' | protoc --proto_path='" . scratch() . "' --decode=Profile profile.proto";
    my $text    = works('sh', '-c', $decodes);
    is sum0($text =~ /^sample \{\n(?:  location_id: \d+\n)+  value: \d+\n  value: (\d+)$/mg), $total,
        "$name: protoc reads all of the time, $total ns";
    is scalar(() = $text =~ /^ *\d+: /mg), 0, 'and knows every field';
    is pprof($file)->{total}, $total, 'so does the reader of our own tests';
    my ($said) = works(@pprof, '-top', $file) =~ /Total samples = (\d+)/;
    is $said, $total, 'and pprof';
}
done_testing;
