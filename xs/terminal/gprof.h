/* SPDX-License-Identifier: MIT */
/* gprof.h - numbers and names in columns as gprof has them: times in one unit, the name last.
 *
 * Text for programs, which is all that no terminal shows, has seconds with nine decimals and whole names. On a terminal
 * the unit suits the length of the run, with three decimals, and a name too long for the line loses its middle. */
#ifndef NYTP_TERMINAL_GPROF_H
#define NYTP_TERMINAL_GPROF_H

#include "report/registry.h"

#define NYTP_GPROF_NS 1000000000u /* of a second */
#define NYTP_GPROF_POINTS 7       /* columns of a share's error */

typedef struct nytp_gprof {
    const nytp_profile *p;
    const char *unit;   /* of times: "seconds", "ms" or "us" */
    uint64_t step;      /* nanoseconds of the last decimal */
    uint32_t decimals;
    uint32_t times;     /* width of the column of a time, with a blank ahead */
    uint32_t width;     /* of the terminal; 0: there is none */
    int32_t has_color;
    int32_t is_for_people; /* 1: on a terminal: without what is there for programs that read it */
    int32_t has_points; /* 1: for people, and of samples: shares have a column of their errors, which gprof has not */
} nytp_gprof;

/* is_exact: as for programs, on a terminal too. */
nytp_gprof nytp_gprof_of(const nytp_request *r, int is_exact);

/* Ticks as whole nanoseconds, at least 0. */
uint64_t nytp_gprof_ns(const nytp_profile *p, int64_t ticks);

/* n / 10^decimals, right-aligned, as everything here; a number wider than its column makes the line longer. */
void nytp_gprof_decimal(nytp_buf *out, uint32_t width, uint64_t n, uint32_t decimals);
uint32_t nytp_gprof_width(uint64_t n, uint32_t decimals); /* of such a number */

void nytp_gprof_text(nytp_buf *out, uint32_t width, const char *text);
void nytp_gprof_count(nytp_buf *out, uint32_t width, int64_t n); /* at least 0 */
void nytp_gprof_calls(nytp_buf *out, const nytp_gprof *g, uint32_t width, int64_t n); /* blank: not counted */
void nytp_gprof_percent(nytp_buf *out, uint32_t width, uint32_t decimals, int64_t part, int64_t whole);
void nytp_gprof_time(nytp_buf *out, const nytp_gprof *g, uint64_t ns);

/* The error of these ticks' share in points; few samples in grey. Nothing without such a column. */
void nytp_gprof_points(nytp_buf *out, const nytp_gprof *g, int64_t ticks);

/* Columns that a terminal has left in the line that begins at that offset of out, at least 20; 0: any number. */
uint32_t nytp_gprof_left(const nytp_buf *out, const nytp_gprof *g, size_t line);

/* Text, escaped already, that loses its middle if it has more than `room` characters; 0: any number. */
void nytp_gprof_cut(nytp_buf *out, nytp_str text, uint32_t room);

/* Escaped text of at most `room` characters; 0: any number. */
void nytp_gprof_name(nytp_buf *out, nytp_str name, uint32_t room);

/* A sub's name without directories of @INC, and without what a reader of columns would take for another column. */
void nytp_gprof_sub(nytp_buf *out, const nytp_profile *p, uint32_t sub, uint32_t room);

/* Lines about the run: its duration, the time that is the base of percentages, CPU time, and of samples what shares are
 * worth; nothing if the profile has no process. out fails when memory is short. */
void nytp_gprof_run(nytp_buf *out, const nytp_profile *p);

/* Where gprof has a form feed: programs find the end of a table by it, a terminal shows a blank line. */
void nytp_gprof_feed(nytp_buf *out, const nytp_gprof *g);

/* Begins and ends a line coloured by the ticks' share of the run. */
void nytp_gprof_hot(nytp_buf *out, const nytp_gprof *g, int64_t ticks);
void nytp_gprof_end(nytp_buf *out, const nytp_gprof *g, int64_t ticks);

#endif
