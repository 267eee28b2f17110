/* SPDX-License-Identifier: MIT */
/* family.c - which captures a running program has by now. */
#include "cli/family.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "capture/job.h"
#include "cli/captures.h"

/* Seconds by which times of files may be behind this host's clock, as on a server of files. */
#define SLACK 60

void nytp_family_begin(nytp_family *f, const char *const *files, uint32_t files_n, uint64_t began) {
    *f = (nytp_family){.files = files, .files_n = files_n, .begin = nytp_captures_now(), .is_fresh = began != 0};
    if (!began) return;
    f->begin.tv_sec = (time_t)(began / NYTP_NANOSECONDS);
    f->begin.tv_nsec = (long)(began % NYTP_NANOSECONDS);
}

static int is_before(struct timespec a, struct timespec b) {
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

/* ---- names ---- */

/* The number of the process behind FILE in FILE.PID, or in FILE.PID.PID of a child's child; 0: it is another file. */
static long process_of(const char *path, size_t file) {
    const char *p = path + file;
    long number = 0;
    while (*p == '.' && isdigit((unsigned char)p[1])) {
        char *end;
        number = strtol(p + 1, &end, 10);
        p = end;
    }
    return *p ? 0 : number;
}

int nytp_family_is_file(const nytp_family *f, const nytp_member *m) {
    uint32_t i = 0;
    while (i < f->files_n && strcmp(f->files[i], m->path) != 0) i++;
    return i < f->files_n;
}

static nytp_member *member_of(const nytp_family *f, const char *path) {
    for (uint32_t i = 0; i < f->n; i++)
        if (strcmp(f->members[i].path, path) == 0) return &f->members[i];
    return NULL;
}

/* ---- members ---- */

/* Returns 1 if the path was taken over. */
static int add(nytp_family *f, char *path, nytp_error *e) {
    nytp_member *m = nytp_grow_owned(&f->members, f->n, &f->room, sizeof *m);
    if (!m) {
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
        return 0;
    }
    *m = (nytp_member){.path = path, .is_found = 1};
    f->n++;
    return 1;
}

static void drop(nytp_family *f, uint32_t i) {
    free(f->members[i].path);
    nytp_taken_free(&f->members[i].taken);
    f->n--;
    memmove(&f->members[i], &f->members[i + 1], (f->n - i) * sizeof *f->members);
}

/* A capture FILE.PID from before the family's begin is of an earlier run, unless its process is still there. */
static int is_ours(const nytp_family *f, const struct stat *st, const char *path, size_t file) {
    long process = process_of(path, file);
    int is_file = path[file] == 0, is_new = !is_before(st->st_mtim, f->begin);
    return is_file ? is_new || !f->is_fresh : process && (is_new || nytp_job_began(process));
}

void nytp_family_done(nytp_member *m) {
    m->is_done = 1;
    m->done = nytp_captures_now();
}

static void meet_again(nytp_member *m, const struct stat *st) {
    m->is_found = 1;
    if (m->is_done && is_before(m->done, st->st_mtim)) m->is_done = m->has_ended = m->is_last = 0;
}

/* Takes the path of a file that was changed since the latest look. */
static void meet(nytp_family *f, char *path, size_t file, nytp_error *e) {
    struct stat st;
    nytp_member *known = member_of(f, path);
    int is_there = !e->code && !stat(path, &st) && st.st_size;
    if (is_there && known) meet_again(known, &st);
    else if (is_there && is_ours(f, &st, path, file) && add(f, path, e)) return;
    free(path);
}

static void look_for(nytp_family *f, const char *file, nytp_error *e) {
    size_t n = 0;
    char **paths = nytp_captures_since(file, f->since, &n, e);
    for (size_t i = 0; i < n; i++) meet(f, paths[i], strlen(file), e);
    free(paths);
}

/* The file of a FILE need not have changed; nor need those of members that do nothing. */
static void forget(nytp_family *f) {
    struct stat st;
    for (uint32_t i = f->n; i-- > 0;) {
        nytp_member *m = &f->members[i];
        if (stat(m->path, &st) || (m->is_done && !m->is_found && !nytp_family_is_file(f, m))) drop(f, i);
    }
}

enum nytp_code nytp_family_look(nytp_family *f, nytp_error *e) {
    struct timespec now = nytp_captures_now();
    for (uint32_t i = 0; i < f->n; i++) f->members[i].is_found = 0;
    for (uint32_t i = 0; i < f->files_n && !e->code; i++) look_for(f, f->files[i], e);
    if (!e->code) forget(f);
    f->since = now;
    f->since.tv_sec -= SLACK;
    return e->code;
}

void nytp_family_end(nytp_family *f) {
    while (f->n) drop(f, f->n - 1);
    free(f->members);
    *f = (nytp_family){0};
}
