/* SPDX-License-Identifier: MIT */
/* loading.c - a section of the index: the time of loading modules. */
#include "pages/loading.h"

#include <inttypes.h>

#include "model/order.h"
#include "pages/parts.h"
#include "report/escape.h"
#include "report/text.h"
#include "report/units.h"

#define SHOWN 25        /* rows, until a reader asks for more */
#define TENTHS 10000000 /* of microseconds, by which rows are sorted */

static void put_cell(nytp_buf *out, const nytp_html *h, int64_t ticks) {
    int heat = nytp_order_heat(ticks, h->p->totals.whole);
    nytp_text_format(out, heat ? "<td class=h%d" : "<td", heat);
    nytp_text_format(out, " data-v=%" PRIu64 ">", nytp_units_whole(ticks, h->p->ticks_per_second, TENTHS));
    nytp_parts_time(out, h, ticks);
}

static void put_row(nytp_buf *out, const nytp_html *h, const nytp_module *m) {
    nytp_text_put(out, "<tr>\n"); /* a newline at the end would be in the name */
    put_cell(out, h, m->total);
    put_cell(out, h, m->own);
    nytp_text_put(out, "<td>");
    if (m->uses) nytp_units_count(out, m->uses);
    nytp_text_put(out, "<td class=name>");
    nytp_str page = m->line ? h->pages[m->file] : (nytp_str){NULL, 0};
    if (page.n) nytp_text_format(out, "<a href=%.*s#%" PRIu32 ">", (int)page.n, page.p, m->line);
    nytp_escape_html(out, m->name);
    if (page.n) nytp_text_put(out, "</a>");
}

void nytp_pages_loading_put(nytp_buf *out, const nytp_html *h, const nytp_loading *l) {
    if (!l->n || l->total <= 0) return;
    nytp_text_put(out, "<section aria-labelledby=loading><h2 id=loading>Loading modules: ");
    nytp_parts_time(out, h, l->total);
    nytp_text_put(out, ", ");
    nytp_parts_share(out, h, l->total);
    nytp_text_put(out, "</h2><p class=muted>Compiling the program, and what <code>use</code> and <code>require</code> "
                       "took: compiling, running the module, and import. Total is with the modules that a module is "
                       "the first to use, and is saved if it is not loaded. A link leads to the statement that took "
                       "longest.</p>");
    nytp_text_format(out, "<div class=scroll tabindex=0 role=region aria-label=Modules><table class=sort data-most=%d "
                     "data-filter=\"Filter modules\"><thead><tr><th scope=col aria-sort=descending>Total"
                     "<th scope=col>Self<th scope=col>Uses<th scope=col class=name>Module<tbody>", SHOWN);
    for (uint32_t i = 0; i < l->n; i++) put_row(out, h, &l->modules[i]);
    nytp_text_put(out, "</table></div></section>");
}
