/* SPDX-License-Identifier: MIT */
/* reader.c - reads a capture record by record: finds chunks, inflates them, tells their streams apart. */
#include "capture/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/claims.h"
#include "base/grow.h"
#include "base/table.h"
#include "base/zio.h"
#include "capture/correct.h"
#include "capture/prices.h"
#include "capture/records.h"
#include "capture/scan.h"

#define OPENING 32 /* bytes quoted in a message about a file that is no capture */

struct nytp_reader {
    nytp_scan scan;
    nytp_error error;
    nytp_chunk_info chunk;      /* of the record given last */
    uint64_t chunks;            /* so far */
    nytp_stream_id *streams;
    uint32_t n_streams, room_streams;
    uint32_t stream;            /* of this chunk */
    nytp_table stream_of;       /* index + 1 */
    nytp_buf inflated;
    nytp_records records;       /* the rest of the chunk */
    uint64_t claims;            /* the sum of all records: claims.h */
    int32_t found;              /* result of the scan when opening, or -1 */
    int32_t is_corrected;
    nytp_prices prices;
    nytp_correct correct;
    char reason[96];
};

static int fail(nytp_reader *r, int code, const char *why) {
    nytp_error_set(&r->error, code, "%s: %s", r->scan.bytes.path, why);
    return -1;
}

/* ---- records ---- */

/* The whole chunk is given up if a record in it makes no sense although the CRC is right. */
static int give_damage(nytp_reader *r, nytp_record *out, const char *why) {
    snprintf(r->reason, sizeof r->reason, "%s", why);
    out->kind = NYTP_REC_DAMAGE;
    out->u.damage.offset = r->chunk.offset;
    out->u.damage.length = NYTP_FORMAT_CHUNK_HEAD + (uint64_t)r->chunk.stored;
    out->u.damage.reason = nytp_str_c(r->reason);
    return 1;
}

static int give_bad_record(nytp_reader *r, nytp_record *out, const char *why) {
    char text[96];

    snprintf(text, sizeof text, "record %u of the chunk (kind %u): %s", (unsigned)r->records.ordinal,
             (unsigned)r->records.kind, why);
    return give_damage(r, out, text);
}

/* ---- chunks ---- */

static int could_add_stream(nytp_reader *r, const nytp_stream_id *s) {
    nytp_stream_id *slot = nytp_grow_owned(&r->streams, r->n_streams, &r->room_streams, sizeof *slot);

    if (!slot) return 0;
    *slot = *s;
    r->n_streams++;
    return 1;
}

static int is_same_stream(const void *of, uint32_t number, const void *like) {
    return nytp_format_same_stream(&((const nytp_reader *)of)->streams[number - 1], like);
}

/* Sets r->stream; 0 when memory is short. */
static int find_stream(nytp_reader *r, const nytp_stream_id *s) {
    uint32_t *number = nytp_table_at(&r->stream_of, nytp_format_hash_stream(s), is_same_stream, r, s);

    if (number && !*number && could_add_stream(r, s)) *number = r->n_streams;
    if (!number || !*number) return 0;
    r->stream = *number - 1;
    return 1;
}

/* The chunk's records as bytes, inflated; or NULL with *why set. */
static const unsigned char *payload(nytp_reader *r, int *code, const char **why) {
    const nytp_chunk_info *c = &r->chunk;

    *code = NYTP_FORMAT;
    *why = "impossible sizes in the head of a chunk";
    if (!c->deflated) return c->stored == c->raw ? r->scan.payload : NULL;
    nytp_buf_clear(&r->inflated);
    *code = nytp_zio_inflate(&r->inflated, r->scan.payload, c->stored, c->raw);
    *why = *code == NYTP_NOMEM   ? "out of memory"
           : *code == NYTP_USAGE ? "is compressed, but this program was built without zlib"
                                 : "the payload does not inflate to the size in its head";
    return *code ? NULL : r->inflated.p;
}

