/* SPDX-License-Identifier: MIT */
/* watch.c - captures that grow while they are looked at. A capture is read anew as a whole when it has changed: that
 * takes some milliseconds, and nothing can be missed. */
#include "cli/watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ticks.h"
#include "capture/clock.h"
#include "capture/format.h"
#include "model/load.h"
#include "model/source.h"
#include "report/escape.h"
#include "report/page.h"
#include "report/text.h"

#define PATH 4096
#define CLOCKS_DIFFER 0.5 /* seconds that a program's first readings and the system's clock may be apart */

/* ---- which captures ---- */

static int is_number(const char *text) {
    size_t n = strspn(text, "0123456789");
    return n > 0 && n < 10 && !text[n];
}

static int is_capture(const char *path) {
    char first[sizeof NYTP_FORMAT_FIRST_LINE] = "";
    struct stat st;
    int fd = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t n = fd < 0 ? -1 : read(fd, first, sizeof first - 1);
    if (fd >= 0) close(fd);
    return n == (ssize_t)sizeof first - 1 && strcmp(first, NYTP_FORMAT_FIRST_LINE) == 0;
}

/* A file that the process has open, by its name: through /proc it could not be found again. */
static int capture_at(const char *directory, const char *name, char path[PATH]) {
    char link[PATH];
    snprintf(link, sizeof link, "%s/%s", directory, name);
    ssize_t n = readlink(link, path, PATH - 1);
    if (n <= 0) return 0;
    path[n] = '\0';
    return path[0] == '/' && is_capture(path);
}

static enum nytp_code add_path(nytp_watch *w, const char *path) {
    nytp_str kept = nytp_arena_str(&w->names, nytp_str_c(path));
    char *text = nytp_arena_get(&w->names, kept.n + 1);
    const char **paths = (const char **)nytp_arena_get(&w->names, (w->paths_n + 1u) * sizeof *paths);
    if (!kept.p || !text || !paths) return NYTP_NOMEM;
    memcpy(text, path, kept.n);
    text[kept.n] = '\0';
    for (uint32_t i = 0; i < w->paths_n; i++) paths[i] = w->paths[i];
    paths[w->paths_n++] = text;
    w->paths = paths;
    return NYTP_OK;
}

static int is_known(const nytp_watch *w, const char *path) {
    for (uint32_t i = 0; i < w->paths_n; i++)
        if (strcmp(w->paths[i], path) == 0) return 1;
    return 0;
}

static enum nytp_code add_captures_of(nytp_watch *w, const char *number, nytp_error *e) {
    char directory[64], path[PATH];
    snprintf(directory, sizeof directory, "/proc/%s/fd", number);
    DIR *all = opendir(directory);
    if (!all && errno == ENOENT) return nytp_error_set(e, NYTP_IO, "there is no process %s", number);
    if (!all) return nytp_error_sys(e, "%s", directory);
    enum nytp_code code = NYTP_OK;
    for (struct dirent *entry; !code && (entry = readdir(all));)
        if (capture_at(directory, entry->d_name, path) && !is_known(w, path)) code = add_path(w, path);
    closedir(all);
    if (code) return nytp_error_set(e, code, "out of memory");
    if (w->paths_n) return NYTP_OK;
    return nytp_error_set(e, NYTP_FORMAT, "process %s writes no capture: expected one that was started by `nytprof "
                          "run` or with the profiler loaded", number);
}

enum nytp_code nytp_watch_begin(nytp_watch *w, const char *const *arguments, uint32_t n, nytp_error *e) {
    struct stat st;
    if (n == 1 && is_number(arguments[0]) && stat(arguments[0], &st)) {
        if (add_captures_of(w, arguments[0], e)) return e->code;
    } else {
        w->paths = arguments;
        w->paths_n = n;
    }
    w->files = nytp_arena_get(&w->names, w->paths_n * sizeof *w->files);
    return w->files ? NYTP_OK : nytp_error_set(e, NYTP_NOMEM, "out of memory");
}

/* ---- reading ---- */

/* 1 if a file is another one than when it was read. */
static int look(nytp_watch *w) {
    int is_new = 0;
    for (uint32_t i = 0; i < w->paths_n; i++) {
        struct stat st;
        if (stat(w->paths[i], &st)) continue; /* it is gone: what was read stays */
        nytp_watched now = {(int64_t)st.st_size, (int64_t)st.st_mtim.tv_sec * NYTP_NANOSECONDS + st.st_mtim.tv_nsec,
                            (uint64_t)st.st_ino};
        nytp_watched *then = &w->files[i];
        is_new |= now.size != then->size || now.mtime != then->mtime || now.inode != then->inode;
        *then = now;
    }
    return is_new;
}

