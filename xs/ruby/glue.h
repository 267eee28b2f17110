/* SPDX-License-Identifier: MIT */
/* glue.h - shared by the files of this room: Ruby's headers, the state of one profiled thread.
 *
 * Ruby's threads take turns, but wait in parallel: on a common time line one thread's sleep would be charged to
 * another. So each has a session, which writes a stream of its own into the common file, with wall time. Fibers are
 * stacks between which a session switches. */
#ifndef NYTP_RUBY_GLUE_H
#define NYTP_RUBY_GLUE_H

#include <ruby.h>
#include <ruby/debug.h>
#include <ruby/version.h>

#include "record/session.h"

enum nytp_callee_kind {
    NYTP_CALLEE_METHOD,
    NYTP_CALLEE_BLOCK,
    NYTP_CALLEE_CLASS, /* the body of a class or module */
    NYTP_CALLEE_C,     /* a method in C, or in Ruby's own <internal:...> files */
    NYTP_CALLEE_TEXT   /* a file or an eval: begins without an event and ends with the C function that runs it */
};

/* Callees that need work after the beginning of a call. */
enum nytp_callee_role { NYTP_ROLE_NONE, NYTP_ROLE_WAIT, NYTP_ROLE_EXEC, NYTP_ROLE_EXIT };

typedef struct nytp_callee {
    nytp_live_sub *sub;      /* NULL: the main program */
    nytp_live_file *file;    /* NULL: written in C */
    VALUE path;              /* Ruby's object: equal paths are one object while it lives, and these do */
    nytp_live_lines lines;
    uint32_t number;         /* in nytp_ruby.all, from 1 */
    uint32_t kind, role;     /* enum nytp_callee_kind, enum nytp_callee_role */
    uint32_t is_block;       /* 1: a method made of a block by define_method */
    uint32_t is_operator;    /* 1: without hooks Ruby needs no call for it */
} nytp_callee;

typedef struct nytp_ruby_call {
    nytp_callee *callee;
    VALUE id;        /* the method's, as a symbol or nil */
    nytp_where back; /* where to return */
    uint32_t kind;   /* enum nytp_callee_kind */
} nytp_ruby_call;

/* The running calls of a fiber; the first is where the fiber began. */
typedef struct nytp_ruby_stack {
    nytp_ruby_call *calls;
    uint32_t top, room;
    uint32_t start;  /* number of the start of the profiler that the stack is of */
    nytp_where left; /* where to continue */
} nytp_ruby_stack;

typedef struct nytp_ruby {
    nytp_session s;
    nytp_ruby_stack *stack;     /* of the running fiber */
    nytp_ruby_stack *ends_with; /* when it is empty the thread has ended: a killed thread has no event for its end */
    nytp_callee **all;
    uint32_t callee_n, callee_room;
    nytp_map by_class;    /* numbers of callees by the address of their class, until a class is freed */
    nytp_map by_name;     /* the same, for good */
    nytp_live_file *eval; /* the file of a text compiled and not begun; NULL: none */
    struct nytp_ruby *next;
} nytp_ruby;

/* The event's line. What an eval was given as its first line may be below 0. */
static inline uint32_t nytp_ruby_line(rb_trace_arg_t *arg) {
    int line = FIX2INT(rb_tracearg_lineno(arg));
    return line > 0 ? (uint32_t)line : 0;
}

/* The path of an eval that was given no file's name: (eval), or (eval at FILE:LINE). */
static inline int nytp_ruby_is_of_eval(VALUE path) { return *RSTRING_PTR(path) == '('; }

static inline nytp_ruby_call *nytp_ruby_top(const nytp_ruby_stack *s) { return s->calls + s->top; }

/* life.c: the state of this thread, made if it is new; NULL: nothing is recorded. enter: the thread
 * begins, leave: it ends. */
nytp_ruby *nytp_ruby_life_here(rb_trace_arg_t *arg);
void nytp_ruby_life_enter(rb_trace_arg_t *arg);
void nytp_ruby_life_leave(void);
void nytp_ruby_life_end_role(int how);   /* the process may end: enum nytp_end */
uint32_t nytp_ruby_life_starts(void);    /* number of starts of the profiler: older stacks are void */
void nytp_ruby_life_keep(VALUE path);    /* keeps it from being freed */
void nytp_ruby_life_watch(VALUE klass);  /* calls nytp_callee_freed for all threads when it is freed */
VALUE nytp_ruby_life_by_identity(void);  /* a hash that calls no method of its keys, and stays */
nytp_str nytp_ruby_life_text(void);      /* of the option -e */
nytp_ruby *nytp_ruby_life_borrow(void);  /* a state without an output for this thread, to be returned */
void nytp_ruby_life_give_back(nytp_ruby *g);

/* hook.c: once, when the module is loaded; on and off; the running fiber's stack, NULL when memory is short. */
void nytp_ruby_hook_init(void);
void nytp_ruby_hook_set(int on, int lines);
nytp_ruby_stack *nytp_ruby_hook_stack(void);

/* callee.c: the callee of this event; a text of that path, which begins without an event. NULL when memory is short.
 * compiled gets the code of an eval from a TracePoint. freed: addresses of classes may be those of others now. */
nytp_callee *nytp_callee_of(nytp_ruby *g, rb_trace_arg_t *arg, enum nytp_callee_kind kind);
nytp_callee *nytp_callee_of_text(nytp_ruby *g, rb_trace_arg_t *arg, VALUE path, int is_main);
void nytp_callee_compiled(nytp_ruby *g, VALUE event);
void nytp_callee_freed(nytp_ruby *g);
void nytp_callee_free(nytp_ruby *g);

/* name.c: the name in Ruby's terms; for a text with its file's name; valid until the next call. */
const char *nytp_ruby_name_of(rb_trace_arg_t *arg, enum nytp_callee_kind kind, const char *path);
void nytp_ruby_name_init(void);
int nytp_ruby_name_is_block(void);      /* 1: the running code is the body of a block */
int nytp_ruby_name_is_in_program(void); /* 1: the main program is running, 0: it has not begun */
VALUE nytp_ruby_name_text_of_option(void); /* of the running -e, which the parser tells from Ruby 3.1 on; else nil */
VALUE nytp_ruby_name_eval(VALUE event); /* an eval without a file's name has been compiled: its text; else nil */

/* calibrate.c */
void nytp_ruby_calibrate(nytp_rec_price prices[NYTP_EVENTS]);

#endif
