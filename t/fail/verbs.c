/* SPDX-License-Identifier: MIT */
/* verbs.c - the nytprof command with each of its allocations failing in turn, or with FAIL_AS each of its writes.
 * `verbs DIRECTORY VERB ARGUMENT...` runs a verb with its output below DIRECTORY/out, first without a failure, then
 * with the first, second and each further call failing, or with FAIL_STRIDE=N the first of each N. Each run has to end
 * with the output of the first run or with one line that names the failure, write no other files than the first run,
 * free all memory and close all files. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "cli/verbs.h"
#include "system.h"

static char out[400], fine[400], said[400], printed[400];
static char said_first[4096]; /* messages of the first run */
static const char *how;         /* writes fail; NULL: allocations do */
static int failures;

static void wrong(long n, const char *what, const char *detail) {
    printf("%s %ld: %s%s\n", how ? how : "allocation", n, what, detail);
    fflush(stdout);
    failures++;
}

/* ---- files ---- */

static char *slurp(const char *path, size_t *n) {
    static char bytes[2][4 << 20]; /* the contents of the two files */
    static int turn;
    char *p = bytes[turn = !turn];
    int fd = open(path, O_RDONLY);
    ssize_t got = fd < 0 ? -1 : read(fd, p, sizeof *bytes - 1);
    if (fd >= 0) close(fd);
    if (got < 0) return NULL;
    p[*n = (size_t)got] = '\0';
    return p;
}

/* What of a file is compared. A gzip file ends with the CRC and the length of its contents; where the library that is
 * preferred has no memory another one deflates them, to other bytes. */
static const char *essence(const char *p, size_t *n) {
    enum { TAIL = 8 };
    if (*n < TAIL || memcmp(p, "\x1F\x8B", 2) != 0) return p;
    p += *n - TAIL;
    *n = TAIL;
    return p;
}

static int are_same(const char *a, const char *b) {
    size_t a_n, b_n;
    const char *p = slurp(a, &a_n), *q = slurp(b, &b_n);
    if (!p || !q) return 0;
    p = essence(p, &a_n);
    q = essence(q, &b_n);
    return a_n == b_n && memcmp(p, q, a_n) == 0;
}

/* Called for each file in the directory `out`; path is its name, fine_path the name of the first run's file. */
static int each(void (*take)(const char *path, const char *fine_path, long n), long n) {
    char path[700], fine_path[700];
    int files = 0;
    DIR *d = opendir(out);
    for (const struct dirent *entry; d && (entry = readdir(d)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(path, sizeof path, "%s/%s", out, entry->d_name);
        snprintf(fine_path, sizeof fine_path, "%s/%s", fine, entry->d_name);
        take(path, fine_path, n);
        files++;
    }
    if (d) closedir(d);
    return files;
}

/* The list of a report's pages differs: it has the pages that could be written. */
static void compare(const char *path, const char *fine_path, long n) {
    if (strstr(path, "/.nytprof-pages")) return;
    if (!are_same(path, fine_path)) wrong(n, "not what it is with memory: ", path);
}

static void move_away(const char *path, const char *fine_path, long n) {
    if (rename(path, fine_path)) wrong(n, "cannot rename ", path);
}

static void remove_one(const char *path, const char *fine_path, long n) {
    (void)fine_path;
    if (unlink(path)) wrong(n, "cannot remove ", path);
}

static long reached; /* calls of the latest run */

static int count_descriptors(void) {
    int n = 0;
    for (int fd = 0; fd < 100; fd++) n += fcntl(fd, F_GETFD) != -1;
    return n;
}

/* ---- one run ---- */

static int redirect(int fd, const char *path) {
    int kept = dup(fd), to = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (to < 0 || dup2(to, fd) < 0) abort();
    close(to);
    return kept;
}

static void restore(int fd, int kept) {
    dup2(kept, fd);
    close(kept);
}

/* Copies the arguments, as parsing changes their order. */
static int run(int argc, char **argv, long n) {
    char *arguments[20] = {NULL};
    nytp_verb v = nytp_verbs_find(argv[0]);
    memcpy(arguments, argv, (size_t)argc * sizeof *argv);
    int kept[] = {redirect(1, printed), redirect(2, said)};
    if (how) system_fail_at(how, n);
    else alloc_fail_at(n);
    int status = nytp_verbs_run(&v, argc, arguments);
    fflush(stdout);
    if (how) reached = system_count(), system_fail_at(how, 0);
    else reached = alloc_count();
    restore(1, kept[0]);
    restore(2, kept[1]);
    return status;
}

/* The messages behind those of the first run. */
static int is_one_line(const char *text) {
    size_t n = strlen(said_first);
    if (strncmp(text, said_first, n) == 0) text += n;
    const char *newline = strchr(text, '\n');
    const char *why = how ? strerror(strcmp(how, "eio") == 0 ? EIO : ENOSPC) : "out of memory";
    return newline && !newline[1] && strstr(text, why) && strncmp(text, "nytprof: ", 9) == 0;
}

static void check(int status, int files, long n) {
    char first[420];
    size_t length = 0;
    int there = each(compare, n);
    snprintf(first, sizeof first, "%s.first", printed);
    if (status == 0 && (there != files || !are_same(printed, first))) wrong(n, "output is missing", "");
    const char *text = slurp(said, &length);
    int may_fail = !how || (strcmp(how, "short") != 0 && strcmp(how, "eintr") != 0);
    if (status != 0 && !may_fail) wrong(n, "is no failure, but ", text);
    else if (status != 0 && !is_one_line(text ? text : "")) wrong(n, "says ", text);
}

static void run_with_failure(int argc, char **argv, int files, long n) {
    long live = alloc_live();
    int descriptors = count_descriptors();
    int status = run(argc, argv, n);
    int is_reached = reached >= n;
    if (alloc_live() != live) wrong(n, "memory is lost", "");
    if (count_descriptors() != descriptors) wrong(n, "a file stays open", "");
    if (is_reached) check(status, files, n);
    each(remove_one, n);
}

/* ---- all ---- */

int main(int argc, char **argv) {
    char first[420];
    if (argc < 3) return 2;
    snprintf(out, sizeof out, "%.300s/out", argv[1]);
    snprintf(fine, sizeof fine, "%.300s/fine", argv[1]);
    snprintf(said, sizeof said, "%.300s/said", argv[1]);
    snprintf(printed, sizeof printed, "%.300s/printed", argv[1]);
    snprintf(first, sizeof first, "%s.first", printed);
    if (mkdir(out, 0700) || mkdir(fine, 0700)) return 2;
    how = getenv("FAIL_AS");
    const char *only = getenv("FAIL_ONLY"), *stride = getenv("FAIL_STRIDE");
    int status = run(argc - 2, argv + 2, 0);
    long all = reached, from = only ? atol(only) : 1, to = only ? from : all, by = stride ? atol(stride) : 1;
    int files = each(move_away, 0);
    size_t length = 0;
    snprintf(said_first, sizeof said_first, "%s", slurp(said, &length));
    if (status != 0 || rename(printed, first)) wrong(0, "does not run at all", "");
    for (long n = from; n <= to && failures < 10; n += by) run_with_failure(argc - 2, argv + 2, files, n);
    printf("%ld %ss, %d files, %d wrong\n", all, how ? "write" : "allocation", files, failures);
    return failures != 0;
}
