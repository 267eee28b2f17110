/* Preloaded, for t/perl-source.t: how often a process calls stat is the last line of its standard error. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/stat.h>

static long stats;

int stat(const char *restrict path, struct stat *restrict st) {
    int (*real)(const char *, struct stat *);
    *(void **)&real = dlsym(RTLD_NEXT, "stat");
    stats++;
    return real(path, st);
}

int stat64(const char *restrict path, struct stat64 *restrict st) {
    int (*real)(const char *, struct stat64 *);
    *(void **)&real = dlsym(RTLD_NEXT, "stat64");
    stats++;
    return real(path, st);
}

static __attribute__((destructor)) void report(void) { fprintf(stderr, "%ld stats\n", stats); }
