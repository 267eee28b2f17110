/* SPDX-License-Identifier: MIT */
/* fixture_exports.h - captures for the tests of exports, with the numbers that each format has to give back.
 *
 * fixture_sample, in ns and outermost first:
 *
 *     main 1000;  main A::work 2000;  main A::work A::inner 3000;  main A::work List::Util::sum 500;
 *     main A::inner 700;  together 7200: inner 3700, work 2000, main 1000, sum 500
 *
 * The calls, on lines of main.pl and A.pm, with calls and inclusive time: main:6 A::work 2 5500, A:5 A::inner 3 3000,
 * A:6 List::Util::sum 4 500, main:7 A::inner 1 700.
 *
 * fixture_processes is that, and two more processes: a fork with a string eval and a recursion (4900 ns: main 900,
 * A::fact 600, 700 and 800 one in the other, from the eval __ANON__ 1900), and a Lua program (6000 ns: main chunk 1000,
 * outer 2000, inner 2500, string.rep 500): 18100 ns. */
#ifndef FIXTURE_EXPORTS_H
#define FIXTURE_EXPORTS_H

#include "fixture.h"

static inline void fixture_sample_files(fixture *f) {
    fixture_file(f, 1, "/app/main.pl", 0, 0);
    fixture_file(f, 2, "/app/lib/A.pm", 0, 0);
    fixture_source(f, 1, "use strict;\nuse lib 'lib';\nuse A;\n\nprint \"begin\\n\";\nA::work($_) for 1, 2;\n"
                         "A::inner(7);\n\nA::fact(3) if $forked;\neval $text if $forked;\n");
    fixture_source(f, 2, "package A;\nuse List::Util qw(sum);\nsub work {\n    my ($n) = @_;\n"
                         "    inner($_) for 1 .. $n;\n    return sum(1, 2) + sum(3, 4);\n}\n\n\nsub inner {\n"
                         "    return $_[0] ** 2;\n}\n\n"
                         "sub fact {\n    return $_[0] < 2 ? 1 : $_[0] * fact($_[0] - 1);\n}\n1;\n");
    fixture_sub(f, 1, 0, 2, 3, 7, "A::work");
    fixture_sub(f, 2, 0, 2, 10, 12, "A::inner");
    fixture_sub(f, 3, NYTP_SUB_XSUB, 0, 0, 0, "List::Util::sum");
}

typedef struct fixture_statement {
    uint64_t file, line, block;
    int64_t count, ticks;
} fixture_statement;

typedef struct fixture_call {
    uint64_t parent, place, sub;
    int64_t calls, exclusive;
} fixture_call;

/* Places and nodes have ids from 1 in the order of the tables. */
static inline void fixture_run(fixture *f, const fixture_statement *places, size_t places_n, const fixture_call *nodes,
                               size_t nodes_n) {
    for (size_t i = 0; i < places_n; i++) {
        fixture_place(f, i + 1, places[i].file, places[i].line, places[i].block, places[i].block);
        fixture_ran(f, i + 1, places[i].count, places[i].ticks);
    }
    for (size_t i = 0; i < nodes_n; i++) {
        fixture_node(f, i + 1, nodes[i].parent, nodes[i].place, nodes[i].sub);
        fixture_called(f, i + 1, nodes[i].calls, nodes[i].exclusive);
    }
    fixture_chunk(f, 0);
    fixture_close(f, 1);
}

static inline void fixture_sample(const char *path) {
    static const fixture_statement places[] = {{1, 5, 1, 1, 10}, {1, 6, 1, 1, 0}, {1, 7, 1, 1, 0}, {2, 4, 3, 2, 20},
                                               {2, 5, 3, 2, 0},  {2, 6, 3, 2, 5}, {2, 11, 10, 4, 37}};
    static const fixture_call nodes[] = {{0, 2, 1, 2, 20}, {1, 5, 2, 3, 30}, {1, 6, 3, 4, 5}, {0, 3, 2, 1, 7}};
    fixture f = fixture_open(path, 4711, "/app/main.pl");
    fixture_sample_files(&f);
    fixture_run(&f, places, 7, nodes, 4);
}

static inline void fixture_metric(fixture *f, uint64_t id, const char *name, const char *unit) {
    nytp_rec_metric r = {.id = id, .of = NYTP_OF_PLACE | NYTP_OF_NODE, .name = nytp_str_c(name),
                         .unit = nytp_str_c(unit), .title = nytp_str_c(name)};
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_METRIC, .u.metric = r});
}

/* Samples of a place or node, 10 ms each, of which the program waited for so many. */
static inline void fixture_samples(fixture *f, uint64_t of, uint64_t id, int64_t samples, int64_t waits) {
    const int64_t values[] = {samples, (samples - waits) * 10000000, waits * 10000000};
    for (uint64_t i = 0; i < 3; i++) {
        nytp_rec_value r = {i + 1, of, id, values[i]};
        nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_VALUES, .u.value = r});
    }
    if (of == NYTP_OF_PLACE) fixture_ran(f, id, 0, samples * 100000);
    else fixture_called(f, id, 0, samples * 100000);
}

