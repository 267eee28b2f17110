/* SPDX-License-Identifier: MIT */
/* fixture.h - small captures with known numbers, for the tests of the model and of the reports.
 *
 * The clock ticks ten million times a second: 10 ticks are 1 µs. The root's time makes up each chunk's sums. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "capture/clock.h"
#include "sample.h"

typedef struct fixture {
    nytp_writer *w;
    int64_t now; /* where the next window starts */
    int64_t place_ticks, node_ticks;
} fixture;

static inline fixture fixture_begin(int fd, const nytp_stream_id *id, uint64_t parent, const char *program,
                                    const char *interpreter) {
    fixture f = {.w = nytp_writer_open(fd, id, 0), .now = 1000};
    nytp_rec_process_start start = {.parent_pid = parent, .start = id->process_start, .start_ticks = 1000,
        .ticks_per_second = 10000000, .resolution = 1, .clock_id = NYTP_CLOCK_FAKE, .clock_name = NYTP_LIT("fake"),
        .program = nytp_str_c(program), .interpreter = nytp_str_c(interpreter)};
    nytp_writer_put(f.w, &(nytp_record){.kind = NYTP_REC_PROCESS_START, .u.process_start = start});
    nytp_writer_pair(f.w, NYTP_REC_OPTION, NYTP_LIT("blocks"), NYTP_LIT("1"));
    nytp_writer_pair(f.w, NYTP_REC_PROPERTY, NYTP_LIT("cwd"), NYTP_LIT("/app"));
    nytp_writer_pair(f.w, NYTP_REC_PROPERTY, NYTP_LIT("inc"), NYTP_LIT("/inc/lib"));
    nytp_writer_pair(f.w, NYTP_REC_PROPERTY, NYTP_LIT("inc"), NYTP_LIT("lib"));
    return f;
}

static inline fixture fixture_open(const char *path, uint32_t pid, const char *program) {
    nytp_stream_id id = sample_stream;
    id.pid = pid;
    return fixture_begin(sample_create(path), &id, 1, program, "perl 5.36.0");
}

static inline void fixture_file(fixture *f, uint64_t id, const char *name, uint64_t parent, uint64_t line) {
    nytp_rec_file r = {.id = id, .parent = parent, .parent_line = line, .name = nytp_str_c(name)};
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_FILE, .u.file = r});
}

static inline void fixture_source(fixture *f, uint64_t file, const char *text) {
    nytp_rec_source r = {file, 1, nytp_str_c(text)};
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_SOURCE, .u.source = r});
}

static inline void fixture_sub(fixture *f, uint64_t id, uint64_t flags, uint64_t file, uint64_t first, uint64_t last,
                               const char *name) {
    nytp_rec_sub r = {id, flags, file, first, last, 1, nytp_str_c(name), {"", 0}};
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_SUB, .u.sub = r});
}

/* A place with this line, block and sub, executed count times in so many ticks. */
static inline void fixture_place(fixture *f, uint64_t id, uint64_t file, uint64_t line, uint64_t block, uint64_t sub) {
    nytp_rec_place r = {id, file, line, block, sub};
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_PLACE, .u.place = r});
}

static inline void fixture_ran(fixture *f, uint64_t place, int64_t count, int64_t ticks) {
    nytp_rec_delta r = {place, count, ticks, {0}};
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_PLACE_DELTA, .u.delta = r});
    f->place_ticks += ticks;
}

static inline void fixture_node(fixture *f, uint64_t id, uint64_t parent, uint64_t place, uint64_t sub) {
    nytp_rec_node r = {id, parent, place, sub};
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_NODE, .u.node = r});
}

static inline void fixture_called(fixture *f, uint64_t node, int64_t calls, int64_t exclusive) {
    nytp_rec_delta r = {node, calls, exclusive, {0}};
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_NODE_DELTA, .u.delta = r});
    f->node_ticks += exclusive;
}

