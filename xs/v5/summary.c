/* SPDX-License-Identifier: MIT */
/* summary.c - what format 5 says of subs and calls: the tree becomes returns, and edges by name and site. */
#include "v5/summary.h"

#include <stdlib.h>

#include "base/ticks.h"

typedef struct sub {
    nytp_str name;
    uint32_t flags;                 /* enum nytp_sub_flag, of the first body */
    uint32_t fid, first_line, last_line;
    uint32_t in_eval;
    uint32_t called, calls;         /* 1: it was called, it calls */
} sub;

static sub *sub_at(const nytp_summary *s, uint32_t i) { return (sub *)s->subs.p + i; }

static uint32_t subs_n(const nytp_summary *s) { return (uint32_t)(s->subs.n / sizeof(sub)); }

nytp_context *nytp_summary_at(const nytp_summary *s, uint32_t node) { return (nytp_context *)s->nodes.p + node; }

uint32_t nytp_summary_nodes(const nytp_summary *s) { return (uint32_t)(s->nodes.n / sizeof(nytp_context)); }

/* ---- gathering ---- */

enum nytp_code nytp_summary_open(nytp_summary *s) {
    const nytp_context root = {0};
    nytp_rec_sub program = {.flags = NYTP_SUB_PHASE};

    program.name = NYTP_LIT("main::RUNTIME");
    nytp_buf_bytes(&s->nodes, &root, sizeof root);
    return nytp_summary_sub(s, &program, 0, 0) || s->nodes.failed ? NYTP_NOMEM : NYTP_OK;
}

void nytp_summary_close(nytp_summary *s) {
    nytp_arena_free(&s->names);
    nytp_table_free(&s->by_name);
    nytp_table_free(&s->by_site);
    nytp_table_free(&s->by_package);
    nytp_buf_free(&s->subs);
    nytp_buf_free(&s->nodes);
    nytp_buf_free(&s->edges);
}

static int is_named(const void *of, uint32_t number, const void *name) {
    return nytp_str_eq(sub_at(of, number - 1)->name, *(const nytp_str *)name);
}

static int add_sub(nytp_summary *s, const nytp_rec_sub *r) {
    sub new = {.name = nytp_arena_str(&s->names, r->name), .flags = (uint32_t)r->flags};

    if (new.name.p) nytp_buf_bytes(&s->subs, &new, sizeof new);
    return new.name.p && !s->subs.failed;
}

uint32_t nytp_summary_sub(nytp_summary *s, const nytp_rec_sub *r, uint32_t fid, int in_eval) {
    uint32_t *at = nytp_table_at(&s->by_name, nytp_str_hash(r->name), is_named, s, &r->name);

    if (!at || (!*at && !add_sub(s, r))) return NYTP_SUMMARY_FAILED;
    if (!*at) *at = subs_n(s);
    if (fid) {
        sub *known = sub_at(s, *at - 1);

        known->fid = fid;
        known->first_line = (uint32_t)r->first_line;
        known->last_line = (uint32_t)r->last_line;
        known->in_eval = (uint32_t)in_eval;
    }
    return *at - 1;
}

uint32_t nytp_summary_node(nytp_summary *s, const nytp_context *like) {
    nytp_buf_bytes(&s->nodes, like, sizeof *like);
    return s->nodes.failed ? NYTP_SUMMARY_FAILED : nytp_summary_nodes(s) - 1;
}

/* ---- emitting calls ---- */

static int is_phase(const sub *s) { return (s->flags & NYTP_SUB_PHASE) != 0; }

static int has_no_code(const sub *s) { return (s->flags & (NYTP_SUB_XSUB | NYTP_SUB_OPCODE)) != 0; }

/* Devel::NYTProf marks a C function when its first call returns, and so does not mark one that dies first. */
static int is_known_as_c(const sub *s) { return has_no_code(s) && !(s->flags & NYTP_SUB_DIED_FIRST); }

typedef struct path { /* from the root to the node of the walk, and where events go */
    nytp_summary *s;
    uint32_t *on_it;   /* calls of each sub */
    uint32_t length;   /* calls, the phases of the program not counted */
    int64_t calls;     /* option calls */
    nytp_emitter *to;
} path;

/* A context with calls below it is emitted at least once, as these need a caller. */
static int64_t times_emitted(const nytp_context *node) {
    return node->calls > 0 ? node->calls : node->child != 0;
}

/* Emits the call's file and line; the sub's name comes with its return. */
void nytp_summary_emit_entry(const nytp_summary *s, uint32_t node, nytp_emitter *to) {
    nytp_v5_event e = {.tag = NYTP_V5_SUB_ENTRY};

    e.u.time.fid = nytp_summary_at(s, node)->file;
    e.u.time.line = nytp_summary_at(s, node)->line;
    nytp_emitter_event(to, &e);
}

