/* SPDX-License-Identifier: MIT */
/* slowop.c - built-ins that may take long, shown as subs of the calling package: main::CORE:sort. */
#include "perl/leaf.h"

#include <poll.h>

#include "perliol.h"

#include "record/flush.h"
#include "record/lag.h"
#include "record/subs.h"
#include "record/nodes.h"

/* Frees temporary values of naming before the statement goes on, as a program may count its values. */
static nytp_live_sub *name(pTHX_ nytp_glue *g, nytp_subkey key, int type) {
    ENTER;
    SAVETMPS;
    nytp_live_sub *sub = nytp_perl_name_opcode(aTHX_ g, key, type);
    FREETMPS;
    LEAVE;
    return sub;
}

/* Not cold: two built-ins that alternate in one statement come here each time if the caller has more children than
 * nytp_near_child examines. */
NYTP_APART nytp_live_node *find_node(pTHX_ nytp_glue *g, nytp_live_place *site, nytp_subkey key, int type) {
    nytp_adopted_drop_gone(aTHX_ g);
    nytp_live_node *n = nytp_nodes_known(&g->r, nytp_current_node(&g->r), site, key);
    if (n) return site->last_node = n;
    int saved = errno;
    nytp_work cold = nytp_cold_begin(&g->r);
    nytp_live_sub *sub = nytp_subs_find(&g->r, key);
    if (!sub) sub = name(aTHX_ g, key, type);
    n = sub ? nytp_nodes_child(&g->r, nytp_leaf_caller(g), site, sub) : NULL;
    if (n) nytp_touch_node(&g->r, n);
    nytp_cold_end(&g->r, cold);
    errno = saved;
    return n;
}

/* perl computes constant expressions while it compiles, under a statement that it keeps on the C stack. */
static inline nytp_live_place *site_of(pTHX_ nytp_glue *g, const char *native) {
    if (NYTP_UNLIKELY((UV)((const char *)PL_curcop - native) < 65536)) return nytp_stmt_site(aTHX_ g, PL_curcop);
    return nytp_leaf_site(aTHX_ g);
}

/* ---- input ---- */

/* &CORE::getc() has NULL in place of the handle. */
static const IO *io_of(const SV *sv) {
    if (!sv) return NULL;
    if (SvROK(sv)) sv = SvRV(sv);
    if (isGV_with_GP(sv)) return GvIO((const GV *)sv);
    return SvTYPE(sv) == SVt_PVIO ? (const IO *)sv : NULL;
}

/* read and sysread have the handle as the first of a list, the others on top. */
static SV *handle(pTHX) {
    int first = PL_op->op_type == OP_READ || PL_op->op_type == OP_SYSREAD;
    return first ? PL_stack_base[TOPMARK + 1] : *PL_stack_sp;
}

/* Layer :via has the descriptor below it; its own FILENO is Perl code. */
static int descriptor(pTHX_ PerlIO *layer) {
    while (PerlIOValid(PerlIONext(layer))) layer = PerlIONext(layer);
    return strEQ(PerlIOBase(layer)->tab->name, "via") ? -1 : PerlIO_fileno(layer);
}

/* A handle without a descriptor, such as a string, never waits. */
static int has_no_input(int fd) {
    struct pollfd poll_fd = {fd, POLLIN, 0};
    return fd >= 0 && poll(&poll_fd, 1, 0) == 0;
}

/* Polling takes at most a hundredth of the time: after each poll there is none for a hundred times as long as it
 * took. */
#define ASKING_SHARE 100

/* Looking into the buffer takes 15 ns, and where lines are read there are mostly more of them. */
#define LOOKS_A_SECOND 500000

static int has_buffered(pTHX_ PerlIO *in) {
    return PerlIO_has_cntptr(in) && PerlIO_get_cnt(in) > 0;
}

