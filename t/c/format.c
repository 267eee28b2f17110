/* SPDX-License-Identifier: MIT */
/* The format: the reader returns every record of the table as the writer got it, with all fields. Both use the table;
 * t/format.t tests that the bytes between them are those of xs/capture/FORMAT. */
#include "tap.h"

#include "sample.h"

#define GROUP 3 /* records of each kind in a row */

static char texts[NYTP_REC_KINDS][GROUP][NYTP_FORMAT_FIELDS][48];

static void fill(nytp_record *r, uint32_t kind, uint32_t k) {
    const nytp_field *f = nytp_format_row(kind)->fields;

    memset(r, 0, sizeof *r);
    r->kind = kind;
    for (uint32_t i = 0; f[i].name; i++) {
        void *to = (char *)&r->u + f[i].offset;
        uint64_t number = (uint64_t)kind << 40 | (uint64_t)k << 20 | (i + 1);
        char *text = texts[kind][k][i];

        if (f[i].type == 'u' || f[i].type == 'd') *(uint64_t *)to = number;
        if (f[i].type == 'i') *(int64_t *)to = -(int64_t)number;
        if (f[i].type == 's') {
            int n = snprintf(text, sizeof texts[kind][k][i], "%s %u\n\xFF", f[i].name, (unsigned)k);

            *(nytp_str *)to = (nytp_str){text, (size_t)n};
        }
    }
}

static int same_field(const nytp_field *f, const nytp_record *a, const nytp_record *b) {
    const char *x = (const char *)&a->u + f->offset, *y = (const char *)&b->u + f->offset;

    if (f->type == 's') return nytp_str_eq(*(const nytp_str *)x, *(const nytp_str *)y);
    return memcmp(x, y, sizeof(uint64_t)) == 0;
}

static void compare(const nytp_record *got, uint32_t kind, uint32_t k) {
    nytp_record expected;
    uint32_t today = nytp_format_row(kind)->today;
    int fine = got->kind == (today ? today : kind);

    fill(&expected, kind, k);
    for (const nytp_field *f = nytp_format_row(kind)->fields; fine && f->name; f++) {
        fine = same_field(f, got, &expected);
        if (!fine) printf("# %s differs\n", f->name);
    }
    ok(fine, "%s %u comes back", nytp_format_row(kind)->name, (unsigned)k);
}

int main(void) {
    char *dir = sample_directory(), path[500];
    nytp_error e = {0};
    nytp_record r;
    nytp_writer *w;
    nytp_reader *reader;
    nytp_buf bytes;

    snprintf(path, sizeof path, "%s/all", dir);
    w = nytp_writer_open(sample_create(path), &sample_stream, 0);
    for (uint32_t kind = 1; kind < NYTP_REC_KINDS; kind++) {
        for (uint32_t k = 0; k < GROUP && nytp_format_row(kind); k++) {
            fill(&r, kind, k);
            nytp_writer_put(w, &r);
        }
    }
    is(nytp_writer_chunk(w, -5, INT64_MAX), NYTP_OK, "all kinds fit a chunk");
    is(nytp_writer_close(w), NYTP_OK, "and the file closes");

    reader = nytp_reader_open(path, &e);
    for (uint32_t kind = 1; kind < NYTP_REC_KINDS; kind++)
        for (uint32_t k = 0; k < GROUP && nytp_format_row(kind); k++)
            if (ok(nytp_reader_next(reader, &r) == 1, "there is a record")) compare(&r, kind, k);
    is(nytp_reader_next(reader, &r), 0, "and no more");
    ok(nytp_format_same_stream(nytp_reader_stream(reader, 0), &sample_stream), "the stream is who wrote it");
    ok(nytp_reader_chunk(reader)->start == -5 && nytp_reader_chunk(reader)->end == INT64_MAX, "the window is right");
    is(nytp_reader_chunk(reader)->number, 1, "and the chunk's number");
    nytp_reader_close(reader);

    bytes = sample_slurp(path);
    is(bytes.p[18 + 20], NYTP_FORMAT_VERSION, "the version is at byte 20 of the chunk, behind the first line");
    ok(memcmp(bytes.p, NYTP_FORMAT_FIRST_LINE NYTP_FORMAT_SYNC, 26) == 0, "which begins with the sync mark");
    nytp_buf_free(&bytes);
    ok(!nytp_format_row(NYTP_REC_KINDS) && !nytp_format_row(UINT64_MAX), "unknown kinds have no row");
    unlink(path);
    rmdir(dir);
    return done();
}
