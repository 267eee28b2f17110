/* SPDX-License-Identifier: MIT */
/* parts.c - the small pieces that pages are made of. */
#include "pages/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "model/language.h"
#include "model/order.h"
#include "pages/latency.h"
#include "report/escape.h"
#include "report/names.h"
#include "report/shown.h"
#include "report/text.h"
#include "report/units.h"

void nytp_parts_time(nytp_buf *out, const nytp_html *h, int64_t ticks) {
    nytp_units_time(out, nytp_profile_seconds(h->p, ticks));
}

void nytp_parts_share(nytp_buf *out, const nytp_html *h, int64_t ticks) {
    int is_grey = h->p->samples && nytp_profile_are_few(h->p->samples);
    if (is_grey) nytp_text_put(out, "<span class=muted>");
    nytp_shown_share(out, h->p, ticks);
    if (is_grey) nytp_text_put(out, "</span>");
}

void nytp_parts_average(nytp_buf *out, const nytp_html *h, int64_t ticks, int64_t count) {
    if (count > 0) nytp_units_time(out, nytp_profile_seconds(h->p, ticks) / (double)count);
}

void nytp_parts_count(nytp_buf *out, const nytp_html *h, int64_t n) {
    if (!n && (h->p->is_uncounted || h->p->is_seen)) return;
    if (h->p->estimate.n && n) nytp_buf_byte(out, '~');
    nytp_units_count(out, n);
}

void nytp_parts_statements(nytp_buf *out, const nytp_html *h, int64_t n) {
    nytp_parts_count(out, h, n);
    nytp_buf_byte(out, ' ');
    nytp_text_put(out, n == 1 ? h->words->statement : h->words->statements);
}

void nytp_parts_plural(nytp_buf *out, int64_t n, const char *one, const char *many) {
    nytp_units_count(out, n);
    nytp_buf_byte(out, ' ');
    nytp_text_put(out, n == 1 ? one : many);
}

void nytp_parts_sub_text(nytp_buf *out, const nytp_profile *p, uint32_t sub) {
    const nytp_sub *s = &p->subs[sub];
    nytp_buf name = {0};
    nytp_names_sub(&name, p, s);
    nytp_escape_html(out, nytp_page_bytes(&name));
    nytp_buf_done(&name, out);
    if (s->ordinal > 1) nytp_text_format(out, " #%" PRIu32, s->ordinal);
    if (!s->alias.n) return;
    nytp_text_put(out, " (called as ");
    nytp_escape_html(out, s->alias);
    nytp_buf_byte(out, ')');
}

/* The main programs of all processes are one sub, which the page of a file names in the file's language. */
void nytp_parts_sub_name(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    if (sub == NYTP_ROOT && h->here != NYTP_PAGES_NOWHERE) nytp_parts_root_name(out, h, h->here);
    else nytp_text_str(out, h->subs[sub]);
}

/* A host calls from no file: then the page's own tells the language. */
void nytp_parts_root_name(nytp_buf *out, const nytp_html *h, uint32_t file) {
    uint32_t known = h->p->files[file].process || h->here == NYTP_PAGES_NOWHERE ? file : h->here;
    const nytp_process *process = nytp_language_process(h->p, h->p->files[known].process);
    if (process) nytp_escape_html(out, nytp_language_root(process));
    else nytp_text_str(out, h->subs[NYTP_ROOT]);
}

static void hint(nytp_buf *out, const char *text) {
    nytp_text_format(out, "<span class=hint>%s</span>", text);
}

/* "bytes: 50 B self, 350 B total" */
static void hint_metric(nytp_buf *out, const nytp_html *h, const nytp_sub *s, uint32_t metric) {
    const nytp_metric *m = &h->p->metrics[metric];
    int64_t own = nytp_metrics_get(h->p, metric, s->own), whole = nytp_metrics_get(h->p, metric, s->whole);
    if (!own && !whole) return;
    nytp_text_put(out, "<span class=hint>");
    nytp_text_str(out, m->name);
    nytp_text_put(out, ": ");
    nytp_shown_value(out, m, own);
    nytp_text_put(out, " self, ");
    nytp_shown_value(out, m, whole);
    nytp_text_put(out, " total</span>");
}

