/* SPDX-License-Identifier: MIT */
/* The reader: captures that are joined, from a pipe, among garbage, of another version, or hostile; and other files. */
#include "tap.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include "base/zio.h"
#include "capture/beside.h"
#include "sample.h"

static char path[500], first[500], other[500];
static sample_result s;

static void append_file(nytp_buf *to, const char *name) {
    nytp_buf b = sample_slurp(name);

    nytp_buf_bytes(to, b.p, b.n);
    nytp_buf_free(&b);
}

static void read_bytes(nytp_buf *b) {
    sample_spew(path, b->p, b->n);
    sample_read(path, &s);
    nytp_buf_clear(b);
}

/* One chunk with this payload, as another writer might make it. */
static void put_payload(nytp_buf *b, uint32_t version, const void *p, size_t n) {
    nytp_chunk_info c = {.stream = sample_stream, .number = 1, .stored = (uint32_t)n, .raw = (uint32_t)n};

    c.version = version;
    nytp_chunk_put(b, &c, p);
}

static void joined(void) {
    nytp_stream_id child = sample_stream;
    nytp_buf b = {0};

    child.pid = 4712;
    sample_write(first, &sample_stream, 3, 10, 6);
    sample_write(other, &child, 2, 10, 0);
    append_file(&b, first);
    append_file(&b, other);
    append_file(&b, first);
    read_bytes(&b);
    ok(s.damages == 0 && s.files == 8 && s.ends == 3, "three captures in one file are read as one");
    is(s.streams, 2, "from two streams");

    append_file(&b, first);
    b.n -= 10;
    append_file(&b, other);
    read_bytes(&b);
    ok(s.files == 5 && s.ends == 1 && s.damages == 1, "a torn one in front costs its torn chunk only");
    nytp_buf_free(&b);
}

static void garbage(void) {
    nytp_buf b = {0};

    sample_write(other, &sample_stream, 3, 10, 6);
    nytp_buf_bytes(&b, "garbage\n", 8);
    append_file(&b, other);
    nytp_buf_bytes(&b, "\xF1NYT garbage", 12);
    read_bytes(&b);
    ok(s.files == 3 && s.ends == 1 && s.damages == 2, "garbage before and after a capture is named, nothing is lost");
    ok(s.length == 12 && strcmp(s.reason, "no chunk begins here") == 0, "with its length");

    nytp_buf_bytes(&b, NYTP_FORMAT_FIRST_LINE ":program=x\n", 29);
    read_bytes(&b);
    ok(s.opened && s.damages == 0 && s.files == 0, "text lines alone are an empty capture");
    nytp_buf_bytes(&b, NYTP_FORMAT_FIRST_LINE ":program=\x01\n", 29);
    read_bytes(&b);
    ok(s.opened && s.damages == 1 && s.length == 11, "a text line that no writer makes is damage");
    nytp_buf_free(&b);
}

