/* SPDX-License-Identifier: MIT */
/* recorder.h - exact counters for statements and calling contexts, fed by a front end, written out window by window.
 *
 * The recorder knows no language. A front end maps its own statement sites to nytp_live_place and its subs to
 * nytp_live_sub, reads the clock once per event and calls one of the inline functions of events.h; everything that is
 * not inline is the slow path. Types of the running recorder are nytp_live_...; those of a finished profile are the
 * model's nytp_place, nytp_sub and so on (model/profile.h).
 *
 *   place  one statement site. Its ticks are the time from reaching it until reaching the next one.
 *   sub    one body of code under one name.
 *   node   one calling context: this sub, called at that place, in the parent's context. Its ticks are its own
 *          (exclusive) time; inclusive time is never measured, it is the sum over a node and its descendants.
 *   frame  one live call. The front end owns a frame and hands it back when the call ends, however it ends.
 *
 * Ticks are raw: the profiler's own cost is in them. Each event is counted by kind at the place and at the node that
 * have the time behind it, and a reader of the capture subtracts their cost, by the price of each kind, which the front
 * end calibrates (capture/correct.h). So the correction can use the whole run's prices.
 *
 * One recorder serves one interpreter and one thread. No inline function allocates, makes a system call or touches
 * errno except on the marked slow paths, which keep errno for their caller. */
#ifndef NYTP_RECORD_RECORDER_H
#define NYTP_RECORD_RECORDER_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "base/table.h"
#include "capture/clock.h"
#include "capture/format.h"
#include "capture/store.h"
#include "capture/writer.h"
#include "record/lengths.h"
#include "record/options.h"
#include "record/outlet.h"

#if defined(__GNUC__)
#define NYTP_LIKELY(x) __builtin_expect(!!(x), 1)
#define NYTP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NYTP_HOT static inline __attribute__((always_inline))
#define NYTP_COLD static __attribute__((noinline, cold)) /* keeps registers of the hot path free */
#define NYTP_APART static __attribute__((noinline))      /* the same, but runs often: optimised for speed */
#define NYTP_PREFETCH(p) __builtin_prefetch(p)
#else
#define NYTP_LIKELY(x) (x)
#define NYTP_UNLIKELY(x) (x)
#define NYTP_HOT static inline
#define NYTP_COLD static
#define NYTP_APART static
#define NYTP_PREFETCH(p) ((void)(p))
#endif

typedef struct nytp_live_file {
    nytp_str name;
    nytp_str text;        /* an eval's source, kept until written and while there is room; else empty */
    nytp_buf taken;       /* of a file on the disk: the text when it was met, until written (disk.c) */
    const char *path;     /* and its absolute path then; NULL: `name` */
    void *front;          /* for the front end: where to find more source */
    uint32_t id, flags, parent, parent_line; /* as in nytp_rec_file */
    uint32_t generation;  /* of the output with its definition; see nytp_live_output.generation */
    uint32_t source_lines; /* written to that output */
    uint32_t front_mark;  /* for the front end */
    struct nytp_live_marks *marks; /* lines with code (marks.h); NULL: none */
    uint64_t size, mtime;
} nytp_live_file;

/* A C function returns to where it was entered: at places LEAF_ENTER stands for LEAF_EXIT, too. */
#define NYTP_PLACE_EVENTS (NYTP_EVENT_LEAF_ENTER + 1)

/* What an event touches lies in one cache line: the hooks in big programs mostly wait for memory. Hence the narrow
 * counters: they may wrap round, as only differences are written, and a window has far fewer events.
 * nytp_live_nodes.rounds counts the wraps of a node's. */
typedef struct nytp_live_place {
    int64_t ticks;               /* total; never zeroed. While current, less r->last: see nytp_go_to_place */
    struct nytp_live_node *last_node; /* the node entered from here last: a cache of one */
    uint32_t events[NYTP_PLACE_EVENTS]; /* by enum nytp_event, statements first */
    uint32_t queued;             /* 1: in the list that the next flush looks at */
    uint64_t front[3];           /* the front end's own */
    int64_t written_ticks;
    uint32_t written[NYTP_PLACE_EVENTS];
    uint32_t id, generation;
    uint32_t file, line, block_line, sub_line;
    uint16_t vacant, shared; /* 1: its code is gone; 1: it is for all statements with these lines */
    struct nytp_live_place *tail; /* the site of the tail calls made here (see nytp_places_tail); NULL: none yet */
} nytp_live_place;

