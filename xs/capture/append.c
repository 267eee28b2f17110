/* SPDX-License-Identifier: MIT */
/* append.c - puts whole blocks at the end of a descriptor of the host process. */
#include "capture/append.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

void nytp_append_open(nytp_append *a, int fd) {
    int saved = errno;
    struct stat st;

    *a = (nytp_append){.fd = fd};
    if (fstat(fd, &st) == 0) {
        a->can_cut = S_ISREG(st.st_mode) && st.st_size == 0;
        a->dev = (uint64_t)st.st_dev;
        a->ino = (uint64_t)st.st_ino;
    }
    errno = saved;
}

/* A host that closes all its descriptors may have opened a file of its own under our number. */
static int is_still_ours(const nytp_append *a) {
    struct stat st;

    return fstat(a->fd, &st) == 0 && (uint64_t)st.st_dev == a->dev && (uint64_t)st.st_ino == a->ino;
}

static int could_write_all(int fd, const unsigned char *p, size_t n) {
    while (n) {
        ssize_t done = write(fd, p, n);

        if (done == 0) errno = ENOSPC;
        if (done == 0 || (done < 0 && errno != EINTR)) return 0;
        if (done > 0) p += done, n -= (size_t)done;
    }
    return 1;
}

/* Removes a signal that our own write raised; one that was pending before is the program's. */
static void take_back(int signal, const sigset_t *before) {
    sigset_t now, one;
    int number;

    sigemptyset(&one);
    sigaddset(&one, signal);
    if (sigpending(&now) == 0 && sigismember(&now, signal) && !sigismember(before, signal)) sigwait(&one, &number);
}

/* A closed pipe raises SIGPIPE and the file size limit SIGXFSZ, both in the writing thread and both deadly. */
static int write_quietly(int fd, const void *p, size_t n) {
    sigset_t deadly, mask, before;
    int ok, sys;

    sigemptyset(&deadly);
    sigaddset(&deadly, SIGPIPE);
    sigaddset(&deadly, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &deadly, &mask);
    sigpending(&before);
    ok = could_write_all(fd, p, n);
    sys = errno;
    if (!ok) {
        take_back(SIGPIPE, &before);
        take_back(SIGXFSZ, &before);
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    errno = sys;
    return ok;
}

static void cut_back(const nytp_append *a) {
    int failed = a->can_cut && ftruncate(a->fd, (off_t)a->size);

    (void)failed; /* a reader will report the chunk that was cut short */
}

enum nytp_code nytp_append_write(nytp_append *a, const void *p, size_t n, nytp_error *e) {
    int saved = errno;

    if (e->code) return e->code;
    if (!is_still_ours(a)) {
        nytp_error_set(e, NYTP_IO, "writing the capture: the program closed its descriptor %d", (int)a->fd);
    } else if (write_quietly(a->fd, p, n)) {
        a->size += n;
    } else {
        nytp_error_sys(e, "writing the capture");
        cut_back(a);
    }
    errno = saved;
    return e->code;
}

void nytp_append_close(nytp_append *a, nytp_error *e) {
    int saved = errno;

    if (a->fd >= 0 && is_still_ours(a) && close(a->fd)) nytp_error_sys(e, "closing the capture");
    a->fd = -1;
    errno = saved;
}
