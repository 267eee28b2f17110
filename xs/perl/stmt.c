/* SPDX-License-Identifier: MIT */
/* stmt.c - statements: the nextstate and dbstate ops, and the place that belongs to each. */
#include "perl/growth.h"
#include "perl/stmt.h"

#include "capture/tick.h"
#include "record/places.h"

/* perl's own part comes first: freeing temporaries and running signal handlers belong to the statement before. */
NYTP_HOT OP *statement(pTHX_ int grows) {
    COP *cop = (COP *)PL_op;
    OP *next = PERLS_OWN(OP_NEXTSTATE);
    nytp_glue *g = nytp_perl_here(aTHX);
    if (!g) return next;
    if (grows) nytp_growth_count(aTHX_ g);
    HEAL(g);
    nytp_live_place *p = nytp_place_of(aTHX_ g, cop, cxstack_ix); /* before the clock reading, as it may be new */
    int64_t now = nytp_now(&g->r), deadline = nytp_deadline(&g->r);
    nytp_statement(&g->r, p, now);
    if (NYTP_UNLIKELY(now >= deadline) && g->when_due) g->when_due(aTHX_ g, now);
    if (grows) nytp_growth_go_on(aTHX_ g);
    return next;
}

static OP *nextstate(pTHX) { return statement(aTHX_ 0); }
static OP *nextstate_grows(pTHX) { return statement(aTHX_ 1); }

Perl_ppaddr_t nytp_stmt_quick;

/* The same for the common case, with pp_nextstate's work done here and no call that would make the compiler save
 * registers: 26 instructions less. */
#ifdef NYTP_STMT_INLINE
NYTP_COLD OP *flush_and_go_on(pTHX_ nytp_glue *g, int64_t now, OP *next) {
    nytp_flush(&g->r, now);
    if (g->when_due) g->when_due(aTHX_ g, now);
    return next;
}

/* of_ticks is a constant: the time-stamp counter or the word of clock=tick. */
NYTP_HOT OP *count(pTHX_ nytp_glue *g, nytp_live_place *p, const COP *cop, int of_ticks) {
    int64_t now = of_ticks ? nytp_tick_now() : nytp_clock_tsc();
    nytp_count_statement(&g->r, p, now);
    if (NYTP_UNLIKELY(nytp_is_due(&g->r, now))) return flush_and_go_on(aTHX_ g, now, cop->op_next);
    return cop->op_next;
}

/* Whether profiling is off, or a C function has died. */
NYTP_HOT int is_odd(pTHX_ const nytp_glue *g, const char *native) {
    return !nytp_perl_here_is(aTHX_ g) || nytp_has_left_leaf(&g->r, native);
}

/* Every seventh statement of perlcritic has temporaries to free, as has each that follows on a call with expressions
 * for arguments. After that everything is checked again, as a destructor may run any code. */
NYTP_HOT OP *free_temporaries_first(pTHX_ COP *cop, const char *native, int of_ticks) {
    nytp_stmt_begin(aTHX_ cop);
    Perl_free_tmps(aTHX);
    nytp_glue *g = nytp_perl_here_state;
    nytp_live_place *p = NYTP_UNLIKELY(is_odd(aTHX_ g, native)) ? NULL : nytp_stmt_plain(aTHX_ g, cop);
    return NYTP_LIKELY(p != NULL) ? count(aTHX_ g, p, cop, of_ticks) : nextstate(aTHX);
}

NYTP_APART OP *free_first_tsc(pTHX_ COP *cop, const char *native) {
    return free_temporaries_first(aTHX_ cop, native, 0);
}

NYTP_APART OP *free_first_tick(pTHX_ COP *cop, const char *native) {
    return free_temporaries_first(aTHX_ cop, native, 1);
}

NYTP_HOT OP *nextstate_quick(pTHX_ int of_ticks) {
    COP *cop = (COP *)PL_op;
    nytp_glue *g = nytp_perl_here_state;
    if (NYTP_UNLIKELY(is_odd(aTHX_ g, NATIVE_HERE))) return nextstate(aTHX);
    if (PL_tmps_ix > PL_tmps_floor)
        return of_ticks ? free_first_tick(aTHX_ cop, NATIVE_HERE) : free_first_tsc(aTHX_ cop, NATIVE_HERE);
    nytp_live_place *p = nytp_stmt_plain(aTHX_ g, cop); /* only here: others have no table of places */
    if (NYTP_UNLIKELY(!p)) return nextstate(aTHX);
    nytp_stmt_begin(aTHX_ cop);
    return count(aTHX_ g, p, cop, of_ticks);
}

