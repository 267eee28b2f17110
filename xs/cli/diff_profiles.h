/* SPDX-License-Identifier: MIT */
/* diff_profiles.h - `nytprof diff` of profiles of programs. */
#ifndef NYTP_CLI_DIFF_PROFILES_H
#define NYTP_CLI_DIFF_PROFILES_H

#include "base/error.h"
#include "report/sink.h"

typedef struct nytp_diff_profiles {
    const char *const *paths; /* captures and files of format 5: the old ones, then the new ones */
    uint32_t n[2];            /* of each side, NYTP_COMPARED_MOST at most */
    const char *least;        /* the option's value: what is listed, "5%,10us"; NULL: not given */
    const char *fail_over;    /* likewise, also "calls"; NULL: not given */
    const char *renamed;      /* "OLD=NEW", the begin of paths on the two sides; NULL: not given */
    uint32_t most;            /* rows of a table; 0: as many as suit the format */
    const char *format;       /* text, or the name of a report that has write_compared */
    const char *out;          /* the file to be written; "-" is standard output */
    uint32_t mode;            /* its permissions */
} nytp_diff_profiles;

/* Writes what differs. Returns the number of offenders of fail_over, each with a line on standard error; or sets e:
 * NYTP_USAGE for an option's value. */
uint32_t nytp_diff_profiles_write(const nytp_diff_profiles *d, nytp_error *e);

#endif
