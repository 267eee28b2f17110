/* SPDX-License-Identifier: MIT */
/* tallied.c - tables of text for each schema of a tally. */
#include "report/tallied.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "report/text.h"

#define CLASS_WIDTH 11
#define BAR 50 /* columns */

static const char *const titles[NYTP_TALLY_MEASURES] = {
    [NYTP_TALLY_USER] = "User CPU time per process, including children",
    [NYTP_TALLY_SYSTEM] = "System CPU time per process, including children",
    [NYTP_TALLY_OWN] = "CPU time per process, without children",
    [NYTP_TALLY_REAL] = "Real time per process"};

/* ---- the order of rows ---- */

typedef struct place {
    const nytp_tally_row *r;
    double key;
    int32_t percent; /* of the measure's total */
} place;

static double key_of(const nytp_tally_row *r, int measure, enum nytp_tallied_sort sort) {
    if (sort == NYTP_TALLIED_TOTAL) return r->of[measure].total;
    if (sort == NYTP_TALLIED_MEAN) return r->of[measure].total / (double)r->n;
    if (sort == NYTP_TALLIED_MAX) return r->of[measure].most;
    return sort == NYTP_TALLIED_COUNT ? (double)r->n : -1e-9 * (double)r->first;
}

static int by_key(const void *a, const void *b) {
    const place *x = a, *y = b;
    if (x->key != y->key) return x->key > y->key ? -1 : 1;
    if (x->r->first != y->r->first) return x->r->first < y->r->first ? -1 : 1;
    return x->r < y->r ? -1 : x->r > y->r;
}

static place *ordered(const nytp_tally_list *l, int measure, enum nytp_tallied_sort sort) {
    place *order = calloc(l->n + !l->n, sizeof *order);
    for (uint32_t i = 0; order && i < l->n; i++)
        order[i] = (place){.r = &l->rows[i], .key = key_of(&l->rows[i], measure, sort)};
    if (order) qsort(order, l->n, sizeof *order, by_key);
    return order;
}

/* ---- percentages ---- */

static double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/* Cut, not rounded; a tenth of a percent in a hundred makes up for sums that are not exact. */
static int cut_share(double part, double whole) { return (int)(1.001 * share(part, whole)); }

static double fraction(const place *p, int measure, double whole) {
    double exact = share(p->r->of[measure].total, whole);
    return exact - (int)exact;
}

static int by_percent(const void *a, const void *b) {
    double x = (*(place *const *)a)->key, y = (*(place *const *)b)->key;
    return x != y ? (x > y ? -1 : 1) : 0;
}

/* The percentages of all rows are whole numbers, whose sum is 100: those that lose most by the cut are one larger.
 * 0 for want of memory. */
static int share_all(place *order, uint32_t n, int measure, double whole) {
    place **by = calloc(n + !n, sizeof *by);
    int left = 100, is_fine = by != NULL;
    for (uint32_t i = 0; i < n; i++) {
        order[i].percent = (int)share(order[i].r->of[measure].total, whole);
        order[i].key = fraction(&order[i], measure, whole);
        left -= order[i].percent;
        if (by) by[i] = &order[i];
    }
    if (by) qsort(by, n, sizeof(void *), by_percent);
    for (uint32_t i = 0; by && whole > 0 && i < n && left > 0; i++, left--) by[i]->percent++;
    free(by);
    return is_fine;
}

/* ---- cells ---- */

void nytp_tallied_number(nytp_buf *out, double value) {
    if (!isfinite(value)) nytp_text_format(out, "   -    ");
    else if (value > 9999.999) nytp_text_format(out, "%8.02E", value);
    else if (value > 0.009) nytp_text_format(out, "%8.03f", value);
    else if (value > 1e-9) nytp_text_format(out, "%8.02e", value);
    else nytp_text_format(out, "   0    ");
}

static void put_share(nytp_buf *out, int percent) {
    char text[16];
    snprintf(text, sizeof text, "(%d%%)", percent);
    nytp_text_format(out, " %-7s", text);
}

/* A character that is not ASCII is a question mark, so that each has one column. */
static void put_name(nytp_buf *out, nytp_str name) {
    size_t n = 0;
    uint32_t code;
    for (size_t at = 0, length; n < CLASS_WIDTH && at < name.n; n++, at += length ? length : 1) {
        length = nytp_utf8_decode(name.p + at, name.n - at, &code);
        nytp_buf_byte(out, length == 1 && code >= ' ' && code <= '~' ? (unsigned char)code : '?');
    }
    for (; n <= CLASS_WIDTH; n++) nytp_buf_byte(out, ' ');
}

static void put_spread(nytp_buf *out, const nytp_quantiles *q, const nytp_tallied *how) {
    nytp_text_put(out, "  ");
    nytp_tallied_number(out, nytp_quantiles_at(q, 0.5));
    nytp_text_put(out, "  ");
    nytp_tallied_number(out, nytp_quantiles_at(q, 0.95));
    nytp_text_put(out, "  ");
    nytp_quantiles_put(out, q, how->columns, how->is_linear);
}

/* ---- tables ---- */

static void put_row(nytp_buf *out, const nytp_tally_row *r, const nytp_tally_row *total, int measure, int percent,
                    const nytp_tallied *how) {
    const nytp_tally_sum *s = &r->of[measure];
    put_name(out, r->name);
    nytp_text_format(out, "%8g", (double)r->n);
    put_share(out, cut_share((double)r->n, (double)total->n));
    nytp_tallied_number(out, s->total);
    put_share(out, percent);
    nytp_tallied_number(out, s->least);
    nytp_text_put(out, "  ");
    nytp_tallied_number(out, s->total / (double)r->n);
    nytp_text_put(out, "  ");
    nytp_tallied_number(out, s->most);
    if (how->columns && r->spread) put_spread(out, &r->spread[measure], how);
    nytp_text_put(out, "\n");
}

