/* SPDX-License-Identifier: MIT */
/* profile.h - a finished profile as plain data.
 *
 * Everything lives in the profile's arena, is reached by index, and stays as it is until nytp_profile_close. Index 0 of
 * `files` and `places` stands for entries lost with damage; the same for sub and node NYTP_UNKNOWN. Unless a name says
 * otherwise a time is in ticks of `ticks_per_second`; counts and ticks are signed and may be negative where the
 * profiler's own cost was overestimated. A spread is the error of a time, as that cost is an estimate;
 * nytp_profile_told is how reports show times within their error. */
#ifndef NYTP_MODEL_PROFILE_H
#define NYTP_MODEL_PROFILE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "capture/buckets.h"
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
    float variance;  /* of ticks, where they are a share of a sub's by samples */
} nytp_line;

typedef struct nytp_lines { /* by line, each once */
    nytp_line *at;
    uint32_t n;
} nytp_lines;

typedef struct nytp_carried { /* line's statement was merged into carrier's by the optimiser */
    uint32_t line, carrier;
} nytp_carried;

typedef struct nytp_slice { /* a range of an array of the profile */
    uint32_t first, n;
} nytp_slice;

enum nytp_disk {
    NYTP_DISK_NOT,    /* the source is in the capture */
    NYTP_DISK_SAME,   /* not there: read from the file, which has the recorded size and time */
    NYTP_DISK_CHANGED /* read from the file, which has another size or time */
};

typedef struct nytp_file {
    nytp_str name;
    uint32_t fid;                 /* the number for users: that of format 5 if it is free, else
                                     the index if it is free, else the next free number */
    uint32_t flags;               /* enum nytp_file_flag; unchanged from format 5 */
    uint32_t parent, parent_line; /* of an eval; else 0 0 */
    uint64_t size, mtime;
    uint32_t process;       /* the first to define it, plus 1: the file is in its language; 0: unknown */
    uint64_t owner;         /* process of an eval, as evals of different processes are different files; else 0 */
    uint32_t merged;        /* evals that this one stands for, itself included; 0: it was merged into `into` */
    uint32_t into;
    uint32_t *source;       /* offset in `text` of each line, line 1 first; 0: no such line. For model/source.h only */
    uint32_t source_lines, source_room;
    int32_t from_disk;      /* enum nytp_disk */
    unsigned char *stored;  /* the key of its text in a store (stored.h), or NULL */
    nytp_lines level[NYTP_LEVELS];
    nytp_carried *carried; /* by line; only lines without a count of their own whose carriers have one */
    uint32_t carried_n, carried_room;
    uint32_t *code;        /* lines on which statements begin, each once, in their order, whether they ran or not */
    uint32_t code_n, code_room; /* 0: nothing is known of lines without a count */
    nytp_slice subs;       /* of `defined`: subs written here, by first line, then subs at home here */
    nytp_slice calls;      /* of `sites`: calls from here, by line */
    nytp_slice evals;      /* of `evals`: evals run here, by line */
    int64_t count, ticks;  /* statements */
    float spread;          /* of ticks */
    int64_t above;         /* ticks of its lines, without those below zero: the sum that CSV shows */
    int64_t nested;        /* `above` of all evals run here, nested ones included */
    uint32_t values;
} nytp_file;

typedef struct nytp_lengths { /* how long spans or calls took: quantile.h */
    int64_t count;    /* that have ended */
    int64_t sum;      /* ns */
    int64_t longest;  /* ns, and ... */
    uint64_t began;   /* ... when it began, ns since the epoch, ... */
    uint32_t process; /* ... in that process */
    int64_t *octaves[NYTP_BUCKETS_OCTAVES]; /* their numbers by bucket; NULL: none */
} nytp_lengths;

/* A flag beside nytp_sub_flag's: not a sub but an activity outside subs, with time to show. */
#define NYTP_SUB_ACTIVITY 0x40000000u

