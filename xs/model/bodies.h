/* SPDX-License-Identifier: MIT */
/* bodies.h - the code that statements belong to: bodies of subs, one inside another, and the code of files outside
 * subs. */
#ifndef NYTP_MODEL_BODIES_H
#define NYTP_MODEL_BODIES_H

#include "model/profile.h"

/* Body 0 is the main program: the root and other phases. Body i < files_n is the code outside subs of file i, with
 * Lua's main chunk as its sub. These have no range. Behind them are ranges of lines with the subs written there:
 * several where they begin and end in the same lines, as closures of one factory do. */
typedef struct nytp_body {
    uint32_t file, first, last;
    int32_t is_open; /* 1: its end is not known, and last the last line known to be in it: Ruby tells no ends */
    uint32_t outer;  /* the body that this one is in, or that ran a file's code; of body 0 itself */
    uint32_t far, depth; /* of a range: one further out, so that few steps lead out of many; ranges around it */
    nytp_slice subs; /* of nytp_bodies.subs */
} nytp_body;

typedef struct nytp_bodies {
    nytp_arena arena;
    nytp_body *at;
    uint32_t n;
    uint32_t *subs;   /* by body */
    uint32_t *of_sub; /* per sub: its body; NYTP_BODIES_NONE: it has no statements of its own to know of */
    uint32_t *ranges; /* per file, and one more: its first range */
} nytp_bodies; /* all zero: none */

#define NYTP_BODIES_NONE UINT32_MAX

/* Finds the bodies of a profile. Returns an nytp_code; to be freed in any case. */
enum nytp_code nytp_bodies_find(nytp_bodies *b, const nytp_profile *p);

/* The innermost body with that line of a file. */
uint32_t nytp_bodies_at(const nytp_bodies *b, uint32_t file, uint32_t line);

/* The innermost body with both the place's line and the first line of its sub, which may be that of a statement. */
uint32_t nytp_bodies_of(const nytp_bodies *b, const nytp_place *place);

/* The body itself, or if it is a file's code outside subs the body with a sub that ran it. */
uint32_t nytp_bodies_run(const nytp_bodies *b, uint32_t body);

/* Whether a body is a range of that file with that line. */
int nytp_bodies_has(const nytp_bodies *b, uint32_t body, uint32_t file, uint32_t line);

/* Whether the line is the first or last one of a range, so that code around it may be there, too. */
int nytp_bodies_is_edge(const nytp_body *body, uint32_t file, uint32_t line);

void nytp_bodies_free(nytp_bodies *b);

#endif