static OP *nextstate_tsc(pTHX) { return nextstate_quick(aTHX_ 0); }
static OP *nextstate_tick(pTHX) { return nextstate_quick(aTHX_ 1); }
#endif

/* A sub's first statement is done with its call where the hook is a quick one (sub.c). Interpreters of a process have
 * one clock, so only the first changes what the others read. */
Perl_ppaddr_t nytp_stmt_hook(const nytp_clock *clock, int grows) {
    Perl_ppaddr_t quick = NULL;
#ifdef NYTP_STMT_INLINE
    if (!grows && clock->is_tsc) quick = nextstate_tsc;
    if (!grows && clock->id == NYTP_CLOCK_TICK) quick = nextstate_tick;
#endif
    if (nytp_stmt_quick != quick) nytp_stmt_quick = quick;
    return quick ? quick : grows ? nextstate_grows : nextstate;
}

/* A debugger's DB::DB runs inside pp_dbstate, so perl's own function is called. */
NYTP_HOT OP *db_statement(pTHX_ int grows) {
    COP *cop = (COP *)PL_op;
    OP *next = PERLS_OWN(OP_DBSTATE);
    nytp_glue *g = nytp_perl_here(aTHX);
    if (!g) return next;
    if (grows) nytp_growth_count(aTHX_ g);
    HEAL(g);
    nytp_live_place *p = nytp_place_of(aTHX_ g, cop, cxstack_ix);
    nytp_statement(&g->r, p, nytp_now(&g->r));
    if (grows) nytp_growth_go_on(aTHX_ g);
    return next;
}

static OP *dbstate(pTHX) { return db_statement(aTHX_ 0); }
static OP *dbstate_grows(pTHX) { return db_statement(aTHX_ 1); }
Perl_ppaddr_t nytp_stmt_db_hook(int grows) { return grows ? dbstate_grows : dbstate; }

/* With use_db_sub perl calls DB::DB at every dbstate, also at those compiled before the hooks. C code that died must be
 * noticed here, where the stack pointer is that of all hooks. */
OP *nytp_stmt_before_db(pTHX) {
    nytp_glue *g = nytp_perl_here(aTHX);
    if (g) HEAL(g);
    return PERLS_OWN(OP_DBSTATE);
}

void nytp_stmt_db(pTHX_ nytp_glue *g) {
    if (!IS_PROFILED || !g->options.stmts) return;
    nytp_growth_count(aTHX_ g);
    nytp_live_place *p = nytp_place_of(aTHX_ g, PL_curcop, cxstack_ix);
    nytp_statement(&g->r, p, nytp_now(&g->r));
    nytp_growth_go_on(aTHX_ g);
}

/* ---- the lines of the enclosing block and sub ---- */

static int in_package_db(pTHX_ const CV *cv) { return CvSTASH(cv) && CvSTASH(cv) == PL_debstash; }

/* The first statement of the block of a context that is no sub. */
static const COP *statement_of_block(const PERL_CONTEXT *cx) {
    switch (CxTYPE(cx)) {
    case CXt_FORMAT: return nytp_stmt_first(cx->blk_format.cv);
    case CXt_BLOCK:
    case CXt_EVAL: return nytp_stmt_or_null((const OP *)cx->blk_oldcop);
    default: return CxTYPE_is_LOOP(cx) ? nytp_stmt_or_null(cx->blk_loop.my_op->op_redoop) : NULL;
    }
}

typedef struct block_walk {
    const char *file;
    U32 line, block_line, sub_line;
} block_walk;

