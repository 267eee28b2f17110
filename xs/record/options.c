/* SPDX-License-Identifier: MIT */
/* options.c - the table of options, and reading values into it. */
#include "record/options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "capture/clock.h"

#define ROW(name, kind, field, initial, recorded, help) \
    {name, kind, offsetof(nytp_options, field), initial, recorded, help}
#define NUMBER(field, initial, recorded, help) ROW(#field, NYTP_OPTION_NUMBER, field, initial, recorded, help)
#define SWITCH(name, field, initial, help) ROW(name, NYTP_OPTION_SWITCH, field, initial, 0, help)
#define OTHER(field, kind, initial, recorded, help) ROW(#field, kind, field, initial, recorded, help)

/* Their meanings are in the manual, lib/Devel/NYTProf.pm. */
static const nytp_option_row rows[] = {
    OTHER(file, NYTP_OPTION_TEXT, "nytprof.out", 0, "name of the profile"),
    OTHER(redact, NYTP_OPTION_REDACT, "none", 0, "without text of: evals, commands (-e), all"),
    OTHER(log, NYTP_OPTION_TEXT, "", 0, "file for messages, instead of standard error"),
    OTHER(start, NYTP_OPTION_START, "begin", 0, "when profiling begins: begin, init, end or no"),
    SWITCH("addpid", addpid, "0", "1: .PID is appended to the name"),
    SWITCH("addtimestamp", addtimestamp, "0", "1: the time is appended to the name"),
    SWITCH("optimize", optimize, "1", "0: perl merges no statements"),
    SWITCH("optimise", optimize, "1", NULL),
    SWITCH("savesrc", savesrc, "1", "0: without source; 2: all of it in each profile"),
    SWITCH("endatexit", endatexit, "0", "1: the profile ends when perl is destroyed"),
    SWITCH("libcexit", libcexit, "0", "1: the profile is completed by exit() of C, too"),
    NUMBER(usecputime, "0", 1, NULL),
    NUMBER(subs, "1", 2, "0: without calls"),
    NUMBER(blocks, "0", 3, "1: CSV reports have blocks and subs, too"),
    NUMBER(leave, "1", 4, "0: time behind a call is that of the last statement called"),
    NUMBER(expand, "0", 5, "1: names in the profile's name are replaced"),
    NUMBER(trace, "0", 6, "1 and more: messages about the profiler's work"),
    NUMBER(use_db_sub, "0", 7, "1: statements are counted by DB::DB"),
    NUMBER(compress, "1", 8, "level of compression, 0 to 9"),
    OTHER(clock, NYTP_OPTION_CLOCK, "-1", 9, "name or number of a clock"),
    NUMBER(stmts, "1", 10, "0: without statements or lines"),
    NUMBER(slowops, "2", 11, "0: without slow built-ins; 1: in CORE; 2: in packages"),
    NUMBER(findcaller, "0", 12, "1: the caller of a callback is the sub around it"),
    NUMBER(forkdepth, "-1", 13, "generations of forked children to profile, -1: all"),
    NUMBER(perldb, "0", 14, "value of $^P"),
    NUMBER(nameevals, "1", 15, "0: evals have perl's own names"),
    NUMBER(nameanonsubs, "1", 16, "0: anonymous subs have perl's own names"),
    NUMBER(calls, "1", 17, "2: each call is recorded in its order"),
    NUMBER(evals, "0", 18, NULL),
    OTHER(overhead, NYTP_OPTION_OVERHEAD, "corrected", 0, "raw: the profiler's cost is not subtracted"),
    OTHER(format, NYTP_OPTION_FORMAT, "1", 0, "5: that of Devel::NYTProf 5 and 6"),
    NUMBER(maxnodes, "200000", 0, "most calling contexts"),
    NUMBER(maxevals, "20000", 0, "most string evals"),
    NUMBER(maxsiteevals, "1000", 0, "most string evals of one line"),
    OTHER(maxsize, NYTP_OPTION_SIZE, "0", 0, "most bytes of the profile, as in 100M"),
    NUMBER(memory, "0", 0, "1: counts values made and freed (Perl), or allocations (Lua)"),
    NUMBER(latency, "0", 0, "1: how long the calls of each sub took, as quantiles (Perl, Lua)"),
    NUMBER(waiting, "0", 0, "1: how long built-ins and functions in C waited, and for what (Perl, Lua)"),
    NUMBER(selfcheck, "0", 0, "1: checks the stack at each event (Lua)"),
    NUMBER(duty, "0", 0, "percent of the time in which lines are traced (Lua)"),
    OTHER(sample, NYTP_OPTION_SAMPLE, "0", 0, "samples a second, 1 to 1000 (Perl, Lua)"),
    OTHER(ring, NYTP_OPTION_SECONDS, "0", 0, "seconds that are kept at least, up to twice as many; 5m, 1h"),
    OTHER(sigexit, NYTP_OPTION_TEXT, "", 0, "signals that complete the profile: int,hup"),
    OTHER(sigtoggle, NYTP_OPTION_TEXT, "", 0, "signal that starts and stops samples: USR2 (Perl)"),
    {NULL, 0, 0, NULL, 0, NULL}};

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

