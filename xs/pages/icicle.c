/* SPDX-License-Identifier: MIT */
/* icicle.c - the call tree as a picture that needs no script: callers above their callees, as wide as their time, or as
 * their share of the metric that ranks. It has the few hundred widest frames. */
#include "pages/icicle.h"

#include <inttypes.h>
#include <stdlib.h>

#include "pages/parts.h"
#include "report/escape.h"
#include "report/kinds.h"
#include "report/text.h"

#define MOST_FRAMES 200
#define LEAST_SHARE 0.004  /* least share of the whole for a frame */
#define LABEL_SHARE 0.03   /* least share for a frame with a name */
#define DEEPEST 40
#define ROW 18             /* pixels */

typedef struct picture {
    const nytp_html *h;
    const nytp_calltree *t;
    const nytp_metric *metric; /* that the tree is of; NULL: time */
    nytp_buf *out;
    int64_t least;
    unsigned kinds; /* a bit for each enum nytp_code_kind in the picture */
    uint32_t frames, rows;
    int64_t x[DEEPEST + 2]; /* per depth: where the next frame begins, as a value of the tree */
} picture;

static double percent(const picture *d, int64_t value) {
    return 100.0 * (double)value / (double)d->t->at[0].total;
}

static void put_value(const picture *d, int64_t value) {
    if (d->metric) nytp_shown_value(d->out, d->metric, value);
    else nytp_parts_time(d->out, d->h, value);
}

static void put_name(const picture *d, uint32_t i) {
    if (i) nytp_parts_sub_name(d->out, d->h, d->t->at[i].callee);
    else nytp_text_put(d->out, "everything");
}

static enum nytp_code_kind kind_of(const picture *d, uint32_t i) {
    const nytp_sub *s = &d->h->p->subs[d->t->at[i].callee];
    const nytp_file *f = &d->h->p->files[s->file ? s->file : s->home];
    return i ? nytp_kinds_of_sub(s, nytp_kinds_of_file(d->h->p, f)) : NYTP_KIND_OWN;
}

static void put_frame(picture *d, uint32_t i, int64_t x) {
    const nytp_calltree_node *node = &d->t->at[i];
    int has_label = percent(d, node->total) >= 100 * LABEL_SHARE;
    enum nytp_code_kind kind = kind_of(d, i);
    d->kinds |= 1u << kind;
    nytp_text_format(d->out, "<svg x=%.2f%% y=%" PRIu32 " width=%.2f%% height=%d>", percent(d, x),
                     node->depth * ROW, percent(d, node->total), ROW);
    nytp_text_put(d->out, "<title>");
    put_name(d, i);
    nytp_text_put(d->out, ", ");
    put_value(d, node->total);
    nytp_text_format(d->out, "</title><rect width=100%% height=17 class=k%d />", (int)kind);
    if (has_label) {
        nytp_text_put(d->out, "<text x=3 y=13>");
        put_name(d, i);
        nytp_text_put(d->out, "</text>");
    }
    nytp_text_put(d->out, "</svg>\n");
}

/* The kinds that the picture has not are hidden: the script takes the names of all from here. */
static void put_legend(const picture *d) {
    const char *const titles[NYTP_KINDS] = {
        [NYTP_KIND_OWN] = "the program", [NYTP_KIND_LIBRARY] = "libraries",
        [NYTP_KIND_LOADING] = "compiling and loading", [NYTP_KIND_EVAL] = d->h->words->evals,
        [NYTP_KIND_IN_C] = "functions in C", [NYTP_KIND_REGEX] = "patterns", [NYTP_KIND_IO] = "input and output",
        [NYTP_KIND_SORT] = "sorting", [NYTP_KIND_WAITING] = "waiting", [NYTP_KIND_BUILTIN] = "other built-ins",
    };
    nytp_text_put(d->out, "<p class=\"tools legend\">");
    for (int kind = 0; kind < NYTP_KINDS; kind++)
        nytp_text_format(d->out, "<span%s><span class=\"swatch k%d\"></span>%s</span>\n",
                         d->kinds & 1u << kind ? "" : " hidden", kind, titles[kind]);
    nytp_text_put(d->out, "</p>");
}

/* Walks the tree; the first child begins where its parent does. With out NULL it only counts frames. */
static void walk(picture *d) {
    const nytp_calltree *t = d->t;
    d->frames = d->rows = 0;
    d->x[0] = 0;
    uint32_t i = 0;
    do {
        const nytp_calltree_node *node = &t->at[i];
        uint32_t depth = node->depth;
        if (depth <= DEEPEST) {
            int64_t x = d->x[depth];
            if (node->total >= d->least) {
                d->frames++;
                if (depth >= d->rows) d->rows = depth + 1;
                if (d->out) put_frame(d, i, x);
            }
            d->x[depth] = x + node->total;
            d->x[depth + 1] = x;
        }
        i = nytp_calltree_next(t, i);
    } while (i);
}

static void put_picture(picture *d) {
    nytp_buf *out = d->out;
    if (!d->t->n || d->t->at[0].total <= 0) return;
    d->least = (int64_t)((double)d->t->at[0].total * LEAST_SHARE);
    d->out = NULL;
    for (walk(d); d->frames > MOST_FRAMES; walk(d)) d->least += d->least / 4 + 1;
    d->out = out;
    nytp_text_format(out, "<svg class=icicle role=img aria-label=\"Call tree: callers above what they call\" "
                     "width=\"100%%\" height=%" PRIu32 ">\n", d->rows * ROW);
    walk(d);
    nytp_text_put(out, "</svg>");
    put_legend(d);
}

static int has_tree_of_metric(const nytp_html *h) {
    return h->of_subs.ranks && h->contexts.metrics[0].self && h->contexts.metrics[0].total > 0;
}

const nytp_metric *nytp_icicle_metric(const nytp_html *h) {
    return has_tree_of_metric(h) ? &h->p->metrics[h->of_subs.at[0]] : NULL;
}

/* Returns an nytp_code. */
static int make_tree(nytp_calltree *t, const nytp_profile *p, uint32_t metric) {
    const nytp_calltree_options options = {.metric = metric + 1};
    int code = nytp_calltree_profile(t, p, NULL, &options);
    if (code) return code;
    nytp_calltree_settle(t);
    return nytp_calltree_link(t, NULL, 1);
}

/* The tree of a metric is made for the picture only, as the tree of time is the one in order. */
static void put_of_metric(nytp_buf *out, const nytp_html *h) {
    nytp_calltree t = {0};
    picture d = {.h = h, .t = &t, .metric = nytp_icicle_metric(h), .out = out};
    if (make_tree(&t, h->p, h->of_subs.at[0])) out->failed = 1;
    else put_picture(&d);
    nytp_calltree_free(&t);
}

void nytp_icicle_put(nytp_buf *out, const nytp_html *h) {
    picture of_time = {.h = h, .t = &h->contexts.tree, .out = out};
    if (has_tree_of_metric(h)) put_of_metric(out, h);
    else put_picture(&of_time);
}
