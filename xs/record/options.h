/* SPDX-License-Identifier: MIT */
/* options.h - the options: one row per option, one struct of values.
 *
 * Adding an option is adding a field and a row. Names and meanings are those of Devel::NYTProf; the last rows
 * (overhead, max...) are ours. */
#ifndef NYTP_RECORD_OPTIONS_H
#define NYTP_RECORD_OPTIONS_H

#include "base/error.h"
#include "base/str.h"
#include "capture/redact.h"

enum nytp_output_format { NYTP_OUTPUT_CAPTURE, NYTP_OUTPUT_V5 };
enum nytp_start { NYTP_START_BEGIN, NYTP_START_INIT, NYTP_START_END, NYTP_START_NO };

typedef struct nytp_options {
    char *file, *log, *clock; /* owned, never NULL once initialised */
    int64_t start;            /* enum nytp_start */
    int64_t addpid, addtimestamp, optimize, savesrc, endatexit, libcexit;
    int64_t subs, blocks, stmts, leave, calls, slowops, findcaller, use_db_sub, compress, forkdepth, trace;
    int64_t nameevals, nameanonsubs, perldb, expand, evals, usecputime;
#define NYTP_SAVESRC_EMBED 2 /* savesrc: every file has all its source itself */
    int64_t format;   /* enum nytp_output_format */
    int64_t redact;   /* sum of enum nytp_redact_what */
    int64_t overhead; /* 1: subtract our own cost, 0: raw times */
    int64_t maxnodes, maxevals, maxsiteevals;
    int64_t maxsize; /* bytes of the file; 0: any number */
    int64_t memory; /* 1: values (Perl), or allocations (Lua) */
    int64_t selfcheck, duty; /* for Lua */
    int64_t sample; /* samples a second; 0: none */
    int64_t latency; /* 1: lengths of calls by sub */
    int64_t waiting; /* 1: what C code waits for */
    int64_t ring;   /* seconds of a half of what is kept; 0: all is */
    char *sigexit;                   /* sigexit.h; Perl handles its own in Perl */
    char *sigtoggle;                 /* sample/toggle.h; empty: none */
} nytp_options;

enum nytp_option_kind {
    NYTP_OPTION_NUMBER,   /* as strtol(text, 0, 0) reads it; 0 if it is no number */
    NYTP_OPTION_SWITCH,   /* as atoi reads it */
    NYTP_OPTION_TEXT,
    NYTP_OPTION_START,    /* begin, init, end or no */
    NYTP_OPTION_OVERHEAD, /* raw or corrected */
    NYTP_OPTION_FORMAT,   /* 1 or 5 */
    NYTP_OPTION_REDACT,   /* none, all, or evals and commands with commas */
    NYTP_OPTION_SIZE,     /* a number of bytes, or of as many as k, M or G stands for */
    NYTP_OPTION_SAMPLE,   /* 0, or samples a second */
    NYTP_OPTION_SECONDS,  /* a number of seconds, or of as many as m or h stands for */
    NYTP_OPTION_CLOCK     /* a clock's name or number */
};

typedef struct nytp_option_row {
    const char *name;
    uint16_t kind;   /* enum nytp_option_kind */
    uint16_t offset; /* in nytp_options */
    const char *initial;
    uint16_t recorded; /* its position, from 1, in the list of options in a capture; 0: not listed */
    const char *help;  /* half a sentence for usage.h; NULL: another name of an option, or an old one */
} nytp_option_row;

/* Ends with a row whose name is NULL. */
const nytp_option_row *nytp_options_rows(void);

/* Sets all values to the table's defaults. NYTP_OK or NYTP_NOMEM; nytp_options_free must be called in any case. */
int nytp_options_init(nytp_options *o);

/* The same values; to is freed in any case, too. */
int nytp_options_copy(nytp_options *to, const nytp_options *from);

void nytp_options_free(nytp_options *o); /* takes an all-zero struct, too */

/* 1 if set, 0 if there is no such option, -1 with e set if the value makes no sense or memory is short. */
int nytp_options_set(nytp_options *o, const char *name, const char *value, nytp_error *e);

/* The value of a row that is a number or a word (its index in its enum); 0 for text. */
int64_t nytp_options_number(const nytp_options *o, const nytp_option_row *row);

#endif