/* The identity of a sub: addresses chosen by the front end, compared and never followed. */
typedef struct nytp_subkey {
    const void *body, *name, *package, *alias;
} nytp_subkey;

static inline int nytp_subkey_eq(nytp_subkey a, nytp_subkey b) {
    return a.body == b.body && a.name == b.name && a.package == b.package && a.alias == b.alias;
}

typedef struct nytp_live_sub {
    nytp_subkey key; /* body NULL: the code was freed, no key matches */
    struct nytp_live_sub *next_of_body, *before, *next_of_key; /* older, newer of the body; of the key's hash */
    nytp_str name, alias;
    uint32_t id, flags; /* NYTP_SUB_... */
    uint32_t file, first_line, last_line, ordinal;
    uint32_t generation;
    uint32_t had_body;     /* enum nytp_had_body of subs.h; 0: never called */
    uint32_t manner;       /* for the front end: what is special about calling it; 0: nothing */
    uint32_t has_died;     /* 1: a C function left without returning, at least once */
} nytp_live_sub;

/* As with a place, what events touch is the first cache line; a large program has some ten thousand of these. */
typedef struct nytp_live_node {
    struct nytp_live_node *parent; /* NULL for the root */
    nytp_live_sub *sub;
    struct nytp_live_node *into; /* the node charged with its time: itself, or the node it was folded into */
    int64_t ticks;          /* total, never zeroed, as a place's; and so are ... */
    uint32_t calls, events[NYTP_EVENTS];
    uint32_t queued : 1;
    uint32_t children : 5;    /* nodes.c; saturates */
    uint32_t generation : 26; /* the lowest bits of the recorder's */
    nytp_live_place *site;
    struct nytp_live_node *first_child, *next; /* nodes.c; next of the same parent */
    int64_t written_ticks;
    uint32_t written_calls, written[NYTP_EVENTS];
    uint32_t id; /* 0 for the root */
} nytp_live_node;

typedef struct nytp_live_frame {
    struct nytp_live_frame *below;
    nytp_live_node *node;    /* context to return to */
    nytp_live_place *resume; /* statement to return to; NULL: stay where we are */
    const char *native; /* C stack address below which this frame is alive (see nytp_recorder_heal) */
    int32_t leaf;       /* 1: of a C function; the recorder frees it if the function was left by longjmp */
    int32_t depth;      /* of a leaf: for the front end, to find out whether the C function still runs */
    nytp_timed_call timed; /* set with option latency only */
} nytp_live_frame;

typedef struct nytp_counter { /* see counters.h */
    const char *name, *title, *unit; /* as in nytp_rec_metric; static */
    uint32_t of;                     /* sum of enum nytp_metric_of: kinds of things with values of it */
    uint32_t adds;                   /* enum nytp_metric_adds */
} nytp_counter;

