/* SPDX-License-Identifier: MIT */
/* probes.c - the programs of `nytprof selftest`. In each f(7) calls f(6) seven times, and so on: 13,700 calls, 8 levels
 * deep. Parts take a few milliseconds, so that in most runs nothing else has the processor meanwhile. The clock is the
 * thread's, as Linux updates that of a process with a limit of CPU time (ulimit -t) every 4 ms only; Lua has just that
 * one, and no other. */
#include "cli/probes.h"

#include <stddef.h>

#define F7 13700 /* calls of one f(7) */

#define TEN(line) line line line line line line line line line line

static const char perl[] =
    "use Time::HiRes qw(clock_gettime CLOCK_THREAD_CPUTIME_ID CLOCK_MONOTONIC);\n"
    "sub now { map { 1e9 * clock_gettime($_) } CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC }\n"
    "sub statements {\n"
    "    my $x; for my $i (1 .. 10_000) {\n"
    TEN("        $x = 1;\n")
    "    }\n"
    "    return;\n"
    "}\n"
    "sub f { my ($depth) = @_; for (1 .. $depth) { f($depth - 1) } return }\n"
    "sub calls { f(7); return }\n"
    "sub xsubs { my $x; for my $i (1 .. 20_000) { $x = utf8::is_utf8($i) } return }\n"
    "sub matches { my $x; for my $i (1 .. 20_000) { $x = 'abc' =~ /c/ } return }\n"
    "for my $part (qw(statements calls xsubs matches)) {\n"
    "    my ($cpu, $wall) = now();\n"
    "    &$part();\n"
    "    my @now = now();\n"
    "    printf \"%s %.0f %.0f\\n\", $part, $now[0] - $cpu, $now[1] - $wall - $now[0] + $cpu;\n"
    "}\n";

static const char lua[] =
    "local x\n"
    "local function lines()\n"
    "    for i = 1, 10000 do\n"
    TEN("        x = i\n")
    "    end\n"
    "end\n"
    "local function f(depth) for _ = 1, depth do f(depth - 1) end end\n"
    "local function calls() f(7) end\n"
    "local begin = os.clock()\n"
    "lines()\n"
    "print(('lines %.0f'):format(1e9 * (os.clock() - begin)))\n"
    "begin = os.clock()\n"
    "calls()\n"
    "print(('calls %.0f'):format(1e9 * (os.clock() - begin)))\n";

static const char ruby[] =
    "def lines\n"
    "  x = i = 0; while i < 10_000\n"
    TEN("    x = 1\n")
    "    i += 1\n"
    "  end\n"
    "end\n"
    "def f(depth) i = 0; while i < depth; i += 1; f(depth - 1); end end\n"
    "def calls() f(7) end\n"
    "CLOCKS = [Process::CLOCK_THREAD_CPUTIME_ID, Process::CLOCK_MONOTONIC]\n"
    "def now() CLOCKS.map { |clock| Process.clock_gettime(clock, :nanosecond) } end\n"
    "def told(name, cpu, wall)\n"
    "  cpu, wall = now.zip([cpu, wall]).map { |after, before| after - before }\n"
    "  puts \"#{name} #{cpu} #{wall - cpu}\"\n"
    "end\n"
    "start = now\n"
    "lines\n"
    "told('lines', *start)\n"
    "start = now\n"
    "calls\n"
    "told('calls', *start)\n";

const nytp_probe nytp_probes[NYTP_PROBES] = {
    {.language = "Perl", .file = "probe.pl", .text = perl,
     .parts = {{"statement", "statements", "main::statements", NULL, 100000},
               {"call", "calls", "main::calls", "main::f", F7},
               {"call of C (XSUB)", "xsubs", "main::xsubs", "utf8::is_utf8", 20000},
               {"slow built-in (match)", "matches", "main::matches", "main::CORE:match", 20000}}},
    {.language = "Lua", .file = "probe.lua", .text = lua,
     .parts = {{"line", "lines", "lines", NULL, 100000}, {"call", "calls", "calls", "f", F7}}},
    {.language = "Ruby", .file = "probe.rb", .text = ruby,
     .parts = {{"line", "lines", "Object#lines", NULL, 100000},
               {"call", "calls", "Object#calls", "Object#f", F7}}},
};
