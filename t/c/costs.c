/* SPDX-License-Identifier: MIT */
/* costs.c - on which lines a sub spent its own time, in exact figures. Captures named on the command line are examined,
 * too: the sums that hold for every capture. */
#include "model/costs.h"

#include <time.h>

#include "fixture.h"
#include "model/load.h"
#include "tap.h"

typedef struct found {
    nytp_profile p;
    nytp_costs costs;
} found;

static int find(found *f, const char *path, int whole) {
    const nytp_load_options options = {.whole = whole};
    nytp_error e;
    *f = (found){0};
    if (nytp_load(&f->p, &path, 1, &options, &e)) return 0;
    return !nytp_costs_find(&f->costs, &f->p);
}

static void forget(found *f) {
    nytp_costs_free(&f->costs);
    nytp_profile_close(&f->p);
}

/* "FILE:LINE COUNT TICKS" of each row of a sub, separated by commas. */
static const char *rows(const found *f, const char *sub) {
    static char text[500];
    size_t n = 0;
    *text = 0;
    for (uint32_t i = 0; i < f->costs.n; i++) {
        const nytp_cost *c = &f->costs.at[i];
        if (!nytp_str_eq(f->p.subs[c->sub].name, nytp_str_c(sub))) continue;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s:%u %lld %lld", n ? ", " : "",
                              (int)f->p.files[c->file].name.n, f->p.files[c->file].name.p, (unsigned)c->line,
                              (long long)c->count, (long long)c->ticks);
    }
    return text;
}

static void are(const found *f, const char *sub, const char *expected, const char *name) {
    const char *got = rows(f, sub);
    if (!ok(strcmp(got, expected) == 0, name)) printf("# got '%s', expected '%s'\n", got, expected);
}

/* ---- what holds for every capture ---- */

static int64_t sum_of_sub(const nytp_costs *c, uint32_t sub) {
    int64_t ticks = 0;
    for (uint32_t i = c->first[sub]; i < c->first[sub + 1]; i++) ticks += c->at[i].ticks;
    return ticks;
}

static void test_sums(const found *f, const char *name) {
    uint32_t wrong = 0, unordered = 0, below = 0;
    int64_t count = 0;
    for (uint32_t i = 0; i < f->p.subs_n; i++) wrong += sum_of_sub(&f->costs, i) != f->p.subs[i].exclusive;
    for (uint32_t i = 0; i < f->costs.n; i++) {
        const nytp_cost *c = &f->costs.at[i], *before = c - 1;
        const nytp_sub *s = &f->p.subs[c->sub];
        count += c->count;
        below += c->ticks < 0 && (c->file != s->file || c->line != s->first_line);
        if (!i) continue;
        unordered += c->sub < before->sub || (c->sub == before->sub && (c->file < before->file ||
                     (c->file == before->file && c->line <= before->line)));
    }
    is(wrong, 0, name);
    is(count, f->p.totals.statements, "all statements are some sub's");
    is(unordered, 0, "by sub, file and line, each once");
    is(below, 0, "below zero only on first lines");
}

/* ---- captures made for this ---- */

enum { MAIN = 1, MODULE, EVAL };

typedef struct ran {
    uint64_t file, line, sub_line;
    int64_t count, ticks;
} ran;

typedef struct called {
    uint64_t parent, place, sub;
    int64_t calls, exclusive;
} called;

static void put_all(fixture *f, const ran *places, size_t places_n, const called *nodes, size_t nodes_n) {
    for (uint64_t i = 0; i < places_n; i++) {
        fixture_place(f, i + 1, places[i].file, places[i].line, places[i].sub_line, places[i].sub_line);
        fixture_ran(f, i + 1, places[i].count, places[i].ticks);
    }
    for (uint64_t i = 0; i < nodes_n; i++) {
        fixture_node(f, i + 1, nodes[i].parent, nodes[i].place, nodes[i].sub);
        fixture_called(f, i + 1, nodes[i].calls, nodes[i].exclusive);
    }
    fixture_chunk(f, 0);
    fixture_close(f, 1);
}

#define PUT(f, places, nodes) put_all(f, places, sizeof places / sizeof *places, nodes, sizeof nodes / sizeof *nodes)

