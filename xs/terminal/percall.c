/* SPDX-License-Identifier: MIT */
/* percall.c - a sub's calls with their mean length, quantiles, and the longest one. */
#include "terminal/percall.h"

#include "base/ticks.h"
#include "model/quantile.h"
#include "report/page.h"
#include "report/text.h"
#include "report/units.h"
#include "terminal/cells.h"

#define COUNT 9 /* columns of a number */
#define TIME 10 /* and of a time */
#define TIMES 6

void nytp_percall_head(nytp_buf *out, const nytp_gprof *g) {
    nytp_text_put(out, "Time of calls, with all that they call:\n\n");
    nytp_gprof_run(out, g->p);
    nytp_text_put(out, "    calls      mean       p50       p90       p99   longest        at  name\n");
}

static void put_time(nytp_buf *out, nytp_buf *cell, uint64_t ns) {
    nytp_units_time(cell, (double)ns / NYTP_NANOSECONDS);
    nytp_cells_right(out, nytp_page_bytes(cell), TIME);
    nytp_buf_rewind(cell);
}

static void put_lengths(nytp_buf *out, const nytp_profile *p, const nytp_lengths *l) {
    nytp_buf cell = {0};
    uint64_t first = nytp_profile_first_start(p), began = l->began > first ? l->began - first : 0;
    nytp_gprof_count(out, COUNT, l->count);
    put_time(out, &cell, l->sum > 0 ? (uint64_t)(l->sum / l->count) : 0);
    put_time(out, &cell, nytp_quantile_of(l, 500));
    put_time(out, &cell, nytp_quantile_of(l, 900));
    put_time(out, &cell, nytp_quantile_of(l, 990));
    put_time(out, &cell, nytp_quantile_longest(l));
    put_time(out, &cell, first ? began : 0);
    nytp_buf_done(&cell, out);
}

void nytp_percall_row(nytp_buf *out, const nytp_gprof *g, uint32_t sub) {
    const nytp_sub *s = &g->p->subs[sub];
    size_t line = out->n;
    nytp_gprof_hot(out, g, s->exclusive);
    if (s->lengths && s->lengths->count > 0) put_lengths(out, g->p, s->lengths);
    else nytp_cells_blanks(out, COUNT + TIMES * TIME);
    nytp_text_put(out, "  ");
    nytp_gprof_sub(out, g->p, sub, nytp_gprof_left(out, g, line));
    nytp_gprof_end(out, g, s->exclusive);
}

void nytp_percall_legend(nytp_buf *out) {
    nytp_text_put(out,
        "\n"
        " calls          calls that have ended, with those of a recursion\n"
        " mean           mean time of a call with all that it calls\n"
        " p50, p90, p99  the time that 50, 90 or 99 of 100 calls did not exceed, within 4 %\n"
        " longest, at    time of the longest call, and when it began, since the start of the program\n");
}
