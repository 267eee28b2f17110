# SPDX-License-Identifier: MIT
# Every header compiles alone: the core's with the core's flags, the perl room's with perl's. So does what the fuzzer
# calls, which only CI runs.
use strict;
use warnings;

use Config;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../t/lib";
use Tree qw(files slurp spew);

my $TOP = "$FindBin::Bin/..";
my ($core_flags) = slurp("$TOP/Makefile.PL") =~ /\$CORE_FLAGS = join ' ', qw\(\s*(.*?)\s*\)/s
    or BAIL_OUT('Makefile.PL has no $CORE_FLAGS');
my $CORE = join ' ', split ' ', $core_flags;
do "$TOP/xs/rooms.pl" or BAIL_OUT("xs/rooms.pl: $@$!");
my %PART = map { ($_->{name} => $_->{part}) } rooms();
my $PERL = "$Config{ccflags} -I$TOP/build -I$Config{archlibexp}/CORE";

my @headers = files("$TOP/xs", qr/\.h$/);
ok @headers > 0, 'there are headers';
for my $header (@headers) {
    my $part  = $PART{ (split m{/}, $header)[0] };
    my $flags = $part eq 'module' ? $PERL : "$CORE -Werror";
    if ($part !~ /^(?:library|command|module)$/) { # a front end's, if it is built
        my ($its) = slurp("$TOP/Makefile") =~ m{%\.o : xs/$part/%\.c.*\n.*\n\t\$\(CORE_CC\)(.*?) -c }m or next;
        $flags .= $its;
    }
    is complaints("$TOP/xs/$header", $flags), '', $header;
}

# Two headers that give one name to two things would be found here: a live view needs the recorder's and the model's.
my $together = tempdir(CLEANUP => 1) . '/together.h';
spew($together, join '', map {qq{#include "$_"\n}} grep { $PART{ (split m{/})[0] } eq 'library' } @headers);
is complaints($together, "$CORE -Werror"), '', 'and those of the library compile together';

for my $target (files("$TOP/xt/fuzz", qr/\.c$/)) {
    my $flags = $target =~ /\bperl\.c$/ ? "$PERL -w" : "$CORE -Werror";
    is complaints("$TOP/xt/fuzz/$target", "$flags -I$TOP/xt/fuzz"), '', "xt/fuzz/$target";
}

my $planted = tempdir(CLEANUP => 1) . '/planted.h';
spew($planted, "uint32_t needs_stdint(void);\n");
isnt complaints($planted, $CORE), '', 'a header that needs another one included first is found';

done_testing;

sub complaints {
    my ($header, $flags) = @_;
    return scalar qx{$Config{cc} $flags -I"$TOP/xs" -fsyntax-only -x c "$header" 2>&1};
}
