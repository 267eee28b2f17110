# SPDX-License-Identifier: MIT
# graphviz draws `nytprof dot`: what is in the graph is in the picture, whatever the names.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../t/lib";
use Exports qw(capture captures export wants works);
use Pages qw(run);
use Tree qw(slurp);

wants(qw(dot gc xmllint));
for my $name (captures()) {
    for my $options ([], [ '--scale', 'total' ], ['--packages'], [ '--min-percent', 5 ]) {
        my $file  = export('dot', @$options, capture($name));
        my $text  = slurp($file);
        my $nodes = () = $text =~ /^n\d+ \[/mg;
        my $arcs  = () = $text =~ /^n\d+ -> /mg;
        is_deeply [ (split ' ', works('gc', '-a', $file))[ 0, 1 ] ], [ $nodes, $arcs ],
            "$name @$options: $nodes nodes and $arcs edges, as gc counts them";
        my ($status, $plain, $err) = run('dot', '-Tplain', $file);
        is "$status $err", '0 ', 'dot draws it without a word';
        is scalar(() = $plain =~ /^node /mg), $nodes, 'all of it';
    }
    my $canonical = works('dot', '-Tcanon', export('dot', capture($name)));
    like $canonical, qr/\Adigraph/, "$name: canonical";
    my $svg = export('dot', '--render', 'svg', capture($name));
    is works('xmllint', '--noout', $svg), '', 'a picture is XML';
    my $drawn = () = slurp($svg) =~ /<g [^>]*class="node"/g;
    is $drawn, scalar(() = slurp(export('dot', capture($name))) =~ /^n\d+ \[/mg), 'with every node';
}
for (qw(pdf png)) {
    my $start = { pdf => '%PDF-', png => "\x89PNG" }->{$_};
    is substr(slurp(export('dot', '--render', $_, capture('calls'))), 0, length $start), $start, "or $_";
}
done_testing;
