/* SPDX-License-Identifier: MIT */
/* decode.c - the records of format 5, from bytes. */
#include "v5/decode.h"

#include <string.h>

static uint32_t run_out(nytp_v5_take *t) {
    t->at = t->end;
    t->is_short = 1;
    return 0;
}

/* The number of leading ones in the first byte is the number of bytes that follow: none, 1, 2, 3, or with 0xFF 4. */
static inline uint32_t take_u32(nytp_v5_take *t) {
    uint32_t v, more;

    if (t->at == t->end) return run_out(t);
    v = *t->at++;
    if (v < 0x80) return v;
    more = v < 0xC0 ? 1 : v < 0xE0 ? 2 : v < 0xFF ? 3 : 4;
    if ((size_t)(t->end - t->at) < more) return run_out(t);
    v = more == 4 ? 0 : v & 0x7Fu >> more;
    while (more--) v = v << 8 | *t->at++;
    return v;
}

static inline int32_t take_i32(nytp_v5_take *t) {
    return (int32_t)take_u32(t);
}

static double take_double(nytp_v5_take *t) {
    double v = 0;

    if ((size_t)(t->end - t->at) < sizeof v) return run_out(t);
    memcpy(&v, t->at, sizeof v);
    t->at += sizeof v;
    return v;
}

static nytp_str take_bytes(nytp_v5_take *t, size_t n) {
    nytp_str s = {(const char *)t->at, n};

    if ((size_t)(t->end - t->at) < n) {
        run_out(t);
        return (nytp_str){"", 0};
    }
    t->at += n;
    return s;
}

/* Adds `mark` to *utf8 if the string is UTF-8. */
static nytp_str take_string(nytp_v5_take *t, uint32_t *utf8, uint32_t mark) {
    nytp_str tag = take_bytes(t, 1);
    uint32_t n = take_u32(t);

    if (t->is_short) return (nytp_str){"", 0};
    if (*tag.p == '"') *utf8 |= mark;
    else if (*tag.p != '\'') t->wrong = "expected the tag of a string";
    if (n > NYTP_V5_STRING_MAX) t->wrong = "the string is longer than 64 MiB";
    return t->wrong ? (nytp_str){"", 0} : take_bytes(t, n);
}

/* Takes bytes up to a newline, which is included. */
static nytp_str take_line(nytp_v5_take *t) {
    const void *newline = t->at < t->end ? memchr(t->at, '\n', (size_t)(t->end - t->at)) : NULL;

    if (!newline && (size_t)(t->end - t->at) > NYTP_V5_STRING_MAX) t->wrong = "the line is longer than 64 MiB";
    return take_bytes(t, newline ? (size_t)((const unsigned char *)newline - t->at) + 1 : SIZE_MAX);
}

static nytp_v5_pair take_pair(nytp_v5_take *t) {
    nytp_str line = take_line(t);
    const char *equals;

    if (t->is_short) return (nytp_v5_pair){line, line};
    line.n--;
    equals = memchr(line.p, '=', line.n);
    if (!equals) return (nytp_v5_pair){line, {NULL, 0}};
    return (nytp_v5_pair){{line.p, (size_t)(equals - line.p)}, {equals + 1, (size_t)(line.p + line.n - equals) - 1}};
}

static void take_fid(nytp_v5_take *t, nytp_v5_event *e) {
    nytp_v5_fid *f = &e->u.fid;

    f->fid = take_u32(t);
    f->eval_fid = take_u32(t);
    f->eval_line = take_u32(t);
    f->flags = take_u32(t);
    f->size = take_u32(t);
    f->mtime = take_u32(t);
    f->name = take_string(t, &e->utf8, NYTP_V5_UTF8);
}

static void take_pid(nytp_v5_take *t, nytp_v5_event *e) {
    e->u.pid.pid = take_u32(t);
    e->u.pid.parent = e->tag == NYTP_V5_PID_START ? take_u32(t) : 0;
    e->u.pid.time = take_double(t);
}

