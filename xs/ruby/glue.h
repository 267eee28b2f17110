/* SPDX-License-Identifier: MIT */
/* glue.h - what the files of this room share: Ruby's headers, the state of one profiled thread.
 *
 * Threads of Ruby's take turns, but wait side by side: one line of time for all would give a thread's sleep to another.
 * So each has a session, which writes a stream of its own into the file of all, and its times are by the clock on the
 * wall. Fibers are stacks that a session changes between. */
#ifndef NYTP_RUBY_GLUE_H
#define NYTP_RUBY_GLUE_H

#include <ruby.h>
#include <ruby/debug.h>
#include <ruby/version.h>

#include "record/session.h"

enum nytp_callee_kind {
    NYTP_CALLEE_METHOD,
    NYTP_CALLEE_BLOCK,
    NYTP_CALLEE_CLASS, /* the body of one, or of a module */
    NYTP_CALLEE_C,     /* a method in C, or in Ruby's own <internal:...> files */
    NYTP_CALLEE_TEXT   /* a file or an eval: begins without an event and ends with the C function that runs it */
};

/* What there is to do behind the beginning of a call. */
enum nytp_callee_role { NYTP_ROLE_NONE, NYTP_ROLE_WAIT, NYTP_ROLE_EXEC, NYTP_ROLE_EXIT };

typedef struct nytp_callee {
    nytp_live_sub *sub;      /* NULL: the main program */
    nytp_live_file *file;    /* NULL: written in C */
    VALUE path;              /* as Ruby has it: equal ones are one object while one lives, and those here do */
    nytp_live_place **lines; /* of line first and so on; NULL where nothing ran yet */
    uint32_t line_n, first;
    uint32_t kind, role;     /* enum nytp_callee_kind, enum nytp_callee_role */
    uint32_t is_block;       /* 1: a method that define_method has made of one */
    uint32_t is_operator;    /* 1: Ruby does it without a call where there are no events */
} nytp_callee;

typedef struct nytp_ruby_call {
    nytp_callee *callee;
    VALUE id;        /* the method's, as a symbol or nil */
    nytp_where back; /* where it goes when it ends */
    uint32_t kind;   /* enum nytp_callee_kind */
} nytp_ruby_call;

/* The calls that run in a fiber; the first is what the fiber begins in. */
typedef struct nytp_ruby_stack {
    nytp_ruby_call *calls;
    uint32_t top, room;
    uint32_t start;  /* the start of the profiler that this is of */
    nytp_where left; /* where it goes on */
} nytp_ruby_stack;

typedef struct nytp_ruby {
    nytp_session s;
    nytp_ruby_stack *stack;     /* of the fiber that runs */
    nytp_ruby_stack *ends_with; /* when that is empty the thread is over: Ruby tells no end of one that is killed */
    nytp_map callees;     /* by what tells them apart: an index in all_callees, from 1 */
    nytp_callee **all_callees;
    uint32_t callee_n;
    nytp_live_file *eval; /* of a text that was compiled and has not begun; NULL: none */
    struct nytp_ruby *next;
} nytp_ruby;

static inline nytp_ruby_call *nytp_ruby_top(const nytp_ruby_stack *s) { return s->calls + s->top; }

/* life.c: the state of this thread, made if it is new; NULL: nothing is recorded. leave: the thread ends. */
nytp_ruby *nytp_ruby_life_here(rb_trace_arg_t *arg);
void nytp_ruby_life_leave(void);
void nytp_ruby_life_end_role(int how);   /* the process may end: enum nytp_end */
uint32_t nytp_ruby_life_starts(void);    /* how often the profiler was started: older stacks mean nothing */
void nytp_ruby_life_keep(VALUE path);    /* is never freed */
nytp_ruby *nytp_ruby_life_borrow(void);  /* a state without an output for this thread, until it is given back */
void nytp_ruby_life_give_back(nytp_ruby *g);

/* hook.c: on and off; the stack of the fiber that runs, NULL when memory is short. */
void nytp_ruby_hook_set(int on, int lines);
nytp_ruby_stack *nytp_ruby_hook_stack(void);

/* callee.c: what Ruby calls at this event; a text of that path, which begins without one; the place of a line. NULL
 * when memory is short. compiled is told by a TracePoint what an eval is about to run. */
nytp_callee *nytp_callee_of(nytp_ruby *g, rb_trace_arg_t *arg, enum nytp_callee_kind kind);
nytp_callee *nytp_callee_of_text(nytp_ruby *g, rb_trace_arg_t *arg, VALUE path, int is_main);
nytp_live_place *nytp_callee_place(nytp_ruby *g, nytp_callee *c, uint32_t line);
void nytp_callee_compiled(nytp_ruby *g, VALUE event);
void nytp_callee_free(nytp_ruby *g);

/* name.c: what it is called, in Ruby's words, of a text with its file's name; valid until asked again. */
const char *nytp_ruby_name_of(rb_trace_arg_t *arg, enum nytp_callee_kind kind, const char *path);
int nytp_ruby_name_is_block(void); /* what runs is the body of a block */

/* calibrate.c */
void nytp_ruby_calibrate(nytp_rec_price prices[NYTP_EVENTS]);

#endif
