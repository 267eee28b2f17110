/* SPDX-License-Identifier: MIT */
/* drafts.c - for clang's libFuzzer: drafts that are chunks in a file count like the same drafts in the lines of areas,
 * damaged lines give no draft that is none, and a draft that was written over others is the one that is read. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base64.h"
#include "capture/scan.h"
#include "capture/slots.h"
#include "input.h"

#define AREA NYTP_SLOTS_HEAD " fuzz\n"

/* ---- what is read ---- */

/* Heads of the drafts that count, in order; each of them has a right CRC. */
static void read_drafts(const nytp_buf *file, nytp_buf *heads) {
    const nytp_bytes bytes = input_bytes(file->p, file->n);
    nytp_scan s;
    enum nytp_scan_found found;
    nytp_scan_open(&s, &bytes);
    while ((found = nytp_scan_next(&s)) == NYTP_SCAN_CHUNK || found == NYTP_SCAN_DAMAGE) {
        if (found == NYTP_SCAN_DAMAGE || s.chunk.number) continue;
        const unsigned char *p = s.payload - NYTP_FORMAT_CHUNK_HEAD;
        if (nytp_chunk_crc(p, NYTP_FORMAT_CHUNK_HEAD + (size_t)s.chunk.stored) != s.chunk.crc) abort();
        nytp_buf_bytes(heads, p, NYTP_FORMAT_CHUNK_HEAD);
    }
    nytp_scan_close(&s);
}

/* ---- chunks and areas ---- */

static size_t size_of_chunk(const uint8_t *p, size_t n, nytp_chunk_info *c) {
    if (n < NYTP_FORMAT_CHUNK_HEAD || memcmp(p, NYTP_FORMAT_SYNC, 8) != 0) return 0;
    nytp_chunk_get(p, c);
    size_t size = NYTP_FORMAT_CHUNK_HEAD + (size_t)c->stored;
    int could_be = c->version == NYTP_FORMAT_VERSION && c->raw <= NYTP_FORMAT_CHUNK_MAX && c->stored <= c->raw;
    return could_be && size <= n && nytp_chunk_crc(p, size) == c->crc ? size : 0;
}

static void put_slot(nytp_buf *file, char slot, const uint8_t *p, size_t n) {
    const char head[] = {':', slot, '='};
    for (size_t at = 0; at < n; at += NYTP_SLOTS_BYTES) {
        unsigned char line[NYTP_SLOTS_BYTES] = {0};
        memcpy(line, p + at, n - at < sizeof line ? n - at : sizeof line);
        nytp_buf_bytes(file, head, sizeof head);
        nytp_base64_put(file, line, sizeof line);
        nytp_buf_byte(file, '\n');
    }
}

/* The good chunks of an input, and the same with the drafts in areas: a pair of them is in one. */
static void put_both(nytp_buf *chunks, nytp_buf *areas, const uint8_t *p, size_t n) {
    nytp_chunk_info c;
    char slot = 'b';
    for (size_t at = 0, size; at < n; at += size ? size : 1) {
        size = size_of_chunk(p + at, n - at, &c);
        int is_draft = size && !c.number && c.stream.front_end != NYTP_FRONT_STORE;
        nytp_buf_bytes(chunks, p + at, size);
        if (!is_draft) {
            nytp_buf_bytes(areas, p + at, size);
            if (size) slot = 'b';
            continue;
        }
        slot = slot == 'a' ? 'b' : 'a';
        if (slot == 'a') nytp_buf_bytes(areas, AREA, sizeof AREA - 1);
        put_slot(areas, slot, p + at, size);
    }
}

