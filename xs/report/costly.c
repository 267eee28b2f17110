/* SPDX-License-Identifier: MIT */
/* costly.c - what took the most time in a build, as sums over its processes. */
#include "report/costly.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/map.h"
#include "report/command.h"
#include "report/text.h"

#define SUMS (1u << 18)
#define LISTED 10u

typedef struct sum {
    uint32_t n; /* processes */
    double seconds, cpu;
} sum;

typedef struct line {
    uint32_t number; /* of the sum, from 1; 0: a process alone */
    sum of;
    double longest;  /* seconds of the process that the label is of */
    nytp_command_label label;
} line;

struct nytp_costly {
    enum nytp_costly_of of;
    nytp_map numbers; /* of sums, by the hash of what is common to their processes */
    sum *sums;
    uint32_t n, room;
    line lines[LISTED]; /* by seconds, the most first */
    uint32_t lines_n;
    uint64_t counted;   /* sums that can be listed, and processes alone */
    int32_t failed;
};

nytp_costly *nytp_costly_make(enum nytp_costly_of of) {
    nytp_costly *c = calloc(1, sizeof *c);
    if (c) c->of = of;
    return c;
}

/* ---- what is common ---- */

#define SPREAD 0x9E3779B97F4A7C15u

/* 0 of a process alone. */
static uint64_t hash_of(enum nytp_costly_of of, const nytp_built *process) {
    uint64_t host = nytp_str_hash(process->host) << 1;
    if (of == NYTP_COSTLY_REPEATS)
        return nytp_str_hash(process->command) ^ nytp_str_hash(process->directory) * SPREAD ^ host;
    if (!process->target.n || !process->parent) return 0;
    return nytp_str_hash(process->target) ^ process->parent->start * SPREAD ^ host;
}

/* Its number; 0 of a process alone. */
static uint32_t number_of(nytp_costly *c, uint64_t hash) {
    uint32_t known = hash ? nytp_map_get(&c->numbers, hash) : 0;
    if (known || !hash || c->n == SUMS) return known;
    uint32_t *number = nytp_map_at(&c->numbers, hash);
    if (!number || !nytp_grow_owned(&c->sums, c->n, &c->room, sizeof *c->sums)) return c->failed = 1, 0;
    return *number = ++c->n;
}

/* ---- the list ---- */

/* Sums only grow, so one that the list has lost comes back in time. */
static void list(nytp_costly *c, uint32_t number, const sum *of, const nytp_built *process) {
    double seconds = nytp_command_seconds(process);
    uint32_t at = 0;
    while (at < c->lines_n && (!number || c->lines[at].number != number)) at++;
    if (at == LISTED && c->lines[at - 1].of.seconds >= of->seconds) return;
    if (at == LISTED) at--;
    else if (at == c->lines_n) c->lines[c->lines_n++] = (line){0};
    line new = number && c->lines[at].number == number ? c->lines[at] : (line){0};
    new.number = number;
    new.of = *of;
    if (new.longest <= seconds) new.longest = seconds, nytp_command_describe(&new.label, process);
    for (; at && c->lines[at - 1].of.seconds < of->seconds; at--) c->lines[at] = c->lines[at - 1];
    c->lines[at] = new;
}

void nytp_costly_add(nytp_costly *c, const nytp_built *process) {
    uint32_t number = number_of(c, hash_of(c->of, process)), from = c->of == NYTP_COSTLY_REPEATS ? 2 : 1;
    sum alone = {0}, *of = number ? &c->sums[number - 1] : &alone;
    c->counted += ++of->n == from;
    if (of->n < from) return;
    of->seconds += nytp_command_seconds(process);
    of->cpu += nytp_command_cpu(process);
    list(c, number, of, process);
}

double nytp_costly_longest(const nytp_costly *c) { return c->lines_n ? c->lines[0].of.seconds : 0; }

/* ---- the text ---- */

static void put_line(nytp_buf *out, enum nytp_costly_of of, const line *l) {
    nytp_text_format(out, "%10.3f s ", l->of.seconds);
    if (of == NYTP_COSTLY_REPEATS) nytp_text_format(out, "behind the first of %" PRIu32 "  ", l->of.n);
    else nytp_text_format(out, "%10.3f s CPU  %3" PRIu32 " line%s  ", l->of.cpu, l->of.n, l->of.n == 1 ? " " : "s");
    nytp_command_put(out, &l->label);
}

void nytp_costly_put(nytp_buf *out, const nytp_costly *c) {
    out->failed |= c->failed;
    if (!c->counted) return;
    nytp_text_around(out,
                     c->of == NYTP_COSTLY_REPEATS ? "\nMORE THAN ONCE, the same command in the same directory ("
                                                  : "\nSLOWEST, recipes without another below them (",
                     c->counted, "):\n\n");
    for (uint32_t i = 0; i < c->lines_n; i++) put_line(out, c->of, &c->lines[i]);
    if (c->counted > c->lines_n) nytp_text_around(out, "           ... and ", c->counted - c->lines_n, " more\n");
}

void nytp_costly_free(nytp_costly *c) {
    if (!c) return;
    nytp_map_free(&c->numbers);
    free(c->sums);
    free(c);
}
