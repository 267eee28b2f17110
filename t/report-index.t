# SPDX-License-Identifier: MIT
# The index page: data.js, which its script shows (xs/pages/DATA), and what it says without a script.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk i nytprof record text u);
use PageData qw(page_data);
use Pages qw(broken_links fixtures pages run);
use Tree qw(files slurp);

my $TOP      = "$FindBin::Bin/..";
my $captures = fixtures();
my $dir      = tempdir(CLEANUP => 1);

my $pages = report('calls');
my $data  = page_data($pages->{'data.js'});
is_deeply [ @{$data}{qw(version total unit rows)} ], [ 10, 874_500, 1, 8 ], 'data: version, time, unit, subs called';
is_deeply $data->{files}[1],
    { name => '/app/main.pl', count => 20, time => 362_000, subs => 4, evals => 2, parent => 0, flags => 0 },
    'a file';
is_deeply [ map { $_->{name} } grep { $_->{flags} } @{ $data->{files} } ], ['Foo/Bar.pm'], 'one is of a library';
is $data->{files}[0]{name}, 'Foo/Bar.pm', 'the most time comes first, and no name has its @INC directory';
is_deeply [ map { $_->{name} } grep { $_->{parent} == 2 } @{ $data->{files} } ],
    [ '(eval 1)[/app/main.pl:9]', '(eval 3)[/app/main.pl:9]' ], 'string evals name the file and line that ran them';
