/* SPDX-License-Identifier: MIT */
/* v5_bytes.h - files of format 5 made byte by byte, for the tests of their readers. */
#ifndef V5_BYTES_H
#define V5_BYTES_H

#include "base/zio.h"
#include "sample.h"

static inline void v5_u(nytp_buf *b, uint32_t v) {
    static const uint32_t limits[] = {0x80, 0x4000, 0x200000, 0x10000000};
    static const unsigned char marks[] = {0x00, 0x80, 0xC0, 0xE0};
    int more = 0;

    while (more < 4 && v >= limits[more]) more++;
    if (more == 4) nytp_buf_byte(b, 0xFF);
    else nytp_buf_byte(b, (unsigned char)(marks[more] | v >> 8 * more));
    while (more--) nytp_buf_byte(b, (unsigned char)(v >> 8 * more));
}

static inline void v5_double(nytp_buf *b, double v) {
    nytp_buf_bytes(b, &v, sizeof v);
}

static inline void v5_str(nytp_buf *b, const char *text) {
    nytp_buf_byte(b, '\'');
    v5_u(b, (uint32_t)strlen(text));
    nytp_buf_bytes(b, text, strlen(text));
}

static inline void v5_text(nytp_buf *b, const char *text) {
    nytp_buf_bytes(b, text, strlen(text));
}

static inline void v5_head(nytp_buf *b) {
    v5_text(b, "NYTProf 5 0\n#Made by hand\n:application=/a.pl\n:perl_version=5.36.0\n:nv_size=8\n:clock_id=1\n"
               ":ticks_per_sec=10000000\n!blocks=0\n!calls=1\n");
}

static inline void v5_start(nytp_buf *b, uint32_t pid, uint32_t parent, double time) {
    nytp_buf_byte(b, 'P');
    v5_u(b, pid);
    v5_u(b, parent);
    v5_double(b, time);
}

static inline void v5_end(nytp_buf *b, uint32_t pid, double time) {
    nytp_buf_byte(b, 'p');
    v5_u(b, pid);
    v5_double(b, time);
}

static inline void v5_fid(nytp_buf *b, uint32_t fid, uint32_t eval_fid, uint32_t eval_line, const char *name) {
    nytp_buf_byte(b, '@');
    v5_u(b, fid);
    v5_u(b, eval_fid);
    v5_u(b, eval_line);
    v5_u(b, eval_fid ? 50 : 2);
    v5_u(b, 0);
    v5_u(b, 0);
    v5_str(b, name);
}

static inline void v5_time_fields(nytp_buf *b, char tag, int32_t ticks, uint32_t fid, uint32_t line) {
    nytp_buf_byte(b, (unsigned char)tag);
    v5_u(b, (uint32_t)ticks);
    v5_u(b, fid);
    v5_u(b, line);
}

static inline void v5_time(nytp_buf *b, int32_t ticks, uint32_t fid, uint32_t line) {
    v5_time_fields(b, '+', ticks, fid, line);
}

static inline void v5_block(nytp_buf *b, int32_t ticks, uint32_t fid, uint32_t line, uint32_t block, uint32_t sub) {
    v5_time_fields(b, '*', ticks, fid, line);
    v5_u(b, block);
    v5_u(b, sub);
}

static inline void v5_discount(nytp_buf *b) {
    nytp_buf_byte(b, '-');
}

static inline void v5_return(nytp_buf *b, uint32_t depth, double inclusive, double exclusive, const char *name) {
    nytp_buf_byte(b, '<');
    v5_u(b, depth);
    v5_double(b, inclusive);
    v5_double(b, exclusive);
    v5_str(b, name);
}

static inline void v5_sub(nytp_buf *b, uint32_t fid, const char *name, uint32_t first, uint32_t last) {
    nytp_buf_byte(b, 's');
    v5_u(b, fid);
    v5_str(b, name);
    v5_u(b, first);
    v5_u(b, last);
}

/* Times are seconds; a count of 0 at fid 0 and line 0 marks code written in C. */
static inline void v5_callers(nytp_buf *b, uint32_t fid, uint32_t line, const char *caller, uint32_t count,
                              double inclusive, double exclusive, double recursive, uint32_t depth,
                              const char *name) {
    nytp_buf_byte(b, 'c');
    v5_u(b, fid);
    v5_u(b, line);
    v5_str(b, caller);
    v5_u(b, count);
    v5_double(b, inclusive);
    v5_double(b, exclusive);
    v5_double(b, recursive);
    v5_u(b, depth);
    v5_str(b, name);
}

static inline void v5_source(nytp_buf *b, uint32_t fid, uint32_t line, const char *text) {
    nytp_buf_byte(b, 'S');
    v5_u(b, fid);
    v5_u(b, line);
    v5_str(b, text);
}

/* The file with everything from its first PID_START, at `records`, compressed. */
static inline nytp_buf v5_deflated(const nytp_buf *plain, size_t records) {
    nytp_buf b = {0};

    nytp_buf_bytes(&b, plain->p, records);
    nytp_buf_byte(&b, 'z');
    if (nytp_zio_deflate(&b, plain->p + records, plain->n - records, 6)) abort();
    v5_text(&b, "#\n# Compressed\n");
    return b;
}

#endif