void nytp_parts_sub_hints(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    const nytp_sub *s = &h->p->subs[sub];
    if (s->flags & NYTP_SUB_OPCODE) hint(out, "opcode");
    else if (s->flags & NYTP_SUB_XSUB) hint(out, h->languages[s->process].in_c);
    if (s->flags & NYTP_SUB_UNDEFINED) hint(out, "undefined");
    int is_earlier = !s->calls && s->callers.n && !h->p->is_uncounted;
    if (is_earlier && !(s->flags & NYTP_SUB_PHASE)) hint(out, "called earlier");
    for (uint32_t i = 0; i < h->of_subs.n; i++) hint_metric(out, h, s, h->of_subs.at[i]);
    if (!s->depth) return;
    nytp_text_put(out, "<span class=hint>recurses: ");
    if (s->recursive) {
        nytp_text_format(out, "depth %" PRIu32 ", nested ", s->depth);
        nytp_parts_time(out, h, nytp_profile_told(s->recursive, s->nested_spread));
    } else nytp_parts_plural(out, s->nested, "nested call", "nested calls");
    nytp_text_put(out, "</span>");
}

void nytp_parts_sub_id(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    const nytp_sub *s = &h->p->subs[sub];
    if (s->file && s->first_line) nytp_text_number(out, s->first_line);
    else nytp_names_anchor(out, h->p, sub);
}

int nytp_parts_sub_target(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    const nytp_sub *s = &h->p->subs[sub];
    if (s->flags & NYTP_SUB_PHASE || (s->home && !h->pages[s->home].n)) return 0;
    if (s->home != h->here) nytp_text_str(out, s->home ? h->pages[s->home] : NYTP_LIT(NYTP_PAGES_OTHERS));
    nytp_buf_byte(out, '#');
    nytp_parts_sub_id(out, h, sub);
    return 1;
}

int nytp_parts_sub_href(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    size_t begin = out->n;
    nytp_text_put(out, "<a href=");
    int linked = nytp_parts_sub_target(out, h, sub);
    if (linked) nytp_buf_byte(out, '>');
    else out->n = begin;
    return linked;
}

void nytp_parts_sub_link(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    int linked = nytp_parts_sub_href(out, h, sub);
    nytp_parts_sub_name(out, h, sub);
    if (linked) nytp_text_put(out, "</a>");
}

void nytp_parts_file_link(nytp_buf *out, const nytp_html *h, uint32_t file) {
    if (h->pages[file].n) {
        nytp_text_put(out, "<a href=");
        nytp_text_str(out, h->pages[file]);
        nytp_buf_byte(out, '>');
    }
    nytp_text_str(out, h->names[file]);
    if (h->pages[file].n) nytp_text_put(out, "</a>");
}

void nytp_parts_editor_link(nytp_buf *out, const nytp_html *h, nytp_str path, uint32_t line) {
    const char *rest = h->options->editor;
    nytp_text_put(out, "<a href=\"");
    for (const char *mark; (mark = strchr(rest, '%')) != NULL; rest = mark + 1 + (mark[1] != '\0')) {
        nytp_escape_html(out, (nytp_str){rest, (size_t)(mark - rest)});
        if (mark[1] == 'f') nytp_escape_url(out, path);
        else if (mark[1] == 'l') nytp_text_number(out, line);
        else nytp_escape_html(out, (nytp_str){mark, mark[1] ? 2 : 1});
    }
    nytp_escape_html(out, nytp_str_c(rest));
    nytp_text_put(out, "\">");
}

/* The last part of a path; for an eval its whole name, which ends in ] behind a path. */
static nytp_str base_name(nytp_str name) {
    if (name.n && name.p[name.n - 1] == ']') return name;
    for (size_t i = name.n; i-- > 0;)
        if (name.p[i] == '/') return (nytp_str){name.p + i + 1, name.n - i - 1};
    return name;
}

