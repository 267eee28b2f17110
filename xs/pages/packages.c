/* SPDX-License-Identifier: MIT */
/* packages.c - one page of packages: what each took, and the subs that belong to no file, with their callers. */
#include "pages/pages.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/ticks.h"
#include "pages/calls.h"
#include "pages/parts.h"
#include "report/escape.h"
#include "report/text.h"
#include "report/units.h"

typedef struct entry { /* a sub that was called */
    nytp_str package, name;
    uint32_t sub;
} entry;

typedef struct package {
    nytp_str name;
    uint32_t first, n; /* of the entries */
    uint32_t best;     /* the sub that took most */
    int64_t calls, exclusive;
} package;

static int by_package(const void *a, const void *b) {
    const entry *x = a, *y = b;
    int order = nytp_str_cmp(x->package, y->package);
    if (!order) order = nytp_str_cmp(x->name, y->name);
    return order ? order : x->sub < y->sub ? -1 : 1;
}

static int most_first(const void *a, const void *b) {
    const package *x = a, *y = b;
    if (x->exclusive != y->exclusive) return x->exclusive > y->exclusive ? -1 : 1;
    return nytp_str_cmp(x->name, y->name);
}

static int is_without_file(const nytp_html *h, uint32_t sub) {
    return !h->p->subs[sub].home;
}

/* The called subs by package and name. */
static uint32_t collect(const nytp_html *h, entry *entries) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < h->p->subs_n; i++) {
        const nytp_sub *s = &h->p->subs[i];
        if (s->moved == i && !(s->flags & NYTP_SUB_PHASE) && nytp_profile_sub_called(s))
            entries[n++] = (entry){s->package, s->name, i};
    }
    qsort(entries, n, sizeof *entries, by_package);
    return n;
}

static uint32_t sum_up(const nytp_html *h, const entry *entries, uint32_t n, package *packages) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        const nytp_sub *s = &h->p->subs[entries[i].sub];
        if (!i || !nytp_str_eq(entries[i].package, entries[i - 1].package))
            packages[count++] = (package){.name = entries[i].package, .first = i, .best = entries[i].sub};
        package *p = &packages[count - 1];
        p->n++;
        p->calls = nytp_ticks_add(p->calls, s->calls);
        p->exclusive = nytp_ticks_add(p->exclusive, s->exclusive);
        if (s->exclusive > h->p->subs[p->best].exclusive) p->best = entries[i].sub;
    }
    return count;
}

static void put_name(nytp_buf *out, const nytp_html *h, nytp_str name) {
    nytp_escape_html(out, name.n ? name : nytp_str_c(h->words->no_package));
}

/* Leads to the sub that took most. */
static void put_package_row(nytp_buf *out, const nytp_html *h, const package *p) {
    nytp_text_format(out, "<tr><td data-v=%" PRIu32 ">%" PRIu32, p->n, p->n);
    nytp_parts_number_cell(out, p->calls);
    nytp_parts_heat_cell(out, h, p->exclusive);
    nytp_text_format(out, "<td data-v=%" PRId64 ">", p->exclusive);
    nytp_units_percent(out, p->exclusive, h->p->totals.whole);
    nytp_text_put(out, "<td class=name>");
    int linked = nytp_parts_sub_href(out, h, p->best);
    put_name(out, h, p->name);
    nytp_text_put(out, linked ? "</a>\n" : "\n");
}

static void put_package_subs(nytp_buf *out, const nytp_html *h, const package *p, const entry *entries) {
    int any = 0;
    for (uint32_t i = p->first; i < p->first + p->n; i++) {
        if (!is_without_file(h, entries[i].sub)) continue;
        if (!any++) {
            nytp_text_put(out, "<section class=others><h2>");
            put_name(out, h, p->name);
            nytp_text_put(out, "</h2>\n");
        }
        nytp_calls_article(out, h, entries[i].sub);
    }
    if (any) nytp_text_put(out, "</section>");
}

static int put_page(nytp_html *h, const entry *entries, package *packages, uint32_t n) {
    nytp_buf rows = {0}, subs = {0}, heading = {0};
    h->here = 0;
    for (uint32_t i = 0; i < n; i++) put_package_subs(&subs, h, &packages[i], entries);
    qsort(packages, n, sizeof *packages, most_first);
    for (uint32_t i = 0; i < n; i++) put_package_row(&rows, h, &packages[i]);
    nytp_parts_plural(&heading, n, h->words->package, h->words->packages);
    h->here = NYTP_PAGES_NOWHERE;
    const nytp_hole holes[] = {
        {"program", h->program},
        {"heading", nytp_page_bytes(&heading)},
        {"rows", nytp_page_bytes(&rows)},
        {"subs", nytp_page_bytes(&subs)},
    };
    int code = rows.failed || subs.failed ? NYTP_NOMEM : NYTP_OK;
    if (!code)
        code = nytp_parts_page(h, NYTP_LIT(NYTP_PAGES_OTHERS), "packages.html", holes, sizeof holes / sizeof *holes);
    nytp_buf_free(&rows);
    nytp_buf_free(&subs);
    nytp_buf_free(&heading);
    return code;
}

int nytp_pages_packages_write(nytp_html *h) {
    entry *entries = malloc((h->p->subs_n + 1u) * sizeof *entries);
    package *packages = malloc((h->p->subs_n + 1u) * sizeof *packages);
    int code = NYTP_NOMEM;
    if (entries && packages) {
        uint32_t n = collect(h, entries);
        code = put_page(h, entries, packages, sum_up(h, entries, n, packages));
    }
    free(entries);
    free(packages);
    return code;
}
