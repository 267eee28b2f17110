/* SPDX-License-Identifier: MIT */
/* Files of format 5 as profiles: the same plain data as from captures, with the numbers that Devel::NYTProf 6 shows;
 * broken files up to the damage, several files, and files mixed with captures. */
#include "tap.h"
#include <math.h>

#include "fixture.h"
#include "model/load.h"
#include "model/source.h"
#include "v5_bytes.h"

static char path[500], other[500];

static nytp_profile load(const char *const *paths, uint32_t n, int keep_evals) {
    nytp_load_options options = {.keep_evals = keep_evals};
    nytp_profile p;
    nytp_error e;

    nytp_load(&p, paths, n, &options, &e); /* leaves the profile empty if it fails */
    return p;
}

static nytp_profile load_bytes(nytp_buf *b, int keep_evals) {
    const char *paths[] = {path};

    sample_spew(path, b->p, b->n);
    nytp_buf_free(b);
    return load(paths, 1, keep_evals);
}

static int is_text(nytp_str s, const char *text) {
    return nytp_str_eq(s, nytp_str_c(text));
}

/* These functions find a thing by name or number, and return an empty one if there is none. */
static const nytp_file *file(const nytp_profile *p, uint32_t fid) {
    static const nytp_file none;

    for (uint32_t i = 1; i < p->files_n; i++)
        if (p->files[i].fid == fid) return &p->files[i];
    return &none;
}

static const nytp_sub *sub(const nytp_profile *p, const char *name) {
    static const nytp_sub none;

    for (uint32_t i = 0; i < p->subs_n; i++)
        if (is_text(p->subs[i].name, name) && p->subs[i].moved == i) return &p->subs[i];
    return &none;
}

static const nytp_edge *edge(const nytp_profile *p, const char *caller, const char *callee) {
    static const nytp_edge none;

    for (uint32_t i = 0; i < p->edges_n; i++)
        if (&p->subs[p->edges[i].caller] == sub(p, caller) && &p->subs[p->edges[i].callee] == sub(p, callee))
            return &p->edges[i];
    return &none;
}

/* "N main::f main::g" and own seconds: the calls on each path from the program, in the order of the walk. */
static void list_paths(const nytp_profile *p, uint32_t node, const char *before, nytp_buf *out) {
    for (uint32_t i = p->nodes[node].child; i; i = p->nodes[i].next) {
        char text[300];
        const nytp_node *at = &p->nodes[i];

        if (!at->calls && !at->child) continue;
        snprintf(text, sizeof text, "%s %.*s", before, (int)p->subs[at->sub].name.n, p->subs[at->sub].name.p);
        if (at->calls) {
            char line[400];
            int n = snprintf(line, sizeof line, "%d%s %g\n", (int)at->calls, text,
                             nytp_profile_seconds(p, at->exclusive));
            nytp_buf_bytes(out, line, (size_t)n);
        }
        list_paths(p, i, text, out);
    }
}

static void paths_are(const nytp_profile *p, const char *expected, const char *name) {
    nytp_buf out = {0};

    list_paths(p, NYTP_ROOT, "", &out);
    nytp_buf_byte(&out, '\0');
    ok(!strcmp((char *)out.p, expected), "%s", name);
    if (strcmp((char *)out.p, expected)) printf("# got:\n%s", (char *)out.p);
    nytp_buf_free(&out);
}

static double seconds(const nytp_profile *p, int64_t ticks) {
    return nytp_profile_seconds(p, ticks);
}

/* ---- statements and files ---- */

