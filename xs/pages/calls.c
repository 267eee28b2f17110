/* SPDX-License-Identifier: MIT */
/* calls.c - the lists between lines of source: a sub's callers, a line's callees and evals. Entries of calls have cells
 * below each other: time, self time, number of calls, time of each, and the other sub with the rest. */
#include "pages/calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "pages/latency.h"
#include "pages/parts.h"
#include "report/text.h"
#include "report/units.h"

/* The figures of an edge with nested calls only. */
static int is_nested(const nytp_edge *e) { return !e->inclusive && e->depth; }

/* Of recursion that was folded only the calls are known: their time is in that of the outer call. */
static int is_folded(const nytp_edge *e) { return is_nested(e) && !e->recursive; }

/* Inclusive time; with nested calls only their time. */
static int64_t edge_ticks(const nytp_edge *e) { return is_nested(e) ? e->recursive : e->inclusive; }

float nytp_calls_edge_spread(const nytp_html *h, const nytp_edge *e) {
    return is_nested(e) ? nytp_profile_nested_spread(h->p, e) : e->spread;
}

static int64_t edge_told(const nytp_html *h, const nytp_edge *e) {
    return nytp_profile_told(edge_ticks(e), nytp_calls_edge_spread(h, e));
}

/* "1.23 s" and "1.00 s self", without the latter if all time is the callee's own. */
static void put_edge_time(nytp_buf *out, const nytp_html *h, const nytp_edge *e) {
    nytp_text_put(out, "<b>");
    if (!is_folded(e)) nytp_parts_time(out, h, edge_told(h, e));
    nytp_text_put(out, "</b> <i>");
    if (!is_folded(e) && edge_ticks(e) != e->exclusive) {
        nytp_parts_time(out, h, nytp_profile_told(e->exclusive, nytp_profile_own_spread(h->p, e)));
        nytp_text_put(out, " self");
    }
    nytp_text_put(out, "</i> ");
}

/* Nested calls are marked, as they are not part of sums. */
static void put_nested(nytp_buf *out, const nytp_html *h, const nytp_edge *e) {
    if (!e->depth) return;
    if (e->recursive) nytp_text_format(out, ", recursion to depth %u", e->depth);
    else nytp_text_put(out, ", recursion");
    if (!e->inclusive) {
        nytp_text_put(out, ", part of an outer call");
        return;
    }
    if (!e->recursive) return;
    nytp_text_put(out, ", ");
    nytp_parts_time(out, h, nytp_profile_told(e->recursive, nytp_profile_nested_spread(h->p, e)));
    nytp_text_put(out, " nested");
}

static void end_edge(nytp_buf *out, const nytp_html *h, const nytp_edge *e) {
    nytp_pages_latency_edge(out, h, e);
    put_nested(out, h, e);
    nytp_text_put(out, "</span>\n");
}

static int is_uncounted(const nytp_html *h, int64_t calls) { return !calls && h->p->is_uncounted; }

/* Without calls: they were running when profiling began. */
static void put_calls(nytp_buf *out, const nytp_edge *e) {
    if (!e->calls) {
        nytp_text_put(out, "<abbr title=\"Before profiling began\">an earlier call</abbr>");
        return;
    }
    if (!e->tail) {
        nytp_parts_plural(out, e->calls, "call", "calls");
        return;
    }
    nytp_text_put(out, "<abbr title=\"The caller did not wait for it: the call took its place\">");
    nytp_parts_plural(out, e->calls, "tail call", "tail calls");
    nytp_text_put(out, "</abbr>");
}

/* Up to the last cell, which is open then. */
static void begin_edge(nytp_buf *out, const nytp_html *h, const nytp_edge *e) {
    nytp_text_put(out, "<li>");
    put_edge_time(out, h, e);
    nytp_text_put(out, "<i>");
    if (!is_uncounted(h, e->calls)) put_calls(out, e);
    nytp_text_put(out, "</i> <i>");
    if (e->calls > 1 && !is_folded(e)) {
        nytp_parts_average(out, h, edge_told(h, e), e->calls);
        nytp_text_put(out, " each");
    }
    nytp_text_put(out, "</i> <span>");
}

/* A sub's name, whose package is muted. */
static void put_name(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    nytp_str name = h->subs[sub];
    size_t n = 0;
    if (sub == NYTP_ROOT) {
        nytp_parts_sub_name(out, h, sub);
        return;
    }
    for (size_t i = 0; i + 1 < name.n && !strchr("[( ", name.p[i]); i++)
        if (name.p[i] == ':' && name.p[i + 1] == ':') n = i + 2;
    if (n) {
        nytp_text_put(out, "<small>");
        nytp_text_str(out, (nytp_str){name.p, n});
        nytp_text_put(out, "</small>");
    }
    nytp_text_str(out, (nytp_str){name.p + n, name.n - n});
}

