/* SPDX-License-Identifier: MIT */
/* The writer: the text at a capture's beginning, for head(1); grouped records and their size; and the accidents of a
 * host program: full disks, limits, closed pipes and descriptors that the program has closed or replaced. */
#include "tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/zio.h"
#include "sample.h"

static char path[500];
static sample_result s;

static void head(void) {
    nytp_writer *w = nytp_writer_open(sample_create(path), &sample_stream, 6);
    static char longer[10000];
    nytp_buf b;
    char *newline;

    memset(longer, 'x', sizeof longer);
    nytp_writer_text(w, NYTP_LIT("program"), NYTP_LIT("a\nb\\\xC3\xA9.pl"));
    nytp_writer_text(w, NYTP_LIT("long"), (nytp_str){longer, sizeof longer});
    sample_chunk(w, 1, 1);
    nytp_writer_text(w, NYTP_LIT("late"), NYTP_LIT("is left out"));
    nytp_writer_close(w);
    b = sample_slurp(path);
    ok(b.n > 60 && memcmp(b.p, "NYTProf capture 1\n:program=a\\x0Ab\\x5C\\xC3\\xA9.pl\n:long=xxx", 58) == 0,
       "text lines stay one line each whatever is in them");
    newline = memchr(b.p + 50, '\n', b.n - 50);
    ok(newline && newline - (char *)b.p - 48 < (ptrdiff_t)NYTP_FORMAT_LINE_MAX, "long ones are cut");
    sample_read(path, &s);
    ok(s.files == 1 && s.damages == 0, "and the reader steps over them");
    nytp_buf_free(&b);
}

static void grouping(void) {
    nytp_writer *w = nytp_writer_open(sample_create(path), &sample_stream, 0);
    nytp_rec_delta d = {1, 1, 1, {0}};
    size_t one;

    for (int i = 0; i < 1000; i++) nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_PLACE_DELTA, .u.delta = d});
    one = nytp_writer_pending(w);
    is(one, 7000, "records of one kind in a row cost their fields only");
    nytp_writer_note(w, NYTP_LIT("x"));
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_PLACE_DELTA, .u.delta = d});
    ok(nytp_writer_pending(w) > one, "another kind between them is no trouble");
    nytp_writer_chunk(w, 0, 1);
    is(nytp_writer_pending(w), 0, "a chunk takes all that has gathered");
    nytp_writer_close(w);

    w = nytp_writer_open(sample_create(path), &sample_stream, 6);
    nytp_writer_close(w);
    sample_read(path, &s);
    ok(s.opened && s.damages == 0 && s.files == 0, "a capture without records is text alone");
}

/* A million statements of 1,000 places in windows of 20,000: at most 0.52 MB a million. */
static void size_of_counts(void) {
    nytp_writer *w = nytp_writer_open(sample_create(path), &sample_stream, 6);
    uint32_t random = 1;
    struct stat st;

    for (int window = 0; window < 50; window++) {
        for (uint32_t id = 1; id <= 1000; id++) {
            nytp_rec_delta d = {id, 20, 0, {0}};

            random = random * 1664525u + 1013904223u;
            d.ticks = random >> 18;
            nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_PLACE_DELTA, .u.delta = d});
        }
        nytp_writer_chunk(w, window, window + 1);
    }
    nytp_writer_close(w);
    if (stat(path, &st)) abort();
    ok(st.st_size > 0 && st.st_size < 520000, "a million statements take %ld bytes", (long)st.st_size);
}

typedef struct taken {
    uint32_t records, chunks, closed;
    nytp_record last;
} taken;

static void take(void *self, const nytp_record *r, nytp_error *e) {
    taken *t = self;

    t->records++;
    t->last = *r;
    if (r->kind == NYTP_REC_PRICE) nytp_error_set(e, NYTP_IO, "no prices, please");
}

static void count_chunk(void *self, nytp_error *e) {
    (void)e;
    ((taken *)self)->chunks++;
}

static void count_close(void *self, nytp_error *e) {
    (void)e;
    ((taken *)self)->closed++;
}

static void outlet(void) {
    taken t = {0};
    nytp_writer *w = nytp_writer_open_outlet(&(nytp_writer_outlet){take, count_chunk, count_close, &t}, &sample_stream);

    nytp_writer_text(w, NYTP_LIT("program"), NYTP_LIT("x.pl"));
    nytp_writer_chunk(w, 0, 0);
    is(t.records + t.chunks, 0, "an outlet is not told of text, nor of a chunk without records");
    sample_chunk(w, 1, 10);
    ok(t.records == 11 && t.chunks == 1 && nytp_writer_pending(w) == 0, "but of every record, and where a chunk ends");
    ok(t.last.kind == NYTP_REC_PLACE_DELTA && t.last.u.delta.count == 9, "and what is in them");
    nytp_writer_end(w, NYTP_END_EXIT);
    ok(t.last.u.end.chunks == 2 && nytp_writer_pending(w) > 0, "the end says which chunk it is in");
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_PRICE});
    sample_chunk(w, 2, 10);
    ok(t.records == 13 && t.chunks == 1 && nytp_writer_pending(w) == 0, "an outlet that fails is told no more");
    is(nytp_writer_close(w), NYTP_IO, "its error is the writer's");
    is(t.closed, 1, "and it is closed");
}

