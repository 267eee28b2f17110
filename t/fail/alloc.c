/* SPDX-License-Identifier: MIT */
/* alloc.c - malloc and its kin, which can fail: the linker replaces calls of malloc by __wrap_malloc. */
#include "alloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__real_malloc(size_t n);
void *__real_calloc(size_t count, size_t n);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t count, size_t n);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);
char *__wrap_strndup(const char *s, size_t n);
char *__wrap_strdup(const char *s);
char *__wrap___strndup(const char *s, size_t n);
char *__wrap___strdup(const char *s);

static atomic_long count, chosen, live; /* programs have threads */
static pid_t beginner;

void alloc_fail_at(long n) {
    count = 0;
    chosen = n;
}

long alloc_count(void) { return count; }

long alloc_live(void) { return live; }

static int is_refused(void) {
    if (++count != chosen) return 0;
    errno = ENOMEM;
    return 1;
}

static void *counted(void *p) {
    live += p != NULL;
    return p;
}

void *__wrap_malloc(size_t n) { return is_refused() ? NULL : counted(__real_malloc(n)); }

void *__wrap_calloc(size_t n, size_t size) { return is_refused() ? NULL : counted(__real_calloc(n, size)); }

void *__wrap_realloc(void *p, size_t n) {
    if (is_refused()) return NULL;
    return p ? __real_realloc(p, n) : counted(__real_malloc(n));
}

void __wrap_free(void *p) {
    live -= p != NULL;
    __real_free(p);
}

char *__wrap_strndup(const char *s, size_t n) {
    size_t length = strnlen(s, n);
    char *copy = __wrap_malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, s, length);
    copy[length] = '\0';
    return copy;
}

char *__wrap_strdup(const char *s) { return __wrap_strndup(s, strlen(s)); }

/* glibc before 2.26 has macros in the place of the two, which call these. */
char *__wrap___strndup(const char *s, size_t n) { return __wrap_strndup(s, n); }

char *__wrap___strdup(const char *s) { return __wrap_strdup(s); }

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAIL_AT");
    beginner = getpid();
    if (at && !getenv("FAIL_AS")) alloc_fail_at(atol(at));
}

__attribute__((destructor)) static void end(void) {
    const char *name = getenv("FAIL_AS") ? NULL : getenv("FAIL_COUNT");
    FILE *out = name && getpid() == beginner ? fopen(name, "w") : NULL;
    if (!out) return;
    fprintf(out, "%ld %ld\n", alloc_count(), alloc_live());
    fclose(out);
}