/* 1 when the walk is over. */
static int step(pTHX_ block_walk *w, const PERL_CONTEXT *cx) {
    const COP *first;
    if (CxTYPE(cx) == CXt_SUB) {
        if (in_package_db(aTHX_ cx->blk_sub.cv)) return 0;
        first = nytp_stmt_first(cx->blk_sub.cv);
        if (first && strEQ(OutCopFILE(first), w->file)) {
            w->sub_line = CopLINE(first);
            if (!w->block_line) w->block_line = w->sub_line;
        }
        return 1;
    }
    if (w->block_line || !(first = statement_of_block(cx))) return 0;
    if (strEQ(OutCopFILE(first), w->file)) {
        w->block_line = CopLINE(first);
        return 0;
    }
    if (*w->file == '(') w->block_line = w->sub_line = w->line;
    return 1;
}

/* Outwards through the contexts, through the stacks of sort blocks, tie methods and the like too. */
static void walk_blocks(pTHX_ block_walk *w, I32 cxix) {
    const PERL_SI *si = PL_curstackinfo;
    for (;;) {
        for (; cxix >= 0; cxix--)
            if (step(aTHX_ w, si->si_cxstack + cxix)) return;
        if (si->si_type == PERLSI_MAIN || !si->si_prev) return;
        si = si->si_prev;
        cxix = si->si_cxix;
    }
}

/* ---- places ---- */

const nytp_cop **nytp_stmt_table(U32 n) {
    const nytp_cop **table = (const nytp_cop **)malloc(n * sizeof *table);
    for (U32 i = 0; table && i < n; i++) table[i] = &nytp_glue_no_cop;
    return table;
}

static const nytp_cop **slot_of(const nytp_glue *g, const COP *cop) {
    U32 i = nytp_cop_slot(g, cop);
    while (g->cops[i]->cop && g->cops[i]->cop != cop) i = (i + 1) & g->cop_mask;
    return g->cops + i;
}

/* 0 when memory is short. */
static int grow_cops(nytp_glue *g) {
    const nytp_cop **old = g->cops;
    U32 n = g->cop_mask + 1;
    const nytp_cop **grown = nytp_stmt_table(n * 2);
    if (!grown) return 0;
    g->cops = grown;
    g->cop_mask = n * 2 - 1;
    for (U32 i = 0; i < n; i++)
        if (old[i]->cop) *slot_of(g, old[i]->cop) = old[i];
    free(old);
    return 1;
}

static nytp_cop *own_entry(const nytp_live_place *p) { return (nytp_cop *)(void *)p->front; }

/* The entry is in the place itself, unless another op is there. gone is the entry of an earlier op at this address, or
 * nytp_glue_no_cop: it is reused, so that a program that evaluates strings all day does not fill the memory with
 * entries. */
static nytp_cop *entry_for(nytp_glue *g, nytp_live_place *p, nytp_cop *gone) {
    if (gone->cop && gone != own_entry(gone->place)) return gone;
    if (gone->cop) gone->cop = NULL;
    if (!own_entry(p)->cop) return own_entry(p);
    nytp_cop *spare = g->spare;
    if (!spare) return (nytp_cop *)nytp_arena_get(nytp_arena_of(&g->r), sizeof *gone);
    g->spare = (nytp_cop *)(void *)spare->place;
    return spare;
}

