/* SPDX-License-Identifier: MIT */
/* scratch.h - a directory for the files of a test, removed when the process that made it ends. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch_directory[400];
static pid_t scratch_owner;

/* Forked children of the test may end by exit(), too. */
static inline void scratch_remove(void) {
    DIR *dir = getpid() == scratch_owner ? opendir(scratch_directory) : NULL;
    if (!dir) return;
    for (const struct dirent *i; (i = readdir(dir));) unlinkat(dirfd(dir), i->d_name, 0);
    closedir(dir);
    rmdir(scratch_directory);
}

/* Makes the directory, under $TMPDIR. Returns its name; aborts if it cannot be made. */
static inline const char *scratch_make(void) {
    const char *tmp = getenv("TMPDIR");
    snprintf(scratch_directory, sizeof scratch_directory, "%s/nytp-test-XXXXXX", tmp ? tmp : P_tmpdir);
    if (!mkdtemp(scratch_directory) || atexit(scratch_remove)) abort();
    scratch_owner = getpid();
    return scratch_directory;
}

/* The name of a file in it, which need not be there. */
#define SCRATCH_NAME (sizeof scratch_directory + 20)
static inline void scratch_name(char name[SCRATCH_NAME], const char *file) {
    snprintf(name, SCRATCH_NAME, "%s/%.18s", scratch_owner ? scratch_directory : scratch_make(), file);
}

#endif
