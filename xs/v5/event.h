/* SPDX-License-Identifier: MIT */
/* event.h - the records of Devel::NYTProf's own file format, version 5.0: one plain struct each.
 *
 * The same events come from three places and go to three: read.h reads them from a file, replay.h makes them from a
 * capture, merge.h from several files; write.h writes them, merge.h merges them, and readers of profiles load them.
 * Fids start at 1; ticks are of 1 / ticks_per_sec, an attribute of the file, 100 ns where we write it. Strings are
 * borrowed until the next event. */
#ifndef NYTP_V5_EVENT_H
#define NYTP_V5_EVENT_H

#include "base/str.h"

#define NYTP_V5_MAJOR 5
#define NYTP_V5_MINOR 0

enum nytp_v5_tag { /* the byte that begins a record in the file; the version has none */
    NYTP_V5_VERSION = 'V',
    NYTP_V5_ATTRIBUTE = ':',
    NYTP_V5_OPTION = '!',
    NYTP_V5_COMMENT = '#',
    NYTP_V5_START_DEFLATE = 'z',
    NYTP_V5_PID_START = 'P',
    NYTP_V5_PID_END = 'p',
    NYTP_V5_NEW_FID = '@',
    NYTP_V5_TIME_LINE = '+',
    NYTP_V5_TIME_BLOCK = '*',
    NYTP_V5_DISCOUNT = '-',
    NYTP_V5_SUB_ENTRY = '>',
    NYTP_V5_SUB_RETURN = '<',
    NYTP_V5_SUB_INFO = 's',
    NYTP_V5_SUB_CALLERS = 'c',
    NYTP_V5_SRC_LINE = 'S'
};

typedef struct nytp_v5_version { uint32_t major, minor; } nytp_v5_version;

typedef struct nytp_v5_pair { nytp_str key, value; } nytp_v5_pair; /* ATTRIBUTE, OPTION */

typedef struct nytp_v5_pid { /* PID_START, PID_END */
    uint32_t pid, parent;    /* parent of PID_START only */
    double time;             /* seconds since the epoch */
} nytp_v5_pid;

typedef struct nytp_v5_fid {
    uint32_t fid, eval_fid, eval_line; /* 0 0 unless the file is an eval */
    uint32_t flags, size, mtime;
    nytp_str name;
} nytp_v5_fid;

typedef struct nytp_v5_time { /* TIME_LINE, TIME_BLOCK; also SUB_ENTRY's fid and line */
    int32_t ticks;
    uint32_t fid, line;
    uint32_t block_line, sub_line; /* TIME_BLOCK only */
} nytp_v5_time;

typedef struct nytp_v5_return {
    uint32_t depth;              /* 1: called from outside any profiled sub */
    double inclusive, exclusive; /* ticks */
    nytp_str name;
} nytp_v5_return;

typedef struct nytp_v5_sub {
    uint32_t fid, first_line, last_line;
    nytp_str name;
} nytp_v5_sub;

typedef struct nytp_v5_callers {
    uint32_t fid, line;                     /* 0 0 marks an xsub */
    uint32_t count, depth;                  /* depth: deepest recursion, 0 is none */
    double inclusive, exclusive, recursive; /* seconds */
    nytp_str caller, name;
} nytp_v5_callers;

typedef struct nytp_v5_line {
    uint32_t fid, line;
    nytp_str text;
} nytp_v5_line;

enum { /* strings of an event that are UTF-8 for perl; the others are bytes */
    NYTP_V5_UTF8 = 1,       /* its name or text */
    NYTP_V5_UTF8_CALLER = 2
};

typedef struct nytp_v5_event {
    enum nytp_v5_tag tag;
    uint32_t utf8; /* sum of the above */
    union {
        nytp_v5_version version;
        nytp_v5_pair pair;
        nytp_str comment; /* newline included */
        nytp_v5_pid pid;
        nytp_v5_fid fid;
        nytp_v5_time time;
        nytp_v5_return ret;
        nytp_v5_sub sub;
        nytp_v5_callers callers;
        nytp_v5_line line;
    } u;
} nytp_v5_event;

#endif
