/* parent.c - source that a forked child's capture leaves to its parent's. A child's ids of files are its parent's, as
 * far as the parent knew them, and those are its own parent's, and so on. */
#include "model/parent.h"

#include <string.h>
#include <sys/stat.h>

#include "model/source.h"

#define GENERATIONS 100 /* of captures that name another */

static nytp_file *file_of(nytp_loader *l, const nytp_stream *s, uint64_t id) {
    uint32_t index = nytp_map_get(&s->files, id);
    return index > 1 ? &l->p->files[index - 1] : NULL; /* 1 is what stands for lost ones */
}

static int lacks_source(nytp_loader *l, const nytp_stream *s) {
    for (uint64_t id = 1; id <= s->last_file; id++) {
        const nytp_file *f = file_of(l, s, id);
        if (f && !f->source_lines && !(f->flags & NYTP_FILE_FAKE)) return 1;
    }
    return 0;
}

/* ---- in the same capture ---- */

static int take_from_stream(nytp_loader *l, const nytp_stream *s, const nytp_stream *parent) {
    for (uint64_t id = 1; id <= s->last_file; id++) {
        nytp_file *to = file_of(l, s, id);
        const nytp_file *from = file_of(l, parent, id);
        if (to && from && nytp_source_share(l->p, to, from)) return NYTP_NOMEM;
    }
    return NYTP_OK;
}

static int is_parent(const nytp_loader *l, const nytp_stream *s, const nytp_stream_id *id) {
    const nytp_stream_id *own = &l->p->processes[s->process].id;
    return memcmp(id->run, own->run, sizeof own->run) == 0 && id->process_start == s->parent_start;
}

static int take_from_streams(nytp_loader *l, const nytp_stream *s) {
    int code = NYTP_OK;
    for (uint32_t i = 0; i < l->streams_n && !code; i++)
        if (is_parent(l, s, &l->p->processes[l->streams[i].process].id)) code = take_from_stream(l, s, &l->streams[i]);
    return code;
}

/* ---- in another one ---- */

/* Which capture is read, and whose stream in it. */
typedef struct heritage {
    nytp_buf path;         /* NUL-terminated */
    nytp_stream_id parent; /* its run and process_start */
    uint64_t grandparent;  /* when that one's parent began */
    nytp_buf sources;      /* the name of the capture that this one names, NUL-terminated; empty: none */
} heritage;

/* Only a name: captures do not say where to look. */
static int set_path(heritage *h, const char *beside, nytp_str name) {
    const char *slash = strrchr(beside, '/');
    size_t directory = slash ? (size_t)(slash + 1 - beside) : 0;
    nytp_buf path = {0};
    if (!name.n || memchr(name.p, '/', name.n) || memchr(name.p, 0, name.n)) return 0;
    nytp_buf_bytes(&path, beside, directory);
    nytp_buf_bytes(&path, name.p, name.n);
    nytp_buf_byte(&path, 0);
    nytp_buf_free(&h->path);
    h->path = path;
    return !path.failed;
}

static int is_trusted(const char *path, const char *child) {
    struct stat a, b;
    return lstat(path, &a) == 0 && S_ISREG(a.st_mode) && stat(child, &b) == 0 && a.st_uid == b.st_uid;
}

/* Source goes on where the file's ends: what is known already stays. */
static int take_source(nytp_loader *l, const nytp_stream *s, const nytp_rec_source *r) {
    nytp_file *f = file_of(l, s, r->file);
    return f && r->first_line == f->source_lines + 1u ? nytp_loader_text(l, f, r) : NYTP_OK;
}

static int take_record(nytp_loader *l, const nytp_stream *s, heritage *h, const nytp_record *r) {
    if (r->kind == NYTP_REC_SOURCE) return take_source(l, s, &r->u.source);
    if (r->kind == NYTP_REC_PROCESS_START) h->grandparent = r->u.process_start.parent_start;
    if (r->kind == NYTP_REC_PROPERTY && nytp_str_eq(r->u.pair.key, NYTP_LIT("sources"))) {
        nytp_buf_clear(&h->sources);
        nytp_buf_bytes(&h->sources, r->u.pair.value.p, r->u.pair.value.n);
    }
    return NYTP_OK;
}

static int is_of(const heritage *h, const nytp_stream_id *id) {
    return memcmp(id->run, h->parent.run, sizeof id->run) == 0 && id->process_start == h->parent.process_start;
}

/* What is wrong with that file is no fault of the profile. */
static int read_capture(nytp_loader *l, const nytp_stream *s, heritage *h) {
    nytp_error e = {0};
    nytp_bytes bytes;
    nytp_record r;
    int code = NYTP_OK;
    nytp_bytes_open(&bytes, (const char *)h->path.p);
    nytp_reader *reader = nytp_reader_from(&bytes, &e);
    nytp_buf_clear(&h->sources);
    if (!reader) return NYTP_OK;
    while (!code && nytp_reader_next(reader, &r) > 0)
        if (r.kind != NYTP_REC_DAMAGE && is_of(h, nytp_reader_stream(reader, r.stream)))
            code = take_record(l, s, h, &r);
    nytp_reader_close(reader);
    return code;
}

static int read_captures(nytp_loader *l, const char *child, const nytp_stream *s) {
    heritage h = {.parent = l->p->processes[s->process].id};
    nytp_str name = s->sources;
    int code = NYTP_OK;
    h.parent.process_start = s->parent_start;
    for (int i = 0; i < GENERATIONS && !code && lacks_source(l, s); i++) {
        if (!set_path(&h, child, name) || !is_trusted((const char *)h.path.p, child)) break;
        code = read_capture(l, s, &h);
        h.parent.process_start = h.grandparent;
        name = (nytp_str){(const char *)h.sources.p, h.sources.n};
    }
    nytp_buf_free(&h.path);
    nytp_buf_free(&h.sources);
    return code;
}

int nytp_parent_sources(nytp_loader *l, const char *path) {
    int code = NYTP_OK;
    for (uint32_t i = 0; i < l->streams_n && !code; i++) {
        const nytp_stream *s = &l->streams[i];
        if (!s->sources.n) continue;
        code = take_from_streams(l, s);
        if (!code) code = read_captures(l, path, s);
    }
    return code ? nytp_loader_no_memory(l) : NYTP_OK;
}
