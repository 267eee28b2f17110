/* SPDX-License-Identifier: MIT */
/* files.c - the records of files in a window: definitions, and source or a reference to it. */
#include "record/files.h"

#include <errno.h>
#include <unistd.h>

#include "record/front.h"
#include "record/output.h"
#include "record/sequence.h"

/* Source goes out in pieces, so that no record or chunk grows without bound. */
#define SOURCE_PIECE (16u << 10)

void nytp_files_close_chunk_if_full(nytp_recorder *r) {
    if (nytp_writer_pending(r->output.writer) > NYTP_WRITER_FULL)
        nytp_writer_chunk(r->output.writer, r->window.start, r->window.start);
}

void nytp_files_define(nytp_recorder *r, uint32_t id) {
    nytp_live_file *f = id ? r->files.list[id] : NULL;
    if (!f || f->generation == r->output.generation) return;
    f->generation = r->output.generation;
    f->source_lines = 0;
    nytp_files_define(r, f->parent); /* evals nest as deeply as their names are long: a few levels */
    nytp_record out = {.kind = NYTP_REC_FILE};
    out.u.file = (nytp_rec_file){f->id, f->flags, f->parent, f->parent_line, f->size, f->mtime, f->name};
    nytp_writer_put(r->output.writer, &out);
}

static void write_piece(nytp_recorder *r, const nytp_rec_source *piece) {
    nytp_writer_put(r->output.writer, &(nytp_record){.kind = NYTP_REC_SOURCE, .u.source = *piece});
}

static void write_lines(nytp_recorder *r, nytp_live_file *f, const nytp_buf *text, uint32_t lines) {
    nytp_rec_source out = {f->id, f->source_lines + 1, {(const char *)text->p, text->n}};
    while (out.text.n > SOURCE_PIECE) {
        const char *end = out.text.p + SOURCE_PIECE;
        while (end > out.text.p && end[-1] != '\n') end--;
        if (end == out.text.p) break; /* a line longer than a piece */
        nytp_rec_source piece = {out.file, out.first_line, {out.text.p, (size_t)(end - out.text.p)}};
        write_piece(r, &piece);
        nytp_files_close_chunk_if_full(r);
        out.first_line += nytp_str_count(piece.text, '\n');
        out.text.n -= piece.text.n;
        out.text.p = end;
    }
    write_piece(r, &out);
    f->source_lines += lines;
}

static void refer_to_store(nytp_recorder *r, nytp_live_file *f, const unsigned char *key) {
    nytp_record out = {.kind = NYTP_REC_STORED, .u.stored = {f->id, {(const char *)key, NYTP_STORE_KEY}}};
    nytp_files_define(r, f->id);
    nytp_writer_put(r->output.writer, &out);
    f->source_lines = 1; /* not 0: the source is done */
}

static void write_text(nytp_recorder *r, nytp_live_file *f, const unsigned char *key) {
    nytp_buf_clear(&r->scratch);
    uint32_t lines = nytp_front_source(r, f, &r->scratch);
    nytp_str text = {(const char *)r->scratch.p, r->scratch.n};
    if (!lines || r->scratch.failed) return;
    if (key && nytp_store_put(&r->output.store, key, text)) {
        refer_to_store(r, f, key);
    } else {
        nytp_files_define(r, f->id);
        write_lines(r, f, &r->scratch, lines);
    }
    nytp_buf_free(&f->taken);
}

static void write_source(nytp_recorder *r, nytp_live_file *f) {
    const unsigned char *key = r->output.store.path && !f->source_lines ? r->front.key(r->front.self, f) : NULL;
    if (key && nytp_store_has(&r->output.store, key)) refer_to_store(r, f, key);
    else write_text(r, f, key);
}

/* Writes the source compiled since the last window. */
void nytp_files_write_sources(nytp_recorder *r) {
    for (uint32_t id = r->output.parent_files + 1; id <= r->files.n; id++) {
        write_source(r, r->files.list[id]);
        nytp_files_close_chunk_if_full(r);
    }
}

/* Not in a forked child before it is noticed, as the output is the parent's; not with calls=2, where a chunk begins
 * with the prices; and not with a store, as the text is written again if the program removes the store. */
static int may_write_now(const nytp_recorder *r) {
    if (!r->output.writer || r->dead || r->output.store.path || nytp_sequence_is_wanted(r)) return 0;
    return nytp_output_pid(r) == r->output.stream.pid;
}

/* Readers list files in the order of their definitions: earlier files come first. An eval may still be folded, which
 * changes its definition. */
static void define_up_to(nytp_recorder *r, uint32_t id) {
    uint32_t first = id;
    while (first > r->output.parent_files + 1 && r->files.list[first - 1]->generation != r->output.generation) first--;
    for (; first <= id; first++)
        if (!(r->files.list[first]->flags & NYTP_FILE_EVAL)) nytp_files_define(r, first);
}

void nytp_files_tell_source(nytp_recorder *r, nytp_live_file *f) {
    int saved = errno;
    if (f->id > r->output.parent_files && may_write_now(r)) {
        define_up_to(r, f->id);
        write_source(r, f);
        nytp_files_close_chunk_if_full(r);
    }
    errno = saved;
}