static void piped(void) {
    int input = dup(STDIN_FILENO), fds[2];
    pid_t child;

    sample_write(other, &sample_stream, 50, 5000, 0);
    if (pipe(fds)) abort();
    child = fork();
    if (child == 0) {
        char command[600];

        dup2(fds[1], STDOUT_FILENO);
        close(fds[0]);
        close(fds[1]);
        snprintf(command, sizeof command, "exec cat '%s'", other);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(fds[1]);
    dup2(fds[0], STDIN_FILENO);
    close(fds[0]);
    sample_read("-", &s);
    dup2(input, STDIN_FILENO);
    close(input);
    ok(s.files == 50 && s.deltas == 250000 && s.damages == 0 && !s.wrong, "a pipe is read like a file");
}

/* Kind and length, then the bytes. */
static void put_record(nytp_buf *b, uint64_t kind, const void *p, size_t n) {
    nytp_buf_u(b, kind);
    nytp_buf_str(b, (nytp_str){p, n});
}

static void future(void) {
    nytp_buf b = {0}, payload = {0};
    nytp_error e = {0};
    nytp_reader *reader;
    nytp_record r;

    put_record(&payload, 999, "what is this", 12);
    put_record(&payload, NYTP_REC_DAMAGE, "\x01\x01\x01x", 4);
    put_record(&payload, NYTP_REC_FILE, "\x07\x01", 2);
    put_record(&payload, NYTP_REC_NOTE, "\x02hi and more fields", 20);
    put_record(&payload, NYTP_REC_PRICE, "", 0);
    put_payload(&b, NYTP_FORMAT_VERSION, payload.p, payload.n);
    sample_spew(path, b.p, b.n);
    reader = nytp_reader_open(path, &e);
    ok(reader && nytp_reader_next(reader, &r) == 1 && r.kind == NYTP_REC_FILE, "records of unknown kinds are skipped");
    is(nytp_reader_unknown(reader), 2, "and counted; damage is none that a file can hold");
    ok(r.u.file.id == 7 && r.u.file.flags == 1 && r.u.file.size == 0 && r.u.file.name.n == 0 && r.u.file.name.p,
       "missing last fields are 0 or empty");
    ok(nytp_reader_next(reader, &r) == 1 && nytp_str_eq(r.u.note.text, NYTP_LIT("hi")), "bytes behind the known are "
                                                                                        "ignored");
    ok(nytp_reader_next(reader, &r) == 1 && r.kind == NYTP_REC_PRICE, "a record of no bytes is one of zeros");
    is(nytp_reader_next(reader, &r), 0, "that was all");
    nytp_reader_close(reader);

    nytp_buf_clear(&b);
    put_payload(&b, NYTP_FORMAT_VERSION + 1, payload.p, payload.n);
    read_bytes(&b);
    ok(!s.opened && s.error.code == NYTP_FORMAT && strstr(s.error.text, "format 2"),
       "a newer version is refused");
    put_payload(&b, NYTP_FORMAT_VERSION, payload.p, payload.n);
    put_payload(&b, NYTP_FORMAT_VERSION + 1, payload.p, payload.n);
    read_bytes(&b);
    ok(s.files == 1 && s.failed && strstr(s.error.text, "format 2"), "also behind others");
    nytp_buf_free(&b);
    nytp_buf_free(&payload);
}

static void refuse_payload(const char *what, const void *p, size_t n, const char *reason) {
    nytp_buf b = {0};

    put_payload(&b, NYTP_FORMAT_VERSION, p, n);
    put_payload(&b, NYTP_FORMAT_VERSION, "\x06\x03\x02ok", 5);
    read_bytes(&b);
    ok(s.opened && !s.failed && s.damages == 1 && s.length == NYTP_FORMAT_CHUNK_HEAD + n && strstr(s.reason, reason),
       "%s: %s", what, s.reason);
    nytp_buf_free(&b);
}

#define REFUSE(what, bytes, reason) refuse_payload(what, bytes, sizeof bytes - 1, reason)

/* Payloads whose CRC is right. */
static void hostile(void) {
    REFUSE("half a varint", "\x80", "record 1");
    REFUSE("a record longer than the chunk", "\x06\x7Fhi", "runs over the chunk's end");
    REFUSE("a length of 64 bits", "\x06\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", "runs over the chunk's end");
    REFUSE("a string longer than its record", "\x06\x02\x7Fx", "run over its end");
    REFUSE("a group that ends in the middle", "\x0D\x04\x01\x02\x03\x01", "run over its end");
    REFUSE("a varint of eleven bytes", "\x0D\x0B\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", "run over its end");
}

static void lying_heads(void) {
    nytp_chunk_info c = {.stream = sample_stream, .number = 1, .stored = 5, .raw = 5, .version = 1};
    nytp_buf b = {0};

    c.deflated = 1;
    nytp_chunk_put(&b, &c, "wrong");
    read_bytes(&b);
    if (nytp_zio_available())
        ok(s.damages == 1 && strstr(s.reason, "inflate"), "what does not inflate: %s", s.reason);
    else
        ok(s.failed && strstr(s.error.text, "without zlib"), "compressed, but no zlib");
    c.deflated = 0;
    c.raw = 6;
    nytp_chunk_put(&b, &c, "wrong");
    read_bytes(&b);
    ok(s.damages == 1 && strstr(s.reason, "sizes"), "plain, of two sizes: %s", s.reason);
    c.raw = NYTP_FORMAT_CHUNK_MAX + 1;
    nytp_chunk_put(&b, &c, "wrong");
    nytp_buf_bytes(&b, NYTP_FORMAT_FIRST_LINE, 18);
    read_bytes(&b);
    ok(!s.opened && s.error.code == NYTP_FORMAT, "a chunk larger than allowed is none");
    nytp_buf_free(&b);
}

/* The error's text without the file's name, which differs from run to run. */
static const char *message(void) {
    size_t n = strlen(path);

    return strncmp(s.error.text, path, n) ? s.error.text : s.error.text + n;
}

static void refuse_file(const char *bytes, const char *expected) {
    sample_spew(path, bytes, strlen(bytes));
    sample_read(path, &s);
    ok(!s.opened && s.error.code == NYTP_FORMAT && strstr(s.error.text, expected) &&
           strncmp(s.error.text, path, strlen(path)) == 0 && !strchr(s.error.text, '\n'),
       "%s", message());
}

static void no_captures(void) {
    refuse_file("", "empty, expected \"NYTProf capture 1\"");
    refuse_file("#!/bin/sh\nexit\n", "begins with \"#!/bin/sh\", expected \"NYTProf capture 1\"");
    refuse_file("NYTProf 5 0\n#Perl\n", "begins with \"NYTProf 5 0\"");
    refuse_file("\x7F" "ELF\x02", "begins with \"\\x7FELF\\x02\"");
    sample_read("/nonexistent/file", &s);
    ok(s.error.code == NYTP_IO && s.error.sys && strstr(s.error.text, "/nonexistent/file: "), "no such file");
    sample_read("/", &s);
    is(s.error.code, NYTP_IO, "a directory");
}

/* Six hundred chunks of 56 kB need no more memory than a few. */
static void memory(void) {
    struct rusage before, after;

    sample_write(other, &sample_stream, 2, 10000, 0);
    sample_read(other, &s);
    getrusage(RUSAGE_SELF, &before);
    sample_write(other, &sample_stream, 600, 8000, 0);
    sample_read(other, &s);
    getrusage(RUSAGE_SELF, &after);
    ok(s.files == 600 && after.ru_maxrss - before.ru_maxrss < 8 << 10, "memory does not grow with the file (%ld kB)",
       after.ru_maxrss - before.ru_maxrss);
}

/* Reading a pipe without a writer would wait. */
static void opened_again(void) {
    sample_spew(path, "x", 1);
    int fd = nytp_beside_reopen(path);
    ok(fd >= 0, "a file is opened a second time");
    close(fd);
    unlink(path);
    is(mkfifo(path, 0600), 0, "a pipe with a name");
    is(nytp_beside_reopen(path), -1, "is not, and not waited for");
    is(nytp_beside_reopen("-"), -1, "nor is standard input");
    is(nytp_beside_reopen("/"), -1, "nor a directory");
}

int main(void) {
    char *dir = sample_directory();

    snprintf(path, sizeof path, "%s/path", dir);
    snprintf(first, sizeof first, "%s/first", dir);
    snprintf(other, sizeof other, "%s/other", dir);
    joined();
    garbage();
    piped();
    future();
    hostile();
    lying_heads();
    no_captures();
    memory();
    opened_again();
    unlink(path);
    unlink(first);
    unlink(other);
    rmdir(dir);
    return done();
}