static void statements(void) {
    nytp_buf b = {0};
    nytp_profile p;
    const nytp_line *l;

    v5_head(&b);
    v5_start(&b, 77, 1, 1700000000.25);
    v5_fid(&b, 3, 0, 0, "/c.pl");
    v5_fid(&b, 7, 0, 0, "/g.pl");
    v5_time(&b, 5, 3, 4);
    v5_discount(&b);
    v5_time(&b, 7, 3, 4);
    v5_discount(&b);
    v5_discount(&b);
    v5_time(&b, -2, 7, 4);
    v5_time(&b, 1, 9, 4);
    v5_discount(&b);
    v5_text(&b, ":cumulative_overhead_ticks=100\n");
    v5_source(&b, 7, 2, "second\n");
    v5_end(&b, 77, 1700000001.5);
    p = load_bytes(&b, 1);
    ok(is_text(file(&p, 3)->name, "/c.pl") && is_text(file(&p, 7)->name, "/g.pl"), "fids are the file's own");
    is(file(&p, 3)->flags, 2, "and so are flags");
    l = nytp_profile_line(file(&p, 3), NYTP_LEVEL_LINE, 4);
    ok(l && l->count == 1 && seconds(&p, l->ticks) == 12e-7, "a DISCOUNT takes the next count, not its time");
    l = nytp_profile_line(file(&p, 7), NYTP_LEVEL_LINE, 4);
    ok(l && l->count == 0 && seconds(&p, l->ticks) == -2e-7, "several count as one; ticks are signed");
    ok(p.totals.statements == 2 && p.totals.resumed == 2, "total_stmts: one discount is left unused at the end");
    ok(p.files[0].count == 1, "a file never told of is unknown, not lost");
    ok(!p.has_blocks && !file(&p, 3)->level[NYTP_LEVEL_BLOCK].n, "no block level without TIME_BLOCK");
    ok(file(&p, 7)->source_lines == 2 && !nytp_source_line(&p, file(&p, 7), 1).p &&
           is_text(nytp_source_line(&p, file(&p, 7), 2), "second\n"),
       "SRC_LINE");
    ok(p.processes_n == 1 && p.processes[0].id.pid == 77 && p.processes[0].parent_pid == 1 &&
           p.processes[0].ending == NYTP_ENDING_FINISHED, "the process");
    ok(nytp_profile_epoch(p.processes[0].start) == 1700000000.25 && nytp_profile_epoch(p.processes[0].end) ==
           1700000001.5 && seconds(&p, p.totals.elapsed) == 1.25, "its times, to the bit");
    ok(seconds(&p, p.totals.subtracted) == 1e-5, "cumulative_overhead_ticks");
    ok(is_text(p.processes[0].program, "/a.pl") && is_text(p.processes[0].interpreter, "perl 5.36.0") &&
           is_text(p.processes[0].clock, "monotonic"), "attributes describe it");
    is(p.pairs_n, 8, "every attribute and option is kept ...");
    ok(is_text(p.pairs[0].key, "application") && is_text(p.pairs[7].value, "100") &&
           is_text(nytp_profile_value(&p, NYTP_REC_OPTION, "calls"), "1"), "... in order");
    ok(p.inputs_n == 1 && p.inputs[0].format == 5 && !p.inputs[0].broken.n && p.notes_n == 1, "it is whole");
    nytp_profile_close(&p);
}

static void blocks(void) {
    nytp_buf b = {0};
    nytp_profile p;
    const nytp_line *block, *own;

    v5_head(&b);
    v5_fid(&b, 1, 0, 0, "/a.pl");
    v5_block(&b, 5, 1, 4, 3, 2);
    v5_block(&b, 5, 1, 5, 3, 2);
    p = load_bytes(&b, 1);
    block = nytp_profile_line(file(&p, 1), NYTP_LEVEL_BLOCK, 3);
    own = nytp_profile_line(file(&p, 1), NYTP_LEVEL_SUB, 2);
    ok(p.has_blocks && block && block->count == 2 && own && own->count == 2, "block and sub level");
    nytp_profile_close(&p);
}

