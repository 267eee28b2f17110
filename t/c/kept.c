/* SPDX-License-Identifier: MIT */
/* A file of /proc that stays open: after the first reading no other is opened, as the program would see its number; and
 * a file that the program has under that number is neither read nor closed. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sample/caught.h"
#include "sample/peek.h"
#include "sample/schedstat.h"
#include "tap.h"

static pid_t thread(void) { return (pid_t)syscall(SYS_gettid); }

/* 1 if the text is about this process. */
static int is_about_us(nytp_kept *k) {
    char text[64];
    nytp_kept_read(k, getpid(), thread(), "stat", text, sizeof text);
    return atol(text) == (long)thread();
}

/* The lowest free number; the limit lets no file be opened that has it. */
static struct rlimit open_none(void) {
    struct rlimit before, none;
    int lowest = open("/dev/null", O_RDONLY);
    close(lowest);
    getrlimit(RLIMIT_NOFILE, &before);
    none = (struct rlimit){(rlim_t)lowest, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    return before;
}

static void reads_again(nytp_kept *k) {
    nytp_caught_files files = {0};
    nytp_kept counted = {0};
    long long ran, delayed;
    nytp_caught_open(&files, getpid(), thread());
    int counts = nytp_schedstat_read(&counted, getpid(), thread(), &ran, &delayed);
    ok(is_about_us(k) && k->fd >= 100, "the first reading leaves the file open, above the program's own");
    struct rlimit before = open_none();
    ok(is_about_us(k), "it is read again without a new descriptor");
    is(nytp_caught_at(&files, getpid(), thread(), 0) == NYTP_CAUGHT_WAITING, 0, "so is what a thread does ...");
    is(nytp_schedstat_read(&counted, getpid(), thread(), &ran, &delayed), counts, "... and what it had");
    setrlimit(RLIMIT_NOFILE, &before);
    nytp_caught_close(&files);
    nytp_kept_close(&counted);
}

static void program_closes(nytp_kept *k) {
    int own = open("/dev/null", O_RDONLY), number = k->fd;
    close(number);
    ok(is_about_us(k), "what the program has closed is opened again");
    nytp_kept before = *k;
    dup2(own, k->fd);
    ok(is_about_us(k), "a file of its own under that number is not read ...");
    ok(fcntl(before.fd, F_GETFD) >= 0 && k->fd != before.fd, "... nor closed");
    dup2(before.fd, k->fd);
    number = k->fd;
    nytp_kept_close(k);
    ok(fcntl(number, F_GETFD) >= 0, "nor is it at the end");
    close(number);
    close(before.fd);
    close(own);
}

static void forks(nytp_kept *k) {
    int status = 1;
    is_about_us(k);
    pid_t child = fork();
    if (!child) _exit(!is_about_us(k));
    waitpid(child, &status, 0);
    is(status, 0, "a forked child reads of itself");
}

/* Memory, where it is read by its file: without another descriptor, and a forked child its own. */
static void memory(void) {
    static volatile uint64_t number = 1;
    nytp_kept k = {0};
    nytp_peek p = {.pid = getpid(), .by_file = 1, .file = &k};
    uint64_t got = 0, at = (uint64_t)(uintptr_t)&number;
    int status = 1;
    ok(nytp_peek_at(&p, at, &got, sizeof got) && got == 1, "memory is read by its file");
    struct rlimit before = open_none();
    number = 2;
    ok(nytp_peek_at(&p, at, &got, sizeof got) && got == 2, "... which stays open");
    setrlimit(RLIMIT_NOFILE, &before);
    pid_t child = fork();
    if (!child) {
        p.pid = getpid();
        number = 3;
        _exit(!(nytp_peek_at(&p, at, &got, sizeof got) && got == 3));
    }
    waitpid(child, &status, 0);
    is(status, 0, "... by a forked child, too");
    nytp_kept_close(&k);
}

/* Without a high number it is opened for each reading. */
static void limited(nytp_kept *k) {
    struct rlimit before, few;
    nytp_kept_close(k);
    getrlimit(RLIMIT_NOFILE, &before);
    few = (struct rlimit){64, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    int first = open("/dev/null", O_RDONLY);
    int reads = is_about_us(k) && is_about_us(k), second = open("/dev/null", O_RDONLY);
    setrlimit(RLIMIT_NOFILE, &before);
    ok(reads && second == first + 1, "with few descriptors none is left open");
    close(first);
    close(second);
}

int main(void) {
    nytp_kept k = {0};
    reads_again(&k);
    program_closes(&k);
    forks(&k);
    memory();
    limited(&k);
    return done();
}
