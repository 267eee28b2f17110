/* SPDX-License-Identifier: MIT */
/* write.c - writes a file of Devel::NYTProf's own format, version 5.0, record by record.
 *
 * Records gather in `raw`. From time to time, and when asked to flush, they go through the deflater, if there is one,
 * into `block` and from there to the file. */
#include "v5/write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/zio.h"
#include "capture/append.h"

#define PIECE (64u << 10) /* bytes that gather before they go on */

struct nytp_v5_writer {
    nytp_append out;
    nytp_error error;
    nytp_zio_deflater *deflate;  /* NULL while the file is plain text */
    int32_t level;          /* for START_DEFLATE */
    nytp_buf raw;           /* records as they are */
    nytp_buf block;         /* bytes of the next write */
    uint64_t given, came;   /* bytes into and out of the deflater */
};

/* ---- writing to the file ---- */

static void free_all(nytp_v5_writer *w) {
    nytp_zio_deflater_close(w->deflate);
    w->deflate = NULL;
    nytp_buf_free(&w->raw);
    nytp_buf_free(&w->block);
}

/* From now on appending does nothing and holds no memory. */
static enum nytp_code stop(nytp_v5_writer *w, enum nytp_code code, const char *why) {
    nytp_error_set(&w->error, code, "writing the profile: %s", why);
    free_all(w);
    w->raw.failed = w->block.failed = 1;
    return w->error.code;
}

static enum nytp_code deflate_raw(nytp_v5_writer *w, enum nytp_zio_end end) {
    size_t before = w->block.n;

    if (nytp_zio_deflater_run(w->deflate, &w->block, w->raw.p, w->raw.n, end)) return NYTP_NOMEM;
    w->given += w->raw.n;
    w->came += w->block.n - before;
    return NYTP_OK;
}

/* Deflates the records that have gathered, and writes the result; with MORE only once there is enough of it. */
static enum nytp_code spill(nytp_v5_writer *w, enum nytp_zio_end end) {
    if (w->error.code) return w->error.code;
    if (w->raw.failed) return stop(w, NYTP_NOMEM, "out of memory");
    if (w->deflate) {
        if (deflate_raw(w, end)) return stop(w, NYTP_NOMEM, "out of memory");
    } else {
        nytp_buf_bytes(&w->block, w->raw.p, w->raw.n);
    }
    nytp_buf_clear(&w->raw);
    if (w->block.failed) return stop(w, NYTP_NOMEM, "out of memory");
    if (!w->block.n || (end == NYTP_ZIO_MORE && w->block.n < PIECE)) return NYTP_OK;
    if (nytp_append_write(&w->out, w->block.p, w->block.n, &w->error)) return stop(w, NYTP_IO, "cannot go on");
    nytp_buf_clear(&w->block);
    return NYTP_OK;
}

/* The record is complete: returns its bytes, those since `from`, or 0 if it is lost. */
static size_t end_record(nytp_v5_writer *w, size_t from) {
    size_t bytes = w->raw.n - from;

    if (w->raw.n >= PIECE || w->raw.failed) spill(w, NYTP_ZIO_MORE);
    return w->error.code ? 0 : bytes;
}

/* ---- primitives ---- */

/* Big-endian; the leading ones of the first byte tell how many bytes follow. */
static unsigned char *u32(unsigned char *to, uint32_t v) {
    int more = v < 0x80 ? 0 : v < 0x4000 ? 1 : v < 0x200000 ? 2 : v < 0x10000000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0x80, 0xC0, 0xE0, 0xFF};

    *to++ = (unsigned char)(lead[more] | (more < 4 ? v >> (8 * more) : 0));
    for (int shift = 8 * more - 8; shift >= 0; shift -= 8) *to++ = (unsigned char)(v >> shift);
    return to;
}

/* The tag and the numbers that follow it. */
static void put(nytp_v5_writer *w, enum nytp_v5_tag tag, const uint32_t *values, int n) {
    unsigned char *to = nytp_buf_room(&w->raw, 1 + 5 * (size_t)n);

    if (!to) return;
    *to++ = (unsigned char)tag;
    for (int i = 0; i < n; i++) to = u32(to, values[i]);
    w->raw.n = (size_t)(to - w->raw.p);
}

static void put_u32(nytp_v5_writer *w, uint32_t v) {
    unsigned char *to = nytp_buf_room(&w->raw, 5);

    if (to) w->raw.n += (size_t)(u32(to, v) - to);
}

/* Eight bytes in the machine's order. */
static void put_double(nytp_v5_writer *w, double v) {
    nytp_buf_bytes(&w->raw, &v, sizeof v);
}

