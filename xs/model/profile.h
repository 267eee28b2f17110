/* SPDX-License-Identifier: MIT */
/* profile.h - a finished profile as plain data.
 *
 * Everything lives in the profile's arena, is reached by index, and stays as it is until nytp_profile_close. Index 0 of
 * `files` and `places` stands for what a damaged capture lost; the same for sub and node NYTP_UNKNOWN. Unless a name
 * says otherwise a time is in ticks of `ticks_per_second`; counts and ticks are signed and may be negative where the
 * profiler's own cost was overestimated. A spread is how far a time may be off, since that cost was estimated:
 * nytp_profile_told is how reports show that of a reader's times. */
#ifndef NYTP_MODEL_PROFILE_H
#define NYTP_MODEL_PROFILE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "capture/context.h"
#include "capture/format.h"

#define NYTP_LINE_UNKNOWN UINT32_MAX

enum { NYTP_ROOT = 0, NYTP_UNKNOWN = 1 }; /* the first two subs, and the first two nodes */

enum nytp_level { NYTP_LEVEL_LINE, NYTP_LEVEL_BLOCK, NYTP_LEVEL_SUB, NYTP_LEVELS };

typedef struct nytp_line {
    uint32_t line;
    float spread; /* of ticks */
    int64_t count, ticks;
    uint32_t values; /* its row of the metrics' columns, as everywhere: metrics.h; 0: it has none */
} nytp_line;

typedef struct nytp_lines { /* by line, each once */
    nytp_line *at;
    uint32_t n;
} nytp_lines;

typedef struct nytp_carried { /* line's statement was merged into carrier's by the optimiser */
    uint32_t line, carrier;
} nytp_carried;

typedef struct nytp_slice { /* a stretch of an array of the profile */
    uint32_t first, n;
} nytp_slice;

enum nytp_disk {
    NYTP_DISK_NOT,    /* the source is the capture's */
    NYTP_DISK_SAME,   /* there is none: this is what the file says today, which has its size and time of then, */
    NYTP_DISK_CHANGED /* or has not */
};

typedef struct nytp_file {
    nytp_str name;
    uint32_t fid;                 /* the number users know it by: what a file of format 5 says; where that is taken, and
                                     in captures of ours, its index if that is free, else the next free one */
    uint32_t flags;               /* enum nytp_file_flag; of format 5 as they stand there */
    uint32_t parent, parent_line; /* of an eval; else 0 0 */
    uint64_t size, mtime;
    uint64_t owner;         /* evals of different processes are different files: who ran this one; else 0 */
    uint32_t merged;        /* evals that this one stands for, itself included; 0: it became part of `into` */
    uint32_t into;
    uint32_t *source;       /* where in `text` each line is, line 1 first; 0: the capture lacks it. For
                               model/source.h only */
    uint32_t source_lines, source_room;
    int32_t from_disk;      /* enum nytp_disk */
    unsigned char *stored;  /* the key of its text in a store (stored.h), or NULL */
    nytp_lines level[NYTP_LEVELS];
    nytp_carried *carried; /* by line; only lines without a count of their own whose carriers have one */
    uint32_t carried_n, carried_room;
    nytp_slice subs;       /* of `defined`: those written here, by first line, then those that only belong here */
    nytp_slice calls;      /* of `sites`: the calls made here, by line */
    nytp_slice evals;      /* of `evals`: those run here, by line */
    int64_t count, ticks;  /* statements */
    float spread;          /* of ticks */
    int64_t above;         /* ticks of its lines, without those below zero: a sum of what reports in numbers show */
    int64_t nested;        /* the same of the evals run here, and of those run in them */
    uint32_t values;
} nytp_file;

/* A flag beside nytp_sub_flag's: no sub, but what passes outside all of them, with time to show. */
#define NYTP_SUB_ACTIVITY 0x40000000u