void nytp_summary_emit_return(const nytp_summary *s, uint32_t node, uint32_t depth, int64_t inclusive,
                              int64_t exclusive, nytp_emitter *to) {
    const sub *called = sub_at(s, nytp_summary_at(s, node)->sub);
    nytp_v5_event e = {.tag = NYTP_V5_SUB_RETURN, .utf8 = called->flags & NYTP_SUB_UTF8 ? NYTP_V5_UTF8 : 0};

    e.u.ret = (nytp_v5_return){depth, (double)inclusive, (double)exclusive, called->name};
    nytp_emitter_event(to, &e);
}

/* Nanoseconds in ticks of 100 ns, rounded. */
static int64_t in_ticks(int64_t ns) { return ns / 100 + ns % 100 / 50; }

static void emit_entry(path *p, uint32_t node) {
    if (p->calls > 1) nytp_summary_emit_entry(p->s, node, p->to);
}

static void emit_returns(path *p, uint32_t i) {
    const nytp_context *node = nytp_summary_at(p->s, i);
    int64_t inclusive = in_ticks(node->inclusive), exclusive = in_ticks(node->exclusive);

    nytp_emitter_claim(p->to, times_emitted(node));
    for (int64_t n = times_emitted(node); n > 0 && !p->to->code; n--) {
        nytp_summary_emit_return(p->s, i, p->length, nytp_ticks_share(&inclusive, n), nytp_ticks_share(&exclusive, n),
                                 p->to);
        if (n > 1) emit_entry(p, i);
    }
}

/* Calls of a C function never count as nested, as perl keeps no depth for it. */
static void go_down(void *self, uint32_t i) {
    path *p = self;
    nytp_context *node = nytp_summary_at(p->s, i);
    const sub *called = sub_at(p->s, node->sub);

    if (!has_no_code(called)) node->depth = p->on_it[node->sub]++;
    if (is_phase(called)) return;
    p->length++;
    if (times_emitted(node)) emit_entry(p, i);
}

static void go_up(void *self, uint32_t i) {
    path *p = self;
    const nytp_context *node = nytp_summary_at(p->s, i);
    const sub *called = sub_at(p->s, node->sub);

    if (!has_no_code(called)) p->on_it[node->sub]--;
    if (is_phase(called)) return;
    if (p->calls > 0) emit_returns(p, i);
    p->length--;
}

void nytp_summary_emit_calls(nytp_summary *s, int64_t calls, nytp_emitter *to) {
    path p = {.s = s, .on_it = calloc(subs_n(s), sizeof *p.on_it), .calls = calls, .to = to};

    if (!p.on_it) {
        nytp_emitter_no_memory(to);
        return;
    }
    nytp_context_sum(nytp_summary_at(s, 0), nytp_summary_nodes(s));
    nytp_context_walk(nytp_summary_at(s, 0), go_down, go_up, &p);
    free(p.on_it);
}

/* ---- callers ---- */

/* Contexts that differ only in their path are one edge. */
static int is_same_site(const void *of, uint32_t number, const void *like) {
    const nytp_edge *a = (const nytp_edge *)((const nytp_summary *)of)->edges.p + number - 1, *b = like;
    return a->callee == b->callee && a->caller == b->caller && a->file == b->file && a->line == b->line;
}

/* Finds the edge with the same fields before the sums, or makes it. NULL when memory is short. */
static nytp_edge *edge_like(nytp_summary *s, const nytp_edge *like) {
    nytp_str site = {(const char *)like, offsetof(nytp_edge, calls)};
    uint32_t *at = nytp_table_at(&s->by_site, nytp_str_hash(site), is_same_site, s, like);

    if (at && !*at) {
        nytp_buf_bytes(&s->edges, like, sizeof *like);
        if (!s->edges.failed) *at = (uint32_t)(s->edges.n / sizeof *like);
    }
    return at && *at ? (nytp_edge *)s->edges.p + *at - 1 : NULL;
}

static int is_call(const nytp_summary *s, const nytp_context *node) {
    return node->calls && !is_phase(sub_at(s, node->sub));
}

static enum nytp_code sum_edges(nytp_summary *s, uint32_t first_fid) {
    for (uint32_t i = 1; i < nytp_summary_nodes(s); i++) {
        nytp_context node = *nytp_summary_at(s, i);
        nytp_edge like = {.caller = nytp_summary_at(s, node.parent)->sub, .callee = node.sub,
                          .file = node.file ? node.file : first_fid, .line = node.line};

        if (!is_call(s, &node)) continue;
        nytp_edge *edge = edge_like(s, &like);
        if (!edge) return NYTP_NOMEM;
        nytp_context_add(&node, edge);
        sub_at(s, like.callee)->called = 1;
        sub_at(s, like.caller)->calls = 1;
    }
    return NYTP_OK;
}

/* Format 5 counts in 32 bits. */
static uint32_t as_count(int64_t n) { return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n; }

