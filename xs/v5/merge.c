/* SPDX-License-Identifier: MIT */
/* merge.c - several files of format 5 made one: the first pass over all events plans, the second emits. */
#include "v5/merge.h"

#include <stdlib.h>

#include "v5/plan.h"

struct nytp_v5_merge {
    nytp_v5_plan plan;
    nytp_emitter to;     /* not set while planning */
    uint32_t input;     /* number + 1 of the current input; 0 before the first */
    int32_t is_discount; /* 1: a DISCOUNT waits for its statement */
    double carry;       /* ticks of this input's statements lost by rounding so far */
    nytp_buf calls;     /* of nytp_v5_event: SUB_CALLERS, summed up */
    nytp_table by_call; /* number + 1 */
    nytp_buf subs;      /* of nytp_v5_event: SUB_INFO emitted */
    nytp_table by_sub;
};

static nytp_v5_event *event_at(const nytp_buf *b, uint32_t i) { return (nytp_v5_event *)(void *)b->p + i; }

static uint32_t events_n(const nytp_buf *b) { return (uint32_t)(b->n / sizeof(nytp_v5_event)); }

/* ---- fids and ticks ---- */

static uint32_t fid_of(const nytp_v5_merge *m, uint32_t fid) {
    const nytp_plan_file *f = nytp_v5_plan_file(&m->plan, m->input - 1, fid);
    return f ? f->data_fid : 0;
}

/* Ticks of the merged file for a tick of this input. */
static double scale(const nytp_v5_merge *m) {
    double rate = nytp_v5_plan_input_at(&m->plan, m->input - 1)->rate;
    return rate > 0 ? nytp_v5_plan_rate(&m->plan) / rate : 1;
}

/* Ticks that do not fit, and fractions of a tick, are carried to the next statement. */
static int32_t scaled(nytp_v5_merge *m, int32_t ticks) {
    double exact = ticks * scale(m) + m->carry;
    int32_t whole = exact >= INT32_MAX ? INT32_MAX : exact <= INT32_MIN ? INT32_MIN : (int32_t)exact;
    m->carry = exact - whole;
    return whole;
}

/* ---- subs and calls ---- */

static int is_same_sub(const void *list, uint32_t number, const void *like) {
    const nytp_v5_sub *x = &event_at(list, number - 1)->u.sub, *y = &((const nytp_v5_event *)like)->u.sub;
    return x->fid == y->fid && x->first_line == y->first_line && x->last_line == y->last_line &&
           nytp_str_eq(x->name, y->name);
}

static int is_same_call(const void *list, uint32_t number, const void *like) {
    const nytp_v5_callers *x = &event_at(list, number - 1)->u.callers, *y = &((const nytp_v5_event *)like)->u.callers;
    return x->fid == y->fid && x->line == y->line && nytp_str_eq(x->name, y->name) &&
           nytp_str_eq(x->caller, y->caller);
}

/* The event of the list that is equal to `like`; a new one (*is_new is 1) is appended, and its strings are still
 * borrowed. NULL when memory is short. */
static nytp_v5_event *intern(nytp_buf *list, nytp_table *table, uint64_t hash, const nytp_v5_event *like,
                             nytp_is_same *is_same, int *is_new) {
    uint32_t *at = nytp_table_at(table, hash, is_same, list, like);
    if (!at) return NULL;
    *is_new = !*at;
    if (*is_new) {
        nytp_buf_bytes(list, like, sizeof *like);
        *at = events_n(list);
    }
    return list->failed ? NULL : event_at(list, *at - 1);
}

/* Copies a string into the arena of the merge, unless it is empty. */
static int keep(nytp_v5_merge *m, nytp_str *s) {
    *s = nytp_arena_str(&m->plan.strings, *s);
    return s->p != NULL;
}

static void emit_sub(nytp_v5_merge *m, nytp_v5_event *e) {
    nytp_v5_sub *s = &e->u.sub;
    int is_new;
    s->fid = fid_of(m, s->fid);
    uint64_t hash = nytp_str_hash(s->name) ^ (uint64_t)s->fid << 40 ^ (uint64_t)s->first_line << 20 ^ s->last_line;
    nytp_v5_event *known = intern(&m->subs, &m->by_sub, hash, e, is_same_sub, &is_new);
    if (!known || (is_new && !keep(m, &known->u.sub.name))) nytp_emitter_no_memory(&m->to);
    else if (is_new) nytp_emitter_event(&m->to, e);
}

/* The format counts calls in 32 bits, but readers add up records of one site: a sum that would overflow is emitted
 * first. */
static void make_room(nytp_v5_merge *m, nytp_v5_event *sum, uint32_t count) {
    nytp_v5_callers *c = &sum->u.callers;
    if (count <= UINT32_MAX - c->count) return;
    nytp_emitter_event(&m->to, sum);
    c->count = 0;
    c->inclusive = c->exclusive = c->recursive = 0;
}

static void add_call(nytp_v5_merge *m, nytp_v5_event *e) {
    nytp_v5_callers *c = &e->u.callers;
    int is_new;
    c->fid = fid_of(m, c->fid);
    uint64_t hash = nytp_str_hash(c->name) * 31 + nytp_str_hash(c->caller) + ((uint64_t)c->fid << 32 | c->line);
    nytp_v5_event *sum = intern(&m->calls, &m->by_call, hash, e, is_same_call, &is_new);
    if (!sum || (is_new && (!keep(m, &sum->u.callers.name) || !keep(m, &sum->u.callers.caller)))) {
        nytp_emitter_no_memory(&m->to);
    } else if (!is_new) {
        make_room(m, sum, c->count);
        sum->u.callers.count += c->count;
        sum->u.callers.inclusive += c->inclusive;
        sum->u.callers.exclusive += c->exclusive;
        sum->u.callers.recursive += c->recursive;
        if (c->depth > sum->u.callers.depth) sum->u.callers.depth = c->depth;
    }
}

