/* SPDX-License-Identifier: MIT */
/* metrics.c - columns of values: grown where a row has one, summed up or compared as each metric says. */
#include "model/metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/notes.h"

#define LONGEST_TEXT 80

uint32_t nytp_metrics_find(const nytp_profile *p, nytp_str name) {
    uint32_t i = 0;
    while (i < p->metrics_n && !nytp_str_eq(p->metrics[i].name, name)) i++;
    return i;
}

static nytp_str without(nytp_str name, nytp_str suffix) {
    return nytp_str_ends(name, suffix) ? (nytp_str){name.p, name.n - suffix.n} : name;
}

uint32_t nytp_metrics_made_of(const nytp_profile *p, uint32_t i) {
    nytp_str name = p->metrics[i].name, stem = without(name, NYTP_LIT("-freed"));
    uint32_t made = stem.n == name.n ? p->metrics_n : 0;
    while (made < p->metrics_n && !nytp_str_eq(without(p->metrics[made].name, NYTP_LIT("-made")), stem)) made++;
    return made;
}

nytp_metrics_pair nytp_metrics_growth(const nytp_profile *p) {
    nytp_metrics_pair found = {p->metrics_n, p->metrics_n};
    for (uint32_t i = 0; i < p->metrics_n; i++) {
        uint32_t made = nytp_metrics_made_of(p, i);
        int is_bytes = nytp_str_eq(p->metrics[i].unit, NYTP_LIT("B"));
        if (made < p->metrics_n && (is_bytes || found.made == p->metrics_n)) found = (nytp_metrics_pair){made, i};
    }
    return found;
}

/* ---- definitions ---- */

static int is_of_words(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Makes one word of a name, as reports use names as heads of columns; times is 1, or the number behind the name of
 * another metric of that name. to has LONGEST_TEXT bytes. */
static nytp_str word_of(nytp_str name, uint32_t times, char *to) {
    size_t n = 0, most = LONGEST_TEXT - sizeof "_4294967295";
    if (!name.n) name = NYTP_LIT("unnamed");
    for (; n < name.n && n < most; n++) to[n] = (char)(is_of_words(name.p[n]) ? name.p[n] : '_');
    if (times > 1) n += (size_t)snprintf(to + n, LONGEST_TEXT - n, "_%" PRIu32, times);
    return (nytp_str){to, n};
}

static nytp_str cut(nytp_str text) { return (nytp_str){text.p, text.n < LONGEST_TEXT ? text.n : LONGEST_TEXT}; }

static nytp_str short_copy(nytp_profile *p, nytp_str text) {
    nytp_str copy = nytp_arena_str(&p->arena, cut(text));
    if (!copy.p) p->metrics_failed = 1;
    return copy;
}

static nytp_metric *add(nytp_profile *p, nytp_str name, const nytp_rec_metric *what) {
    if (p->metrics_n == NYTP_FORMAT_METRICS) {
        nytp_notes_add(p, "There are more than %d metrics; the others are left out.", NYTP_FORMAT_METRICS);
        return NULL;
    }
    nytp_metric *m = &p->metrics[p->metrics_n];
    *m = (nytp_metric){.name = short_copy(p, name), .unit = short_copy(p, what->unit), .adds = (uint32_t)what->adds,
                       .title = short_copy(p, what->title.n ? what->title : name)};
    if (p->metrics_failed) return NULL;
    p->metrics_n++;
    return m;
}

static int is_same(const nytp_metric *m, const nytp_rec_metric *what) {
    return nytp_str_eq(m->unit, cut(what->unit)) && m->adds == (uint32_t)what->adds;
}

/* Whether a report has a column of its own by that name. */
static int is_taken(nytp_str name) {
    static const char *const columns[] = {"time", "calls", "code", "ns"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (nytp_str_eq(name, nytp_str_c(columns[i]))) return 1;
    return 0;
}

/* Metrics of one name that are counted in different units, or in different ways, get numbers. */
nytp_metric *nytp_metrics_define(nytp_profile *p, const nytp_rec_metric *what) {
    char bytes[LONGEST_TEXT];
    nytp_metric *m;
    for (uint32_t times = 1;; times++) {
        nytp_str name = word_of(what->name, times, bytes);
        uint32_t i = nytp_metrics_find(p, name);
        if (is_taken(name) || (i < p->metrics_n && !is_same(&p->metrics[i], what))) continue;
        m = i < p->metrics_n ? &p->metrics[i] : add(p, name, what);
        if (m) m->of |= (uint32_t)what->of;
        if (m && times > 1)
            nytp_notes_add(p, "The name of metric %.*s without its number is that of another column.", (int)m->name.n,
                           m->name.p);
        return m;
    }
}

/* ---- values ---- */

static int64_t *cell(nytp_profile *p, nytp_metric *m, uint32_t row) {
    if (row < m->n) return m->at + row;
    uint32_t n = m->n ? m->n : 64;
    while (n <= row) n *= 2;
    int64_t *at = nytp_arena_more(&p->arena, m->at, m->n * sizeof *at, n * sizeof *at);
    if (!at) {
        p->metrics_failed = 1;
        return NULL;
    }
    memset(at + m->n, 0, (n - m->n) * sizeof *at);
    m->at = at;
    m->n = n;
    return at + row;
}

void nytp_metrics_put(nytp_profile *p, uint32_t metric, uint32_t *row, int64_t value) {
    nytp_metric *m = &p->metrics[metric];
    if (!value) return;
    if (!*row) *row = ++p->rows_n;
    int64_t *at = cell(p, m, *row);
    if (at) *at = nytp_metrics_join(m, *at, value);
}

void nytp_metrics_add(nytp_profile *p, uint32_t *to, uint32_t from) {
    for (uint32_t i = 0; i < p->metrics_n && from; i++) nytp_metrics_put(p, i, to, nytp_metrics_get(p, i, from));
}

static void put_named(nytp_profile *p, const nytp_rec_metric *what, uint32_t *row, int64_t value) {
    const nytp_metric *metric = nytp_metrics_define(p, what);
    if (metric && row) nytp_metrics_put(p, (uint32_t)(metric - p->metrics), row, value);
}

void nytp_metrics_put_memory(nytp_profile *p, uint32_t *row, const nytp_rec_memory *r) {
    const uint32_t both = NYTP_OF_PLACE | NYTP_OF_NODE;
    put_named(p, &(nytp_rec_metric){.name = NYTP_LIT("allocations"), .title = NYTP_LIT("Allocations"), .of = both}, row,
              r->count);
    put_named(p, &(nytp_rec_metric){.name = NYTP_LIT("bytes"), .title = NYTP_LIT("Bytes allocated"),
                                    .unit = NYTP_LIT("B"), .of = both}, row, r->bytes);
}
