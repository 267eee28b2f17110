/* SPDX-License-Identifier: MIT */
/* model.c - captures as profiles: sums, recursion, call sites, levels, order, notes, damage. */
#include "fixture.h"
#include "model/load.h"
#include "model/order.h"
#include "model/walk.h"
#include "tap.h"

static char *directory;

static const char *path_of(const char *name) {
    static char path[500];
    snprintf(path, sizeof path, "%s/%s.out", directory, name);
    return path;
}

static nytp_profile load(const char *path) {
    nytp_profile p;
    nytp_error e;
    if (nytp_load(&p, &path, 1, NULL, &e)) printf("# %s\n", e.text);
    return p;
}

static const nytp_sub *sub(const nytp_profile *p, const char *name) {
    for (uint32_t i = 0; i < p->subs_n; i++)
        if (nytp_str_eq(p->subs[i].name, nytp_str_c(name)) && p->subs[i].moved == i) return &p->subs[i];
    return &p->subs[NYTP_ROOT];
}

static const nytp_edge *edge(const nytp_profile *p, const char *caller, const char *callee, uint32_t line) {
    static const nytp_edge none;
    for (uint32_t i = 0; i < p->edges_n; i++) {
        const nytp_edge *e = &p->edges[i];
        if (e->line == line && &p->subs[e->caller] == sub(p, caller) && &p->subs[e->callee] == sub(p, callee)) return e;
    }
    return &none;
}

static int has_note(const nytp_profile *p, const char *part) {
    for (uint32_t i = 0; i < p->notes_n; i++)
        if (strstr(p->notes[i].p, part)) return 1;
    return 0;
}

static void test_recursion(const nytp_profile *p) {
    const nytp_sub *recurs = sub(p, "main::recurs");
    is(recurs->calls, 3, "recursion: every call counts");
    is(recurs->exclusive, 600, "exclusive time is that of all calls");
    is(recurs->inclusive, 600, "inclusive time only that of the outermost one");
    is(recurs->recursive, 800, "the nested calls' is kept apart");
    is(recurs->depth, 2, "and how deep it went");
    const nytp_edge *outer = edge(p, "main::RUNTIME", "main::recurs", 8);
    const nytp_edge *inner = edge(p, "main::recurs", "main::recurs", 5);
    is(outer->calls * 10 + outer->depth, 10, "the first site has 1 call of depth 0");
    is(inner->calls * 10 + inner->depth, 22, "the recursive site 2 calls of depth 2");
    is(inner->inclusive * 1000 + inner->recursive, 800, "whose time is all nested");
    is(outer->inclusive, 600, "an edge has time, not only a count");
}

static void test_mutual_recursion(const nytp_profile *p) {
    const nytp_sub *ping = sub(p, "main::ping"), *pong = sub(p, "main::pong");
    is(ping->inclusive, 100, "a -> b -> a: a's outermost call");
    is(pong->inclusive, 90, "and b's");
    is(ping->recursive + 1000 * pong->recursive, 40070, "nested calls are kept apart for both");
    is(ping->depth + pong->depth, 2, "each was nested once");
    is(edge(p, "main::ping", "main::pong", 6)->calls, 2, "ping calls pong twice");
    is(edge(p, "main::pong", "main::ping", 7)->calls, 1, "pong calls ping once, told by name and line");
}

static void test_sums(const nytp_profile *p) {
    int64_t exclusive = p->nodes[NYTP_ROOT].exclusive;
    int inclusive_smaller = 0;
    for (uint32_t i = 1; i < p->subs_n; i++) {
        exclusive += p->subs[i].exclusive;
        inclusive_smaller += p->subs[i].inclusive < p->subs[i].exclusive && !p->subs[i].depth;
    }
    is(exclusive, p->totals.ticks, "exclusive times add up to the run, exactly");
    is(p->nodes[NYTP_ROOT].inclusive, p->totals.ticks, "and so does the root's inclusive time");
    is(inclusive_smaller, 0, "no sub has less inclusive than exclusive time");
    is(p->totals.statements, 27, "statements");
    is(p->totals.ticks, 8745, "their time");
    is(p->totals.calls, 13, "calls");
    is(p->totals.elapsed, 8745 + 200, "elapsed time includes what the profiler took");
    is(p->totals.subtracted + p->totals.flush * 1000 + p->totals.off * 1000000, 20040140, "which is told by kind");
    is(p->notes_n, 0, "an honest capture gives no notes");
}

