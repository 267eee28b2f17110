/* SPDX-License-Identifier: MIT */
/* difference.c - cells and the frame of the HTML pages of what differs between two sides. */
#include "pages/difference.h"

#include "pages/inline.h"
#include "report/escape.h"
#include "report/page.h"
#include "report/text.h"
#include "report/units.h"

/* ---- cells ---- */

static void put_amount(nytp_buf *out, double value, int is_time) {
    if (is_time) nytp_units_time(out, value);
    else nytp_units_count(out, (int64_t)value);
}

void nytp_difference_change(nytp_buf *out, double change, int is_time) {
    nytp_text_format(out, "<td data-v=%.9f>", change);
    if (change) nytp_text_put(out, change > 0 ? "+" : "\xE2\x88\x92");
    put_amount(out, change < 0 ? -change : change, is_time);
}

void nytp_difference_side(nytp_buf *out, double value, int is_time) {
    nytp_text_format(out, "<td data-v=%.9f>", value);
    put_amount(out, value, is_time);
}

void nytp_difference_share(nytp_buf *out, double old, double new) {
    double share = old > 0 ? 100 * (new - old) / old : 0;
    nytp_text_format(out, "<td data-v=%.6f>", share);
    if (!(old > 0)) return;
    if (share) nytp_text_put(out, share > 0 ? "+" : "\xE2\x88\x92");
    nytp_text_format(out, share < 10000 ? "%.1f %%" : "%.0e %%", share < 0 ? -share : share);
}

void nytp_difference_lone(nytp_buf *out, int side) {
    nytp_text_put(out, side ? "<td data-v=1e9>new" : "<td data-v=-100>gone");
}

void nytp_difference_figure(nytp_buf *out, const char *title, double old, double new, int is_time) {
    nytp_text_put(out, "<tr>");
    nytp_difference_side(out, old, is_time);
    nytp_difference_side(out, new, is_time);
    nytp_difference_change(out, new - old, is_time);
    nytp_difference_share(out, old, new);
    nytp_text_format(out, "<td class=name>%s</tr>\n", title);
}

/* ---- the page ---- */

static int fill(nytp_buf *out, const nytp_difference_page *p, const char *version) {
    nytp_buf measured = {0};
    nytp_inline in = {{0}, {0}, {0}};
    nytp_text_put(&measured, "Made by Devel::NYTProf ");
    nytp_escape_html(&measured, nytp_str_c(version));
    nytp_text_put(&measured, ".");
    nytp_inline_styles(&in);
    nytp_inline_script(&in, nytp_page_asset("theme.js"));
    nytp_inline_script(&in, nytp_page_asset("report.js"));
    const nytp_hole holes[] = {
        {"head", nytp_page_bytes(&in.head)}, {"tail", nytp_page_bytes(&in.tail)},
        {"policy", nytp_page_bytes(&in.policy)}, {"title", nytp_str_c(p->title)},
        {"old", nytp_page_bytes(&p->old)}, {"new", nytp_page_bytes(&p->new)},
        {"figures", nytp_page_bytes(&p->figures)}, {"tables", nytp_page_bytes(&p->tables)},
        {"measured", nytp_page_bytes(&measured)}};
    int code = nytp_page_fill(out, nytp_page_asset("changes.html"), holes, sizeof holes / sizeof *holes);
    out->failed |= in.head.failed | in.tail.failed | in.policy.failed;
    nytp_buf_done(&measured, out);
    nytp_inline_free(&in);
    return code;
}

int nytp_difference_write(nytp_difference_page *p, const char *version, nytp_sink *sink) {
    nytp_buf out = {0}, *const pieces[] = {&p->old, &p->new, &p->figures, &p->tables};
    int code = fill(&out, p, version);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) nytp_buf_done(pieces[i], &out);
    if (out.failed) code = NYTP_NOMEM;
    nytp_sink_begin(sink, NYTP_LIT("diff.html"));
    return nytp_sink_finish(sink, &out, code);
}
