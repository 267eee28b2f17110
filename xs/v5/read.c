/* SPDX-License-Identifier: MIT */
/* read.c - reads a file of Devel::NYTProf's own format 5.
 *
 * A record is decoded from the bytes in memory; if they run out, more are fetched and it is decoded from its first byte
 * again. So decoding knows nothing of files and inflating, and all strings of an event lie in one buffer. */
#include "v5/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/claims.h"
#include "base/zio.h"
#include "v5/decode.h"

#define FIRST_LINE "NYTProf "
#define QUOTED 32                     /* bytes quoted in a message about a file that is no profile */
#define INFLATE_SIZE ((size_t)256 << 10)

struct nytp_v5_reader {
    nytp_error error;
    nytp_bytes file;
    nytp_zio_inflater *inflater; /* NULL before START_DEFLATE */
    nytp_buf inflated;
    int ended;                   /* 1: the inflater has come to the end of its stream */
    const unsigned char *begin, *at, *end; /* the bytes in memory (file.buf or inflated); before `at`: done */
    uint64_t base;               /* offset of begin */
    uint64_t chunk;              /* of the event given last */
    nytp_v5_version version;
    uint64_t claims;             /* the sum of all records: claims.h */
    int started;                 /* 1: the version was given */
};

/* ---- the bytes in memory ---- */

static uint64_t offset(const nytp_v5_reader *r) {
    return r->base + (uint64_t)(r->at - r->begin);
}

static int fail(nytp_v5_reader *r, const char *why) {
    nytp_error_set(&r->error, NYTP_FORMAT, "%s: %s (chunk %" PRIu64 ", offset %" PRIu64 "%s)", r->file.path, why,
                   r->chunk, offset(r), r->inflater ? " of the inflated data" : "");
    return -1;
}

static void show(nytp_v5_reader *r, const unsigned char *from, size_t n, uint64_t base) {
    r->begin = r->at = from;
    r->end = n ? from + n : from; /* before anything is inflated there is no buffer */
    r->base = base;
}

/* The lookahead doubles, so that the bytes decoded again stay in proportion to the file. */
static void fetch_plain(nytp_v5_reader *r) {
    size_t left = (size_t)(r->end - r->at);

    r->file.pos += (size_t)(r->at - r->begin);
    nytp_bytes_look(&r->file, 2 * left + 1);
    if (r->file.buf.n) show(r, nytp_bytes_at(&r->file), r->file.buf.n - r->file.pos, nytp_bytes_offset(&r->file));
}

/* Inflates more bytes; 0 if there are no more. */
static int inflate_more(nytp_v5_reader *r) {
    unsigned char *to = nytp_buf_room(&r->inflated, INFLATE_SIZE);
    size_t from_n = nytp_bytes_look(&r->file, 1), to_n = INFLATE_SIZE;
    int code = to ? NYTP_OK : NYTP_NOMEM;

    if (!code && from_n) {
        from_n = r->file.buf.n - r->file.pos;
        code = nytp_zio_inflater_run(r->inflater, nytp_bytes_at(&r->file), &from_n, to, &to_n, &r->ended);
        r->file.pos += from_n;
        r->inflated.n += to_n;
        if (!code) return 1;
    }
    if (code == NYTP_NOMEM) nytp_error_set(&r->error, NYTP_NOMEM, "%s: out of memory", r->file.path);
    else fail(r, code ? "Profile data incomplete, inflate error: the compressed data is damaged"
                      : "Profile data incomplete, inflate error: the compressed data ends before its end");
    return 0;
}

static void fetch_inflated(nytp_v5_reader *r) {
    size_t left = (size_t)(r->end - r->at), want = 2 * left + 1;
    uint64_t base = offset(r);

    if (left) memmove(r->inflated.p, r->at, left);
    r->inflated.n = left;
    show(r, r->inflated.p, left, base);
    while (r->inflated.n < want && !r->ended && inflate_more(r)) continue;
    show(r, r->inflated.p, r->inflated.n, base);
}

/* Returns 1 if there are more bytes than before. An error in reading or inflating is reported after all bytes before it
 * are decoded. */
static int fetch(nytp_v5_reader *r) {
    size_t left = (size_t)(r->end - r->at);

    if (r->error.code) return 0;
    if (r->inflater) fetch_inflated(r);
    else fetch_plain(r);
    if (r->file.error.code && !r->error.code) r->error = r->file.error;
    return (size_t)(r->end - r->at) > left;
}

