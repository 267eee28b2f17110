/* SPDX-License-Identifier: MIT */
/* v5_subs.c - the subs of a file of format 5 and their calls. */
#include "model/v5_subs.h"

#include "base/grow.h"
#include "base/ticks.h"

typedef struct nytp_v5_named {
    nytp_str name;
    uint32_t flags;               /* enum nytp_sub_flag */
    uint32_t fid;                 /* 0: without SUB_INFO */
    uint32_t file, first_line, last_line;
    uint32_t index;               /* in the profile, set at the end */
} named;

/* ---- names ---- */

static int is_opcode(nytp_str name) {
    size_t word = name.n;
    while (word && name.p[word - 1] != ':') word--;
    nytp_str before = {name.p, word};
    return word < name.n && (nytp_str_ends(before, NYTP_LIT("CORE:")) || nytp_str_ends(before, NYTP_LIT("CORE::")));
}

static int is_anonymous(nytp_str name) {
    nytp_str mark = NYTP_LIT("__ANON__");
    for (size_t i = 0; i + mark.n <= name.n && name.p[i] != '['; i++)
        if (nytp_str_starts((nytp_str){name.p + i, name.n - i}, mark)) return 1;
    return 0;
}

static int is_named(const void *of, uint32_t number, const void *name) {
    return nytp_str_eq(((const nytp_v5_subs *)of)->at[number - 1].name, *(const nytp_str *)name);
}

/* The sub of that name, made if it is new; NYTP_INTERN_FAILED. */
static uint32_t sub_of(nytp_v5_subs *s, nytp_str name, uint32_t utf8) {
    uint32_t *at = nytp_table_at(&s->names, nytp_str_hash(name), is_named, s, &name);
    if (at && *at) return *at - 1;
    named *new = at ? nytp_grow(&s->arena, &s->at, s->n, &s->room, sizeof *new) : NULL;
    if (new) new->name = nytp_arena_str(&s->arena, name);
    if (!new || !new->name.p) {
        nytp_loader_no_memory(s->l);
        return NYTP_INTERN_FAILED;
    }
    new->flags = (utf8 ? NYTP_SUB_UTF8 : 0u) | (is_anonymous(name) ? NYTP_SUB_ANON : 0u);
    *at = ++s->n;
    return *at - 1;
}

/* ---- records ---- */

/* Of several files with SUB_INFO for a sub the one with the lowest fid counts, with its lines. */
enum nytp_code nytp_v5_subs_lines(nytp_v5_subs *s, const nytp_v5_sub *r, uint32_t utf8, uint32_t file) {
    uint32_t index = sub_of(s, r->name, utf8 & NYTP_V5_UTF8);
    if (index == NYTP_INTERN_FAILED) return NYTP_NOMEM;
    named *sub = &s->at[index], before = *sub;
    if (!before.fid || r->fid < before.fid) {
        sub->fid = r->fid;
        sub->file = file;
        sub->first_line = nytp_loader_narrow(r->first_line);
        sub->last_line = nytp_loader_narrow(r->last_line);
    }
    if (!before.fid || r->fid == before.fid) return NYTP_OK;
    nytp_again *again = nytp_grow(&s->arena, &s->again, s->again_n, &s->again_room, sizeof *again);
    if (!again) return nytp_loader_no_memory(s->l);
    *again = (nytp_again){index, sub->file == file ? before.file : file};
    s->again_n++;
    return NYTP_OK;
}

enum nytp_code nytp_v5_subs_mark(nytp_v5_subs *s, nytp_str name, uint32_t utf8) {
    uint32_t index = sub_of(s, name, utf8 & NYTP_V5_UTF8);
    if (index == NYTP_INTERN_FAILED) return NYTP_NOMEM;
    s->at[index].flags |= is_opcode(name) ? NYTP_SUB_OPCODE : NYTP_SUB_XSUB;
    return NYTP_OK;
}

enum nytp_code nytp_v5_subs_call(nytp_v5_subs *s, const nytp_v5_callers *r, uint32_t utf8, const nytp_edge *e) {
    uint32_t caller = sub_of(s, r->caller, utf8 & NYTP_V5_UTF8_CALLER);
    uint32_t callee = caller == NYTP_INTERN_FAILED ? caller : sub_of(s, r->name, utf8 & NYTP_V5_UTF8);
    if (callee == NYTP_INTERN_FAILED) return NYTP_NOMEM;
    nytp_edge *edge = nytp_grow(&s->arena, &s->edges, s->edges_n, &s->edges_room, sizeof *edge);
    if (!edge) return nytp_loader_no_memory(s->l);
    *edge = *e;
    edge->caller = caller;
    edge->callee = callee;
    s->edges_n++;
    s->exclusive = nytp_ticks_add(s->exclusive, edge->exclusive);
    return NYTP_OK;
}

enum nytp_code nytp_v5_subs_return(nytp_v5_subs *s, const nytp_v5_return *r, uint32_t utf8, double exclusive,
                                   nytp_process *process) {
    uint32_t index = sub_of(s, r->name, utf8 & NYTP_V5_UTF8);
    if (index == NYTP_INTERN_FAILED) return NYTP_NOMEM;
    nytp_paths_return(&s->paths, r->depth, index, exclusive);
    int failed = s->l->options->keep_calls &&
                 nytp_timeline_return(&s->timeline, process, r->depth, index, nytp_ticks_whole(exclusive));
    return failed || s->paths.failed ? nytp_loader_no_memory(s->l) : NYTP_OK;
}

