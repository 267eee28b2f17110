/* SPDX-License-Identifier: MIT */
/* unwind.h - reads the call stack of a perl from its memory, while it runs: of this process or of another one.
 *
 * Nothing in the target is called, stopped or changed. What is read may be half changed: a pointer that leads nowhere
 * ends the walk, and what makes no sense is left out. */
#ifndef NYTP_SAMPLE_UNWIND_H
#define NYTP_SAMPLE_UNWIND_H

#include "sample/layout.h"
#include "sample/peek.h"

typedef struct nytp_subject {
    nytp_peek peek;
    const nytp_perl_layout *layout; /* borrowed */
    nytp_perl_at perl;
} nytp_subject;

enum nytp_frame_kind {
    NYTP_FRAME_MAIN,   /* the main program */
    NYTP_FRAME_SUB,    /* `code` is its CV */
    NYTP_FRAME_EVAL,   /* `code` is the text of a string eval, a scalar; 0: not known */
    NYTP_FRAME_REQUIRE /* a file that require or do runs */
};

typedef struct nytp_frame {
    uint64_t code;
    uint64_t cop;   /* the statement in it; 0: none that may be read, as while perl compiles */
    uint64_t file;  /* of that statement: its name, as the layout has it */
    uint64_t stash; /* its package, or the number of that in PL_stashpad */
    uint32_t line, seq;
    uint32_t kind;  /* enum nytp_frame_kind */
    uint32_t is_entered; /* 1: its first statement has not begun, or its last has ended: that above is the caller's */
} nytp_frame;

/* 1 if both have the same statement: perl uses addresses again, the numbers tell. */
static inline int nytp_unwind_are_same(const nytp_frame *a, const nytp_frame *b) {
    return a->cop == b->cop && a->file == b->file && a->line == b->line && a->seq == b->seq;
}

#define NYTP_UNWIND_DEEPEST NYTP_PEEK_PIECES

/* The innermost contexts, read together with the interpreter's variables, as the program goes on meanwhile. Where they
 * are is known from the sample before, or else the moment is another one. */
#define NYTP_UNWIND_PIECE 64    /* contexts */
#define NYTP_UNWIND_CONTEXT 256 /* bytes that one may have, or the head of their stack */
typedef struct nytp_innermost {
    int64_t shortest;     /* look so far, in ns; 0: none */
    uint64_t info, base;  /* the head of their stack, and the stack itself */
    int32_t first, n;     /* those of the stack that are in `contexts` */
    uint32_t after;       /* index of the current context when all else was read */
    unsigned char head[NYTP_UNWIND_CONTEXT];
    unsigned char contexts[NYTP_UNWIND_PIECE * NYTP_UNWIND_CONTEXT];
} nytp_innermost;

typedef struct nytp_stack {
    uint64_t variable[NYTP_PERL_VARIABLES]; /* the interpreter's, at the last look */
    nytp_innermost inner;
    uint32_t is_seen; /* 0: the look found nothing */
    uint32_t op_type; /* of the op that runs */
    uint32_t n;
    uint32_t is_outside; /* 1: perl runs no code and compiles none: the program around it, a web server, runs its own */
    uint32_t is_cut;  /* 1: there are more frames than there is room for; the outermost are missing */
    nytp_frame frames[NYTP_UNWIND_DEEPEST]; /* innermost first */
} nytp_stack;

/* Reads the variables, and the innermost contexts. 1 if the variables differ from those of the last look. */
int nytp_unwind_look(const nytp_subject *t, nytp_stack *s);

/* The stack of the last look. 0: nothing sensible was found. */
int nytp_unwind(const nytp_subject *t, nytp_stack *s);

/* The sub of the context that is `by` above the current one, which perl has left or is about to enter. 0: none was
 * read. */
uint64_t nytp_unwind_above(const nytp_subject *t, const nytp_stack *s, int32_t by);

/* The stack as if that context were the current one. 0 as nytp_unwind. */
int nytp_unwind_raised(const nytp_subject *t, nytp_stack *s, int32_t by);

/* The statement at f->cop, by way of pages or, with NULL, as it is now. 0: it is none. */
int nytp_unwind_read(const nytp_subject *t, nytp_peek_pages *pages, nytp_frame *f);

/* 1 if the statement of f is still what it was when it was read: what was read of it since can be believed. */
int nytp_unwind_is_same(const nytp_subject *t, const nytp_frame *f);

#endif
