/* SPDX-License-Identifier: MIT */
/* inherited.c - source that a process has left to its parent's capture, or to its parent's part of its own. File ids
 * from before the fork are the same in both. */
#include "capture/inherited.h"

#include <string.h>

#include "base/map.h"
#include "capture/beside.h"

#define MOST_STEPS (1u << 24) /* from heirs to their ancestors in one capture, as a small hostile one may have many */

typedef struct heir {
    uint32_t stream;       /* whose records are given */
    uint32_t up;           /* 1 + the parent's number among the heirs, if it is in this capture; else 0 */
    uint64_t start;        /* its own process_start */
    nytp_stream_id parent; /* its run and process_start */
    uint64_t until;        /* ids up to this one are the same there */
    nytp_str sources;      /* the name of the parent's capture, in names */
} heir;

typedef struct telling {
    nytp_inherited *all;
    nytp_left_take *take;
    void *self;
    const char *path; /* of the capture */
    int64_t budget;   /* bytes of other captures */
    uint32_t steps;
} telling;

static heir *heirs_of(const nytp_inherited *all, size_t *n) {
    *n = all->heirs.n / sizeof(heir);
    return (heir *)(void *)all->heirs.p;
}

uint64_t nytp_inherited_until(nytp_str value) {
    uint64_t id = 0;
    for (size_t i = 0; i < value.n && value.p[i] >= '0' && value.p[i] <= '9' && id < UINT32_MAX; i++)
        id = id * 10 + (uint64_t)(value.p[i] - '0');
    return id;
}

static void note(nytp_inherited *all, heir *h, const nytp_record *r) {
    const nytp_rec_pair *pair = &r->u.pair;
    if (r->kind == NYTP_REC_PROCESS_START) {
        h->parent.process_start = r->u.process_start.parent_start;
        h->until = 0;
        h->sources = (nytp_str){NULL, 0};
    } else if (r->kind == NYTP_REC_PROPERTY && nytp_str_eq(pair->key, NYTP_LIT("sources_until"))) {
        h->until = nytp_inherited_until(pair->value);
    } else if (r->kind == NYTP_REC_PROPERTY && nytp_str_eq(pair->key, NYTP_LIT("sources"))) {
        h->sources = nytp_arena_str(&all->names, pair->value);
        if (!h->sources.p) all->failed = 1;
    }
}

/* A stream with damage only has no properties, so no heir has its number. */
static heir *heir_of(nytp_inherited *all, uint32_t stream, const nytp_stream_id *id) {
    size_t n;
    heir *list = heirs_of(all, &n);
    if (n && list[n - 1].stream == stream) return &list[n - 1];
    for (size_t i = 0; i < n; i++)
        if (list[i].stream == stream) return &list[i];
    const heir new = {.stream = stream, .start = id->process_start, .parent = *id};
    nytp_buf_bytes(&all->heirs, &new, sizeof new);
    return all->heirs.failed ? NULL : (heir *)(void *)all->heirs.p + n;
}

void nytp_inherited_record(nytp_inherited *all, const nytp_record *r, const nytp_stream_id *id) {
    if (r->kind != NYTP_REC_PROCESS_START && r->kind != NYTP_REC_PROPERTY) return;
    heir *h = heir_of(all, r->stream, id);
    if (h) note(all, h, r);
    else all->failed = 1;
}

static int is_parent(const heir *h, const nytp_stream_id *id) {
    return memcmp(id->run, h->parent.run, sizeof id->run) == 0 && id->process_start == h->parent.process_start;
}

/* Of the parent's records those that say where source is. */
static enum nytp_code give(const telling *t, const heir *h, const nytp_record *r) {
    nytp_record own = *r;
    int is_file = (r->kind == NYTP_REC_SOURCE && r->u.source.file <= h->until) ||
                  (r->kind == NYTP_REC_STORED && r->u.stored.file <= h->until);
    int is_store = r->kind == NYTP_REC_PROPERTY && nytp_str_eq(r->u.pair.key, NYTP_LIT("store"));
    own.stream = h->stream;
    return is_file || is_store ? t->take(t->self, &own) : NYTP_OK;
}

/* *next is what the parent says of its own parent. Damage in its capture is ignored, as it is not part of this one. */
static enum nytp_code read_parent(const telling *t, const heir *h, heir *next, nytp_bytes *bytes) {
    nytp_error e = {0};
    nytp_record r;
    enum nytp_code code = NYTP_OK;
    nytp_reader *reader = nytp_reader_from(bytes, &e);
    while (reader && !code && nytp_reader_next(reader, &r) > 0) {
        if (r.kind == NYTP_REC_DAMAGE || !is_parent(h, nytp_reader_stream(reader, r.stream))) continue;
        note(t->all, next, &r);
        code = give(t, h, &r);
    }
    if (reader) e = *nytp_reader_error(reader);
    nytp_reader_close(reader);
    return e.code == NYTP_NOMEM ? NYTP_NOMEM : code;
}

