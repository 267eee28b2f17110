/* SPDX-License-Identifier: MIT */
/* outfile.c - opens the file a capture goes to, by rules that never destroy a file that is in use. */
#include "capture/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/high.h"
#include "capture/job.h"

#define TRIES 100 /* names tried, or retries where another process interferes */

enum outcome { OPENED, TAKEN, AGAIN, FAILED };

static void set_name(nytp_buf *name, const char *path, const char *suffix) {
    nytp_buf_clear(name);
    nytp_buf_bytes(name, path, strlen(path));
    nytp_buf_bytes(name, suffix, strlen(suffix) + 1);
    if (!name->failed) name->n--; /* the NUL stays behind the end */
}

/* A lock that fails for another reason than a holder (a file system without locks) counts as free. */
static int is_locked_by_other(int fd) {
    return flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
}

/* Creates an empty file, so that no other process takes the name before we use it. (link would do it, too, but not on
 * every file system.) */
static int reserve(const char *name) {
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

static int could_rename(const char *name, const char *reserved) {
    if (rename(name, reserved) == 0) return 1;
    int saved = errno;
    unlink(reserved);
    errno = saved;
    return 0;
}

/* Gives a finished capture the first free name of NAME.1, NAME.2 ... */
static int keep_aside(const char *name, nytp_error *e) {
    nytp_buf aside = {0};
    char suffix[16];
    int ok = 0;

    for (int i = 1; i < 1000000; i++) {
        snprintf(suffix, sizeof suffix, ".%d", i);
        set_name(&aside, name, suffix);
        if (aside.failed) break;
        ok = reserve((char *)aside.p) && could_rename(name, (char *)aside.p);
        if (ok || errno != EEXIST) break;
    }
    if (!ok) nytp_error_sys(e, "%s: cannot be kept under another name", name);
    nytp_buf_free(&aside);
    return ok ? AGAIN : FAILED;
}

/* Before we had the lock, another process may have replaced the file that we opened. */
static int is_in_place(int fd, const char *name) {
    struct stat here, there;

    return fstat(fd, &here) == 0 && lstat(name, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

/* Moves or removes the regular file of that name, open as old, or finds that it has to stay. */
static int make_way(int old, const char *name, int flags, nytp_error *e) {
    enum nytp_kin writer = old >= 0 ? nytp_job_kin(old) : NYTP_KIN_NONE;

    if (flags & NYTP_OUTFILE_OWN || writer == NYTP_KIN_SELF) return keep_aside(name, e);
    if (flags & NYTP_OUTFILE_SHARED && writer == NYTP_KIN_JOB) return TAKEN;
    if (unlink(name) == 0 || errno == ENOENT) return AGAIN;
    nytp_error_sys(e, "%s: cannot be replaced", name);
    return FAILED;
}

/* Removes the regular file of that name unless a process is writing it. A file is removed under its lock only; another
 * user's file that we cannot open has no lock that we could ask for, and is removed if the directory permits it. */
static int clear_away(const char *name, int flags, nytp_error *e) {
    int old = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int outcome = AGAIN;

    if (old < 0 && errno == ENOENT) return AGAIN;
    if (old < 0 && errno != EACCES) {
        nytp_error_sys(e, "%s: cannot be replaced", name);
        return FAILED;
    }
    if (old >= 0 && is_locked_by_other(old)) {
        outcome = TAKEN;
    } else if (old < 0 || is_in_place(old, name)) {
        outcome = make_way(old, name, flags, e);
    }
    if (old >= 0) close(old);
    return outcome;
}

static int create(const char *name, int *fd, nytp_error *e) {
    *fd = open(name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
    if (*fd < 0) {
        if (errno == EEXIST) return AGAIN;
        nytp_error_sys(e, "%s: cannot be created", name);
        return FAILED;
    }
    fchmod(*fd, 0600); /* whatever the umask took away */
    if (!is_locked_by_other(*fd) && is_in_place(*fd, name)) return OPENED;
    close(*fd);
    return AGAIN;
}

/* Opens for appending, as /dev/stdout may be a file that is not empty. */
static int open_device(const char *name, int *fd, nytp_error *e) {
    *fd = open(name, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
    if (*fd >= 0) return OPENED;
    nytp_error_sys(e, "%s: cannot be opened", name);
    return FAILED;
}

/* The system's own links below /dev (stdout) lead where they should; in /dev/shm any user may put one. */
static int is_trusted_device(const char *name, const struct stat *st) {
    if (strncmp(name, "/dev/", 5) != 0) return 0;
    return !S_ISLNK(st->st_mode) || st->st_uid == 0 || st->st_uid == geteuid();
}

static int try_name(const char *name, int flags, int *fd, nytp_error *e) {
    struct stat st;

    if (lstat(name, &st)) return create(name, fd, e);
    if (S_ISREG(st.st_mode)) return clear_away(name, flags, e);
    if (is_trusted_device(name, &st)) return open_device(name, fd, e);
    nytp_error_set(e, NYTP_IO, "%s: is %s, left alone", name,
                   S_ISDIR(st.st_mode)   ? "a directory"
                   : S_ISLNK(st.st_mode) ? "a symbolic link"
                                         : "no regular file");
    e->sys = S_ISDIR(st.st_mode) ? EISDIR : S_ISLNK(st.st_mode) ? ELOOP : EEXIST;
    return FAILED;
}

static int open_some_name(const char *path, int flags, nytp_buf *used, nytp_error *e) {
    char suffix[32] = "";
    int fd = -1, taken = 0;

    for (int tries = 0; tries < TRIES && !e->code; tries++) {
        set_name(used, path, suffix);
        if (used->failed) break;
        switch (try_name((char *)used->p, flags, &fd, e)) {
        case OPENED: return nytp_high_move(fd);
        case TAKEN:
            flags &= ~NYTP_OUTFILE_OWN;
            if (taken++ == 0) snprintf(suffix, sizeof suffix, ".%ld", (long)getpid());
            else snprintf(suffix, sizeof suffix, ".%ld.%d", (long)getpid(), taken - 1);
        }
    }
    if (used->failed) nytp_error_set(e, NYTP_NOMEM, "%s: out of memory", path);
    nytp_error_set(e, NYTP_IO, "%s: other processes keep taking this name", path);
    return -1;
}

int nytp_outfile_open(const char *path, int flags, nytp_buf *used, nytp_error *e) {
    int saved = errno;
    int fd = open_some_name(path, flags, used, e);

    errno = saved;
    return fd;
}

void nytp_outfile_forget(const char *path) {
    int old = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (old < 0) return;
    if (!is_locked_by_other(old) && is_in_place(old, path) && nytp_job_kin(old) == NYTP_KIN_JOB) unlink(path);
    close(old);
}
