/* SPDX-License-Identifier: MIT */
/* data.c - data.js: the data of the index page's script. DATA describes it. */
#include "pages/pages.h"

#include <stdlib.h>
#include <string.h>

#include "model/order.h"
#include "model/origin.h"
#include "pages/interned.h"
#include "pages/latency.h"
#include "pages/linewise.h"
#include "pages/packed.h"
#include "pages/parts.h"
#include "pages/sliced.h"
#include "report/escape.h"
#include "report/kinds.h"
#include "report/names.h"
#include "report/text.h"
#include "report/units.h"

#define VERSION 10
#define UNITS 100000000 /* approximate totals of the call tree */
#define LEAST_SITE 1e-5 /* least share of the run for a node with its call site */

typedef struct data {
    nytp_html *h;
    nytp_buf *out;
    nytp_buf list;               /* the one that is being made */
    uint32_t *files, *subs;      /* in the order of the block */
    uint32_t files_n, rows, subs_n;
    uint32_t *rank;              /* per sub: 1 + its index in subs, or 0 */
    nytp_interned pages, packages;
    uint64_t unit;
} data;

static uint64_t nanoseconds(const data *d, int64_t ticks) {
    return nytp_units_whole(ticks, d->h->p->ticks_per_second, 1000000000);
}

static void put_count(data *d, int64_t n) { nytp_buf_u(d->out, n > 0 ? (uint64_t)n : 0); }

static void put_time(data *d, int64_t ticks) { nytp_buf_u(d->out, nanoseconds(d, ticks)); }

static void put_bytes(data *d, nytp_buf *list) {
    nytp_buf_str(d->out, nytp_page_bytes(list));
    if (list->failed) d->out->failed = 1;
    nytp_buf_clear(list);
}

static void put_text(data *d, nytp_str text) {
    nytp_escape_text(&d->list, text);
    nytp_buf_byte(&d->list, '\n');
}

/* Every file has an entry, also without a page. */
static void put_file_pages(data *d) {
    for (uint32_t i = 0; i < d->files_n; i++) {
        nytp_str page = d->h->pages[d->files[i]];
        if (page.n) nytp_interned_number(&d->pages, page);
        else nytp_interned_append(&d->pages, page);
    }
}

/* ---- files ---- */

static void put_files(data *d) {
    const nytp_profile *p = d->h->p;
    nytp_buf_u(d->out, d->files_n);
    nytp_buf name = {0};
    for (uint32_t i = 0; i < d->files_n; i++) {
        nytp_buf_rewind(&name);
        nytp_names_file(&name, p, &p->files[d->files[i]]);
        put_text(d, nytp_page_bytes(&name));
    }
    nytp_buf_done(&name, d->out);
    put_bytes(d, &d->list);
    for (uint32_t i = 0; i < d->files_n; i++) put_count(d, p->files[d->files[i]].count);
    for (uint32_t i = 0; i < d->files_n; i++) put_time(d, p->files[d->files[i]].ticks);
    for (uint32_t i = 0; i < d->files_n; i++) nytp_buf_u(d->out, p->files[d->files[i]].subs.n);
    for (uint32_t i = 0; i < d->files_n; i++) nytp_buf_u(d->out, p->files[d->files[i]].evals.n);
}

/* Per file of the profile: 1 + its index in the block, or 0. */
static uint32_t *file_indexes(data *d) {
    uint32_t *index = calloc(d->h->p->files_n + 1u, sizeof *index);
    if (!index) d->out->failed = 1;
    for (uint32_t i = 0; i < d->files_n && index; i++) index[d->files[i]] = i + 1;
    return index;
}

static int is_told(int64_t ticks, float spread) { return nytp_profile_told(ticks, spread) >= 0; }

/* 1: a library's, 2: its time cannot be told from zero. */
static unsigned char flags_of_file(const nytp_profile *p, const nytp_file *f) {
    return (unsigned char)(nytp_origin_is_library(p, f) | (is_told(f->ticks, f->spread) ? 0 : 2));
}