typedef struct nytp_sub {
    nytp_str name;    /* main::foo, main::__ANON__[file:line] */
    nytp_str package; /* the part of name that says where the sub belongs, borrowed from it */
    nytp_str alias;
    uint32_t process; /* as in nytp_file */
    uint32_t flags; /* enum nytp_sub_flag */
    uint32_t ordinal;
    uint32_t file, first_line, last_line; /* 0 0 0 without source */
    uint32_t home;      /* file with the page that shows it: its own, or one of its package; 0: none. For a sub
                           without lines format 5 gives it, and 0 is a sub without SUB_INFO */
    uint32_t moved;     /* the sub that replaces this one, or itself */
    int64_t calls, exclusive;
    int64_t inclusive;  /* of outermost calls */
    int64_t recursive;  /* inclusive time of nested calls */
    int64_t nested;     /* calls made during another call of the sub */
    float spread, whole_spread, nested_spread; /* of exclusive, inclusive, recursive */
    uint32_t depth;     /* deepest recursion: 0 is none; 1 where recursion was folded, which has no time of its own */
    nytp_slice callers; /* of `edges`, most calls first */
    uint32_t own, whole; /* values without callees; of outermost calls and their callees */
    nytp_lengths *lengths; /* of its calls that have ended, nested ones, too, each with its callees, without the
                              profiler's own cost (option latency); NULL: not known */
    uint32_t places, caller_files; /* distinct call sites, and the files they are in */
} nytp_sub;

typedef struct nytp_place { /* one statement site */
    uint32_t file, line, block_line, sub_line;
    int64_t count, ticks;
    float spread;             /* of ticks */
    float variance;           /* of ticks, where they are a share of a sub's by samples (shares.c) */
    int64_t seen, seen_ticks; /* with option duty: the sample that count and ticks are estimated from */
    uint32_t values;
} nytp_place;

/* Node 0 is the program itself. Format 5 has no call sites for paths: such nodes have file 0 and line
 * NYTP_LINE_UNKNOWN, and their edges were read, in seconds, kept to a hundredth of the file's tick. Other edges are
 * summed up from nodes. own and whole are rows of values. */
typedef nytp_context nytp_node;

enum nytp_ending {
    NYTP_ENDING_MISSING, /* it was killed, or its last chunk is lost */
    NYTP_ENDING_FINISHED,
    NYTP_ENDING_EXEC,
    NYTP_ENDING_EXIT,
    NYTP_ENDING_RUNNING  /* it is still running */
};

typedef struct nytp_terms { /* as the front end said, see the properties in FORMAT; empty: it said nothing */
    nytp_str root, comment, words, packages;
} nytp_terms;

typedef struct nytp_span { /* a call; times are of its process, without the profiler's own cost */
    int64_t begin, length; /* ticks since the process began; up to the end of the capture if it is open */
    uint32_t sub;
    uint32_t depth : 31;   /* of calls around it; 0: none */
    uint32_t is_open : 1;  /* 1: its end is not in the capture */
} nytp_span;

typedef struct nytp_process { /* one stream: a thread of a process, or several */
    nytp_stream_id id;
    nytp_terms language;
    nytp_str program, interpreter, clock;
    nytp_str start_sub; /* the sub that a thread began with; empty: not known, or no such thread */
    int64_t clock_id;
    uint64_t parent_pid, start, end; /* ns since the epoch; end 0 when unknown */
    uint64_t ticks_per_second, resolution;
    int64_t elapsed;                 /* from its start to its last window; of several threads without `off` */
    uint64_t threads;                /* that it is for, one after the other; 0: for one */
    int64_t subtracted, flush, off, waited, cold; /* see nytp_rec_window; off is 0 for several threads */
    int64_t outside;                 /* time outside statements: compiling the main program, or all with stmts=0 */
    uint64_t user_us, system_us, max_rss_kb; /* of the whole process */
    uint64_t thread_us;              /* CPU time of its system thread; 0: unknown */
    uint64_t chunks, missing;        /* chunks read, and lost ones */
    nytp_span *spans;                /* calls in the order of their beginnings, a callee behind its caller; only with
                                        calls=2, and if asked for */
    uint32_t spans_n, spans_room;
    int64_t spent;                   /* ticks of all calls and of the main program; with spans */
    int32_t ending;                  /* enum nytp_ending */
    int32_t has_run;                 /* 1: it wrote the input, and ran before that was read */
    int32_t is_own;                  /* 1: on this host, and in a file of this user: what it names may be opened */
    int32_t is_placed;               /* 1: the capture names its host, as all but those made by hand do */
    int32_t is_uncounted;            /* 1: it was sampled: how often calls and statements ran is not known */
    uint32_t values;                 /* of metrics of the process itself */
} nytp_process;

typedef struct nytp_input { /* a file that was read */
    nytp_str name;
    uint32_t format;   /* 1 ours, 5 Devel::NYTProf's own */
    uint32_t minor;    /* of format 5 */
    nytp_str broken;   /* format 5: why reading ended before the file's end; all before is in the profile. Else empty */
    nytp_str damage;   /* of a capture: the first bytes that could not be read, where and why. Else empty */
    uint32_t first_process, processes;
} nytp_input;