/* ---- into the profile ---- */

/* Code without lines has no file in the profile, but a home. */
static enum nytp_code settle_sub(nytp_v5_subs *s, named *sub) {
    nytp_profile *p = s->l->p;
    nytp_sub like = {.name = sub->name, .alias = NYTP_LIT(""), .flags = sub->flags, .ordinal = 1, .file = sub->file,
                     .first_line = sub->first_line, .last_line = sub->last_line};
    int is_phase = nytp_str_eq(sub->name, p->subs[NYTP_ROOT].name);
    if (sub->flags & (NYTP_SUB_XSUB | NYTP_SUB_OPCODE) && !sub->first_line && !sub->last_line) like.file = 0;
    sub->index = is_phase ? NYTP_ROOT : nytp_intern_sub(&s->l->in, &like);
    if (sub->index == NYTP_INTERN_FAILED) return nytp_loader_no_memory(s->l);
    if (!p->subs[sub->index].home) p->subs[sub->index].home = sub->file;
    return NYTP_OK;
}

static enum nytp_code settle_again(nytp_v5_subs *s, const nytp_again *r) {
    nytp_profile *p = s->l->p;
    nytp_again *again = nytp_grow(&p->arena, &p->again, p->again_n, &p->again_room, sizeof *again);
    if (!again) return nytp_loader_no_memory(s->l);
    *again = (nytp_again){s->at[r->sub].index, r->file};
    p->again_n++;
    return NYTP_OK;
}

/* A callee without a file is listed in the first. */
static enum nytp_code settle_edge(nytp_v5_subs *s, nytp_edge e, uint32_t first_file) {
    e.caller = s->at[e.caller].index;
    e.callee = s->at[e.callee].index;
    nytp_sub *callee = &s->l->p->subs[e.callee];
    if (!callee->home) callee->home = first_file;
    return nytp_intern_edge(&s->l->in, &e) == NYTP_INTERN_FAILED ? nytp_loader_no_memory(s->l) : NYTP_OK;
}

/* The node of a path below `parent`, with the path's times added; NYTP_INTERN_FAILED. */
static uint32_t settle_node(nytp_v5_subs *s, const nytp_path *path, uint32_t parent) {
    nytp_profile *p = s->l->p;
    nytp_node like = {.parent = parent, .sub = s->at[path->sub].index, .line = NYTP_LINE_UNKNOWN};
    uint32_t index = nytp_intern_node(&s->l->in, &like);
    if (index == NYTP_INTERN_FAILED) return index;
    nytp_node *node = &p->nodes[index];
    node->calls = nytp_ticks_add(node->calls, path->calls);
    int64_t exclusive = nytp_ticks_whole(path->exclusive);
    node->exclusive = nytp_ticks_add(node->exclusive, exclusive);
    s->returned = nytp_ticks_add(s->returned, exclusive);
    return index;
}

/* Walks the paths below top by their links; a path's `calls` is replaced by its node, for its children. */
static enum nytp_code settle_paths(nytp_v5_subs *s, uint32_t top, uint32_t node) {
    nytp_path *at = s->paths.at;
    if (!top) return NYTP_OK;
    at[top].calls = node;
    for (uint32_t path = at[top].child; path;) {
        uint32_t index = settle_node(s, &at[path], (uint32_t)at[at[path].parent].calls);
        if (index == NYTP_INTERN_FAILED) return nytp_loader_no_memory(s->l);
        at[path].calls = index;
        if (at[path].child) {
            path = at[path].child;
            continue;
        }
        while (path != top && !at[path].next) path = at[path].parent;
        path = path == top ? 0 : at[path].next;
    }
    return NYTP_OK;
}

static void settle_spans(const nytp_v5_subs *s, nytp_process *process) {
    for (uint32_t i = 0; i < process->spans_n; i++) {
        uint32_t *sub = &process->spans[i].sub;
        *sub = *sub == NYTP_TIMELINE_NO_SUB ? NYTP_UNKNOWN : s->at[*sub].index;
    }
}

enum nytp_code nytp_v5_subs_finish(nytp_v5_subs *s, uint32_t first_file, uint32_t first_process) {
    int code = NYTP_OK;
    nytp_paths_settle(&s->paths);
    for (uint32_t i = 0; i < s->n && !code; i++) code = settle_sub(s, &s->at[i]);
    for (uint32_t i = 0; i < s->again_n && !code; i++) code = settle_again(s, &s->again[i]);
    for (uint32_t i = 0; i < s->edges_n && !code; i++) code = settle_edge(s, s->edges[i], first_file);
    for (uint32_t i = first_process; i < s->l->p->processes_n && !code; i++) settle_spans(s, &s->l->p->processes[i]);
    if (!code) code = settle_paths(s, nytp_paths_top(&s->paths), NYTP_ROOT);
    if (!code) code = settle_paths(s, s->paths.lost, NYTP_UNKNOWN);
    return code;
}

void nytp_v5_subs_free(nytp_v5_subs *s) {
    nytp_arena_free(&s->arena);
    nytp_table_free(&s->names);
    nytp_paths_free(&s->paths);
}
