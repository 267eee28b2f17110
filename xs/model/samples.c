/* SPDX-License-Identifier: MIT */
/* samples.c - a sampled profile: what its numbers are worth. */
#include "model/samples.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/metrics.h"
#include "model/notes.h"

static uint32_t number_of(nytp_str digits) {
    uint32_t number = 0;
    for (size_t i = 0; i < digits.n && i < 9 && digits.p[i] >= '0' && digits.p[i] <= '9'; i++)
        number = number * 10 + (uint32_t)(digits.p[i] - '0');
    return number;
}

/* Captures of one job are sampled alike. */
uint32_t nytp_samples_rate(const nytp_profile *p) {
    uint32_t rate = 0;
    for (uint32_t i = 0; p->is_uncounted && i < p->processes_n && !rate; i++)
        rate = number_of(nytp_profile_property(p, i, NYTP_LIT("sample_hz")));
    return rate;
}

uint64_t nytp_samples_period(const nytp_profile *p) {
    uint32_t rate = nytp_samples_rate(p);
    return rate ? NYTP_NANOSECONDS / rate : 0;
}

void nytp_samples_worth(int64_t n, char worth[NYTP_SAMPLES_WORTH]) {
    if (nytp_profile_are_few(n)) snprintf(worth, NYTP_SAMPLES_WORTH, "So few samples say little.");
    else snprintf(worth, NYTP_SAMPLES_WORTH, "A share of 10 %% is right within %.2g points.",
                  nytp_profile_deviation(n, 0.1));
}

/* With those that found the program outside statements, which are not among the sums of lines. */
static int64_t sum_up(nytp_profile *p) {
    uint32_t metric = nytp_metrics_find(p, NYTP_LIT("samples"));
    int64_t inside = nytp_metrics_get(p, metric, p->totals.values);
    int64_t all = nytp_metrics_get(p, metric, p->nodes[NYTP_ROOT].whole);
    if (all <= inside) return inside;
    nytp_metrics_put(p, metric, &p->totals.values, all - inside);
    return all;
}

enum nytp_code nytp_samples_tell(nytp_profile *p) {
    int64_t n = sum_up(p);
    char worth[NYTP_SAMPLES_WORTH], text[NYTP_ERROR_TEXT];
    p->samples = n;
    nytp_samples_worth(n, worth);
    snprintf(text, sizeof text, "The program was sampled %" PRId64 " times, and its calls and statements were not "
             "counted. %s", n, worth);
    if (!p->estimate.n) p->estimate = nytp_arena_str(&p->arena, nytp_str_c(text));
    nytp_notes_add(p, "%s", text);
    return p->estimate.p ? NYTP_OK : NYTP_NOMEM;
}
