/* SPDX-License-Identifier: MIT */
/* changes.c - what differs between two builds. */
#include "report/changes.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "model/alone.h"
#include "report/page.h"
#include "report/text.h"

#define THINGS 1000000u /* rows; more are one */

/* ---- names ---- */

static int is_same(const void *of, uint32_t number, const void *like) {
    return nytp_str_eq(((const nytp_changes *)of)->rows[number - 1].name, *(const nytp_str *)like);
}

static nytp_change *row_of(nytp_changes *c, nytp_str name) {
    nytp_str kept = c->n < THINGS ? name : NYTP_LIT("(others)");
    uint32_t *number = nytp_table_at(&c->by_name, nytp_str_hash(kept), is_same, c, &kept);
    if (number && *number) return &c->rows[*number - 1];
    nytp_change *new = number ? nytp_grow(&c->arena, &c->rows, c->n, &c->room, sizeof *new) : NULL;
    if (new) new->name = nytp_arena_str(&c->arena, kept);
    if (!new || !new->name.p) return NULL;
    *number = ++c->n;
    return new;
}

static nytp_str without_slash(nytp_str name) {
    return name.n > 1 && name.p[name.n - 1] == '/' ? (nytp_str){name.p, name.n - 1} : name;
}

/* A directory as it is below the root; "." is the root itself. */
static nytp_str below(nytp_str directory, nytp_str root) {
    directory = without_slash(directory);
    root = without_slash(root);
    if (!root.n || !nytp_str_starts(directory, root)) return directory;
    size_t from = root.n;
    while (from < directory.n && directory.p[from] == '/') from++;
    if (from == directory.n) return NYTP_LIT(".");
    int is_below = from > root.n || root.p[root.n - 1] == '/';
    return is_below ? (nytp_str){directory.p + from, directory.n - from} : directory;
}

/* A target without a directory of its own gets that of its process. */
static void put_target(nytp_buf *name, nytp_str target, nytp_str directory, nytp_str root) {
    int is_absolute = nytp_str_starts(target, NYTP_LIT("/"));
    if (is_absolute) target = below(target, root);
    if (!is_absolute && target.n && !nytp_str_eq(directory, NYTP_LIT("."))) {
        nytp_text_str(name, directory);
        nytp_text_put(name, "/");
    }
    nytp_text_str(name, target.n ? target : NYTP_LIT("(no target)"));
}

static void put_key(nytp_buf *name, const nytp_build *b, uint32_t i, const nytp_class_list *classes,
                    enum nytp_changes_of of) {
    const nytp_build_process *p = &b->processes[i];
    nytp_str root = b->texts[b->processes[0].directory], directory = below(b->texts[p->directory], root);
    nytp_buf_rewind(name);
    if (of == NYTP_CHANGES_CLASS) nytp_text_str(name, classes->classes[classes->of[i]]);
    else if (of == NYTP_CHANGES_DIRECTORY) nytp_text_str(name, directory);
    else put_target(name, b->texts[p->target], directory, root);
}

/* ---- sums ---- */

static int64_t bounded(uint64_t n) { return n < INT64_MAX ? (int64_t)n : INT64_MAX; }

static uint64_t blocks_of(const nytp_build_process *p) { return p->blocks_in + p->blocks_out; }

/* Blocks without those of the processes directly below, by process, to be freed. */
static uint64_t *own_blocks(const nytp_build *b) {
    uint64_t *own = calloc(b->n + (size_t)1, sizeof *own);
    for (uint32_t i = 0; own && i < b->n; i++)
        if (b->processes[i].parent < i) own[b->processes[i].parent] += blocks_of(&b->processes[i]);
    for (uint32_t i = 0; own && i < b->n; i++) {
        uint64_t all = blocks_of(&b->processes[i]);
        own[i] = all > own[i] ? all - own[i] : 0;
    }
    return own;
}

static void add(nytp_change *row, int side, const int64_t values[NYTP_CHANGES_VALUES]) {
    for (int i = 0; i < NYTP_CHANGES_VALUES; i++)
        row->values[side][i] = nytp_ticks_add(row->values[side][i], values[i]);
}

