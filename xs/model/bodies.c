/* SPDX-License-Identifier: MIT */
/* bodies.c - ranges of lines from the subs of each file, and what is around them.
 *
 * The code of a file outside subs was run by a sub in another file: the BEGIN block of a use statement, for instance.
 * It calls subs from there, so the calls that are made in the file by a sub of another one say which. */
#include "model/bodies.h"

#include <stdlib.h>

#include "base/map.h"

/* ---- ranges ---- */

static int is_written(const nytp_profile *p, uint32_t sub) {
    const nytp_sub *s = &p->subs[sub];
    return s->file && s->moved == sub && !(s->flags & (NYTP_SUB_XSUB | NYTP_SUB_OPCODE | NYTP_SUB_PHASE));
}

static int is_main(const nytp_profile *p, uint32_t sub) {
    return sub == NYTP_ROOT || (p->subs[sub].flags & NYTP_SUB_PHASE && !(p->subs[sub].flags & NYTP_SUB_ACTIVITY));
}

#define WHOLE UINT32_MAX /* last line of code that is no range: that of a file outside subs */
#define CHUNK_NAME 160   /* bytes at most */

typedef struct range {
    uint32_t file, first, last, sub;
    int32_t is_open; /* 1: the end is not known, and last the last line known to be in it */
} range;

/* Whether the sub is a file's code outside subs: the front end for Lua names its main chunk <x.lua>, and knows no last
 * line. */
static int is_chunk(const nytp_profile *p, const nytp_sub *s) {
    nytp_str base = p->files[s->file].name;
    size_t slash = base.n;
    while (slash && base.p[slash - 1] != '/') slash--;
    if (slash < base.n) base = (nytp_str){base.p + slash, base.n - slash};
    if (base.n > CHUNK_NAME) base.n = CHUNK_NAME;
    return s->name.n == base.n + 2 && s->name.p[0] == '<' && s->name.p[base.n + 1] == '>' &&
           nytp_str_eq((nytp_str){s->name.p + 1, base.n}, base);
}

/* Ruby tells no last lines. Front ends for Perl and Lua do: a sub whose last line is its first is in one line. */
static int has_open_ends(const nytp_profile *p, uint32_t file) {
    uint32_t process = p->files[file].process;
    uint32_t front_end = process ? p->processes[process - 1].id.front_end : (uint32_t)NYTP_FRONT_PERL;
    return front_end != NYTP_FRONT_PERL && front_end != NYTP_FRONT_LUA;
}

static range range_of(const nytp_profile *p, uint32_t sub) {
    const nytp_sub *s = &p->subs[sub];
    if (is_chunk(p, s)) return (range){s->file, 0, WHOLE, sub, 0};
    uint32_t last = s->last_line > s->first_line ? s->last_line : s->first_line;
    return (range){s->file, s->first_line, last, sub, last == s->first_line && has_open_ends(p, s->file)};
}

/* By file, the outer range before those in it. */
static int by_range(const void *a, const void *b) {
    const range *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    if (x->last != y->last) return x->last > y->last ? -1 : 1;
    return x->sub < y->sub ? -1 : x->sub > y->sub;
}

/* ---- ends of ranges ---- */

