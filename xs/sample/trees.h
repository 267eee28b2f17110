/* SPDX-License-Identifier: MIT */
/* trees.h - which tree of ops a statement is in: of which sub, or of a file or a string eval.
 *
 * The link of an op's last kid leads to its parent, so any op leads to the root of its tree, and a sub has its root.
 * What is known of a statement is kept by its address, file, line and number of the compilation, which tell an address
 * that perl has used again. perl before 5.26 has no such links: there no statement has a root. */
#ifndef NYTP_SAMPLE_TREES_H
#define NYTP_SAMPLE_TREES_H

#include "base/map.h"
#include "sample/unwind.h"

typedef struct nytp_op_sub { /* the sub that an op has entered last */
    uint64_t op, sub, root;
} nytp_op_sub;

#define NYTP_TREES_ENTRIES 3
typedef struct nytp_tree {
    nytp_frame of;  /* a statement of it; `code` is the sub that has been seen with it last, 0: none */
    uint64_t root;  /* 0: not known */
    uint32_t kind;  /* of the frames that it runs in (enum nytp_frame_kind); REQUIRE stands for EVAL, too */
    /* What mend.c has learnt of the statement: */
    uint32_t looks;                          /* made again for it */
    uint32_t next;                           /* the entry that is replaced next */
    nytp_op_sub entries[NYTP_TREES_ENTRIES]; /* its calls */
} nytp_tree;

typedef struct nytp_trees {
    const nytp_subject *target;     /* borrowed */
    nytp_map by_statement, by_op;   /* 1 + index in `all`; 1 + whether the op is in its statement's tree */
    nytp_tree *all;
    uint32_t n, room;
} nytp_trees; /* all zero but target, at first */

/* The tree of a frame's statement, valid until the next call. NULL: it is in none, or not known. */
nytp_tree *nytp_trees_of(nytp_trees *c, const nytp_frame *f);

/* 1 if the frame's own code has its statement. */
int nytp_trees_fits(nytp_trees *c, const nytp_frame *f);

/* The root of that sub. 0: it is none in Perl. */
uint64_t nytp_trees_root(const nytp_trees *c, uint64_t cv);

/* 1 if the op is in the tree of that statement, or in none that is known. */
int nytp_trees_has(nytp_trees *c, const nytp_frame *f, uint64_t op);

void nytp_trees_free(nytp_trees *c);

#endif
