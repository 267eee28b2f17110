/* SPDX-License-Identifier: MIT */
/* changes_page.c - the HTML page of what differs between two builds: tables, which scripts can sort and filter. */
#include "pages/changes_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "pages/build_page.h"
#include "pages/inline.h"
#include "report/escape.h"
#include "report/page.h"
#include "report/text.h"
#include "report/units.h"

#define MOST 500 /* rows of a table */

/* ---- cells ---- */

static void put_amount(nytp_buf *out, double value, int is_time) {
    if (is_time) nytp_units_time(out, value);
    else nytp_units_count(out, (int64_t)value);
}

/* A cell of a change: its sign is seen, and it can be sorted. */
static void put_change(nytp_buf *out, double change, int is_time) {
    nytp_text_format(out, "<td data-v=%.9f>", change);
    if (change) nytp_text_put(out, change > 0 ? "+" : "\xE2\x88\x92");
    put_amount(out, change < 0 ? -change : change, is_time);
}

static void put_side(nytp_buf *out, double value, int is_time) {
    nytp_text_format(out, "<td data-v=%.9f>", value);
    put_amount(out, value, is_time);
}

/* Of what was there before. */
static void put_share(nytp_buf *out, double old, double new) {
    double share = old > 0 ? 100 * (new - old) / old : 0;
    nytp_text_format(out, "<td data-v=%.6f>", share);
    if (old > 0) nytp_text_format(out, share < 10000 ? "%+.1f %%" : "%+.0e %%", share);
}

/* ---- tables ---- */

static void put_row(nytp_buf *out, const nytp_change *row) {
    const int64_t *old = row->values[NYTP_CHANGES_OLD], *new = row->values[NYTP_CHANGES_NEW];
    nytp_text_put(out, "<tr>");
    put_change(out, 1e-9 * (double)nytp_changes_by(row, NYTP_CHANGES_REAL), 1);
    if (!old[NYTP_CHANGES_COUNT]) nytp_text_put(out, "<td data-v=1e9>new");
    else if (!new[NYTP_CHANGES_COUNT]) nytp_text_put(out, "<td data-v=-100>gone");
    else put_share(out, (double)old[NYTP_CHANGES_REAL], (double)new[NYTP_CHANGES_REAL]);
    put_side(out, 1e-9 * (double)old[NYTP_CHANGES_REAL], 1);
    put_side(out, 1e-9 * (double)new[NYTP_CHANGES_REAL], 1);
    put_change(out, 1e-6 * (double)nytp_changes_by(row, NYTP_CHANGES_USER), 1);
    put_change(out, 1e-6 * (double)nytp_changes_by(row, NYTP_CHANGES_SYSTEM), 1);
    put_change(out, (double)nytp_changes_by(row, NYTP_CHANGES_COUNT), 0);
    put_change(out, (double)nytp_changes_by(row, NYTP_CHANGES_BLOCKS), 0);
    nytp_text_put(out, "<td class=name>");
    nytp_build_parts_text(out, row->name);
    nytp_text_put(out, "</tr>\n");
}

static void put_section(nytp_buf *out, const nytp_changes_table *t, const nytp_build_section *section,
                        uint32_t most) {
    uint32_t all = nytp_changes_count(&t->changes), shown = 0;
    nytp_build_parts_begin(out, section, all);
    for (uint32_t i = 0; i < t->changes.n && shown < most; i++)
        if (nytp_changes_has_changed(&t->changes.rows[i])) put_row(out, &t->changes.rows[i]), shown++;
    nytp_build_parts_end(out, shown, all);
}

#define COLUMNS "Real|%|Old real|New real|User|System|Processes|Blocks|"
#define MEANING \
    "Real time is that in which no process directly below ran, user and system time and blocks are without those of " \
    "processes below: so the changes add up to those of the build. "