/* Processes without a class do not count in a table of classes. */
enum nytp_code nytp_changes_add(nytp_changes *c, int side, const nytp_build *b, const nytp_class_list *classes,
                                enum nytp_changes_of of) {
    int64_t *alone = nytp_alone_times(b);
    uint64_t *blocks = own_blocks(b);
    nytp_buf name = {0};
    int failed = !alone || !blocks;
    for (uint32_t i = 0; i < b->n && !failed; i++) {
        const nytp_build_process *p = &b->processes[i];
        const int64_t values[] = {[NYTP_CHANGES_REAL] = alone[i], [NYTP_CHANGES_USER] = bounded(p->own_user_us),
                                  [NYTP_CHANGES_SYSTEM] = bounded(p->own_system_us),
                                  [NYTP_CHANGES_BLOCKS] = bounded(blocks[i]), [NYTP_CHANGES_COUNT] = 1};
        put_key(&name, b, i, classes, of);
        if (!name.failed && !name.n) continue;
        nytp_change *row = name.failed ? NULL : row_of(c, nytp_page_bytes(&name));
        failed = !row;
        if (row) add(row, side, values), add(&c->total, side, values);
    }
    nytp_buf_free(&name);
    free(alone);
    free(blocks);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

int64_t nytp_changes_by(const nytp_change *row, enum nytp_changes_value value) {
    return nytp_ticks_minus(row->values[NYTP_CHANGES_NEW][value], row->values[NYTP_CHANGES_OLD][value]);
}

static uint64_t size_of(int64_t change) { return change < 0 ? 0 - (uint64_t)change : (uint64_t)change; }

typedef struct key {
    uint64_t size;
    nytp_change row;
} key;

static int by_size(const void *a, const void *b) {
    const key *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return nytp_str_cmp(x->row.name, y->row.name);
}

int nytp_changes_sort(nytp_changes *c, enum nytp_changes_value value) {
    key *keys = calloc(c->n + (size_t)1, sizeof *keys);
    if (!keys) return NYTP_NOMEM;
    for (uint32_t i = 0; i < c->n; i++) keys[i] = (key){size_of(nytp_changes_by(&c->rows[i], value)), c->rows[i]};
    qsort(keys, c->n, sizeof *keys, by_size);
    for (uint32_t i = 0; i < c->n; i++) c->rows[i] = keys[i].row;
    free(keys);
    return NYTP_OK;
}

/* ---- the whole ---- */

static double elapsed(const nytp_build *b) { return 1e-9 * (double)(b->last - b->first); }

/* Those of processes at the top are those of all. */
static double all_blocks(const nytp_build *b) {
    double sum = 0;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->processes[i].parent == NYTP_BUILD_NONE) sum += (double)blocks_of(&b->processes[i]);
    return sum;
}

void nytp_changes_figures(nytp_changes_figure figures[NYTP_CHANGES_FIGURES], const nytp_build *builds) {
    static const char *const titles[NYTP_CHANGES_FIGURES] = {"duration", "user CPU", "system CPU", "processes",
                                                             "failed or killed", "blocks"};
    for (int i = 0; i < NYTP_CHANGES_FIGURES; i++)
        figures[i] = (nytp_changes_figure){.title = titles[i], .is_time = i < 3};
    for (int side = 0; side < 2; side++) {
        const nytp_build *b = &builds[side];
        const double values[NYTP_CHANGES_FIGURES] = {
            elapsed(b), 1e-6 * (double)b->own_user_us, 1e-6 * (double)b->own_system_us, b->n,
            (double)(b->failed + b->killed), all_blocks(b)};
        for (int i = 0; i < NYTP_CHANGES_FIGURES; i++) figures[i].values[side] = values[i];
    }
}

/* ---- rows ---- */

int nytp_changes_has_changed(const nytp_change *row) {
    for (int i = 0; i < NYTP_CHANGES_VALUES; i++)
        if (nytp_changes_by(row, (enum nytp_changes_value)i)) return 1;
    return 0;
}

uint32_t nytp_changes_count(const nytp_changes *c) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++) n += nytp_changes_has_changed(&c->rows[i]) ? 1 : 0;
    return n;
}

void nytp_changes_free(nytp_changes *c) {
    nytp_table_free(&c->by_name);
    nytp_arena_free(&c->arena);
    *c = (nytp_changes){0};
}
