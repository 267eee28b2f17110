/* SPDX-License-Identifier: MIT */
/* left.c - source that is in the store of a capture's job, as records of the capture. */
#include "capture/left.h"

#include "capture/beside.h"
#include "capture/store.h"

typedef struct left_file {
    unsigned char key[NYTP_STORE_KEY];
    uint32_t stream;
    uint64_t file;    /* its id there */
    int32_t has_text; /* 1: its source was given */
} left_file;

void nytp_left_forget(nytp_left *left) {
    nytp_buf_free(&left->files);
    nytp_map_free(&left->by_key);
    nytp_arena_free(&left->names);
    *left = (nytp_left){0};
}

/* NULL if the capture has no file of that key. */
static left_file *find(const nytp_left *left, nytp_str key) {
    uint64_t number = nytp_store_number(key);
    uint32_t at = number ? nytp_map_get(&left->by_key, number) : 0;
    left_file *f = at ? (left_file *)(void *)left->files.p + (at - 1) : NULL;
    return f && memcmp(f->key, key.p, NYTP_STORE_KEY) == 0 ? f : NULL;
}

static void add(nytp_left *left, const left_file *f, nytp_str key) {
    uint32_t *at = nytp_map_at(&left->by_key, nytp_store_number(key));
    if (at && *at) return; /* a file that has this key's number already */
    nytp_buf_bytes(&left->files, f, sizeof *f);
    if (!at || left->files.failed) {
        left->failed = 1;
        return;
    }
    *at = (uint32_t)(left->files.n / sizeof *f);
    left->wanted++;
}

/* Streams that refer to one key mean one file; its id may differ between streams, and the latest counts. */
static void refer(nytp_left *left, const nytp_record *r) {
    nytp_str key = r->u.stored.key;
    left_file now = {.stream = r->stream, .file = r->u.stored.file}, *before = find(left, key);
    if (!nytp_store_number(key)) return;
    memcpy(now.key, key.p, NYTP_STORE_KEY);
    if (!before) add(left, &now, key);
    else if (!before->has_text) *before = now;
}

/* 1 if the text is the source of a file that has none yet. */
static int match(nytp_left *left, const nytp_rec_text *text, nytp_record *source) {
    left_file *f = find(left, text->key);
    if (!f || f->has_text) return 0;
    f->has_text = 1;
    left->wanted--;
    *source = (nytp_record){.kind = NYTP_REC_SOURCE, .stream = f->stream};
    source->u.source = (nytp_rec_source){f->file, 1, text->text};
    return 1;
}

const nytp_record *nytp_left_record(nytp_left *left, const nytp_record *r, nytp_record *source) {
    if (r->kind == NYTP_REC_STORED) {
        refer(left, r);
    } else if (r->kind == NYTP_REC_PROPERTY && nytp_str_eq(r->u.pair.key, NYTP_LIT("store"))) {
        if (!nytp_str_eq(left->store, r->u.pair.value)) left->store = nytp_arena_str(&left->names, r->u.pair.value);
        if (!left->store.p) left->failed = 1;
    } else if (r->kind == NYTP_REC_TEXT) {
        if (match(left, &r->u.text, source)) return source;
        left->is_ahead = 1;
    }
    return r;
}

static int tell_texts(nytp_left *left, nytp_bytes *bytes, nytp_left_take *take, void *self) {
    nytp_error e = {0};
    nytp_record r, source;
    int code = NYTP_OK;
    nytp_reader *reader = nytp_reader_from(bytes, &e);
    while (reader && left->wanted && !code && nytp_reader_next(reader, &r) > 0)
        if (r.kind == NYTP_REC_TEXT && match(left, &r.u.text, &source)) code = take(self, &source);
    if (reader && !code) e = *nytp_reader_error(reader);
    nytp_reader_close(reader);
    return e.code == NYTP_NOMEM ? NYTP_NOMEM : code;
}

static int tell_own(nytp_left *left, const char *path, nytp_left_take *take, void *self) {
    nytp_bytes bytes;
    int fd = nytp_beside_reopen(path);
    if (fd < 0) return NYTP_OK;
    nytp_bytes_from(&bytes, path, fd);
    return tell_texts(left, &bytes, take, self);
}

int nytp_left_tell(nytp_left *left, const char *path, nytp_left_take *take, void *self) {
    int64_t budget = NYTP_BESIDE_MOST;
    nytp_buf store = {0};
    nytp_bytes bytes;
    int code = left->failed ? NYTP_NOMEM : NYTP_OK;
    if (!code && left->wanted && left->is_ahead) code = tell_own(left, path, take, self);
    int fd = left->wanted && !code ? nytp_beside_open(path, left->store, &budget, &store) : -1;
    if (fd >= 0) {
        nytp_bytes_from(&bytes, (const char *)store.p, fd);
        code = tell_texts(left, &bytes, take, self);
    }
    if (store.failed) code = NYTP_NOMEM;
    nytp_buf_free(&store);
    return code;
}
