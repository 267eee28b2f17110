/* SPDX-License-Identifier: MIT */
/* measured.c - a sub's own time, its own values of metrics, and its calls. */
#include "terminal/measured.h"

#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "report/page.h"
#include "report/text.h"
#include "report/units.h"
#include "terminal/cells.h"

#define COUNT 9  /* columns of a number */
#define VALUE 12 /* and of a time, or a metric */

/* ---- order ---- */

typedef struct ranked {
    int64_t value;
    uint32_t sub, before; /* how many were before it */
} ranked;

static int by_value(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->value != y->value) return x->value > y->value ? -1 : 1;
    return x->before < y->before ? -1 : x->before > y->before;
}

static int64_t value_of(const nytp_measured *m, uint32_t metric, uint32_t sub) {
    return nytp_metrics_get(m->g->p, m->shown->at[metric], m->g->p->subs[sub].own);
}

static int64_t growth_of(const nytp_measured *m, uint32_t sub) {
    const nytp_metrics_pair of = {m->shown->at[0], m->shown->at[1]};
    return nytp_metrics_grown(m->g->p, of, m->g->p->subs[sub].own);
}

uint32_t nytp_measured_rank(const nytp_measured *m, uint32_t *subs, uint32_t n, int all_kept) {
    ranked *all = malloc(((size_t)n + 1) * sizeof *all);
    uint32_t kept = 0;
    for (uint32_t i = 0; all && i < n; i++) {
        int64_t value = m->has_growth ? growth_of(m, subs[i]) : value_of(m, 0, subs[i]);
        if (value || all_kept) all[kept++] = (ranked){value, subs[i], i};
    }
    if (!all) return n;
    qsort(all, kept, sizeof *all, by_value);
    for (uint32_t i = 0; i < kept; i++) subs[i] = all[i].sub;
    free(all);
    return kept;
}

/* ---- the table ---- */

static void put_cell(nytp_buf *out, nytp_buf *cell, uint32_t width) {
    nytp_cells_right(out, nytp_page_bytes(cell), width);
    nytp_buf_rewind(cell);
}

static void put_value(nytp_buf *cell, const nytp_metric *m, int64_t value) {
    nytp_str unit = nytp_shown_amount(cell, m, value);
    if (unit.n) nytp_buf_byte(cell, ' ');
    nytp_text_str(cell, unit);
}

void nytp_measured_head(nytp_buf *out, const nytp_measured *m) {
    const nytp_profile *p = m->g->p;
    const nytp_shown *shown = m->shown;
    nytp_buf cell = {0};
    nytp_text_put(out, "Metrics of subs:\n\n");
    nytp_gprof_run(out, p);
    for (uint32_t i = 0; i < p->metrics_n; i++) {
        if (p->metrics[i].of != NYTP_OF_PROCESS) continue;
        put_value(&cell, &p->metrics[i], nytp_metrics_get(p, i, p->totals.values));
        put_cell(out, &cell, VALUE);
        nytp_text_put(out, "  ");
        nytp_gprof_name(out, p->metrics[i].title, 0);
        nytp_text_put(out, "\n");
    }
    nytp_gprof_text(out, VALUE, "self");
    for (uint32_t i = 0; i < shown->n; i++) {
        nytp_gprof_name(&cell, p->metrics[shown->at[i]].name, VALUE - 1);
        put_cell(out, &cell, VALUE);
    }
    if (m->has_growth) nytp_gprof_text(out, VALUE, "growth");
    nytp_gprof_text(out, COUNT, "calls");
    nytp_text_put(out, "  name\n");
    nytp_buf_done(&cell, out);
}

static void put_growth(nytp_buf *cell, const nytp_metric *m, int64_t growth) {
    if (growth) nytp_text_put(cell, growth < 0 ? "-" : "+");
    put_value(cell, m, growth < 0 ? nytp_ticks_minus(0, growth) : growth);
}

void nytp_measured_row(nytp_buf *out, const nytp_measured *m, uint32_t sub) {
    const nytp_gprof *g = m->g;
    const nytp_profile *p = g->p;
    const nytp_sub *s = &p->subs[sub];
    nytp_buf cell = {0};
    size_t line = out->n;
    nytp_gprof_hot(out, g, s->exclusive);
    nytp_units_time(&cell, (double)nytp_gprof_ns(p, s->exclusive) / NYTP_NANOSECONDS);
    put_cell(out, &cell, VALUE);
    for (uint32_t i = 0; i < m->shown->n; i++) {
        put_value(&cell, &p->metrics[m->shown->at[i]], value_of(m, i, sub));
        put_cell(out, &cell, VALUE);
    }
    if (m->has_growth) {
        put_growth(&cell, &p->metrics[m->shown->at[0]], growth_of(m, sub));
        put_cell(out, &cell, VALUE);
    }
    if (s->calls > 0) nytp_gprof_count(out, COUNT, s->calls);
    else nytp_cells_blanks(out, COUNT);
    nytp_text_put(out, "  ");
    nytp_gprof_sub(out, p, sub, nytp_gprof_left(out, g, line));
    nytp_gprof_end(out, g, s->exclusive);
    nytp_buf_done(&cell, out);
}

void nytp_measured_legend(nytp_buf *out, const nytp_measured *m) {
    const nytp_profile *p = m->g->p;
    const nytp_shown *shown = m->shown;
    nytp_text_put(out, "\n self  time in the sub itself, without the subs it calls; so are\n");
    for (uint32_t i = 0; i < shown->n; i++) {
        nytp_buf_byte(out, ' ');
        nytp_gprof_name(out, p->metrics[shown->at[i]].name, 0);
        nytp_text_put(out, ": ");
        nytp_gprof_name(out, p->metrics[shown->at[i]].title, 0);
        nytp_text_put(out, "\n");
    }
    if (!m->has_growth) return;
    nytp_text_put(out, " growth: what ");
    nytp_gprof_name(out, p->metrics[shown->at[0]].name, 0);
    nytp_text_put(out, " has more than ");
    nytp_gprof_name(out, p->metrics[shown->at[1]].name, 0);
    nytp_text_put(out, "\n");
}