/* Each step takes some of the budget, so a circle of hostile captures ends. */
static enum nytp_code tell_of(telling *t, heir h) {
    enum nytp_code code = NYTP_OK;
    nytp_buf name = {0};
    while (!code && h.sources.n && h.parent.process_start) {
        heir next = {.stream = h.stream, .parent = h.parent};
        nytp_bytes bytes;
        int fd = nytp_beside_open(t->path, h.sources, &t->budget, &name);
        if (fd < 0) break;
        nytp_bytes_from(&bytes, (const char *)name.p, fd);
        code = read_parent(t, &h, &next, &bytes);
        if (next.until > h.until) next.until = h.until;
        h = next;
    }
    if (name.failed || t->all->failed) code = NYTP_NOMEM;
    nytp_buf_free(&name);
    return code;
}

/* ---- a parent in the same capture ---- */

static int is_same_run(const heir *a, const heir *b) {
    return memcmp(a->parent.run, b->parent.run, sizeof a->parent.run) == 0;
}

/* 1 if there is one; -1 when memory is short. */
static int find_parents(nytp_inherited *all) {
    nytp_map by_start = {0}; /* 1 + the number of the first heir that started then */
    size_t n;
    int found = 0;
    heir *list = heirs_of(all, &n);
    for (size_t i = 0; i < n && found >= 0; i++) {
        uint32_t *at = nytp_map_at(&by_start, list[i].start);
        if (!at) found = -1;
        else if (!*at) *at = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < n && found >= 0; i++) {
        uint32_t up = list[i].sources.n ? nytp_map_get(&by_start, list[i].parent.process_start) : 0;
        if (!up || up == i + 1 || !is_same_run(&list[i], &list[up - 1])) continue;
        list[i].up = up;
        found = 1;
    }
    nytp_map_free(&by_start);
    return found;
}

/* Moves h to its parent's parent, and keeps the ids that are the same there. 0: that is not in this capture. */
static int go_up(telling *t, heir *h) {
    size_t n;
    if (!h->up || t->steps < 2) return 0;
    t->steps--;
    heir up = heirs_of(t->all, &n)[h->up - 1];
    if (up.until > h->until) up.until = h->until;
    up.stream = h->stream;
    *h = up;
    return 1;
}

/* Gives a record of stream `from` to all its heirs. */
static enum nytp_code give_down(telling *t, const nytp_record *r, const nytp_stream_id *from) {
    size_t n;
    const heir *list = heirs_of(t->all, &n);
    enum nytp_code code = NYTP_OK;
    for (size_t i = 0; i < n && !code && t->steps; i++, t->steps--) {
        heir h = list[i];
        while (h.up && !is_parent(&h, from) && go_up(t, &h)) {}
        if (h.up && list[i].start != from->process_start) code = give(t, &h, r);
    }
    return code;
}

static enum nytp_code tell_within(telling *t) {
    nytp_error e = {0};
    nytp_record r;
    nytp_bytes bytes;
    enum nytp_code code = NYTP_OK;
    int fd = nytp_beside_reopen(t->path);
    if (fd < 0) return NYTP_OK;
    nytp_bytes_from(&bytes, t->path, fd);
    nytp_reader *reader = nytp_reader_from(&bytes, &e);
    while (reader && !code && t->steps && nytp_reader_next(reader, &r) > 0)
        if (r.kind == NYTP_REC_SOURCE || r.kind == NYTP_REC_STORED || r.kind == NYTP_REC_PROPERTY)
            code = give_down(t, &r, nytp_reader_stream(reader, r.stream));
    if (reader) e = *nytp_reader_error(reader);
    nytp_reader_close(reader);
    return e.code == NYTP_NOMEM ? NYTP_NOMEM : code;
}

enum nytp_code nytp_inherited_tell(nytp_inherited *all, const char *path, nytp_left_take *take, void *self) {
    telling t = {all, take, self, path, NYTP_BESIDE_MOST, MOST_STEPS};
    size_t n;
    const heir *list = heirs_of(all, &n);
    int is_within = find_parents(all);
    enum nytp_code code = all->failed || is_within < 0 ? NYTP_NOMEM : NYTP_OK;
    if (!code && is_within) code = tell_within(&t);
    for (size_t i = 0; i < n && !code; i++) {
        heir h = list[i];
        while (go_up(&t, &h)) {}
        code = tell_of(&t, h);
    }
    return code;
}

void nytp_inherited_forget(nytp_inherited *all) {
    nytp_buf_free(&all->heirs);
    nytp_arena_free(&all->names);
    *all = (nytp_inherited){0};
}