static void put_parents(data *d) {
    const nytp_profile *p = d->h->p;
    uint32_t *index = file_indexes(d);
    for (uint32_t i = 0; i < d->files_n && index; i++) nytp_buf_u(d->out, index[p->files[d->files[i]].parent]);
    for (uint32_t i = 0; i < d->files_n; i++)
        nytp_buf_byte(d->out, flags_of_file(p, &p->files[d->files[i]]));
    free(index);
}

/* ---- subs ---- */

/* Where the sub's package stands in a shown name, at the beginning of a word; -1: nowhere, as shortening may have
 * changed it. */
static ptrdiff_t package_in(const nytp_buf *name, nytp_str package) {
    for (size_t at = 0; package.n && at + package.n < name->n; at++)
        if ((!at || name->p[at - 1] == ' ') && memchr(":.#", name->p[at + package.n], 3) &&
            memcmp(name->p + at, package.p, package.n) == 0) return (ptrdiff_t)at;
    return -1;
}

/* Puts a shown name without its package, for which a tab stands if it is not at the front, and the package's number. */
static void put_without_package(data *d, const nytp_buf *name, nytp_str package, nytp_buf *numbers) {
    ptrdiff_t at = package_in(name, package);
    nytp_str whole = {(const char *)name->p, name->n};
    size_t before = at > 0 ? (size_t)at : 0, behind = at < 0 ? 0 : before + package.n;
    nytp_buf escaped = {0};
    if (at >= 0) nytp_escape_text(&escaped, package);
    nytp_buf_u(numbers, at < 0 ? 0 : 1 + nytp_interned_number(&d->packages, nytp_page_bytes(&escaped)));
    nytp_escape_text(&d->list, (nytp_str){whole.p, before});
    if (before) nytp_buf_byte(&d->list, '\t');
    nytp_escape_text(&d->list, (nytp_str){whole.p + behind, whole.n - behind});
    nytp_buf_done(&escaped, d->out);
}

/* With variant and alias. */
static void put_name(data *d, const nytp_sub *s, nytp_buf *name, nytp_buf *numbers) {
    nytp_buf_rewind(name);
    nytp_names_sub(name, d->h->p, s);
    put_without_package(d, name, s->package, numbers);
    if (s->ordinal > 1) nytp_text_format(&d->list, " #%u", s->ordinal);
    if (s->alias.n) {
        nytp_text_put(&d->list, " (called as ");
        nytp_escape_text(&d->list, s->alias);
        nytp_buf_byte(&d->list, ')');
    }
    nytp_buf_byte(&d->list, '\n');
}

static void put_names(data *d) {
    nytp_buf name = {0}, numbers = {0};
    for (uint32_t i = 0; i < d->subs_n; i++) put_name(d, &d->h->p->subs[d->subs[i]], &name, &numbers);
    put_bytes(d, &d->packages.list);
    put_bytes(d, &d->list);
    nytp_buf_bytes(d->out, numbers.p, numbers.n);
    nytp_buf_done(&numbers, d->out);
    nytp_buf_done(&name, d->out);
}

static unsigned char flags_of(const nytp_sub *s) {
    int c = s->flags & NYTP_SUB_OPCODE ? 2 : s->flags & NYTP_SUB_XSUB ? 1 : 0;
    if (!is_told(s->exclusive, s->spread)) c |= 16;
    if (!is_told(s->inclusive, s->whole_spread)) c |= 32;
    if (!is_told(s->recursive, s->nested_spread)) c |= 64;
    return (unsigned char)(c | (s->flags & NYTP_SUB_UNDEFINED ? 4 : 0) | (s->flags & NYTP_SUB_PHASE ? 8 : 0));
}

static void put_calls(data *d, const nytp_sub *s) { put_count(d, s->calls); }
static void put_places(data *d, const nytp_sub *s) { nytp_buf_u(d->out, s->places); }
static void put_caller_files(data *d, const nytp_sub *s) { nytp_buf_u(d->out, s->caller_files); }
static void put_exclusive(data *d, const nytp_sub *s) { put_time(d, s->exclusive); }
static void put_inclusive(data *d, const nytp_sub *s) {
    nytp_buf_i(d->out, (int64_t)(nanoseconds(d, s->inclusive) - nanoseconds(d, s->exclusive)));
}
static void put_depth(data *d, const nytp_sub *s) { nytp_buf_u(d->out, s->depth); }
static void put_nested(data *d, const nytp_sub *s) { put_time(d, s->recursive); }
static void put_nested_calls(data *d, const nytp_sub *s) { put_count(d, s->nested); }

