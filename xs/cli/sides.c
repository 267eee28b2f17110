/* SPDX-License-Identifier: MIT */
/* sides.c - profiles of two sides. */
#include "cli/sides.h"

#include <stdlib.h>

#include "cli/cli.h"
#include "cli/print.h"
#include "cli/refused.h"
#include "model/load.h"

nytp_sides *nytp_sides_open(const uint32_t n[2], nytp_error *e) {
    nytp_sides *s = calloc(1, sizeof *s);
    if (!s) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else s->compared = s->lines.compared = (nytp_compared){.n = {n[0], n[1]}};
    return s;
}

static void tell_notes(const char *path, const nytp_profile *p) {
    for (uint32_t i = 0; i < p->notes_n; i++)
        nytp_print_message("%s: %.*s", path, (int)p->notes[i].n, p->notes[i].p);
}

void nytp_sides_take(nytp_sides *s, const char *const *paths, uint32_t n, nytp_error *e) {
    const nytp_load_options options = {.tell_outside = 1, .whole = 1};
    int side = nytp_compared_side(&s->compared);
    nytp_profile p;
    if (!nytp_load(&p, paths, n, &options, e)) {
        nytp_refused_ruin(&p, e);
        nytp_refused_empty(&p, *paths, e);
        tell_notes(*paths, &p);
    }
    if (!e->code && (nytp_compared_take(&s->compared, &p) || nytp_lined_take(&s->lines, &p) ||
                     (s->has_paths && nytp_overlaid_take(&s->paths, side, &p, &s->compared.renamed))))
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
    nytp_profile_close(&p);
}

void nytp_sides_judge(nytp_sides *s, const nytp_judged_limits *limits, nytp_error *e) {
    if (nytp_compared_end(&s->compared) || nytp_lined_end(&s->lines) || nytp_judged_make(&s->compared, limits) ||
        nytp_judged_make(&s->lines.compared, limits))
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
}

/* Of a report, which has much else: what is worth a look in the run as a whole. */
static int64_t least_of(const nytp_compared *c) {
    double least = nytp_compared_total(c, NYTP_COMPARED_NEW, NYTP_COMPARED_PROFILED) / NYTP_SIDES_PART;
    return least > NYTP_SIDES_NS ? (int64_t)least : NYTP_SIDES_NS;
}

nytp_sides *nytp_sides_since(nytp_compared_request *r, const char *old, const char *const *paths, uint32_t n,
                             nytp_error *e) {
    static const uint32_t one_each[2] = {1, 1};
    nytp_sides *s = nytp_sides_open(one_each, e);
    if (!s) return NULL;
    s->names[NYTP_COMPARED_OLD] = old;
    s->names[NYTP_COMPARED_NEW] = *paths;
    *r = (nytp_compared_request){.compared = &s->compared, .lines = &s->lines.compared, .names = s->names,
                                 .limits = {.percent = NYTP_SIDES_PERCENT}, .version = NYTP_VERSION};
    nytp_sides_take(s, &old, 1, e);
    if (!e->code) nytp_sides_take(s, paths, n, e);
    r->limits.ns = least_of(&s->compared);
    if (!e->code) nytp_sides_judge(s, &r->limits, e);
    return s;
}

void nytp_sides_free(nytp_sides *s) {
    if (!s) return;
    nytp_compared_free(&s->compared);
    nytp_lined_free(&s->lines);
    nytp_overlaid_free(&s->paths);
    free(s);
}