static void put_linked(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    int linked = nytp_parts_sub_href(out, h, sub);
    put_name(out, h, sub);
    if (linked) nytp_text_put(out, "</a>");
}

/* Links to the call site; in the caller's own file the name is enough. */
static void put_site(nytp_buf *out, const nytp_html *h, const nytp_edge *e) {
    nytp_text_put(out, "by ");
    int linked = nytp_parts_line_href(out, h, e->file, e->line);
    if (e->caller == NYTP_ROOT) nytp_parts_root_name(out, h, e->file);
    else put_name(out, h, e->caller);
    nytp_text_put(out, ", ");
    if (linked && h->p->subs[e->caller].file == e->file) nytp_text_around(out, "line ", e->line, "");
    else nytp_parts_line_name(out, h, e->file, e->line);
    if (linked) nytp_text_put(out, "</a>");
}

static void put_caller(nytp_buf *out, const nytp_html *h, uint32_t edge) {
    const nytp_edge *e = &h->p->edges[edge];
    begin_edge(out, h, e);
    put_site(out, h, e);
    end_edge(out, h, e);
}

int nytp_calls_has_heading(const nytp_html *h, uint32_t sub) {
    const nytp_sub *s = &h->p->subs[sub];
    if (!nytp_profile_sub_called(s) || s->callers.n != 1) return nytp_profile_sub_called(s);
    const nytp_edge *e = &h->p->edges[s->callers.first];
    return e->file != s->file || e->line < s->first_line || e->line > s->last_line;
}

static void put_unheaded(nytp_buf *out, const nytp_html *h, const nytp_edge *e) {
    put_name(out, h, e->callee);
    nytp_text_put(out, " by ");
    put_linked(out, h, e->caller);
}

static void put_callee(nytp_buf *out, const nytp_html *h, uint32_t edge) {
    const nytp_edge *e = &h->p->edges[edge];
    begin_edge(out, h, e);
    nytp_text_put(out, "to ");
    if (nytp_calls_has_heading(h, e->callee)) put_linked(out, h, e->callee);
    else put_unheaded(out, h, e);
    end_edge(out, h, e);
}

/* ---- lists: the most time first, with small entries folded ---- */

#define FEWEST 8 /* entries that are always shown */
#define MOST 12  /* entries shown at most */

typedef struct entry { /* an edge or an eval */
    int64_t ticks, count;
    uint32_t index;
} entry;

static int most_first(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->ticks != y->ticks) return x->ticks > y->ticks ? -1 : 1;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int64_t time_from(const entry *e, uint32_t first, uint32_t n) {
    int64_t sum = 0;
    for (uint32_t i = first; i < n; i++) sum = nytp_ticks_add(sum, e[i].ticks > 0 ? e[i].ticks : 0);
    return sum;
}

/* The number of entries shown: the rest have less than a twentieth of the time, or are too many. */
static uint32_t entries_shown(const entry *e, uint32_t n) {
    int64_t all = time_from(e, 0, n), rest = all;
    uint32_t shown = 0;
    if (n <= FEWEST) return n;
    while (shown < MOST && (shown + 2 < FEWEST || rest > all / 20)) rest = time_from(e, ++shown, n);
    return n - shown < 3 ? n : shown; /* folding would save nothing */
}

typedef void put_entry(nytp_buf *out, const nytp_html *h, uint32_t index);

/* Sorts the entries. Returns the lines of the list while its end is folded. */
static uint32_t put_list(nytp_buf *out, const nytp_html *h, entry *entries, uint32_t n, put_entry put) {
    qsort(entries, n, sizeof *entries, most_first);
    uint32_t shown = entries_shown(entries, n);
    for (uint32_t i = 0; i < n; i++) {
        if (i == shown) {
            nytp_text_around(out, "<li><details><summary>", n - shown, " more (");
            nytp_parts_time(out, h, time_from(entries, shown, n));
            nytp_text_put(out, ")</summary><ul>\n");
        }
        put(out, h, entries[i].index);
    }
    nytp_text_put(out, shown < n ? "</ul></details></ul>" : "</ul>");
    return shown + (shown < n);
}

/* The edges of the given indexes, or without indexes a sub's callers from `first` on; nested calls, which are part of
 * others, come last. */
static uint32_t put_edges(nytp_buf *out, const nytp_html *h, const uint32_t *indexes, nytp_slice edges, put_entry put) {
    entry *entries = malloc((edges.n + 1u) * sizeof *entries);
    if (!entries) out->failed = 1;
    for (uint32_t i = 0; i < edges.n && entries; i++) {
        uint32_t index = indexes ? indexes[i] : edges.first + i;
        const nytp_edge *e = &h->p->edges[index];
        entries[i] = (entry){indexes ? edge_ticks(e) : e->inclusive, e->calls, index};
    }
    nytp_text_put(out, "<ul>");
    uint32_t lines = entries ? put_list(out, h, entries, edges.n, put) : 0;
    free(entries);
    return lines;
}

