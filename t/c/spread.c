/* SPDX-License-Identifier: MIT */
/* spread.c - tables whose rows and columns add up. */
#include "export/spread.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tap.h"

#define MOST 40

typedef struct table {
    int64_t parts[MOST][MOST];
    uint32_t n, large; /* parts taken; those of `least` or more */
    int64_t least;
    int32_t is_wrong; /* 1: a part was 0 or below */
} table;

static int take(void *context, uint32_t row, uint32_t column, int64_t part) {
    table *t = context;
    t->parts[row][column] += part;
    t->n++;
    t->large += part >= t->least;
    t->is_wrong |= part <= 0;
    return NYTP_OK;
}

/* Spreads copies of the sums. */
static table spread(const int64_t *rows, uint32_t rows_n, const int64_t *columns, uint32_t columns_n, int64_t least) {
    table t = {.least = least};
    int64_t used[MOST], left[MOST];
    memcpy(used, rows, rows_n * sizeof *rows);
    nytp_spread s = {used, columns, left, rows_n, columns_n, least, take, &t};
    if (nytp_spread_all(&s)) t.is_wrong = 1;
    return t;
}

static int adds_up(const table *t, const int64_t *rows, uint32_t rows_n, const int64_t *columns, uint32_t columns_n) {
    int64_t by_column[MOST] = {0};
    for (uint32_t i = 0; i < rows_n; i++) {
        int64_t sum = 0;
        for (uint32_t j = 0; j < columns_n; j++) {
            sum += t->parts[i][j];
            by_column[j] += t->parts[i][j];
        }
        if (sum != rows[i]) return 0;
    }
    return !t->is_wrong && memcmp(by_column, columns, columns_n * sizeof *columns) == 0;
}

static uint64_t state = 42;

static int64_t below(int64_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)n);
}

/* Any sums: at most as many small parts as rows and columns. */
static void test_any(void) {
    uint32_t wrong = 0;
    for (int round = 0; round < 20000; round++) {
        int64_t rows[MOST], columns[MOST] = {0}, left = 0, least = 1 + below(1000);
        uint32_t rows_n = 1 + (uint32_t)below(MOST), columns_n = 1 + (uint32_t)below(MOST);
        for (uint32_t i = 0; i < rows_n; i++) left += rows[i] = below(3) ? below(round % 2 ? 50 : 1 << 30) : 0;
        for (uint32_t j = 0; j < columns_n; j++) left -= columns[j] = j + 1 < columns_n ? below(left + 1) : left;
        table t = spread(rows, rows_n, columns, columns_n, least);
        wrong += !adds_up(&t, rows, rows_n, columns, columns_n) || t.n - t.large >= rows_n + columns_n;
    }
    is(wrong, 0, "parts add up to their rows and columns, and few are small");
}

int main(void) {
    const int64_t rows[] = {600, 300, 100}, columns[] = {500, 0, 400, 100}, other[] = {10, 5};
    table t = spread(rows, 3, columns, 4, 1);
    ok(t.parts[0][0] == 300 && t.parts[0][2] == 240 && t.parts[1][0] == 150 && t.parts[2][3] == 10,
       "parts are in proportion to rows and columns");
    t = spread(rows, 3, columns, 4, 1000);
    ok(adds_up(&t, rows, 3, columns, 4) && t.n == 4, "or, where they are small, as few as can be");
    t = spread(rows, 3, other, 2, 1);
    ok(t.parts[0][0] + t.parts[0][1] == 600 && t.parts[2][0] + t.parts[2][1] == 100,
       "rows with more than the columns are complete");
    t = spread(other, 2, columns, 4, 1);
    is(t.parts[0][0] + t.parts[0][2] + t.parts[0][3], 10, "and so are rows with less");
    test_any();
    return done();
}
