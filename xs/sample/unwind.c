/* SPDX-License-Identifier: MIT */
/* unwind.c - from the interpreter's variables over its stacks of contexts to the statement in each frame. */
#include "sample/unwind.h"

#include <string.h>
#include <time.h>

#define MOST_CONTEXTS 10000000
#define MOST_INFOS 1000 /* stacks of contexts: sort, tie, overloading, DESTROY and require have their own */
#define STATEMENT 128   /* bytes that the read part of a statement op may have */
#define PIECE NYTP_UNWIND_PIECE
#define NEAR 4          /* contexts below and above the current one that are likely to change */
#define LOOKS 5         /* for one moment */
#define INTERRUPTED 50000 /* ns, at least, that a look takes if this thread had no CPU meanwhile */
#define SPAN 4096       /* bytes between the interpreter's variables */

/* ---- a look ---- */

/* The interpreter's variables are members of one struct, or near each other: all that lies between them is read. */
typedef struct nytp_span {
    uint64_t from;
    size_t n;
    unsigned char bytes[SPAN];
} nytp_span;

static void find_span(const nytp_perl_at *perl, nytp_span *span) {
    uint64_t first = perl->variable[0], last = first;
    for (int i = 1; i < NYTP_PERL_VARIABLES; i++) {
        if (perl->variable[i] < first) first = perl->variable[i];
        if (perl->variable[i] > last) last = perl->variable[i];
    }
    span->from = first;
    span->n = last - first + sizeof(uintptr_t);
}

/* Pieces of memory for one look. */
typedef struct nytp_glance {
    nytp_peek_piece pieces[NYTP_PEEK_TOGETHER];
    size_t n;
} nytp_glance;

/* Contexts from index `from` up to `to`, of those that are aimed at. */
static void add_contexts(nytp_glance *g, nytp_innermost *in, size_t size, int32_t from, int32_t to) {
    int32_t first = from > in->first ? from : in->first, last = to < in->first + in->n ? to : in->first + in->n;
    if (first >= last) return;
    unsigned char *room = in->contexts + (size_t)(first - in->first) * size;
    g->pieces[g->n++] = (nytp_peek_piece){in->base + (uint64_t)first * size, room, (size_t)(last - first) * size};
}

/* One moment. The variables are read first: what is read slows down the program where it writes to that, so behind the
 * stack they would be seen where calls begin and end more often than they are there. The contexts that change most are
 * next, and the index again behind them. 0: a piece is not there. */
static int look_once(const nytp_subject *t, nytp_innermost *in, uint64_t now[NYTP_PERL_VARIABLES]) {
    nytp_span span;
    size_t size = t->layout->ctx_size;
    nytp_glance g = {.n = 0};
    find_span(&t->perl, &span);
    if (span.n > sizeof span.bytes) return 0;
    g.pieces[g.n++] = (nytp_peek_piece){span.from, span.bytes, span.n};
    if (in->info) {
        int32_t from = (int32_t)nytp_peek_u32(in->head, t->layout->si_cxix) - NEAR, to = from + 2 * NEAR;
        g.pieces[g.n++] = (nytp_peek_piece){in->info, in->head, t->layout->si_size};
        add_contexts(&g, in, size, from, to);
        g.pieces[g.n++] = (nytp_peek_piece){in->info + t->layout->si_cxix, &in->after, sizeof in->after};
        add_contexts(&g, in, size, in->first, from);
        add_contexts(&g, in, size, to, in->first + in->n);
    }
    if (!nytp_peek_together(&t->peek, g.pieces, g.n)) return 0;
    for (int i = 0; i < NYTP_PERL_VARIABLES; i++)
        now[i] = nytp_peek_pointer(span.bytes, (uint32_t)(t->perl.variable[i] - span.from));
    return 1;
}