/* A sub goes on up to the last of its lines that ran. */
static enum nytp_code extend_to_places(const nytp_profile *p, range *ranges, uint32_t n) {
    nytp_map lasts = {0}; /* of file and first line of a sub */
    int failed = 0;
    for (uint32_t i = 0; i < p->places_n && !failed; i++) {
        const nytp_place *place = &p->places[i];
        if (!place->sub_line || !has_open_ends(p, place->file)) continue;
        uint32_t *last = nytp_map_at(&lasts, (uint64_t)place->file << 32 | place->sub_line);
        failed = !last;
        if (last && *last < place->line) *last = place->line;
    }
    for (uint32_t i = 0; i < n && !failed; i++) {
        uint32_t last = nytp_map_get(&lasts, (uint64_t)ranges[i].file << 32 | ranges[i].first);
        if (ranges[i].is_open && ranges[i].last < last) ranges[i].last = last;
    }
    nytp_map_free(&lasts);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

/* The first range behind the i-th that does not begin within it. */
static uint32_t behind(const range *ranges, uint32_t n, uint32_t i) {
    uint32_t low = i + 1, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int is_within = ranges[middle].file == ranges[i].file && ranges[middle].first <= ranges[i].last;
        if (is_within) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* And up to the last line of a block that begins within it. Ranges are in their order, and inner ones are extended
 * first, so that a block has what begins within it. */
static void extend_to_blocks(range *ranges, uint32_t n) {
    for (uint32_t i = n; i-- > 0;) {
        range *r = &ranges[i];
        if (!r->is_open) continue;
        for (uint32_t in = i + 1; in < n && ranges[in].file == r->file && ranges[in].first <= r->last;) {
            if (ranges[in].last > r->last) r->last = ranges[in].last;
            in = behind(ranges, n, in);
        }
    }
}

static enum nytp_code put_in_order(const nytp_profile *p, range *ranges, uint32_t n) {
    if (!n) return NYTP_OK;
    if (extend_to_places(p, ranges, n)) return NYTP_NOMEM;
    qsort(ranges, n, sizeof *ranges, by_range);
    extend_to_blocks(ranges, n);
    qsort(ranges, n, sizeof *ranges, by_range);
    return NYTP_OK;
}

/* ---- bodies ---- */

/* The innermost range before the last one that has it inside; else the file. */
static uint32_t around(const nytp_bodies *b, uint32_t i) {
    uint32_t outer = i - 1;
    while (outer >= b->ranges[b->at[i].file] && b->at[outer].last < b->at[i].last) outer = b->at[outer].outer;
    return outer >= b->ranges[b->at[i].file] ? outer : b->at[i].file;
}

/* Of nested ranges the far one is twice as far out where two steps of one length lead there (a skip list of
 * ancestors). The outermost range's is itself. */
static void enclose(nytp_bodies *b, uint32_t i, uint32_t outer) {
    nytp_body *body = &b->at[i];
    body->outer = outer;
    body->far = i;
    if (outer < b->ranges[body->file]) return;
    const nytp_body *one = &b->at[outer], *two = &b->at[one->far];
    body->depth = one->depth + 1;
    body->far = one->depth - two->depth == two->depth - b->at[two->far].depth ? two->far : outer;
}

/* The innermost range from i outwards that ends with the line or behind it; else the file. */
static uint32_t reaching(const nytp_bodies *b, uint32_t i, uint32_t line) {
    uint32_t first = b->ranges[b->at[i].file];
    while (i >= first && b->at[i].last < line) {
        uint32_t far = b->at[i].far;
        i = far != i && b->at[far].last < line ? far : b->at[i].outer;
    }
    return i;
}

/* A range's first sub makes its body. */
static uint32_t body_of(nytp_bodies *b, const range *r) {
    const nytp_body *last = &b->at[b->n - 1];
    if (r->last == WHOLE) return r->file;
    if (b->n > b->ranges[r->file] && last->first == r->first && last->last == r->last) return b->n - 1;
    b->at[b->n++] = (nytp_body){.file = r->file, .first = r->first, .last = r->last, .is_open = r->is_open};
    enclose(b, b->n - 1, around(b, b->n - 1));
    return b->n - 1;
}

static void add_range(nytp_bodies *b, const range *r, uint32_t at) {
    uint32_t body = body_of(b, r);
    if (!b->at[body].subs.n++) b->at[body].subs.first = at;
    b->subs[at] = r->sub;
    b->of_sub[r->sub] = body;
}

static void add_ranges(nytp_bodies *b, const nytp_profile *p, const range *ranges, uint32_t n, uint32_t at) {
    uint32_t i = 0;
    for (uint32_t file = 0; file < p->files_n; file++) {
        b->ranges[file] = b->n;
        for (; i < n && ranges[i].file == file; i++) add_range(b, &ranges[i], at + i);
    }
    b->ranges[p->files_n] = b->n;
}

static enum nytp_code make_bodies(nytp_bodies *b, const nytp_profile *p) {
    range *ranges = malloc((p->subs_n + 1u) * sizeof *ranges);
    uint32_t n = 0, at = 0;
    if (!ranges) return NYTP_NOMEM;
    for (uint32_t i = 0; i < p->subs_n; i++) {
        b->of_sub[i] = NYTP_BODIES_NONE;
        if (is_written(p, i)) ranges[n++] = range_of(p, i);
        if (!is_main(p, i)) continue;
        b->of_sub[i] = 0;
        b->subs[at++] = i;
    }
    for (b->n = 0; b->n < p->files_n; b->n++) b->at[b->n] = (nytp_body){.file = b->n};
    b->at[0].subs.n = at;
    enum nytp_code code = put_in_order(p, ranges, n);
    if (!code) add_ranges(b, p, ranges, n, at);
    free(ranges);
    return code;
}

/* ---- what ran the code of a file ---- */

/* The body of a sub that makes calls in the file and is not written there; NYTP_BODIES_NONE: the edge tells nothing. */
static uint32_t runner_of(const nytp_bodies *b, const nytp_edge *e) {
    uint32_t body = b->of_sub[e->caller];
    if (!e->file || body == NYTP_BODIES_NONE) return NYTP_BODIES_NONE;
    return body && b->at[body].file == e->file ? NYTP_BODIES_NONE : body;
}

/* The body that makes calls in most places of the file. */
static enum nytp_code find_runners(nytp_bodies *b, const nytp_profile *p) {
    uint32_t *most = calloc(p->files_n + 1u, sizeof *most);
    nytp_map calls = {0}; /* of file and body to edges */
    int failed = !most;
    for (uint32_t i = 0; i < p->edges_n && !failed; i++) {
        const nytp_edge *e = &p->edges[i];
        uint32_t body = runner_of(b, e);
        if (body == NYTP_BODIES_NONE) continue;
        uint32_t *n = nytp_map_at(&calls, (uint64_t)e->file << 32 | body);
        failed = !n;
        if (!n || ++*n <= most[e->file]) continue;
        most[e->file] = *n;
        b->at[e->file].outer = body;
    }
    for (uint32_t i = 1; i < p->files_n && !failed; i++)
        if (!most[i] && p->files[i].parent)
            b->at[i].outer = nytp_bodies_at(b, p->files[i].parent, p->files[i].parent_line);
    nytp_map_free(&calls);
    free(most);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

enum nytp_code nytp_bodies_find(nytp_bodies *b, const nytp_profile *p) {
    b->at = nytp_arena_get(&b->arena, ((size_t)p->files_n + p->subs_n) * sizeof *b->at);
    b->subs = nytp_arena_get(&b->arena, p->subs_n * sizeof *b->subs);
    b->of_sub = nytp_arena_get(&b->arena, p->subs_n * sizeof *b->of_sub);
    b->ranges = nytp_arena_get(&b->arena, (p->files_n + 1u) * sizeof *b->ranges);
    if (!b->at || !b->subs || !b->of_sub || !b->ranges || make_bodies(b, p)) return NYTP_NOMEM;
    return find_runners(b, p);
}

void nytp_bodies_free(nytp_bodies *b) {
    nytp_arena_free(&b->arena);
    *b = (nytp_bodies){0};
}

/* ---- questions ---- */

uint32_t nytp_bodies_at(const nytp_bodies *b, uint32_t file, uint32_t line) {
    uint32_t first = b->ranges[file], low = first, high = b->ranges[file + 1];
    while (low < high) { /* to the first range that begins behind the line */
        uint32_t middle = low + (high - low) / 2;
        if (b->at[middle].first <= line) low = middle + 1;
        else high = middle;
    }
    if (low == first) return file;
    return reaching(b, low - 1, line);
}

/* No last line is known of a chunk that Lua has loaded from a string: a sub with that first line has the place if
 * nothing around it is known to have it. */
uint32_t nytp_bodies_of(const nytp_bodies *b, const nytp_place *place) {
    uint32_t line = place->sub_line ? place->sub_line : place->line;
    uint32_t innermost = nytp_bodies_at(b, place->file, line), body = innermost;
    if (body >= b->ranges[0]) body = reaching(b, body, place->line);
    if (body >= b->ranges[0] || innermost < b->ranges[0] || b->at[body].subs.n) return body;
    return b->at[innermost].first == line ? innermost : body;
}

uint32_t nytp_bodies_run(const nytp_bodies *b, uint32_t body) {
    while (body && !b->at[body].subs.n) body = b->at[body].outer;
    return body;
}

int nytp_bodies_has(const nytp_bodies *b, uint32_t body, uint32_t file, uint32_t line) {
    const nytp_body *of = &b->at[body];
    return body >= b->ranges[0] && of->file == file && of->first <= line && line <= of->last;
}

int nytp_bodies_is_edge(const nytp_body *body, uint32_t file, uint32_t line) {
    return body->file == file && (line == body->first || (line == body->last && !body->is_open));
}
