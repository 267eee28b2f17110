/* SPDX-License-Identifier: MIT */
/* recorder.h - exact counters for statements and calling contexts, fed by a front end, written out window by window.
 *
 * The recorder knows no language. A front end maps its own statement sites to nytp_live_place and its subs to
 * nytp_live_sub, reads the clock once per event and calls one of the inline functions of events.h; everything that is
 * not inline is the slow path. What the recorder keeps while a program runs is nytp_live_..., what a finished profile
 * has of the same things is the model's nytp_place, nytp_sub and so on (model/profile.h).
 *
 *   place  one statement site. Its ticks are the time from reaching it until reaching the next one.
 *   sub    one body of code under one name.
 *   node   one calling context: this sub, called at that place, in the parent's context. Its ticks are its own
 *          (exclusive) time; inclusive time is never measured, it is the sum over a node and its descendants.
 *   frame  one live call. The front end owns a frame and hands it back when the call ends, however it ends.
 *
 * Ticks are raw: the profiler's own cost is in them. Each event is counted by kind at the place and at the node that
 * have the time behind it, and by the price of each kind (calibrated by the front end) whoever reads the capture takes
 * off what the events have cost (capture/correct.h). So the correction can use what the whole run says of prices.
 *
 * One recorder serves one interpreter and one thread. No inline function allocates, makes a system call or touches
 * errno except on the marked slow paths, which keep errno for their caller. */
#ifndef NYTP_RECORD_RECORDER_H
#define NYTP_RECORD_RECORDER_H

#include <pthread.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "capture/clock.h"
#include "capture/format.h"
#include "capture/store.h"
#include "capture/writer.h"
#include "record/options.h"

#if defined(__GNUC__)
#define NYTP_LIKELY(x) __builtin_expect(!!(x), 1)
#define NYTP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NYTP_HOT static inline __attribute__((always_inline))
#define NYTP_COLD static __attribute__((noinline, cold)) /* out of the hot path's registers */
#define NYTP_APART static __attribute__((noinline))      /* so, too, but runs often: optimised for speed */
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
    void *front;          /* the front end's own: where to find more source */
    uint32_t id, flags;   /* NYTP_FILE_... */
    uint32_t parent, parent_line;
    uint32_t generation;  /* of the output that defines it; see nytp_recorder.generation */
    uint32_t source_lines; /* written to that output */
    uint32_t front_mark;  /* the front end's own as well */
    uint64_t size, mtime;
} nytp_live_file;

/* A C function is left where it was entered: at places the event of its beginning stands for that of its end, too. */
#define NYTP_PLACE_EVENTS (NYTP_EVENT_LEAF_ENTER + 1)

/* What an event touches lies in one cache line: big programs wait for memory more than for anything else we do. Hence
 * the narrow counters: they may wrap round, since differences are written, of windows that hold far fewer. How often a
 * node's has is in nytp_recorder.rounds. */
typedef struct nytp_live_place {
    int64_t ticks;               /* total; never zeroed. Of what is current less r->last: see nytp_go_to_place */
    struct nytp_live_node *last_node; /* the node entered from here last: a cache of one */
    uint32_t events[NYTP_PLACE_EVENTS]; /* by enum nytp_event, statements first */
    uint32_t queued;             /* 1: in the list that the next flush looks at */
    uint64_t front[3];           /* the front end's own */
    int64_t written_ticks;
    uint32_t written[NYTP_PLACE_EVENTS];
    uint32_t id, generation;
    uint32_t file, line, block_line, sub_line;
    uint32_t vacant; /* 1: the statement's code is gone */
    struct nytp_live_place *tail; /* the site of the tail calls made here (see nytp_places_tail); NULL: none yet */
} nytp_live_place;

/* What tells one sub from another: addresses of the front end's choice, compared and never followed. */
typedef struct nytp_subkey {
    const void *body, *name, *package, *alias;
} nytp_subkey;

static inline int nytp_subkey_eq(nytp_subkey a, nytp_subkey b) {
    return a.body == b.body && a.name == b.name && a.package == b.package && a.alias == b.alias;
}

