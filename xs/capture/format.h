/* SPDX-License-Identifier: MIT */
/* format.h - the records of a capture: one plain struct each, and the table that names their fields.
 *
 * The bytes are described in FORMAT beside this file. Writer, reader and dump go by the table; t/format.t makes records
 * from FORMAT's words and t/c/format.c from the table's, so that the two cannot drift apart.
 *
 * Every id belongs to its stream. File, sub, place and node ids start at 1; 0 means none (a node's parent 0 is the
 * stream's root, which is not written). Times are ticks of the stream's clock unless a name says otherwise. */
#ifndef NYTP_CAPTURE_FORMAT_H
#define NYTP_CAPTURE_FORMAT_H

#include "base/str.h"
#include "capture/said.h"

#define NYTP_FORMAT_VERSION 1
#define NYTP_FORMAT_FIRST_LINE "NYTProf capture 1\n"
#define NYTP_FORMAT_SYNC "\xF1NYTP\r\n\x1A" /* begins every chunk; 8 bytes */
#define NYTP_FORMAT_CHUNK_HEAD 84
#define NYTP_FORMAT_CHUNK_MAX (64u << 20) /* a reader refuses larger ones */
#define NYTP_FORMAT_LINE_MAX 4096u        /* bytes of a text line, newline included; longer ones are cut */

enum nytp_kind { /* numbers are the file's: never reuse one */
    NYTP_REC_DAMAGE = 0, /* not in files: the reader's note of bytes it had to skip */
    NYTP_REC_PROCESS_START = 1,
    NYTP_REC_PROCESS_END = 2,
    NYTP_REC_ATTRIBUTE = 3, /* what Devel::NYTProf's users know as attributes */
    NYTP_REC_OPTION = 4,    /* the options they know */
    NYTP_REC_PROPERTY = 5,  /* our own: host, cwd, inc, clock, ... */
    NYTP_REC_NOTE = 6,      /* a sentence for the reader of a report */
    NYTP_REC_FILE = 7,
    NYTP_REC_SOURCE = 8,
    NYTP_REC_CARRIED = 9,
    NYTP_REC_SUB = 10,
    NYTP_REC_OLD_PLACE = 11, /* these four are in older captures; readers are given the kinds of today */
    NYTP_REC_OLD_NODE = 12,
    NYTP_REC_OLD_PLACE_DELTA = 13,
    NYTP_REC_OLD_NODE_DELTA = 14,
    NYTP_REC_WINDOW = 15,
    NYTP_REC_COST = 16,
    NYTP_REC_CALL_ENTRY = 17,
    NYTP_REC_CALL_RETURN = 18,
    NYTP_REC_END = 24, /* 19 to 23 were described once and never written */
    NYTP_REC_OLD_PLACE_MEMORY = 25, /* older captures have these two for what is VALUES today */
    NYTP_REC_OLD_NODE_MEMORY = 26,
    NYTP_REC_TAIL = 27,
    NYTP_REC_PLACE = 28,
    NYTP_REC_NODE = 29,
    NYTP_REC_PRICE = 30,
    NYTP_REC_PLACE_DELTA = 31,
    NYTP_REC_NODE_DELTA = 32,
    NYTP_REC_TEXT = 33,
    NYTP_REC_STORED = 34,
    NYTP_REC_METRIC = 35,
    NYTP_REC_VALUES = 36,
    NYTP_REC_CODE = 37,
    NYTP_REC_PROCESS = 38,
    NYTP_REC_EXIT = 39,
    NYTP_REC_MARK = 40,
    NYTP_REC_LABEL = 41,
    NYTP_REC_TALLY = 42,
    NYTP_REC_BUCKETS = 43,
    NYTP_REC_SEEN = 44,
    NYTP_REC_KINDS
};

enum nytp_front_end {
    NYTP_FRONT_UNKNOWN = 0,
    NYTP_FRONT_PERL = 1,
    NYTP_FRONT_LUA = 2,
    NYTP_FRONT_STORE = 4, /* no process, but texts: store.h */
    NYTP_FRONT_BUILD = 5  /* a process that starts others: guest.h */
    /* 3 was described once and never written */
};

/* Who wrote a chunk. */
typedef struct nytp_stream_id {
    unsigned char run[16];  /* random, one per started program; a fork child keeps it */
    uint64_t process_start; /* ns since the epoch, real time */
    uint32_t pid;
    uint32_t thread;        /* 0 for the first interpreter */
    uint32_t front_end;     /* enum nytp_front_end */
} nytp_stream_id;

