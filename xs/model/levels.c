/* SPDX-License-Identifier: MIT */
/* levels.c - for how long how many recipes of a build ran at a time. */
#include "model/levels.h"

void nytp_levels_add(nytp_levels *l, uint64_t number, double seconds) {
    uint64_t level = number < NYTP_LEVELS ? number : NYTP_LEVELS - 1;
    double work = (double)number * seconds;
    l->seconds[level] += seconds;
    l->work += work;
    if (level == NYTP_LEVELS - 1) l->beyond += work;
    if (number > l->most) l->most = number;
}

double nytp_levels_seconds(const nytp_levels *l) {
    double sum = 0;
    for (int i = 0; i < NYTP_LEVELS; i++) sum += l->seconds[i];
    return sum;
}

/* The work of a level is spread over all jobs if there are fewer of them, or if there was more to run. */
static double level_bound(const nytp_levels *l, uint64_t level, double jobs) {
    double seconds = l->seconds[level];
    double work = level == NYTP_LEVELS - 1 ? l->beyond : (double)level * seconds;
    int is_full = level == l->most || level == NYTP_LEVELS - 1;
    return level && (is_full || work > jobs * seconds) ? work / jobs : seconds;
}

double nytp_levels_bound(const nytp_levels *l, uint64_t jobs) {
    double sum = 0;
    for (uint64_t i = 0; i < NYTP_LEVELS; i++) sum += level_bound(l, i, (double)jobs);
    return sum > l->longest ? sum : l->longest;
}
