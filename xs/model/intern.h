/* SPDX-License-Identifier: MIT */
/* intern.h - one entry per file, sub, place and node, whatever ids the streams of a capture gave them. Private to
 * load. */
#ifndef NYTP_MODEL_INTERN_H
#define NYTP_MODEL_INTERN_H

#include "base/table.h"
#include "model/profile.h"

#define NYTP_INTERN_FAILED UINT32_MAX /* memory is short */

typedef struct nytp_intern {
    nytp_profile *p;
    nytp_table files, subs, places, nodes, edges; /* index + 1. Most nodes are in lists of the profile's instead, by
                                                     child and next, which the sums (tree.h) link anew */
} nytp_intern;

/* Each returns the index of the entry whose identity equals the given one's, made from a copy of it if it is new.
 * Identity of a file: name and owner; of a sub: name, alias, file, lines and ordinal; of a place: file and lines; of a
 * node: parent, sub and call site. Strings are copied. */
uint32_t nytp_intern_file(nytp_intern *in, const nytp_file *like);
uint32_t nytp_intern_sub(nytp_intern *in, const nytp_sub *like);
uint32_t nytp_intern_place(nytp_intern *in, const nytp_place *like);
uint32_t nytp_intern_node(nytp_intern *in, const nytp_node *like);

/* Whether a place has the other's identity. */
static inline int nytp_intern_is_place(const nytp_place *a, const nytp_place *b) {
    return a->line == b->line && a->file == b->file && a->block_line == b->block_line && a->sub_line == b->sub_line;
}

/* The edge of the same caller, callee and call site, with calls and times added. */
uint32_t nytp_intern_edge(nytp_intern *in, const nytp_edge *more);

/* A stream redefines sub `old` as `like`. Returns the index valid from now on: `old`, changed, or, if another sub has
 * that identity already, that sub, and `old` is marked as moved to it. */
uint32_t nytp_intern_resub(nytp_intern *in, uint32_t old, const nytp_sub *like);

void nytp_intern_free(nytp_intern *in);

#endif
