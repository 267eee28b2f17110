/* SPDX-License-Identifier: MIT */
/* Damage: wherever a capture is cut or a byte of it is wrong, at most this chunk is lost, with a message; everything
 * before and after it is read, and only records that were written are read. */
#include "tap.h"

#include "capture/scan.h"
#include "sample.h"

#define SMALL_CHUNKS 4
#define SMALL_RECORDS 6
#define LARGE_CHUNKS 200
#define LARGE_RECORDS 50
#define LARGE_SOURCE 10000 /* bytes in each chunk */
#define TRIES 1000         /* of each kind of damage to the large capture */

static char path[500], broken[500];
static uint64_t offsets[LARGE_CHUNKS + 3];
static uint32_t chunks; /* with that of the end record */
static nytp_buf whole;

static void look_at_it(void) {
    nytp_buf_free(&whole);
    whole = sample_slurp(path);
    chunks = sample_offsets(path, offsets, LARGE_CHUNKS + 3);
}

static void make_small(int level) {
    sample_write(path, &sample_stream, SMALL_CHUNKS, SMALL_RECORDS, level);
    look_at_it();
}

/* Random numbers, the same in each run, so that a failure can be repeated. */
static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Not compressed, as this test is about finding chunks, not inflating them. */
static void make_large(uint32_t *random) {
    nytp_writer *w = nytp_writer_open(sample_create(path), &sample_stream, 0);
    static char text[LARGE_SOURCE];

    for (uint32_t k = 1; k <= LARGE_CHUNKS; k++) {
        nytp_rec_source source = {k, 1, {text, sizeof text}};

        for (size_t i = 0; i < sizeof text; i++) text[i] = (char)next_random(random);
        nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_SOURCE, .u.source = source});
        sample_chunk(w, k, LARGE_RECORDS);
    }
    nytp_writer_end(w, NYTP_END_FINISHED);
    if (nytp_writer_close(w)) abort();
    look_at_it();
}

/* The number, from 1, of the chunk with the byte at this offset; 0 for the lines of text. */
static uint32_t chunk_at(uint64_t byte) {
    uint32_t i = 0;

    while (i < chunks && offsets[i] <= byte) i++;
    return i;
}

/* All files but that of chunk `lost` must have come. */
static int has_all_but(const sample_result *s, uint32_t n, uint32_t lost) {
    for (uint32_t k = 1; k <= n; k++)
        if (k != lost && !s->seen[k]) return 0;
    return 1;
}

static int is_cut_well(size_t size, uint32_t n, uint32_t records) {
    sample_result s;
    uint32_t complete = 0;
    int clean;

    sample_spew(broken, whole.p, size);
    sample_read(broken, &s);
    while (complete < chunks && offsets[complete + 1] <= size) complete++;
    clean = size == offsets[complete] || (complete == chunks && size == whole.n);
    if (size < 18) return !s.opened && s.error.code == NYTP_FORMAT;
    if (!s.opened || s.failed || s.wrong) return 0;
    if (size < offsets[0]) return s.files == 0; /* the lines of text are cut, with or without a message */
    if (s.files != (complete < n ? complete : n) || s.deltas != s.files * records) return 0;
    if (s.damages != !clean) return 0;
    return clean || (s.at == offsets[complete] && s.at + s.length == size && strstr(s.reason, "cut short"));
}

static int is_flipped_well(size_t at, unsigned char with, uint32_t n, uint32_t records) {
    sample_result s;
    uint32_t hit = chunk_at(at);
    uint32_t lost_file = hit && hit <= n;

    whole.p[at] ^= with;
    sample_spew(broken, whole.p, whole.n);
    whole.p[at] ^= with;
    sample_read(broken, &s);
    if (!s.opened || s.failed || s.wrong) return 0;
    if (s.files != n - lost_file || s.deltas != (n - lost_file) * records) return 0;
    if (!has_all_but(&s, n, hit)) return 0;
    if (!hit) return s.damages <= 1 && s.ends == 1;
    return s.damages == 1 && s.at == offsets[hit - 1] && s.at + s.length == offsets[hit] && s.reason[0];
}

