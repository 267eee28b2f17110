/* html_calls.c - what stands between the lines of source: who called this sub, what this line called, what it
 * evaluated. */
#include "report/html.h"
#include "report/text.h"
#include "report/units.h"

/* "1.23 s (1.00 s own)", without the bracket where all of it is the callee's own */
static void put_edge_time(nytp_buf *out, const nytp_html *h, int64_t inclusive, int64_t exclusive) {
    nytp_text_put(out, "<b>");
    nytp_html_time(out, h, inclusive);
    nytp_text_put(out, "</b>");
    if (inclusive == exclusive) return;
    nytp_text_put(out, " (");
    nytp_html_time(out, h, exclusive);
    nytp_text_put(out, " own)");
}

int64_t nytp_html_edge_ticks(const nytp_edge *e) {
    return e->inclusive || !e->depth ? e->inclusive : e->recursive;
}

/* Nested calls are no part of a sum: they say so. */
static void put_nested(nytp_buf *out, const nytp_html *h, const nytp_edge *e) {
    if (!e->depth) return;
    nytp_text_format(out, ", recursion to depth %u", e->depth);
    if (!e->inclusive) {
        nytp_text_put(out, ", part of an outer call");
        return;
    }
    nytp_text_put(out, ", ");
    nytp_html_time(out, h, e->recursive);
    nytp_text_put(out, " nested");
}

static void put_caller(nytp_buf *out, const nytp_html *h, const nytp_edge *e) {
    nytp_text_put(out, "<li>");
    put_edge_time(out, h, nytp_html_edge_ticks(e), e->exclusive);
    nytp_text_put(out, " in ");
    nytp_html_plural(out, e->calls, "call", "calls");
    nytp_text_put(out, " by ");
    nytp_html_sub_link(out, h, e->caller);
    nytp_text_put(out, ", ");
    nytp_html_line_link(out, h, e->file, e->line);
    if (e->calls > 1) {
        nytp_text_put(out, ", ");
        nytp_html_average(out, h, nytp_html_edge_ticks(e), e->calls);
        nytp_text_put(out, " each");
    }
    put_nested(out, h, e);
    nytp_text_put(out, "\n");
}

/* Opens a fold after the first few rows of a long list; true if it did. */
static int fold(nytp_buf *out, uint32_t i, uint32_t n) {
    if (i != NYTP_HTML_LISTED || n < NYTP_HTML_LISTED + 3) return 0;
    nytp_text_format(out, "<li><details><summary>%u more</summary><ul>\n", n - i);
    return 1;
}

static void unfold(nytp_buf *out, int folded) {
    nytp_text_put(out, folded ? "</ul></details></ul>" : "</ul>");
}

static void put_call_summary(nytp_buf *out, const nytp_html *h, const nytp_sub *s) {
    nytp_text_put(out, "<li>");
    put_edge_time(out, h, s->inclusive, s->exclusive);
    nytp_text_put(out, " in this sub, called ");
    nytp_html_plural(out, s->calls, "time", "times");
    nytp_text_put(out, " from ");
    nytp_html_plural(out, s->places, "place", "places");
    nytp_text_put(out, " in ");
    nytp_html_plural(out, s->caller_files, "file", "files");
    if (s->calls > 1) {
        nytp_text_put(out, ", ");
        nytp_html_average(out, h, s->inclusive, s->calls);
        nytp_text_put(out, " each");
    }
}

void nytp_html_callers(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    const nytp_sub *s = &h->p->subs[sub];
    int folded = 0;
    nytp_text_put(out, "<ul class=in>");
    put_call_summary(out, h, s);
    nytp_html_sub_hints(out, h, sub);
    nytp_text_put(out, "\n");
    for (uint32_t i = 0; i < s->callers.n; i++) {
        folded |= fold(out, i, s->callers.n);
        put_caller(out, h, &h->p->edges[s->callers.first + i]);
    }
    unfold(out, folded);
}

static void put_callee(nytp_buf *out, const nytp_html *h, const nytp_edge *e) {
    nytp_text_put(out, "<li>");
    put_edge_time(out, h, nytp_html_edge_ticks(e), e->exclusive);
    nytp_text_put(out, " in ");
    nytp_html_plural(out, e->calls, "call", "calls");
    nytp_text_put(out, " to ");
    nytp_html_sub_link(out, h, e->callee);
    if (e->calls > 1) {
        nytp_text_put(out, ", ");
        nytp_html_average(out, h, nytp_html_edge_ticks(e), e->calls);
        nytp_text_put(out, " each");
    }
    put_nested(out, h, e);
    nytp_text_put(out, "\n");
}

void nytp_html_callees(nytp_buf *out, const nytp_html *h, const uint32_t *sites, uint32_t n) {
    int folded = 0;
    nytp_text_put(out, "<ul class=out>");
    for (uint32_t i = 0; i < n; i++) {
        folded |= fold(out, i, n);
        put_callee(out, h, &h->p->edges[sites[i]]);
    }
    unfold(out, folded);
}

static void put_eval(nytp_buf *out, const nytp_html *h, uint32_t file) {
    const nytp_file *f = &h->p->files[file];
    nytp_text_put(out, "<li><b>");
    nytp_html_time(out, h, f->ticks);
    nytp_text_put(out, "</b> in ");
    nytp_html_plural(out, f->count, "statement", "statements");
    nytp_text_put(out, f->merged > 1 ? " of " : " of string eval ");
    if (f->merged > 1) nytp_html_plural(out, f->merged, "", "string evals like ");
    nytp_text_put(out, "<a href=\"");
    nytp_text_str(out, h->pages[file]);
    nytp_text_put(out, "\">");
    nytp_text_str(out, h->names[file]);
    nytp_text_put(out, "</a>\n");
}

void nytp_html_evals(nytp_buf *out, const nytp_html *h, const uint32_t *evals, uint32_t n) {
    int folded = 0;
    nytp_text_put(out, "<ul class=ran>");
    for (uint32_t i = 0; i < n; i++) {
        folded |= fold(out, i, n);
        put_eval(out, h, evals[i]);
    }
    unfold(out, folded);
}
