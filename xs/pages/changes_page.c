/* SPDX-License-Identifier: MIT */
/* changes_page.c - the HTML page of what differs between two builds: tables, which scripts can sort and filter. */
#include "pages/changes_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "pages/build_page.h"
#include "pages/difference.h"
#include "report/text.h"

/* ---- tables ---- */

static void put_row(nytp_buf *out, const nytp_change *row) {
    const int64_t *old = row->values[NYTP_CHANGES_OLD], *new = row->values[NYTP_CHANGES_NEW];
    nytp_text_put(out, "<tr>");
    nytp_difference_change(out, 1e-9 * (double)nytp_changes_by(row, NYTP_CHANGES_REAL), 1);
    if (!old[NYTP_CHANGES_COUNT]) nytp_difference_lone(out, NYTP_CHANGES_NEW);
    else if (!new[NYTP_CHANGES_COUNT]) nytp_difference_lone(out, NYTP_CHANGES_OLD);
    else nytp_difference_share(out, (double)old[NYTP_CHANGES_REAL], (double)new[NYTP_CHANGES_REAL]);
    nytp_difference_side(out, 1e-9 * (double)old[NYTP_CHANGES_REAL], 1);
    nytp_difference_side(out, 1e-9 * (double)new[NYTP_CHANGES_REAL], 1);
    nytp_difference_change(out, 1e-6 * (double)nytp_changes_by(row, NYTP_CHANGES_USER), 1);
    nytp_difference_change(out, 1e-6 * (double)nytp_changes_by(row, NYTP_CHANGES_SYSTEM), 1);
    nytp_difference_change(out, (double)nytp_changes_by(row, NYTP_CHANGES_COUNT), 0);
    nytp_difference_change(out, (double)nytp_changes_by(row, NYTP_CHANGES_BLOCKS), 0);
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
    if (t->changes.n) put_section(out, t, &section, r->most ? r->most : NYTP_DIFFERENCE_MOST);
    nytp_buf_done(&heading, out);
}

static void put_figures(nytp_buf *out, const nytp_changes_request *r) {
    nytp_changes_figure figures[NYTP_CHANGES_FIGURES];
    nytp_changes_figures(figures, r->builds);
    for (int i = 0; i < NYTP_CHANGES_FIGURES; i++) {
        const nytp_changes_figure *f = &figures[i];
        nytp_difference_figure(out, f->title, f->values[NYTP_CHANGES_OLD], f->values[NYTP_CHANGES_NEW], f->is_time);
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

int nytp_changes_page_write(const nytp_changes_request *r, nytp_sink *sink) {
    nytp_difference_page page = {.title = "Two builds compared"};
    put_build(&page.old, &r->builds[NYTP_CHANGES_OLD]);
    put_build(&page.new, &r->builds[NYTP_CHANGES_NEW]);
    put_figures(&page.figures, r);
    for (uint32_t i = 0; i < r->tables_n; i++) put_table(&page.tables, r, i);
    return nytp_difference_write(&page, r->version, sink);
}
