/* SPDX-License-Identifier: MIT */
/* prices.c - looks ahead for the prices of each stream.
 *
 * Every chunk with a window has prices, and the last chunk of a stream has the right ones. One chunk is kept: its
 * prices are read when a chunk of another stream follows. */
#include "capture/prices.h"

#include <string.h>
#include <unistd.h>

#include "base/zio.h"
#include "capture/records.h"
#include "capture/scan.h"

typedef struct stream {
    nytp_stream_id id;
    nytp_rec_price price[NYTP_EVENTS];
} stream;

static stream *stream_at(const nytp_prices *p, uint32_t number) { return (stream *)(void *)p->streams.p + number - 1; }

static int is_same_stream(const void *of, uint32_t number, const void *like) {
    return nytp_format_same_stream(&stream_at(of, number)->id, like);
}

/* NULL when memory is short. */
static stream *stream_of(nytp_prices *p, const nytp_stream_id *id) {
    uint32_t *number = nytp_table_at(&p->known, nytp_format_hash_stream(id), is_same_stream, p, id);

    if (number && !*number) {
        const stream new = {.id = *id};
        nytp_buf_bytes(&p->streams, &new, sizeof new);
        *number = p->streams.failed ? 0 : (uint32_t)(p->streams.n / sizeof new);
    }
    if (number && *number) return stream_at(p, *number);
    p->failed = 1;
    return NULL;
}

static void read_prices(nytp_prices *p, const void *payload) {
    nytp_records records = {0};
    nytp_record r = {0};
    const char *why;

    nytp_records_begin(&records, payload, p->of.raw);
    while (nytp_records_next(&records, &r, &why) > 0) {
        stream *s = r.kind == NYTP_REC_PRICE && r.u.price.event < NYTP_EVENTS ? stream_of(p, &p->of.stream) : NULL;
        if (s) s->price[r.u.price.event] = r.u.price;
    }
}

/* Damage in the chunk is reported by the reader, not here. */
static void settle(nytp_prices *p) {
    nytp_buf inflated = {0};

    if (p->latest.n && !p->of.deflated && p->of.raw == p->latest.n) read_prices(p, p->latest.p);
    int is_deflated = p->latest.n && p->of.deflated;
    enum nytp_code code = is_deflated ? nytp_zio_inflate(&inflated, p->latest.p, p->latest.n, p->of.raw) : NYTP_FORMAT;
    if (!code) read_prices(p, inflated.p);
    if (code == NYTP_NOMEM) p->failed = 1;
    nytp_buf_free(&inflated);
    nytp_buf_rewind(&p->latest);
}

static void keep(nytp_prices *p, const nytp_scan *scan) {
    if (p->latest.n && !nytp_format_same_stream(&p->of.stream, &scan->chunk.stream)) settle(p);
    nytp_buf_rewind(&p->latest);
    nytp_buf_bytes(&p->latest, scan->payload, scan->chunk.stored);
    p->of = scan->chunk;
}

static void look(nytp_prices *p, nytp_scan *scan) {
    enum nytp_scan_found found;

    while ((found = nytp_scan_next(scan)) == NYTP_SCAN_CHUNK || found == NYTP_SCAN_DAMAGE)
        if (found == NYTP_SCAN_CHUNK && scan->chunk.end > scan->chunk.start) keep(p, scan);
    if (scan->bytes.error.code == NYTP_NOMEM) p->failed = 1;
    settle(p);
}

/* For a file of which nothing has been read: scans from the descriptor's position. */
static void look_in_file(nytp_prices *p, const nytp_bytes *bytes, off_t at) {
    nytp_scan scan;
    nytp_bytes again = {.fd = dup(bytes->fd)};

    if (again.fd < 0) return;
    lseek(again.fd, at - (off_t)(bytes->base + bytes->buf.n), SEEK_SET);
    nytp_scan_open(&scan, &again);
    look(p, &scan);
    nytp_scan_close(&scan);
    lseek(bytes->fd, at, SEEK_SET);
}

/* For bytes that can be read only once: at the end of the file they stay where they are in memory. */
static void look_in_memory(nytp_prices *p, nytp_bytes *bytes) {
    nytp_scan scan;

    nytp_bytes_look(bytes, SIZE_MAX);
    if (bytes->error.code) return;
    nytp_scan_open(&scan, bytes);
    look(p, &scan);
    nytp_drafts_free(&scan.drafts);
}

static int is_capture(nytp_bytes *b) {
    size_t text = sizeof NYTP_FORMAT_FIRST_LINE - 1, mark = sizeof NYTP_FORMAT_SYNC - 1;

    return (nytp_bytes_look(b, text) == text && !memcmp(nytp_bytes_at(b), NYTP_FORMAT_FIRST_LINE, text)) ||
           (nytp_bytes_look(b, mark) == mark && !memcmp(nytp_bytes_at(b), NYTP_FORMAT_SYNC, mark));
}

enum nytp_code nytp_prices_look(nytp_prices *p, nytp_bytes *bytes) {
    if (bytes->error.code || !is_capture(bytes)) return NYTP_OK;
    off_t at = lseek(bytes->fd, 0, SEEK_CUR);
    if (at < 0) look_in_memory(p, bytes);
    else look_in_file(p, bytes, at);
    return p->failed || p->latest.failed ? NYTP_NOMEM : NYTP_OK;
}

const nytp_rec_price *nytp_prices_of(const nytp_prices *p, const nytp_stream_id *id) {
    uint32_t number = nytp_table_get(&p->known, nytp_format_hash_stream(id), is_same_stream, p, id);

    return number ? stream_at(p, number)->price : NULL;
}

void nytp_prices_free(nytp_prices *p) {
    nytp_buf_free(&p->streams);
    nytp_buf_free(&p->latest);
    nytp_table_free(&p->known);
}