static void put_sub_numbers(data *d) {
    static void (*const columns[])(data *d, const nytp_sub *s) = {
        put_calls, put_places, put_caller_files, put_exclusive, put_inclusive, put_depth, put_nested,
        put_nested_calls,
    };
    for (uint32_t i = 0; i < d->subs_n; i++) nytp_buf_byte(d->out, flags_of(&d->h->p->subs[d->subs[i]]));
    for (uint32_t i = 0; i < d->subs_n; i++)
        nytp_buf_byte(d->out, (unsigned char)nytp_kinds_of_sub(&d->h->p->subs[d->subs[i]], NYTP_KIND_OWN));
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        for (uint32_t i = 0; i < d->subs_n; i++) columns[c](d, &d->h->p->subs[d->subs[i]]);
}

/* A number that is not 0 and has no more than nine digits, or 0. */
static uint32_t line_of(nytp_str id) {
    uint32_t line = 0;
    if (id.n > 9 || (id.n && id.p[0] == '0')) return 0;
    for (size_t i = 0; i < id.n; i++) {
        if (id.p[i] < '0' || id.p[i] > '9') return 0;
        line = 10 * line + (uint32_t)(id.p[i] - '0');
    }
    return line;
}

static void put_links(data *d) {
    nytp_buf href = {0}, lines = {0};
    for (uint32_t i = 0; i < d->subs_n; i++) {
        nytp_buf_rewind(&href);
        nytp_parts_sub_target(&href, d->h, d->subs[i]);
        const unsigned char *hash = href.n ? memchr(href.p, '#', href.n) : NULL;
        size_t page = hash ? (size_t)(hash - href.p) : href.n, behind = hash ? page + 1 : href.n;
        nytp_str id = hash ? (nytp_str){(const char *)href.p + behind, href.n - behind} : (nytp_str){NULL, 0};
        nytp_buf_u(d->out, nytp_interned_number(&d->pages, (nytp_str){(const char *)href.p, page}));
        uint32_t line = line_of(id);
        nytp_buf_u(&lines, line);
        if (!line) put_text(d, id);
    }
    nytp_buf_bytes(d->out, lines.p, lines.n);
    put_bytes(d, &d->list);
    nytp_buf_done(&href, d->out);
    nytp_buf_done(&lines, d->out);
}

/* ---- the call tree ---- */

static uint32_t first_node(const nytp_calltree *t) { return t->n ? nytp_calltree_next(t, 0) : 0; }

static uint64_t units(const data *d, int64_t ticks) {
    return (nanoseconds(d, ticks) + d->unit / 2) / d->unit;
}

/* 0: unknown; 1: several lines; else 2 + the line. */
static void put_call_line(data *d, const nytp_calltree_node *node) {
    int is_told = (double)node->total >= LEAST_SITE * (double)d->h->contexts.tree.at[0].total;
    if (!is_told || !node->line) nytp_buf_u(d->out, 0);
    else nytp_buf_u(d->out, node->line == NYTP_CALLTREE_LINES ? 1 : 2 + (uint64_t)node->line);
}

/* 0: the calling sub's file; else 1 + the index. */
static void put_call_file(data *d, const nytp_calltree_node *node, const uint32_t *index) {
    int is_told = (double)node->total >= LEAST_SITE * (double)d->h->contexts.tree.at[0].total;
    const nytp_sub *caller = &d->h->p->subs[d->h->contexts.tree.at[node->parent].callee];
    nytp_buf_u(d->out, !is_told || node->file == caller->file ? 0 : index[node->file]);
}

static void put_sites(data *d) {
    const nytp_calltree *t = &d->h->contexts.tree;
    uint32_t *index = file_indexes(d);
    for (uint32_t i = first_node(t); i; i = nytp_calltree_next(t, i)) put_call_line(d, &t->at[i]);
    for (uint32_t i = first_node(t); i && index; i = nytp_calltree_next(t, i)) put_call_file(d, &t->at[i], index);
    free(index);
}

