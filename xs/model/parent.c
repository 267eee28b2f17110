/* SPDX-License-Identifier: MIT */
/* parent.c - source of a forked child's files that is in its parent's capture. File ids from before the fork are the
 * same in both, and likewise between parent and grandparent. */
#include "model/parent.h"

#include <string.h>

#include "capture/beside.h"
#include "capture/inherited.h"
#include "model/source.h"
#include "model/stored.h"

#define MOST_STEPS (1u << 24) /* streams and ids of files that are looked at for one capture */

/* One capture's search, and the rest of its limits, as a small hostile capture may have many streams, ids and
 * generations. */
typedef struct search {
    nytp_loader *l;
    const char *path; /* the capture */
    uint32_t steps;
    int64_t bytes; /* of other captures */
} search;

/* A stream's reference to its parent's source. */
typedef struct legacy {
    uint64_t parent_start, until;
    nytp_buf sources; /* the name of the capture that has it */
} legacy;

/* A stream whose files lack source, and the ancestor that is asked for it. */
typedef struct heritage {
    const nytp_stream *heir;
    nytp_stream_id parent; /* its run and process_start */
    uint64_t until;        /* ids up to this one are the same from the heir to the parent */
    nytp_buf sources;
} heritage;

static int may_step(search *a) {
    if (!a->steps) return 0;
    a->steps--;
    return 1;
}

static nytp_file *file_of(nytp_loader *l, const nytp_stream *s, uint64_t id) {
    uint32_t index = nytp_ids_get(&s->files, id);
    return index > 1 ? &l->p->files[index - 1] : NULL; /* 1 is the entry for lost files */
}

static uint64_t last_shared(const heritage *h) {
    return h->until < h->heir->last_file ? h->until : h->heir->last_file;
}

static int lacks_source(search *a, const heritage *h) {
    for (uint64_t id = 1; id <= last_shared(h) && may_step(a); id++) {
        const nytp_file *f = file_of(a->l, h->heir, id);
        if (f && !f->source_lines && !f->stored && !(f->flags & NYTP_FILE_FAKE)) return 1;
    }
    return 0;
}

/* Moves from a parent to the parent's parent. */
static void go_back(heritage *h, uint64_t parent_start, uint64_t until, nytp_str sources) {
    h->parent.process_start = parent_start;
    if (until < h->until) h->until = until;
    nytp_buf_rewind(&h->sources);
    nytp_buf_bytes(&h->sources, sources.p, sources.n);
}

static int is_parent(const heritage *h, const nytp_stream_id *id) {
    return memcmp(id->run, h->parent.run, sizeof id->run) == 0 && id->process_start == h->parent.process_start;
}

/* ---- in the same capture ---- */

/* A stream without chunks, such as that of texts, is no process. */
static const nytp_stream *stream_of(search *a, const heritage *h) {
    const nytp_loader *l = a->l;
    for (uint32_t i = 0; i < l->streams_n && may_step(a); i++) {
        const nytp_stream *s = &l->streams[i];
        if (s->next_chunk && is_parent(h, &l->p->processes[s->process].id)) return s;
    }
    return NULL;
}

static enum nytp_code take_from_stream(search *a, heritage *h, const nytp_stream *parent) {
    for (uint64_t id = 1; id <= last_shared(h) && may_step(a); id++) {
        nytp_file *to = file_of(a->l, h->heir, id);
        const nytp_file *from = file_of(a->l, parent, id);
        if (to && from && nytp_source_share(a->l->p, to, from)) return NYTP_NOMEM;
    }
    go_back(h, parent->parent_start, parent->sources_until, parent->sources);
    return NYTP_OK;
}

/* ---- in another capture ---- */

/* Adds lines behind the file's known ones. */
static enum nytp_code take_source(search *a, const heritage *h, const nytp_rec_source *r) {
    nytp_file *f = r->file <= last_shared(h) ? file_of(a->l, h->heir, r->file) : NULL;
    return f && r->first_line == f->source_lines + 1u ? nytp_loader_text(a->l, f, r) : NYTP_OK;
}

