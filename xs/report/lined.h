/* SPDX-License-Identifier: MIT */
/* lined.h - the lines of files of profiles of two sides, old and new: which line is which (aligned.h), how often each
 * ran and how long.
 *
 * Files of one name are one, in different directories, too, if no profile has two of them; string evals are left out.
 * The source of a side is that of the first profile with some; in the others of the side a line is known by its
 * number. A line that stays has values on both sides, 0 where it has not run. */
#ifndef NYTP_REPORT_LINED_H
#define NYTP_REPORT_LINED_H

#include "report/compared.h"

typedef struct nytp_lined {
    nytp_compared compared; /* n and renamed are given; its rows, when all profiles are taken */

    /* Private to lined.c. */
    struct nytp_lined_file *files;
    struct nytp_lined_line *lines;
    uint32_t files_n, files_room, lines_n, lines_room;
    nytp_table by_name, by_number;
} nytp_lined; /* all zero but what is given is empty */

/* Takes the next profile, whose times are whole nanoseconds. Returns NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_lined_take(nytp_lined *l, const nytp_profile *p);

/* Makes the rows when all profiles are taken. Returns NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_lined_end(nytp_lined *l);

void nytp_lined_free(nytp_lined *l); /* leaves none */

#endif