typedef struct nytp_live_sub {
    nytp_subkey key; /* body NULL: the code is gone, nothing matches any more */
    struct nytp_live_sub *next_of_body;
    nytp_str name, alias;
    uint32_t id, flags; /* NYTP_SUB_... */
    uint32_t file, first_line, last_line, ordinal;
    uint32_t generation;
    uint32_t had_body;     /* 0: nobody has called it */
    uint32_t ends_process; /* 1: calling it ends the process without the interpreter's farewell */
    uint32_t has_died;     /* 1: a C function left without returning, at least once */
} nytp_live_sub;

/* As with a place, what events touch is the first cache line; a large program has some ten thousand of these. */
typedef struct nytp_live_node {
    struct nytp_live_node *parent; /* NULL for the root */
    nytp_live_sub *sub;
    struct nytp_live_node *into; /* where its time goes: itself, or the node it was folded into */
    int64_t ticks;          /* total, never zeroed, as a place's; and so are ... */
    uint32_t calls, events[NYTP_EVENTS];
    uint32_t queued : 1;
    uint32_t children : 5;    /* nodes.c; it stops counting where that stops asking */
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
    int32_t leaf;       /* 1: a C function's; the recorder takes it back if the C function is gone without a word */
    int32_t depth;      /* of a leaf: the front end's own, to know by whether the C function still runs */
} nytp_live_frame;

/* One file for several recorders of a process: a capture may hold many streams. Theirs are appended to what is there if
 * they want the same name. */
typedef struct nytp_outlet {
    int32_t fd;   /* -1: none yet */
    uint32_t pid; /* of the process that opened it */
    char *base, *name; /* the path asked for, and the file */
} nytp_outlet;

typedef struct nytp_counter { /* see counters.h */
    const char *name, *title, *unit; /* as in nytp_rec_metric; static */
    uint32_t of;                     /* sum of enum nytp_metric_of: what has values of it */
    uint32_t adds;                   /* enum nytp_metric_adds */
} nytp_counter;

/* What the front end does for the recorder. All are called on slow paths only. */
typedef struct nytp_front {
    void *self;
    nytp_str program, interpreter; /* copied */
    nytp_str root, comment;        /* copied: what reports call the main program, and what begins a line that is a
                                      comment; empty: as readers know them of the front end with that number */
    uint32_t number;               /* enum nytp_front_end */
    uint32_t shares_name;          /* 1: other programs of this job were told the same output file */
    /* Put the source of file from line file->source_lines + 1 on into text, which is empty; returns how many lines. */
    uint32_t (*source)(void *self, const nytp_live_file *file, nytp_buf *text);
    /* The key of that source if it is a plain file's, whole and known to other processes by the same key (see
     * capture/store.h); else NULL. The front end may have none of it: NULL instead of the function. */
    const unsigned char *(*key)(void *self, const nytp_live_file *file);
    /* Write the attributes and properties that open a capture; the options are written already. */
    void (*describe)(void *self, nytp_writer *w);
    /* A line for the log (no newline): the output is broken, a clock fell back, ... */
    void (*say)(void *self, const char *line);
    /* Called in a forked child before its first window: 1 to profile it, 0 to leave it alone. */
    int (*forked)(void *self);
    /* The recorder has switched itself off: no more events, please, until nytp_recorder_on. */
    void (*stopped)(void *self);
    nytp_outlet *outlet; /* NULL: none; else used while an output is opened: the front end sees to it that nobody else
                            does so at that time */
    const nytp_counter *counters; /* its own, see counters.h; a row without a name ends them. NULL: none */
    uint32_t folds; /* 1: a sub that is on its own path already is always folded (see nytp_nodes_child) */
} nytp_front;

/* What the reader of a report should know; each is written once to every output. */
enum nytp_notice {
    NYTP_NOTICE_OTHER_CLOCK = 1, /* the clock asked for is not there */
    NYTP_NOTICE_EVALS = 2,       /* string evals share entries */
    NYTP_NOTICE_DEEP = 4,        /* calling contexts were folded */
    NYTP_NOTICE_THREADS = 8      /* another interpreter was cloned from this one, and is not recorded */
};

