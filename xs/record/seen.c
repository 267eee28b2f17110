/* SPDX-License-Identifier: MIT */
/* seen.c - samples by node and place, until they are written. */
#include "record/seen.h"

#include <stdlib.h>

#include "base/grow.h"
#include "record/events.h"

typedef struct spot {
    nytp_live_node *node;
    nytp_live_place *place;
    int64_t samples, ns;
} spot;

struct nytp_seen {
    spot *list;
    uint32_t n, room;
    nytp_map by_pair; /* 1 + index, by the ids of both */
};

static spot *spot_of(struct nytp_seen *s, nytp_live_node *node, nytp_live_place *place) {
    uint32_t *number = nytp_map_at(&s->by_pair, (uint64_t)node->id << 32 | place->id);
    if (!number) return NULL;
    if (*number) return &s->list[*number - 1];
    spot *made = nytp_grow_owned(&s->list, s->n, &s->room, sizeof *made);
    if (!made) return NULL;
    *made = (spot){.node = node, .place = place};
    *number = ++s->n;
    return made;
}

/* Both are queued, so that they are defined. When memory is short the sample is lost. */
void nytp_seen_add(nytp_recorder *r, nytp_live_node *node, nytp_live_place *place, int64_t samples, int64_t ns) {
    if (!r->seen) r->seen = calloc(1, sizeof *r->seen);
    spot *at = r->seen ? spot_of(r->seen, node, place) : NULL;
    if (!at) return;
    at->samples += samples;
    at->ns += ns;
    nytp_touch_place(r, place);
    nytp_touch_node(r, node);
}

void nytp_seen_put(nytp_recorder *r) {
    nytp_record out = {.kind = NYTP_REC_SEEN};
    for (uint32_t i = 0; r->seen && i < r->seen->n; i++) {
        const spot *at = &r->seen->list[i];
        out.u.seen = (nytp_rec_seen){at->node->id, at->place->id, at->samples, at->ns};
        nytp_writer_put(r->output.writer, &out);
    }
}

void nytp_seen_settle(nytp_recorder *r) {
    if (!r->seen || !r->seen->n) return;
    r->seen->n = 0;
    nytp_map_free(&r->seen->by_pair);
}

void nytp_seen_forget(nytp_recorder *r) { nytp_seen_settle(r); }

void nytp_seen_close(nytp_recorder *r) {
    nytp_seen_settle(r);
    if (r->seen) free(r->seen->list);
    free(r->seen);
    r->seen = NULL;
}
