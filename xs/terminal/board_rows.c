/* SPDX-License-Identifier: MIT */
/* board_rows.c - the rows of the live table. */
#include "terminal/board_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "model/metrics.h"
#include "report/escape.h"
#include "report/names.h"
#include "report/page.h"
#include "report/text.h"

#define DEEPEST 64 /* callers in the name of a stack */

/* ---- names ---- */

static void put_shown(nytp_buf *out, nytp_buf *name) {
    nytp_escape_text(out, nytp_page_bytes(name));
    nytp_buf_rewind(name);
}

static void put_sub(nytp_buf *out, const nytp_profile *p, uint32_t sub) {
    nytp_buf name = {0};
    nytp_names_sub(&name, p, &p->subs[sub]);
    put_shown(out, &name);
    nytp_buf_done(&name, out);
}

static void put_line(nytp_buf *out, const nytp_profile *p, const nytp_board_row *row) {
    nytp_buf name = {0};
    nytp_names_file(&name, p, &p->files[row->file]);
    put_shown(out, &name);
    nytp_buf_done(&name, out);
    if (row->line == NYTP_LINE_UNKNOWN) nytp_text_put(out, ", no known line");
    else nytp_text_around(out, ":", row->line, "");
}

static void put_stack(nytp_buf *out, const nytp_profile *p, uint32_t node) {
    put_sub(out, p, p->nodes[node].sub);
    for (uint32_t i = 0; node != NYTP_ROOT && i < DEEPEST; i++) {
        node = p->nodes[node].parent;
        nytp_text_put(out, " < ");
        put_sub(out, p, p->nodes[node].sub);
    }
    if (node != NYTP_ROOT) nytp_text_put(out, " < ...");
}

void nytp_board_name(nytp_buf *out, const nytp_profile *p, enum nytp_board_view view, const nytp_board_row *row) {
    if (view == NYTP_BOARD_SUBS) put_sub(out, p, row->thing);
    else if (view == NYTP_BOARD_LINES) put_line(out, p, row);
    else put_stack(out, p, row->thing);
}

/* ---- rows ---- */

static void add(nytp_board_rows *rows, const nytp_profile *p, nytp_board_row row, uint32_t own, int *failed) {
    for (int c = NYTP_BOARD_CPU; c <= NYTP_BOARD_WAITING; c++)
        row.of[c] = rows->metric[c] < p->metrics_n ? nytp_metrics_get(p, rows->metric[c], own) : 0;
    if (!row.of[NYTP_BOARD_TOTAL] && !row.of[NYTP_BOARD_SELF] && !row.of[NYTP_BOARD_CALLS]) return;
    nytp_board_row *to = nytp_grow_owned(&rows->at, rows->n, &rows->room, sizeof *to);
    if (!to) {
        *failed = 1;
        return;
    }
    *to = row;
    rows->n++;
}

static int add_subs(nytp_board_rows *rows, const nytp_profile *p) {
    int failed = 0;
    for (uint32_t i = 0; i < p->subs_n && !failed; i++) {
        const nytp_sub *s = &p->subs[i];
        add(rows, p, (nytp_board_row){i, s->file, s->first_line, {s->inclusive, s->exclusive, 0, 0, s->calls}}, s->own,
            &failed);
    }
    return failed;
}

static int add_lines(nytp_board_rows *rows, const nytp_profile *p) {
    int failed = 0;
    for (uint32_t i = 0; i < p->files_n; i++) {
        const nytp_file *f = &p->files[i];
        const nytp_lines *lines = &f->level[NYTP_LEVEL_LINE];
        for (uint32_t k = 0; k < lines->n && !failed; k++) {
            const nytp_line *l = &lines->at[k];
            add(rows, p, (nytp_board_row){i, i, l->line, {0, l->ticks, 0, 0, l->count}}, l->values, &failed);
        }
    }
    return failed;
}