typedef struct nytp_sequence { /* see sequence.h */
    nytp_buf stack;      /* of level: the calls that are running as far as they have been told */
    nytp_buf told;       /* of told: what is to be written */
    uint32_t generation; /* of the output that knows the stack */
    int64_t due;         /* when the next window is */
} nytp_sequence;

typedef struct nytp_lag_page nytp_lag_page;

typedef struct nytp_lag { /* see lag.h */
    nytp_lag_page *_Atomic children; /* where ours tell; threads may fork at once. NULL: there is none, as of ... */
    nytp_lag_page *parents;          /* ... where we do */
    int64_t kept;                      /* up to the last window */
    int64_t reached;                   /* when a child was last caught up with; by now it is no less */
} nytp_lag;

typedef struct nytp_columns { /* by id of the thing and counter; none where n ends */
    int64_t *at;
    uint32_t n;
} nytp_columns;

typedef struct nytp_counts { /* see counters.h */
    uint32_t n;                    /* counters of the front end */
    nytp_columns places, nodes;    /* what was counted and is not written yet; of things never counted for none */
    int64_t process[NYTP_FORMAT_METRICS];
    uint32_t generation[NYTP_FORMAT_METRICS]; /* of the output that defines the counter */
} nytp_counts;

typedef struct nytp_recorder {
    /* hot: what every event touches */
    int64_t last; /* when the interval began that runs at this place ... */
    nytp_live_place *place;
    int64_t node_last; /* ... and at this node (not beside last: gcc would pair them in a vector register, at a loss) */
    nytp_live_node *node;
    nytp_live_frame *frame;
    const char *native; /* of the innermost live leaf frame; the highest address if there is none */
    int64_t deadline;   /* flush when the clock passes it, ... */
    int64_t late;       /* ... at the end of a call 10 ms later: between two statements more can be done */
    nytp_clock clock;
    nytp_live_frame *free_frames, *frame_blocks;

    /* what there is */
    nytp_live_place **queued_places;
    nytp_live_node **queued_nodes;
    uint32_t queued_place_n, queued_place_cap, queued_node_n, queued_node_cap;
    nytp_live_place nowhere; /* id 0: before the first statement, and all time of a run without statement profiling */
    nytp_live_node root;     /* id 0: the main program */
    nytp_live_node *deep;    /* parent of the contexts whose path was given up */
    nytp_live_sub root_sub, deep_sub;
    nytp_arena arena;
    nytp_live_file **files; /* index = id; 0 unused */
    nytp_live_file *latest_file; /* asked for by its name: new statements are mostly of the file of those before */
    nytp_live_sub **subs;
    uint32_t file_n, file_cap, sub_n, sub_cap, place_n, node_n;
    nytp_live_node **crowd; /* nodes.c: children of nodes that have many, by (parent, site, sub) */
    uint32_t crowd_mask, crowd_n;
    nytp_map file_names, sub_bodies, sub_names, shared_places, eval_sites, folded_evals;
    nytp_pool pool; /* of places and nodes */
    nytp_counts counts;
    nytp_live_place **shared; /* indexed by shared_places */
    uint32_t shared_n;
    nytp_rec_carried *carried;
    uint32_t carried_n, carried_cap, carried_written;
    nytp_map rounds; /* flush.c: by node and event, how often the counter has wrapped round; absent: never */
    nytp_map carried_lines; /* file and line: one carrier each */
    uint32_t evals;           /* string evals with a file of their own */
    nytp_live_file *folded_file;   /* the latest folded eval's, ... */
    uint64_t folded_name;     /* ... and the hash of its name */
    uint64_t eval_text;       /* bytes of eval texts kept */

    /* the output */
    nytp_front front;
    const nytp_options *options;
    nytp_writer *writer; /* NULL while no file is open */
    pthread_t thread;    /* that the stream began in, ... */
    int64_t thread_ns;   /* ... and the CPU time it had used by then */
    char *base;          /* the path asked for, before suffixes */
    char *name;          /* of the open file, or of the one opened last */
    nytp_stream_id stream;
    uint32_t generation; /* counts output files, forks included; definitions carry the one that has them */
    uint32_t on;         /* 1 while counting */
    uint32_t dead;       /* 1: memory ran out, or no file could be begun: never on again */
    uint32_t notices, notices_written; /* enum nytp_notice */
    uint32_t forked;     /* 1 in a fork child: its file is named after its pid */
    uint32_t opener;     /* pid of the process that opened this recorder */
    nytp_map finished;   /* hashes of the names of captures that this process has finished */
    uint64_t parent_start;
    char *parent_name;     /* of a fork child: its parent's file, which ... */
    uint32_t parent_files; /* ... has the source of so many files: the first ones */
    nytp_store store;      /* in a job, what its processes have in common: see output.c */
    int64_t started;      /* ticks: stream start */
    uint64_t started_ns;  /* monotonic */
    int64_t window_start; /* ticks: end of the window before */
    int64_t flush_ticks;  /* spent writing the window before */
    int64_t off_ticks;    /* switched off in this window so far */
    int64_t off_since;
    int64_t waited_ticks; /* in this window so far: see nytp_leave_out */
    int64_t cold_ticks;   /* and see nytp_cold */
    int64_t next_wait;    /* up to here no wait gets a window before it */
    int64_t window;       /* how long this one may get; 0 before the first flush */
    nytp_buf scratch;
    uint32_t output_said; /* 1: the front end has been told that the output is broken */
    nytp_sequence sequence;
    nytp_lag lag;
    nytp_rec_price prices[NYTP_EVENTS]; /* the front end's estimates so far; none where `measured` is 0 */
} nytp_recorder;

