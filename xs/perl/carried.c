/* SPDX-License-Identifier: MIT */
/* carried.c - statements that perl's optimiser merged into others.
 *
 * A block that declares nothing loses its first statement op: the op is nulled, but keeps its line, and its time goes
 * to the statement before. Without a record of it the line would look as if it had never run. */
#include "perl/glue.h"

#include "record/places.h"

static int is_statement(int type) { return type == OP_NEXTSTATE || type == OP_DBSTATE; }

static void report(pTHX_ nytp_glue *g, const COP *merged, const COP *carrier) {
    const nytp_live_file *file = nytp_file_of(aTHX_ g, OutCopFILE(carrier), NYTP_FILE_VIA_SUB);
    if (!file || !CopLINE(merged) || CopLINE(merged) == CopLINE(carrier)) return;
    nytp_rec_carried what = {file->id, CopLINE(merged), CopLINE(carrier)};
    nytp_places_carry(&g->r, &what);
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

/* carrier is the statement charged for the code here: the last live one before it among its own and its ancestors'
 * siblings. A carrier inside a block is not one for code behind the block. */
static void visit(pTHX_ nytp_glue *g, const OP *o, const COP *carrier, int depth) {
    if (depth > NYTP_DEEPEST || !(o->op_flags & OPf_KIDS)) return;
    for (const OP *kid = cUNOPx(o)->op_first, *next; kid; kid = next) {
        next = next_of(kid);
        if (is_statement(kid->op_type))
            carrier = (const COP *)kid;
        else if (kid->op_type == OP_NULL && is_statement((int)kid->op_targ) && carrier)
            report(aTHX_ g, (const COP *)kid, carrier);
        else
            visit(aTHX_ g, kid, carrier, depth + 1);
    }
}

void nytp_carried_walk(pTHX_ nytp_glue *g, const OP *root) { visit(aTHX_ g, root, NULL, 0); }