static void too_large(void) {
    nytp_writer *w = nytp_writer_open(sample_create(path), &sample_stream, 0);
    size_t n = NYTP_FORMAT_CHUNK_MAX;
    char *big = calloc(1, n);
    nytp_rec_source r = {1, 1, {big, n}};
    nytp_rec_file file = {2, 0, 0, 0, 0, 0, NYTP_LIT("after")};

    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_SOURCE, .u.source = r});
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_FILE, .u.file = file});
    is(nytp_writer_chunk(w, 0, 1), NYTP_OK, "a record larger than a chunk may be is no error");
    r.text.n = n / 2;
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_SOURCE, .u.source = r});
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_SOURCE, .u.source = r});
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_FILE, .u.file = file});
    is(nytp_writer_close(w), NYTP_OK, "nor are two that do not fit one chunk");
    sample_read(path, &s);
    ok(s.files == 2 && s.damages == 0 && !s.failed, "the file stays readable");
    free(big);
}

static void levels(void) {
    static const int bad[] = {-2, 10, 12};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        nytp_writer *w = nytp_writer_open(sample_create(path), &sample_stream, bad[i]);

        sample_chunk(w, 1, 10);
        is(nytp_writer_close(w), NYTP_USAGE, "a level that zlib does not have is an error");
    }
    for (int level = -1; level <= 9; level++) {
        sample_write(path, &sample_stream, 2, 1000, level);
        sample_read(path, &s);
        if (s.files != 2 || s.deltas != 2000) break;
        if (level == 9) ok(1, "all of its levels work");
    }
}

/* Writes until writing fails; the file then has whole chunks, and the error stays. */
static void fill_up(nytp_writer *w, const char *name, int sys) {
    uint32_t k = 0;
    int code;

    errno = 77;
    do sample_chunk(w, ++k, 1000);
    while (nytp_writer_error(w)->code == NYTP_OK && k < 4000);
    ok(nytp_writer_error(w)->sys == sys, "the error says why: %s", nytp_writer_error(w)->text);
    is(errno, 77, "errno is the program's");
    sample_chunk(w, ++k, 1000);
    is(nytp_writer_pending(w), 0, "nothing gathers any more");
    code = nytp_writer_close(w);
    ok(code == NYTP_IO && errno == 77, "closing tells, and leaves errno alone");
    sample_read(name, &s);
    ok(s.damages == 0 && s.files > 3 && s.files == k - 2 && s.deltas == 1000 * s.files && !s.wrong,
       "the file holds the %u whole chunks before", (unsigned)s.files);
}

/* In a child, because the limit cannot be raised again. SIGXFSZ keeps its deadly default. */
static void size_limit(void) {
    nytp_writer *w = nytp_writer_open(sample_create(path), &sample_stream, 0);
    struct rlimit limit = {100000, 100000};
    int status;
    pid_t child = fork();

    if (child == 0) {
        setrlimit(RLIMIT_FSIZE, &limit);
        fill_up(w, path, EFBIG);
        _exit(tap_failures != 0);
    }
    nytp_writer_abandon(w);
    waitpid(child, &status, 0);
    tap_tests += 5; /* the child's */
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the file size limit kills nobody");
}

static void set_limit(rlim_t n) { setrlimit(RLIMIT_FSIZE, &(struct rlimit){n, RLIM_INFINITY}); }

/* Chunks wait where there is no room, in their order, with others' chunks in the file or not; at the end those are lost
 * for which there is none. */
static void room_again(int is_shared, int ends_full) {
    nytp_writer *w = nytp_writer_open(sample_create(path), &sample_stream, 0);
    struct rlimit before;
    uint32_t k = 0;

    getrlimit(RLIMIT_FSIZE, &before);
    nytp_writer_may_wait(w);
    if (is_shared) nytp_writer_shares(w);
    set_limit(100000);
    errno = 77;
    do sample_chunk(w, ++k, 1000);
    while (!nytp_writer_waits(w)->code);
    ok(!nytp_writer_error(w)->code && nytp_writer_waits(w)->sys == (is_shared ? ENOSPC : EFBIG), "a chunk waits");
    sample_chunk(w, ++k, 1000);
    if (!ends_full) set_limit(RLIM_INFINITY);
    if (!ends_full) sample_chunk(w, ++k, 1000);
    ok(!nytp_writer_waits(w)->code == !ends_full && errno == 77, "until there is some; errno is the program's");
    is(nytp_writer_close(w), ends_full ? NYTP_IO : NYTP_OK, ends_full ? "at the end there is none" : "all is written");
    setrlimit(RLIMIT_FSIZE, &before);
    sample_read(path, &s);
    ok(s.files == k - (ends_full ? 2 : 0) && s.deltas == 1000 * s.files && !s.wrong && !s.damages,
       "the file has %u of %u chunks", (unsigned)s.files, (unsigned)k);
}