/* Functions and data of the front end, for slow paths. A function may be NULL: front.h says what is done then. */
typedef struct nytp_front {
    void *self; /* the functions' first argument */
    nytp_str program, interpreter; /* copied */
    /* Copied, the language for reports: the main program's name, what begins a comment, words as sub=method (FORMAT has
     * more of them), and the characters behind a package in a sub's name. Empty: the readers' own for `number`. */
    nytp_str root, comment, words, packages;
    uint32_t number;               /* enum nytp_front_end */
    uint32_t shares_name;          /* 1: other programs of this job were told the same output file */
    /* Put the source of file from line file->source_lines + 1 on into text, which is empty; returns how many lines. */
    uint32_t (*source)(void *self, const nytp_live_file *file, nytp_buf *text);
    /* The key of the source if it is that of a plain file, complete and with the same key in other processes (see
     * capture/store.h); else NULL. */
    const unsigned char *(*key)(void *self, const nytp_live_file *file);
    /* Write the attributes and properties that open a capture; the options are written already. */
    void (*describe)(void *self, nytp_writer *w);
    /* A line for the log (no newline): the output is broken, a clock fell back, ... */
    void (*say)(void *self, const char *line);
    void (*forked)(void *self); /* the process is a forked child, and is profiled; before its first window */
    void (*stopped)(void *self); /* the recorder has switched itself off: no more events until nytp_recorder_on */
    void (*seen)(void *self); /* before a window: add what another thread has seen (seen.h); in the events' thread */
    void (*writes)(void *self, int begins); /* the file begins to be written, or (0) has been, in the events' thread */
    /* The end of the profile is to be written: define what no event has, such as subs never called. Returns 1 if the
     * process still is_brief, see nytp_recorder_is_brief. */
    int (*complete)(void *self, int is_brief);
    void (*in_child)(void *self); /* called by a handler of fork in the child, in the thread that has forked */
    void (*thread_ends)(void *self); /* that of the latest slow event; later ones may come in another thread */
    /* exit() has been called, or a signal ends the program: complete the profile if it may be touched, free nothing. */
    void (*at_exit)(void *self, int by_signal);
    /* Called by a handler of signals: have the next event call nytp_sigexit_end. NULL: the next event flushes. */
    void (*hurry)(void *self);
    uint32_t waits_for_children; /* 1: it calls nytp_lag_catch_up */
    uint32_t answers; /* 1: at exit() in another thread, at_exit is called by the next event, too */
    nytp_outlet *outlet; /* NULL: none; else used while an output is opened, under a lock of the front end */
    const nytp_counter *counters; /* the front end's, see counters.h; ends with a row without a name. NULL: none */
    uint32_t of;       /* pid of the process that the profile is of, if that is another one; 0: this one */
    uint32_t is_apart; /* 1: events are in a thread of their own, whose work takes none of the program's time */
    uint32_t times_calls; /* 1: its hooks do what latency.h needs, and what option waiting asks for */
    void (*left)(void *self); /* the current node is a leaf that was left by longjmp: it is about to end */
    uint32_t folds; /* 1: a sub that is on its own path already is always folded (see nytp_nodes_child) */
} nytp_front;

/* Notices for readers of reports; each is written once to every output. */
enum nytp_notice {
    NYTP_NOTICE_OTHER_CLOCK = 1, /* the clock asked for is not there */
    NYTP_NOTICE_EVALS = 2,       /* string evals share entries */
    NYTP_NOTICE_DEEP = 4,        /* calling contexts were folded */
    NYTP_NOTICE_FULL = 16,       /* there is no room for definitions but in drafts */
    NYTP_NOTICE_THREADS = 8,     /* another interpreter was cloned from this one, and is not recorded */
    NYTP_NOTICE_NO_LATENCY = 64, /* an option is set, and there are no lengths of calls, nor what they waited */
    NYTP_NOTICE_SQUEEZED = 32    /* there was no room for all counts (squeeze.h) */
};

typedef struct nytp_sequence { /* see sequence.h */
    nytp_buf stack;      /* of level: running calls that have been written */
    nytp_buf told;       /* of struct told: entries and returns to be written */
    uint32_t generation; /* of the output with the stack */
    int64_t due;         /* when the next window is */
} nytp_sequence;

typedef struct nytp_lag_page nytp_lag_page;
typedef struct nytp_lag { /* see lag.h */
    nytp_lag_page *_Atomic children; /* where ours tell; threads may fork at once. NULL: there is none, as of ... */
    nytp_lag_page *parents;          /* ... where we do */
    int64_t kept;                      /* up to the last window */
    int64_t reached;                   /* the greatest lag taken over from a child */
} nytp_lag;

typedef struct nytp_columns { /* by id and counter; ids from n on have no values */
    int64_t *at;
    uint32_t n;
} nytp_columns;

typedef struct nytp_counts { /* see counters.h */
    uint32_t n;                    /* counters of the front end */
    nytp_columns places, nodes;    /* values not written yet */
    int64_t process[NYTP_FORMAT_METRICS];
    uint32_t generation[NYTP_FORMAT_METRICS]; /* of the output that defines the counter */
} nytp_counts;

/* What the recorder keeps, by the file that owns it; flush.c, output.c and recorder.c reset it as well. */

typedef struct nytp_live_queue { /* recorder.c: what has been touched since the last window */
    nytp_live_place **places;
    nytp_live_node **nodes;
    uint32_t place_n, place_room, node_n, node_room;
} nytp_live_queue;

