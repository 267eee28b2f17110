/* SPDX-License-Identifier: MIT */
/* latency.c - quantiles of the times of calls, and a picture: classes of times from left to right, each with a bar as
 * high as the logarithm of its number, rounded, so that two calls of a hundred are seen. */
#include "pages/latency.h"

#include <inttypes.h>

#include "base/ticks.h"
#include "model/quantile.h"
#include "report/text.h"
#include "report/units.h"

#define BARS 48    /* at most */
#define BAR 4      /* px of width */
#define HEIGHT 14  /* px */

#define DOUBLINGS 65 /* binary digits of a length, and none */

/* ---- columns ---- */

void nytp_pages_latency_heads(nytp_buf *out, const nytp_html *h) {
    if (!h->p->is_timed) return;
    nytp_text_put(out, "<th scope=col><abbr title=\"Half of the calls took no longer\">p50</abbr>"
                       "<th scope=col><abbr title=\"99 of 100 calls took no longer\">p99</abbr>"
                       "<th scope=col><abbr title=\"The longest call\">max</abbr>");
}

static void put_ns(nytp_buf *out, uint64_t ns) { nytp_units_time(out, (double)ns / NYTP_NANOSECONDS); }

static void put_cell(nytp_buf *out, uint64_t ns) {
    nytp_text_format(out, "<td data-v=%" PRIu64 ">", ns);
    put_ns(out, ns);
}

static int is_known(const nytp_lengths *l) { return l && l->count > 0; }

void nytp_pages_latency_cells(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    const nytp_lengths *l = h->p->subs[sub].lengths;
    if (!h->p->is_timed) return;
    if (is_known(l)) {
        put_cell(out, nytp_quantile_of(l, 500));
        put_cell(out, nytp_quantile_of(l, 990));
        put_cell(out, nytp_quantile_longest(l));
    } else nytp_text_put(out, "<td><td><td>");
}

/* ---- the data of the index ---- */

static uint64_t p50_of(const nytp_lengths *l) { return nytp_quantile_of(l, 500); }
static uint64_t p99_of(const nytp_lengths *l) { return nytp_quantile_of(l, 990); }

static uint32_t digits_of(uint64_t n) { return n ? 64u - (uint32_t)__builtin_clzll(n) : 0; }

/* By the binary digits of a length: the calls of such lengths. */
static void count_doublings(const nytp_lengths *l, uint64_t calls[DOUBLINGS]) {
    for (uint32_t i = 0; i < DOUBLINGS; i++) calls[i] = 0;
    for (uint32_t i = 0; l && i < NYTP_BUCKETS; i++)
        calls[digits_of(nytp_buckets_least(i))] += (uint64_t)nytp_quantile_number(l, i);
}

static void put_spread(nytp_buf *out, const nytp_lengths *l) {
    uint64_t calls[DOUBLINGS];
    uint32_t first = 0, end = DOUBLINGS;
    count_doublings(l, calls);
    while (first < end && !calls[first]) first++;
    while (end > first && !calls[end - 1]) end--;
    nytp_buf_u(out, end - first);
    if (first < end) nytp_buf_u(out, first);
    for (uint32_t i = first; i < end; i++) nytp_buf_u(out, digits_of(calls[i]));
}

void nytp_pages_latency_data(nytp_buf *out, const nytp_html *h, const uint32_t *subs, uint32_t n) {
    static uint64_t (*const columns[])(const nytp_lengths *l) = {p50_of, p99_of, nytp_quantile_longest};
    nytp_buf_u(out, h->p->is_timed != 0);
    if (!h->p->is_timed) return;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        for (uint32_t i = 0; i < n; i++) {
            const nytp_lengths *l = h->p->subs[subs[i]].lengths;
            nytp_buf_u(out, l ? columns[c](l) : 0);
        }
    for (uint32_t i = 0; i < n; i++) put_spread(out, h->p->subs[subs[i]].lengths);
}

/* ---- the picture ---- */

typedef struct range { /* of buckets that have calls; a bar is for so many of them */
    uint32_t first, last, each;
} range;

static range range_of(const nytp_lengths *l) {
    range r = {NYTP_BUCKETS, 0, 1};
    for (uint32_t i = 0; i < NYTP_BUCKETS; i++) {
        if (!nytp_quantile_number(l, i)) continue;
        if (r.first == NYTP_BUCKETS) r.first = i;
        r.last = i;
    }
    while ((r.last - r.first) / r.each >= BARS) r.each++;
    return r;
}

/* The binary digits of its number. */
static int height_of(const nytp_lengths *l, const range *r, uint32_t bar) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < r->each && r->first + bar * r->each + i < NYTP_BUCKETS; i++)
        n += (uint64_t)nytp_quantile_number(l, r->first + bar * r->each + i);
    return (int)digits_of(n);
}

static void put_picture(nytp_buf *out, const nytp_lengths *l) {
    range r = range_of(l);
    if (r.first == NYTP_BUCKETS) return;
    uint32_t bars = (r.last - r.first) / r.each + 1;
    int most = 1;
    for (uint32_t i = 0; i < bars; i++) most = height_of(l, &r, i) > most ? height_of(l, &r, i) : most;
    nytp_text_format(out, " <svg class=times role=img width=%" PRIu32 " height=%d aria-label=\"Calls by time, from ",
                     bars * BAR, HEIGHT);
    put_ns(out, nytp_buckets_least(r.first));
    nytp_text_put(out, " to ");
    put_ns(out, nytp_quantile_longest(l));
    nytp_text_put(out, "\">");
    for (uint32_t i = 0; i < bars; i++) {
        double height = (double)HEIGHT * height_of(l, &r, i) / most;
        if (height > 0) nytp_text_format(out, "<rect x=%" PRIu32 " y=%.1f width=%d height=%.1f />", i * BAR,
                                         HEIGHT - height, BAR - 1, height);
    }
    nytp_text_put(out, "</svg>");
}

/* ---- the line ---- */

static void put_quantile(nytp_buf *out, const char *name, uint64_t ns) {
    nytp_text_format(out, "%s <b>", name);
    put_ns(out, ns);
    nytp_text_put(out, "</b>");
}

uint32_t nytp_pages_latency_put(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    const nytp_lengths *l = h->p->subs[sub].lengths;
    uint64_t first = nytp_profile_first_start(h->p);
    if (!is_known(l) || l->count < 2) return 0;
    nytp_text_put(out, "<p class=times>Per call: ");
    put_quantile(out, "p50", nytp_quantile_of(l, 500));
    put_quantile(out, ", p90", nytp_quantile_of(l, 900));
    put_quantile(out, ", p99", nytp_quantile_of(l, 990));
    put_quantile(out, ", longest", nytp_quantile_longest(l));
    if (first && l->began >= first) {
        nytp_text_put(out, " at ");
        put_ns(out, l->began - first);
    }
    put_picture(out, l);
    nytp_text_put(out, "</p>\n");
    return 1;
}

void nytp_pages_latency_edge(nytp_buf *out, const nytp_html *h, const nytp_edge *e) {
    const nytp_lengths *l = nytp_profile_edge_lengths(h->p, e);
    if (!is_known(l) || l->count < 2) return;
    nytp_text_put(out, ", p99 ");
    put_ns(out, nytp_quantile_of(l, 990));
    nytp_text_put(out, ", longest ");
    put_ns(out, nytp_quantile_longest(l));
}
