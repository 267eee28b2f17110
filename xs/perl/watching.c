/* SPDX-License-Identifier: MIT */
/* watching.c - what the watching thread has seen becomes samples of the recorder's places and nodes.
 *
 * The thread has noted addresses of nodes, which stay what they are, and names and lines, as code may be freed. */
#include "perl/watching.h"

#include "record/handlers.h"
#include "record/places.h"
#include "record/seen.h"

#include "perl/sampling.h"

/* ---- the place of a statement ---- */

/* The nearest context in Perl, or in a phase of the program: its lines have the time. */
static const nytp_live_node *owner_of(const nytp_live_node *n) {
    while (n->parent && !n->sub->file && !(n->sub->flags & NYTP_SUB_PHASE)) n = n->parent;
    return n;
}

static int has_line(const nytp_live_sub *s, uint32_t file, uint32_t line) {
    return s->file == file && line >= s->first_line && (line <= s->last_line || !s->last_line);
}

#define NEAR 100 /* callees that are looked at, the latest first */

static int is_of_callee(const nytp_live_node *n, uint32_t file, uint32_t line) {
    int passed = 0;
    for (n = n->first_child; n && passed < NEAR; n = n->next, passed++)
        if (has_line(n->sub, file, line)) return 1;
    return 0;
}

/* While a call begins and ends the node is the sub's already, or the caller's again, and the statement the other's. */
static int fits(const nytp_live_node *node, uint32_t file, uint32_t line) {
    const nytp_live_node *owner = owner_of(node);
    if (owner->sub->file == file) return has_line(owner->sub, file, line);
    if (owner->parent && has_line(owner_of(owner->parent)->sub, file, line)) return 0;
    return !is_of_callee(node, file, line) && !is_of_callee(owner, file, line);
}

/* As lines outside subs, those of string evals and of files that a sub loads are each their own block and sub. */
static nytp_live_place *place_at(nytp_glue *g, const nytp_live_sub *s, uint32_t file, uint32_t line) {
    nytp_rec_place what = {0, file, line, line, line};
    if (has_line(s, file, line)) what.block_line = what.sub_line = s->first_line;
    return nytp_places_add(&g->r, &what, 1);
}

/* NULL: it is none of the node's. Statements without a line are perl's own preamble: they show on line 1. */
static nytp_live_place *place_of(pTHX_ nytp_glue *g, const nytp_sightings *all, const nytp_sighting *s, int i) {
    const nytp_live_node *node = (const nytp_live_node *)(uintptr_t)s->node;
    U32 is_mine = nytp_handlers_is_here(&g->r) && !g->is_taken && !g->is_destructed;
    const nytp_live_file *file = NULL;
    uint32_t line = s->statement[i].line ? s->statement[i].line : 1;
    if (s->file[i])
        file = nytp_file_of(aTHX_ g, (const char *)all->names.p + s->file[i], is_mine ? NYTP_FILE_VIA_SUB : 0u);
    return file && fits(node, file->id, line) ? place_at(g, owner_of(node)->sub, file->id, line) : NULL;
}

/* ---- samples ---- */

static void add(pTHX_ nytp_glue *g, const nytp_sightings *all, const nytp_sighting *s) {
    nytp_live_node *node = (nytp_live_node *)(uintptr_t)s->node;
    nytp_live_place *place = NULL;
    for (int i = 0; i < NYTP_SIGHTED && !place; i++) place = place_of(aTHX_ g, all, s, i);
    if (place) nytp_seen_add(&g->r, node, place, s->samples, s->ns);
}

void nytp_watching_take(void *self) {
    nytp_glue *g = (nytp_glue *)self;
    dTHXa(g->perl);
    if (!g->watched) return;
    nytp_sightings all = nytp_lookout_take(g->watched);
    for (uint32_t i = 0; i < all.n; i++) add(aTHX_ g, &all, &all.all[i]);
    nytp_sightings_free(&all);
}

/* Time of writing is none of the program's. */
void nytp_watching_writes(const nytp_glue *g, int begins) {
    if (g->watched) nytp_lookout_pause(g->watched, begins);
}

/* ---- life ---- */

void nytp_watching_prepare(pTHX_ nytp_options *o) {
    if (!o->sample) return;
    if (o->format == NYTP_OUTPUT_V5) croak("NYTProf: sample=%d needs format=1", (int)o->sample);
    o->stmts = 0;
}

void nytp_watching_describe(const nytp_glue *g, nytp_writer *w) {
    char hz[24];
    if (!g->options.sample) return;
    my_snprintf(hz, sizeof hz, "%ld", (long)g->options.sample);
    nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("lines"), NYTP_LIT("sampled"));
    nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("sample_hz"), nytp_str_c(hz));
}

static void complain(nytp_glue *g, const nytp_error *e) {
    char line[NYTP_ERROR_TEXT + 100];
    my_snprintf(line, sizeof line, "NYTProf: sample=%ld: %s; lines of pid %ld are not sampled", (long)g->options.sample,
                e->text, (long)getpid());
    nytp_perl_log_say(g, line);
}

void nytp_watching_begin(pTHX_ nytp_glue *g) {
    nytp_error e = {0};
    if (!g->options.sample || g->watched) return;
    nytp_lookout_at at = {nytp_structs_here(aTHX), nytp_structs_layout(aTHX),
                        (uint64_t)(uintptr_t)nytp_current_node_at(&g->r), (uint64_t)(uintptr_t)&g->stack};
    g->watched = nytp_lookout_begin(&at, g->options.sample, &e);
    if (e.code) complain(g, &e);
}

void nytp_watching_end(nytp_glue *g) {
    int saved = errno;
    nytp_watching_take(g);
    nytp_lookout_end(g->watched);
    g->watched = NULL;
    errno = saved;
}

void nytp_watching_forked(nytp_glue *g) {
    nytp_error e = {0};
    if (nytp_lookout_go_on(g->watched, &e)) complain(g, &e);
}
