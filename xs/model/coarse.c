/* SPDX-License-Identifier: MIT */
/* coarse.c - the error of times by a coarse clock. */
#include "model/coarse.h"

#include "base/ticks.h"
#include "capture/clock.h"

/* The longest step of a coarse clock, in ticks of the profile; 0: there is none. */
static double longest_step(const nytp_profile *p) {
    double longest = 0;
    for (uint32_t i = 0; i < p->processes_n; i++) {
        const nytp_process *process = &p->processes[i];
        uint64_t rate = process->ticks_per_second;
        double step = rate ? (double)process->resolution / (double)rate : 0;
        if (step > longest && nytp_clock_has_long_steps(process->resolution, rate)) longest = step;
    }
    return longest * (double)p->ticks_per_second;
}

/* Twice the root of n steps, in ticks. */
static float error_of(double step, int64_t ticks) {
    double square = step * (double)ticks;
    int64_t most = INT64_MAX / 4;
    return ticks > 0 ? 2 * (float)nytp_ticks_root(square < (double)most ? (int64_t)square : most) : 0;
}

static void tell_lines(nytp_file *f, double step) {
    for (int level = 0; level < NYTP_LEVELS; level++)
        for (uint32_t i = 0; i < f->level[level].n; i++) {
            nytp_line *line = &f->level[level].at[i];
            line->spread += error_of(step, line->ticks);
        }
    f->spread += error_of(step, f->ticks);
}

static void tell_sub(nytp_sub *s, double step) {
    s->spread += error_of(step, s->exclusive);
    s->whole_spread += error_of(step, s->inclusive);
    s->nested_spread += error_of(step, s->recursive);
}

void nytp_coarse_tell(nytp_profile *p) {
    double step = longest_step(p);
    if (step <= 0 || p->is_uncounted) return;
    p->samples = nytp_ticks_whole((double)p->totals.whole / step);
    for (uint32_t i = 0; i < p->files_n; i++) tell_lines(&p->files[i], step);
    for (uint32_t i = 0; i < p->subs_n; i++) tell_sub(&p->subs[i], step);
    for (uint32_t i = 0; i < p->edges_n; i++) p->edges[i].spread += error_of(step, p->edges[i].inclusive);
}