/* One eval comes before the file that ran it, the file of another is missing, and two claim to have run each other. */
static void evals(void) {
    nytp_buf b = {0};
    nytp_profile p;

    v5_head(&b);
    v5_fid(&b, 2, 1, 7, "(eval 1)[/a.pl:7]");
    v5_fid(&b, 1, 0, 0, "/a.pl");
    v5_fid(&b, 3, 9, 7, "(eval 2)[/x.pl:7]");
    v5_fid(&b, 4, 5, 1, "(eval 3)[(eval 4):1]");
    v5_fid(&b, 5, 4, 1, "(eval 4)[(eval 3):1]");
    v5_time(&b, 5, 2, 1);
    p = load_bytes(&b, 1);
    ok(&p.files[file(&p, 2)->parent] == file(&p, 1) && file(&p, 1)->nested == file(&p, 2)->ticks,
       "an eval before its file is still its eval");
    ok(!file(&p, 3)->parent && p.notes_n >= 1, "an eval of an unknown file becomes a plain file, and a note");
    ok(!file(&p, 4)->parent || !file(&p, 5)->parent, "two evals cannot have run each other");
    nytp_profile_close(&p);
}

/* ---- subs ---- */

static void put_subs(nytp_buf *b) {
    v5_head(b);
    v5_fid(b, 1, 0, 0, "/a.pl");
    v5_fid(b, 2, 0, 0, "/b.pl");
    v5_sub(b, 2, "main::f", 10, 12);
    v5_sub(b, 1, "main::f", 3, 5);
    v5_sub(b, 1, "main::BEGIN", 0, 0);
    v5_sub(b, 2, "main::xs", 0, 0);
    v5_sub(b, 2, "main::CORE:print", 0, 0);
    v5_sub(b, 2, "main::RUNTIME", 1, 1);
    v5_callers(b, 1, 3, "main::RUNTIME", 2, .5, .4, 0, 0, "main::f");
    v5_callers(b, 1, 3, "main::f", 3, .5, .25, .125, 2, "main::f");
    v5_callers(b, 1, 9, "main::f", 1, .5, .4000001, 0, 0, "main::nowhere");
    v5_callers(b, 1, 9, "main::f", 1, 1e-7, 1e-7, 0, 0, "main::xs");
    v5_callers(b, 0, 0, "", 0, 0, 0, 0, 0, "main::xs");
    v5_callers(b, 0, 0, "", 0, 0, 0, 0, 0, "main::CORE:print");
}

static void subs(void) {
    nytp_buf b = {0};
    nytp_profile p;
    const nytp_sub *f;
    const nytp_edge *e;

    put_subs(&b);
    p = load_bytes(&b, 1);
    f = sub(&p, "main::f");
    ok(&p.files[f->file] == file(&p, 1) && f->first_line == 3 && f->last_line == 5, "the lower fid has the sub");
    ok(p.again_n == 1 && &p.subs[p.again[0].sub] == f && &p.files[p.again[0].file] == file(&p, 2),
       "and the other file lists it too");
    ok(f->calls == 5 && fabs(seconds(&p, f->inclusive) - 1) < 1e-9 && seconds(&p, f->recursive) == .125 &&
           f->depth == 2, "sums over the call sites");
    e = edge(&p, "main::f", "main::f");
    ok(e->calls == 3 && e->line == 3 && seconds(&p, e->exclusive) == .25 && e->depth == 2, "a call site");
    ok(&p.subs[edge(&p, "main::RUNTIME", "main::f")->caller] == &p.subs[NYTP_ROOT], "main::RUNTIME is the program");
    ok(sub(&p, "main::xs")->flags & NYTP_SUB_XSUB && !sub(&p, "main::xs")->file &&
           &p.files[sub(&p, "main::xs")->home] == file(&p, 2), "the marker says what is written in C");
    is(sub(&p, "main::CORE:print")->flags, NYTP_SUB_OPCODE, "a slow op");
    ok(sub(&p, "main::BEGIN")->file && !sub(&p, "main::BEGIN")->flags, "main::BEGIN 0-0 has a file and no marker");
    ok(sub(&p, "main::nowhere")->calls == 1 && !sub(&p, "main::nowhere")->file && !sub(&p, "main::nowhere")->flags,
       "a sub without SUB_INFO and marker");
    ok(seconds(&p, sub(&p, "main::nowhere")->exclusive) == .4000001 && seconds(&p, sub(&p, "main::xs")->exclusive) ==
           1e-7, "seconds keep their tenth of a microsecond");
    nytp_profile_close(&p);
}