/* Two subs with lines, one of them called by both, and one written in C. */
static void test_plain(const char *path) {
    static const ran places[] = {{MAIN, 5, 5, 1, 100},  {MAIN, 6, 6, 2, 0},      {MAIN, 7, 7, 1, 0},
                                 {MODULE, 4, 4, 2, 200}, {MODULE, 5, 4, 3, 0},   {MODULE, 6, 4, 4, 50},
                                 {MODULE, 11, 11, 4, 370}};
    static const called nodes[] = {{0, 2, 1, 2, 200}, {1, 5, 2, 3, 300}, {1, 6, 3, 4, 50}, {0, 3, 2, 1, 70}};
    fixture f = fixture_open(path, 1, "main.pl");
    fixture_file(&f, MAIN, "main.pl", 0, 0);
    fixture_file(&f, MODULE, "A.pm", 0, 0);
    fixture_sub(&f, 1, 0, MODULE, 3, 8, "A::work");
    fixture_sub(&f, 2, 0, MODULE, 10, 12, "A::inner");
    fixture_sub(&f, 3, NYTP_SUB_XSUB, 0, 0, 0, "List::Util::sum");
    PUT(&f, places, nodes);
    found got;
    ok(find(&got, path, 0), "a plain capture");
    are(&got, "main::RUNTIME", "main.pl:5 1 100, main.pl:6 2 0, main.pl:7 1 0", "the main program");
    are(&got, "A::work", "A.pm:4 2 200, A.pm:5 3 0, A.pm:6 4 0", "a sub without its callee written in C");
    are(&got, "A::inner", "A.pm:11 4 370", "a sub with two callers");
    are(&got, "List::Util::sum", "(unknown file):0 0 50", "what has no line is on none");
    test_sums(&got, "subs add up");
    forget(&got);
}

/* In lines 1 to 9: `my $f = sub {`, a block that a C function runs, two subs on a line, a sub without statements. */
static void test_inside(const char *path) {
    static const ran places[] = {{MAIN, 1, 1, 3, 130}, {MAIN, 2, 1, 2, 60}, {MAIN, 4, 4, 1, 100}, {MAIN, 5, 5, 30, 40},
                                 {MAIN, 7, 7, 10, 1000}, {MAIN, 9, 9, 1, 25}};
    static const called nodes[] = {{0, 3, 1, 2, 160}, {0, 3, 2, 1, 90}, {0, 6, 3, 5, 600}, {0, 6, 4, 5, 200},
                                   {0, 6, 5, 1, 20}};
    fixture f = fixture_open(path, 1, "main.pl");
    fixture_file(&f, MAIN, "main.pl", 0, 0);
    fixture_sub(&f, 1, NYTP_SUB_ANON, MAIN, 1, 3, "main::__ANON__[main.pl:3]");
    fixture_sub(&f, 2, NYTP_SUB_XSUB, 0, 0, 0, "List::Util::first");
    fixture_sub(&f, 3, 0, MAIN, 7, 7, "main::left");
    fixture_sub(&f, 4, 0, MAIN, 7, 7, "main::right");
    fixture_sub(&f, 5, 0, MAIN, 8, 8, "main::bare");
    fixture_sub(&f, 6, NYTP_SUB_ANON, MAIN, 4, 6, "main::__ANON__[main.pl:6]");
    PUT(&f, places, nodes);
    found got;
    ok(find(&got, path, 0), "bodies in bodies");
    are(&got, "main::__ANON__[main.pl:3]", "main.pl:1 3 100, main.pl:2 2 60", "an anonymous sub has its own time");
    are(&got, "main::RUNTIME", "main.pl:1 0 30, main.pl:4 1 10, main.pl:5 30 40, main.pl:7 0 200, main.pl:9 1 5",
        "what its line has beyond is that of the statement around it, as are blocks that are no call");
    are(&got, "main::left", "main.pl:7 5 600", "two subs on a line share it by their times");
    are(&got, "main::right", "main.pl:7 5 200", "and its statements by their calls");
    are(&got, "main::bare", "main.pl:8 0 20", "a sub without statements is on its line, and not on the caller's");
    test_sums(&got, "subs add up");
    forget(&got);
}

