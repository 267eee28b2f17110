/* SPDX-License-Identifier: MIT */
/* marks.c - the lines of files on which statements begin, whether they run or not. */
#include "record/marks.h"

#include <string.h>

#include "record/files.h"

#define LINES (1u << 20) /* the most of a file: a `# line` directive could name any */
#define FIRST_WORDS 8    /* a power of two, as any number of words is */

typedef struct word { /* 64 lines */
    uint64_t marked, written;
} word;

struct nytp_live_marks {
    word *words;
    uint32_t n;
    uint32_t generation; /* of the output that has the written lines */
    uint32_t is_written; /* 1: it has all */
};

static int grow(nytp_recorder *r, struct nytp_live_marks *m, uint32_t i) {
    uint32_t n = m->n ? m->n : FIRST_WORDS;
    while (n <= i) n *= 2;
    word *words = nytp_arena_get(&r->arena, n * sizeof *words);
    if (!words) return 0;
    if (m->n) memcpy(words, m->words, m->n * sizeof *words);
    m->words = words;
    m->n = n;
    return 1;
}

void nytp_marks_add(nytp_recorder *r, nytp_live_file *f, uint32_t line) {
    uint32_t i = line / 64;
    if (!line || line >= LINES) return;
    if (!f->marks) f->marks = nytp_arena_get(&r->arena, sizeof *f->marks);
    if (!f->marks || (i >= f->marks->n && !grow(r, f->marks, i))) return;
    word *w = &f->marks->words[i];
    uint64_t bit = UINT64_C(1) << line % 64;
    if (w->marked & bit) return;
    w->marked |= bit;
    f->marks->is_written = 0;
}

static void write_word(nytp_recorder *r, uint32_t file, uint32_t i, word *w) {
    uint64_t line = i * UINT64_C(64);
    for (uint64_t rest = w->marked & ~w->written; rest; rest >>= 1, line++) {
        nytp_rec_code code = {file, line};
        if (rest & 1) nytp_writer_put(r->output.writer, &(nytp_record){.kind = NYTP_REC_CODE, .u.code = code});
    }
    w->written = w->marked;
}

static void begin_output(nytp_recorder *r, struct nytp_live_marks *m) {
    m->generation = r->output.generation;
    m->is_written = 0;
    for (uint32_t i = 0; i < m->n; i++) m->words[i].written = 0;
}

static uint64_t left_of(const struct nytp_live_marks *m, uint32_t generation) {
    uint64_t lines = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        uint64_t written = m->generation == generation ? m->words[i].written : 0;
        for (uint64_t rest = m->words[i].marked & ~written; rest; rest &= rest - 1) lines++;
    }
    return lines;
}

uint64_t nytp_marks_left(const nytp_recorder *r) {
    uint64_t lines = 0;
    for (uint32_t id = 1; id <= r->files.n; id++) {
        const struct nytp_live_marks *m = r->files.list[id]->marks;
        if (m) lines += left_of(m, r->output.generation);
    }
    return lines;
}

/* The first window of a brief child has those of the files it touched. */
void nytp_marks_write(nytp_recorder *r) {
    int is_brief = nytp_recorder_is_brief(r);
    for (uint32_t id = 1; id <= r->files.n; id++) {
        const nytp_live_file *f = r->files.list[id];
        struct nytp_live_marks *m = f->marks;
        if (!m || (is_brief && f->generation != r->output.generation)) continue;
        if (m->generation != r->output.generation) begin_output(r, m);
        if (m->is_written) continue;
        nytp_files_define(r, id);
        for (uint32_t i = 0; i < m->n; i++) write_word(r, id, i, &m->words[i]);
        m->is_written = 1;
    }
}