static void take_return(nytp_v5_take *t, nytp_v5_event *e) {
    e->u.ret.depth = take_u32(t);
    e->u.ret.inclusive = take_double(t);
    e->u.ret.exclusive = take_double(t);
    e->u.ret.name = take_string(t, &e->utf8, NYTP_V5_UTF8);
}

static void take_sub(nytp_v5_take *t, nytp_v5_event *e) {
    e->u.sub.fid = take_u32(t);
    e->u.sub.name = take_string(t, &e->utf8, NYTP_V5_UTF8);
    e->u.sub.first_line = take_u32(t);
    e->u.sub.last_line = take_u32(t);
}

static void take_callers(nytp_v5_take *t, nytp_v5_event *e) {
    nytp_v5_callers *c = &e->u.callers;

    c->fid = take_u32(t);
    c->line = take_u32(t);
    c->caller = take_string(t, &e->utf8, NYTP_V5_UTF8_CALLER);
    c->count = take_u32(t);
    c->inclusive = take_double(t);
    c->exclusive = take_double(t);
    c->recursive = take_double(t);
    c->depth = take_u32(t);
    c->name = take_string(t, &e->utf8, NYTP_V5_UTF8);
}

static void take_source(nytp_v5_take *t, nytp_v5_event *e) {
    e->u.line.fid = take_u32(t);
    e->u.line.line = take_u32(t);
    e->u.line.text = take_string(t, &e->utf8, NYTP_V5_UTF8);
}

/* Reads the fields that TIME_LINE, TIME_BLOCK and SUB_ENTRY share. */
static inline void take_time(nytp_v5_take *t, nytp_v5_event *e) {
    e->u.time = (nytp_v5_time){0};
    if (e->tag != NYTP_V5_SUB_ENTRY) e->u.time.ticks = take_i32(t);
    e->u.time.fid = take_u32(t);
    e->u.time.line = take_u32(t);
    if (e->tag != NYTP_V5_TIME_BLOCK) return;
    e->u.time.block_line = take_u32(t);
    e->u.time.sub_line = take_u32(t);
}

/* Returns the name of the record, NULL if no record begins with that byte. */
static const char *take_fields(nytp_v5_take *t, nytp_v5_event *e) {
    switch (e->tag) {
    case NYTP_V5_TIME_LINE: take_time(t, e); return "a statement's time";
    case NYTP_V5_TIME_BLOCK: take_time(t, e); return "a statement's time and block";
    case NYTP_V5_DISCOUNT: return "a discount";
    case NYTP_V5_SUB_ENTRY: take_time(t, e); return "a sub's entry";
    case NYTP_V5_SUB_RETURN: take_return(t, e); return "a sub's return";
    case NYTP_V5_SUB_INFO: take_sub(t, e); return "a sub's lines";
    case NYTP_V5_SUB_CALLERS: take_callers(t, e); return "a sub's callers";
    case NYTP_V5_SRC_LINE: take_source(t, e); return "a line of source";
    case NYTP_V5_NEW_FID: take_fid(t, e); return "a file's name";
    case NYTP_V5_ATTRIBUTE: e->u.pair = take_pair(t); return "an attribute";
    case NYTP_V5_OPTION: e->u.pair = take_pair(t); return "an option";
    case NYTP_V5_COMMENT: e->u.comment = take_line(t); return "a comment";
    case NYTP_V5_PID_START: take_pid(t, e); return "a process's start";
    case NYTP_V5_PID_END: take_pid(t, e); return "a process's end";
    case NYTP_V5_START_DEFLATE: return "the start of compression";
    default: return NULL;
    }
}

int nytp_v5_decode(nytp_v5_take *t, nytp_v5_event *out) {
    out->tag = (enum nytp_v5_tag)*t->at++;
    out->utf8 = 0;
    t->wrong = NULL;
    t->is_short = 0;
    t->doing = take_fields(t, out);
    if (!t->doing || t->wrong) return -1;
    return !t->is_short;
}