/* The program of fixture_sample, 180 times sampled and never counted: A::work 30, of these 20 waiting on line 5;
 * A::inner 120, sum 30. */
static inline void fixture_sampled(const char *path) {
    static const fixture_statement places[] = {{1, 6, 1, 0, 0}, {1, 7, 1, 0, 0}, {2, 5, 3, 0, 0}, {2, 6, 3, 0, 0},
                                               {2, 11, 10, 0, 0}};
    static const fixture_call nodes[] = {{0, 1, 1, 0, 0}, {1, 3, 2, 0, 0}, {1, 4, 3, 0, 0}, {0, 2, 2, 0, 0}};
    fixture f = fixture_open(path, 4711, "/app/main.pl");
    nytp_writer_pair(f.w, NYTP_REC_PROPERTY, NYTP_LIT("sampling"), NYTP_LIT("thread"));
    nytp_writer_pair(f.w, NYTP_REC_PROPERTY, NYTP_LIT("sample_hz"), NYTP_LIT("100"));
    fixture_sample_files(&f);
    fixture_metric(&f, 1, "samples", "samples");
    fixture_metric(&f, 2, "cpu", "ns");
    fixture_metric(&f, 3, "waiting", "ns");
    for (size_t i = 0; i < 5; i++)
        fixture_place(&f, i + 1, places[i].file, places[i].line, places[i].block, places[i].block);
    for (size_t i = 0; i < 4; i++) fixture_node(&f, i + 1, nodes[i].parent, nodes[i].place, nodes[i].sub);
    fixture_samples(&f, NYTP_OF_PLACE, 3, 20, 20);
    fixture_samples(&f, NYTP_OF_PLACE, 4, 40, 0);
    fixture_samples(&f, NYTP_OF_PLACE, 5, 120, 0);
    fixture_samples(&f, NYTP_OF_NODE, 1, 30, 20);
    fixture_samples(&f, NYTP_OF_NODE, 2, 100, 0);
    fixture_samples(&f, NYTP_OF_NODE, 3, 30, 0);
    fixture_samples(&f, NYTP_OF_NODE, 4, 20, 0);
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
}

static inline int fixture_append(const char *path) { return open(path, O_WRONLY | O_APPEND | O_CLOEXEC); }

static inline void fixture_fork(const char *path) {
    static const fixture_statement places[] = {{1, 9, 1, 1, 9},  {1, 10, 1, 1, 0},   {2, 15, 14, 3, 21},
                                               {3, 1, 1, 3, 19}};
    static const fixture_call nodes[] = {{0, 1, 4, 1, 6}, {1, 3, 4, 1, 7}, {2, 3, 4, 1, 8}, {0, 4, 5, 2, 19}};
    nytp_stream_id id = sample_stream;
    id.pid = 4712;
    id.process_start += 2000;
    fixture f = fixture_begin(fixture_append(path), &id, 4711, "/app/main.pl", "perl 5.36.0");
    fixture_sample_files(&f);
    fixture_file(&f, 3, "(eval 1)[/app/main.pl:10]", 1, 10);
    fixture_source(&f, 3, "sub { $_[0] + 1 }->(1) for 1, 2\n;");
    fixture_sub(&f, 4, 0, 2, 14, 16, "A::fact");
    fixture_sub(&f, 5, NYTP_SUB_ANON, 3, 1, 1, "main::__ANON__[(eval 1)[/app/main.pl:10]:1]");
    fixture_run(&f, places, 4, nodes, 4);
}

static inline void fixture_lua(const char *path) {
    static const fixture_statement places[] = {{1, 9, 1, 1, 10}, {1, 5, 4, 2, 20}, {1, 6, 4, 2, 5}, {1, 2, 1, 3, 25}};
    static const fixture_call nodes[] = {{0, 0, 1, 1, 10}, {1, 1, 2, 2, 20}, {2, 2, 3, 3, 25}, {2, 3, 4, 2, 5}};
    nytp_stream_id id = sample_stream;
    id.pid = 4713;
    id.process_start += 3000;
    id.front_end = NYTP_FRONT_LUA;
    fixture f = fixture_begin(fixture_append(path), &id, 4711, "/app/main.lua", "Lua 5.4");
    fixture_file(&f, 1, "/app/main.lua", 0, 0);
    fixture_source(&f, 1, "local function inner(n)\n    return n * n\nend\nlocal function outer(n)\n"
                          "    for i = 1, n do inner(i) end\n    return string.rep('x', n)\nend\n\n"
                          "for i = 1, 2 do outer(i) end\n");
    fixture_sub(&f, 1, 0, 1, 1, 1, "<main.lua>");
    fixture_sub(&f, 2, 0, 1, 4, 7, "outer");
    fixture_sub(&f, 3, 0, 1, 1, 3, "inner");
    fixture_sub(&f, 4, NYTP_SUB_XSUB, 0, 0, 0, "string.rep");
    fixture_run(&f, places, 4, nodes, 4);
}

static inline void fixture_processes(const char *path) {
    fixture_sample(path);
    fixture_fork(path);
    fixture_lua(path);
}

#endif
