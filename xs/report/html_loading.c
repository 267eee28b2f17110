/* html_loading.c - what loading modules took: the use statements of a Perl program, by the module that they name.
 *
 * Perl runs `use` as a sub of its own, BEGIN@LINE, which compiles the module unless another did, and calls its import.
 * A module's time holds that of the modules it uses in turn; its own time does not. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/ticks.h"
#include "model/order.h"
#include "report/escape.h"
#include "report/html.h"
#include "report/text.h"
#include "report/units.h"

#define MOST_ROWS 25
#define LEAST_SHARE 0.0005 /* of the run */

typedef struct module {
    nytp_str name;
    int64_t total, own;
    int64_t most;     /* the total of the statement that took longest */
    uint32_t uses;    /* statements */
    uint32_t file, line; /* of that statement */
} module;

typedef struct loading {
    const nytp_html *h;
    module *modules;
    uint32_t n;
    nytp_map known;    /* hash of the name to 1 + index */
    uint32_t *nearest; /* per node: the innermost node above that is a use statement, or 0 */
    int64_t *own;      /* per node that is one */
    int64_t total;     /* of the outermost ones */
} loading;

/* BEGIN@12 and, of the third use statement in that line, BEGIN@12.2: the number behind the dot. -1: another sub. */
static int which_begin(const nytp_sub *s) {
    nytp_str name = s->package.n ? (nytp_str){s->name.p + s->package.n + 2, s->name.n - s->package.n - 2} : s->name;
    nytp_str begin = NYTP_LIT("BEGIN@");
    if (!nytp_str_starts(name, begin) || !s->file || !s->first_line) return -1;
    for (size_t i = begin.n; i < name.n; i++)
        if (name.p[i] == '.') return i + 2 < name.n ? -1 : name.p[i + 1] - '0';
    return 0;
}

static size_t word_length(const char *p, const char *end) {
    const char *q = p;
    while (q < end && (isalnum((unsigned char)*q) || *q == '_' || *q == ':')) q++;
    return (size_t)(q - p);
}

/* The module of the n-th `use` or `no` in a line. */
static nytp_str used_in(nytp_str line, int n) {
    const char *end = line.p + line.n;
    for (const char *p = line.p; p < end;) {
        size_t length = word_length(p, end);
        nytp_str word = {p, length};
        p += length ? length : 1;
        if (!nytp_str_eq(word, NYTP_LIT("use")) && !nytp_str_eq(word, NYTP_LIT("no"))) continue;
        while (p < end && (*p == ' ' || *p == '\t')) p++;
        length = word_length(p, end);
        if (length && !isdigit((unsigned char)*p) && n-- == 0) return (nytp_str){p, length};
    }
    return (nytp_str){NULL, 0};
}

/* What a use statement names; empty where its line does not say. */
static nytp_str module_of(const nytp_html *h, const nytp_sub *s, int n) {
    const nytp_file *f = &h->p->files[s->file];
    if (s->first_line > f->source_lines) return (nytp_str){NULL, 0};
    return used_in(f->source[s->first_line - 1], n);
}

static module *find_module(loading *l, nytp_str name) {
    uint32_t *found = nytp_map_at(&l->known, nytp_str_hash(name));
    if (!found) return NULL;
    if (!*found) {
        *found = ++l->n;
        l->modules[l->n - 1] = (module){.name = name};
    }
    return &l->modules[*found - 1];
}

static int add_use(loading *l, uint32_t node, nytp_str name) {
    const nytp_node *n = &l->h->p->nodes[node];
    const nytp_sub *s = &l->h->p->subs[n->sub];
    module *m = find_module(l, name);
    if (!m) return NYTP_NOMEM;
    m->uses++;
    m->total = nytp_ticks_add(m->total, n->inclusive);
    m->own = nytp_ticks_add(m->own, l->own[node]);
    if (m->uses == 1 || n->inclusive > m->most) {
        m->most = n->inclusive;
        m->file = s->file;
        m->line = s->first_line;
    }
    return NYTP_OK;
}