/* Ends the window. off is the error of its length: 0 in an honest chunk. */
static inline void fixture_chunk(fixture *f, int64_t off) {
    nytp_rec_window window = {.subtracted = 70, .flush = 20, .off = 10};
    fixture_called(f, 0, 0, f->place_ticks - f->node_ticks);
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_WINDOW, .u.window = window});
    int64_t end = f->now + f->place_ticks + 100 + off;
    nytp_writer_chunk(f->w, f->now, end);
    f->now = end;
    f->place_ticks = f->node_ticks = 0;
}

static inline void fixture_close(fixture *f, int ended) {
    nytp_rec_process_end end = {.end = 1700000001000000000u, .end_ticks = f->now, .user_us = 900, .system_us = 100};
    if (ended) {
        nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_PROCESS_END, .u.process_end = end});
        nytp_writer_end(f->w, NYTP_END_FINISHED);
        nytp_writer_chunk(f->w, f->now, f->now);
    }
    if (nytp_writer_close(f->w)) abort();
}

enum { /* ids in fixture_calls, which are also the indexes in its profile, behind the reserved ones */
    FIXTURE_MAIN = 1, FIXTURE_FOO, FIXTURE_EVAL1, FIXTURE_EVAL2, FIXTURE_EVAL3, FIXTURE_GONE,
    FIXTURE_RECURS = 1, FIXTURE_PING, FIXTURE_PONG, FIXTURE_NEW, FIXTURE_NEVER, FIXTURE_SUM, FIXTURE_PRINT, FIXTURE_XS,
    FIXTURE_ANON1, FIXTURE_ANON2
};

static inline void fixture_calls_files(fixture *f) {
    fixture_file(f, FIXTURE_MAIN, "/app/main.pl", 0, 0);
    fixture_file(f, FIXTURE_FOO, "/inc/lib/Foo/Bar.pm", 0, 0);
    fixture_file(f, FIXTURE_EVAL1, "(eval 1)[/app/main.pl:9]", FIXTURE_MAIN, 9);
    fixture_file(f, FIXTURE_EVAL2, "(eval 2)[/app/main.pl:9]", FIXTURE_MAIN, 9);
    fixture_file(f, FIXTURE_EVAL3, "(eval 3)[/app/main.pl:9]", FIXTURE_MAIN, 9);
    fixture_file(f, FIXTURE_GONE, "/app/gone/nowhere.pl", 0, 0);
    fixture_source(f, FIXTURE_MAIN,
                   "use Foo::Bar;\n\nsub recurs {\n    my $n = shift;\n\treturn $n > 1 ? recurs($n - 1) : 1; }\n"
                   "sub ping { pong($_[0] - 1) if $_[0] }\nsub pong { ping($_[0] - 1) if $_[0] }\n"
                   "recurs(3); ping(3);\nfor (0..2) { eval $text[$_] }\nprint sum(1, 2), \"a,b\\n\";\n"
                   "my $o = Foo::Bar->new;\nif ($o\n    && $ok) {\n}\n\n\n\n\n# the end\n");
    fixture_source(f, FIXTURE_FOO,
                   "package Foo::Bar;\n\nsub new {\n    return xs(bless {});\n}\n\nsub never {\n    1;\n}\n1;\n");
    fixture_source(f, FIXTURE_EVAL1, "sub { 1 }->()\n;");
    fixture_source(f, FIXTURE_EVAL2, "sub { 1 }->()\n;");
    fixture_source(f, FIXTURE_EVAL3, "2\n;");
    nytp_rec_carried carried = {FIXTURE_MAIN, 13, 12};
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_CARRIED, .u.carried = carried});
    nytp_rec_carried of_no_line = {FIXTURE_MAIN, 16, 15}; /* neither of these lines ran */
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_CARRIED, .u.carried = of_no_line});
    nytp_rec_code ran = {FIXTURE_MAIN, 12}, never_ran = {FIXTURE_MAIN, 14};
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_CODE, .u.code = ran});
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_CODE, .u.code = never_ran});
}