/* Two evals of one text, each with its own sub: one eval, one sub, one edge. */
static void merged_evals(void) {
    nytp_buf b = {0};
    nytp_profile p;

    v5_head(&b);
    v5_fid(&b, 1, 0, 0, "/a.pl");
    for (uint32_t i = 2; i < 4; i++) {
        char name[60], sub_name[90];

        snprintf(name, sizeof name, "(eval %u)[/a.pl:7]", (unsigned)i);
        snprintf(sub_name, sizeof sub_name, "main::__ANON__[%s:1]", name);
        v5_fid(&b, i, 1, 7, name);
        v5_source(&b, i, 1, "sub {}->()");
        v5_time(&b, 5, i, 1);
        v5_sub(&b, i, sub_name, 1, 1);
        v5_return(&b, 1, 5, 5, sub_name);
        v5_callers(&b, i, 1, "main::RUNTIME", 1, 5e-7, 5e-7, 0, 0, sub_name);
    }
    p = load_bytes(&b, 0);
    is(p.edges_n, 1, "call sites of evals that are one are one");
    ok(p.edges_n && p.edges[0].calls == 2 && p.subs[p.edges[0].callee].calls == 2, "with the calls of both");
    nytp_profile_close(&p);
}

/* ---- paths ---- */

static void paths(void) {
    nytp_buf b = {0};
    nytp_profile p;

    v5_head(&b);
    for (int i = 0; i < 2; i++) {
        v5_return(&b, 2, 30, 30, "main::g");
        v5_return(&b, 3, 10, 10, "main::h");
        v5_return(&b, 2, 40, 30, "main::g");
        v5_return(&b, 1, 90, 20, "main::f");
    }
    v5_return(&b, 1, 10, 10, "main::h");
    v5_return(&b, 3, 10, 10, "main::h");
    p = load_bytes(&b, 1);
    paths_are(&p, "1 (unknown sub) main::h 1e-06\n1 main::h 1e-06\n2 main::f 4e-06\n4 main::f main::g 1.2e-05\n"
              "2 main::f main::g main::h 2e-06\n",
              "SUB_RETURNs make paths by depth; a call within one that never returned is below the unknown");
    nytp_profile_close(&p);
}

/* A hundred thousand calls deep, twice: no function of the library may recurse as deep. */
static void deep_paths(void) {
    nytp_buf b = {0};
    nytp_profile p;
    uint32_t deepest = 0;

    v5_head(&b);
    for (int i = 0; i < 2; i++)
        for (uint32_t depth = 100000; depth; depth--) v5_return(&b, depth, 1, 1, "main::f");
    p = load_bytes(&b, 1);
    for (uint32_t i = 0; i < p.nodes_n; i++)
        if (p.nodes[i].depth > deepest) deepest = p.nodes[i].depth;
    ok(deepest == 99999 && p.nodes_n == 100002 && p.nodes[p.nodes_n - 1].calls == 2, "a deep recursion, folded");
    nytp_profile_close(&p);
}

