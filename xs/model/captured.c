/* SPDX-License-Identifier: MIT */
/* captured.c - the captures of programs in Perl, Lua and Ruby that a build has run. */
#include "model/captured.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "capture/beside.h"
#include "capture/reader.h"

#define RECORDS_MOST 64u                     /* at the beginning of a capture, among which is the property */
#define BYTES_MOST (16 * NYTP_BESIDE_MOST)   /* of all captures; at most 16,000 of them */
#define CLOCKS_APART INT64_C(1000000000)     /* ns by which a program may begin before its process: clocks are set */

struct nytp_captures {
    nytp_captured *list; /* by process, then by start */
    uint32_t n, room;
    nytp_arena arena;
};

/* ---- one capture ---- */

static uint64_t number_of(nytp_str digits) {
    uint64_t number = 0;
    for (size_t i = 0; i < digits.n; i++) {
        if (digits.p[i] < '0' || digits.p[i] > '9' || i > 18) return 0;
        number = 10 * number + (uint64_t)(digits.p[i] - '0');
    }
    return number;
}

/* Its process_start stands ahead of the property. Returns 1 if it has both. */
static int take_record(nytp_captures *c, nytp_captured *new, const nytp_reader *reader, const nytp_record *r) {
    if (r->kind == NYTP_REC_PROCESS_START) {
        new->program = nytp_arena_str(&c->arena, r->u.process_start.program);
        new->start = (int64_t)r->u.process_start.start;
        new->pid = nytp_reader_stream(reader, r->stream)->pid;
    }
    if (r->kind != NYTP_REC_PROPERTY || !nytp_str_eq(r->u.pair.key, NYTP_LIT("build"))) return 0;
    new->process = number_of(r->u.pair.value);
    return new->process && new->program.p;
}

/* Owns fd. */
static int read_capture(nytp_captures *c, nytp_captured *new, const char *path, int fd) {
    nytp_error e = {0};
    nytp_bytes bytes;
    nytp_record r;
    int is_found = 0;
    nytp_bytes_from(&bytes, path, fd);
    nytp_reader *reader = nytp_reader_from(&bytes, &e);
    for (uint32_t i = 0; reader && !is_found && i < RECORDS_MOST && nytp_reader_next(reader, &r) > 0; i++)
        if (r.kind != NYTP_REC_DAMAGE) is_found = take_record(c, new, reader, &r);
    nytp_reader_close(reader);
    return is_found;
}

/* Returns 0 for want of memory. */
static int look_at(nytp_captures *c, const char *build, const char *name, int64_t *budget) {
    nytp_captured new = {0};
    nytp_buf path = {0};
    int fd = nytp_beside_open(build, nytp_str_c(name), budget, &path), is_fine = !path.failed;
    if (fd >= 0 && read_capture(c, &new, (const char *)path.p, fd)) {
        nytp_captured *to = nytp_grow(&c->arena, &c->list, c->n, &c->room, sizeof *to);
        new.path = nytp_arena_str(&c->arena, (nytp_str){(const char *)path.p, path.n - 1}).p;
        is_fine = to && new.path;
        if (is_fine) *to = new, c->n++;
    }
    nytp_buf_free(&path);
    return is_fine;
}

/* ---- all of them ---- */

static int compare(const void *a, const void *b) {
    const nytp_captured *x = a, *y = b;
    if (x->process != y->process) return x->process < y->process ? -1 : 1;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return strcmp(x->path, y->path);
}

static DIR *open_directory(nytp_captures *c, const char *build) {
    const char *slash = strrchr(build, '/');
    if (!slash) return opendir(".");
    nytp_str name = nytp_arena_str(&c->arena, (nytp_str){build, (size_t)(slash + 1 - build)});
    return name.p ? opendir(name.p) : NULL;
}

/* FILE.out and FILE.out.PID, as `nytprof make` names them. */
static int is_name(const char *name, const char *base) {
    size_t n = strlen(base);
    if (strncmp(name, base, n) != 0 || strncmp(name + n, ".out", 4) != 0) return 0;
    return name[n + 4] == 0 || name[n + 4] == '.';
}

nytp_captures *nytp_captured_find(const char *build) {
    nytp_captures *c = calloc(1, sizeof *c);
    DIR *directory = c ? open_directory(c, build) : NULL;
    const char *slash = strrchr(build, '/'), *base = slash ? slash + 1 : build;
    int64_t budget = BYTES_MOST;
    int is_fine = c != NULL;
    for (struct dirent *entry; directory && is_fine && (entry = readdir(directory));)
        if (is_name(entry->d_name, base)) is_fine = look_at(c, build, entry->d_name, &budget);
    if (directory) closedir(directory);
    if (is_fine && c->n) qsort(c->list, c->n, sizeof *c->list, compare);
    if (is_fine) return c;
    nytp_captured_free(c);
    return NULL;
}

/* An older build of another boot of the machine may have had a process of that start. */
static int is_of(const nytp_captured *capture, const nytp_built *process) {
    return capture->process == process->start && capture->start + CLOCKS_APART >= process->began;
}

const nytp_captured *nytp_captured_of(const nytp_captures *c, const nytp_built *process, uint32_t *n) {
    uint32_t from = 0, until = c->n;
    *n = 0;
    while (from < until) {
        uint32_t middle = from + (until - from) / 2;
        if (c->list[middle].process < process->start) from = middle + 1;
        else until = middle;
    }
    while (from < c->n && c->list[from].process == process->start && !is_of(&c->list[from], process)) from++;
    while (from + *n < c->n && is_of(&c->list[from + *n], process)) ++*n;
    return *n ? &c->list[from] : NULL;
}

uint32_t nytp_captured_count(const nytp_captures *c) { return c->n; }

void nytp_captured_free(nytp_captures *c) {
    if (!c) return;
    nytp_arena_free(&c->arena);
    free(c);
}
