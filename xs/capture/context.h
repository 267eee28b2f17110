/* SPDX-License-Identifier: MIT */
/* context.h - calling contexts: a tree in an array, summed up and walked. */
#ifndef NYTP_CAPTURE_CONTEXT_H
#define NYTP_CAPTURE_CONTEXT_H

#include <stdint.h>

/* Numbers of subs and files are the caller's own. Times are ticks; counts and times may be negative. A spread is how
 * far a time may be off. */
typedef struct nytp_context {
    uint32_t parent, sub;
    uint32_t file, line;  /* where the call was made */
    uint32_t child, next; /* first child and next sibling; 0 is none */
    uint32_t depth : 30;  /* ancestors with the same sub */
    uint32_t tail : 1;    /* 1: a tail call: it replaced its caller */
    uint32_t is_inner : 1; /* 1: an ancestor was called at the same line; set by the caller, as depth is */
    float spread;         /* of exclusive */
    int64_t calls, exclusive, inclusive;
    int64_t sampled;        /* the part of exclusive during which lines were traced, with option duty */
    uint32_t own, whole; /* free for the caller: its other sums of the context, without and with callees */
} nytp_context;

/* The calls that one sub makes at one line to another sub. */
typedef struct nytp_edge {
    uint32_t caller, callee, file, line;
    int64_t calls, exclusive;
    int64_t inclusive; /* of callee's outermost calls: a recursion's time counts once */
    int64_t recursive; /* of nested calls */
    int64_t outer;     /* inclusive time of contexts that are not inner */
    uint32_t depth : 31; /* of the deepest nested call; 0: none */
    uint32_t tail : 1;   /* 1: tail calls; other calls of that line have an edge of their own */
    float spread;        /* of inclusive */
    uint32_t own, whole; /* free for the caller; whole, like inclusive, is of outermost calls */
    uint32_t timed;      /* free for the caller */
} nytp_edge;

/* Links the n contexts, of which the first is the root and every other stands behind its parent, and fills in inclusive
 * times: exclusive ones plus the children's. Children come in the order of the array. */
void nytp_context_sum(nytp_context *all, uint32_t n);

typedef void nytp_context_visit(void *self, uint32_t i);

/* Walks linked contexts from the root down and back: enter before a context's children, leave behind them. */
void nytp_context_walk(const nytp_context *all, nytp_context_visit *enter, nytp_context_visit *leave, void *self);

/* Adds calls and times of another edge with the same identity. */
void nytp_edge_add(nytp_edge *e, const nytp_edge *more);

/* Adds a context's calls to its edge; they are nested if its depth is not 0. */
void nytp_context_add(const nytp_context *c, nytp_edge *e);

#endif