/* Returns 1, or -1 on an error. */
static int start_deflate(nytp_v5_reader *r) {
    if (r->inflater) return fail(r, "compression starts a second time");
    r->file.pos += (size_t)(r->at - r->begin);
    r->inflater = nytp_zio_inflater_open();
    if (!r->inflater) {
        nytp_error_set(&r->error, nytp_zio_available() ? NYTP_NOMEM : NYTP_USAGE, "%s: %s", r->file.path,
                       nytp_zio_available() ? "out of memory"
                                            : "is compressed, but this program was built without zlib");
        return -1;
    }
    show(r, r->inflated.p, 0, 0);
    return 1;
}

/* ---- records ---- */

/* Doubles have the format of the machine that wrote the file. Attribute nv_size tells their size, ... */
static const char *check_number_size(const nytp_v5_pair *pair) {
    static const char expected[] = {'0' + sizeof(double), '\0'};

    if (!nytp_str_eq(pair->key, NYTP_LIT("nv_size")) || nytp_str_eq(pair->value, nytp_str_c(expected))) return NULL;
    return "attribute nv_size: written by a perl whose numbers have another size than the 8 bytes expected";
}

/* ... and the first time of day tells the byte order: swapped, it is no sensible date. */
static const char *check_byte_order(double time) {
    unsigned char bytes[sizeof time], swapped[sizeof time];
    double other;

    memcpy(bytes, &time, sizeof time);
    for (size_t i = 0; i < sizeof time; i++) swapped[i] = bytes[sizeof time - 1 - i];
    memcpy(&other, swapped, sizeof other);
    if (!(other > 1e8 && other < 1e11) || (time > 1 && time < 1e15)) return NULL;
    return "written on a machine with another byte order";
}

static const char *check(const nytp_v5_event *e) {
    if (e->tag == NYTP_V5_ATTRIBUTE) return check_number_size(&e->u.pair);
    return e->tag == NYTP_V5_PID_START ? check_byte_order(e->u.pid.time) : NULL;
}

static int fail_tag(nytp_v5_reader *r, unsigned tag) {
    char why[80];

    snprintf(why, sizeof why, "Profile format error: no record begins with the byte 0x%02X ('%c')", tag,
             tag >= ' ' && tag <= '~' ? tag : '?');
    return fail(r, why);
}

static int fail_fields(nytp_v5_reader *r, const nytp_v5_take *t) {
    char why[160];

    snprintf(why, sizeof why, "Profile format error whilst reading %s: %s", t->doing,
             t->wrong ? t->wrong : "the file ends within it");
    return fail(r, why);
}

/* Reads one record. Returns 1; 0 to be called again with more bytes; -1 on an error. */
static int read_record(nytp_v5_reader *r, nytp_v5_event *out) {
    nytp_v5_take t = {.at = r->at, .end = r->end};
    int done = nytp_v5_decode(&t, out);
    const char *wrong;

    if (!done && fetch(r)) return 0;
    if (done <= 0 && r->error.code) return -1;
    if (done <= 0) return t.doing ? fail_fields(r, &t) : fail_tag(r, *r->at);
    wrong = check(out);
    if (wrong) return fail(r, wrong);
    r->at = t.at;
    return 1;
}

/* Statements take nothing but the time to read them; of the others that do there are fewer in a file. */
static uint64_t weight(const nytp_v5_event *e) {
    switch (e->tag) {
    case NYTP_V5_ATTRIBUTE:
    case NYTP_V5_OPTION:
    case NYTP_V5_PID_START: return NYTP_CLAIM_THING;
    case NYTP_V5_NEW_FID: return NYTP_CLAIM_THING + nytp_claims_name(e->u.fid.name.n);
    case NYTP_V5_SUB_INFO: return NYTP_CLAIM_THING + nytp_claims_name(e->u.sub.name.n);
    case NYTP_V5_SUB_CALLERS:
        return NYTP_CLAIM_THING + nytp_claims_name(e->u.callers.name.n) + nytp_claims_name(e->u.callers.caller.n);
    case NYTP_V5_SRC_LINE:
    case NYTP_V5_SUB_ENTRY: return NYTP_CLAIM_LINE;
    case NYTP_V5_DISCOUNT: return NYTP_CLAIM_FIGURE;
    default: return 0;
    }
}

static int give_version(nytp_v5_reader *r, nytp_v5_event *out) {
    r->started = 1;
    *out = (nytp_v5_event){.tag = NYTP_V5_VERSION, .u.version = r->version};
    return 1;
}

