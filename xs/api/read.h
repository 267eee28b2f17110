/* SPDX-License-Identifier: MIT */
/* nytprof/read.h - libnytprof: what NYTProf's profilers have recorded, for programs in C and C++. libnytprof(3) has a
 * complete program. Captures and files of Devel::NYTProf's own format 5 are read alike, two ways:
 *
 *   a profile  is all of one or several files in memory, summed up: nytprof_load. It has tables of rows, and a row
 *              names another one by its index. A row is copied into a struct of the caller's.
 *   a reader   goes through a file record by record, with memory for one: nytprof_open, nytprof_next.
 *
 * Structs may gain members at their end in later versions, which neither breaks compiled programs nor old libraries:
 * functions that fill one take its size, and set members that the library does not know to 0. nytprof_error and
 * nytprof_text stay as they are.
 *
 * Times are in ticks, of which nytprof_totals.ticks_per_second make a second; nytprof_seconds converts them. They are
 * exact sums, corrected for the profiler's own cost, and may be some ticks below zero as the cost is an estimate. A
 * spread is how far a time may be off. Counts are exact.
 *
 * Strings are bytes as the profiled program has them: UTF-8 for the most part, without a NUL at their end, and from a
 * hostile file anything. A profile owns all strings of its rows, until nytprof_free; a reader those of the latest
 * record, until the next one.
 *
 * A function that can fail takes a nytprof_error, or NULL. Nothing is printed, and no function ends the program. The
 * library has no state of its own: threads may use different profiles and readers at the same time. A profile does not
 * change, so threads may also share one; a reader is for one thread at a time. */
#ifndef NYTPROF_READ_H
#define NYTPROF_READ_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define NYTPROF_API __attribute__((visibility("default")))
#else
#define NYTPROF_API
#endif

#define NYTPROF_NONE UINT32_MAX /* no row, or no line */

typedef struct nytprof_profile nytprof_profile;
typedef struct nytprof_reader nytprof_reader;

typedef struct nytprof_text { /* printf("%.*s", (int)text.size, text.at) */
    const char *at;
    size_t size;
} nytprof_text;

enum nytprof_code {
    NYTPROF_OK,
    NYTPROF_NO_MEMORY,
    NYTPROF_IO,     /* the file cannot be opened or read; nytprof_error.sys is the errno */
    NYTPROF_FORMAT, /* it is no profile, or what is left of one makes no sense */
    NYTPROF_USAGE   /* an argument makes no sense */
};

typedef struct nytprof_error {
    int code;        /* enum nytprof_code */
    int sys;         /* errno of NYTPROF_IO, else 0 */
    char text[512];  /* one line: the file, where in it, and what is wrong; empty with NYTPROF_OK */
} nytprof_error;

/* Of the library that runs: "7.00". */
NYTPROF_API const char *nytprof_version(void);

/* ---- a profile ---- */

enum { /* flags of nytprof_load */
    NYTPROF_KEEP_EVALS = 1, /* evals of one place with equal text stay files of their own */
    NYTPROF_OUTSIDE = 2,    /* time outside the program has rows among the subs: compiling, waiting for clients */
    NYTPROF_FROM_DISK = 4,  /* source that is in no file given is read from the disk, under the names that these have,
                                if they are the user's own and were recorded on this host */
    NYTPROF_READ_SOURCES = 8 /* the same of any profile, which may name any file */
};

/* Reads the n files into one profile, "-" is standard input. NULL: failed. A file that is cut short or damaged does not
 * fail if anything of it can be read: nytprof_input.damage says what is missing. */
NYTPROF_API nytprof_profile *nytprof_load(const char *const *paths, uint32_t n, uint32_t flags, nytprof_error *e);
NYTPROF_API void nytprof_free(nytprof_profile *p); /* takes NULL */

typedef struct nytprof_totals {
    uint64_t ticks_per_second;
    int64_t ticks;       /* of all statements, or of all subs if statements were not recorded */
    int64_t whole;       /* and time outside of them: 100 % */
    int64_t elapsed;     /* by the clock, all processes together */
    int64_t subtracted;  /* cost of the profiler, which is in no other time */
    int64_t off;         /* profiling was switched off */
    int64_t statements, calls;
    /* Numbers of rows: */
    uint32_t inputs, processes, files, subs, calls_rows, nodes, metrics, pairs, notes;
    uint32_t values; /* for nytprof_value */
} nytprof_totals;

NYTPROF_API void nytprof_get_totals(const nytprof_profile *p, nytprof_totals *to, size_t size);

/* Seconds, without the sign: a time below zero, which is within the error, is 0. */
NYTPROF_API double nytprof_seconds(const nytprof_profile *p, int64_t ticks);

