/* SPDX-License-Identifier: MIT */
/* strip.c - a strip of time: a lane for each process, whose slices are divided by what passed in them, below the marks
 * and the longest spans of the program. It needs no script; html/app/strip.mjs reads the same slices from the data
 * attributes of its box. The same in words is in worded.c. */
#include "pages/strip.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/ticks.h"
#include "model/named.h"
#include "model/quantile.h"
#include "pages/exports.h"
#include "pages/parts.h"
#include "pages/worded.h"
#include "report/escape.h"
#include "report/text.h"
#include "report/units.h"

#define WIDE 10000       /* units of a lane's width; its height has 100 */
#define ALONE 72         /* pixels of a lane that is the only one */
#define LANE 34          /* else; with 2 below it */
#define ROW 16           /* of marks, of a span, of the axis */
#define MOST_SPANS 4u
#define MOST_LABELS 5    /* of the axis */
#define LABEL_SHARE 0.04 /* of the width, for the name of a mark */

/* ---- where things are ---- */

static double share_of(const nytp_strip *d, uint64_t ns) {
    uint64_t all = d->s.last - d->s.first, at = ns > d->s.first ? ns - d->s.first : 0;
    return all ? (double)(at < all ? at : all) / (double)all : 0;
}

static int lane_height(const nytp_strip *d) { return d->s.lanes_n == 1 ? ALONE : LANE; }
static int top_of(const nytp_strip *d) { return ROW * (int)((d->marks_n != 0) + d->spans_n); }
static int bottom_of(const nytp_strip *d) { return top_of(d) + (lane_height(d) + 2) * (int)d->s.lanes_n; }

/* ---- marks and spans ---- */

static int is_before(const nytp_strip *d, uint32_t a, uint32_t b) {
    return d->h->p->marks[a].at < d->h->p->marks[b].at;
}

/* The first ones in time. */
static void choose_marks(nytp_strip *d) {
    for (uint32_t i = 0; i < d->h->p->marks_n; i++) {
        uint32_t at = d->marks_n;
        if (at == NYTP_STRIP_MARKS) {
            d->marks_more++;
            if (!is_before(d, i, d->marks[at - 1])) continue;
            at--;
        } else d->marks_n++;
        for (; at > 0 && is_before(d, i, d->marks[at - 1]); at--) d->marks[at] = d->marks[at - 1];
        d->marks[at] = i;
    }
}

static void put_title(const nytp_strip *d, nytp_str name, uint64_t at) {
    nytp_text_put(d->out, "<title>");
    nytp_escape_html(d->out, name);
    nytp_text_put(d->out, ", at ");
    nytp_units_time(d->out, (double)at / NYTP_NANOSECONDS);
    nytp_text_put(d->out, "</title>");
}

/* Names are cut where the next mark begins. */
static void put_marks(const nytp_strip *d) {
    for (uint32_t i = 0; i < d->marks_n; i++) {
        const nytp_mark *m = &d->h->p->marks[d->marks[i]];
        const nytp_mark *behind = i + 1 < d->marks_n ? &d->h->p->marks[d->marks[i + 1]] : NULL;
        uint64_t at = nytp_worded_since(d, m->at);
        double x = share_of(d, at), next = behind ? share_of(d, nytp_worded_since(d, behind->at)) : 1;
        nytp_text_format(d->out, "<line class=mark x1=%.2f%% x2=%.2f%% y2=%d>", 100 * x, 100 * x, bottom_of(d));
        put_title(d, m->name, at);
        nytp_text_put(d->out, "</line>\n");
        if (next - x < LABEL_SHARE) continue;
        nytp_text_format(d->out, "<svg x=%.2f%% width=%.2f%% height=%d>", 100 * x, 100 * (next - x), ROW);
        nytp_text_put(d->out, "<text x=3 y=12>");
        nytp_escape_html(d->out, m->name);
        nytp_text_put(d->out, "</text></svg>\n");
    }
}

/* The longest one of each name. */
static void put_spans(const nytp_strip *d) {
    for (uint32_t i = 0; i < d->spans_n; i++) {
        const nytp_labelled *n = d->spans[i];
        uint64_t at = nytp_worded_since(d, n->all.began);
        double x = share_of(d, at), end = share_of(d, at + nytp_quantile_longest(&n->all));
        int y = ROW * (int)((d->marks_n != 0) + i), is_left = x < 0.6;
        nytp_text_format(d->out, "<svg x=%.2f%% y=%d width=%.2f%% height=%d>", 100 * x, y, 100 * (end - x), ROW - 2);
        put_title(d, n->name, at);
        nytp_text_put(d->out, "<rect width=100% height=100% class=span /></svg>");
        nytp_text_format(d->out, "<text x=%.2f%% y=%d%s>", 100 * (is_left ? x : end), y + 11,
                         is_left ? " dx=3" : " dx=-3 text-anchor=end");
        nytp_escape_html(d->out, n->name);
        nytp_text_put(d->out, "</text>\n");
    }
}

/* ---- lanes ---- */

/* Tenths of a hundredth of a slice's height. Where the clock stood still the slice is not filled. */
static int height_of(const nytp_strip *d, const nytp_piece *piece, int64_t ticks) {
    uint64_t wall = piece->end - piece->begin, length = nytp_worded_ns(d, piece->length);
    uint64_t whole = wall > length ? wall : length;
    return whole ? (int)(1000.0 * (double)nytp_worded_ns(d, ticks) / (double)whole + 0.5) : 0;
}

