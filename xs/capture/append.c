/* SPDX-License-Identifier: MIT */
/* append.c - puts whole blocks at the end of a descriptor of the host process. */
#include "capture/append.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MOST_WAITING (4u << 20) /* bytes */

void nytp_append_open(nytp_append *a, int fd) {
    int saved = errno;
    struct stat st;

    *a = (nytp_append){.can_cut = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0};
    nytp_held_take(&a->file, fd);
    errno = saved;
}

/* The number of bytes written, at an offset or, if it is below 0, at the end; on an error less than n. */
static size_t write_all(int fd, const unsigned char *p, size_t n, int64_t at) {
    size_t all = 0;

    while (all < n) {
        ssize_t done = at < 0 ? write(fd, p + all, n - all) : pwrite(fd, p + all, n - all, (off_t)at + (off_t)all);

        if (done == 0) errno = ENOSPC;
        if (done == 0 || (done < 0 && errno != EINTR)) break;
        if (done > 0) all += (size_t)done;
    }
    return all;
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
static size_t write_quietly(int fd, const void *p, size_t n, int64_t at) {
    sigset_t deadly, mask, before;
    size_t done;
    int sys;

    sigemptyset(&deadly);
    sigaddset(&deadly, SIGPIPE);
    sigaddset(&deadly, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &deadly, &mask);
    sigpending(&before);
    done = write_all(fd, p, n, at);
    sys = errno;
    if (done < n) {
        take_back(SIGPIPE, &before);
        take_back(SIGXFSZ, &before);
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    errno = sys;
    return done;
}

size_t nytp_append_quietly(int fd, const void *p, size_t n) {
    return write_quietly(fd, p, n, -1);
}

/* Removes what a failed write has left, unless another process has written behind it. */
static void cut_back(const nytp_append *a, size_t done) {
    struct stat st;
    int is_last = a->can_cut && fstat(a->file.fd, &st) == 0 && st.st_size == (off_t)(a->size + done);
    int failed = is_last && (ftruncate(a->file.fd, (off_t)a->size) || lseek(a->file.fd, (off_t)a->size, SEEK_SET) < 0);

    (void)failed; /* a reader will report the chunk that was cut short */
}

/* 0, or why not: the block is not there then, where the file can be cut back. */
static int put(nytp_append *a, const void *p, size_t n) {
    size_t done = write_quietly(a->file.fd, p, n, -1);
    int sys = errno;

    if (done < n) {
        cut_back(a, done);
        return sys;
    }
    a->size += n;
    a->file.size = a->size;
    return 0;
}

/* ---- blocks that wait for room ---- */

static int is_for_room(int sys) { return sys == ENOSPC || sys == EFBIG || sys == EDQUOT; }

static void free_waiting(nytp_append *a) {
    nytp_buf_free(&a->waiting);
    nytp_buf_free(&a->waiting_sizes);
    a->why = (nytp_error){0};
}

/* 1: the block waits. */
static int wait_with(nytp_append *a, const void *p, size_t n) {
    if (!a->waits || n > MOST_WAITING - a->waiting.n) return 0;
    nytp_buf_bytes(&a->waiting, p, n);
    nytp_buf_bytes(&a->waiting_sizes, &n, sizeof n);
    return !a->waiting.failed && !a->waiting_sizes.failed;
}

/* Where a part of a block would be left in the file a block is only tried if there seems to be room. */
static int try_block(nytp_append *a, const void *p, size_t n) {
    int may_try = a->can_cut || !a->waits || nytp_append_room(a, 0, 1) >= n;

    return may_try ? put(a, p, n) : ENOSPC;
}

/* Returns 0, or why blocks still wait. */
static int put_waiting(nytp_append *a) {
    size_t *sizes = (size_t *)(void *)a->waiting_sizes.p;
    size_t all = a->waiting_sizes.n / sizeof *sizes, blocks = 0, bytes = 0;
    int sys = 0;

    while (blocks < all && !sys) {
        sys = try_block(a, a->waiting.p + bytes, sizes[blocks]);
        if (!sys) bytes += sizes[blocks++];
    }
    if (!sys) {
        free_waiting(a);
        return 0;
    }
    a->waiting.n -= bytes;
    memmove(a->waiting.p, a->waiting.p + bytes, a->waiting.n);
    a->waiting_sizes.n -= blocks * sizeof *sizes;
    memmove(sizes, sizes + blocks, a->waiting_sizes.n);
    return sys;
}

static enum nytp_code lose(nytp_append *a, int sys, nytp_error *e) {
    free_waiting(a);
    errno = sys;
    return nytp_error_sys(e, "writing the capture");
}

static enum nytp_code put_behind_others(nytp_append *a, const void *p, size_t n, nytp_error *e) {
    int has_place = wait_with(a, p, n), sys = has_place ? put_waiting(a) : a->why.sys;

    return has_place && (!sys || is_for_room(sys)) ? NYTP_OK : lose(a, sys, e);
}

static enum nytp_code put_first(nytp_append *a, const void *p, size_t n, nytp_error *e) {
    int sys = try_block(a, p, n);

    if (!sys) return NYTP_OK;
    if (!is_for_room(sys) || !wait_with(a, p, n)) return lose(a, sys, e);
    errno = sys;
    nytp_error_sys(&a->why, "writing the capture");
    return NYTP_OK;
}

enum nytp_code nytp_append_write(nytp_append *a, const void *p, size_t n, nytp_error *e) {
    int saved = errno;

    if (e->code) return e->code;
    if (!nytp_held_find(&a->file)) {
        nytp_error_set(e, NYTP_IO, "writing the capture: the program closed its descriptor %d", (int)a->file.fd);
    } else if (a->why.code) {
        put_behind_others(a, p, n, e);
    } else {
        put_first(a, p, n, e);
    }
    errno = saved;
    return e->code;
}

void nytp_append_lacks_room(nytp_append *a) {
    int saved = errno;

    errno = ENOSPC;
    if (!a->why.code) nytp_error_sys(&a->why, "writing the capture");
    errno = saved;
}

void nytp_append_again(nytp_append *a) {
    int saved = errno;

    if (a->why.code && nytp_held_find(&a->file)) put_waiting(a);
    errno = saved;
}

enum nytp_code nytp_append_rest(nytp_append *a, nytp_error *e) {
    int saved = errno, sys = 0;

    if (a->why.code && !e->code) sys = nytp_held_find(&a->file) ? put_waiting(a) : errno;
    if (sys) lose(a, sys, e);
    errno = saved;
    return e->code;
}

int nytp_append_overwrite(int fd, const void *p, size_t n, uint64_t at) {
    int saved = errno, is_written = write_quietly(fd, p, n, (int64_t)at) == n;

    errno = saved;
    return is_written;
}

uint64_t nytp_append_room(const nytp_append *a, uint64_t others, int on_disk) {
    int saved = errno;
    uint64_t room = UINT64_MAX, size;
    struct rlimit limit;
    struct statvfs disk;
    struct stat st;

    if (fstat(a->file.fd, &st) == 0 && S_ISREG(st.st_mode)) {
        size = (uint64_t)st.st_size;
        if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
            room = limit.rlim_cur > size ? limit.rlim_cur - size : 0;
        if (on_disk && fstatvfs(a->file.fd, &disk) == 0 && disk.f_frsize && disk.f_bavail < room / disk.f_frsize)
            room = disk.f_bavail * disk.f_frsize;
    }
    errno = saved;
    return room == UINT64_MAX ? room : room > others ? room - others : 0;
}

uint64_t nytp_append_size(const nytp_append *a) {
    struct stat st;
    int saved = errno, is_shared = !a->can_cut && fstat(a->file.fd, &st) == 0 && S_ISREG(st.st_mode);
    errno = saved;
    return (is_shared ? (uint64_t)st.st_size : a->size) + a->waiting.n;
}

void nytp_append_close(nytp_append *a, nytp_error *e) {
    int saved = errno;

    free_waiting(a);
    if (nytp_held_drop(&a->file)) nytp_error_sys(e, "closing the capture");
    errno = saved;
}
