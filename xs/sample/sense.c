/* SPDX-License-Identifier: MIT */
/* sense.c - a layout is compared with what it is said to be of. */
#include "sample/sense.h"

#include <string.h>
#include <time.h>

#include "sample/spelled.h"

#define LOOKS 200
#define APART 2000000 /* ns between two looks */
#define ENOUGH 5      /* looks that make sense */
#define MOST_LINES 10000000

/* ---- ops ---- */

static int is_called(const nytp_subject *t, uint64_t op_names, uint32_t op, const char *name) {
    uintptr_t at;
    char there[64];
    size_t n = strlen(name) + 1;
    return n <= sizeof there && nytp_peek_at(&t->peek, op_names + op * sizeof at, &at, sizeof at) &&
           nytp_peek_at(&t->peek, at, there, n) && memcmp(there, name, n) == 0;
}

static int has_ops(const nytp_subject *t, uint64_t op_names) {
    const nytp_perl_layout *l = t->layout;
    const struct {
        uint32_t op;
        const char *name;
    } all[] = {{l->op_nextstate, "nextstate"}, {l->op_dbstate, "dbstate"}, {l->op_entersub, "entersub"},
               {l->op_entereval, "entereval"}, {l->op_require, "require"}, {l->op_dofile, "dofile"},
               {l->op_leavesub, "leavesub"}, {l->op_leavesublv, "leavesublv"}, {l->op_leaveeval, "leaveeval"},
               {l->op_leave, "leave"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!is_called(t, op_names, all[i].op, all[i].name)) return 0;
    for (uint32_t op = 0; l->slow && op < l->op_max; op++)
        if (l->slow[op] && !is_called(t, op_names, op, l->slow[op])) return 0;
    return 1;
}

/* ---- stacks ---- */

static int is_text(const nytp_buf *b) {
    for (size_t i = 0; i < b->n; i++)
        if (b->p[i] < ' ') return 0;
    return b->n > 0;
}

/* Where perl compiles there is no statement, nor where it has nothing to run, as in a web server without a request. */
static int is_sensible(const nytp_subject *t, const nytp_frame *f, nytp_buf *name) {
    nytp_perl_sub code;
    if (!f->cop) return f->kind != NYTP_FRAME_SUB;
    nytp_buf_clear(name);
    if (f->line > MOST_LINES || !nytp_spelled_file(t, f, name) || !is_text(name)) return 0;
    nytp_buf_clear(name);
    return f->kind != NYTP_FRAME_SUB || (nytp_spelled_sub(t, f->code, &code, name) && is_text(name));
}

static int makes_sense(const nytp_subject *t, nytp_stack *s, nytp_buf *name) {
    nytp_unwind_look(t, s);
    if (!nytp_unwind(t, s) || !s->n || (!s->is_cut && s->frames[s->n - 1].kind != NYTP_FRAME_MAIN)) return 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (!is_sensible(t, &s->frames[i], name)) return 0;
    return 1;
}

/* A look may come at a moment at which perl changes what is read. */
static int has_stacks(const nytp_subject *t) {
    nytp_stack s = {.n = 0};
    nytp_buf name = {0};
    int good = 0;
    for (int i = 0; i < LOOKS && good < ENOUGH; i++) {
        if (i) nanosleep(&(struct timespec){0, APART}, NULL);
        good += makes_sense(t, &s, &name);
    }
    nytp_buf_free(&name);
    return good == ENOUGH;
}

int nytp_sense_makes(const nytp_subject *t, uint64_t op_names) { return has_ops(t, op_names) && has_stacks(t); }
