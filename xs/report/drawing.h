/* SPDX-License-Identifier: MIT */
/* drawing.h - the processes of a build as a drawing: time runs down, and each process has a column.
 *
 *     :26.30 >=5535:0
 *            | host
 *            |
 *     :26.31 +-<=5953:0
 *            | | host
 *            | |
 *     :27.02 | | gcc
 *            | | 0.62000u
 *            | | 0.040000s
 *            | \=0.71000r
 *
 * A head has pid and serial, then the host; a foot has the class, user and system CPU time and real time, in seconds.
 * Between them the class runs down the column, letter by letter. A time stands where something happens; of year, day
 * and minute what has changed is on lines of its own above. Time does not run evenly: a line is an event.
 *
 * Lines are complete as soon as no later event can have a part of them, so memory is that of the processes that run at
 * a time. */
#ifndef NYTP_REPORT_DRAWING_H
#define NYTP_REPORT_DRAWING_H

#include "base/buf.h"
#include "model/processes.h"

typedef struct nytp_drawing nytp_drawing;

/* width: the most columns of a line, of which a longer line's last is a >; 0: any number. NULL without memory. */
nytp_drawing *nytp_drawing_make(uint32_t width);

/* Takes an event of nytp_processes_next and the class of its process ("": none), and appends the lines that are
 * complete. Memory that is short leaves `out` failed. */
void nytp_drawing_take(nytp_drawing *t, int event, const nytp_built *process, const char *class, nytp_buf *out);

/* Appends some of the lines that are left; there are more of them as long as it returns 1. */
int nytp_drawing_end(nytp_drawing *t, nytp_buf *out);

void nytp_drawing_free(nytp_drawing *t); /* takes NULL */

#endif
