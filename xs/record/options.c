/* SPDX-License-Identifier: MIT */
/* options.c - the table of options, and reading values into it. */
#include "record/options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "capture/clock.h"

#define NUMBER(field, initial, recorded) {#field, NYTP_OPTION_NUMBER, offsetof(nytp_options, field), initial, recorded}
#define SWITCH(name, field, initial) {name, NYTP_OPTION_SWITCH, offsetof(nytp_options, field), initial, 0}
#define OTHER(field, kind, initial, recorded) {#field, kind, offsetof(nytp_options, field), initial, recorded}

/* Their meanings are in the manual, lib/Devel/NYTProf.pm. */
static const nytp_option_row rows[] = {
    OTHER(file, NYTP_OPTION_TEXT, "nytprof.out", 0),
    OTHER(log, NYTP_OPTION_TEXT, "", 0),
    OTHER(start, NYTP_OPTION_START, "begin", 0),
    SWITCH("addpid", addpid, "0"),
    SWITCH("addtimestamp", addtimestamp, "0"),
    SWITCH("optimize", optimize, "1"),
    SWITCH("optimise", optimize, "1"),
    SWITCH("savesrc", savesrc, "1"),
    SWITCH("endatexit", endatexit, "0"),
    SWITCH("libcexit", libcexit, "0"),
    NUMBER(usecputime, "0", 1),
    NUMBER(subs, "1", 2),
    NUMBER(blocks, "0", 3),
    NUMBER(leave, "1", 4),
    NUMBER(expand, "0", 5),
    NUMBER(trace, "0", 6),
    NUMBER(use_db_sub, "0", 7),
    NUMBER(compress, "1", 8),
    OTHER(clock, NYTP_OPTION_CLOCK, "-1", 9),
    NUMBER(stmts, "1", 10),
    NUMBER(slowops, "2", 11),
    NUMBER(findcaller, "0", 12),
    NUMBER(forkdepth, "-1", 13),
    NUMBER(perldb, "0", 14),
    NUMBER(nameevals, "1", 15),
    NUMBER(nameanonsubs, "1", 16),
    NUMBER(calls, "1", 17),
    NUMBER(evals, "0", 18),
    OTHER(overhead, NYTP_OPTION_OVERHEAD, "corrected", 0),
    OTHER(format, NYTP_OPTION_FORMAT, "1", 0),
    NUMBER(maxnodes, "200000", 0),
    NUMBER(maxevals, "20000", 0),
    NUMBER(maxsiteevals, "1000", 0),
    NUMBER(memory, "0", 0),
    NUMBER(selfcheck, "0", 0),
    NUMBER(duty, "0", 0),
    OTHER(sigexit, NYTP_OPTION_TEXT, "", 0),
    {NULL, 0, 0, NULL, 0}};

const nytp_option_row *nytp_options_rows(void) { return rows; }

static void *field_of(nytp_options *o, const nytp_option_row *row) { return (char *)o + row->offset; }

static int set_text(nytp_options *o, const nytp_option_row *row, const char *value, nytp_error *e) {
    char **field = field_of(o, row);
    size_t n = strlen(value) + 1;
    char *copy = malloc(n);
    if (!copy) {
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
        return -1;
    }
    memcpy(copy, value, n);
    free(*field);
    *field = copy;
    return 1;
}

/* `expected` is `words` as text for the message. */
static int set_word(int64_t *field, const nytp_option_row *row, const char *value, const char *const *words,
                    const char *expected, nytp_error *e) {
    for (int i = 0; words[i]; i++)
        if (strcmp(value, words[i]) == 0) {
            *field = i;
            return 1;
        }
    nytp_error_set(e, NYTP_USAGE, "option %s cannot be '%s', expected %s", row->name, value, expected);
    return -1;
}

/* A name must be that of a clock; a number may be a clock of another machine, and falls back when opened. */
static int set_clock(nytp_options *o, const nytp_option_row *row, const char *value, nytp_error *e) {
    char *end;
    nytp_clock probe;
    int fell_back;
    (void)strtol(value, &end, 0);
    if (*end && nytp_clock_open(&probe, nytp_str_c(value), &fell_back, e)) return -1;
    return set_text(o, row, value, e);
}

static int set_row(nytp_options *o, const nytp_option_row *row, const char *value, nytp_error *e) {
    static const char *const starts[] = {"begin", "init", "end", "no", NULL};
    static const char *const formats[] = {"1", "5", NULL};
    static const char *const overheads[] = {"raw", "corrected", NULL};
    int64_t *field = field_of(o, row);
    switch (row->kind) {
    case NYTP_OPTION_TEXT: return set_text(o, row, value, e);
    case NYTP_OPTION_CLOCK: return set_clock(o, row, value, e);
    case NYTP_OPTION_START: return set_word(field, row, value, starts, "begin, init, end or no", e);
    case NYTP_OPTION_OVERHEAD: return set_word(field, row, value, overheads, "raw or corrected", e);
    case NYTP_OPTION_FORMAT: return set_word(field, row, value, formats, "1 or 5", e);
    case NYTP_OPTION_SWITCH: *field = strtol(value, NULL, 10); return 1;
    default: *field = strtol(value, NULL, 0); return 1;
    }
}

int nytp_options_set(nytp_options *o, const char *name, const char *value, nytp_error *e) {
    for (const nytp_option_row *row = rows; row->name; row++)
        if (strcmp(row->name, name) == 0) return set_row(o, row, value, e);
    return 0;
}

int nytp_options_init(nytp_options *o) {
    nytp_error e = {0};
    memset(o, 0, sizeof *o);
    for (const nytp_option_row *row = rows; row->name; row++)
        if (set_row(o, row, row->initial, &e) < 0) break;
    return e.code;
}

void nytp_options_free(nytp_options *o) {
    free(o->file);
    free(o->log);
    free(o->clock);
    free(o->sigexit);
    memset(o, 0, sizeof *o);
}

int64_t nytp_options_number(const nytp_options *o, const nytp_option_row *row) {
    if (row->kind == NYTP_OPTION_TEXT || row->kind == NYTP_OPTION_CLOCK) return 0;
    return *(const int64_t *)((const char *)o + row->offset);
}