/* Where to look next: around the current context of that stack. 0: the stack makes no sense. */
static int aim(const nytp_subject *t, nytp_innermost *in, uint64_t info) {
    const nytp_perl_layout *l = t->layout;
    in->info = info;
    in->shortest = 0; /* another number of bytes */
    if (!nytp_peek_at(&t->peek, info, in->head, l->si_size)) return 0;
    int32_t last = (int32_t)nytp_peek_u32(in->head, l->si_cxix), most = (int32_t)nytp_peek_u32(in->head, l->si_cxmax);
    if (last < -1 || last > most || most > MOST_CONTEXTS) return 0;
    in->base = nytp_peek_pointer(in->head, l->si_cxstack);
    in->first = last < PIECE / 2 ? 0 : last - PIECE / 2;
    in->n = most - in->first < PIECE ? most - in->first + 1 : PIECE;
    return 1;
}

/* 1 if the current context was among those read. */
static int has_hit(const nytp_subject *t, const nytp_innermost *in, uint64_t info) {
    int32_t last = (int32_t)nytp_peek_u32(in->head, t->layout->si_cxix);
    return in->info == info && in->base == nytp_peek_pointer(in->head, t->layout->si_cxstack) &&
           last < in->first + in->n && (last >= in->first || last == -1);
}

static int64_t clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* 1 if the pieces are of different moments: the look took far longer than a look does, as this thread was interrupted
 * in it. That the program entered or left a block meanwhile is no reason, or looks at short calls would be repeated,
 * and most of their time would be that of their callers (mend.h); perl before 5.26 has no trees for mending. */
static int is_torn(const nytp_subject *t, nytp_innermost *in, int64_t took) {
    if (!in->shortest || took < in->shortest) in->shortest = took;
    if (took > 2 * in->shortest && took > INTERRUPTED) return 1;
    return !t->layout->op_more_mask && in->after != nytp_peek_u32(in->head, t->layout->si_cxix);
}

/* Where the stack was expected elsewhere, or the look was torn, another moment is as good. */
static int look(const nytp_subject *t, nytp_innermost *in, uint64_t now[NYTP_PERL_VARIABLES]) {
    for (int i = 0; i < LOOKS; i++) {
        int64_t begin = clock_ns();
        int is_read = look_once(t, in, now), torn = is_torn(t, in, clock_ns() - begin);
        int hit = is_read && has_hit(t, in, now[NYTP_PERL_STACKINFO]);
        if (hit && (!torn || i == LOOKS - 1)) return 1;
        int has_aim = is_read && (hit || aim(t, in, now[NYTP_PERL_STACKINFO]));
        if (!has_aim) in->info = 0; /* what was aimed at has gone */
    }
    return 0;
}

int nytp_unwind_look(const nytp_subject *t, nytp_stack *s) {
    uint64_t now[NYTP_PERL_VARIABLES] = {0};
    s->is_seen = (uint32_t)look(t, &s->inner, now);
    int moved = memcmp(s->variable, now, sizeof now) != 0;
    memcpy(s->variable, now, sizeof now);
    return moved;
}

/* ---- statements ---- */

static uint32_t type_of(const nytp_perl_layout *l, const void *op) {
    return nytp_peek_u32(op, l->op_type) >> l->op_type_shift & l->op_type_mask;
}

/* perl frees and replaces the name of the file that it compiles, so that of PL_compiling is not read. */
static void take_statement(const nytp_subject *t, nytp_frame *f, const unsigned char *cop) {
    const nytp_perl_layout *l = t->layout;
    uint32_t type = type_of(l, cop);
    if (f->cop == t->perl.compiling || (type != l->op_nextstate && type != l->op_dbstate)) {
        f->cop = 0;
        return;
    }
    f->line = nytp_peek_u32(cop, l->cop_line);
    f->seq = nytp_peek_u32(cop, l->cop_seq);
    f->file = nytp_peek_pointer(cop, l->cop_file);
    f->stash = nytp_peek_pointer(cop, l->cop_stash);
}

