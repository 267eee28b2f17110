/* SPDX-License-Identifier: MIT */
/* changes.c - what differs between two builds. */
#include "report/changes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "model/alone.h"
#include "report/page.h"
#include "report/text.h"

#define NAME 20 /* columns */
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

/* ---- tables ---- */

/* The end of a long name tells more than its beginning. */
static void put_name(nytp_buf *out, nytp_str name) {
    size_t from = name.n > NAME ? name.n - NAME + 2 : 0, n = from ? 2 : 0;
    if (from) nytp_text_put(out, "..");
    for (size_t i = from; i < name.n; i++, n++) {
        unsigned char c = (unsigned char)name.p[i];
        nytp_buf_byte(out, c >= ' ' && c <= '~' ? c : '?');
    }
    for (; n < NAME; n++) nytp_buf_byte(out, ' ');
}

static void put_seconds(nytp_buf *out, int64_t change, double unit) {
    double seconds = unit * (double)change;
    nytp_text_format(out, seconds > -99999 && seconds < 99999 ? "%+11.3f" : "%+11.3e", seconds);
}

/* Of what was there before. */
static void put_share(nytp_buf *out, const nytp_change *row, enum nytp_changes_value value) {
    double old = (double)row->values[NYTP_CHANGES_OLD][value], change = (double)nytp_changes_by(row, value);
    const char *word = !row->values[NYTP_CHANGES_OLD][NYTP_CHANGES_COUNT]   ? "new"
                       : !row->values[NYTP_CHANGES_NEW][NYTP_CHANGES_COUNT] ? "gone"
                                                                            : "";
    double share = old > 0 ? 100 * change / old : 0;
    if (*word || old <= 0) nytp_text_format(out, " %6s", word);
    else if (share < 10000) nytp_text_format(out, " %+5.0f%%", share);
    else nytp_text_format(out, "  >x100");
}

static void put_row(nytp_buf *out, const nytp_change *row) {
    put_name(out, row->name);
    put_seconds(out, nytp_changes_by(row, NYTP_CHANGES_REAL), 1e-9);
    put_share(out, row, NYTP_CHANGES_REAL);
    put_seconds(out, nytp_changes_by(row, NYTP_CHANGES_USER), 1e-6);
    put_seconds(out, nytp_changes_by(row, NYTP_CHANGES_SYSTEM), 1e-6);
    nytp_text_format(out, " %+6" PRId64 " %+10" PRId64 "\n", nytp_changes_by(row, NYTP_CHANGES_COUNT),
                     nytp_changes_by(row, NYTP_CHANGES_BLOCKS));
}

static int has_changed(const nytp_change *row) {
    for (int i = 0; i < NYTP_CHANGES_VALUES; i++)
        if (nytp_changes_by(row, (enum nytp_changes_value)i)) return 1;
    return 0;
}

void nytp_changes_put(nytp_buf *out, const nytp_changes *c, const char *title, uint32_t most) {
    uint32_t rows = 0, same = 0;
    nytp_change total = c->total;
    total.name = NYTP_LIT("TOTAL");
    nytp_text_format(out, "\nCHANGES BY %s\n\n%-20s%11s %6s%11s%11s %6s %10s\n", title, "", "real s", "", "user s",
                     "system s", "n", "blocks");
    for (uint32_t i = 0; i < c->n; i++) {
        int is_changed = has_changed(&c->rows[i]);
        same += is_changed ? 0 : 1;
        rows += is_changed ? 1 : 0;
        if (is_changed && rows <= most) put_row(out, &c->rows[i]);
    }
    put_row(out, &total);
    if (rows > most) nytp_text_around(out, "(", rows - most, " more with smaller changes)\n");
    if (same) nytp_text_around(out, "(", same, " without any change)\n");
}

/* format is of a double. */
static void put_whole(nytp_buf *out, const char *title, double old, double new, const char *format) {
    char text[3][40];
    const double numbers[] = {old, new, new - old};
    for (int i = 0; i < 3; i++) snprintf(text[i], sizeof text[i], format, numbers[i]);
    nytp_text_format(out, "%-20s%14s%14s%14s", title, text[0], text[1], text[2]);
    if (old > 0) nytp_text_format(out, " %+8.1f%%", 100 * (new - old) / old);
    nytp_text_put(out, "\n");
}

static double elapsed(const nytp_build *b) { return 1e-9 * (double)(b->last - b->first); }

/* Those of processes at the top are those of all. */
static double all_blocks(const nytp_build *b) {
    double sum = 0;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->processes[i].parent == NYTP_BUILD_NONE) sum += (double)blocks_of(&b->processes[i]);
    return sum;
}

void nytp_changes_put_whole(nytp_buf *out, const nytp_build *old, const nytp_build *new) {
    nytp_text_format(out, "%-20s%14s%14s%14s\n", "", "old", "new", "change");
    put_whole(out, "duration, s", elapsed(old), elapsed(new), "%.3f");
    put_whole(out, "user CPU, s", 1e-6 * (double)old->own_user_us, 1e-6 * (double)new->own_user_us, "%.3f");
    put_whole(out, "system CPU, s", 1e-6 * (double)old->own_system_us, 1e-6 * (double)new->own_system_us, "%.3f");
    put_whole(out, "processes", old->n, new->n, "%.0f");
    put_whole(out, "failed or killed", (double)(old->failed + old->killed), (double)(new->failed + new->killed),
              "%.0f");
    put_whole(out, "blocks", all_blocks(old), all_blocks(new), "%.0f");
}

void nytp_changes_free(nytp_changes *c) {
    nytp_table_free(&c->by_name);
    nytp_arena_free(&c->arena);
    *c = (nytp_changes){0};
}