/* Each of the following copies a row. Returns 1, or 0 and an all-zero struct if there is no such row. */

typedef struct nytprof_input { /* a file that was read */
    nytprof_text name;
    nytprof_text damage;   /* where something is missing first, and why; empty: nothing is known to be missing */
    uint32_t format;       /* 1: a capture; 5: Devel::NYTProf's own */
    uint32_t first_process, processes; /* their rows */
} nytprof_input;

NYTPROF_API int nytprof_get_input(const nytprof_profile *p, uint32_t i, nytprof_input *to, size_t size);

enum { /* how a process ended */
    NYTPROF_ENDED_UNKNOWN, /* it was killed, or the end of its data is lost */
    NYTPROF_ENDED,
    NYTPROF_ENDED_BY_EXEC,
    NYTPROF_ENDED_BY_EXIT, /* without the interpreter's farewell: _exit */
    NYTPROF_RUNS           /* it is still running */
};

typedef struct nytprof_process { /* or a thread of one */
    nytprof_text program, interpreter, clock;
    uint64_t start, end;   /* ns since the epoch; end 0: unknown */
    uint64_t user_us, system_us, thread_us; /* CPU time of the process and of this thread, microseconds; 0: unknown */
    uint64_t max_rss_kb;
    int64_t elapsed, subtracted, off;
    uint64_t parent_pid;
    uint32_t pid, thread;
    int32_t ending;        /* NYTPROF_ENDED_... */
    uint32_t values;
} nytprof_process;

NYTPROF_API int nytprof_get_process(const nytprof_profile *p, uint32_t i, nytprof_process *to, size_t size);

enum { NYTPROF_FILE_IS_EVAL = 1 };

/* File 0 is that of statements whose file is lost with damage. */
typedef struct nytprof_file {
    nytprof_text name;
    uint32_t id;             /* the number that reports show */
    uint32_t flags;
    uint32_t parent, parent_line; /* of an eval: where it was run; else 0 0 */
    uint32_t same_as;        /* the row with its data: its own, unless it is an eval equal to another one */
    uint32_t process;        /* the first that has it; NYTPROF_NONE: unknown */
    uint64_t size, mtime;    /* when it was profiled: bytes, seconds since the epoch; 0: unknown */
    int64_t count, ticks;    /* of its statements */
    float spread;            /* of ticks */
    uint32_t lines, blocks, subs; /* rows of nytprof_get_line */
    uint32_t source_lines;   /* the last line with source */
    uint32_t values;
} nytprof_file;

NYTPROF_API int nytprof_get_file(const nytprof_profile *p, uint32_t i, nytprof_file *to, size_t size);

enum { NYTPROF_BY_LINE, NYTPROF_BY_BLOCK, NYTPROF_BY_SUB }; /* block and sub have the line where they begin */

typedef struct nytprof_line { /* one that ran, by its number */
    uint32_t line, values;
    int64_t count, ticks;    /* count of statements */
    float spread;
} nytprof_line;

NYTPROF_API int nytprof_get_line(const nytprof_profile *p, uint32_t file, int by, uint32_t i, nytprof_line *to,
                                 size_t size);

/* Line `line`, from 1, with its newline; at is NULL if its source is not there. */
NYTPROF_API nytprof_text nytprof_source(const nytprof_profile *p, uint32_t file, uint32_t line);

enum { /* flags of a sub */
    NYTPROF_SUB_IS_C = 1,       /* written in C */
    NYTPROF_SUB_IS_BUILTIN = 2, /* a slow built-in of the language */
    NYTPROF_SUB_IS_ANONYMOUS = 4,
    NYTPROF_SUB_IS_PHASE = 8    /* no sub: a phase of the program, or time outside of it */
};

/* Sub 0 is the main program, sub 1 stands for subs that are lost with damage. */
typedef struct nytprof_sub {
    nytprof_text name, package; /* package is a part of name */
    uint32_t flags;
    uint32_t file, first_line, last_line; /* 0 0 0 without source */
    uint32_t process;        /* as in nytprof_file */
    int64_t calls;           /* all, ... */
    int64_t nested;          /* ... and those made while it ran already */
    int64_t exclusive;       /* without what it called */
    int64_t inclusive;       /* with what it called, of calls that are not nested */
    int64_t recursive;       /* the same of nested calls */
    float exclusive_spread, inclusive_spread;
    uint32_t depth;          /* of its deepest recursion; 0: none */
    uint32_t first_call, calls_rows; /* rows of nytprof_get_call that call it, most calls first */
    uint32_t own, whole;     /* values without and with what it called */
} nytprof_sub;