static int64_t level_ticks(const nytp_profile *p, enum nytp_level level) {
    int64_t ticks = 0;
    for (uint32_t f = 0; f < p->files_n; f++)
        for (uint32_t i = 0; i < p->files[f].level[level].n; i++) ticks += p->files[f].level[level].at[i].ticks;
    return ticks;
}

static void test_levels(const nytp_profile *p) {
    const nytp_file *f = &p->files[FIXTURE_MAIN];
    is(level_ticks(p, NYTP_LEVEL_BLOCK), level_ticks(p, NYTP_LEVEL_LINE), "blocks add up to the lines");
    is(level_ticks(p, NYTP_LEVEL_SUB), level_ticks(p, NYTP_LEVEL_LINE), "and so do subs");
    is(nytp_profile_line(f, NYTP_LEVEL_BLOCK, 4)->count, 6, "a block's count is on its first line");
    ok(!nytp_profile_line(f, NYTP_LEVEL_SUB, 5), "and not on its others");
    is(nytp_profile_carrier(f, 13), 12, "a line merged into another names it");
    is(nytp_profile_carrier(f, 12), 0, "which carries itself");
}

static void test_evals(const nytp_profile *p) {
    const nytp_file *first = &p->files[FIXTURE_EVAL1];
    is(first->merged, 2, "evals of one line and text are one");
    is(first->level[NYTP_LEVEL_LINE].at[0].count, 4, "with the counts of both");
    is(p->files[FIXTURE_EVAL2].merged, 0, "the second is gone");
    is(p->files[FIXTURE_EVAL3].merged, 1, "one of another text is not");
    is(sub(p, "main::__ANON__[(eval 1)[/app/main.pl:9]:1]")->calls, 2, "their anonymous subs are one, too");
    is(p->totals.evals * 10 + p->totals.eval_pages, 32, "3 evals on 2 pages");
    is(p->files[FIXTURE_MAIN].nested, 45, "their statement time is known to the file that ran them");
}

static void test_belonging(const nytp_profile *p) {
    is(sub(p, "Foo::Bar::xs")->home, FIXTURE_FOO, "an xsub belongs to the file of its package's subs");
    is(sub(p, "main::CORE:print")->home, FIXTURE_MAIN, "so does an operator");
    is(sub(p, "List::Util::sum")->home, 0, "without such a file it belongs to none");
    nytp_walk w = nytp_walk_begin(p, &p->files[FIXTURE_MAIN]);
    nytp_walk_to(&w, 10);
    is(w.calls.n, 2, "a line knows the calls that it makes");
    ok(&p->subs[p->edges[p->sites[w.calls.first]].callee] == sub(p, "List::Util::sum"), "the expensive one first");
    is(nytp_walk_next(&w), 11, "and the next line of interest");
}

static void test_order(const nytp_profile *p) {
    uint32_t n, *order = nytp_order_subs(p, NYTP_ORDER_EXCLUSIVE, &n);
    is(n, 8, "subs that were never called are in no order");
    ok(&p->subs[order[0]] == sub(p, "Foo::Bar::xs"), "by exclusive time");
    ok(&p->subs[order[1]] == sub(p, "Foo::Bar::new"), "downwards");
    free(order);
    order = nytp_order_subs(p, NYTP_ORDER_INCLUSIVE, &n);
    ok(&p->subs[order[0]] == sub(p, "Foo::Bar::new"), "by inclusive time another comes first");
    free(order);
    is(nytp_order_heat(29, 100000), 0, "below 0.03 % of the run nothing is warm");
    is(nytp_order_heat(30, 100000) * 10 + nytp_order_heat(50000, 100000), 17, "from there it goes up to 7 at 50 %");
    is(nytp_order_heat(0, 0), 0, "and a run of no time has no heat");
}