static int set_redact(int64_t *field, const nytp_option_row *row, const char *value, nytp_error *e) {
    int64_t all = nytp_redact_words(value);
    if (all < 0) {
        nytp_error_set(e, NYTP_USAGE, "option %s cannot be '%s', expected evals, commands, all or none", row->name,
                       value);
        return -1;
    }
    *field = all;
    return 1;
}

#define MOST_SAMPLES 1000

static int set_sample(int64_t *field, const nytp_option_row *row, const char *value, nytp_error *e) {
    char *end;
    long long hz = strtoll(value, &end, 10);
    if (end == value || *end || hz < 0 || hz > MOST_SAMPLES) {
        nytp_error_set(e, NYTP_USAGE, "option %s cannot be '%s', expected 1 to %d samples a second, or 0", row->name,
                       value, MOST_SAMPLES);
        return -1;
    }
    *field = hz;
    return 1;
}

#define MOST_SECONDS (365 * 86400)

static int set_seconds(int64_t *field, const nytp_option_row *row, const char *value, nytp_error *e) {
    char *end;
    long long n = strtoll(value, &end, 10);
    int64_t unit = *end == 'm' ? 60 : *end == 'h' ? 3600 : 1;
    int has_letter = *end == 's' || unit > 1;
    if (end == value || n < 0 || end[has_letter] || n > MOST_SECONDS / unit) {
        nytp_error_set(e, NYTP_USAGE, "option %s cannot be '%s', expected seconds, as 300, 5m or 1h, or 0", row->name,
                       value);
        return -1;
    }
    *field = n * unit;
    return 1;
}

#define LEAST (64 << 10) /* room for what every profile has */

static int set_size(int64_t *field, const nytp_option_row *row, const char *value, nytp_error *e) {
    static const char letters[] = "kmg";
    char *end;
    int64_t n = strtoll(value, &end, 10);
    const char *letter = *end ? strchr(letters, *end | ' ') : NULL;
    int bits = letter ? 10 * (int)(letter - letters + 1) : 0;
    if (end == value || n < 0 || (*end && (!letter || end[1])) || n > INT64_MAX >> bits || (n && n << bits < LEAST)) {
        nytp_error_set(e, NYTP_USAGE, "option %s cannot be '%s', expected 64k or more, as 5000k, 100M or 1G, or 0",
                       row->name, value);
        return -1;
    }
    *field = n << bits;
    return 1;
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
    case NYTP_OPTION_SIZE: return set_size(field, row, value, e);
    case NYTP_OPTION_SECONDS: return set_seconds(field, row, value, e);
    case NYTP_OPTION_SAMPLE: return set_sample(field, row, value, e);
    case NYTP_OPTION_REDACT: return set_redact(field, row, value, e);
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

int nytp_options_copy(nytp_options *to, const nytp_options *from) {
    nytp_error e = {0};
    *to = *from;
    to->file = to->log = to->clock = to->sigexit = to->sigtoggle = NULL;
    for (const nytp_option_row *row = rows; row->name; row++)
        if (row->kind == NYTP_OPTION_TEXT || row->kind == NYTP_OPTION_CLOCK)
            set_text(to, row, *(char *const *)((const char *)from + row->offset), &e);
    return e.code;
}

void nytp_options_free(nytp_options *o) {
    free(o->file);
    free(o->log);
    free(o->clock);
    free(o->sigexit);
    free(o->sigtoggle);
    memset(o, 0, sizeof *o);
}

int64_t nytp_options_number(const nytp_options *o, const nytp_option_row *row) {
    if (row->kind == NYTP_OPTION_TEXT || row->kind == NYTP_OPTION_CLOCK) return 0;
    return *(const int64_t *)((const char *)o + row->offset);
}
