/* SPDX-License-Identifier: MIT */
/* intern.c - one entry per thing, found by the hash of its identity.
 *
 * The functions are alike on purpose: they differ in the fields that make the identity. */
#include "model/intern.h"

#include <string.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "model/language.h"

static uint64_t mix(uint64_t h, uint64_t v) {
    h = (h ^ v) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
}

/* Each comparison is of a thing of the profile, whose number in its table is index + 1, with another of its type. */

/* Whether the processes that defined two files first, if they are known, are of one language. */
static int is_same_language(const nytp_profile *p, uint32_t a, uint32_t b) {
    const nytp_process *x = nytp_language_process(p, a), *y = nytp_language_process(p, b);
    return x == y || !x || !y || nytp_language_same(x, y);
}

static int is_same_file(const void *of, uint32_t number, const void *like) {
    const nytp_file *a = &((const nytp_profile *)of)->files[number - 1], *b = like;
    return a->owner == b->owner && nytp_str_eq(a->name, b->name) && is_same_language(of, a->process, b->process);
}

uint32_t nytp_intern_file(nytp_intern *in, const nytp_file *like) {
    nytp_profile *p = in->p;
    uint32_t *at = nytp_table_at(&in->files, mix(nytp_str_hash(like->name), like->owner), is_same_file, p, like);
    if (!at) return NYTP_INTERN_FAILED;
    if (*at) return *at - 1;
    nytp_file *f = nytp_grow(&p->arena, &p->files, p->files_n, &p->files_room, sizeof *f);
    if (!f) return NYTP_INTERN_FAILED;
    *f = *like;
    f->name = nytp_arena_str(&p->arena, like->name);
    f->into = p->files_n;
    f->merged = 1;
    if (!f->name.p) return NYTP_INTERN_FAILED;
    *at = ++p->files_n;
    return *at - 1;
}

static int is_same_sub(const void *of, uint32_t number, const void *like) {
    const nytp_sub *a = &((const nytp_profile *)of)->subs[number - 1], *b = like;
    return a->file == b->file && a->first_line == b->first_line && a->last_line == b->last_line &&
           a->ordinal == b->ordinal && nytp_str_eq(a->name, b->name) && nytp_str_eq(a->alias, b->alias);
}

static uint64_t hash_sub(const nytp_sub *s) {
    uint64_t h = mix(nytp_str_hash(s->name), nytp_str_hash(s->alias));
    return mix(mix(h, (uint64_t)s->file << 32 | s->first_line), (uint64_t)s->ordinal << 32 | s->last_line);
}

static int could_fill_sub(nytp_profile *p, nytp_sub *s, const nytp_sub *like) {
    nytp_str name = nytp_arena_str(&p->arena, like->name), alias = nytp_arena_str(&p->arena, like->alias);
    if (!name.p || !alias.p) return 0;
    *s = *like;
    s->name = name;
    s->alias = alias;
    s->package = nytp_language_package(nytp_language_process(p, like->process), name);
    s->moved = (uint32_t)(s - p->subs);
    return 1;
}

uint32_t nytp_intern_sub(nytp_intern *in, const nytp_sub *like) {
    nytp_profile *p = in->p;
    uint32_t *at = nytp_table_at(&in->subs, hash_sub(like), is_same_sub, p, like);
    if (!at) return NYTP_INTERN_FAILED;
    if (*at) return *at - 1;
    nytp_sub *s = nytp_grow(&p->arena, &p->subs, p->subs_n, &p->subs_room, sizeof *s);
    if (!s || !could_fill_sub(p, s, like)) return NYTP_INTERN_FAILED;
    *at = ++p->subs_n;
    return *at - 1;
}

/* A sub of this hash that has another name by now. */
static int is_left(const void *of, uint32_t number, const void *like) {
    return hash_sub(&((const nytp_profile *)of)->subs[number - 1]) != hash_sub(like);
}

uint32_t nytp_intern_resub(nytp_intern *in, uint32_t old, const nytp_sub *like) {
    nytp_profile *p = in->p;
    if (is_same_sub(p, old + 1, like)) {
        p->subs[old].flags |= like->flags;
        return old;
    }
    uint32_t known = nytp_table_get(&in->subs, hash_sub(like), is_same_sub, p, like);
    if (known) { /* the target is not moved itself any more, so moves form no cycle */
        p->subs[known - 1].moved = known - 1;
        p->subs[old].moved = known - 1;
        return known - 1;
    }
    /* Entries under former names are used again: a sub may be renamed a million times. */
    uint32_t *at = nytp_table_at(&in->subs, hash_sub(like), is_left, p, like);
    if (!at) return NYTP_INTERN_FAILED;
    nytp_lengths *lengths = p->subs[old].lengths;
    if (!could_fill_sub(p, &p->subs[old], like)) return NYTP_INTERN_FAILED;
    p->subs[old].lengths = lengths;
    *at = old + 1;
    return old;
}

