/* SPDX-License-Identifier: MIT */
/* profile.c - a profile for programs in C: loading it, and what is of it as a whole. */
#include <stdlib.h>

#include "api/handle.h"
#include "model/load.h"
#include "model/metrics.h"
#include "model/order.h"
#include "model/source.h"

#define FROM_DISK (NYTPROF_FROM_DISK | NYTPROF_READ_SOURCES)
#define KNOWN_FLAGS (NYTPROF_KEEP_EVALS | NYTPROF_OUTSIDE | FROM_DISK)

const char *nytprof_version(void) { return NYTP_VERSION; }

void nytp_handle_error(nytprof_error *e, const nytp_error *why) {
    if (!e) return;
    *e = (nytprof_error){.code = (int)why->code, .sys = why->sys};
    memcpy(e->text, why->text, sizeof e->text < sizeof why->text ? sizeof e->text : sizeof why->text);
    e->text[sizeof e->text - 1] = 0;
}

/* ---- loading ---- */

static enum nytp_code rank(nytprof_profile *h) {
    static const enum nytp_order by[NYTP_HANDLE_RANKINGS] = {
        [NYTPROF_EXCLUSIVE] = NYTP_ORDER_EXCLUSIVE,
        [NYTPROF_INCLUSIVE] = NYTP_ORDER_INCLUSIVE,
        [NYTPROF_CALLS] = NYTP_ORDER_CALLS,
    };
    for (int i = 0; i < NYTP_HANDLE_RANKINGS; i++) {
        h->ranked[i] = nytp_order_subs(&h->p, by[i], &h->ranked_n[i]);
        if (!h->ranked[i]) return NYTP_NOMEM;
    }
    return NYTP_OK;
}

static enum nytp_code find_source(nytprof_profile *h, uint32_t flags) {
    const nytp_source_from from = {.all = (flags & NYTPROF_READ_SOURCES) != 0};
    return flags & FROM_DISK ? nytp_source_find(&h->p, &from) : NYTP_OK;
}

static void load(nytprof_profile *h, const char *const *paths, uint32_t n, uint32_t flags, nytp_error *e) {
    const nytp_load_options options = {.keep_evals = (flags & NYTPROF_KEEP_EVALS) != 0,
                                       .tell_outside = (flags & NYTPROF_OUTSIDE) != 0};
    if (nytp_load(&h->p, paths, n, &options, e)) return;
    if (find_source(h, flags) || rank(h))
        nytp_error_set(e, NYTP_NOMEM, "out of memory while reading a profile");
}

nytprof_profile *nytprof_load(const char *const *paths, uint32_t n, uint32_t flags, nytprof_error *e) {
    nytp_error why = {0};
    nytprof_profile *h = NULL;
    if (!paths || !n) nytp_error_set(&why, NYTP_USAGE, "nytprof_load: no file is named");
    else if (flags & ~(uint32_t)KNOWN_FLAGS) nytp_error_set(&why, NYTP_USAGE, "nytprof_load: unknown flags");
    else if (!(h = calloc(1, sizeof *h))) nytp_error_set(&why, NYTP_NOMEM, "out of memory");
    else load(h, paths, n, flags, &why);
    nytp_handle_error(e, &why);
    if (!why.code) return h;
    nytprof_free(h);
    return NULL;
}

void nytprof_free(nytprof_profile *h) {
    if (!h) return;
    nytp_profile_close(&h->p);
    for (int i = 0; i < NYTP_HANDLE_RANKINGS; i++) free(h->ranked[i]);
    free(h);
}

/* ---- the whole ---- */

void nytprof_get_totals(const nytprof_profile *h, nytprof_totals *to, size_t size) {
    const nytp_profile *p = &h->p;
    const nytp_totals *t = &p->totals;
    const nytprof_totals totals = {
        .ticks_per_second = p->ticks_per_second,
        .ticks = t->ticks,
        .whole = t->whole,
        .elapsed = t->elapsed,
        .subtracted = t->subtracted,
        .off = t->off,
        .statements = t->statements,
        .calls = t->calls,
        .inputs = p->inputs_n,
        .processes = p->processes_n,
        .files = p->files_n,
        .subs = p->subs_n,
        .calls_rows = p->edges_n,
        .nodes = p->nodes_n,
        .metrics = p->metrics_n,
        .pairs = p->pairs_n,
        .notes = p->notes_n,
        .values = t->values,
    };
    nytp_handle_give(to, size, &totals, sizeof totals, 1);
}

double nytprof_seconds(const nytprof_profile *h, int64_t ticks) { return nytp_profile_shown(&h->p, ticks); }

uint32_t nytprof_ranked(const nytprof_profile *h, int by, uint32_t i) {
    if (by < 0 || by >= NYTP_HANDLE_RANKINGS || i >= h->ranked_n[by]) return NYTPROF_NONE;
    return h->ranked[by][i];
}

nytprof_text nytprof_note(const nytprof_profile *h, uint32_t i) {
    return i < h->p.notes_n ? nytp_handle_text(h->p.notes[i]) : (nytprof_text){NULL, 0};
}

nytprof_text nytprof_source(const nytprof_profile *h, uint32_t file, uint32_t line) {
    if (file >= h->p.files_n) return (nytprof_text){NULL, 0};
    return nytp_handle_text(nytp_source_line(&h->p, &h->p.files[file], line));
}

int64_t nytprof_value(const nytprof_profile *h, uint32_t metric, uint32_t values) {
    return metric < h->p.metrics_n ? nytp_metrics_get(&h->p, metric, values) : 0;
}