static int waits_for_input(pTHX_ nytp_glue *g, int64_t now) {
    const IO *io = io_of(handle(aTHX));
    PerlIO *in = io ? IoIFP(io) : NULL;
    if (!PerlIOValid(in)) return 0;
    if (has_buffered(aTHX_ in)) {
        g->ask_again = now + nytp_ticks_per_second(&g->r) / LOOKS_A_SECOND;
        return 0;
    }
    int saved = errno, waits = has_no_input(descriptor(aTHX_ in));
    errno = saved;
    int64_t answered = nytp_now(&g->r);
    g->ask_again = answered + (answered - now) * ASKING_SHARE;
    if (!waits) nytp_cold(&g->r, now, answered); /* else it is charged to the window that is written now */
    return waits;
}

int nytp_leaf_waits(pTHX_ nytp_glue *g, enum nytp_wait wait, int64_t now) {
    return nytp_flush_due(&g->r, now) && (wait != NYTP_WAIT_INPUT || waits_for_input(aTHX_ g, now));
}

/* ---- children ---- */

/* The last byte of a line; -1: it ends with the input. */
static int line_end(pTHX) {
    if (!SvOK(PL_rs)) return -1;
    return SvPOK(PL_rs) && SvCUR(PL_rs) ? (unsigned char)SvPVX(PL_rs)[SvCUR(PL_rs) - 1] : '\n';
}

/* A line that is not complete in the buffer, and a list of lines, may wait. sysread ignores the buffer. */
static int finds_in_buffer(pTHX_ PerlIO *in) {
    if (PL_op->op_type == OP_SYSREAD || !has_buffered(aTHX_ in)) return 0;
    if (PL_op->op_type != OP_READLINE) return 1;
    int end = GIMME_V == G_LIST ? -1 : line_end(aTHX);
    return end >= 0 && memchr(PerlIO_get_ptr(in), end, (size_t)PerlIO_get_cnt(in));
}

/* select with a time only. */
static int is_sleep(pTHX) {
    SV **sp = PL_stack_sp;
    return !SvOK(sp[-3]) && !SvOK(sp[-2]) && !SvOK(sp[-1]);
}

/* The descriptor of the handle that a built-in is about to use, where it stands with these; else -1. */
static int used_by(pTHX_ int type) {
    const SV *sv = NULL;
    switch (type) {
    case OP_PRINT: case OP_PRTF: case OP_SAY:
        sv = PL_op->op_flags & OPf_STACKED ? PL_stack_base[TOPMARK + 1] : (const SV *)PL_defoutgv;
        break;
    case OP_READ: case OP_SYSREAD: case OP_RECV: case OP_SYSWRITE: case OP_SEND:
        sv = PL_stack_base[TOPMARK + 1];
        break;
    case OP_READLINE: sv = *PL_stack_sp; break;
    case OP_SSELECT: return is_sleep(aTHX) ? NYTP_WAITING_NO_HANDLES : -1;
    case OP_GETC: case OP_CLOSE: sv = MAXARG ? *PL_stack_sp : NULL; break;
    default: return -1;
    }
    const IO *io = io_of(sv);
    PerlIO *f = io ? IoIFP(io) : NULL;
    if (!PerlIOValid(f)) f = io ? IoOFP(io) : NULL;
    int saved = errno, fd = PerlIOValid(f) ? descriptor(aTHX_ f) : -1;
    errno = saved;
    return fd;
}

/* perl's table of pipes has the child for a descriptor. */
static U32 child_behind(pTHX_ enum nytp_wait wait, const IO *io) {
    PerlIO *pipe = io ? IoIFP(io) : NULL;
    if (!PerlIOValid(pipe) || (wait == NYTP_WAIT_INPUT && finds_in_buffer(aTHX_ pipe))) return 0;
    int fd = descriptor(aTHX_ pipe);
    SV **pid = fd < 0 ? NULL : av_fetch(PL_fdpid, fd, 0);
    return pid && SvTYPE(*pid) == SVt_IV ? (U32)SvIVX(*pid) : 0;
}