/* Of all frames in one go. */
static void read_statements(const nytp_subject *t, nytp_stack *s) {
    unsigned char cops[NYTP_UNWIND_DEEPEST * STATEMENT];
    uint64_t at[NYTP_UNWIND_DEEPEST];
    size_t size = t->layout->cop_size;
    for (uint32_t i = 0; i < s->n; i++) at[i] = s->frames[i].cop;
    nytp_peek_pieces(&t->peek, at, s->n, cops, size);
    for (uint32_t i = 0; i < s->n; i++) take_statement(t, s->frames + i, cops + i * size);
}

int nytp_unwind_read(const nytp_subject *t, nytp_peek_pages *pages, nytp_frame *f) {
    unsigned char cop[STATEMENT];
    size_t n = t->layout->cop_size;
    if (!(pages ? nytp_peek_near(&t->peek, pages, f->cop, cop, n) : nytp_peek_at(&t->peek, f->cop, cop, n))) return 0;
    take_statement(t, f, cop);
    return f->cop != 0;
}

int nytp_unwind_is_same(const nytp_subject *t, const nytp_frame *f) {
    nytp_frame now = {.cop = f->cop};
    return nytp_unwind_read(t, NULL, &now) && nytp_unwind_are_same(&now, f);
}

/* ---- contexts ---- */

/* A walk that goes outwards. */
typedef struct nytp_walker {
    const nytp_subject *t;
    nytp_stack *s;
    uint64_t cop; /* where the next frame out stands */
} nytp_walker;

static void push(nytp_walker *w, uint32_t kind, uint64_t code) {
    nytp_stack *s = w->s;
    s->is_cut = s->n == NYTP_UNWIND_DEEPEST;
    if (!s->is_cut) s->frames[s->n++] = (nytp_frame){.code = code, .cop = w->cop, .kind = kind};
}

/* A context that perl is pushing at this moment has no sub yet. */
static void push_sub(nytp_walker *w, const unsigned char *cx) {
    const nytp_perl_layout *l = w->t->layout;
    uint64_t cv = nytp_peek_pointer(cx, l->ctx_cv);
    if (cv < 4096) return;
    push(w, NYTP_FRAME_SUB, cv);
    w->cop = nytp_peek_pointer(cx, l->ctx_oldcop);
}

/* A block is no frame; a try block has the statements of the code around it. */
static void push_eval(nytp_walker *w, const unsigned char *cx) {
    const nytp_perl_layout *l = w->t->layout;
    uint16_t bits;
    memcpy(&bits, cx + l->ctx_u16, sizeof bits);
    uint32_t type = (uint32_t)bits >> l->ctx_op_shift;
    int is_eval = type == l->op_entereval;
    if (!is_eval && type != l->op_require && type != l->op_dofile) return;
    if (is_eval) push(w, NYTP_FRAME_EVAL, nytp_peek_pointer(cx, l->ctx_text));
    else push(w, NYTP_FRAME_REQUIRE, 0);
    w->cop = nytp_peek_pointer(cx, l->ctx_oldcop);
}

static void take_context(nytp_walker *w, const unsigned char *cx) {
    const nytp_perl_layout *l = w->t->layout;
    uint32_t type = cx[l->ctx_type], kind = type & l->ctx_type_mask;
    if (kind == l->ctx_eval) push_eval(w, cx);
    else if ((kind == l->ctx_sub && !(type & l->ctx_fake_sub)) || kind == l->ctx_format) push_sub(w, cx);
}

static void take_piece(nytp_walker *w, const unsigned char *contexts, int32_t n) {
    while (n > 0 && !w->s->is_cut) take_context(w, contexts + (size_t)--n * w->t->layout->ctx_size);
}

/* The contexts of a stack up to index `last`. 0: they cannot be read. */
static int take_contexts(nytp_walker *w, uint64_t base, int32_t last) {
    unsigned char piece[PIECE * NYTP_UNWIND_CONTEXT];
    size_t size = w->t->layout->ctx_size;
    if (last < -1 || last > MOST_CONTEXTS) return 0;
    while (last >= 0 && !w->s->is_cut) {
        int32_t first = last < PIECE ? 0 : last - PIECE + 1, n = last - first + 1;
        if (!nytp_peek_at(&w->t->peek, base + (uint64_t)first * size, piece, (size_t)n * size)) return 0;
        take_piece(w, piece, n);
        last = first - 1;
    }
    return 1;
}

