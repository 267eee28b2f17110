/* SPDX-License-Identifier: MIT */
/* scan.c - finds the chunks of a capture in a stream of bytes.
 *
 * Nothing counts as a chunk before its CRC is right: a sync mark may also stand inside the payload of a torn chunk. All
 * bytes from the first wrong one to the next chunk that verifies are one damage. */
#include "capture/scan.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define SYNC_SIZE (sizeof NYTP_FORMAT_SYNC - 1)
#define TEXT_BEGIN "NYTProf capture "

/* A file may be full of heads that each claim megabytes. Summing all of them would take quadratic time, so after this
 * many times the bytes read a chunk that does not verify is skipped as a whole, by the length in its head. */
#define PATIENCE 4

static const unsigned char *at(const nytp_scan *s) {
    return nytp_bytes_at(&s->bytes);
}

static size_t look(nytp_scan *s, size_t n) {
    return nytp_bytes_look(&s->bytes, n);
}

/* ---- text lines ---- */

/* Steps over one line if the writer could have made it: printable, not too long, with its newline. Returns its size. */
static size_t skip_line(nytp_scan *s, const char *begin) {
    size_t n = look(s, NYTP_FORMAT_LINE_MAX), i = strlen(begin);

    if (n < i || memcmp(at(s), begin, i) != 0) return 0;
    while (i < n && at(s)[i] >= ' ' && at(s)[i] <= '~') i++;
    if (i == n || at(s)[i] != '\n') return 0;
    s->bytes.pos += i + 1;
    return i + 1;
}

static void skip_text(nytp_scan *s) {
    while (skip_line(s, TEXT_BEGIN)) {
        s->has_text = 1;
        for (size_t n; (n = skip_line(s, ":")) > 0;) nytp_drafts_line(&s->drafts, at(s) - n, n);
        nytp_drafts_lines_end(&s->drafts);
    }
}

/* ---- chunks ---- */

/* 1 if a sync mark, or the beginning of one cut off by the end of the file, is at pos. */
static int at_sync(nytp_scan *s) {
    size_t n = look(s, SYNC_SIZE);

    return n > 0 && memcmp(at(s), NYTP_FORMAT_SYNC, n) == 0;
}

static const char *give_up(nytp_scan *s, size_t size) {
    s->in_vain += size;
    if (s->in_vain / PATIENCE > nytp_bytes_offset(&s->bytes) + NYTP_FORMAT_CHUNK_MAX) s->claimed = size;
    return "CRC mismatch";
}

/* Fills s->chunk if a whole chunk is at pos and verifies; else says why not. */
static const char *verify_chunk(nytp_scan *s) {
    nytp_chunk_info *c = &s->chunk;
    size_t n = look(s, NYTP_FORMAT_CHUNK_HEAD), size;

    if (n < NYTP_FORMAT_CHUNK_HEAD) return "cut short in the head of a chunk";
    nytp_chunk_get(at(s), c);
    if (c->raw > NYTP_FORMAT_CHUNK_MAX || c->stored > c->raw) return "impossible sizes in the head of a chunk";
    size = NYTP_FORMAT_CHUNK_HEAD + (size_t)c->stored;
    n = look(s, size);
    if (n < size) {
        snprintf(s->why, sizeof s->why, "cut short: %zu of %zu bytes of a chunk", n, size);
        return s->why;
    }
    if (nytp_chunk_crc(at(s), size) != c->crc) return give_up(s, size);
    c->offset = nytp_bytes_offset(&s->bytes);
    return NULL;
}

/* The version is looked at only after the CRC, which is at the same place in all versions. */
static enum nytp_scan_found give_chunk(nytp_scan *s) {
    s->is_verified = 0;
    if (s->chunk.version != NYTP_FORMAT_VERSION) {
        nytp_error_set(&s->bytes.error, NYTP_FORMAT, "%s: capture format %u, but this program reads format %d only",
                       s->bytes.path, (unsigned)s->chunk.version, NYTP_FORMAT_VERSION);
        return NYTP_SCAN_ERROR;
    }
    s->payload = at(s) + NYTP_FORMAT_CHUNK_HEAD;
    s->given = NYTP_FORMAT_CHUNK_HEAD + (size_t)s->chunk.stored;
    assert(s->given <= s->bytes.buf.n - s->bytes.pos);
    return NYTP_SCAN_CHUNK;
}

/* Moves to the next byte that could begin a sync mark, or to the end of the bytes read. */
static void step(nytp_scan *s) {
    size_t n = s->claimed ? s->claimed : 1;
    const unsigned char *next = memchr(at(s) + n, NYTP_FORMAT_SYNC[0] & 0xFF, s->bytes.buf.n - s->bytes.pos - n);

    s->claimed = 0;
    s->bytes.pos = next ? (size_t)(next - s->bytes.buf.p) : s->bytes.buf.n;
}

static enum nytp_scan_found skip_damage(nytp_scan *s, const char *why) {
    uint64_t begin = nytp_bytes_offset(&s->bytes);

    snprintf(s->reason, sizeof s->reason, "%s", why);
    do step(s);
    while (look(s, 1) && (!at_sync(s) || verify_chunk(s)));
    s->is_verified = look(s, 1) > 0;
    s->damage.reason = nytp_str_c(s->reason);
    s->damage.offset = begin;
    s->damage.length = nytp_bytes_offset(&s->bytes) - begin;
    return NYTP_SCAN_DAMAGE;
}

static enum nytp_scan_found find_next(nytp_scan *s) {
    const char *why = "no chunk begins here";
    enum nytp_scan_found found = NYTP_SCAN_END;

    s->bytes.pos += s->given;
    s->given = 0;
    if (s->is_verified) return give_chunk(s);
    skip_text(s);
    if (look(s, 1)) {
        if (at_sync(s)) why = verify_chunk(s);
        found = why ? skip_damage(s, why) : give_chunk(s);
    }
    return s->bytes.error.code ? NYTP_SCAN_ERROR : found;
}

void nytp_scan_again(nytp_scan *s, const unsigned char *chunk) {
    nytp_chunk_get(chunk, &s->chunk);
    s->chunk.offset = nytp_bytes_offset(&s->bytes);
    s->payload = chunk + NYTP_FORMAT_CHUNK_HEAD;
}

static enum nytp_scan_found give_draft(nytp_scan *s) {
    const unsigned char *draft = nytp_drafts_next(&s->drafts);

    if (s->drafts.failed) nytp_error_set(&s->bytes.error, NYTP_NOMEM, "%s: out of memory", s->bytes.path);
    if (s->bytes.error.code) return NYTP_SCAN_ERROR;
    if (!draft) return NYTP_SCAN_END;
    nytp_scan_again(s, draft);
    return NYTP_SCAN_CHUNK;
}

enum nytp_scan_found nytp_scan_next(nytp_scan *s) {
    enum nytp_scan_found found;

    do found = find_next(s);
    while (found == NYTP_SCAN_CHUNK && nytp_drafts_take(&s->drafts, &s->chunk, s->payload - NYTP_FORMAT_CHUNK_HEAD));
    return found == NYTP_SCAN_END ? give_draft(s) : found;
}

/* ---- the handle ---- */

void nytp_scan_open(nytp_scan *s, const nytp_bytes *bytes) {
    *s = (nytp_scan){.bytes = *bytes};
}

void nytp_scan_close(nytp_scan *s) {
    nytp_bytes_close(&s->bytes);
    nytp_drafts_free(&s->drafts);
}