static void test_empty(void) {
    fixture_empty(path_of("empty"));
    nytp_profile p = load(path_of("empty"));
    is(p.totals.ticks + p.totals.calls + p.totals.files, 0, "an empty capture is a profile of nothing");
    ok(has_note(&p, "did not end cleanly"), "that did not end cleanly");
    nytp_profile_close(&p);
    fixture_zero(path_of("zero"));
    p = load(path_of("zero"));
    is(p.totals.ticks + p.totals.calls, 0, "an all-zero one divides by nothing");
    is(p.notes_n, 0, "and has nothing to say");
    nytp_profile_close(&p);
}

static void test_identity(void) {
    fixture f = fixture_open(path_of("identity"), 77, "-e");
    fixture_file(&f, 1, "-e", 0, 0);
    fixture_place(&f, 1, 1, 1, 1, 1);
    fixture_ran(&f, 1, 5, 1000);
    fixture_chunk(&f, 3);
    fixture_close(&f, 1);
    nytp_profile p = load(path_of("identity"));
    ok(has_note(&p, "Chunk 1 of process 77 does not add up: its statements are -3 ticks off a window of 1103"),
       "a chunk that does not add up is named");
    ok(has_note(&p, "its calls are -3"), "for calls as well");
    nytp_profile_close(&p);
}

/* The second chunk uses what the first defined; the first is damaged. */
static void test_lost_definitions(void) {
    fixture f = fixture_open(path_of("lost"), 78, "-e");
    fixture_file(&f, 1, "-e", 0, 0);
    fixture_sub(&f, 1, 0, 1, 1, 1, "main::f");
    fixture_place(&f, 1, 1, 1, 1, 1);
    fixture_node(&f, 1, 0, 1, 1);
    fixture_chunk(&f, 0);
    nytp_buf before = sample_slurp(path_of("lost"));
    fixture_ran(&f, 1, 5, 1000);
    fixture_called(&f, 1, 2, 600);
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
    nytp_buf bytes = sample_slurp(path_of("lost"));
    bytes.p[before.n - 1] ^= 1;
    sample_spew(path_of("lost"), bytes.p, bytes.n);
    nytp_profile p = load(path_of("lost"));
    is(p.files[0].count, 5, "counts without their definition are an unknown file's");
    is(p.subs[NYTP_UNKNOWN].calls, 2, "calls an unknown sub's");
    ok(has_note(&p, "is damaged") && has_note(&p, "1 of 3 chunks of process 78"), "and the reader is told both");
    nytp_profile_close(&p);
    nytp_buf_free(&before);
    nytp_buf_free(&bytes);
}

/* A capture that is cut anywhere loads, or fails with a message; sanitizers and valgrind find nothing. */
static void test_cuts(void) {
    fixture_calls(path_of("calls"));
    nytp_buf bytes = sample_slurp(path_of("calls"));
    int64_t most = 0, grew = 1;
    for (size_t n = 1; n < bytes.n; n += n < 400 ? 1 : 97) {
        const char *path = path_of("cut");
        nytp_profile p;
        nytp_error e;
        sample_spew(path, bytes.p, n);
        int code = nytp_load(&p, &path, 1, NULL, &e);
        if (!code && p.totals.statements < most) grew = 0;
        if (!code) most = p.totals.statements;
        nytp_profile_close(&p);
    }
    ok(grew, "more of a capture never shows less");
    is(most, 27, "up to all of it");
    nytp_buf_free(&bytes);
}

