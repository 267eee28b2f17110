/* SPDX-License-Identifier: MIT */
/* found.c - frames become places and subs, once each; a stack becomes a path of nodes. */
#include "sample/found.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "record/nodes.h"
#include "record/places.h"
#include "record/state.h"
#include "sample/callees.h"
#include "sample/sources.h"

#define MOST_KNOWN (64u << 10) /* frames; then they are found again */

static uint64_t hash_of(const nytp_frame *f) {
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = (f->code ^ f->kind) * factor;
    hash = (hash ^ hash >> 32 ^ f->cop) * factor;
    hash = (hash ^ hash >> 32 ^ f->file) * factor;
    hash = (hash ^ hash >> 32 ^ ((uint64_t)f->seq << 32 | f->line)) * factor;
    return hash ^ f->is_entered;
}

static int is_same(const nytp_frame *a, const nytp_frame *b) { return memcmp(a, b, sizeof *a) == 0; }

/* ---- a frame ---- */

/* The lines of string evals are each their own block and sub, as are those outside subs. */
static nytp_live_place *make_place(nytp_found *c, const nytp_frame *f, const nytp_live_sub *sub,
                                   const nytp_live_place *outer) {
    const nytp_live_file *file = nytp_sources_of(c, f, outer);
    if (!file) return NULL;
    uint32_t first = sub && sub->file == file->id ? sub->first_line : f->line;
    const nytp_rec_place what = {.file = file->id, .line = f->line, .block_line = first, .sub_line = first};
    return nytp_places_add(c->r, &what, 1);
}

/* Frames are kept only if their statement was the same after all was read. */
static void keep(nytp_found *c, const nytp_known_frame *k) {
    if (k->frame.cop && !nytp_unwind_is_same(c->target, &k->frame)) return;
    if (c->known_n == MOST_KNOWN) {
        nytp_map_free(&c->by_frame);
        c->known_n = 0;
    }
    uint32_t *index = nytp_map_at(&c->by_frame, hash_of(&k->frame));
    if (!index || !nytp_grow_owned(&c->known, c->known_n, &c->known_room, sizeof *c->known)) return;
    c->known[c->known_n++] = *k;
    *index = c->known_n;
}

static nytp_known_frame find_frame(nytp_found *c, const nytp_frame *f, const nytp_live_place *outer) {
    nytp_known_frame k = {.frame = *f};
    if (f->kind == NYTP_FRAME_SUB) k.sub = nytp_callees_sub(c, f->code);
    if (f->cop && !f->is_entered) k.place = make_place(c, f, k.sub, outer);
    if ((k.place || f->is_entered) && (k.sub || f->kind != NYTP_FRAME_SUB)) keep(c, &k);
    return k;
}

/* A frame without a statement of its own, as while perl compiles, stands where the frame around it does. */
static nytp_known_frame frame_of(nytp_found *c, const nytp_frame *f, nytp_live_place *outer) {
    uint32_t index = nytp_map_get(&c->by_frame, hash_of(f));
    int is_known = index && is_same(&c->known[index - 1].frame, f);
    nytp_known_frame k = is_known ? c->known[index - 1] : find_frame(c, f, outer);
    if (!k.place) k.place = outer;
    return k;
}

/* ---- a stack ---- */

static nytp_live_node *child(nytp_found *c, nytp_live_node *parent, nytp_live_place *site, nytp_live_sub *sub) {
    nytp_live_node *n = nytp_nodes_known(c->r, parent, site, sub->key);
    if (!n) n = nytp_nodes_child(c->r, parent, site, sub);
    return n ? n->into : NULL;
}

static nytp_step next_level(nytp_found *c, const nytp_frame *f, const nytp_step *outer) {
    nytp_known_frame k = frame_of(c, f, outer->place);
    nytp_step level = {*f, k.place, outer->node};
    if (k.sub && outer->node) level.node = child(c, outer->node, outer->place, k.sub);
    return level;
}

/* The outermost frames are mostly those of the stack before. */
static uint32_t count_same(const nytp_found *c, const nytp_stack *s) {
    uint32_t n = 0;
    while (n < s->n && n < c->level_n && is_same(&c->levels[n].frame, &s->frames[s->n - 1 - n])) n++;
    return n;
}

static nytp_step climb(nytp_found *c, const nytp_stack *s) {
    nytp_step top = {.place = nytp_nowhere(c->r), .node = nytp_root(c->r)};
    c->level_n = count_same(c, s);
    if (c->level_n) top = c->levels[c->level_n - 1];
    while (c->level_n < s->n && top.node) {
        top = next_level(c, &s->frames[s->n - 1 - c->level_n], &top);
        c->levels[c->level_n++] = top;
    }
    return top;
}

nytp_standing nytp_found_find(nytp_found *c, const nytp_stack *s) {
    nytp_step top = climb(c, s);
    nytp_standing found = {top.place, top.node};
    nytp_live_sub *leaf = NULL;
    if (found.node) leaf = s->is_outside ? nytp_callees_host(c) : nytp_callees_leaf(c, s);
    if (leaf) found.node = child(c, found.node, found.place, leaf);
    if (!found.node) c->level_n = 0;
    return found;
}

void nytp_found_free(nytp_found *c) {
    nytp_map_free(&c->by_frame);
    nytp_map_free(&c->evals);
    nytp_map_free(&c->folded_evals);
    nytp_map_free(&c->leaves);
    nytp_buf_free(&c->name);
    nytp_buf_free(&c->text);
    free(c->known);
}
