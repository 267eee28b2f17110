# SPDX-License-Identifier: MIT
# Dumps (dump_profile_data), and that a profile means the same to this library and to its peer's: the peer's own file
# read by both, and a program profiled by both.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", map {"$FindBin::Bin/../blib/$_"} qw(lib arch);

BEGIN { delete $ENV{NYTPROF} }

use Devel::NYTProf::Data;
use Profiled qw(has_peer);
use Run qw(capture_of cases run);

my %text = map {@$_} cases('api');
my $run  = run($text{everything}, options => { blocks => 1 });

sub profile { return Devel::NYTProf::Data->new({ filename => capture_of($run), quiet => 1, @_ }) }

sub dumped {
    my ($profile, %with) = @_;
    my $text = '';
    open my $to, '>', \$text or die $!;
    is $profile->dump_profile_data({ filehandle => $to, %with }), 1, 'dump_profile_data returns 1';
    close $to or die $!;
    return $text;
}

# --- lines with a separator -------------------------------------------------------------------------------------------

my $time  = qr/-?[\d.]+(?:e-?\d+)?/;
my @forms = (
    qr/(?:attribute|option|profile_modes)\t\w+\t[^\t]*/,
    qr/fid_(?:line|block|sub)_time\t\d+\t\d+\t\[ $time \d+ \]/,
    qr/fid_fileinfo\t\d+\t\[ \S.* \d* \d* \d+ \d+ \d+ \d+ \]/,
    qr/fid_fileinfo\t\d+\tsub\t\S.*\t(?:\d+-\d+|undef-undef)/,
    qr/fid_fileinfo\t\d+\tcall\t\d+\t\S.*\t\[ \d+ $time $time 0 0 $time \d+ \S.* \]/,
    qr/fid_fileinfo\t\d+\teval\t\d+\t\[ count \d+ nested \d+ merged \d+ \]/,
    qr/sub_subinfo\t\S.*\t\[ \d+:(?:\d+-\d+|undef-undef) calls \d+ times $time $time \d+ $time \]/,
    qr/sub_subinfo\t\S.*\tcalled_by\t\d+:\d+\t\[ \d+ $time $time 0 0 $time \d+ \S.* \]/,
    qr/sub_subinfo\t\S.*\tmerge_donor\t\S.*/,
);
my @lines = split /\n/, dumped(profile(), separator => "\t");
my @other = grep { my $line = $_; !grep { $line =~ /^$_$/ } @forms } @lines;
is join("\n", @other), '', 'every line has one of the forms';
for my $form (@forms[ 0 .. 7 ]) {
    ok scalar(grep {/^$form$/} @lines), "and there are lines $form";
}
my @keys = map {/^(\w+)/} @lines;
is_deeply \@keys, [ sort @keys ], 'in order';
ok !grep({/fid_srclines/} @lines), 'without source';
my ($head) = grep {/^fid_fileinfo\t1\t\[/} @lines;
like $head, qr{\[ \S*/prog\.pl   1 \d+ 0 0 \]$}, 'two empty fields where there is no eval';

my $hook = sub { $_[0]->filename =~ /prog\.pl$/ };
my @few  = split /\n/, dumped(profile(), separator => "\t", skip_fileinfo_hook => $hook);
is_deeply [ grep {/^fid_fileinfo\t1\t/} @few ], [$head], 'of a file that the hook skips there is the head';
is_deeply [ grep {/^(?:sub_subinfo\tmain::foo\b|fid_\w+_time\t1\t)/} @few ], [], 'and nothing else';
ok scalar(grep {/^sub_subinfo\tstrict::import\t/} @few), 'but all of others';

my $evals  = run("sub g { 1 }\nfor my \$i (1 .. 3) { eval 'g(\$i); 1' }\n", options => { blocks => 1 });
my %picked = (separator => "\t", skip_fileinfo_hook => sub {0});
my @picked = split /\n/, dumped(profile(filename => capture_of($evals)), %picked);
my ($live, $timed) = map { my $form = $_; my %fids = map { /$form/ ? ($1 => 1) : () } @picked; [ sort keys %fids ] }
    qr/^fid_fileinfo\t(\d+)\t/, qr/^fid_\w+_time\t(\d+)\t/;
is_deeply $timed, $live, 'with a hook, evals that became part of others have no times';

# --- lines without one ------------------------------------------------------------------------------------------------

my @tree = split /\n/, dumped(profile());
cmp_ok scalar(grep {/^    /} @tree), '>', @tree * 0.9, 'without a separator most lines are indented';
ok scalar(grep {/^    complete => 1$/} @tree), 'key => value';
ok scalar(grep {/^        2: \[ $time 36 \]$/} @tree), 'index: value';

# --- normalize_variables ----------------------------------------------------------------------------------------------

my $normal = profile();
is $normal->normalize_variables, 1, 'normalize_variables returns 1';
is_deeply [ map { $normal->attributes->{$_} } qw(basetime clock_id ticks_per_sec profiler_active total_sub_calls) ],
    [ (0) x 5 ], 'attributes are zeroed';
ok !exists $normal->attributes->{$_}, "$_ is gone" for qw(PL_perldb cumulative_overhead_ticks);
is $normal->attributes->{application}, 'prog.pl', 'application is not';
@lines = split /\n/, dumped($normal, separator => "\t");
is_deeply [ grep {/^fid_\w+_time\t/ && !/\[ 0 \d+ \]/} @lines ], [], 'so are times of lines';
is_deeply [ grep {/\tcall(?:ed_by)?\t/ && !/\[ \d+ 0 0 0 0 0 \d+ / } @lines ], [], 'of calls';
is_deeply [ grep {/^sub_subinfo\t[^\t]*\t\[/ && !/ times 0 0 \d+ 0 / } @lines ], [], 'of subs';
is_deeply [ grep {/\(eval [1-9]/} @lines ], [], 'evals have number 0';
is $normal->fileinfo_of(1)->flags & 48, 0, 'HAS_SRC and SAVE_SRC are clear';
cmp_ok scalar keys %{ $normal->options }, '>', 0, 'options stay';
$normal->normalize_variables(1);
is_deeply $normal->options, {}, 'unless they are to go';
{
    local $ENV{NYTPROF_TEST_SKIP_EVAL_NORM} = 1;
    my $numbered = profile();
    $numbered->normalize_variables;
    like join(' ', map { $_->filename } $numbered->all_fileinfos), qr/\(eval 1\)/, 'NYTPROF_TEST_SKIP_EVAL_NORM';
}

# --- the peer ---------------------------------------------------------------------------------------------------------

if (has_peer()) {
    compare_with_peer($_) for sort keys %text;
}
else {
    diag 'NO PEER: there is no other Devel::NYTProf here, so no dump is compared with its';
}

done_testing;

# Evals stay apart, since the peer's dump dies of merged ones.
sub compare_with_peer {
    my ($title) = @_;
    my @peer  = ('env', '-u', 'PERL5LIB', $^X);
    my $theirs = run($text{$title}, options => { blocks => 1 }, command => [ @peer, '-d:NYTProf', 'prog.pl' ]);
    my $dump   = 'my $p = Devel::NYTProf::Data->new({ quiet => 1, skip_collapse_evals => 1 });'
        . ' $p->normalize_variables(@ARGV) if @ARGV; $p->dump_profile_data({ separator => "\t" })';
    my @dump   = ('-MDevel::NYTProf::Data', '-e', $dump);
    my @ours   = ($^X, map {"-I$FindBin::Bin/../blib/$_"} qw(lib arch));
    my $here   = { dir => $theirs->{dir} };
    my @read   = map { run(undef, %$here, command => [ @$_, @dump ])->{out} } \@peer, \@ours;
    # Sums of floating-point numbers, of all statements and of each line, differ in their last digits.
    for (@read) {
        s/^attribute\ttotal_stmts_duration\t\K(\S+)/sprintf '%.7f', $1/me; # a multiple of a tick
        s/(\d+\.\d+(?:e-\d+)?|\d+e-\d+)(?= )/sprintf '%.9g', $1/ge;
    }
    is $read[1], $read[0], "$title: the peer's file says the same to both";
    cmp_ok length $read[0], '>', 1000, 'and quite a lot';

    my $ours = run($text{$title}, options => { blocks => 1, compress => 6 });
    is comparable(run(undef, dir => $ours->{dir}, command => [ @ours, @dump, 1 ])->{out}),
        comparable(run(undef, %$here, command => [ @peer, @dump, 1 ])->{out}),
        "$title: what is profiled by both is the same, with one numbering of files";
    return;
}

# What happened in the program and its evals. Files have their names in place of their numbers, which are given in order
# of first sight, and two profilers do not see a library first at the same moment.
sub comparable {
    my ($dump) = @_;
    my %name = $dump =~ /^fid_fileinfo\t(\d+)\t\[ (.*?) \d* \d* \d+ \d+ 0 0 \]$/mg;
    s{\A.*/(?=prog\.pl\z)}{} for values %name;
    my @lines = grep { !/^fid_fileinfo\t\d+\t\[/ } split /\n/, $dump;
    s/^fid_\w+\t\K(\d+)/$name{$1}/, s/(?:\tcalled_by\t|\[ )\K(\d+)(?=:)/$name{$1}/ for @lines;
    return join "\n", sort grep {/prog\.pl/} @lines;
}
