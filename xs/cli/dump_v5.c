/* SPDX-License-Identifier: MIT */
/* dump_v5.c - an event of format 5 as a line: the name that Devel::NYTProf's users know it by, and its fields. */
#include "cli/dump_v5.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/print.h"

static void print_text(const char *name, nytp_str text) {
    printf(" %s=", name);
    nytp_print_quoted(text);
}

static void print_u(const char *name, uint32_t v) {
    printf(" %s=%" PRIu32, name, v);
}

static void print_double(const char *name, double v) {
    printf(" %s=%.17g", name, v);
}

static void print_pair(const nytp_v5_pair *p) {
    print_text("key", p->key);
    if (p->value.p) print_text("value", p->value);
}

static void print_pid(const nytp_v5_pid *p, int is_start) {
    print_u("pid", p->pid);
    if (is_start) print_u("parent", p->parent);
    printf(" time=%.6f", p->time);
}

static void print_fid(const nytp_v5_fid *f) {
    print_u("fid", f->fid);
    print_u("eval_fid", f->eval_fid);
    print_u("eval_line", f->eval_line);
    print_u("flags", f->flags);
    print_u("size", f->size);
    print_u("mtime", f->mtime);
    print_text("name", f->name);
}

static void print_time(const nytp_v5_time *t, int is_block) {
    printf(" ticks=%" PRId32, t->ticks);
    print_u("fid", t->fid);
    print_u("line", t->line);
    if (!is_block) return;
    print_u("block_line", t->block_line);
    print_u("sub_line", t->sub_line);
}

static void print_entry(const nytp_v5_time *t) {
    print_u("fid", t->fid);
    print_u("line", t->line);
}

static void print_return(const nytp_v5_return *r) {
    print_u("depth", r->depth);
    print_double("inclusive", r->inclusive);
    print_double("exclusive", r->exclusive);
    print_text("name", r->name);
}

static void print_sub(const nytp_v5_sub *s) {
    print_u("fid", s->fid);
    print_u("first_line", s->first_line);
    print_u("last_line", s->last_line);
    print_text("name", s->name);
}

static void print_callers(const nytp_v5_callers *c) {
    print_u("fid", c->fid);
    print_u("line", c->line);
    print_u("count", c->count);
    print_double("inclusive", c->inclusive);
    print_double("exclusive", c->exclusive);
    print_double("recursive", c->recursive);
    print_u("depth", c->depth);
    print_text("caller", c->caller);
    print_text("name", c->name);
}

static void print_source(const nytp_v5_line *l) {
    print_u("fid", l->fid);
    print_u("line", l->line);
    print_text("text", l->text);
}

static void print_version(const nytp_v5_version *v) {
    print_u("major", v->major);
    print_u("minor", v->minor);
}

static const char *name_of(enum nytp_v5_tag tag) {
    switch (tag) {
    case NYTP_V5_VERSION: return "VERSION";
    case NYTP_V5_ATTRIBUTE: return "ATTRIBUTE";
    case NYTP_V5_OPTION: return "OPTION";
    case NYTP_V5_COMMENT: return "COMMENT";
    case NYTP_V5_START_DEFLATE: return "START_DEFLATE";
    case NYTP_V5_PID_START: return "PID_START";
    case NYTP_V5_PID_END: return "PID_END";
    case NYTP_V5_NEW_FID: return "NEW_FID";
    case NYTP_V5_TIME_LINE: return "TIME_LINE";
    case NYTP_V5_TIME_BLOCK: return "TIME_BLOCK";
    case NYTP_V5_DISCOUNT: return "DISCOUNT";
    case NYTP_V5_SUB_ENTRY: return "SUB_ENTRY";
    case NYTP_V5_SUB_RETURN: return "SUB_RETURN";
    case NYTP_V5_SUB_INFO: return "SUB_INFO";
    case NYTP_V5_SUB_CALLERS: return "SUB_CALLERS";
    default: return "SRC_LINE";
    }
}

void nytp_dump_v5_event(const nytp_v5_event *e) {
    fputs(name_of(e->tag), stdout);
    switch (e->tag) {
    case NYTP_V5_VERSION: print_version(&e->u.version); break;
    case NYTP_V5_ATTRIBUTE:
    case NYTP_V5_OPTION: print_pair(&e->u.pair); break;
    case NYTP_V5_COMMENT: print_text("text", e->u.comment); break;
    case NYTP_V5_PID_START:
    case NYTP_V5_PID_END: print_pid(&e->u.pid, e->tag == NYTP_V5_PID_START); break;
    case NYTP_V5_NEW_FID: print_fid(&e->u.fid); break;
    case NYTP_V5_TIME_LINE:
    case NYTP_V5_TIME_BLOCK: print_time(&e->u.time, e->tag == NYTP_V5_TIME_BLOCK); break;
    case NYTP_V5_SUB_ENTRY: print_entry(&e->u.time); break;
    case NYTP_V5_SUB_RETURN: print_return(&e->u.ret); break;
    case NYTP_V5_SUB_INFO: print_sub(&e->u.sub); break;
    case NYTP_V5_SUB_CALLERS: print_callers(&e->u.callers); break;
    case NYTP_V5_SRC_LINE: print_source(&e->u.line); break;
    case NYTP_V5_DISCOUNT:
    case NYTP_V5_START_DEFLATE: break;
    }
    putchar('\n');
}
