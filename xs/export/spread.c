/* SPDX-License-Identifier: MIT */
/* spread.c - a table from the sums of its rows and columns. */
#include "export/spread.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/ticks.h"

#define LARGE 100000 /* parts of the run's time that are spread in proportion */

int64_t nytp_spread_least(int64_t whole) { return whole > 0 ? whole / LARGE + 1 : INT64_MAX; }

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

/* Rounding could make a part larger than what its row or column has left. Most rows of a large table have no large
 * part, as that of the largest column tells. */
static int take_large(const nytp_spread *s, uint32_t row, double whole, int64_t largest) {
    double share = (double)s->rows[row] / whole; /* of each column */
    int code = NYTP_OK;
    if (nytp_ticks_whole(share * (double)largest) < s->least) return NYTP_OK;
    for (uint32_t j = 0; j < s->columns_n && !code; j++) {
        int64_t part = nytp_ticks_whole(share * (double)s->columns[j]);
        part = least_of(part, least_of(s->rows[row], s->left[j]));
        if (part < s->least) continue;
        s->rows[row] -= part;
        s->left[j] -= part;
        code = s->take(s->context, row, j, part);
    }
    return code;
}

static int take_rest(const nytp_spread *s) {
    uint32_t j = 0, last = s->columns_n - 1;
    int code = NYTP_OK;
    for (uint32_t i = 0; i < s->rows_n && !code; i++) {
        while (s->rows[i] && !code) {
            while (j < last && !s->left[j]) j++;
            int64_t part = j < last ? least_of(s->rows[i], s->left[j]) : s->rows[i];
            s->rows[i] -= part;
            if (j < last) s->left[j] -= part;
            code = s->take(s->context, i, j, part);
        }
    }
    return code;
}

static double sum_of(const int64_t *at, uint32_t n) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += (double)at[i];
    return sum;
}

static int64_t largest_of(const int64_t *at, uint32_t n) {
    int64_t largest = 0;
    for (uint32_t i = 0; i < n; i++)
        if (at[i] > largest) largest = at[i];
    return largest;
}

/* Where the sums differ, the larger one gives parts that both have room for. */
int nytp_spread_all(const nytp_spread *s) {
    double of_rows = sum_of(s->rows, s->rows_n), of_columns = sum_of(s->columns, s->columns_n);
    double whole = of_rows > of_columns ? of_rows : of_columns;
    int64_t largest = largest_of(s->columns, s->columns_n);
    int code = NYTP_OK;
    assert(s->least > 0 && s->columns_n);
    memcpy(s->left, s->columns, s->columns_n * sizeof *s->left);
    for (uint32_t i = 0; i < s->rows_n && !code; i++)
        if (s->rows[i] >= s->least) code = take_large(s, i, whole, largest);
    return code ? code : take_rest(s);
}