/* 1 for the stream of a profiled process; 0 for one of texts or of a process that starts others. */
static inline int nytp_format_is_profiled(const nytp_stream_id *s) {
    return s->front_end != NYTP_FRONT_STORE && s->front_end != NYTP_FRONT_BUILD;
}

/* 1 if all five fields are equal. */
int nytp_format_same_stream(const nytp_stream_id *a, const nytp_stream_id *b);
uint64_t nytp_format_hash_stream(const nytp_stream_id *s);

typedef struct nytp_rec_damage {
    uint64_t offset, length; /* bytes of the file that were skipped */
    nytp_str reason;
} nytp_rec_damage;

typedef struct nytp_rec_process_start {
    uint64_t parent_pid;
    uint64_t parent_start; /* ns since the epoch; 0 if the parent was not profiled */
    uint64_t start;        /* ns since the epoch when this stream began */
    int64_t start_ticks;   /* the clock at that moment */
    uint64_t ticks_per_second;
    uint64_t resolution; /* smallest step seen, in ticks */
    int64_t clock_id;    /* clock_gettime's number, or NYTP_CLOCK_TSC, NYTP_CLOCK_FAKE of clock.h */
    nytp_str clock_name, program, interpreter;
} nytp_rec_process_start;

typedef struct nytp_rec_process_end {
    uint64_t end;               /* ns since the epoch */
    int64_t end_ticks;
    uint64_t user_us, system_us;   /* CPU time of the process up to now, microseconds */
    uint64_t max_rss_kb, minor_faults, major_faults, blocks_in, blocks_out, switches, forced_switches;
    uint64_t thread_us;            /* CPU time of the stream's thread since the stream began; 0: not known */
} nytp_rec_process_end;

typedef struct nytp_rec_pair { /* attribute, option, property */
    nytp_str key, value;
} nytp_rec_pair;

typedef struct nytp_rec_note {
    nytp_str text;
} nytp_rec_note;

enum nytp_file_flag { /* values as Devel::NYTProf::Constants has them where both know the thing */
    NYTP_FILE_PMC = 1,
    NYTP_FILE_VIA_STMT = 2,
    NYTP_FILE_VIA_SUB = 4,
    NYTP_FILE_AUTOSPLIT = 8,
    NYTP_FILE_HAS_SRC = 16,
    NYTP_FILE_SAVE_SRC = 32,
    NYTP_FILE_FAKE = 128,
    NYTP_FILE_EVAL = 256,
    NYTP_FILE_UTF8 = 1024,  /* the interpreter calls the name UTF-8 */
    NYTP_FILE_FOLDED = 2048 /* stands for several evals of one site and text */
};

typedef struct nytp_rec_file {
    uint64_t id, flags;
    uint64_t parent, parent_line; /* an eval's invoking file and line, else 0 0 */
    uint64_t size;                /* bytes, 0 if unknown */
    uint64_t mtime;               /* seconds since the epoch, 0 if unknown */
    nytp_str name;
} nytp_rec_file;

typedef struct nytp_rec_source { /* lines first_line ... each with its newline; later records of a file go on */
    uint64_t file, first_line;
    nytp_str text;
} nytp_rec_source;

typedef struct nytp_rec_text { /* of a store */
    nytp_str key, text;
} nytp_rec_text;

typedef struct nytp_rec_stored { /* the file's source is the text of that key */
    uint64_t file;
    nytp_str key;
} nytp_rec_stored;

typedef struct nytp_rec_carried { /* the optimiser merged the statement of `line` into the one of `carrier` */
    uint64_t file, line, carrier;
} nytp_rec_carried;

typedef struct nytp_rec_code { /* a statement begins on the line */
    uint64_t file, line;
} nytp_rec_code;

enum nytp_sub_flag {
    NYTP_SUB_XSUB = 1,   /* written in C */
    NYTP_SUB_OPCODE = 2, /* a slow built-in */
    NYTP_SUB_ANON = 4,
    NYTP_SUB_UTF8 = 8,
    NYTP_SUB_UNDEFINED = 16, /* called, but there was nothing to call */
    NYTP_SUB_PHASE = 32,     /* no sub: a phase of the program, main::RUNTIME */
    NYTP_SUB_DIED_FIRST = 64, /* written in C, and the first call that ended died: in
                                 format 5 such a sub is not marked as written in C */
    NYTP_SUB_DIRECTED = 128   /* compiled from a string with a #line directive: bodies of
                                 one name and the same lines are one piece of code, compiled again */
};