/* A double may have any value; the largest number of 32 bits is not a line, or loops over lines would never end. */
static void endless_numbers(void) {
    nytp_buf b = {0};
    nytp_profile p;
    int64_t least = 0;

    v5_head(&b);
    v5_fid(&b, 1, 0, 0, "/a.pl");
    v5_block(&b, 5, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    v5_return(&b, 1, 1e300, 1e300, "main::f");
    v5_return(&b, 1, NAN, NAN, "main::g");
    p = load_bytes(&b, 1);
    for (uint32_t i = 0; i < p.nodes_n; i++)
        if (p.nodes[i].exclusive < least) least = p.nodes[i].exclusive;
    is(p.places[p.places_n - 1].line, UINT32_MAX - 1, "a line has one behind it");
    is(p.places[p.places_n - 1].block_line, UINT32_MAX - 1, "and so has a block");
    is(least, 0, "times that are too long or no numbers never turn into negative ones");
    nytp_profile_close(&p);
}

/* ---- several and broken files ---- */

static void broken(void) {
    nytp_buf b = {0};
    nytp_profile p;

    v5_head(&b);
    v5_start(&b, 77, 1, 1700000000.25);
    v5_fid(&b, 1, 0, 0, "/a.pl");
    v5_time(&b, 5, 1, 4);
    v5_text(&b, "Q");
    p = load_bytes(&b, 1);
    is(file(&p, 1)->count, 1, "what stands before the damage is kept");
    ok(strstr(p.inputs[0].broken.p, "0x51") && p.processes[0].ending == NYTP_ENDING_MISSING, "and the error, too");
    ok(p.notes_n == 2, "notes tell of it and of the process without an end");
    nytp_profile_close(&p);
}

/* The capture has /app/main.pl as fid 1; both files of format 5 have a fid 1, too, and /a.pl. */
static void mixed(void) {
    const char *paths[] = {path, other, path};
    nytp_buf b = {0};
    nytp_profile p;
    int clashes = 0;

    v5_head(&b);
    v5_start(&b, 77, 1, 1700000000.25);
    v5_fid(&b, 1, 0, 0, "/a.pl");
    v5_fid(&b, 2, 1, 7, "(eval 1)[/a.pl:7]");
    v5_time(&b, 5, 1, 4);
    sample_spew(path, b.p, b.n);
    nytp_buf_free(&b);
    fixture_calls(other);
    p = load(paths, 3, 1);
    ok(p.inputs_n == 3 && p.inputs[1].format == 1 && p.processes_n == 3, "formats are told apart by content");
    ok(is_text(file(&p, 1)->name, "/a.pl") && file(&p, 1)->count == 2, "one file's lines are added up");
    for (uint32_t i = 1; i < p.files_n; i++) clashes += &p.files[i] != file(&p, p.files[i].fid);
    is(clashes, 0, "every fid is one file's");
    ok(is_text(file(&p, 2)->name, "(eval 1)[/a.pl:7]") && p.files_n == 10, "evals of different files stay apart");
    ok(edge(&p, "main::recurs", "main::recurs")->calls == 2, "the capture's own calls are there");
    nytp_profile_close(&p);
}

/* The loader succeeds or fails on any file, and sanitizers find nothing. */
static void every_flip(void) {
    nytp_buf b = {0};
    uint64_t counted = 0;

    put_subs(&b);
    v5_start(&b, 77, 1, 1700000000.25);
    v5_fid(&b, 3, 1, 7, "(eval 1)[/a.pl:7]");
    v5_time(&b, 5, 1, 4);
    v5_block(&b, 5, 3, 4, 3, 2);
    v5_return(&b, 2, 1, 1, "main::f");
    v5_return(&b, 1, 1, 1, "main::f");
    v5_source(&b, 3, 1, "1");
    v5_end(&b, 77, 1700000001.5);
    for (size_t i = 0; i < b.n; i++) {
        nytp_buf damaged = {0};
        nytp_profile p;

        nytp_buf_bytes(&damaged, b.p, b.n);
        damaged.p[i] ^= i & 1 ? 0xFF : 0x11;
        p = load_bytes(&damaged, 0);
        counted += (uint64_t)p.totals.statements;
        nytp_profile_close(&p);
    }
    ok(counted > b.n, "a wrong byte anywhere (%llu statements in all)", (unsigned long long)counted);
    nytp_buf_free(&b);
}

int main(void) {
    char *dir = sample_directory();

    snprintf(path, sizeof path, "%s/path", dir);
    snprintf(other, sizeof other, "%s/other", dir);
    statements();
    blocks();
    evals();
    subs();
    merged_evals();
    paths();
    deep_paths();
    endless_numbers();
    broken();
    mixed();
    every_flip();
    unlink(path);
    unlink(other);
    rmdir(dir);
    return done();
}