NYTPROF_API int nytprof_get_sub(const nytprof_profile *p, uint32_t i, nytprof_sub *to, size_t size);

enum { NYTPROF_EXCLUSIVE, NYTPROF_INCLUSIVE, NYTPROF_CALLS };

/* The sub that is i-th, from 0, by the greatest of these; NYTPROF_NONE behind the last that was called. */
NYTPROF_API uint32_t nytprof_ranked(const nytprof_profile *p, int by, uint32_t i);

typedef struct nytprof_call { /* all calls from one line of a sub to another sub */
    uint32_t caller, callee, file, line;
    int64_t calls, exclusive, inclusive, recursive; /* as in nytprof_sub */
    uint32_t depth;
    uint32_t is_tail;        /* 1: tail calls: they took their caller's place */
    uint32_t own, whole;
} nytprof_call;

NYTPROF_API int nytprof_get_call(const nytprof_profile *p, uint32_t i, nytprof_call *to, size_t size);

typedef struct nytprof_node { /* a calling context: a path of calls from the main program, which is node 0 */
    uint32_t parent, sub;
    uint32_t file, line;     /* of the call; line NYTPROF_NONE: unknown */
    uint32_t child, next;    /* the first called from here, and the next with the same parent; 0: none */
    int64_t calls, exclusive, inclusive;
    uint32_t depth;          /* nodes of the same sub above it */
    uint32_t own, whole;
} nytprof_node;

NYTPROF_API int nytprof_get_node(const nytprof_profile *p, uint32_t i, nytprof_node *to, size_t size);

typedef struct nytprof_metric { /* a counter beside counts and times */
    nytprof_text name, unit, title; /* unit: B, ns, another word, or empty */
    uint32_t is_maximum;     /* 1: values do not add up, the greatest counts */
} nytprof_metric;

NYTPROF_API int nytprof_get_metric(const nytprof_profile *p, uint32_t i, nytprof_metric *to, size_t size);

/* The value of a metric for a row, by the row's member values, own or whole. */
NYTPROF_API int64_t nytprof_value(const nytprof_profile *p, uint32_t metric, uint32_t values);

typedef struct nytprof_pair { /* a fact of a process: an option, a path, its host */
    nytprof_text key, value;
    uint32_t process;
} nytprof_pair;

NYTPROF_API int nytprof_get_pair(const nytprof_profile *p, uint32_t i, nytprof_pair *to, size_t size);

/* A sentence for people on how good the data is, of damage, too; at is NULL if there is no such note. */
NYTPROF_API nytprof_text nytprof_note(const nytprof_profile *p, uint32_t i);

/* ---- a reader ---- */

enum { /* flags of nytprof_open */
    NYTPROF_CORRECTED = 1 /* the profiler's cost is taken off, as in a profile; else ticks are raw */
};

/* Opens a file, or standard input for "-". NULL: failed. */
NYTPROF_API nytprof_reader *nytprof_open(const char *path, uint32_t flags, nytprof_error *e);
NYTPROF_API void nytprof_close(nytprof_reader *r); /* takes NULL */

typedef struct nytprof_record {
    const char *kind;        /* "sub", "place_delta", as `nytprof dump` has it; of format 5 "SUB_INFO". Static */
    uint64_t chunk;          /* its number in the file, from 1; of format 5 the record's */
    uint64_t process_start;  /* ns since the epoch: this, pid and thread are its stream, to which ids belong */
    uint32_t pid, thread;
    uint32_t fields;         /* number of fields */
} nytprof_record;

/* The next record: 1, or 0 at the end, or -1 if reading failed. A capture's damage is a record of kind "damage" with
 * its place, and reading goes on behind it; a file of format 5 ends there, with NYTPROF_FORMAT. */
NYTPROF_API int nytprof_next(nytprof_reader *r, nytprof_record *to, size_t size, nytprof_error *e);

enum { NYTPROF_UNSIGNED, NYTPROF_SIGNED, NYTPROF_REAL, NYTPROF_TEXT };

typedef struct nytprof_field { /* the member of its type is set */
    const char *name;        /* static */
    int type;
    uint64_t number;
    int64_t integer;
    double real;
    nytprof_text text;
} nytprof_field;

/* A field of the latest record, by its number or its name: 1, or 0 if it has no such field. */
NYTPROF_API int nytprof_get_field(const nytprof_reader *r, uint32_t i, nytprof_field *to, size_t size);
NYTPROF_API int nytprof_find_field(const nytprof_reader *r, const char *name, nytprof_field *to, size_t size);

#ifdef __cplusplus
}
#endif

#endif
