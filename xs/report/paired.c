/* SPDX-License-Identifier: MIT */
/* paired.c - matches subs whose names differ in the numbers of lines: the cheapest alignment of two lists in the order
 * of these numbers (the recurrence of Needleman and Wunsch, 1970). */
#include "report/paired.h"

#include <stdlib.h>

#define CELLS_ONCE 4000000u  /* of the table of one group: bytes */
#define CELLS_ALL 100000000u /* of all groups: steps */

/* Costs. Other text is cheaper than a sub that is gone beside one that is new; a distance only decides among matches of
 * equal texts. */
#define OTHER_TEXT (UINT64_C(1) << 40)
#define ALONE (OTHER_TEXT / 4 * 3)
#define FARTHEST 1000000u

enum step { BOTH, OLD_ALONE, NEW_ALONE };

typedef struct list {
    uint32_t *at; /* indexes of subs */
    uint32_t n;
} list;

typedef struct pairing {
    const nytp_compared_sub *subs;
    uint32_t *partners; /* the result */
    list of[2];
    uint64_t *costs;      /* two rows of the table */
    unsigned char *steps; /* the table */
    uint64_t cells;       /* so far */
} pairing;

typedef struct key {
    uint32_t group, lines[2], index;
} key;

static int by_group(const void *a, const void *b) {
    const key *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    for (int i = 0; i < 2; i++)
        if (x->lines[i] != y->lines[i]) return x->lines[i] < y->lines[i] ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static uint64_t cost_of(const nytp_compared_sub *old, const nytp_compared_sub *new) {
    uint64_t distance = 0, text = old->text[NYTP_COMPARED_OLD];
    for (int i = 0; i < 2; i++)
        distance += old->lines[i] < new->lines[i] ? new->lines[i] - old->lines[i] : old->lines[i] - new->lines[i];
    if (distance > FARTHEST) distance = FARTHEST;
    return text && text == new->text[NYTP_COMPARED_NEW] ? distance : OTHER_TEXT + distance;
}

/* ---- the table ---- */

static void fill_row(pairing *p, uint32_t i, uint64_t *above, uint64_t *row) {
    const list *old = &p->of[NYTP_COMPARED_OLD], *new = &p->of[NYTP_COMPARED_NEW];
    unsigned char *steps = p->steps + (size_t)i * (new->n + 1);
    for (uint32_t j = 0; j <= new->n; j++) {
        uint64_t best = i || j ? UINT64_MAX : 0;
        if (i && j) best = above[j - 1] + cost_of(&p->subs[old->at[i - 1]], &p->subs[new->at[j - 1]]);
        steps[j] = BOTH;
        if (i && above[j] + ALONE < best) best = above[j] + ALONE, steps[j] = OLD_ALONE;
        if (j && row[j - 1] + ALONE < best) best = row[j - 1] + ALONE, steps[j] = NEW_ALONE;
        row[j] = best;
    }
}

static void follow(pairing *p) {
    const list *old = &p->of[NYTP_COMPARED_OLD], *new = &p->of[NYTP_COMPARED_NEW];
    uint32_t i = old->n, j = new->n;
    while (i || j) {
        enum step step = (enum step)p->steps[(size_t)i * (new->n + 1) + j];
        if (step == BOTH) p->partners[old->at[i - 1]] = new->at[j - 1];
        if (step != NEW_ALONE) i--;
        if (step != OLD_ALONE) j--;
    }
}

/* 0 if memory is short. */
static int align(pairing *p) {
    size_t width = (size_t)p->of[NYTP_COMPARED_NEW].n + 1, height = (size_t)p->of[NYTP_COMPARED_OLD].n + 1;
    p->costs = malloc(2 * width * sizeof *p->costs);
    p->steps = malloc(width * height);
    int is_fine = p->costs && p->steps;
    for (uint32_t i = 0; i < height && is_fine; i++)
        fill_row(p, i, p->costs + ((i + 1) % 2) * width, p->costs + (i % 2) * width);
    if (is_fine) follow(p);
    free(p->costs);
    free(p->steps);
    return is_fine;
}

/* ---- groups ---- */

static void pair_equal(pairing *p) {
    const list *old = &p->of[NYTP_COMPARED_OLD];
    for (uint32_t i = 0; i < old->n; i++)
        if (p->subs[old->at[i]].on[NYTP_COMPARED_NEW]) p->partners[old->at[i]] = old->at[i];
}

static int pair_group(pairing *p, const key *keys, uint32_t n) {
    for (int side = 0; side < 2; side++) {
        p->of[side].n = 0;
        for (uint32_t i = 0; i < n; i++)
            if (p->subs[keys[i].index].on[side]) p->of[side].at[p->of[side].n++] = keys[i].index;
    }
    uint64_t cells = ((uint64_t)p->of[0].n + 1) * ((uint64_t)p->of[1].n + 1);
    int is_alone = n == 1, is_large = cells > CELLS_ONCE || p->cells + cells > CELLS_ALL;
    if (!is_alone && !is_large) p->cells += cells;
    if (!is_alone && !is_large) return align(p);
    pair_equal(p);
    return 1;
}

static int pair_all(pairing *p, key *keys, uint32_t n) {
    int is_fine = 1;
    for (uint32_t i = 0; i < n; i++) {
        const nytp_compared_sub *s = &p->subs[i];
        keys[i] = (key){s->group, {s->lines[0], s->lines[1]}, i};
        p->partners[i] = NYTP_PAIRED_NONE;
    }
    qsort(keys, n, sizeof *keys, by_group);
    for (uint32_t first = 0, behind; first < n && is_fine; first = behind) {
        for (behind = first + 1; behind < n && keys[behind].group == keys[first].group;) behind++;
        is_fine = pair_group(p, keys + first, behind - first);
    }
    return is_fine;
}

uint32_t *nytp_paired_make(const nytp_compared_sub *subs, uint32_t n) {
    size_t room = n + (size_t)1;
    key *keys = malloc(room * sizeof *keys);
    pairing p = {.subs = subs, .partners = malloc(room * sizeof *p.partners)};
    for (int side = 0; side < 2; side++) p.of[side].at = malloc(room * sizeof *p.of[side].at);
    int is_fine = keys && p.partners && p.of[0].at && p.of[1].at && pair_all(&p, keys, n);
    for (int side = 0; side < 2; side++) free(p.of[side].at);
    free(keys);
    if (!is_fine) free(p.partners);
    return is_fine ? p.partners : NULL;
}
