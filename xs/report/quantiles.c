/* SPDX-License-Identifier: MIT */
/* quantiles.c - how values are distributed. */
#include "report/quantiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "report/text.h"

#define LEAST 1e-6      /* seconds */
#define PARTS 32        /* of an octave, of equal width */
#define COLUMNS 1000u

typedef struct nytp_quantiles_bucket {
    uint32_t key; /* 0: less than LEAST; else its octave and part of an octave */
    uint32_t n;
    float mean;   /* of its values */
} bucket;

static uint32_t key_of(double value) {
    int octave;
    if (!(value >= LEAST)) return 0;
    double mantissa = frexp(value / LEAST, &octave); /* 0.5 to 1 */
    return (uint32_t)(octave * PARTS + (int)((2 * mantissa - 1) * PARTS));
}

/* Of the first bucket that is not below the key. */
static uint32_t find(const nytp_quantiles *q, uint32_t key) {
    uint32_t from = 0, until = q->n;
    while (from < until) {
        uint32_t half = (from + until) / 2;
        if (q->buckets[half].key < key) from = half + 1;
        else until = half;
    }
    return from;
}

int nytp_quantiles_add(nytp_quantiles *q, double value, uint32_t *left) {
    uint32_t key = key_of(value), at = find(q, key);
    int is_new = at == q->n || q->buckets[at].key != key;
    if (is_new && !*left) is_new = 0, at -= at == q->n;
    if (!q->n && !is_new) return 1;
    if (is_new) {
        if (!nytp_grow_owned(&q->buckets, q->n, &q->room, sizeof *q->buckets)) return 0;
        memmove(q->buckets + at + 1, q->buckets + at, (q->n++ - at) * sizeof *q->buckets);
        q->buckets[at] = (bucket){.key = key};
        --*left;
    }
    bucket *b = &q->buckets[at];
    b->mean += ((float)value - b->mean) / (float)++b->n;
    return 1;
}

static uint64_t count(const nytp_quantiles *q) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < q->n; i++) n += q->buckets[i].n;
    return n;
}

double nytp_quantiles_at(const nytp_quantiles *q, double part) {
    double before = part * (double)count(q), n = 0;
    for (uint32_t i = 0; i < q->n; i++) {
        n += q->buckets[i].n;
        if (n >= before) return (double)q->buckets[i].mean;
    }
    return NAN;
}

char nytp_quantiles_mark(double value, double most) {
    static const char marks[] = ".:+#";
    if (!(value > 0)) return ' ';
    int quarter = (int)(4 * value / most);
    return marks[quarter < 3 ? quarter : 3];
}

/* 0 to 1 between the first bucket and the last one. */
static double place(const nytp_quantiles *q, uint32_t i, int is_linear) {
    const bucket *first = &q->buckets[0], *last = &q->buckets[q->n - 1], *b = &q->buckets[i];
    if (is_linear) return (double)((b->mean - first->mean) / (last->mean - first->mean));
    return (double)(b->key - first->key) / (double)(last->key - first->key);
}

void nytp_quantiles_put(nytp_buf *out, const nytp_quantiles *q, uint32_t columns, int is_linear) {
    double sums[COLUMNS] = {0}, most = 0;
    if (columns > COLUMNS) columns = COLUMNS;
    if (q->n < 2) {
        if (q->n) nytp_text_put(out, "|");
        return;
    }
    for (uint32_t i = 0; i < q->n; i++) {
        uint32_t column = (uint32_t)(place(q, i, is_linear) * columns);
        double *sum = &sums[column < columns ? column : columns - 1];
        *sum += q->buckets[i].n;
        if (*sum > most) most = *sum;
    }
    for (uint32_t i = 0; i < columns; i++) nytp_buf_byte(out, (unsigned char)nytp_quantiles_mark(sums[i], most));
}

void nytp_quantiles_free(nytp_quantiles *q) {
    free(q->buckets);
    *q = (nytp_quantiles){0};
}
