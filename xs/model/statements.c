/* SPDX-License-Identifier: MIT */
/* statements.c - lines with statements beside those that ran: lines of code, and of statements merged into others. */
#include "model/statements.h"

#include <stdlib.h>

#include "base/grow.h"

/* ---- merged statements ---- */

enum nytp_code nytp_statements_carried(nytp_loader *l, uint32_t file, const nytp_rec_carried *r) {
    nytp_file *f = &l->p->files[file];
    if (!file) return NYTP_OK;
    nytp_carried *c = nytp_grow(&l->p->arena, &f->carried, f->carried_n, &f->carried_room, sizeof *c);
    if (!c) return nytp_loader_no_memory(l);
    *c = (nytp_carried){nytp_loader_narrow(r->line), nytp_loader_narrow(r->carrier)};
    f->carried_n++;
    return NYTP_OK;
}

static int by_carried_line(const void *a, const void *b) {
    const nytp_carried *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->carrier < y->carrier ? -1 : x->carrier > y->carrier;
}

static void tidy_carried(nytp_file *f) {
    uint32_t kept = 0;
    if (f->carried_n) qsort(f->carried, f->carried_n, sizeof *f->carried, by_carried_line);
    for (uint32_t i = 0; i < f->carried_n; i++) {
        const nytp_line *own = nytp_profile_line(f, NYTP_LEVEL_LINE, f->carried[i].line);
        int ran = nytp_profile_line(f, NYTP_LEVEL_LINE, f->carried[i].carrier) != NULL;
        if (!ran || (own && own->count) || (kept && f->carried[kept - 1].line == f->carried[i].line)) continue;
        f->carried[kept++] = f->carried[i];
    }
    f->carried_n = kept;
}

/* ---- lines of code ---- */

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void tidy_code(nytp_file *f) {
    uint32_t kept = 0;
    if (f->code_n) qsort(f->code, f->code_n, sizeof *f->code, by_number);
    for (uint32_t i = 0; i < f->code_n; i++)
        if (!kept || f->code[kept - 1] != f->code[i]) f->code[kept++] = f->code[i];
    f->code_n = kept;
}

/* All processes of a job may have the same lines: doubles are dropped before the array grows. */
static int make_room(nytp_loader *l, nytp_file *f) {
    if (f->code_n < f->code_room) return 1;
    tidy_code(f);
    if (f->code_n < f->code_room / 2) return 1;
    return nytp_grow(&l->p->arena, &f->code, f->code_room, &f->code_room, sizeof *f->code) != NULL;
}

enum nytp_code nytp_statements_code(nytp_loader *l, uint32_t file, const nytp_rec_code *r) {
    nytp_file *f = &l->p->files[file];
    if (!file) return NYTP_OK;
    if (!make_room(l, f)) return nytp_loader_no_memory(l);
    f->code[f->code_n++] = nytp_loader_narrow(r->line);
    return NYTP_OK;
}

void nytp_statements_tidy(nytp_file *f) {
    tidy_carried(f);
    tidy_code(f);
}
