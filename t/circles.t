# SPDX-License-Identifier: MIT
# Within a room files call each other in one direction: a circle of files is one file in several pieces, which can only
# be read, tested and changed as a whole. Those that are there have their reason below; the list may only get shorter.
# Names that a macro makes are not seen: the table of verbs, which has the verbs that look into it.
use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(files folders slurp spew);

my $TOP = "$FindBin::Bin/..";

my %EXPECTED = (
    'cli: interpreters lua_start program' => 'a row of the table names functions that look for other rows',
    'lua: calibrate debug duty gate here hook layout life sample stack timing walk' =>
        'an event may be the first of its Lua or thread, and the last; duty, sample, gate and timing set the hook',
    'record: counters flush nodes recorder sequence subs' =>
        'any of them may run out of memory, which ends the recorder; and who ends it writes the last window',
    'ruby: calibrate callee hook life' => 'a thread that begins or ends is an event, and any event may be the first',
);

my @circles = map { circles("$TOP/xs/$_", $_) } folders("$TOP/xs");
is join("\n", @circles), join("\n", sort keys %EXPECTED),
    'no files of a room call each other in a circle but these; a file that has left one leaves the list';

my $planted = tempdir(CLEANUP => 1);
make_path("$planted/room");
spew("$planted/room/a.c", qq{#include "room/b.h"\nint nytp_a_one(void) {\n    return nytp_b_two();\n}\n});
spew("$planted/room/b.c", "int nytp_b_two(void) {\n    return nytp_c_all[0]();\n}\n");
spew("$planted/room/c.c", "int (*const nytp_c_all[])(void) = {nytp_a_one};\n");
spew("$planted/room/d.c", "/* not as nytp_e_on() */\nint nytp_d_on(void) {\n    return nytp_a_one();\n}\n");
spew("$planted/room/e.c", "int nytp_e_on(void) {\n    return nytp_d_on();\n}\n");
is_deeply [ circles("$planted/room", 'room') ], ['room: a b c'],
    'a planted circle is found, through a table too; what leads to it is no part of it, and a comment calls nothing';

done_testing;

# "room: files" of each circle, as long as it can be made.
sub circles {
    my ($dir, $room) = @_;
    my $calls = calls($dir);
    my %reach = map { ($_ => reached($calls, $_)) } keys %$calls;
    my (%done, @found);
    for my $file (sort keys %$calls) {
        next if $done{$file} || !$reach{$file}{$file};
        my @in = grep { $reach{$file}{$_} && $reach{$_}{$file} } sort keys %$calls;
        @done{@in} = (1) x @in;
        push @found, "$room: @in";
    }
    return @found;
}

# For each file the others of its folder whose functions or tables it names.
sub calls {
    my ($dir) = @_;
    my (%text, %home);
    for my $path (files($dir, qr/\.c$/)) {
        my ($file) = $path =~ /(\w+)\.c$/;
        $text{$file} = slurp("$dir/$path") =~ s{/\*.*?\*/}{}gsr;
        $home{$_} = $file for $text{$file} =~ /^(?!static\b|typedef\b|#)\w[^;={}"]*?\b(nytp_\w+)(?:\)?\(|\[|\s*=)/mg;
    }
    my %calls;
    for my $file (keys %text) {
        my %to = map { ($home{$_} => 1) } grep { $home{$_} } $text{$file} =~ /\b(nytp_\w+)/g;
        delete $to{$file};
        $calls{$file} = \%to;
    }
    return \%calls;
}

# The files that can be reached by calls from this one.
sub reached {
    my ($calls, $from) = @_;
    my (%seen, @next);
    @next = keys %{ $calls->{$from} };
    while (defined(my $file = shift @next)) {
        push @next, keys %{ $calls->{$file} } if !$seen{$file}++;
    }
    return \%seen;
}
