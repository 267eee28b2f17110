/* SPDX-License-Identifier: MIT */
/* stored.c - source in the store beside the captures of a job. */
#include "model/stored.h"

#include <inttypes.h>
#include <string.h>

#include "capture/beside.h"
#include "capture/store.h"
#include "model/notes.h"

static int is_wanted(const nytp_file *f) { return f->stored && !f->source_lines; }

enum nytp_code nytp_stored_refer(nytp_loader *l, uint32_t file, nytp_str key) {
    uint64_t number = file ? nytp_store_number(key) : 0;
    nytp_file *f = &l->p->files[file];
    if (!number || f->source_lines) return NYTP_OK;
    uint32_t *at = nytp_map_at(&l->wanted, number);
    if (!f->stored) f->stored = nytp_arena_get(&l->p->arena, NYTP_STORE_KEY);
    if (!at || !f->stored) return nytp_loader_no_memory(l);
    memcpy(f->stored, key.p, NYTP_STORE_KEY);
    *at = file + 1;
    return NYTP_OK;
}

enum nytp_code nytp_stored_text(nytp_loader *l, const nytp_rec_text *r) {
    uint32_t index = nytp_map_get(&l->wanted, nytp_store_number(r->key));
    nytp_file *f = index ? &l->p->files[index - 1] : NULL;
    const nytp_rec_source all = {0, 1, r->text};
    l->has_texts = 1;
    if (!f || !is_wanted(f) || memcmp(f->stored, r->key.p, NYTP_STORE_KEY) != 0) return NYTP_OK;
    return nytp_loader_text(l, f, &all);
}

static uint32_t count_wanted(const nytp_loader *l) {
    uint32_t n = 0;
    for (uint32_t i = 1; i < l->p->files_n; i++) n += is_wanted(&l->p->files[i]);
    return n;
}

/* Damage in the store is ignored, as it is not part of the profile. */
static void read_store(nytp_loader *l, const char *path, int fd) {
    nytp_error e = {0};
    nytp_bytes bytes;
    nytp_record r;
    int code = NYTP_OK;
    nytp_bytes_from(&bytes, path, fd);
    nytp_reader *reader = nytp_reader_from(&bytes, &e);
    while (reader && !code && nytp_reader_next(reader, &r) > 0)
        if (r.kind == NYTP_REC_TEXT) code = nytp_stored_text(l, &r.u.text);
    if (reader) e = *nytp_reader_error(reader);
    if (e.code == NYTP_NOMEM) nytp_loader_no_memory(l);
    nytp_reader_close(reader);
}

/* 1 if there was a store to look into. */
static int look_in(nytp_loader *l, const char *capture, nytp_str name, int64_t *budget) {
    nytp_buf path = {0};
    int fd = nytp_beside_open(capture, name, budget, &path);
    if (fd >= 0) read_store(l, (const char *)path.p, fd);
    if (path.failed) nytp_loader_no_memory(l);
    nytp_buf_free(&path);
    return fd >= 0;
}

/* Reads the capture again for texts that came before their references. A pipe cannot be read again. */
static void look_in_itself(nytp_loader *l, const char *path) {
    int fd = l->has_texts && count_wanted(l) ? nytp_beside_reopen(path) : -1;
    if (fd >= 0) read_store(l, path, fd);
}

/* Streams of one capture refer to one store. A hostile capture may name many: the budget allows a thousand. */
enum nytp_code nytp_stored_find(nytp_loader *l, const char *path) {
    int64_t budget = NYTP_BESIDE_MOST;
    nytp_str before = {NULL, 0};
    look_in_itself(l, path);
    uint32_t wanted = count_wanted(l);
    for (uint32_t i = 0; i < l->streams_n && !l->e->code && wanted; i++) {
        nytp_str name = l->streams[i].store;
        if (!name.n || nytp_str_eq(name, before)) continue;
        if (look_in(l, path, name, &budget)) wanted = count_wanted(l);
        l->store = before = name;
    }
    return l->e->code;
}

void nytp_stored_tell_missing(nytp_loader *l) {
    uint32_t n = count_wanted(l);
    if (!n) return;
    nytp_notes_add(l->p,
                   "The source of %" PRIu32 " %s is not in the profile but beside it, in %.*s, where it is missing or "
                   "damaged.",
                   n, n == 1 ? "file" : "files", l->store.n < 256 ? (int)l->store.n : 256,
                   l->store.n ? l->store.p : "");
}