static void put_head(nytp_buf *out, int measure, const nytp_tallied *how) {
    nytp_text_format(out, "\n%s:\n\n%-12s%8s %-7s%8s %-7s%8s  %8s  %8s", titles[measure], "", "n", "", "total", "",
                     "minimum", "mean", "maximum");
    if (how->columns)
        nytp_text_format(out, "  %8s  %8s  %s", "median", "95 %", how->is_linear ? "linear" : "logarithmic");
    nytp_text_put(out, "\n");
}

static void put_table(nytp_buf *out, const nytp_tally_list *l, int measure, const nytp_tallied *how) {
    place *order = ordered(l, measure, how->sort);
    int is_cpu = measure == NYTP_TALLY_USER || measure == NYTP_TALLY_SYSTEM;
    double whole = l->total.of[is_cpu && how->is_once ? NYTP_TALLY_OWN : measure].total;
    uint32_t n = order ? l->n : 0;
    out->failed |= !order;
    for (uint32_t i = 0; i < n; i++) order[i].percent = cut_share(order[i].r->of[measure].total, whole);
    if (measure == NYTP_TALLY_OWN && !share_all(order, n, measure, whole)) out->failed = 1;
    put_head(out, measure, how);
    for (uint32_t i = 0; i < n; i++) put_row(out, order[i].r, &l->total, measure, order[i].percent, how);
    put_row(out, &l->total, &l->total, measure, cut_share(l->total.of[measure].total, whole), how);
    free(order);
}

static void put_uses_row(nytp_buf *out, const nytp_tally_row *r) {
    put_name(out, r->name);
    nytp_text_format(out, "%10.1f", (double)r->uses[NYTP_TALLY_MEMORY] / 1000);
    for (int i = NYTP_TALLY_READS; i < NYTP_TALLY_USES; i++) nytp_text_format(out, "%12" PRIu64, r->uses[i]);
    nytp_text_put(out, "\n");
}

static void put_uses(nytp_buf *out, const nytp_tally_list *l, const place *order) {
    nytp_text_put(out, "\nMemory of the largest process, and totals, including children:\n\n"
                       "                    MB   blocks in  blocks out page faults    switches forced ones\n");
    for (uint32_t i = 0; i < l->n; i++) put_uses_row(out, order[i].r);
    put_uses_row(out, &l->total);
}

/* ---- bars ---- */

static int column(int64_t at, const nytp_tally_row *total) {
    double span = (double)total->last - (double)total->first;
    return span > 0 ? (int)((BAR - 1) * ((double)at - (double)total->first) / span) : 0;
}

/* How many processes ran, in marks, in place of the bar's inside. */
static void fill(char *bar, int from, int to, const nytp_tally_row *r, const nytp_tally_row *total, int64_t began) {
    double first = nytp_seconds_between(began, total->first), sums[BAR], most = 0;
    double part = nytp_seconds_between(total->first, total->last) / BAR;
    for (int i = from; i <= to; i++) {
        sums[i] = nytp_density_between(r->density, first + part * i, first + part * (i + 1));
        if (sums[i] > most) most = sums[i];
    }
    for (int i = from + 1; i < to; i++) bar[i] = nytp_quantiles_mark(sums[i], most);
}

/* From the begin of the first process to the end of the last one, with the time in the middle if there is room. */
static void put_bar(nytp_buf *out, const nytp_tally_row *r, const nytp_tally *t, const nytp_tally_row *total,
                    char mark) {
    char bar[BAR + 1], label[32];
    int from = column(r->first, total), to = column(r->last, total), width = to - from + 1;
    double seconds = nytp_seconds_between(r->first, r->last);
    int n = snprintf(label, sizeof label, seconds < 999.5 ? "%.3g s" : "%.0f s", seconds);
    memset(bar, ' ', BAR);
    memset(bar + from, mark, (size_t)width);
    if (r->density) fill(bar, from, to, r, total, t->began);
    bar[from] = bar[to] = '|';
    bar[BAR] = 0;
    if (width > n + 4 && !r->density) memcpy(bar + from + (width - n) / 2, label, (size_t)n);
    if (!r->density) bar[to + 1] = 0;
    put_name(out, r->name);
    nytp_text_format(out, r->density ? "%s  %s\n" : "%s\n", bar, label);
}

static void put_bars(nytp_buf *out, const nytp_tally *t, const nytp_tally_list *l, const place *order) {
    nytp_text_put(out, "\n\nOverall real time (start of first to end of last):\n\n");
    for (uint32_t i = 0; i < l->n; i++) put_bar(out, order[i].r, t, &l->total, '-');
    put_bar(out, &l->total, t, &l->total, '=');
}

void nytp_tallied_put(nytp_buf *out, const nytp_tally *t, uint32_t schema, nytp_str name, const nytp_tallied *how) {
    nytp_tally_list *l = &t->lists[schema];
    place *order = ordered(l, NYTP_TALLY_REAL, NYTP_TALLIED_FIRST);
    out->failed |= t->failed || !order;
    l->total.name = NYTP_LIT("TOTAL");
    if (l->n && order) {
        nytp_text_format(out, "\nSTATISTICS BY %.*s", (int)(name.n < 100 ? name.n : 100), name.p);
        put_bars(out, t, l, order);
        for (int i = 0; i < NYTP_TALLY_MEASURES; i++) put_table(out, l, i, how);
        put_uses(out, l, order);
    }
    free(order);
}