typedef struct nytp_sub {
    nytp_str name;    /* main::foo, main::__ANON__[file:line] */
    nytp_str package; /* the part of name before the last ::, borrowed from it */
    nytp_str alias;
    uint32_t flags; /* enum nytp_sub_flag */
    uint32_t ordinal;
    uint32_t file, first_line, last_line; /* 0 0 0 without source */
    uint32_t home;      /* file whose page shows it: its own, or one of its package; 0 if there is none. Format 5 says
                           itself which for code without lines: 0 is then a sub that it gives no lines of either */
    uint32_t moved;     /* the sub this one turned out to be, or itself */
    int64_t calls, exclusive;
    int64_t inclusive;  /* of outermost calls */
    int64_t recursive;  /* inclusive time of the nested ones */
    int64_t nested;     /* calls that were made during another of the sub */
    float spread, whole_spread, nested_spread; /* of exclusive, inclusive, recursive */
    uint32_t depth;     /* deepest recursion: 0 is none; 1 where recursion was folded, which has no time of its own */
    nytp_slice callers; /* of `edges`, most calls first */
    uint32_t own, whole; /* values without callees; of outermost calls and their callees */
    uint32_t places, caller_files; /* distinct call sites, and the files they are in */
} nytp_sub;

typedef struct nytp_place { /* one statement site */
    uint32_t file, line, block_line, sub_line;
    int64_t count, ticks;
    float spread;             /* of ticks */
    int64_t seen, seen_ticks; /* the same while lines were traced now and then, before it was made to stand for all */
    uint32_t values;
} nytp_place;

/* Node 0 is the program itself. Format 5 does not say where a path's calls were made: such nodes have file 0 and line
 * NYTP_LINE_UNKNOWN. Their edges were read, in seconds, which are kept to a hundredth of the file's tick; those of all
 * other nodes are summed up from them. own and whole are rows of values. */
typedef nytp_context nytp_node;

enum nytp_ending {
    NYTP_ENDING_MISSING, /* it was killed, or what it wrote last is lost */
    NYTP_ENDING_FINISHED,
    NYTP_ENDING_EXEC,
    NYTP_ENDING_EXIT,
    NYTP_ENDING_RUNNING  /* none yet */
};

typedef struct nytp_process { /* one stream: a thread of a process */
    nytp_stream_id id;
    nytp_str program, interpreter, clock;
    int64_t clock_id;
    uint64_t parent_pid, start, end; /* ns since the epoch; end 0 when unknown */
    uint64_t ticks_per_second, resolution;
    int64_t elapsed;                 /* from its start to the last that is known of it */
    int64_t subtracted, flush, off, waited, cold; /* see nytp_rec_window */
    int64_t outside;                 /* any statement: the main program is compiled, or statements were not profiled */
    uint64_t user_us, system_us, max_rss_kb; /* of all of the process */
    uint64_t thread_us;              /* CPU time of its own thread of the system's; 0: not known */
    uint64_t chunks, missing;        /* chunks read, and lost ones */
    int32_t ending;                  /* enum nytp_ending */
    uint32_t values;                 /* of metrics that are of the process itself */
} nytp_process;

typedef struct nytp_input { /* one of the files that were read */
    nytp_str name;
    uint32_t format;   /* 1 ours, 5 Devel::NYTProf's own */
    uint32_t minor;    /* of format 5 */
    nytp_str broken;   /* format 5: why reading ended before the file's end; all before is in the profile. Else empty */
    uint32_t first_process, processes;
} nytp_input;

/* A file of format 5 told a sub's lines a second time, for another file. */
typedef struct nytp_again {
    uint32_t sub, file; /* the sub, and the file that lists it besides its own: that with the lower fid is its own */
} nytp_again;

typedef struct nytp_pair { /* in the order of the file; a later value of a key replaces the earlier */
    nytp_str key, value;
    uint32_t process;
    uint32_t kind; /* NYTP_REC_ATTRIBUTE, _OPTION or _PROPERTY */
} nytp_pair;

typedef struct nytp_totals {
    int64_t ticks; /* time of all statements, or of all subs if statements were not profiled */
    int64_t whole; /* what percentages are of: all that was profiled, with what passed outside statements */
    int64_t statements, calls;
    int64_t resumed; /* times a statement went on after a block or call: time that came without a count */
    int64_t elapsed, subtracted, flush, off, cold; /* summed over the processes */
    uint32_t files, subs;                    /* plain files with something in them; subs that were called */
    uint32_t evals, eval_pages;              /* evals seen; files that stand for them */
    uint32_t values;                         /* of all statements; of metrics without, of all calls or processes */
} nytp_totals;

