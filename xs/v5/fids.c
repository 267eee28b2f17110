/* SPDX-License-Identifier: MIT */
/* fids.c - files by their numbers in format 5. A file is emitted when it gets its number, its source line by line. */
#include "v5/fids.h"

#include <string.h>

#define LARGEST_KEPT (1u << 20) /* a hostile capture may use any numbers */
#define KNOWN_FLAGS 511u        /* flags of format 5; the others are for captures only */

typedef struct file {
    nytp_str name;    /* p is NULL if no file has this fid */
    uint32_t parent;  /* of an eval */
    uint64_t lines;   /* lines of its source emitted so far */
} file;

static file *file_at(const nytp_fids *f, uint32_t fid) { return (file *)f->files.p + fid; }

static uint32_t limit(const nytp_fids *f) { return (uint32_t)(f->files.n / sizeof(file)); }

void nytp_fids_close(nytp_fids *f) {
    nytp_arena_free(&f->names);
    nytp_buf_free(&f->files);
    nytp_table_free(&f->by_name);
}

/* The file's id in the capture if it is free as a fid, so that a forked child's files have their parent's fids; else
 * the next fid. */
static uint32_t choose(const nytp_fids *f, uint64_t id) {
    uint32_t n = limit(f) ? limit(f) : 1;

    if (id >= n) return id < LARGEST_KEPT ? (uint32_t)id : n;
    return !id || file_at(f, (uint32_t)id)->name.p ? n : (uint32_t)id;
}

/* 0 when memory is short. */
static int put(nytp_fids *f, uint32_t fid, nytp_str name, uint32_t parent) {
    const file none = {0};

    while (limit(f) <= fid && !f->files.failed) nytp_buf_bytes(&f->files, &none, sizeof none);
    name = nytp_arena_str(&f->names, name);
    if (f->files.failed || !name.p) return 0;
    *file_at(f, fid) = (file){name, parent, 0};
    return 1;
}

static uint32_t add(nytp_fids *f, const nytp_rec_file *from, uint32_t parent, nytp_emitter *to) {
    uint32_t fid = choose(f, from->id);
    nytp_v5_event e = {.tag = NYTP_V5_NEW_FID, .utf8 = from->flags & NYTP_FILE_UTF8 ? NYTP_V5_UTF8 : 0};

    if (!put(f, fid, from->name, parent)) {
        nytp_emitter_no_memory(to);
        return 0;
    }
    e.u.fid = (nytp_v5_fid){.fid = fid, .eval_fid = parent, .eval_line = parent ? (uint32_t)from->parent_line : 0,
                            .flags = (uint32_t)from->flags & KNOWN_FLAGS, .name = file_at(f, fid)->name};
    nytp_emitter_event(to, &e);
    return fid;
}

static int is_named(const void *of, uint32_t fid, const void *name) {
    return nytp_str_eq(file_at(of, fid)->name, *(const nytp_str *)name);
}

/* The address of the fid of the plain file of that name; 0 there if the file is new. */
static uint32_t *find(nytp_fids *f, nytp_str name) {
    return nytp_table_at(&f->by_name, nytp_str_hash(name), is_named, f, &name);
}

uint32_t nytp_fids_add(nytp_fids *f, const nytp_rec_file *from, uint32_t parent, nytp_emitter *to) {
    uint32_t *at = parent ? NULL : find(f, from->name);

    if (parent) return add(f, from, parent, to);
    if (!at) nytp_emitter_no_memory(to);
    else if (!*at) *at = add(f, from, 0, to);
    return at ? *at : 0;
}

uint32_t nytp_fids_parent(const nytp_fids *f, uint32_t fid) { return fid ? file_at(f, fid)->parent : 0; }

uint32_t nytp_fids_first(const nytp_fids *f) {
    for (uint32_t fid = 1; fid < limit(f); fid++)
        if (file_at(f, fid)->name.p) return fid;
    return 0;
}

void nytp_fids_source(nytp_fids *f, uint32_t fid, const nytp_rec_source *from, nytp_emitter *to) {
    nytp_v5_event e = {.tag = NYTP_V5_SRC_LINE};
    nytp_str rest = from->text;

    for (uint64_t line = from->first_line; fid && rest.n && line < UINT32_MAX; line++) {
        const char *newline = memchr(rest.p, '\n', rest.n);
        nytp_str text = {rest.p, newline ? (size_t)(newline + 1 - rest.p) : rest.n};

        rest = (nytp_str){rest.p + text.n, rest.n - text.n};
        if (line <= file_at(f, fid)->lines) continue;
        file_at(f, fid)->lines = line;
        e.u.line = (nytp_v5_line){fid, (uint32_t)line, text};
        nytp_emitter_event(to, &e);
    }
}
