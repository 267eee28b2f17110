/* SPDX-License-Identifier: MIT */
/* define.c - definitions of what has counts to be written: parents before children, each once for every output, of
 * which the number is "generation". */
#include "record/define.h"

#include "record/files.h"

static void define_place(nytp_recorder *r, nytp_live_place *p) {
    if (p->generation == r->output.generation || !p->id) return;
    p->generation = r->output.generation;
    nytp_files_define(r, p->file);
    nytp_record out = {.kind = NYTP_REC_PLACE, .u.place = {p->id, p->file, p->line, p->block_line, p->sub_line}};
    nytp_writer_put(r->output.writer, &out);
}

static void define_sub(nytp_recorder *r, nytp_live_sub *s) {
    if (s->generation == r->output.generation) return;
    s->generation = r->output.generation;
    nytp_files_define(r, s->file);
    nytp_record out = {.kind = NYTP_REC_SUB};
    out.u.sub = (nytp_rec_sub){s->id, s->flags, s->file, s->first_line, s->last_line, s->ordinal, s->name, s->alias};
    nytp_writer_put(r->output.writer, &out);
}

/* The bits of the generation that a node keeps; they repeat after 67 million outputs. */
#define GENERATION(r) ((r)->output.generation & 0x3FFFFFF)

int nytp_define_lacks(const nytp_recorder *r, const nytp_live_node *n) {
    return n->parent && n->generation != GENERATION(r);
}

/* The nodes on the way to n that are not defined yet, parents first; paths may be a million calls long. */
static void collect(nytp_recorder *r, nytp_buf *found, nytp_live_node *n) {
    size_t depth = 0;
    for (const nytp_live_node *up = n; nytp_define_lacks(r, up); up = up->parent) depth++;
    nytp_live_node **to = depth ? (nytp_live_node **)(void *)nytp_buf_room(found, depth * sizeof n) : NULL;
    if (!to) return;
    found->n += depth * sizeof n;
    for (; depth; n = n->parent) {
        n->generation = GENERATION(r);
        to[--depth] = n;
    }
}

static void define_node(nytp_recorder *r, const nytp_live_node *n) {
    nytp_record tail = {.kind = NYTP_REC_TAIL, .u.tail = {n->id}};
    nytp_record out = {.kind = NYTP_REC_NODE, .u.node = {n->id, n->parent->id, n->site->id, n->sub->id}};
    if (n->site->tail == n->site) nytp_writer_put(r->output.writer, &tail);
    nytp_writer_put(r->output.writer, &out);
}

/* Their subs and places are defined first, so that consecutive nodes share a record. */
static int define_nodes(nytp_recorder *r) {
    nytp_buf *found = &r->scratch;
    nytp_buf_clear(found);
    for (uint32_t i = 0; i < r->queue.node_n; i++) collect(r, found, r->queue.nodes[i]);
    if (found->failed) return 0;
    nytp_live_node **nodes = (nytp_live_node **)(void *)found->p;
    size_t n = found->n / sizeof *nodes;
    for (size_t i = 0; i < n; i++) define_place(r, nodes[i]->site);
    for (size_t i = 0; i < n; i++) define_sub(r, nodes[i]->sub);
    for (size_t i = 0; i < n; i++) define_node(r, nodes[i]);
    return 1;
}

int nytp_define_queued(nytp_recorder *r) {
    for (uint32_t i = 0; i < r->queue.place_n; i++) define_place(r, r->queue.places[i]);
    return define_nodes(r);
}

void nytp_define_everything(nytp_recorder *r) {
    for (uint32_t id = 1; id <= r->files.n; id++) nytp_files_define(r, id);
    for (uint32_t id = 1; id <= r->subs.n; id++) define_sub(r, r->subs.list[id]);
}
