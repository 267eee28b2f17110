# SPDX-License-Identifier: MIT
# The C unit tests: one subtest for each program of t/c, which speaks TAP itself.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use TAP::Parser;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(slurp);

my $TOP = "$FindBin::Bin/..";
chdir $TOP or BAIL_OUT("cannot enter the tree: $!");

my @names = map { m{([^/]+)\.c$} } sort glob 't/c/*.c';
ok @names > 0, 'there are C unit tests';
is_deeply [ grep { slurp($_) =~ m{"/tmp/} } glob 't/c/*.[ch]' ], [], 'files of the tests are below TMPDIR';
local $ENV{TMPDIR} = tempdir(CLEANUP => 1);
subtest $_ => \&run, $_ for @names;
done_testing;

sub run {
    my ($name) = @_;
    my $program = "build/t/$name";
    ok -x $program, "$program is built (make c_tests)" or return done_testing;
    my $parser = TAP::Parser->new({ exec => [$program] });
    while (my $result = $parser->next) {
        if    ($result->is_test)    { ok $result->is_ok, $result->description =~ s/^- //r }
        elsif ($result->is_comment) { diag $result->comment }
    }
    is_deeply [ $parser->parse_errors ], [], 'its plan holds';
    is $parser->exit, 0, 'it exits with 0';
    is_deeply [ glob "$ENV{TMPDIR}/*" ], [], 'and leaves no file';
    return done_testing;
}