typedef struct nytp_rec_sub { /* a later record with the same id replaces an earlier one */
    uint64_t id, flags;
    uint64_t file, first_line, last_line; /* 0 0 0 where there is no source */
    uint64_t ordinal; /* 1 for the first body of that name, 2, 3 ... for others */
    nytp_str name;    /* with its package: main::foo, main::__ANON__[file:line] */
    nytp_str alias;   /* the name an anonymous sub was called by, if it has one */
} nytp_rec_sub;

/* The package in a sub's name: what stands before the last ::, which in main::__ANON__[/x::y.pl:3] is the first;
 * in a name of Lua's, string.format, before the last dot or colon. Borrowed from name. */
nytp_str nytp_format_package(nytp_str name);

typedef struct nytp_rec_place { /* one statement site */
    uint64_t id, file, line, block_line, sub_line;
} nytp_rec_place;

typedef struct nytp_rec_node { /* one calling context: sub, called at place, in parent's context */
    uint64_t id, parent, place, sub;
} nytp_rec_node;

typedef struct nytp_rec_tail { /* stands before the definition of the node: its calls took their caller's place */
    uint64_t node;
} nytp_rec_tail;

typedef struct nytp_rec_memory { /* of a place or a node, since the window before */
    uint64_t id;
    int64_t count, bytes; /* allocations, and what they asked for; of one made larger what it grew by */
} nytp_rec_memory;

enum nytp_metric_of { NYTP_OF_PLACE = 1, NYTP_OF_NODE = 2, NYTP_OF_PROCESS = 4 };

enum nytp_metric_adds { NYTP_ADDS_SUM, NYTP_ADDS_MAX }; /* two values make their sum, or the larger one */

/* The most metrics that a reader takes from all files that make a profile; a writer has no more either. */
#define NYTP_FORMAT_METRICS 32

typedef struct nytp_rec_metric { /* a counter beside count and ticks */
    uint64_t id;
    uint64_t of;   /* sum of enum nytp_metric_of: what has values of it */
    uint64_t adds; /* enum nytp_metric_adds */
    nytp_str name; /* one word: by it, unit and adds metrics of different streams are the same one */
    nytp_str unit; /* B bytes, ns nanoseconds, empty: a plain count; any other word is shown as it is */
    nytp_str title; /* the name for people */
} nytp_rec_metric;

typedef struct nytp_rec_value { /* of a metric, since the window before */
    uint64_t metric;
    uint64_t of; /* one of enum nytp_metric_of, ... */
    uint64_t id; /* ... and which of these; of the process 0 */
    int64_t value;
} nytp_rec_value;

/* What the window's time went to besides places. In every chunk that has one
 *     sum of place ticks + subtracted + flush + off + cold = window end - window start
 * and the same with node ticks (the root's included, as id 0), where waited is to be added. */
typedef struct nytp_rec_window {
    int64_t subtracted; /* the profiler's own cost, by calibration. Captures of today have raw ticks, and here 0: the
                           reader fills it in (correct.h) */
    int64_t flush;      /* writing the window before this one */
    int64_t off;        /* profiling switched off */
    int64_t anchor_ticks; /* the clock now, and ... */
    uint64_t anchor_ns;   /* ... CLOCK_MONOTONIC now: two of these tell the clock's true rate */
    int64_t waited;       /* time that statements have and no call, as Devel::NYTProf counts accept */
    int64_t cold;         /* the profiler's own work for what came up for the first time, as measured */
    uint64_t threads;     /* that the stream has had up to now, one after the other; 0: it is for one */
} nytp_rec_window;

enum nytp_event { /* what the profiler does and calibrates */
    NYTP_EVENT_STATEMENT,
    NYTP_EVENT_SWITCH, /* back in a statement after a call, a block or a loop's body */
    NYTP_EVENT_ENTER,  /* into a sub */
    NYTP_EVENT_EXIT,
    NYTP_EVENT_LEAF_ENTER, /* into a sub written in C or a slow built-in */
    NYTP_EVENT_LEAF_EXIT,
    NYTP_EVENTS
};

typedef struct nytp_rec_cost { /* of captures whose ticks are not raw */
    uint64_t event; /* enum nytp_event */
    uint64_t count; /* in this window */
    int64_t cost;   /* ticks taken off for each */
} nytp_rec_cost;

typedef struct nytp_rec_delta { /* of a place or a node, since the window before */
    uint64_t id;
    int64_t count, ticks;        /* statements or calls; time of its own, and in it ... */
    int64_t events[NYTP_EVENTS]; /* ... the cost of so many events, by enum nytp_event. A place's statements are its
                                    count, and its leaf calls end where they begin: correct.h completes both */
} nytp_rec_delta;

#define NYTP_PRICE_PARTS 256

typedef struct nytp_rec_seen { /* of a node and a place, since the window before */
    uint64_t node, place;
    int64_t samples, ns; /* that found the thread there, and the time up to each from the one before */
} nytp_rec_seen;

