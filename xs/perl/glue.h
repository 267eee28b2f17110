/* SPDX-License-Identifier: MIT */
/* glue.h - shared by the files of this room: perl's headers, the state of one interpreter, the hot lookups.
 *
 * Hooks replace entries of PL_ppaddr, so they exist in every op compiled afterwards, for as long as the op does, in all
 * interpreters of the process: a thread shares its ops with the interpreter that it was cloned from. Each hook begins
 * with one comparison: the state that had the latest event in this system thread has PL_mainstack as its stack, or
 * something else has happened (switched off, another interpreter, a coroutine switch), and nytp_perl_here_arrive tells
 * these cases apart. */
#ifndef NYTP_PERL_GLUE_H
#define NYTP_PERL_GLUE_H

#define PERL_NO_GET_CONTEXT
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"

#include <stdatomic.h>

#include "base/chain.h"
#include "heap/heap.h"
#include "record/frames.h"

#ifndef CX_CUR /* before perl 5.24 */
#define CX_CUR() (&cxstack[cxstack_ix])
#endif
#ifndef OpSIBLING /* before perl 5.22 */
#define OpSIBLING(o) ((o)->op_sibling)
#endif
#ifndef G_LIST /* before perl 5.36 */
#define G_LIST G_ARRAY
#endif

/* Nesting at which functions that walk ops stop: only generated code is deeper. */
#define NYTP_DEEPEST 2000

/* Symbols of this library, reached without the global offset table. */
#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

/* The function of an op that may be running in other threads, which share it: perl reads the word as a whole. */
static inline Perl_ppaddr_t nytp_op_function(const OP *o) { return __atomic_load_n(&o->op_ppaddr, __ATOMIC_RELAXED); }

static inline void nytp_op_set(OP *o, Perl_ppaddr_t function) {
    __atomic_store_n(&o->op_ppaddr, function, __ATOMIC_RELAXED);
}