is_deeply [ @{ $data->{pages} }[ 0 .. $#{ $data->{files} } ] ],
    [ grep { $pages->{$_} } @{ $data->{pages} }[ 0 .. $#{ $data->{files} } ] ], 'every file has its page';
my %sub = map { ($_->{name} => $_) } @{ $data->{subs} };
my @facts = qw(calls places files exclusive inclusive depth nested);
my $facts = sub { my ($name) = @_; return [ @{ $sub{$name} }{@facts} ] };
is_deeply $facts->('Foo::Bar::new'), [ 1, 1, 1, 100_000, 500_000, 0, 0 ], 'a sub';
is_deeply $facts->('main::recurs'), [ 3, 2, 1, 60_000, 60_000, 2, 80_000 ], 'one that recurses';
is $sub{'Foo::Bar::new'}{link}, 'Foo-Bar-pm-2-line.html#3', 'and where its source is';
is $sub{'List::Util::sum'}{link}, 'subs-xs.html#List__Util__sum', 'or, without source, its callers';
is_deeply [ map { $sub{$_}{flags} } qw(List::Util::sum main::CORE:print main::RUNTIME) ], [ 1, 2, 8 ],
    'C code, built-in operators and phases of the program say so';
is_deeply [ map { $sub{$_}{kind} } qw(Foo::Bar::new List::Util::sum main::CORE:print) ], [ 0, 4, 6 ],
    'kinds: as its file, in C, input and output';
is_deeply [ sort { $b <=> $a } map { $_->{exclusive} } @{ $data->{subs} }[ 0 .. $data->{rows} - 1 ] ],
    [ map { $_->{exclusive} } @{ $data->{subs} }[ 0 .. $data->{rows} - 1 ] ], 'the most exclusive time comes first';

my @paths = paths($data);
like $paths[0], qr/^main::RUNTIME 0 221500$/, 'the call tree begins with the program';
is_deeply [ grep {/Bar|recurs/} @paths ],
    [   'main::RUNTIME;Foo::Bar::new 1 100000', 'main::RUNTIME;Foo::Bar::new;Foo::Bar::xs 1 400000',
        'main::RUNTIME;main::recurs 1 10000', 'main::RUNTIME;main::recurs;main::recurs 1 20000',
        'main::RUNTIME;main::recurs;main::recurs;main::recurs 1 30000',
    ],
    'path, calls and time of its own; what took longest comes first';
my $time = 0;
$time += $_->[3] + $_->[4] for @{ $data->{tree} };
is $time, $data->{total}, 'all of them are the time of the run';
is scalar @{ $data->{tree} }, $data->{seen} - 1, 'and nothing was too short but a call that took no time';

my $plain = report('calls', '--no-compress')->{'data.js'};
like $plain, qr/\ANP\.load\(/, '--no-compress: not deflated';
is_deeply page_data($plain), $data, 'but the same';
is_deeply page_data(report('calls', '--no-flame')->{'data.js'})->{tree}, [], '--no-flame: no call tree';
ok eval { page_data(report($_)->{'data.js'}) }, "$_: readable data" or diag $@ for qw(empty zero hostile);
my @odd = grep {/[\x00-\x1F\x7F]/} map { $_->{name} } @{ page_data(report('hostile')->{'data.js'})->{subs} };
is_deeply \@odd, [], 'no control character is in a name';

my $index = $pages->{'index.html'};
my ($picture) = $index =~ m{(<svg class=icicle.*?</svg>)<p}s;
like $picture, qr{<svg x=0\.00% y=36 width=57\.18% height=18><title>Foo::Bar::new, 500 µs</title>},
    'without a script there is a still picture';
my ($legend) = $index =~ m{(<p class="tools legend">.*?</p>)}s;
my @keys = $legend =~ m{<span(?: hidden)?><span class="swatch k\d"></span>.*?</span>}g;
my %drawn = map { ($_ => 1) } $picture =~ /class=k(\d)/g;
is_deeply [ grep { $keys[$_] !~ / hidden/ } 0 .. $#keys ], [ sort keys %drawn ],
    'whose legend has the kinds of code that are drawn';
unlike report('calls', '--no-flame')->{'index.html'}, qr{class=icicle}, 'and with --no-flame there is none';

my ($lines) = $index =~ m{(<section aria-labelledby=lines>.*?</section>)}s;
my @rows = map { [ map {s/<.*?>//gr} split /<td[^>]*>/ ] } $lines =~ m{<tr>(<td.*?)</tr>}g;
is_deeply $rows[0], [ '', '500 µs', '57.2 %', 1, 'Bar.pm:4', 'return xs(bless {});' ],
    'the hottest line: time, share, count, place and source';
like $lines, qr{<a href=Foo-Bar-pm-2-line\.html#4>Bar\.pm:4</a>}, 'with a link';
my @shares = map { $_->[2] =~ s/ %//r } @rows;
is_deeply \@shares, [ sort { $b <=> $a } @shares ], 'and the others behind it, the most time first';
unlike $index, qr{<script(?! src="\w+\.js"(?: defer)?></script>)}, 'no script is within the page';

my $start = Capture::record(1, (map { u($_) } 1, 0), u(10**18), i(0), (map { u($_) } 1000, 1), i(1001),
    map { Capture::s($_) } qw(fake x.pl perl));
my @many = map { record(7, (map { u($_) } $_, 0, 0, 0, 0, 0), Capture::s("/x$_.pl")) .
    record(8, u($_), u(1), Capture::s("say\n")) } 1 .. 101;
my (undef, $wrong) = nytprof('html', '-o', "$dir/many", \(text() . chunk(join '', $start, @many)));
my $many = pages("$dir/many");
is $wrong . join(' ', broken_links($many)), '', 'a hundred and one files';
is_deeply [ map { my @rows = $many->{$_} =~ /<td class=name><a href=x\d/g; scalar @rows } qw(index.html
    index-files.html) ], [ 60, 101 ], 'without a script the first page has sixty, another one all';

my @scripts = grep {m{^html/}} files($TOP, qr/\.m?js$/);
is_deeply [ grep { slurp("$TOP/$_") =~ /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|Function\(/ }
    @scripts ], [], 'no script makes markup or code from text';
is_deeply [ grep { $pages->{$_} !~ m{<script src="?theme\.js"?></script>|http-equiv="refresh"} }
    grep {/html$/} sort keys %$pages ], [],
    'every page can be made light or dark';
like $pages->{'index.html'}, qr{<li><code>nytprof speedscope \S+</code>}, 'the page has commands for other programs';
cmp_ok length $pages->{'find.js'}, '<', 17_000, 'the script of other pages stays small';
cmp_ok length $pages->{'app.js'}, '<', 105_000, 'the script stays small';
my $style = 0;
$style += length $pages->{$_} for grep {/css$/} keys %$pages;
cmp_ok $style, '<', 22_400, 'and so does the style';

done_testing;

sub report {
    my ($name, @options) = @_;
    my ($status, undef, $err) = run("$TOP/build/nytprof", 'html', '--delete', @options, '-o', "$dir/$name",
        "$captures/$name.out");
    die "nytprof html @options: $err" if $status && $name ne 'empty';
    return pages("$dir/$name");
}

# "NAME;NAME CALLS SELF" of each node.
sub paths {
    my ($of) = @_;
    my (@path, @found);
    for my $node (@{ $of->{tree} }) {
        splice @path, @path - $node->[0];
        push @path, $of->{subs}[ $node->[1] ]{name};
        push @found, join(';', @path) . " $node->[2] " . $node->[3] * $of->{unit};
    }
    return @found;
}