/* Profiling switched on inside a sub: it returns without ever having been entered. */
static void test_return_without_call(void) {
    fixture f = fixture_open(path_of("return"), 79, "-e");
    fixture_file(&f, 1, "-e", 0, 0);
    fixture_sub(&f, 1, 0, 1, 1, 1, "main::f");
    fixture_place(&f, 1, 1, 1, 1, 1);
    fixture_node(&f, 1, 0, 1, 1);
    fixture_ran(&f, 1, 1, 500);
    fixture_called(&f, 1, 0, 500);
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
    nytp_profile p = load(path_of("return"));
    is(sub(&p, "main::f")->calls, 0, "no phantom call");
    is(sub(&p, "main::f")->exclusive, 500, "but its time");
    is(sub(&p, "main::f")->depth, 0, "at no depth");
    nytp_profile_close(&p);
}

#define DEEP 1000000u

static void test_deep(void) {
    fixture f = fixture_open(path_of("deep"), 80, "-e");
    fixture_file(&f, 1, "-e", 0, 0);
    fixture_sub(&f, 1, 0, 1, 1, 1, "main::f");
    fixture_place(&f, 1, 1, 1, 1, 1);
    fixture_ran(&f, 1, DEEP, DEEP);
    for (uint64_t i = 1; i <= DEEP; i++) fixture_node(&f, i, i - 1, 1, 1);
    for (uint64_t i = 1; i <= DEEP; i++) fixture_called(&f, i, 1, 1);
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
    nytp_profile p = load(path_of("deep"));
    is(sub(&p, "main::f")->depth, DEEP - 1, "a million nested calls do not overflow the stack");
    is(sub(&p, "main::f")->inclusive, DEEP, "and still count no moment twice");
    nytp_profile_close(&p);
}

/* 300 different texts of one line become one eval, not 300 pages. */
static void test_many_evals(void) {
    fixture f = fixture_open(path_of("evals"), 81, "-e");
    fixture_file(&f, 1, "-e", 0, 0);
    for (unsigned i = 0; i < 300; i++) {
        char name[50], text[50];
        snprintf(name, sizeof name, "(eval %u)[-e:1]", i);
        snprintf(text, sizeof text, "%u\n", i);
        fixture_file(&f, i + 2, name, 1, 1);
        fixture_source(&f, i + 2, text);
        fixture_place(&f, i + 1, i + 2, 1, 1, 1);
        fixture_ran(&f, i + 1, 1, 10);
    }
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
    const char *path = path_of("evals");
    nytp_profile p = load(path);
    is(p.totals.evals * 10 + p.totals.eval_pages, 3001, "300 texts of one line are one page");
    nytp_profile_close(&p);
    nytp_error e;
    nytp_load_options apart = {.keep_evals = 1};
    nytp_load(&p, &path, 1, &apart, &e);
    is(p.totals.eval_pages, 300, "unless they are to stay apart");
    nytp_profile_close(&p);
}

/* Lines have numbers of 32 bits; a hostile capture has more lines. */
static void test_last_line(void) {
    fixture f = fixture_open(path_of("last"), 84, "-e");
    nytp_rec_source source = {1, UINT32_MAX - 1, NYTP_LIT("one\ntwo\nthree\nfour\n")};
    fixture_file(&f, 1, "-e", 0, 0);
    nytp_writer_put(f.w, &(nytp_record){.kind = NYTP_REC_SOURCE, .u.source = source});
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
    nytp_profile p = load(path_of("last"));
    is(p.files[1].source_lines, 0, "source behind the last line there can be is left out");
    nytp_profile_close(&p);
}

/* END blocks and signal handlers have no calling line. */
static void test_called_from_nowhere(void) {
    fixture f = fixture_open(path_of("nowhere"), 82, "-e");
    fixture_file(&f, 1, "-e", 0, 0);
    fixture_sub(&f, 1, 0, 1, 1, 1, "main::END");
    fixture_node(&f, 1, 0, 0, 1);
    fixture_called(&f, 1, 1, 0);
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
    nytp_profile p = load(path_of("nowhere"));
    is(sub(&p, "main::END")->calls, 1, "a call from no line is a call");
    ok(!nytp_profile_file_used(&p.files[0]), "but makes no page of an unknown file");
    nytp_profile_close(&p);
}

