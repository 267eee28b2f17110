/* SPDX-License-Identifier: MIT */
/* v5_write.c - the bytes of every record, compression, and a full disk. */
#include <sys/resource.h>

#include "base/zio.h"
#include "v5/write.h"
#include "sample.h"
#include "tap.h"

static char path[500];

static nytp_v5_writer *begin(int level) {
    return nytp_v5_writer_open(sample_create(path), level);
}

/* ok if the event, written alone, makes exactly those bytes. */
static void bytes_are(nytp_v5_event e, const char *bytes, size_t n, const char *name) {
    nytp_v5_writer *w = begin(0);
    size_t said = nytp_v5_writer_event(w, &e);
    int code = nytp_v5_writer_close(w);
    nytp_buf got = sample_slurp(path);

    ok(!code && said == n && got.n == n && !memcmp(got.p, bytes, n), "%s", name);
    nytp_buf_free(&got);
}

#define EVENT(TAG, ...) ((nytp_v5_event){.tag = NYTP_V5_##TAG, __VA_ARGS__})
#define BYTES(event, literal, name) bytes_are(event, literal, sizeof(literal) - 1, name)

static void test_numbers(void) {
    static const struct {
        int32_t ticks;
        const char *bytes;
        size_t n;
    } rows[] = {{0, "+\0\1\2", 4},           {0x7F, "+\x7F\1\2", 4},
                {0x80, "+\x80\x80\1\2", 5},  {0x3FFF, "+\xBF\xFF\1\2", 5},
                {0x4000, "+\xC0\x40\0\1\2", 6}, {0x1FFFFF, "+\xDF\xFF\xFF\1\2", 6},
                {0x200000, "+\xE0\x20\0\0\1\2", 7}, {0xFFFFFFF, "+\xEF\xFF\xFF\xFF\1\2", 7},
                {0x10000000, "+\xFF\x10\0\0\0\1\2", 8}, {-5, "+\xFF\xFF\xFF\xFF\xFB\1\2", 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        bytes_are(EVENT(TIME_LINE, .u.time = {rows[i].ticks, 1, 2, 0, 0}), rows[i].bytes, rows[i].n, "a varint");
}

static void test_text(void) {
    BYTES(EVENT(VERSION, .u.version = {5, 0}), "NYTProf 5 0\n", "the first line");
    BYTES(EVENT(COMMENT, .u.comment = NYTP_LIT("text\n")), "#text\n", "COMMENT");
    BYTES(EVENT(COMMENT, .u.comment = NYTP_LIT("a\nb")), "#a\\nb\n", "a comment stays one line");
    BYTES(EVENT(ATTRIBUTE, .u.pair = {NYTP_LIT("nv_size"), NYTP_LIT("8")}), ":nv_size=8\n", "ATTRIBUTE");
    BYTES(EVENT(ATTRIBUTE, .u.pair = {NYTP_LIT("application"), NYTP_LIT("a\n!b=1\n")}), ":application=a\\n!b=1\\n\n",
          "a newline in $0 does not end the attribute");
    BYTES(EVENT(OPTION, .u.pair = {NYTP_LIT("calls"), NYTP_LIT("1")}), "!calls=1\n", "OPTION");
}

#define HALF "\0\0\0\0\0\0\xE0\x3F" /* 0.5 on a little-endian machine */
#define TWO "\0\0\0\0\0\0\0\x40"

static void test_records(void) {
    const uint32_t one = 1;

    BYTES(EVENT(TIME_BLOCK, .u.time = {1, 2, 3, 4, 5}), "*\1\2\3\4\5", "TIME_BLOCK");
    BYTES(EVENT(DISCOUNT, .utf8 = 0), "-", "DISCOUNT");
    BYTES(EVENT(SUB_ENTRY, .u.time = {9, 1, 2, 9, 9}), ">\1\2", "SUB_ENTRY");
    BYTES(EVENT(NEW_FID, .u.fid = {1, 2, 3, 4, 5, 6, NYTP_LIT("f")}), "@\1\2\3\4\5\6'\1f", "NEW_FID");
    BYTES(EVENT(NEW_FID, .utf8 = NYTP_V5_UTF8, .u.fid = {1, 0, 0, 2, 0, 0, NYTP_LIT("\xC3\xA9")}),
          "@\1\0\0\2\0\0\"\2\xC3\xA9", "a UTF-8 name");
    BYTES(EVENT(SUB_INFO, .u.sub = {1, 2, 3, NYTP_LIT("m::f")}), "s\1'\4m::f\2\3", "SUB_INFO: the name is second");
    BYTES(EVENT(SRC_LINE, .u.line = {1, 2, NYTP_LIT("1;\n")}), "S\1\2'\3" "1;\n", "SRC_LINE");
    if (*(const unsigned char *)&one == 0) return; /* doubles have the machine's byte order */
    BYTES(EVENT(PID_START, .u.pid = {7, 6, 0.5}), "P\7\6" HALF, "PID_START");
    BYTES(EVENT(PID_END, .u.pid = {7, 6, 0.5}), "p\7" HALF, "PID_END has no parent");
    BYTES(EVENT(SUB_RETURN, .u.ret = {1, 2, 0.5, NYTP_LIT("f")}), "<\1" TWO HALF "'\1f", "SUB_RETURN");
    BYTES(EVENT(SUB_CALLERS, .utf8 = NYTP_V5_UTF8_CALLER,
                .u.callers = {1, 2, 3, 4, 2, 0.5, 2, NYTP_LIT("c"), NYTP_LIT("f")}),
          "c\1\2\"\1c\3" TWO HALF TWO "\4'\1f", "SUB_CALLERS: the caller is UTF-8, the sub is bytes");
}

/* The offset of the deflated part, behind the lines of text and the z. */
static size_t find_deflated(const nytp_buf *file) {
    const unsigned char *z = memchr(file->p, 'z', file->n);

    while (z && z > file->p && z[-1] != '\n') z = memchr(z + 1, 'z', file->n - (size_t)(z + 1 - file->p));
    return z ? (size_t)(z + 1 - file->p) : file->n;
}

static void write_many(nytp_v5_writer *w, int n) {
    for (int i = 0; i < n; i++) nytp_v5_writer_event(w, &EVENT(TIME_LINE, .u.time = {i, 1, 2, 0, 0}));
}

static void test_deflate(int level) {
    nytp_v5_writer *w = begin(level);
    nytp_buf file, plain = {0};
    char expected[60];

    nytp_v5_writer_event(w, &EVENT(VERSION, .u.version = {5, 0}));
    nytp_v5_writer_event(w, &EVENT(START_DEFLATE, .utf8 = 0));
    nytp_v5_writer_event(w, &EVENT(START_DEFLATE, .utf8 = 0));
    write_many(w, 100000);
    is(nytp_v5_writer_close(w), NYTP_OK, "written");
    file = sample_slurp(path);
    size_t from = find_deflated(&file), raw = 0x80 * 4 + (0x4000 - 0x80) * 5 + (100000 - 0x4000) * 6;
    snprintf(expected, sizeof expected, "#Compressed at level %d with zlib %s\nz", level, nytp_zio_version());
    ok(from > strlen(expected) && !memcmp(file.p + from - strlen(expected), expected, strlen(expected)),
       "level %d: a comment says so, then z, once", level);
    nytp_buf_byte(&file, 0);
    const char *end = (const char *)file.p + file.n - 1, *figures = end;
    while (figures > (const char *)file.p && strncmp(figures, "#\n# C", 5) != 0) figures--;
    size_t deflated = (size_t)((const unsigned char *)figures - file.p) - from;
    is(nytp_zio_inflate(&plain, file.p + from, deflated, raw), NYTP_OK, "the stream inflates to all records");
    ok(plain.n == raw && !memcmp(plain.p, "+\0\1\2+\1\1\2", 8), "and these are the ones written");
    snprintf(expected, sizeof expected, "#\n# Compressed %zu bytes to %zu, ratio ", raw, deflated);
    ok(!strncmp(figures, expected, strlen(expected)), "level %d: the figures are behind it", level);
    nytp_buf_free(&file);
    nytp_buf_free(&plain);
}

/* A process that is killed leaves all of its records up to the last flush. */
static void test_flush(void) {
    nytp_v5_writer *w = begin(6);
    nytp_zio_deflater *same = nytp_zio_deflater_open(6);
    nytp_buf file, expected = {0};

    nytp_v5_writer_start_deflate(w, 6);
    nytp_v5_writer_bytes(w, NYTP_LIT("0123456789"));
    is(nytp_v5_writer_flush(w), NYTP_OK, "flushed");
    file = sample_slurp(path);
    nytp_zio_deflater_run(same, &expected, "0123456789", 10, NYTP_ZIO_FLUSH);
    ok(file.n == expected.n && !memcmp(file.p, expected.p, expected.n),
       "what is flushed can be inflated from the file as it is");
    nytp_v5_writer_abandon(w);
    nytp_zio_deflater_close(same);
    nytp_buf_free(&file);
    nytp_buf_free(&expected);
}

static void test_errors(void) {
    struct rlimit limit = {100000, 100000}, before;
    nytp_v5_writer *w = begin(0);

    getrlimit(RLIMIT_FSIZE, &before);
    limit.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
    write_many(w, 8000);
    ok(nytp_v5_writer_flush(w) == NYTP_OK, "the file is not full yet");
    write_many(w, 100000);
    nytp_v5_writer_flush(w);
    setrlimit(RLIMIT_FSIZE, &before);
    is(nytp_v5_writer_error(w)->code, NYTP_IO, "a full disk is told");
    is(nytp_v5_writer_event(w, &EVENT(DISCOUNT, .utf8 = 0)), 0, "and nothing is written any more");
    is(nytp_v5_writer_close(w), NYTP_IO, "close tells, too");
    nytp_buf file = sample_slurp(path);
    ok(file.n >= 8000 && file.n <= 100000 && file.p[file.n - 1] == 2, "the file ends with a whole record");
    nytp_buf_free(&file);
    w = begin(12);
    nytp_v5_writer_event(w, &EVENT(START_DEFLATE, .utf8 = 0));
    is(nytp_v5_writer_close(w), nytp_zio_available() ? NYTP_USAGE : NYTP_OK, "there is no level 12");
    is(nytp_v5_writer_close(NULL), NYTP_OK, "close takes NULL");
}

int main(void) {
    char *dir = sample_directory();

    if (!dir) return 1;
    snprintf(path, sizeof path, "%s/v5", dir);
    test_numbers();
    test_text();
    test_records();
    if (nytp_zio_available()) {
        for (int level = -1; level <= 9; level += 5) test_deflate(level);
        test_flush();
    }
    test_errors();
    unlink(path);
    rmdir(dir);
    return done();
}