static void every_cut(const char *what) {
    size_t bad = 0;

    for (size_t size = 0; size <= whole.n; size++) {
        int fine = is_cut_well(size, SMALL_CHUNKS, SMALL_RECORDS);

        if (!fine && !bad++) printf("# %s, cut to %zu bytes\n", what, size);
    }
    is(bad, 0, what);
}

static void every_flip(const char *what) {
    size_t bad = 0;

    for (size_t at = 0; at < whole.n; at++) {
        int fine = is_flipped_well(at, 0xFF, SMALL_CHUNKS, SMALL_RECORDS);

        fine &= is_flipped_well(at, (unsigned char)(1u << at % 8), SMALL_CHUNKS, SMALL_RECORDS);
        if (!fine && !bad++) printf("# %s, byte %zu\n", what, at);
    }
    is(bad, 0, what);
}

static void large_one(void) {
    uint32_t random = 1, bad_cuts = 0, bad_flips = 0;

    make_large(&random);
    ok(whole.n > 1u << 20, "a large capture (%zu bytes, %u chunks)", whole.n, (unsigned)chunks);
    for (int i = 0; i < TRIES; i++) {
        bad_cuts += !is_cut_well(18 + next_random(&random) % (whole.n - 18), LARGE_CHUNKS, LARGE_RECORDS);
        bad_flips += !is_flipped_well(next_random(&random) % whole.n, 1, LARGE_CHUNKS, LARGE_RECORDS);
    }
    is(bad_cuts, 0, "1,000 random cuts of it");
    is(bad_flips, 0, "1,000 random flips in it");
}

/* A payload with a sync mark and a whole chunk in it is not read as that chunk, unless nothing else is left. */
static void chunk_in_a_chunk(void) {
    nytp_writer *w = nytp_writer_open(sample_create(broken), &sample_stream, 0);
    nytp_rec_source source = {1, 1, {(char *)whole.p, whole.n}};
    sample_result s;
    nytp_buf outer;

    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_SOURCE, .u.source = source});
    nytp_writer_close(w);
    sample_read(broken, &s);
    ok(s.damages == 0 && s.files == 0, "a capture inside a payload is not seen");
    outer = sample_slurp(broken);
    outer.p[30] ^= 1;
    sample_spew(broken, outer.p, outer.n);
    sample_read(broken, &s);
    ok(s.damages > 0 && !s.wrong && !s.failed, "a torn chunk around it is named whatever is found inside");
    nytp_buf_free(&outer);
}

/* Heads that each claim a megabyte, none with a right CRC: the work is proportional to the size of the file. */
static void heads_without_end(void) {
    const uint32_t claimed = 1u << 20;
    nytp_buf b = {0};
    nytp_bytes bytes;
    nytp_scan s;
    uint32_t damages = 0, found;

    while (b.n < 4 * claimed) {
        nytp_buf_bytes(&b, NYTP_FORMAT_SYNC, 8);
        nytp_buf_le(&b, 1, 4);
        nytp_buf_le(&b, claimed, 4);
        nytp_buf_le(&b, claimed, 4);
    }
    sample_spew(broken, b.p, b.n);
    is(nytp_bytes_open(&bytes, broken), NYTP_OK, "a file of heads opens");
    nytp_scan_open(&s, &bytes);
    while ((found = nytp_scan_next(&s)) == NYTP_SCAN_DAMAGE) damages++;
    ok(found == NYTP_SCAN_END && damages == 1, "it is one damage");
    ok(s.in_vain <= 5 * (b.n + NYTP_FORMAT_CHUNK_MAX), "and little is summed in vain: %llu bytes",
       (unsigned long long)s.in_vain);
    nytp_scan_close(&s);
    nytp_buf_free(&b);
}

int main(void) {
    char *dir = sample_directory();

    snprintf(path, sizeof path, "%s/whole", dir);
    snprintf(broken, sizeof broken, "%s/broken", dir);
    make_small(0);
    is(chunks, SMALL_CHUNKS + 1, "a small capture, not compressed");
    every_cut("cut at every byte");
    every_flip("a flip in every byte");
    chunk_in_a_chunk();
    make_small(9);
    every_cut("cut at every byte, compressed");
    every_flip("a flip in every byte, compressed");
    large_one();
    heads_without_end();
    nytp_buf_free(&whole);
    unlink(path);
    unlink(broken);
    rmdir(dir);
    return done();
}