static void put_tree(data *d) {
    const nytp_calltree *t = &d->h->contexts.tree;
    uint32_t before = 0;
    nytp_buf_u(d->out, t->n ? t->n - 1 : 0);
    nytp_buf_u(d->out, t->n ? t->kept - 1 : 0);
    for (uint32_t i = first_node(t); i; i = nytp_calltree_next(t, i)) {
        nytp_buf_u(d->out, t->at[before].depth + 1 - t->at[i].depth);
        before = i;
    }
    for (uint32_t i = first_node(t); i; i = nytp_calltree_next(t, i))
        nytp_buf_u(d->out, d->rank[t->at[i].callee] - 1);
    for (uint32_t i = first_node(t); i; i = nytp_calltree_next(t, i))
        nytp_buf_u(d->out, (uint64_t)t->at[i].calls);
    for (uint32_t i = first_node(t); i; i = nytp_calltree_next(t, i))
        nytp_buf_u(d->out, units(d, t->at[i].self));
    for (uint32_t i = first_node(t); i; i = nytp_calltree_next(t, i))
        nytp_buf_u(d->out, units(d, t->at[i].cut));
    put_sites(d);
    for (uint32_t i = first_node(t); i; i = nytp_calltree_next(t, i)) nytp_buf_byte(d->out, t->at[i].untold);
    for (uint32_t i = 0; i < d->subs_n; i++) put_count(d, t->n ? d->h->contexts.cut[d->subs[i]].calls : 0);
    for (uint32_t i = 0; i < d->subs_n; i++) put_count(d, t->n ? d->h->contexts.cut[d->subs[i]].outermost : 0);
    for (uint32_t i = 0; i < d->subs_n; i++) put_time(d, t->n ? d->h->contexts.cut[d->subs[i]].self : 0);
}

/* ---- the file ---- */

/* Subs in the order of the block. */
static int order_subs(data *d) {
    const nytp_profile *p = d->h->p;
    const nytp_calltree *t = &d->h->contexts.tree;
    uint32_t *order = nytp_order_subs(p, NYTP_ORDER_EXCLUSIVE, &d->rows);
    d->rank = calloc(p->subs_n + 1u, sizeof *d->rank);
    d->subs = malloc((p->subs_n + 1u) * sizeof *d->subs);
    if (!order || !d->rank || !d->subs) {
        free(order);
        return NYTP_NOMEM;
    }
    for (uint32_t i = 0; i < d->rows; i++) d->subs[i] = order[i];
    free(order);
    for (d->subs_n = 0; d->subs_n < d->rows; d->subs_n++) d->rank[d->subs[d->subs_n]] = d->subs_n + 1;
    for (uint32_t i = first_node(t); i; i = nytp_calltree_next(t, i)) {
        if (d->rank[t->at[i].callee]) continue;
        d->subs[d->subs_n++] = t->at[i].callee;
        d->rank[t->at[i].callee] = d->subs_n;
    }
    return NYTP_OK;
}

static void put_value(data *d, int64_t value, uint64_t unit) {
    nytp_buf_u(d->out, value > 0 ? ((uint64_t)value + unit / 2) / unit : 0);
}

/* A metric's columns of the call tree. */
static void put_tree_of(data *d, const nytp_contexts_metric *m) {
    const nytp_calltree *t = &d->h->contexts.tree;
    nytp_buf_u(d->out, m->self != NULL);
    if (!m->self) return;
    uint64_t unit = (m->total > 0 ? (uint64_t)m->total : 0) / UNITS + 1;
    nytp_buf_u(d->out, unit);
    for (uint32_t i = first_node(t); i; i = nytp_calltree_next(t, i)) put_value(d, m->self[i], unit);
    for (uint32_t i = first_node(t); i; i = nytp_calltree_next(t, i)) put_value(d, m->cut[i], unit);
    for (uint32_t i = 0; i < d->subs_n; i++) put_count(d, m->cut_self[d->subs[i]]);
}