int nytp_v5_reader_next(nytp_v5_reader *r, nytp_v5_event *out) {
    int given = 0;

    if (!r->started) return give_version(r, out);
    if (r->at == r->end && !fetch(r)) return r->error.code ? -1 : 0;
    r->chunk++;
    while (!given) given = read_record(r, out);
    if (given > 0 && out->tag == NYTP_V5_START_DEFLATE) given = start_deflate(r);
    if (given > 0 && !nytp_claims_add(&r->claims, weight(out), nytp_bytes_offset(&r->file)))
        given = fail(r, NYTP_CLAIMS_TOO_MANY);
    if (given < 0) r->at = r->end;
    return given;
}

/* ---- the handle ---- */

int nytp_v5_reader_knows(nytp_bytes *bytes) {
    const size_t n = sizeof FIRST_LINE - 1;

    return nytp_bytes_look(bytes, n + 1) == n + 1 && !memcmp(nytp_bytes_at(bytes), FIRST_LINE, n) &&
           nytp_bytes_at(bytes)[n] >= '0' && nytp_bytes_at(bytes)[n] <= '9';
}

/* Reads a few digits and the byte that must follow. */
static uint32_t read_number(const char **at, const char *end, char behind, int *wrong) {
    uint32_t v = 0;
    const char *begin = *at;

    while (*at < end && *at < begin + 6 && **at >= '0' && **at <= '9') v = v * 10 + (uint32_t)(*(*at)++ - '0');
    if (*at == begin || *at >= end || **at != behind) *wrong = 1;
    else ++*at;
    return v;
}

/* Reads "NYTProf MAJOR MINOR" and its newline. */
static int read_first_line(nytp_v5_reader *r) {
    size_t n = nytp_bytes_look(&r->file, QUOTED);
    const char *begin = n ? (const char *)nytp_bytes_at(&r->file) : "", *at = begin, *end = begin + n;
    int wrong = !nytp_v5_reader_knows(&r->file);

    if (wrong) return 0;
    at += sizeof FIRST_LINE - 1;
    r->version.major = read_number(&at, end, ' ', &wrong);
    r->version.minor = read_number(&at, end, '\n', &wrong);
    r->file.pos += (size_t)(at - begin);
    return !wrong;
}

static int begin(nytp_v5_reader *r, nytp_error *e) {
    nytp_buf text = {0};

    nytp_bytes_quote(&r->file, &text, QUOTED);
    if (r->file.error.code) {
        *e = r->file.error;
    } else if (!read_first_line(r)) {
        nytp_error_set(e, NYTP_FORMAT, "%s: not a profile: begins with \"%.*s\", expected \"NYTProf 5 0\"",
                       r->file.path, (int)text.n, text.n ? (const char *)text.p : "");
    } else if (r->version.major != NYTP_V5_MAJOR) {
        nytp_error_set(e, NYTP_FORMAT, "%s: profile format %u.%u is not supported, expected format %d", r->file.path,
                       (unsigned)r->version.major, (unsigned)r->version.minor, NYTP_V5_MAJOR);
    }
    nytp_buf_free(&text);
    return e->code == NYTP_OK;
}

nytp_v5_reader *nytp_v5_reader_from(nytp_bytes *bytes, nytp_error *e) {
    nytp_v5_reader *r = bytes->error.code ? NULL : calloc(1, sizeof *r);

    if (!r) {
        *e = bytes->error;
        nytp_error_set(e, NYTP_NOMEM, "%s: out of memory", bytes->path);
        nytp_bytes_close(bytes);
        return NULL;
    }
    r->file = *bytes;
    if (begin(r, e)) {
        show(r, nytp_bytes_at(&r->file), r->file.buf.n - r->file.pos, nytp_bytes_offset(&r->file));
        return r;
    }
    nytp_v5_reader_close(r);
    return NULL;
}

uint64_t nytp_v5_reader_chunk(const nytp_v5_reader *r) {
    return r->chunk;
}

uint64_t nytp_v5_reader_offset(const nytp_v5_reader *r) { return nytp_bytes_offset(&r->file); }

const nytp_error *nytp_v5_reader_error(const nytp_v5_reader *r) {
    return &r->error;
}

void nytp_v5_reader_close(nytp_v5_reader *r) {
    if (!r) return;
    nytp_bytes_close(&r->file);
    nytp_zio_inflater_close(r->inflater);
    nytp_buf_free(&r->inflated);
    free(r);
}