typedef struct nytp_live_files { /* places.c */
    nytp_live_file **list;       /* index = id; 0 unused */
    nytp_live_file *latest;      /* the latest found by name: new statements are mostly of the same file */
    uint32_t n, room, evals;     /* evals: string evals with a file of their own */
    nytp_table by_name;
    nytp_map eval_sites, folded_evals; /* by site, and by a hash of the text: see places.c */
    nytp_live_file *folded;      /* the latest folded eval's, ... */
    nytp_buf folded_name;        /* ... and its name */
    uint64_t text_bytes;         /* of eval texts kept */
} nytp_live_files;

typedef struct nytp_live_places { /* places.c */
    nytp_live_place nowhere; /* id 0: the place before the first statement, and of all time with stmts=0 */
    struct nytp_alike *alike;    /* see places.h */
    uint32_t n, alike_n, alike_room;
    nytp_table alike_index;      /* 1 + index in alike, by `what` */
    nytp_rec_carried *carried;
    uint32_t carried_n, carried_room, carried_written;
    nytp_map carried_lines;      /* file and line: one carrier each */
} nytp_live_places;

typedef struct nytp_live_subs { /* subs.c */
    nytp_live_sub **list;       /* index = id; 0 unused */
    uint32_t n, room;
    nytp_map by_body, by_key, gone, resting; /* gone: by file and lines, subs that have lost their code */
    nytp_table by_name;
} nytp_live_subs;

typedef struct nytp_live_nodes { /* nodes.c */
    nytp_live_node root;        /* id 0: the main program */
    nytp_live_node *deep;       /* parent of contexts without their path */
    nytp_live_sub root_sub, deep_sub;
    nytp_live_node **crowd;     /* children of nodes that have many, by (parent, site, sub) */
    uint32_t n, crowd_mask, crowd_n;
    nytp_map rounds, halves; /* deltas.c: by node and counter: wraps of the counter; and see deltas.c */
} nytp_live_nodes;

typedef struct nytp_live_output { /* output.c */
    nytp_writer *writer;   /* NULL while no file is open */
    char *base;            /* the path asked for, before suffixes */
    char *directory;       /* which that is relative to; NULL: the current one */
    char *name;            /* of the open file, or of the latest one */
    nytp_stream_id stream;
    pthread_t thread;      /* in which the stream began */
    int64_t thread_ns;     /* CPU time of the thread at that time */
    int64_t thread_used;   /* CPU time until the thread ended; -1: it has not */
    uint32_t is_thread, relays, rests, threads; /* 1: of a thread; and relay.h: of several, of none now, of so many */
    uint32_t generation;   /* counts output files, forks included; a definition has that of its latest output */
    uint32_t notices, notices_written; /* enum nytp_notice */
    uint32_t forked;       /* 1 in a forked child: its file is named after its pid */
    uint32_t opener;       /* pid of the process that opened this recorder */
    uint32_t is_said, is_ending; /* 1: that it is broken has been reported; its end is being written */
    uint32_t how, has_end; /* it ends: an enum nytp_end; 1: the records of that are in the window written last */
    uint32_t is_complete, writing; /* 1: its end was written last, of a program that may go on; nytp_front_writes */
    uint32_t parent_files; /* number of files, the first ones, whose source the parent's file has */
    char *parent_name;     /* of a forked child: its parent's file */
    nytp_held inherited;   /* that file, until the child's output is open */
    uint32_t is_parents;   /* 1: the output is in that file */
    uint64_t parent_start;
    nytp_map finished;     /* hashes of the names of captures that this process has finished */
    nytp_store store;      /* the store of the job: see output.c */
} nytp_live_output;

typedef struct nytp_live_window { /* flush.c: all in ticks */
    int64_t start;     /* end of the window before */
    int64_t flush;     /* spent writing the windows before */
    int64_t off;       /* switched off in this window so far, ... */
    int64_t off_since; /* ... and since when, if it is off now */
    int64_t waited;    /* in this window so far: see nytp_leave_out */
    int64_t cold;      /* and see nytp_cold */
    int64_t next_wait; /* before this time a wait gets no window */
    int64_t begun;     /* of the output's first window */
    int64_t cost;      /* of writing the latest window */
} nytp_live_window;

