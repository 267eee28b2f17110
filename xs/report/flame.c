/* SPDX-License-Identifier: MIT */
/* flame.c - draws stacks as SVG, from their sums, in one walk to measure and one to draw. */
#include "report/flame.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ticks.h"
#include "report/colors.h"
#include "report/escape.h"
#include "report/page.h"
#include "report/text.h"

#define MARGIN 10.0 /* pixels left and right */
#define ABOVE 3.0   /* line heights above the frames: title and controls */
#define BELOW 2.5   /* and below them: the details */

typedef struct drawing {
    const nytp_flame *flame;
    const nytp_stacks *s;
    nytp_buf *out;
    int64_t total;
    int64_t largest_delta;
    double scale; /* pixels per unit of value */
    double line;  /* height of a line of text */
    double height;
    int64_t x[NYTP_CALLTREE_DEEPEST + 2]; /* per depth: where the next frame begins, in units of value */
} drawing;

nytp_flame nytp_flame_default(void) {
    return (nytp_flame){
        .title = NYTP_LIT("Flame Graph"), .font = NYTP_LIT("Verdana"), .count_name = NYTP_LIT("samples"),
        .name_type = NYTP_LIT("Function:"), .colors = NYTP_LIT("hot"), .width = 1200, .frame_height = 16,
        .min_width = 0.1, .font_size = 12, .font_width = 0.59, .factor = 1,
    };
}

/* ---- one frame ---- */

static const nytp_flame_link *link_of(const nytp_flame *flame, nytp_str name) {
    uint32_t low = 0, high = flame->links_n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = nytp_str_cmp(flame->links[middle].name, name);
        if (order == 0) return &flame->links[middle];
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return NULL;
}

/* As much of a name as fits; n is in characters, of which a byte 10xxxxxx begins none. */
static nytp_str cut(nytp_str text, size_t n) {
    size_t i = 0;
    for (; i < text.n; i++)
        if (((unsigned char)text.p[i] & 0xC0) != 0x80 && n-- == 0) break;
    return (nytp_str){text.p, i};
}

static void put_label(drawing *d, nytp_str name, double width, double x, double y) {
    double fits = (width - 6) / (d->flame->font_size * d->flame->font_width);
    nytp_buf shown = {0};
    if (fits < 3) return;
    nytp_text_format(d->out, "<text x=\"%.2f\" y=\"%.1f\">", x + 3,
                     y + (d->flame->frame_height + 0.7 * d->flame->font_size) / 2 - 0.5);
    nytp_escape_text(&shown, name);
    nytp_str text = nytp_page_bytes(&shown);
    if (cut(text, (size_t)fits).n == text.n) nytp_escape_html(d->out, text);
    else {
        nytp_escape_html(d->out, cut(text, (size_t)fits - 2));
        nytp_text_put(d->out, "..");
    }
    nytp_text_put(d->out, "</text>");
    nytp_buf_done(&shown, d->out);
}

