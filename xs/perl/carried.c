/* SPDX-License-Identifier: MIT */
/* carried.c - the statements of compiled code: their lines, and those that perl's optimiser merged into others.
 *
 * Code is walked when it is first called, or at the end if it never was. The lines of its statements are marked, to
 * know those that never ran. A block that declares nothing loses its first statement op: the op is nulled, but keeps
 * its line, and its time goes to the statement before. Declarations that follow each other become one op, which leads
 * past the statement ops between them. Without a record of these the lines would look as if they had never run. */
#include "perl/glue.h"

#include "record/marks.h"
#include "record/places.h"

static int is_statement(int type) { return type == OP_NEXTSTATE || type == OP_DBSTATE; }

static void report(pTHX_ nytp_glue *g, const COP *merged, const COP *carrier) {
    const nytp_live_file *file = nytp_file_of(aTHX_ g, OutCopFILE(carrier), NYTP_FILE_VIA_SUB);
    if (!file || !CopLINE(merged) || CopLINE(merged) == CopLINE(carrier)) return;
    nytp_rec_carried what = {file->id, CopLINE(merged), CopLINE(carrier)};
    nytp_places_carry(&g->r, &what);
}

/* Statements of one walk are mostly in one file, whose name each may have at another address. */
typedef struct walk {
    nytp_glue *g;
    int runs;             /* 0: only lines are marked */
    const char *name;     /* of the file of the latest statement */
    nytp_live_file *file; /* NULL: not met, or a string eval */
} walk;

/* A merged statement has no file of its own any more. */
static void mark(pTHX_ walk *w, const COP *statement, const COP *carrier) {
    const char *name = OutCopFILE(carrier);
    if (!name) return;
    if (!w->name || strNE(w->name, name)) {
        w->name = name;
        w->file = nytp_file_of(aTHX_ w->g, name, 0);
        if (w->file && w->file->flags & NYTP_FILE_EVAL) w->file = NULL;
    }
    if (w->file) nytp_marks_add(&w->g->r, w->file, CopLINE(statement));
}

/* perl fills a slab of ops from its end, so later ops of a sub lie this far below, more or less. */
#define AHEAD 1024

/* A sub's ops lie apart in memory, which the walk waits for: the next sibling is fetched while an op is visited, and so
 * is memory ahead. perltidy's walks take a sixth less time by the former, and a quarter of the rest by the latter. */
static const OP *next_of(const OP *o) {
    const OP *next = OpSIBLING(o);
    NYTP_PREFETCH(next);
    NYTP_PREFETCH((const char *)o - AHEAD);
    return next;
}

/* Where the op of several declarations leads, if it is the first below o: past the statements that it is made of. */
static const OP *past_declarations(const OP *o) {
    const OP *first = o->op_flags & OPf_KIDS ? cUNOPx(o)->op_first : NULL;
    return first && first->op_type == OP_PADRANGE && OP_GIMME(first, 0) == G_VOID ? first->op_next : NULL;
}

/* carrier is the statement charged for the code here: the last live one before it among its own and its ancestors'
 * siblings. A carrier inside a block is not one for code behind the block. */
static void visit(pTHX_ walk *w, const OP *o, const COP *carrier, int depth) {
    if (depth > NYTP_DEEPEST || !(o->op_flags & OPf_KIDS)) return;
    const OP *live = NULL; /* the next statement that is reached; NULL: any */
    for (const OP *kid = cUNOPx(o)->op_first, *next; kid; kid = next) {
        next = next_of(kid);
        if (kid == live) live = NULL;
        int is_nulled = kid->op_type == OP_NULL && is_statement((int)kid->op_targ);
        int is_merged = carrier && (is_nulled || (live && is_statement(kid->op_type)));
        if (is_statement(kid->op_type) && !is_merged) carrier = (const COP *)kid;
        if (is_statement(kid->op_type) || is_merged) {
            mark(aTHX_ w, (const COP *)kid, carrier);
        } else {
            visit(aTHX_ w, kid, carrier, depth + 1);
            if (!live) live = past_declarations(kid);
        }
        if (is_merged && w->runs) report(aTHX_ w->g, (const COP *)kid, carrier);
    }
}

void nytp_carried_walk(pTHX_ nytp_glue *g, const OP *root) {
    walk w = {g, 1, NULL, NULL};
    visit(aTHX_ &w, root, NULL, 0);
}

void nytp_carried_mark(pTHX_ nytp_glue *g, const OP *root) {
    walk w = {g, 0, NULL, NULL};
    if (root) visit(aTHX_ &w, root, NULL, 0);
}
