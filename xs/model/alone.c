/* SPDX-License-Identifier: MIT */
/* alone.c - real time of processes in which no process directly below them ran. */
#include "model/alone.h"

#include <stdlib.h>

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

/* Processes are in the order of their begin, so what they cover of the time of the process above grows at one end. */
int64_t *nytp_alone_times(const nytp_build *b) {
    int64_t *alone = calloc(b->n + (size_t)1, sizeof *alone), *covered = calloc(b->n + (size_t)1, sizeof *covered);
    for (uint32_t i = 0; alone && covered && i < b->n; i++) {
        const nytp_build_process *p = &b->processes[i], *above = p->parent < i ? &b->processes[p->parent] : NULL;
        alone[i] = p->ended - p->began;
        covered[i] = p->began; /* until then */
        if (!above) continue;
        int64_t from = later(p->began, covered[p->parent]), to = p->ended < above->ended ? p->ended : above->ended;
        if (to > from) alone[p->parent] -= to - from, covered[p->parent] = to;
    }
    if (!covered) free(alone), alone = NULL;
    free(covered);
    return alone;
}