U32 nytp_leaf_awaited(pTHX_ enum nytp_wait wait) {
    if (wait != NYTP_WAIT_INPUT && wait != NYTP_WAIT_PIPE) return 0;
    if (!PL_fdpid || AvFILLp(PL_fdpid) < 0) return 0;
    int saved = errno;
    U32 child = child_behind(aTHX_ wait, io_of(handle(aTHX)));
    errno = saved;
    return child;
}

void nytp_leaf_catch_up(pTHX_ nytp_glue *g, enum nytp_wait wait, U32 child, int64_t now) {
    SV *result = *PL_stack_sp;
    if (wait == NYTP_WAIT_CHILD && SvIOK(result)) child = (U32)SvIVX(result);
    if (child) nytp_lag_catch_up(&g->r, child, now);
}

/* ---- hooks ---- */

/* The key is the package, unless all share one name, and the op. */
NYTP_HOT nytp_live_node *node_of(pTHX_ nytp_glue *g, int type, const char *native) {
    const void *op = nytp_glue_perl + type, *package = CopSTASH(PL_curcop);
    nytp_subkey key = {g->options.slowops == 1 ? op : package, op, NULL, NULL};
    nytp_live_place *site = site_of(aTHX_ g, native);
    nytp_live_node *n = nytp_cached_child(nytp_current_node(&g->r), site, key);
    if (!n) n = nytp_near_child(nytp_current_node(&g->r), site, key);
    return NYTP_LIKELY(n != NULL) ? n : find_node(aTHX_ g, site, key, type);
}

/* native is where the hook stands, a function for each kind of waiting: so the kind is known while this is compiled,
 * and whether calls are timed. */
NYTP_HOT OP *run(pTHX_ const char *native, enum nytp_wait wait, int timed) {
    int type = PL_op->op_type;
    nytp_glue *g = nytp_perl_here(aTHX);
    if (NYTP_UNLIKELY(!g)) return PERLS_OWN(type);
    if (timed) nytp_growth_count(aTHX_ g);
    if (NYTP_UNLIKELY(nytp_has_left_leaf(&g->r, native))) nytp_recorder_heal(&g->r, native);
    if (timed && g->waiting) g->waiting->fd = used_by(aTHX_ type);
    return nytp_leaf_run(aTHX_ g, node_of(aTHX_ g, type, native), type, native, wait, timed);
}

/* For each a second one, with options latency, memory and waiting. Servers wait for clients most of the time: as in
 * Devel::NYTProf, that is not in the times of their subs. */
#define HOOKS(name, wait) \
    static OP *name(pTHX) { return run(aTHX_ NATIVE_HERE, wait, 0); } \
    static OP *name##_timed(pTHX) { return run(aTHX_ NATIVE_HERE, wait, 1); }

HOOKS(quick, NYTP_WAIT_NO)
HOOKS(blocking, NYTP_WAIT_ANY)
HOOKS(reading, NYTP_WAIT_INPUT)
HOOKS(accepting, NYTP_WAIT_CLIENT)
HOOKS(waiting, NYTP_WAIT_CHILD)
HOOKS(closing, NYTP_WAIT_PIPE)

Perl_ppaddr_t nytp_slowop_hook(int wait, int timed) {
    static const Perl_ppaddr_t hooks[][2] = {
        [NYTP_WAIT_NO] = {quick, quick_timed},           [NYTP_WAIT_ANY] = {blocking, blocking_timed},
        [NYTP_WAIT_INPUT] = {reading, reading_timed},    [NYTP_WAIT_CLIENT] = {accepting, accepting_timed},
        [NYTP_WAIT_CHILD] = {waiting, waiting_timed},    [NYTP_WAIT_PIPE] = {closing, closing_timed}};
    return hooks[wait][timed];
}