/* A module's code outside subs was run by the sub that calls from there, an eval's by the one with its line. */
static void test_elsewhere(const char *path) {
    static const ran places[] = {{MAIN, 1, 1, 1, 500},   {MODULE, 1, 1, 1, 30},   {MODULE, 9, 9, 1, 7},
                                 {MODULE, 3, 3, 10, 900}, {EVAL, 1, 1, 4, 40},    {MAIN, 4, 4, 2, -6}};
    static const called nodes[] = {{0, 1, 1, 1, 520}, {1, 3, 2, 10, 960}, {0, 6, 3, 1, -9}};
    fixture f = fixture_open(path, 1, "main.pl");
    fixture_file(&f, MAIN, "main.pl", 0, 0);
    fixture_file(&f, MODULE, "A.pm", 0, 0);
    fixture_file(&f, EVAL, "(eval 1)[A.pm:4]", MODULE, 4);
    fixture_sub(&f, 1, 0, MAIN, 1, 1, "main::BEGIN@1");
    fixture_sub(&f, 2, 0, MODULE, 3, 5, "A::f");
    fixture_sub(&f, 3, 0, MAIN, 4, 4, "main::quick");
    PUT(&f, places, nodes);
    found got;
    ok(find(&got, path, 0), "code that is elsewhere");
    are(&got, "main::BEGIN@1", "main.pl:1 1 483, A.pm:1 1 30, A.pm:9 1 7", "a module's code is its BEGIN block's");
    are(&got, "A::f", "A.pm:3 10 920, (eval 1)[A.pm:4]:1 4 40", "an eval's is its sub's; the rest on the first line");
    are(&got, "main::quick", "main.pl:4 2 -9", "a time below zero stays on the first line");
    test_sums(&got, "subs add up");
    forget(&got);
}

/* Without last lines (Ruby), and with a main chunk that has a name (Lua). */
static void test_languages(const char *path) {
    static const ran places[] = {{MAIN, 2, 1, 1, 70},  {MAIN, 3, 3, 5, 500},     {MODULE, 1, 1, 9, 300},
                                 {MODULE, 7, 1, 1, 11}, {MODULE, 2, 1, 3, 100}};
    static const called nodes[] = {{0, 1, 1, 1, 60}, {1, 1, 2, 5, 510}, {0, 1, 3, 1, 11}, {3, 4, 4, 3, 400}};
    nytp_stream_id id = sample_stream;
    id.front_end = NYTP_FRONT_BUILD + 1; /* one that knows no last lines */
    fixture f = fixture_begin(sample_create(path), &id, 1, "x.rb", "ruby");
    fixture_file(&f, MAIN, "/app/x.rb", 0, 0);
    fixture_file(&f, MODULE, "/app/x.lua", 0, 0);
    fixture_sub(&f, 1, 0, MAIN, 1, 1, "Object#f");
    fixture_sub(&f, 2, 0, MAIN, 3, 3, "block in Object#f");
    fixture_sub(&f, 3, 0, MODULE, 1, 1, "<x.lua>");
    fixture_sub(&f, 4, 0, MODULE, 1, 3, "f");
    PUT(&f, places, nodes);
    found got;
    ok(find(&got, path, 0), "other languages");
    are(&got, "Object#f", "/app/x.rb:2 1 60", "the first line is enough");
    are(&got, "block in Object#f", "/app/x.rb:3 5 510", "for blocks, too");
    are(&got, "<x.lua>", "/app/x.lua:7 1 11", "a main chunk is all that is in no function");
    are(&got, "f", "/app/x.lua:1 9 300, /app/x.lua:2 3 100", "though a function begins where it does");
    test_sums(&got, "subs add up");
    forget(&got);
}