uint32_t nytp_calls_callers(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    nytp_slice callers = h->p->subs[sub].callers;
    return callers.n > 1 ? put_edges(out, h, NULL, callers, put_caller) : 0;
}

uint32_t nytp_calls_callees(nytp_buf *out, const nytp_html *h, const uint32_t *sites, uint32_t n) {
    return put_edges(out, h, sites, (nytp_slice){0, n}, put_callee);
}

static void put_eval(nytp_buf *out, const nytp_html *h, uint32_t file) {
    const nytp_file *f = &h->p->files[file];
    nytp_text_put(out, "<li><b>");
    nytp_parts_time(out, h, nytp_profile_told(f->ticks, f->spread));
    nytp_text_put(out, "</b> in ");
    nytp_parts_statements(out, h, f->count);
    nytp_text_put(out, " of ");
    if (f->merged > 1) nytp_parts_plural(out, f->merged, "", h->words->evals);
    else nytp_text_put(out, h->words->eval);
    nytp_text_put(out, f->merged > 1 ? " like " : " ");
    nytp_parts_file_link(out, h, file);
    nytp_buf_byte(out, '\n');
}

uint32_t nytp_calls_evals(nytp_buf *out, const nytp_html *h, const uint32_t *evals, uint32_t n) {
    entry *entries = malloc((n + 1u) * sizeof *entries);
    if (!entries) out->failed = 1;
    for (uint32_t i = 0; i < n && entries; i++)
        entries[i] = (entry){h->p->files[evals[i]].ticks, h->p->files[evals[i]].count, evals[i]};
    nytp_text_put(out, "<ul class=ran>");
    uint32_t lines = entries ? put_list(out, h, entries, n, put_eval) : 0;
    free(entries);
    return lines;
}

static void put_places(nytp_buf *out, const nytp_sub *s) {
    nytp_text_put(out, " from ");
    nytp_parts_plural(out, s->places, "place", "places");
    nytp_text_put(out, " in ");
    nytp_parts_plural(out, s->caller_files, "file", "files");
}

void nytp_calls_heading(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    const nytp_sub *s = &h->p->subs[sub];
    int64_t inclusive = nytp_profile_told(s->inclusive, s->whole_spread);
    nytp_parts_sub_name(out, h, sub);
    nytp_text_put(out, "</a> <small>");
    if (s->file && s->last_line > s->first_line) {
        nytp_text_around(out, "", s->first_line, "\xE2\x80\x93");
        nytp_text_around(out, "", s->last_line, " \xC2\xB7 ");
    }
    nytp_text_put(out, "<b>");
    nytp_parts_time(out, h, nytp_profile_told(s->exclusive, s->spread));
    nytp_text_put(out, "</b> self \xC2\xB7 <b>");
    nytp_parts_time(out, h, inclusive);
    nytp_text_put(out, "</b> total \xC2\xB7 ");
    if (s->callers.n == 1) {
        if (!is_uncounted(h, s->calls)) put_calls(out, &h->p->edges[s->callers.first]);
        nytp_buf_byte(out, ' ');
        put_site(out, h, &h->p->edges[s->callers.first]);
    } else {
        if (s->calls) nytp_parts_plural(out, s->calls, "call", "calls");
        else nytp_text_put(out, is_uncounted(h, 0) ? "calls" : "earlier calls");
        put_places(out, s);
    }
    if (s->calls > 1) {
        nytp_text_put(out, " \xC2\xB7 ");
        nytp_parts_average(out, h, inclusive, s->calls);
        nytp_text_put(out, " each");
    }
    nytp_parts_sub_hints(out, h, sub);
    if (h->options->editor && s->file && s->first_line) {
        nytp_buf_byte(out, ' ');
        nytp_parts_editor_link(out, h, h->p->files[s->file].name, s->first_line);
        nytp_text_put(out, "edit</a>");
    }
    nytp_text_put(out, "</small>");
}

void nytp_calls_article(nytp_buf *out, const nytp_html *h, uint32_t sub) {
    nytp_text_put(out, "<article id=");
    nytp_parts_sub_id(out, h, sub);
    nytp_text_put(out, "><h3><a href=#");
    nytp_parts_sub_id(out, h, sub);
    nytp_text_put(out, ">");
    nytp_calls_heading(out, h, sub);
    nytp_text_put(out, "</h3>");
    nytp_pages_latency_put(out, h, sub);
    nytp_calls_callers(out, h, sub);
    nytp_text_put(out, "</article>\n");
}
