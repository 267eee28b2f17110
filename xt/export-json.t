# SPDX-License-Identifier: MIT
# ajv finds that what `nytprof json` prints is as its JSON Schema says, and all of it has the time of the run.
use strict;
use warnings;

use FindBin;
use JSON::PP ();
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/../t/lib", "$FindBin::Bin/lib";
use Builds qw(small);
use Exports qw(capture captures export nanoseconds node_script scratch works);
use Tree qw(slurp spew);

my $schema = scratch() . '/schema.json';
spew($schema, works("$FindBin::Bin/../build/nytprof", 'json', '--schema'));

for my $name (captures()) {
    my @capture = capture($name);
    my $file    = export('json', '--source-text', @capture);
    my $data    = JSON::PP->new->utf8->decode(slurp($file));
    is node_script('ajv.mjs', $schema, $file), '', "$name: as the schema says";
    is sum0(@{ $data->{tree}{self} }), nanoseconds(@capture), 'all paths have the time of the run';
    is sum0(map { $_->{exclusive} } @{ $data->{subs} }), nanoseconds(@capture), 'so have all subs';
}

# --- a build ----------------------------------------------------------------------------------------------------------

my $build_schema = scratch() . '/build-schema.json';
spew($build_schema, works("$FindBin::Bin/../build/nytprof", 'json', '--build-schema'));
spew(scratch() . '/small.build', small());
my $build = export('json', scratch() . '/small.build');
is node_script('ajv.mjs', $build_schema, $build), '', 'a build: as its schema says';
spew(scratch() . '/breach.json', slurp($build) =~ s/"status":2/"status":-2/r);
isnt node_script('ajv.mjs', $build_schema, scratch() . '/breach.json'), '', 'planted: a status below 0';

# --- breaches ---------------------------------------------------------------------------------------------------------

my $text = slurp(export('json', capture('calls')));
my @breaches = ([ '"version":1', '"version":2' ], [ '"self":[', '"self":[-1,' ], [ '"kind":"phase"', '"kind":"face"' ]);
for my $breach (@breaches) {
    my ($right, $wrong) = @$breach;
    spew(scratch() . '/breach.json', $text =~ s/\Q$right\E/$wrong/r);
    isnt node_script('ajv.mjs', $schema, scratch() . '/breach.json'), '', "planted: $wrong";
}
done_testing;
