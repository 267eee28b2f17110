# SPDX-License-Identifier: MIT
# Names of subs and files that mean something in a format: every report of the registry is valid text, and readers of
# each format get back every sub, with its time.
use strict;
use warnings;

use Encode qw(decode FB_CROAK LEAVE_SRC);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text);
use Exported qw(formats own_times);
use LuaCapture qw(numbers texts);
use Pages qw(pages);
use Tree qw(slurp spew);

# Reports that list no subs, but lines, processes, the callers of one sub; and those of what only calls=2 records.
my %WITHOUT_SUBS = map { ($_ => 1) } qw(annotate callers chrome csv hot html spans);
my %OF_SEQUENCES = map { ($_ => 1) } qw(samples trace);

# What no byte of a report is: control characters, text that is not UTF-8, marks that turn the order of characters
# round. In strings of JSON the latter are data, and file names for editors, source and folded stacks have the
# bytes that they have.
my $CONTROLS = qr/[^\P{Cc}\n\t\f]|[\x{202A}-\x{202E}\x{2066}-\x{2069}]/;
my %refused  = (firefox => qr/[\0-\x09\x0B-\x1F]/, json => qr/[\0-\x09\x0B-\x1F]/);
my %IS_BYTES = map { ($_ => 1) } qw(csv folded hot html pprof syscap);

# --- names -----------------------------------------------------------------------------------------------------------

my @PIECES = (
    '"', q{'}, '\\', "\n", "\r\n", "\t", ';', ':', '(1)', ' 12', ',', '`', '$(id)', '%s%n', '{{name}}', '</script>',
    '<script>alert(1)</script>', '<!--', ']]>', '](javascript:alert(1))', '&amp;', '&#0;', '=cmd()', "\0", "\x01",
    "\e[31m", "\x7F", "\xFF", "\xC3", "caf\xE9", "\xC3\xA9", "\xE6\xBC\xA2", "\xF0\x9F\x90\xAA", "\xED\xA0\x80",
    "\xE2\x80\xAE", "\xE2\x80\xA8", "\xEF\xBB\xBF", "\xC0\x80", "\xF4\x90\x80\x80", 'calls=1 1', 'fn=(1) x', '-', '  ',
);
srand 11;
my @hostile = (
    @PIECES,
    'long' . 'x' x 65_536, "\xC3\xA9" x 32_768, "\xFF" x 5000, '"' x 5000, "\n" x 5000,
    map { join '', map { $PIECES[ rand @PIECES ] } 0 .. rand 8 } 1 .. 100,
);
my @names = map {"M::s${_}_$hostile[$_]_e"} 0 .. $#hostile;    # a number tells them apart, whatever becomes of the rest
my %own = map { ($_ => 10 + $_) } 0 .. $#hostile;

# --- a capture: the main program calls all of them, each defined in a file of that name ------------------------------

my ($total, $in_files, @records) = (0, 0);
my $clock = numbers(1, 0, 17e17) . i(0) . numbers(1_000_000_000, 1) . i(1001);
push @records, record(1, $clock, texts('fake', "p\"\\\n</script>\xFF.pl", "perl \"\n5")), record(7,
    numbers(1, 0, 0, 0, 0, 0), texts('/main.pl')), record(11, numbers(1, 1, 1, 1, 1));
for my $i (0 .. $#names) {
    my $id = $i + 2;
    push @records, record(7, numbers($id, 0, 0, 0, 0, 0), texts("/f/$names[$i]"));
    push @records, record(8, numbers($id, 1), texts('sub { ' . substr($hostile[$i], 0, 100) . " }\n"));
    push @records, record(10, numbers($id, $i % 3 ? 0 : 1, $i % 3 ? ($id, 1, 1) : (0, 0, 0), 1), texts($names[$i], ''));
    push @records, record(12, numbers($id, 0, 1, $id)), record(14, numbers($id), i(2), i($own{$i}));
    $total += $own{$i};
    push @records, record(11, numbers($id, $id, 1, 1, 1)), record(13, numbers($id), i(2), i($own{$i})) if $i % 3;
    $in_files += $own{$i} if $i % 3;
}
push @records, record(14, numbers(0), i(0), i(1000)), record(13, numbers(1), i(1), i($total + 1000 - $in_files)),
    record(15, map { i(0) } 1 .. 6), record(24, numbers(0, 1));
my $dir = tempdir(CLEANUP => 1);
spew("$dir/hostile.out", text() . chunk(join('', @records), end => $total + 1000));

# --- reports ---------------------------------------------------------------------------------------------------------

my ($list) = nytprof('list');
my @reports = map { slurp($_) =~ /^const nytp_report nytp_(\w+)_report = \{$/mg } sort glob "$FindBin::Bin/../xs/*/*.c";
cmp_ok scalar @reports, '>=', 15, 'reports';
my %is_read = map { ($_ => 1) } formats();
is_deeply [ grep { my $format = $_; !grep { $_ eq $format } @reports } formats() ], [], 'every reader has one';

for my $report (grep { !$OF_SEQUENCES{$_} } @reports) {
    my $out = "$dir/$report";
    my @input = $report eq 'callers' ? ('--file', "$dir/hostile.out", $names[2]) : "$dir/hostile.out";
    my (undef, $err, $exit) = nytprof($report, '-o', $out, @input);
    $err =~ s/^nytprof: chrome: processes only, .*\n//;
    is "$exit$err", '0', "$report: there is one" or next;
    my $pages = -d $out ? pages($out) : { $report => slurp($out) };
    if (!$IS_BYTES{$report}) {
        my $refused = $refused{$report} // $CONTROLS;
        is_deeply [ grep { !is_text($pages->{$_}, $refused) } sort keys %$pages ], [], 'it is text';
    }
    if ($is_read{$report}) {
        my $times = own_times($report, $out);
        my %found = map { ($_ =~ /^M::s(\d+)_/ ? $1 : $_ => $times->{$_}) } keys %$times;
        is_deeply \%found, { %own, 'main::RUNTIME' => 1000 }, 'all subs are read back, with their times';
    }
    elsif (!$WITHOUT_SUBS{$report}) {
        my %seen = map { ($_ => 1) } join("\n", values %$pages) =~ /M::s(\d+)_/g;
        my @named = grep { $report ne 'lcov' || $_ % 3 } 0 .. $#names;    # which names those of files
        is_deeply [ sort { $a <=> $b } keys %seen ], \@named, 'it names all subs';
    }
}

# --- sums beyond what numbers hold -----------------------------------------------------------------------------------

my @deep = map { my $id = $_;
    (record(10, numbers($id, 0, 0, 0, 0, 1), texts("f$id", '')),
        record(12, numbers($id, $id > 3 ? $id - 3 : 0, 0, $id)),
        record(14, numbers($id), i(1), i(1 << 62))) } 1 .. 6;
spew("$dir/wraps.out", text() . chunk(join('', record(1, $clock, texts('fake', 'x.pl', 'perl')), @deep)));
for my $report (qw(firefox pprof syscap)) {
    nytprof($report, '-o', "$dir/wraps", "$dir/wraps.out");
    cmp_ok -s "$dir/wraps", '<', 2e6, "$report: times whose sum wraps round make no endless file";
}
done_testing;

sub is_text {
    my ($bytes, $refused) = @_;
    my $text = eval { decode('UTF-8', $bytes, FB_CROAK | LEAVE_SRC) };
    return defined $text && $text !~ $refused;
}