/* 1 + the place among the metrics shown of what is made, of which this metric is what is freed; 0: there is none. */
static void put_made(data *d, uint32_t m) {
    const nytp_shown *shown = &d->h->of_subs;
    uint32_t made = nytp_metrics_made_of(d->h->p, m), k = 0;
    while (k < shown->n && shown->at[k] != made) k++;
    nytp_buf_u(d->out, k < shown->n ? k + (uint64_t)1 : 0);
}

static void put_metric(data *d, uint32_t m) {
    const nytp_profile *p = d->h->p;
    nytp_buf_u(d->out, p->metrics[m].adds);
    put_made(d, m);
    for (uint32_t i = 0; i < d->files_n; i++) put_count(d, nytp_metrics_get(p, m, p->files[d->files[i]].values));
    for (uint32_t i = 0; i < d->subs_n; i++) put_count(d, nytp_metrics_get(p, m, p->subs[d->subs[i]].own));
    for (uint32_t i = 0; i < d->subs_n; i++) put_count(d, nytp_metrics_get(p, m, p->subs[d->subs[i]].whole));
}

static void put_metrics(data *d) {
    const nytp_shown *shown = &d->h->of_subs;
    for (uint32_t k = 0; k < shown->n; k++) {
        const nytp_metric *metric = &d->h->p->metrics[shown->at[k]];
        put_text(d, metric->name);
        put_text(d, metric->title);
        put_text(d, metric->unit);
    }
    nytp_buf_u(d->out, shown->n);
    nytp_buf_u(d->out, (uint64_t)shown->ranks);
    put_bytes(d, &d->list);
    for (uint32_t k = 0; k < shown->n; k++) {
        put_metric(d, shown->at[k]);
        put_tree_of(d, &d->h->contexts.metrics[k]);
    }
}

/* Names of pages come last, when all links to them are known. */
static int put_block(data *d, nytp_buf *block) {
    nytp_buf rest = {0};
    const nytp_html *h = d->h;
    uint64_t whole = h->contexts.tree.n ? nanoseconds(d, h->contexts.tree.at[0].total) : 0;
    d->unit = whole / UNITS + 1;
    d->out = &rest;
    put_file_pages(d);
    put_files(d);
    put_parents(d);
    nytp_buf_u(d->out, d->subs_n);
    nytp_buf_u(d->out, d->rows);
    put_names(d);
    put_sub_numbers(d);
    put_links(d);
    put_tree(d);
    put_metrics(d);
    nytp_pages_latency_data(d->out, h, d->subs, d->subs_n);
    nytp_slices_put(d->out, &h->slices, h->p);
    int code = nytp_sliced_put(d->out, h);
    if (!code) code = nytp_linewise_put(d->out, h, d->files, d->files_n);
    nytp_buf_u(d->out, (h->p->estimate.n ? 1u : 0u) | (h->p->is_uncounted ? 2u : 0u) | (h->p->is_seen ? 4u : 0u));
    nytp_buf_u(d->out, (uint64_t)h->p->samples);
    d->out = block;
    nytp_buf_u(block, VERSION);
    put_time(d, h->p->totals.whole);
    nytp_buf_u(block, d->unit);
    put_bytes(d, &d->pages.list);
    nytp_buf_bytes(block, rest.p, rest.n);
    nytp_buf_done(&rest, block);
    return code;
}

int nytp_pages_data_write(nytp_html *h) {
    data d = {.h = h};
    nytp_buf block = {0}, js = {0};
    d.files = nytp_order_files(h->p, &d.files_n);
    int code = d.files ? order_subs(&d) : NYTP_NOMEM;
    if (!code) code = put_block(&d, &block);
    if (!code) nytp_packed_put(&js, nytp_page_bytes(&block), h->options->no_compress);
    if (!code) code = block.failed || js.failed ? NYTP_NOMEM : nytp_sink_put(h->sink, NYTP_LIT("data.js"), js.p, js.n);
    nytp_buf *const buffers[] = {&block, &js, &d.list};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) nytp_buf_free(buffers[i]);
    nytp_interned_free(&d.pages);
    nytp_interned_free(&d.packages);
    free(d.files);
    free(d.subs);
    free(d.rank);
    return code;
}
