/* SPDX-License-Identifier: MIT */
/* samples.c - a sampled profile: what its numbers are worth. */
#include "model/samples.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/metrics.h"
#include "model/notes.h"

#define FEWEST 100 /* samples that say something */

/* The error of a share p of n samples is a standard deviation, sqrt(p * (1 - p) / n), in percent: of a tenth it is
 * 30 / sqrt(n). The root is taken of 10,000 n for two more digits. */
static double error_of_a_tenth(int64_t n) {
    int64_t most = INT64_MAX / 10000;
    return 3000.0 / (double)nytp_ticks_root(10000 * (n < most ? n : most));
}

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

enum nytp_code nytp_samples_tell(nytp_profile *p) {
    int64_t n = nytp_metrics_get(p, nytp_metrics_find(p, NYTP_LIT("samples")), p->totals.values);
    char worth[80] = "So few samples say little.", text[NYTP_ERROR_TEXT];
    if (n >= FEWEST)
        snprintf(worth, sizeof worth, "A share of 10 %% is right within %.2g points.", error_of_a_tenth(n));
    snprintf(text, sizeof text, "The program was sampled %" PRId64 " times, and its calls and statements were not "
             "counted. %s", n, worth);
    if (!p->estimate.n) p->estimate = nytp_arena_str(&p->arena, nytp_str_c(text));
    nytp_notes_add(p, "%s", text);
    return p->estimate.p ? NYTP_OK : NYTP_NOMEM;
}