static void emit_edge(const nytp_summary *s, const nytp_edge *edge, nytp_emitter *to) {
    const sub *caller = sub_at(s, edge->caller), *callee = sub_at(s, edge->callee);
    nytp_v5_event e = {.tag = NYTP_V5_SUB_CALLERS};
    nytp_v5_callers *c = &e.u.callers;

    e.utf8 = (callee->flags & NYTP_SUB_UTF8 ? NYTP_V5_UTF8 : 0u) |
             (caller->flags & NYTP_SUB_UTF8 ? NYTP_V5_UTF8_CALLER : 0u);
    c->fid = edge->file;
    c->line = edge->line;
    c->count = as_count(edge->calls);
    c->depth = edge->depth;
    c->inclusive = (double)edge->inclusive * 1e-9;
    c->exclusive = (double)edge->exclusive * 1e-9;
    c->recursive = (double)edge->recursive * 1e-9;
    c->caller = caller->name;
    c->name = callee->name;
    nytp_emitter_event(to, &e);
}

/* A call from file 0, line 0 marks the sub as written in C. */
static void emit_marker(const sub *xsub, nytp_emitter *to) {
    nytp_v5_event e = {.tag = NYTP_V5_SUB_CALLERS, .utf8 = xsub->flags & NYTP_SUB_UTF8 ? NYTP_V5_UTF8 : 0};

    e.u.callers = (nytp_v5_callers){.caller = NYTP_LIT(""), .name = xsub->name};
    nytp_emitter_event(to, &e);
}

static void emit_callers(const nytp_summary *s, nytp_emitter *to) {
    for (uint32_t i = 1; i < subs_n(s); i++)
        if (is_known_as_c(sub_at(s, i)) && sub_at(s, i)->called) emit_marker(sub_at(s, i), to);
    for (size_t i = 0; i < s->edges.n / sizeof(nytp_edge); i++) emit_edge(s, (const nytp_edge *)s->edges.p + i, to);
}

/* ---- files and lines of subs ---- */

static int is_of_package(const void *of, uint32_t number, const void *package) {
    return nytp_str_eq(nytp_format_package(sub_at(of, number - 1)->name), *(const nytp_str *)package);
}

/* A package's home is the first file with a sub of the package, an eval only if there is no other. A sub without a last
 * line does not count. */
static enum nytp_code find_homes(nytp_summary *s) {
    for (uint32_t i = 1; i < subs_n(s); i++) {
        const sub *of = sub_at(s, i);

        if (!of->fid || (of->first_line && !of->last_line)) continue;
        nytp_str package = nytp_format_package(of->name);
        uint32_t *at = nytp_table_at(&s->by_package, nytp_str_hash(package), is_of_package, s, &package);
        if (!at) return NYTP_NOMEM;
        const sub *best = *at ? sub_at(s, *at - 1) : NULL;
        if (!best || of->in_eval < best->in_eval || (of->in_eval == best->in_eval && of->fid < best->fid)) *at = i + 1;
    }
    return NYTP_OK;
}

/* The home file of a sub without lines; 0 if its package has no home. */
static uint32_t home_of(const nytp_summary *s, const sub *what) {
    nytp_str package = nytp_format_package(what->name);
    uint32_t number = nytp_table_get(&s->by_package, nytp_str_hash(package), is_of_package, s, &package);

    return number ? sub_at(s, number - 1)->fid : 0;
}

/* Emits the sub at its own lines, else at the given line of its home file; nothing if it has no home. */
static void emit_sub(const sub *what, uint32_t fid, uint32_t line, nytp_emitter *to) {
    nytp_v5_event e = {.tag = NYTP_V5_SUB_INFO, .utf8 = what->flags & NYTP_SUB_UTF8 ? NYTP_V5_UTF8 : 0};

    if (!fid) return;
    e.u.sub = (nytp_v5_sub){fid, line, line, what->name};
    if (what->fid) {
        e.u.sub.first_line = what->first_line;
        e.u.sub.last_line = what->last_line;
    }
    nytp_emitter_event(to, &e);
}

/* The program itself has an entry if it called a sub. */
static void emit_infos(nytp_summary *s, uint32_t first_fid, nytp_emitter *to) {
    const sub *program = sub_at(s, 0);
    uint32_t home = home_of(s, program);

    if (program->calls) emit_sub(program, home ? home : first_fid, 1, to);
    for (uint32_t i = 1; i < subs_n(s); i++) {
        const sub *what = sub_at(s, i);

        if (what->fid) emit_sub(what, what->fid, 0, to);
        else if (is_known_as_c(what) && what->called) emit_sub(what, home_of(s, what), 0, to);
    }
}

void nytp_summary_emit_subs(nytp_summary *s, uint32_t first_fid, nytp_emitter *to) {
    if (sum_edges(s, first_fid) || find_homes(s)) {
        nytp_emitter_no_memory(to);
        return;
    }
    emit_infos(s, first_fid, to);
    emit_callers(s, to);
}