/* Line 0 is the call site of calls by perl itself: END blocks, signal handlers, the beginning. */
static int is_on_a_page(const nytp_html *h, uint32_t file, uint32_t line) {
    return line && h->pages[file].n;
}

int nytp_parts_line_href(nytp_buf *out, const nytp_html *h, uint32_t file, uint32_t line) {
    if (!is_on_a_page(h, file, line)) return 0;
    nytp_text_put(out, "<a href=");
    if (file != h->here) nytp_text_str(out, h->pages[file]);
    nytp_text_around(out, "#", line, ">");
    return 1;
}

void nytp_parts_line_name(nytp_buf *out, const nytp_html *h, uint32_t file, uint32_t line) {
    if (line && nytp_profile_file_used(&h->p->files[file])) {
        nytp_text_str(out, base_name(h->names[file]));
        nytp_text_around(out, ":", line, "");
    } else nytp_text_put(out, file ? "outside any line" : "no known line");
}

void nytp_parts_number_cell(nytp_buf *out, int64_t n) {
    nytp_text_put(out, n < 0 ? "<td>-" : "<td>");
    nytp_units_count(out, n < 0 ? nytp_ticks_minus(0, n) : n);
}

void nytp_parts_calls_cell(nytp_buf *out, const nytp_html *h, int64_t n) {
    if (n || !h->p->is_uncounted) nytp_parts_number_cell(out, n);
    else nytp_text_put(out, "<td>");
}

/* A time with its heat and, for the bar below it, its share of the run. */
void nytp_parts_heat_cell(nytp_buf *out, const nytp_html *h, int64_t ticks) {
    int64_t total = h->p->totals.whole;
    double share = total > 0 && ticks > 0 ? 100.0 * (double)ticks / (double)total : 0;
    int heat = nytp_order_heat(ticks, total);
    if (heat) nytp_text_format(out, "<td class=\"t h%d\" style=\"--w:%.1f%%\"", heat, share);
    else nytp_text_put(out, "<td");
    nytp_text_put(out, " data-v=");
    nytp_text_signed(out, ticks);
    nytp_buf_byte(out, '>');
    nytp_parts_time(out, h, ticks);
}

void nytp_parts_sub_row(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    const nytp_sub *s = &h->p->subs[sub];
    int64_t exclusive = nytp_profile_told(s->exclusive, s->spread);
    int64_t inclusive = nytp_profile_told(s->inclusive, s->whole_spread);
    nytp_text_put(out, "<tr>");
    nytp_parts_calls_cell(out, h, s->calls);
    nytp_parts_number_cell(out, s->places);
    nytp_parts_number_cell(out, s->caller_files);
    nytp_parts_heat_cell(out, h, exclusive);
    nytp_text_put(out, "<td>");
    nytp_parts_share(out, h, exclusive);
    nytp_parts_heat_cell(out, h, inclusive);
    nytp_text_format(out, "<td data-v=%.0f>", s->calls > 0 ? 1000.0 * (double)inclusive / (double)s->calls : 0.0);
    nytp_parts_average(out, h, inclusive, s->calls);
    nytp_pages_latency_cells(out, h, sub);
    nytp_text_put(out, "<td class=name>");
    nytp_parts_sub_link(out, h, sub);
    nytp_parts_sub_hints(out, h, sub);
    nytp_text_put(out, "</tr>\n");
}

int nytp_parts_page(nytp_html *h, nytp_str page, const char *template, const nytp_hole *holes, size_t n) {
    nytp_hole *all = malloc((NYTP_WORDS_HOLES + n) * sizeof *all);
    nytp_buf out = {0};
    if (!all) return NYTP_NOMEM;
    nytp_words_holes(h->words, all);
    memcpy(all + NYTP_WORDS_HOLES, holes, n * sizeof *all);
    int code = nytp_page_fill(&out, nytp_page_asset(template), all, NYTP_WORDS_HOLES + n);
    if (out.failed) code = NYTP_NOMEM;
    if (!code) code = nytp_sink_put(h->sink, page, out.p, out.n);
    nytp_buf_free(&out);
    free(all);
    return code;
}