/* A chunk that Lua has loaded from a string has a first line only. */
static void test_loaded(const char *path) {
    static const ran places[] = {{MAIN, 7, 1, 1, 11}, {EVAL, 2, 1, 1, 20}};
    static const called nodes[] = {{0, 1, 1, 1, 11}, {1, 1, 2, 1, 20}};
    nytp_stream_id id = sample_stream;
    id.front_end = NYTP_FRONT_LUA;
    fixture f = fixture_begin(sample_create(path), &id, 1, "x.lua", "Lua 5.4");
    fixture_file(&f, MAIN, "/app/x.lua", 0, 0);
    fixture_file(&f, EVAL, "(load 1)", MAIN, 7);
    fixture_sub(&f, 1, 0, MAIN, 1, 1, "<x.lua>");
    fixture_sub(&f, 2, 0, EVAL, 1, 1, "load<x.lua:7>");
    PUT(&f, places, nodes);
    found got;
    ok(find(&got, path, 0), "a loaded chunk");
    are(&got, "load<x.lua:7>", "(load 1):2 1 20", "has the lines that say so");
    test_sums(&got, "subs add up");
    forget(&got);
}

/* Lines with more time than their sub, and products beyond 64 bits. */
static void test_scale(const char *path) {
    static const ran places[] = {{MAIN, 1, 1, 1, 0}, {MAIN, 4, 4, 6000000000, 3000000000000001},
                                 {MAIN, 5, 4, 1, 6000000000000001}, {MAIN, 6, 4, 1, 3}};
    static const called nodes[] = {{0, 1, 1, 2, 3000000000000000}, {0, 1, 2, 1, 1500000000000001}};
    fixture f = fixture_open(path, 1, "main.pl");
    fixture_file(&f, MAIN, "main.pl", 0, 0);
    fixture_sub(&f, 1, 0, MAIN, 3, 7, "main::__ANON__[main.pl:7]");
    fixture_sub(&f, 2, 0, MAIN, 3, 7, "main::__ANON__");
    PUT(&f, places, nodes);
    found got;
    ok(find(&got, path, 0), "large numbers");
    test_sums(&got, "two closures of one text add up, though their lines have twice the time");
    is(got.costs.at[got.costs.first[2]].ticks / 1000, 1000000000000, "in proportion");
    is(got.costs.at[got.costs.first[2]].count, 4000000000, "statements by calls");
    is(got.costs.at[got.costs.first[3]].count, 2000000000, "of each");
    forget(&got);
}

/* Of two closures the second one's part is rounded up, on inner lines as on the last: together no more than it took. */
static void test_rounding(const char *path) {
    static const ran places[] = {{MAIN, 4, 3, 1, 1}, {MAIN, 7, 3, 1, 1}, {MAIN, 9, 9, 1, 9}};
    static const called nodes[] = {{0, 3, 1, 1, 2}, {0, 3, 2, 1, 1}};
    fixture f = fixture_open(path, 1, "main.pl");
    fixture_file(&f, MAIN, "main.pl", 0, 0);
    fixture_sub(&f, 1, 0, MAIN, 3, 7, "main::__ANON__[main.pl:7]");
    fixture_sub(&f, 2, 0, MAIN, 3, 7, "main::__ANON__");
    PUT(&f, places, nodes);
    found got;
    ok(find(&got, path, 0), "small numbers");
    uint32_t below = 0;
    for (uint32_t i = 0; i < got.costs.n; i++) below += got.costs.at[i].ticks < 0;
    is(below, 0, "no line of a sub has a time below zero to make up for another");
    test_sums(&got, "two closures of one text add up, to the unit");
    forget(&got);
}

/* Subs in subs, none of which ran, are no more work than as many beside each other; nor are a thousand closures of one
 * text, whose lines are not all dealt to all. */
static void test_many(const char *path, int is_nested) {
    enum { SUBS = 4000, LINES = 2 * SUBS + 1 };
    fixture f = fixture_open(path, 1, "main.pl");
    fixture_file(&f, MAIN, "main.pl", 0, 0);
    for (uint64_t i = 1; i <= SUBS; i++) {
        char name[40];
        snprintf(name, sizeof name, "main::f%d", (int)i);
        fixture_sub(&f, i, 0, MAIN, is_nested ? i : 1, is_nested ? LINES - i : LINES, name);
        fixture_place(&f, i, MAIN, LINES - i, is_nested ? i : 1, is_nested ? i : 1);
        fixture_ran(&f, i, 3, 1000);
        if (is_nested) continue;
        fixture_node(&f, i, 0, i, i);
        fixture_called(&f, i, 1, 500);
    }
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
    found got;
    clock_t begun = clock();
    ok(find(&got, path, 0), is_nested ? "subs in subs" : "many closures of one text");
    ok(clock() - begun < 3 * CLOCKS_PER_SEC, "take no time");
    ok(got.costs.n <= 3 * SUBS, "or memory");
    test_sums(&got, "they add up");
    forget(&got);
}