/* A second SUB_INFO of a sub, for another file. */
typedef struct nytp_again {
    uint32_t sub, file; /* the sub, and the second file; the file with the lower fid is its own */
} nytp_again;

typedef struct nytp_pair { /* in the order of the file; a later value of a key replaces the earlier */
    nytp_str key, value;
    uint32_t process;
    uint32_t kind; /* NYTP_REC_ATTRIBUTE, _OPTION or _PROPERTY */
} nytp_pair;

typedef struct nytp_totals {
    int64_t ticks; /* time of all statements, or of all subs if statements were not profiled */
    int64_t whole; /* the base of percentages: all time profiled, that outside statements included */
    int64_t statements, calls;
    int64_t resumed; /* returns to a statement after a block or call: time without a count */
    int64_t elapsed, subtracted, flush, off, cold; /* summed over the processes */
    uint32_t files, subs;                    /* plain files with something in them; subs that were called */
    uint32_t evals, eval_pages;              /* evals; files for them after merging */
    uint32_t values;                         /* sums over statements, else over calls, else over processes */
} nytp_totals;

typedef struct nytp_spent { /* what a context, a place or a name of the program's itself has of a stretch */
    uint32_t stretch, of;
    int64_t value; /* time in ticks */
} nytp_spent;

typedef struct nytp_spendings { /* all of one kind, sorted by stretch */
    nytp_spent *at;
    uint32_t n, room, first; /* first is for stretches.c only */
} nytp_spendings;

typedef struct nytp_metric { /* a counter beside count and ticks: metrics.h */
    nytp_str name, unit, title; /* as in nytp_rec_metric; the name is made one word */
    uint32_t of, adds;
    uint32_t n;  /* rows up to here have a value */
    int64_t *at; /* by row */
    nytp_spendings of_contexts; /* in the stretches; none where the larger of two values counts */
} nytp_metric;

typedef struct nytp_labelled { /* spans of one name, or a count */
    nytp_str name;
    uint32_t of;       /* enum nytp_label_of */
    nytp_lengths all;  /* of spans, with the profiler's own cost; or count: times counted, and sum: what */
} nytp_labelled;

typedef struct nytp_mark { /* a moment with a name */
    nytp_str name;
    uint64_t at; /* ns since the epoch */
    uint32_t process;
} nytp_mark;

typedef struct nytp_stretch { /* what passed between two moments of a process: one window, or some */
    uint32_t process;
    uint64_t begin, end; /* ns since the first process of the captures began */
    int64_t length, profiler, off, waited, outside; /* in ticks: all, and of it as in nytp_process, profiler with flush
                                                       and cold */
} nytp_stretch;

typedef struct nytp_profile {
    nytp_arena arena;
    nytp_buf text;          /* the lines of all sources, each a varint length and bytes, behind an unused byte */
    uint32_t text_lines;
    int32_t text_is_cut; /* 1: text beyond the limit was dropped, as a note says */
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
    nytp_str *notes;    /* sentences for the reader of the report */
    int32_t notes_lost; /* 1: memory was short for one; then nytp_load fails */
    uint32_t *sites;    /* edges by file, line, most inclusive first */
    uint32_t *defined;  /* subs by home, first line */
    uint32_t *evals;    /* files by parent, parent line */
    uint32_t files_n, subs_n, places_n, nodes_n, edges_n, processes_n, pairs_n, notes_n, sites_n, defined_n, evals_n,
        inputs_n, again_n;
    uint32_t files_room, subs_room, places_room, nodes_room, edges_room, processes_room, pairs_room, notes_room,
        inputs_room, again_room;
    int32_t is_part;    /* 1: counts and times are of a part of the captures' windows (load.h) */
    int32_t has_blocks; /* 1: block and sub levels were asked for (blocks=1), or are in a file of format 5 */
    nytp_metric metrics[NYTP_FORMAT_METRICS]; /* in the order of first sight */
    uint32_t metrics_n;
    uint32_t rows_n;        /* rows of values; row 0 is none */
    int32_t metrics_failed; /* 1: memory was short for one */
    int32_t is_uncounted; /* 1: a process was sampled: a count of 0 stands for an unknown one */
    int64_t samples;      /* of which times are made, by a sampler or the ticks of a clock; 0: they were measured */
    int32_t is_seen;      /* 1: a process's statements were seen in samples: a line's count of 0 is unknown */
    int32_t is_timed;     /* 1: subs have lengths of calls */
    nytp_lengths **timed; /* of edges, which have their number, from 1 */
    uint32_t timed_n, timed_room;
    nytp_map timed_nodes; /* such numbers, until the edges are made of nodes */
    nytp_labelled *named;  /* in the order of first sight, as the next */
    nytp_mark *marks;
    uint32_t named_n, named_room, marks_n, marks_room;
    nytp_stretch *stretches; /* if asked for: those of a process in their order */
    uint32_t stretches_n, stretches_room;
    nytp_spendings of_contexts, of_places; /* times in the stretches; of places none where lines have estimates */
    nytp_spendings of_named;               /* likewise: how many spans have ended, and what a count has added */
    nytp_str estimate;  /* a sentence, also among the notes: lines were traced now and then; empty: always */
    nytp_totals totals;
} nytp_profile; /* all zero is an empty profile */

