/* SPDX-License-Identifier: MIT */
/* Files of format 5: every record, plain and compressed; messages for files that cannot be read; and files that are cut
 * or have a wrong byte anywhere, which are read up to there. */
#include "tap.h"

#include <sys/resource.h>

#include "v5/read.h"
#include "v5_bytes.h"

#define EVENTS 64

static char path[500];
static nytp_v5_reader *reading; /* the last reader, which owns the strings of its last event */

/* The results of reading a file: the tags of the first events, and the end. */
typedef struct result {
    nytp_error error; /* of opening or reading */
    uint32_t n;
    char tags[EVENTS];
    nytp_v5_event last;
} result;

static nytp_v5_reader *open_file(const char *name, nytp_error *e) {
    nytp_bytes bytes;

    nytp_bytes_open(&bytes, name);
    return nytp_v5_reader_from(&bytes, e);
}

static result read_bytes(const void *p, size_t n) {
    result r = {.n = 0};
    nytp_v5_event e;

    nytp_v5_reader_close(reading);
    sample_spew(path, p, n);
    reading = open_file(path, &r.error);
    if (!reading) return r;
    while (nytp_v5_reader_next(reading, &e) > 0) {
        r.last = e;
        if (r.n < EVENTS - 1) r.tags[r.n] = (char)e.tag;
        if (nytp_v5_reader_chunk(reading) != r.n) abort();
        r.n++;
    }
    r.error = *nytp_v5_reader_error(reading);
    if (r.error.code && nytp_v5_reader_next(reading, &e) != -1) abort();
    return r;
}

/* A file with one of each record; `records` is the offset of the first that may be compressed. */
static nytp_buf make_file(size_t *records) {
    nytp_buf b = {0};

    v5_head(&b);
    *records = b.n;
    v5_start(&b, 77, 1, 1700000000.25);
    v5_fid(&b, 1, 0, 0, "/a.pl");
    v5_time(&b, -5, 1, 300);
    v5_block(&b, 1000000, 1, 4, 3, 2);
    v5_discount(&b);
    nytp_buf_bytes(&b, ">\x01\x09", 3);
    v5_return(&b, 1, 10, 7.5, "main::f");
    v5_text(&b, ":late=1=2\n");
    v5_source(&b, 1, 1, "sub f {}\n");
    v5_sub(&b, 1, "main::f", 3, 5);
    v5_callers(&b, 1, 9, "main::RUNTIME", 2, 0.5, 0.25, 0.125, 3, "main::f");
    v5_end(&b, 77, 1700000001.5);
    return b;
}

static void every_record(void) {
    size_t records;
    nytp_buf plain = make_file(&records), deflated = v5_deflated(&plain, records);
    result r = read_bytes(plain.p, plain.n);

    ok(!r.error.code && !strcmp(r.tags, "V#:::::!!P@+*-><:Sscp"), "every record of a plain file: %s", r.tags);
    ok(r.last.u.pid.pid == 77 && r.last.u.pid.time == 1700000001.5, "numbers are the machine's own");
    r = read_bytes(deflated.p, deflated.n);
    ok(!r.error.code && !strcmp(r.tags, "V#:::::!!zP@+*-><:Sscp"), "and of a compressed one, and START_DEFLATE");
    nytp_buf_free(&plain);
    nytp_buf_free(&deflated);
}

/* The reader's next event, which must be there. */
static nytp_v5_event next(nytp_v5_reader *reader) {
    nytp_v5_event e;

    if (nytp_v5_reader_next(reader, &e) <= 0) abort();
    return e;
}

static int is_text(nytp_str s, const char *text) {
    return nytp_str_eq(s, nytp_str_c(text));
}