static int take_stack(nytp_walker *w, const unsigned char *head) {
    const nytp_perl_layout *l = w->t->layout;
    return take_contexts(w, nytp_peek_pointer(head, l->si_cxstack), (int32_t)nytp_peek_u32(head, l->si_cxix));
}

/* The innermost stack, as far as it was read at the look. */
static int take_innermost(nytp_walker *w) {
    const nytp_innermost *in = &w->s->inner;
    int32_t last = (int32_t)nytp_peek_u32(in->head, w->t->layout->si_cxix);
    take_piece(w, in->contexts, last - in->first + 1);
    return take_contexts(w, in->base, last < in->first ? last : in->first - 1);
}

/* The stacks from the current one to that of the main program. */
static int take_stacks(nytp_walker *w) {
    const nytp_perl_layout *l = w->t->layout;
    unsigned char head[NYTP_UNWIND_CONTEXT];
    memcpy(head, w->s->inner.head, l->si_size);
    if (!take_innermost(w)) return 0;
    for (int n = 0; n < MOST_INFOS && nytp_peek_u32(head, l->si_type) != l->si_main && !w->s->is_cut; n++) {
        if (!nytp_peek_at(&w->t->peek, nytp_peek_pointer(head, l->si_prev), head, l->si_size)) return 0;
        if (!take_stack(w, head)) return 0;
    }
    push(w, NYTP_FRAME_MAIN, 0);
    return 1;
}

/* While perl compiles the program it stands there, too. */
static int is_outside(const nytp_subject *t, const nytp_stack *s) {
    uintptr_t parser = 1;
    return s->n == 1 && s->variable[NYTP_PERL_CURCOP] == t->perl.compiling &&
           nytp_peek_at(&t->peek, t->perl.parser, &parser, sizeof parser) && !parser;
}

int nytp_unwind(const nytp_subject *t, nytp_stack *s) {
    nytp_walker w = {t, s, s->variable[NYTP_PERL_CURCOP]};
    unsigned char op[STATEMENT];
    s->n = s->is_cut = s->op_type = s->is_outside = 0;
    if (nytp_peek_at(&t->peek, s->variable[NYTP_PERL_OP], op, t->layout->op_size)) s->op_type = type_of(t->layout, op);
    if (!s->is_seen || !w.cop || !take_stacks(&w)) return 0;
    s->is_outside = (uint32_t)is_outside(t, s);
    read_statements(t, s);
    return 1;
}

/* ---- contexts above the current one ---- */

static int32_t index_of(const nytp_subject *t, const nytp_stack *s) {
    return (int32_t)nytp_peek_u32(s->inner.head, t->layout->si_cxix);
}

uint64_t nytp_unwind_above(const nytp_subject *t, const nytp_stack *s, int32_t by) {
    const nytp_perl_layout *l = t->layout;
    const nytp_innermost *in = &s->inner;
    int32_t at = index_of(t, s) + by - in->first;
    if (at < 0 || at >= in->n) return 0;
    const unsigned char *cx = in->contexts + (size_t)at * l->ctx_size;
    uint32_t type = cx[l->ctx_type];
    int is_sub = (type & l->ctx_type_mask) == l->ctx_sub && !(type & l->ctx_fake_sub);
    return is_sub ? nytp_peek_pointer(cx, l->ctx_cv) : 0;
}

int nytp_unwind_raised(const nytp_subject *t, nytp_stack *s, int32_t by) {
    int32_t index = index_of(t, s) + by;
    memcpy(s->inner.head + t->layout->si_cxix, &index, sizeof index);
    return nytp_unwind(t, s);
}