static int latest_first(const void *a, const void *b) {
    uint32_t x = (*(nytp_live_place *const *)a)->id, y = (*(nytp_live_place *const *)b)->id;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Of places with the same lines the first one is found first again. When memory is short they stay taken. */
void nytp_stmt_leave(nytp_glue *g) {
    nytp_live_place **places = (nytp_live_place **)malloc((g->cop_n + 1) * sizeof *places);
    U32 n = 0;
    for (U32 i = 0; g->cops && i <= g->cop_mask; i++) {
        nytp_cop *entry = (nytp_cop *)(uintptr_t)g->cops[i];
        if (!entry->cop) continue;
        if (places) places[n++] = entry->place;
        entry->cop = NULL;
        if (entry == own_entry(entry->place)) continue;
        entry->place = (nytp_live_place *)(void *)g->spare;
        g->spare = entry;
    }
    if (n) qsort(places, n, sizeof *places, latest_first);
    for (U32 i = 0; i < n; i++) nytp_places_vacate(&g->r, places[i]);
    free(places);
}

/* The op tree of top-level code, of the program or of an eval; a sub's is looked at when the sub is first called. */
static const OP *top_level_root(pTHX_ I32 cxix) {
    if (PL_curstackinfo->si_type != PERLSI_MAIN) return NULL;
    for (; cxix >= 0; cxix--) {
        const PERL_CONTEXT *cx = cxstack + cxix;
        if (CxTYPE(cx) == CXt_SUB || CxTYPE(cx) == CXt_FORMAT) return NULL;
        if (CxTYPE(cx) == CXt_EVAL && !CxTRYBLOCK(cx)) return PL_eval_root;
    }
    return PL_main_root;
}

static void look_for_merged(pTHX_ nytp_glue *g, nytp_live_file *file, I32 cxix) {
    const OP *root = file->front_mark ? NULL : top_level_root(aTHX_ cxix);
    if (!root) return;
    file->front_mark = 1;
    nytp_carried_walk(aTHX_ g, root);
}

/* Statements without a line are perl's own preamble (-n, -p, -M): they show on line 1. */
static nytp_live_place *make_place(pTHX_ nytp_glue *g, const COP *cop, I32 cxix) {
    U32 via = g->options.stmts ? NYTP_FILE_VIA_STMT : NYTP_FILE_VIA_SUB;
    nytp_live_file *file = nytp_file_of(aTHX_ g, OutCopFILE(cop), via);
    block_walk w = {OutCopFILE(cop), CopLINE(cop) ? CopLINE(cop) : 1, 0, 0};
    if (!file) return NULL;
    look_for_merged(aTHX_ g, file, cxix);
    walk_blocks(aTHX_ &w, cxix);
    nytp_rec_place what = {0, file->id, w.line, w.block_line ? w.block_line : w.line, w.sub_line ? w.sub_line : w.line};
    return nytp_places_add(&g->r, &what, (file->flags & NYTP_FILE_FOLDED) != 0);
}

static nytp_live_place *remember(nytp_glue *g, const COP *cop, nytp_live_place *p) {
    if (g->cop_n * 4 > g->cop_mask && !grow_cops(g)) return NULL;
    const nytp_cop **slot = slot_of(g, cop);
    if (!(*slot)->cop) g->cop_n++;
    else if ((*slot)->place != p)
        nytp_places_vacate(&g->r, (*slot)->place);
    nytp_cop *entry = entry_for(g, p, (nytp_cop *)*slot);
    if (!entry) return NULL;
    *entry = (nytp_cop){cop, p, cop->cop_seq};
    *slot = entry;
    return p;
}

/* When memory is short the recorder is switched off for good, and counts until then go to place 0. */
nytp_live_place *nytp_stmt_new_place(pTHX_ nytp_glue *g, const COP *cop, I32 cxix) {
    int saved = errno;
    nytp_work cold = nytp_cold_begin(&g->r);
    nytp_live_place *p = make_place(aTHX_ g, cop, cxix);
    if (!p || !remember(g, cop, p)) {
        nytp_recorder_fail(&g->r);
        p = nytp_nowhere(&g->r);
    }
    nytp_touch_place(&g->r, p);
    nytp_cold_end(&g->r, cold);
    errno = saved;
    return p;
}

/* All slots between the two are taken, so the entry moved from cop's slot is found behind them. */
nytp_live_place *nytp_stmt_displaced(pTHX_ nytp_glue *g, const COP *cop, I32 cxix) {
    const nytp_cop **own = g->cops + nytp_cop_slot(g, cop), **slot = slot_of(g, cop), *e = *slot;
    if (!e->cop) return nytp_stmt_new_place(aTHX_ g, cop, cxix);
    *slot = *own;
    *own = e;
    return e->seq == cop->cop_seq ? e->place : nytp_stmt_new_place(aTHX_ g, cop, cxix);
}

nytp_live_place *nytp_stmt_site(pTHX_ nytp_glue *g, const COP *cop) {
    const char *name = CopFILE(cop);
    const nytp_live_file *file = name ? nytp_file_of(aTHX_ g, name, NYTP_FILE_VIA_SUB) : NULL;
    U32 line = CopLINE(cop);
    nytp_rec_place what = {0, file ? file->id : 0, line, line, line};
    nytp_live_place *p = file ? nytp_places_add(&g->r, &what, 1) : NULL;
    return p ? p : nytp_nowhere(&g->r);
}