static double percent(int64_t part, int64_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* A number with commas between thousands, without superfluous decimals, at most two. */
static void put_value(drawing *d, double value) {
    char digits[64];
    int n = snprintf(digits, sizeof digits, "%.2f", value < 0 || value > 1e18 ? 0 : value), whole = n - 3;
    while (n > whole && (digits[n - 1] == '0' || digits[n - 1] == '.')) digits[--n] = '\0';
    for (int i = 0; i < n; i++) {
        if (i && i < whole && (whole - i) % 3 == 0) nytp_buf_byte(d->out, ',');
        nytp_buf_byte(d->out, (unsigned char)digits[i]);
    }
}

static int64_t delta_of(const drawing *d, const nytp_calltree_node *f) {
    return nytp_calltree_delta(&d->s->tree, (uint32_t)(f - d->s->tree.at));
}

static void put_title(drawing *d, const nytp_calltree_node *f, nytp_str name, const nytp_flame_link *link) {
    nytp_text_put(d->out, "<title>");
    nytp_escape_html(d->out, link && link->title.n ? link->title : name);
    nytp_text_put(d->out, " (");
    put_value(d, (double)f->total * d->flame->factor);
    nytp_buf_byte(d->out, ' ');
    nytp_escape_html(d->out, d->flame->count_name);
    nytp_text_format(d->out, ", %.2f%%", percent(f->total, d->total));
    if (d->largest_delta) nytp_text_format(d->out, "; %+.2f%%", percent(delta_of(d, f), d->total));
    nytp_text_put(d->out, ")</title>");
}

static double left(const drawing *d, int64_t x) {
    return MARGIN + (double)x * d->scale;
}

static double top(const drawing *d, uint32_t depth) {
    double h = d->flame->frame_height;
    return d->flame->inverted ? ABOVE * d->line + depth * h : d->height - BELOW * d->line - (depth + 1) * h;
}

static uint32_t color_of(const drawing *d, const nytp_calltree_node *f, nytp_str name) {
    if (!d->largest_delta) return nytp_colors_name(d->flame->colors, name);
    double share = (double)delta_of(d, f) / (double)d->largest_delta;
    return nytp_colors_delta(d->flame->negate ? -share : share);
}

static void put_frame(drawing *d, const nytp_calltree_node *f, int64_t x) {
    nytp_str name = f->depth ? d->s->names[f->callee] : NYTP_LIT("all");
    const nytp_flame_link *link = link_of(d->flame, name);
    double width = (double)(f->depth ? f->total : d->total) * d->scale, y = top(d, f->depth);
    if (link) {
        nytp_text_put(d->out, "<a tabindex=\"-1\" href=\"");
        nytp_escape_html(d->out, link->href);
        nytp_text_put(d->out, "\">");
    } else nytp_text_put(d->out, "<g>");
    put_title(d, f, name, link);
    nytp_text_format(d->out, "<rect x=\"%.3f\" y=\"%.1f\" width=\"%.3f\" height=\"%.1f\" fill=\"#%06" PRIx32 "\"/>",
                     left(d, x), y, width, d->flame->frame_height - 1, color_of(d, f, name));
    put_label(d, name, width, left(d, x), y);
    nytp_text_put(d->out, link ? "</a>\n" : "</g>\n");
}

/* ---- all of them ---- */

static int is_drawn(const drawing *d, const nytp_calltree_node *f) {
    return !f->depth || (f->total > 0 && (double)f->total * d->scale >= d->flame->min_width);
}

/* Calls `what` for each frame that is drawn, with its left edge. The first child begins where its parent does. */
static void walk(drawing *d, void (*what)(drawing *d, const nytp_calltree_node *f, int64_t x)) {
    uint32_t i = 0;
    d->x[0] = 0;
    do {
        const nytp_calltree_node *f = &d->s->tree.at[i];
        int64_t x = d->x[f->depth];
        if (is_drawn(d, f)) what(d, f, x);
        if (f->total > 0) d->x[f->depth] = nytp_ticks_add(x, f->total);
        d->x[f->depth + 1] = x;
        i = nytp_calltree_next(&d->s->tree, i);
    } while (i);
}

static void measure(drawing *d, const nytp_calltree_node *f, int64_t x) {
    double height = (f->depth + 1) * d->flame->frame_height + (ABOVE + BELOW) * d->line;
    int64_t delta = delta_of(d, f);
    (void)x;
    if (delta < 0) delta = nytp_ticks_minus(0, delta);
    if (height > d->height) d->height = height;
    if (f->depth && delta > d->largest_delta) d->largest_delta = delta;
}

/* Values for holes, in the arena; p is NULL when memory is short. */
static nytp_str number(nytp_arena *a, const char *format, double value) {
    char text[64];
    int n = snprintf(text, sizeof text, format, value);
    return nytp_arena_str(a, (nytp_str){text, (size_t)n});
}

static nytp_str escaped(nytp_arena *a, nytp_str s) {
    nytp_buf text = {0};
    nytp_escape_html(&text, s);
    nytp_str kept = text.failed ? (nytp_str){NULL, 0} : nytp_arena_str(a, nytp_page_bytes(&text));
    nytp_buf_free(&text);
    return kept;
}

static int fill(nytp_buf *out, const nytp_flame *flame, double height, nytp_str frames) {
    nytp_arena a = {0};
    const nytp_hole holes[] = {
        {"title", escaped(&a, flame->title)},
        {"font", escaped(&a, flame->font)},
        {"name_type", escaped(&a, flame->name_type)},
        {"width", number(&a, "%.0f", flame->width)},
        {"height", number(&a, "%.0f", height)},
        {"middle", number(&a, "%.0f", flame->width / 2)},
        {"right", number(&a, "%.0f", flame->width - MARGIN)},
        {"bottom", number(&a, "%.0f", height - MARGIN)},
        {"font_size", number(&a, "%.1f", flame->font_size)},
        {"title_size", number(&a, "%.1f", flame->font_size + 5)},
        {"letter", number(&a, "%.3f", flame->font_size * flame->font_width)},
        {"script", nytp_page_asset("flame.js")},
        {"frames", frames},
    };
    size_t n = sizeof holes / sizeof *holes;
    int code = NYTP_OK;
    for (size_t i = 0; i + 1 < n; i++)
        if (!holes[i].value.p) code = NYTP_NOMEM;
    if (!code) code = nytp_page_fill(out, nytp_page_asset("flame.svg"), holes, n);
    nytp_arena_free(&a);
    return out->failed ? NYTP_NOMEM : code;
}

int nytp_flame_svg(nytp_buf *out, const nytp_stacks *s, const nytp_flame *flame) {
    int64_t all = s->tree.n ? s->tree.at[0].total : 0;
    if (all <= 0) return nytp_flame_error(out, flame, NYTP_LIT("there is nothing to draw"));
    nytp_buf frames = {0};
    drawing d = {.flame = flame, .s = s, .out = &frames, .line = flame->font_size + 6};
    d.total = flame->total > all ? flame->total : all;
    d.scale = (flame->width - 2 * MARGIN) / (double)d.total;
    walk(&d, measure);
    walk(&d, put_frame);
    int code = frames.failed ? NYTP_NOMEM : fill(out, flame, d.height, nytp_page_bytes(&frames));
    nytp_buf_free(&frames);
    return code;
}

int nytp_flame_error(nytp_buf *out, const nytp_flame *flame, nytp_str message) {
    nytp_buf text = {0};
    nytp_text_format(&text, "<text class=\"error\" x=\"%.0f\" y=\"24\">ERROR: ", flame->width / 2);
    nytp_escape_html(&text, message);
    nytp_text_put(&text, "</text>\n");
    int code = text.failed ? NYTP_NOMEM : fill(out, flame, 60, nytp_page_bytes(&text));
    nytp_buf_free(&text);
    return code;
}
