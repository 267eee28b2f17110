/* SPDX-License-Identifier: MIT */
/* lined.c - the lines of files of profiles of two sides. */
#include "report/lined.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "base/utf8.h"
#include "model/source.h"
#include "report/aligned.h"
#include "report/page.h"
#include "report/text.h"

#define LETTERS 160 /* bytes of a line's text that are kept */

typedef struct nytp_lined_file {
    nytp_str name;
    uint64_t profiles;      /* a bit for each profile in which lines of it have run */
    uint64_t *source[2];    /* by side, as all here: of each line's text, line 1 first; NULL: not known */
    uint32_t source_n[2];
    uint32_t *elsewhere[2]; /* the number of each line on the other side; 0: none */
    uint32_t into;          /* index of the file that it is a part of, or its own */
} file;

typedef struct nytp_lined_line { /* that has run */
    uint32_t file, line;   /* index, number */
    int32_t side, is_done; /* 1: it is in a row */
    nytp_str text;
    int64_t *values;       /* as those of nytp_compared_sub */
} line;

/* ---- files ---- */

static int is_file(const void *of, uint32_t number, const void *like) {
    return nytp_str_eq(((const nytp_lined *)of)->files[number - 1].name, *(const nytp_str *)like);
}

/* NULL if memory is short. */
static file *file_of(nytp_lined *l, nytp_str name) {
    uint32_t *number = nytp_table_at(&l->by_name, nytp_str_hash(name), is_file, l, &name);
    if (number && *number) return &l->files[*number - 1];
    file *f = number ? nytp_grow(&l->compared.arena, &l->files, l->files_n, &l->files_room, sizeof *f) : NULL;
    if (!f) return NULL;
    *f = (file){.name = nytp_arena_str(&l->compared.arena, name)};
    if (!f->name.p) return NULL;
    *number = ++l->files_n;
    return f;
}

static void put_name(nytp_buf *name, const nytp_profile *p, const nytp_file *f, const nytp_renamed *renamed) {
    nytp_buf_rewind(name);
    nytp_names_file(name, p, f);
    nytp_str shown = nytp_page_bytes(name);
    if (!renamed->old.n || name->failed || !nytp_str_starts(shown, renamed->old)) return;
    nytp_buf now = {0};
    nytp_text_str(&now, renamed->new);
    nytp_buf_bytes(&now, shown.p + renamed->old.n, shown.n - renamed->old.n);
    nytp_buf_rewind(name);
    nytp_buf_done(&now, name);
}

static int take_source(nytp_lined *l, file *to, int side, const nytp_profile *p, const nytp_file *f) {
    if (to->source[side] || !f->source_lines) return 1;
    uint64_t *hashes = nytp_arena_get(&l->compared.arena, f->source_lines * sizeof *hashes);
    for (uint32_t i = 0; hashes && i < f->source_lines; i++) hashes[i] = nytp_str_hash(nytp_source_text(p, f, i + 1));
    to->source[side] = hashes;
    to->source_n[side] = hashes ? f->source_lines : 0;
    return hashes != NULL;
}

/* ---- lines ---- */

static int is_line(const void *of, uint32_t number, const void *like) {
    const line *x = &((const nytp_lined *)of)->lines[number - 1], *y = like;
    return x->file == y->file && x->line == y->line && x->side == y->side;
}

static uint64_t hash_of(const line *like) {
    return (((uint64_t)like->file << 32 | like->line) * 2 + (uint64_t)like->side) * UINT64_C(0x9E3779B97F4A7C15);
}

static size_t values_size(const nytp_lined *l) {
    return ((size_t)l->compared.n[0] + l->compared.n[1]) * NYTP_COMPARED_VALUES * sizeof(int64_t);
}

/* NULL if memory is short. */
static line *line_of(nytp_lined *l, const line *like) {
    nytp_arena *arena = &l->compared.arena;
    uint32_t *number = nytp_table_at(&l->by_number, hash_of(like), is_line, l, like);
    if (number && *number) return &l->lines[*number - 1];
    line *new = number ? nytp_grow(arena, &l->lines, l->lines_n, &l->lines_room, sizeof *new) : NULL;
    if (!new) return NULL;
    *new = *like;
    new->text = nytp_arena_str(arena, like->text);
    new->values = nytp_arena_get(arena, values_size(l));
    if (!new->text.p || !new->values) return NULL;
    *number = ++l->lines_n;
    return new;
}

