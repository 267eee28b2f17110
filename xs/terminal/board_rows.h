/* SPDX-License-Identifier: MIT */
/* board_rows.h - the rows of the live table: subs, lines or call stacks with their figures. */
#ifndef NYTP_TERMINAL_BOARD_ROWS_H
#define NYTP_TERMINAL_BOARD_ROWS_H

#include "base/buf.h"
#include "model/profile.h"

enum nytp_board_view { NYTP_BOARD_SUBS, NYTP_BOARD_LINES, NYTP_BOARD_STACKS, NYTP_BOARD_VIEWS };
enum nytp_board_column {
    NYTP_BOARD_TOTAL,   /* ticks, with callees; of subs only */
    NYTP_BOARD_SELF,    /* ticks, without them */
    NYTP_BOARD_CPU,     /* nanoseconds, as self; of samples only, as the next */
    NYTP_BOARD_WAITING,
    NYTP_BOARD_CALLS,   /* of lines: statements */
    NYTP_BOARD_COLUMNS
};

typedef struct nytp_board_row {
    uint32_t thing;      /* a sub, a file or a node */
    uint32_t file, line; /* where its source is; line 0: unknown */
    int64_t of[NYTP_BOARD_COLUMNS];
} nytp_board_row;

typedef struct nytp_board_rows {
    nytp_board_row *at;
    uint32_t n, room;
    uint32_t metric[NYTP_BOARD_COLUMNS]; /* the profile's, or its metrics_n: there is none */
    enum nytp_board_view view;
} nytp_board_rows; /* all zero is empty */

/* The rows of a view, largest of that column first, whose names contain the text; the empty text is in all. Returns an
 * nytp_code; the rows are to be freed in any case. */
enum nytp_code nytp_board_gather(nytp_board_rows *rows, const nytp_profile *p, enum nytp_board_view view,
                                 enum nytp_board_column by, const char *text);
void nytp_board_free(nytp_board_rows *rows);

/* Whether there is anything to show in the column. */
int nytp_board_has(const nytp_board_rows *rows, const nytp_profile *p, enum nytp_board_column column);

/* The name of a row, escaped for a terminal: of a stack the sub first and its callers behind it. */
void nytp_board_name(nytp_buf *out, const nytp_profile *p, enum nytp_board_view view, const nytp_board_row *row);

#endif