/* ---- emitting ---- */

static void emit_fid(nytp_v5_merge *m, const nytp_v5_event *e) {
    nytp_plan_file *f = nytp_v5_plan_file(&m->plan, m->input - 1, e->u.fid.fid);
    if (!f || f->is_emitted) return;
    const nytp_v5_event declared = {.tag = NYTP_V5_NEW_FID, .utf8 = f->utf8, .u.fid = f->record};
    f->is_emitted = 1;
    nytp_emitter_event(&m->to, &declared);
}

static void emit_time(nytp_v5_merge *m, nytp_v5_event *e) {
    const nytp_v5_event discount = {.tag = NYTP_V5_DISCOUNT};
    if (m->is_discount) nytp_emitter_event(&m->to, &discount);
    m->is_discount = 0;
    e->u.time.fid = fid_of(m, e->u.time.fid);
    e->u.time.ticks = scaled(m, e->u.time.ticks);
    nytp_emitter_event(&m->to, e);
}

/* A file's source is taken from the first input that has it, once. Each eval keeps its own source, by which readers see
 * that evals are equal. */
static void emit_line(nytp_v5_merge *m, nytp_v5_event *e) {
    nytp_plan_file *own = nytp_v5_plan_file(&m->plan, m->input - 1, e->u.line.fid);
    if (own && !own->source_input) own->source_input = m->input;
    if (!own || own->source_input != m->input) return;
    e->u.line.fid = own->record.fid;
    nytp_emitter_event(&m->to, e);
}

static void emit_event(nytp_v5_merge *m, nytp_v5_event e) {
    switch (e.tag) {
    case NYTP_V5_PID_START:
    case NYTP_V5_PID_END: nytp_emitter_event(&m->to, &e); break;
    case NYTP_V5_NEW_FID: emit_fid(m, &e); break;
    case NYTP_V5_DISCOUNT: m->is_discount = 1; break;
    case NYTP_V5_TIME_LINE:
    case NYTP_V5_TIME_BLOCK: emit_time(m, &e); break;
    case NYTP_V5_SUB_ENTRY:
        e.u.time.fid = fid_of(m, e.u.time.fid);
        nytp_emitter_event(&m->to, &e);
        break;
    case NYTP_V5_SUB_RETURN:
        e.u.ret.inclusive *= scale(m);
        e.u.ret.exclusive *= scale(m);
        nytp_emitter_event(&m->to, &e);
        break;
    case NYTP_V5_SUB_INFO: emit_sub(m, &e); break;
    case NYTP_V5_SUB_CALLERS: add_call(m, &e); break;
    case NYTP_V5_SRC_LINE: emit_line(m, &e); break;
    default: break; /* the head was emitted at the beginning, comments are not merged */
    }
}

static int by_call(const void *a, const void *b) {
    const nytp_v5_callers *x = &((const nytp_v5_event *)a)->u.callers, *y = &((const nytp_v5_event *)b)->u.callers;
    int names = nytp_str_cmp(x->name, y->name), callers = nytp_str_cmp(x->caller, y->caller);
    if (names || callers) return names ? names : callers;
    if (x->fid != y->fid) return x->fid < y->fid ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* ---- the handle ---- */

nytp_v5_merge *nytp_v5_merge_open(void) {
    return calloc(1, sizeof(nytp_v5_merge));
}

void nytp_v5_merge_input(nytp_v5_merge *m, nytp_str name) {
    m->input++;
    m->is_discount = 0;
    m->carry = 0;
    if (!m->to.callback && nytp_v5_plan_input(&m->plan, name)) nytp_emitter_no_memory(&m->to);
}

int nytp_v5_merge_event(void *merge, const nytp_v5_event *e) {
    nytp_v5_merge *m = merge;
    if (m->to.callback) emit_event(m, *e);
    else if (!m->to.code && nytp_v5_plan_event(&m->plan, e)) nytp_emitter_no_memory(&m->to);
    return m->to.code;
}

int nytp_v5_merge_begin(nytp_v5_merge *m, nytp_v5_callback *callback, void *self) {
    nytp_v5_event version = {.tag = NYTP_V5_VERSION}, deflate = {.tag = NYTP_V5_START_DEFLATE};
    version.u.version = (nytp_v5_version){NYTP_V5_MAJOR, m->plan.minor};
    m->to.callback = callback;
    m->to.self = self;
    m->input = 0;
    nytp_emitter_event(&m->to, &version);
    nytp_v5_plan_emit(&m->plan, 0, &m->to);
    if (m->plan.is_deflated) nytp_emitter_event(&m->to, &deflate);
    return m->to.code;
}

int nytp_v5_merge_finish(nytp_v5_merge *m) {
    uint32_t n = events_n(&m->calls);
    if (n) qsort(m->calls.p, n, sizeof(nytp_v5_event), by_call);
    for (uint32_t i = 0; i < n; i++) nytp_emitter_event(&m->to, event_at(&m->calls, i));
    nytp_v5_plan_emit(&m->plan, 1, &m->to);
    return m->to.code;
}

nytp_str nytp_v5_merge_remarks(const nytp_v5_merge *m) {
    return (nytp_str){(const char *)m->plan.remarks.p, m->plan.remarks.n};
}

void nytp_v5_merge_close(nytp_v5_merge *m) {
    if (!m) return;
    nytp_v5_plan_close(&m->plan);
    nytp_buf_free(&m->calls);
    nytp_buf_free(&m->subs);
    nytp_table_free(&m->by_call);
    nytp_table_free(&m->by_sub);
    free(m);
}