typedef struct nytp_rec_price { /* what one event of a kind costs, by what is known up to now */
    uint64_t event;    /* enum nytp_event */
    int64_t ticks;
    uint64_t spread;   /* in ticks: how far that may be from the truth, as measurements differ */
    uint64_t measured; /* times */
    int64_t parts;     /* of a tick, NYTP_PRICE_PARTS, to be added to ticks, which are rounded */
} nytp_rec_price;

typedef struct nytp_rec_call_entry {
    int64_t ticks;
    uint64_t node;
} nytp_rec_call_entry;

typedef struct nytp_rec_call_return {
    int64_t ticks;
    uint64_t node;
    int64_t exclusive;
} nytp_rec_call_return;

typedef struct nytp_rec_process { /* a process of a build begins */
    uint64_t pid;
    uint64_t start;  /* in ticks; identifies the process */
    uint64_t parent; /* start of the process of a build that this one is below; 0: of none */
    uint64_t level;  /* make's MAKELEVEL for it */
    uint64_t words;  /* number of its arguments, its name included */
    uint64_t cut;    /* bytes of the arguments that command lacks */
    nytp_str directory, target;
    nytp_str command; /* arguments, each with a NUL behind it */
} nytp_rec_process;

enum { NYTP_STATUS_SIGNAL = 256, NYTP_STATUS_CORE = 512 }; /* in a status, beside the number of a signal */

typedef struct nytp_rec_exit { /* a process of a build has ended */
    uint64_t pid;
    uint64_t start;  /* of the process; 0: of this pid the latest that began */
    uint64_t end;    /* in ticks */
    uint64_t status; /* exit status, or the number of a signal with NYTP_STATUS_SIGNAL */
    uint64_t user_us, system_us, max_rss_kb, minor_faults, major_faults, blocks_in, blocks_out, switches,
        forced_switches; /* with the children that it has waited for */
} nytp_rec_exit;

enum nytp_end { NYTP_END_FINISHED, NYTP_END_EXEC, NYTP_END_EXIT /* without the interpreter's farewell */ };

typedef struct nytp_rec_end { /* nothing is missing up to here; a stream may go on after a failed exec */
    uint64_t how;    /* enum nytp_end */
    uint64_t chunks; /* of this stream, this one included */
} nytp_rec_end;

typedef struct nytp_record {
    uint32_t kind;   /* enum nytp_kind */
    uint32_t stream; /* index of nytp_reader_stream */
    uint64_t chunk;  /* its number in the file, from 1 */
    float spread;    /* of a corrected delta: how far its ticks may be off */
    union {
        nytp_rec_damage damage;
        nytp_rec_process_start process_start;
        nytp_rec_process_end process_end;
        nytp_rec_pair pair;
        nytp_rec_note note;
        nytp_rec_file file;
        nytp_rec_source source;
        nytp_rec_text text;
        nytp_rec_stored stored;
        nytp_rec_carried carried;
        nytp_rec_code code;
        nytp_rec_sub sub;
        nytp_rec_place place;
        nytp_rec_node node;
        nytp_rec_tail tail;
        nytp_rec_delta delta;
        nytp_rec_memory memory;
        nytp_rec_metric metric;
        nytp_rec_value value;
        nytp_rec_window window;
        nytp_rec_cost cost;
        nytp_rec_seen seen;
        nytp_rec_price price;
        nytp_rec_call_entry call_entry;
        nytp_rec_call_return call_return;
        nytp_rec_end end;
        nytp_rec_process process;
        nytp_rec_exit exit;
        nytp_rec_mark mark;
        nytp_rec_label label;
        nytp_rec_tally tally;
        nytp_rec_bucket bucket;
    } u;
} nytp_record;

typedef struct nytp_field {
    const char *name;
    char type;       /* 'u' uint64_t, 'i' int64_t, 's' nytp_str; 'd' uint64_t, of which the file has the difference to
                        that in the set of fields before */
    uint16_t offset; /* in nytp_record.u */
} nytp_field;

#define NYTP_FORMAT_FIELDS 13

typedef struct nytp_row {
    const char *name; /* as `nytprof dump` prints it */
    int32_t repeats;  /* 1: the fields repeat to the end of the record */
    uint32_t today;   /* the kind that readers are given instead, which has these fields and more; 0: this one */
    nytp_field fields[NYTP_FORMAT_FIELDS + 1]; /* ends with an all-zero one */
} nytp_row;

/* NULL for kinds this version does not know. */
const nytp_row *nytp_format_row(uint64_t kind);

#endif
