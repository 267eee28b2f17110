/* SPDX-License-Identifier: MIT */
/* library.c - libnytprof reads standard input. */
#include "library.h"

#include <stdlib.h>

#include "api/read.h"

static uint32_t seen; /* a sum of all that was read, which the compiler cannot leave out */

static void look(nytprof_text t) {
    for (size_t i = 0; i < t.size; i++) seen += (uint8_t)t.at[i];
}

/* The values of a row for every metric. */
static void look_at_values(const nytprof_profile *p, const nytprof_totals *all, uint32_t values) {
    for (uint32_t i = 0; i < all->metrics; i++) seen += (uint32_t)nytprof_value(p, i, values);
}

static void look_at_file(const nytprof_profile *p, const nytprof_totals *all, uint32_t i) {
    nytprof_file f;
    nytprof_line line;
    if (!nytprof_get_file(p, i, &f, sizeof f)) abort();
    look(f.name);
    for (uint32_t n = 0; n < 20; n++) look(nytprof_source(p, i, n));
    for (int by = NYTPROF_BY_LINE; by <= NYTPROF_BY_SUB; by++)
        for (uint32_t n = 0; nytprof_get_line(p, i, by, n, &line, sizeof line); n++)
            look_at_values(p, all, line.values);
}

static void look_at_subs(const nytprof_profile *p, const nytprof_totals *all) {
    nytprof_sub s;
    nytprof_call c;
    nytprof_node node;
    for (uint32_t i = 0; nytprof_get_sub(p, i, &s, sizeof s); i++) {
        look(s.name), look(s.package);
        look_at_values(p, all, s.own), look_at_values(p, all, s.whole);
        for (uint32_t n = 0; n < s.calls_rows; n++)
            if (!nytprof_get_call(p, s.first_call + n, &c, sizeof c) || c.callee != i) abort();
    }
    for (int by = NYTPROF_EXCLUSIVE; by <= NYTPROF_CALLS; by++)
        for (uint32_t i = 0; i < all->subs; i++) seen += nytprof_ranked(p, by, i);
    for (uint32_t i = 0; nytprof_get_node(p, i, &node, sizeof node); i++) {
        if ((node.child && node.child >= all->nodes) || (node.next && node.next >= all->nodes)) abort();
        look_at_values(p, all, node.own), look_at_values(p, all, node.whole);
    }
}

static void look_at_rest(const nytprof_profile *p, const nytprof_totals *all) {
    nytprof_input input;
    nytprof_process process;
    nytprof_metric metric;
    nytprof_pair pair;
    for (uint32_t i = 0; i < all->inputs; i++)
        if (nytprof_get_input(p, i, &input, sizeof input)) look(input.name), look(input.damage);
    for (uint32_t i = 0; i < all->processes; i++)
        if (nytprof_get_process(p, i, &process, sizeof process)) look(process.program), look(process.interpreter);
    for (uint32_t i = 0; i < all->metrics; i++)
        if (nytprof_get_metric(p, i, &metric, sizeof metric)) look(metric.name), look(metric.title);
    for (uint32_t i = 0; i < all->pairs; i++)
        if (nytprof_get_pair(p, i, &pair, sizeof pair)) look(pair.key), look(pair.value);
    for (uint32_t i = 0; i < all->notes; i++) look(nytprof_note(p, i));
}

static void read_profile(uint32_t flags) {
    static const char *const path = "-";
    nytprof_error e;
    nytprof_totals all;
    nytprof_profile *p = nytprof_load(&path, 1, flags, &e);
    if (!p && (!e.code || !e.text[0])) abort(); /* what is refused has a message */
    if (!p) return;
    nytprof_get_totals(p, &all, sizeof all);
    for (uint32_t i = 0; i < all.files; i++) look_at_file(p, &all, i);
    look_at_subs(p, &all);
    look_at_rest(p, &all);
    nytprof_free(p);
}

static void read_records(uint32_t flags) {
    nytprof_record record;
    nytprof_field field;
    nytprof_reader *r = nytprof_open("-", flags, NULL);
    while (r && nytprof_next(r, &record, sizeof record, NULL) > 0)
        for (uint32_t i = 0; i < record.fields; i++) {
            if (!nytprof_get_field(r, i, &field, sizeof field)) abort();
            if (field.type == NYTPROF_TEXT) look(field.text);
            if (!nytprof_find_field(r, field.name, &field, sizeof field)) abort();
        }
    nytprof_close(r);
}

void library_read(uint8_t ways) {
    if (ways & 1) read_records(ways >> 1 & NYTPROF_CORRECTED);
    else read_profile(ways >> 1 & (NYTPROF_KEEP_EVALS | NYTPROF_OUTSIDE | NYTPROF_FROM_DISK));
}