/* A stack's own time is that of its last sub. */
static int add_stacks(nytp_board_rows *rows, const nytp_profile *p) {
    int failed = 0;
    for (uint32_t i = 0; i < p->nodes_n && !failed; i++) {
        const nytp_node *node = &p->nodes[i];
        const nytp_sub *s = &p->subs[node->sub];
        int64_t calls = node->exclusive ? node->calls : 0;
        add(rows, p, (nytp_board_row){i, s->file, s->first_line, {0, node->exclusive, 0, 0, calls}}, node->own,
            &failed);
    }
    return failed;
}

static int (*const adders[NYTP_BOARD_VIEWS])(nytp_board_rows *rows, const nytp_profile *p) = {
    [NYTP_BOARD_SUBS] = add_subs, [NYTP_BOARD_LINES] = add_lines, [NYTP_BOARD_STACKS] = add_stacks,
};

/* ---- which rows, and their order ---- */

static int keep_matching(nytp_board_rows *rows, const nytp_profile *p, enum nytp_board_view view, const char *text) {
    nytp_buf name = {0};
    uint32_t kept = 0;
    int failed = 0;
    for (uint32_t i = 0; i < rows->n && !failed; i++) {
        nytp_buf_rewind(&name);
        nytp_board_name(&name, p, view, &rows->at[i]);
        nytp_buf_byte(&name, '\0');
        failed = name.failed;
        if (!failed && strstr((const char *)name.p, text)) rows->at[kept++] = rows->at[i];
    }
    rows->n = kept;
    nytp_buf_free(&name);
    return failed;
}

typedef struct key {
    int64_t value, second;
    uint32_t index;
} key;

/* Ties in the order of the profile, so that rows do not change places without a reason. */
static int largest_first(const void *a, const void *b) {
    const key *x = a, *y = b;
    if (x->value != y->value) return x->value > y->value ? -1 : 1;
    if (x->second != y->second) return x->second > y->second ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static int sort(nytp_board_rows *rows, enum nytp_board_column by) {
    if (!rows->n) return 0;
    key *keys = malloc(rows->n * sizeof *keys);
    nytp_board_row *sorted = malloc(rows->n * sizeof *sorted);
    int failed = !keys || !sorted;
    for (uint32_t i = 0; i < rows->n && !failed; i++)
        keys[i] = (key){rows->at[i].of[by], rows->at[i].of[NYTP_BOARD_SELF], i};
    if (!failed) qsort(keys, rows->n, sizeof *keys, largest_first);
    for (uint32_t i = 0; i < rows->n && !failed; i++) sorted[i] = rows->at[keys[i].index];
    if (!failed) memcpy(rows->at, sorted, rows->n * sizeof *sorted);
    free(keys);
    free(sorted);
    return failed;
}

enum nytp_code nytp_board_gather(nytp_board_rows *rows, const nytp_profile *p, enum nytp_board_view view,
                                 enum nytp_board_column by, const char *text) {
    rows->n = 0;
    rows->view = view;
    rows->metric[NYTP_BOARD_CPU] = nytp_metrics_find(p, NYTP_LIT("cpu"));
    rows->metric[NYTP_BOARD_WAITING] = nytp_metrics_find(p, NYTP_LIT("waiting"));
    if (!nytp_board_has(rows, p, by)) by = NYTP_BOARD_SELF;
    int failed = adders[view](rows, p) || (*text && keep_matching(rows, p, view, text)) || sort(rows, by);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

void nytp_board_free(nytp_board_rows *rows) {
    free(rows->at);
    *rows = (nytp_board_rows){0};
}

int nytp_board_has(const nytp_board_rows *rows, const nytp_profile *p, enum nytp_board_column column) {
    if (column == NYTP_BOARD_CALLS) return p->totals.calls || p->totals.statements || !p->is_uncounted;
    if (column == NYTP_BOARD_TOTAL) return rows->view == NYTP_BOARD_SUBS;
    return column == NYTP_BOARD_SELF || rows->metric[column] < p->metrics_n;
}