/* Nanoseconds from the first process's beginning to the last data. */
static uint64_t length_of(const nytp_profile *p) {
    uint64_t first = nytp_profile_first_start(p), longest = 0;
    for (uint32_t i = 0; i < p->processes_n; i++) {
        double elapsed = nytp_profile_seconds(p, p->processes[i].elapsed);
        uint64_t end = nytp_profile_began(&p->processes[i], first) + (uint64_t)(elapsed > 0 ? elapsed * 1e9 : 0);
        if (end > longest) longest = end;
    }
    return longest;
}

static double cpu_seconds(void) {
    struct timespec t;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) ? 0 : (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* From so many nanoseconds on. *p is empty if that fails. */
static enum nytp_code load(const nytp_watch *w, nytp_profile *p, uint64_t from, nytp_error *e) {
    nytp_load_options options = {.tell_outside = 1, .from = from};
    nytp_source_from sources = {0};
    if (!nytp_load(p, w->paths, w->paths_n, &options, e) && nytp_source_find(p, &sources))
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (e->code) nytp_profile_close(p);
    return e->code;
}

/* How long the run is tells where its last seconds begin. */
static enum nytp_code load_end(nytp_watch *w, nytp_profile *p, double seconds, nytp_error *e) {
    uint64_t last = seconds > 0 ? (uint64_t)(seconds * 1e9) : UINT64_MAX;
    if (load(w, p, 0, e)) return e->code;
    uint64_t length = length_of(p);
    w->seconds = (double)(last < length ? last : length) / 1e9;
    if (last >= length) return NYTP_OK;
    nytp_profile_close(p);
    return load(w, p, length - last, e);
}

int nytp_watch_read(nytp_watch *w, double seconds, nytp_error *e) {
    nytp_profile p;
    if (!look(w) && w->has_profile && seconds >= w->asked && seconds <= w->asked) return 0;
    double begun = cpu_seconds();
    if (load_end(w, &p, seconds, e)) {
        memset(w->files, 0, w->paths_n * sizeof *w->files); /* they are read again, and the error told */
        return 0;
    }
    if (w->has_profile) nytp_profile_close(&w->profile);
    w->profile = p;
    w->has_profile = 1;
    w->asked = seconds;
    w->took = cpu_seconds() - begun;
    return 1;
}

/* ---- what it is about ---- */

/* No process that is in the profile goes on. */
static int has_ended(const nytp_watch *w) {
    for (uint32_t i = 0; i < w->profile.processes_n; i++)
        if (w->profile.processes[i].ending == NYTP_ENDING_RUNNING) return 0;
    return 1;
}

/* ns since the epoch of the last data. */
static uint64_t last_data(const nytp_profile *p) {
    uint64_t last = 0;
    for (uint32_t i = 0; i < p->processes_n; i++) {
        double elapsed = nytp_profile_seconds(p, p->processes[i].elapsed);
        uint64_t end = p->processes[i].start + (uint64_t)(elapsed > 0 ? elapsed * 1e9 : 0);
        if (end > last) last = end;
    }
    return last;
}

void nytp_watch_title(nytp_buf *out, const nytp_watch *w) {
    const nytp_profile *p = &w->profile;
    double age = ((double)nytp_clock_epoch_ns() - (double)last_data(p)) / 1e9;
    if (!p->processes_n) return;
    nytp_escape_text(out, p->processes[0].program);
    nytp_text_around(out, " (process ", p->processes[0].id.pid, "");
    if (p->processes_n > 1) nytp_text_around(out, " and ", p->processes_n - 1, " more");
    nytp_text_put(out, "), ");
    if (w->asked > 0) nytp_text_format(out, "last %.3g s", w->asked < w->seconds ? w->asked : w->seconds);
    else nytp_text_put(out, "since its start");
    if (has_ended(w)) nytp_text_put(out, ", ended");
    else if (age > -CLOCKS_DIFFER) nytp_text_format(out, ", %.1f s ago", age > 0 ? age : 0);
}

void nytp_watch_end(nytp_watch *w) {
    if (w->has_profile) nytp_profile_close(&w->profile);
    nytp_arena_free(&w->names);
    *w = (nytp_watch){0};
}
