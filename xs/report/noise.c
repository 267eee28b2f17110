/* SPDX-License-Identifier: MIT */
/* noise.c - which times differ between two sides by more than they do from capture to capture. */
#include "report/noise.h"

#include <math.h>
#include <stdlib.h>

#define WAYS 1000u      /* to divide the captures, at most */
#define UNLIKELY 0.05   /* chance of any changed row where there is none */
#define TWICE 2.0
#define SHORTEST 100.0  /* ns: shorter times are taken for as long */

typedef struct row {
    nytp_compared_row *of;
    double time;  /* sum of all captures */
    double *logs; /* of each capture, without the row's mean */
    uint8_t order[2 * NYTP_COMPARED_MOST]; /* the captures, the shortest time first */
} row;

typedef struct noise {
    const nytp_compared *c;
    row *rows;
    uint32_t n, captures;
    uint32_t kept[2]; /* captures of each side without its slowest quarter */
    double *logs, *sorted; /* sorted has room for one number a row */
    double added;          /* to each spread */
    double most[WAYS];     /* the largest statistic of each way but the true one */
    uint32_t ways;
} noise;

/* ---- logarithms ---- */

/* The natural one, by the series of its inverse hyperbolic tangent; this library needs no libm. */
static double logarithm(double x) {
    int exponent;
    double half = frexp(x, &exponent), z = (half - 1) / (half + 1), power = z, sum = 0;
    for (int i = 1; i < 40; i += 2, power *= z * z) sum += power / i;
    return 2 * sum + exponent * 0.69314718055994530942;
}

/* ---- rows ---- */

static double time_of(const nytp_compared *c, const nytp_compared_row *r, uint32_t capture) {
    const int64_t *values = capture < c->n[NYTP_COMPARED_OLD] ? r->old : r->new;
    return (double)values[(size_t)capture * NYTP_COMPARED_VALUES + NYTP_COMPARED_OWN];
}

static int by_time(const void *a, const void *b) {
    const row *x = a, *y = b;
    if (x->time != y->time) return x->time > y->time ? -1 : 1;
    return x->of < y->of ? -1 : x->of > y->of;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int is_long(const nytp_compared *c, const nytp_compared_row *r, double least) {
    return r->old && r->new &&
           (nytp_compared_mean(c, r, NYTP_COMPARED_OLD, NYTP_COMPARED_OWN) >= least ||
            nytp_compared_mean(c, r, NYTP_COMPARED_NEW, NYTP_COMPARED_OWN) >= least);
}

static void collect(noise *s, nytp_compared *c, double least) {
    for (uint32_t i = 0; i < c->rows_n; i++) {
        row *r = &s->rows[s->n];
        if (!is_long(c, &c->rows[i], least)) continue;
        *r = (row){.of = &c->rows[i]};
        for (uint32_t k = 0; k < s->captures; k++) r->time += time_of(c, r->of, k);
        s->n++;
    }
    qsort(s->rows, s->n, sizeof *s->rows, by_time);
    if (s->n > NYTP_NOISE_ROWS) s->n = NYTP_NOISE_ROWS;
}

static void take_logs(noise *s) {
    for (uint32_t i = 0; i < s->n; i++) {
        row *r = &s->rows[i];
        double sum = 0;
        r->logs = s->logs + (size_t)i * s->captures;
        for (uint32_t k = 0; k < s->captures; k++) {
            double time = time_of(s->c, r->of, k);
            sum += r->logs[k] = logarithm(time > SHORTEST ? time : SHORTEST);
        }
        for (uint32_t k = 0; k < s->captures; k++) r->logs[k] -= sum / s->captures;
    }
}

static double median(double *values, uint32_t n) {
    qsort(values, n, sizeof *values, by_value);
    return n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : 0;
}

/* Takes what a whole capture is slower by off its rows. */
static void level(noise *s) {
    for (uint32_t k = 0; k < s->captures; k++) {
        for (uint32_t i = 0; i < s->n; i++) s->sorted[i] = s->rows[i].logs[k];
        double by = median(s->sorted, s->n);
        for (uint32_t i = 0; i < s->n; i++) s->rows[i].logs[k] -= by;
    }
}

static void put_in_order(noise *s) {
    for (uint32_t i = 0; i < s->n; i++) {
        row *r = &s->rows[i];
        for (uint32_t k = 0; k < s->captures; k++) {
            uint32_t at = k;
            for (; at && r->logs[r->order[at - 1]] > r->logs[k]; at--) r->order[at] = r->order[at - 1];
            r->order[at] = (uint8_t)k;
        }
        s->sorted[i] = r->logs[r->order[s->captures * 3 / 4]] - r->logs[r->order[s->captures / 4]];
    }
    s->added = median(s->sorted, s->n) / 2;
}

/* ---- the statistic ---- */

/* old has a bit for each capture of the old side. */
static double statistic(const noise *s, const row *r, uint64_t old) {
    double least[2] = {0, 0}, kept[2] = {0, 0}, most[2] = {0, 0};
    uint32_t n[2] = {0, 0};
    for (uint32_t i = 0; i < s->captures; i++) {
        int side = old >> r->order[i] & 1 ? NYTP_COMPARED_OLD : NYTP_COMPARED_NEW;
        double value = r->logs[r->order[i]];
        if (!n[side]++) least[side] = value;
        if (n[side] == s->kept[side]) kept[side] = value;
        most[side] = value;
    }
    double gap = least[0] < least[1] ? least[1] - most[0] : least[0] - most[1];
    double spread = (kept[0] - least[0] + kept[1] - least[1]) / 2 + s->added;
    return gap <= 0 ? 0 : spread > 0 ? gap / spread : HUGE_VAL;
}

static uint64_t bits_of(const noise *s, const uint32_t *old) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < s->c->n[NYTP_COMPARED_OLD]; i++) bits |= UINT64_C(1) << old[i];
    return bits;
}