static void put_table(nytp_buf *out, const nytp_changes_request *r, uint32_t table) {
    static const struct {
        const char *meaning, *columns, *filter;
    } of[] = {[NYTP_CHANGES_CLASS] = {MEANING, COLUMNS "Class", "Filter classes"},
              [NYTP_CHANGES_TARGET] = {MEANING "A target is below the directory of the build.", COLUMNS "Target",
                                       "Filter targets"},
              [NYTP_CHANGES_DIRECTORY] = {MEANING "Directories are below that of the build.", COLUMNS "Directory",
                                          "Filter directories"}};
    const nytp_changes_table *t = &r->tables[table];
    nytp_buf heading = {0};
    char id[32];
    snprintf(id, sizeof id, "table-%" PRIu32, table);
    nytp_text_put(&heading, "By ");
    nytp_build_parts_text(&heading, t->title);
    nytp_buf_byte(&heading, 0);
    nytp_build_section section = {id, heading.failed ? "" : (const char *)heading.p, of[t->of].meaning,
                                  of[t->of].columns, of[t->of].filter};
    if (t->changes.n) put_section(out, t, &section, r->most ? r->most : MOST);
    nytp_buf_done(&heading, out);
}

static void put_figures(nytp_buf *out, const nytp_changes_request *r) {
    nytp_changes_figure figures[NYTP_CHANGES_FIGURES];
    nytp_changes_figures(figures, r->builds);
    for (int i = 0; i < NYTP_CHANGES_FIGURES; i++) {
        const nytp_changes_figure *f = &figures[i];
        const double old = f->values[NYTP_CHANGES_OLD], new = f->values[NYTP_CHANGES_NEW];
        nytp_text_put(out, "<tr>");
        put_side(out, old, f->is_time);
        put_side(out, new, f->is_time);
        put_change(out, new - old, f->is_time);
        put_share(out, old, new);
        nytp_text_format(out, "<td class=name>%s</tr>\n", f->title);
    }
}

/* ---- the page ---- */

static void put_build(nytp_buf *out, const nytp_build *b) {
    char text[64];
    time_t t = (time_t)(b->first / 1000000000);
    struct tm tm;
    size_t n = localtime_r(&t, &tm) ? strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z", &tm) : 0;
    nytp_text_put(out, "<code>");
    nytp_build_parts_text(out, b->path);
    nytp_text_put(out, "</code>, ");
    nytp_buf_bytes(out, text, n);
    nytp_text_put(out, ", <code>");
    nytp_build_parts_command(out, b, b->processes[0].command);
    nytp_text_put(out, "</code> in <code>");
    nytp_build_parts_text(out, b->texts[b->processes[0].directory]);
    nytp_text_put(out, "</code>");
}

static int compose(nytp_buf *out, const nytp_changes_request *r) {
    enum { OLD, NEW, FIGURES, TABLES, MEASURED, HOLES };
    nytp_buf pieces[HOLES] = {{0}};
    nytp_inline in = {{0}, {0}, {0}};
    put_build(&pieces[OLD], &r->builds[NYTP_CHANGES_OLD]);
    put_build(&pieces[NEW], &r->builds[NYTP_CHANGES_NEW]);
    put_figures(&pieces[FIGURES], r);
    for (uint32_t i = 0; i < r->tables_n; i++) put_table(&pieces[TABLES], r, i);
    nytp_text_put(&pieces[MEASURED], "Made by Devel::NYTProf ");
    nytp_escape_html(&pieces[MEASURED], nytp_str_c(r->version));
    nytp_text_put(&pieces[MEASURED], ".");
    nytp_inline_styles(&in);
    nytp_inline_script(&in, nytp_page_asset("theme.js"));
    nytp_inline_script(&in, nytp_page_asset("report.js"));
    nytp_hole holes[] = {{"head", nytp_page_bytes(&in.head)}, {"tail", nytp_page_bytes(&in.tail)},
                         {"policy", nytp_page_bytes(&in.policy)}, {"old", nytp_page_bytes(&pieces[OLD])},
                         {"new", nytp_page_bytes(&pieces[NEW])}, {"figures", nytp_page_bytes(&pieces[FIGURES])},
                         {"tables", nytp_page_bytes(&pieces[TABLES])},
                         {"measured", nytp_page_bytes(&pieces[MEASURED])}};
    int code = nytp_page_fill(out, nytp_page_asset("changes.html"), holes, sizeof holes / sizeof *holes);
    for (int i = 0; i < HOLES; i++) nytp_buf_done(&pieces[i], out);
    if (in.head.failed || in.tail.failed || in.policy.failed) out->failed = 1;
    nytp_inline_free(&in);
    return out->failed ? NYTP_NOMEM : code;
}

int nytp_changes_page_write(const nytp_changes_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    int code = compose(&out, r);
    nytp_sink_begin(sink, NYTP_LIT("diff.html"));
    return nytp_sink_finish(sink, &out, code);
}
