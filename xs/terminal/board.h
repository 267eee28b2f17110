/* SPDX-License-Identifier: MIT */
/* board.h - the live table: a screen of a profile, as text. */
#ifndef NYTP_TERMINAL_BOARD_H
#define NYTP_TERMINAL_BOARD_H

#include "terminal/board_rows.h"

#define NYTP_BOARD_FILTER 64

typedef struct nytp_board {
    enum nytp_board_view view;
    enum nytp_board_column by; /* what comes first */
    uint32_t first, cursor;    /* rows: at the top of the table, and the one that is chosen */
    uint32_t width, height;    /* of the screen; height 0: there is none */
    uint32_t most;             /* rows, where there is no screen */
    int32_t has_color;
    int32_t has_cursor;        /* 0: no row is chosen, and there are no keys */
    int32_t is_typing;         /* 1: the user types the filter */
    int32_t wants_help;
    char filter[NYTP_BOARD_FILTER]; /* text that names contain */
    const char *title;         /* the first line: what is profiled, and when */
    double seconds;            /* of the run that the profile is about, for rates */
} nytp_board;

/* Moves the cursor by that many rows, and keeps it and the table's top within the rows and the screen. */
void nytp_board_move(nytp_board *b, uint32_t rows, int64_t by);

/* Rows that fit on the screen. */
uint32_t nytp_board_page(const nytp_board *b);

/* Appends the screen: `height` lines, each ended by a newline but the last one. */
void nytp_board_draw(nytp_buf *out, const nytp_board *b, const nytp_profile *p, const nytp_board_rows *rows);

#endif