static int take_line(nytp_lined *l, line like, const nytp_profile *p, const nytp_file *f, const nytp_line *from) {
    like.line = from->line;
    like.text = nytp_source_text(p, f, from->line);
    if (like.text.n > LETTERS) like.text.n = nytp_utf8_cut(like.text.p, LETTERS);
    line *to = line_of(l, &like);
    if (!to) return 0;
    int64_t *values = to->values + (size_t)l->compared.taken * NYTP_COMPARED_VALUES;
    values[NYTP_COMPARED_CALLS] = nytp_ticks_add(values[NYTP_COMPARED_CALLS], from->count);
    values[NYTP_COMPARED_OWN] = nytp_ticks_add(values[NYTP_COMPARED_OWN], from->ticks);
    return 1;
}

static int take_file(nytp_lined *l, nytp_str name, const nytp_profile *p, const nytp_file *f) {
    const nytp_lines *lines = &f->level[NYTP_LEVEL_LINE];
    int side = nytp_compared_side(&l->compared);
    file *to = file_of(l, name);
    int is_fine = to && take_source(l, to, side, p, f);
    if (to) to->profiles |= UINT64_C(1) << l->compared.taken;
    for (uint32_t i = 0; i < lines->n && is_fine; i++) {
        const line like = {.file = (uint32_t)(to - l->files), .side = side};
        if (lines->at[i].line) is_fine = take_line(l, like, p, f, &lines->at[i]);
    }
    return is_fine;
}

enum nytp_code nytp_lined_take(nytp_lined *l, const nytp_profile *p) {
    nytp_compared *c = &l->compared;
    const nytp_renamed none = {{NULL, 0}, {NULL, 0}};
    nytp_buf name = {0};
    int is_fine = 1;
    for (uint32_t i = 1; i < p->files_n && is_fine; i++) {
        const nytp_file *f = &p->files[i];
        if (f->parent || !f->level[NYTP_LEVEL_LINE].n) continue;
        put_name(&name, p, f, nytp_compared_side(c) == NYTP_COMPARED_OLD ? &c->renamed : &none);
        is_fine = !name.failed && take_file(l, nytp_page_bytes(&name), p, f);
    }
    nytp_buf_free(&name);
    c->of_lines = 1;
    c->is_uncounted |= p->is_uncounted || p->is_seen;
    c->taken++;
    return is_fine ? NYTP_OK : NYTP_NOMEM;
}

/* ---- files of one name in several directories ---- */

typedef struct based {
    nytp_str base; /* a name without its directory */
    uint32_t index;
} based;

static nytp_str base_of(nytp_str name) {
    size_t at = name.n;
    while (at && name.p[at - 1] != '/') at--;
    return (nytp_str){name.p + at, name.n - at};
}