typedef struct nytp_metric { /* a counter beside count and ticks: metrics.h */
    nytp_str name, unit, title; /* as in nytp_rec_metric; the name is made one word */
    uint32_t of, adds;
    uint32_t n;  /* rows up to here have a value */
    int64_t *at; /* by row */
} nytp_metric;

typedef struct nytp_profile {
    nytp_arena arena;
    nytp_buf text;          /* the lines of all sources, each a varint length and bytes, behind a byte that is none */
    uint32_t text_lines;
    int32_t text_is_cut; /* 1: there was more than is kept, which a note says */
    uint64_t ticks_per_second;
    nytp_file *files;
    nytp_sub *subs;
    nytp_place *places;
    nytp_node *nodes;
    nytp_edge *edges;   /* by callee, then most calls first */
    nytp_process *processes;
    nytp_input *inputs;
    nytp_again *again;
    nytp_pair *pairs;
    nytp_str *notes;    /* sentences for whoever reads the report */
    uint32_t *sites;    /* edges by file, line, most inclusive first */
    uint32_t *defined;  /* subs by home, first line */
    uint32_t *evals;    /* files by parent, parent line */
    uint32_t files_n, subs_n, places_n, nodes_n, edges_n, processes_n, pairs_n, notes_n, sites_n, defined_n, evals_n,
        inputs_n, again_n;
    uint32_t files_room, subs_room, places_room, nodes_room, edges_room, processes_room, pairs_room, notes_room,
        inputs_room, again_room;
    int32_t has_blocks; /* 1: block and sub levels were asked for (blocks=1), or are in a file of format 5 */
    nytp_metric metrics[NYTP_FORMAT_METRICS]; /* in the order of first sight */
    uint32_t metrics_n;
    uint32_t rows_n;        /* rows of values; row 0 is none */
    int32_t metrics_failed; /* 1: memory was short for one */
    nytp_str estimate;  /* a sentence, also among the notes: lines were traced now and then; empty: always */
    nytp_totals totals;
} nytp_profile; /* all zero is an empty one */

/* Frees everything that was reached through p and leaves an empty one. */
void nytp_profile_close(nytp_profile *p);

/* The property of that name which a process has told of itself; empty if it has none. */
nytp_str nytp_profile_property(const nytp_profile *p, uint32_t process, nytp_str key);

/* The first process's value of that key, empty if there is none. kind as in nytp_pair. */
nytp_str nytp_profile_value(const nytp_profile *p, uint32_t kind, const char *key);

/* Of n entries of size bytes, each beginning with its line (uint32_t) and sorted by it: the index of the first of that
 * line or a later one; n if there is none. */
uint32_t nytp_profile_find(const void *entries, size_t size, uint32_t n, uint32_t line);

/* What a level has for a line of a file, or NULL. */
const nytp_line *nytp_profile_line(const nytp_file *f, enum nytp_level level, uint32_t line);

/* The line that carries the given one's statement, or 0. */
uint32_t nytp_profile_carrier(const nytp_file *f, uint32_t line);

/* The last line anything is known about. */
uint32_t nytp_profile_last_line(const nytp_profile *p, const nytp_file *f);

/* Whether a file or sub deserves a row: something happened in it, or it has source or subs that a page can show. The
 * phases of a program call subs, but are none. */
int nytp_profile_file_used(const nytp_file *f);
int nytp_profile_sub_called(const nytp_sub *s);

/* Whether nothing is missing at the end of what a process wrote. */
int nytp_profile_has_ended(const nytp_process *process);

/* A time as reports tell it: less than 0, which they show by one sign, where it cannot be told from nothing. */
int64_t nytp_profile_told(int64_t ticks, float spread);

/* How far exclusive and recursive time of some of a sub's calls may be off: their part of what all of its are. */
float nytp_profile_own_spread(const nytp_profile *p, const nytp_edge *e);
float nytp_profile_nested_spread(const nytp_profile *p, const nytp_edge *e);

/* Ticks as seconds, by the clock of the first process; and as a number for those who expect no negative one: what is
 * less than nothing is within the correction's error, and 0. */
double nytp_profile_seconds(const nytp_profile *p, int64_t ticks);
double nytp_profile_shown(const nytp_profile *p, int64_t ticks);

/* Nanoseconds since the epoch as seconds: the very number that a file of format 5 had. */
double nytp_profile_epoch(uint64_t ns);

#endif