/* Takes what the modules used in turn took off each use statement's time, and sums up by module. */
static int add_all(loading *l) {
    const nytp_profile *p = l->h->p;
    for (uint32_t i = 1; i < p->nodes_n; i++) {
        uint32_t above = p->nodes[i].parent;
        l->nearest[i] = which_begin(&p->subs[p->nodes[above].sub]) >= 0 ? above : l->nearest[above];
        l->own[i] = nytp_ticks_add(l->own[i], p->nodes[i].inclusive);
        if (which_begin(&p->subs[p->nodes[i].sub]) < 0) continue;
        uint32_t outer = l->nearest[i];
        if (outer) l->own[outer] = nytp_ticks_minus(l->own[outer], p->nodes[i].inclusive);
        else l->total = nytp_ticks_add(l->total, p->nodes[i].inclusive);
    }
    for (uint32_t i = 1; i < p->nodes_n; i++) {
        const nytp_sub *s = &p->subs[p->nodes[i].sub];
        int n = which_begin(s);
        nytp_str name = n < 0 ? (nytp_str){NULL, 0} : module_of(l->h, s, n);
        if (name.n && add_use(l, i, name)) return NYTP_NOMEM;
    }
    return NYTP_OK;
}

static int most_first(const void *a, const void *b) {
    const module *x = a, *y = b;
    if (x->total != y->total) return x->total > y->total ? -1 : 1;
    return nytp_str_cmp(x->name, y->name);
}

static void put_cell(nytp_buf *out, const nytp_html *h, int64_t ticks) {
    int heat = nytp_order_heat(ticks, h->p->totals.ticks);
    nytp_text_format(out, heat ? "<td class=h%d" : "<td", heat);
    nytp_text_format(out, " data-v=%" PRId64 ">", ticks);
    nytp_html_time(out, h, ticks);
}

static void put_row(nytp_buf *out, const nytp_html *h, const module *m) {
    nytp_text_put(out, "<tr>");
    put_cell(out, h, m->total);
    put_cell(out, h, m->own);
    nytp_text_format(out, "<td data-v=%" PRIu32 ">%" PRIu32 "<td class=name>", m->uses, m->uses);
    nytp_str page = h->pages[m->file];
    if (page.n) nytp_text_format(out, "<a href=\"%.*s#%" PRIu32 "\">", (int)page.n, page.p, m->line);
    nytp_escape_html(out, m->name);
    nytp_text_put(out, page.n ? "</a></tr>\n" : "</tr>\n");
}

static void put_section(nytp_buf *out, const loading *l) {
    const nytp_html *h = l->h;
    int64_t least = (int64_t)((double)h->p->totals.ticks * LEAST_SHARE);
    nytp_text_put(out, "<section aria-labelledby=loading><h2 id=loading>Loading modules: ");
    nytp_html_time(out, h, l->total);
    nytp_text_put(out, ", ");
    nytp_units_percent(out, l->total, h->p->totals.ticks);
    nytp_text_put(out, "</h2><p class=muted>What <code>use</code> took: compiling, and import. Total is with the "
                       "modules that a module is the first to use. A link leads to the statement that took longest."
                       "</p><div class=scroll tabindex=0 role=region aria-label=Modules><table class=sort "
                       "data-filter=\"Filter modules\"><thead><tr><th scope=col aria-sort=descending>Total"
                       "<th scope=col>Own<th scope=col>Uses<th scope=col class=name>Module<tbody>\n");
    for (uint32_t i = 0; i < l->n && i < MOST_ROWS && l->modules[i].total >= least; i++)
        put_row(out, h, &l->modules[i]);
    nytp_text_put(out, "</table></div></section>");
}

int nytp_html_loading(nytp_buf *out, const nytp_html *h) {
    const nytp_profile *p = h->p;
    loading l = {.h = h, .modules = calloc(p->nodes_n + 1u, sizeof *l.modules),
                 .nearest = calloc(p->nodes_n + 1u, sizeof *l.nearest), .own = calloc(p->nodes_n + 1u, sizeof *l.own)};
    int code = l.modules && l.nearest && l.own ? add_all(&l) : NYTP_NOMEM;
    if (!code && l.n) qsort(l.modules, l.n, sizeof *l.modules, most_first);
    if (!code && l.n && l.total > 0) put_section(out, &l);
    nytp_map_free(&l.known);
    free(l.modules);
    free(l.nearest);
    free(l.own);
    return code;
}
