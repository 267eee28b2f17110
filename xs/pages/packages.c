/* SPDX-License-Identifier: MIT */
/* packages.c - one page of packages: the time of each, and the subs without a file, with their callers. */
#include "pages/pages.h"

#include <inttypes.h>

#include "model/packages.h"
#include "pages/calls.h"
#include "pages/parts.h"
#include "report/escape.h"
#include "report/text.h"

static int is_without_file(const nytp_html *h, uint32_t sub) {
    return !h->p->subs[sub].home;
}

static void put_name(nytp_buf *out, const nytp_html *h, nytp_str name) {
    nytp_escape_html(out, name.n ? name : nytp_str_c(h->words->no_package));
}

/* Links to the sub with the most time. */
static void put_package_row(nytp_buf *out, const nytp_html *h, const nytp_package *p) {
    nytp_text_put(out, "<tr>");
    nytp_parts_number_cell(out, p->n);
    nytp_parts_calls_cell(out, h, p->calls);
    nytp_parts_heat_cell(out, h, p->exclusive);
    nytp_text_format(out, "<td data-v=%" PRId64 ">", p->exclusive);
    nytp_parts_share(out, h, p->exclusive);
    nytp_text_put(out, "<td class=name>");
    int linked = nytp_parts_sub_href(out, h, p->best);
    put_name(out, h, p->name);
    nytp_text_put(out, linked ? "</a>\n" : "\n");
}

static void put_package_subs(nytp_buf *out, const nytp_html *h, const nytp_package *p, const uint32_t *subs) {
    int any = 0;
    for (uint32_t i = p->first; i < p->first + p->n; i++) {
        if (!is_without_file(h, subs[i])) continue;
        if (!any++) {
            nytp_text_put(out, "<section class=others><h2>");
            put_name(out, h, p->name);
            nytp_text_put(out, "</h2>\n");
        }
        nytp_calls_article(out, h, subs[i]);
    }
    if (any) nytp_text_put(out, "</section>");
}

static int put_page(nytp_html *h, nytp_packages *packages) {
    nytp_buf rows = {0}, subs = {0}, heading = {0};
    h->here = 0;
    for (uint32_t i = 0; i < packages->n; i++) put_package_subs(&subs, h, &packages->at[i], packages->subs);
    nytp_packages_rank(packages);
    for (uint32_t i = 0; i < packages->n; i++) put_package_row(&rows, h, &packages->at[i]);
    nytp_parts_plural(&heading, packages->n, h->words->package, h->words->packages);
    h->here = NYTP_PAGES_NOWHERE;
    const nytp_hole holes[] = {
        {"program", h->program},
        {"heading", nytp_page_bytes(&heading)},
        {"rows", nytp_page_bytes(&rows)},
        {"subs", nytp_page_bytes(&subs)},
    };
    int code = rows.failed || subs.failed || heading.failed ? NYTP_NOMEM : NYTP_OK;
    if (!code)
        code = nytp_parts_page(h, NYTP_LIT(NYTP_PAGES_OTHERS), "packages.html", holes, sizeof holes / sizeof *holes);
    nytp_buf_free(&rows);
    nytp_buf_free(&subs);
    nytp_buf_free(&heading);
    return code;
}

int nytp_pages_packages_write(nytp_html *h) {
    nytp_packages packages = {0};
    int code = nytp_packages_find(&packages, h->p);
    if (!code) code = put_page(h, &packages);
    nytp_packages_free(&packages);
    return code;
}