static int x_of(const nytp_strip *d, uint64_t ns) { return (int)(WIDE * share_of(d, ns) + 0.5); }

/* One path for each thing that passed, of a rectangle for each slice. */
static void put_passed(const nytp_strip *d, uint32_t lane, int what) {
    int is_begun = 0;
    for (uint32_t i = 0; i < d->s.n; i++) {
        const nytp_piece *piece = &d->s.at[i];
        int x = x_of(d, piece->begin), width = x_of(d, piece->end) - x, below = 0;
        if (piece->lane != lane || width <= 0) continue;
        for (int k = 0; k < what; k++) below += height_of(d, piece, piece->ticks[k]);
        int height = height_of(d, piece, piece->ticks[what]);
        if (below + height > 1000) height = 1000 - below;
        if (height <= 0) continue;
        if (!is_begun) nytp_text_format(d->out, "<path class=%s d=\"", nytp_worded_passed[what].class);
        is_begun = 1;
        nytp_text_format(d->out, "M%d %dh%dv%dh-%dz", x, 1000 - below - height, width, height, width);
    }
    if (is_begun) nytp_text_put(d->out, "\"/>");
}

static void put_lanes(const nytp_strip *d) {
    int height = lane_height(d);
    for (uint32_t lane = 0; lane < d->s.lanes_n; lane++) {
        int y = top_of(d) + (height + 2) * (int)lane;
        nytp_text_format(d->out, "<rect class=ground y=%d width=100%% height=%d />", y, height);
        nytp_text_format(d->out, "<svg y=%d width=100%% height=%d viewBox=\"0 0 %d 1000\" preserveAspectRatio=none>", y,
                         height, WIDE);
        for (int what = 0; what < NYTP_PASSED; what++) put_passed(d, lane, what);
        nytp_text_put(d->out, "</svg>\n");
        if (d->s.lanes_n == 1) continue;
        nytp_text_format(d->out, "<text x=4 y=%d>", y + 13);
        nytp_worded_process(d, lane);
        nytp_text_put(d->out, "</text>\n");
    }
}

/* 1, 2 or 5 times a power of ten, in ns: the least with few enough labels. */
static uint64_t step_of(uint64_t length) {
    static const unsigned factors[] = {2, 5, 10};
    for (uint64_t power = 1000; power < UINT64_MAX / 100; power *= 10)
        for (size_t i = 0; i < 3; i++)
            if (length / (power * factors[i]) < MOST_LABELS) return power * factors[i];
    return UINT64_MAX;
}

static void put_axis(const nytp_strip *d) {
    uint64_t step = step_of(d->s.last - d->s.first);
    for (uint64_t at = (d->s.first + step - 1) / step * step; at < d->s.last; at += step) {
        double x = 100 * share_of(d, at);
        nytp_text_format(d->out, "<line class=grid x1=%.2f%% x2=%.2f%% y1=%d y2=%d />", x, x, top_of(d),
                         bottom_of(d) + 4);
        if (x > 88) continue;
        nytp_text_format(d->out, "<text class=axis x=%.2f%% dx=3 y=%d>", x, bottom_of(d) + 12);
        nytp_units_time(d->out, (double)at / NYTP_NANOSECONDS);
        nytp_text_put(d->out, "</text>\n");
    }
}

/* ---- the section ---- */

static void put_section(const nytp_strip *d) {
    nytp_text_put(d->out, "<section aria-labelledby=when><h2 id=when>When</h2>");
    nytp_worded_when(d);
    nytp_text_put(d->out, "<div id=strip data-passed=\"");
    for (int k = 0; k < NYTP_PASSED; k++) nytp_text_format(d->out, "%s%s", k ? ";" : "", nytp_worded_passed[k].name);
    nytp_text_format(d->out, "\" data-last=%" PRIu64, nytp_slices_us(d->s.last));
    nytp_text_put(d->out, " data-files=\"");
    nytp_exports_files(d->out, d->h->p);
    nytp_text_put(d->out, "\"");
    nytp_text_format(d->out, " data-top=%d data-height=%d>", top_of(d), bottom_of(d) - top_of(d));
    nytp_text_format(d->out, "<svg class=strip width=100%% height=%d role=img aria-label=\"What passed when; the table "
                             "below has the same\">\n", bottom_of(d) + ROW);
    put_lanes(d);
    put_axis(d);
    put_spans(d);
    put_marks(d);
    nytp_text_put(d->out, "</svg></div>");
    nytp_worded_untold(d);
    nytp_text_put(d->out, "<p id=stretch hidden></p>\n");
    nytp_worded_table(d);
    nytp_text_put(d->out, "</section>\n");
}

static int is_there(const nytp_slices *s) { return s->n && s->last > s->first; }

void nytp_pages_strip_bar(nytp_buf *out, const nytp_html *h, const nytp_slices *s) {
    nytp_strip d = {.h = h, .out = out, .s = *s};
    if (is_there(s)) nytp_worded_bar(&d);
}

int nytp_pages_strip_put(nytp_buf *out, const nytp_html *h, const nytp_slices *s) {
    nytp_strip d = {.h = h, .out = out, .s = *s};
    if (!is_there(s)) return NYTP_OK;
    d.spans = nytp_named_order(h->p, NYTP_LABEL_SPAN, &d.spans_n);
    if (!d.spans) return NYTP_NOMEM;
    if (d.spans_n > MOST_SPANS) d.spans_n = MOST_SPANS;
    choose_marks(&d);
    put_section(&d);
    free(d.spans);
    return NYTP_OK;
}
