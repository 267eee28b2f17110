/* SPDX-License-Identifier: MIT */
/* compared.h - the subs of profiles of two sides, old and new, each sub with its figures in every profile.
 *
 * Subs of one name are one; numbers of evals are 0, as those differ between two runs. Where a name says the line of its
 * code (anonymous subs, BEGIN blocks), the subs that differ in nothing else are matched in the order of their lines:
 * first those whose first lines have the same text, then those whose numbers are near each other. */
#ifndef NYTP_REPORT_COMPARED_H
#define NYTP_REPORT_COMPARED_H

#include "base/table.h"
#include "model/profile.h"
#include "report/names.h"

#define NYTP_COMPARED_MOST 20 /* profiles of a side */

enum nytp_compared_value {
    NYTP_COMPARED_CALLS,
    NYTP_COMPARED_OWN,   /* ns, exclusive */
    NYTP_COMPARED_WHOLE, /* ns, inclusive */
    NYTP_COMPARED_VALUES
};

enum { NYTP_COMPARED_OLD, NYTP_COMPARED_NEW };

enum nytp_compared_figure { /* of a profile as a whole */
    NYTP_COMPARED_STATEMENTS,
    NYTP_COMPARED_ALL_CALLS,
    NYTP_COMPARED_PROFILED, /* ns */
    NYTP_COMPARED_ELAPSED,  /* ns, summed over the processes */
    NYTP_COMPARED_FIGURES
};

/* A sub by its name. */
typedef struct nytp_compared_sub {
    nytp_str name;
    uint32_t group;    /* subs whose names differ in the numbers of lines only */
    uint32_t lines[2]; /* the first and the last of these numbers; 0: none */
    uint64_t text[2];  /* by side: of its first line of source; 0: unknown */
    unsigned char on[2]; /* by side: 1: it was called, or has time */
    int64_t *values;   /* nytp_compared.profiles times NYTP_COMPARED_VALUES */
} nytp_compared_sub;

/* A sub, or a line of a file (lined.h). */
typedef struct nytp_compared_row {
    nytp_str name;         /* that of the new side, if it is there; of a line its file's */
    uint32_t lines[2];     /* by side: the line's number; 0: it is not there; of a sub 0 0 */
    nytp_str source;       /* of a line: its text, or nothing */
    const int64_t *old, *new; /* values in all profiles; NULL: it is not on that side */
    int32_t has_calls, has_time; /* 1: its calls, its exclusive time have changed: set by judged.h */
} nytp_compared_row;

typedef struct nytp_compared {
    uint32_t n[2];     /* profiles of each side: given */
    nytp_renamed renamed; /* of the old side's names; given */
    uint32_t taken;    /* profiles so far, the old ones first */
    int32_t is_uncounted; /* 1: a profile was sampled: calls and statements are not known */
    int32_t is_seen;      /* 1: the statements of a profile were seen in samples: their number is not known */
    int32_t of_lines;     /* 1: rows are lines: calls are statements, and inclusive time is 0 */
    int64_t figures[2 * NYTP_COMPARED_MOST][NYTP_COMPARED_FIGURES];
    nytp_compared_row *rows; /* the old side's, then what is new */
    uint32_t rows_n, rows_room;

    /* Private to compared.c. */
    nytp_compared_sub *subs;
    uint32_t subs_n, subs_room, groups_n, groups_room;
    nytp_str *groups;
    nytp_table by_name, by_group;
    nytp_arena arena;
} nytp_compared; /* all zero but what is given is empty */

/* The name by which a sub is known, of the one that it is shown by. */
void nytp_compared_name(nytp_buf *name, nytp_str shown);

/* Takes the next profile, whose times are whole nanoseconds (nytp_load_options.whole). Returns NYTP_OK or
 * NYTP_NOMEM. */
enum nytp_code nytp_compared_take(nytp_compared *c, const nytp_profile *p);

/* The side of the next profile. */
static inline int nytp_compared_side(const nytp_compared *c) {
    return c->taken < c->n[NYTP_COMPARED_OLD] ? NYTP_COMPARED_OLD : NYTP_COMPARED_NEW;
}

/* Makes the rows when all profiles are taken. Returns NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_compared_end(nytp_compared *c);

/* The mean of a side's profiles; 0 if the sub is not there. */
double nytp_compared_mean(const nytp_compared *c, const nytp_compared_row *row, int side,
                          enum nytp_compared_value value);

/* The same of the whole. */
double nytp_compared_total(const nytp_compared *c, int side, enum nytp_compared_figure figure);

/* All rows, those first whose mean has changed the most, in either direction, then by name. The caller frees the array;
 * NULL if memory is short. */
const nytp_compared_row **nytp_compared_sorted(const nytp_compared *c, enum nytp_compared_value value);

void nytp_compared_free(nytp_compared *c); /* leaves none */

#endif
