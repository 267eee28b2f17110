/* SPDX-License-Identifier: MIT */
/* inherit.c - what a thread takes over from the interpreter that it was cloned from: notes of the code that perl has
 * compiled. Its ops are the same; subs, files and calling contexts are defined anew, for a stream of its own. */
#include "perl/body.h"
#include "perl/pool.h"

#include <stdlib.h>

#include "record/output.h"
#include "record/places.h"

/* All links of a chain, in no order, to be freed; NULL when there are none or memory is short. */
static nytp_link **all_of(const nytp_chain *c) {
    nytp_link **list = c->n ? (nytp_link **)malloc(c->n * sizeof *list) : NULL;
    if (list) nytp_chain_list(c, list);
    return list;
}

static nytp_unit *unit_like(const nytp_glue *g, const nytp_unit *u) {
    return u ? nytp_unit_known(g, nytp_str_c(u->name)) : NULL;
}

static nytp_eval *eval_like(const nytp_glue *g, const nytp_eval *e) {
    return e ? (nytp_eval *)(void *)nytp_chain_find(&g->evals, e->link.key) : NULL;
}

/* ---- files ---- */

static int inherit_unit(nytp_glue *g, const nytp_unit *u) {
    nytp_unit *copy = nytp_unit_of(g, nytp_str_c(u->name));
    if (!copy) return 0;
    copy->last_line = u->last_line;
    copy->complete = u->complete;
    copy->kept = u->kept;
    copy->filtered = u->filtered;
    copy->elsewhere = u->elsewhere;
    return 1;
}

static int inherit_units(nytp_glue *g, const nytp_glue *from) {
    nytp_link **list = all_of(&from->units);
    int good = list || !from->units.n;
    for (uint32_t i = 0; good && i < from->units.n; i++) good = inherit_unit(g, (const nytp_unit *)(void *)list[i]);
    free(list);
    return good;
}

/* Files that the other thread has met: their text is in its stream, at the latest with its next window, and threads
 * write to one file. */
static void leave_texts(const nytp_glue *g, const nytp_glue *from) {
    if (!nytp_has_output(&from->r) || g->options.format == NYTP_OUTPUT_V5) return;
    for (uint32_t id = 1; id <= nytp_places_files(&from->r); id++) {
        nytp_unit *u = unit_like(g, (const nytp_unit *)nytp_places_file(&from->r, id)->front);
        if (u) u->elsewhere = 1;
    }
}

/* ---- evals ---- */

static int inherit_evals(nytp_glue *g, nytp_link *const *list, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!nytp_eval_inherit(g, (const nytp_eval *)(void *)list[i])) return 0;
    return 1;
}

static void connect_evals(nytp_glue *g, nytp_link *const *list, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        const nytp_eval *e = (const nytp_eval *)(void *)list[i];
        nytp_eval *copy = eval_like(g, e);
        copy->by = nytp_eval_hold(eval_like(g, e->by));
        copy->by_file = unit_like(g, e->by_file);
        if (!copy->by && !copy->by_file) copy->by_line = 0;
    }
}

/* Evals that nothing refers to: those that are being compiled. */
static void drop_idle_evals(nytp_glue *g, nytp_link *const *list, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        nytp_eval *copy = (nytp_eval *)(void *)nytp_chain_find(&g->evals, list[i]->key);
        if (copy && !copy->holders) nytp_eval_release(g, nytp_eval_hold(copy));
    }
}

/* ---- bodies ---- */

static int inherit_bodies(nytp_glue *g, const nytp_glue *from) {
    nytp_link **list = all_of(&from->bodies);
    int good = list || !from->bodies.n;
    for (uint32_t i = 0; good && i < from->bodies.n; i++) {
        const nytp_body *b = (const nytp_body *)(void *)list[i];
        good = nytp_body_inherit(g, b, unit_like(g, b->file), eval_like(g, b->eval));
    }
    free(list);
    g->inherited = g->body_n_told = g->body_n;
    return good;
}

/* The recorder has met files in an earlier thread. */
void nytp_inherit_files(nytp_glue *g) {
    nytp_file_meet_inherited(g);
    for (uint32_t id = 1; id <= nytp_places_files(&g->r); id++) {
        nytp_live_file *f = nytp_places_file(&g->r, id);
        if (!f->front && !(f->flags & NYTP_FILE_EVAL)) f->front = nytp_unit_known(g, f->name);
    }
}

int nytp_inherit_code(nytp_glue *g, const nytp_glue *from) {
    nytp_link **evals = all_of(&from->evals);
    uint32_t n = from->evals.n;
    int good = (evals || !n) && nytp_file_inherit(g, from) && inherit_units(g, from) && inherit_evals(g, evals, n);
    if (good) {
        leave_texts(g, from);
        connect_evals(g, evals, n);
        good = inherit_bodies(g, from);
        drop_idle_evals(g, evals, n);
    }
    free(evals);
    return good;
}
