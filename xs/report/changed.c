/* SPDX-License-Identifier: MIT */
/* changed.c - what differs between two builds, for a terminal. */
#include <inttypes.h>
#include <stdio.h>

#include "report/changes.h"
#include "report/text.h"

#define NAME 20 /* columns */
#define MOST 20 /* rows of a table */

/* The end of a long name tells more than its beginning. */
static void put_name(nytp_buf *out, nytp_str name) {
    size_t from = name.n > NAME ? name.n - NAME + 2 : 0, n = from ? 2 : 0;
    if (from) nytp_text_put(out, "..");
    for (size_t i = from; i < name.n; i++, n++) {
        unsigned char c = (unsigned char)name.p[i];
        nytp_buf_byte(out, c >= ' ' && c <= '~' ? c : '?');
    }
    for (; n < NAME; n++) nytp_buf_byte(out, ' ');
}

static void put_seconds(nytp_buf *out, int64_t change, double unit) {
    double seconds = unit * (double)change;
    nytp_text_format(out, seconds > -99999 && seconds < 99999 ? "%+11.3f" : "%+11.3e", seconds);
}

/* Of what was there before. */
static void put_share(nytp_buf *out, const nytp_change *row, enum nytp_changes_value value) {
    double old = (double)row->values[NYTP_CHANGES_OLD][value], change = (double)nytp_changes_by(row, value);
    const char *word = !row->values[NYTP_CHANGES_OLD][NYTP_CHANGES_COUNT]   ? "new"
                       : !row->values[NYTP_CHANGES_NEW][NYTP_CHANGES_COUNT] ? "gone"
                                                                            : "";
    double share = old > 0 ? 100 * change / old : 0;
    if (*word || old <= 0) nytp_text_format(out, " %6s", word);
    else if (share < 10000) nytp_text_format(out, " %+5.0f%%", share);
    else nytp_text_format(out, "  >x100");
}

static void put_row(nytp_buf *out, const nytp_change *row) {
    put_name(out, row->name);
    put_seconds(out, nytp_changes_by(row, NYTP_CHANGES_REAL), 1e-9);
    put_share(out, row, NYTP_CHANGES_REAL);
    put_seconds(out, nytp_changes_by(row, NYTP_CHANGES_USER), 1e-6);
    put_seconds(out, nytp_changes_by(row, NYTP_CHANGES_SYSTEM), 1e-6);
    nytp_text_format(out, " %+6" PRId64 " %+10" PRId64 "\n", nytp_changes_by(row, NYTP_CHANGES_COUNT),
                     nytp_changes_by(row, NYTP_CHANGES_BLOCKS));
}

static void put_table(nytp_buf *out, const nytp_changes_table *t, uint32_t most) {
    const nytp_changes *c = &t->changes;
    uint32_t rows = nytp_changes_count(c), shown = 0;
    nytp_change total = c->total;
    total.name = NYTP_LIT("TOTAL");
    nytp_text_put(out, "\nCHANGES BY ");
    nytp_buf_bytes(out, t->title.p, t->title.n < 60 ? t->title.n : 60);
    nytp_text_format(out, "\n\n%-20s%11s %6s%11s%11s %6s %10s\n", "", "real s", "", "user s", "system s", "n",
                     "blocks");
    for (uint32_t i = 0; i < c->n && shown < most; i++)
        if (nytp_changes_has_changed(&c->rows[i])) put_row(out, &c->rows[i]), shown++;
    put_row(out, &total);
    if (rows > shown) nytp_text_around(out, "(", rows - shown, " more with smaller changes)\n");
    if (c->n > rows) nytp_text_around(out, "(", c->n - rows, " without any change)\n");
}

static void put_figure(nytp_buf *out, const nytp_changes_figure *f) {
    const double old = f->values[NYTP_CHANGES_OLD], new = f->values[NYTP_CHANGES_NEW];
    const double numbers[] = {old, new, new - old};
    nytp_text_put(out, f->title);
    nytp_text_format(out, "%-*s", NAME - (int)nytp_str_c(f->title).n, f->is_time ? ", s" : "");
    for (int i = 0; i < 3; i++) nytp_text_format(out, "%14.*f", f->is_time ? 3 : 0, numbers[i]);
    if (old > 0) nytp_text_format(out, " %+8.1f%%", 100 * (new - old) / old);
    nytp_text_put(out, "\n");
}

int nytp_changed_write(const nytp_changes_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    nytp_changes_figure figures[NYTP_CHANGES_FIGURES];
    nytp_changes_figures(figures, r->builds);
    nytp_text_format(&out, "%-20s%14s%14s%14s\n", "", "old", "new", "change");
    for (int i = 0; i < NYTP_CHANGES_FIGURES; i++) put_figure(&out, &figures[i]);
    for (uint32_t i = 0; i < r->tables_n; i++)
        if (r->tables[i].changes.n) put_table(&out, &r->tables[i], r->most ? r->most : MOST);
    nytp_sink_begin(sink, NYTP_LIT("diff.txt"));
    return nytp_sink_finish(sink, &out, NYTP_OK);
}