static void put_str(nytp_v5_writer *w, nytp_str s, uint32_t utf8) {
    nytp_buf_byte(&w->raw, utf8 ? '"' : '\'');
    put_u32(w, (uint32_t)s.n);
    nytp_buf_bytes(&w->raw, s.p, s.n);
}

/* A newline in a line of text is written as \n. */
static void put_text(nytp_v5_writer *w, nytp_str s) {
    for (const char *newline; s.n && (newline = memchr(s.p, '\n', s.n)) != NULL;) {
        size_t n = (size_t)(newline - s.p);

        nytp_buf_bytes(&w->raw, s.p, n);
        nytp_buf_bytes(&w->raw, "\\n", 2);
        s.p += n + 1;
        s.n -= n + 1;
    }
    nytp_buf_bytes(&w->raw, s.p, s.n);
}

static void put_pair(nytp_v5_writer *w, enum nytp_v5_tag tag, const nytp_v5_pair *p) {
    put(w, tag, NULL, 0);
    put_text(w, p->key);
    nytp_buf_byte(&w->raw, '=');
    put_text(w, p->value);
    nytp_buf_byte(&w->raw, '\n');
}

static void put_comment(nytp_v5_writer *w, nytp_str text) {
    put(w, NYTP_V5_COMMENT, NULL, 0);
    if (nytp_str_ends(text, NYTP_LIT("\n"))) text.n--;
    put_text(w, text);
    nytp_buf_byte(&w->raw, '\n');
}

static void put_line(nytp_v5_writer *w, const char *text) {
    nytp_buf_bytes(&w->raw, text, strlen(text));
}

/* ---- compression ---- */

static int wants_deflate(const nytp_v5_writer *w, int level) {
    return level && !w->deflate && !w->error.code && nytp_zio_available();
}

void nytp_v5_writer_start_deflate(nytp_v5_writer *w, int level) {
    if (!wants_deflate(w, level)) return;
    if (level < -1 || level > 9) {
        stop(w, NYTP_USAGE, "the compression level is not between -1 and 9");
        return;
    }
    if (spill(w, NYTP_ZIO_MORE)) return;
    w->deflate = nytp_zio_deflater_open(level);
    if (!w->deflate) stop(w, NYTP_NOMEM, "out of memory");
}

void nytp_v5_writer_announce_deflate(nytp_v5_writer *w, int level) {
    char line[80];

    if (!wants_deflate(w, level)) return;
    snprintf(line, sizeof line, "Compressed at level %d with zlib %s", level, nytp_zio_version());
    put_comment(w, nytp_str_c(line));
    put(w, NYTP_V5_START_DEFLATE, NULL, 0);
    nytp_v5_writer_start_deflate(w, level);
}

/* Comments for people, as plain text behind the deflated stream. */
static void put_figures(nytp_v5_writer *w) {
    double given = (double)w->given, came = (double)w->came;
    char line[160];

    snprintf(line, sizeof line, "#\n# Compressed %.0f bytes to %.0f, ratio %.3f:1, data shrunk by %.2f%%\n", given,
             came, came > 0 ? given / came : 1, given > 0 ? 100 - 100 * came / given : 0);
    put_line(w, line);
}

/* ---- records ---- */

static void put_header(nytp_v5_writer *w, const nytp_v5_version *v) {
    char line[40];

    snprintf(line, sizeof line, "NYTProf %u %u\n", (unsigned)v->major, (unsigned)v->minor);
    put_line(w, line);
}

static void put_pid(nytp_v5_writer *w, enum nytp_v5_tag tag, const nytp_v5_pid *p) {
    put(w, tag, (uint32_t[]){p->pid, p->parent}, tag == NYTP_V5_PID_START ? 2 : 1);
    put_double(w, p->time);
}

static void put_fid(nytp_v5_writer *w, const nytp_v5_fid *f, uint32_t utf8) {
    put(w, NYTP_V5_NEW_FID, (uint32_t[]){f->fid, f->eval_fid, f->eval_line, f->flags, f->size, f->mtime}, 6);
    put_str(w, f->name, utf8);
}

/* TIME_LINE has the first three fields only. */
static void put_time(nytp_v5_writer *w, enum nytp_v5_tag tag, const nytp_v5_time *t) {
    const uint32_t numbers[] = {(uint32_t)t->ticks, t->fid, t->line, t->block_line, t->sub_line};

    put(w, tag, numbers, tag == NYTP_V5_TIME_LINE ? 3 : 5);
}

static void put_return(nytp_v5_writer *w, const nytp_v5_return *r, uint32_t utf8) {
    put(w, NYTP_V5_SUB_RETURN, &r->depth, 1);
    put_double(w, r->inclusive);
    put_double(w, r->exclusive);
    put_str(w, r->name, utf8);
}

