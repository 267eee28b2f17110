/* SPDX-License-Identifier: MIT */
/* sample.h - captures for tests, and their files. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "capture/reader.h"
#include "capture/writer.h"

static const nytp_stream_id sample_stream = {
    {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, 1700000000000000000u, 4711, 0, NYTP_FRONT_PERL};

/* A new directory for the test, under $TMPDIR; NULL if none can be made. */
static inline char *sample_directory(void) {
    static char name[400];
    const char *tmp = getenv("TMPDIR");

    snprintf(name, sizeof name, "%s/nytp-test-XXXXXX", tmp ? tmp : P_tmpdir);
    return mkdtemp(name);
}

static inline int sample_create(const char *path) {
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static inline void sample_spew(const char *path, const void *p, size_t n) {
    int fd = sample_create(path);

    if (fd < 0 || write(fd, p, n) != (ssize_t)n || close(fd)) abort();
}

static inline nytp_buf sample_slurp(const char *path) {
    nytp_buf b = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n;

    if (fd < 0) abort();
    while ((n = read(fd, nytp_buf_room(&b, 65536), 65536)) > 0) b.n += (size_t)n;
    close(fd);
    return b;
}

/* Chunk k has its number in each of its records. */
static inline void sample_chunk(nytp_writer *w, uint32_t k, uint32_t records) {
    char text[64];
    nytp_rec_file file = {k, 0, 0, 0, 100, 1600000000, {text, 0}};

    file.name.n = (size_t)snprintf(text, sizeof text, "lib/Some/Module%u.pm", (unsigned)k);
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_FILE, .u.file = file});
    for (uint32_t i = 0; i < records; i++) {
        nytp_rec_delta delta = {k, i, (int64_t)(i * 7919u % 1000003u) * 31 - k, {0}};

        nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_PLACE_DELTA, .u.delta = delta});
    }
    nytp_writer_chunk(w, (int64_t)k * 100, (int64_t)k * 100 + 100);
}

static inline void sample_write(const char *path, const nytp_stream_id *stream, uint32_t chunks, uint32_t records,
                                int level) {
    nytp_writer *w = nytp_writer_open(sample_create(path), stream, level);

    nytp_writer_text(w, NYTP_LIT("program"), NYTP_LIT("a\nb.pl"));
    nytp_writer_text(w, NYTP_LIT("host"), NYTP_LIT("example"));
    for (uint32_t k = 1; k <= chunks; k++) sample_chunk(w, k, records);
    nytp_writer_end(w, NYTP_END_FINISHED);
    if (nytp_writer_close(w)) abort();
}

/* The results of reading a file. */
typedef struct sample_result {
    int opened, failed; /* failed: nytp_reader_next returned -1 */
    uint32_t files, deltas, ends, damages, streams;
    uint64_t unknown;
    int wrong;                    /* 1: a record differs from that of the writer */
    uint64_t damaged, at, length; /* bytes in all; the last damage */
    char reason[200];
    nytp_error error;
    unsigned char seen[4096];     /* [k]: file k came */
} sample_result;

static inline void sample_count(sample_result *s, const nytp_record *r) {
    if (s->streams <= r->stream) s->streams = r->stream + 1;
    switch (r->kind) {
    case NYTP_REC_FILE:
        s->files++;
        if (r->u.file.id < sizeof s->seen) s->seen[r->u.file.id] = 1;
        else s->wrong = 1;
        break;
    case NYTP_REC_PLACE_DELTA:
        s->deltas++;
        s->wrong |= r->u.delta.ticks !=
                    (int64_t)((uint32_t)r->u.delta.count * 7919u % 1000003u) * 31 - (int64_t)r->u.delta.id;
        break;
    case NYTP_REC_END: s->ends++; break;
    case NYTP_REC_DAMAGE:
        s->damages++;
        s->damaged += r->u.damage.length;
        s->at = r->u.damage.offset;
        s->length = r->u.damage.length;
        snprintf(s->reason, sizeof s->reason, "%.*s", (int)r->u.damage.reason.n, r->u.damage.reason.p);
        break;
    }
}

static inline void sample_read(const char *path, sample_result *s) {
    nytp_reader *reader;
    nytp_record r;
    int more;

    memset(s, 0, sizeof *s);
    reader = nytp_reader_open(path, &s->error);
    if (!reader) return;
    s->opened = 1;
    while ((more = nytp_reader_next(reader, &r)) > 0) sample_count(s, &r);
    s->failed = more < 0;
    if (s->failed) s->error = *nytp_reader_error(reader);
    s->unknown = nytp_reader_unknown(reader);
    nytp_reader_close(reader);
}

/* The offsets of a sound capture's chunks, and behind them that of the file's end. Returns the number of chunks. */
static inline uint32_t sample_offsets(const char *path, uint64_t *offsets, uint32_t max) {
    nytp_error e = {0};
    nytp_reader *reader = nytp_reader_open(path, &e);
    nytp_record r;
    uint64_t chunk = 0;
    uint32_t n = 0;

    while (reader && nytp_reader_next(reader, &r) > 0) {
        const nytp_chunk_info *c = nytp_reader_chunk(reader);

        if (r.chunk == chunk || n + 1 >= max) continue;
        chunk = r.chunk;
        offsets[n++] = c->offset;
        offsets[n] = c->offset + NYTP_FORMAT_CHUNK_HEAD + c->stored;
    }
    nytp_reader_close(reader);
    return n;
}

#endif
