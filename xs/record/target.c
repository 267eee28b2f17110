/* SPDX-License-Identifier: MIT */
/* target.c - the file that an output goes to: a new one, or one that this process or its parent has open. */
#include "record/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/outfile.h"
#include "record/budget.h"

/* ---- a file of another recorder ---- */

/* The file, under whatever name: the one we have may be relative to a directory that the program has left. */
static int is_still_there(nytp_outlet *o) {
    struct stat open;
    return nytp_held_find(&o->file) && fstat(o->file.fd, &open) == 0 && open.st_nlink > 0;
}

void nytp_target_leave(nytp_outlet *o) {
    nytp_held_drop(&o->file);
    nytp_held_drop(&o->second);
}

void nytp_target_leave_elsewhere(nytp_outlet *o) {
    struct stat named;
    int is_named = o->file.fd >= 0 && stat(o->name, &named) == 0;
    if (!is_named || (uint64_t)named.st_dev != o->file.dev || (uint64_t)named.st_ino != o->file.ino)
        nytp_target_leave(o);
}

/* -1: there is none to join, or an error. */
static int join_outlet(const nytp_recorder *r, nytp_buf *used, nytp_error *e) {
    nytp_outlet *o = r->front.outlet;
    if (!o || o->pid != (uint32_t)getpid() || !o->base || strcmp(o->base, r->output.base) != 0) return -1;
    if (r->options->format == NYTP_OUTPUT_V5 || !is_still_there(o)) return -1;
    nytp_buf_bytes(used, o->name, strlen(o->name) + 1);
    if (!used->failed) return nytp_held_duplicate(&o->file);
    nytp_error_set(e, NYTP_NOMEM, "out of memory");
    return -1;
}

/* Makes the open file the one that other recorders may share. Returns 0 when memory is short. */
static int set_outlet(const nytp_recorder *r, int fd, const nytp_buf *used) {
    nytp_outlet *o = r->front.outlet;
    if (!o || r->options->format == NYTP_OUTPUT_V5) return 1;
    char *base = strdup(r->output.base), *name = strdup((const char *)used->p);
    if (!base || !name) {
        free(base);
        free(name);
        return 0;
    }
    nytp_target_leave(o);
    free(o->base);
    free(o->name);
    nytp_held_take(&o->file, fcntl(fd, F_DUPFD_CLOEXEC, fd));
    o->pid = (uint32_t)getpid();
    o->base = base;
    o->name = name;
    return 1;
}

void nytp_target_share(nytp_recorder *r, nytp_outlet *o) {
    int is_known = r->output.name && o->name && o->pid == (uint32_t)getpid() && strcmp(o->name, r->output.name) == 0;
    if (!r->front.outlet) atomic_fetch_add(&o->evals, r->files.evals);
    r->front.outlet = o;
    if (!r->output.writer || !r->output.name || (is_known && o->file.fd >= 0)) return;
    nytp_writer_shares(r->output.writer);
    nytp_buf used = {0};
    int fd = nytp_writer_duplicate(r->output.writer, 0);
    nytp_buf_bytes(&used, r->output.name, strlen(r->output.name) + 1);
    if (fd >= 0 && !used.failed && set_outlet(r, fd, &used)) {
        nytp_held_take(&o->second, nytp_writer_duplicate(r->output.writer, 1));
        memcpy(o->run, r->output.stream.run, sizeof o->run);
        nytp_budget_share(r);
    }
    nytp_buf_free(&used);
    if (fd >= 0) close(fd);
}

/* ---- a new file ---- */

void nytp_target_stay(nytp_recorder *r) {
    char here[PATH_MAX];
    int saved = errno;
    if (*r->output.base != '/' && !r->output.directory && getcwd(here, sizeof here)) r->output.directory = strdup(here);
    errno = saved;
}

void nytp_target_move(nytp_recorder *r) {
    free(r->output.directory);
    r->output.directory = NULL;
}