static inline void nytp_op_replace(OP *o, Perl_ppaddr_t from, Perl_ppaddr_t to) {
    __atomic_compare_exchange_n(&o->op_ppaddr, &from, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* A statement op that is known as a place; it lies in the place's own cache line if no other op shares the place.
 * cop_seq differs between any two compilations, so an address that perl has used again for another statement is
 * noticed by one comparison. */
typedef struct nytp_cop {
    const COP *cop; /* NULL in nytp_glue_no_cop */
    nytp_live_place *place;
    U32 seq;
} nytp_cop;

/* A sub that was running before profiling was switched on: it has a frame, but nothing on perl's savestack. */
typedef struct nytp_adopted {
    const PERL_SI *si;
    I32 cxix;
    const CV *cv;
    nytp_live_frame *frame;
} nytp_adopted;

typedef struct nytp_resolved_name {
    char *raw;  /* perl's name, owned */
    char *full; /* in a thread: the file's, as its parent has found it, owned; NULL: not known */
    U32 id;     /* of the file; 0: not met */
} nytp_resolved_name;

/* Names that stand for a file of another name: relative ones, and parts of split files. */
typedef struct nytp_resolved {
    nytp_table by_name; /* 1 + index */
    nytp_resolved_name *list;
    uint32_t n, room;
} nytp_resolved;

typedef struct nytp_eval nytp_eval; /* body.h has these */
typedef struct nytp_calibrator nytp_calibrator;
struct nytp_sampling; /* sampling.h */

typedef struct nytp_glue {
    const AV *_Atomic stack;  /* PL_mainstack while this interpreter is being profiled; NULL: it is not, now */
    const void *_Atomic perl; /* the interpreter this state belongs to; NULL: to none */

    /* the members from here to the recorder are swapped by calibrate.c, and all from here on are cleared by interp.c */
    const nytp_cop **cops; /* open addressing, at most a quarter full; &nytp_glue_no_cop where there is none */
    U32 cop_mask, cop_n;
    U32 resume; /* 1: a sub's end brings back the statement that called it (stmts and leave are on) */
    U32 adopted_n;
    U32 grows;              /* enum nytp_grows: what is counted (growth.h) */
    int64_t values;         /* as many as there were behind the latest event */
    nytp_heap_mark bytes;   /* and of bytes */
    struct nytp_waiting *waiting; /* waiting.h; NULL: not asked for */
    nytp_recorder r;

    nytp_options options;
    struct nytp_sampling *sampling; /* the thread that samples; NULL: none */
    U32 samples;             /* 1: it is sampled, not hooked */
    struct nytp_lookout *watched; /* while it is hooked, and lines are sampled (watching.h); NULL: it is not */
    struct nytp_glue *next; /* interp.c */
    const AV *home;         /* the stack of the main program; others are coroutines' */
    nytp_position *suspended; /* coroutines that are not running: the recorder's state for when they run again */
    nytp_map suspended_on;  /* their numbers, from 1 on, by their stacks */
    uint32_t suspended_n, suspended_room;
    nytp_adopted *adopted;
    U32 adopted_cap;
    nytp_resolved resolved;
    nytp_chain bodies, gone; /* compiled bodies (see body.h), and freed ones that were never called */
    nytp_chain evals, units;
    struct nytp_body *newest; /* the sub compiled last */
    const CV *newest_sub;     /* its CV, which may be freed */
    nytp_eval *compiling;           /* the innermost string eval that is being compiled */
    nytp_eval *directed;            /* evals with #line directives, latest first */
    struct nytp_directed *directed_files; /* files with such directives, as far as searched (virtual.c) */
    nytp_map looked_into;    /* files searched: by name and identity, and by address in %INC */
    U32 looked_into_met;     /* ids of files up to this one are searched */
    size_t directed_bytes;   /* bytes of them and of their lines for other names */
    U32 body_n;              /* compiled so far */
    atomic_uint shares_code; /* 1: with other interpreters, which may free it. exit() in any thread reads it */
    U32 body_n_told;         /* those written by a forked child's parent, or before perl destroys the rest */
    U32 is_thread;           /* 1: of an interpreter that was cloned from another one */
    U32 inherited;           /* bodies up to this number are the other one's, too */
    U32 begins_later;        /* 1: the first event switches profiling on */
    U32 rests;               /* 1: switched off at the end of its system thread */
    U32 is_taken;            /* 1: another thread completes the profile, and may not touch this interpreter */
    const AV *waits;         /* the stack on which a wait has begun; NULL: no wait */
    const void *maker;       /* the system thread that cloned it, by an address, until there is an event in another */
    nytp_str first;          /* the name of its first sub; empty: not known */
    nytp_cop *spare;         /* entries for `cops` that an earlier thread has left, linked by `place` */
    U32 names_evals, names_anons, keeps_source; /* as the options say */
    U32 keeping;             /* number of files in compilation that are not on the disk: we have set bit 0x400 of $^P */
    const void *filtered;    /* perl's parser of a file with source filters, for which the bit is set, too */
    HEK **names;             /* references to the names that are keys of the recorder's subs, by id; NULL: none */
    uint32_t name_n, name_room;
    nytp_live_place *uncounted;   /* the statement that switched profiling off: counted when it is switched on again */
    char interpreter[64];    /* "perl 5.36.0" */
    nytp_calibrator *calibrator; /* NULL: no calibration */
    void (*when_due)(pTHX_ struct nytp_glue *g, int64_t now); /* behind a window between statements; NULL: nothing */
    void *reserve;           /* memory reserved for writing the end */
    const OP *counted;       /* a call of Coro's whose op runs again, and is counted already */
    int64_t ask_again;       /* ticks: no poll of a handle for input before (slowop.c) */
    U32 begins;              /* BEGIN blocks renamed so far */
    U32 kinds;               /* of coroutines, with names of their own */
    U32 opened;              /* init_profiler has opened the recorder */
    U32 ended;               /* the program has ended: a call in the END phase came */
    U32 ending;              /* the END blocks are running */
    atomic_uint is_destructed; /* 1: they have run, and all is written; what comes is perl's global destruction */
} nytp_glue;

/* Each interpreter has a state of its own (interp.c), which is never given back to the system: the pointer that another
 * system thread has of its latest event may be old. nytp_glue_nobody is the state of all interpreters that are not
 * profiled, as those of a host (mod_perl, plperl) that never loaded this module. */
extern nytp_glue nytp_glue_nobody;
#ifdef PERL_IMPLICIT_CONTEXT
extern _Thread_local __attribute__((tls_model("initial-exec"))) nytp_glue *nytp_perl_here_state; /* of that event */
#define THIS_PERL ((const void *)aTHX)
#else
extern nytp_glue nytp_perl_here_only;
#define nytp_perl_here_state (&nytp_perl_here_only)
#define THIS_PERL ((const void *)&nytp_perl_here_only)
#endif

/* perl's own implementations, from before we replaced any: the same for all interpreters of the process, and written
 * while one of them loads us. */
extern Perl_ppaddr_t nytp_glue_perl[MAXO];
extern Perl_check_t nytp_glue_perls_check[MAXO]; /* of the ops that nytp_body_check is for */
#define PERLS_OWN(type) (nytp_glue_perl[type](aTHX))

/* interp.c: the state of that interpreter, or nytp_glue_nobody; nytp_interp_seek looks for one that had not the latest
 * event in this system thread. */
nytp_glue *nytp_interp_seek(const void *perl);
static inline nytp_glue *nytp_interp_of(const void *perl) {
    nytp_glue *g = nytp_perl_here_state;
    return NYTP_LIKELY(atomic_load_explicit(&g->perl, memory_order_relaxed) == perl) ? g : nytp_interp_seek(perl);
}
#define dGLUE nytp_glue *g = nytp_interp_of(THIS_PERL)
int nytp_interp_is_alone(void);             /* 1: it is the only one with a state */
nytp_glue *nytp_interp_make(const void *perl); /* a zeroed state; NULL when memory is short */
void nytp_interp_release(nytp_glue *g);     /* the state belongs to none from now on */
void nytp_interp_drop(nytp_glue *g);        /* the same in a forked child, for the state of a thread that is not here */
uint32_t nytp_interp_count_clone(void);     /* how many clones the process has made, this one included */
void nytp_interp_lock(void);                /* while outputs are opened; held during a fork, too */
void nytp_interp_unlock(void);

/* here.c: whether g is the state of this interpreter, which is being profiled, with the stack it has now; and the rest
 * of the question. NULL: run perl's own op and do nothing else. */
NYTP_HOT int nytp_perl_here_is(pTHX_ const nytp_glue *g) {
    return atomic_load_explicit(&g->stack, memory_order_relaxed) == PL_mainstack;
}
nytp_glue *nytp_perl_here_arrive(pTHX);
NYTP_HOT nytp_glue *nytp_perl_here(pTHX) {
    nytp_glue *g = nytp_perl_here_state;
    return NYTP_LIKELY(nytp_perl_here_is(aTHX_ g)) ? g : nytp_perl_here_arrive(aTHX);
}
#define IS_PROFILED (nytp_perl_here(aTHX) != NULL)

/* The stack pointer of the hook's caller, the same for all hooks called by one run loop. Functions that use it must be
 * inlined into the hook. */
#define NATIVE_HERE ((const char *)__builtin_dwarf_cfa())
#define HEAL(g) \
    do { \
        if (NYTP_UNLIKELY(nytp_has_left_leaf(&(g)->r, NATIVE_HERE))) nytp_recorder_heal(&(g)->r, NATIVE_HERE); \
    } while (0)

/* A table for n (a power of two) statement ops, empty; NULL when memory is short. */
const nytp_cop **nytp_stmt_table(U32 n);
extern const nytp_cop nytp_glue_no_cop;

/* Subs of ours that perl calls, which are never shown, have a mark. */
CV *nytp_glue_xsub(pTHX_ const char *name, XSUBADDR_t function);
static inline int nytp_glue_is_ours(const CV *cv) {
    return CvISXSUB(cv) && CvXSUBANY(cv).any_ptr == (const void *)&nytp_glue_no_cop;
}

/* stmt.c: the place of cop, whose enclosing contexts begin at cxix of the current stack. Never NULL. */
nytp_live_place *nytp_stmt_new_place(pTHX_ nytp_glue *g, const COP *cop, I32 cxix);

/* The place of cop if another statement is in its slot of the table: the latest of two gets the slot. */
nytp_live_place *nytp_stmt_displaced(pTHX_ nytp_glue *g, const COP *cop, I32 cxix);

/* The place of a cop that is no statement of the program: the one from which perl calls BEGIN and END. */
nytp_live_place *nytp_stmt_site(pTHX_ nytp_glue *g, const COP *cop);

/* Statement ops lie at least 64 bytes apart, so neighbours get slots of their own. */
static inline U32 nytp_cop_slot(const nytp_glue *g, const COP *cop) { return (U32)(PTR2UV(cop) >> 6) & g->cop_mask; }

static inline nytp_live_place *nytp_place_of(pTHX_ nytp_glue *g, const COP *cop, I32 cxix) {
    const nytp_cop *e = g->cops[nytp_cop_slot(g, cop)];
    if (NYTP_UNLIKELY(e->cop != cop)) return nytp_stmt_displaced(aTHX_ g, cop, cxix);
    return NYTP_LIKELY(e->seq == cop->cop_seq) ? e->place : nytp_stmt_new_place(aTHX_ g, cop, cxix);
}

/* file.c */
nytp_live_file *nytp_file_of(pTHX_ nytp_glue *g, const char *name, U32 via); /* NYTP_FILE_VIA_..., or 0 to only look */
int nytp_file_inherit(nytp_glue *g, const nytp_glue *from); /* the names resolved; 0 when memory is short */
void nytp_file_forget(nytp_resolved *all); /* frees it; it is empty then */

/* disk.c */
const unsigned char *nytp_perl_disk_key(void *glue, const nytp_live_file *file); /* nytp_front.key */

/* source.c */
uint32_t nytp_perl_source_text(void *glue, const nytp_live_file *file, nytp_buf *text); /* nytp_front.source */
int nytp_perl_source_is_kept(pTHX_ const nytp_glue *g, const char *name); /* perl may keep the lines of that file */
U32 nytp_perl_source_bits(const nytp_glue *g); /* of $^P, which make perl keep lines now */
void nytp_perl_source_begin(pTHX_ nytp_glue *g); /* perl keeps the lines of the program, if they are not on the disk */
void nytp_perl_source_when_compiled(pTHX); /* until it is compiled */
OP *nytp_perl_source_require(pTHX); /* and those of code from a hook in @INC */

/* carried.c: records the lines of statements below root, and the statements that the optimiser merged into others. */
void nytp_carried_walk(pTHX_ nytp_glue *g, const OP *root);
void nytp_carried_mark(pTHX_ nytp_glue *g, const OP *root); /* of code that never ran: lines only; root may be NULL */

/* name.c: the sub of a first call. What is special about calling a C function: it ends the process without perl's
 * farewell, may wait, or may switch coroutines. */
enum nytp_manner { NYTP_MANNER_PLAIN, NYTP_MANNER_ENDS, NYTP_MANNER_WAITS, NYTP_MANNER_SWITCHES };
nytp_live_sub *nytp_perl_name_sub(pTHX_ nytp_glue *g, nytp_subkey key, const CV *cv);
nytp_live_sub *nytp_perl_name_opcode(pTHX_ nytp_glue *g, nytp_subkey key, int type);
void nytp_perl_name_thread(nytp_glue *g, const nytp_live_sub *first); /* after its first sub */
nytp_live_sub *nytp_perl_name_undefined(pTHX_ nytp_glue *g, nytp_subkey key, const GV *gv);
void nytp_perl_name_release_all(pTHX_ nytp_glue *g); /* names held as keys */
void nytp_perl_name_uncalled(pTHX_ nytp_glue *g); /* defines all compiled subs that were never called */

/* Hooks for the end of compiling a piece of code, and for freeing it: body.c. */
OP *nytp_body_check(pTHX_ OP *o);
void nytp_body_freed(pTHX_ nytp_glue *g, const OP *root);
OP *nytp_eval_enter(pTHX); /* eval.c */

/* sub.c */
OP *nytp_sub_entersub(pTHX);
OP *nytp_sub_goto(pTHX);
OP *nytp_sub_entersub_timed(pTHX); /* the same with option latency, memory or waiting */
OP *nytp_sub_goto_timed(pTHX);
/* The node of a call; NULL: it is not recorded. */
nytp_live_node *nytp_sub_node(pTHX_ nytp_glue *g, nytp_live_place *site, const CV *cv);

/* coro.c: Coro's own function of ops that switch coroutines; NULL: not met yet. What entersub has returned may be
 * Coro's wish to run the call again with it, and `hook` takes its place then; g is NULL if not profiled. The sub that
 * Coro's own is going to call itself; NULL: it leaves that to entersub. Whether the innermost call there switches
 * coroutines. */
extern Perl_ppaddr_t nytp_coro_own;
OP *nytp_coro_hook(nytp_glue *g, OP *next, Perl_ppaddr_t hook);
void nytp_coro_unhook(OP *call);
const CV *nytp_coro_called(pTHX);
int nytp_coro_switches(const nytp_position *at);

/* phase.c: a BEGIN block's caller. A call, the first call at the end of perl, and a string that is evaluated: if by a
 * host program, the time since the last event is the host's. innermost: see phase.c. */
nytp_live_node *nytp_phase_of_begin(pTHX_ nytp_glue *g);
void nytp_phase_enter_host(pTHX_ nytp_glue *g, I32 innermost);
void nytp_phase_end_host(pTHX_ nytp_glue *g, I32 innermost);
void nytp_phase_before_eval(pTHX_ nytp_glue *g);
nytp_live_node *nytp_phase_of_coroutine(pTHX_ nytp_glue *g); /* the caller of one that begins */
void nytp_phase_destruct(nytp_glue *g); /* the END blocks have run: calls from now on are perl's, of DESTROY */

/* adopt.c: gives running subs without a frame one. If they died or left otherwise it ends at the next call that is new
 * in its context. A call that was not observed cannot be passed on by goto: the target runs as part of its caller. */
void nytp_adopt_running(pTHX_ nytp_glue *g);

/* adopted.c: their end */
void nytp_adopted_drop_gone(pTHX_ nytp_glue *g);
int nytp_adopted_is_top(const nytp_glue *g); /* the innermost frame is of such a sub */
OP *nytp_adopted_go(pTHX_ nytp_glue *g);     /* goto leaves such a sub */
OP *nytp_adopted_leave(pTHX);                /* hook of its leavesub, leavesublv and return */

/* the hooks of stmt.c, leave.c, slowop.c and process.c */
/* grows: with option memory */
Perl_ppaddr_t nytp_stmt_hook(const nytp_clock *clock, int grows); /* of nextstate, for that clock */
extern Perl_ppaddr_t nytp_stmt_quick; /* the same if it does pp_nextstate's own work; NULL: it does not */
Perl_ppaddr_t nytp_stmt_db_hook(int grows); /* of dbstate */
OP *nytp_stmt_before_db(pTHX);              /* with use_db_sub perl calls DB::DB, which counts */
void nytp_stmt_db(pTHX_ nytp_glue *g);
Perl_ppaddr_t nytp_leave_hook(int grows), nytp_leave_loop_hook(int grows); /* of a block's end, and of unstack */
Perl_ppaddr_t nytp_slowop_hook(int wait, int timed); /* enum nytp_wait of leaf.h; 1: with those options */
OP *nytp_process_forks(pTHX);
OP *nytp_process_exec(pTHX);
OP *nytp_process_kill(pTHX);

/* boot.c */
void nytp_boot_hooks(pTHX_ nytp_glue *g);
void nytp_boot_exec(pTHX); /* the hook of exec alone, for sampled programs */
void nytp_boot_share_clock(nytp_glue *g); /* if there are hooks already, g has their clock */
void nytp_boot_clone(pTHX); /* what is not common to all interpreters */
void nytp_boot_unhook(pTHX); /* for the next interpreter of the process; ops that have a hook keep it */

/* calibrate.c: measures the prices of the hooks, which are installed, now and by when_due. */
void nytp_perl_calibrate(pTHX_ nytp_glue *g);
void nytp_perl_calibrate_end(nytp_glue *g);

/* example.c: what Devel::NYTProf::Test's example_xsub does, and a sleep measured in ticks of a clock opened by the
 * option. */
void nytp_example_xsub(pTHX_ SV *action, SV *argument);
int64_t nytp_example_sleep(pTHX_ nytp_glue *g, nytp_clock *clock, UV microseconds);

/* life.c */
void nytp_perl_life_boot(pTHX); /* the interpreter gets a state; profiling is still off */
nytp_front nytp_perl_life_front(nytp_glue *g); /* functions, and what all interpreters have in common */
void nytp_perl_life_end(pTHX_ nytp_glue *g);   /* frees it, and with the last one what is common to all */
void nytp_perl_life_set_option(pTHX_ nytp_glue *g, const char *name, const char *value);
/* Installs hooks, and starts profiling by option start. 0: not in this interpreter. */
int nytp_perl_life_init(pTHX_ nytp_glue *g);
void nytp_perl_life_again(pTHX_ const nytp_glue *g);

/* control.c */
int nytp_control_enable(pTHX_ nytp_glue *g, const char *file); /* file NULL: the current one. 1 if it was on already */
int nytp_control_disable(pTHX_ nytp_glue *g);                  /* 1 if it was on */
void nytp_control_close(pTHX_ nytp_glue *g); /* by the program: running calls go on in the next file */
void nytp_control_begin(pTHX_ nytp_glue *g); /* switches on by option start, not by a statement */
void nytp_control_before_destruct(pTHX_ nytp_glue *g); /* at the end of the program; objects may be left */
void nytp_control_finish(pTHX_ nytp_glue *g);          /* and of perl */
int nytp_control_complete(void *glue, int is_brief); /* this and the next are functions for the recorder: nytp_front */
void nytp_control_forked(void *glue);
void nytp_control_stopped(void *glue);

/* timed.c: what the program says of its run. n NULL: 1. The result is the caller's */
void nytp_timed_mark(pTHX_ nytp_glue *g, SV *name);
void nytp_timed_count(pTHX_ nytp_glue *g, SV *name, SV *n);
SV *nytp_timed_span(pTHX_ nytp_glue *g, SV *name);
void nytp_timed_end(pTHX_ nytp_glue *g, SV *ref); /* takes one that has ended, too */

/* process.c: functions for the recorder */
void nytp_process_at_exit(void *glue, int by_signal);
void nytp_process_in_child(void *glue);

/* signals.c: a function for the recorder, too: long work begins, or has ended */
void nytp_signals_wait(void *glue, int begins);

/* clone.c: perl has made this interpreter as a clone of the one with the state `from`, which may be none. Returns its
 * own state, or NULL. */
nytp_glue *nytp_clone_made(pTHX_ nytp_glue *from);

/* inherit.c: what perl has compiled before the clone. 0 when memory is short. */
int nytp_inherit_code(nytp_glue *g, const nytp_glue *from);

/* thread.c */
void nytp_thread_share(nytp_glue *g);      /* threads write to the file that g writes to */
void nytp_thread_share_no_more(void);      /* no thread is left */
nytp_outlet *nytp_thread_outlet(void);     /* their file */
int nytp_thread_begin(pTHX_ nytp_glue *g); /* the first event; 1 if the thread is profiled */
void nytp_thread_arrives(nytp_glue *g);    /* it has an event in this system thread */
void nytp_thread_waits(nytp_glue *g);      /* there is no event before an op that waits has ended, or calls Perl code */
int nytp_thread_wakes(nytp_glue *g);       /* there is one; 0: the profile has ended meanwhile */
void nytp_thread_ends(void *glue);         /* for the recorder: the system thread of the latest event ends */
int nytp_thread_resume(pTHX_ nytp_glue *g); /* there is an event in another one; 1 if profiling goes on */

/* log.c: a line without its newline */
void nytp_perl_log_say(void *glue, const char *line);
void nytp_perl_log_check(pTHX_ nytp_glue *g); /* falls back to standard error if the log cannot be opened */
void nytp_perl_log_trace(pTHX_ const nytp_glue *g, const char *format, ...) /* with trace=1 and above */
    __attribute__format__(__printf__, pTHX_2, pTHX_3);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
