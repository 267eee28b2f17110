/* SPDX-License-Identifier: MIT */
/* overlaid.c - call paths of profiles of two sides. */
#include "report/overlaid.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "report/page.h"
#include "report/text.h"

/* All profiles are in one tree, whose values are sums: what a node has more than before is the profile's. */
int nytp_overlaid_take(nytp_overlaid *o, int side, const nytp_profile *p, const nytp_renamed *renamed) {
    const nytp_calltree_options options = {0};
    o->stacks.renamed = side == NYTP_COMPARED_OLD ? renamed : NULL;
    int code = nytp_stacks_profile(&o->stacks, p, &options);
    while (!code && o->values_n < o->stacks.tree.n) {
        if (nytp_grow_owned(&o->values, o->values_n, &o->values_room, sizeof *o->values)) o->values_n++;
        else code = NYTP_NOMEM;
    }
    for (uint32_t i = 0; i < o->values_n && !code; i++) {
        int64_t *values = o->values[i], before = nytp_ticks_add(values[0], values[1]);
        values[side] = nytp_ticks_add(values[side], nytp_ticks_minus(o->stacks.tree.at[i].self, before));
    }
    return code;
}

static int64_t mean(int64_t sum, uint32_t n) { return sum > 0 ? nytp_ticks_whole((double)sum / n) : 0; }

static void put_line(nytp_buf *out, nytp_str path, int64_t old, int64_t new) {
    nytp_text_str(out, path);
    nytp_text_around(out, " ", (uint64_t)old, "");
    nytp_text_around(out, " ", (uint64_t)new, "\n");
}

static void put_lines(nytp_buf *out, const nytp_overlaid *o, const uint32_t n[2], nytp_sink *sink) {
    nytp_stacks_path path = {0};
    for (uint32_t i = nytp_calltree_next(&o->stacks.tree, 0); i; i = nytp_calltree_next(&o->stacks.tree, i)) {
        int64_t old = mean(o->values[i][NYTP_COMPARED_OLD], n[NYTP_COMPARED_OLD]);
        int64_t new = mean(o->values[i][NYTP_COMPARED_NEW], n[NYTP_COMPARED_NEW]);
        nytp_stacks_path_to(&path, &o->stacks, i);
        if (old || new) put_line(out, nytp_page_bytes(&path.text), old, new);
        if (nytp_sink_drain(sink, out, NYTP_SINK_PIECE)) break;
    }
    nytp_buf_done(&path.text, out);
}

int nytp_overlaid_write(const nytp_compared_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    int code = nytp_stacks_sort(&r->paths->stacks, NYTP_STACKS_HEAVIEST);
    nytp_sink_begin(sink, NYTP_LIT("nytprof.folded"));
    if (!code) put_lines(&out, r->paths, r->compared->n, sink);
    return nytp_sink_finish(sink, &out, code);
}

void nytp_overlaid_free(nytp_overlaid *o) {
    nytp_stacks_free(&o->stacks);
    free(o->values);
    *o = (nytp_overlaid){0};
}