typedef struct nytp_recorder {
    /* hot: what every event touches */
    int64_t last; /* start of the running interval of the place */
    nytp_live_place *place;
    int64_t node_last; /* the same of the node (not beside `last`: gcc would pair them in a slower vector register) */
    nytp_live_node *node;
    nytp_live_frame *frame;
    const char *native; /* of the innermost live leaf frame; the highest address if there is none */
    int64_t deadline;   /* flush when the clock passes it */
    int64_t late;       /* the same at the end of a call: 10 ms later, as a flush between statements can do more */
    nytp_clock clock;
    nytp_live_frame *free_frames, *frame_blocks;

    uint32_t on;   /* 1 while counting */
    uint32_t dead; /* 1: memory ran out, or no file could be begun: never on again */
    nytp_front front;
    nytp_options *options; /* forkdepth is counted down in forked children */
    int64_t started;     /* ticks: stream start */
    uint64_t started_ns; /* monotonic */
    nytp_rec_price prices[NYTP_EVENTS]; /* the front end's estimates; `measured` 0: none */

    nytp_arena arena;
    nytp_pool pool; /* of places and nodes */
    nytp_buf scratch;
    nytp_counts counts;

    nytp_live_queue queue;
    nytp_live_files files;
    nytp_live_places places;
    nytp_live_subs subs;
    nytp_live_nodes nodes;
    nytp_live_output output;
    nytp_live_window window;
    nytp_share budget;
    nytp_sequence sequence;
    nytp_lag lag;
    struct nytp_spans *_Atomic spans; /* spans.h; NULL: the program has named nothing */
    struct nytp_seen *seen;           /* seen.h; NULL: nothing */
    struct nytp_latency *latency;     /* latency.h; NULL: not asked for */
    struct nytp_recorder *_Atomic next; /* handlers.c; and whether it is in the list */
    uint32_t membership;
    const void *_Atomic owner; /* the thread of its latest slow event, by an address; NULL: it has ended */
    atomic_uint rest, is_asked; /* enum nytp_rest, enum nytp_asked (handlers.h): for what the next event is awaited */
    atomic_uint is_hurried;    /* 1: the next event is to notice a fork or a signal, whatever becomes due before */
} nytp_recorder;

#define NYTP_NATIVE_NONE ((const char *)UINTPTR_MAX)

/* Opens a zeroed *r: counters at zero, switched off, without output. It may have an open clock, else the clock of the
 * options is opened, which takes a moment. options must outlive r. An nytp_code. */
int nytp_recorder_open(nytp_recorder *r, nytp_options *options, const nytp_front *front, nytp_error *e);

/* Frees everything, but no frames while the front end still holds one. An open output is abandoned. */
void nytp_recorder_close(nytp_recorder *r);

/* The path of the next output. An nytp_code. */
int nytp_recorder_set_base(nytp_recorder *r, const char *path);

/* Switch on and off; the frames stay as they are. On opens the output if none is open: on failure that code is
 * returned, and the recorder stays off. Off charges the time up to now. */
int nytp_recorder_on(nytp_recorder *r, nytp_error *e);
void nytp_recorder_off(nytp_recorder *r);

/* Switches off by a call of the program: a statement that does nothing else has no time of its own. */
void nytp_recorder_off_by_call(nytp_recorder *r);

/* In a forked child: drops the parent's counters, continues in a file of its own if the front end agrees, returns 1. */
int nytp_recorder_moved(nytp_recorder *r);

/* 1 in a forked child whose windows up to now are of its first tenth of a second: if it ends now it writes only the
 * things it touched, as writing the rest would take most of its time; if it goes on the rest is in its next window. */
static inline int nytp_recorder_is_brief(const nytp_recorder *r) {
    return r->output.parent_name && r->window.start - r->window.begun < (int64_t)r->clock.ticks_per_second / 10;
}

/* Events of each kind in queued nodes: all events, before the first window. */
void nytp_recorder_events(const nytp_recorder *r, int64_t events[NYTP_EVENTS]);

/* Resets the counts of calls after a finished profile. */
void nytp_recorder_reset(nytp_recorder *r);

/* Memory is short: sets `dead`. The next event reports it and switches off; counters are written at the end. */
void nytp_recorder_fail(nytp_recorder *r);

/* Slow paths. When memory is short they set `dead`. */
void nytp_recorder_queue_place(nytp_recorder *r, nytp_live_place *p);
void nytp_recorder_queue_node(nytp_recorder *r, nytp_live_node *n);
/* flush.c: write what changed since the last window, or only note which calls began and ended (sequence.h). */
void nytp_flush(nytp_recorder *r, int64_t now);

static inline int64_t nytp_now(nytp_recorder *r) { return nytp_clock_now(&r->clock); }

#endif