static int by_base(const void *a, const void *b) {
    const based *x = a, *y = b;
    int order = nytp_str_cmp(x->base, y->base);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* The last of the files, which is of the new side if there is one, stands for all. */
static void unite(nytp_lined *l, const based *all, uint32_t n) {
    uint32_t into = all[n - 1].index;
    for (uint32_t i = 0; i < n; i++) {
        file *from = &l->files[all[i].index], *to = &l->files[into];
        from->into = into;
        to->profiles |= from->profiles;
        for (int side = 0; side < 2; side++) {
            if (to->source[side] || !from->source[side]) continue;
            to->source[side] = from->source[side];
            to->source_n[side] = from->source_n[side];
        }
    }
}

/* Files of one name in any directory are one if no profile has two: a script that was run in copies of its directory.
 * 0 if memory is short. */
static int unite_files(nytp_lined *l) {
    based *all = malloc((l->files_n + (size_t)1) * sizeof *all);
    for (uint32_t i = 0; all && i < l->files_n; i++) {
        all[i] = (based){base_of(l->files[i].name), i};
        l->files[i].into = i;
    }
    if (all) qsort(all, l->files_n, sizeof *all, by_base);
    for (uint32_t i = 0, behind; all && i < l->files_n; i = behind) {
        uint64_t profiles = l->files[all[i].index].profiles;
        int is_twice = 0;
        for (behind = i + 1; behind < l->files_n && nytp_str_eq(all[behind].base, all[i].base); behind++) {
            is_twice |= (profiles & l->files[all[behind].index].profiles) != 0;
            profiles |= l->files[all[behind].index].profiles;
        }
        if (!is_twice) unite(l, all + i, behind - i);
    }
    free(all);
    return all != NULL;
}

static void add_values(const nytp_lined *l, line *to, const line *from) {
    for (size_t i = 0; i < values_size(l) / sizeof *to->values; i++)
        to->values[i] = nytp_ticks_add(to->values[i], from->values[i]);
}

/* Lines of one number, of files that are one now, become the first of them. 0 if memory is short. */
static int unite_lines(nytp_lined *l) {
    nytp_table_free(&l->by_number);
    for (uint32_t i = 0; i < l->lines_n; i++) {
        line *at = &l->lines[i];
        at->file = l->files[at->file].into;
        uint32_t *number = nytp_table_at(&l->by_number, hash_of(at), is_line, l, at);
        if (!number) return 0;
        at->is_done = *number != 0;
        if (*number) add_values(l, &l->lines[*number - 1], at);
        else *number = i + 1;
    }
    return 1;
}

/* ---- rows ---- */

/* Fills `elsewhere` of a file whose source is known on both sides. 0 if memory is short. */
static int align(nytp_lined *l, file *f, uint64_t *steps) {
    const nytp_aligned_text old = {f->source[0], f->source_n[0]}, new = {f->source[1], f->source_n[1]};
    if (!old.at || !new.at) return 1;
    uint32_t *partners = nytp_aligned_make(old, new, steps);
    for (int side = 0; side < 2; side++)
        f->elsewhere[side] = nytp_arena_get(&l->compared.arena, f->source_n[side] * sizeof *f->elsewhere[side]);
    int is_fine = partners && f->elsewhere[0] && f->elsewhere[1];
    for (uint32_t i = 0; is_fine && i < old.n; i++) {
        if (partners[i] == NYTP_ALIGNED_NONE) continue;
        f->elsewhere[NYTP_COMPARED_OLD][i] = partners[i] + 1;
        f->elsewhere[NYTP_COMPARED_NEW][partners[i]] = i + 1;
    }
    free(partners);
    return is_fine;
}

static int is_on(const nytp_lined *l, const file *f, int side) {
    uint64_t old = (UINT64_C(1) << l->compared.n[NYTP_COMPARED_OLD]) - 1;
    return (f->profiles & (side == NYTP_COMPARED_OLD ? old : ~old)) != 0;
}

/* The number of a line on the other side, or 0. */
static uint32_t elsewhere(const nytp_lined *l, const line *at) {
    const file *f = &l->files[at->file];
    if (!is_on(l, f, !at->side)) return 0;
    if (!f->elsewhere[at->side]) return at->line;
    return at->line - 1 < f->source_n[at->side] ? f->elsewhere[at->side][at->line - 1] : 0;
}

static line *other_of(nytp_lined *l, const line *at, uint32_t number) {
    const line like = {.file = at->file, .side = !at->side, .line = number};
    uint32_t found = number ? nytp_table_get(&l->by_number, hash_of(&like), is_line, l, &like) : 0;
    return found ? &l->lines[found - 1] : NULL;
}

/* The row of a line, and of its other side. 0 if memory is short. */
static int add_row(nytp_lined *l, const line *at, const int64_t *zeros) {
    nytp_compared *c = &l->compared;
    nytp_compared_row *row = nytp_grow(&c->arena, &c->rows, c->rows_n, &c->rows_room, sizeof *row);
    if (!row) return 0;
    uint32_t number = elsewhere(l, at);
    line *other = other_of(l, at, number);
    const int64_t *values[2] = {NULL, NULL};
    values[at->side] = at->values;
    if (number) values[!at->side] = other ? other->values : zeros;
    *row = (nytp_compared_row){.name = l->files[at->file].name,
                               .source = other && at->side == NYTP_COMPARED_OLD ? other->text : at->text,
                               .old = values[NYTP_COMPARED_OLD], .new = values[NYTP_COMPARED_NEW]};
    row->lines[at->side] = at->line;
    row->lines[!at->side] = number;
    if (other) other->is_done = 1;
    c->rows_n++;
    return 1;
}

enum nytp_code nytp_lined_end(nytp_lined *l) {
    uint64_t steps = 0;
    int64_t *zeros = nytp_arena_get(&l->compared.arena, values_size(l));
    int is_fine = zeros && unite_files(l) && unite_lines(l);
    for (uint32_t i = 0; i < l->files_n && is_fine; i++)
        if (l->files[i].into == i) is_fine = align(l, &l->files[i], &steps);
    for (uint32_t i = 0; i < l->lines_n && is_fine; i++)
        if (!l->lines[i].is_done) is_fine = add_row(l, &l->lines[i], zeros);
    return is_fine ? NYTP_OK : NYTP_NOMEM;
}

void nytp_lined_free(nytp_lined *l) {
    nytp_table_free(&l->by_name);
    nytp_table_free(&l->by_number);
    nytp_compared_free(&l->compared);
    *l = (nytp_lined){0};
}