static void every_field(void) {
    size_t records;
    nytp_buf b = make_file(&records);
    nytp_error error = {0};
    nytp_v5_reader *r;
    nytp_v5_event e;

    sample_spew(path, b.p, b.n);
    r = open_file(path, &error);
    e = next(r);
    ok(e.u.version.major == 5 && e.u.version.minor == 0, "the first line gives the version");
    ok(is_text(next(r).u.comment, "Made by hand\n"), "a comment keeps its newline");
    e = next(r);
    ok(is_text(e.u.pair.key, "application") && is_text(e.u.pair.value, "/a.pl"), "an attribute");
    for (int i = 0; i < 6; i++) e = next(r);
    ok(e.tag == NYTP_V5_OPTION && is_text(e.u.pair.key, "calls") && is_text(e.u.pair.value, "1"), "an option");
    e = next(r);
    ok(e.u.pid.pid == 77 && e.u.pid.parent == 1 && e.u.pid.time == 1700000000.25, "PID_START");
    e = next(r);
    ok(e.u.fid.fid == 1 && e.u.fid.flags == 2 && is_text(e.u.fid.name, "/a.pl") && !e.utf8, "NEW_FID");
    e = next(r);
    ok(e.u.time.ticks == -5 && e.u.time.fid == 1 && e.u.time.line == 300 && !e.u.time.block_line, "TIME_LINE");
    e = next(r);
    ok(e.u.time.ticks == 1000000 && e.u.time.line == 4 && e.u.time.block_line == 3 && e.u.time.sub_line == 2,
       "TIME_BLOCK");
    next(r);
    e = next(r);
    ok(e.u.time.fid == 1 && e.u.time.line == 9, "SUB_ENTRY");
    e = next(r);
    ok(e.u.ret.depth == 1 && e.u.ret.inclusive == 10 && e.u.ret.exclusive == 7.5 && is_text(e.u.ret.name, "main::f"),
       "SUB_RETURN");
    e = next(r);
    ok(is_text(e.u.pair.key, "late") && is_text(e.u.pair.value, "1=2"), "a late attribute, split at its first '='");
    e = next(r);
    ok(e.u.line.fid == 1 && e.u.line.line == 1 && is_text(e.u.line.text, "sub f {}\n"), "SRC_LINE");
    e = next(r);
    ok(e.u.sub.fid == 1 && e.u.sub.first_line == 3 && e.u.sub.last_line == 5 && is_text(e.u.sub.name, "main::f"),
       "SUB_INFO");
    e = next(r);
    ok(e.u.callers.count == 2 && e.u.callers.depth == 3 && e.u.callers.recursive == 0.125 &&
           is_text(e.u.callers.caller, "main::RUNTIME") && is_text(e.u.callers.name, "main::f"), "SUB_CALLERS");
    nytp_v5_reader_close(r);
    nytp_buf_free(&b);
}

static void varints(void) {
    static const uint32_t values[] = {0, 0x7F, 0x80, 0x3FFF, 0x4000, 0x1FFFFF, 0x200000, 0xFFFFFFF, 0x10000000,
                                      0x7FFFFFFF, 0xFFFFFFFB};
    int wrong = 0;

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        nytp_buf b = {0};

        v5_text(&b, "NYTProf 5 0\n");
        v5_time(&b, (int32_t)values[i], values[i], values[i]);
        result r = read_bytes(b.p, b.n);
        wrong += r.n != 2 || r.last.u.time.ticks != (int32_t)values[i] || r.last.u.time.line != values[i];
        nytp_buf_free(&b);
    }
    is(wrong, 0, "numbers of one to five bytes");
    is(read_bytes("NYTProf 5 0\n+\xFF\xFF\xFF\xFF\xFB\x01\x02", 20).last.u.time.ticks, -5, "-5 is FF FF FF FF FB");
}

static void utf8(void) {
    result r = read_bytes("NYTProf 5 0\nS\x01\x01\"\x02\xC3\xA9", 19);

    ok(r.n == 2 && r.last.utf8 == NYTP_V5_UTF8 && is_text(r.last.u.line.text, "\xC3\xA9"),
       "a UTF-8 string says so");
}

/* ---- files that cannot be read ---- */

static void refused(const char *bytes, size_t n, const char *expected) {
    result r = read_bytes(bytes, n);

    ok(r.error.code == NYTP_FORMAT && strstr(r.error.text, expected) && !strchr(r.error.text, '\n') &&
           !strncmp(r.error.text, path, strlen(path)), "%s", r.error.text + strlen(path));
}

#define REFUSED(bytes, expected) refused(bytes, sizeof bytes - 1, expected)

static void errors(void) {
    char swapped[] = "NYTProf 5 0\nP\x01\x01" "ABCDEFGH";
    double time = 1700000000.25;

    REFUSED("", "expected \"NYTProf 5 0\"");
    REFUSED("NYTProf\n", "begins with \"NYTProf\", expected \"NYTProf 5 0\"");
    REFUSED("NYTProf 5 x\n", "expected \"NYTProf 5 0\"");
    REFUSED("NYTProf 4 0\n", "format 4.0 is not supported, expected format 5");
    REFUSED("NYTProf 5 0\n:nv_size=16\n", "expected (chunk 1, offset 12)");
    REFUSED("NYTProf 5 0\nQ", "0x51 ('Q') (chunk 1, offset 12)");
    REFUSED("NYTProf 5 0\n:a", "whilst reading an attribute: the file ends within it (chunk 1");
    REFUSED("NYTProf 5 0\n!a", "whilst reading an option: the file ends");
    REFUSED("NYTProf 5 0\n#a", "whilst reading a comment: the file ends");
    REFUSED("NYTProf 5 0\n+\x01\x01", "Profile format error whilst reading a statement's time: the file ends");
    REFUSED("NYTProf 5 0\nS\x01\x01?\x01x", "whilst reading a line of source: expected the tag of a string");
    REFUSED("NYTProf 5 0\nS\x01\x01'\xFF\xFF\xFF\xFF\xFF", "longer than 64 MiB");
    REFUSED("NYTProf 5 0\nz", "Profile data incomplete, inflate error: the compressed data ends");
    REFUSED("NYTProf 5 0\nzRubbish", "Profile data incomplete, inflate error: the compressed data is damaged");
    for (size_t i = 0; i < sizeof time; i++) swapped[sizeof swapped - 2 - i] = ((char *)&time)[i];
    refused(swapped, sizeof swapped - 1, "another byte order");
    is(read_bytes("NYTProf 5 7\n", 12).last.u.version.minor, 7, "a higher minor version is read");
    is(read_bytes("NYTProf 5 0\n:a\n", 15).last.u.pair.value.p == NULL, 1, "an attribute without '=' is no error");
}