/* Frees everything in p and leaves it empty. */
void nytp_profile_close(nytp_profile *p);

/* A process's property of that name; empty if it has none. */
nytp_str nytp_profile_property(const nytp_profile *p, uint32_t process, nytp_str key);

/* The first process's value of that key, empty if there is none. kind as in nytp_pair. */
nytp_str nytp_profile_value(const nytp_profile *p, uint32_t kind, const char *key);

/* Of n entries of size bytes, each beginning with its line (uint32_t) and sorted by it: the index of the first of that
 * line or a later one; n if there is none. */
uint32_t nytp_profile_find(const void *entries, size_t size, uint32_t n, uint32_t line);

/* A level's entry for a line of a file, or NULL. */
const nytp_line *nytp_profile_line(const nytp_file *f, enum nytp_level level, uint32_t line);

/* The line that carries the given one's statement, or 0. */
uint32_t nytp_profile_carrier(const nytp_file *f, uint32_t line);

/* The last line with source or figures. */
uint32_t nytp_profile_last_line(const nytp_profile *p, const nytp_file *f);

/* Whether a file or sub deserves a row: it has figures, or source or subs that a page can show. Phases of a program are
 * not subs. */
int nytp_profile_file_used(const nytp_file *f);
int nytp_profile_sub_called(const nytp_sub *s);

/* With processes apart (load.h): 1 + index of the process whose main program a node is; 0: it is none. */
uint32_t nytp_profile_main_of(const nytp_profile *p, uint32_t node);

/* When the first process began, or its part, ns since the epoch; 0: unknown. And how much later another one did; 0 if
 * that is unknown. */
uint64_t nytp_profile_first_start(const nytp_profile *p);
static inline uint64_t nytp_profile_began(const nytp_process *process, uint64_t first_start) {
    return process->start > first_start ? process->start - first_start : 0;
}

/* Whether the end of a process's data is there. */
int nytp_profile_has_ended(const nytp_process *process);

/* A time as reports show it: below 0, which reports show as "~0 s", if it cannot be told from zero. */
int64_t nytp_profile_told(int64_t ticks, float spread);

/* The standard deviation of a share by a number of samples, sqrt(share * (1 - share) / n), in points: hundredths of the
 * whole. And that of a time's share of the profiled time; below 0: times were measured, not sampled. */
double nytp_profile_deviation(int64_t samples, double share);
double nytp_profile_error(const nytp_profile *p, int64_t ticks);

/* The same of a line, which has a variance where times of subs are exact. */
double nytp_profile_line_error(const nytp_profile *p, int64_t ticks, float variance);

/* Whether so few samples are told in grey: they say little. */
static inline int nytp_profile_are_few(int64_t samples) { return samples < 100; }

/* The spread of exclusive and recursive time of an edge: its share of the sub's. */
float nytp_profile_own_spread(const nytp_profile *p, const nytp_edge *e);
float nytp_profile_nested_spread(const nytp_profile *p, const nytp_edge *e);

/* Of the edge's calls that have ended; NULL: not known. */
static inline const nytp_lengths *nytp_profile_edge_lengths(const nytp_profile *p, const nytp_edge *e) {
    return e->timed ? p->timed[e->timed - 1] : NULL;
}

/* Ticks as seconds, by the clock of the first process; and the same for readers that expect no negative number: a time
 * below zero, which is within the error, becomes 0. */
double nytp_profile_seconds(const nytp_profile *p, int64_t ticks);
double nytp_profile_shown(const nytp_profile *p, int64_t ticks);

/* Nanoseconds since the epoch as seconds: exactly the number of a file of format 5. */
double nytp_profile_epoch(uint64_t ns);

#endif