/* The format has this name between the numbers, and that of put_callers behind them. */
static void put_sub(nytp_v5_writer *w, const nytp_v5_sub *s, uint32_t utf8) {
    put(w, NYTP_V5_SUB_INFO, &s->fid, 1);
    put_str(w, s->name, utf8);
    put_u32(w, s->first_line);
    put_u32(w, s->last_line);
}

static void put_callers(nytp_v5_writer *w, const nytp_v5_callers *c, uint32_t utf8) {
    put(w, NYTP_V5_SUB_CALLERS, (uint32_t[]){c->fid, c->line}, 2);
    put_str(w, c->caller, utf8 & NYTP_V5_UTF8_CALLER);
    put_u32(w, c->count);
    put_double(w, c->inclusive);
    put_double(w, c->exclusive);
    put_double(w, c->recursive);
    put_u32(w, c->depth);
    put_str(w, c->name, utf8 & NYTP_V5_UTF8);
}

static void put_source(nytp_v5_writer *w, const nytp_v5_line *l, uint32_t utf8) {
    put(w, NYTP_V5_SRC_LINE, (uint32_t[]){l->fid, l->line}, 2);
    put_str(w, l->text, utf8);
}

size_t nytp_v5_writer_event(nytp_v5_writer *w, const nytp_v5_event *e) {
    size_t from = w->raw.n;

    switch (e->tag) {
    case NYTP_V5_VERSION: put_header(w, &e->u.version); break;
    case NYTP_V5_ATTRIBUTE:
    case NYTP_V5_OPTION: put_pair(w, e->tag, &e->u.pair); break;
    case NYTP_V5_COMMENT: put_comment(w, e->u.comment); break;
    case NYTP_V5_START_DEFLATE: nytp_v5_writer_announce_deflate(w, w->level); return 0;
    case NYTP_V5_PID_START:
    case NYTP_V5_PID_END: put_pid(w, e->tag, &e->u.pid); break;
    case NYTP_V5_NEW_FID: put_fid(w, &e->u.fid, e->utf8); break;
    case NYTP_V5_TIME_LINE:
    case NYTP_V5_TIME_BLOCK: put_time(w, e->tag, &e->u.time); break;
    case NYTP_V5_DISCOUNT: put(w, e->tag, NULL, 0); break;
    case NYTP_V5_SUB_ENTRY: put(w, e->tag, (uint32_t[]){e->u.time.fid, e->u.time.line}, 2); break;
    case NYTP_V5_SUB_RETURN: put_return(w, &e->u.ret, e->utf8); break;
    case NYTP_V5_SUB_INFO: put_sub(w, &e->u.sub, e->utf8); break;
    case NYTP_V5_SUB_CALLERS: put_callers(w, &e->u.callers, e->utf8); break;
    case NYTP_V5_SRC_LINE: put_source(w, &e->u.line, e->utf8); break;
    }
    return end_record(w, from);
}

size_t nytp_v5_writer_bytes(nytp_v5_writer *w, nytp_str bytes) {
    size_t from = w->raw.n;

    nytp_buf_bytes(&w->raw, bytes.p, bytes.n);
    return end_record(w, from);
}

/* ---- the handle ---- */

nytp_v5_writer *nytp_v5_writer_open(int fd, int level) {
    int saved = errno;
    nytp_v5_writer *w = calloc(1, sizeof *w);

    errno = saved;
    if (!w) return NULL;
    nytp_append_open(&w->out, fd);
    w->level = level;
    return w;
}

enum nytp_code nytp_v5_writer_flush(nytp_v5_writer *w) {
    return spill(w, NYTP_ZIO_FLUSH);
}

const nytp_error *nytp_v5_writer_error(const nytp_v5_writer *w) {
    return &w->error;
}

static enum nytp_code release(nytp_v5_writer *w) {
    enum nytp_code code;

    nytp_append_close(&w->out, &w->error);
    code = w->error.code;
    free_all(w);
    free(w);
    return code;
}

enum nytp_code nytp_v5_writer_finish(nytp_v5_writer *w) {
    if (w->deflate && spill(w, NYTP_ZIO_FINISH) == NYTP_OK) {
        nytp_zio_deflater_close(w->deflate);
        w->deflate = NULL;
        put_figures(w);
    }
    return spill(w, NYTP_ZIO_FLUSH);
}

enum nytp_code nytp_v5_writer_close(nytp_v5_writer *w) {
    if (!w) return NYTP_OK;
    nytp_v5_writer_finish(w);
    return release(w);
}

void nytp_v5_writer_abandon(nytp_v5_writer *w) {
    if (w) release(w);
}