void nytp_target_base(const nytp_recorder *r, nytp_buf *path) {
    const char *directory = *r->output.base == '/' ? NULL : r->output.directory;
    if (directory) {
        nytp_buf_bytes(path, directory, strlen(directory));
        nytp_buf_byte(path, '/');
    }
    nytp_buf_bytes(path, r->output.base, strlen(r->output.base));
}

static void put_number(nytp_buf *b, long long value) {
    char text[32];
    int n = snprintf(text, sizeof text, ".%lld", value);
    nytp_buf_bytes(b, text, (size_t)n);
}

/* FILE[.PID][.SECONDS]; devices keep their name. A file of format 5 is one thread's, or the whole program's. */
static void compose_name(const nytp_recorder *r, nytp_buf *name) {
    nytp_target_base(r, name);
    if (strncmp(r->output.base, "/dev/", 5) != 0) {
        int is_part = r->output.is_thread && r->options->format == NYTP_OUTPUT_V5;
        if (r->options->addpid || r->output.forked || is_part) put_number(name, getpid());
        if (r->options->addtimestamp) put_number(name, (long long)time(NULL));
    }
    nytp_buf_byte(name, 0);
}

/* A child without a file of its parent has the same base name as its siblings. */
static int shares_name(const nytp_recorder *r) {
    return r->front.shares_name || (uint32_t)getpid() != r->output.opener;
}

/* Earlier files of this process must not be overwritten. The map has the hashes of their names: for a name that only
 * shares the hash of one, a file that is there is kept under another name instead of removed. */
static int flags_for(const nytp_recorder *r, const char *name) {
    int own = r->output.is_thread || nytp_map_get(&r->output.finished, nytp_str_hash(nytp_str_c(name))) != 0;
    return (own ? NYTP_OUTFILE_OWN : 0) | (shares_name(r) ? NYTP_OUTFILE_SHARED : 0);
}

void nytp_target_remove(const char *name) {
    struct stat st;
    if (lstat(name, &st) == 0 && S_ISREG(st.st_mode)) unlink(name);
}

static int open_new(const nytp_recorder *r, nytp_buf *used, nytp_error *e) {
    nytp_buf name = {0};
    int fd = -1;
    compose_name(r, &name);
    if (name.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else fd = nytp_outfile_open((const char *)name.p, flags_for(r, (const char *)name.p), used, e);
    nytp_buf_free(&name);
    if (fd < 0 || set_outlet(r, fd, used)) return fd;
    close(fd);
    nytp_target_remove((const char *)used->p);
    nytp_error_set(e, NYTP_NOMEM, "out of memory");
    return -1;
}

/* ---- the parent's file ---- */

static int is_parents(const nytp_recorder *r, int fd) {
    const nytp_held *parents = &r->output.inherited;
    struct stat st;
    return parents->fd >= 0 && fstat(fd, &st) == 0 && (uint64_t)st.st_dev == parents->dev &&
           (uint64_t)st.st_ino == parents->ino;
}

/* A chunk is one write, so the parent, the child and its siblings need no lock. */
static int open_parents(nytp_recorder *r, nytp_buf *used, nytp_error *e) {
    int fd = e->code == NYTP_IO ? nytp_held_duplicate(&r->output.inherited) : -1;
    if (fd < 0) return -1;
    nytp_buf_clear(used);
    nytp_buf_bytes(used, r->output.name, strlen(r->output.name) + 1);
    if (!used->failed && set_outlet(r, fd, used)) {
        *e = (nytp_error){0};
        return fd;
    }
    close(fd);
    return -1;
}

int nytp_target_open(nytp_recorder *r, nytp_buf *used, enum nytp_target *kind, nytp_error *e) {
    int fd = join_outlet(r, used, e);
    *kind = fd < 0 ? NYTP_TARGET_NEW : NYTP_TARGET_SHARED;
    if (fd < 0 && !e->code) fd = open_new(r, used, e);
    if (fd < 0) fd = open_parents(r, used, e);
    if (fd >= 0 && is_parents(r, fd)) *kind = NYTP_TARGET_PARENTS;
    return fd;
}