static inline void fixture_calls_subs(fixture *f) {
    fixture_sub(f, FIXTURE_RECURS, 0, FIXTURE_MAIN, 3, 5, "main::recurs");
    fixture_sub(f, FIXTURE_PING, 0, FIXTURE_MAIN, 6, 6, "main::ping");
    fixture_sub(f, FIXTURE_PONG, 0, FIXTURE_MAIN, 7, 7, "main::pong");
    fixture_sub(f, FIXTURE_NEW, 0, FIXTURE_FOO, 3, 5, "Foo::Bar::new");
    fixture_sub(f, FIXTURE_NEVER, 0, FIXTURE_FOO, 7, 9, "Foo::Bar::never");
    fixture_sub(f, FIXTURE_SUM, NYTP_SUB_XSUB, 0, 0, 0, "List::Util::sum");
    fixture_sub(f, FIXTURE_PRINT, NYTP_SUB_OPCODE, 0, 0, 0, "main::CORE:print");
    fixture_sub(f, FIXTURE_XS, NYTP_SUB_XSUB, 0, 0, 0, "Foo::Bar::xs");
    fixture_sub(f, FIXTURE_ANON1, NYTP_SUB_ANON, FIXTURE_EVAL1, 1, 1, "main::__ANON__[(eval 1)[/app/main.pl:9]:1]");
    fixture_sub(f, FIXTURE_ANON2, NYTP_SUB_ANON, FIXTURE_EVAL2, 1, 1, "main::__ANON__[(eval 2)[/app/main.pl:9]:1]");
}

static inline void fixture_calls_statements(fixture *f) {
    static const struct {
        uint64_t file, line, block, sub;
        int64_t count, ticks;
    } places[] = {
        {FIXTURE_MAIN, 1, 1, 1, 1, 500},     {FIXTURE_MAIN, 4, 4, 4, 3, 300},  {FIXTURE_MAIN, 5, 4, 4, 3, 300},
        {FIXTURE_MAIN, 6, 6, 6, 2, 40},      {FIXTURE_MAIN, 7, 7, 7, 2, 60},   {FIXTURE_MAIN, 8, 8, 8, 2, 1000},
        {FIXTURE_MAIN, 9, 9, 9, 4, 400},     {FIXTURE_MAIN, 10, 10, 10, 1, 900},
        {FIXTURE_MAIN, 11, 11, 11, 1, 100},  {FIXTURE_MAIN, 12, 12, 12, 1, 20}, {FIXTURE_FOO, 4, 4, 4, 1, 5000},
        {FIXTURE_EVAL1, 1, 1, 1, 2, 15},     {FIXTURE_EVAL2, 1, 1, 1, 2, 25},  {FIXTURE_EVAL3, 1, 1, 1, 1, 5},
        {FIXTURE_GONE, 7, 7, 7, 1, 80},
    };
    for (uint64_t i = 0; i < sizeof places / sizeof *places; i++) {
        fixture_place(f, i + 1, places[i].file, places[i].line, places[i].block, places[i].sub);
        fixture_ran(f, i + 1, places[i].count, places[i].ticks);
    }
}

typedef struct fixture_path {
    uint64_t parent, place, sub;
    int64_t calls, exclusive;
} fixture_path;

static inline void fixture_begins(fixture *f, uint64_t node) {
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_CALL_ENTRY, .u.call_entry = {.node = node}});
}

static inline void fixture_ends(fixture *f, uint64_t node) {
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_CALL_RETURN, .u.call_return = {.node = node}});
}

/* Calls in their order, as with calls=2: each once, of nodes with ids from 1 up, in the order of a walk. */
static inline void fixture_order(fixture *f, const fixture_path *nodes, uint64_t n) {
    uint64_t running = 0;
    for (uint64_t i = 1; i <= n + 1; i++) {
        for (; running && (i > n || running != nodes[i - 1].parent); running = nodes[running - 1].parent)
            fixture_ends(f, running);
        if (i <= n) fixture_begins(f, running = i);
    }
}