/* Memory for them has a limit, too. */
static void never_room(void) {
    nytp_writer *w = nytp_writer_open(sample_create(path), &sample_stream, 0);
    uint32_t k = 0;

    nytp_writer_may_wait(w);
    set_limit(100000);
    do sample_chunk(w, ++k, 1000);
    while (!nytp_writer_error(w)->code && k < 4000);
    ok(nytp_writer_error(w)->sys == EFBIG && k > 100, "after %u chunks it ends", (unsigned)k);
    set_limit(RLIM_INFINITY);
    is(nytp_writer_close(w), NYTP_IO, "for good");
}

static void full_disk(const char *dir) {
    char name[620];

#ifdef __linux__
    if (mount("none", dir, "tmpfs", 0, "size=200k") == 0) {
        snprintf(name, sizeof name, "%s/full", dir);
        fill_up(nytp_writer_open(sample_create(name), &sample_stream, 0), name, ENOSPC);
        unlink(name);
        umount(dir);
        return;
    }
#endif
    snprintf(name, sizeof name, "/dev/full");
    if (access(name, W_OK) == 0) {
        nytp_writer *w = nytp_writer_open(open(name, O_WRONLY), &sample_stream, 0);

        sample_chunk(w, 1, 1);
        is(nytp_writer_error(w)->sys, ENOSPC, "a full device");
        nytp_writer_close(w);
    }
}

static volatile sig_atomic_t signals;

static void count(int number) {
    (void)number;
    signals++;
}

static void closed_pipe(void) {
    int fds[2];
    sigset_t pending;
    nytp_writer *w;

    if (pipe(fds)) abort();
    w = nytp_writer_open(fds[1], &sample_stream, 0);
    close(fds[0]);
    signal(SIGPIPE, count);
    sample_chunk(w, 1, 10);
    is(nytp_writer_error(w)->sys, EPIPE, "nobody reads the pipe");
    nytp_writer_close(w);
    sigpending(&pending);
    ok(signals == 0 && !sigismember(&pending, SIGPIPE), "but the program gets no signal for it");
    signal(SIGPIPE, SIG_DFL);
}

/* A daemon closes all descriptors at its start, and opens a file of its own under the writer's number: the capture is
 * opened again by its name, unless that is another file's now. */
static void stolen_descriptor(const char *dir) {
    char name[600];
    int fd = sample_create(path), theirs;
    nytp_writer *w = nytp_writer_open(fd, &sample_stream, 0);
    struct stat st;

    snprintf(name, sizeof name, "%s/theirs", dir);
    sample_chunk(w, 1, 10);
    close(fd);
    theirs = sample_create(name);
    is(theirs, fd, "the program closed our descriptor and opened a file of its own");
    sample_chunk(w, 2, 10);
    is(nytp_writer_error(w)->code, NYTP_OK, "that is no error");
    sample_read(path, &s);
    ok(s.files == 2 && s.damages == 0, "the capture goes on");
    for (int number = fd; number < 200; number++)
        if (number != theirs) close(number);
    rename(name, path);
    sample_chunk(w, 3, 10);
    is(nytp_writer_close(w), NYTP_IO, "a capture that has no name any more is lost");
    ok(fstat(theirs, &st) == 0 && st.st_size == 0, "and the program's file is neither written nor closed");
    close(theirs);
    unlink(path);
}

static void abandoned(void) {
    nytp_writer *w = nytp_writer_open(sample_create(path), &sample_stream, 0);
    int status;
    pid_t child;

    sample_chunk(w, 1, 10);
    nytp_writer_note(w, NYTP_LIT("gathered before the fork"));
    child = fork();
    if (child == 0) {
        nytp_writer_abandon(w);
        _exit(0);
    }
    waitpid(child, &status, 0);
    sample_chunk(w, 2, 10);
    nytp_writer_close(w);
    sample_read(path, &s);
    ok(s.files == 2 && s.damages == 0, "a child that abandons its parent's writer leaves the file alone");
    nytp_writer_abandon(NULL);
    is(nytp_writer_close(NULL), NYTP_OK, "no writer is closed easily");
}

int main(void) {
    char *dir = sample_directory(), disk[600];

    snprintf(path, sizeof path, "%s/path", dir);
    snprintf(disk, sizeof disk, "%s/disk", dir);
    mkdir(disk, 0700);
    head();
    grouping();
    if (nytp_zio_available()) size_of_counts();
    outlet();
    too_large();
    levels();
    size_limit();
    for (int way = 0; way < 4; way++) room_again(way & 1, way & 2);
    never_room();
    full_disk(disk);
    closed_pipe();
    stolen_descriptor(dir);
    abandoned();
    unlink(path);
    rmdir(disk);
    rmdir(dir);
    return done();
}