static void test_reading(const uint8_t *data, size_t size) {
    nytp_buf chunks = {0}, areas = {0}, first = {0}, second = {0};
    nytp_buf_bytes(&chunks, NYTP_FORMAT_FIRST_LINE, sizeof NYTP_FORMAT_FIRST_LINE - 1);
    nytp_buf_bytes(&areas, NYTP_FORMAT_FIRST_LINE, sizeof NYTP_FORMAT_FIRST_LINE - 1);
    put_both(&chunks, &areas, data + 2, size - 2);
    read_drafts(&chunks, &first);
    read_drafts(&areas, &second);
    if (first.n != second.n || (first.n && memcmp(first.p, second.p, first.n) != 0)) abort();
    areas.p[((size_t)data[0] << 8 | data[1]) % areas.n] ^= data[1] | 1;
    nytp_buf_clear(&second);
    read_drafts(&areas, &second);
    nytp_buf_done(&chunks, &areas);
    nytp_buf_done(&first, &second);
    nytp_buf_free(&areas);
    nytp_buf_free(&second);
}

/* ---- what is written ---- */

static const nytp_stream_id stream = {{1}, 1700000000000000000u, 100, 0, NYTP_FRONT_PERL};

static void append(int fd, const void *p, size_t n) {
    if (write(fd, p, n) != (ssize_t)n) abort();
}

/* An area of so many bytes that a chunk of the stream has in front, as every writer's. */
static void reserve(nytp_slots *s, int fd, size_t n) {
    nytp_buf block = {0};
    nytp_buf_bytes(&block, NYTP_FORMAT_FIRST_LINE, sizeof NYTP_FORMAT_FIRST_LINE - 1);
    nytp_chunk_put(&block, &(nytp_chunk_info){.stream = stream, .number = 1, .version = NYTP_FORMAT_VERSION}, "");
    nytp_slots_reserve(s, &stream, n, &block);
    append(fd, block.p, block.n);
    nytp_buf_free(&block);
}

static int write_draft(nytp_slots *s, int64_t end, const uint8_t *p, size_t n) {
    nytp_buf draft = {0};
    nytp_chunk_info c = {.stream = stream, .end = end, .stored = (uint32_t)n, .raw = (uint32_t)n,
                         .version = NYTP_FORMAT_VERSION};
    nytp_chunk_put(&draft, &c, p);
    int is_written = nytp_slots_write(s, draft.p, draft.n);
    nytp_buf_free(&draft);
    return is_written;
}

static void check_last(int fd, int64_t last) {
    nytp_buf file = {0}, heads = {0};
    nytp_chunk_info c = {0};
    off_t size = lseek(fd, 0, SEEK_END);
    unsigned char *p = nytp_buf_room(&file, (size_t)size + 1);
    if (!p || pread(fd, p, (size_t)size, 0) != size) abort();
    file.n = (size_t)size;
    read_drafts(&file, &heads);
    if (heads.n != (last ? NYTP_FORMAT_CHUNK_HEAD : 0)) abort();
    if (last) nytp_chunk_get(heads.p, &c);
    if (c.end != last) abort();
    nytp_buf_done(&file, &heads);
    nytp_buf_free(&heads);
}

/* A byte has so many times 16 bytes behind it, which are a draft, or stand for text that another process appends. */
static void test_writing(const uint8_t *data, size_t size) {
    int fd = open("drafts", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
    int64_t last = 0;
    nytp_held held;
    nytp_slots s;
    if (fd < 0) abort();
    nytp_held_take(&held, fd);
    nytp_slots_open(&s, &held, NULL);
    reserve(&s, fd, data[1]);
    for (size_t at = 2, n; at < size; at += 1 + n) {
        n = 16 * (size_t)(data[at] & 127);
        if (n > size - at - 1) n = size - at - 1;
        if (data[at] & 128) append(fd, ":x=another's\n", 13);
        else if (nytp_slots_work(&s) && write_draft(&s, (int64_t)at, data + at + 1, n)) last = (int64_t)at;
    }
    check_last(fd, last);
    nytp_slots_close(&s);
    nytp_held_drop(&held);
}

/* The first two bytes say where an area is damaged, or how large it is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 3) return 0;
    test_reading(data, size);
    if (data[0] % 4 == 0) test_writing(data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 16 && size > 2) input_repair(data + 2, size - 2);
    return size;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    input_directory();
    return 0;
}
