/* SPDX-License-Identifier: MIT */
/* spread.h - fills a table of which only the sums of rows and columns are known: the time that each path spent on each
 * line, from the paths' times and the lines'. */
#ifndef NYTP_EXPORT_SPREAD_H
#define NYTP_EXPORT_SPREAD_H

#include <stdint.h>

typedef struct nytp_spread {
    int64_t *rows;          /* their sums, 0 or more; used up */
    const int64_t *columns; /* likewise */
    int64_t *left;          /* scratch, as long as columns */
    uint32_t rows_n, columns_n; /* one column at least */
    int64_t least; /* > 0 */
    /* Gets a part above 0. Returns an nytp_code; another one than NYTP_OK ends the work. */
    int (*take)(void *context, uint32_t row, uint32_t column, int64_t part);
    void *context;
} nytp_spread;

/* The least part that is in proportion, of the time of a run: there is only so much work for these. */
int64_t nytp_spread_least(int64_t whole);

/* Parts of at least `least` are in proportion to both sums. What is left then goes from the first rows to the first
 * columns that have something left, in fewer parts than there are rows and columns. The parts of a row add up to it,
 * exactly, and those of a column, too, if rows and columns have one sum; else the last column has the difference.
 * Returns an nytp_code. */
int nytp_spread_all(const nytp_spread *s);

#endif
