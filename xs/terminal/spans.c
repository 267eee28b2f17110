/* SPDX-License-Identifier: MIT */
/* spans.c - what the program itself has given names to: spans with their quantiles, counts and marks. */
#include <stdlib.h>
#include <time.h>

#include "base/ticks.h"
#include "model/named.h"
#include "model/quantile.h"
#include "report/escape.h"
#include "report/registry.h"
#include "report/text.h"
#include "report/units.h"
#include "terminal/cells.h"

#define COUNT 9 /* columns of a number */
#define TIME 10 /* and of a time */

enum { TOP };

static const nytp_arg args[] = {
    [TOP] = NYTP_ARGS_TOP,
    {0},
};

static void put_name(nytp_buf *out, nytp_str name) {
    nytp_text_put(out, "  ");
    nytp_escape_text(out, name);
    nytp_buf_byte(out, '\n');
}

static void put_count(nytp_buf *out, nytp_buf *cell, int64_t n, uint32_t width) {
    if (n < 0) nytp_buf_byte(cell, '-');
    nytp_units_count(cell, n < 0 ? nytp_ticks_minus(0, n) : n);
    nytp_cells_right(out, nytp_page_bytes(cell), width);
    nytp_buf_rewind(cell);
}

static void put_time(nytp_buf *out, nytp_buf *cell, uint64_t ns) {
    nytp_units_time(cell, (double)ns / NYTP_NANOSECONDS);
    nytp_cells_right(out, nytp_page_bytes(cell), TIME);
    nytp_buf_rewind(cell);
}

/* "14:03:07.291", by the clock of this machine. */
static void put_moment(nytp_buf *out, uint64_t ns) {
    time_t seconds = (time_t)(ns / NYTP_NANOSECONDS);
    struct tm tm;
    char text[16];
    size_t n = localtime_r(&seconds, &tm) ? strftime(text, sizeof text, "%H:%M:%S", &tm) : 0;
    nytp_text_put(out, "  ");
    nytp_text_str(out, (nytp_str){text, n});
    nytp_text_format(out, ".%03u", (unsigned)(ns % NYTP_NANOSECONDS / 1000000));
}

static void put_span(nytp_buf *out, nytp_buf *cell, const nytp_labelled *n) {
    put_count(out, cell, n->all.count, COUNT);
    put_time(out, cell, n->all.sum > 0 ? (uint64_t)n->all.sum : 0);
    put_time(out, cell, nytp_quantile_of(&n->all, 500));
    put_time(out, cell, nytp_quantile_of(&n->all, 900));
    put_time(out, cell, nytp_quantile_of(&n->all, 990));
    put_time(out, cell, nytp_quantile_longest(&n->all));
    put_moment(out, n->all.began);
    put_name(out, n->name);
}

static void put_sum(nytp_buf *out, nytp_buf *cell, const nytp_labelled *n) {
    put_count(out, cell, n->all.count, COUNT);
    put_count(out, cell, n->all.sum, COUNT + TIME);
    put_name(out, n->name);
}

typedef void row(nytp_buf *out, nytp_buf *cell, const nytp_labelled *n);

/* Returns the number of rows that there are. */
static uint32_t put_table(nytp_buf *out, const nytp_request *r, enum nytp_label_of of, const char *heading, row *put) {
    uint32_t n;
    nytp_buf cell = {0};
    const nytp_labelled **all = nytp_named_order(r->profiles, of, &n);
    if (!all) out->failed = 1;
    if (n) nytp_text_put(out, heading);
    for (uint32_t i = 0; all && i < n && i < r->selection->top; i++) put(out, &cell, all[i]);
    nytp_buf_done(&cell, out);
    free(all);
    return n;
}

static void put_marks(nytp_buf *out, const nytp_request *r) {
    const nytp_profile *p = r->profiles;
    if (p->marks_n) nytp_text_put(out, "  marks at\n");
    for (uint32_t i = 0; i < p->marks_n && i < r->selection->top; i++) {
        put_moment(out, p->marks[i].at);
        put_name(out, p->marks[i].name);
    }
}

static int write_spans(const nytp_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    uint32_t n = r->profiles->marks_n;
    nytp_sink_begin(sink, NYTP_LIT("nytprof.spans"));
    n += put_table(&out, r, NYTP_LABEL_SPAN,
                   "    spans     total       p50       p90       p99   longest  at            name\n", put_span);
    n += put_table(&out, r, NYTP_LABEL_COUNT, "  counted                sum  name\n", put_sum);
    put_marks(&out, r);
    if (!n) nytp_text_put(&out, "The program has named no spans, counts or marks (Devel::NYTProf::Mark).\n");
    return nytp_sink_finish(sink, &out, NYTP_OK);
}

const nytp_report nytp_spans_report = {
    .name = "spans",
    .task = NYTP_TASK_LOOK,
    .summary = "prints spans, counts and marks that the program has named",
    .output = "-",
    .is_page = 1,
    .args = args,
    .write = write_spans,
};
