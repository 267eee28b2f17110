/* SPDX-License-Identifier: MIT */
/* latency.c - the lengths of calls by site: a list of the sites that have some since the last window. */
#include "record/latency.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "record/spans.h"

int nytp_latency_open(nytp_recorder *r) {
    int wants = r->options->latency || (r->options->waiting && !r->options->sample); /* samples tell of waiting */
    if (wants && !r->front.times_calls) r->output.notices |= NYTP_NOTICE_NO_LATENCY;
    if (!r->options->latency || !r->front.times_calls) return 1;
    nytp_latency *l = r->latency = calloc(1, sizeof *l);
    if (l) l->node = &r->nodes.root;
    return l != NULL;
}

void nytp_latency_close(nytp_recorder *r) {
    nytp_latency *l = r->latency;
    for (uint32_t i = 0; l && i < l->edges_n; i++) {
        nytp_lengths_free(&l->edges[i]->lengths);
        free(l->edges[i]);
    }
    if (!l) return;
    nytp_table_free(&l->known);
    free(l->edges);
    free(l->of_node);
    free(l);
}

static const nytp_live_sub *caller_of(const nytp_live_node *n) { return n->parent ? n->parent->sub : NULL; }

static int is_same_edge(const void *latency, uint32_t number, const void *node) {
    const nytp_live_node *a = ((const nytp_latency *)latency)->edges[number - 1]->node, *b = node;
    return a->sub == b->sub && a->site == b->site && caller_of(a) == caller_of(b);
}

static uint64_t hash_of(const nytp_live_node *n) {
    uint64_t h = (uintptr_t)n->sub * UINT64_C(0x9E3779B97F4A7C15) + (uintptr_t)n->site;
    return h * UINT64_C(0x9E3779B97F4A7C15) + (uintptr_t)caller_of(n);
}

/* NULL when memory is short. */
static nytp_timed_edge *edge_of(nytp_latency *l, const nytp_live_node *n) {
    uint32_t *number = nytp_table_at(&l->known, hash_of(n), is_same_edge, l, n);
    if (number && *number) return l->edges[*number - 1];
    nytp_timed_edge **slot = number ? nytp_grow_owned(&l->edges, l->edges_n, &l->edges_room, sizeof *slot) : NULL;
    if (!slot || !(*slot = calloc(1, sizeof **slot))) return NULL;
    (*slot)->node = n;
    *number = (*slot)->id = ++l->edges_n;
    return *slot;
}

/* 0 when memory is short. */
static int has_room(nytp_latency *l, uint32_t id) {
    uint32_t n = id < l->of_node_n ? l->of_node_n : (id | 1023u) + 1 + l->of_node_n / 2;
    nytp_timed_edge **more = n > l->of_node_n ? realloc(l->of_node, n * sizeof *more) : l->of_node;
    if (!more) return 0;
    memset(more + l->of_node_n, 0, (n - l->of_node_n) * sizeof *more);
    l->of_node = more;
    l->of_node_n = n;
    return 1;
}

nytp_timed_edge *nytp_latency_touch(nytp_recorder *r, const nytp_live_node *n) {
    nytp_latency *l = r->latency;
    nytp_timed_edge *t = n->id && has_room(l, n->id) ? edge_of(l, n) : NULL;
    if (!t) return NULL;
    l->of_node[n->id] = t;
    t->node = n;
    if (t->is_touched) return t;
    t->is_touched = 1;
    t->next = l->touched;
    return l->touched = t;
}

/* ---- time ---- */

static void price(const nytp_recorder *r, nytp_latency *l) {
    l->ns = (double)NYTP_NANOSECONDS / (double)r->clock.ticks_per_second;
    for (int event = 0; event < NYTP_EVENTS; event++)
        l->prices[event] = (int32_t)(r->prices[event].ticks * 256 + r->prices[event].parts);
}

void nytp_latency_follow(nytp_recorder *r) {
    nytp_latency *l = r->latency;
    if (!l) return;
    nytp_latency_pay(l);
    price(r, l);
    nytp_latency_go_on(r, l);
}

void nytp_latency_keep(nytp_recorder *r) {
    const nytp_live_window *w = &r->window;
    if (r->latency) r->latency->lost += w->cold + w->flush + w->off + w->waited;
}

int64_t nytp_latency_time(nytp_recorder *r, int64_t now) {
    if (!r->latency) return 0;
    nytp_latency_follow(r);
    return now - nytp_latency_lost(r, r->latency);
}

void nytp_latency_set_time(nytp_recorder *r, int64_t time, int64_t now) {
    if (r->latency) r->latency->lost += nytp_latency_time(r, now) - time;
}

/* ---- writing ---- */

static uint32_t label_of(const nytp_timed_edge *t) { return NYTP_SPANS_LABELS + t->id; }

static nytp_timed_edge *touched(const nytp_recorder *r) { return r->latency ? r->latency->touched : NULL; }

void nytp_latency_define(nytp_recorder *r) {
    for (nytp_timed_edge *t = touched(r); t; t = t->next) {
        if (t->generation == r->output.generation) continue;
        t->generation = r->output.generation;
        nytp_record out = {.kind = NYTP_REC_LABEL};
        out.u.label = (nytp_rec_label){label_of(t), NYTP_LABEL_CALLS, NYTP_LIT(""), t->node->sub->id,
                                         t->node->id};
        nytp_writer_put(r->output.writer, &out);
    }
}

void nytp_latency_put(nytp_recorder *r) {
    for (const nytp_timed_edge *t = touched(r); t; t = t->next)
        nytp_lengths_put_tally(r->output.writer, &t->lengths, label_of(t));
    for (const nytp_timed_edge *t = touched(r); t; t = t->next)
        nytp_lengths_put_buckets(r->output.writer, &t->lengths, label_of(t));
    nytp_latency_follow(r);
}

void nytp_latency_settle(nytp_recorder *r) {
    for (nytp_timed_edge *t; (t = touched(r)) != NULL;) {
        nytp_lengths_empty(&t->lengths);
        t->is_touched = 0;
        r->latency->touched = t->next;
    }
}

void nytp_latency_renew(nytp_recorder *r) {
    if (r->latency) r->latency->era++;
}

void nytp_latency_forget(nytp_recorder *r) {
    nytp_latency_settle(r);
    nytp_latency_renew(r);
}
