/* SPDX-License-Identifier: MIT */
/* told.h - a callback that writes events of format 5 into a text, a line for each. */
#ifndef TOLD_H
#define TOLD_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "v5/event.h"
#include "tap.h"

typedef struct told { /* one line for each event */
    nytp_buf text;
    int left; /* events to accept before it fails; -1: all */
} told;

static inline void told_print(nytp_buf *to, const char *format, ...) NYTP_PRINTF(2, 3);
static inline void told_print(nytp_buf *to, const char *format, ...) {
    char line[300];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    nytp_buf_bytes(to, line, strlen(line));
}

#define S(str) (int)(str).n, (str).p

static inline void told_event(nytp_buf *to, const nytp_v5_event *e) {
    const nytp_v5_time *t = &e->u.time;
    const nytp_v5_callers *c = &e->u.callers;

    switch (e->tag) {
    case NYTP_V5_VERSION: told_print(to, "V %u %u\n", e->u.version.major, e->u.version.minor); break;
    case NYTP_V5_ATTRIBUTE:
    case NYTP_V5_OPTION: told_print(to, "%c %.*s=%.*s\n", e->tag, S(e->u.pair.key), S(e->u.pair.value)); break;
    case NYTP_V5_COMMENT: told_print(to, "# %.*s\n", 21, e->u.comment.p); break;
    case NYTP_V5_PID_START: told_print(to, "P %u %u %.1f\n", e->u.pid.pid, e->u.pid.parent, e->u.pid.time); break;
    case NYTP_V5_PID_END: told_print(to, "p %u %.1f\n", e->u.pid.pid, e->u.pid.time); break;
    case NYTP_V5_NEW_FID:
        told_print(to, "@ %u %u:%u %u %.*s%s\n", e->u.fid.fid, e->u.fid.eval_fid, e->u.fid.eval_line, e->u.fid.flags,
              S(e->u.fid.name), e->utf8 ? " utf8" : "");
        break;
    case NYTP_V5_TIME_LINE: told_print(to, "+ %d %u:%u\n", t->ticks, t->fid, t->line); break;
    case NYTP_V5_TIME_BLOCK:
        told_print(to, "* %d %u:%u %u %u\n", t->ticks, t->fid, t->line, t->block_line, t->sub_line);
        break;
    case NYTP_V5_SUB_ENTRY: told_print(to, "> %u:%u\n", t->fid, t->line); break;
    case NYTP_V5_SUB_RETURN:
        told_print(to, "< %u %g %g %.*s\n", e->u.ret.depth, e->u.ret.inclusive, e->u.ret.exclusive, S(e->u.ret.name));
        break;
    case NYTP_V5_SUB_INFO:
        told_print(to, "s %u:%u-%u %.*s\n", e->u.sub.fid, e->u.sub.first_line, e->u.sub.last_line, S(e->u.sub.name));
        break;
    case NYTP_V5_SUB_CALLERS:
        told_print(to, "c %u:%u %.*s > %.*s %u incl %g excl %g reci %g depth %u\n", c->fid, c->line, S(c->caller),
              S(c->name), c->count, c->inclusive * 1e7, c->exclusive * 1e7, c->recursive * 1e7, c->depth);
        break;
    case NYTP_V5_SRC_LINE: told_print(to, "S %u:%u %.*s", e->u.line.fid, e->u.line.line, S(e->u.line.text)); break;
    default: told_print(to, "%c\n", e->tag);
    }
}

static inline int told_take(void *self, const nytp_v5_event *e) {
    told *t = self;

    if (!t->left) return 42;
    if (t->left > 0) t->left--;
    told_event(&t->text, e);
    return 0;
}

static told heard;

static inline void forget(void) {
    nytp_buf_clear(&heard.text);
}

static inline int heard_is(const char *expected, const char *name) {
    size_t n = strlen(expected);
    int same = ok(heard.text.n == n && !memcmp(heard.text.p, expected, n), "%s", name);

    if (!same) printf("# heard:\n%.*s# expected:\n%s", (int)heard.text.n, heard.text.p, expected);
    forget();
    return same;
}

#endif