static inline void fixture_calls_tree(fixture *f) {
    static const fixture_path nodes[] = {
        {0, 6, FIXTURE_RECURS, 1, 100}, {1, 3, FIXTURE_RECURS, 1, 200}, {2, 3, FIXTURE_RECURS, 1, 300},
        {0, 6, FIXTURE_PING, 1, 10},    {4, 4, FIXTURE_PONG, 1, 20},    {5, 5, FIXTURE_PING, 1, 30},
        {6, 4, FIXTURE_PONG, 1, 40},    {0, 8, FIXTURE_SUM, 1, 700},    {0, 8, FIXTURE_PRINT, 1, 100},
        {0, 9, FIXTURE_NEW, 1, 1000},   {10, 11, FIXTURE_XS, 1, 4000},  {0, 12, FIXTURE_ANON1, 1, 10},
        {0, 13, FIXTURE_ANON2, 1, 20}};
    for (uint64_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        fixture_node(f, i + 1, nodes[i].parent, nodes[i].place, nodes[i].sub);
        fixture_called(f, i + 1, nodes[i].calls, nodes[i].exclusive);
    }
    fixture_order(f, nodes, sizeof nodes / sizeof *nodes);
}

/* Recursion, mutual recursion, code without source in packages with and without Perl subs, evals, a carried line. Two
 * chunks: definitions with statements 1-15, and the calls with none; each adds up. */
static inline void fixture_calls(const char *path) {
    fixture f = fixture_open(path, 4711, "/app/main.pl");
    fixture_calls_files(&f);
    fixture_calls_subs(&f);
    fixture_calls_statements(&f);
    fixture_calls_tree(&f);
    fixture_chunk(&f, 0);
    fixture_ran(&f, 1, 0, 0);
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
}

static inline void fixture_empty(const char *path) {
    fixture f = fixture_open(path, 4711, "-e");
    fixture_close(&f, 0);
}

/* All places ran, and no time passed. */
static inline void fixture_zero(const char *path) {
    fixture f = fixture_open(path, 4711, "-e");
    fixture_file(&f, 1, "-e", 0, 0);
    fixture_sub(&f, 1, 0, 1, 1, 1, "main::f");
    fixture_place(&f, 1, 1, 1, 1, 1);
    fixture_node(&f, 1, 0, 1, 1);
    fixture_ran(&f, 1, 0, 0);
    fixture_called(&f, 1, 0, 0);
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
}

/* Names and source that contain markup. */
static inline void fixture_hostile(const char *path) {
    static const char *const names[] = {
        "main::</script><script>alert(1)</script>", "main::\"><img src=x onerror=alert(2)>",
        "main::it's\\', alert(3), '",
        "main::nl\nname", "main::caf\xE9", "main::a&b", "main::tab\tx", "main::semi;colon;stack 12",
        "main::\x1B[31mred", "main::\xE2\x80\xAEgnp", "main::a::b", "main::a__b"};
    fixture f = fixture_open(path, 4711, "\"><img src=x onerror=alert(1)>&amp;#1?.pl");
    fixture_file(&f, 1, "/app/x\"><img src=x onerror=alert(1)>&amp;#1?.pl", 0, 0);
    fixture_file(&f, 2, "</script><script>alert('file')</script>", 0, 0);
    fixture_file(&f, 3, "javascript:alert(9)", 0, 0);
    fixture_file(&f, 4, "../../../etc/passwd", 0, 0);
    fixture_source(&f, 1, "# </script><script>alert('source')</script> ]]> <!--\n"
                          "# \x1B[0m \xE2\x80\xAE caf\xE9\n\tf();\r\n");
    for (uint64_t i = 1; i <= 4; i++) fixture_place(&f, i, i, i == 1 ? 3 : 4000000000u, 1, 1);
    for (uint64_t i = 1; i <= 4; i++) fixture_ran(&f, i, 1, 1000);
    for (uint64_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint64_t perl = i % 2 == 0;
        fixture_sub(&f, i + 1, perl ? 0 : NYTP_SUB_XSUB, perl, perl, perl * 3, names[i]);
        fixture_node(&f, i + 1, 0, 1 + i % 4, i + 1);
        fixture_called(&f, i + 1, 1, 100);
    }
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
}

#endif