static int is_same_place(const void *of, uint32_t number, const void *like) {
    return nytp_intern_is_place(&((const nytp_profile *)of)->places[number - 1], like);
}

uint32_t nytp_intern_place(nytp_intern *in, const nytp_place *like) {
    nytp_profile *p = in->p;
    uint64_t key = mix(mix(like->file, like->line), (uint64_t)like->block_line << 32 | like->sub_line);
    uint32_t *at = nytp_table_at(&in->places, key, is_same_place, p, like);
    if (!at) return NYTP_INTERN_FAILED;
    if (*at) return *at - 1;
    nytp_place *place = nytp_grow(&p->arena, &p->places, p->places_n, &p->places_room, sizeof *place);
    if (!place) return NYTP_INTERN_FAILED;
    *place = *like;
    *at = ++p->places_n;
    return *at - 1;
}

static int is_same_node(const void *of, uint32_t number, const void *like) {
    const nytp_node *a = &((const nytp_profile *)of)->nodes[number - 1], *b = like;
    return a->parent == b->parent && a->sub == b->sub && a->line == b->line && a->file == b->file &&
           a->tail == b->tail;
}

static uint32_t add_node(nytp_profile *p, const nytp_node *like) {
    nytp_node *node = nytp_grow(&p->arena, &p->nodes, p->nodes_n, &p->nodes_room, sizeof *node);
    if (!node) return NYTP_INTERN_FAILED;
    *node = *like;
    return p->nodes_n++;
}

static uint32_t add_to_list(nytp_profile *p, const nytp_node *like) {
    uint32_t made = add_node(p, like);
    if (made == NYTP_INTERN_FAILED) return made;
    p->nodes[made].next = p->nodes[like->parent].child;
    return p->nodes[like->parent].child = made;
}

static uint32_t find_in_table(nytp_intern *in, const nytp_node *like) {
    uint64_t key = mix(mix(like->parent, like->sub), (uint64_t)like->file << 32 | like->line) + like->tail;
    uint32_t *at = nytp_table_at(&in->nodes, key, is_same_node, in->p, like);
    if (!at) return NYTP_INTERN_FAILED;
    if (*at) return *at - 1;
    uint32_t made = add_node(in->p, like);
    if (made != NYTP_INTERN_FAILED) *at = made + 1;
    return made;
}

/* A node is defined soon after its parent and siblings, so these are in the cache, and an entry of a large table is
 * not: a node's children are in a list, and only those that a list of this length has no room for in the table. */
#define LISTED 8

uint32_t nytp_intern_node(nytp_intern *in, const nytp_node *like) {
    nytp_profile *p = in->p;
    uint32_t listed = 0;
    if (!p->nodes_n) return add_node(p, like);
    if (is_same_node(p, NYTP_ROOT + 1, like)) return NYTP_ROOT; /* its own parent */
    for (uint32_t i = p->nodes[like->parent].child; i; i = p->nodes[i].next, listed++)
        if (is_same_node(p, i + 1, like)) return i;
    return listed < LISTED ? add_to_list(p, like) : find_in_table(in, like);
}

static int is_same_edge(const void *of, uint32_t number, const void *like) {
    const nytp_edge *a = &((const nytp_profile *)of)->edges[number - 1], *b = like;
    return a->caller == b->caller && a->callee == b->callee && a->line == b->line && a->file == b->file &&
           a->tail == b->tail;
}

uint32_t nytp_intern_edge(nytp_intern *in, const nytp_edge *more) {
    nytp_profile *p = in->p;
    uint64_t key = mix(mix(more->caller, more->callee), (uint64_t)more->file << 32 | more->line) + more->tail;
    uint32_t *at = nytp_table_at(&in->edges, key, is_same_edge, p, more);
    if (!at) return NYTP_INTERN_FAILED;
    if (*at) {
        nytp_edge_add(&p->edges[*at - 1], more);
        return *at - 1;
    }
    nytp_edge *edge = nytp_grow(&p->arena, &p->edges, p->edges_n, &p->edges_room, sizeof *edge);
    if (!edge) return NYTP_INTERN_FAILED;
    *edge = *more;
    *at = ++p->edges_n;
    return *at - 1;
}

void nytp_intern_free(nytp_intern *in) {
    nytp_table_free(&in->files);
    nytp_table_free(&in->subs);
    nytp_table_free(&in->places);
    nytp_table_free(&in->nodes);
    nytp_table_free(&in->edges);
}