static void take_property(legacy *next, const nytp_rec_pair *r) {
    if (nytp_str_eq(r->key, NYTP_LIT("sources_until"))) next->until = nytp_inherited_until(r->value);
    if (!nytp_str_eq(r->key, NYTP_LIT("sources"))) return;
    nytp_buf_rewind(&next->sources);
    nytp_buf_bytes(&next->sources, r->value.p, r->value.n);
}

/* A start of the stream; at a second one ids begin anew. */
static void take_start(legacy *next, const nytp_rec_process_start *r) {
    next->parent_start = r->parent_start;
    next->until = 0;
    nytp_buf_rewind(&next->sources);
}

static enum nytp_code take_stored(search *a, const heritage *h, const nytp_rec_stored *r) {
    const nytp_file *f = r->file <= last_shared(h) ? file_of(a->l, h->heir, r->file) : NULL;
    return f ? nytp_stored_refer(a->l, (uint32_t)(f - a->l->p->files), r->key) : NYTP_OK;
}

static enum nytp_code take_record(search *a, const heritage *h, legacy *next, const nytp_record *r) {
    if (r->kind == NYTP_REC_SOURCE) return take_source(a, h, &r->u.source);
    if (r->kind == NYTP_REC_STORED) return take_stored(a, h, &r->u.stored);
    if (r->kind == NYTP_REC_PROCESS_START) take_start(next, &r->u.process_start);
    if (r->kind == NYTP_REC_PROPERTY) take_property(next, &r->u.pair);
    return NYTP_OK;
}

/* Damage in that file is ignored, as it is not part of the profile. */
static enum nytp_code take_from_file(search *a, const heritage *h, legacy *next, const char *path, int fd) {
    nytp_error e = {0};
    nytp_bytes bytes;
    nytp_record r;
    int code = NYTP_OK;
    nytp_bytes_from(&bytes, path, fd);
    nytp_reader *reader = nytp_reader_from(&bytes, &e);
    while (reader && !code && nytp_reader_next(reader, &r) > 0)
        if (r.kind != NYTP_REC_DAMAGE && is_parent(h, nytp_reader_stream(reader, r.stream)))
            code = take_record(a, h, next, &r);
    if (reader) e = *nytp_reader_error(reader);
    nytp_reader_close(reader);
    return e.code == NYTP_NOMEM ? NYTP_NOMEM : code;
}

/* Without that file, or that stream in it, the search ends: next stays empty. */
static enum nytp_code take_from_other(search *a, heritage *h) {
    legacy next = {0};
    nytp_buf path = {0};
    nytp_str name = {(const char *)h->sources.p, h->sources.n};
    int code = NYTP_OK, fd = nytp_beside_open(a->path, name, &a->bytes, &path);
    if (fd >= 0) code = take_from_file(a, h, &next, (const char *)path.p, fd);
    go_back(h, next.parent_start, next.until, (nytp_str){(const char *)next.sources.p, next.sources.n});
    if (path.failed || next.sources.failed) code = NYTP_NOMEM;
    nytp_buf_free(&next.sources);
    nytp_buf_free(&path);
    return code;
}

/* ---- generation after generation ---- */

static enum nytp_code inherit(search *a, const nytp_stream *s) {
    heritage h = {.heir = s, .parent = a->l->p->processes[s->process].id, .until = UINT64_MAX};
    enum nytp_code code = NYTP_OK;
    go_back(&h, s->parent_start, s->sources_until, s->sources);
    while (!code && h.sources.n && h.parent.process_start && lacks_source(a, &h)) {
        const nytp_stream *parent = stream_of(a, &h);
        code = parent ? take_from_stream(a, &h, parent) : take_from_other(a, &h);
    }
    if (h.sources.failed) code = NYTP_NOMEM;
    nytp_buf_free(&h.sources);
    return code;
}

enum nytp_code nytp_parent_sources(nytp_loader *l, const char *path) {
    search a = {.l = l, .path = path, .steps = MOST_STEPS, .bytes = NYTP_BESIDE_MOST};
    int code = NYTP_OK;
    for (uint32_t i = 0; i < l->streams_n && !code; i++) code = inherit(&a, &l->streams[i]);
    return code ? nytp_loader_no_memory(l) : NYTP_OK;
}
