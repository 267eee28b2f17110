/* SPDX-License-Identifier: MIT */
/* squeeze.c - a window that is larger than the room for it.
 *
 * The size of a chunk is known only when it is deflated, and what has been defined for it cannot be taken back. So the
 * bytes of each thing are estimated, rather too high than too low: a chunk that does not fit is lost as a whole. */
#include "record/squeeze.h"

#include <stdlib.h>

#include "record/define.h"
#include "record/deltas.h"
#include "record/marks.h"
#include "record/output.h"

/* Bytes of records. */
#define DELTA 12
#define DEFINITION 8
#define NAMED 26   /* besides the name */
#define CHUNK 250  /* its head, the window, prices */
#define END 350    /* records at the end, in a chunk of their own */

#define LEAST 800  /* bytes of room that are worth a window before the end */
#define ENOUGH 100 /* bytes for each thing that is to be written */

typedef struct thing { /* a place or a node */
    nytp_live_place *place;
    nytp_live_node *node;
    int64_t ticks;
} thing;

typedef struct squeeze {
    nytp_recorder *r;
    thing *things;
    uint32_t n;
    unsigned char *files, *subs; /* by id 1: the window defines it already */
} squeeze;

/* ---- how large things are ---- */

static uint64_t size_of_file(const squeeze *s, uint32_t id) {
    const nytp_live_file *f = id ? s->r->files.list[id] : NULL;
    return f && f->generation != s->r->output.generation && !s->files[id] ? NAMED + f->name.n : 0;
}

static uint64_t size_of_definition(const squeeze *s, const nytp_live_place *p) {
    return p->id && p->generation != s->r->output.generation ? DEFINITION + size_of_file(s, p->file) : 0;
}

static uint64_t size_of_sub(const squeeze *s, const nytp_live_sub *sub) {
    if (!sub->id || sub->generation == s->r->output.generation || s->subs[sub->id]) return 0;
    return NAMED + sub->name.n + sub->alias.n + size_of_file(s, sub->file);
}

/* A node has its callers defined, too. */
static uint64_t size_of(const squeeze *s, const thing *t) {
    uint64_t bytes = DELTA;
    if (t->place) return bytes + size_of_definition(s, t->place);
    for (const nytp_live_node *n = t->node; nytp_define_lacks(s->r, n); n = n->parent)
        bytes += DEFINITION + size_of_definition(s, n->site) + size_of_sub(s, n->sub);
    return bytes;
}

static void mark_defined(squeeze *s, const thing *t) {
    if (t->place) s->files[t->place->file] = 1;
    for (const nytp_live_node *n = t->node; n && nytp_define_lacks(s->r, n); n = n->parent)
        s->files[n->site->file] = s->files[n->sub->file] = s->subs[n->sub->id] = 1;
}

static void list(squeeze *s) {
    const nytp_live_queue *q = &s->r->queue;
    for (uint32_t i = 0; i < q->place_n; i++)
        s->things[s->n++] = (thing){q->places[i], NULL, q->places[i]->ticks - q->places[i]->written_ticks};
    for (uint32_t i = 0; i < q->node_n; i++)
        s->things[s->n++] = (thing){NULL, q->nodes[i], q->nodes[i]->ticks - q->nodes[i]->written_ticks};
}

/* What a window with enough room has besides: files and, at the end, subs without counts, and their lines of code. */
static uint64_t size_of_the_rest(const nytp_recorder *r) {
    uint64_t lines = r->places.carried_n - r->places.carried_written + nytp_marks_left(r);
    return (r->files.n + (uint64_t)r->subs.n) * 2 * NAMED + lines * DELTA;
}

/* ---- what is kept ---- */

static int longest_first(const void *a, const void *b) {
    const thing *x = a, *y = b;
    return x->ticks < y->ticks ? 1 : x->ticks > y->ticks ? -1 : 0;
}

static int stays(const thing *t) { return t->place ? !t->place->id : !t->node->parent; }

/* Marks what does not fit as not queued; returns how many things that are, and *bytes what the others take. */
static uint32_t choose(squeeze *s, uint64_t room, uint64_t *bytes) {
    uint32_t dropped = 0;
    qsort(s->things, s->n, sizeof *s->things, longest_first);
    for (uint32_t i = 0; i < s->n; i++) {
        thing *t = &s->things[i];
        uint64_t size = size_of(s, t);
        if (*bytes + size <= room || stays(t)) {
            *bytes += size;
            mark_defined(s, t);
            continue;
        }
        if (t->place) t->place->queued = 0;
        else t->node->queued = 0;
        dropped++;
    }
    return dropped;
}

static nytp_live_node *kept_caller(nytp_live_node *n) {
    do n = n->parent;
    while (n->parent && !n->queued);
    return n;
}

/* 0: memory is short. */
static int fold(const squeeze *s) {
    int fine = 1;
    for (uint32_t i = 0; i < s->n; i++) {
        const thing *t = &s->things[i];
        if (t->place && !t->place->queued) nytp_deltas_move_place(t->place, &s->r->places.nowhere);
        if (t->node && !t->node->queued) fine &= nytp_deltas_move_node(s->r, t->node, kept_caller(t->node));
    }
    return fine;
}

static void take_out(nytp_live_queue *q) {
    uint32_t places = 0, nodes = 0;
    for (uint32_t i = 0; i < q->place_n; i++)
        if (q->places[i]->queued) q->places[places++] = q->places[i];
    for (uint32_t i = 0; i < q->node_n; i++)
        if (q->nodes[i]->queued) q->nodes[nodes++] = q->nodes[i];
    q->place_n = places;
    q->node_n = nodes;
}

static uint64_t less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

/* Records that take so many bytes: less than three fifths of them are left when they are deflated. */
static uint64_t inflated(const nytp_recorder *r, uint64_t bytes) {
    return r->options->compress ? bytes / 3 * 5 : bytes;
}

static enum nytp_squeezed squeeze_into(squeeze *s, uint64_t room, int is_end) {
    uint64_t bytes = 0;
    int is_cut, fine = 1;
    list(s);
    is_cut = choose(s, room, &bytes) > 0;
    if (!is_cut && bytes + size_of_the_rest(s->r) <= room) return NYTP_SQUEEZED_NOT;
    if (is_cut) {
        fine = fold(s);
        take_out(&s->r->queue);
    }
    if (is_cut || is_end) nytp_output_notice(s->r, NYTP_NOTICE_SQUEEZED);
    return fine ? NYTP_SQUEEZED_TO_FIT : NYTP_SQUEEZED_BADLY;
}

enum nytp_squeezed nytp_squeeze(nytp_recorder *r, int is_end) {
    const nytp_writer *w = r->output.writer;
    uint64_t room = nytp_writer_room(w, is_end), n = (uint64_t)r->queue.place_n + r->queue.node_n;
    if (room / ENOUGH >= n + r->files.n + r->subs.n + CHUNK) return NYTP_SQUEEZED_NOT; /* as nearly always */
    if (!is_end && room < LEAST) return NYTP_SQUEEZED_LATER;
    squeeze s = {.r = r, .things = malloc((n + 1) * sizeof *s.things), .files = calloc(r->files.n + 1u, 1),
                 .subs = calloc(r->subs.n + 1u, 1)};
    enum nytp_squeezed squeezed = NYTP_SQUEEZED_LATER;
    uint64_t left = less(is_end ? less(room, END) : room / 2, CHUNK);
    if (s.things && s.files && s.subs) squeezed = squeeze_into(&s, inflated(r, left), is_end);
    free(s.things);
    free(s.files);
    free(s.subs);
    return squeezed;
}
