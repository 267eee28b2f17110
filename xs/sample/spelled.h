/* SPDX-License-Identifier: MIT */
/* spelled.h - what subs, packages and files of a perl are called, read from its memory.
 *
 * Names are bytes of a heap that changes meanwhile: whatever is not a name of a sensible length without NUL is none.
 * Functions append to a buffer and return 1, or leave it as it was and return 0. */
#ifndef NYTP_SAMPLE_SPELLED_H
#define NYTP_SAMPLE_SPELLED_H

#include "base/buf.h"
#include "sample/unwind.h"

/* The file of a statement, as the program names it. */
int nytp_spelled_file(const nytp_subject *t, const nytp_frame *f, nytp_buf *name);

/* The package of a statement; `stash` is its address then, the same for all its statements. */
int nytp_spelled_package(const nytp_subject *t, const nytp_frame *f, uint64_t *stash, nytp_buf *name);

/* The text of a scalar, cut at `most` bytes. */
int nytp_spelled_text(const nytp_subject *t, uint64_t sv, size_t most, nytp_buf *text);

/* A sub. */
typedef struct nytp_perl_sub {
    uint64_t cv, root;        /* the root op of its code */
    uint64_t name, package;   /* addresses that differ where its names do */
    uint32_t is_anon, is_c;
    nytp_frame first;         /* its first statement; cop 0: not known */
    uint32_t last_line;       /* of its last statement, apart from statements in blocks */
} nytp_perl_sub;

/* Reads it, with its name as PACKAGE::NAME. */
int nytp_spelled_sub(const nytp_subject *t, uint64_t cv, nytp_perl_sub *code, nytp_buf *name);

/* The sub that entersub was called with, from above perl's stack, where its pointer is left; 0: none is there. */
uint64_t nytp_spelled_callee(const nytp_subject *t, const nytp_stack *s);

#endif
