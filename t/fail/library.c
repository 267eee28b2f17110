/* SPDX-License-Identifier: MIT */
/* library.c - libnytprof with each of its allocations failing in turn. `library FILE...` loads the files, then reads
 * each record by record; either ends as it does with memory, or with an error that says so, and frees all memory. With
 * FAIL_STRIDE=N the first of each N allocations fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "api/read.h"

static int failures;

static void wrong(long n, const char *what) {
    printf("allocation %ld: %s\n", n, what);
    failures++;
}

/* A number that stands for all that was read; -1: an error. */
static int64_t load(const char *const *paths, uint32_t n, nytprof_error *e) {
    nytprof_totals t;
    nytprof_profile *p = nytprof_load(paths, n, NYTPROF_OUTSIDE | NYTPROF_FROM_DISK, e);
    if (!p) return -1;
    nytprof_get_totals(p, &t, sizeof t);
    nytprof_free(p);
    return t.statements + t.calls + t.nodes + t.pairs + t.notes;
}

static int64_t read_all(const char *const *paths, uint32_t n, nytprof_error *e) {
    nytprof_record record;
    int64_t records = 0;
    int more = 0;
    for (uint32_t i = 0; i < n && more == 0; i++) {
        nytprof_reader *r = nytprof_open(paths[i], NYTPROF_CORRECTED, e);
        if (!r) return -1;
        while ((more = nytprof_next(r, &record, sizeof record, e)) > 0) records++;
        nytprof_close(r);
    }
    return more < 0 ? -1 : records;
}

static void try_all(int64_t (*way)(const char *const *, uint32_t, nytprof_error *), const char *const *paths,
                    uint32_t n) {
    nytprof_error e;
    alloc_fail_at(0);
    int64_t fine = way(paths, n, &e);
    long all = alloc_count(), live = alloc_live();
    const char *stride = getenv("FAIL_STRIDE");
    if (fine < 0) wrong(0, e.text);
    for (long at = 1; at <= all && failures < 10; at += stride ? atol(stride) : 1) {
        alloc_fail_at(at);
        int64_t got = way(paths, n, &e);
        if (alloc_live() != live) wrong(at, "memory is lost");
        if (got < 0 && (e.code != NYTPROF_NO_MEMORY || !strstr(e.text, "out of memory"))) wrong(at, e.text);
        if (got >= 0 && got != fine) wrong(at, "something is missing, without an error");
    }
    printf("%ld allocations, %d wrong\n", all, failures);
}

int main(int argc, char **argv) {
    const char *const *paths = (const char *const *)(argv + 1);
    if (argc < 2) return 2;
    try_all(load, paths, (uint32_t)(argc - 1));
    try_all(read_all, paths, (uint32_t)(argc - 1));
    return failures != 0;
}
