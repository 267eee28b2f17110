/* SPDX-License-Identifier: MIT */
/* select.h - what a report shows of a profile, by options that are the same for all reports: --filter, --package and
 * --source choose subs, --from paths, --min-percent and --top rows.
 *
 * In tables chosen subs have rows. In reports of call paths, paths with a chosen sub are shown. */
#ifndef NYTP_REPORT_SELECT_H
#define NYTP_REPORT_SELECT_H

#include "model/profile.h"

/* The options' values; a text is NULL if it is not given. */
typedef struct nytp_wish {
    const char *filter;  /* a regular expression (POSIX, extended) that a sub's name contains */
    const char *package; /* the package of a sub, or the beginning of its name up to a separator */
    const char *source;  /* the file with the sub, or with the string eval that has it: its name or the last parts */
    const char *from;    /* the name of the sub that paths begin with, or its last parts */
    double percent;      /* least share of the run */
    double top;          /* most rows; 0: no limit */
} nytp_wish;

typedef struct nytp_selection {
    nytp_arena arena;
    unsigned char *chosen; /* per sub; NULL: all */
    unsigned char *files;  /* per file, of --source only; NULL: all */
    unsigned char *from;   /* per sub 1: paths begin with it; NULL: all paths */
    double share;          /* least part of the run, from 0 to 1 */
    int64_t least;         /* the same in ticks, of a row or of a frame */
    uint32_t top;          /* most rows; UINT32_MAX: no limit */
} nytp_selection;

/* Tells before there is a profile whether the texts make sense. Returns an nytp_code with e set: NYTP_USAGE. */
enum nytp_code nytp_selection_check(const nytp_wish *wish, nytp_error *e);

/* Fills *s in any case, to be freed in any case. Returns an nytp_code with e set: NYTP_USAGE for what
 * nytp_selection_check refuses, or a name that no sub has, or several. */
enum nytp_code nytp_selection_make(nytp_selection *s, const nytp_profile *p, const nytp_wish *wish, nytp_error *e);

/* Cuts the profile down to what is below the subs of --from, which are chosen then. Returns an nytp_code. */
enum nytp_code nytp_selection_cut(nytp_selection *s, nytp_profile *p);

/* Whether the options choose no sub, and --source no file. */
int nytp_selection_is_empty(const nytp_selection *s, const nytp_profile *p);

static inline int nytp_selection_has(const nytp_selection *s, uint32_t sub) { return !s->chosen || s->chosen[sub]; }

static inline int nytp_selection_has_file(const nytp_selection *s, uint32_t file) {
    return !s->files || s->files[file];
}

static inline int nytp_selection_shows(const nytp_selection *s, int64_t ticks) { return ticks >= s->least; }

/* The least value that is shown of a whole in another unit than ticks. */
int64_t nytp_selection_least(const nytp_selection *s, int64_t whole);

void nytp_selection_free(nytp_selection *s);

#endif
