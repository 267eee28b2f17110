# SPDX-License-Identifier: MIT
# One whole: the header, the tables, the flame graph, the call tree and the section on loading divide the same time, and
# compiling the program has a name and a place in all of them. The Perl API and nytprofcalls keep the names people know.
use strict;
use warnings;

use FindBin;
use List::Util qw(first sum0);
use Test::More;

use lib "$FindBin::Bin/lib", map {"$FindBin::Bin/../blib/$_"} 'lib', 'arch';
use Capture qw(chunk i nytprof record text u);
use Devel::NYTProf::Data;
use PageData qw(page_data);
use Pages qw(pages text_of);
use Run qw(capture_of run);

# --- a program that takes longer to compile than to run ---------------------------------------------------------------

my $subs = join '', map {"sub f$_ { my \$x = shift; return \$x + $_ }\n"} 1 .. 5000;
my $run  = run($subs . "f1(1) for 1 .. 100;\n", name => 'big.pl');
my ($pages, $data) = report();
my $index = text_of($pages->{'index.html'});
my ($profiled) = $index =~ / ([\d.]+ \w?s) profiled /;
like $index, qr/ everything, \Q$profiled\E /, 'everything in the flame graph is what was profiled';
like $index, qr/percentages are of the \Q$profiled\E profiled/, 'and percentages are of it';
my $compiling = sub_of($data, 'compiling big.pl');
cmp_ok $compiling->{exclusive} // 0, '>', $data->{total} / 2, 'compiling is one of the subs, and takes most';
is $compiling->{flags}, 8, 'though it is no sub and leads nowhere';
like $index, qr/Loading modules: \S+ \w?s, (?:[5-9]\d|100)\.\d % .* Module [\d.]+ \w?s [\d.]+ \w?s compiling big\.pl /,
    'it is in the section on loading, too';
like $index, qr/ (\d+) sub calls 1 sub /, 'and no sub that is counted';
my %path = paths($data);
cmp_ok abs(sum0(values %path) - $data->{total}), '<=', $data->{total} / 1e4, 'the call tree has all of the time';
cmp_ok abs($path{'compiling big.pl'} - $compiling->{exclusive}), '<=', 1 + $data->{total} / 1e4, 'and this of it';
cmp_ok $path{'main::RUNTIME'}, '<', $data->{total} / 4, 'which is not that of running';
like $pages->{'all_stacks_by_time.svg'}, qr/<title>compiling big\.pl \(/, 'the flame graph has it, too';

my ($folded) = nytprof('folded', capture_of($run));
like $folded, qr/^main::RUNTIME \d+$/m, 'folded stacks keep the names that other programs know';
unlike $folded, qr/compiling/, 'and only these';
my $profile = Devel::NYTProf::Data->new({ filename => capture_of($run), quiet => 1 });
is_deeply [ sort grep {/compiling|RUNTIME/} keys %{ $profile->subname_subinfo_map } ], ['main::RUNTIME'],
    'so does the Perl API';

# --- BEGIN blocks run while the program is compiled -------------------------------------------------------------------

$run = run("use Inner;\nBEGIN { my \$x = 0; \$x += \$_ for 1 .. 20000 }\nInner::f();\n", files => {
    'Inner.pm' => "package Inner;\nmy \$x = 0;\n\$x += \$_ for 1 .. 20000;\nsub f { 1 }\n1;\n",
}, switches => [ '-I.', Run::under_profiler() ]);
($pages, $data) = report();
%path = paths($data);
ok exists $path{'compiling prog.pl;main::BEGIN@2'}, 'a BEGIN block is below compiling' or diag join "\n", keys %path;
is_deeply [ grep {/NULL/} map { $_->{name} } @{ $data->{subs} } ], [], 'which has no other name';
cmp_ok sub_of($data, 'compiling prog.pl')->{inclusive}, '>', $data->{total} / 2, 'with all its time';

$run = run("use strict;\nsub never { 1 }\nDB::enable_profile();\n1;\n", options => { start => 'no' });
($pages) = report();
my ($source) = map { text_of($pages->{$_}) } grep {/(?:^|-)prog-pl-/} keys %$pages;
like $source, qr/never \{ ?1 ?\} never called/, 'a sub that was not called while profiled';
unlike $source, qr/use strict; never called/, 'but a BEGIN block has been, before that';

$run = run("my \$x = (;\n");
($pages, $data) = report();
%path = paths($data);
ok exists $path{'compiling prog.pl'}, 'a program that does not compile was being compiled' or diag keys %path;
cmp_ok abs($path{'compiling prog.pl'} - $data->{total}), '<=', 1, 'all the time';

# --- where a call was waited in, statements have time and calls have none ---------------------------------------------

my $start = join '', map({ u($_) } 1, 0, 17e17), i(0), u(1_000_000), u(1), i(1001),
    map { Capture::s($_) } qw(fake s.pl perl);
my $waits = join '', record(1, $start), record(7, (map { u($_) } 1, 0, 0, 0, 0, 0), Capture::s('s.pl')),
    record(11, map { u($_) } 1, 1, 3, 3, 3), record(13, u(1), i(1), i(100)), record(14, u(0), i(0), i(30)),
    record(15, (map { i($_) } 0, 0, 0, 0), u(0), i(70));
($pages, $data) = report(\(text(program => 's.pl') . chunk($waits, end => 100)));
%path = paths($data);
is_deeply \%path, { 'main::RUNTIME' => 30_000, 'waiting for clients' => 70_000 }, 'waiting is a part of the whole';
like text_of($pages->{'index.html'}), qr/ 100 µs were the program's own, and of these 70\.0 µs passed in waiting /,
    'the sentence says so';
is $data->{total}, 100_000, 'which is that of the statements';

done_testing;

# The pages and data.js of the run's report, or that of a capture.
sub report {
    my ($capture) = @_;
    my $dir = "$run->{dir}/report" . ($capture ? '-made' : '');
    my (undef, $err, $exit) = nytprof('html', '-d', '-o', $dir, $capture // capture_of($run));
    "$exit$err" eq '0' or die "nytprof html: $err";
    my $found = pages($dir);
    return ($found, page_data($found->{'data.js'}));
}

sub sub_of { my ($of, $name) = @_; return (first { $_->{name} eq $name } @{ $of->{subs} }) // {} }

# { "NAME;NAME" => nanoseconds of its own and of what was cut off below } of each node.
sub paths {
    my ($of) = @_;
    my (@path, %found);
    for my $node (@{ $of->{tree} }) {
        splice @path, @path - $node->[0];
        push @path, $of->{subs}[ $node->[1] ]{name};
        $found{ join ';', @path } += ($node->[3] + $node->[4]) * $of->{unit};
    }
    return %found;
}