static int begin_chunk(nytp_reader *r, nytp_record *out) {
    const unsigned char *p;
    const char *why;
    int code;

    r->chunk = r->scan.chunk;
    r->chunks++;
    if (!find_stream(r, &r->chunk.stream)) return fail(r, NYTP_NOMEM, "out of memory");
    out->chunk = r->chunks;
    out->stream = r->stream;
    p = payload(r, &code, &why);
    if (!p) return code == NYTP_FORMAT ? give_damage(r, out, why) : fail(r, code, why);
    nytp_records_begin(&r->records, p, r->chunk.raw);
    nytp_correct_chunk(&r->correct, nytp_prices_of(&r->prices, &r->chunk.stream));
    return 0;
}

/* Gives damage (1), steps into a chunk or to the end (0) or fails (-1). */
static int take_found(nytp_reader *r, nytp_record *out, enum nytp_scan_found found) {
    switch (found) {
    case NYTP_SCAN_CHUNK: return begin_chunk(r, out);
    case NYTP_SCAN_DAMAGE:
        out->kind = NYTP_REC_DAMAGE;
        out->u.damage = r->scan.damage;
        return 1;
    case NYTP_SCAN_ERROR: r->error = r->scan.bytes.error; return -1;
    default: return 0;
    }
}

/* Of source: its lines, and its bytes, which a page repeats with markup. */
static uint64_t weight_of_text(nytp_str text) {
    uint64_t lines = 1;
    for (const char *at = text.p, *end = at + text.n; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
        lines++;
    return lines * NYTP_CLAIM_LINE + text.n / 4;
}

static uint64_t weight(const nytp_record *r) {
    switch (r->kind) {
    case NYTP_REC_SOURCE: return weight_of_text(r->u.source.text);
    case NYTP_REC_TEXT: return weight_of_text(r->u.text.text);
    case NYTP_REC_FILE: return NYTP_CLAIM_THING + nytp_claims_name(r->u.file.name.n);
    case NYTP_REC_SUB: return NYTP_CLAIM_THING + nytp_claims_name(r->u.sub.name.n + r->u.sub.alias.n);
    case NYTP_REC_PROCESS:
        return NYTP_CLAIM_THING + nytp_claims_name(r->u.process.directory.n + r->u.process.target.n +
                                                   r->u.process.command.n) / 4;
    case NYTP_REC_PROCESS_START:
    case NYTP_REC_ATTRIBUTE:
    case NYTP_REC_OPTION:
    case NYTP_REC_PROPERTY:
    case NYTP_REC_PLACE:
    case NYTP_REC_NODE:
    case NYTP_REC_TAIL:
    case NYTP_REC_STORED:
    case NYTP_REC_LABEL:
    case NYTP_REC_METRIC: return NYTP_CLAIM_THING;
    case NYTP_REC_CARRIED:
    case NYTP_REC_CODE:
    case NYTP_REC_SEEN:
    case NYTP_REC_CALL_ENTRY: return NYTP_CLAIM_LINE;
    default: return NYTP_CLAIM_FIGURE;
    }
}

/* Gives the next record of the chunk (1), damage in its place (1), or says that there is none (0). */
static int next_of_chunk(nytp_reader *r, nytp_record *out) {
    const char *why = "";
    int given = nytp_records_next(&r->records, out, &why);
    if (given > 0 && !nytp_claims_add(&r->claims, weight(out), r->chunk.offset + r->chunk.stored)) {
        given = -1;
        why = NYTP_CLAIMS_TOO_MANY;
        nytp_records_give_up(&r->records);
    }
    return given < 0 ? give_bad_record(r, out, why) : given;
}

int nytp_reader_next(nytp_reader *r, nytp_record *out) {
    int given = r->error.code ? -1 : 0;

    memset(out, 0, sizeof *out);
    while (!given) {
        out->chunk = r->chunks;
        out->stream = r->stream;

        given = next_of_chunk(r, out);
        if (!given) {
            enum nytp_scan_found found = r->found >= 0 ? (enum nytp_scan_found)r->found : nytp_scan_next(&r->scan);

            r->found = -1;
            if (found == NYTP_SCAN_END) return 0;
            given = take_found(r, out, found);
        }
    }
    if (given > 0 && r->is_corrected) nytp_correct_record(&r->correct, out);
    return given;
}

void nytp_reader_again(nytp_reader *r, nytp_str bytes) {
    nytp_scan_again(&r->scan, (const unsigned char *)bytes.p);
    r->found = NYTP_SCAN_CHUNK;
}

/* ---- the handle ---- */

/* Quotes the file's first bytes, by which a person may recognise it. */
static void refuse(const nytp_bytes *b, nytp_str opening, nytp_error *e) {
    const int first_line = (int)sizeof NYTP_FORMAT_FIRST_LINE - 2;

    if (opening.n) {
        nytp_error_set(e, NYTP_FORMAT, "%s: not a profile capture: begins with \"%.*s\", expected \"%.*s\"", b->path,
                       (int)opening.n, opening.p, first_line, NYTP_FORMAT_FIRST_LINE);
    } else {
        nytp_error_set(e, NYTP_FORMAT, "%s: not a profile capture: empty, expected \"%.*s\"", b->path, first_line,
                       NYTP_FORMAT_FIRST_LINE);
    }
}

/* Looks for the first chunk, to tell a file that is no capture from a damaged capture. */
static void look_for_capture(nytp_reader *r, nytp_error *e) {
    nytp_buf quoted = {0};

    nytp_bytes_quote(&r->scan.bytes, &quoted, OPENING);
    r->found = (int32_t)nytp_scan_next(&r->scan);
    if (r->scan.bytes.error.code) {
        *e = r->scan.bytes.error;
    } else if (r->found != NYTP_SCAN_CHUNK && !r->scan.is_verified && !r->scan.has_text) {
        refuse(&r->scan.bytes, (nytp_str){(const char *)quoted.p, quoted.n}, e);
    }
    nytp_buf_free(&quoted);
}

nytp_reader *nytp_reader_from(nytp_bytes *bytes, nytp_error *e) {
    nytp_reader *r = bytes->error.code ? NULL : calloc(1, sizeof *r);

    if (!r) {
        *e = bytes->error;
        nytp_error_set(e, NYTP_NOMEM, "%s: out of memory", bytes->path);
        nytp_bytes_close(bytes);
        return NULL;
    }
    nytp_scan_open(&r->scan, bytes);
    look_for_capture(r, e);
    if (e->code == NYTP_OK) return r;
    nytp_reader_close(r);
    return NULL;
}

nytp_reader *nytp_reader_corrected(nytp_bytes *bytes, nytp_error *e) {
    nytp_prices prices = {0};
    int code = nytp_prices_look(&prices, bytes);
    nytp_reader *r = nytp_reader_from(bytes, e);

    if (r) {
        r->is_corrected = 1;
        r->prices = prices;
        if (code) fail(r, code, "out of memory");
    } else {
        nytp_prices_free(&prices);
    }
    return r;
}

nytp_reader *nytp_reader_open(const char *path, nytp_error *e) {
    nytp_bytes bytes;

    nytp_bytes_open(&bytes, path);
    return nytp_reader_from(&bytes, e);
}

const nytp_chunk_info *nytp_reader_chunk(const nytp_reader *r) {
    return &r->chunk;
}

nytp_str nytp_reader_chunk_bytes(const nytp_reader *r) {
    const char *head = (const char *)r->scan.payload - NYTP_FORMAT_CHUNK_HEAD;
    return (nytp_str){head, NYTP_FORMAT_CHUNK_HEAD + (size_t)r->chunk.stored};
}

const nytp_stream_id *nytp_reader_stream(const nytp_reader *r, uint32_t i) {
    return i < r->n_streams ? &r->streams[i] : NULL;
}

uint64_t nytp_reader_unknown(const nytp_reader *r) {
    return r->records.unknown;
}

const nytp_error *nytp_reader_error(const nytp_reader *r) {
    return &r->error;
}

void nytp_reader_close(nytp_reader *r) {
    if (!r) return;
    nytp_scan_close(&r->scan);
    nytp_buf_free(&r->inflated);
    nytp_table_free(&r->stream_of);
    nytp_prices_free(&r->prices);
    free(r->streams);
    free(r);
}
