/* SPDX-License-Identifier: MIT */
/* captures.c - the captures that a run has written: FILE and FILE.*. */
#include "cli/captures.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/store.h"

#ifndef CLOCK_REALTIME_COARSE
#define CLOCK_REALTIME_COARSE CLOCK_REALTIME
#endif

struct timespec nytp_captures_now(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return now;
}

static int is_fresh(const char *path, struct timespec since) {
    struct stat st;
    if (stat(path, &st) || !S_ISREG(st.st_mode)) return 0;
    return st.st_mtim.tv_sec != since.tv_sec ? st.st_mtim.tv_sec > since.tv_sec : st.st_mtim.tv_nsec >= since.tv_nsec;
}

/* NAME itself, or NAME and a dot with more behind, but not the store. */
static int is_named_after(const char *entry, const char *name) {
    size_t n = strlen(name);
    return strncmp(entry, name, n) == 0 && (entry[n] == 0 || entry[n] == '.') &&
           strcmp(entry + n, NYTP_STORE_SUFFIX) != 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "DIRECTORY/ENTRY"; `directory` is the length of the first part of file, with its slash. */
static char *join(const char *file, size_t directory, const char *entry) {
    size_t room = directory + strlen(entry) + 1;
    char *path = malloc(room);
    if (path) snprintf(path, room, "%.*s%s", (int)directory, file, entry);
    return path;
}

/* Takes ownership of path, also when memory is short. */
static int keep(char ***names, size_t *n, char *path) {
    char **more = path ? realloc(*names, (*n + 2) * sizeof *more) : NULL;
    if (more) {
        *names = more;
        more[(*n)++] = path;
        more[*n] = NULL;
        return 1;
    }
    free(path);
    return 0;
}

char **nytp_captures_since(const char *file, struct timespec since, size_t *n, nytp_error *e) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    size_t directory = (size_t)(name - file);
    char *open_at = join(file, directory, "."), **names = calloc(1, sizeof *names);
    DIR *dir = open_at ? opendir(open_at) : NULL;
    *n = 0;
    if (!open_at || !names) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    for (struct dirent *entry; dir && !e->code && (entry = readdir(dir));) {
        if (!is_named_after(entry->d_name, name)) continue;
        char *path = join(file, directory, entry->d_name);
        if (path && !is_fresh(path, since)) free(path);
        else if (!keep(&names, n, path)) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    }
    if (dir) closedir(dir);
    free(open_at);
    if (names) qsort(names, *n, sizeof *names, by_name);
    return names;
}

/* ---- before the run ---- */

/* Writing nothing asks the device, without effect. */
static int is_writable(const char *device) {
    int fd = open(device, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int is_fine = fd >= 0 && write(fd, "", 0) >= 0, number = errno;
    if (fd >= 0) close(fd);
    errno = number;
    return is_fine;
}

enum nytp_code nytp_captures_check(const char *file, nytp_error *e) {
    const char *slash = strrchr(file, '/');
    struct stat st = {0};
    int is_there = stat(file, &st) == 0, is_fine = 1;
    if (strcmp(file, "-") == 0)
        return nytp_error_set(e, NYTP_IO, "run: the profile needs a file: standard output is the program's");
    if (is_there && S_ISCHR(st.st_mode)) is_fine = is_writable(file);
    else if (is_there && S_ISDIR(st.st_mode)) is_fine = 0, errno = EISDIR;
    else if (!is_there || S_ISREG(st.st_mode)) {
        char *directory = join(file, slash ? (size_t)(slash - file) + 1 : 0, ".");
        if (!directory) return nytp_error_set(e, NYTP_NOMEM, "out of memory");
        is_fine = access(directory, W_OK | X_OK) == 0;
        free(directory);
    }
    return is_fine ? NYTP_OK : nytp_error_sys(e, "run: cannot write %s", file);
}