#define NYTP_NATIVE_NONE ((const char *)UINTPTR_MAX)

/* A zeroed *r made ready: counters at zero, switched off, no output yet. It may have an open clock, else it gets the
 * one that options name, which takes a moment. options must outlive r. An nytp_code. */
int nytp_recorder_open(nytp_recorder *r, const nytp_options *options, const nytp_front *front, nytp_error *e);

/* Frees all; of the frames nothing while the front end still holds one. An open output is abandoned. */
void nytp_recorder_close(nytp_recorder *r);

/* The path of the next output. An nytp_code. */
int nytp_recorder_set_base(nytp_recorder *r, const char *path);

/* Switch on and off; the frames stay as they are. On opens the output if none is open: its failure is the return value,
 * and the recorder stays off. Off charges the time up to now. */
int nytp_recorder_on(nytp_recorder *r, nytp_error *e);
void nytp_recorder_off(nytp_recorder *r);

/* The program has called what switches off: its statement has no time of its own, if that is all it does. */
void nytp_recorder_off_by_call(nytp_recorder *r);

/* Looks whether this process is a fork child of the one that was recorded; if so, forgets what belongs to the parent's
 * file, goes on in a file of our own if the front end agrees, and returns 1. One system call. */
int nytp_recorder_moved(nytp_recorder *r);

/* 1 in a forked child that has written no window yet: one that ends now leaves to its parent's file what it did not
 * touch, or it would live longer for that than for anything else; one that goes on writes it with its next window. */
static inline int nytp_recorder_is_brief(const nytp_recorder *r) { return r->parent_name && !r->window; }

/* How many events of each kind there were in what is queued: all, while nothing has been written. */
void nytp_recorder_events(const nytp_recorder *r, int64_t events[NYTP_EVENTS]);

/* Calls start from zero again: what a finished profile leaves behind. */
void nytp_recorder_reset(nytp_recorder *r);

/* Flush at the event that comes then; with a deadline that has long passed, INT64_MIN, at the next one. */
void nytp_recorder_due(nytp_recorder *r, int64_t deadline);

/* Memory is short: sets `dead`. The next event says so and switches off; what has been counted is written at the
 * end. */
void nytp_recorder_fail(nytp_recorder *r);

/* Slow paths. When memory is short they set `dead`. */
void nytp_recorder_queue_place(nytp_recorder *r, nytp_live_place *p);
void nytp_recorder_queue_node(nytp_recorder *r, nytp_live_node *n);

/* flush.c: write what changed since the last window, or only note which calls began and ended (sequence.h); cheap
 * enough to be called whenever the deadline has passed. */
void nytp_flush(nytp_recorder *r, int64_t now);

/* The recorder's clock, in its ticks. */
static inline int64_t nytp_now(nytp_recorder *r) { return nytp_clock_now(&r->clock); }

#endif