/* The tags of a cut file are the beginning of the whole one's, and it ends with an error unless cut between records. */
static void every_cut(const char *what, const nytp_buf *b, size_t harmless) {
    result whole = read_bytes(b->p, b->n);
    int wrong = 0, complete = 0;

    for (size_t n = 13; n < b->n; n++) {
        result r = read_bytes(b->p, n);
        wrong += strncmp(r.tags, whole.tags, r.n) || (r.error.code && r.error.code != NYTP_FORMAT);
        wrong += r.n == whole.n && r.error.code && n >= harmless;
        complete += !r.error.code;
    }
    is(wrong, 0, what);
    ok(complete > 0, "%d cuts go unnoticed: between records, or behind the compressed data", complete);
}

static void every_flip(const char *what, nytp_buf *b) {
    uint64_t given = 0;

    for (size_t i = 0; i < b->n; i++) {
        for (int with = 1; with < 256; with = with == 1 ? 0x80 : with == 0x80 ? 0xFF : 256) {
            b->p[i] ^= (unsigned char)with;
            given += read_bytes(b->p, b->n).n;
            b->p[i] ^= (unsigned char)with;
        }
    }
    ok(given > 0, "%s: every flip is survived (%llu events)", what, (unsigned long long)given);
}

static void damage(void) {
    size_t records;
    nytp_buf plain = make_file(&records), deflated = v5_deflated(&plain, records);

    every_cut("plain, cut at every byte", &plain, plain.n);
    every_cut("compressed, cut at every byte", &deflated, deflated.n - 15);
    every_flip("plain", &plain);
    every_flip("compressed", &deflated);
    nytp_buf_bytes(&plain, plain.p, 30);
    ok(read_bytes(plain.p, plain.n).error.code == NYTP_FORMAT, "a second file behind the first is no record");
    nytp_buf_free(&plain);
    nytp_buf_free(&deflated);
}

/* ---- size ---- */

/* A string longer than the reader's buffer, between two records. */
static void long_strings(void) {
    static char text[1 << 20];
    nytp_buf b = {0}, deflated;
    result r;

    for (size_t i = 0; i + 1 < sizeof text; i++) text[i] = (char)('a' + i * 7919 % 25);
    v5_text(&b, "NYTProf 5 0\n");
    v5_time(&b, 1, 1, 1);
    v5_source(&b, 1, 1, text);
    deflated = v5_deflated(&b, 12);
    r = read_bytes(b.p, b.n);
    ok(r.n == 3 && is_text(r.last.u.line.text, text), "a string of a megabyte");
    r = read_bytes(deflated.p, deflated.n);
    ok(r.n == 4 && !r.error.code, "and compressed");
    nytp_buf_free(&b);
    nytp_buf_free(&deflated);
}

/* Two million records need no more memory than a few. */
static void memory(void) {
    nytp_buf b = {0}, deflated;
    struct rusage before, after;
    result r;

    v5_text(&b, "NYTProf 5 0\n");
    for (int i = 0; i < 2000000; i++) v5_time(&b, i & 7, 1, 1);
    deflated = v5_deflated(&b, 12);
    nytp_buf_free(&b);
    getrusage(RUSAGE_SELF, &before);
    r = read_bytes(deflated.p, deflated.n);
    getrusage(RUSAGE_SELF, &after);
    ok(r.n == 2000002 && after.ru_maxrss - before.ru_maxrss < 4 << 10, "memory does not grow with the records (%ld kB)",
       after.ru_maxrss - before.ru_maxrss);
    nytp_buf_free(&deflated);
}

int main(void) {
    nytp_error e = {0};

    snprintf(path, sizeof path, "%s/file", sample_directory());
    every_record();
    every_field();
    varints();
    utf8();
    errors();
    damage();
    long_strings();
    memory();
    ok(!open_file("/nonexistent/file", &e) && e.code == NYTP_IO, "no such file");
    nytp_v5_reader_close(reading);
    nytp_v5_reader_close(NULL);
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    return done();
}