static void add_way(noise *s, const uint32_t *old) {
    uint64_t bits = bits_of(s, old);
    double most = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        double value = statistic(s, &s->rows[i], bits);
        if (value > most) most = value;
    }
    s->most[s->ways++] = most;
}

/* ---- ways to divide the captures ---- */

static double count_ways(uint32_t n, uint32_t m) {
    double ways = 1;
    for (uint32_t i = 1; i <= n; i++) ways = ways * (m + i) / i;
    return ways;
}

/* The next n of so many captures, in the order of their numbers; 0 behind the last ones. */
static int next_way(uint32_t *old, uint32_t n, uint32_t captures) {
    uint32_t i = n;
    while (i && old[i - 1] == captures - n + i - 1) i--;
    if (!i) return 0;
    old[i - 1]++;
    for (; i < n; i++) old[i] = old[i - 1] + 1;
    return 1;
}

/* The same sides with old and new exchanged are no other way. */
static int is_exchanged(const noise *s, const uint32_t *old) {
    uint32_t n = s->c->n[NYTP_COMPARED_OLD];
    return 2 * n == s->captures && old[0] == n;
}

static void try_all(noise *s, uint32_t *old) {
    uint32_t n = s->c->n[NYTP_COMPARED_OLD];
    while (next_way(old, n, s->captures))
        if (!is_exchanged(s, old)) add_way(s, old);
}

/* The same ways each time: numbers by xorshift (Marsaglia, 2003). */
static void try_some(noise *s, uint32_t *old) {
    uint32_t n = s->c->n[NYTP_COMPARED_OLD], all[2 * NYTP_COMPARED_MOST];
    uint64_t state = 88172645463325252u;
    for (uint32_t k = 0; k < s->captures; k++) all[k] = k;
    while (s->ways < WAYS - 1) {
        for (uint32_t i = 0; i < n; i++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            uint32_t other = i + (uint32_t)(state % (s->captures - i)), kept = all[i];
            old[i] = all[i] = all[other];
            all[other] = kept;
        }
        add_way(s, old);
    }
}

/* ---- all of it ---- */

/* Above this the true way's statistic of a row is a change. The true way is one of those that are as unlikely, and in
 * the list of all ways each stands twice if old and new can be exchanged. */
static double limit(noise *s, int is_all) {
    uint32_t own = is_all && 2 * s->c->n[NYTP_COMPARED_OLD] == s->captures ? 2 : 1;
    double allowed = UNLIKELY * (s->ways + own) - own;
    qsort(s->most, s->ways, sizeof *s->most, by_value);
    return allowed < 0 ? TWICE * s->most[s->ways - 1] : s->most[s->ways - 1 - (uint32_t)allowed];
}

static int has_room(noise *s, uint32_t rows) {
    uint32_t judged = rows < NYTP_NOISE_ROWS ? rows : NYTP_NOISE_ROWS;
    s->rows = malloc((rows + (size_t)1) * sizeof *s->rows);
    s->logs = malloc((judged + (size_t)1) * s->captures * sizeof *s->logs);
    s->sorted = malloc((judged + (size_t)1) * sizeof *s->sorted);
    return s->rows && s->logs && s->sorted;
}

static void judge(noise *s) {
    uint32_t n = s->c->n[NYTP_COMPARED_OLD], old[NYTP_COMPARED_MOST];
    int is_all = count_ways(n, s->captures - n) <= WAYS;
    for (uint32_t i = 0; i < n; i++) old[i] = i;
    uint64_t bits = bits_of(s, old);
    if (is_all) try_all(s, old);
    else try_some(s, old);
    double least = limit(s, is_all);
    for (uint32_t i = 0; i < s->n; i++) s->rows[i].of->has_time = statistic(s, &s->rows[i], bits) > least;
}

enum nytp_code nytp_noise_judge(nytp_compared *c, double least_ns) {
    noise *s = calloc(1, sizeof *s);
    if (!s) return NYTP_NOMEM;
    s->c = c;
    s->captures = c->n[NYTP_COMPARED_OLD] + c->n[NYTP_COMPARED_NEW];
    for (int side = 0; side < 2; side++) s->kept[side] = c->n[side] - c->n[side] / 4;
    int is_fine = has_room(s, c->rows_n);
    if (is_fine) {
        collect(s, c, least_ns);
        take_logs(s);
        level(s);
        put_in_order(s);
        judge(s);
    }
    free(s->rows);
    free(s->logs);
    free(s->sorted);
    free(s);
    return is_fine ? NYTP_OK : NYTP_NOMEM;
}