/* Sums wrap round, and nothing takes long. */
static void test_hostile(const char *path) {
    static const ran places[] = {{MAIN, 4, 4, INT64_MAX, INT64_MAX}, {MAIN, 5, 4, INT64_MAX, INT64_MAX},
                                 {MAIN, 6, 4, -5, 9}, {MAIN, 3, 3, INT64_MIN, INT64_MIN}};
    static const called nodes[] = {{0, 1, 1, INT64_MAX, INT64_MAX}, {0, 1, 2, INT64_MAX, INT64_MAX},
                                   {1, 1, 1, 3, INT64_MIN}};
    fixture f = fixture_open(path, 1, "main.pl");
    fixture_file(&f, MAIN, "main.pl", 0, 0);
    fixture_sub(&f, 1, 0, MAIN, 3, 7, "main::f");
    fixture_sub(&f, 2, 0, MAIN, 3, 7, "main::g");
    f.place_ticks = f.node_ticks = 0;
    for (uint64_t i = 0; i < sizeof places / sizeof *places; i++) {
        nytp_rec_delta r = {i + 1, places[i].count, places[i].ticks, {0}};
        fixture_place(&f, i + 1, MAIN, places[i].line, places[i].sub_line, places[i].sub_line);
        nytp_writer_put(f.w, &(nytp_record){.kind = NYTP_REC_PLACE_DELTA, .u.delta = r});
    }
    for (uint64_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        nytp_rec_delta r = {i + 1, nodes[i].calls, nodes[i].exclusive, {0}};
        fixture_node(&f, i + 1, nodes[i].parent, nodes[i].place, nodes[i].sub);
        nytp_writer_put(f.w, &(nytp_record){.kind = NYTP_REC_NODE_DELTA, .u.delta = r});
    }
    fixture_close(&f, 1);
    for (int whole = 0; whole < 2; whole++) {
        found got;
        ok(find(&got, path, whole), "numbers that are none");
        forget(&got);
    }
}

static void test_times_only(const char *path) {
    static const int64_t times[] = {300, 100, -20};
    fixture f = fixture_open(path, 1, "main.pl");
    fixture_file(&f, MAIN, "main.pl", 0, 0);
    fixture_sub(&f, 1, 0, MAIN, 3, 7, "main::f");
    for (uint64_t i = 0; i < 3; i++) {
        fixture_node(&f, i + 1, i, 0, 1);
        fixture_called(&f, i + 1, 1, times[i]);
    }
    f.place_ticks = f.node_ticks;
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
    found got;
    ok(find(&got, path, 0), "without statements");
    are(&got, "main::f", "main.pl:3 0 380", "a sub's time is on its first line");
    test_sums(&got, "subs add up");
    forget(&got);
}

int main(int argc, char **argv) {
    char *dir = sample_directory(), path[500];
    snprintf(path, sizeof path, "%s/costs.out", dir);
    test_plain(path);
    test_inside(path);
    test_elsewhere(path);
    test_languages(path);
    test_loaded(path);
    test_scale(path);
    test_rounding(path);
    test_times_only(path);
    test_many(path, 1);
    test_many(path, 0);
    test_hostile(path);
    unlink(path);
    rmdir(dir);
    for (int i = 1; i < argc; i++)
        for (int whole = 0; whole < 2; whole++) {
            found got;
            ok(find(&got, argv[i], whole), "%s", argv[i]);
            /* a file of format 5 has contexts and subs apart: only their whole nanoseconds agree */
            if (whole || got.p.inputs[0].format == 1) test_sums(&got, whole ? "in nanoseconds" : "in ticks");
            forget(&got);
        }
    return done();
}