/* After an exec that failed the capture goes on behind an end. */
static void test_going_on(void) {
    fixture f = fixture_open(path_of("on"), 83, "-e");
    nytp_writer_end(f.w, NYTP_END_EXEC);
    fixture_chunk(&f, 0);
    fixture_chunk(&f, 0);
    fixture_close(&f, 0);
    nytp_profile p = load(path_of("on"));
    is(p.processes[0].ending, NYTP_ENDING_MISSING, "an end that is not the last thing said is no end");
    nytp_profile_close(&p);
}

/* Two captures of two processes, given together or concatenated. */
static void test_processes(void) {
    nytp_error e;
    nytp_profile p;
    char one[500], two[500];
    strcpy(one, path_of("one"));
    strcpy(two, path_of("two"));
    fixture_calls(one);
    fixture f = fixture_open(two, 4712, "child");
    fixture_file(&f, 1, "/app/other.pl", 0, 0); /* the parent's 1 is main.pl */
    fixture_file(&f, 2, "/app/main.pl", 0, 0);
    fixture_sub(&f, 1, 0, 2, 3, 5, "main::recurs");
    fixture_place(&f, 1, 2, 8, 8, 8);
    fixture_node(&f, 1, 0, 1, 1);
    fixture_ran(&f, 1, 1, 50);
    fixture_called(&f, 1, 1, 20);
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
    const char *const paths[] = {one, two};
    nytp_load(&p, paths, 2, NULL, &e);
    is(p.processes_n, 2, "two processes");
    is(sub(&p, "main::recurs")->calls, 4, "a sub that both know is one sub, whatever ids they gave it");
    is(nytp_profile_line(&p.files[FIXTURE_MAIN], NYTP_LEVEL_LINE, 8)->count, 3, "a line likewise");
    is(edge(&p, "main::RUNTIME", "main::recurs", 8)->calls, 2, "and a call site");
    nytp_profile_close(&p);
}

/* Tail calls have edges of their own; a capture without records of tail calls has none. */
static void test_tails(void) {
    fixture f = fixture_open(path_of("tails"), 1, "x.lua");
    fixture_file(&f, 1, "/app/x.lua", 0, 0);
    fixture_sub(&f, 1, 0, 1, 1, 9, "f");
    fixture_sub(&f, 2, 0, 1, 10, 20, "g");
    fixture_place(&f, 1, 1, 5, 1, 1);
    fixture_node(&f, 1, 0, 1, 1);
    fixture_node(&f, 2, 1, 1, 2);
    nytp_writer_put(f.w, &(nytp_record){.kind = NYTP_REC_TAIL, .u.tail = {3}});
    fixture_node(&f, 3, 1, 1, 2);
    fixture_called(&f, 1, 1, 10);
    fixture_called(&f, 2, 2, 20);
    fixture_called(&f, 3, 4, 40);
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
    nytp_profile p = load(path_of("tails"));
    const nytp_sub *g = sub(&p, "g");
    is(g->calls, 6, "tail calls are calls");
    is(g->callers.n, 2, "and an edge of their own");
    const nytp_edge *e = &p.edges[g->callers.first];
    is(e[0].calls * 10 + e[0].tail, 41, "which has their number");
    is(e[1].calls * 10 + e[1].tail, 20, "the others have theirs");
    is(g->places, 1, "it is one place");
    nytp_profile_close(&p);
}

int main(void) {
    directory = sample_directory();
    fixture_calls(path_of("calls"));
    nytp_profile p = load(path_of("calls"));
    test_recursion(&p);
    test_mutual_recursion(&p);
    test_sums(&p);
    test_levels(&p);
    test_evals(&p);
    test_belonging(&p);
    test_order(&p);
    nytp_profile_close(&p);
    test_empty();
    test_identity();
    test_lost_definitions();
    test_cuts();
    test_return_without_call();
    test_deep();
    test_many_evals();
    test_last_line();
    test_called_from_nowhere();
    test_going_on();
    test_processes();
    test_tails();
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command)) return 1;
    return done();
}
